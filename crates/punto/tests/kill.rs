//! The real binary, killed while it writes: what it gave a receipt for is in the ledger, and the audit finds nothing.

use crate::postgres_server;
use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use punto_ledger::{Place, Reader};

fn punto() -> Command {
    Command::new(env!("CARGO_BIN_EXE_punto"))
}

fn script() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/scenarios/ncb-etg/a-round-at-the-terminals.txt")
}

/// 200 on each store when a long run is asked for.
fn kills() -> u32 {
    if std::env::var_os("PUNTO_SOAK").is_some_and(|soak| soak == "1") { 200 } else { 6 }
}

/// Numbers that look like chance and are the same every time.
fn spread(n: u32) -> u64 {
    (u64::from(n) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40
}

/// Begins to write, reads so many receipts, kills the writer in the middle, and gives every receipt that was read.
fn killed(ledger: &str, key: &Path, receipts: u64, jitter: u64) -> Vec<String> {
    let mut child = punto()
        .arg("play")
        .arg(script())
        .args(["--ledger", ledger, "--times", "100000", "--receipts", "--key"])
        .arg(key)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary");
    let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
    let mut seen: Vec<String> =
        lines.by_ref().take(receipts as usize).map(|line| line.expect("a line")).collect();
    // Anywhere in the next commit, or the one after it.
    std::thread::sleep(Duration::from_micros(jitter % 9_000));
    child.kill().expect("SIGKILL");
    child.wait().expect("it is gone");
    // What was on its way counts as well: it had been said.
    seen.extend(lines.map_while(Result::ok).filter(|line| line.split(' ').count() == 3));
    seen
}

fn kill_again_and_again(ledger: &str, key: &Path) {
    let place: Place = ledger.parse().expect("a place");
    let mut acknowledged = BTreeSet::new();
    for n in 0..kills() {
        let seen = killed(ledger, key, spread(n) % 90, spread(n + 1_000));
        acknowledged.extend(seen.into_iter().filter(|line| line.ends_with(|c: char| c.is_ascii_hexdigit())));
        let mut there = BTreeSet::new();
        let mut reader = Reader::open(&place).expect("a ledger");
        reader
            .entries(0, &mut |stored| {
                there.insert(format!("{} {} {}", stored.volume, stored.seq, stored.link));
                ControlFlow::Continue(())
            })
            .expect("a ledger can be read");
        let missing: Vec<&String> =
            acknowledged.iter().filter(|line| is_whole(line) && !there.contains(*line)).collect();
        assert!(missing.is_empty(), "kill {n}: acknowledged and lost: {missing:?}");
        if n % 5 == 0 || n + 1 == kills() {
            let audit = punto().args(["audit", ledger]).output().expect("the binary");
            let said = String::from_utf8_lossy(&audit.stdout);
            assert_eq!(audit.status.code(), Some(0), "kill {n}: {said}");
        }
    }
    assert!(acknowledged.len() > kills() as usize * 10, "{} receipts", acknowledged.len());
    eprintln!("soak: kills of the writer: {} cases, {} receipts", kills(), acknowledged.len());
}

/// The last line may be cut off.
fn is_whole(line: &str) -> bool {
    line.rsplit(' ').next().is_some_and(|link| link.len() == 64)
}

#[test]
fn sqlite_keeps_what_was_acknowledged() {
    let folder = tempfile::tempdir().expect("a folder");
    let ledger = folder.path().join("killed.punto");
    kill_again_and_again(&ledger.to_string_lossy(), &folder.path().join("key"));
}

#[test]
fn postgresql_keeps_what_was_acknowledged() {
    let folder = tempfile::tempdir().expect("a folder");
    let Place::Database(url) = postgres_server::database() else { panic!("a database") };
    kill_again_and_again(&url, &folder.path().join("key"));
}
