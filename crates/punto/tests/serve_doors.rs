//! The real server with fewer file descriptors than strangers want: those who are connected go on, nobody new comes in until
//! somebody leaves, the log says so once, and no core is kept busy with it.

#![cfg(target_os = "linux")]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Enough to start with, and soon used up.
const DESCRIPTORS: u32 = 96;
const STRANGERS: usize = 150;
const PATIENCE: Duration = Duration::from_secs(60);

struct Server {
    child: Child,
    address: SocketAddr,
    log: std::path::PathBuf,
}

impl Server {
    fn start(folder: &Path, more: &[&str]) -> Server {
        let (ledger, log) = (folder.join("floor"), folder.join("log"));
        let founded = Command::new(env!("CARGO_BIN_EXE_punto"))
            .args(["ledger", "found", "--kind", "practice"])
            .arg(&ledger)
            .output()
            .expect("the binary");
        assert!(founded.status.success(), "{founded:?}");
        let mut child = Command::new("sh")
            .args(["-c", &format!("ulimit -n {DESCRIPTORS} && exec \"$0\" \"$@\"")])
            .args([env!("CARGO_BIN_EXE_punto"), "serve"])
            .arg(&ledger)
            .args(["--listen", "127.0.0.1:0"])
            .args(more)
            .stdout(Stdio::piped())
            .stderr(std::fs::File::create(&log).expect("a log"))
            .spawn()
            .expect("the binary");
        let mut line = String::new();
        let mut said = BufReader::new(child.stdout.take().expect("its output"));
        said.read_line(&mut line).expect("it says where it is");
        let address = line.trim().strip_prefix("http://").expect("an address").parse().expect("an address");
        Server { child, address, log }
    }

    fn mentions(&self, words: &str) -> usize {
        std::fs::read_to_string(&self.log).expect("a log").matches(words).count()
    }

    /// Processor time so far.
    fn worked(&self) -> Duration {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).expect("it runs");
        let after_name = stat.rsplit_once(')').expect("a name").1;
        let ticks: u64 = after_name
            .split_whitespace()
            .skip(11)
            .take(2)
            .map(|it| it.parse::<u64>().expect("a number"))
            .sum();
        Duration::from_millis(ticks * 10)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).expect("the system connects, whatever the server does");
    stream.set_read_timeout(Some(PATIENCE)).expect("a time-out");
    stream
}

/// Asks on a connection that stays open.
fn is_well(stream: &mut TcpStream) -> bool {
    stream.write_all(b"GET /api/health HTTP/1.1\r\nhost: localhost\r\n\r\n").expect("said");
    let (mut heard, mut buffer) = (Vec::new(), [0; 4096]);
    while !heard.ends_with(b"}") {
        let read = stream.read(&mut buffer).expect("an answer in time");
        if read == 0 {
            return false;
        }
        heard.extend(&buffer[..read]);
    }
    heard.starts_with(b"HTTP/1.1 200")
}

/// Whether somebody new is let in.
fn comes_in(address: SocketAddr) -> bool {
    let mut stream = connect(address);
    let asked = b"GET /api/health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
    let mut heard = Vec::new();
    let _ = stream.write_all(asked).and_then(|()| stream.read_to_end(&mut heard));
    heard.starts_with(b"HTTP/1.1 200")
}

#[test]
fn out_of_file_descriptors() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path(), &["--connections", "1000"]);
    assert_eq!(server.mentions("more connections are allowed than there are file descriptors"), 1);
    let mut known = connect(server.address);
    assert!(is_well(&mut known));
    let strangers: Vec<TcpStream> = (0..STRANGERS).map(|_| connect(server.address)).collect();
    let since = Instant::now();
    while server.mentions("no connection can be accepted") == 0 {
        assert!(since.elapsed() < PATIENCE, "it ran out of descriptors");
        std::thread::sleep(Duration::from_millis(20));
    }
    let (before, watched) = (server.worked(), Duration::from_secs(3));
    let until = Instant::now() + watched;
    while Instant::now() < until {
        assert!(is_well(&mut known), "who is there goes on");
        std::thread::sleep(Duration::from_millis(200));
    }
    let worked = server.worked() - before;
    assert!(worked < watched / 4, "{worked:?} of work while nothing can be accepted");
    assert_eq!(server.mentions("no connection can be accepted"), 1, "said once");
    drop(strangers);
    let mut newcomer = connect(server.address);
    assert!(is_well(&mut newcomer), "there is room again");
    assert!(is_well(&mut known));
}

/// By default connections leave descriptors to the ledger, so that it does not come to that.
#[test]
fn connections_leave_descriptors_to_the_tables() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path(), &[]);
    let mut known = connect(server.address);
    assert!(is_well(&mut known));
    let mut strangers: Vec<TcpStream> = (0..STRANGERS).map(|_| connect(server.address)).collect();
    let mut refused = 0;
    for stranger in &mut strangers {
        stranger.set_read_timeout(Some(Duration::from_millis(20))).expect("a time-out");
        // Who was let in hears nothing yet.
        refused += usize::from(matches!(stranger.read(&mut [0]), Ok(0)));
    }
    assert_eq!(STRANGERS - refused, DESCRIPTORS as usize / 2 - 1, "half of so few");
    assert_eq!(server.mentions("no connection can be accepted"), 0);
    assert_eq!(server.mentions("a connection was refused"), 1, "said once");
    assert!(is_well(&mut known));
    drop(strangers);
    let since = Instant::now();
    while !comes_in(server.address) {
        assert!(since.elapsed() < PATIENCE, "places are given back");
        std::thread::sleep(Duration::from_millis(20));
    }
}
