//! What a Round means for a bet.

use crate::Odds;

/// Won at some odds, lost, or returned (which is neither, interpretation 9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Verdict {
    Won(Odds),
    Lost,
    Returned,
}

impl Verdict {
    /// `won`, `lost` or `returned`.
    pub const fn id(self) -> &'static str {
        match self {
            Verdict::Won(_) => "won",
            Verdict::Lost => "lost",
            Verdict::Returned => "returned",
        }
    }

    /// The odds of a win.
    pub const fn odds(self) -> Option<Odds> {
        match self {
            Verdict::Won(odds) => Some(odds),
            Verdict::Lost | Verdict::Returned => None,
        }
    }
}
