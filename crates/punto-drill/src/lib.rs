//! The drill: a whole floor in one thread over simulated time, the same for the same seed, with faults and checks that
//! share nothing with what they check.
//!
//! Each night founds a ledger, plays, and audits it from its first entry. Real desks and a real vault; patrons, Dealers, supervisors, cashiers and the house itself give orders over a network
//! that loses, delays and doubles them; the software dies at the worst moments, the disk is full, clocks jump, others
//! write. After every commit the ledger is read back, replayed, audited and booked anew, and everybody's own idea of
//! their money is compared with the table's.
//!
//! In a house days pass between evenings: tickets expire and are paid by two, second factors are set up, used and reset,
//! devices are enrolled, and witnesses elsewhere keep the checkpoints. Dishonest insiders try the same alone.
//!
//! It is not a load test and not a model: nothing of the rules or the tables is written down here a second time, but for
//! the few odds that every patron knows.
//!
//! ```
//! use punto_drill::{Plan, drill};
//! let counters = drill(&Plan::new(7), &mut |so_far| so_far.steps < 500).unwrap();
//! assert_eq!(counters.full_audits, 1);
//! ```

mod checks;
mod counters;
mod device;
mod dice;
mod drill;
mod elsewhere;
mod faults;
mod felt;
mod floor;
mod network;
mod night;
mod people;
mod phones;
mod plan;
mod purse;
mod server;

pub use counters::{Counters, Outcomes, Tried};
pub use drill::drill;
pub use plan::{Failure, Plan};
