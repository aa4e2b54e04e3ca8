//! One Round as roads see it, and how often each came.

use std::fmt;

use punto_rules::{BySide, Outcome, Side, Winner};
use serde::{Deserialize, Serialize};

/// One Round as roads see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Mark {
    /// Who won.
    pub winner: Winner,
    /// Whether the first two cards of each side were a pair.
    pub pairs: BySide<bool>,
    /// Whether either Hand was a Natural.
    pub natural: bool,
}

impl Mark {
    /// A Round without a pair or a Natural.
    pub const fn plain(winner: Winner) -> Mark {
        Mark { winner, pairs: BySide { player: false, banker: false }, natural: false }
    }

    /// What roads see of a completed Round.
    pub fn of(outcome: &Outcome) -> Mark {
        let pairs = outcome.pairs();
        Mark {
            winner: outcome.winner(),
            pairs: BySide::from_fn(|side| pairs.on(side)),
            natural: outcome.is_natural(),
        }
    }
}

/// As [`super::notation`] reads it: `B`, `Pb`, `Tbpn`.
impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(letter(self.winner))?;
        let flags = [(self.pairs.banker, "b"), (self.pairs.player, "p"), (self.natural, "n")];
        flags.into_iter().filter(|(is_set, _)| *is_set).try_for_each(|(_, flag)| f.write_str(flag))
    }
}

/// `B`, `P` or `T`.
pub(super) const fn letter(winner: Winner) -> &'static str {
    match winner {
        Winner::Player => "P",
        Winner::Banker => "B",
        Winner::Tie => "T",
    }
}

/// How often each outcome came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Counters {
    /// Wins of each side.
    pub wins: BySide<u16>,
    /// Ties.
    pub ties: u16,
    /// Rounds in which each side had a pair.
    pub pairs: BySide<u16>,
    /// Rounds in which either Hand was a Natural.
    pub naturals: u16,
}

impl Counters {
    pub(super) fn add(&mut self, mark: Mark) {
        for side in Side::BOTH {
            self.wins[side] += u16::from(mark.winner.side() == Some(side));
            self.pairs[side] += u16::from(mark.pairs[side]);
        }
        self.ties += u16::from(mark.winner == Winner::Tie);
        self.naturals += u16::from(mark.natural);
    }
}
