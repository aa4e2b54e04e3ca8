//! The system's clock jumps far ahead in a house, while it runs or at a start: the record does not follow before two people say
//! that it is right.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::house::*;
use punto_audit::{Auditor, FindingKind, Inputs};
use punto_ledger::{AT_REST, Error, Ledger, Place, Vault, new_key};
use punto_record::{
    Actor, Chain, Deed, Digest, HouseEntry, LedgerKind, OrderId, Release, Sealed, Seq, Timestamp, Volume,
};
use punto_server::client::Http;
use punto_server::clock::{Clock, FOLLOWED};
use punto_server::deeds::start;
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
    http.sign_as(&asked.pending, "sm-1").await.unwrap();
    moved.store(YEARS + YEARS / 10, Ordering::Relaxed);
    let refused = confirm(&http, &asked).await.unwrap_err();
    assert!(refused.contains("clock-not-ahead"), "{refused}");
    assert!(house.app.clock.now().0 < before.0 + FOLLOWED);

    moved.store(YEARS, Ordering::Relaxed);
    house.app.clock.look();
    let asked = propose(&http, by_how_much, "sm-1").await.unwrap();
    http.sign_as(&asked.pending, "sm-1").await.unwrap();
    confirm(&http, &asked).await.unwrap();
    assert_eq!(house.app.clock.ahead(), None);
    assert!(house.app.clock.now() >= Timestamp(before.0 + YEARS));
    assert_eq!(house.findings().await, Vec::<String>::new());
    house.close().await;
}

const HOUR: u64 = 3_600_000;
const DAY: u64 = 24 * HOUR;

/// What a test takes at most.
const A_WHILE: u64 = 60_000;

/// A house that is opened and closed again.
struct Closed {
    folder: tempfile::TempDir,
    key: ed25519_dalek::SigningKey,
}

impl Closed {
    fn founded(at: u64) -> Closed {
        let closed = Closed { folder: tempfile::tempdir().unwrap(), key: new_key().unwrap() };
        let (place, key) = (closed.place(), closed.key.clone());
        drop(Vault::found(&place, LedgerKind::House, key, Timestamp(at), Release("test".into())).unwrap());
        closed
    }

    fn place(&self) -> Place {
        Place::File(self.folder.path().join("ledger"))
    }

    fn vault(&self) -> Vault {
        Vault::open(&self.place(), self.key.clone(), Release("test".into())).unwrap()
    }

    /// Starts it by a host's clock that says this, lets it run for so long, and ends it, in order or not. When it said that
    /// it was, and by how much it did not follow.
    async fn run(&self, system: u64, works: u64, is_stopped: bool) -> (u64, Option<u64>) {
        let (ledger, writer) = Ledger::start(self.vault());
        let clock = start(&ledger, Arc::new(move || system), Digest([1; 32])).await.unwrap();
        let (now, ahead) = (clock.now(), clock.ahead());
        let deed = match is_stopped {
            true => Deed::SoftwareStopped {},
            false => Deed::SignInFailed { person: None, locked: false, factor: false },
        };
        let end = move |vault: &mut Vault| {
            let id = OrderId { device: "test".into(), n: vault.head(&Volume::House).seq.0 };
            vault.deed(id, Actor::House, Timestamp(now.0 + works), deed)
        };
        ledger.with(end).await.unwrap();
        drop(ledger);
        drop(writer.join().unwrap());
        (now.0, ahead)
    }

    fn entries(&self) -> Vec<Sealed> {
        let mut entries = Vec::new();
        let each = &mut |stored: punto_ledger::Stored<'_>| {
            entries.push(stored.sealed());
            std::ops::ControlFlow::Continue(())
        };
        self.vault().reader().entries_of(&Volume::House, Seq(0), each).unwrap();
        entries
    }

    /// What the auditor says about it, with a start that moves the record on by so much, if it is given.
    fn found(&self, at_rest: Option<u64>) -> Vec<FindingKind> {
        let mut auditor = Auditor::new(Inputs::default());
        let (mut chain, mut last) = (Chain::START, Timestamp(0));
        for sealed in self.entries() {
            auditor.entry(&Volume::House, &sealed);
            chain = Chain { seq: sealed.seq, link: sealed.chain };
            last = serde_json::from_slice::<HouseEntry>(&sealed.bytes).unwrap().at;
        }
        if let Some(at_rest) = at_rest {
            let id = OrderId { device: "forged".into(), n: 1 };
            let deed = Deed::SoftwareStarted { software: Digest([1; 32]), at_rest: Some(at_rest) };
            let (seq, by, at) = (chain.seq.next(), Actor::House, Timestamp(last.0 + at_rest));
            let entry = HouseEntry { seq, id, by, at, deed, release: Release("test".into()) };
            auditor.entry(&Volume::House, &chain.seal_deed(&entry));
        }
        auditor.findings().iter().map(|it| it.kind).collect()
    }
}

