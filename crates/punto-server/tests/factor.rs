//! Second factors at the door: who needs one, what is good and how often, and how one is reset.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::house::{House, PASSWORD, SignsAs as _, clock, hello};
use axum::http::Method;
use punto_ledger::FACTOR_RESET_DELAY;
use punto_record::{Deed, LedgerKind, Timestamp};
use punto_server::client::{Error, Http, Socket, authenticator};
use punto_server::clock::Clock;
use punto_server::floor::Pace;
use punto_server::http::factor::{FactorState, RecoveryCodes, WaitingReset};
use punto_server::http::route::Who;
use punto_server::http::routes;
use punto_server::pending::Pending;
use punto_server::register::{ATTEMPTS, FactorOffer, PasswordAndCode, Source};
use punto_server::role::Role;
use punto_server::wire::Screen;
use serde_json::{Value, json};

const STEP: u64 = 30_000;

async fn of_kind(kind: LedgerKind) -> House {
    House::of_kind(kind, clock(), Pace::FLAT_OUT).await
}

/// A house with two Administrators, a Shift Manager and a Dealer.
async fn staffed() -> House {
    staffed_by(clock()).await
}

async fn staffed_by(clock: Clock) -> House {
    let house = House::of_kind(LedgerKind::House, clock, Pace::FLAT_OUT).await;
    for (person, role) in [
        ("adm-1", Role::Administrator),
        ("adm-2", Role::Administrator),
        ("sm-1", Role::ShiftManager),
        ("d-1", Role::Dealer),
    ] {
        house.hire(person, role).await;
    }
    house
}

fn refused<T>(answer: Result<T, Error>) -> String {
    match answer {
        Ok(_) => "done".to_owned(),
        Err(Error::Refused { code, .. }) => code,
        Err(Error::Goodbye(why)) => format!("{why:?}"),
        Err(error) => panic!("{error:?}"),
    }
}

async fn sign_in(house: &House, person: &str, code: Option<&str>) -> Result<Http, Error> {
    Http::new(&house.url).unwrap().sign_in_with(person, PASSWORD, code).await
}

/// The code that the app shows now, used or not.
fn shown(house: &House, secret: &str) -> String {
    authenticator::code(secret, house.wall.load(Ordering::Relaxed)).unwrap()
}

fn secret(house: &House, person: &str) -> String {
    std::fs::read_to_string(house.folder.path().join(format!("app-of-{person}"))).unwrap()
}

/// What somebody may do after signing in: nothing, set up a second factor, or their work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Refused,
    EnrolsOnly,
    Works,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Brought {
    Nothing,
    Wrong,
    Right,
    Used,
    Recovery,
    UsedRecovery,
}

/// The rule, written from the document: in a house four roles do not work without; whoever has a factor shows it.
fn rule(role: &str, kind: &str, has: bool, brought: Brought) -> Outcome {
    let must =
        kind == "house" && ["administrator", "pit-manager", "shift-manager", "duty-manager"].contains(&role);
    if has {
        let is_good = [Brought::Right, Brought::Recovery].contains(&brought);
        return if is_good { Outcome::Works } else { Outcome::Refused };
    }
    if must { Outcome::EnrolsOnly } else { Outcome::Works }
}

