//! Sessions end when their person does nothing: an open socket, its heartbeats, what the server sends over it and what the
//! page asks by itself are no use of it. And whoever is gone without a word is noticed.

use crate::house;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::house::{House, PATIENCE, hello, order};
use futures_util::{SinkExt as _, StreamExt as _};
use punto_ledger::{Place, Vault, new_key};
use punto_record::{Command, LedgerKind, Release, Timestamp};
use punto_server::SocketTimes;
use punto_server::client::{Error, Http, Socket};
use punto_server::clock::Clock;
use punto_server::floor::Pace;
use punto_server::register::{ABSOLUTE, IDLE};
use punto_server::role::Role;
use punto_server::wire::{Goodbye, Said, Screen, Told};
use tokio::time::{sleep, timeout};
use tokio_tungstenite::tungstenite::Message;

const MINUTE: u64 = 60_000;
const HEARTBEAT: Duration = Duration::from_millis(50);

/// A house whose clock goes as the test says, and whose sockets have a quick pulse.
async fn open() -> (House, impl Fn(u64)) {
    let system = Arc::new(AtomicU64::new(1_767_225_600_000));
    let reads = system.clone();
    let clock = Clock::new(Arc::new(move || reads.load(Ordering::Relaxed)), Timestamp(0));
    let (folder, key) = (tempfile::tempdir().unwrap(), new_key().unwrap());
    let place = Place::File(folder.path().join("ledger"));
    let release = Release("test".into());
    drop(Vault::found(&place, LedgerKind::Practice, key.clone(), clock.now(), release).unwrap());
    let times = SocketTimes { ping: HEARTBEAT, silent: HEARTBEAT * 10, ..SocketTimes::default() };
    let house = House::open_by(folder, key.to_bytes(), clock.clone(), Pace::FLAT_OUT, times).await;
    let later = move |ms: u64| {
        system.store(clock.now().0 + ms, Ordering::Relaxed);
        clock.look().expect("the clock follows");
    };
    (house, later)
}

/// Whether the server hangs up because nobody is signed in any more, within so many heartbeats.
async fn is_cut_off_within(beats: u32, socket: &mut Socket) -> bool {
    let heard = timeout(HEARTBEAT * beats, async {
        loop {
            match socket.next().await {
                Ok(_) => {}
                Err(Error::Goodbye(Goodbye::NotSignedIn)) => return,
                Err(error) => panic!("{error}"),
            }
        }
    });
    heard.await.is_ok()
}

async fn is_cut_off(socket: &mut Socket) -> bool {
    is_cut_off_within(400, socket).await
}

/// Heartbeats enough to look at the session several times.
async fn stays(socket: &mut Socket) -> bool {
    !is_cut_off_within(4, socket).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_open_socket_does_not_keep_a_session() {
    let (house, later) = open().await;
    house.open_table(house::electronic("etg-1", 600)).await;
    house.hire("pit-1", Role::PitSupervisor).await;
    let session = house.session("pit-1");
    let mut pit = house.at_screen("etg-1", Screen::Pit, ("pit-1", Role::PitSupervisor), &session).await;
    let page = Http::with_session(&house.url, &session).unwrap();
    for _ in 0..7 {
        later(2 * MINUTE);
        // Heartbeats, a ping of the page, and what it looks up by itself.
        pit.say(&Said::Ping(1)).await.unwrap();
        assert!(stays(&mut pit).await);
        let _: serde_json::Value = page.get("/api/pending").await.unwrap();
        let _: serde_json::Value = page.get("/api/tables/etg-1/rounds").await.unwrap();
        // And a line that was cut and comes back.
        let hello = hello("etg-1", Screen::Pit, None, Some(&session));
        pit = Socket::open(&house.url, hello, Role::PitSupervisor.actor("pit-1".into())).await.unwrap();
    }
    later(MINUTE);
    assert!(is_cut_off(&mut pit).await, "after fifteen minutes");
    assert!(page.get::<serde_json::Value>("/api/session").await.unwrap_err().is_not_signed_in());
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn orders_and_requests_do() {
    let (house, later) = open().await;
    house.open_table(house::electronic("etg-1", 600)).await;
    house.hire("pit-1", Role::PitSupervisor).await;
    let session = house.session("pit-1");
    let mut pit = house.at_screen("etg-1", Screen::Pit, ("pit-1", Role::PitSupervisor), &session).await;
    let page = Http::with_session(&house.url, &session).unwrap();
    let step = IDLE - MINUTE;
    for n in 0..ABSOLUTE / step {
        later(step);
        if n % 2 == 0 {
            // Whether or not the table carries it out.
            order(&mut pit, Command::OpenBets {}, None).await;
        } else {
            let _: serde_json::Value = page.get("/api/session").await.unwrap();
        }
        assert!(stays(&mut pit).await, "after {n} steps");
    }
    later(ABSOLUTE % step);
    assert!(is_cut_off(&mut pit).await, "after twelve hours, however much it is used");
    house.close().await;
}

/// A terminal has no session: its socket stays open as long as somebody answers.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_does_not_answer_is_gone() {
    let (house, later) = open().await;
    house.open_table(house::electronic("etg-1", 600)).await;
    let mut terminal = house.terminal("etg-1", 1).await;
    later(ABSOLUTE);
    assert!(stays(&mut terminal).await);
    terminal.hang_up().await;
    let credential = house.enrol(
        "t-9",
        punto_server::register::DeviceKind::Terminal {
            table: "etg-1".into(),
            patron: punto_rules::PatronNo(9),
            at_box: None,
        },
    );
    let url = house.url.replace("http://", "ws://") + "/api/socket";
    let (mut silent, _) = tokio_tungstenite::connect_async(url).await.unwrap();
    let hello = Said::Hello(hello("etg-1", Screen::Terminal, Some(&credential), None));
    silent.send(Message::Text(serde_json::to_string(&hello).unwrap().into())).await.unwrap();
    let first = timeout(PATIENCE, silent.next()).await.unwrap().unwrap().unwrap();
    assert!(matches!(serde_json::from_str(first.to_text().unwrap()), Ok(Told::Welcome(_))));
    // From now on nothing is read, and so no heartbeat is answered.
    timeout(PATIENCE, async {
        while house.caps.open() > 0 {
            sleep(HEARTBEAT).await;
        }
    })
    .await
    .expect("the connection is given up");
    house.close().await;
}
