//! The real server under `kill -9` while 200 terminals bet: every acknowledged wager is in the record, every other is absent
//! or answered on retry, money reconciles to the cent, and the audit finds nothing.

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use punto_ledger::{Place, Reader, Vault, read_key};
use punto_record::{Actor, Deed, Entry, Event, OrderId, Release, Timestamp, Volume};
use punto_server::load::{Options, Report, SignIn, SignIns, Until, run};
use punto_server::register::{Cost, Register};
use punto_server::role::Role;

const TERMINALS: u32 = 200;
const PASSWORD: &str = "a sentence that is long enough";

/// A hundred when a long run is asked for, half on one table and half on twenty.
fn kills() -> u32 {
    if std::env::var_os("PUNTO_SOAK").is_some_and(|soak| soak == "1") { 50 } else { 5 }
}

/// Numbers that look like chance and are the same every time.
fn spread(n: u32) -> u64 {
    (u64::from(n) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40
}

struct Server {
    child: Child,
    address: SocketAddr,
}

impl Server {
    fn start(ledger: &Path, address: SocketAddr) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_punto"))
            .arg("serve")
            .arg(ledger)
            .args(["--pace", "1000", "--listen", &address.to_string()])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary");
        let mut line = String::new();
        let mut said = BufReader::new(child.stdout.take().expect("its output"));
        said.read_line(&mut line).expect("it says where it is");
        let address = line.trim().strip_prefix("http://").expect("an address").parse().expect("an address");
        Server { child, address }
    }

    fn kill(&mut self) {
        self.child.kill().expect("SIGKILL");
        self.child.wait().expect("it is gone");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// People who were hired before the server was ever started.
fn hire(ledger: &Path) -> SignIns {
    let register = Register::open(&ledger.with_extension("people"), Cost::trifling()).expect("a register");
    let key = read_key(&ledger.with_extension("key")).expect("its key");
    let place = Place::File(ledger.to_owned());
    let mut vault = Vault::open(&place, key, Release("test".into())).expect("a ledger");
    let mut hire = |person: &str, role: Role| {
        let now = Timestamp(now());
        // What gives somebody their role is the deed.
        let (id, n) = (person.parse().expect("a name"), vault.head(&Volume::House).seq.0 + 1);
        let deed = Deed::staff_changed(id, role.id().into(), true, true);
        vault.deed(OrderId { device: "server".into(), n }, Actor::House, now, deed).expect("a deed");
        let hired = register.hire(person, person, role, now).expect("hired");
        let invitation = hired.invitation.expect("an invitation").secret.text();
        register.choose_password(&invitation, PASSWORD, now).expect("chosen");
        SignIn { person: person.parse().expect("a name"), password: PASSWORD.to_owned() }
    };
    SignIns {
        administrator: hire("adm-1", Role::Administrator),
        cashier: hire("cas-1", Role::Cashier),
        auditor: hire("aud-1", Role::Auditor),
    }
}

fn now() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("after 1970");
    since.as_millis() as u64
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
    let sign_ins = hire(&ledger);
    let mut server = Server::start(&ledger, "127.0.0.1:0".parse().expect("an address"));
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
    wait_for_wagers(&ledger, &load);
    while killed < kills() && !load.is_finished() {
        std::thread::sleep(Duration::from_millis(300 + spread(killed) % 1_700));
        if load.is_finished() {
            break;
        }
        server.kill();
        server = Server::start(&ledger, server.address);
        killed += 1;
    }
    let report = load.join().expect("the load generator did not fall over");
    drop(server);
    assert!(report.agrees(), "{:#?}", report.reconciled);
    assert!(report.registered > u64::from(TERMINALS), "{report:#?}");
    assert!(killed * 2 >= kills(), "it was killed {killed} times");
    assert!(report.reconnected > 0, "terminals came back: {report:#?}");
    let interrupted = interruptions(&ledger);
    eprintln!(
        "{tables} tables, {killed} kills, {} registered, {interrupted} interruptions",
        report.registered
    );
    assert!(interrupted > 0, "no Round was interrupted");
    assert!(punto::audited(&ledger.display().to_string()), "the audit finds something");
}

fn wait_for_wagers(ledger: &Path, load: &std::thread::JoinHandle<Report>) {
    let start = Instant::now();
    while !load.is_finished() && count(ledger, |event| matches!(event, Event::WagerRegistered { .. })) < 200 {
        assert!(start.elapsed() < Duration::from_secs(120), "no wager in two minutes");
        std::thread::sleep(Duration::from_millis(200));
    }
}

/// Interrupted Rounds, each resolved by its paragraph.
fn interruptions(ledger: &Path) -> usize {
    let interrupted = count(ledger, |event| matches!(event, Event::TableInterrupted { .. }));
    let resolved = count(
        ledger,
        |event| matches!(event, Event::InterruptionResolved { cite, .. } if cite.to_string().starts_with("5.1")),
    );
    assert_eq!(interrupted, resolved);
    interrupted
}

fn count(ledger: &Path, is_it: impl Fn(&Event) -> bool) -> usize {
    let mut reader = Reader::open(&Place::File(ledger.to_owned())).expect("a ledger");
    let mut count = 0;
    reader
        .entries(0, &mut |stored| {
            if let Volume::Table(_) = stored.volume {
                let entry: Entry = serde_json::from_slice(stored.bytes).expect("an entry");
                count += entry.events.iter().filter(|event| is_it(event)).count();
            }
            std::ops::ControlFlow::Continue(())
        })
        .expect("it can be read");
    count
}

#[test]
fn one_table() {
    kill_again_and_again(1);
}

#[test]
fn twenty_tables() {
    kill_again_and_again(20);
}