/// Every role in every kind of ledger, with a second factor and without, whatever they bring.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_role_with_whatever_it_brings() {
    let mut seen = BTreeSet::new();
    for kind in [LedgerKind::House, LedgerKind::Practice, LedgerKind::Demo] {
        let house = of_kind(kind).await;
        // In a house these two answer for everybody else.
        for person in ["adm-1", "adm-2"] {
            house.hire(person, Role::Administrator).await;
        }
        for role in Role::ALL {
            for has in [true, false] {
                let person = format!("{}-{has}", role.id());
                house.hire_without_factor(&person, role).await;
                let recovery =
                    if has { house.enrol_factor(&person).await } else { vec!["1111-2222".to_owned(); 2] };
                let mut last = "000000".to_owned();
                // Right ones in between: five failures in a row would lock the person out.
                for brought in [
                    Brought::Nothing,
                    Brought::Wrong,
                    Brought::Right,
                    Brought::Used,
                    Brought::Recovery,
                    Brought::UsedRecovery,
                ] {
                    let code = match brought {
                        Brought::Nothing => None,
                        Brought::Wrong => Some("123 456".to_owned()),
                        Brought::Right => {
                            last = house.code(&person).unwrap_or(last.clone());
                            Some(last.clone())
                        }
                        Brought::Used => Some(last.clone()),
                        Brought::Recovery | Brought::UsedRecovery => Some(recovery[0].to_uppercase()),
                    };
                    let (url, app) = (house.url.clone(), house.app.clone());
                    let http =
                        Http::new(&url).unwrap().sign_in_with(&person, PASSWORD, code.as_deref()).await;
                    let outcome = match &http {
                        Err(_) => Outcome::Refused,
                        // It is admitted, and then cannot be read.
                        Ok(http) => {
                            match refused(http.post::<Value>("/api/factor/recovery-codes", &json!({})).await)
                            {
                                code if code == "factor-needed" => Outcome::EnrolsOnly,
                                code => {
                                    assert_eq!(code, "malformed");
                                    Outcome::Works
                                }
                            }
                        }
                    };
                    assert_eq!(
                        outcome,
                        rule(role.id(), kind.id(), has, brought),
                        "{person} {kind:?} {brought:?}"
                    );
                    seen.insert((kind.id(), role.id(), has, format!("{brought:?}")));
                    drop(app);
                }
            }
        }
        assert_eq!(house.findings().await, Vec::<String>::new(), "{kind:?}");
    }
    assert_eq!(seen.len(), 3 * 8 * 2 * 6);
}

/// Whoever must set one up first comes in by those routes, and by no other; nor by a socket, nor as a second person.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn before_it_is_set_up_nothing_else_is_open() {
    let house = staffed().await;
    house.hire_without_factor("sm-2", Role::ShiftManager).await;
    house.hire_without_factor("adm-3", Role::Administrator).await;
    let mut closed = 0;
    for person in ["sm-2", "adm-3"] {
        let http = sign_in(&house, person, None).await.unwrap();
        let session: Value = http.get("/api/session").await.unwrap();
        assert_eq!(session["factor"], json!({ "enrolled": false, "must_enrol": true }));
        for route in routes() {
            // To sign out would end it.
            let is_end = route.path == "/api/session" && route.method == Method::DELETE;
            if route.who == Who::Anyone || route.enrols || is_end {
                continue;
            }
            let path = route.path.replace(['{', '}'], "");
            let answer = match route.method.as_str() {
                "GET" => refused(http.get::<Value>(&path).await),
                "POST" => refused(http.post::<Value>(&path, &json!({})).await),
                "PUT" => refused(http.put::<Value>(&path, &json!({})).await),
                "PATCH" => refused(http.patch::<Value>(&path, &json!({})).await),
                "DELETE" => refused(http.delete(&path).await),
                other => panic!("{other}"),
            };
            let is_closed = answer == "factor-needed" || answer == "not-allowed";
            assert!(is_closed, "{person} {} {path}: {answer}", route.method);
            closed += 1;
        }
    }
    assert!(closed > 60, "{closed}");
    let open: Vec<String> =
        routes().iter().filter(|it| it.enrols).map(|it| format!("{} {}", it.method, it.path)).collect();
    assert_eq!(
        open,
        [
            "GET /api/session",
            "DELETE /api/session",
            "GET /api/factor",
            "POST /api/factor/offer",
            "POST /api/factor",
        ]
    );
    let session = sign_in(&house, "sm-2", None).await.unwrap().session().unwrap().to_owned();
    let by = Role::ShiftManager.actor("sm-2".into());
    let pit = Socket::open(&house.url, hello("T1", Screen::Pit, None, Some(&session)), by).await;
    assert_eq!(refused(pit), "NotAllowed");
    // As a second person at the screen of an Administrator.
    let adm = house.http("adm-1").await;
    let body =
        json!({ "what": { "change": { "person": "d-1", "invite": true } }, "second": "sm-2", "reason": "x" });
    let pending: Pending = adm.post("/api/staffing", &body).await.unwrap();
    assert_eq!(refused(adm.sign_as(&pending.pending, "sm-2").await), "factor-needed");
    house.enrol_factor("sm-2").await;
    assert_eq!(refused(adm.sign_as(&pending.pending, "sm-2").await), "done");
    assert_eq!(house.findings().await, Vec::<String>::new());
}

