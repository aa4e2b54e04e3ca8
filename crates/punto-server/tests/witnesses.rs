//! A house is opened with ledgers that go on from what its witnesses signed and with ledgers that do not, and with witnesses that
//! answer, hang, forget or say anything: whether a Round may open.

use crate::house;
use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use crate::house::{House, SignsAs as _, clock};
use ed25519_dalek::SigningKey;
use punto_ledger::{Ledger, Place, TicketKeys, Vault};
use punto_record::{Actor, Deed, Digest, LedgerKind, Origin, PublicKey, Release};
use punto_server::app::{App, Door};
use punto_server::client::Http;
use punto_server::floor::{Floor, FloorPlan, Hold, Pace, Secrets};
use punto_server::http::witnesses::WitnessList;
use punto_server::pending::Pending;
use punto_server::register::{Cost, Register};
use punto_server::role::Role;
use punto_server::software::Software;
use punto_server::witness::{
    History, Roots, WitnessOptions, WitnessState, Witnessing, ask_all, serve_witness,
};
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
        Server::start_with(folder, ledger, keys, None)
    }

    fn start_with(
        folder: &Path,
        ledger: Digest,
        keys: Vec<PublicKey>,
        tls: Option<(PathBuf, PathBuf)>,
    ) -> Server {
        let (stop, stopped) = watch::channel(false);
        let (told, ready) = mpsc::channel();
        let options = WitnessOptions {
            address: "127.0.0.1:0".parse().unwrap(),
            folder: folder.to_owned(),
            name: "witness.example/w1".into(),
            key: SigningKey::from_bytes(&[9; 32]),
            logs: BTreeMap::from([(Origin { ledger, after_loss: None }, keys)]),
            tls,
        };
        std::thread::spawn(move || serve_witness(options, |it| told.send(it.clone()).unwrap(), stopped));
        let ready = ready.recv().unwrap();
        let address = ready.url.split_once("://").unwrap().1.parse().unwrap();
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
    http.sign_as(&pending.pending, "sm-1").await.map_err(words)?;
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
        assert!(
            list.witnesses.iter().all(|it| it.lag == 0 && it.state == WitnessState::Confirmed),
            "{list:?}"
        );
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
        let mut vault = Vault::open(&place, SigningKey::from_bytes(&self.key), release.clone()).unwrap();
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
        let mut app = App::new(Arc::new(register), floor, self.software.clone(), Door::default());
        app.witnesses = Witnessing::default().patient_for(Duration::from_millis(600));
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

impl World {
    /// The same as a whole house that people can sign in at.
    async fn house(&self, ledger: &str) -> House {
        let folder = tempfile::tempdir().unwrap();
        let copied =
            Command::new("cp").arg("-r").arg(self.path(ledger).join(".")).arg(folder.path()).status();
        assert!(copied.unwrap().success());
        House::open(folder, self.key, clock(), Pace::FLAT_OUT).await
    }
}

async fn listed(http: &Http) -> WitnessList {
    http.get("/api/witnesses").await.unwrap()
}

fn given(reason: &str) -> Value {
    json!({ "second": "sm-1", "reason": reason })
}

const OPEN: &str = "/api/witnesses/unwitnessed/pending";
const LOSS: &str = "/api/witnesses/losses/pending";
const CHANGE: &str = "/api/witnesses/pending";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_people_open_without_a_witness_and_it_is_checked_as_soon_as_one_answers() {
    let world = World::new().await;
    for (ledger, then) in [("today", &HELD_BACK[..]), ("same-size", &CONTESTED[..])] {
        world.put("folder", GONE);
        world.way.store(1, Ordering::Relaxed);
        let house = world.house(ledger).await;
        let http = house.http("adm-1").await;
        // Before every witness was asked nobody can know that none answers.
        assert!(two(&http, OPEN, &given("the line is cut")).await.unwrap_err().contains("not-now"));
        ask_all(&house.app).await.unwrap();
        assert_eq!(held(&house.app), UNWITNESSED);
        let health: Value = http.get("/api/health").await.unwrap();
        assert_eq!(
            (&health["history"], &health["no_further_round"]),
            (&json!("unwitnessed"), &json!(UNWITNESSED))
        );
        assert!(two(&http, OPEN, &given(" ")).await.is_err(), "a reason is given");
        two(&http, OPEN, &given("the line is cut")).await.unwrap();
        assert_eq!(held(&house.app), HELD_BACK);
        assert!(two(&http, OPEN, &given("once more")).await.unwrap_err().contains("not-now"));
        ask_all(&house.app).await.unwrap();
        assert_eq!(held(&house.app), HELD_BACK);
        world.put("folder", CURRENT);
        ask_all(&house.app).await.unwrap();
        assert_eq!(held(&house.app), then, "{ledger}");
        assert_eq!(house.findings().await, Vec::<String>::new());
        // The next start knows what was found, though that witness cannot be reached any more and the other one says nothing.
        let (folder, key) = house.close().await;
        world.put("folder", GONE);
        let again = House::open(folder, key, clock(), Pace::FLAT_OUT).await;
        ask_all(&again.app).await.unwrap();
        assert_eq!(held(&again.app).contains(&CONTESTED[0]), !then.is_empty());
        assert!(held(&again.app).contains(&UNWITNESSED[0]));
        again.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_loss_is_declared_by_two_and_both_histories_stay_at_the_witness() {
    let world = World::new().await;
    let house = world.house("yesterday").await;
    let http = house.http("adm-1").await;
    ask_all(&house.app).await.unwrap();
    assert_eq!(held(&house.app), CONTESTED);
    let list = listed(&http).await;
    assert_eq!(list.history, History::Contested);
    let other = |name: &str| {
        list.witnesses.iter().find(|it| it.witness.as_str() == name).unwrap().other.clone().unwrap()
    };
    let (folder, server) = (other("folder"), other("server"));
    // A folder has all notes, and knows where they part; a server tells what it has last.
    assert!(0 < folder.from && folder.from < folder.to, "{folder:?}");
    assert_eq!((server.to, server.root), (folder.to, folder.root));
    let lose = |witness: &str, to: u64| json!({ "witness": witness, "to": to, "second": "sm-1", "reason": "restored" });
    let contested = list.witnesses.iter().all(|it| it.contested.is_some());
    assert!(contested, "it stands in the record: {list:?}");

    // Nobody alone, nothing else than what it has, and not by leaving the witness out.
    assert!(two(&http, LOSS, &lose("folder", folder.to - 1)).await.unwrap_err().contains("not-now"));
    assert!(two(&http, LOSS, &lose("nobody", folder.to)).await.is_err());
    let away = named("folder", "folder:/nowhere", None, false);
    assert!(two(&http, CHANGE, &away).await.unwrap_err().contains("not-now"));
    let alone: Pending = http.post(LOSS, &lose("folder", folder.to)).await.unwrap();
    let signed = json!({ "pending": alone.pending });
    assert!(
        http.post::<Value>("/api/witnesses", &signed)
            .await
            .unwrap_err()
            .to_string()
            .contains("approval-needed")
    );

    two(&http, LOSS, &lose("folder", folder.to)).await.unwrap();
    assert_eq!(held(&house.app), CONTESTED, "the other one is still contested");
    two(&http, LOSS, &lose("server", server.to)).await.unwrap();
    assert_eq!(held(&house.app), HELD_BACK);
    ask_all(&house.app).await.unwrap();
    let list = listed(&http).await;
    assert_eq!((held(&house.app).as_slice(), list.history), (&HELD_BACK[..], History::Confirmed));
    for witness in ["folder", "server"] {
        let histories = std::fs::read_dir(world.path(witness)).unwrap();
        let folders = histories.filter(|it| it.as_ref().unwrap().file_type().unwrap().is_dir()).count();
        assert_eq!(folders, 2, "{witness}");
    }
    let findings = house.findings().await;
    assert_eq!(findings, Vec::<String>::new());

    // What was declared lost cannot come back unseen.
    house.close().await;
    let (app, _folder) = world.open("longer").await;
    ask_all(&app).await.unwrap();
    assert_eq!(held(&app), CONTESTED);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_witness_is_named_changed_and_removed_by_two() {
    let house = staffed().await;
    house.hire("d-1", Role::Dealer).await;
    house.hire("aud-1", Role::Auditor).await;
    let http = house.http("adm-1").await;
    assert_eq!(listed(&http).await.history, History::NotCompared);
    let health: Value = http.get("/api/health").await.unwrap();
    assert_eq!(health["history"], json!("not-compared"));
    assert_eq!(held(&house.app), HELD_BACK, "a house that names none opens as before");
    let safe = tempfile::tempdir().unwrap();
    let address = format!("folder:{}", safe.path().display());
    for bad in [
        named("safe", "folder:safe", None, true),
        named("safe", "/mnt/safe", None, true),
        named("safe", &address, Some("w+00000000+AAAA"), true),
        named("safe", "https://witness.example", None, true),
        named("safe", "https://witness.example", Some("w"), true),
        named("safe", &address, None, false),
        named("a safe", &address, None, true),
    ] {
        assert!(two(&http, CHANGE, &bad).await.is_err(), "{bad}");
    }
    // Neither alone nor with somebody who has no standing, and by an Administrator only.
    let with = |second: &str| json!({ "witness": "safe", "address": address, "in_use": true, "second": second, "reason": "as planned" });
    for second in ["adm-1", "d-1", "nobody"] {
        assert!(http.post::<Pending>(CHANGE, &with(second)).await.is_err(), "{second}");
    }
    for person in ["sm-1", "aud-1", "d-1"] {
        let asked = house.http(person).await.post::<Pending>(CHANGE, &with("adm-2")).await;
        assert!(asked.is_err(), "{person}");
    }
    // Nor past the doors: the vault refuses as well.
    for second in ["adm-1", "d-1"] {
        let (witness, reason) = ("safe", || "as planned".into());
        let changed = Deed::WitnessChanged {
            witness: witness.into(),
            address: address.as_str().into(),
            key: None,
            in_use: true,
            second: second.into(),
            reason: reason(),
        };
        let opened = Deed::OpenedUnwitnessed { second: second.into(), reason: reason() };
        let lost = Deed::LossDeclared {
            witness: witness.into(),
            from: 1,
            to: 2,
            root: None,
            second: second.into(),
            reason: reason(),
        };
        for deed in [changed, opened, lost] {
            let by = Role::Administrator.actor("adm-1".into());
            assert!(house.app.deeds.write(by, deed.clone()).await.is_err(), "{deed:?}");
            assert!(house.app.deeds.write(Actor::House, deed.clone()).await.is_err(), "{deed:?}");
        }
    }
    two(&http, CHANGE, &with("sm-1")).await.unwrap();
    ask_all(&house.app).await.unwrap();
    assert_eq!(listed(&http).await.history, History::Confirmed);

    // Emptied behind our back: it confirms nothing any more, until two people name it again.
    let ledger = std::fs::read_dir(safe.path()).unwrap().next().unwrap().unwrap().path();
    std::fs::remove_dir_all(&ledger).unwrap();
    go_on(&house.app, "more", 1).await;
    ask_all(&house.app).await.unwrap();
    let witness = listed(&http).await.witnesses.remove(0);
    assert!(witness.lag > 0 && witness.words.as_ref().is_some_and(|it| it.contains("had")), "{witness:?}");
    assert!(!ledger.exists(), "what was forgotten is not begun anew");
    two(&http, CHANGE, &with("sm-1")).await.unwrap();
    ask_all(&house.app).await.unwrap();
    let witness = listed(&http).await.witnesses.remove(0);
    assert_eq!((witness.state, witness.words), (WitnessState::Confirmed, None));

    // One that cannot be reached does not interrupt play when it is named, and is what the next start waits for. One that
    // begins then with what it is shown proves nothing, and takes two people as well.
    two(&http, CHANGE, &named("safe", &address, None, false)).await.unwrap();
    let late = safe.path().join("late");
    two(&http, CHANGE, &named("late", &format!("folder:{}", late.display()), None, true)).await.unwrap();
    ask_all(&house.app).await.unwrap();
    assert_eq!(held(&house.app), HELD_BACK);
    let (folder, key) = house.close().await;
    std::fs::create_dir(&late).unwrap();
    let house = House::open(folder, key, clock(), Pace::FLAT_OUT).await;
    let http = house.http("adm-1").await;
    ask_all(&house.app).await.unwrap();
    let list = listed(&http).await;
    assert_eq!((held(&house.app).as_slice(), list.history), (&UNWITNESSED[..], History::Unwitnessed));
    assert_eq!(list.witnesses[0].state, WitnessState::Confirmed);
    go_on(&house.app, "more", 1).await;
    ask_all(&house.app).await.unwrap();
    assert_eq!(held(&house.app), UNWITNESSED);
    two(&http, OPEN, &given("it is new")).await.unwrap();
    assert_eq!(
        (held(&house.app).as_slice(), listed(&http).await.history),
        (&HELD_BACK[..], History::Confirmed)
    );

    two(&http, CHANGE, &named("late", &format!("folder:{}", late.display()), None, false)).await.unwrap();
    assert_eq!(listed(&http).await.witnesses, []);
    assert_eq!(house.findings().await, Vec::<String>::new());
    house.close().await;
}

/// The sentences of c2sp.org/tlog-witness, one after another.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_witness_server_keeps_to_the_standard() {
    use punto_record::{AddCheckpoint, Note, NoteSignature, TreeHead, WitnessKey, digest, merkle::Tree};
    let (log, other) = (SigningKey::from_bytes(&[3; 32]), SigningKey::from_bytes(&[4; 32]));
    let folder = tempfile::tempdir().unwrap();
    let origin = Origin { ledger: Digest([5; 32]), after_loss: None };
    let server = Server::start(folder.path(), origin.ledger, vec![PublicKey::of(&log)]);
    let key: WitnessKey = server.key.parse().unwrap();
    let (mut tree, mut fork) = (Tree::default(), Tree::default());
    for n in 0..20_u8 {
        tree.push(digest(&[n]));
        fork.push(digest(&[n.min(7)]));
    }
    let head = |tree: &Tree, size| TreeHead { origin, size, root: tree.root_at(size).unwrap() };
    let asked = |tree: &Tree, old: u64, size: u64| {
        let path = if old == 0 { Vec::new() } else { tree.consistency(old, size).unwrap() };
        AddCheckpoint { old, path, note: head(tree, size).sign(&log) }
    };
    let to = server.address;
    let send = |method: &'static str, path: String, body: String| async move {
        let mut stream = TcpStream::connect(to).await.unwrap();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: {to}\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all((head + &body).as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        let status: u16 = answer[9..12].parse().unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (status, head.to_lowercase(), body.to_owned())
    };
    let add = |asked: AddCheckpoint| send("POST", "/add-checkpoint".to_owned(), asked.to_string());
    let status = |answer: (u16, String, String)| answer.0;

    assert_eq!(status(send("POST", "/add-checkpoint".into(), "old 1".into()).await), 400);
    let elsewhere = TreeHead { origin: Origin { ledger: Digest([6; 32]), ..origin }, ..head(&tree, 5) };
    let unknown = AddCheckpoint { old: 0, path: Vec::new(), note: elsewhere.sign(&log) };
    assert_eq!(status(add(unknown).await), 404);
    let forged = AddCheckpoint { old: 0, path: Vec::new(), note: head(&tree, 5).sign(&other) };
    assert_eq!(status(add(forged).await), 403);
    assert_eq!(status(add(AddCheckpoint { old: 6, ..asked(&tree, 0, 5) }).await), 400);
    // The first one: without a proof, from nothing.
    let (conflict, kind, size) = add(asked(&tree, 3, 5)).await;
    assert!(
        (conflict, size.as_str()) == (409, "0\n") && kind.contains("content-type: text/x.tlog.size"),
        "{kind}"
    );
    assert_eq!(status(add(AddCheckpoint { path: vec![Digest([1; 32])], ..asked(&tree, 0, 5) }).await), 422);
    let signs = |answer: (u16, String, String), size: u64| {
        assert_eq!(answer.0, 200);
        let signature: NoteSignature = answer.2.trim_end().parse().unwrap();
        assert!(key.cosigned(&head(&tree, size), &signature).is_some());
    };
    signs(add(asked(&tree, 0, 5)).await, 5);
    signs(add(asked(&tree, 5, 5)).await, 5);
    signs(add(asked(&tree, 5, 13)).await, 13);
    assert_eq!(add(asked(&tree, 5, 13)).await.2, "13\n");
    assert_eq!(add(asked(&tree, 0, 20)).await.2, "13\n");
    // Forks: of the same size, longer with its own proof, longer with the good one's proof, and shorter.
    assert_eq!(status(add(asked(&fork, 13, 13)).await), 409);
    assert_eq!(status(add(asked(&fork, 13, 20)).await), 422);
    assert_eq!(
        status(add(AddCheckpoint { note: head(&fork, 20).sign(&log), ..asked(&tree, 13, 20) }).await),
        422
    );
    assert_eq!(status(add(asked(&fork, 9, 12)).await), 409);
    // What it has is what everybody can fetch, signed by both.
    let (_, _, text) = send("GET", format!("/checkpoint/{origin}"), String::new()).await;
    let note: Note = text.parse().unwrap();
    assert!(
        note.head == head(&tree, 13)
            && note.is_signed_by(PublicKey::of(&log))
            && note.cosigned_at(&key).is_some()
    );
    assert_eq!(send("GET", "/".to_owned(), String::new()).await.2, format!("{origin} 13\n"));

    // Two at once from the same size: one of them is kept.
    let (one, two) = tokio::join!(add(asked(&tree, 13, 16)), add(asked(&fork, 13, 16)));
    assert!(one.0 == 200 && two.0 != 200, "{one:?} {two:?}");
    let answers =
        tokio::join!(add(asked(&tree, 16, 18)), add(asked(&tree, 16, 19)), add(asked(&tree, 16, 20)));
    let done = [answers.0, answers.1, answers.2].into_iter().filter(|it| it.0 == 200).count();
    assert_eq!(done, 1);
    // Another witness in the same folder would compare with other notes.
    let options = WitnessOptions {
        address: "127.0.0.1:0".parse().unwrap(),
        folder: folder.path().to_owned(),
        name: "w".into(),
        key: SigningKey::from_bytes(&[9; 32]),
        logs: BTreeMap::new(),
        tls: None,
    };
    let refused =
        std::thread::spawn(move || serve_witness(options, |_| {}, watch::channel(false).1).is_err());
    assert!(refused.join().unwrap());
}

/// A witness over TLS is believed by a certificate that the given root vouches for, and by its own key besides.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn over_tls_a_witness_is_known_by_certificate_and_key() {
    let mut house = staffed().await;
    let files = tempfile::tempdir().unwrap();
    let certified = |name: &str| {
        let made = rcgen::generate_simple_self_signed(vec!["127.0.0.1".to_owned()]).unwrap();
        let (certificate, key) =
            (files.path().join(format!("{name}.pem")), files.path().join(format!("{name}.key")));
        std::fs::write(&certificate, made.cert.pem()).unwrap();
        std::fs::write(&key, made.signing_key.serialize_pem()).unwrap();
        std::fs::set_permissions(&key, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
        (certificate, key)
    };
    let (own, other) = (certified("own"), certified("other"));
    let (ledger, keys) = ledger_of(&house.app).await;
    let server = Server::start_with(&files.path().join("notes"), ledger, keys, Some(own.clone()));
    let http = house.http("adm-1").await;
    let url = format!("https://{}", server.address);
    two(&http, CHANGE, &named("w", &url, Some(&server.key), true)).await.unwrap();
    let roots = |path: &Path| Roots::from_pem(&std::fs::read(path).unwrap()).unwrap();
    for (believed, state) in [
        (Roots::System, WitnessState::Unreachable),
        (roots(&other.0), WitnessState::Unreachable),
        (roots(&own.0), WitnessState::Confirmed),
    ] {
        house.app.witnesses = Witnessing::believing(believed);
        ask_all(&house.app).await.unwrap();
        let now = house.app.witnesses.history();
        assert_eq!(now == History::Confirmed, state == WitnessState::Confirmed, "{state:?}");
    }
    assert!(Roots::from_pem(b"nothing").is_err());
    // The right machine, and another key than the one that the house was given.
    let stranger = punto_record::WitnessKey {
        name: "witness.example/w1".into(),
        key: PublicKey::of(&SigningKey::from_bytes(&[8; 32])),
    };
    two(&http, CHANGE, &named("w", &url, Some(&stranger.to_string()), true)).await.unwrap();
    ask_all(&house.app).await.unwrap();
    assert_eq!(house.app.witnesses.history(), History::Unwitnessed);
    house.close().await;
}
