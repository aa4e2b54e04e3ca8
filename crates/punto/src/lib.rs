//! The door: the verbs of `punto`.
//!
//! Data goes to stdout, talk to stderr. Exit 0 is yes, 1 is "the answer is no" (a refused rule book, a bad line), 2 is
//! "could not do it".

mod answer;
mod cli;
mod counting;
mod deal;
mod drill;
mod faults;
mod games;
mod ledger;
mod load;
mod odds;
mod output;
mod par;
mod play;
mod printed;
mod roads;
mod round_view;
mod rulebook;
mod rulebooks;
mod serve;
pub mod settle;
mod simulate;
mod solve;
mod table;
mod witness;
mod work;

pub use answer::run;

/// Whether an audit of a ledger finds nothing: `punto audit` without its words.
pub fn audited(ledger: &str) -> bool {
    ledger::is_clean(ledger)
}
