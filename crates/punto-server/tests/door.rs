//! The HTTP door: the real router on a real port, a real register and ledger.

use crate::caller;
use std::collections::BTreeSet;
use std::time::Duration;

use crate::caller::{Answer, House, ORIGIN, PASSWORD, Who};
use axum::http::Method;
use punto_audit::{Auditor, Inputs};
use punto_record::{Actor, Deed, DeedKind, Sealed};
use punto_server::app::Door;
use punto_server::http::limit::Limit;
use punto_server::http::routes;
use punto_server::register::{ABSOLUTE, ATTEMPTS, Cost, DeviceKind, IDLE, LOCKED_FOR};
use punto_server::role::Role;
use punto_server::wire::Screen;
use serde_json::{Value, json};

const SESSION: &str = "/api/session";

fn sign_in(person: &str, password: &str) -> Value {
    json!({"person": person, "password": password})
}

#[tokio::test]
async fn a_browser_gets_a_cookie_and_a_program_a_token() {
    for secure in [false, true] {
        let house = House::open_with(Door { secure, ..caller::door() }).await;
        house.employ("d-1", Role::Dealer).await;
        let answer = house.post(SESSION, &Who::Nobody, sign_in("d-1", PASSWORD)).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        assert_eq!(answer.body["token"], Value::Null);
        let cookie = answer.header("set-cookie").expect("a cookie");
        let (pair, attributes) = cookie.split_once("; ").expect("attributes");
        let value = pair.strip_prefix("punto-session=").expect("its name");
        assert_eq!(value.len(), 64);
        let attributes: BTreeSet<&str> = attributes.split("; ").collect();
        let mut expected = BTreeSet::from(["Path=/", "HttpOnly", "SameSite=Strict", "Max-Age=43200"]);
        if secure {
            expected.insert("Secure");
        }
        assert_eq!(attributes, expected);
        assert_eq!(answer.header("strict-transport-security").is_some(), secure);
        assert!(!answer.body.to_string().contains(value), "no script can read the session");

        let csrf = answer.body["csrf"].as_str().expect("a token").to_owned();
        let browser = Who::Cookie { session: value.to_owned(), csrf: Some(csrf.clone()) };
        let shown = house.get(SESSION, &browser).await;
        assert_eq!((shown.status, &shown.body), (200, &answer.body));
        assert_eq!((&shown.body["role"], &shown.body["person"]), (&json!("dealer"), &json!("d-1")));

        let gone = house.delete(SESSION, &browser).await;
        assert_eq!(gone.status, 204);
        let cleared = gone.header("set-cookie").expect("the cookie is taken back");
        assert!(cleared.starts_with("punto-session=; ") && cleared.contains("Max-Age=0"), "{cleared}");
        assert_eq!(house.get(SESSION, &browser).await.code(), (401, "not-signed-in"));
    }

    let house = House::open().await;
    house.employ("d-1", Role::Dealer).await;
    let asked = json!({"person": "d-1", "password": PASSWORD, "token": true});
    let answer = house.post(SESSION, &Who::Nobody, asked).await;
    assert_eq!(answer.header("set-cookie"), None);
    let token = answer.body["token"].as_str().expect("a token").to_owned();
    assert_eq!(house.get(SESSION, &Who::Bearer(token.clone())).await.body["person"], "d-1");
    // Never from the address: those are written into logs.
    assert_eq!(house.get(&format!("{SESSION}?session={token}"), &Who::Nobody).await.status, 401);
}

#[tokio::test]
async fn nobody_learns_who_works_here() {
    let house = House::open().await;
    house.employ("a-1", Role::Administrator).await;
    house.employ("d-1", Role::Dealer).await;
    house.employ("d-2", Role::Dealer).await;
    house.employ("d-3", Role::Dealer).await;
    let administrator = house.sign_in("a-1");
    let off = house.patch("/api/staff/d-3", &administrator, json!({"enabled": false})).await;
    assert_eq!(off.status, 200);
    house.post("/api/staff", &administrator, json!({"person": "d-4", "name": "New", "role": "dealer"})).await;
    for _ in 0..ATTEMPTS {
        house.post(SESSION, &Who::Nobody, sign_in("d-2", "wrong password")).await;
    }
    let mut answers = Vec::new();
    for (person, password) in [
        ("nobody", PASSWORD),
        ("d-1", "wrong password"),
        ("d-2", PASSWORD),
        ("d-3", PASSWORD),
        ("d-4", PASSWORD),
        ("", ""),
    ] {
        let answer = house.post(SESSION, &Who::Nobody, sign_in(person, password)).await;
        assert_eq!(answer.code(), (401, "not-signed-in"), "{person}");
        answers.push((answer.head, answer.body));
    }
    answers.dedup();
    assert_eq!(answers.len(), 1, "every answer is the same, head and body");
}

