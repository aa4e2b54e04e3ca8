//! Who owns a ledger in a database, with the real binary on a real PostgreSQL: a second server, a graceful stop, `kill -9`, and a
//! server that was paused for longer than its lease while another one took over.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use std::{fs, thread};

use crate::postgres_server::Server as Database;
use crate::served::{Server, count, hire};
use punto_ledger::{Place, Reader};
use punto_record::Event;
use punto_server::load::{Options, Until, run};

const LEASE: Duration = Duration::from_secs(6);
/// For whatever a busy machine adds to it.
const SLACK: Duration = Duration::from_secs(20);

fn anywhere() -> SocketAddr {
    "127.0.0.1:0".parse().expect("an address")
}

fn found(url: &str, files: &Path) {
    let founded = Command::new(env!("CARGO_BIN_EXE_punto"))
        .args(["ledger", "found", "--kind", "practice", url, "--key"])
        .arg(files.with_extension("key"))
        .output()
        .expect("the binary");
    assert!(founded.status.success(), "{founded:?}");
}

/// Files of another server on the same ledger: people and devices are its own, the key is the same.
fn others(files: &Path) -> PathBuf {
    let other = files.with_file_name("other");
    fs::copy(files.with_extension("key"), other.with_extension("key")).expect("a key");
    other
}

fn log(files: &Path) -> String {
    fs::read_to_string(files.with_extension("log")).expect("its log")
}

#[test]
fn a_ledger_has_one_server() {
    let folder = tempfile::tempdir().expect("a folder");
    let (files, database) = (folder.path().join("floor"), Database::start());
    let url = database.new_database();
    found(&url, &files);
    let other = others(&files);
    let mut first = Server::start(&url, &files, anywhere());

    // Two leases later whoever comes second gives up and says who it is that serves.
    let start = Instant::now();
    let (code, words) = Server::try_start(&url, &other, anywhere()).err().expect("it has its server");
    assert_eq!(code, Some(2), "{words}");
    assert!(words.contains("waiting for it to stop"), "{words}");
    let owner = format!("this ledger is being written by process {} on ", first.child.id());
    assert!(words.contains(&owner), "{words}");
    assert!(words.contains("hint: a ledger has one writer"), "{words}");
    assert!((LEASE * 2..LEASE * 2 + SLACK).contains(&start.elapsed()), "{:?}", start.elapsed());
    assert_eq!(first.get("/api/ready").0, 200, "the first one was not disturbed");

    // A graceful stop gives the lease back: the next one need not wait.
    first.signal("-INT");
    assert_eq!(first.ended(SLACK), Some(0), "{}", log(&files));
    let start = Instant::now();
    let mut second = Server::start(&url, &other, anywhere());
    eprintln!("after a graceful stop it serves after {:?}", start.elapsed());
    assert!(!log(&other).contains("waiting for it to stop"), "{}", log(&other));

    // A crash gives nothing back.
    second.kill();
    let start = Instant::now();
    let third = Server::start(&url, &files, anywhere());
    eprintln!("after kill -9 it serves after {:?}", start.elapsed());
    assert!((LEASE..LEASE + SLACK).contains(&start.elapsed()), "{:?}", start.elapsed());
    drop(third);
    assert!(punto::audited(&url), "the audit finds something");
}

#[test]
fn a_server_that_slept_over_its_lease_writes_nothing_more() {
    let folder = tempfile::tempdir().expect("a folder");
    let (files, database) = (folder.path().join("floor"), Database::start());
    let url = database.new_database();
    let place = Place::Database(url.as_str().into());
    found(&url, &files);
    let sign_ins = hire(&place, &files);
    let other = others(&files);
    let mut first = Server::start(&url, &files, anywhere());
    let options = Options {
        url: format!("http://{}", first.address),
        terminals: 20,
        tables: 2,
        until: Until::Seconds(6),
        rate: Some(200),
        betting_seconds: 2,
        sign_ins: Some(sign_ins),
    };
    // It is paused in the middle of play; whoever bets there waits in vain.
    let load = thread::spawn(move || run(&options, &|_| {}));
    let start = Instant::now();
    while count(&place, |event| matches!(event, Event::WagerRegistered { .. })) < 50 {
        assert!(start.elapsed() < SLACK * 3, "nobody bets");
        thread::sleep(Duration::from_millis(100));
    }
    first.signal("-STOP");
    let start = Instant::now();
    let second = Server::start(&url, &other, anywhere());
    eprintln!("the second server serves {:?} after the first one was paused", start.elapsed());
    assert!(start.elapsed() >= LEASE - Duration::from_secs(2), "{:?}", start.elapsed());
    let size = || Reader::open(&place).and_then(|mut reader| reader.size()).expect("a size");
    // The second one has tables to deal at; it is paused as well, so that whatever is written is the first one's.
    second.signal("-STOP");
    let before = size();
    first.signal("-CONT");
    assert_eq!(first.ended(SLACK), Some(2), "{}", log(&files));
    assert!(log(&files).contains("another writer has taken over this ledger"), "{}", log(&files));
    assert_eq!(size(), before, "it has written something");
    second.signal("-CONT");
    let start = Instant::now();
    while second.get("/api/ready").0 != 200 {
        assert!(start.elapsed() < SLACK, "{}", log(&other));
        thread::sleep(Duration::from_millis(100));
    }
    // A supervisor that starts it again does not bring it back.
    let (code, words) = Server::try_start(&url, &files, anywhere()).err().expect("it stays out");
    assert_eq!(code, Some(2), "{words}");
    assert!(words.contains(&format!("process {} on ", second.child.id())), "{words}");
    drop(second);
    // Its terminals would wait two minutes for their server to come back.
    drop(load);
    assert!(punto::audited(&url), "the audit finds something");
}
