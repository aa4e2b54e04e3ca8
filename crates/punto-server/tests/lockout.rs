//! Strangers guess passwords: they use up what is theirs, and lock out nobody who works here.

use crate::caller::{Answer, House, PASSWORD, Who, door};
use axum::http::Method;
use punto_server::http::limit::Limit;
use punto_server::register::{ATTEMPTS, Cost, DeviceKind, KNOWN_FOR, LOCKED_FOR};
use punto_server::role::Role;
use serde_json::json;

const SESSION: &str = "/api/session";
const WRONG: &str = "a guess of somebody";

async fn sign_in(house: &House, person: &str, password: &str, headers: &[(&str, &str)]) -> Answer {
    let body = json!({"person": person, "password": password}).to_string();
    let headers: Vec<_> =
        [("content-type", "application/json")].into_iter().chain(headers.iter().copied()).collect();
    house.ask(Method::POST, SESSION, &headers, Some(body.as_bytes())).await
}

/// Strangers use up what is theirs.
async fn guess(house: &House, person: &str) {
    for _ in 0..ATTEMPTS {
        assert_eq!(sign_in(house, person, WRONG, &[]).await.status, 401);
    }
    assert_eq!(sign_in(house, person, PASSWORD, &[]).await.status, 401, "locked for strangers");
}

/// The cookie by which a browser is known from now on, and its attributes.
fn known(answer: &Answer) -> (String, String) {
    let set =
        answer.head.iter().find(|(name, value)| name == "set-cookie" && value.starts_with("punto-known-"));
    let (pair, attributes) = set.expect("a cookie").1.split_once("; ").expect("attributes");
    (pair.to_owned(), attributes.to_owned())
}

fn console() -> DeviceKind {
    DeviceKind::Console { table: "T1".into() }
}

fn token(who: &Who) -> &str {
    let Who::Bearer(token) = who else { panic!("a token") };
    token
}

#[tokio::test]
async fn strangers_lock_nobody_out() {
    let house = House::open().await;
    for person in ["d-1", "d-2"] {
        house.employ(person, Role::Dealer).await;
    }
    let answer = sign_in(&house, "d-1", PASSWORD, &[]).await;
    let (cookie, attributes) = known(&answer);
    assert_eq!(attributes, format!("Path=/api; Max-Age={}; HttpOnly; SameSite=Strict", KNOWN_FOR / 1000));
    assert!(!cookie.contains("d-1"), "it does not say whose it is");
    let here = house.enrol("c-1", console());
    guess(&house, "d-1").await;

    // At a console, in one's own browser, and at both again with what was given last.
    let at_console = [("x-punto-device", token(&here))];
    for _ in 0..2 {
        assert_eq!(sign_in(&house, "d-1", PASSWORD, &at_console).await.status, 200);
    }
    let answer = sign_in(&house, "d-1", PASSWORD, &[("cookie", &cookie)]).await;
    assert_eq!(answer.status, 200);
    let (next, _) = known(&answer);
    assert_ne!(next, cookie);
    assert_eq!(sign_in(&house, "d-1", PASSWORD, &[("cookie", &cookie)]).await.status, 401, "used up");
    assert_eq!(sign_in(&house, "d-1", PASSWORD, &[("cookie", &next)]).await.status, 200);
    assert_eq!(sign_in(&house, "d-1", PASSWORD, &[]).await.status, 401, "strangers are still locked out");
    // Another person is not concerned.
    assert_eq!(sign_in(&house, "d-2", PASSWORD, &[]).await.status, 200);
    house.later(LOCKED_FOR);
    assert_eq!(sign_in(&house, "d-1", PASSWORD, &[]).await.status, 200);
}

/// Everything that is not what was given to this browser for this person counts as nothing, and costs what is the strangers'.
#[tokio::test]
async fn a_made_up_or_borrowed_cookie_is_nothing() {
    let house = House::open().await;
    for person in ["d-1", "d-2"] {
        house.employ(person, Role::Dealer).await;
    }
    let (own, _) = known(&sign_in(&house, "d-1", PASSWORD, &[]).await);
    let (others, _) = known(&sign_in(&house, "d-2", PASSWORD, &[]).await);
    let (name, value) = own.split_once('=').expect("a pair");
    let (others_name, others_value) = others.split_once('=').expect("a pair");
    assert_ne!(name, others_name);
    let terminal =
        DeviceKind::Terminal { table: "T1".into(), patron: punto_rules::PatronNo(1), at_box: None };
    let terminal = house.enrol("t-1", terminal);
    let revoked = house.enrol("c-9", console());
    house.app.register.revoke("c-9", house.app.clock.now()).expect("revoked");
    guess(&house, "d-1").await;
    let flipped: String = value.chars().map(|c| if c == '0' { '1' } else { '0' }).collect();
    let cookies = [
        format!("{name}={flipped}"),
        format!("{name}={others_value}"),
        format!("{others_name}={value}"),
        format!("{name}="),
        format!("{name}={value}; {name}={flipped}"),
        others.clone(),
    ];
    for cookie in &cookies {
        assert_eq!(sign_in(&house, "d-1", PASSWORD, &[("cookie", cookie)]).await.status, 401, "{cookie}");
    }
    for device in [token(&terminal), token(&revoked), "", "c-1", &"7".repeat(64)] {
        let answer = sign_in(&house, "d-1", PASSWORD, &[("x-punto-device", device)]).await;
        assert_eq!(answer.status, 401, "{device}");
        let bearer = format!("Bearer {device}");
        let answer = sign_in(&house, "d-1", PASSWORD, &[("authorization", &bearer)]).await;
        assert_eq!(answer.status, 401, "{device}");
    }
    assert_eq!(sign_in(&house, "d-1", PASSWORD, &[("cookie", &own)]).await.status, 200, "the real one");
}

