//! The real server whose software shoe cannot be written, or whose order is lost or changed on the disk: everybody is told, a
//! Round in play goes through the paragraph on interruptions, and play goes on with another shoe.

use std::fs;
use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::served::{Server, count, hire};
use crate::small_disk::SmallDisk;
use punto_ledger::{Place, Reader};
use punto_record::{Cause, Deed, Entry, Event, HouseEntry, Volume};
use punto_server::load::{Options, Report, SignIns, Until, run};
use tempfile::TempDir;

const PATIENCE: Duration = Duration::from_secs(120);

/// A practice floor with people, that nobody serves yet.
struct Floor {
    folder: TempDir,
    place: Place,
    ledger: String,
    files: PathBuf,
    sign_ins: SignIns,
}

impl Floor {
    fn found() -> Floor {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, files) = (folder.path().join("floor.punto"), folder.path().join("floor"));
        let founded = Command::new(env!("CARGO_BIN_EXE_punto"))
            .args(["ledger", "found", "--kind", "practice"])
            .arg(&path)
            .arg("--key")
            .arg(files.with_extension("key"))
            .output()
            .expect("the binary");
        assert!(founded.status.success(), "{founded:?}");
        let place = Place::File(path.clone());
        let sign_ins = hire(&place, &files);
        Floor { folder, place, ledger: path.display().to_string(), files, sign_ins }
    }

    fn shoes(&self) -> PathBuf {
        self.files.with_extension("shoes")
    }

    fn serve(&self, address: SocketAddr, pace: u32) -> Server {
        Server::start_at_pace(&self.ledger, &self.files, address, pace).expect("it serves")
    }

    /// Terminals that bet until the load is over, also while the server is away.
    fn load(&self, server: &Server, seconds: u64) -> JoinHandle<Report> {
        let options = Options {
            url: format!("http://{}", server.address),
            terminals: 4,
            tables: 1,
            until: Until::Seconds(seconds),
            rate: Some(10),
            betting_seconds: 2,
            sign_ins: Some(self.sign_ins.clone()),
        };
        thread::spawn(move || run(&options, &|_| {}).expect("the load generator runs to its end"))
    }

    fn wait_until(&self, what: &str, is: impl Fn(&Floor) -> bool) -> Duration {
        let start = Instant::now();
        while !is(self) {
            assert!(start.elapsed() < PATIENCE, "{what}: not within {PATIENCE:?}");
            thread::sleep(Duration::from_millis(20));
        }
        start.elapsed()
    }

    fn count(&self, is: impl Fn(&Event) -> bool) -> usize {
        count(&self.place, is)
    }

    fn settled(&self) -> usize {
        self.count(|event| matches!(event, Event::RoundSettled { .. }))
    }

    fn lost(&self) -> usize {
        self.count(|event| matches!(event, Event::ShoeRetired { reason, .. } if reason.contains("is lost")))
    }

    /// The cards of a Round in play whose outcome is established and that needs more.
    fn is_in_the_middle(&self) -> bool {
        let (mut cards, mut reader) = (0, Reader::open(&self.place).expect("a ledger"));
        let read = reader.entries(0, &mut |stored| {
            if let Volume::Table(_) = stored.volume {
                let entry: Entry = serde_json::from_slice(stored.bytes).expect("an entry");
                for event in &entry.events {
                    let begins = matches!(
                        event,
                        Event::BetsOpened { .. } | Event::RoundCompleted { .. } | Event::RoundVoided { .. }
                    );
                    if begins {
                        cards = 0;
                    } else if let Event::CardDrawn { .. } = event {
                        cards += 1;
                    }
                }
            }
            std::ops::ControlFlow::Continue(())
        });
        read.expect("it can be read");
        cards >= 3
    }

    /// What the house wrote down that did not hold.
    fn failures(&self) -> Vec<String> {
        let (mut told, mut reader) = (Vec::new(), Reader::open(&self.place).expect("a ledger"));
        let read = reader.entries(0, &mut |stored| {
            if let Volume::House = stored.volume {
                let entry: HouseEntry = serde_json::from_slice(stored.bytes).expect("an entry");
                if let Deed::VerificationFailed { words, .. } = entry.deed {
                    told.push(words.to_string());
                }
            }
            std::ops::ControlFlow::Continue(())
        });
        read.expect("it can be read");
        told
    }

    fn the_file(&self) -> PathBuf {
        let mut files = fs::read_dir(self.shoes()).expect("the folder").map(|it| it.expect("a file").path());
        let file = files.next().expect("a shoe in use");
        assert_eq!(files.next(), None, "revealed shoes are no secret any more");
        file
    }

    fn audit(&self) -> String {
        let audit =
            Command::new(env!("CARGO_BIN_EXE_punto")).arg("audit").arg(&self.ledger).output().expect("it");
        let said = [audit.stdout, audit.stderr].concat();
        let said = String::from_utf8_lossy(&said).into_owned();
        assert!(audit.status.success(), "{said}");
        said
    }
}

fn anywhere() -> SocketAddr {
    "127.0.0.1:0".parse().expect("an address")
}

/// Nothing can be written: no Round opens, everybody is told, and play begins by itself when there is room.
fn is_told_and_goes_on(floor: &Floor, server: &mut Server, make_room: impl FnOnce()) {
    server.wait_until_ready(false, PATIENCE);
    assert!(server.get("/api/health").1.contains("\"well\":false"));
    let before = floor.count(|event| matches!(event, Event::BetsOpened { .. }));
    let log = fs::read_to_string(floor.files.with_extension("log")).expect("its log");
    assert!(log.contains("the order of a shoe cannot be kept"), "{log}");
    make_room();
    let ready = server.wait_until_ready(true, PATIENCE);
    let plays = floor.wait_until("a Round opens", |floor| {
        floor.count(|event| matches!(event, Event::BetsOpened { .. })) > before
    });
    eprintln!("ready {ready:?} after there was room, a Round {plays:?} later");
}

