//! What the previous release left behind, killed in mid-Round: the ledger is audited, opened and played on, its register is
//! taken over once, its tickets are paid once, and the audit finds nothing in what both releases wrote.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::ops::ControlFlow;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use punto_ledger::{Place, Reader, Stored};
use punto_record::{
    Deed, DeedKind, Entry, Event, HouseEntry, RegisterKind, Seq, Ticket, TicketState, Volume,
};
use punto_server::client::Http;
use punto_server::guest::Guest;
use punto_server::http::tickets::{self, TicketWord};
use punto_server::role::Role;

const ENTRIES: u64 = 978;
const GOOD: [&str; 2] = ["2962-9110-0126-8331-4860", "7561-2453-1572-7491-1006"];

/// The demonstration at work; killed with the test.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(ledger: &Path) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_punto"))
            .arg("serve")
            .arg(ledger)
            .args(["--demo", "--pace", "8", "--listen", "127.0.0.1:0"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary");
        let mut line = String::new();
        let mut said = BufReader::new(child.stdout.take().expect("its output"));
        said.read_line(&mut line).expect("it says where it is");
        Server { child, address: line.trim().to_owned() }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A copy of what is kept.
fn kept(folder: &Path) -> PathBuf {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/0.1.0");
    let copied = Command::new("cp").arg("-r").arg(from).arg(folder.join("kept")).status().expect("cp");
    assert!(copied.success());
    // As that release left them; a checkout knows nothing of it.
    for (name, mode) in [("floor.ledger.key", 0o600), ("floor.ledger.shoes", 0o700)] {
        let permitted = fs::Permissions::from_mode(mode);
        fs::set_permissions(folder.join("kept").join(name), permitted).expect("permitted");
    }
    folder.join("kept/floor.ledger")
}

fn audit(ledger: &Path) {
    let audit =
        Command::new(env!("CARGO_BIN_EXE_punto")).arg("audit").arg(ledger).output().expect("the binary");
    let said = String::from_utf8_lossy(&audit.stdout);
    assert!(audit.status.success() && said.starts_with("no finding"), "{said}");
}

fn reader(ledger: &Path) -> Reader<'static> {
    Reader::open(&Place::File(ledger.to_owned())).expect("it can be read")
}

/// What happened at the tables.
fn entries(ledger: &Path) -> Vec<Entry> {
    let mut entries = Vec::new();
    let each = &mut |stored: Stored<'_>| {
        if let Volume::Table(_) = stored.volume {
            entries.push(serde_json::from_slice(stored.bytes).expect("an entry"));
        }
        ControlFlow::Continue(())
    };
    reader(ledger).entries(0, each).expect("it can be read");
    entries
}

/// How many Rounds were settled.
fn settled(ledger: &Path) -> usize {
    let of =
        |entry: &Entry| entry.events.iter().filter(|it| matches!(it, Event::RoundSettled { .. })).count();
    entries(ledger).iter().map(of).sum()
}

/// How often the register of 0.1.0 was taken over; everybody of whom a deed knows has a row.
fn taken_over(ledger: &Path) -> usize {
    let (mut times, mut people) = (0, std::collections::BTreeSet::new());
    let each = &mut |stored: Stored<'_>| {
        let entry: HouseEntry = serde_json::from_slice(stored.bytes).expect("a deed");
        times += usize::from(entry.deed.kind() == DeedKind::RegisterTakenOver);
        if let Deed::StaffChanged { person, .. } = entry.deed {
            people.insert(person.to_string());
        }
        ControlFlow::Continue(())
    };
    reader(ledger).entries_of(&Volume::House, Seq(0), each).expect("it can be read");
    let rows = reader(ledger).register().expect("it can be read");
    let kept = rows.iter().filter(|it| *it.kind == *RegisterKind::Person.id()).map(|it| it.id.to_string());
    assert!(times == 0 || kept.eq(people), "{rows:?}");
    times
}

/// Killed at any moment of its first start, the register is taken over from the beginning or not at all.
#[test]
fn a_start_that_is_killed_takes_the_register_over_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let ledger = kept(folder.path());
    for pause in [0, 20, 40, 60, 80, 120, 160, 240, 400, 800] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_punto"))
            .arg("serve")
            .arg(&ledger)
            .args(["--demo", "--listen", "127.0.0.1:0"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary");
        // Not to wait for anything: to be killed somewhere else every time.
        std::thread::sleep(Duration::from_millis(pause));
        child.kill().expect("SIGKILL");
        child.wait().expect("it is gone");
        assert!(taken_over(&ledger) <= 1, "after {pause} ms");
    }
    drop(Server::start(&ledger));
    assert_eq!(taken_over(&ledger), 1);
    audit(&ledger);
}

#[tokio::test]
async fn it_opens_plays_on_and_audits() {
    let folder = tempfile::tempdir().expect("a folder");
    let ledger = kept(folder.path());
    audit(&ledger);
    assert_eq!(reader(&ledger).size().expect("read"), ENTRIES);
    let before = settled(&ledger);

    let people = ledger.with_extension("ledger.people");
    let file = std::fs::read(&people).expect("the register of 0.1.0");
    let server = Server::start(&ledger);
    let http = Http::new(&server.address).expect("an address");
    let began = Instant::now();
    let guest: Guest = loop {
        match http.get("/api/demo").await {
            Ok(guest) => break guest,
            Err(error) => assert!(began.elapsed() < Duration::from_secs(90), "nobody is let in: {error}"),
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    };
    let cashier = guest.people.iter().find(|it| it.role == Role::Cashier).expect("a Cashier");
    let cashier = http.sign_in(cashier.person.as_str(), &cashier.password).await.expect("signed in");
    for ticket in GOOD {
        let paid: tickets::Ticket =
            cashier.post(&format!("/api/tickets/{ticket}/pay"), &()).await.expect("it is good");
        assert_eq!(paid.state, TicketWord::Paid, "{ticket}");
        let again = cashier.post::<tickets::Ticket>(&format!("/api/tickets/{ticket}/pay"), &()).await;
        assert!(again.is_err(), "{ticket} is paid once");
    }
    // Every table goes on from the middle of its Round.
    let began = Instant::now();
    while settled(&ledger) < before + 10 {
        assert!(began.elapsed() < Duration::from_secs(90), "the tables stand still");
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    drop(server);
    audit(&ledger);
    assert_eq!(taken_over(&ledger), 1);
    assert_eq!(std::fs::read(&people).expect("the file"), file, "the file is left as it is");
    assert!(ledger.with_extension("ledger.ticket-key").exists(), "made at the first start of this release");
    let mut states = Vec::new();
    reader(&ledger)
        .tickets(&mut |ticket: Ticket| {
            // Those of 0.1.0 are named by their numbers, all others by a serial.
            assert_eq!(ticket.tag.is_some(), ticket.no.as_str().contains('/'), "{ticket:?}");
            states.push((ticket.no, ticket.state));
        })
        .expect("it can be read");
    let paid = |no: &str| states.iter().any(|(it, state)| it.as_str() == no && *state == TicketState::Paid);
    assert!(GOOD.iter().all(|no| paid(no)), "{states:?}");
}
