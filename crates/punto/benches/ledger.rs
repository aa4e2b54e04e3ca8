//! `make bench`: the ledger, the audit and replay from storage, against plain baselines in the same run.
//!
//! Durable writing waits for the disk, so it is measured in wall time, in turn with its baseline and with a bare sync
//! beside it; the rest in CPU time.

mod clock;
mod floor;
#[path = "../../punto-ledger/tests/postgres_server/mod.rs"]
mod postgres_server;

use std::fs::File;
use std::hint::black_box;
use std::io::{BufRead as _, BufReader, Write as _};
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use clock::best_beside;
use ed25519_dalek::SigningKey;
use floor::long_record;
use punto_audit::{Auditor, Inputs};
use punto_ledger::{Append, Ledger, Place, Reader, Snapshot, Vault};
use punto_record::{
    Batch, Chain, Commit, Digest, Entry, LedgerKind, Release, Sealed, Seq, Timestamp, Volume, merkle,
};
use punto_table::{Replay, SNAPSHOT_SCHEMA};
use rusqlite::{Connection, params};

const NOW: Timestamp = Timestamp(1_767_225_600_000);

fn main() {
    if std::env::args().any(|arg| arg == "--test") {
        return;
    }
    println!("| what | figure | ratio | target |\n|---|---|---|---|");
    let named: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let benches: [(&str, fn()); 6] = [
        ("signing", bench_signing),
        ("sqlite", bench_sqlite),
        ("postgres", bench_postgres),
        ("read", bench_read),
        ("reopen", bench_reopen),
        ("export", bench_export),
    ];
    for (name, bench) in benches {
        if named.is_empty() || named.iter().any(|it| it == name) {
            bench();
        }
    }
}

fn key() -> SigningKey {
    SigningKey::from_bytes(&[7; 32])
}

fn found(place: &Place) -> Vault {
    Vault::found(place, LedgerKind::Demo, key(), NOW, Release("bench".into())).expect("a new ledger")
}

/// The bytes of a real record, over and over.
fn bytes() -> Vec<Vec<u8>> {
    let floor = long_record(100, 10);
    floor.entries.iter().skip(1).map(|entry| serde_json::to_vec(entry).expect("an entry is JSON")).collect()
}

/// So many batches of so many entries for each of the tables, chained from where their volumes end.
fn batches(vault: &Vault, bytes: &[Vec<u8>], tables: usize, size: usize) -> Vec<Append> {
    (0..tables)
        .map(|table| {
            let volume = Volume::Table(format!("T{table}").parse().expect("a name"));
            let mut chain = vault.head(&volume);
            let expect = chain.seq;
            let entries = bytes.iter().cycle().skip(table * 7).take(size).map(|bytes| {
                chain = chain.after(bytes);
                Sealed { seq: chain.seq, bytes: bytes.clone(), chain: chain.link }
            });
            let entries = entries.collect();
            Append { volume, batch: Batch { expect, entries, tickets: Vec::new() } }
        })
        .collect()
}

/// What a commit's signature costs by itself.
fn bench_signing() {
    let key = key();
    for size in [1_u64, 100, 10_000] {
        let volume = Volume::Table("T1".into());
        let entries: Vec<(Volume, Chain)> = (1..=size)
            .map(|n| (volume.clone(), Chain { seq: Seq(n), link: punto_record::digest(&n.to_be_bytes()) }))
            .collect();
        let times = (0..runs(size as usize, 1)).map(|_| {
            let entries = entries.clone();
            let start = Instant::now();
            let commit = Commit { ledger: Digest([7; 32]), term: 1, size, entries };
            black_box(commit.sign(&key).to_string());
            start.elapsed()
        });
        let took = median(times.collect());
        println!("| signing for a commit of {size} entries | {:.1} µs | | |", took.as_secs_f64() * 1e6);
    }
}

/// A median of wall times.
fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

/// A bare write and sync of a page.
fn sync_probe(folder: &Path) -> Duration {
    let mut file = File::create(folder.join("probe")).expect("a file");
    let times = (0..50).map(|_| {
        let start = Instant::now();
        file.write_all(&[0; 4096]).expect("a page");
        file.sync_data().expect("a sync");
        start.elapsed()
    });
    median(times.collect())
}

