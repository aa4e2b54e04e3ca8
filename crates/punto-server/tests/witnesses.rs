//! A house is opened with ledgers that go on from what its witnesses signed and with ledgers that do not, and with witnesses that
//! answer, hang, forget or say anything: whether a Round may open.

mod house;

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, mpsc};

use ed25519_dalek::SigningKey;
use house::{House, PASSWORD, clock};
use punto_ledger::{Ledger, Place, TicketKeys, Vault};
use punto_record::{Actor, Deed, Digest, LedgerKind, Origin, PublicKey, Release, Timestamp};
use punto_server::app::{App, Door};
use punto_server::client::Http;
use punto_server::floor::{Floor, FloorPlan, Hold, Pace, Secrets};
use punto_server::http::witnesses::WitnessList;
use punto_server::pending::Pending;
use punto_server::register::{Cost, Register};
use punto_server::role::Role;
use punto_server::software::Software;
use punto_server::witness::{History, WitnessOptions, WitnessState, ask_all, serve_witness};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

const HELD_BACK: [&str; 0] = [];
const CONTESTED: [&str; 1] = ["history-contested"];
const UNWITNESSED: [&str; 1] = ["history-unwitnessed"];

/// What stands between a house and its witness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Way {
    Open,
    Cut,
    Hanging,
    Garbage,
    Huge,
    Redirected,
    Empty200,
    Conflict,
}

const WAYS: [Way; 8] = [
    Way::Open,
    Way::Cut,
    Way::Hanging,
    Way::Garbage,
    Way::Huge,
    Way::Redirected,
    Way::Empty200,
    Way::Conflict,
];

fn answer(way: Way) -> String {
    let of = |head: &str, body: &str| {
        format!("HTTP/1.1 {head}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}", body.len())
    };
    match way {
        Way::Open | Way::Cut | Way::Hanging => String::new(),
        Way::Garbage => "\u{1}\u{2} what?\r\n\r\n".to_owned(),
        Way::Huge => of("200 OK", &"x".repeat(1 << 20)),
        Way::Redirected => of("302 Found\r\nlocation: http://127.0.0.1:9/", ""),
        Way::Empty200 => of("200 OK", "— w AAAAAAAA\n"),
        Way::Conflict => of("409 Conflict", "many\n"),
    }
}

/// Passes bytes on, or does what its way says.
async fn way_to(witness: SocketAddr) -> (SocketAddr, Arc<AtomicU8>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (address, mode) = (listener.local_addr().unwrap(), Arc::new(AtomicU8::new(0)));
    let now = mode.clone();
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            let way = WAYS[usize::from(now.load(Ordering::Relaxed))];
            tokio::spawn(async move {
                match way {
                    Way::Open => {
                        let mut to = TcpStream::connect(witness).await.unwrap();
                        let _ = copy_bidirectional(&mut stream, &mut to).await;
                    }
                    Way::Cut => {}
                    Way::Hanging => std::future::pending().await,
                    Way::Garbage | Way::Huge | Way::Redirected | Way::Empty200 | Way::Conflict => {
                        let _ = stream.read(&mut [0; 4096]).await;
                        let _ = stream.write_all(answer(way).as_bytes()).await;
                    }
                }
            });
        }
    });
    (address, mode)
}

/// Our own witness server, in a thread.
struct Server {
    address: SocketAddr,
    key: String,
    stop: watch::Sender<bool>,
}

impl Server {
    fn start(folder: &Path, ledger: Digest, keys: Vec<PublicKey>) -> Server {
        let (stop, stopped) = watch::channel(false);
        let (told, ready) = mpsc::channel();
        let options = WitnessOptions {
            address: "127.0.0.1:0".parse().unwrap(),
            folder: folder.to_owned(),
            name: "witness.example/w1".into(),
            key: SigningKey::from_bytes(&[9; 32]),
            logs: BTreeMap::from([(Origin { ledger, after_loss: None }, keys)]),
            tls: None,
        };
        std::thread::spawn(move || serve_witness(options, |it| told.send(it.clone()).unwrap(), stopped));
        let ready = ready.recv().unwrap();
        let address = ready.url.strip_prefix("http://").unwrap().parse().unwrap();
        Server { address, key: ready.key.to_string(), stop }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.send_replace(true);
    }
}

/// Puts a copy of `from` in the place of `to`.
fn copy(from: &Path, to: &Path) {
    let _ = std::fs::remove_dir_all(to);
    let copied = Command::new("cp").arg("-r").arg(from).arg(to).status().unwrap();
    assert!(copied.success());
}

/// Asks for something that takes two people, has it signed and recorded.
async fn two(http: &Http, path: &str, body: &Value) -> Result<(), String> {
    let words = |error: punto_server::client::Error| error.to_string();
    let pending: Pending = http.post(path, body).await.map_err(words)?;
    http.sign(&pending.pending, "sm-1", PASSWORD).await.map_err(words)?;
    let signed = json!({ "pending": pending.pending });
    http.post::<Value>("/api/witnesses", &signed).await.map(drop).map_err(words)
}