#[test]
fn a_shoe_that_cannot_be_written_is_told_and_tried_again() {
    let floor = Floor::found();
    let mut server = floor.serve(anywhere(), 1000);
    // A file in place of the folder: nobody can write into it, not even root.
    let away = floor.folder.path().join("away");
    fs::rename(floor.shoes(), &away).expect("renamed");
    fs::write(floor.shoes(), "").expect("written");
    let load = floor.load(&server, 25);
    is_told_and_goes_on(&floor, &mut server, || {
        assert_eq!(
            floor.count(|event| matches!(event, Event::BetsOpened { .. })),
            0,
            "a Round without a shoe"
        );
        fs::remove_file(floor.shoes()).expect("removed");
        fs::rename(&away, floor.shoes()).expect("renamed");
    });
    let report = load.join().expect("the load generator did not fall over");
    assert!(report.agrees(), "{:#?}", report.reconciled);
    server.kill();
    assert!(floor.audit().starts_with("no finding"));
}

#[test]
fn a_full_disk_for_shoes_is_told_and_tried_again() {
    let floor = Floor::found();
    let Some(disk) = SmallDisk::mount(&floor.folder.path().join("disk")) else {
        eprintln!("only root may mount a small disk; a file in place of the folder is tried beside this");
        return;
    };
    fs::set_permissions(&disk.0, fs::Permissions::from_mode(0o700)).expect("permitted");
    std::os::unix::fs::symlink(disk.0.join("."), floor.shoes()).expect("a link");
    let mut server = floor.serve(anywhere(), 1000);
    disk.fill();
    let load = floor.load(&server, 25);
    is_told_and_goes_on(&floor, &mut server, || {
        assert_eq!(fs::read_dir(&disk.0).expect("the disk").count(), 1, "half a shoe takes room");
        disk.make_room();
    });
    let report = load.join().expect("the load generator did not fall over");
    assert!(report.agrees(), "{:#?}", report.reconciled);
    server.kill();
    assert!(floor.audit().starts_with("no finding"));
}

/// Kills the server while it plays, does something to its shoe, and has it go on.
fn loses(floor: &Floor, middle: bool, harm: impl FnOnce(&Path)) -> Duration {
    let pace = if middle { 1 } else { 1000 };
    let mut server = floor.serve(anywhere(), pace);
    let address = server.address;
    let load = floor.load(&server, if middle { 60 } else { 30 });
    floor.wait_until("play begins", |floor| {
        floor.count(|event| matches!(event, Event::WagerRegistered { .. })) > 10
    });
    loop {
        if middle {
            floor.wait_until("a Round in the middle", Floor::is_in_the_middle);
        }
        server.kill();
        // The Round may have gone on before the signal came.
        if !middle || floor.is_in_the_middle() {
            break;
        }
        server = floor.serve(address, pace);
    }
    harm(&floor.the_file());
    let settled = floor.settled();
    let start = Instant::now();
    let mut server = floor.serve(address, pace);
    floor.wait_until("the shoe is taken out of use", |floor| floor.lost() == 1);
    let retired = start.elapsed();
    floor.wait_until("the next Round is settled", |floor| floor.settled() > settled);
    eprintln!("taken out of use {retired:?} after the start, a Round settled after {:?}", start.elapsed());
    server.wait_until_ready(true, PATIENCE);
    let report = load.join().expect("the load generator did not fall over");
    assert!(report.agrees(), "{:#?}", report.reconciled);
    server.kill();
    let told = floor.failures();
    assert!(told.len() == 1 && told[0].starts_with("the order of shoe "), "{told:?}");
    let said = floor.audit();
    assert!(said.starts_with("no finding") && said.contains("this shoe is never revealed"), "{said}");
    retired
}

fn interrupted_by_loss(event: &Event) -> bool {
    matches!(event, Event::TableInterrupted { cause: Some(Cause::ShoeLost), .. })
}

#[test]
fn a_shoe_that_was_deleted_is_taken_out_of_use_and_play_goes_on() {
    let floor = Floor::found();
    loses(&floor, false, |file| fs::remove_file(file).expect("removed"));
}

#[test]
fn a_round_is_concluded_with_another_shoe_if_its_outcome_is_established() {
    let floor = Floor::found();
    loses(&floor, true, |file| {
        let mut secret: serde_json::Value =
            serde_json::from_slice(&fs::read(file).expect("read")).expect("JSON");
        let cards = secret["cards"].as_array_mut().expect("cards");
        let other = cards.iter().position(|card| *card != cards[0]).expect("not all the same");
        cards.swap(0, other);
        fs::write(file, secret.to_string()).expect("written");
    });
    assert_eq!(floor.count(interrupted_by_loss), 1);
    let ordered = floor.count(|event| matches!(event, Event::ShoeReplacementOrdered { .. }));
    assert_eq!(ordered, 1, "the Round was concluded");
}

#[test]
fn a_server_that_has_the_order_in_memory_plays_on() {
    let floor = Floor::found();
    let mut server = floor.serve(anywhere(), 1000);
    let load = floor.load(&server, 15);
    floor.wait_until("play begins", |floor| floor.settled() > 0);
    fs::remove_file(floor.the_file()).expect("removed");
    let settled = floor.settled();
    floor.wait_until("play goes on", |floor| floor.settled() > settled + 1);
    let report = load.join().expect("the load generator did not fall over");
    assert!(report.agrees(), "{:#?}", report.reconciled);
    server.kill();
    assert_eq!((floor.lost(), floor.failures()), (0, Vec::new()));
}
