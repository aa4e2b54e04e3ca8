//! A whole house on a real socket: floor, register, router. Nothing in it is made up.

#![allow(dead_code, unreachable_pub, reason = "each test file uses a part of it")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use punto_audit::{Auditor, Inputs};
use punto_ledger::{Ledger, Place, TicketKeys, Vault, new_key};
use punto_record::{
    Actor, Command, Deed, HouseEntry, LedgerKind, Person, Release, RoundNo, Seq, Settings, TableId,
    Timestamp, Volume,
};
use punto_rules::{Money, PatronNo};
use punto_server::SocketTimes;
use punto_server::app::{App, Door};
use punto_server::client::{Error, Http, Socket, authenticator};
use punto_server::clock::Clock;
use punto_server::floor::{Floor, FloorPlan, Pace, Secrets};
use punto_server::http::factor::RecoveryCodes;
use punto_server::http::limit::Limit;
use punto_server::http::router;
use punto_server::listen::{Caps, Listen, listen};
use punto_server::pending::Pending;
use punto_server::register::{
    Cost, DeviceKind, Enrolled, FactorOffer, Hands, PasswordAndCode, Register, Source,
};
use punto_server::role::Role;
use punto_server::software::Software;
use punto_server::wire::{Answer, Frame, Hello, PrintedTicket, Reply, Screen, Told};
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::time::timeout;

/// Longer than anything takes that is well.
pub const PATIENCE: Duration = Duration::from_secs(30);

pub const PASSWORD: &str = "a sentence that is long enough";

/// Each opening is a day later than the one before, by the clock of codes: no code comes twice.
const A_DAY: u64 = 24 * 3_600_000;
static WALL: AtomicU64 = AtomicU64::new(1_767_225_600_000);

/// By address: where the apps of its people keep their secrets, which outlive the server, and the clock of codes.
static OPEN: Mutex<BTreeMap<String, (PathBuf, Arc<AtomicU64>)>> = Mutex::new(BTreeMap::new());

fn app_of(folder: &Path, person: &str) -> PathBuf {
    folder.join(format!("app-of-{person}"))
}

fn code(url: &str, person: &str) -> Option<String> {
    let (folder, wall) = OPEN.lock().unwrap().get(url)?.clone();
    let secret = std::fs::read_to_string(app_of(&folder, person)).ok()?;
    let now = wall.fetch_add(30_000, Ordering::Relaxed) + 30_000;
    Some(authenticator::code(&secret, now).unwrap())
}

/// Somebody comes to a screen of somebody else and signs there: password, and a code if they have a second factor.
pub trait SignsAs {
    async fn sign_as(&self, pending: &str, person: &str) -> Result<Pending, Error>;
}

impl SignsAs for Http {
    async fn sign_as(&self, pending: &str, person: &str) -> Result<Pending, Error> {
        let code = code(self.base(), person);
        self.sign_with(pending, person, PASSWORD, code.as_deref()).await
    }
}

pub struct House {
    pub app: App,
    pub url: String,
    pub folder: tempfile::TempDir,
    pub key: [u8; 32],
    /// The port is open as long as this is kept.
    pub close: watch::Sender<bool>,
    /// How many connections there are.
    pub caps: Caps,
    /// The ledger's writer, which has the lock of the file.
    writer: std::thread::JoinHandle<Vault>,
    /// The clock by which codes of second factors go, in milliseconds.
    pub wall: Arc<AtomicU64>,
}

pub fn clock() -> Clock {
    Clock::of_this_machine(Timestamp(0))
}

impl House {
    /// A new house with a ledger on the disk.
    pub async fn new() -> House {
        House::with(clock(), Pace::FLAT_OUT).await
    }

    pub async fn with(clock: Clock, pace: Pace) -> House {
        House::of_kind(LedgerKind::Practice, clock, pace).await
    }

    /// With a ledger of this kind.
    pub async fn of_kind(kind: LedgerKind, clock: Clock, pace: Pace) -> House {
        let folder = tempfile::tempdir().unwrap();
        let key = new_key().unwrap();
        let place = Place::File(folder.path().join("ledger"));
        let release = Release("test".into());
        let vault = Vault::found(&place, kind, key.clone(), clock.now(), release).unwrap();
        drop(vault);
        House::open(folder, key.to_bytes(), clock, pace).await
    }