/// A code is good once: for one of many at the same instant, whatever the clock does, and after a restart.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_code_is_good_once() {
    let house = staffed().await;
    let secret = secret(&house, "sm-1");
    let recovery = {
        let http = house.http("sm-1").await;
        let body = json!({ "password": PASSWORD, "code": house.code("sm-1") });
        let made: RecoveryCodes = http.post("/api/factor/recovery-codes", &body).await.unwrap();
        made.codes
    };
    assert_eq!(recovery.len(), 10);
    let code = house.code("sm-1").unwrap();
    for (code, what) in [(&code, "a code"), (&recovery[0], "a recovery code")] {
        let tries = (0..4).map(|_| sign_in(&house, "sm-1", Some(code)));
        let answers = futures_util::future::join_all(tries).await;
        assert_eq!(answers.iter().filter(|it| it.is_ok()).count(), 1, "{what}");
    }
    let now = house.wall.load(Ordering::Relaxed);
    // An hour ahead for a moment, and put right: what was not used is good, what was used is not.
    house.wall.store(now + 3_600_000, Ordering::Relaxed);
    let ahead = shown(&house, &secret);
    assert!(sign_in(&house, "sm-1", Some(&ahead)).await.is_ok());
    house.wall.store(now + STEP, Ordering::Relaxed);
    assert!(sign_in(&house, "sm-1", Some(&code)).await.is_err(), "used");
    assert!(sign_in(&house, "sm-1", Some(&shown(&house, &secret))).await.is_ok());
    // Set back an hour: codes of that time are good unless they were used; recovery codes in any case.
    house.wall.store(now - 3_600_000, Ordering::Relaxed);
    assert!(sign_in(&house, "sm-1", Some(&recovery[1])).await.is_ok());
    assert!(sign_in(&house, "sm-1", Some(&shown(&house, &secret))).await.is_ok());
    assert!(sign_in(&house, "sm-1", Some(&shown(&house, &secret))).await.is_err());
    let kind = house.app.floor.kind();
    let (folder, key) = house.close().await;
    // Without the file of sessions as well: what was used stands in the record.
    for file in std::fs::read_dir(folder.path()).unwrap().map(|it| it.unwrap().path()) {
        if file.to_string_lossy().contains("sessions") {
            std::fs::remove_file(file).unwrap();
        }
    }
    let house = House::open(folder, key, clock(), Pace::FLAT_OUT).await;
    assert_eq!(house.app.floor.kind(), kind);
    for (wall, used) in [(now, &code), (now + 3_600_000, &ahead)] {
        house.wall.store(wall, Ordering::Relaxed);
        assert!(sign_in(&house, "sm-1", Some(used)).await.is_err(), "used before the restart");
    }
    assert!(sign_in(&house, "sm-1", Some(&recovery[1])).await.is_err(), "used before the restart");
    let http = sign_in(&house, "sm-1", Some(&recovery[2])).await.unwrap();
    let state: FactorState = http.get("/api/factor").await.unwrap();
    assert_eq!(state.recovery_codes, Some(7), "whoever signs in is told how many are left");
    assert_eq!(house.findings().await, Vec::<String>::new());
}

/// A wrong code is counted with wrong passwords, and the answer is the same; only the record knows that the password was right.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn wrong_codes_lock_as_wrong_passwords_do() {
    let house = staffed().await;
    let anybody = Http::new(&house.url).unwrap();
    let mut answers = BTreeSet::new();
    for n in 0..ATTEMPTS {
        let answer = match n % 2 {
            0 => anybody.sign_in_with("sm-1", PASSWORD, Some("123456")).await,
            _ => anybody.sign_in_with("sm-1", "not the password", house.code("sm-1").as_deref()).await,
        };
        answers.insert(format!("{:?}", answer.unwrap_err()));
    }
    let right = house.code("sm-1");
    answers.insert(format!("{:?}", sign_in(&house, "sm-1", right.as_deref()).await.unwrap_err()));
    answers.insert(format!("{:?}", sign_in(&house, "sm-1", None).await.unwrap_err()));
    answers.insert(format!("{:?}", sign_in(&house, "nobody", Some("123456")).await.unwrap_err()));
    answers.insert(format!("{:?}", anybody.sign_in_with("d-1", "wrong", None).await.unwrap_err()));
    assert_eq!(answers.len(), 1, "{answers:?}");
    // What a locked person typed is not used up by it.
    let known = house.app.register.sign_in_with(
        &Source::ScreenOf("adm-1".into()),
        "sm-1",
        &PasswordAndCode::new(PASSWORD, right.as_deref()),
        house.app.clock.now(),
        |_| Ok(()),
    );
    assert!(known.is_ok(), "{known:?}");
    let failed: Vec<(bool, bool)> = house
        .deeds()
        .await
        .into_iter()
        .filter_map(|deed| {
            let Deed::SignInFailed { person: Some(person), locked, factor } = deed else { return None };
            (person == "sm-1".into()).then_some((locked, factor))
        })
        .collect();
    assert_eq!(failed, [(false, true), (false, false), (false, true), (false, false), (true, true)]);
}

