//! The demonstration's people and the load generator, against a real house.

mod house;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use house::{House, PASSWORD};
use punto_record::{Command, Person, Timestamp};
use punto_rules::{Money, PatronNo};
use punto_server::client::{Error, Http, Line};
use punto_server::demo::{self, Pace, Tally};
use punto_server::load::{self, Options, SignIn, SignIns, Until};
use punto_server::register::IDLE;
use punto_server::role::Role;
use punto_server::wire::{Answer, Screen};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::AbortHandle;
use tokio::time::timeout;

/// Longer than a floor needs to show everything, on a machine that does much else.
const LONG: Duration = Duration::from_secs(240);

async fn staff(house: &House) -> SignIns {
    let sign_in = async |person: &str, role| {
        house.hire(person, role).await;
        SignIn { person: person.parse().expect("a name"), password: PASSWORD.to_owned() }
    };
    SignIns {
        administrator: sign_in("adm-1", Role::Administrator).await,
        cashier: sign_in("cas-1", Role::Cashier).await,
        auditor: sign_in("aud-1", Role::Auditor).await,
    }
}

async fn options(house: &House, url: &str) -> Options {
    Options {
        url: url.to_owned(),
        terminals: 7,
        tables: 2,
        until: Until::Bets(300),
        rate: None,
        betting_seconds: 1,
        sign_ins: Some(staff(house).await),
    }
}

/// What does nothing is not watched.
fn nobody(_: load::Progress) {}

