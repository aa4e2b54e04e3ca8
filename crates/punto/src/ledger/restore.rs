//! `punto ledger restore-administrators`: the way back into a house whose Administrators cannot come in any more. Whoever has
//! the house's key and its host can do it, and cannot do it unseen.

use std::io::Write;

use anstyle::AnsiColor;
use punto_ledger::ADMINISTRATORS;
use punto_record::{Actor, Deed, OrderId, Person, Volume, unfit};

use super::cli::RestoreAdministrators;
use super::{problem, recorded, vault};
use crate::answer::{Answer, Problem, say};

pub(crate) fn restore_administrators(
    args: &RestoreAdministrators,
    out: &mut impl Write,
) -> anyhow::Result<Answer> {
    let mut vault = vault(&args.ledger, args.key.key.as_ref())?;
    if !vault.kind().is_house() {
        let words = "only a house takes two Administrators; this ledger is none";
        return Err(Problem::new(words).hint("a start of the server invites one by itself").into());
    }
    let persons: Vec<Person> = match args.administrator.as_slice() {
        [] => vault.new_administrators().take(ADMINISTRATORS).collect(),
        named => named.to_vec(),
    };
    let (all, reason) = (persons.clone(), args.reason.as_str().into());
    let deed = Deed::AdministratorsRestored { persons: all, reason };
    unfit(&deed).map_err(|unfit| Problem::new(unfit.to_string()))?;
    // One writer, one volume: its next number was never used before.
    let n = vault.head(&Volume::House).seq.0 + 1;
    let id = OrderId { device: "restoration".into(), n };
    let at = recorded(&vault);
    vault.deed(id, Actor::House, at, deed).map_err(|error| problem(&error))?;
    vault.checkpoint(at).map_err(|error| problem(&error))?;
    for person in &persons {
        writeln!(out, "{person}")?;
    }
    let words = "the next start of the server prints a link for each. Every screen says that this was done until an \
        Administrator has looked into it";
    say("note", AnsiColor::Yellow, words);
    Ok(Answer::Yes)
}
