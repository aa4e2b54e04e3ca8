//! A house with its door open on a port of its own, and somebody to knock at it: plain HTTP over a socket, so that
//! anything can be said.

#![allow(dead_code, reason = "each test file uses a part of it")]

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::http::Method;
use punto_record::{Actor, Deed, HouseEntry, Sealed, Seq, Timestamp, Volume};
use punto_server::app::{App, Door};
use punto_server::clock::Clock;
use punto_server::floor::{Floor, Pace};
use punto_server::http::limit::Limit;
use punto_server::http::router;
use punto_server::listen::{Listen, listen};
use punto_server::register::{Cost, DeviceKind, Register};
use punto_server::role::Role;
use punto_server::software::Software;
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

pub(crate) const ORIGIN: &str = "http://floor.example:8080";
pub(crate) const PASSWORD: &str = "seven brown horses";

/// How long an answer may take, on a machine that does much else.
const PATIENCE: Duration = Duration::from_secs(60);

/// Who asks, and by what.
#[derive(Clone, Debug)]
pub(crate) enum Who {
    Nobody,
    Bearer(String),
    Cookie { session: String, csrf: Option<String> },
}

#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// All of the head but the date.
    pub(crate) head: Vec<(String, String)>,
    pub(crate) body: Value,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.iter().find(|(it, _)| it == name).map(|(_, value)| value.as_str())
    }

    /// Status and word of an error.
    pub(crate) fn code(&self) -> (u16, &str) {
        (self.status, self.body["error"]["code"].as_str().unwrap_or(""))
    }
}

pub(crate) struct House {
    pub(crate) app: App,
    pub(crate) address: SocketAddr,
    system: Arc<AtomicU64>,
    /// The port is open as long as this is kept.
    close: watch::Sender<bool>,
}

/// What browsers must know and show.
pub(crate) fn door() -> Door {
    Door { origins: vec![ORIGIN.to_owned()], ..Door::default() }
}

impl House {
    pub(crate) async fn open() -> House {
        House::open_at(Cost::trifling()).await
    }

    pub(crate) async fn open_at(cost: Cost) -> House {
        let mut house = House::closed(door(), cost).await;
        house.serve().await;
        house
    }

    pub(crate) async fn open_with(door: Door) -> House {
        let mut house = House::closed(door, Cost::trifling()).await;
        house.serve().await;
        house
    }

    /// Everything but the open door. Nobody is limited.
    pub(crate) async fn closed(door: Door, cost: Cost) -> House {
        let system = Arc::new(AtomicU64::new(1_767_225_600_000));
        let reads = system.clone();
        let clock = Clock::new(Arc::new(move || reads.load(Ordering::Relaxed)), Timestamp(0));
        let floor = Floor::in_memory(clock, Pace::FLAT_OUT).await.expect("a floor");
        let register = Arc::new(Register::memory(cost).expect("a register"));
        let software = Software::of_this_program(None).expect("this program");
        let mut app = App::new(register, floor, software, door);
        app.limit = Limit::new(1_000_000, 1).into();
        House { app, address: ([127, 0, 0, 1], 0).into(), system, close: watch::Sender::default() }
    }

    pub(crate) async fn serve(&mut self) {
        self.serve_by(Listen::default()).await;
    }

    pub(crate) async fn serve_by(&mut self, how: Listen) {
        let listener = TcpListener::bind(self.address).await.expect("a port");
        self.address = listener.local_addr().expect("an address");
        tokio::spawn(listen(listener, router(self.app.clone()), how, self.close.subscribe(), Duration::ZERO));
    }

    /// Time passes.
    pub(crate) fn later(&self, ms: u64) {
        let own = self.app.clock.now().0;
        self.system.store(own + ms, Ordering::Relaxed);
        self.app.clock.look().expect("the clock follows");
    }

    /// Somebody who has chosen a password.
    pub(crate) async fn employ(&self, person: &str, role: Role) {
        let (register, now) = (&self.app.register, self.app.clock.now());
        let invitation = register.hire(person, "Somebody", role, now).expect("hired").invitation;
        let secret = invitation.expect("an invitation").secret.text();
        register.choose_password(&secret, PASSWORD, now).expect("chosen");
        let (person, role) = (person.parse().expect("a name"), role.id().into());
        let deed = Deed::staff_changed(person, role, true, false);
        self.app.deeds.write(Actor::House, deed).await.expect("written down");
    }

    /// A session, straight from the register.
    pub(crate) fn sign_in(&self, person: &str) -> Who {
        let signed = self.app.register.sign_in(person, PASSWORD, self.app.clock.now()).expect("signed in");
        Who::Bearer(signed.secret.text())
    }

    pub(crate) async fn sign_in_by_cookie(&self, person: &str) -> Who {
        let asked = serde_json::json!({"person": person, "password": PASSWORD});
        let answer = self.post("/api/session", &Who::Nobody, asked).await;
        let cookie = answer.header("set-cookie").expect("a cookie");
        let session = cookie.split(['=', ';']).nth(1).expect("its value").to_owned();
        Who::Cookie { session, csrf: answer.body["csrf"].as_str().map(str::to_owned) }
    }

    pub(crate) fn enrol(&self, device: &str, kind: DeviceKind) -> Who {
        let enrolled = self.app.register.enrol(device, kind, self.app.clock.now()).expect("enrolled");
        Who::Bearer(enrolled.credential.text())
    }

    pub(crate) async fn get(&self, path: &str, who: &Who) -> Answer {
        self.ask_as(Method::GET, path, who, None).await
    }

