//! The rules of baccarat tables, pure.
//!
//! - [`Deal`] is a Round as it is dealt: [`Deal::step`] says what comes next, until an [`Outcome`] stands.
//! - A [`Rulebook`] is an approved document as data. [`Rulebook::terms`] puts a layout with its limits in force:
//!   [`Terms`].
//! - [`settle`] says what a Round does to every [`Wager`], [`established`] what is certain before it is complete,
//!   [`reconstruct`] deals a list of cards again.
//!
//! No clock, no randomness of its own, no files, no async, no floats. Names follow the rule documents; a person who
//! bets is a patron, because "Player" is a Hand.
//!
//! ```
//! use punto_rules::{LimitsAsked, Rulebook, Step, Verdict, notation, reconstruct};
//!
//! let rulebook = Rulebook::approved("wu-song").unwrap();
//! let terms = rulebook.terms("A", 8, &LimitsAsked::default()).unwrap();
//! let cards = notation::parse("2s 3d 3c 3h 5d").unwrap();
//! let (deal, surplus) = reconstruct(&cards);
//! assert!(surplus.is_empty());
//! let Step::Complete(outcome) = deal.step() else { panic!("five cards complete this Round") };
//! let small_tiger = terms.bet(terms.bet_no("small-tiger").unwrap());
//! let Verdict::Won(odds) = small_tiger.verdict(terms.class_of(&outcome)) else { panic!() };
//! assert_eq!(odds.to_string(), "22 to 1");
//! ```

mod apportion;
mod bet;
mod betting_box;
mod card;
mod class;
mod deal;
mod established;
mod fact;
mod hand;
mod irregularity;
mod layout;
mod limits;
mod money;
pub mod name;
pub mod notation;
mod odds;
mod outcome;
mod post;
pub mod rulebook;
mod settlement;
mod shoe;
mod side;
pub mod table_of_play;
mod terms;
pub mod text;
mod verdict;

pub use apportion::apportion;
pub use bet::{Bet, BetId, Cite, Commission, Label, Pays, Row};
pub use betting_box::{BettingBox, Flag, Layer, PatronNo, Refusal, Stance, Trim};
pub use card::{Card, CardError, Rank, Suit};
pub use class::{ClassNo, ClassSet, ClassSpace, Ending, MOST_CLASSES, MOST_COUNTERS};
pub use deal::{Deal, Step, reconstruct};
pub use established::{Certain, Established, established};
pub use fact::{Counter, Fact, NumberSet, Which};
pub use hand::{Hand, PointTotal};
pub use irregularity::{ChoiceOffered, Discretion, Irregularity, IrregularityKind, Remedy, ShoeAfter};
pub use layout::{Layout, MOST_BOXES};
pub use limits::{BoxLimits, LimitsAsked, LimitsModel, Range};
pub use money::{Money, TooMuch};
pub use odds::{Odds, OddsError};
pub use outcome::{Outcome, Pairs, Winner};
pub use post::Post;
pub use rulebook::Rulebook;
pub use settlement::{Line, Settlement, Wager, fix_playing, settle};
pub use shoe::{Burn, Composition, Shoe};
pub use side::{BySide, Side};
pub use terms::{BetNo, StakeError, Terms, TermsError};
pub use verdict::Verdict;
