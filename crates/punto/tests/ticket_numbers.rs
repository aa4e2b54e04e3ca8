//! The floor at work, by the real binary: no file beside the key of tickets, no backup, no export and no log has the number
//! of a ticket, and whoever has the key derives each of them again.

use std::io::{BufRead as _, BufReader};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use punto_ledger::{Place, Reader, Stored, TicketKeys};
use punto_record::{Digest, Entry, Event, TicketNumber, Volume};

/// Longer than a floor takes on a slow machine.
const PATIENCE: Duration = Duration::from_secs(120);
const TICKETS: usize = 3;

fn punto(args: &[&str]) -> std::process::Output {
    Command::new(env!("CARGO_BIN_EXE_punto")).args(args).output().expect("the binary")
}

/// The demonstration at work; killed with the test.
struct Server(Child);

impl Server {
    fn start(ledger: &Path, log: &Path) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_punto"))
            .arg("serve")
            .arg(ledger)
            .args(["--demo", "--pace", "flat-out", "--listen", "127.0.0.1:0"])
            .stdout(Stdio::piped())
            .stderr(std::fs::File::create(log).expect("a log"))
            .spawn()
            .expect("the binary");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("its output")).read_line(&mut line).expect("it is open");
        Server(child)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The ledger's name, and the number of every ticket that was issued, derived with the key.
fn issued(ledger: &Path, keys: &TicketKeys) -> Vec<TicketNumber> {
    let mut found = Vec::new();
    let mut name: Option<Digest> = None;
    let each = &mut |stored: Stored<'_>| {
        let of = *name.get_or_insert(stored.link);
        let Volume::Table(table) = stored.volume else { return ControlFlow::Continue(()) };
        let entry: Entry = serde_json::from_slice(stored.bytes).expect("an entry");
        for event in &entry.events {
            if let Event::CashedOut { tag, attempt, .. } = event {
                let tag = tag.as_ref().expect("every ticket of this release has a tag");
                let key = keys.get(&tag.key).expect("the key that it was made with");
                let number = key.number(of, table, &entry.order.id, *attempt);
                assert_eq!(key.tag(of, &number), *tag, "derived again from the record");
                found.push(number);
            }
        }
        ControlFlow::Continue(())
    };
    Reader::open(&Place::File(ledger.to_owned())).and_then(|mut it| it.entries(0, each)).expect("a ledger");
    found
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in std::fs::read_dir(folder).expect("a folder").map(|it| it.expect("a file").path()) {
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found
}

/// No file but that of the keys has any of the numbers, however it is written.
fn none_of(numbers: &[TicketNumber], folder: &Path, key: &Path) {
    let all = files(folder);
    assert!(all.len() > 5, "{all:?}");
    for path in all.iter().filter(|path| *path != key) {
        // A journal may be gone by the time it is read.
        let Ok(bytes) = std::fs::read(path) else { continue };
        for number in numbers {
            for digits in [number.printed().to_owned(), number.printed().replace('-', "")] {
                let is_there = bytes.windows(digits.len()).any(|window| window == digits.as_bytes());
                assert!(!is_there, "{} has the number of a ticket", path.display());
            }
        }
    }
}

#[test]
fn no_number_is_in_any_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let (ledger, key) = (at("ledger"), at("ledger.ticket-key"));
    let text = |path: &Path| path.to_str().expect("a path").to_owned();
    let server = Server::start(&ledger, &at("log"));
    let keys = TicketKeys::open(&key).expect("made at the first start");
    let began = Instant::now();
    let numbers = loop {
        let numbers = issued(&ledger, &keys);
        if numbers.len() >= TICKETS {
            break numbers;
        }
        assert!(began.elapsed() < PATIENCE, "only {} tickets", numbers.len());
        std::thread::sleep(Duration::from_millis(100));
    };
    let done = punto(&["backup", &text(&ledger), &text(&at("backup.punto"))]);
    assert!(done.status.success(), "{done:?}");
    let exported = punto(&["export", &text(&ledger)]);
    assert!(exported.status.success() && !exported.stdout.is_empty());
    std::fs::write(at("export.ndjson"), exported.stdout).expect("written");
    // While it runs, and what is left of it when it was killed.
    none_of(&numbers, folder.path(), &key);
    drop(server);
    none_of(&numbers, folder.path(), &key);
    let audited = punto(&["audit", &text(&ledger), "--ticket-key", &text(&key)]);
    assert!(audited.status.success(), "{}", String::from_utf8_lossy(&audited.stdout));
    let rotated = punto(&["ledger", "rotate-ticket-key", &text(&ledger)]);
    assert!(rotated.status.success(), "{}", String::from_utf8_lossy(&rotated.stderr));
    assert_eq!(TicketKeys::open(&key).expect("both").all().len(), 2, "the old key is kept");
    // Restored without its key, it says so and goes on.
    let restored = at("restored");
    let done = punto(&["restore", &text(&at("backup.punto")), &text(&restored)]);
    assert!(done.status.success(), "{done:?}");
    std::fs::copy(at("ledger.key"), at("restored.key")).expect("the signing key");
    let server = Server::start(&restored, &at("restored.log"));
    drop(server);
    let log = std::fs::read_to_string(at("restored.log")).expect("a log");
    assert!(log.contains("is not at hand: new tickets are made with another one"), "{log}");
}
