//! Whoever can write to the store, but has no key, changes rows of tickets: nobody is paid, and the house's record says so.
//! The same on a file and on a real PostgreSQL.

use crate::postgres_server;
use std::ops::ControlFlow;

use crate::ledgers::*;
use punto_ledger::{Archived, Error, Place, Reader, TicketKeys, Vault, copy};
use punto_record::merkle::Frontier;
use punto_record::{
    Actor, ArchivedHead, CaseReport, Command, Deed, Digest, HouseEntry, OrderId, Seq, TableId, Ticket,
    TicketAnswer, TicketKey, TicketMove, TicketNo, TicketNumber, TicketState, Timestamp, Volume,
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
    a_number_is_derived_again_and_finds_its_ticket,
    a_changed_tag_pays_nobody,
    a_number_that_is_taken_gives_way_to_the_next,
    a_key_is_kept_as_long_as_its_tickets,
    without_the_key_a_ticket_is_known_by_its_serial,
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

/// What a table, the cage and a second person at the cage, who pays or makes void, are told who try to use it without having asked.
fn tries(vault: &mut Vault, n: u64) -> Vec<TicketAnswer> {
    let redeem = batch_with(vault, &table(3), 1, vec![redeemed(n)]);
    let at_a_table = vault.append(&[redeem]).remove(0).map(drop);
    let at_the_cage = vault.deed(order("cage", 7), cashier(), NOW, paid(n)).map(drop);
    let made_void = vault.deed(order("cage", 8), cashier(), NOW, voided(n)).map(drop);
    let by_two = paid_with(n, Some("m-2"), Some("ill"));
    let by_two = vault.deed(order("cage", 9), cashier(), Timestamp(EXPIRES.0 + 1), by_two).map(drop);
    assert_eq!(vault.expired_worth(&ticket(n), Timestamp(EXPIRES.0 + 1)), Ok(None));
    [at_a_table, at_the_cage, made_void, by_two]
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
            if let Deed::VerificationFailed { words, .. } = entry.deed {
                found.push(words.to_string());
            }
            ControlFlow::Continue(())
        })
        .expect("entries");
    found
}

/// What somebody might do to the rows of tickets, on which ticket, and the words that are written down.
fn changes() -> Vec<(String, u64, &'static str)> {
    let made_up = format!(
        "INSERT INTO ticket (no, amount, issued, expires, state) VALUES ('{}', 500, {NOW}, {}, 'good')",
        ticket(9),
        NOW.0 + 60_000
    );
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
        (set(1, "currency = 'USD'"), 1, "of another currency"),
        (set(1, "currency = NULL"), 1, "of another currency"),
        (format!("DELETE FROM ticket WHERE no = '{}'", ticket(1)), 1, "has no row"),
        (set(1, &format!("no = '{}'", ticket(9))), 9, "no entry issued"),
    ]
}