fn named(witness: &str, address: &str, key: Option<&str>, in_use: bool) -> Value {
    json!({
        "witness": witness, "address": address, "key": key, "in_use": in_use, "second": "sm-1", "reason": "as planned",
    })
}

async fn staffed() -> House {
    let house = House::of_kind(LedgerKind::House, clock(), Pace::FLAT_OUT).await;
    for (person, role) in
        [("adm-1", Role::Administrator), ("adm-2", Role::Administrator), ("sm-1", Role::ShiftManager)]
    {
        house.hire(person, role).await;
    }
    house
}

/// Something happens, is signed for and sent.
async fn go_on(app: &App, words: &str, entries: usize) {
    for n in 0..entries {
        let deed = Deed::verification_failed(format!("{words} {n}"));
        app.deeds.write(Actor::House, deed).await.unwrap();
    }
    let now = app.clock.now();
    app.floor.ledger().with(move |vault| vault.checkpoint(now)).await.unwrap();
}

async fn ledger_of(app: &App) -> (Digest, Vec<PublicKey>) {
    app.floor.ledger().with(|vault| Ok((vault.ledger(), vault.adopted_keys().collect()))).await.unwrap()
}

fn held(app: &App) -> Vec<&'static str> {
    app.floor.holds().into_iter().map(Hold::id).collect()
}

/// A house with a folder and a server as witnesses, as it was yesterday and as it is today, and two forks of yesterday.
struct World {
    all: TempDir,
    key: [u8; 32],
    way: Arc<AtomicU8>,
    software: Software,
    _server: Server,
}

/// States of a witness, each a folder that is put in its place.
const CURRENT: &str = "current";
const OLD: &str = "old";
const EMPTY: &str = "empty";
const GONE: &str = "gone";
const GARBAGE: &str = "garbage";

const LEDGERS: [&str; 4] = ["today", "yesterday", "same-size", "longer"];

impl World {
    async fn new() -> World {
        let all = tempfile::tempdir().unwrap();
        let path = |name: &str| all.path().join(name);
        for name in ["folder", "server", "empty"] {
            std::fs::create_dir(path(name)).unwrap();
        }
        let house = staffed().await;
        let (ledger, keys) = ledger_of(&house.app).await;
        let server = Server::start(&path("server"), ledger, keys);
        let (address, way) = way_to(server.address).await;
        let http = house.http("adm-1").await;
        let folder = format!("folder:{}", path("folder").display());
        two(&http, "/api/witnesses/pending", &named("folder", &folder, None, true)).await.unwrap();
        let url = format!("http://{address}");
        two(&http, "/api/witnesses/pending", &named("server", &url, Some(&server.key), true)).await.unwrap();
        ask_all(&house.app).await.unwrap();
        // What confirmed it is written down, and sent again with the next checkpoint.
        go_on(&house.app, "yesterday", 3).await;
        ask_all(&house.app).await.unwrap();
        let from = house.folder.path().to_owned();
        let kept = |to: PathBuf| {
            let from = from.clone();
            house.app.floor.ledger().with(move |_| {
                copy(&from, &to);
                Ok(())
            })
        };
        kept(path("yesterday")).await.unwrap();
        let keep_witnesses = |state: &str| {
            for witness in ["folder", "server"] {
                copy(&path(witness), &path(&format!("{witness}-{state}")));
            }
        };
        keep_witnesses(OLD);
        go_on(&house.app, "today", 7).await;
        ask_all(&house.app).await.unwrap();
        kept(path("today")).await.unwrap();
        keep_witnesses(CURRENT);
        let list: WitnessList = http.get("/api/witnesses").await.unwrap();
        assert_eq!(list.history, History::Confirmed);
        assert!(list.witnesses.iter().all(|it| it.lag == 0 && it.state == WitnessState::Confirmed), "{list:?}");
        let size = list.witnesses[0].size;
        let (software, key) = (house.app.software.clone(), house.key);
        house.close().await;

        for (fork, to) in [("same-size", size), ("longer", size + 5)] {
            copy(&path("yesterday"), &path(fork));
            let place = Place::File(path(fork).join("ledger"));
            let mut vault =
                Vault::open(&place, SigningKey::from_bytes(&key), Release("test".into())).unwrap();
            for n in 0.. {
                let house = vault.head(&punto_record::Volume::House).seq.0;
                let id = punto_record::OrderId { device: "server".into(), n: house + 1 };
                if vault.note(Origin { ledger, after_loss: None }).unwrap().head.size == to {
                    break;
                }
                let deed = Deed::verification_failed(format!("{fork} {n}"));
                vault.deed(id, Actor::House, vault.now(), deed).unwrap();
                vault.checkpoint(vault.now()).unwrap();
            }
        }
        for witness in ["folder", "server"] {
            copy(&path("empty"), &path(&format!("{witness}-{EMPTY}")));
            copy(&path(&format!("{witness}-{CURRENT}")), &path(&format!("{witness}-{GARBAGE}")));
            let origin = path(&format!("{witness}-{GARBAGE}")).join(ledger.to_string());
            std::fs::write(origin.join(format!("{:020}.note", 999_999)), "what?\n").unwrap();
        }
        World { all, key, way, software, _server: server }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.all.path().join(name)
    }

