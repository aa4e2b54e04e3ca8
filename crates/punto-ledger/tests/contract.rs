//! What every ledger promises, wherever it is kept: the same checks on a file, in memory and on a real PostgreSQL.

use crate::postgres_server;
use std::ops::ControlFlow;
use std::thread;

use crate::ledgers::*;
use ed25519_dalek::SigningKey;
use punto_ledger::{Append, Archived, Error, Ledger, Place, Reader, Snapshot, Vault, copy, fingerprint};
use punto_record::merkle::{Frontier, leaf, root};
use punto_record::{
    Actor, ArchivedHead, Batch, Chain, Deed, Digest, HouseEntry, LedgerKind, PublicKey, Release, Sealed, Seq,
    SignedCheckpoint, TicketAnswer, TicketMove, TicketNo, Timestamp, Volume,
};

/// Each check at each place where it makes sense.
macro_rules! contract {
    (everywhere { $($all:ident,)+ } kept { $($kept:ident,)+ }) => {
        mod in_a_file {
            $(#[test] fn $all() { super::in_a_file(super::$all) })+
            $(#[test] fn $kept() { super::in_a_file(super::$kept) })+
        }
        mod in_memory {
            $(#[test] fn $all() { super::$all(&punto_ledger::Place::Memory) })+
        }
        mod in_postgresql {
            $(#[test] fn $all() { super::$all(&super::postgres_server::database()) })+
            $(#[test] fn $kept() { super::$kept(&super::postgres_server::database()) })+
        }
    };
}

fn in_a_file(check: fn(&Place)) {
    let folder = tempfile::tempdir().expect("a folder");
    check(&Place::File(folder.path().join("ledger")));
}

contract! {
    everywhere {
        a_receipt_for_each_batch_and_leaves_without_gaps,
        a_batch_that_goes_on_elsewhere_is_a_conflict,
        a_batch_that_is_not_chained_is_refused,
        a_refused_batch_leaves_the_others_alone,
        a_volume_may_come_twice_in_a_group,
        a_new_volume_of_a_refused_batch_does_not_begin,
        the_same_deed_twice_is_one_entry,
        a_deed_is_not_everybodys,
        tickets_have_six_answers,
        a_ticket_issued_twice_is_refused,
        a_ticket_may_be_issued_and_used_in_one_group,
        sixty_four_redeem_one_wins,
        many_tables_write_at_once,
        a_checkpoint_signs_the_tree,
        a_locked_table_takes_nothing,
        snapshots_are_kept_replaced_and_dropped,
        nothing_is_wrong_with_a_new_store,
    }
    kept {
        a_ledger_reopened_goes_on_where_it_ended,
        there_is_one_ledger_at_a_place,
        a_writer_whose_term_ended_writes_nothing,
        a_ledger_has_one_writer,
        writers_that_take_turns_lose_nothing,
        the_store_refuses_raw_changes,
        a_missing_trigger_is_noticed,
        the_tree_goes_on_after_reopening,
        a_key_is_handed_over,
        checkpoints_are_thinned_out,
        a_reader_sees_one_moment,
        long_volumes_are_read_whole,
        archived_entries_are_gone_and_the_rest_goes_on,
        a_copy_is_the_same_anywhere,
        a_ledger_of_the_first_schema_is_brought_up,
        a_ledger_of_the_second_schema_is_brought_up,
        a_ledger_of_the_third_schema_is_brought_up,
        a_ledger_of_a_later_release_is_refused,
    }
}

/// Runs SQL beside the ledger, as somebody would who has the file or the database open.
fn run(place: &Place, sql: &str) -> Result<(), String> {
    match place {
        Place::File(path) => rusqlite::Connection::open(path)
            .and_then(|connection| connection.execute_batch(sql))
            .map_err(|error| error.to_string()),
        Place::Database(url) => {
            postgres_server::run(url, &format!("SET search_path = punto; SET lock_timeout = '10s'; {sql}"))
        }
        Place::Memory => unreachable!("nobody else sees a ledger in memory"),
    }
}

fn heads(vault: &Vault) -> Vec<(Volume, Chain)> {
    vault.heads().map(|(volume, chain)| (volume.clone(), chain)).collect()
}

fn is_conflict(result: &Result<punto_ledger::Receipt, Error>, expect: u64, found: u64) -> bool {
    matches!(result, Err(Error::Conflict { expect: e, found: f, .. }) if (e.0, f.0) == (expect, found))
}

fn is_refused(result: &Result<punto_ledger::Receipt, Error>, why: TicketAnswer) -> bool {
    matches!(result, Err(Error::Ticket { answer, .. }) if *answer == why)
}

/// Leaves count from 1 without a gap, and every volume is chained.
fn is_whole(vault: &mut Vault) -> u64 {
    let all = entries(vault);
    let leaves: Vec<u64> = all.iter().map(|(leaf, ..)| *leaf).collect();
    assert_eq!(leaves, (1..=all.len() as u64).collect::<Vec<_>>());
    fingerprint(&mut vault.reader(), &mut |_| {}).expect("chains").size
}

fn a_receipt_for_each_batch_and_leaves_without_gaps(place: &Place) {
    let mut vault = found(place);
    assert_eq!(is_whole(&mut vault), 2);
    let group: Vec<Append> = (1..=3).map(|n| batch(&vault, &table(n), u64::from(n))).collect();
    let receipts: Vec<_> = vault.append(&group).into_iter().map(|it| it.expect("a receipt")).collect();
    let said: Vec<_> = receipts.iter().map(|it| (it.volume().clone(), it.seq().0, it.leaf())).collect();
    assert_eq!(said, [(table(1), 1, 3), (table(2), 2, 5), (table(3), 3, 8)]);
    assert_eq!(append(&mut vault, &table(2), 1000), 1008);
    assert_eq!(is_whole(&mut vault), 1008);
    let mut bytes = Vec::new();
    let mut reader = vault.reader();
    let each = &mut |stored: punto_ledger::Stored<'_>| {
        bytes.push(stored.sealed());
        ControlFlow::Continue(())
    };
    reader.entries_of(&table(3), Seq(0), each).expect("entries");
    assert_eq!(bytes, group[2].batch.entries, "every byte comes back");
}

fn a_batch_that_goes_on_elsewhere_is_a_conflict(place: &Place) {
    let mut vault = found(place);
    let first = batch(&vault, &table(1), 2);
    vault.append(std::slice::from_ref(&first)).remove(0).expect("a receipt");
    assert!(is_conflict(&vault.append(&[first])[0], 0, 2));
    let mut ahead = batch(&vault, &table(1), 1);
    ahead.batch.expect = Seq(5);
    assert!(is_conflict(&vault.append(&[ahead])[0], 5, 2));
    assert_eq!(append(&mut vault, &table(1), 1), 5, "the vault goes on");
}

fn a_batch_that_is_not_chained_is_refused(place: &Place) {
    let mut vault = found(place);
    let mut other = batch(&vault, &table(1), 3);
    other.batch.entries[1].bytes.push(b' ');
    let result = vault.append(&[other]).remove(0);
    assert_eq!(result, Err(Error::Unchained { volume: table(1), seq: Seq(2) }));
    assert_eq!(vault.head(&table(1)), Chain::START);
    assert_eq!(is_whole(&mut vault), 2);
}

fn a_refused_batch_leaves_the_others_alone(place: &Place) {
    let mut vault = found(place);
    append(&mut vault, &table(1), 1);
    append(&mut vault, &table(2), 1);
    append(&mut vault, &table(3), 1);
    // The ticket is looked at by the store, in the middle of the transaction.
    let group = [
        batch(&vault, &table(1), 2),
        batch_with(&vault, &table(2), 2, vec![redeemed(9)]),
        batch(&vault, &table(3), 2),
    ];
    let results = vault.append(&group);
    assert_eq!(results[0].as_ref().expect("a receipt").leaf(), 7);
    assert!(is_refused(&results[1], TicketAnswer::NotFound));
    assert_eq!(results[2].as_ref().expect("a receipt").leaf(), 9);
    assert_eq!([1, 2, 3].map(|n| vault.head(&table(n)).seq.0), [3, 1, 3]);
    assert_eq!(is_whole(&mut vault), 9);
    assert_eq!(append(&mut vault, &table(2), 1), 10);
}

fn a_volume_may_come_twice_in_a_group(place: &Place) {
    let mut vault = found(place);
    let all = sealed(Chain::START, 5);
    let part = |range: std::ops::Range<usize>| Append {
        volume: table(1),
        batch: Batch { expect: Seq(range.start as u64), entries: all[range].to_vec(), tickets: Vec::new() },
    };
    let results = vault.append(&[part(0..2), part(2..3), part(0..1), part(3..5)]);
    let seqs: Vec<Option<u64>> =
        results.iter().map(|it| it.as_ref().ok().map(|receipt| receipt.seq().0)).collect();
    assert_eq!(seqs, [Some(2), Some(3), None, Some(5)]);
    assert_eq!(is_whole(&mut vault), 7);
}

fn a_new_volume_of_a_refused_batch_does_not_begin(place: &Place) {
    let mut vault = found(place);
    let group = [batch_with(&vault, &table(1), 1, vec![redeemed(9)]), batch(&vault, &table(2), 1)];
    let results = vault.append(&group);
    assert!(is_refused(&results[0], TicketAnswer::NotFound));
    assert!(results[1].is_ok());
    assert_eq!(vault.reader().volumes().expect("volumes"), [Volume::House, table(2)]);
    append(&mut vault, &table(1), 1);
    assert_eq!(vault.reader().volumes().expect("volumes"), [Volume::House, table(2), table(1)]);
}

fn the_same_deed_twice_is_one_entry(place: &Place) {
    let mut vault = found(place);
    let issue = batch_with(&vault, &table(1), 2, vec![issued(1), issued(2)]);
    vault.append(&[issue]).remove(0).expect("a receipt");
    let first = vault.deed(order("cage", 1), cashier(), NOW, paid(1)).expect("paid");
    assert_eq!(vault.deed(order("cage", 1), cashier(), NOW, paid(1)), Ok(first));
    assert_eq!(vault.deed(order("cage", 1), cashier(), NOW, paid(2)), Err(Error::OrderIdReused));
    assert_eq!(vault.deed(order("cage", 2), cashier(), NOW, paid(2)), Ok(first.next()));
    assert_eq!(vault.deed(order("cage", 1), cashier(), NOW, paid(1)), Err(Error::OrderIdReused));
    assert_eq!(vault.head(&Volume::House).seq.0, 4);
}

fn a_deed_is_not_everybodys(place: &Place) {
    let mut vault = found(place);
    let issue = batch_with(&vault, &table(1), 1, vec![issued(1)]);
    vault.append(&[issue]).remove(0).expect("a receipt");
    let alone = Actor::Cashier { person: "m-2".into() };
    for (by, deed) in [(Actor::House, paid(1)), (alone, voided(1)), (cashier(), Deed::SoftwareStopped {})] {
        let result = vault.deed(order("cage", 1), by, NOW, deed);
        assert!(matches!(result, Err(Error::NotAllowed(_))), "{result:?}");
    }
    assert_eq!(vault.head(&Volume::House).seq.0, 2);
}

fn tickets_have_six_answers(place: &Place) {
    let mut vault = found(place);
    let issue = batch_with(&vault, &table(1), 5, (1..=5).map(issued).collect());
    vault.append(&[issue]).remove(0).expect("a receipt");
    vault.deed(order("cage", 1), cashier(), NOW, paid(2)).expect("paid");
    vault.deed(order("cage", 2), cashier(), NOW, voided(3)).expect("void");
    let use_it = batch_with(&vault, &table(2), 1, vec![redeemed(4)]);
    vault.append(&[use_it]).remove(0).expect("a receipt");

    let (one, two) = (order("terminal-1", 1), order("terminal-2", 1));
    let reserved = good_for(100);
    let last = Timestamp(NOW.0 + 60_000);
    assert_eq!(vault.reserve(&ticket(1), &one, last), Ok(reserved.clone()));
    assert_eq!(vault.reserve(&ticket(1), &one, NOW), Ok(reserved.clone()), "asked again by the same order");
    assert_eq!(vault.reserve(&ticket(1), &two, NOW), Ok(TicketAnswer::InUse));
    assert_eq!(vault.reserve(&ticket(2), &two, NOW), Ok(TicketAnswer::Paid));
    assert_eq!(vault.reserve(&ticket(3), &two, NOW), Ok(TicketAnswer::Void));
    assert_eq!(vault.reserve(&ticket(4), &two, NOW), Ok(TicketAnswer::Paid));
    assert_eq!(vault.reserve(&ticket(5), &two, Timestamp(last.0 + 1)), Ok(TicketAnswer::Expired));
    assert_eq!(vault.reserve(&ticket(6), &two, NOW), Ok(TicketAnswer::NotFound));
    let in_use = vault.deed(order("cage", 3), cashier(), NOW, paid(1));
    assert!(matches!(in_use, Err(Error::Ticket { answer: TicketAnswer::InUse, .. })));
    vault.release(&ticket(2), &one);
    assert_eq!(
        vault.reserve(&ticket(1), &two, NOW),
        Ok(TicketAnswer::InUse),
        "it lets go of that ticket only"
    );
    vault.release(&ticket(1), &one);
    assert_eq!(vault.reserve(&ticket(1), &two, NOW), Ok(reserved.clone()));

    let late = |ticket: TicketNo| TicketMove::Redeemed { ticket, at: Timestamp(last.0 + 1) };
    for (asked, answer) in [
        (redeemed(2), TicketAnswer::Paid),
        (redeemed(3), TicketAnswer::Void),
        (redeemed(4), TicketAnswer::Paid),
        (late(ticket(5)), TicketAnswer::Expired),
        (redeemed(6), TicketAnswer::NotFound),
        (issued(1), good_for(100)),
    ] {
        let append = batch_with(&vault, &table(1), 1, vec![asked]);
        let result = vault.append(&[append]).remove(0);
        assert!(is_refused(&result, answer), "{result:?}");
    }
    let use_it = batch_with(&vault, &table(1), 1, vec![redeemed(1)]);
    vault.append(&[use_it]).remove(0).expect("a receipt");
    assert_eq!(vault.reserve(&ticket(1), &two, NOW), Ok(TicketAnswer::Paid));
    // Nobody asks whether a ticket has expired in order to make it void.
    vault.deed(order("cage", 3), cashier(), Timestamp(last.0 + 1), voided(5)).expect("void");

    let mut all = Vec::new();
    vault.reader().tickets(&mut |ticket| all.push((ticket.amount.get(), ticket.state))).expect("tickets");
    use punto_record::TicketState::{Paid, Redeemed, Void};
    assert_eq!(all, [(100, Redeemed), (200, Paid), (300, Void), (400, Redeemed), (500, Void)]);
}

fn a_ticket_issued_twice_is_refused(place: &Place) {
    let mut vault = found(place);
    let group = [
        batch_with(&vault, &table(1), 1, vec![issued(1)]),
        batch_with(&vault, &table(2), 1, vec![issued(1)]),
    ];
    let results = vault.append(&group);
    assert!(results[0].is_ok());
    assert!(is_refused(&results[1], good_for(100)));
    let again = batch_with(&vault, &table(1), 1, vec![issued(1)]);
    assert!(vault.append(&[again])[0].is_err());
    assert_eq!(is_whole(&mut vault), 3);
}

fn a_ticket_may_be_issued_and_used_in_one_group(place: &Place) {
    let mut vault = found(place);
    append(&mut vault, &table(1), 1);
    append(&mut vault, &table(2), 1);
    let group = [
        batch_with(&vault, &table(1), 1, vec![issued(1), issued(2)]),
        batch_with(&vault, &table(2), 1, vec![redeemed(1), redeemed(2)]),
    ];
    assert!(vault.append(&group).iter().all(Result::is_ok));
    let again = batch_with(&vault, &table(2), 1, vec![redeemed(1)]);
    assert!(is_refused(&vault.append(&[again])[0], TicketAnswer::Paid));
}

fn sixty_four_redeem_one_wins(place: &Place) {
    let mut vault = found(place);
    let issue = batch_with(&vault, &table(0), 1, vec![issued(1)]);
    vault.append(&[issue]).remove(0).expect("a receipt");
    let (ledger, writer) = Ledger::start(vault);
    let redeem = |n: u32| {
        let ledger = ledger.clone();
        move || {
            let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
            runtime.block_on(async {
                let answer = ledger.reserve(ticket(1), order("terminal", u64::from(n)), NOW).await;
                // Those who are told no try to get it past the store all the same.
                let tickets = vec![redeemed(1)];
                let entries = vec![Chain::START.clone().seal(&entry_with(Seq(1), &tickets))];
                let batch = Batch { expect: Seq(0), entries, tickets };
                (answer, ledger.append(table(n), batch).await)
            })
        }
    };
    let threads: Vec<_> = (1..=64).map(|n| thread::spawn(redeem(n))).collect();
    let results: Vec<_> = threads.into_iter().map(|thread| thread.join().expect("a thread")).collect();
    drop(ledger);
    let won = results.iter().filter(|(_, redeemed)| redeemed.is_ok()).count();
    let paid = results.iter().filter(|(_, result)| is_refused(result, TicketAnswer::Paid)).count();
    assert_eq!((won, paid), (1, 63));
    let reserved = good_for(100);
    assert_eq!(results.iter().filter(|(answer, _)| *answer == Ok(reserved.clone())).count(), 1);
    let mut vault = writer.join().expect("the writer");
    assert_eq!(is_whole(&mut vault), 4);
}

fn many_tables_write_at_once(place: &Place) {
    let (ledger, writer) = Ledger::start(found(place));
    let threads: Vec<_> = (1..=8)
        .map(|n| {
            let ledger = ledger.clone();
            thread::spawn(move || {
                let all = sealed(Chain::START, 60);
                for (at, entries) in all.chunks(3).enumerate() {
                    let expect = Seq(3 * at as u64);
                    let batch = Batch { expect, entries: entries.to_vec(), tickets: Vec::new() };
                    let receipt = ledger.append_blocking(table(n), batch).expect("a receipt");
                    assert_eq!(receipt.seq().0, expect.0 + 3);
                }
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().expect("a thread"));
    drop(ledger);
    let mut vault = writer.join().expect("the writer");
    assert_eq!(is_whole(&mut vault), 2 + 8 * 60);
}

/// The root over everything that is there, made from nothing but the entries.
fn root_of(vault: &mut Vault) -> Digest {
    let mut leaves = Vec::new();
    let each = &mut |stored: punto_ledger::Stored<'_>| {
        leaves.push(leaf(stored.volume, stored.chain()));
        ControlFlow::Continue(())
    };
    vault.reader().entries(0, each).expect("entries");
    root(&leaves)
}

fn a_checkpoint_signs_the_tree(place: &Place) {
    let mut vault = found(place);
    append(&mut vault, &table(1), 10);
    let signed = vault.checkpoint(NOW).expect("a checkpoint").expect("something new");
    assert!(signed.is_signed());
    assert_eq!(signed.key, PublicKey::of(&key(1)));
    assert_eq!((signed.checkpoint.size, signed.checkpoint.root), (12, root_of(&mut vault)));
    assert_eq!(signed.checkpoint.heads, heads(&vault));
    assert_eq!(vault.checkpoint(NOW), Ok(None), "nothing new");
    append(&mut vault, &table(2), 1);
    vault.checkpoint(Timestamp(NOW.0 + 1)).expect("a checkpoint").expect("something new");
    let mut kept = Vec::new();
    vault.reader().checkpoints(&mut |it| kept.push(it)).expect("checkpoints");
    assert_eq!(kept.iter().map(|it| it.size).collect::<Vec<_>>(), [12, 13]);
    assert_eq!(kept[0].text.parse::<SignedCheckpoint>(), Ok(signed));
    assert!(kept.iter().all(|it| it.read().is_ok()));
}

fn a_locked_table_takes_nothing(place: &Place) {
    let mut vault = found(place);
    append(&mut vault, &table(1), 3);
    let Volume::Table(t1) = table(1) else { unreachable!() };
    vault.lock(NOW, &t1, "one chip too many").expect("locked");
    let group = [batch(&vault, &table(1), 1), batch(&vault, &table(2), 1)];
    let results = vault.append(&group);
    assert_eq!(results[0], Err(Error::Locked(table(1))));
    assert!(results[1].is_ok());
    let deed = || Deed::TableUnlocked { table: t1.clone(), second: "m-2".into(), reason: "found".into() };
    let administrator = |person: &str| Actor::Administrator { person: person.parse().expect("a name") };
    let alone = vault.deed(order("office", 1), administrator("m-2"), NOW, deed());
    assert!(matches!(alone, Err(Error::NotAllowed(_))));
    vault.deed(order("office", 1), administrator("a-1"), NOW, deed()).expect("unlocked");
    append(&mut vault, &table(1), 1);
}

fn snapshot(vault: &Vault, volume: &Volume, schema: u32, bytes: &[u8]) -> Snapshot {
    Snapshot {
        volume: volume.clone(),
        chain: vault.head(volume),
        schema,
        bytes: bytes.to_vec(),
        signed: None,
    }
}

fn snapshots_are_kept_replaced_and_dropped(place: &Place) {
    let mut vault = found(place);
    append(&mut vault, &table(1), 3);
    append(&mut vault, &table(2), 1);
    let first = snapshot(&vault, &table(1), 1, b"first");
    let other = snapshot(&vault, &table(2), 1, b"other");
    vault.keep_snapshot(&first).expect("kept");
    vault.keep_snapshot(&other).expect("kept");
    let unsigned = |kept: Snapshot| Snapshot { signed: None, ..kept };
    let kept = vault.snapshot(&table(1), 1).expect("read").expect("kept");
    assert!(kept.signed.is_some(), "the writer vouches for it");
    assert_eq!(unsigned(kept), first);
    assert_eq!(vault.snapshot(&table(1), 2), Ok(None), "another schema");
    assert_eq!(vault.snapshot(&table(3), 1), Ok(None), "no such table");
    let better = Snapshot { bytes: b"better".to_vec(), ..first };
    vault.keep_snapshot(&better).expect("kept");
    let mut all = || vault.reader().snapshots().expect("read").into_iter().map(unsigned).collect::<Vec<_>>();
    assert_eq!(all(), [better, other.clone()]);
    append(&mut vault, &table(1), 1);
    let second = snapshot(&vault, &table(1), 2, b"second");
    vault.keep_snapshot(&second).expect("kept");
    let mut all = || vault.reader().snapshots().expect("read").into_iter().map(unsigned).collect::<Vec<_>>();
    assert_eq!(all(), [second, other]);
    vault.drop_snapshots().expect("dropped");
    assert_eq!(vault.reader().snapshots(), Ok(Vec::new()));
}

fn nothing_is_wrong_with_a_new_store(place: &Place) {
    assert_eq!(found(place).reader().check(), Ok(Vec::new()));
}

fn a_ledger_reopened_goes_on_where_it_ended(place: &Place) {
    let mut vault = found(place);
    let issue = batch_with(&vault, &table(1), 3, vec![issued(1)]);
    vault.append(&[issue]).remove(0).expect("a receipt");
    append(&mut vault, &table(2), 2);
    vault.deed(order("cage", 7), cashier(), NOW, paid(1)).expect("paid");
    let (before, name) = (heads(&vault), vault.ledger());
    drop(vault);
    let mut vault = open(place);
    assert_eq!((heads(&vault), vault.ledger(), vault.kind()), (before, name, LedgerKind::Demo));
    assert_eq!(vault.deed(order("cage", 7), cashier(), NOW, paid(1)), Ok(Seq(3)), "done before");
    let lower = vault.deed(order("cage", 6), cashier(), NOW, paid(1));
    assert_eq!(lower, Err(Error::OrderIdReused));
    assert_eq!(append(&mut vault, &table(1), 1), 9);
    assert_eq!(is_whole(&mut vault), 9);
}

fn there_is_one_ledger_at_a_place(place: &Place) {
    let none = Vault::open(place, key(1), release()).expect_err("no ledger yet");
    assert!(matches!(none, Error::Unsuitable(_)), "{none}");
    assert!(Reader::open(place).is_err());
    drop(found(place));
    let again = Vault::found(place, LedgerKind::House, key(1), NOW, release()).expect_err("one is enough");
    assert!(matches!(again, Error::Unsuitable(_)), "{again}");
    assert_eq!(open(place).kind(), LedgerKind::Demo);
}

fn a_writer_whose_term_ended_writes_nothing(place: &Place) {
    type Write = fn(&mut Vault) -> Result<(), Error>;
    let writers: [Write; 5] = [
        |vault| {
            let append = batch(vault, &table(1), 1);
            vault.append(&[append]).remove(0).map(|_| ())
        },
        |vault| {
            let append = batch_with(vault, &table(1), 1, vec![issued(1)]);
            vault.append(&[append]).remove(0).map(|_| ())
        },
        |vault| {
            let append = batch(vault, &table(5), 1);
            vault.append(&[append]).remove(0).map(|_| ())
        },
        |vault| vault.checkpoint(NOW).map(|_| ()),
        |vault| {
            let snapshot = snapshot(vault, &table(1), 1, b"late");
            vault.keep_snapshot(&snapshot)
        },
    ];
    append(&mut found(place), &table(1), 1);
    for late in writers {
        let mut first = open(place);
        append(&mut first, &table(1), 1);
        let before = is_whole(&mut first);
        first.give_way().expect("its term is over");
        assert_eq!(late(&mut first), Err(Error::Fenced));
        let stopped = late(&mut first).expect_err("stopped for good");
        assert!(matches!(stopped, Error::Stopped(_)), "{stopped}");
        drop(first);
        let mut second = open(place);
        assert_eq!(is_whole(&mut second), before, "nothing was written");
        assert_eq!(second.reader().snapshots(), Ok(Vec::new()));
        assert_eq!(second.reader().volumes().expect("volumes").len(), 2);
    }
}

fn a_ledger_has_one_writer(place: &Place) {
    drop(found(place));
    let mut first = open(place);
    let me = format!("process {}", std::process::id());
    for _ in 0..2 {
        let refused = Vault::open(place, key(1), release()).expect_err("it has its writer");
        assert!(matches!(&refused, Error::Owned(words) if words.starts_with(&me)), "{refused}");
        assert!(Reader::open(place).expect("a reader").size().expect("a size") >= 2, "it can be read");
        append(&mut first, &table(1), 1);
    }
    drop(first);
    append(&mut open(place), &table(1), 1);
}

/// Some threads want the ledger all the time, and often their term ends in the middle of it: one at a time writes, and every
/// receipt is for an entry that stays.
fn writers_that_take_turns_lose_nothing(place: &Place) {
    drop(found(place));
    let write = |n: u32| {
        let place = place.clone();
        move || {
            let (mut receipts, mut turns) = (0, 0);
            while turns < 5 {
                let mut vault = match Vault::open(&place, key(1), release()) {
                    Ok(vault) => vault,
                    Err(Error::Owned(_)) => continue,
                    Err(error) => panic!("{error}"),
                };
                turns += 1;
                for at in 0..10 {
                    if at == 4 + turns {
                        vault.give_way().expect("its term is over");
                    }
                    let append = batch(&vault, &table(n), 2);
                    match vault.append(&[append]).remove(0) {
                        Ok(_) => receipts += 2,
                        Err(error) => {
                            assert_eq!((error, at), (Error::Fenced, 4 + turns));
                            break;
                        }
                    }
                }
            }
            receipts
        }
    };
    let threads: Vec<_> = (1..=4).map(|n| thread::spawn(write(n))).collect();
    let receipts: Vec<u64> = threads.into_iter().map(|thread| thread.join().expect("a thread")).collect();
    let mut vault = open(place);
    for (n, receipts) in (1..).zip(&receipts) {
        assert_eq!(vault.head(&table(n)).seq.0, *receipts);
    }
    assert_eq!(is_whole(&mut vault), 2 + receipts.iter().sum::<u64>());
}

fn the_store_refuses_raw_changes(place: &Place) {
    let mut vault = found(place);
    let issue = batch_with(&vault, &table(1), 3, vec![issued(1), issued(2)]);
    vault.append(&[issue]).remove(0).expect("a receipt");
    vault.deed(order("cage", 1), cashier(), NOW, paid(1)).expect("paid");
    drop(vault);
    for (sql, says) in [
        ("UPDATE entry SET seq = 9 WHERE leaf = 3", "an entry is never changed"),
        ("UPDATE entry SET leaf = 900 WHERE leaf = 6", "an entry is never changed"),
        ("DELETE FROM entry WHERE leaf = 6", "an entry is never deleted"),
        ("DELETE FROM entry", "an entry is never deleted"),
        ("UPDATE volume SET name = 'table/T9' WHERE id = 2", "a volume is never changed"),
        ("DELETE FROM volume WHERE id = 2", "a volume is never deleted"),
        ("UPDATE ticket SET state = 'good' WHERE state = 'paid'", "a ticket is used once"),
        ("UPDATE ticket SET state = 'void' WHERE state = 'paid'", "a ticket is used once"),
        ("UPDATE ticket SET amount = 1 WHERE state = 'good'", "a ticket is used once"),
        ("UPDATE ticket SET expires = expires + 1 WHERE state = 'good'", "a ticket is used once"),
        ("DELETE FROM ticket", "a ticket is never deleted"),
    ] {
        let said = run(place, sql).expect_err(sql);
        assert!(said.contains(says), "{sql}: {said}");
    }
    run(place, "INSERT INTO archive VALUES (1, '{}', '[]')").expect("a row");
    for sql in ["UPDATE archive SET size = 9", "DELETE FROM archive"] {
        let said = run(place, sql).expect_err(sql);
        assert!(said.contains("what was archived"), "{sql}: {said}");
    }
    if let Place::Database(_) = place {
        for name in ["entry", "volume", "ticket", "archive"] {
            let said = run(place, &format!("TRUNCATE {name} CASCADE")).expect_err(name);
            assert!(said.contains("never deleted") || said.contains("stays so"), "{said}");
        }
    }
}

fn a_missing_trigger_is_noticed(place: &Place) {
    drop(found(place));
    let on = if matches!(place, Place::Database(_)) { " ON ticket" } else { "" };
    run(place, &format!("DROP TRIGGER ticket_changes_once{on}")).expect("dropped");
    let faults = Reader::open(place).expect("a ledger").check().expect("checked");
    assert_eq!(faults.len(), 1, "{faults:?}");
}

fn the_tree_goes_on_after_reopening(place: &Place) {
    let mut vault = found(place);
    append(&mut vault, &table(1), 5);
    vault.checkpoint(NOW).expect("a checkpoint").expect("something new");
    append(&mut vault, &table(2), 4);
    drop(vault);
    let mut vault = open(place);
    append(&mut vault, &table(1), 2);
    let signed = vault.checkpoint(NOW).expect("a checkpoint").expect("something new");
    assert_eq!((signed.checkpoint.size, signed.checkpoint.root), (13, root_of(&mut vault)));
}

/// All of the last hour stay, then the last of each hour for a week, then the last of each day.
fn checkpoints_are_thinned_out(place: &Place) {
    const HOUR: u64 = 3_600_000;
    let mut vault = found(place);
    let start = NOW.0 - NOW.0 % (24 * HOUR);
    let quarters = 10 * 24 * 4;
    for quarter in 0..=quarters {
        append(&mut vault, &table(1), 1);
        let at = Timestamp(start + quarter * HOUR / 4);
        vault.checkpoint(at).expect("a checkpoint").expect("something new");
    }
    let end = start + quarters * HOUR / 4;
    let mut kept = Vec::new();
    vault.reader().checkpoints(&mut |it| kept.push((it.at.0, it.read().is_ok()))).expect("checkpoints");
    assert!(kept.iter().all(|(_, is_sound)| *is_sound));
    let within = |from: u64, to: u64| kept.iter().filter(|(at, _)| (from..to).contains(at)).count();
    assert_eq!(within(end - HOUR, end + 1), 5, "all of the last hour");
    assert_eq!(within(end - 24 * HOUR, end - HOUR), 23, "the last of each hour");
    assert_eq!(within(start, end - 7 * 24 * HOUR), 3, "the last of each day");
    assert_eq!(kept.len(), 3 + 7 * 24 - 1 + 5);
    drop(vault);
    assert!(open(place).found_amiss().is_empty());
}

fn a_key_is_handed_over(place: &Place) {
    let mut vault = found(place);
    vault.checkpoint(NOW).expect("a checkpoint");
    vault.rotate_key(key(2), NOW).expect("another key");
    let mut last = None;
    vault.reader().checkpoints(&mut |kept| last = kept.read().ok()).expect("checkpoints");
    let (signed, _) = last.expect("the new key signs at once for everything");
    assert_eq!((signed.key, signed.is_signed()), (PublicKey::of(&key(2)), true));
    drop(vault);
    // A database that another test starts at this moment holds what this process has open, until it runs its own program.
    let opened = |with: u8| {
        let start = std::time::Instant::now();
        loop {
            match Vault::open(place, key(with), release()) {
                Err(Error::Owned(_)) if start.elapsed().as_secs() < 10 => std::thread::yield_now(),
                other => break other,
            }
        }
    };
    let old = opened(1).expect_err("the old key");
    assert!(matches!(old, Error::Unsuitable(_)), "{old}");
    let mut vault = opened(2).expect("the new key");
    let mut last = None;
    let each = &mut |stored: punto_ledger::Stored<'_>| {
        last = serde_json::from_slice::<HouseEntry>(stored.bytes).ok();
        ControlFlow::Continue(())
    };
    vault.reader().entries_of(&Volume::House, Seq(0), each).expect("entries");
    let Some(Deed::KeyAdopted { key, before: Some(before), vouched: Some(vouched) }) = last.map(|it| it.deed)
    else {
        panic!("the last deed is the new key")
    };
    assert!(before.vouches_for(key, &vouched));
}

fn a_reader_sees_one_moment(place: &Place) {
    let mut vault = found(place);
    append(&mut vault, &table(1), 3);
    let mut reader = Reader::open(place).expect("a ledger");
    append(&mut vault, &table(1), 4);
    append(&mut vault, &table(2), 1);
    let count = |reader: &mut Reader<'_>| {
        let mut count = 0;
        let each = &mut |_: punto_ledger::Stored<'_>| {
            count += 1;
            ControlFlow::Continue(())
        };
        reader.entries(0, each).expect("entries");
        (count, reader.size().expect("a size"), reader.volumes().expect("volumes").len())
    };
    assert_eq!(count(&mut reader), (5, 5, 2));
    assert_eq!(count(&mut Reader::open(place).expect("a ledger")), (10, 10, 3));
}

fn long_volumes_are_read_whole(place: &Place) {
    let mut vault = found(place);
    for _ in 0..3 {
        append(&mut vault, &table(1), 3000);
        append(&mut vault, &table(2), 3000);
    }
    vault.checkpoint(NOW).expect("a checkpoint");
    let before = heads(&vault);
    drop(vault);
    let mut vault = open(place);
    assert_eq!(heads(&vault), before);
    assert_eq!(is_whole(&mut vault), 18_002);
    let mut seqs = Vec::new();
    let each = &mut |stored: punto_ledger::Stored<'_>| {
        seqs.push(stored.seq.0);
        if seqs.len() == 5000 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    vault.reader().entries_of(&table(2), Seq(1000), each).expect("entries");
    assert_eq!(seqs, (1001..=6000).collect::<Vec<_>>());
}

fn archived_entries_are_gone_and_the_rest_goes_on(place: &Place) {
    let mut vault = found(place);
    append(&mut vault, &table(1), 5);
    append(&mut vault, &table(2), 5);
    let signed = vault.checkpoint(NOW).expect("a checkpoint").expect("something new");
    let mut tree = Frontier::default();
    let each = &mut |stored: punto_ledger::Stored<'_>| {
        tree.push(stored.leaf_hash());
        ControlFlow::Continue(())
    };
    vault.reader().entries(0, each).expect("entries");
    let snapshots: Vec<Snapshot> = (1..=2).map(|n| snapshot(&vault, &table(n), 1, b"there")).collect();
    let of = |volume: &Volume| snapshots.iter().find(|it| it.volume == *volume).map(Snapshot::digest);
    let heads = signed.checkpoint.heads.iter().map(|(volume, chain)| ArchivedHead {
        volume: volume.clone(),
        seq: chain.seq,
        link: chain.link,
        snapshot: of(volume),
    });
    let archived = Archived { tree, heads: heads.collect() };
    append(&mut vault, &table(2), 1);
    let by = Actor::Administrator { person: "a-1".into() };
    vault.archive(&archived, &snapshots, Digest([3; 32]), by, NOW).expect("archived");
    let left = [(1, Volume::House, 1), (2, Volume::House, 2), (13, table(2), 6), (14, Volume::House, 3)];
    let left = left.map(|(leaf, volume, seq)| (leaf, volume, Seq(seq)));
    assert_eq!(entries(&mut vault), left);
    drop(vault);
    let mut vault = open(place);
    assert_eq!(append(&mut vault, &table(1), 1), 15);
    assert_eq!(vault.head(&table(1)).seq.0, 6);
    assert_eq!(fingerprint(&mut vault.reader(), &mut |_| {}).expect("chains").size, 15);
    vault.drop_snapshots().expect("dropped");
    let left = vault.reader().snapshots().expect("read").into_iter();
    let left: Vec<_> = left.map(|kept| Snapshot { signed: None, ..kept }).collect();
    let (book, left): (Vec<_>, Vec<_>) = left.into_iter().partition(|kept| kept.volume == Volume::House);
    assert_eq!(left, snapshots, "what the tables go on from stays");
    assert_eq!(book.len(), 1, "and the book of tickets");
    assert_eq!(vault.reader().archived(), Ok(Some(archived)));
    assert!(run(place, "DELETE FROM entry WHERE leaf = 13").is_err());
    drop(vault);
    let folder = tempfile::tempdir().expect("a folder");
    for to in [Place::File(folder.path().join("copy")), postgres_server::database()] {
        copy(&mut Reader::open(place).expect("a ledger"), &to, &mut |_| {}).expect("a copy");
        assert_eq!(append(&mut open(&to), &table(1), 1), 16);
    }
}

fn a_copy_is_the_same_anywhere(place: &Place) {
    let mut vault = found(place);
    let issue = batch_with(&vault, &table(1), 3, vec![issued(1), issued(2), issued(3)]);
    vault.append(&[issue]).remove(0).expect("a receipt");
    append(&mut vault, &table(2), 2500);
    vault.deed(order("cage", 1), cashier(), NOW, paid(2)).expect("paid");
    vault.checkpoint(NOW).expect("a checkpoint");
    let kept = snapshot(&vault, &table(2), 4, b"there");
    vault.keep_snapshot(&kept).expect("kept");
    let proof = fingerprint(&mut vault.reader(), &mut |_| {}).expect("chains");
    let all = |reader: &mut Reader<'_>| {
        let (mut tickets, mut checkpoints) = (Vec::new(), Vec::new());
        reader.tickets(&mut |it| tickets.push(it)).expect("tickets");
        reader.checkpoints(&mut |it| checkpoints.push(it)).expect("checkpoints");
        (tickets, checkpoints, reader.snapshots().expect("snapshots"), reader.volumes().expect("volumes"))
    };
    let folder = tempfile::tempdir().expect("a folder");
    for to in [Place::File(folder.path().join("copy")), postgres_server::database()] {
        let mut from = Reader::open(place).expect("a ledger");
        assert_eq!(copy(&mut from, &to, &mut |_| {}), Ok(proof.clone()));
        assert_eq!(all(&mut from), all(&mut Reader::open(&to).expect("a copy")));
        assert_eq!(append(&mut open(&to), &table(1), 1), proof.size + 1);
        assert!(copy(&mut from, &to, &mut |_| {}).is_err(), "there is something already");
    }
}

/// The first entries of a ledger, as an earlier release would have sealed them.
fn founding() -> Vec<Sealed> {
    let mut chain = Chain::START;
    let deeds = [
        Deed::LedgerFounded { kind: LedgerKind::House, nonce: Digest([9; 32]) },
        Deed::KeyAdopted { key: PublicKey::of(&key(1)), before: None, vouched: None },
    ];
    let entry = |(n, deed): (u64, Deed)| {
        let id = order(punto_ledger::LEDGER, n);
        let entry = HouseEntry {
            seq: Seq(n),
            id,
            by: Actor::House,
            at: NOW,
            deed,
            release: Release("punto 0.1.0".into()),
        };
        chain.seal_deed(&entry)
    };
    (1..).zip(deeds).map(entry).collect()
}

/// A ledger as the release with this many steps made it: the text of the steps, frozen, and entries put in by SQL.
fn made_by_schema(place: &Place, steps: usize) -> Vec<(Volume, Chain)> {
    let house = founding();
    let mut chain = Chain::START;
    // No release of that schema named the currency of a ticket.
    let mut first = entry_with(Seq(1), &[unnamed(1)]);
    first.events.insert(0, opened("T1", "USD"));
    let mut game = vec![chain.seal(&first)];
    game.extend(sealed(chain, 2));
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let is_file = matches!(place, Place::File(_));
    let blob = |bytes: &[u8]| match is_file {
        true => format!("x'{}'", hex(bytes)),
        false => format!("'\\x{}'", hex(bytes)),
    };
    let mut sql = String::new();
    if is_file {
        sql += &format!("PRAGMA application_id = {}; PRAGMA user_version = {steps};", 0x5055_4e54);
        let all = [
            include_str!("data/schema/sqlite-1.sql"),
            include_str!("data/schema/sqlite-2.sql"),
            include_str!("data/schema/sqlite-3.sql"),
        ];
        sql += &all[..steps].concat();
    } else {
        let all = [
            include_str!("data/schema/postgres-1.sql"),
            include_str!("data/schema/postgres-2.sql"),
            include_str!("data/schema/postgres-3.sql"),
        ];
        sql += include_str!("data/schema/postgres-0.sql");
        sql += &all[..steps].concat();
        sql += &format!("UPDATE punto.schema_version SET version = {steps}; SET search_path = punto;");
    }
    sql += "UPDATE writer SET fence = 5; INSERT INTO volume VALUES (1, 'house'), (2, 'table/T1');";
    let rows = house.iter().map(|entry| (1, entry)).chain(game.iter().map(|entry| (2, entry)));
    for (leaf, (volume, entry)) in (1..).zip(rows) {
        let (bytes, link) = (blob(&entry.bytes), blob(&entry.chain.0));
        sql += &format!("INSERT INTO entry VALUES ({leaf}, {volume}, {}, {bytes}, {link});", entry.seq);
    }
    if steps >= 2 {
        let (no, expires) = (ticket(1), NOW.0 + 60_000);
        sql += &format!("INSERT INTO ticket VALUES ('{no}', 100, {NOW}, {expires}, 'good');");
    }
    match place {
        Place::File(path) => {
            rusqlite::Connection::open(path).and_then(|it| it.execute_batch(&sql)).expect("an old ledger");
        }
        Place::Database(url) => postgres_server::run(url, &sql).expect("an old ledger"),
        Place::Memory => unreachable!("a ledger in memory has no earlier release"),
    }
    let end = |all: &[Sealed]| all.last().map(|it| Chain { seq: it.seq, link: it.chain }).expect("an entry");
    vec![(Volume::House, end(&house)), (table(1), end(&game))]
}

fn is_brought_up(place: &Place, steps: usize) -> Vault {
    let before = made_by_schema(place, steps);
    match Reader::open(place) {
        Err(unread) => assert!(matches!(unread, Error::Unsuitable(_)) && steps < 3, "{unread}"),
        Ok(mut reader) => {
            assert_eq!(
                (steps, reader.check()),
                (3, Ok(Vec::new())),
                "the schema of release 0.1.0 is read as it is"
            );
            assert_eq!((reader.snapshots(), reader.size()), (Ok(Vec::new()), Ok(5)));
            reader.signed_commits(&mut |text| panic!("{text}")).expect("none");
            let mut tickets = Vec::new();
            reader.tickets(&mut |it| tickets.push((it.no, it.tag))).expect("tickets");
            assert_eq!(tickets, [(ticket(1), None)]);
        }
    }
    let mut vault = open(place);
    assert_eq!(vault.head(&table(1)), before[1].1);
    assert_eq!(
        vault.head(&Volume::House).seq,
        before[0].1.seq.next(),
        "the deed that it is signed for from now on"
    );
    assert_eq!(vault.reader().check(), Ok(Vec::new()), "as if this release had made it");
    assert_eq!(append(&mut vault, &table(1), 1), 7);
    assert_eq!(is_whole(&mut vault), 7);
    vault
}

fn a_ledger_of_the_first_schema_is_brought_up(place: &Place) {
    drop(is_brought_up(place, 1));
    assert_eq!(is_whole(&mut open(place)), 7);
}

fn a_ledger_of_the_second_schema_is_brought_up(place: &Place) {
    let mut vault = is_brought_up(place, 2);
    let good = TicketAnswer::Reserved { amount: money(100), currency: Some("USD".into()) };
    assert_eq!(vault.present(ticket(1).as_str()), Ok(ticket(1)), "named by its number");
    assert_eq!(vault.reserve(&ticket(1), &order("terminal", 1), NOW), Ok(good));
}

fn a_ledger_of_the_third_schema_is_brought_up(place: &Place) {
    drop(is_brought_up(place, 3));
    assert_eq!(is_whole(&mut open(place)), 7);
}

fn a_ledger_of_a_later_release_is_refused(place: &Place) {
    drop(found(place));
    let sql = match place {
        Place::File(_) => "PRAGMA user_version = 99",
        Place::Database(_) | Place::Memory => "UPDATE schema_version SET version = 99",
    };
    run(place, sql).expect("a later release");
    let key: SigningKey = key(1);
    for error in
        [Vault::open(place, key, release()).expect_err("to write"), Reader::open(place).expect_err("to read")]
    {
        assert!(error.to_string().contains("later release"), "{error}");
    }
}
