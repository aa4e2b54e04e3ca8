//! Which currency a ticket has: as its entry names it, or, of an earlier build, as its table's settings had it then. Nobody
//! changes it by writing to the store. On a file and on a real PostgreSQL.

use crate::ledgers::*;
use crate::postgres_server;
use punto_ledger::{Append, Archived, Error, Place, Reader, Snapshot, Vault};
use punto_record::merkle::Frontier;
use punto_record::{
    Actor, ArchivedHead, Batch, Chain, Currency, Deed, Digest, Event, TicketAnswer, TicketMove, TicketNo,
};

macro_rules! on_both_stores {
    ($($name:ident,)+) => {
        mod on_a_file {
            $(#[test] fn $name() {
                let folder = tempfile::tempdir().expect("a folder");
                super::$name(&punto_ledger::Place::File(folder.path().join("ledger")));
            })+
        }
        mod on_postgresql {
            $(#[test] fn $name() { super::$name(&super::postgres_server::database()) })+
        }
    };
}

on_both_stores! {
    a_ticket_has_the_currency_of_its_table_when_it_was_issued,
    an_opening_that_was_changed_gives_no_other_currency,
    an_archive_keeps_the_currency_of_its_tickets,
    the_cage_uses_a_ticket_with_its_own_worth,
}

fn run(place: &Place, sql: &str) {
    let done = match place {
        Place::File(path) => rusqlite::Connection::open(path)
            .and_then(|connection| {
                for trigger in ["entry_never_changes", "ticket_changes_once"] {
                    connection.execute_batch(&format!("DROP TRIGGER IF EXISTS {trigger}"))?;
                }
                connection.execute_batch(sql)
            })
            .map_err(|error| error.to_string()),
        Place::Database(url) => postgres_server::run(
            url,
            &format!("SET search_path = punto; SET session_replication_role = replica; {sql}"),
        ),
        Place::Memory => unreachable!("nobody else sees a ledger in memory"),
    };
    done.expect("whoever owns the store can write what they like");
}

/// An entry of a table with these events.
fn happens(vault: &mut Vault, n: u32, events: Vec<Event>) {
    let head: Chain = vault.head(&table(n));
    let tickets: Vec<TicketMove> = events.iter().filter_map(|event| TicketMove::of(event, NOW)).collect();
    let entry = punto_record::Entry { events, ..entry_with(head.seq.next(), &[]) };
    let entries = vec![head.clone().seal(&entry)];
    let append = Append { volume: table(n), batch: Batch { expect: head.seq, entries, tickets } };
    vault.append(&[append]).remove(0).expect("a receipt");
}

/// A ticket as this build issues it, or as an earlier one did.
fn issue(vault: &mut Vault, n: u32, no: u64, currency: Option<&'static str>) {
    let mut events = entry_with(punto_record::Seq(1), &[unnamed(no)]).events;
    for event in &mut events {
        if let Event::CashedOut { currency: named, .. } = event {
            *named = currency.map(Currency::from);
        }
    }
    happens(vault, n, events);
}

fn currency(vault: &mut Vault, n: u64) -> Option<String> {
    let id = order("terminal", 99);
    let answer = vault.reserve(&ticket(n), &id, NOW).expect("an answer");
    vault.release(&ticket(n), &id);
    Some(if let TicketAnswer::Reserved { currency, .. } = answer {
        currency.map_or("unknown".to_owned(), |it| it.to_string())
    } else {
        format!("{answer:?}")
    })
}

fn changed(place: &Place, no: &TicketNo, what: &str) {
    run(place, &format!("UPDATE ticket SET {what} WHERE no = '{no}'"));
}

/// T1 has SGD; T2 had USD and has EUR, which an earlier build let pass. Odd tickets name their currency.
fn begun(place: &Place) -> Vault {
    let mut vault = found(place);
    happens(&mut vault, 1, vec![opened("T1", "SGD")]);
    happens(&mut vault, 2, vec![opened("T2", "USD")]);
    issue(&mut vault, 1, 1, Some("SGD"));
    issue(&mut vault, 1, 2, None);
    issue(&mut vault, 2, 3, Some("USD"));
    issue(&mut vault, 2, 4, None);
    happens(&mut vault, 2, vec![opened("T2", "EUR")]);
    issue(&mut vault, 2, 5, Some("EUR"));
    issue(&mut vault, 2, 6, None);
    vault
}

const HAVE: [(u64, &str); 6] = [(1, "SGD"), (2, "SGD"), (3, "USD"), (4, "USD"), (5, "EUR"), (6, "EUR")];