#[tokio::test(flavor = "multi_thread")]
async fn load_reconciles_to_the_cent() {
    let house = House::new().await;
    let options = options(&house, &house.url).await;
    let report = timeout(LONG, load::generate(&options, &nobody)).await.expect("in time").expect("a report");
    assert!(report.agrees(), "{:?}", report.reconciled);
    assert!(report.registered >= 300, "{report:?}");
    assert_eq!((report.reconciled.wagers, report.reconciled.unanswered), (report.registered, 0));
    assert_eq!(report.acknowledgement.count, report.registered);
    assert!(report.feed.count > 0 && report.feed.p50 <= report.feed.max);
    assert_eq!(report.tables.len(), 2);

    // Paced, on new tables beside the first ones.
    let paced = Options { until: Until::Seconds(2), rate: Some(40), tables: 1, ..options };
    let again = timeout(LONG, load::generate(&paced, &nobody)).await.expect("in time").expect("a report");
    assert!(again.agrees(), "{:?}", again.reconciled);
    assert!((1..=80 + 7).contains(&again.registered), "{again:?}");
    assert_eq!(again.tables, ["load-3".into()]);
    assert_eq!(house.findings().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn load_survives_connections_that_drop() {
    let house = House::new().await;
    let wire = Wire::to(&house.url).await;
    let options = Options { until: Until::Seconds(6), ..options(&house, &wire.url).await };
    let cutting = async {
        for _ in 0..4 {
            tokio::time::sleep(Duration::from_millis(1_200)).await;
            wire.cut();
        }
        std::future::pending::<()>().await;
    };
    let report = tokio::select! {
        report = timeout(LONG, load::generate(&options, &nobody)) => report.expect("in time").expect("a report"),
        () = cutting => unreachable!("it cuts for ever"),
    };
    assert!(report.agrees(), "{:?}", report.reconciled);
    assert!(report.reconnected > 0 && report.registered > 0, "{report:?}");
    assert_eq!(house.findings().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_demonstration_shows_everything() {
    let house = House::new().await;
    let people = demo::people();
    let mut passwords: BTreeMap<Person, String> = BTreeMap::new();
    for (person, role) in &people {
        house.hire(person.as_str(), *role).await;
        passwords.insert(person.clone(), PASSWORD.to_owned());
    }
    for role in Role::ALL {
        assert!(people.iter().any(|(_, it)| *it == role), "a visitor can sign in as {}", role.id());
    }
    let (stop, stopped) = watch::channel(false);
    let told = watch::Sender::new(Tally::default());
    let mut seen = told.subscribe();
    let (url, floor) = (house.url.clone(), house.app.floor.clone());
    let running =
        tokio::spawn(async move { demo::run_told(&url, passwords, Pace::FlatOut, 7, stopped, told).await });
    let everything = |tally: &Tally| {
        tally.rounds.len() == 4
            && tally.rounds.values().all(|rounds| *rounds >= 3)
            && tally.wagers >= 100
            && [tally.withdrawn, tally.bought, tally.tickets, tally.redeemed, tally.rulings, tally.voided]
                .iter()
                .all(|count| *count > 0)
            && tally.irregularities.len() >= 5
    };
    let is_seen = timeout(LONG, seen.wait_for(everything)).await.is_ok();
    // As if nobody had had anything to do for a while: their sessions are over, and they sign in again.
    let before = seen.borrow().rulings;
    house.app.register.sweep(Timestamp(house.app.clock.now().0 + IDLE)).expect("swept");
    let goes_on = timeout(LONG, seen.wait_for(|tally| tally.rulings > before)).await.is_ok();
    stop.send(true).expect("it runs");
    let tally = running.await.expect("it ends").expect("it could be set up");
    assert!(is_seen && goes_on, "{tally:#?}");
    floor.stop().await;
    assert_eq!(house.findings().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_line_heals_and_says_its_order_once() {
    let house = House::new().await;
    house.open_table(house::electronic("t-1", 3600)).await;
    let wire = Wire::to(&house.url).await;
    house.hire("cas-1", Role::Cashier).await;
    let session = house.session("cas-1");
    let hello = house::hello("t-1", Screen::Cage, None, Some(&session));
    let mut line = Line::open(&wire.url, hello, Role::Cashier.actor("cas-1".into())).await.expect("a line");
    let asking = async {
        for patron in (1..=40).map(PatronNo) {
            let command = Command::BuyCredits { patron, amount: Money::new(500).expect("an amount") };
            let answer = line.ask(command, None).await.expect("an answer");
            assert!(matches!(answer, Answer::Done(_) | Answer::Before(_)), "{answer:?}");
        }
        line
    };
    // Cut at any moment: before an order arrives, before its answer does. Ever more seldom, so that it ends.
    let cutting = async {
        for ms in 2.. {
            tokio::time::sleep(Duration::from_millis(ms)).await;
            wire.cut();
        }
    };
    let line = tokio::select! {
        line = timeout(LONG, asking) => line.expect("in time"),
        () = cutting => unreachable!("it cuts for ever"),
    };
    assert!(line.healed() > 0);
    let table = house::table("t-1");
    let credits = house.app.floor.look(&table, |table| {
        (1..=40).map(|patron| table.state().credits(PatronNo(patron)).get()).collect::<Vec<u64>>()
    });
    assert_eq!(credits.await.expect("a table"), [500; 40], "everybody has bought once");
}

#[tokio::test(flavor = "multi_thread")]
async fn errors_are_the_servers_own_words() {
    let house = House::new().await;
    house.hire("aud-1", Role::Auditor).await;
    let http = Http::new(&house.url).expect("an address");
    let wrong = http.sign_in("aud-1", "some other sentence").await.expect_err("a wrong password");
    assert!(wrong.is_not_signed_in(), "{wrong}");
    let auditor = http.sign_in("aud-1", PASSWORD).await.expect("signed in");
    let denied = auditor.get::<serde_json::Value>("/api/devices").await.expect_err("not an auditor's");
    let Error::Refused { status: 403, code, words, .. } = denied else { panic!("{denied}") };
    assert_eq!((code.as_str(), words.is_empty()), ("not-allowed", false));
    let demo = SignIns::of_demonstration(&house.url).await.expect_err("no demonstration");
    assert!(matches!(demo, Error::Refused { .. }), "{demo}");
    let nobody = Http::new("http://127.0.0.1:1").expect("an address");
    assert!(nobody.get::<serde_json::Value>("/api/tables").await.expect_err("nobody there").passes());
}

/// A wire to a house that can be cut.
struct Wire {
    url: String,
    open: Arc<Mutex<Vec<AbortHandle>>>,
}

impl Wire {
    async fn to(url: &str) -> Wire {
        let house: SocketAddr = url.trim_start_matches("http://").parse().expect("an address");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let open: Arc<Mutex<Vec<AbortHandle>>> = Arc::default();
        let opened = open.clone();
        tokio::spawn(async move {
            while let Ok((mut from, _)) = listener.accept().await {
                let copying = tokio::spawn(async move {
                    let mut to = TcpStream::connect(house).await?;
                    tokio::io::copy_bidirectional(&mut from, &mut to).await
                });
                opened.lock().expect("handles").push(copying.abort_handle());
            }
        });
        Wire { url, open }
    }

    /// Every connection is gone; new ones can be made.
    fn cut(&self) {
        self.open.lock().expect("handles").drain(..).for_each(|it| it.abort());
    }
}
