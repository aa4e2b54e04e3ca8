//! What cannot be read, and what cannot be settled.

use std::fmt;

use crate::NotOneRound;

/// Why a text is not a rule book.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadError {
    /// It is not TOML, or not written in the language of rule books.
    Text(String),
    /// It is written in another version of the language.
    Format(u32),
    /// A row, counted from 0, neither pays odds nor gives the stake back, or both.
    #[allow(missing_docs)]
    Result { bet: String, row: usize },
    /// A layout offers a bet that there is not.
    #[allow(missing_docs)]
    UnknownBet { layout: String, bet: String },
    /// Two bets or two layouts have one name, or a layout offers a bet twice.
    Twice(String),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Text(message) => f.write_str(message),
            ReadError::Format(format) => write!(f, "rule books of format {format} cannot be read"),
            ReadError::Result { bet, row } => {
                write!(f, "row {} of `{bet}` needs either odds or `returned = true`", row + 1)
            }
            ReadError::UnknownBet { layout, bet } => {
                write!(f, "layout {layout} offers an unknown bet `{bet}`")
            }
            ReadError::Twice(name) => write!(f, "`{name}` is there twice"),
        }
    }
}

impl std::error::Error for ReadError {}

/// Why wagers cannot be settled, or limits cannot be in force.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum Refusal {
    /// The cards are not one complete Round.
    Cards(NotOneRound),
    /// The layout does not offer the bet.
    UnknownBet(String),
    /// No stake of this many minor units, or a multiple of it, is paid exactly on every bet of the layout.
    Unit(u64),
    /// No unit that money can hold pays every bet of the layout exactly.
    NoUnit,
    /// The game has a minimum and a maximum for each bet, and no Differential.
    NoDifferential,
    /// The minimum is nothing, above the Differential, or one of the two is not a whole number of units.
    Limits { minimum: u64, differential: u64 },
    /// The stake is nothing, or not a whole number of units.
    Stake { bet: String, stake: u64 },
    /// More than the stake plays, or not a whole number of units.
    Playing { bet: String, playing: u64 },
    /// Money could not hold what the bet may pay.
    TooMuch { bet: String, stake: u64 },
    /// The bets on one side of this box add up to more than money can hold.
    Box(u8),
    /// A Player or Banker bet under a Differential names no betting box.
    NoBox { bet: String },
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Cards(cards) => cards.fmt(f),
            Refusal::UnknownBet(bet) => write!(f, "the layout does not offer `{bet}`"),
            Refusal::Unit(unit) => write!(f, "a unit of {unit} cannot pay every bet of the layout exactly"),
            Refusal::NoUnit => f.write_str("no unit pays every bet of the layout exactly"),
            Refusal::NoDifferential => f.write_str("the game has no Differential"),
            Refusal::Limits { minimum, differential } => {
                write!(f, "a minimum of {minimum} and a Differential of {differential} cannot be in force")
            }
            Refusal::Stake { bet, stake } => {
                write!(f, "a stake of {stake} on `{bet}` is not a whole number of units")
            }
            Refusal::Playing { bet, playing } => {
                write!(f, "{playing} of a stake on `{bet}` cannot be the part that plays")
            }
            Refusal::TooMuch { bet, stake } => {
                write!(f, "a stake of {stake} on `{bet}` could pay more than money can hold")
            }
            Refusal::Box(no) => write!(f, "the bets in box {no} add up to more than money can hold"),
            Refusal::NoBox { bet } => write!(f, "a bet on `{bet}` names no betting box"),
        }
    }
}

impl std::error::Error for Refusal {}
