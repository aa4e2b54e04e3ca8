//! The real server on a ledger, with the people that the load generator signs in as.

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use punto_ledger::{Place, Reader, Vault, read_key};
use punto_record::{Actor, Deed, Entry, Event, OrderId, Release, Timestamp, Volume};
use punto_server::load::{SignIn, SignIns};
use punto_server::register::{Cost, Register};
use punto_server::role::Role;

const PASSWORD: &str = "a sentence that is long enough";

pub(crate) struct Server {
    pub(crate) child: Child,
    pub(crate) address: SocketAddr,
}

impl Server {
    pub(crate) fn start(ledger: &str, files: &Path, address: SocketAddr) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_punto"))
            .arg("serve")
            .arg(ledger)
            .arg("--key")
            .arg(files.with_extension("key"))
            .arg("--people")
            .arg(files.with_extension("people"))
            .arg("--shoes")
            .arg(files.with_extension("shoes"))
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

    pub(crate) fn kill(&mut self) {
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
pub(crate) fn hire(place: &Place, files: &Path) -> SignIns {
    let register = Register::open(&files.with_extension("people"), Cost::trifling()).expect("a register");
    let key = read_key(&files.with_extension("key")).expect("its key");
    let mut vault = Vault::open(place, key, Release("test".into())).expect("a ledger");
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

pub(crate) fn count(place: &Place, is_it: impl Fn(&Event) -> bool) -> usize {
    let mut reader = Reader::open(place).expect("a ledger");
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
