//! The real server on a small disk that gets full while terminals bet, and has room again: play stands still, everybody is told,
//! nothing is acknowledged, and it goes on without a restart.

use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use crate::served::{Server, count, hire};
use crate::small_disk::SmallDisk;
use punto_ledger::Place;
use punto_record::Event;
use punto_server::load::{Options, Until, run};

const PATIENCE: Duration = Duration::from_secs(60);

fn wagers(place: &Place) -> usize {
    count(place, |event| matches!(event, Event::WagerRegistered { .. }))
}

#[test]
fn a_full_disk_stops_play_until_there_is_room() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(disk) = SmallDisk::mount(&folder.path().join("disk")) else {
        eprintln!(
            "only root may mount a small disk; `a_full_disk_stops_play_and_loses_nothing` limits pages instead"
        );
        return;
    };
    let (ledger, files) = (disk.0.join("floor.punto"), folder.path().join("floor"));
    let founded = Command::new(env!("CARGO_BIN_EXE_punto"))
        .args(["ledger", "found", "--kind", "practice"])
        .arg(&ledger)
        .arg("--key")
        .arg(files.with_extension("key"))
        .output()
        .expect("the binary");
    assert!(founded.status.success(), "{founded:?}");
    let place = Place::File(ledger.clone());
    let sign_ins = hire(&place, &files);
    let name = ledger.display().to_string();
    let mut server = Server::start(&name, &files, "127.0.0.1:0".parse().expect("an address"));
    let options = Options {
        url: format!("http://{}", server.address),
        terminals: 20,
        tables: 2,
        until: Until::Seconds(60),
        rate: Some(100),
        betting_seconds: 2,
        sign_ins: Some(sign_ins),
    };
    let load = thread::spawn(move || run(&options, &|_| {}).expect("the load generator runs to its end"));
    let start = Instant::now();
    while wagers(&place) < 100 {
        assert!(start.elapsed() < PATIENCE * 2, "nobody bets");
        thread::sleep(Duration::from_millis(100));
    }
    for turn in 1..=3 {
        server.wait_until_ready(true, PATIENCE);
        // Again and again: what is freed meanwhile, by a checkpoint of the log, is taken as well.
        let full = Instant::now();
        while server.get("/api/ready").0 == 200 {
            disk.fill();
            assert!(full.elapsed() < PATIENCE, "a full disk does not stop it");
        }
        let noticed = full.elapsed();
        assert!(server.get("/api/health").1.contains("\"well\":false"));
        disk.fill();
        // It tries again all the time, and stays.
        thread::sleep(Duration::from_secs(5));
        assert!(server.child.try_wait().expect("a process").is_none(), "the server has ended");
        assert_eq!(server.get("/api/ready").0, 503);
        let before = wagers(&place);
        disk.make_room();
        let room = Instant::now();
        while wagers(&place) == before {
            assert!(room.elapsed() < PATIENCE, "play does not go on");
            thread::sleep(Duration::from_millis(50));
        }
        eprintln!(
            "turn {turn}: not ready after {noticed:?}, play went on {:?} after there was room",
            room.elapsed()
        );
    }
    let report = load.join().expect("the load generator did not fall over");
    assert!(server.child.try_wait().expect("a process").is_none(), "the server has ended");
    server.kill();
    assert!(report.agrees(), "{:#?}", report.reconciled);
    assert!(punto::audited(&name), "the audit finds something");
}
