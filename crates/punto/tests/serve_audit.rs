//! The real server audits the whole record beside play: what the start does not look at is found, told and written down once.

use std::ops::ControlFlow;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::postgres_server::Server as Database;
use crate::served::{Server, hire};
use punto_ledger::{Place, Reader};
use punto_record::{Deed, HouseEntry, Volume};
use punto_server::load::{Options, Until, run};
use serde_json::Value;

const PATIENCE: Duration = Duration::from_secs(120);

fn found(ledger: &str, files: &Path) {
    let founded = Command::new(env!("CARGO_BIN_EXE_punto"))
        .args(["ledger", "found", "--kind", "practice", ledger, "--key"])
        .arg(files.with_extension("key"))
        .output()
        .expect("the binary");
    assert!(founded.status.success(), "{founded:?}");
}

fn serve(ledger: &str, files: &Path) -> Server {
    Server::start(ledger, files, "127.0.0.1:0".parse().expect("an address"))
}

/// What the first audit of a server came to.
fn audited(server: &Server) -> Value {
    let start = Instant::now();
    loop {
        let health: Value = serde_json::from_str(&server.get("/api/health").1).expect("JSON");
        let audit = &health["audit"];
        if audit["at"].is_u64() {
            assert!(audit["reading"].is_null(), "{health}");
            return audit.clone();
        }
        assert!(start.elapsed() < PATIENCE, "not audited: {health}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Stops it in order; whatever it was doing beside does not keep it.
fn stop(mut server: Server) {
    server.signal("-TERM");
    assert_eq!(server.ended(PATIENCE), Some(0));
}

/// Findings that stand in the house's record.
fn written(place: &Place) -> Vec<String> {
    let (mut told, mut reader) = (Vec::new(), Reader::open(place).expect("a ledger"));
    let read = reader.entries(0, &mut |stored| {
        if let Volume::House = stored.volume {
            let entry: HouseEntry = serde_json::from_slice(stored.bytes).expect("an entry");
            if let Deed::VerificationFailed { words, .. } = entry.deed {
                told.push(words.to_string());
            }
        }
        ControlFlow::Continue(())
    });
    read.expect("it can be read");
    told
}

fn play(server: &Server, sign_ins: punto_server::load::SignIns) {
    let options = Options {
        url: format!("http://{}", server.address),
        terminals: 10,
        tables: 2,
        until: Until::Seconds(6),
        rate: Some(100),
        betting_seconds: 1,
        sign_ins: Some(sign_ins),
    };
    let report = run(&options, &|_| {}).expect("the load generator runs to its end");
    assert!(report.agrees(), "{:#?}", report.reconciled);
}

#[test]
fn what_the_start_does_not_look_at_is_found_beside_play() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, files) = (folder.path().join("floor.punto"), folder.path().join("floor"));
    let (ledger, place) = (path.display().to_string(), Place::File(path.clone()));
    found(&ledger, &files);
    let sign_ins = hire(&place, &files);
    let server = serve(&ledger, &files);
    // The first audit begins at once, while people bet.
    play(&server, sign_ins);
    assert_eq!(audited(&server)["findings"], 0);
    stop(server);

    // A row that no entry issued. Nobody uses it, and so the start has no reason to look at it.
    let store = rusqlite::Connection::open(&path).expect("the file");
    let row = "INSERT INTO ticket (no, amount, issued, expires, state) VALUES ('0000000000009973', 1000000, 1, 9000000000000000, 'good')";
    store.execute(row, []).expect("a row");
    drop(store);
    for start in 0..3 {
        let server = serve(&ledger, &files);
        let audit = audited(&server);
        assert_eq!(audit["findings"], 1, "start {start}: {audit}");
        assert!(audit["entries"].as_u64() > Some(100), "{audit}");
        // It does not stop play, and the deed about it is no finding itself.
        assert_eq!(server.get("/api/ready").0, 200);
        stop(server);
        let told = written(&place);
        assert!(told.len() == 1 && told[0].starts_with("audit: "), "start {start}: {told:?}");
    }
    let log = std::fs::read_to_string(files.with_extension("log")).expect("its log");
    assert!(log.contains("the whole record was audited") && log.contains("finding="), "{log}");
}

#[test]
fn a_database_is_audited_on_a_connection_of_its_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = folder.path().join("floor");
    let database = Database::start();
    let url = database.new_database();
    let place = Place::Database(url.as_str().into());
    found(&url, &files);
    let sign_ins = hire(&place, &files);
    let server = serve(&url, &files);
    play(&server, sign_ins);
    let audit = audited(&server);
    assert_eq!(audit["findings"], 0, "{audit}");
    stop(server);
    assert_eq!(written(&place), Vec::<String>::new());
}