/// However long a house was closed, however far the host's clock is moved meanwhile, and however often: it opens by itself
/// after a night or a week, and all starts together move the record on by eight days and no more.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn at_a_start_the_record_goes_on_by_eight_days_in_all() {
    let begin = 1_767_225_600_000;
    for rest in [0, 10 * HOUR, 7 * DAY, 9 * DAY] {
        for jump in [0, FOLLOWED / 2, DAY, 30 * DAY, YEARS] {
            let closed = Closed::founded(begin);
            let (mut real, mut recorded, mut left) = (begin, begin, AT_REST);
            for again in 0..3 {
                real += rest;
                // Moved ahead, started; put back, started.
                for system in [real + jump, real] {
                    let forward = system.saturating_sub(recorded);
                    let (now, ahead) = closed.run(system, 0, again % 2 == 0).await;
                    let told = format!("{rest} at rest, {jump} ahead, {again}: {ahead:?}");
                    if forward <= left {
                        (recorded, left) = (recorded + forward, left - forward);
                        assert_eq!(ahead, None, "{told}");
                    } else {
                        assert!(ahead.is_some_and(|it| it.abs_diff(forward) < A_WHILE), "{told}");
                    }
                    assert!(now.abs_diff(recorded) < A_WHILE, "{told}");
                    assert!(now.saturating_sub(real) < AT_REST + A_WHILE, "{told}");
                }
            }
            assert_eq!(closed.found(None), [], "{rest} at rest, {jump} ahead");
        }
    }
}

/// An hour of work earns two of rest, and nothing else does; what is beyond is refused by the vault and named by the auditor.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn trust_is_earned_by_work_and_kept_in_the_record() {
    let begin = 1_767_225_600_000;
    let closed = Closed::founded(begin);
    let (now, ahead) = closed.run(begin + AT_REST - A_WHILE, HOUR, true).await;
    assert_eq!(ahead, None);
    assert!(closed.vault().may_rest() < A_WHILE);
    assert_eq!(closed.run(now + HOUR + 2 * A_WHILE, 0, true).await.1.map(|it| it > A_WHILE), Some(true));
    let (now, _) = closed.run(now + HOUR, 13 * HOUR, false).await;
    let left = closed.vault().may_rest();
    assert!(left.abs_diff(24 * HOUR) < 2 * A_WHILE, "{left}");
    for (at_rest, is_trusted) in [(left - A_WHILE, true), (left + A_WHILE, false), (YEARS, false)] {
        let expected = if is_trusted { vec![] } else { vec![FindingKind::NotPermitted] };
        assert_eq!(closed.found(Some(at_rest)), expected, "{at_rest}");
        let deed = Deed::SoftwareStarted { software: Digest([1; 32]), at_rest: Some(at_rest) };
        let id = OrderId { device: "server".into(), n: 10_000 + at_rest };
        let at = Timestamp(now + 13 * HOUR + at_rest);
        if !is_trusted {
            let refused = closed.vault().deed(id, Actor::House, at, deed);
            assert!(matches!(refused, Err(Error::NotAllowed(_))), "{refused:?}");
        }
    }
}

/// A start far ahead of the record: the house says so, and play goes on as ever.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn play_goes_on_while_the_clock_is_held() {
    let real = Clock::system();
    let written = Timestamp(real());
    let (held, rested) = Clock::bounded(Arc::new(move || real() + 40 * DAY), written, AT_REST);
    assert_eq!(rested, 0);
    let house = House::with(held, Pace::FLAT_OUT).await;
    house.open_table(electronic("etg-1", 60)).await;
    house.buy("etg-1", 1, 10_000).await;
    let mut terminal = house.terminal("etg-1", 1).await;
    let ticket = cash_out(&mut terminal, 1).await;
    let answer = order(&mut terminal, redeem(1, &ticket.number), None).await;
    assert!(matches!(answer, punto_server::wire::Answer::Done(_)), "{answer:?}");
    let http = house.http("adm-1").await;
    assert!(ahead(&http).await.is_some_and(|ahead| ahead.abs_diff(40 * DAY) < A_WHILE));
    assert!(house.app.clock.now().0 < written.0 + A_WHILE);
    house.close().await;
}