    /// Opens what is in a folder.
    pub async fn open(folder: tempfile::TempDir, key: [u8; 32], clock: Clock, pace: Pace) -> House {
        House::open_by(folder, key, clock, pace, SocketTimes::default()).await
    }

    /// The same, with screens that may take so long.
    pub async fn open_by(
        folder: tempfile::TempDir,
        key: [u8; 32],
        clock: Clock,
        pace: Pace,
        socket_times: SocketTimes,
    ) -> House {
        let place = Place::File(folder.path().join("ledger"));
        let release = Release("test".into());
        let signing = ed25519_dalek::SigningKey::from_bytes(&key);
        let mut vault = Vault::open(&place, signing, release.clone()).unwrap();
        let (keys, _) = TicketKeys::open_or_make(&folder.path().join("ledger.ticket-key")).unwrap();
        vault.use_ticket_keys(keys, vault.now()).unwrap();
        let kind = vault.kind();
        let (ledger, writer) = Ledger::start(vault);
        let secrets = Secrets::in_folder(&folder.path().join("shoes")).unwrap();
        let plan = FloorPlan { ledger, place, kind, clock, release, secrets, pace };
        let people = Some(folder.path().join("people"));
        let wall = Arc::new(AtomicU64::new(WALL.fetch_add(A_DAY, Ordering::Relaxed)));
        let reads = wall.clone();
        let register = Register::of_ledger(&plan.ledger, people, &plan.clock, Cost::trifling())
            .await
            .unwrap()
            .with_wall(Arc::new(move || reads.load(Ordering::Relaxed)));
        let floor = Floor::open(plan).await.unwrap();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let door = Door { origins: vec![url.clone()], ..Door::default() };
        let software = Software::of_this_program(None).unwrap();
        let mut app = App::new(Arc::new(register), floor, software, door);
        app.socket_times = socket_times;
        app.limit = Limit::new(1_000_000, 1).into();
        let close = watch::Sender::default();
        // All terminals of a test have one address.
        let caps = Caps::new(10_000, 10_000, Vec::new());
        let how = Listen { caps: caps.clone(), ..Listen::default() };
        tokio::spawn(listen(listener, router(app.clone()), how, close.subscribe(), Duration::ZERO));
        OPEN.lock().unwrap().insert(url.clone(), (folder.path().to_owned(), wall.clone()));
        House { app, url, folder, key, close, caps, writer, wall }
    }

    /// A code that was never used; half a minute passes. Nothing for somebody without a second factor.
    pub fn code(&self, person: &str) -> Option<String> {
        code(&self.url, person)
    }

    /// Somebody sets up a second factor; their recovery codes.
    pub async fn enrol_factor(&self, person: &str) -> Vec<String> {
        let http = Http::new(&self.url).unwrap().sign_in(person, PASSWORD).await.unwrap();
        let offer: FactorOffer =
            http.post("/api/factor/offer", &json!({ "password": PASSWORD })).await.unwrap();
        std::fs::write(app_of(self.folder.path(), person), &offer.secret).unwrap();
        let codes: RecoveryCodes =
            http.post("/api/factor", &json!({ "code": self.code(person) })).await.unwrap();
        codes.codes
    }

    /// Hires somebody, who chooses the password of all tests, and sets up a second factor where nobody works without one.
    pub async fn hire(&self, person: &str, role: Role) {
        self.hire_without_factor(person, role).await;
        if self.app.floor.kind().is_house() && role.must_have_factor() {
            self.enrol_factor(person).await;
        }
    }

    /// The same, who has not set one up yet.
    pub async fn hire_without_factor(&self, person: &str, role: Role) {
        let now = self.app.clock.now();
        let hired = self.app.register.hire(person, person, role, now).unwrap();
        let invitation = hired.invitation.unwrap().secret.text();
        self.employed(person, role, true).await;
        let chosen = self.app.register.choose_password_with(&invitation, None, PASSWORD, now, |_| Ok(()));
        let (by, deed) =
            (role.actor(person.parse().expect("a name")), Deed::PasswordChosen { credential: None });
        self.app.deeds.write_with(by, deed, Some(chosen.unwrap().credential)).await.unwrap();
    }