    /// Puts a witness in a state.
    fn put(&self, witness: &str, state: &str) {
        if state == GONE {
            let _ = std::fs::remove_dir_all(self.path(witness));
        } else {
            copy(&self.path(&format!("{witness}-{state}")), &self.path(witness));
        }
    }

    /// Opens one of the ledgers, as a start does.
    async fn open(&self, ledger: &str) -> (App, TempDir) {
        let folder = tempfile::tempdir().unwrap();
        copy(&self.path(ledger), &folder.path().join("house"));
        let folder_of = folder.path().join("house");
        let place = Place::File(folder_of.join("ledger"));
        let release = Release("test".into());
        let mut vault =
            Vault::open(&place, SigningKey::from_bytes(&self.key), release.clone()).unwrap();
        let (keys, _) = TicketKeys::open_or_make(&folder_of.join("ledger.ticket-key")).unwrap();
        vault.use_ticket_keys(keys, vault.now()).unwrap();
        let kind = vault.kind();
        let (ledger, _) = Ledger::start(vault);
        let (secrets, pace) = (Secrets::in_memory(), Pace::FLAT_OUT);
        let plan = FloorPlan { ledger, place, kind, clock: clock(), release, secrets, pace };
        let register = Register::of_ledger(&plan.ledger, None, &plan.clock, Cost::trifling()).await.unwrap();
        let floor = Floor::open(plan).await.unwrap();
        // Before anybody was asked.
        assert!(floor.holds().contains(&Hold::HistoryUnwitnessed));
        let app = App::new(Arc::new(register), floor, self.software.clone(), Door::default());
        (app, folder)
    }

    async fn held(&self, ledger: &str) -> Vec<&'static str> {
        let (app, _folder) = self.open(ledger).await;
        ask_all(&app).await.unwrap();
        held(&app)
    }
}

/// What one witness in this state says about this ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Says {
    Nothing,
    Yes,
    No,
}

fn says(ledger: &str, state: &str) -> Says {
    match state {
        CURRENT if ledger == "today" => Says::Yes,
        CURRENT => Says::No,
        // All of them go on from there.
        OLD => Says::Yes,
        _ => Says::Nothing,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_ledger_with_every_pair_of_witnesses() {
    let world = World::new().await;
    let states = [CURRENT, OLD, EMPTY, GONE, GARBAGE];
    let mut seen = BTreeSet::new();
    for ledger in LEDGERS {
        for folder in states {
            for server in states {
                world.put("folder", folder);
                world.put("server", server);
                let expected = match (says(ledger, folder), says(ledger, server)) {
                    (Says::No, _) | (_, Says::No) => &CONTESTED[..],
                    (Says::Yes, _) | (_, Says::Yes) => &HELD_BACK[..],
                    (Says::Nothing, Says::Nothing) => &UNWITNESSED[..],
                };
                assert_eq!(world.held(ledger).await, expected, "{ledger}: folder {folder}, server {server}");
                seen.insert(expected);
            }
        }
    }
    assert_eq!(seen.len(), 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_witness_that_says_anything_confirms_nothing() {
    let world = World::new().await;
    for (at, way) in WAYS.into_iter().enumerate() {
        world.way.store(at as u8, Ordering::Relaxed);
        world.put("folder", GONE);
        world.put("server", CURRENT);
        let expected = if way == Way::Open { &HELD_BACK[..] } else { &UNWITNESSED[..] };
        assert_eq!(world.held("today").await, expected, "{way:?}");
        if way == Way::Hanging {
            // One that hangs keeps nobody from being confirmed by another.
            world.put("folder", CURRENT);
            assert_eq!(world.held("today").await, HELD_BACK);
        }
    }
    // A folder on a machine that does not answer: whoever opens this file waits for somebody to write into it.
    world.way.store(1, Ordering::Relaxed);
    world.put("folder", CURRENT);
    let ledger = std::fs::read_dir(world.path("folder")).unwrap().next().unwrap().unwrap().path();
    let hangs = ledger.join(format!("{:020}.note", 999_999));
    assert!(Command::new("mkfifo").arg(&hangs).status().unwrap().success());
    let (app, _folder) = world.open("today").await;
    ask_all(&app).await.unwrap();
    assert_eq!(held(&app), UNWITNESSED);
    // It is not asked a second time meanwhile, and goes on when the machine is back.
    ask_all(&app).await.unwrap();
    let mut end = std::fs::File::options().write(true).open(&hangs).unwrap();
    std::io::Write::write_all(&mut end, b"what?").unwrap();
    drop(end);
    std::fs::remove_file(&hangs).unwrap();
    let patient = tokio::time::timeout(house::PATIENCE, async {
        while !held(&app).is_empty() {
            ask_all(&app).await.unwrap();
        }
    });
    patient.await.expect("it is asked again");
}
