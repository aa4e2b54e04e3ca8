//! The real server under `kill -9` while 200 terminals bet: every acknowledged wager is in the record, every other is absent
//! or answered on retry, money reconciles to the cent, and the audit finds nothing.

use std::process::Command;
use std::time::{Duration, Instant};

use crate::served::{Server, count, hire};
use punto_ledger::Place;
use punto_record::Event;
use punto_server::load::{Options, Report, Until, run};

const TERMINALS: u32 = 200;

/// A hundred when a long run is asked for, half on one table and half on twenty.
fn kills() -> u32 {
    if std::env::var_os("PUNTO_SOAK").is_some_and(|soak| soak == "1") { 50 } else { 5 }
}

/// Numbers that look like chance and are the same every time.
fn spread(n: u32) -> u64 {
    (u64::from(n) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40
}

fn kill_again_and_again(tables: u32) {
    let folder = tempfile::tempdir().expect("a folder");
    // The register stands beside it as `floor.people`.
    let ledger = folder.path().join("floor");
    let founded = Command::new(env!("CARGO_BIN_EXE_punto"))
        .args(["ledger", "found", "--kind", "practice"])
        .arg(&ledger)
        .output()
        .expect("the binary");
    assert!(founded.status.success(), "{founded:?}");
    let place = Place::File(ledger.clone());
    let sign_ins = hire(&place, &ledger);
    let name = ledger.display().to_string();
    let mut server = Server::start(&name, &ledger, "127.0.0.1:0".parse().expect("an address"));
    let options = Options {
        url: format!("http://{}", server.address),
        terminals: TERMINALS,
        tables,
        until: Until::Seconds(u64::from(kills()) * 2 + 4),
        rate: Some(2_000),
        betting_seconds: 2,
        sign_ins: Some(sign_ins),
    };
    let load =
        std::thread::spawn(move || run(&options, &|_| {}).expect("the load generator runs to its end"));
    let mut killed = 0;
    // While terminals are enrolled the first kills would only lengthen the test.
    wait_for_wagers(&place, &load);
    while killed < kills() && !load.is_finished() {
        std::thread::sleep(Duration::from_millis(300 + spread(killed) % 1_700));
        if load.is_finished() {
            break;
        }
        server.kill();
        server = Server::start(&name, &ledger, server.address);
        killed += 1;
    }
    let report = load.join().expect("the load generator did not fall over");
    drop(server);
    assert!(report.agrees(), "{:#?}", report.reconciled);
    assert!(report.registered > u64::from(TERMINALS), "{report:#?}");
    assert!(killed * 2 >= kills(), "it was killed {killed} times");
    assert!(report.reconnected > 0, "terminals came back: {report:#?}");
    let interrupted = interruptions(&place);
    eprintln!(
        "{tables} tables, {killed} kills, {} registered, {interrupted} interruptions",
        report.registered
    );
    assert!(interrupted > 0, "no Round was interrupted");
    assert!(punto::audited(&name), "the audit finds something");
}

fn wait_for_wagers(place: &Place, load: &std::thread::JoinHandle<Report>) {
    let start = Instant::now();
    while !load.is_finished() && count(place, |event| matches!(event, Event::WagerRegistered { .. })) < 200 {
        assert!(start.elapsed() < Duration::from_secs(120), "no wager in two minutes");
        std::thread::sleep(Duration::from_millis(200));
    }
}

/// Interrupted Rounds, each resolved by its paragraph.
fn interruptions(place: &Place) -> usize {
    let interrupted = count(place, |event| matches!(event, Event::TableInterrupted { .. }));
    let resolved = count(
        place,
        |event| matches!(event, Event::InterruptionResolved { cite, .. } if cite.to_string().starts_with("5.1")),
    );
    assert_eq!(interrupted, resolved);
    interrupted
}

#[test]
fn one_table() {
    kill_again_and_again(1);
}

#[test]
fn twenty_tables() {
    kill_again_and_again(20);
}
