//! Crashes of a ledger in a file: at every write, inside every write, on a full disk. Afterwards the ledger holds what
//! was acknowledged and at most what was being written, each batch whole or not at all.

use std::fs;
use std::path::Path;

use crate::ledgers::{NOW, append, batch, batch_with, found, key, open, release, table};
use punto_ledger::{Error, Fingerprint, Place, Reader, Vault, fingerprint};
use punto_record::{Chain, TicketMove, TicketNo, Timestamp, Volume};
use punto_rules::Money;

fn soaks() -> bool {
    std::env::var_os("PUNTO_SOAK").is_some_and(|soak| soak == "1")
}

/// What the ledger holds, and how long the log was when that had been acknowledged.
struct Acknowledged {
    log: u64,
    print: Fingerprint,
}

/// A short day: tables, tickets, a checkpoint, a snapshot, a deed; after each step what must be there from then on.
fn day(folder: &Path) -> (Vec<u8>, Vec<u8>, Vec<Acknowledged>) {
    let path = folder.join("day.punto");
    let place = Place::File(path.clone());
    let log = folder.join("day.punto-wal");
    let mut vault = found(&place);
    let mut steps = Vec::new();
    let mut acknowledged = |vault: &mut Vault| {
        let print = fingerprint(&mut vault.reader(), &mut |_| {}).expect("a sound ledger");
        steps.push(Acknowledged { log: fs::metadata(&log).expect("a log").len(), print });
    };
    acknowledged(&mut vault);
    for n in 0..12_u64 {
        let ticket = TicketNo::from_drawn(n);
        let currency = Some("SGD".into());
        let amount = Money::new(500).expect("money");
        let expires = Timestamp(NOW.0 + 1_000_000);
        let issued =
            TicketMove::Issued { ticket: ticket.clone(), amount, currency, at: NOW, expires, tag: None };
        let first = batch_with(&vault, &table(1), 1 + n % 3, vec![issued]);
        let second = batch(&vault, &table(2 + n as u32 % 4), 1 + n % 5);
        assert!(vault.append(&[first, second]).iter().all(Result::is_ok));
        acknowledged(&mut vault);
        let redeemed = TicketMove::Redeemed { ticket, at: NOW };
        let third = batch_with(&vault, &table(2), 1, vec![redeemed]);
        assert!(vault.append(&[third]).iter().all(Result::is_ok));
        acknowledged(&mut vault);
        if n % 4 == 3 {
            vault.checkpoint(Timestamp(NOW.0 + n)).expect("a checkpoint");
            acknowledged(&mut vault);
        }
    }
    vault.lock(NOW, &"T9".into(), "a deed").expect("a deed");
    acknowledged(&mut vault);
    let files = (fs::read(&path).expect("the file"), fs::read(&log).expect("the log"));
    assert_eq!(fs::metadata(&log).expect("a log").len(), steps.last().expect("a step").log);
    drop(vault);
    (files.0, files.1, steps)
}

/// The size of a page, as the log's header has it.
fn page_size(log: &[u8]) -> usize {
    u32::from_be_bytes(log[8..12].try_into().expect("four bytes")) as usize
}

/// Opens the ledger with this much of its log, and gives what it holds.
fn reopened(folder: &Path, file: &[u8], log: &[u8]) -> Result<Fingerprint, Error> {
    let path = folder.join("crashed.punto");
    for ending in ["", "-wal", "-shm"] {
        fs::remove_file(folder.join(format!("crashed.punto{ending}"))).ok();
    }
    fs::write(&path, file).expect("a file");
    fs::write(folder.join("crashed.punto-wal"), log).expect("a log");
    let mut vault = Vault::open(&Place::File(path), key(1), release())?;
    let faults = vault.reader().check()?;
    assert_eq!(faults, Vec::<String>::new());
    let print = fingerprint(&mut vault.reader(), &mut |_| {})?;
    // It goes on, and the tickets are those of the entries.
    let (mut tickets, mut good) = (0, 0);
    vault.reader().tickets(&mut |ticket| {
        tickets += 1;
        good += u64::from(ticket.state == punto_record::TicketState::Good);
    })?;
    let redeemed = |n: u64| print.heads.get(&table(2)).is_some_and(|head| head.seq.0 > 0) || n == 0;
    assert!(good <= 1 && redeemed(tickets - good), "{tickets} tickets, {good} good");
    append(&mut vault, &table(7), 1);
    Ok(print)
}