    /// The deed that says what somebody is. In a house the first two Administrators are its founders, who answer for
    /// everybody else.
    pub async fn employed(&self, person: &str, role: Role, enabled: bool) {
        let (id, word): (Person, Arc<str>) = (person.parse().expect("a name"), role.id().into());
        let known = self.app.register.staff(self.app.clock.now()).unwrap();
        let mut founders =
            known.iter().filter(|it| it.role == Role::Administrator && it.person != id).map(|it| &it.person);
        let deed = match (self.app.floor.kind(), founders.next(), founders.next()) {
            (LedgerKind::House, Some(first), Some(second)) => {
                let deed = Deed::StaffChanged {
                    person: id,
                    role: word,
                    enabled,
                    invited: false,
                    name: None,
                    second: Some(second.clone()),
                    reason: Some("as planned".into()),
                    credential: None,
                };
                let (first, second) = (Role::Administrator.actor(first.clone()), second.clone());
                let digest = Some(deed.signed_by(&first));
                let given = Deed::ApprovalGiven { digest, table: None, round: None, factor: None };
                self.app.deeds.write(Role::Administrator.actor(second), given).await.unwrap();
                (first, deed)
            }
            _ => (Actor::House, Deed::staff_changed(id, word, enabled, false)),
        };
        self.app.deeds.write(deed.0, deed.1).await.unwrap();
    }

    /// The token of a new session.
    pub fn session(&self, person: &str) -> String {
        let (code, now) = (self.code(person), self.app.clock.now());
        let given = PasswordAndCode::new(PASSWORD, code.as_deref());
        let signed = self.app.register.sign_in_with(&Source::Unknown, person, &given, now, |_| Ok(()));
        signed.unwrap().secret.text()
    }

    pub async fn http(&self, person: &str) -> Http {
        let (http, code) = (Http::new(&self.url).unwrap(), self.code(person));
        http.sign_in_with(person, PASSWORD, code.as_deref()).await.unwrap()
    }

    pub fn enrol(&self, id: &str, kind: DeviceKind) -> String {
        let (app, id, handle) = (self.app.clone(), id.to_owned(), tokio::runtime::Handle::current());
        // The register is held while the deed is written, which async code must not wait for.
        let enrol = move || {
            let _runtime = handle.enter();
            let write = |enrolled: &Enrolled| {
                let kind = &enrolled.device.kind;
                let deed = Deed::DeviceEnrolled {
                    device: enrolled.device.id.clone(),
                    kind: kind.id().into(),
                    table: kind.table().clone(),
                    patron: kind.patron(),
                    at_box: kind.at_box(),
                    second: None,
                    reason: None,
                    credential: None,
                };
                app.deeds.write_waiting(Actor::House, deed, Some(enrolled.kept()))?;
                Ok::<_, punto_server::register::Error>(())
            };
            app.register.enrol_with(&id, kind, Hands::One, app.clock.now(), write).unwrap().shows()
        };
        std::thread::spawn(enrol).join().unwrap()
    }

    /// Opens a table in the name of an Administrator.
    pub async fn open_table(&self, settings: Settings) {
        if self.app.register.member("adm-1", self.app.clock.now()).is_err() {
            self.hire("adm-1", Role::Administrator).await;
        }
        let http = self.http("adm-1").await;
        let opened: Value = http.post("/api/tables", &json!({ "settings": settings })).await.unwrap();
        assert_eq!(opened["table"], json!(settings.table));
    }

    /// A terminal that has joined and been shown everything.
    pub async fn terminal(&self, table: &str, patron: u32) -> Socket {
        let kind = DeviceKind::Terminal {
            table: table.parse().expect("a name"),
            patron: PatronNo(patron),
            at_box: None,
        };
        let credential = self.enrol(&format!("t-{table}-{patron}"), kind);
        self.terminal_again(table, patron, &credential, None).await
    }

