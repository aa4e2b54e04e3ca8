//! The tests of the auditor, in one program: it is linked once.

mod approved;
mod cards;
mod chain;
mod choices;
mod clean;
mod combinations;
mod consistency;
mod devices;
mod factors;
mod forged;
mod hostile;
mod ledger;
mod mandates;
mod mutants;
mod notice;
mod post_conditions;
mod posts;
mod receipts;
mod register;
#[path = "../../punto-rules/tests/scale/mod.rs"]
mod scale;
mod tickets;
mod witnesses;
