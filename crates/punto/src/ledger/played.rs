//! `punto play --ledger`: the record of a script, made durable as a table would do it.

use std::io::Write;

use punto_ledger::{Append, Place, Vault, new_key, read_key, write_key};
use punto_record::{
    Batch, Chain, Command, Entry, Event, LedgerKind, Seq, TableId, TicketMove, TicketNo, Volume,
};

use super::{key_path, now, place, problem, release};
use crate::answer::Problem;
use crate::cli::Play;

/// Appends the entries of a script that was played, as often as asked, each time at a table of its own.
pub(crate) fn record(
    ledger: &str,
    args: &Play,
    entries: &[Entry],
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let mut vault = open(&place(ledger), args)?;
    // INTERPRETATION 33: a house holds what was played in it, and a script that plays in a house has one of its own.
    if vault.kind().is_house() {
        return Err(Problem::new("this ledger is a house's: no script is written into it")
            .hint("`punto ledger found FILE --kind practice` makes one to try things out")
            .into());
    }
    if entries.iter().flat_map(|entry| &entry.events).any(cites_an_approval) {
        return Err(Problem::new("the script plays in a house, whose approvals this ledger has not").into());
    }
    let Some(script) = entries.iter().find_map(table) else {
        return Err(Problem::new("the script opens no table").into());
    };
    let name = args.table.as_ref().unwrap_or(&script);
    for time in 1..=args.times {
        let table = free(&vault, name, time, args.times > 1)?;
        let volume = Volume::Table(table.clone());
        let mut chain = Chain::START;
        for entry in entries {
            let entry = renamed(entry, &table);
            let expect = chain.seq;
            let at = entry.order.at;
            let tickets = entry.events.iter().filter_map(|event| TicketMove::of(event, at)).collect();
            let batch = Batch { expect, entries: vec![chain.seal(&entry)], tickets };
            let append = Append { volume: volume.clone(), batch };
            let receipt = vault.append(&[append]).pop().expect("one batch, one result");
            let receipt = receipt.map_err(|error| problem(&error))?;
            if args.receipts {
                // Whoever watches may rely on it from now on.
                writeln!(out, "{} {} {}", receipt.volume(), receipt.seq(), chain.link)?;
                out.flush()?;
            }
        }
        vault.checkpoint(now()).map_err(|error| problem(&error))?;
    }
    Ok(())
}

fn open(place: &Place, args: &Play) -> Result<Vault, Problem> {
    let path = key_path(place, args.key.as_ref())?;
    let is_there = match place {
        Place::File(file) => file.exists(),
        Place::Database(_) | Place::Memory => path.exists(),
    };
    let vault = match is_there {
        true => read_key(&path).and_then(|key| Vault::open(place, key, release())),
        false => new_key().and_then(|key| {
            write_key(&path, &key)?;
            Vault::found(place, LedgerKind::Demo, key, now(), release())
        }),
    };
    vault.map_err(|error| problem(&error))
}

/// A name that no table of the ledger has yet, where the script is played more than once.
fn free(vault: &Vault, name: &TableId, time: u32, is_one_of_many: bool) -> Result<TableId, Problem> {
    if !is_one_of_many {
        return Ok(name.clone());
    }
    for n in time.. {
        let table: TableId = format!("{}-{n}", name.as_str()).parse().map_err(|error| {
            Problem::new(format!("`{name}-{n}` cannot be the name of a table: {error}"))
                .hint("--as gives a shorter name")
        })?;
        if vault.head(&Volume::Table(table.clone())).seq == Seq(0) {
            return Ok(table);
        }
    }
    unreachable!("there is always another number")
}

fn cites_an_approval(event: &Event) -> bool {
    if let Event::TableOpened { approval, .. }
    | Event::SettingsChanged { approval, .. }
    | Event::BetsOpened { approval, .. } = event
    {
        approval.is_some()
    } else {
        false
    }
}

fn table(entry: &Entry) -> Option<TableId> {
    entry.events.iter().find_map(|event| {
        if let Event::TableOpened { settings, .. } = event { Some(settings.table.clone()) } else { None }
    })
}

/// Both are names, so both together are the number of a ticket.
fn numbered(table: &TableId, ticket: &TicketNo) -> TicketNo {
    TicketNo::as_recorded(format!("{}/{}", table.as_str(), ticket.as_str()))
}

/// The entry as if the table had another name. Tickets that it issues are named after it: in a ledger there is one of
/// each number.
fn renamed(entry: &Entry, table: &TableId) -> Entry {
    let mut entry = entry.clone();
    let of_table = |ticket: &mut TicketNo| *ticket = numbered(table, ticket);
    if let Command::OpenTable { settings, .. } | Command::ChangeSettings { settings, .. } =
        &mut entry.order.command
    {
        settings.table = table.clone();
    }
    if let Command::RedeemTicket { ticket, .. } = &mut entry.order.command {
        of_table(ticket);
    }
    for event in &mut entry.events {
        if let Event::TableOpened { settings, .. } | Event::SettingsChanged { settings, .. } = event {
            settings.table = table.clone();
        }
        if let Event::CashedOut { ticket, .. } | Event::TicketRedeemed { ticket, .. } = event {
            of_table(ticket);
        }
    }
    entry
}