    /// What is answered that is not JSON.
    pub(crate) async fn text(&self, path: &str, who: &Who) -> String {
        let headers = shows(who);
        let headers: Vec<(&str, &str)> =
            headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let mut stream = TcpStream::connect(self.address).await.expect("connected");
        stream.write_all(&request(&Method::GET, path, &headers, None)).await.expect("said");
        let mut heard = String::new();
        stream.read_to_string(&mut heard).await.expect("an answer");
        heard.split_once("\r\n\r\n").expect("a body").1.to_owned()
    }

    pub(crate) async fn delete(&self, path: &str, who: &Who) -> Answer {
        self.ask_as(Method::DELETE, path, who, None).await
    }

    pub(crate) async fn post(&self, path: &str, who: &Who, body: Value) -> Answer {
        self.ask_json(Method::POST, path, who, body).await
    }

    pub(crate) async fn patch(&self, path: &str, who: &Who, body: Value) -> Answer {
        self.ask_json(Method::PATCH, path, who, body).await
    }

    pub(crate) async fn post_from(&self, origin: &str, path: &str, who: &Who, body: Value) -> Answer {
        let mut headers = shows(who);
        headers.push(("origin", origin.to_owned()));
        self.ask_with(Method::POST, path, headers, Some(body.to_string().as_bytes())).await
    }

    pub(crate) async fn ask_json(&self, method: Method, path: &str, who: &Who, body: Value) -> Answer {
        self.ask_as(method, path, who, Some(body.to_string().as_bytes())).await
    }

    /// A body that says that it is JSON.
    pub(crate) async fn ask_as(&self, method: Method, path: &str, who: &Who, body: Option<&[u8]>) -> Answer {
        self.ask_with(method, path, shows(who), body).await
    }

    async fn ask_with(
        &self,
        method: Method,
        path: &str,
        mut headers: Vec<(&str, String)>,
        body: Option<&[u8]>,
    ) -> Answer {
        if body.is_some() {
            headers.push(("content-type", "application/json".to_owned()));
        }
        let headers: Vec<(&str, &str)> =
            headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        self.ask(method, path, &headers, body).await
    }

    pub(crate) async fn ask(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<&[u8]>,
    ) -> Answer {
        let asked = async {
            let mut stream = TcpStream::connect(self.address).await.expect("connected");
            // A server that does not want to read it all may hang up before it was all said.
            let _ = stream.write_all(&request(&method, path, headers, body)).await;
            let mut bytes = Vec::new();
            let _ = stream.read_to_end(&mut bytes).await;
            bytes
        };
        let bytes = tokio::time::timeout(PATIENCE, asked).await.expect("an answer in time");
        read(&bytes)
    }

    pub(crate) async fn say_and_hang_up(&self, path: &str, body: Value) {
        let mut stream = TcpStream::connect(self.address).await.expect("connected");
        let json = [("content-type", "application/json")];
        let body = body.to_string();
        let request = request(&Method::POST, path, &json, Some(body.as_bytes()));
        stream.write_all(&request).await.expect("said");
    }

    /// The house's volume, as it is stored.
    pub(crate) async fn stored(&self) -> Vec<(Volume, Sealed)> {
        let read = self.app.floor.read(|reader| {
            let mut stored = Vec::new();
            reader.entries_of(&Volume::House, Seq(0), &mut |it| {
                let sealed = Sealed { seq: it.seq, bytes: it.bytes.to_vec(), chain: it.link };
                stored.push((Volume::House, sealed));
                std::ops::ControlFlow::Continue(())
            })?;
            Ok(stored)
        });
        read.await.expect("read")
    }

    pub(crate) async fn deeds(&self) -> Vec<HouseEntry> {
        let stored = self.stored().await;
        stored.iter().map(|(_, it)| serde_json::from_slice(&it.bytes).expect("a deed")).collect()
    }
}

fn shows(who: &Who) -> Vec<(&'static str, String)> {
    match who {
        Who::Nobody => Vec::new(),
        Who::Bearer(token) => vec![("authorization", format!("Bearer {token}"))],
        Who::Cookie { session, csrf } => {
            let cookie = ("cookie", format!("theme=dark; punto-session={session}"));
            [cookie].into_iter().chain(csrf.clone().map(|csrf| ("x-punto-csrf", csrf))).collect()
        }
    }
}

fn request(method: &Method, path: &str, headers: &[(&str, &str)], body: Option<&[u8]>) -> Vec<u8> {
    let mut head = format!("{method} {path} HTTP/1.1\r\nhost: floor.example\r\nconnection: close\r\n");
    for (name, value) in headers {
        head += &format!("{name}: {value}\r\n");
    }
    if let Some(body) = body {
        head += &format!("content-length: {}\r\n", body.len());
    }
    let mut bytes = (head + "\r\n").into_bytes();
    bytes.extend(body.unwrap_or_default());
    bytes
}

fn read(bytes: &[u8]) -> Answer {
    let text = String::from_utf8_lossy(bytes);
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {text:?}"));
    let mut lines = head.lines();
    let status = lines.next().and_then(|line| line.split(' ').nth(1)?.parse().ok()).expect("a status");
    let pair = |line: &str| line.split_once(": ").map(|(name, value)| (name.to_owned(), value.to_owned()));
    let head = lines.filter_map(pair).filter(|(name, _)| name != "date").collect();
    Answer { status, head, body: serde_json::from_str(body).unwrap_or(Value::Null) }
}
