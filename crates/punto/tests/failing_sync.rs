//! The real binary on a disk that refuses to sync: it stops at once, says so, and has promised nothing that is not there.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::Command;

use punto_ledger::{Place, Reader};

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The library that makes syncs fail.
fn library(folder: &Path) -> PathBuf {
    let library = folder.join("failing_sync.so");
    let built = Command::new("cc")
        .args(["-shared", "-fPIC", "-o"])
        .arg(&library)
        .arg(here("tests/data/failing_sync.c"))
        .arg("-ldl")
        .status()
        .expect("a C compiler, which Rust needs as well");
    assert!(built.success());
    library
}

#[test]
fn a_failed_sync_is_fatal_and_loses_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let library = library(folder.path());
    let script = here("../../docs/scenarios/ncb-etg/a-round-at-the-terminals.txt");
    let mut failures = 0;
    for at in [6, 9, 14, 18, 22, 27, 33, 41, 60, 90] {
        let ledger = folder.path().join(format!("at-{at}.punto"));
        let output = Command::new(env!("CARGO_BIN_EXE_punto"))
            .arg("play")
            .arg(&script)
            .arg("--ledger")
            .arg(&ledger)
            .args(["--times", "5", "--receipts"])
            .env("LD_PRELOAD", &library)
            .env("FAIL_SYNC_AT", at.to_string())
            .output()
            .expect("the binary");
        let receipts: Vec<String> =
            String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "sync {at}: {said}");
        assert!(said.starts_with("error: "), "sync {at}: {said}");
        let Ok(mut reader) = Reader::open(&Place::File(ledger.clone())) else {
            assert!(receipts.is_empty(), "sync {at}: receipts of a ledger that cannot be opened");
            continue;
        };
        let mut there = Vec::new();
        reader
            .entries(0, &mut |stored| {
                there.push(format!("{} {} {}", stored.volume, stored.seq, stored.link));
                ControlFlow::Continue(())
            })
            .expect("a ledger can be read");
        for receipt in &receipts {
            assert!(there.contains(receipt), "sync {at}: {receipt} was acknowledged and is not there");
        }
        if there.is_empty() {
            continue;
        }
        let audit = Command::new(env!("CARGO_BIN_EXE_punto")).arg("audit").arg(&ledger).output().expect("it");
        let found = String::from_utf8_lossy(&audit.stdout);
        assert_eq!(audit.status.code(), Some(0), "sync {at}: {found}");
        failures += 1;
    }
    assert!(failures >= 4, "{failures} ledgers with something in them");
}
