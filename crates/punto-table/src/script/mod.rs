//! A table in plain text: one order a line, and below it what is expected to happen.
//!
//! ```text
//! # A Natural settles at once.
//! proves 3.8
//! table wu-song A
//! dealer: load-shoe card_set=blue-1 shuffled_by=shuffler-2
//!   shoe-loaded shoe=1 card_set=blue-1 cards=416 shuffled_by=shuffler-2
//! cashier: buy-credits patron=7 amount=1000
//!   credits-bought patron=7 amount=1000 credits=1000
//! dealer: open-bets
//! patron 7: bet banker 500 box=2
//! dealer: close-bets
//! patron 7: bet banker 100 box=2
//!   ! bets-closed (5.7)
//! shows 3.8: ! bets-closed
//! dealer: draw 2s 9d 3h Kd
//! dealer: confirm-result
//! ```
//!
//! Commands and events are the words of the record's JSON; `docs/table.md` has the whole language. Where nothing is
//! expected below an order, anything may happen.

mod evidence;
mod reader;
mod render;
mod run;
mod value;

pub use evidence::Shows;
pub use reader::{Line, Script, ScriptFault};
pub use render::{show_event, show_rejection};
pub use run::{Outcome, Played, Step, play};
