//! The system's clock jumps far ahead in a house: the record does not follow before two people say that it is right.

mod house;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use house::{House, PASSWORD, clock};
use punto_ledger::AT_REST;
use punto_record::{LedgerKind, Timestamp};
use punto_server::client::Http;
use punto_server::clock::{Clock, FOLLOWED};
use punto_server::floor::Pace;
use punto_server::pending::Pending;
use punto_server::role::Role;
use serde_json::{Value, json};

const YEARS: u64 = 10 * 365 * 24 * 3_600_000;

/// A house with somebody in every role, and what moves its system's clock.
async fn staffed() -> (House, Arc<AtomicU64>) {
    let moved = Arc::new(AtomicU64::new(0));
    let (source, real) = (moved.clone(), Clock::system());
    let system = Arc::new(move || real() + source.load(Ordering::Relaxed));
    let (clock, _) = Clock::bounded(system, clock().now(), AT_REST);
    let house = House::of_kind(LedgerKind::House, clock, Pace::FLAT_OUT).await;
    for (person, role) in PEOPLE {
        house.hire(person, role).await;
    }
    (house, moved)
}

const PEOPLE: [(&str, Role); 8] = [
    ("adm-1", Role::Administrator),
    ("adm-2", Role::Administrator),
    ("du-1", Role::DutyManager),
    ("sm-1", Role::ShiftManager),
    ("pm-1", Role::PitManager),
    ("d-1", Role::Dealer),
    ("cas-1", Role::Cashier),
    ("aud-1", Role::Auditor),
];

async fn ahead(http: &Http) -> Option<u64> {
    let health: Value = http.get("/api/health").await.unwrap();
    health["clock_ahead"].as_u64()
}

async fn propose(http: &Http, ahead: u64, second: &str) -> Result<Pending, String> {
    let body = json!({ "ahead": ahead, "second": second, "reason": "compared with the telephone" });
    http.post("/api/clock/pending", &body).await.map_err(|error| error.to_string())
}

async fn confirm(http: &Http, pending: &Pending) -> Result<(), String> {
    let body = json!({ "pending": pending.pending });
    http.post::<Value>("/api/clock", &body).await.map(|_| ()).map_err(|error| error.to_string())
}

/// Nobody's session ends, nothing recorded is ten years ahead, and when the clock is put right nothing is left of it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_years_forward_for_a_moment() {
    let (house, moved) = staffed().await;
    let http = house.http("adm-1").await;
    let before = house.app.clock.now();
    moved.store(YEARS, Ordering::Relaxed);
    let jump = house.app.clock.look().expect("a jump");
    assert!(jump.to.0 >= before.0 + YEARS);
    assert!(house.app.clock.now().0 < before.0 + FOLLOWED);
    assert!(ahead(&http).await.is_some_and(|ahead| ahead.abs_diff(YEARS) < 1_000));
    // What is written now has the recorded time, and the session is good.
    house.hire("d-2", Role::Dealer).await;
    let report: Value = house.http("sm-1").await.get("/api/health").await.unwrap();
    assert!(report["now"].as_u64().unwrap() < before.0 + FOLLOWED);

    moved.store(0, Ordering::Relaxed);
    house.app.clock.look().expect("a jump back");
    assert_eq!(ahead(&http).await, None);
    assert!(house.app.clock.now().0 < before.0 + FOLLOWED);
    assert_eq!(house.findings().await, Vec::<String>::new());
    house.close().await;
}

/// It takes an Administrator and another one or a Shift Manager or above, who both saw this very difference.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_people_confirm_that_it_is_right() {
    let (house, moved) = staffed().await;
    let http = house.http("adm-1").await;
    let refused = propose(&http, YEARS, "adm-2").await.unwrap_err();
    assert!(refused.contains("clock-not-ahead"), "{refused}");

    let before = house.app.clock.now();
    moved.store(YEARS, Ordering::Relaxed);
    house.app.clock.look().expect("a jump");
    let by_how_much = ahead(&http).await.expect("ahead");
    for (person, role) in PEOPLE {
        let is_let_in = role == Role::Administrator;
        let second = if person == "adm-2" { "adm-1" } else { "adm-2" };
        let proposed = propose(&house.http(person).await, by_how_much, second).await;
        assert_eq!(proposed.is_ok(), is_let_in, "{person} proposes: {proposed:?}");
        let agrees = matches!(role, Role::Administrator | Role::ShiftManager | Role::DutyManager);
        let proposed = propose(&http, by_how_much, person).await;
        assert_eq!(proposed.is_ok(), agrees && person != "adm-1", "{person} agrees: {proposed:?}");
    }
    let asked = propose(&http, by_how_much, "sm-1").await.unwrap();
    let refused = confirm(&http, &asked).await.unwrap_err();
    assert!(refused.contains("approval-needed"), "{refused}");
    assert!(house.app.clock.now().0 < before.0 + FOLLOWED);

    // Signed for ten years, and now it is eleven: it is looked at once more.
    http.sign(&asked.pending, "sm-1", PASSWORD).await.unwrap();
    moved.store(YEARS + YEARS / 10, Ordering::Relaxed);
    let refused = confirm(&http, &asked).await.unwrap_err();
    assert!(refused.contains("clock-not-ahead"), "{refused}");
    assert!(house.app.clock.now().0 < before.0 + FOLLOWED);

    moved.store(YEARS, Ordering::Relaxed);
    house.app.clock.look();
    let asked = propose(&http, by_how_much, "sm-1").await.unwrap();
    http.sign(&asked.pending, "sm-1", PASSWORD).await.unwrap();
    confirm(&http, &asked).await.unwrap();
    assert_eq!(house.app.clock.ahead(), None);
    assert!(house.app.clock.now() >= Timestamp(before.0 + YEARS));
    assert_eq!(house.findings().await, Vec::<String>::new());
    house.close().await;
}
