//! Whoever can write to the store, but has no key, changes rows of tickets: nobody is paid, and the house's record says so.
//! The same on a file and on a real PostgreSQL.

mod ledgers;
mod postgres_server;

use std::ops::ControlFlow;

use ledgers::*;
use punto_ledger::{Archived, Error, Place, Reader, Vault, copy};
use punto_record::merkle::Frontier;
use punto_record::{
    Actor, ArchivedHead, Deed, Digest, HouseEntry, Seq, TicketAnswer, TicketMove, Timestamp, Volume,
};

macro_rules! attacks {
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

attacks! {
    every_change_of_a_row_is_refused,
    a_changed_row_is_refused_after_a_restart_too,
    a_changed_issuing_entry_pays_nobody,
    a_hidden_use_makes_older_tickets_doubtful,
    a_use_that_was_moved_behind_its_issue_is_found,
    a_lost_table_does_not_stop_younger_tickets,
    a_kept_book_is_as_good_as_the_record,
    a_book_that_somebody_made_up_is_not_read,
    an_archive_leaves_its_tickets_payable,
    a_copy_pays_what_the_original_would,
    a_batch_that_hides_what_it_does_is_refused,
}

/// Runs SQL as somebody would who has the file or the database open and is in nobody's way.
fn run(place: &Place, sql: &str) {
    let triggers = ["entry_never_changes", "entry_stays", "ticket_changes_once", "ticket_stays"];
    let done = match place {
        Place::File(path) => rusqlite::Connection::open(path)
            .and_then(|connection| {
                for trigger in triggers {
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

/// Tickets 1 to 3, issued by T1; the second was used at T2 and the third paid at the cage.
fn begun(place: &Place) -> Vault {
    let mut vault = found(place);
    append(&mut vault, &table(1), 2);
    let issue = batch_with(&vault, &table(1), 2, vec![issued(1), issued(2), issued(3)]);
    vault.append(&[issue]).remove(0).expect("a receipt");
    let used = batch_with(&vault, &table(2), 2, vec![redeemed(2)]);
    vault.append(&[used]).remove(0).expect("a receipt");
    vault.deed(order("cage", 1), cashier(), NOW, paid(3)).expect("paid");
    vault
}

fn ask(vault: &mut Vault, n: u64) -> TicketAnswer {
    let id = order("terminal", 99);
    let answer = vault.reserve(&ticket(n), &id, NOW).expect("an answer");
    vault.release(&ticket(n), &id);
    answer
}

/// What a table, the cage and a second person at the cage are told who try to use it without having asked.
fn tries(vault: &mut Vault, n: u64) -> Vec<TicketAnswer> {
    let redeem = batch_with(vault, &table(3), 1, vec![redeemed(n)]);
    let at_a_table = vault.append(&[redeem]).remove(0).map(drop);
    let at_the_cage = vault.deed(order("cage", 7), cashier(), NOW, paid(n)).map(drop);
    let made_void = vault.deed(order("cage", 8), cashier(), NOW, voided(n)).map(drop);
    [at_a_table, at_the_cage, made_void]
        .into_iter()
        .map(|tried| match tried {
            Err(Error::Ticket { answer, .. }) => answer,
            other => panic!("{other:?}"),
        })
        .collect()
}

fn failures(vault: &mut Vault) -> Vec<String> {
    let mut found = Vec::new();
    vault
        .reader()
        .entries_of(&Volume::House, Seq(0), &mut |stored| {
            let entry: HouseEntry = serde_json::from_slice(stored.bytes).expect("a deed");
            if let Deed::VerificationFailed { words } = entry.deed {
                found.push(words.to_string());
            }
            ControlFlow::Continue(())
        })
        .expect("entries");
    found
}

/// What somebody might do to the rows of tickets, on which ticket, and the words that are written down.
fn changes() -> Vec<(String, u64, &'static str)> {
    let made_up =
        format!("INSERT INTO ticket VALUES ('{}', 500, {NOW}, {}, 'good')", ticket(9), NOW.0 + 60_000);
    let set = |n: u64, what: &str| format!("UPDATE ticket SET {what} WHERE no = '{}'", ticket(n));
    vec![
        (made_up, 9, "no entry issued"),
        (set(2, "state = 'good'"), 2, "an entry has used"),
        (set(3, "state = 'good'"), 3, "an entry has used"),
        (set(1, "amount = 100000"), 1, "another amount"),
        (set(1, "amount = -1"), 1, "cannot be read"),
        (set(1, "expires = expires + 86400000"), 1, "expire at another time"),
        (set(1, "issued = issued + 1"), 1, "issued at another time"),
        (set(1, "state = 'paid'"), 1, "no entry used it"),
        (format!("DELETE FROM ticket WHERE no = '{}'", ticket(1)), 1, "has no row"),
        (set(1, &format!("no = '{}'", ticket(9))), 9, "no entry issued"),
    ]
}

/// Each change on a ledger of its own would take a database each: one after another, each undone by the next.
fn each_change(place: &Place, restart: bool) {
    let mut vault = begun(place);
    let good = format!("INSERT INTO ticket VALUES ('{}', 100, {NOW}, {}, 'good')", ticket(1), NOW.0 + 60_000);
    for (sql, n, words) in changes() {
        run(place, &sql);
        if restart {
            drop(vault);
            vault = open(place);
        }
        let before = failures(&mut vault).len();
        assert_eq!(ask(&mut vault, n), TicketAnswer::Tampered, "{sql}");
        assert_eq!(tries(&mut vault, n), [TicketAnswer::Tampered; 3], "{sql}");
        let told = failures(&mut vault);
        assert!(told.len() <= before + 1, "once for each ticket: {told:?}");
        if restart {
            let last = told.last().expect("a deed");
            assert!(told.len() == before + 1 && last.contains(words), "{sql}: {last}");
            assert!(!last.contains(ticket(n).as_str()), "no number in the record: {last}");
        }
        let undo = format!("DELETE FROM ticket WHERE no IN ('{}', '{}')", ticket(1), ticket(9));
        run(place, &undo);
        run(place, &good);
        run(place, &format!("UPDATE ticket SET state = 'redeemed' WHERE no = '{}'", ticket(2)));
        run(place, &format!("UPDATE ticket SET state = 'paid' WHERE no = '{}'", ticket(3)));
    }
    // With its row as it was the ticket is paid, once.
    assert_eq!(ask(&mut vault, 1), TicketAnswer::Reserved { amount: money(100) });
    vault.deed(order("cage", 9), cashier(), NOW, paid(1)).expect("paid");
    assert_eq!(ask(&mut vault, 1), TicketAnswer::Paid);
}

fn every_change_of_a_row_is_refused(place: &Place) {
    each_change(place, false);
}

fn a_changed_row_is_refused_after_a_restart_too(place: &Place) {
    each_change(place, true);
}

fn a_changed_issuing_entry_pays_nobody(place: &Place) {
    let mut vault = begun(place);
    let to = match place {
        Place::Database(_) => "set_byte(bytes, octet_length(bytes) - 2, 32)",
        Place::File(_) | Place::Memory => "CAST(CAST(bytes AS TEXT) || ' ' AS BLOB)",
    };
    let entry = "volume = (SELECT id FROM volume WHERE name = 'table/T1') AND seq = 3";
    run(place, &format!("UPDATE entry SET bytes = {to} WHERE {entry}"));
    assert_eq!(ask(&mut vault, 1), TicketAnswer::Tampered);
    assert!(failures(&mut vault)[0].contains("entry 3 of table/T1"));
    run(place, &format!("DELETE FROM entry WHERE {entry}"));
    assert_eq!(ask(&mut vault, 1), TicketAnswer::Tampered);
    drop(vault);
    let mut vault = open(place);
    assert_eq!(ask(&mut vault, 1), TicketAnswer::Tampered);
    let redeem = batch_with(&vault, &table(1), 1, vec![redeemed(1)]);
    assert!(matches!(vault.append(&[redeem]).remove(0), Err(Error::Locked(_))), "its table is set apart");
}

fn a_hidden_use_makes_older_tickets_doubtful(place: &Place) {
    let vault = begun(place);
    drop(vault);
    // The entry that used ticket 2 is overwritten with one that does nothing, and its row set back.
    let text = r#"{"seq":1,"of":"a test"}"#;
    let bytes = match place {
        Place::Database(_) => format!("convert_to('{text}', 'UTF8')"),
        Place::File(_) | Place::Memory => format!("CAST('{text}' AS BLOB)"),
    };
    let entry = "volume = (SELECT id FROM volume WHERE name = 'table/T2') AND seq = 1";
    run(place, &format!("UPDATE entry SET bytes = {bytes} WHERE {entry}"));
    run(place, &format!("UPDATE ticket SET state = 'good' WHERE no = '{}'", ticket(2)));
    for _ in 0..2 {
        let mut vault = open(place);
        assert_eq!(ask(&mut vault, 2), TicketAnswer::Tampered);
        assert_eq!(ask(&mut vault, 1), TicketAnswer::Tampered, "its use may be hidden as well");
        assert!(vault.is_locked(&table(2)) && !vault.is_locked(&table(1)));
        assert!(vault.found_amiss().damaged.contains_key(&table(2)));
        // What was issued since was not used before.
        let no = 100 + vault.head(&table(1)).seq.0;
        let (ticket, amount) = (ticket(no), money(5));
        let young = TicketMove::Issued { ticket, amount, at: NOW, expires: NOW };
        let issue = batch_with(&vault, &table(1), 1, vec![young]);
        vault.append(&[issue]).remove(0).expect("a receipt");
        assert_eq!(ask(&mut vault, no), TicketAnswer::Reserved { amount: money(5) });
    }
}

fn a_use_that_was_moved_behind_its_issue_is_found(place: &Place) {
    let vault = begun(place);
    drop(vault);
    // The chains stay whole; only the order of the tree changes: T2 used the ticket before T1 issued it.
    run(place, &format!("UPDATE ticket SET state = 'good' WHERE no = '{}'", ticket(2)));
    run(place, "UPDATE entry SET leaf = leaf + 100 WHERE leaf BETWEEN 3 AND 8");
    run(
        place,
        "UPDATE entry SET leaf = CASE WHEN leaf > 106 THEN leaf - 104 ELSE leaf - 98 END WHERE leaf > 100",
    );
    let mut vault = open(place);
    assert_eq!(ask(&mut vault, 2), TicketAnswer::Tampered);
}

fn a_lost_table_does_not_stop_younger_tickets(place: &Place) {
    let vault = begun(place);
    drop(vault);
    run(place, "DELETE FROM entry WHERE volume = (SELECT id FROM volume WHERE name = 'table/T2')");
    let mut vault = open(place);
    assert_eq!(ask(&mut vault, 1), TicketAnswer::Tampered);
    let issue = batch_with(&vault, &table(1), 1, vec![issued(5)]);
    vault.append(&[issue]).remove(0).expect("a receipt");
    assert_eq!(ask(&mut vault, 5), TicketAnswer::Reserved { amount: money(500) });
}

/// Enough entries that the book is kept with the next checkpoint.
fn keep(vault: &mut Vault) {
    append(vault, &table(4), 10_000);
    vault.checkpoint(NOW).expect("a checkpoint");
    let kept = vault.reader().snapshots().expect("snapshots");
    assert!(kept.iter().any(|it| it.volume == Volume::House), "the book was kept");
}

fn a_kept_book_is_as_good_as_the_record(place: &Place) {
    let mut vault = begun(place);
    keep(&mut vault);
    let used = batch_with(&vault, &table(2), 1, vec![redeemed(1)]);
    let issue = batch_with(&vault, &table(1), 1, vec![issued(4)]);
    assert!(vault.append(&[used, issue]).iter().all(Result::is_ok));
    drop(vault);
    for is_lost in [false, true] {
        if is_lost {
            run(place, "DELETE FROM snapshot");
        }
        let mut vault = open(place);
        let answers: Vec<_> = (1..=5).map(|n| ask(&mut vault, n)).collect();
        use TicketAnswer::{NotFound, Paid, Reserved};
        assert_eq!(answers, [Paid, Paid, Paid, Reserved { amount: money(400) }, NotFound]);
    }
    run(place, &format!("UPDATE ticket SET state = 'good' WHERE no = '{}'", ticket(1)));
    let mut vault = open(place);
    assert_eq!(ask(&mut vault, 1), TicketAnswer::Tampered);
}

fn a_book_that_somebody_made_up_is_not_read(place: &Place) {
    let mut vault = begun(place);
    keep(&mut vault);
    drop(vault);
    let to = match place {
        Place::Database(_) => {
            "convert_to(replace(convert_from(bytes, 'UTF8'), '\"amount\":100,', '\"amount\":999,'), 'UTF8')"
        }
        Place::File(_) | Place::Memory => {
            "CAST(replace(CAST(bytes AS TEXT), '\"amount\":100,', '\"amount\":999,') AS BLOB)"
        }
    };
    run(place, &format!("UPDATE snapshot SET bytes = {to}"));
    run(place, &format!("UPDATE ticket SET amount = 999 WHERE no = '{}'", ticket(1)));
    let mut vault = open(place);
    assert_eq!(ask(&mut vault, 1), TicketAnswer::Tampered);
    run(place, &format!("UPDATE ticket SET amount = 100 WHERE no = '{}'", ticket(1)));
    assert_eq!(ask(&mut vault, 1), TicketAnswer::Reserved { amount: money(100) });
}

fn an_archive_leaves_its_tickets_payable(place: &Place) {
    let mut vault = begun(place);
    let signed = vault.checkpoint(NOW).expect("a checkpoint").expect("something new");
    let mut tree = Frontier::default();
    let each = &mut |stored: punto_ledger::Stored<'_>| {
        tree.push(stored.leaf_hash());
        ControlFlow::Continue(())
    };
    vault.reader().entries(0, each).expect("entries");
    let of = |n: u32, vault: &Vault| punto_ledger::Snapshot {
        volume: table(n),
        chain: vault.head(&table(n)),
        schema: 1,
        bytes: b"there".to_vec(),
        signed: None,
    };
    let snapshots = [of(1, &vault), of(2, &vault)];
    let heads = signed.checkpoint.heads.iter().map(|(volume, chain)| ArchivedHead {
        volume: volume.clone(),
        seq: chain.seq,
        link: chain.link,
        snapshot: snapshots.iter().find(|it| it.volume == *volume).map(punto_ledger::Snapshot::digest),
    });
    let archived = Archived { tree, heads: heads.collect() };
    // Used and issued after the point up to which entries leave.
    let used = batch_with(&vault, &table(2), 1, vec![redeemed(1)]);
    let issue = batch_with(&vault, &table(1), 1, vec![issued(4), issued(5)]);
    assert!(vault.append(&[issue, used]).iter().all(Result::is_ok));
    let by = Actor::Administrator { person: "a-1".into() };
    vault.archive(&archived, &snapshots, Digest([3; 32]), by, NOW).expect("archived");
    drop(vault);
    let mut vault = open(place);
    use TicketAnswer::{Paid, Reserved, Tampered};
    assert_eq!([1, 2, 3].map(|n| ask(&mut vault, n)), [Paid; 3]);
    assert_eq!(ask(&mut vault, 4), Reserved { amount: money(400) });
    run(place, &format!("UPDATE ticket SET state = 'good' WHERE no IN ('{}', '{}')", ticket(1), ticket(2)));
    assert_eq!([1, 2].map(|n| ask(&mut vault, n)), [Tampered; 2]);
    drop(vault);
    // Without the book nobody can tell about tickets whose entries have left; those that are here stay good.
    run(place, "DELETE FROM snapshot WHERE volume = 1");
    let mut vault = open(place);
    assert_eq!(ask(&mut vault, 2), Tampered);
    assert_eq!(ask(&mut vault, 5), Reserved { amount: money(500) });
}

fn a_copy_pays_what_the_original_would(place: &Place) {
    let mut vault = begun(place);
    keep(&mut vault);
    drop(vault);
    run(place, &format!("UPDATE ticket SET state = 'good' WHERE no = '{}'", ticket(2)));
    let folder = tempfile::tempdir().expect("a folder");
    let to = Place::File(folder.path().join("copy"));
    copy(&mut Reader::open(place).expect("a ledger"), &to, &mut |_| {}).expect("a copy");
    let mut vault = open(&to);
    assert_eq!(ask(&mut vault, 1), TicketAnswer::Reserved { amount: money(100) });
    assert_eq!(ask(&mut vault, 2), TicketAnswer::Tampered);
    assert_eq!(ask(&mut vault, 3), TicketAnswer::Paid);
    let late = vault.reserve(&ticket(1), &order("terminal", 1), Timestamp(NOW.0 + 60_001));
    assert_eq!(late, Ok(TicketAnswer::Expired));
}

fn a_batch_that_hides_what_it_does_is_refused(place: &Place) {
    let mut vault = begun(place);
    let mut other = batch_with(&vault, &table(1), 1, vec![redeemed(1)]);
    other.batch.tickets = vec![redeemed(2)];
    assert_eq!(vault.append(&[other]).remove(0), Err(Error::OtherTickets(table(1))));
    let mut other = batch(&vault, &table(1), 1);
    other.batch.tickets = vec![redeemed(1)];
    assert_eq!(vault.append(&[other]).remove(0), Err(Error::OtherTickets(table(1))));
}