/// How often each shape is measured: often where it is short.
const fn runs(size: usize, tables: usize) -> usize {
    match size * tables {
        0..=100 => 200,
        101..=1_000 => 60,
        _ => 12,
    }
}

const SHAPES: [(usize, usize); 7] = [(1, 1), (10, 1), (100, 1), (1_000, 1), (1, 100), (10, 100), (100, 100)];

/// Measures the shapes: the baseline gets the same rows as the vault, in turn with it.
fn shapes(store: &str, vault: &mut Vault, folder: &Path, bare: &mut dyn FnMut(u64, &[Append])) {
    let bytes = bytes();
    let mut next = 0;
    for (size, tables) in SHAPES {
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        let probe = sync_probe(folder);
        for _ in 0..runs(size, tables) {
            let group = batches(vault, &bytes, tables, size);
            let start = Instant::now();
            bare(next, &group);
            theirs.push(start.elapsed());
            next += (size * tables) as u64;
            let start = Instant::now();
            let results = vault.append(&group);
            ours.push(start.elapsed());
            assert!(results.iter().all(Result::is_ok), "every batch is taken");
        }
        let events = (size * tables) as f64;
        let (ours, theirs) = (median(ours).as_secs_f64(), median(theirs).as_secs_f64());
        println!(
            "| {store}: `append`, {tables} {} × {size} (bare {:.0}/s, sync {:.2} ms) | {:.0}/s | {:.2} | ≥ 0.6 |",
            if tables == 1 { "table" } else { "tables" },
            events / theirs,
            probe.as_secs_f64() * 1e3,
            events / ours,
            theirs / ours,
        );
    }
}

fn bench_sqlite() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut bare = bare_sqlite(&folder.path().join("bare.db"));
    let mut vault = found(&Place::File(folder.path().join("ours.punto")));
    shapes("SQLite", &mut vault, folder.path(), &mut |first, group| insert_bare(&mut bare, first, group));
    // Through the thread that a server would have it behind.
    let bytes = bytes();
    let (mut through, mut alone) = (Vec::new(), Vec::new());
    let volume = batches(&vault, &bytes, 1, 1)[0].volume.clone();
    for _ in 0..200 {
        let append = batches(&vault, &bytes, 1, 1);
        let start = Instant::now();
        assert!(vault.append(&append)[0].is_ok());
        alone.push(start.elapsed());
    }
    let mut chain = vault.head(&volume);
    let (ledger, thread) = Ledger::start(vault);
    for n in 0..200 {
        let bytes = bytes[n % bytes.len()].clone();
        let expect = chain.seq;
        chain = chain.after(&bytes);
        let entries = vec![Sealed { seq: chain.seq, bytes, chain: chain.link }];
        let start = Instant::now();
        let receipt = ledger.append_blocking(volume.clone(), Batch { expect, entries, tickets: Vec::new() });
        through.push(start.elapsed());
        assert!(receipt.is_ok());
    }
    drop(ledger);
    thread.join().expect("the writer ends");
    let (through, alone) = (median(through).as_secs_f64(), median(alone).as_secs_f64());
    println!(
        "| SQLite: one entry at a time through `Ledger`, its thread included | {:.0}/s | {:.2} of the vault alone | |",
        1.0 / through,
        alone / through
    );
}

/// A table for the same rows, with the same pragmas and keys.
fn bare_sqlite(path: &Path) -> Connection {
    let connection = Connection::open(path).expect("a file");
    connection.pragma_update(None, "journal_mode", "wal").expect("a log");
    connection.pragma_update(None, "synchronous", "full").expect("durable");
    connection
        .execute_batch(
            "CREATE TABLE entry (leaf INTEGER PRIMARY KEY, volume INTEGER NOT NULL, seq INTEGER NOT NULL,
             bytes BLOB NOT NULL, link BLOB NOT NULL, UNIQUE (volume, seq)) STRICT",
        )
        .expect("a table");
    connection
}

