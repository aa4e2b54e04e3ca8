//! The money of the rules once more, for the auditor and for tests.
//!
//! [`Book::read`] reads the text of a rule book; a [`Round`] is made from cards; [`Bet::decide`] says what becomes of a
//! bet, [`Layout::settle`] what becomes of wagers, [`apportion`] shares out a betting box over the Differential, and
//! [`Layout::established`] says what is certain before a Round is complete. [`BettingBox`] is a box where limits are
//! enforced.
//!
//! This crate is written from the approved documents, docs/rulebook.md and docs/interpretations.md. It knows no other
//! crate of the workspace, so that a mistake in `punto-rules` is not repeated here: it has its own cards, its own Table of
//! Play and its own reader. It compiles nothing: a row of a pay table is tried on the cards themselves, first row first.
//!
//! It deliberately does not check a rule book; `punto-rules` does that and names every fault. A text that is no rule book is
//! an error here, a rule book that nobody should approve (a row that cannot match, a bet that cannot win) is not. It
//! decides nothing about a table: who may bet, who rules, and when.
//!
//! ```
//! use punto_reference::{Book, Limits, Verdict, Wager, parse_cards};
//!
//! let text = include_str!("../../../rulebooks/da-hu-ying-xiong-2019.toml");
//! let book = Book::read(text).unwrap();
//! let layout = book.layout("A").unwrap();
//! let cards = parse_cards("2s 3d 3c 3h 5d").unwrap();
//! let wagers = [Wager::new("banker", 10_000), Wager::new("tiger", 500)];
//! let settlement = layout.settle(&Limits::default(), &wagers, &cards).unwrap();
//! assert_eq!((settlement.lines[0].winnings, settlement.lines[0].commission), (9_500, 500));
//! assert_eq!(settlement.lines[1].winnings, 6_000); // two cards on 6: 12 to 1
//! assert_eq!(settlement.house, -15_500);
//! ```

#![forbid(unsafe_code)]

mod bet;
mod betting_box;
mod book;
mod card;
mod certain;
mod error;
mod limits;
mod odds;
mod pro_rata;
mod round;
mod row;
mod settlement;

pub use bet::{Bet, Decision, Verdict};
pub use betting_box::{BettingBox, Chips, Cut, TurnedDown};
pub use book::{Book, Clause, Layout, LimitsModel, Mode, Squeeze, SqueezeRight};
pub use card::{Card, NotACard, parse_cards};
pub use certain::{Certain, Established};
pub use error::{ReadError, Refusal};
pub use limits::{BoxLimits, Limits};
pub use odds::{Odds, Percentage};
pub use pro_rata::apportion;
pub use round::{Hand, Hands, NotOneRound, Round, Side, Winner};
pub use row::{Count, Row};
pub use settlement::{Line, MOST, Settlement, Wager};