fn a_ticket_has_the_currency_of_its_table_when_it_was_issued(place: &Place) {
    let mut vault = begun(place);
    vault.checkpoint(NOW).expect("a checkpoint");
    drop(vault);
    let mut vault = open(place);
    for (no, expected) in HAVE {
        assert_eq!(currency(&mut vault, no).as_deref(), Some(expected), "ticket {no}");
    }
    // A row says what the entry says, and nothing where that says nothing.
    for (no, what, back) in [
        (1, "currency = 'USD'", "currency = 'SGD'"),
        (1, "currency = NULL", "currency = 'SGD'"),
        (2, "currency = 'SGD'", "currency = NULL"),
        (4, "currency = 'SGD'", "currency = NULL"),
    ] {
        changed(place, &ticket(no), what);
        assert_eq!(currency(&mut vault, no).as_deref(), Some("Tampered"), "ticket {no}: {what}");
        drop(vault);
        vault = open(place);
        assert_eq!(currency(&mut vault, no).as_deref(), Some("Tampered"), "ticket {no}: {what}");
        changed(place, &ticket(no), back);
    }
    for (no, expected) in HAVE {
        assert_eq!(currency(&mut vault, no).as_deref(), Some(expected), "ticket {no}");
    }
    drop(vault);
    let mut rows = Vec::new();
    let each = &mut |row: punto_record::Ticket| rows.push(row.currency.map(|it| it.to_string()));
    Reader::open(place).expect("a ledger").tickets(each).expect("rows");
    let named = [Some("SGD"), None, Some("USD"), None, Some("EUR"), None];
    assert_eq!(rows, named.map(|it| it.map(str::to_owned)), "rows of earlier builds stay as they were");
}

fn an_opening_that_was_changed_gives_no_other_currency(place: &Place) {
    let mut vault = found(place);
    happens(&mut vault, 1, vec![opened("T1", "SGD")]);
    issue(&mut vault, 1, 2, None);
    vault.checkpoint(NOW).expect("a checkpoint");
    drop(vault);
    let other = r#"replace(CAST(bytes AS TEXT), '"SGD"', '"USD"')"#;
    match place {
        Place::Database(_) => run(
            place,
            r#"UPDATE entry SET bytes = convert_to(replace(convert_from(bytes, 'UTF8'), '"SGD"', '"USD"'), 'UTF8')
               WHERE volume = 2 AND seq = 1"#,
        ),
        Place::File(_) | Place::Memory => {
            run(
                place,
                &format!("UPDATE entry SET bytes = CAST({other} AS BLOB) WHERE volume = 2 AND seq = 1"),
            );
        }
    }
    let mut vault = open(place);
    assert_eq!(currency(&mut vault, 2).as_deref(), Some("Tampered"));
}

fn an_archive_keeps_the_currency_of_its_tickets(place: &Place) {
    let mut vault = begun(place);
    let signed = vault.checkpoint(NOW).expect("a checkpoint").expect("something new");
    let mut tree = Frontier::default();
    let each = &mut |stored: punto_ledger::Stored<'_>| {
        tree.push(stored.leaf_hash());
        std::ops::ControlFlow::Continue(())
    };
    vault.reader().entries(0, each).expect("entries");
    let of = |n: u32, currency: &str, vault: &Vault| Snapshot {
        volume: table(n),
        chain: vault.head(&table(n)),
        schema: 1,
        bytes: format!(r#"{{"rulebook":"","state":{{"seq":9,"settings":{{"currency":"{currency}"}}}}}}"#)
            .into(),
        signed: None,
    };
    let snapshots = [of(1, "SGD", &vault), of(2, "EUR", &vault)];
    let heads = signed.checkpoint.heads.iter().map(|(volume, chain)| ArchivedHead {
        volume: volume.clone(),
        seq: chain.seq,
        link: chain.link,
        snapshot: snapshots.iter().find(|it| it.volume == *volume).map(Snapshot::digest),
    });
    let archived = Archived { tree, heads: heads.collect() };
    let by = Actor::Administrator { person: "a-1".into() };
    vault.archive(&archived, &snapshots, Digest([3; 32]), by, NOW).expect("archived");
    // The table goes on from its snapshot, without being opened again.
    issue(&mut vault, 1, 7, None);
    drop(vault);
    let mut vault = open(place);
    for (no, expected) in HAVE.into_iter().chain([(7, "SGD")]) {
        assert_eq!(currency(&mut vault, no).as_deref(), Some(expected), "ticket {no}");
    }
}

fn the_cage_uses_a_ticket_with_its_own_worth(place: &Place) {
    drop(begun(place));
    let mut vault = open(place);
    let amount = money(400);
    let paid = |amount, currency: &'static str| Deed::TicketPaid {
        ticket: ticket(4),
        amount,
        currency: Some(currency.into()),
        second: None,
        reason: None,
    };
    let (second, reason) = (punto_record::Person::from("m-2"), "torn");
    let void = |currency: &'static str| Deed::TicketVoided {
        ticket: ticket(4),
        amount,
        currency: Some(currency.into()),
        second: second.clone(),
        reason: reason.into(),
    };
    for (n, deed) in (1..).zip([paid(amount, "SGD"), paid(money(401), "USD"), void("SGD")]) {
        let refused = vault.deed(order("cage", n), cashier(), NOW, deed);
        assert!(matches!(refused, Err(Error::NotAllowed(_))), "{refused:?}");
    }
    vault.deed(order("cage", 9), cashier(), NOW, paid(amount, "USD")).expect("paid");
    assert_eq!(currency(&mut vault, 4).as_deref(), Some("Paid"));
}
