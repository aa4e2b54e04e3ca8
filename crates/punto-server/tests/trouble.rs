//! What goes wrong around a floor: full disks, clocks that jump, books that do not balance, everybody gone at once, readers
//! who do not read, a server behind TLS.

use crate::house;
use std::io::{Read as _, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::house::{
    House, PATIENCE, answer_to, credits, electronic, frame_with, hello, next, order, round, until, wager,
};
use punto_record::planted::{Bug, plant};
use punto_record::{Actor, Command, Event, Timestamp};
use punto_rules::{Money, PatronNo};
use punto_server::client::Socket;
use punto_server::clock::Clock;
use punto_server::floor::Pace;
use punto_server::pending::Pending;
use punto_server::register::DeviceKind;
use punto_server::role::Role;
use punto_server::wire::{Answer, Denial, Said, Screen, Status, Told};
use tokio::time::{Instant, timeout};

fn is_soak() -> bool {
    std::env::var_os("PUNTO_SOAK").is_some_and(|soak| soak == "1")
}

fn betting(socket: &Socket) -> bool {
    socket.view().at("/phase") == "betting"
}

async fn status(socket: &mut Socket) -> Status {
    loop {
        if let Told::Status(status) = next(socket).await {
            return status;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_stops_play_and_loses_nothing() {
    let house = House::new().await;
    house.open_table(electronic("etg-1", 60)).await;
    house.buy("etg-1", 1, 10_000).await;
    let mut board = house.staff("etg-1", Screen::Board, "d-1", Role::Dealer).await;
    let mut terminal = house.terminal("etg-1", 1).await;
    until(&mut terminal, betting).await;
    let now = round(&terminal);
    assert!(matches!(order(&mut terminal, wager(1, "tie", 500), Some(now)).await, Answer::Done(_)));

    house.app.floor.ledger().with(|vault| vault.limit_pages(1)).await.unwrap();
    let asked = terminal.numbered(wager(1, "player", 700), Some(now));
    // A page may have room for one more.
    let mut answer = Answer::Busy;
    let mut registered = 500;
    for n in 0..200 {
        let mut again = asked.clone();
        again.id.n += n;
        terminal.say(&Said::Order(again.clone())).await.unwrap();
        answer = answer_to(&mut terminal, &again.id).await;
        match answer {
            Answer::Done(_) => registered += 700,
            Answer::Before(_) | Answer::Refused(_) | Answer::Denied(_) | Answer::Busy | Answer::Unknown => {
                break;
            }
        }
    }
    assert_eq!(answer, Answer::Unknown);
    assert!(matches!(status(&mut board).await, Status::Stopped { words } if words.contains("full")));

    // Monitoring counts what became durable and what did not, without asking the writer.
    let pulse = house.app.floor.ledger().pulse();
    assert!(pulse.failed() > 0 && pulse.latencies().0.iter().sum::<u64>() > 1, "{pulse:?}");

    // There is room again: the table reads itself back, and the Round goes through its paragraph.
    assert_eq!(status(&mut board).await, Status::Running);
    until(&mut terminal, |it| credits(it) == 10_000).await;
    assert!(registered >= 500);
    assert_eq!(house.findings().await, Vec::<String>::new());
    house.close().await;
}

#[tokio::test]
async fn books_that_do_not_balance_lock_the_table() {
    let house = House::new().await;
    house.open_table(electronic("etg-1", 60)).await;
    house.buy("etg-1", 1, 10_000).await;
    let mut terminal = house.terminal("etg-1", 1).await;
    until(&mut terminal, betting).await;
    let now = round(&terminal);
    assert!(matches!(order(&mut terminal, wager(1, "tie", 500), Some(now)).await, Answer::Done(_)));

    // One thread, so that the bug is where the table is.
    plant(Some(Bug::WithdrawalGivesTooMuch));
    let amount = Money::new(100);
    let back = Command::WithdrawWager { patron: PatronNo(1), box_no: None, bet: "tie".into(), amount };
    let answer = order(&mut terminal, back.clone(), Some(now)).await;
    plant(None);
    assert_eq!(answer, Answer::Unknown, "nobody is told what is not true");
    let answer = order(&mut terminal, wager(1, "tie", 500), Some(now)).await;
    assert_eq!(answer, Answer::Denied(Denial::TableLocked));
    let listed: serde_json::Value = house.http("adm-1").await.get("/api/tables").await.unwrap();
    assert_eq!(listed[0]["status"]["is"], "locked", "{listed}");

    // An Administrator and a second person unlock it; what was wrong was never written.
    house.hire("sm-1", Role::ShiftManager).await;
    let http = house.http("adm-1").await;
    let body = serde_json::json!({ "second": "sm-1", "reason": "the record is sound" });
    let asked: Pending = http.post("/api/tables/etg-1/unlock/pending", &body).await.unwrap();
    let body = serde_json::json!({ "pending": asked.pending });
    let unsigned = http.post::<serde_json::Value>("/api/tables/etg-1/unlock", &body).await.unwrap_err();
    assert!(unsigned.to_string().contains("approval-needed"), "{unsigned}");
    http.sign(&asked.pending, "sm-1", house::PASSWORD).await.unwrap();
    http.post::<serde_json::Value>("/api/tables/etg-1/unlock", &body).await.unwrap();
    until(&mut terminal, |it| credits(it) == 10_000).await;
    assert_eq!(house.findings().await, Vec::<String>::new());
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clock_that_jumps_is_noted_and_never_runs_back() {
    let system = Arc::new(AtomicU64::new(1_800_000_000_000));
    let start = std::time::Instant::now();
    let source = system.clone();
    let read = move || source.load(Ordering::Relaxed) + start.elapsed().as_millis() as u64;
    let house = House::with(Clock::new(Arc::new(read), Timestamp(0)), Pace::FLAT_OUT).await;
    house.open_table(electronic("etg-1", 600)).await;
    house.buy("etg-1", 1, 10_000).await;
    let mut pit = house.staff("etg-1", Screen::Pit, "sup-1", Role::PitSupervisor).await;
    let mut terminal = house.terminal("etg-1", 1).await;
    until(&mut terminal, betting).await;

    // Back an hour: the deadline stays where it was, and recorded time goes on.
    system.fetch_sub(3_600_000, Ordering::Relaxed);
    let jump = house.app.clock.look().expect("a jump");
    house.app.floor.note_clock(jump).await;
    let frame = frame_with(&mut pit, "clock-jumped").await;
    assert!(frame.now > jump.to);
    let closes_at = terminal.view().at("/closes_at").as_u64().unwrap();
    assert!(closes_at > house.app.clock.now().0 && closes_at < house.app.clock.now().0 + 600_000);

    // Forward two hours, which is an hour ahead of what this clock said: bets close at once.
    system.fetch_add(7_200_000, Ordering::Relaxed);
    let jump = house.app.clock.look().expect("a jump");
    house.app.floor.note_clock(jump).await;
    frame_with(&mut terminal, "bets-closed").await;
    assert_eq!(house.findings().await, Vec::<String>::new());
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everybody_gone_and_back_at_once() {
    let count: u32 = if is_soak() { 2_000 } else { 200 };
    let house = House::new().await;
    house.open_table(electronic("etg-1", 600)).await;
    let mut cage = house.staff("etg-1", Screen::Cage, "cas-1", Role::Cashier).await;
    for patron in 1..=count {
        let amount = Money::new(1_000).unwrap();
        let answer = order(&mut cage, Command::BuyCredits { patron: PatronNo(patron), amount }, None).await;
        assert!(matches!(answer, Answer::Done(_)));
    }
    let credentials: Vec<String> = (1..=count)
        .map(|patron| {
            let kind = DeviceKind::Terminal { table: "etg-1".into(), patron: PatronNo(patron), at_box: None };
            house.enrol(&format!("t-{patron}"), kind)
        })
        .collect();
    let open = async |url: String, patron: u32, credential: String| {
        let hello = hello("etg-1", Screen::Terminal, Some(&credential), None);
        let by = Actor::Patron { patron: PatronNo(patron) };
        let mut socket = Socket::open(&url, hello, by).await.expect("it comes in");
        until(&mut socket, betting).await;
        socket
    };
    for _ in 0..3 {
        let mut coming = tokio::task::JoinSet::new();
        let start = Instant::now();
        for (patron, credential) in (1..).zip(&credentials) {
            coming.spawn(open(house.url.clone(), patron, credential.clone()));
        }
        let sockets = timeout(PATIENCE * 2, coming.join_all()).await.expect("all of them in time");
        eprintln!("{count} terminals back after {:?}", start.elapsed());
        for socket in &sockets {
            assert_eq!(credits(socket), 1_000);
        }
        // Gone without a word.
        drop(sockets);
    }
    // Who is there can play on.
    let mut one = open(house.url.clone(), 1, credentials[0].clone()).await;
    let now = round(&one);
    assert!(matches!(order(&mut one, wager(1, "player", 500), Some(now)).await, Answer::Done(_)));
    assert_eq!(house.findings().await, Vec::<String>::new());
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_does_not_read_keeps_nobody_else_waiting() {
    let house = House::new().await;
    house.open_table(electronic("etg-1", 600)).await;
    house.buy("etg-1", 1, 100_000_000).await;
    house.buy("etg-1", 2, 100_000_000).await;
    let mut slow = house.terminal("etg-1", 1).await;
    let mut quick = house.terminal("etg-1", 2).await;
    until(&mut slow, betting).await;
    until(&mut quick, betting).await;
    let now = round(&slow);
    // Says a lot and listens to nothing, until nothing more is taken from it.
    let mut said = 0;
    for _ in 0..9_000 {
        let message = Said::Order(slow.numbered(wager(1, "player", 100), Some(now)));
        match timeout(Duration::from_millis(300), slow.say(&message)).await {
            Ok(Ok(())) => said += 1,
            Ok(Err(_)) | Err(_) => break,
        }
    }
    for _ in 0..50 {
        let asked = Instant::now();
        assert!(matches!(order(&mut quick, wager(2, "banker", 100), Some(now)).await, Answer::Done(_)));
        assert!(asked.elapsed() < Duration::from_secs(5), "kept waiting for {:?}", asked.elapsed());
    }
    // Every order that it said gets one answer, and what it is shown in the end is true.
    let (mut done, mut busy) = (0_u64, 0_u64);
    while done + busy < said {
        match timeout(PATIENCE, slow.next()).await.expect("an answer in time") {
            Ok(Told::Reply(reply)) => match reply.answer {
                Answer::Done(_) => done += 1,
                Answer::Busy => busy += 1,
                other @ (Answer::Before(_) | Answer::Refused(_) | Answer::Denied(_) | Answer::Unknown) => {
                    panic!("{other:?}")
                }
            },
            Ok(_) => {}
            Err(error) => panic!("{error} after {done} and {busy} of {said}"),
        }
    }
    eprintln!("{said} said, {done} carried out, {busy} busy");
    until(&mut slow, |it| credits(it) == 100_000_000 - done * 100).await;
    assert_eq!(house.findings().await, Vec::<String>::new());
    house.close().await;
}

#[test]
fn behind_tls() {
    let folder = tempfile::tempdir().unwrap();
    let certified = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    let (pem, key) = (folder.path().join("tls.pem"), folder.path().join("tls.key"));
    std::fs::write(&pem, certified.cert.pem()).unwrap();
    std::fs::write(&key, certified.signing_key.serialize_pem()).unwrap();
    std::fs::set_permissions(&key, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    let place = punto_ledger::Place::File(folder.path().join("ledger"));
    let release = punto_record::Release("test".into());
    let signing = punto_ledger::new_key().unwrap();
    let kind = punto_record::LedgerKind::Practice;
    drop(punto_ledger::Vault::found(&place, kind, signing.clone(), Timestamp(0), release.clone()).unwrap());
    let options = punto_server::serve::Options {
        release,
        place,
        key: signing,
        ticket_keys: folder.path().join("ledger.ticket-key"),
        register: None,
        secrets: None,
        address: "127.0.0.1:0".parse().unwrap(),
        tls: Some((pem, key)),
        origins: Vec::new(),
        administrators: Vec::new(),
        proxies: Vec::new(),
        connections: None,
        pace: Pace::FLAT_OUT,
        software: None,
        witness_roots: punto_server::witness::Roots::System,
        demo: None,
        cost: punto_server::register::Cost::trifling(),
    };
    let (stop, stopped) = tokio::sync::watch::channel(false);
    let (ready, heard) = std::sync::mpsc::channel();
    let server = std::thread::spawn(move || {
        punto_server::serve::serve(options, move |it| ready.send(it.clone()).unwrap(), stopped)
    });
    let ready = heard.recv_timeout(PATIENCE).unwrap();
    assert!(ready.url.starts_with("https://127.0.0.1:"));
    let (_, link) = ready.administrators.first().expect("nobody can sign in yet");
    assert!(link.starts_with(&format!("{}/invitation#", ready.url)));

    let mut roots = rustls::RootCertStore::empty();
    roots.add(certified.cert.der().clone()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = "localhost".try_into().unwrap();
    let client = rustls::ClientConnection::new(Arc::new(config), name).unwrap();
    let mut stream = rustls::StreamOwned::new(client, std::net::TcpStream::connect(ready.address).unwrap());
    stream.write_all(b"GET /api/health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("\"well\":true"), "{answer}");
    assert!(answer.to_lowercase().contains("strict-transport-security"), "{answer}");
    stop.send_replace(true);
    server.join().unwrap().unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lost_round_is_told_to_who_lost_it() {
    // A void is on the feed of everybody, the returned stake on that of its owner.
    let house = House::new().await;
    house.open_table(electronic("etg-1", 600)).await;
    house.buy("etg-1", 1, 10_000).await;
    let mut console = house.staff("etg-1", Screen::Console, "d-1", Role::Dealer).await;
    let mut terminal = house.terminal("etg-1", 1).await;
    until(&mut terminal, betting).await;
    let now = round(&terminal);
    assert!(matches!(order(&mut terminal, wager(1, "player", 1_000), Some(now)).await, Answer::Done(_)));
    let report = Command::Report { report: punto_record::Report::TechnicalInterruption { cause: None } };
    assert!(matches!(order(&mut console, report, None).await, Answer::Done(_)));
    frame_with(&mut terminal, "round-voided").await;
    until(&mut terminal, |it| credits(it) == 10_000).await;
    let voided = house.app.floor.read(|reader| {
        let mut returned = 0;
        reader.entries_of(
            &punto_record::Volume::Table("etg-1".into()),
            punto_record::Seq(0),
            &mut |stored| {
                let entry: punto_record::Entry = serde_json::from_slice(stored.bytes).unwrap();
                for event in &entry.events {
                    if let Event::RoundVoided { returns, .. } = event {
                        returned += returns.iter().map(|it| it.amount.get()).sum::<u64>();
                    }
                }
                std::ops::ControlFlow::Continue(())
            },
        )?;
        Ok(returned)
    });
    assert_eq!(voided.await.unwrap(), 1_000);
    house.close().await;
}
