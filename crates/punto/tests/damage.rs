//! A ledger with one byte changed, in the file itself: the audit finds it, or it stood where nothing is kept.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use crate::run::punto;
use punto_ledger::{Place, Reader};
use serde_json::Value;

/// Every this many bytes; every one when a long run is asked for.
fn stride() -> usize {
    if std::env::var_os("PUNTO_SOAK").is_some_and(|soak| soak == "1") { 1 } else { 397 }
}

/// Everything that a ledger keeps of the record, as one text.
fn contents(path: &Path) -> Result<Vec<String>, punto_ledger::Error> {
    let mut reader = Reader::open(&Place::File(path.to_owned()))?;
    let mut all = Vec::new();
    reader.entries(0, &mut |stored| {
        all.push(format!("{} {} {} {:?}", stored.leaf, stored.volume, stored.seq, stored.bytes));
        ControlFlow::Continue(())
    })?;
    reader.tickets(&mut |ticket| all.push(format!("{ticket:?}")))?;
    reader.checkpoints(&mut |kept| all.push(kept.text))?;
    all.extend(reader.snapshots()?.into_iter().map(|snapshot| format!("{snapshot:?}")));
    Ok(all)
}

/// A short record on disk, with tickets, checkpoints and no log beside it.
fn ledger(folder: &Path) -> std::path::PathBuf {
    let path = folder.join("small.punto");
    let scenarios = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/scenarios");
    for (table, script) in
        [("T1", "ncb-etg/a-round-at-the-terminals.txt"), ("T2", "wu-song/an-ordinary-round.txt")]
    {
        let script = scenarios.join(script);
        let played = punto(&[
            "play",
            &script.to_string_lossy(),
            "--ledger",
            &path.to_string_lossy(),
            "--as",
            table,
            "--receipts",
        ]);
        assert_eq!(played.code, 0, "{}", played.page());
    }
    assert!(!path.with_extension("punto-wal").exists(), "all of it is in one file");
    path
}

/// Appends an entry as anybody can who writes to the file: chained to the one before, with these orders and events.
fn append(store: &rusqlite::Connection, volume: i64, command: Option<&Value>, event: &Value) {
    let last = "SELECT seq, link, bytes FROM entry WHERE volume = ?1 ORDER BY seq DESC LIMIT 1";
    let (seq, link, bytes): (i64, Vec<u8>, Vec<u8>) = store
        .query_row(last, [volume], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .expect("a last entry");
    let mut entry: Value = serde_json::from_slice(&bytes).expect("JSON");
    let n = entry["order"]["id"]["n"].as_u64().expect("a number");
    (entry["seq"], entry["order"]["id"]["n"]) = ((seq + 1).into(), (n + 1).into());
    entry["events"] = Value::Array(vec![event.clone()]);
    if let Some(command) = command {
        entry["order"]["by"] = serde_json::json!({ "as": "cashier", "person": "p-9" });
        entry["order"]["command"] = command.clone();
    }
    let bytes = serde_json::to_vec(&entry).expect("JSON");
    let link = punto_record::digest(&[link.as_slice(), &bytes].concat());
    store
        .execute(
            "INSERT INTO entry (leaf, volume, seq, bytes, link)
             SELECT max(leaf) + 1, ?1, ?2, ?3, ?4 FROM entry",
            rusqlite::params![volume, seq + 1, bytes, link.0],
        )
        .expect("an entry");
}

/// Whatever somebody appends, the audit comes to its end and says that it is not clean, also where snapshots have it replay
/// what was appended.
#[test]
fn what_no_table_could_have_come_to_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = ledger(folder.path());
    let store = rusqlite::Connection::open(&path).expect("the file");
    store
        .execute_batch(
            "INSERT INTO snapshot (volume, seq, link, schema, bytes)
             SELECT id, 1000000, zeroblob(32), 1, zeroblob(1) FROM volume WHERE name LIKE 'table/%';",
        )
        .expect("snapshots");
    let volume = "SELECT id FROM volume WHERE name = 'table/T1'";
    let volume: i64 = store.query_row(volume, [], |row| row.get(0)).expect("a table");
    drop(store);
    let sound = fs::read(&path).expect("the file");
    let copy = folder.path().join("forged.punto");
    let audit = |command: Option<&Value>, event: &Value, times: usize| {
        fs::write(&copy, &sound).expect("a copy");
        let store = rusqlite::Connection::open(&copy).expect("the file");
        (0..times).for_each(|_| append(&store, volume, command, event));
        drop(store);
        punto::audited(&copy.to_string_lossy())
    };
    assert!(audit(None, &Value::Null, 0), "the ledger itself is sound");
    let golden = include_str!("../../punto-record/tests/data/events.ndjson");
    for line in golden.lines() {
        let event: Value = serde_json::from_str(line).expect("an event");
        for times in [1, 2] {
            assert!(!audit(None, &event, times), "{line}");
        }
    }
    // Order and event agree, and no balance can hold it.
    let most = 9_007_199_254_740_991_u64;
    let bought = |credits: u64| serde_json::json!({ "event": "credits-bought", "patron": 77, "amount": most, "credits": credits });
    let buy = serde_json::json!({ "do": "buy-credits", "patron": 77, "amount": most });
    for times in 1..=3 {
        assert!(!audit(Some(&buy), &bought(most), times), "{times} times");
    }
}

#[test]
fn a_changed_byte_is_found_or_harmless() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = ledger(folder.path());
    let sound = fs::read(&path).expect("the file");
    let kept = contents(&path).expect("a sound ledger");
    let audit = |path: &Path| punto::audited(&path.to_string_lossy());
    assert!(audit(&path), "the ledger itself is sound");
    let places: Vec<usize> = (0..sound.len()).step_by(stride()).collect();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    // Each thread has a part of the bytes and a copy of its own.
    let part = |thread: usize| {
        let copy = folder.path().join(format!("damaged-{thread}.punto"));
        let (mut found, mut harmless) = (0, 0);
        for at in places.iter().skip(thread).step_by(threads) {
            for bit in [0, 6] {
                for ending in ["-wal", "-shm"] {
                    fs::remove_file(folder.path().join(format!("damaged-{thread}.punto{ending}"))).ok();
                }
                let mut damaged = sound.clone();
                damaged[*at] ^= 1 << bit;
                fs::write(&copy, &damaged).expect("a copy");
                if !audit(&copy) {
                    found += 1;
                } else {
                    harmless += 1;
                    let still = contents(&copy).expect("what the audit could read");
                    assert_eq!(still, kept, "byte {at}, bit {bit}: changed and not found");
                }
            }
        }
        (found, harmless)
    };
    let (found, harmless) = std::thread::scope(|scope| {
        let part = &part;
        let parts: Vec<_> = (0..threads).map(|thread| scope.spawn(move || part(thread))).collect();
        let counts = parts.into_iter().map(|it| it.join().expect("nothing went unnoticed"));
        counts.fold((0, 0), |sum, it| (sum.0 + it.0, sum.1 + it.1))
    });
    eprintln!(
        "soak: bytes changed in a ledger: {} cases, {found} found, {harmless} harmless",
        found + harmless
    );
    assert!(found > harmless / 20, "{found} found, {harmless} harmless");
}
