//! What stands beside each command, event and deed, said once: who may give it, when, who sees it, what it is significant as.
//!
//! The gate of the table, the feeds, the vault, the books, the reports and the screens read these. `punto-audit` does not:
//! it has a reading of its own.

pub(crate) mod deed;
pub(crate) mod event;
pub(crate) mod order;
mod significance;

pub use deed::{DeedFacts, DoneBy};
pub use event::{EventFacts, ShownTo};
pub use order::{Equipment, GivenBy, OrderFacts, Point, SecondPerson, Topic, Waiting, Whose};
pub use significance::Significance;