    pub async fn terminal_again(
        &self,
        table: &str,
        patron: u32,
        credential: &str,
        after: Option<punto_record::Seq>,
    ) -> Socket {
        let hello = Hello { after, ..hello(table, Screen::Terminal, Some(credential), None) };
        let by = Actor::Patron { patron: PatronNo(patron) };
        let mut socket = Socket::open(&self.url, hello, by).await.unwrap();
        view(&mut socket).await;
        socket
    }

    /// A console with somebody signed in at it, and their session.
    pub async fn console(&self, table: &str, person: &str, role: Role) -> (Socket, String) {
        if self.app.register.member(person, self.app.clock.now()).is_err() {
            self.hire(person, role).await;
        }
        let session = self.session(person);
        (self.at_screen(table, Screen::Console, (person, role), &session).await, session)
    }

    /// A screen of staff who are hired as they come.
    pub async fn staff(&self, table: &str, screen: Screen, person: &str, role: Role) -> Socket {
        if self.app.register.member(person, self.app.clock.now()).is_err() {
            self.hire(person, role).await;
        }
        let session = self.session(person);
        self.at_screen(table, screen, (person, role), &session).await
    }

    /// A screen with a session that there is.
    pub async fn at_screen(
        &self,
        table: &str,
        screen: Screen,
        (person, role): (&str, Role),
        session: &str,
    ) -> Socket {
        let device = (screen == Screen::Console).then(|| {
            self.enrol(
                &format!("c-{person}-{table}"),
                DeviceKind::Console { table: table.parse().expect("a name") },
            )
        });
        let hello = hello(table, screen, device.as_deref(), Some(session));
        let mut socket =
            Socket::open(&self.url, hello, role.actor(person.parse().expect("a name"))).await.unwrap();
        view(&mut socket).await;
        socket
    }

    /// Credits for a patron, bought at the cage.
    pub async fn buy(&self, table: &str, patron: u32, amount: u64) {
        let mut cage = self.staff(table, Screen::Cage, "cas-1", Role::Cashier).await;
        let amount = Money::new(amount).unwrap();
        let answer = order(&mut cage, Command::BuyCredits { patron: PatronNo(patron), amount }, None).await;
        assert!(matches!(answer, Answer::Done(_)), "{answer:?}");
        cage.hang_up().await;
    }

    /// Closes the house in order, and hands out what is left: the folder.
    pub async fn close(self) -> (tempfile::TempDir, [u8; 32]) {
        let House { app, folder, key, close, writer, .. } = self;
        app.floor.stop().await;
        drop((app, close));
        // Connections that end keep the writer for a moment, and it keeps the lock of the file.
        let ended = async {
            while !writer.is_finished() {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        };
        timeout(PATIENCE, ended).await.expect("the ledger's writer ends with its server");
        (folder, key)
    }

    /// What stands in the house's own volume.
    pub async fn deeds(&self) -> Vec<Deed> {
        let read = self.app.floor.read(|reader| {
            let mut deeds = Vec::new();
            reader.entries_of(&Volume::House, Seq(0), &mut |it| {
                let entry: HouseEntry = serde_json::from_slice(it.bytes).unwrap();
                deeds.push(entry.deed);
                std::ops::ControlFlow::Continue(())
            })?;
            Ok(deeds)
        });
        read.await.unwrap()
    }

    /// What the auditor says about the whole record.
    pub async fn findings(&self) -> Vec<String> {
        self.app.floor.read(|reader| Ok(audit(reader))).await.unwrap()
    }
}

/// Everything the auditor finds.
pub fn audit(reader: &mut punto_ledger::Reader<'_>) -> Vec<String> {
    audit_with(reader, Inputs::default())
}

/// The same, with what is known from elsewhere.
pub fn audit_with(reader: &mut punto_ledger::Reader<'_>, inputs: Inputs) -> Vec<String> {
    let mut auditor = Auditor::new(inputs);
    let mut checkpoints = Vec::new();
    reader.checkpoints(&mut |kept| checkpoints.push(kept)).unwrap();
    for kept in checkpoints {
        auditor.checkpoint(kept.read().unwrap().0);
    }
    let each = &mut |stored: punto_ledger::Stored<'_>| {
        auditor.entry(stored.volume, &stored.sealed());
        std::ops::ControlFlow::Continue(())
    };
    reader.entries(0, each).unwrap();
    let mut tickets = Vec::new();
    reader.tickets(&mut |ticket| tickets.push(ticket)).unwrap();
    auditor.tickets(tickets);
    auditor.register(reader.register().unwrap());
    let mut commits: Vec<punto_record::SignedCommit> = Vec::new();
    reader.signed_commits(&mut |text| commits.push(text.parse().unwrap())).unwrap();
    auditor.commits(commits);
    let audit = auditor.finish();
    assert!(audit.counts.entries > 0, "there is a record");
    audit.findings.iter().map(|finding| format!("{finding:?}")).collect()
}

