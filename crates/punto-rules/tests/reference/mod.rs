#![allow(dead_code, unreachable_pub)]
//! A second, independent statement of the game rules, for tests only.
//!
//! What it is: the Table of Play, the hands and the bets of the four approved documents, written down once
//! more as plainly as Rust allows, straight from the paragraphs. It is slow, repeats itself where the
//! documents do, and is meant to be read with a document in the other hand.
//!
//! What it deliberately is not: a client of `punto_rules`. It shares no code, no types, no constants and no
//! rule book file with it and uses nothing but `std`. If it agrees with `punto_rules` over every sequence of
//! ranks, two separate readings of the same text agree. So never "fix" one side by copying from the other:
//! where they differ, open the document.
//!
//! Where the text leaves something open, interpretations 1 to 6 of the project decide; the comments say which.
//!
//! * [`play`]: card values, Point Totals, pairs, and how the cards fall (section 3).
//! * [`documents`]: what each document offers, on which layout, and what it pays (sections 1 and 4).
//!
//! Included by several test binaries with `mod reference;`, none of which needs all of it.

pub mod documents;
pub mod play;

#[allow(unused_imports)]
pub use documents::{Answer, BetRule, Document, LayoutRule, documents};
#[allow(unused_imports)]
pub use play::{
    Hand, Played, TABLE_OF_PLAY, Winner, banker_draws, is_pair, play, player_draws, points, value, winner,
};
