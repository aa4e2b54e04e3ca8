//! The real server on a PostgreSQL that stops answering, while terminals bet: nothing goes through, or only no answer comes back.
//! Within seconds nobody is sent there any more; when the database answers again, play goes on, nothing acknowledged is
//! missing and nothing was carried out twice.

use crate::postgres_server;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::process::Command;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use crate::postgres_server::Server as Database;
use crate::served::{Server, count, hire};
use punto_ledger::Place;
use punto_record::Event;
use punto_server::load::{Options, Until, run};

const PATIENCE: Duration = Duration::from_secs(60);

/// Which way is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Closed {
    None,
    /// Nothing goes through.
    Both,
    /// What is asked arrives and is done; no answer comes back.
    Answers,
}

/// Passes bytes on until a way is closed; then it holds them, and passes them on when it is open again.
#[derive(Clone)]
struct Proxy(Arc<(Mutex<Closed>, Condvar)>);

impl Proxy {
    /// Listens in front of a server at a port.
    fn start(to: u16) -> (Proxy, u16) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let proxy = Proxy(Arc::new((Mutex::new(Closed::None), Condvar::new())));
        let passes = proxy.clone();
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let Ok(server) = TcpStream::connect(("127.0.0.1", to)) else { continue };
                let both = [(&client, &server, false), (&server, &client, true)];
                for (from, to, is_answer) in both {
                    let (from, to) = (from.try_clone().expect("it"), to.try_clone().expect("it"));
                    let proxy = passes.clone();
                    thread::spawn(move || proxy.pass(from, to, is_answer));
                }
            }
        });
        (proxy, port)
    }

    fn pass(&self, mut from: TcpStream, mut to: TcpStream, is_answer: bool) {
        let mut bytes = [0; 1 << 14];
        while let Ok(read @ 1..) = from.read(&mut bytes) {
            let (closed, opened) = &*self.0;
            let is_closed =
                |closed: &mut Closed| *closed == Closed::Both || (is_answer && *closed == Closed::Answers);
            drop(opened.wait_while(closed.lock().expect("a lock"), is_closed).expect("a lock"));
            if to.write_all(&bytes[..read]).is_err() {
                break;
            }
        }
        // Whoever hung up has hung up at the other end as well.
        let _ = to.shutdown(Shutdown::Both);
    }

    fn close(&self, closed: Closed) {
        *self.0.0.lock().expect("a lock") = closed;
        self.0.1.notify_all();
    }
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").port()
}

fn wagers(place: &Place) -> usize {
    count(place, |event| matches!(event, Event::WagerRegistered { .. }))
}

fn wait_for(place: &Place, wanted: usize) {
    let start = Instant::now();
    while wagers(place) < wanted {
        assert!(start.elapsed() < PATIENCE, "no {wanted} wagers");
        thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn a_database_that_does_not_answer_stops_play_until_it_does() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = folder.path().join("floor");
    let port = free_port();
    let database = Database::start_with(&format!("listen_addresses = '127.0.0.1'\nport = {port}"), &[]);
    let direct = format!("postgres://punto@127.0.0.1:{port}/ledger");
    let made = format!("postgres://punto@127.0.0.1:{port}/postgres");
    postgres_server::run(&made, "CREATE DATABASE ledger").expect("a database");
    let (proxy, through) = Proxy::start(port);
    let url = format!("postgres://punto@127.0.0.1:{through}/ledger");
    // The test reads on a way of its own.
    let place = Place::Database(direct.clone());
    let founded = Command::new(env!("CARGO_BIN_EXE_punto"))
        .args(["ledger", "found", "--kind", "practice", &url, "--key"])
        .arg(files.with_extension("key"))
        .output()
        .expect("the binary");
    assert!(founded.status.success(), "{founded:?}");
    let sign_ins = hire(&Place::Database(url.clone()), &files);
    let mut server = Server::start(&url, &files, "127.0.0.1:0".parse().expect("an address"));
    let options = Options {
        url: format!("http://{}", server.address),
        terminals: 40,
        tables: 2,
        until: Until::Seconds(75),
        rate: Some(200),
        betting_seconds: 2,
        sign_ins: Some(sign_ins),
    };
    let load = thread::spawn(move || run(&options, &|_| {}).expect("the load generator runs to its end"));
    wait_for(&place, 100);
    for closed in [Closed::Both, Closed::Answers] {
        server.wait_until_ready(true, PATIENCE);
        proxy.close(closed);
        let noticed = server.wait_until_ready(false, Duration::from_secs(12));
        let health = server.get("/api/health").1;
        assert!(health.contains("\"well\":false"), "{health}");
        let before = wagers(&place);
        // Longer than a lease: nobody came instead of it, so it may go on.
        thread::sleep(Duration::from_secs(8));
        assert_eq!(wagers(&place), before, "play goes on");
        assert_eq!(server.get("/api/ready").0, 503);
        proxy.close(Closed::None);
        let back = Instant::now();
        wait_for(&place, before + 1);
        eprintln!(
            "{closed:?} closed: not ready after {noticed:?}, play went on {:?} after it answered",
            back.elapsed()
        );
    }
    let report = load.join().expect("the load generator did not fall over");
    assert!(server.child.try_wait().expect("a process").is_none(), "the server has ended");
    server.kill();
    assert!(report.agrees(), "{:#?}", report.reconciled);
    assert!(report.registered > 100, "{report:#?}");
    assert!(punto::audited(&direct), "the audit finds something");
    drop(database);
}