/// Each change on a ledger of its own would take a database each: one after another, each undone by the next.
fn each_change(place: &Place, restart: bool) {
    let mut vault = begun(place);
    let good = format!(
        "INSERT INTO ticket (no, amount, issued, expires, state, currency)
         VALUES ('{}', 100, {NOW}, {}, 'good', 'SGD')",
        ticket(1),
        NOW.0 + 60_000
    );
    for (sql, n, words) in changes() {
        run(place, &sql);
        if restart {
            drop(vault);
            vault = open(place);
        }
        let before = failures(&mut vault).len();
        assert_eq!(ask(&mut vault, n), TicketAnswer::Tampered, "{sql}");
        assert_eq!(tries(&mut vault, n), [const { TicketAnswer::Tampered }; 4], "{sql}");
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
    assert_eq!(ask(&mut vault, 1), good_for(100));
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
        let young = TicketMove::Issued { ticket, amount, currency: sgd(), at: NOW, expires: NOW, tag: None };
        let issue = batch_with(&vault, &table(1), 1, vec![young]);
        vault.append(&[issue]).remove(0).expect("a receipt");
        assert_eq!(ask(&mut vault, no), good_for(5));
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
    assert_eq!(ask(&mut vault, 5), good_for(500));
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
        use TicketAnswer::{NotFound, Paid};
        assert_eq!(answers, [Paid, Paid, Paid, good_for(400), NotFound]);
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
    assert_eq!(ask(&mut vault, 1), good_for(100));
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
    use TicketAnswer::{Paid, Tampered};
    assert_eq!([1, 2, 3].map(|n| ask(&mut vault, n)), [Paid, Paid, Paid]);
    assert_eq!(ask(&mut vault, 4), good_for(400));
    run(place, &format!("UPDATE ticket SET state = 'good' WHERE no IN ('{}', '{}')", ticket(1), ticket(2)));
    assert_eq!([1, 2].map(|n| ask(&mut vault, n)), [Tampered, Tampered]);
    drop(vault);
    // Without the book nobody can tell about tickets whose entries have left; those that are here stay good.
    run(place, "DELETE FROM snapshot WHERE volume = 1");
    let mut vault = open(place);
    assert_eq!(ask(&mut vault, 2), Tampered);
    assert_eq!(ask(&mut vault, 5), good_for(500));
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
    assert_eq!(ask(&mut vault, 1), good_for(100));
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

const EXPIRES: Timestamp = Timestamp(NOW.0 + 60_000);

fn keys(of: &[u8]) -> TicketKeys {
    TicketKeys::in_memory(of.iter().map(|n| TicketKey::new([*n; 32])).collect())
}

fn with_keys(mut vault: Vault, of: &[u8]) -> Vault {
    vault.use_ticket_keys(keys(of), NOW).expect("keys");
    vault
}

fn seat(n: u64) -> (TableId, OrderId) {
    ("T1".into(), order("terminal-7", n))
}

/// A ticket of 500 that the order issues at T1, and its number.
fn issue(vault: &mut Vault, n: u64) -> (TicketNo, TicketNumber) {
    let (table_id, id) = seat(n);
    let seq = vault.head(&table(1)).seq.next();
    let (new, number) = vault.new_ticket(&table_id, seq, &id).expect("the store").expect("a key");
    assert_eq!(new.ticket, TicketNo::serial(&table_id, seq));
    let (ticket, tag) = (new.ticket.clone(), new.tag);
    let issued =
        TicketMove::Issued { ticket, amount: money(500), currency: sgd(), at: NOW, expires: EXPIRES, tag };
    let append = batch_with(vault, &table(1), 1, vec![issued]);
    vault.append(&[append]).remove(0).expect("a receipt");
    (new.ticket, number)
}

fn redeem(vault: &mut Vault, ticket: &TicketNo) {
    let used = TicketMove::Redeemed { ticket: ticket.clone(), at: NOW };
    let append = batch_with(vault, &table(2), 1, vec![used]);
    vault.append(&[append]).remove(0).expect("a receipt");
}

fn answer(vault: &mut Vault, ticket: &TicketNo) -> TicketAnswer {
    let id = order("terminal", 99);
    let answer = vault.reserve(ticket, &id, NOW).expect("an answer");
    vault.release(ticket, &id);
    answer
}

fn a_number_is_derived_again_and_finds_its_ticket(place: &Place) {
    let mut vault = with_keys(begun(place), &[1]);
    let (first, number) = issue(&mut vault, 1);
    let (second, other) = issue(&mut vault, 2);
    assert_ne!(number, other);
    let seq = |vault: &Vault| vault.head(&table(1)).seq;
    let first_seq = Seq(seq(&vault).0 - 1);
    let again = |vault: &mut Vault, n: u64, seq: Seq| {
        let (table, id) = seat(n);
        vault.issued_ticket(&table, seq, &id).expect("the store").map(|(_, number)| number)
    };
    for restart in [false, true] {
        if restart {
            drop(vault);
            vault = with_keys(open(place), &[1]);
        }
        assert_eq!(vault.present(number.printed()), Ok(first.clone()));
        assert_eq!(vault.present(&number.printed().replace('-', "")), Ok(first.clone()));
        assert_eq!(vault.present(other.printed()), Ok(second.clone()));
        assert_eq!(again(&mut vault, 1, first_seq), Some(number.clone()));
        assert_eq!(again(&mut vault, 2, first_seq), None, "another order has another number");
        assert_eq!(answer(&mut vault, &first), good_for(500));
    }
    // A serial is printed for everybody to see, and pays nobody; nor does anything that is no number.
    for presented in [first.as_str(), "unknown", "", "T1/ticket-1"] {
        assert_eq!(vault.present(presented), Ok(TicketNo::unknown()), "{presented}");
    }
    assert_eq!(answer(&mut vault, &TicketNo::unknown()), TicketAnswer::NotFound);
    // Whoever reports that a ticket was not taken reads out its serial or its number, perhaps wrongly.
    let misread = number.printed().replace(['1', '2'], "9");
    for (told, named) in [
        (first.as_str(), first.clone()),
        (number.printed(), first.clone()),
        (&misread, TicketNo::unknown()),
        ("torn", "torn".into()),
    ] {
        let report = CaseReport::TicketNotTaken { ticket: TicketNo::as_recorded(told) };
        let mut command = Command::ReportCase { patron: punto_rules::PatronNo(7), report };
        vault.find_presented(&mut command).expect("the store");
        assert_eq!(command.presented(), Some(&mut named.clone()), "{told}");
    }
    // Used, it is still found: the same order gets the same answer.
    redeem(&mut vault, &first);
    assert_eq!(vault.present(number.printed()), Ok(first.clone()));
    assert_eq!(answer(&mut vault, &first), TicketAnswer::Paid);
    // Tickets of release 0.1.0 are named by their number.
    assert_eq!(vault.present(ticket(1).as_str()), Ok(ticket(1)));
    // A ledger of its own has numbers of its own, with the same key and the same orders.
    let folder = tempfile::tempdir().expect("a folder");
    let elsewhere = Place::File(folder.path().join("other"));
    let other = Vault::found_with(
        &elsewhere,
        punto_record::LedgerKind::Demo,
        key(1),
        Digest([8; 32]),
        NOW,
        release(),
    );
    let mut other = with_keys(other.expect("a new ledger"), &[1]);
    append(&mut other, &table(1), first_seq.0 - 1);
    let (same_name, its_number) = issue(&mut other, 1);
    assert_eq!(same_name, first, "the same order at the same place");
    assert_ne!(its_number, number);
    assert_eq!(other.present(number.printed()), Ok(TicketNo::unknown()));
    assert_eq!(vault.present(its_number.printed()), Ok(TicketNo::unknown()));
}

fn a_changed_tag_pays_nobody(place: &Place) {
    let mut vault = with_keys(begun(place), &[1]);
    let (cheap, cheap_number) = issue(&mut vault, 1);
    let (dear, dear_number) = issue(&mut vault, 2);
    let of = |ticket: &TicketNo| format!("(SELECT tag FROM ticket WHERE no = '{ticket}')");
    // The bearer of the one would be paid for the other.
    let swap = format!(
        "CREATE TABLE aside AS SELECT {} AS tag; UPDATE ticket SET tag = NULL, key = NULL WHERE no = '{dear}';
         UPDATE ticket SET tag = (SELECT tag FROM aside) WHERE no = '{cheap}'; DROP TABLE aside",
        of(&dear)
    );
    run(place, &swap);
    for restart in [false, true] {
        if restart {
            drop(vault);
            vault = with_keys(open(place), &[1]);
        }
        // By the record the numbers belong to the tickets that were issued; their rows say otherwise.
        assert_eq!(vault.present(dear_number.printed()), Ok(dear.clone()));
        assert_eq!(vault.present(cheap_number.printed()), Ok(cheap.clone()));
        assert_eq!(answer(&mut vault, &dear), TicketAnswer::Tampered);
        assert_eq!(answer(&mut vault, &cheap), TicketAnswer::Tampered);
        // Nor is a serial a number because its row has no tag.
        assert_eq!(vault.present(dear.as_str()), Ok(TicketNo::unknown()));
        let told = failures(&mut vault);
        assert!(told.iter().any(|words| words.contains("found by another number")), "{told:?}");
        let digits = [dear_number.printed().to_owned(), dear_number.printed().replace('-', "")];
        assert!(digits.iter().all(|digits| told.iter().all(|words| !words.contains(digits))), "{told:?}");
    }
    // A made-up row with a tag of somebody who has another key is not found, and one with a number as its name pays nobody.
    let made_up = TicketKey::new([66; 32]).number(vault.ledger(), &"T9".into(), &order("x", 1), 0);
    let name = made_up.first_release_name();
    run(
        place,
        &format!(
            "INSERT INTO ticket (no, amount, issued, expires, state) VALUES ('{name}', 9, 9, 9, 'good')"
        ),
    );
    let found = vault.present(made_up.printed()).expect("the store");
    assert_eq!(answer(&mut vault, &found), TicketAnswer::Tampered);
}

fn a_number_that_is_taken_gives_way_to_the_next(place: &Place) {
    let mut vault = with_keys(found(place), &[1]);
    let (table_id, id) = seat(1);
    let ledger = vault.ledger();
    let number = |attempt| TicketKey::new([1; 32]).number(ledger, &table_id, &id, attempt);
    // A ticket of release 0.1.0 that is good, and one that was used, have the first two numbers of the order.
    for attempt in [0, 1] {
        let ticket = number(attempt).first_release_name().clone();
        let issued = TicketMove::Issued {
            ticket,
            amount: money(9),
            currency: sgd(),
            at: NOW,
            expires: EXPIRES,
            tag: None,
        };
        let append = batch_with(&vault, &table(1), 1, vec![issued]);
        vault.append(&[append]).remove(0).expect("a receipt");
    }
    redeem(&mut vault, number(1).first_release_name());
    let seq = vault.head(&table(1)).seq.next();
    let (new, derived) = vault.new_ticket(&table_id, seq, &id).expect("the store").expect("a key");
    assert_eq!((new.attempt, derived), (2, number(2)));
    // One of this release that is used counts as well, whatever key is in use by now.
    let (first, of_first) = issue(&mut vault, 1);
    redeem(&mut vault, &first);
    vault.rotate_ticket_key(NOW).expect("another key");
    let old = TicketKey::new([1; 32]);
    assert_eq!(vault.present(of_first.printed()), Ok(first.clone()));
    let (again, _) = vault.issued_ticket(&table_id, seq, &id).expect("the store").expect("known by its key");
    assert_eq!(again.tag, Some(old.tag(ledger, &of_first)));
    // Two of one number at the same moment: the store takes one.
    let twice = |n: u64| {
        let (ticket, tag) = (TicketNo::serial(&"T9".into(), Seq(n)), Some(old.tag(ledger, &number(7))));
        vec![TicketMove::Issued { ticket, amount: money(5), currency: sgd(), at: NOW, expires: EXPIRES, tag }]
    };
    let group = [batch_with(&vault, &table(3), 1, twice(1)), batch_with(&vault, &table(4), 1, twice(2))];
    let taken: Vec<bool> = vault.append(&group).iter().map(Result::is_ok).collect();
    assert_eq!(taken, [true, false]);
    let later = batch_with(&vault, &table(4), 1, twice(3));
    assert!(matches!(vault.append(&[later]).remove(0), Err(Error::Ticket { .. })));
}

fn adopted(vault: &mut Vault) -> Vec<String> {
    let mut found = Vec::new();
    let each = &mut |stored: punto_ledger::Stored<'_>| {
        let entry: HouseEntry = serde_json::from_slice(stored.bytes).expect("a deed");
        if let Deed::TicketKeyAdopted { key, .. } = entry.deed {
            found.push(key.to_string());
        }
        ControlFlow::Continue(())
    };
    vault.reader().entries_of(&Volume::House, Seq(0), each).expect("entries");
    found
}

fn a_key_is_kept_as_long_as_its_tickets(place: &Place) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ledger.ticket-key");
    let at_hand = |path: &std::path::Path| {
        TicketKeys::open(path).expect("keys").all().iter().map(|key| key.id().to_string()).collect::<Vec<_>>()
    };
    let mut vault = found(place);
    let (made, is_new) = TicketKeys::open_or_make(&path).expect("made");
    assert!(is_new && made.all().len() == 1);
    vault.use_ticket_keys(made, NOW).expect("keys");
    let (ticket, number) = issue(&mut vault, 1);
    let second = vault.rotate_ticket_key(NOW).expect("another key");
    assert_eq!(at_hand(&path).len(), 2);
    let (other, of_other) = issue(&mut vault, 2);
    redeem(&mut vault, &ticket);
    drop(vault);
    let mut vault = open(place);
    let (read, is_new) = TicketKeys::open_or_make(&path).expect("read");
    assert!(!is_new);
    vault.use_ticket_keys(read, NOW).expect("keys");
    assert_eq!(adopted(&mut vault).len(), 2, "nothing new is adopted at a start");
    assert_eq!(vault.present(number.printed()), Ok(ticket.clone()), "made with the key before");
    assert_eq!(vault.present(of_other.printed()), Ok(other.clone()));
    // Of a used one up to the moment of its expiry, of an unused one until two people have paid it.
    let third = vault.rotate_ticket_key(EXPIRES).expect("another key");
    assert_eq!(at_hand(&path).len(), 3);
    let late = Timestamp(EXPIRES.0 + 1);
    let fourth = vault.rotate_ticket_key(late).expect("another key");
    assert_eq!(at_hand(&path), [second.as_str(), fourth.as_str()]);
    assert_eq!(vault.present(of_other.printed()), Ok(other.clone()), "it has expired");
    let (second_person, reason) = (Some("m-2".into()), Some("ill".into()));
    let (amount, currency) = (money(500), sgd());
    let paid = Deed::TicketPaid { ticket: other, amount, currency, second: second_person, reason };
    vault.deed(order("cage", 1), cashier(), late, paid).expect("paid by two");
    let fifth = vault.rotate_ticket_key(late).expect("another key");
    assert_eq!(at_hand(&path), [fifth.as_str()]);
    assert_eq!(adopted(&mut vault)[1..], [second, third, fourth, fifth].map(|id| id.to_string()));
    // Whoever puts another file in its place is seen.
    drop(vault);
    let mut vault = with_keys(open(place), &[9]);
    let last = TicketKey::new([9; 32]).id().to_string();
    assert_eq!(adopted(&mut vault).last(), Some(&last));
    // The key of the record makes new tickets, wherever it stands in the file.
    let mut vault = with_keys(vault, &[9, 8, 7]);
    let (table_id, id) = seat(3);
    let (new, _) = vault.new_ticket(&table_id, Seq(9), &id).expect("the store").expect("a key");
    assert_eq!(new.tag.expect("a tag").key.to_string(), last);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::metadata(&path).expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).expect("changed");
        assert!(TicketKeys::open_or_make(&path).expect_err("others read it").to_string().contains("600"));
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).expect("changed");
    }
    for text in ["", "no key\n", "\n"] {
        std::fs::write(&path, text).expect("written");
        assert!(TicketKeys::open_or_make(&path).is_err(), "{text:?} is not overwritten");
    }
}