/// In one's own session the password is enough, however often; at the screen of somebody else it takes a code, each once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn signatures_take_a_code_at_the_screen_of_somebody_else() {
    let house = staffed().await;
    let (adm, sm) = (house.http("adm-1").await, house.http("sm-1").await);
    let mut waiting = Vec::new();
    for n in 0..3 {
        let what =
            json!({ "hire": { "person": format!("x-{n}"), "name": "Somebody New", "role": "dealer" } });
        let body = json!({ "what": what, "second": "sm-1", "reason": "as planned" });
        let pending: Pending = adm.post("/api/staffing", &body).await.unwrap();
        waiting.push(pending.pending);
    }
    let (code, own) = (house.code("sm-1"), &waiting);
    assert!(adm.sign(&own[0], "sm-1", PASSWORD).await.is_err(), "no code");
    assert!(adm.sign_with(&own[0], "sm-1", PASSWORD, Some("123456")).await.is_err(), "a wrong one");
    assert!(adm.sign_with(&own[0], "sm-1", PASSWORD, code.as_deref()).await.is_ok());
    assert!(adm.sign_with(&own[1], "sm-1", PASSWORD, code.as_deref()).await.is_err(), "the same again");
    for pending in own {
        assert!(sm.sign(pending, "SM-1", PASSWORD).await.is_ok(), "three in a second");
    }
    assert!(sm.sign(&own[0], "sm-1", "not the password").await.is_err());
    for pending in own {
        let _: Value = adm.post("/api/staffing/record", &json!({ "pending": pending })).await.unwrap();
    }
    assert_eq!(house.findings().await, Vec::<String>::new());
}

/// Whoever sets up another one shows the one before; the other sessions end, this one goes on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn enrolling_ends_every_other_session() {
    let house = of_kind(LedgerKind::Practice).await;
    house.hire("d-1", Role::Dealer).await;
    let (one, other) =
        (sign_in(&house, "d-1", None).await.unwrap(), sign_in(&house, "d-1", None).await.unwrap());
    let begin = async |http: &Http, code: Option<String>| -> Result<FactorOffer, Error> {
        http.post("/api/factor/offer", &json!({ "password": PASSWORD, "code": code })).await
    };
    let finish = async |http: &Http, code: String| -> Result<RecoveryCodes, Error> {
        http.post("/api/factor", &json!({ "code": code })).await
    };
    assert!(one.post::<Value>("/api/factor/offer", &json!({ "password": "wrong" })).await.is_err());
    assert_eq!(refused(finish(&one, "123456".to_owned()).await), "factor-offer-gone", "nothing was begun");
    let (offer, late) = (begin(&one, None).await.unwrap(), begin(&other, None).await.unwrap());
    assert!(
        offer.uri.starts_with("otpauth://totp/Punto-") && offer.uri.contains(&offer.secret),
        "{}",
        offer.uri
    );
    assert_ne!(offer.secret, late.secret);
    assert_eq!(refused(finish(&one, shown(&house, &late.secret)).await), "factor-code-wrong");
    let codes = finish(&one, shown(&house, &offer.secret)).await.unwrap().codes;
    assert_eq!(codes.iter().collect::<BTreeSet<_>>().len(), 10);
    assert!(codes.iter().all(|code| code.len() == 24 && code.split('-').all(|group| group.len() == 4)));
    let state: FactorState = one.get("/api/factor").await.unwrap();
    assert!(state.enrolled && !state.must_enrol && state.recovery_codes == Some(10), "{state:?}");
    assert_eq!(refused(other.get::<Value>("/api/session").await), "not-signed-in", "it was opened without");
    assert!(sign_in(&house, "d-1", Some(&shown(&house, &offer.secret))).await.is_err(), "that code was used");
    // Another telephone: the factor before is shown first.
    assert!(begin(&one, None).await.is_err());
    let next = begin(&one, Some(codes[0].clone())).await.unwrap();
    house.wall.fetch_add(STEP, Ordering::Relaxed);
    let newer = finish(&one, shown(&house, &next.secret)).await.unwrap().codes;
    house.wall.fetch_add(STEP, Ordering::Relaxed);
    assert!(sign_in(&house, "d-1", Some(&shown(&house, &offer.secret))).await.is_err());
    assert!(sign_in(&house, "d-1", Some(&codes[1])).await.is_err(), "codes of the one before");
    let again = sign_in(&house, "d-1", Some(&newer[0])).await.unwrap();
    // Its owner is told at every sign-in.
    let session: Value = again.get("/api/session").await.unwrap();
    let told: Vec<&Value> = session["account"].as_array().unwrap().iter().map(|it| &it["what"]).collect();
    assert!(told.contains(&&json!({ "factor-enrolled": { "replaced": false } })), "{told:?}");
    assert_eq!(told.last(), Some(&&json!({ "factor-enrolled": { "replaced": true } })));
    assert_eq!(house.findings().await, Vec::<String>::new());
}

