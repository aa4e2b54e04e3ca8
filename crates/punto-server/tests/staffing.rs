//! Power over people at the door of a house: what one Administrator can do alone, what two can, and who learns of it.

use crate::house::{House, PASSWORD, SignsAs as _, clock};
use punto_record::LedgerKind;
use punto_server::client::{Error, Http};
use punto_server::floor::Pace;
use punto_server::pending::Pending;
use punto_server::role::Role;
use serde_json::{Value, json};

const NEW_PASSWORD: &str = "another sentence, long enough as well";

/// A house with two Administrators, a Shift Manager, a Pit Supervisor and a Dealer.
async fn staffed() -> House {
    let house = House::of_kind(LedgerKind::House, clock(), Pace::FLAT_OUT).await;
    for (person, role) in [
        ("adm-1", Role::Administrator),
        ("adm-2", Role::Administrator),
        ("sm-1", Role::ShiftManager),
        ("sup-1", Role::PitSupervisor),
        ("d-1", Role::Dealer),
    ] {
        house.hire(person, role).await;
    }
    house
}

fn code(answer: Result<Value, Error>) -> String {
    match answer {
        Ok(value) => format!("done: {value}"),
        Err(Error::Refused { code, .. }) => code,
        Err(error) => panic!("{error:?}"),
    }
}

fn hire(person: &str, role: &str) -> Value {
    json!({ "hire": { "person": person, "name": "Somebody New", "role": role } })
}

fn asked(what: Value, second: &str) -> Value {
    json!({ "what": what, "second": second, "reason": "as planned" })
}

/// Has it wait, signed by the second person, and done.
async fn done(http: &Http, what: Value, second: &str) -> Result<Value, Error> {
    let pending: Pending = http.post("/api/staffing", &asked(what, second)).await?;
    http.sign_as(&pending.pending, second).await?;
    http.post("/api/staffing/record", &json!({ "pending": pending.pending })).await
}

async fn codes(house: &House, person: &str, password: &str) -> Value {
    let (http, code) = (Http::new(&house.url).unwrap(), house.code(person));
    let http = http.sign_in_with(person, password, code.as_deref()).await.unwrap();
    http.get("/api/staffing/codes").await.unwrap()
}

