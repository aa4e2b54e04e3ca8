//! The baselines: as bare as a competent engineer would write them on the same stack.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::SocketAddr;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use axum::Router;
use axum::extract::ws::{Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::routing::get;
use axum::serve::ListenerExt as _;
use futures_util::{SinkExt as _, StreamExt as _};
use punto_server::client::Socket;
use punto_server::floor::Pace;
use punto_server::wire::{Said, Told};
use tokio::net::TcpStream;
use tokio::sync::{broadcast, mpsc, oneshot};
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config, tungstenite};

use super::house::{self, House, electronic};

const BUFFER: usize = 4 * 1024;

/// A socket without anything.
pub(crate) struct Client(WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Client {
    pub(crate) async fn open(url: &str, hello: Option<&Said>) -> Client {
        let address = format!("{}/api/socket", url.replace("http://", "ws://"));
        let config = WebSocketConfig::default().read_buffer_size(BUFFER).write_buffer_size(BUFFER);
        let (stream, _) = connect_async_with_config(address, Some(config), true).await.expect("a socket");
        let mut client = Client(stream);
        if let Some(hello) = hello {
            client.say(serde_json::to_string(hello).expect("JSON")).await;
            client.hear(|text| text.starts_with("{\"view\"")).await;
        }
        client
    }

    pub(crate) async fn say(&mut self, text: String) {
        self.0.send(tungstenite::Message::Text(text.into())).await.expect("sent");
    }

    /// The next message of a kind.
    pub(crate) async fn hear(&mut self, is_it: impl Fn(&str) -> bool) -> String {
        loop {
            match self.0.next().await {
                Some(Ok(tungstenite::Message::Text(text))) if is_it(&text) => return text.to_string(),
                Some(Ok(_)) => {}
                other => panic!("the server hung up: {other:?}"),
            }
        }
    }
}

/// Waits for a reply.
pub(crate) async fn reply(socket: &mut Socket) {
    while !matches!(socket.next().await.expect("nobody hangs up"), Told::Reply(_)) {}
}

/// A bare server.
pub(crate) struct Bare {
    url: String,
    go: broadcast::Sender<()>,
}

type Insert = (Utf8Bytes, oneshot::Sender<()>);

impl Bare {
    async fn serve(
        talk: impl Fn(WebSocket) -> Talking + Clone + Send + Sync + 'static,
        go: broadcast::Sender<()>,
    ) -> Bare {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let upgrade = move |upgrade: WebSocketUpgrade| {
            let talk = talk.clone();
            async move {
                upgrade
                    .read_buffer_size(BUFFER)
                    .write_buffer_size(BUFFER)
                    .max_write_buffer_size(usize::MAX)
                    .on_upgrade(talk)
            }
        };
        let router = Router::new().route("/api/socket", get(upgrade));
        let service = router.into_make_service_with_connect_info::<SocketAddr>();
        let listener = listener.tap_io(|stream| stream.set_nodelay(true).expect("a socket"));
        tokio::spawn(async move { axum::serve(listener, service).await });
        Bare { url, go }
    }

    /// A message comes back as it is.
    pub(crate) async fn echo() -> Bare {
        let talk = |mut socket: WebSocket| -> Talking {
            Box::pin(async move {
                while let Some(Ok(message)) = socket.recv().await {
                    if socket.send(message).await.is_err() {
                        return;
                    }
                }
            })
        };
        Bare::serve(talk, broadcast::channel(1).0).await
    }

    /// A message is inserted and acknowledged when its group is committed.
    pub(crate) async fn durable() -> Bare {
        let (insert, mut waiting) = mpsc::channel::<Insert>(16 * 1024);
        std::thread::spawn(move || {
            let folder = tempfile::tempdir().expect("a folder");
            let store = rusqlite::Connection::open(folder.path().join("bare")).expect("a file");
            store
                .execute_batch(
                    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
                     CREATE TABLE entry (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT;",
                )
                .expect("a table");
            let mut answers = Vec::new();
            while let Some(first) = waiting.blocking_recv() {
                store.execute_batch("BEGIN IMMEDIATE").expect("begun");
                let mut next = Some(first);
                {
                    let mut statement =
                        store.prepare_cached("INSERT INTO entry (bytes) VALUES (?1)").expect("a statement");
                    while let Some((bytes, answer)) = next.take() {
                        statement.execute([bytes.as_bytes()]).expect("inserted");
                        answers.push(answer);
                        next = if answers.len() < 8192 { waiting.try_recv().ok() } else { None };
                    }
                }
                store.execute_batch("COMMIT").expect("committed");
                for answer in answers.drain(..) {
                    let _ = answer.send(());
                }
            }
        });
        let talk = move |mut socket: WebSocket| -> Talking {
            let insert = insert.clone();
            Box::pin(async move {
                while let Some(Ok(Message::Text(text))) = socket.recv().await {
                    let (answer, answered) = oneshot::channel();
                    if insert.send((text, answer)).await.is_err() || answered.await.is_err() {
                        return;
                    }
                    let acknowledged =
                        "{\"reply\":{\"to\":{\"device\":\"t-etg-1-1\",\"n\":1},\"answer\":{\"done\":1}}}";
                    if socket.send(Message::Text(acknowledged.into())).await.is_err() {
                        return;
                    }
                }
            })
        };
        Bare::serve(talk, broadcast::channel(1).0).await
    }

    /// These two messages to everybody, when it is time.
    pub(crate) async fn broadcast(messages: [String; 2]) -> Bare {
        let (go, _) = broadcast::channel(1);
        let messages: Arc<[Utf8Bytes; 2]> = Arc::new(messages.map(Utf8Bytes::from));
        let when = go.clone();
        let talk = move |mut socket: WebSocket| -> Talking {
            let (mut when, messages) = (when.subscribe(), messages.clone());
            Box::pin(async move {
                if when.recv().await.is_ok() {
                    for message in messages.iter() {
                        let _ = socket.feed(Message::Text(message.clone())).await;
                    }
                    let _ = socket.flush().await;
                }
                while let Some(Ok(_)) = socket.recv().await {}
            })
        };
        Bare::serve(talk, go).await
    }

    pub(crate) async fn clients(&self, count: u32) -> Vec<Client> {
        let mut clients = Vec::new();
        for _ in 0..count {
            clients.push(Client::open(&self.url, None).await);
        }
        clients
    }

    pub(crate) fn go(&self) {
        self.go.send(()).expect("somebody listens");
    }
}

type Talking = std::pin::Pin<Box<dyn Future<Output = ()> + Send>>;

/// What a bare write and sync takes now, in milliseconds: the median of some.
pub(crate) fn sync_probe() -> f64 {
    let folder = tempfile::tempdir().expect("a folder");
    let mut file = File::create(folder.path().join("probe")).expect("a file");
    let mut took: Vec<f64> = (0..50)
        .map(|_| {
            let start = Instant::now();
            file.write_all(&[7; 4096]).expect("written");
            file.sync_data().expect("synced");
            start.elapsed().as_secs_f64() * 1000.0
        })
        .collect();
    took.sort_by(f64::total_cmp);
    took[took.len() / 2]
}

/// The time that a frame says it was sent at.
pub(crate) fn time_in(frame: &str) -> u64 {
    let value: serde_json::Value = serde_json::from_str(frame).expect("JSON");
    value["frame"]["now"].as_u64().expect("a time")
}

pub(crate) fn now_ms() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_millis() as u64
}

/// A house in a process of its own, with so many tables; says where it is and the credentials of 2,000 terminals.
pub(crate) async fn serve(tables: u32) {
    let house = House::with(house::clock(), Pace::FLAT_OUT).await;
    for table in 1..=tables {
        house.open_table(electronic(&format!("etg-{table}"), 600)).await;
    }
    println!("{}", house.url);
    if tables == 1 {
        for patron in 1..=2_000 {
            let kind = punto_server::register::DeviceKind::Terminal {
                table: "etg-1".into(),
                patron: punto_rules::PatronNo(patron),
                at_box: None,
            };
            println!("{}", house.enrol(&format!("t-{patron}"), kind));
        }
    }
    println!("ready");
    std::future::pending::<()>().await;
}

struct Child(std::process::Child);

impl Drop for Child {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Child {
    fn start(tables: u32) -> (Child, Vec<String>) {
        let program = std::env::current_exe().expect("this program");
        let mut child = Command::new(program)
            .args(["serve", &tables.to_string()])
            .stdout(Stdio::piped())
            .spawn()
            .expect("a process");
        let lines = BufReader::new(child.stdout.take().expect("its output")).lines();
        let said = lines.map(|line| line.expect("a line")).take_while(|line| line != "ready").collect();
        (Child(child), said)
    }

    fn stat(&self, name: &str) -> String {
        std::fs::read_to_string(format!("/proc/{}/{name}", self.0.id())).expect("the process is there")
    }

    fn resident(&self) -> u64 {
        let pages: u64 = self.stat("statm").split(' ').nth(1).expect("a figure").parse().expect("a figure");
        pages * 4096
    }

    /// CPU time so far, in seconds.
    fn cpu(&self) -> f64 {
        let stat = self.stat("stat");
        let after = stat.rsplit(')').next().expect("figures").split_whitespace();
        let ticks: f64 = after.skip(11).take(2).map(|figure| figure.parse::<f64>().expect("ticks")).sum();
        ticks / 100.0
    }
}

pub(crate) async fn bench_memory() {
    let (child, said) = Child::start(1);
    let (url, credentials) = said.split_first().expect("an address");
    let before = child.resident();
    let mut clients = Vec::new();
    for credential in credentials {
        let hello = house::hello("etg-1", punto_server::wire::Screen::Terminal, Some(credential), None);
        clients.push(Client::open(url, Some(&Said::Hello(hello))).await);
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    let each = (child.resident() - before) / clients.len() as u64;
    println!(
        "| memory per connected terminal ({} of them) | {:.1} KiB | | < 20 KiB |",
        clients.len(),
        each as f64 / 1024.0
    );
    drop((clients, child));

    let (child, _) = Child::start(100);
    tokio::time::sleep(Duration::from_secs(2)).await;
    let (cpu, start) = (child.cpu(), Instant::now());
    tokio::time::sleep(Duration::from_secs(20)).await;
    let share = (child.cpu() - cpu) / start.elapsed().as_secs_f64();
    println!("| a hundred tables idle: of a core | {:.2} % | | < 1 % |", share * 100.0);
}
