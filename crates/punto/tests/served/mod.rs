//! The real server on a ledger, with the people that the load generator signs in as.

// Each test program needs its own part of it.
#![allow(dead_code)]

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use punto_ledger::{EarlierRegister, Place, Reader, Vault, read_key};
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
        Server::try_start(ledger, files, address).expect("it serves")
    }

    /// The exit code and the log of a server that did not open its door. The log is beside its files.
    pub(crate) fn try_start(
        ledger: &str,
        files: &Path,
        address: SocketAddr,
    ) -> Result<Server, (Option<i32>, String)> {
        Server::start_at_pace(ledger, files, address, 1000)
    }

    /// The same, dealing so many times as quickly as people like it.
    pub(crate) fn start_at_pace(
        ledger: &str,
        files: &Path,
        address: SocketAddr,
        pace: u32,
    ) -> Result<Server, (Option<i32>, String)> {
        let log = files.with_extension("log");
        let mut child = Command::new(env!("CARGO_BIN_EXE_punto"))
            .arg("serve")
            .arg(ledger)
            .arg("--key")
            .arg(files.with_extension("key"))
            .arg("--people")
            .arg(files.with_extension("people"))
            .arg("--shoes")
            .arg(files.with_extension("shoes"))
            .args(["--pace", &pace.to_string(), "--listen", &address.to_string()])
            .stdout(Stdio::piped())
            .stderr(File::create(&log).expect("a log"))
            .spawn()
            .expect("the binary");
        let mut line = String::new();
        let mut said = BufReader::new(child.stdout.take().expect("its output"));
        said.read_line(&mut line).expect("it says where it is");
        match line.trim().strip_prefix("http://") {
            Some(address) => Ok(Server { child, address: address.parse().expect("an address") }),
            None => {
                let code = child.wait().expect("it ended").code();
                Err((code, fs::read_to_string(&log).expect("its log")))
            }
        }
    }

    /// Sends a signal by its name.
    pub(crate) fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([name, &self.child.id().to_string()]).status().expect("kill");
        assert!(sent.success());
    }

    /// Waits until it ends by itself.
    pub(crate) fn ended(&mut self, within: Duration) -> Option<i32> {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("a process") {
                return status.code();
            }
            assert!(start.elapsed() < within, "it goes on");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Status and body of an answer that takes no signing in.
    pub(crate) fn get(&self, path: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(self.address).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(10))).expect("a time-out");
        write!(stream, "GET {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n", self.address)
            .expect("it takes it");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        (status, answer.split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).unwrap_or_default())
    }

    /// Waits until it is ready, or is not; how long that took.
    pub(crate) fn wait_until_ready(&self, is: bool, within: Duration) -> Duration {
        let start = Instant::now();
        while (self.get("/api/ready").0 == 200) != is {
            assert!(start.elapsed() < within, "ready is {} for {:?}", !is, start.elapsed());
            std::thread::sleep(Duration::from_millis(50));
        }
        start.elapsed()
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
    let register = Register::memory(Cost::trifling()).expect("a register");
    let key = read_key(&files.with_extension("key")).expect("its key");
    let mut vault = Vault::open(place, key, Release("test".into())).expect("a ledger");
    vault.take_over_register(&EarlierRegister::default(), Timestamp(now())).expect("nothing is taken over");
    let mut hire = |person: &str, role: Role| {
        let now = Timestamp(now());
        let mut write = |by: Actor, deed: Deed, credential| {
            let id = OrderId { device: "server".into(), n: vault.head(&Volume::House).seq.0 + 1 };
            vault.deed_with(id, by, now, deed, credential).expect("a deed");
        };
        let id = person.parse().expect("a name");
        write(Actor::House, Deed::staff_changed(id, role.id().into(), true, true), None);
        let hired = register.hire(person, person, role, now).expect("hired");
        let invitation = hired.invitation.expect("an invitation").secret.text();
        let chosen = register.choose_password_with(&invitation, None, PASSWORD, now, |_| Ok(()));
        let by = role.actor(person.parse().expect("a name"));
        write(by, Deed::PasswordChosen { credential: None }, Some(chosen.expect("chosen").credential));
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