async fn begin_reset(house: &House, by: &str, person: &str, second: &str) -> Result<WaitingReset, Error> {
    let http = house.http(by).await;
    let body =
        json!({ "person": person, "second": second, "reason": "the phone is lost; seen face to face" });
    let pending: Pending = http.post("/api/factor/resets/pending", &body).await?;
    http.sign_as(&pending.pending, second).await?;
    http.post("/api/factor/resets", &json!({ "pending": pending.pending })).await
}

/// A house whose recorded time passes when it is told to.
async fn timed() -> (House, Arc<AtomicU64>) {
    let moved = Arc::new(AtomicU64::new(0));
    let (source, real) = (moved.clone(), Clock::system());
    let clock = Clock::new(Arc::new(move || real() + source.load(Ordering::Relaxed)), Timestamp(0));
    (staffed_by(clock).await, moved)
}

fn pass(house: &House, moved: &AtomicU64, ms: u64) {
    moved.fetch_add(ms, Ordering::Relaxed);
    house.app.clock.look();
}

/// Two people ask for it, the person is told, and a day later it is done: they come in by the password and enrol again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reset_is_told_and_done_after_a_day() {
    let (house, moved) = timed().await;
    for (by, person, second, why) in [
        ("adm-1", "adm-1", "sm-1", "one-person"),
        ("adm-1", "sm-1", "sm-1", "one-person"),
        ("adm-1", "sm-1", "adm-1", "one-person"),
        ("adm-1", "sm-1", "d-1", "not-allowed"),
        ("adm-1", "d-1", "adm-2", "no-factor"),
        ("sm-1", "adm-1", "adm-2", "not-allowed"),
    ] {
        assert_eq!(refused(begin_reset(&house, by, person, second).await), why, "{by} {person} {second}");
    }
    let open = house.http("sm-1").await;
    let reset = begin_reset(&house, "adm-1", "sm-1", "adm-2").await.unwrap();
    assert_eq!((reset.by.as_ref().unwrap().as_str(), reset.second.as_str()), ("adm-1", "adm-2"));
    assert!(begin_reset(&house, "adm-2", "sm-1", "adm-1").await.is_err(), "it waits already");
    // Open sessions and every sign-in say so.
    let told: FactorState = open.get("/api/factor").await.unwrap();
    assert_eq!(told.reset.as_ref(), Some(&reset));
    let session: Value = house.http("sm-1").await.get("/api/session").await.unwrap();
    assert_eq!(session["factor"]["reset"]["begun"], json!(reset.begun));
    assert_eq!(house.app.reset_factors().await, Ok(Vec::new()));
    pass(&house, &moved, FACTOR_RESET_DELAY - 60_000);
    assert_eq!(house.app.reset_factors().await, Ok(Vec::new()));
    assert!(sign_in(&house, "sm-1", None).await.is_err(), "not yet");
    let open = house.http("sm-1").await;
    // Meanwhile they are disabled and enabled again: the reset goes on, and gives nothing by itself.
    pass(&house, &moved, 61_000);
    assert_eq!(house.app.reset_factors().await, Ok(vec!["sm-1".into()]));
    assert_eq!(house.app.reset_factors().await, Ok(Vec::new()), "once");
    assert!(open.get::<Value>("/api/session").await.is_err(), "their sessions are over");
    let http = sign_in(&house, "sm-1", None).await.unwrap();
    assert_eq!(refused(http.get::<Value>("/api/pending").await), "factor-needed");
    house.enrol_factor("sm-1").await;
    let http = house.http("sm-1").await;
    let session: Value = http.get("/api/session").await.unwrap();
    let told = session["account"].to_string();
    assert!(told.contains("factor-reset-begun") && told.contains("\"factor-reset\""), "{told}");
    assert_eq!(house.findings().await, Vec::<String>::new());
}