#[test]
fn at_every_frame_of_the_log_the_state_is_the_one_before_or_after() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, log, steps) = day(folder.path());
    let frame = 24 + page_size(&log);
    assert_eq!((log.len() - 32) % frame, 0, "a header and whole frames");
    let frames = (log.len() - 32) / frame;
    let mut states = 0;
    let mut cuts: Vec<usize> = (0..=frames).map(|count| 32 + count * frame).collect();
    // Torn inside: just begun, in the header of a frame, in its page, one byte short.
    for count in 0..frames {
        let begin = 32 + count * frame;
        cuts.extend([1, 13, 24, 25, frame / 2, frame - 1].map(|within| begin + within));
        if soaks() {
            cuts.extend((0..frame).step_by(61).map(|within| begin + within));
        }
    }
    cuts.extend([0, 1, 16, 31]);
    let mut last = None;
    for cut in cuts {
        let must: Option<&Acknowledged> = steps.iter().rev().find(|step| step.log as usize <= cut);
        match reopened(folder.path(), &file, &log[..cut]) {
            Ok(print) => {
                let place = steps.iter().position(|step| step.print == print);
                let place = place.unwrap_or_else(|| panic!("cut at {cut}: a state between two"));
                if let Some(must) = must {
                    let least = steps.iter().position(|step| step.print == must.print).expect("a step");
                    assert!(place >= least, "cut at {cut}: something acknowledged is missing");
                }
                if last != Some(place) {
                    states += 1;
                    last = Some(place);
                }
            }
            Err(error) => {
                assert!(must.is_none(), "cut at {cut}: {error}");
                assert!(matches!(error, Error::Unsuitable(_)), "cut at {cut}: {error}");
            }
        }
    }
    assert!(states >= steps.len() / 2, "{states} states of {} were seen", steps.len());
}

/// Frames that reached the disk in another order, or not at all: nothing that comes after a hole counts.
#[test]
fn a_log_with_a_hole_ends_at_the_hole() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, log, steps) = day(folder.path());
    let frame = 24 + page_size(&log);
    let frames = (log.len() - 32) / frame;
    let step = if soaks() { 1 } else { 7 };
    for hole in (0..frames).step_by(step) {
        let mut torn = log.clone();
        let begin = 32 + hole * frame;
        torn[begin + 24..begin + frame].fill(0);
        match reopened(folder.path(), &file, &torn) {
            Ok(print) => {
                let place = steps.iter().position(|step| step.print == print);
                let place = place.unwrap_or_else(|| panic!("hole at {hole}: a state between two"));
                let whole = steps.iter().rev().find(|step| step.log as usize <= begin);
                let least = whole.and_then(|whole| steps.iter().position(|step| step.print == whole.print));
                assert!(Some(place) >= least, "hole at {hole}: what is before it was lost");
            }
            Err(error) => assert!(matches!(error, Error::Unsuitable(_)), "hole at {hole}: {error}"),
        }
    }
}

#[test]
fn a_full_disk_stops_play_and_loses_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = Place::File(folder.path().join("full.punto"));
    let mut vault = found(&place);
    append(&mut vault, &table(1), 3);
    vault.limit_pages(60).expect("a limit");
    let mut acknowledged = vault.head(&table(1));
    let error = loop {
        let append = batch(&vault, &table(1), 40);
        match vault.append(&[append]).remove(0) {
            Ok(_) => acknowledged = vault.head(&table(1)),
            Err(error) => break error,
        }
    };
    assert_eq!(error, Error::Full);
    assert!(error.to_string().contains("disk is full"), "{error}");
    assert_eq!(vault.head(&table(1)), acknowledged, "what was refused is not there");
    let append_again = batch(&vault, &table(1), 1);
    let after = vault.append(&[append_again]).remove(0).expect_err("it has stopped");
    assert!(matches!(after, Error::Stopped(_)), "{after}");
    assert!(vault.checkpoint(NOW).is_err());
    drop(vault);
    let mut vault = open(&place);
    assert_eq!(vault.head(&table(1)), acknowledged, "nothing acknowledged is missing, nothing else is there");
    append(&mut vault, &table(1), 100);
    assert_eq!(vault.reader().check(), Ok(Vec::new()));
}

/// A reader while the ledger is written to sees one moment, and does not disturb the writer.
#[test]
fn a_reader_sees_one_moment() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = Place::File(folder.path().join("busy.punto"));
    let mut vault = found(&place);
    append(&mut vault, &table(1), 5);
    let mut reader = Reader::open(&place).expect("a reader");
    let before = fingerprint(&mut reader, &mut |_| {}).expect("sound");
    append(&mut vault, &table(1), 5);
    append(&mut vault, &table(2), 5);
    assert_eq!(fingerprint(&mut reader, &mut |_| {}), Ok(before.clone()));
    let now = fingerprint(&mut Reader::open(&place).expect("a reader"), &mut |_| {}).expect("sound");
    assert_eq!(now.size, before.size + 10);
    assert_eq!(now.heads.get(&Volume::House), before.heads.get(&Volume::House));
    assert_ne!(now.heads.get(&table(1)), Some(&Chain::START));
}
