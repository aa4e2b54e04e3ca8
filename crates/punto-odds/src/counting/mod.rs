//! Card counting: what removed cards are worth to a patron, and what can be won with that over a shoe.
//!
//! A shoe is dealt to its deepest cut card. Before every Round each bet is priced exactly from the cards that the counter
//! has not seen; cards burnt face down are among them, for to whoever has not seen them they are as good as undealt. Two
//! counters bet one unit each: *perfect play* wherever the exact gain is above the trigger, as a hidden computer would,
//! and *the count*, integer tags kept in the head, wherever its true count reaches the point at which the linear
//! approximation says so. What they win is the sum of the exact gains of the Rounds they bet on, not what happened to
//! come: the same mean with far less noise.
//!
//! Shoes are numbered and each has a random stream of its own; tallies are whole numbers. However the shoes are divided
//! and in whatever order the tallies are added, the sums are the same to the last digit.
//!
//! It is no study of bet sizes, of bankrolls or of patrons who count together.

mod finding;
mod play;
mod rules;
mod sums;
mod tags;

pub use finding::{Concern, Cure, Finding, VULNERABLE, WORTH_WATCHING, findings};
pub use play::CountingStudy;
pub use rules::{CountingError, CountingRules, LastRound};
pub use sums::{CountingTally, EDGE_STEP, EDGE_STEPS, Estimate, Figures};
pub use tags::{LinearCount, MOST_TAG};