pub fn hello(table: &str, screen: Screen, device: Option<&str>, session: Option<&str>) -> Hello {
    Hello {
        table: table.parse().expect("a name"),
        screen,
        device: device.map(str::to_owned),
        session: session.map(str::to_owned),
        after: None,
    }
}

/// An electronic table with software cards.
pub fn electronic(table: &str, betting_seconds: u16) -> Settings {
    serde_json::from_value(json!({
        "table": table, "game": "ncb-etg", "layout": "terminal", "decks": 8, "cards": "software",
        "betting_seconds": betting_seconds,
        "other_bets": { "minimum": 100, "maximum": 10_000_000 },
    }))
    .unwrap()
}

/// The next message, in time.
pub async fn next(socket: &mut Socket) -> Told {
    timeout(PATIENCE, socket.next()).await.expect("something is said in time").expect("nobody hangs up")
}

/// Waits for the view.
pub async fn view(socket: &mut Socket) -> Value {
    loop {
        if let Told::View(view) = next(socket).await {
            return *view;
        }
    }
}

/// Waits for a frame that has what is asked for.
pub async fn frame_with(socket: &mut Socket, event: &str) -> Frame {
    loop {
        if let Told::Frame(frame) = next(socket).await
            && frame.events.iter().any(|it| it.kind().id() == event)
        {
            return frame;
        }
    }
}

/// Waits until the view says so.
pub async fn until(socket: &mut Socket, is_so: impl Fn(&Socket) -> bool) {
    while !is_so(socket) {
        next(socket).await;
    }
}

pub fn round(socket: &Socket) -> RoundNo {
    RoundNo(socket.view().at("/round").as_u64().unwrap() as u32)
}

pub fn credits(socket: &Socket) -> u64 {
    socket.view().at("/own/credits").as_u64().unwrap()
}

/// Gives an order and waits for its answer.
pub async fn order(socket: &mut Socket, command: Command, round: Option<RoundNo>) -> Answer {
    let id = socket.order(command, round).await.unwrap();
    answer_to(socket, &id).await
}

pub async fn answer_to(socket: &mut Socket, id: &punto_record::OrderId) -> Answer {
    loop {
        if let Told::Reply(reply) = next(socket).await
            && reply.to == *id
        {
            return reply.answer;
        }
    }
}

/// What a screen was told about an order: its reply, with the ticket to be printed.
pub async fn reply_to(socket: &mut Socket, id: &punto_record::OrderId) -> Reply {
    loop {
        if let Told::Reply(reply) = next(socket).await
            && reply.to == *id
        {
            return reply;
        }
    }
}

/// All credits out; the ticket as it is printed.
pub async fn cash_out(socket: &mut Socket, patron: u32) -> PrintedTicket {
    let out = Command::CashOut { patron: PatronNo(patron), second: None };
    let id = socket.order(out, None).await.unwrap();
    let reply = reply_to(socket, &id).await;
    reply.printed.unwrap_or_else(|| panic!("no ticket: {:?}", reply.answer))
}

/// Redeems what somebody typed or scanned.
pub fn redeem(patron: u32, number: &str) -> Command {
    Command::RedeemTicket { patron: PatronNo(patron), ticket: number.parse().expect("a name") }
}

pub fn wager(patron: u32, bet: &str, stake: u64) -> Command {
    Command::PlaceWager {
        patron: PatronNo(patron),
        box_no: None,
        stance: None,
        bet: bet.parse().expect("a name"),
        stake: Money::new(stake).unwrap(),
    }
}

pub fn table(id: &str) -> TableId {
    id.parse().expect("a name")
}