/// A known browser or console has as few attempts as anybody, and is told as little.
#[tokio::test]
async fn nobody_guesses_without_end() {
    let house = House::open().await;
    house.employ("d-1", Role::Dealer).await;
    let (cookie, _) = known(&sign_in(&house, "d-1", PASSWORD, &[]).await);
    let (one, other) = (house.enrol("c-1", console()), house.enrol("c-2", console()));
    let before = house.deeds().await.len();
    let places = [("cookie", cookie.as_str()), ("x-punto-device", token(&one))];
    let mut answers = Vec::new();
    for place in places {
        for _ in 0..ATTEMPTS {
            answers.push(sign_in(&house, "d-1", WRONG, &[place]).await);
        }
        answers.push(sign_in(&house, "d-1", PASSWORD, &[place]).await);
    }
    answers.push(sign_in(&house, "nobody", PASSWORD, &[]).await);
    let mut answers: Vec<_> = answers.into_iter().map(|it| (it.status, it.head, it.body)).collect();
    answers.dedup();
    assert_eq!(answers.len(), 1, "wrong, locked, unknown: one answer");
    assert_eq!(answers[0].0, 401);
    assert_eq!(sign_in(&house, "d-1", PASSWORD, &[("x-punto-device", token(&other))]).await.status, 200);
    let failed = house
        .deeds()
        .await
        .split_off(before)
        .into_iter()
        .filter(|it| matches!(&it.deed, punto_record::Deed::SignInFailed { person: Some(_), .. }));
    assert_eq!(failed.count() as u32, 2 * ATTEMPTS, "each wrong password is a deed");
}

/// Whoever has come to a colleague's screen to sign has attempts there that strangers cannot use up, and that no new
/// session brings back.
#[tokio::test]
async fn a_second_person_can_sign_whatever_strangers_do() {
    let house = House::open().await;
    house.employ("a-1", Role::Administrator).await;
    house.employ("sm-1", Role::ShiftManager).await;
    let administrator = house.sign_in("a-1");
    let pending = async |by: &Who| {
        let asked = json!({"second": "sm-1", "reason": "counted again"});
        let asked = house.post("/api/tables/T1/unlock/pending", by, asked).await;
        asked.body["pending"].as_str().expect("its name").to_owned()
    };
    guess(&house, "sm-1").await;
    let sign = async |by: &Who, pending: &str, password: &str| {
        let body = json!({"pending": pending, "person": "sm-1", "password": password});
        house.post("/api/approvals", by, body).await.status
    };
    let first = pending(&administrator).await;
    assert_eq!(sign(&administrator, &first, PASSWORD).await, 201);
    let second = pending(&administrator).await;
    for _ in 0..ATTEMPTS {
        assert_eq!(sign(&administrator, &second, WRONG).await, 401);
    }
    let again = house.sign_in("a-1");
    assert_eq!(sign(&again, &second, PASSWORD).await, 401, "another session is the same person");
    let console = house.enrol("c-1", console());
    assert_eq!(sign(&console, &second, PASSWORD).await, 201, "a console is another place");
}

/// At an address from which somebody tries far too often, known places still come in.
#[tokio::test]
async fn strangers_at_the_same_address_take_nothing_from_known_places() {
    let mut house = House::closed(door(), Cost::trifling()).await;
    house.app.limit = Limit::new(4, 600_000).into();
    house.serve().await;
    house.employ("d-1", Role::Dealer).await;
    let (cookie, _) = known(&sign_in(&house, "d-1", PASSWORD, &[]).await);
    let console = house.enrol("c-1", console());
    let mut statuses = Vec::new();
    for n in 0..6 {
        statuses.push(sign_in(&house, &format!("x-{n}"), WRONG, &[]).await.status);
    }
    assert_eq!(statuses, [401, 401, 401, 429, 429, 429]);
    assert_eq!(sign_in(&house, "d-1", PASSWORD, &[("cookie", "punto-known-0=0")]).await.status, 429);
    assert_eq!(sign_in(&house, "d-1", PASSWORD, &[("cookie", &cookie)]).await.status, 200);
    assert_eq!(sign_in(&house, "d-1", PASSWORD, &[("x-punto-device", token(&console))]).await.status, 200);
    let staff = house.sign_in("d-1");
    let renew = json!({"old": PASSWORD, "password": "nine yellow birds"});
    assert_eq!(house.ask_json(Method::PUT, "/api/password", &staff, renew).await.status, 204);
}

/// However many passwords strangers send at once, whoever works here need not wait behind them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn strangers_do_not_fill_the_queue() {
    let house = std::sync::Arc::new(House::open_at(Cost::default()).await);
    house.employ("d-1", Role::Dealer).await;
    let console = house.enrol("c-1", console());
    let (told, mut heard) = tokio::sync::mpsc::unbounded_channel();
    for n in 0..80 {
        let (house, told) = (house.clone(), told.clone());
        tokio::spawn(async move {
            let status = sign_in(&house, &format!("x-{n}"), WRONG, &[]).await.status;
            told.send(status).expect("somebody listens");
        });
    }
    drop(told);
    let mut answers = Vec::new();
    // As soon as one is turned away, the strangers' part of the queue is full.
    while answers.last() != Some(&503) {
        answers.push(heard.recv().await.expect("somebody is turned away"));
    }
    assert_eq!(sign_in(&house, "d-1", PASSWORD, &[("x-punto-device", token(&console))]).await.status, 200);
    while let Some(status) = heard.recv().await {
        answers.push(status);
    }
    assert!(answers.len() == 80 && answers.iter().all(|status| matches!(status, 401 | 503)), "{answers:?}");
}