#[tokio::test]
async fn lock_out_ends_by_itself_and_is_written_down_once() {
    let house = House::open().await;
    house.employ("d-1", Role::Dealer).await;
    let before = house.deeds().await.len();
    house.post(SESSION, &Who::Nobody, sign_in("my password by mistake", "d-1")).await;
    for _ in 0..ATTEMPTS + 3 {
        house.post(SESSION, &Who::Nobody, sign_in("d-1", "wrong password")).await;
    }
    assert_eq!(house.post(SESSION, &Who::Nobody, sign_in("d-1", PASSWORD)).await.status, 401);
    house.later(LOCKED_FOR);
    assert_eq!(house.post(SESSION, &Who::Nobody, sign_in("d-1", PASSWORD)).await.status, 200);

    let deeds: Vec<Deed> = house.deeds().await.split_off(before).into_iter().map(|it| it.deed).collect();
    let failed = |person: Option<&str>, locked| Deed::SignInFailed {
        person: person.map(punto_record::Person::as_recorded),
        locked,
        factor: false,
    };
    let mut expected = vec![failed(None, false)];
    expected.extend((1..ATTEMPTS).map(|_| failed(Some("d-1"), false)));
    expected.push(failed(Some("d-1"), true));
    assert_eq!(deeds[..deeds.len() - 1], expected);
    assert_eq!(deeds.last().map(Deed::kind), Some(DeedKind::SignedIn));
}

#[tokio::test]
async fn a_session_that_was_slipped_in_is_worth_nothing() {
    let house = House::open().await;
    house.employ("d-1", Role::Dealer).await;
    house.employ("d-2", Role::Dealer).await;
    // A value that somebody made up, and a session of their own.
    let made_up = Who::Cookie { session: "5".repeat(64), csrf: None };
    let own = house.sign_in_by_cookie("d-2").await;
    for slipped in [made_up, own] {
        let answer = house.post(SESSION, &slipped, sign_in("d-1", PASSWORD)).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        let cookie = answer.header("set-cookie").expect("a new one");
        let Who::Cookie { session, .. } = &slipped else { panic!("a cookie") };
        assert!(!cookie.contains(session.as_str()));
        assert_eq!(house.get(SESSION, &slipped).await.status, 401, "not upgraded, and ended");
    }
}

#[tokio::test]
async fn sessions_end_when_idle_and_after_a_shift() {
    let house = House::open().await;
    house.employ("d-1", Role::Dealer).await;
    let staff = house.sign_in("d-1");
    house.later(IDLE - 60_000);
    assert_eq!(house.get(SESSION, &staff).await.status, 200);
    house.later(IDLE - 60_000);
    assert_eq!(house.get(SESSION, &staff).await.status, 200);
    house.later(IDLE + 1_000);
    assert_eq!(house.get(SESSION, &staff).await.status, 401);

    let staff = house.sign_in("d-1");
    let step = IDLE - 60_000;
    for n in 1..=ABSOLUTE / step {
        house.later(step);
        assert_eq!(house.get(SESSION, &staff).await.status, 200, "after {n} steps");
    }
    house.later(ABSOLUTE % step + 1_000);
    assert_eq!(house.get(SESSION, &staff).await.status, 401);
}