fn insert_bare(connection: &mut Connection, mut leaf: u64, group: &[Append]) {
    let transaction = connection.transaction().expect("a transaction");
    {
        let mut statement =
            transaction.prepare_cached("INSERT INTO entry VALUES (?, ?, ?, ?, ?)").expect("SQL");
        for (volume, append) in group.iter().enumerate() {
            for entry in &append.batch.entries {
                leaf += 1;
                let row = params![leaf as i64, volume as i64, entry.seq.0 as i64, entry.bytes, entry.chain.0];
                statement.execute(row).expect("a row");
            }
        }
    }
    transaction.commit().expect("durable");
}

fn bench_postgres() {
    let folder = tempfile::tempdir().expect("a folder");
    let Place::Database(url) = postgres_server::database() else { return };
    let place = postgres_server::database();
    let mut vault = found(&place);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let client = runtime.block_on(async {
        let (client, connection) =
            tokio_postgres::connect(&url, tokio_postgres::NoTls).await.expect("a connection");
        tokio::spawn(connection);
        let sql = "CREATE TABLE entry (leaf bigint PRIMARY KEY, volume bigint NOT NULL, seq bigint NOT NULL,
                   bytes bytea NOT NULL, link bytea NOT NULL, UNIQUE (volume, seq))";
        client.batch_execute(sql).await.expect("a table");
        client
    });
    let sql = "INSERT INTO entry SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bytea[], $5::bytea[])";
    let statement = runtime.block_on(client.prepare(sql)).expect("SQL");
    shapes("PostgreSQL", &mut vault, folder.path(), &mut |first, group| {
        let rows =
            || group.iter().enumerate().flat_map(|(at, it)| it.batch.entries.iter().map(move |e| (at, e)));
        let leaves: Vec<i64> = (1..=rows().count() as i64).map(|n| first as i64 + n).collect();
        let volumes: Vec<i64> = rows().map(|(at, _)| at as i64).collect();
        let seqs: Vec<i64> = rows().map(|(_, entry)| entry.seq.0 as i64).collect();
        let bytes: Vec<&[u8]> = rows().map(|(_, entry)| entry.bytes.as_slice()).collect();
        let links: Vec<&[u8]> = rows().map(|(_, entry)| entry.chain.0.as_slice()).collect();
        let inserted =
            runtime.block_on(client.execute(&statement, &[&leaves, &volumes, &seqs, &bytes, &links]));
        assert!(inserted.is_ok());
    });
}

/// A ledger with one table and its whole record.
fn recorded(place: &Place, entries: &[Entry]) -> Vault {
    let mut vault = found(place);
    let volume = Volume::Table("etg-1".into());
    let mut chain = Chain::START;
    for chunk in entries.chunks(5_000) {
        let expect = chain.seq;
        let sealed = chunk.iter().map(|entry| chain.seal(entry)).collect();
        let batch = Batch { expect, entries: sealed, tickets: Vec::new() };
        assert!(vault.append(&[Append { volume: volume.clone(), batch }])[0].is_ok());
    }
    vault.checkpoint(NOW).expect("a checkpoint");
    vault
}

