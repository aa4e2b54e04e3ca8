//! What is wrong with a rule book: every fault at once, each with its place.

use std::fmt;
use std::ops::Range;

use serde::Serialize;

/// The kinds of faults, a closed list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// The text is not TOML.
    Syntax,
    /// A key that means nothing here.
    UnknownKey,
    /// A key that must be there.
    MissingKey,
    /// A value of another type than the key takes.
    WrongType,
    /// A word or number that the key does not take.
    BadValue,
    /// No paragraph is cited.
    MissingCitation,
    /// Odds that cannot be read.
    MalformedOdds,
    /// A name used twice.
    DuplicateId,
    /// A layout offers a bet that the rule book does not have.
    UnknownBet,
    /// The numbers of decks make no range from 1 to 10.
    DeckRange,
    /// A row that no Round can match.
    ImpossibleRow,
    /// A row that earlier rows always match first.
    ShadowedRow,
    /// A bet that no Round can win.
    NeverWins,
    /// An Original Bet that is not returned on every Tie.
    TieNotReturned,
    /// An Original Bet that pays although the other Hand wins.
    PaysAgainstItsHand,
    /// Rows that tell too many outcomes apart.
    TooManyClasses,
    /// No chip unit within reach pays every bet of a layout exactly.
    UnitOutOfReach,
    /// Warning: a bet that no layout offers.
    UnofferedBet,
    /// Warning: a bet that favours the patron. Found by whoever can compute odds.
    FavoursPatron,
    /// Warning: a bet that cannot win with some number of decks that the game allows. Found by whoever can compute odds.
    CannotWin,
}

impl FaultKind {
    /// Whether the rule book can be used all the same.
    pub const fn is_warning(self) -> bool {
        matches!(self, FaultKind::UnofferedBet | FaultKind::FavoursPatron | FaultKind::CannotWin)
    }

    /// A short name, as in JSON.
    pub const fn id(self) -> &'static str {
        match self {
            FaultKind::Syntax => "syntax",
            FaultKind::UnknownKey => "unknown-key",
            FaultKind::MissingKey => "missing-key",
            FaultKind::WrongType => "wrong-type",
            FaultKind::BadValue => "bad-value",
            FaultKind::MissingCitation => "missing-citation",
            FaultKind::MalformedOdds => "malformed-odds",
            FaultKind::DuplicateId => "duplicate-id",
            FaultKind::UnknownBet => "unknown-bet",
            FaultKind::DeckRange => "deck-range",
            FaultKind::ImpossibleRow => "impossible-row",
            FaultKind::ShadowedRow => "shadowed-row",
            FaultKind::NeverWins => "never-wins",
            FaultKind::TieNotReturned => "tie-not-returned",
            FaultKind::PaysAgainstItsHand => "pays-against-its-hand",
            FaultKind::TooManyClasses => "too-many-classes",
            FaultKind::UnitOutOfReach => "unit-out-of-reach",
            FaultKind::UnofferedBet => "unoffered-bet",
            FaultKind::FavoursPatron => "favours-patron",
            FaultKind::CannotWin => "cannot-win",
        }
    }
}

/// One fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Which kind.
    pub kind: FaultKind,
    /// Where, in bytes of the text.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub hint: Option<String>,
}

impl Fault {
    /// Line and column of its beginning, both from 1, the column in characters.
    pub fn place(&self, text: &str) -> (usize, usize) {
        let before = &text[..floor_char_boundary(text, self.span.start)];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
    }
}

fn floor_char_boundary(text: &str, index: usize) -> usize {
    (0..=index.min(text.len())).rev().find(|&index| text.is_char_boundary(index)).unwrap_or(0)
}

/// A refused rule book: all its faults, in the order of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulebookFaults(pub Vec<Fault>);

impl fmt::Display for RulebookFaults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let errors = self.0.iter().filter(|fault| !fault.kind.is_warning()).count();
        write!(f, "the rule book has {errors} fault{}", if errors == 1 { "" } else { "s" })
    }
}

impl std::error::Error for RulebookFaults {}