#[tokio::test]
async fn a_request_that_a_foreign_page_made_is_refused() {
    let house = House::open().await;
    house.employ("a-1", Role::Administrator).await;
    house.employ("a-2", Role::Administrator).await;
    let Who::Cookie { session, csrf } = house.sign_in_by_cookie("a-1").await else { panic!("a cookie") };
    let Who::Cookie { csrf: others, .. } = house.sign_in_by_cookie("a-2").await else { panic!("a cookie") };
    let by = |csrf: Option<String>| Who::Cookie { session: session.clone(), csrf };
    let body = |n: u32| json!({"device": format!("b-{n}"), "kind": {"board": {"table": "T1"}}});
    let path = "/api/devices";

    for (n, wrong) in [None, others, Some(String::new()), Some("0".repeat(64))].into_iter().enumerate() {
        assert_eq!(house.post(path, &by(wrong), body(n as u32)).await.code(), (403, "csrf"));
    }
    assert_eq!(house.get(path, &by(None)).await.status, 200, "reading changes nothing");
    for foreign in ["https://elsewhere.example", "null", "http://floor.example.elsewhere.example", ""] {
        let answer = house.post_from(foreign, path, &by(csrf.clone()), body(10)).await;
        assert_eq!(answer.code(), (403, "foreign-origin"), "{foreign}");
        let answer = house.post_from(foreign, SESSION, &Who::Nobody, sign_in("a-1", PASSWORD)).await;
        assert_eq!(answer.code(), (403, "foreign-origin"), "nor does it sign anybody in");
    }
    assert_eq!(house.get(path, &by(None)).await.body, json!([]), "nothing of it was done");
    assert_eq!(house.post_from(ORIGIN, path, &by(csrf.clone()), body(20)).await.status, 201);
    assert_eq!(house.post(path, &by(csrf), body(21)).await.status, 201);
    // What stands in `Authorization` no page puts there by accident.
    assert_eq!(house.post(path, &Who::Bearer(session.clone()), body(22)).await.status, 201);

    let two = format!("punto-session={session}; other=1; punto-session={}", "1".repeat(64));
    let answer = house.ask(Method::GET, path, &[("cookie", &two)], None).await;
    assert_eq!(answer.status, 401, "of two sessions neither counts");
    let same = format!("punto-session={session}; punto-session={session}");
    assert_eq!(house.ask(Method::GET, path, &[("cookie", &same)], None).await.status, 200);
}