/// Audit and replay from storage, against reading the rows, parsing and hashing them.
fn bench_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = Place::File(folder.path().join("long.punto"));
    let floor = long_record(200, 100);
    drop(recorded(&place, &floor.entries));
    let count = floor.entries.len() as f64;
    let read = |hash: bool| {
        let mut reader = Reader::open(&place).expect("a ledger");
        let mut chain = Chain::START;
        let mut leaves = 0;
        let all = reader.entries(0, &mut |stored| {
            if let Volume::Table(_) = stored.volume {
                let entry: Entry = serde_json::from_slice(stored.bytes).expect("an entry");
                black_box(&entry);
                if hash {
                    chain = chain.after(stored.bytes);
                    leaves += u64::from(merkle::leaf(stored.volume, chain).0[0]);
                }
            }
            ControlFlow::Continue(())
        });
        all.expect("it can be read");
        black_box((chain, leaves));
    };
    let audit = || {
        let mut reader = Reader::open(&place).expect("a ledger");
        let mut auditor = Auditor::new(Inputs::default());
        let all = reader.entries(0, &mut |stored| {
            auditor.entry(stored.volume, &stored.sealed());
            ControlFlow::Continue(())
        });
        all.expect("it can be read");
        let audit = auditor.finish();
        assert!(audit.is_clean(), "{:?}", audit.findings.first());
    };
    let [hashed, audited] = best_beside(5, || read(true), audit);
    println!(
        "| (h) {count} entries read from SQLite, parsed and hashed | {:.0}/s | 1 | baseline |",
        count / hashed.as_secs_f64()
    );
    println!(
        "| the audit of them | {:.0}/s | {:.2} × (h) | ≥ 0.4 |",
        count / audited.as_secs_f64(),
        hashed.as_secs_f64() / audited.as_secs_f64()
    );
    let volume = Volume::Table("etg-1".into());
    let replay = || {
        let mut reader = Reader::open(&place).expect("a ledger");
        let mut replay = Replay::default();
        let all = reader.entries_of(&volume, Seq(0), &mut |stored| {
            replay.enter(stored.chain(), stored.bytes).expect("an entry");
            ControlFlow::Continue(())
        });
        all.expect("it can be read");
        assert_eq!(replay.chain().seq.0 as usize, floor.entries.len());
    };
    let [parsed, replayed] = best_beside(5, || read(false), replay);
    println!("| (i) the same read and parsed | {:.0}/s | 1 | baseline |", count / parsed.as_secs_f64());
    println!(
        "| replay from storage, every link checked | {:.0}/s | {:.2} × (i) | ≥ 0.5 |",
        count / replayed.as_secs_f64(),
        parsed.as_secs_f64() / replayed.as_secs_f64()
    );
}

/// A table with a million entries is opened again from its snapshot.
fn bench_reopen() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = Place::File(folder.path().join("million.punto"));
    let floor = long_record(1_000, 500);
    let mut vault = recorded(&place, &floor.entries);
    let volume = Volume::Table("etg-1".into());
    let chain = vault.head(&volume);
    let snapshot = Snapshot {
        volume: volume.clone(),
        chain,
        schema: SNAPSHOT_SCHEMA,
        bytes: floor.table.snapshot(),
        signed: None,
    };
    vault.keep_snapshot(&snapshot).expect("a snapshot");
    drop(vault);
    let start = Instant::now();
    let mut vault = Vault::open(&place, key(), Release("bench".into())).expect("a ledger");
    let kept = vault.snapshot(&volume, SNAPSHOT_SCHEMA).expect("it can be read").expect("a snapshot");
    let mut reader = vault.reader();
    let mut replay = Replay::from_snapshot(&kept.bytes, kept.chain).expect("a snapshot");
    let rest = reader.entries_of(&volume, kept.chain.seq, &mut |stored| {
        replay.enter(stored.chain(), stored.bytes).expect("an entry");
        ControlFlow::Continue(())
    });
    rest.expect("it can be read");
    let took = start.elapsed();
    assert_eq!(replay.table().state().hash(), floor.table.state().hash());
    println!(
        "| a ledger and its table of {} entries opened again from a snapshot of {} KiB, wall time | {:.0} ms | | < 1 s |",
        floor.entries.len(),
        kept.bytes.len() / 1024,
        took.as_secs_f64() * 1e3
    );
}

/// The peak memory of a process so far, in KiB.
fn peak(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse().unwrap_or(0)
}

/// Memory of the binary while it exports a long ledger: after a tenth of it, and near the end.
fn bench_export() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("long.punto");
    let entries = long_record(200, 400).entries;
    let count = entries.len();
    drop(recorded(&Place::File(path.clone()), &entries));
    drop(entries);
    for what in ["record", "settlements"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_punto"))
            .args(["export", &path.to_string_lossy(), "--what", what])
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary");
        let out = BufReader::new(child.stdout.take().expect("its output"));
        let pid = child.id();
        let all = if what == "record" { count } else { 2 * 200 * 400 };
        let (mut early, mut late) = (0, 0);
        for (line, _) in out.lines().enumerate() {
            if line == all / 10 {
                early = peak(pid);
            }
            if line == all * 19 / 20 {
                late = peak(pid);
            }
        }
        assert!(child.wait().is_ok_and(|status| status.success()));
        println!(
            "| peak memory of `punto export --what {what}` of {count} entries, at a tenth and near the end | {early} / {late} KiB | {:.2} | flat |",
            late as f64 / early as f64
        );
    }
}
