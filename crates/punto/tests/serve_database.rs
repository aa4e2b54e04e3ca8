//! The real server on a PostgreSQL that is ended under it and comes back, while terminals bet: the server stays, play goes on by
//! itself, every acknowledged wager is in the record, and the audit finds nothing.

use std::process::Command;
use std::time::{Duration, Instant};

use crate::postgres_server::Server as Database;
use crate::served::{Server, count, hire};
use punto_ledger::Place;
use punto_record::Event;
use punto_server::load::{Options, Until, run};

const PATIENCE: Duration = Duration::from_secs(60);

fn wait_for(place: &Place, wagers: usize) {
    let start = Instant::now();
    while count(place, |event| matches!(event, Event::WagerRegistered { .. })) < wagers {
        assert!(start.elapsed() < PATIENCE, "no {wagers} wagers");
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn a_database_that_comes_back_is_played_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = folder.path().join("floor");
    let database = Database::start();
    let url = database.new_database();
    let place = Place::Database(url.as_str().into());
    let founded = Command::new(env!("CARGO_BIN_EXE_punto"))
        .args(["ledger", "found", "--kind", "practice", &url, "--key"])
        .arg(files.with_extension("key"))
        .output()
        .expect("the binary");
    assert!(founded.status.success(), "{founded:?}");
    let sign_ins = hire(&place, &files);
    let mut server = Server::start(&url, &files, "127.0.0.1:0".parse().expect("an address"));
    let options = Options {
        url: format!("http://{}", server.address),
        terminals: 40,
        tables: 2,
        until: Until::Seconds(25),
        rate: Some(400),
        betting_seconds: 2,
        sign_ins: Some(sign_ins),
    };
    let load =
        std::thread::spawn(move || run(&options, &|_| {}).expect("the load generator runs to its end"));
    wait_for(&place, 100);
    for away in [Duration::ZERO, Duration::from_secs(3)] {
        database.restart_after(away);
        let since = Instant::now();
        let before = count(&place, |event| matches!(event, Event::WagerRegistered { .. }));
        wait_for(&place, before + 1);
        eprintln!("away for {away:?} and more: play went on {:?} after it was back", since.elapsed());
        assert!(server.child.try_wait().expect("a process").is_none(), "the server has ended");
    }
    let report = load.join().expect("the load generator did not fall over");
    assert!(server.child.try_wait().expect("a process").is_none(), "the server has ended");
    server.kill();
    assert!(report.agrees(), "{:#?}", report.reconciled);
    assert!(report.registered > 100, "{report:#?}");
    assert!(
        count(&place, |event| matches!(event, Event::TableInterrupted { .. })) > 0,
        "no Round was interrupted"
    );
    assert!(punto::audited(&url), "the audit finds something");
}