#[tokio::test]
async fn bodies_are_read_strictly() {
    let house = House::open().await;
    house.employ("d-1", Role::Dealer).await;
    let json = ("content-type", "application/json");
    let good = sign_in("d-1", PASSWORD).to_string();
    let long = format!(r#"{{"person":"d-1","password":"{}"}}"#, "x".repeat(64 * 1024));
    let longest = format!(r#"{{"person":"d-1","password":"{}"}}"#, "x".repeat(64 * 1024 - 30));
    assert_eq!(longest.len(), 64 * 1024);
    let unknown = r#"{"person":"d-1","password":"x","admin":true}"#;
    let twice = r#"{"person":"d-1","person":"d-2","password":"x"}"#;
    type Case<'a> = (&'a [(&'a str, &'a str)], &'a str, (u16, &'a str));
    let cases: [Case<'_>; 12] = [
        (&[json], "{", (400, "malformed")),
        (&[json], "", (400, "malformed")),
        (&[json], "[]", (400, "malformed")),
        (&[json], r#"{"person":"d-1"}"#, (400, "malformed")),
        (&[json], unknown, (400, "malformed")),
        (&[json], twice, (400, "malformed")),
        (&[json], &format!("{good} {{}}"), (400, "malformed")),
        (&[], &good, (415, "not-json")),
        (&[("content-type", "text/plain")], &good, (415, "not-json")),
        (&[("content-type", "application/json; charset=utf-16")], &good, (415, "not-json")),
        (&[json], &long, (413, "too-long")),
        (&[json], &longest, (401, "not-signed-in")),
    ];
    for (headers, body, expected) in cases {
        let answer = house.ask(Method::POST, SESSION, headers, Some(body.as_bytes())).await;
        assert_eq!(answer.code(), expected, "{headers:?} {}", &body[..body.len().min(60)]);
    }
    let charset = [("content-type", "application/json; charset=UTF-8")];
    assert_eq!(house.ask(Method::POST, SESSION, &charset, Some(good.as_bytes())).await.status, 200);
    let bytes = [json];
    let answer = house.ask(Method::POST, SESSION, &bytes, Some(b"{\"person\":\"\xff\"}")).await;
    assert_eq!(answer.code(), (400, "malformed"));
    house.employ("a-1", Role::Administrator).await;
    let administrator = house.sign_in("a-1");
    assert_eq!(house.delete("/api/devices/%ff", &administrator).await.code(), (400, "malformed"));
}

#[tokio::test]
async fn every_answer_tells_browsers_the_same() {
    let house = House::open().await;
    let answers = [
        house.get("/api/health", &Who::Nobody).await,
        house.get(SESSION, &Who::Nobody).await,
        house.get("/api/nothing", &Who::Nobody).await,
        house.ask(Method::PUT, SESSION, &[], None).await,
    ];
    assert_eq!(answers.each_ref().map(|it| it.status), [200, 401, 404, 405]);
    assert_eq!(answers[2].code(), (404, "not-found"));
    assert_eq!(answers[3].code(), (405, "no-such-method"));
    for answer in answers {
        assert_eq!(answer.header("content-type"), Some("application/json"), "{answer:?}");
        assert_eq!(answer.header("cache-control"), Some("no-store"));
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
        let policy = answer.header("content-security-policy").expect("a policy");
        assert!(policy.contains("default-src 'self'") && policy.contains("frame-ancestors 'none'"));
        assert_eq!(answer.header("strict-transport-security"), None);
    }
}

#[tokio::test]
async fn one_address_guesses_only_so_often() {
    let mut house = House::closed(caller::door(), Cost::trifling()).await;
    house.app.limit = Limit::new(3, 2_000).into();
    house.serve().await;
    let guess = json!({"invitation": "0".repeat(64), "password": PASSWORD});
    for _ in 0..2 {
        let answer = house.post("/api/password", &Who::Nobody, guess.clone()).await;
        assert_eq!(answer.code(), (409, "invitation-not-good"));
    }
    assert_eq!(house.post(SESSION, &Who::Nobody, sign_in("d-1", PASSWORD)).await.status, 401);
    let answer = house.post("/api/password", &Who::Nobody, guess.clone()).await;
    assert_eq!(answer.code(), (429, "too-often"));
    assert_eq!(answer.header("retry-after"), Some("2"));
    assert_eq!(house.get("/api/health", &Who::Nobody).await.status, 200, "other doors are open");
    house.later(2_500);
    assert_eq!(house.post("/api/password", &Who::Nobody, guess).await.status, 409);
}

/// Passwords are hashed two at once, and only so many wait: a storm of sign-ins does not take the tables' time.
#[tokio::test]
async fn a_storm_of_sign_ins_is_turned_away() {
    let house = House::open_at(Cost::default()).await;
    let asked = (0..50).map(|_| house.post(SESSION, &Who::Nobody, sign_in("d-1", PASSWORD)));
    let answers = futures_util::future::join_all(asked).await;
    let count = |status| answers.iter().filter(|answer| answer.status == status).count();
    assert_eq!(count(401) + count(503), 50);
    assert!(count(401) >= 32 && count(503) > 0, "{} looked at, {} turned away", count(401), count(503));
}

/// Whoever hangs up in the middle does not keep the deed out of the record.
#[tokio::test]
async fn a_change_is_written_down_although_nobody_waits_for_the_answer() {
    let house = House::open_at(Cost::default()).await;
    let invitation = house.app.register.first_administrator(house.app.clock.now()).expect("asked");
    let invitation = invitation.expect("invited").secret.text();
    let before = house.deeds().await.len();
    let chosen = json!({"invitation": invitation, "password": PASSWORD});
    house.say_and_hang_up("/api/password", chosen).await;
    let written = tokio::time::timeout(Duration::from_secs(20), async {
        while house.deeds().await.len() == before {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    written.await.expect("the deed is written");
    assert_eq!(house.deeds().await.last().map(|it| it.deed.kind()), Some(DeedKind::PasswordChosen));
}

/// Everybody at every door: in where the table of routes says so, and nowhere else.
#[tokio::test]
async fn everybody_at_every_door() {
    let house = House::open().await;
    let devices = [
        (
            Screen::Terminal,
            house.enrol(
                "t-1",
                DeviceKind::Terminal { table: "T1".into(), patron: punto_rules::PatronNo(1), at_box: None },
            ),
        ),
        (Screen::Console, house.enrol("c-1", DeviceKind::Console { table: "T1".into() })),
        (Screen::Board, house.enrol("b-1", DeviceKind::Board { table: "T1".into() })),
        (Screen::Reader, house.enrol("r-1", DeviceKind::Reader { table: "T1".into() })),
        (
            Screen::Acceptor,
            house.enrol("n-1", DeviceKind::Acceptor { table: "T1".into(), patron: punto_rules::PatronNo(1) }),
        ),
    ];
    for role in Role::ALL {
        house.employ(role.id(), role).await;
    }
    let (mut let_in, mut turned_away) = (0, 0);
    for route in routes() {
        let path = route.path.replace(['{', '}'], "");
        let mut callers =
            vec![("nobody".to_owned(), Who::Nobody, route.who == punto_server::http::route::Who::Anyone)];
        callers.push(("nonsense".to_owned(), Who::Bearer("7".repeat(64)), callers[0].2));
        for (screen, device) in &devices {
            callers.push((format!("{screen:?}"), device.clone(), route.who.admits_device(*screen)));
        }
        for role in Role::ALL {
            callers.push((role.id().to_owned(), house.sign_in(role.id()), route.who.admits_staff(role)));
        }
        for (name, who, may) in callers {
            // What no handler takes: only the guard can say 401 or 403.
            let body = route.body.map(|_| &b"nonsense"[..]);
            let answer = house.ask_as(route.method.clone(), &path, &who, body).await;
            let denied = match answer.status {
                401 | 403 => true,
                500 => panic!("{route:?} by {name}: {answer:?}"),
                _ => false,
            };
            assert_eq!(denied, !may, "{route:?} by {name}: {answer:?}");
            if denied {
                let nobody = matches!(who, Who::Nobody) || name == "nonsense";
                let expected = if nobody { (401, "not-signed-in") } else { (403, "not-allowed") };
                assert_eq!(answer.code(), expected, "{route:?} by {name}");
                turned_away += 1;
            } else {
                let_in += 1;
            }
        }
    }
    assert!(let_in > 50 && turned_away > 50, "{let_in} in, {turned_away} out");
}

/// What a device reads by its credential alone. A console shows nothing without a sign-in, and reads nothing either: the one
/// thing that it may do is to bring the signature of somebody who gives their password at it.
#[test]
fn these_doors_are_open_to_devices() {
    let all = [Screen::Terminal, Screen::Console, Screen::Board, Screen::Reader, Screen::Acceptor];
    let open: BTreeSet<String> = routes()
        .iter()
        .filter(|route| route.who != punto_server::http::route::Who::Anyone)
        .flat_map(|route| {
            let may = all.iter().filter(|screen| route.who.admits_device(**screen));
            may.map(move |screen| format!("{screen:?} {route:?}"))
        })
        .collect();
    let expected = [
        "Board GET /api/odds",
        "Board GET /api/tables/{table}/odds",
        "Board GET /api/tables/{table}/print",
        "Board GET /api/tables/{table}/rounds",
        "Board GET /api/tables/{table}/rulebook",
        "Console POST /api/approvals",
        "Reader GET /api/tables/{table}/rulebook",
        "Terminal GET /api/odds",
        "Terminal GET /api/tables/{table}/odds",
        "Terminal GET /api/tables/{table}/print",
        "Terminal GET /api/tables/{table}/rounds",
        "Terminal GET /api/tables/{table}/rounds/{round}/receipt",
        "Terminal GET /api/tables/{table}/rulebook",
    ];
    assert_eq!(open, expected.map(String::from).into());
}

/// Whoever opens another door to everybody must say so here.
#[test]
fn these_doors_are_open_to_everybody() {
    let open: BTreeSet<String> = routes()
        .iter()
        .filter(|route| route.who == punto_server::http::route::Who::Anyone && route.path.starts_with("/api"))
        .map(|route| format!("{route:?}"))
        .collect();
    let expected = [
        "GET /api/demo",
        "GET /api/health",
        "GET /api/openapi.json",
        "GET /api/protocol.json",
        "GET /api/ready",
        "GET /api/socket",
        "POST /api/password",
        "POST /api/session",
    ];
    assert_eq!(open, expected.map(String::from).into());
    let guessable = routes().into_iter().filter(|route| route.guessable).map(|route| format!("{route:?}"));
    let expected = [
        "POST /api/session",
        "POST /api/password",
        "PUT /api/password",
        "POST /api/factor/offer",
        "POST /api/factor",
        "POST /api/factor/recovery-codes",
        "POST /api/factor/resets/stop",
        "POST /api/approvals",
    ];
    assert_eq!(guessable.collect::<BTreeSet<_>>(), expected.map(String::from).into());
}

/// A house from its first start: everything that is done is a deed, and no secret is in one.
#[tokio::test]
async fn a_house_is_staffed_and_every_step_is_a_deed() {
    let house = House::open().await;
    let now = house.app.clock.now();
    let first = house.app.register.first_administrator(now).expect("asked").expect("invited").secret.text();
    let mut secrets = vec![first.clone(), PASSWORD.to_owned()];
    let choose = |invitation: &str| json!({"invitation": invitation, "password": PASSWORD});
    assert_eq!(house.post("/api/password", &Who::Nobody, choose(&first)).await.status, 200);
    let again = house.post("/api/password", &Who::Nobody, choose(&first)).await;
    assert_eq!(again.code(), (409, "invitation-not-good"));

    let asked = json!({"person": "administrator", "password": PASSWORD, "token": true});
    let answer = house.post(SESSION, &Who::Nobody, asked).await;
    let token = answer.body["token"].as_str().expect("a token").to_owned();
    secrets.extend([token.clone(), answer.body["csrf"].as_str().expect("csrf").to_owned()]);
    let administrator = Who::Bearer(token);
    let hire = json!({"person": "sm-1", "name": "Shift Manager", "role": "shift-manager"});
    let hired = house.post("/api/staff", &administrator, hire.clone()).await;
    assert_eq!(hired.status, 201);
    assert_eq!(house.post("/api/staff", &administrator, hire).await.code(), (409, "person-exists"));
    let invitation = hired.body["invitation"].as_str().expect("an invitation").to_owned();
    secrets.push(invitation.clone());
    assert_eq!(house.post("/api/password", &Who::Nobody, choose(&invitation)).await.status, 200);

    let console = json!({"device": "console-1", "kind": {"console": {"table": "T1"}}});
    let enrolled = house.post("/api/devices", &administrator, console.clone()).await;
    assert_eq!(enrolled.status, 201);
    assert_eq!(house.post("/api/devices", &administrator, console).await.code(), (409, "device-exists"));
    let credential = enrolled.body["credential"].as_str().expect("a credential").to_owned();
    secrets.push(credential.clone());
    let console = Who::Bearer(credential);
    let asked = json!({"second": "sm-1", "reason": "counted again"});
    let asked = house.post("/api/tables/T1/unlock/pending", &administrator, asked).await;
    assert_eq!(asked.status, 201, "{asked:?}");
    let pending = asked.body["pending"].as_str().expect("its name").to_owned();
    let approve = |password| json!({"pending": pending, "person": "sm-1", "password": password});
    let wrong = house.post("/api/approvals", &console, approve("not the password")).await;
    assert_eq!(wrong.code(), (401, "not-signed-in"));
    let approval = house.post("/api/approvals", &console, approve(PASSWORD)).await;
    assert_eq!((approval.status, &approval.body["signers"][0]["signed"]), (201, &json!(true)));
    assert_eq!(approval.body["digest"], asked.body["digest"]);

    let supervisor = house.sign_in("sm-1");
    let renew = json!({"old": PASSWORD, "password": "nine yellow birds"});
    let other = house.sign_in("sm-1");
    assert_eq!(house.ask_json(Method::PUT, "/api/password", &supervisor, renew).await.status, 204);
    assert_eq!(house.get(SESSION, &supervisor).await.status, 200, "one's own session goes on");
    assert_eq!(house.get(SESSION, &other).await.status, 401, "others end");

    let own = house.patch("/api/staff/Administrator", &administrator, json!({"role": "cashier"})).await;
    assert_eq!(own.code(), (403, "not-allowed"), "nobody changes themselves");
    let nobody = house.patch("/api/staff/sup-9", &administrator, json!({"enabled": false})).await;
    assert_eq!(nobody.code(), (404, "no-such-person"));
    let off = house.patch("/api/staff/sm-1", &administrator, json!({"enabled": false})).await;
    assert_eq!((off.status, &off.body["member"]["enabled"]), (200, &json!(false)));
    assert_eq!(house.get(SESSION, &supervisor).await.status, 401, "at once");
    let on = house.patch("/api/staff/sm-1", &administrator, json!({"enabled": true, "invite": true})).await;
    secrets.push(on.body["invitation"].as_str().expect("an invitation").to_owned());
    assert_eq!(house.delete("/api/devices/console-1", &administrator).await.status, 204);
    assert_eq!(house.post("/api/approvals", &console, approve(PASSWORD)).await.status, 401, "at once");
    assert_eq!(house.delete("/api/devices/console-1", &administrator).await.code(), (404, "no-such-device"));
    let staff = house.get("/api/staff", &administrator).await.body;
    assert_eq!(staff.as_array().map(Vec::len), Some(2));
    assert_eq!(house.delete(SESSION, &administrator).await.status, 204);

    let deeds = house.deeds().await;
    let told: Vec<String> = deeds
        .iter()
        .map(|it| {
            format!("{} {}", it.by.person().map_or("house", |person| person.as_str()), it.deed.kind().id())
        })
        .collect();
    let expected = [
        "house ledger-founded",
        "house key-adopted",
        "house ticket-key-adopted",
        "administrator password-chosen",
        "administrator signed-in",
        "administrator staff-changed",
        "sm-1 password-chosen",
        "administrator device-enrolled",
        "house sign-in-failed",
        "sm-1 approval-given",
        "sm-1 password-chosen",
        "administrator staff-changed",
        "administrator staff-changed",
        "administrator device-revoked",
        "administrator signed-out",
    ];
    assert_eq!(told, expected);
    let text = serde_json::to_string(&deeds).expect("JSON");
    for secret in &secrets {
        assert!(!text.contains(secret.as_str()), "a secret stands in a deed");
    }

    let stored = house.stored().await;
    let mut auditor = Auditor::new(Inputs::default());
    for (volume, sealed) in &stored {
        auditor.entry(volume, sealed);
    }
    assert_eq!(stored.len(), deeds.len());
    assert_eq!(auditor.findings(), []);
}

/// Whose deeds they are: the ledger refuses the others, and the auditor finds them.
#[tokio::test]
async fn deeds_of_the_door_are_not_everybodys() {
    let house = House::open().await;
    let actors: Vec<Actor> =
        Role::ALL.iter().map(|role| role.actor("x-1".into())).chain([Actor::House]).collect();
    let session = || "0123456789abcdef".into();
    let changed =
        |person: &str| Deed::staff_changed(person.parse().expect("a name"), "dealer".into(), true, false);
    let (device, kind, table) = (|| "b-1".into(), "board".into(), "T1".into());
    let own = |by: &Actor| *by != Actor::House;
    let office = |by: &Actor| matches!(by, Actor::Administrator { .. } | Actor::House);
    type Theirs<'a> = &'a dyn Fn(&Actor) -> bool;
    let cases: [(Deed, Theirs<'_>); 9] = [
        (Deed::SignedIn { session: session(), factor: None }, &own),
        (Deed::SignedOut { session: session() }, &own),
        (Deed::PasswordChosen { credential: None }, &own),
        (Deed::ApprovalGiven { digest: None, table: None, round: None, factor: None }, &own),
        (Deed::SignInFailed { person: None, locked: false, factor: false }, &|by| *by == Actor::House),
        (changed("x-2"), &office),
        (changed("x-1"), &|by| *by == Actor::House),
        (
            Deed::DeviceEnrolled {
                device: device(),
                kind,
                table,
                patron: None,
                at_box: None,
                second: None,
                reason: None,
                credential: None,
            },
            &office,
        ),
        (Deed::DeviceRevoked { device: device() }, &office),
    ];
    let founding = house.stored().await;
    for (deed, theirs) in cases {
        for by in &actors {
            let may = theirs(by);
            let written = house.app.deeds.write(by.clone(), deed.clone()).await;
            assert_eq!(written.is_ok(), may, "{deed:?} by {by:?}");

            let mut auditor = Auditor::new(Inputs::default());
            let mut chain = punto_record::Chain::START;
            for (volume, sealed) in &founding {
                auditor.entry(volume, sealed);
                chain = punto_record::Chain { seq: sealed.seq, link: sealed.chain };
            }
            let forged: Sealed = chain.seal_deed(&punto_record::HouseEntry {
                seq: chain.seq.next(),
                id: punto_record::OrderId { device: "server".into(), n: 9 },
                by: by.clone(),
                at: house.app.clock.now(),
                deed: deed.clone(),
                release: punto_record::Release("test".into()),
            });
            auditor.entry(&punto_record::Volume::House, &forged);
            assert_eq!(auditor.findings().is_empty(), may, "{deed:?} by {by:?}: {:?}", auditor.findings());
        }
    }
}

/// A process that is alive may still be one that nobody should be sent to.
#[tokio::test]
async fn readiness_is_told_beside_liveness() {
    let house = House::open().await;
    let ask = async |path: &str| {
        let answer = house.get(path, &Who::Nobody).await;
        (answer.status, answer.body["well"].clone())
    };
    assert_eq!(ask("/api/health").await, (200, json!(true)));
    assert_eq!(ask("/api/ready").await, (200, json!(true)));
    house.app.floor.fail("the program on the disk is another one");
    assert_eq!(ask("/api/health").await.0, 200);
    assert_eq!(ask("/api/ready").await.0, 503);
}

#[tokio::test]
async fn figures_count_what_happens_at_the_door() {
    let mut house = House::closed(caller::door(), Cost::trifling()).await;
    let caps = punto_server::listen::Caps::new(64, 64, Vec::new());
    house.app.caps = caps.clone();
    house.serve_by(punto_server::listen::Listen { caps, ..Default::default() }).await;
    house.employ("a-1", Role::Administrator).await;
    for _ in 0..ATTEMPTS {
        house.post(SESSION, &Who::Nobody, sign_in("a-1", "wrong password")).await;
    }
    house.post(SESSION, &Who::Nobody, sign_in("nobody", "wrong password")).await;
    house.later(LOCKED_FOR);
    let administrator = house.sign_in("a-1");
    let text = house.text("/api/metrics", &administrator).await;
    let figure = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.unwrap_or_else(|| panic!("{name} in {text}")).parse::<u64>().expect("a number")
    };
    assert_eq!(figure("punto_sign_in_failures_total"), u64::from(ATTEMPTS) + 1);
    assert_eq!(figure("punto_lock_outs_total"), 1);
    // Those before may not have been given back yet.
    assert!((1..=8).contains(&figure("punto_connections")));
    assert_eq!((figure("punto_connections_limit"), figure("punto_connections_refused_total")), (64, 0));
    assert_eq!((figure("punto_well"), figure("punto_ready")), (1, 1));
    if cfg!(target_os = "linux") {
        assert!((1..figure("punto_descriptors_limit")).contains(&figure("punto_descriptors")));
    }
    // No table has written anything: the histogram is there and empty, and nothing hangs.
    assert_eq!((figure("punto_commit_seconds_count"), figure("punto_commit_failures_total")), (0, 0));
    assert_eq!(figure("punto_commit_seconds_bucket{le=\"+Inf\"}"), 0);
    for gauge in ["\npunto_commit_age_seconds ", "\npunto_writer_busy_seconds "] {
        assert!(text.contains(gauge), "{gauge} in {text}");
    }
    // Every figure says what it is.
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let name = line.split(['{', ' ']).next().expect("a name");
        let part = ["_bucket", "_sum", "_count"].iter().find_map(|part| name.strip_suffix(part));
        let name = part.unwrap_or(name);
        assert!(
            text.contains(&format!("# HELP {name} ")) && text.contains(&format!("# TYPE {name} ")),
            "{line}"
        );
    }
}

/// What failed inside is nobody's business outside: a number, and the log has the rest.
#[tokio::test]
async fn what_fails_inside_stays_inside() {
    let house = House::open().await;
    house.employ("a-1", Role::Administrator).await;
    let administrator = house.sign_in("a-1");
    // Another writer takes over: this one can write nothing more.
    house.app.floor.ledger().with(|vault| vault.give_way()).await.expect("fenced");
    let board = json!({"device": "b-1", "kind": {"board": {"table": "T1"}}});
    let answer: Answer = house.post("/api/devices", &administrator, board).await;
    assert_eq!(answer.code(), (500, "internal"));
    let words = answer.body["error"]["words"].as_str().expect("words");
    assert!(words.contains("number") && !words.contains("writer") && !words.contains("ledger"), "{words}");
    let answer = house.post(SESSION, &Who::Nobody, sign_in("a-1", PASSWORD)).await;
    assert_eq!(answer.code(), (500, "internal"));
    assert_eq!(answer.header("set-cookie"), None, "nobody is signed in without a word in the record");
    let answer = house.post(SESSION, &Who::Nobody, sign_in("a-1", "not the password")).await;
    assert_eq!(answer.code(), (401, "not-signed-in"), "who guesses learns nothing of it");
}