async fn choose(house: &House, invitation: &Value, code: Option<&str>, password: &str) -> String {
    let http = Http::new(&house.url).unwrap();
    let body = json!({ "invitation": invitation, "code": code, "password": password });
    self::code(http.post("/api/password", &body).await)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_administrator_alone_only_takes_away() {
    let house = staffed().await;
    let http = house.http("adm-1").await;
    let before: Value = http.get("/api/staff").await.unwrap();
    let new = json!({ "person": "x-1", "name": "Somebody New", "role": "cashier" });
    assert_eq!(code(http.post("/api/staff", &new).await), "second-person-needed");
    for change in [
        json!({ "role": "pit-manager" }),
        json!({ "enabled": true }),
        json!({ "invite": true }),
        json!({ "name": "Somebody Else" }),
        json!({ "enabled": false, "invite": true }),
        json!({ "enabled": false, "role": "cashier" }),
        json!({}),
    ] {
        assert_eq!(code(http.patch("/api/staff/sup-1", &change).await), "second-person-needed", "{change}");
    }
    let off = json!({ "enabled": false });
    assert_eq!(code(http.patch("/api/staff/adm-2", &off).await), "not-recorded", "one of the last two");
    let after: Value = http.get("/api/staff").await.unwrap();
    assert_eq!(after, before, "nothing of it was done");
    let sup = house.http("sup-1").await;
    let _: Value = http.patch("/api/staff/sup-1", &off).await.unwrap();
    assert!(sup.get::<Value>("/api/session").await.is_err(), "at once");
    assert_eq!(house.findings().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_person_is_another_one_of_standing_who_signed_for_exactly_that() {
    let house = staffed().await;
    let http = house.http("adm-1").await;
    for (second, why) in [
        ("adm-1", "one-person"),
        ("d-1", "not-allowed"),
        ("sup-1", "not-allowed"),
        ("nobody", "not-signed-in"),
    ] {
        let answer = http.post("/api/staffing", &asked(hire("x-1", "cashier"), second)).await;
        assert_eq!(code(answer), why, "{second}");
    }
    let about_second = json!({ "change": { "person": "sm-1", "invite": true } });
    assert_eq!(code(http.post("/api/staffing", &asked(about_second, "sm-1")).await), "one-person");
    let about_self = json!({ "change": { "person": "ADM-1", "invite": true } });
    assert_eq!(code(http.post("/api/staffing", &asked(about_self, "sm-1")).await), "not-allowed");
    let silent = json!({ "what": hire("x-1", "cashier"), "second": "sm-1", "reason": " " });
    assert_eq!(code(http.post("/api/staffing", &silent).await), "malformed");
    assert_eq!(
        code(http.post("/api/staffing", &asked(hire("D-1", "cashier"), "sm-1")).await),
        "person-exists"
    );

    // Nobody signed; then somebody who is not the second person.
    let pending: Pending = http.post("/api/staffing", &asked(hire("x-1", "cashier"), "sm-1")).await.unwrap();
    let record = json!({ "pending": pending.pending });
    assert_eq!(code(http.post("/api/staffing/record", &record).await), "approval-needed");
    assert!(http.sign_as(&pending.pending, "adm-2").await.is_err());
    http.sign_as(&pending.pending, "sm-1").await.unwrap();
    let other = house.http("adm-2").await;
    assert_eq!(code(other.post("/api/staffing/record", &record).await), "approval-not-good");
    let _: Value = http.post("/api/staffing/record", &record).await.unwrap();
    assert_eq!(code(http.post("/api/staffing/record", &record).await), "approval-not-good", "once");
    assert_eq!(house.findings().await, Vec::<String>::new());
}

/// What was signed is void when the person is something else meanwhile: nobody is enabled by an old signature.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_signed_is_void_when_the_person_changed() {
    let house = staffed().await;
    let http = house.http("adm-1").await;
    let what = json!({ "change": { "person": "d-1", "role": "pit-supervisor" } });
    let pending: Pending = http.post("/api/staffing", &asked(what.clone(), "sm-1")).await.unwrap();
    http.sign_as(&pending.pending, "sm-1").await.unwrap();
    let _: Value =
        house.http("adm-2").await.patch("/api/staff/d-1", &json!({ "enabled": false })).await.unwrap();
    let record = json!({ "pending": pending.pending });
    assert_eq!(code(http.post("/api/staffing/record", &record).await), "pending-gone");
    let pending: Pending = http.post("/api/staffing", &asked(hire("x-1", "dealer"), "sm-1")).await.unwrap();
    http.sign_as(&pending.pending, "sm-1").await.unwrap();
    done(&house.http("adm-2").await, hire("x-1", "cashier"), "adm-1").await.unwrap();
    let record = json!({ "pending": pending.pending });
    assert_eq!(code(http.post("/api/staffing/record", &record).await), "pending-gone");
    let listed: Vec<Value> = http.get("/api/staff").await.unwrap();
    let of = |person: &str| listed.iter().find(|it| it["person"] == person).unwrap().clone();
    assert_eq!((&of("d-1")["enabled"], &of("d-1")["role"]), (&json!(false), &json!("dealer")));
    assert_eq!(of("x-1")["role"], json!("cashier"));
}

/// A Shift Manager is invited again: neither of the two who did it can choose the password, the old one is good until there is
/// a new one, work in progress ends, and the person is told.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_invitation_is_in_two_hands_and_its_owner_is_told() {
    let house = staffed().await;
    let http = house.http("adm-1").await;
    let at_work = house.http("sm-1").await;
    let what = json!({ "change": { "person": "sm-1", "invite": true } });
    let told = done(&http, what, "adm-2").await.unwrap();
    assert!(at_work.get::<Value>("/api/session").await.is_err(), "old sessions end");
    let again = house.http("sm-1").await;
    let session: Value = again.get("/api/session").await.unwrap();
    let changes = session["account"].as_array().unwrap();
    let last = changes.last().unwrap();
    assert_eq!((&last["by"], &last["what"]["changed"]["second"]), (&json!("adm-1"), &json!("adm-2")));
    assert_eq!(last["what"]["changed"]["invited"], json!(true));
    assert_eq!(last["what"]["changed"]["reason"], json!("as planned"));
    assert!(session["before"].is_u64(), "{session}");

    // The link is in one hand, the code in the other.
    let link = &told["invitation"];
    assert!(link.is_string() && !told.to_string().contains("code"), "{told}");
    assert_eq!(codes(&house, "adm-1", PASSWORD).await, json!([]));
    assert_eq!(codes(&house, "sm-1", PASSWORD).await, json!([]));
    let held = codes(&house, "adm-2", PASSWORD).await;
    let half = held[0]["code"].as_str().unwrap();
    assert_eq!(choose(&house, link, None, NEW_PASSWORD).await, "code-not-good");
    for wrong in ["", "0000-0000-0000-0000", &half[1..], link.as_str().unwrap()] {
        assert_eq!(choose(&house, link, Some(wrong), NEW_PASSWORD).await, "code-not-good", "{wrong}");
    }
    assert_eq!(choose(&house, &json!("0".repeat(64)), Some(half), NEW_PASSWORD).await, "invitation-not-good");
    let typed = half.to_uppercase().replace('-', " ");
    // The second factor stays: whoever has the link and the code does not have the telephone.
    let chosen = json!({ "person": "sm-1", "factor": true, "must_enrol": false });
    assert_eq!(choose(&house, link, Some(&typed), NEW_PASSWORD).await, format!("done: {chosen}"));
    assert_eq!(codes(&house, "adm-2", PASSWORD).await, json!([]), "used");
    let anybody = Http::new(&house.url).unwrap();
    assert!(anybody.sign_in("sm-1", PASSWORD).await.is_err(), "the old one is good no longer");
    assert!(anybody.sign_in("sm-1", NEW_PASSWORD).await.is_err(), "not without the second factor");
    let code = || house.code("sm-1").unwrap();
    let own = anybody.sign_in_with("sm-1", NEW_PASSWORD, Some(&code())).await.unwrap();
    let session: Value = own.get("/api/session").await.unwrap();
    let kinds: Vec<&Value> = session["account"].as_array().unwrap().iter().map(|it| &it["what"]).collect();
    assert_eq!(kinds.last(), Some(&&json!("password-chosen")));
    // Whoever came in under this name cannot keep it from its owner by signing in first.
    let next: Value = anybody
        .sign_in_with("sm-1", NEW_PASSWORD, Some(&code()))
        .await
        .unwrap()
        .get("/api/session")
        .await
        .unwrap();
    assert_eq!(next["account"], session["account"]);
    assert_eq!(house.findings().await, Vec::<String>::new());
}

/// Many do the same at once: one of them is done, and the record is in order.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_many_at_once_one_is_done() {
    let house = staffed().await;
    let (one, two) = (house.http("adm-1").await, house.http("adm-2").await);
    let mut waiting = Vec::new();
    for (http, role) in [(&one, "cashier"), (&two, "dealer"), (&one, "auditor"), (&two, "pit-manager")] {
        let pending: Pending = http.post("/api/staffing", &asked(hire("x-1", role), "sm-1")).await.unwrap();
        http.sign_as(&pending.pending, "sm-1").await.unwrap();
        waiting.push((http, json!({ "pending": pending.pending })));
    }
    let answers = waiting.iter().map(|(http, record)| http.post::<Value>("/api/staffing/record", record));
    let answers = futures_util::future::join_all(answers).await;
    let hired: Vec<&Value> = answers.iter().filter_map(|it| it.as_ref().ok()).collect();
    assert_eq!(hired.len(), 1, "{answers:?}");
    let listed: Vec<Value> = one.get("/api/staff").await.unwrap();
    let row = listed.iter().find(|it| it["person"] == "x-1").unwrap();
    assert_eq!(row["role"], hired[0]["member"]["role"]);
    let employed = house.app.floor.ledger().staff().employed(&"x-1".into()).unwrap();
    assert_eq!(json!(&*employed.role), row["role"], "the record says the same");
    assert_eq!(house.findings().await, Vec::<String>::new());
}
