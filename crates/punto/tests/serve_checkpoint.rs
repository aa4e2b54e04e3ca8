//! The documented daily `punto ledger checkpoint`, beside a real server with orders in flight: the verb prints a checkpoint
//! over all that was there when it began, and nobody at a terminal notices.

use crate::postgres_server;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use crate::served::{Server, count, hire};
use punto_ledger::{Place, Reader};
use punto_record::Event;
use punto_server::load::{Options, Until, run};

const PATIENCE: Duration = Duration::from_secs(60);

fn wagers(place: &Place) -> usize {
    count(place, |event| matches!(event, Event::WagerRegistered { .. }))
}

fn wait_for(place: &Place, wanted: usize) {
    let start = Instant::now();
    while wagers(place) < wanted {
        assert!(start.elapsed() < PATIENCE, "no {wanted} wagers");
        thread::sleep(Duration::from_millis(100));
    }
}

/// The number after a word of a checkpoint.
fn size(checkpoint: &str) -> u64 {
    let line = checkpoint.lines().find_map(|line| line.strip_prefix("size "));
    line.and_then(|size| size.parse().ok()).unwrap_or_else(|| panic!("no size in {checkpoint}"))
}

fn a_checkpoint_beside_a_busy_server(ledger: &str, place: &Place, files: &Path) {
    let key = files.with_extension("key");
    let punto = |args: &[&str]| {
        let done = Command::new(env!("CARGO_BIN_EXE_punto")).args(args).output().expect("the binary");
        let text = |bytes| String::from_utf8(bytes).expect("text");
        (done.status.code(), text(done.stdout), text(done.stderr))
    };
    let key = key.to_string_lossy();
    let (code, _, words) = punto(&["ledger", "found", "--kind", "practice", ledger, "--key", &key]);
    assert_eq!(code, Some(0), "{words}");
    let sign_ins = hire(place, files);
    let mut server = Server::start(ledger, files, "127.0.0.1:0".parse().expect("an address"));
    let options = Options {
        url: format!("http://{}", server.address),
        terminals: 12,
        tables: 2,
        until: Until::Seconds(9),
        rate: Some(150),
        betting_seconds: 2,
        sign_ins: Some(sign_ins),
    };
    let load = thread::spawn(move || run(&options, &|_| {}).expect("the load generator runs to its end"));
    wait_for(place, 50);

    let (wagers_before, before) =
        (wagers(place), Reader::open(place).and_then(|mut it| it.size()).expect("a size"));
    let (code, checkpoint, words) = punto(&["ledger", "checkpoint", ledger, "--key", &key]);
    assert_eq!(code, Some(0), "{words}");
    assert!(size(&checkpoint) >= before, "it is over what was there: {checkpoint}");
    let wagers_after = wagers(place);
    assert!(wagers_after > wagers_before, "bets are registered meanwhile");
    wait_for(place, wagers_after + 1);
    assert!(server.child.try_wait().expect("a process").is_none(), "the server goes on");

    let report = load.join().expect("the load generator did not fall over");
    assert!(report.agrees(), "{:#?}", report.reconciled);
    assert_eq!(report.reconnected, 0, "no terminal noticed: {report:#?}");
    server.kill();
    let kept = files.with_extension("checkpoint");
    fs::write(&kept, &checkpoint).expect("a file");
    let (code, _, words) = punto(&["audit", ledger, "--checkpoint", &kept.to_string_lossy()]);
    assert_eq!(code, Some(0), "{words}");
    // It says something: with another root it is noticed.
    let root = checkpoint.lines().find(|line| line.starts_with("root ")).expect("a root");
    fs::write(&kept, checkpoint.replace(root, &format!("root {}", "00".repeat(32)))).expect("a file");
    assert_ne!(punto(&["audit", ledger, "--checkpoint", &kept.to_string_lossy()]).0, Some(0));
}

#[test]
fn beside_a_busy_server_on_sqlite() {
    let folder = tempfile::tempdir().expect("a folder");
    let ledger = folder.path().join("floor");
    a_checkpoint_beside_a_busy_server(&ledger.to_string_lossy(), &Place::File(ledger.clone()), &ledger);
}

#[test]
fn beside_a_busy_server_on_postgres() {
    let folder = tempfile::tempdir().expect("a folder");
    let url = postgres_server::server().new_database();
    let place = Place::Database(url.as_str().into());
    a_checkpoint_beside_a_busy_server(&url, &place, &folder.path().join("floor"));
}
