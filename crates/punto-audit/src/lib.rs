//! The auditor: everything a record claims, worked out again from the record and the rules alone.
//!
//! An [`Auditor`] takes every entry of a ledger in the order of its tree. It follows the chains and the tree, compares
//! checkpoints, and for every order at every table writes down what the rules make of it: which events, with which
//! cards, amounts, verdicts and paragraphs. What the record says otherwise is a [`Finding`].
//!
//! It knows the rules and the record and never the table: one mistake must not hide in both. After a difference it goes
//! on with what the record says, so that one wrong figure is one finding and not a thousand. Pure: no clock, no files;
//! nothing that a record can hold makes it fail.

mod auditor;
mod checkpoints;
mod consistency;
mod factors;
mod finding;
mod house;
mod law;
mod mandates;
mod posts;
mod power;
mod readings;
mod register;
mod rest;
mod rulebooks;
mod table;
mod tickets;
mod volume;
mod witnesses;

pub use auditor::{Auditor, Beginning, Inputs};
pub use consistency::{Consistent, Inconsistent, check_consistency, is_consistent};
pub use finding::{Audit, Counts, Finding, FindingKind, Place};
pub use posts::permitted;