/// The person stops it with password and factor, and so does any other Administrator; nobody else.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reset_can_be_stopped() {
    let (house, moved) = timed().await;
    house.hire("sm-2", Role::ShiftManager).await;
    for by in ["sm-1", "adm-2"] {
        let reset = begin_reset(&house, "adm-1", "sm-1", "sm-2").await.unwrap();
        let stop = |code: Option<String>| json!({ "begun": reset.begun, "password": PASSWORD, "code": code });
        for other in ["sm-2", "d-1"] {
            let (http, body) = (house.http(other).await, stop(house.code(other)));
            let answer = http.post::<Value>("/api/factor/resets/stop", &body).await;
            assert_eq!(refused(answer), "not-found", "{other}");
        }
        let http = house.http(by).await;
        assert_eq!(
            refused(http.post::<Value>("/api/factor/resets/stop", &stop(None)).await),
            "not-signed-in"
        );
        assert_eq!(
            refused(http.post::<Value>("/api/factor/resets/stop", &stop(house.code(by))).await),
            "done"
        );
        assert_eq!(
            refused(http.post::<Value>("/api/factor/resets/stop", &stop(house.code(by))).await),
            "not-found"
        );
        pass(&house, &moved, 2 * FACTOR_RESET_DELAY);
        assert_eq!(house.app.reset_factors().await, Ok(Vec::new()), "{by}");
    }
    // Whoever sets up another one with the one they have needs no reset.
    begin_reset(&house, "adm-1", "sm-1", "sm-2").await.unwrap();
    let http = house.http("sm-1").await;
    let body = json!({ "password": PASSWORD, "code": house.code("sm-1") });
    let offer: FactorOffer = http.post("/api/factor/offer", &body).await.unwrap();
    let _: RecoveryCodes =
        http.post("/api/factor", &json!({ "code": shown(&house, &offer.secret) })).await.unwrap();
    pass(&house, &moved, 2 * FACTOR_RESET_DELAY);
    assert_eq!(house.app.reset_factors().await, Ok(Vec::new()));
    assert_eq!(house.findings().await, Vec::<String>::new());
}

/// A role that must have one is given to somebody at work, and taken again; and to somebody disabled while a reset waits.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn roles_change_while_people_are_at_work() {
    let (house, moved) = timed().await;
    let change = async |change: Value| -> Value {
        let http = house.http("adm-1").await;
        let body = json!({ "what": { "change": change }, "second": "adm-2", "reason": "as planned" });
        let pending: Pending = http.post("/api/staffing", &body).await.unwrap();
        http.sign_as(&pending.pending, "adm-2").await.unwrap();
        http.post("/api/staffing/record", &json!({ "pending": pending.pending })).await.unwrap()
    };
    let dealer = house.http("d-1").await;
    change(json!({ "person": "d-1", "role": "pit-manager" })).await;
    assert!(dealer.get::<Value>("/api/session").await.is_err(), "with another role the session is over");
    let raised = sign_in(&house, "d-1", None).await.unwrap();
    assert_eq!(refused(raised.get::<Value>("/api/pending").await), "factor-needed");
    change(json!({ "person": "d-1", "role": "dealer" })).await;
    let lowered = sign_in(&house, "d-1", None).await.unwrap();
    assert_eq!(refused(lowered.get::<Value>("/api/pending").await), "done");
    // Whoever has one keeps it in any role, disabled and back, and shows it.
    change(json!({ "person": "sm-1", "role": "dealer" })).await;
    assert!(sign_in(&house, "sm-1", None).await.is_err());
    let reset = begin_reset(&house, "adm-1", "sm-1", "adm-2").await.unwrap();
    change(json!({ "person": "sm-1", "enabled": false })).await;
    assert!(sign_in(&house, "sm-1", house.code("sm-1").as_deref()).await.is_err());
    pass(&house, &moved, FACTOR_RESET_DELAY + 1_000);
    assert_eq!(house.app.reset_factors().await, Ok(vec![reset.person]));
    assert!(sign_in(&house, "sm-1", None).await.is_err(), "disabled all the same");
    change(json!({ "person": "sm-1", "enabled": true, "role": "shift-manager" })).await;
    let back = sign_in(&house, "sm-1", None).await.unwrap();
    assert_eq!(refused(back.get::<Value>("/api/pending").await), "factor-needed");
    assert_eq!(house.findings().await, Vec::<String>::new());
}