fn without_the_key_a_ticket_is_known_by_its_serial(place: &Place) {
    let mut vault = with_keys(found(place), &[1]);
    let (ticket, number) = issue(&mut vault, 1);
    let (other, _) = issue(&mut vault, 2);
    assert!(vault.tickets_without_key().is_empty());
    drop(vault);
    // Restored without its key, it has another one.
    let mut vault = with_keys(open(place), &[2]);
    let lost: Vec<_> = vault.tickets_without_key().into_iter().collect();
    assert_eq!(lost, [(TicketKey::new([1; 32]).id().clone(), 2)]);
    assert_eq!(vault.present(number.printed()), Ok(TicketNo::unknown()));
    assert_eq!(answer(&mut vault, &ticket), good_for(500));
    let amount = money(500);
    let void = Deed::TicketVoided {
        ticket: ticket.clone(),
        amount,
        currency: sgd(),
        second: "m-2".into(),
        reason: "the key is lost".into(),
    };
    vault.deed(order("cage", 1), cashier(), NOW, void).expect("made void");
    assert_eq!(answer(&mut vault, &ticket), TicketAnswer::Void);
    // New ones are made and found.
    let (young, of_young) = issue(&mut vault, 3);
    assert_eq!(vault.present(of_young.printed()), Ok(young));
    // The file of the lost key turned up and was added.
    let mut vault = with_keys(vault, &[2, 1]);
    assert!(vault.tickets_without_key().is_empty());
    assert_eq!(vault.present(number.printed()), Ok(ticket.clone()));
    drop(vault);
    let mut rows: Vec<Ticket> = Vec::new();
    Reader::open(place).expect("a ledger").tickets(&mut |row| rows.push(row)).expect("rows");
    let good: Vec<_> = rows.iter().filter(|row| row.state == TicketState::Good).map(|row| &row.no).collect();
    assert!(good.contains(&&other) && !good.contains(&&ticket), "{good:?}");
}
