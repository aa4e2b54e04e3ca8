//! A patron's money never passes to another device: what an Administrator can enrol in a house, alone and with somebody else,
//! while credits stand, are bought at the same moment, or are kept.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::house::{House, SignsAs as _};
use punto_record::{
    Actor, Command, Deed, LedgerKind, Moment, Order, OrderId, Settings, TableId, Timestamp, digest,
};
use punto_rules::rulebook::APPROVED;
use punto_rules::{Money, PatronNo, Post};
use punto_server::client::{Error, Http};
use punto_server::clock::Clock;
use punto_server::floor::Pace;
use punto_server::pending::Pending;
use punto_server::role::Role;
use punto_server::wire::Answer;
use serde_json::{Value, json};

const TABLE: &str = "ws-1";

fn text() -> &'static str {
    APPROVED.iter().map(|(_, text)| *text).find(|text| text.contains("game = \"wu-song\"")).unwrap()
}

/// A house with an open table, and its clock.
async fn a_house() -> (House, Arc<AtomicU64>) {
    let system = Arc::new(AtomicU64::new(1_767_225_600_000));
    let reads = system.clone();
    let clock = Clock::new(Arc::new(move || reads.load(Ordering::Relaxed)), Timestamp(0));
    let house = House::of_kind(LedgerKind::House, clock, Pace::FLAT_OUT).await;
    for (person, role) in [
        ("adm-1", Role::Administrator),
        ("adm-2", Role::Administrator),
        ("shm-1", Role::ShiftManager),
        ("sup-1", Role::PitSupervisor),
        ("d-1", Role::Dealer),
        ("cas-1", Role::Cashier),
    ] {
        house.hire(person, role).await;
    }
    let http = house.http("adm-1").await;
    let approval = json!({
        "game": "wu-song", "version": "3", "digest": digest(text().as_bytes()).to_string(),
        "authority": "the authority", "reference": "GR/12", "operator": "the operator", "document": "Wu Song, version 3",
        "in_force": Moment::utc(Timestamp(1)).to_string(), "compared": "every paragraph, by both", "second": "shm-1",
    });
    let pending: Pending = http.post("/api/rules/approvals", &approval).await.unwrap();
    http.sign_as(&pending.pending, "shm-1").await.unwrap();
    let _: Value = http.post("/api/rules/record", &json!({ "pending": pending.pending })).await.unwrap();
    let settings: Settings = serde_json::from_value(json!({
        "table": TABLE, "game": "wu-song", "layout": "A", "decks": 8, "posts": "held",
        "betting_box": { "minimum": 100, "differential": 1000 },
        "other_bets": { "minimum": 20, "maximum": 500 },
    }))
    .unwrap();
    let (boxed, second) = (Box::new(settings.clone()), Some("shm-1".into()));
    let command = Command::OpenTable { settings: boxed, rulebook: text().into(), second };
    let pending = http.propose(&TABLE.into(), "adm-1", None, command).await.unwrap();
    for person in ["adm-1", "shm-1"] {
        http.sign_as(&pending.pending, person).await.unwrap();
    }
    let body = json!({
        "settings": settings, "rulebook": text(), "second": "shm-1", "pending": pending.pending,
    });
    let _: Value = http.post("/api/tables", &body).await.unwrap();
    (house, system)
}

/// Gives an order, signed for by whoever has to.
async fn give(house: &House, by: Actor, command: Command) -> Answer {
    static NUMBER: AtomicU64 = AtomicU64::new(1);
    let id = OrderId { device: "anywhere".into(), n: NUMBER.fetch_add(1, Ordering::Relaxed) };
    let order = Order { id, by, at: Timestamp(0), round: None, command };
    if let Some(second) = order.command.second().filter(|it| it.as_str() == "d-1") {
        let second = Actor::Staff { person: second.clone(), post: Post::Dealer };
        for signer in [order.by.clone(), second] {
            let digest = Some(order.signed_at(&TABLE.into()));
            let given = Deed::ApprovalGiven { digest, table: Some(TABLE.into()), round: None, factor: None };
            house.app.deeds.write(signer, given).await.unwrap();
        }
    }
    house.app.floor.order(&TableId::from(TABLE), order, false).await.unwrap().expect("a table")
}

async fn done(house: &House, by: Actor, command: Command) {
    let answer = give(house, by, command).await;
    assert!(matches!(answer, Answer::Done(_)), "{answer:?}");
}

fn cashier() -> Actor {
    Actor::Cashier { person: "cas-1".into() }
}

fn buy(patron: u32) -> Command {
    Command::BuyCredits { patron: PatronNo(patron), amount: Money::new(1_000).unwrap() }
}

fn device(kind: &str, patron: u32, name: &str) -> Value {
    json!({ "device": name, "kind": { kind: { "table": TABLE, "patron": patron } } })
}

fn code(answer: Result<Value, Error>) -> String {
    match answer {
        Ok(_) => "enrolled".to_owned(),
        Err(Error::Refused { code, .. }) => code,
        Err(error) => panic!("{error:?}"),
    }
}

/// Has it wait, signed by a second person: the name under which it waits.
async fn signed(http: &Http, body: &Value, second: &str) -> Result<Value, Error> {
    let mut body = body.clone();
    (body["second"], body["reason"]) = (second.into(), "the old one broke".into());
    let pending: Pending = http.post("/api/enrolments", &body).await?;
    let record = json!({ "pending": pending.pending });
    assert_eq!(code(http.post("/api/enrolments/record", &record).await), "approval-needed");
    http.sign_as(&pending.pending, second).await.unwrap();
    Ok(record)
}

/// The same, and done.
async fn by_two(http: &Http, body: &Value, second: &str) -> String {
    match signed(http, body, second).await {
        Ok(record) => code(http.post("/api/enrolments/record", &record).await),
        Err(error) => code(Err(error)),
    }
}

/// The theft: an own terminal over somebody's credits.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_enrols_a_device_over_standing_credits() {
    let (house, _) = a_house().await;
    let http = house.http("adm-1").await;
    assert_eq!(by_two(&http, &device("terminal", 7, "t-1"), "adm-2").await, "enrolled");
    done(&house, cashier(), buy(7)).await;
    http.delete("/api/devices/t-1").await.unwrap();
    for kind in ["terminal", "acceptor"] {
        let body = device(kind, 7, "own-1");
        assert_eq!(by_two(&http, &body, "adm-2").await, "credits-stand", "{kind}: not by two either");
    }
    assert_eq!(by_two(&http, &device("terminal", 8, "t-8"), "shm-1").await, "enrolled", "another number");
    // They follow the patron: out to a ticket, and the number is free.
    done(
        &house,
        Actor::Patron { patron: PatronNo(7) },
        Command::CashOut { patron: PatronNo(7), second: None },
    )
    .await;
    assert_eq!(by_two(&http, &device("terminal", 7, "t-2"), "adm-2").await, "enrolled");
    assert_eq!(house.findings().await, Vec::<String>::new());
}

/// A Cashier takes nobody's credits out alone: somebody of the floor attends, and both sign.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cashier_cashes_nobody_out_alone() {
    let (house, _) = a_house().await;
    done(&house, cashier(), buy(7)).await;
    let out = |second: Option<&'static str>| Command::CashOut {
        patron: PatronNo(7),
        second: second.map(Into::into),
    };
    for second in [None, Some("cas-1")] {
        let answer = give(&house, cashier(), out(second)).await;
        assert!(!matches!(answer, Answer::Done(_)), "{second:?}: {answer:?}");
    }
    let cage = house.http("cas-1").await;
    let asked = cage.propose(&TABLE.into(), "cas-1", None, out(Some("adm-1"))).await;
    assert!(asked.is_err(), "nobody of the floor");
    done(&house, cashier(), out(Some("d-1"))).await;
    assert_eq!(house.findings().await, Vec::<String>::new());
}

/// Credits are bought while a terminal is enrolled for the same number: whichever came first, the record shows it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_bought_meanwhile_comes_before_or_after() {
    let (house, _) = a_house().await;
    let http = house.http("adm-1").await;
    let (mut enrolled, mut refused) = (0, 0);
    for patron in 100..130 {
        let body = signed(&http, &device("terminal", patron, &format!("t-{patron}")), "shm-1").await.unwrap();
        let bought = done(&house, cashier(), buy(patron));
        // Now and then the one, now and then the other has a start.
        let answer = match patron % 3 {
            0 => {
                futures_util::future::join(http.post::<Value>("/api/enrolments/record", &body), bought)
                    .await
                    .0
            }
            1 => {
                let late = async {
                    tokio::time::sleep(std::time::Duration::from_millis(u64::from(patron % 7))).await;
                    bought.await;
                };
                futures_util::future::join(http.post::<Value>("/api/enrolments/record", &body), late).await.0
            }
            _ => {
                futures_util::future::join(bought, http.post::<Value>("/api/enrolments/record", &body))
                    .await
                    .1
            }
        };
        match code(answer).as_str() {
            "enrolled" => enrolled += 1,
            "credits-stand" => refused += 1,
            other => panic!("{other}"),
        }
    }
    assert!(enrolled > 0 && refused > 0, "{enrolled} enrolled, {refused} refused: nothing met");
    assert_eq!(house.findings().await, Vec::<String>::new());
}

/// Every kind of device × who enrols it: whatever gives orders takes a second person of standing and a reason.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_gives_orders_is_enrolled_by_two() {
    let (house, _) = a_house().await;
    let http = house.http("adm-1").await;
    let here = |kind: &str| match kind {
        "terminal" | "acceptor" => json!({ kind: { "table": TABLE, "patron": 7 } }),
        _ => json!({ kind: { "table": TABLE } }),
    };
    for kind in ["terminal", "console", "reader", "acceptor", "board"] {
        let alone = json!({ "device": format!("alone-{kind}"), "kind": here(kind) });
        let expected = if kind == "board" { "enrolled" } else { "second-person-needed" };
        assert_eq!(code(http.post("/api/devices", &alone).await), expected, "{kind}");
        let body = json!({ "device": format!("two-{kind}"), "kind": here(kind) });
        for (second, why) in [("adm-1", "one-person"), ("d-1", "not-allowed"), ("sup-1", "not-allowed")] {
            assert_eq!(by_two(&http, &body, second).await, why, "{kind} with {second}");
        }
        assert_eq!(by_two(&http, &body, "shm-1").await, "enrolled", "{kind}");
    }
    assert_eq!(house.findings().await, Vec::<String>::new());

    // The vault refuses what came past the server; written with the key, the audit finds it.
    let by = Role::Administrator.actor("adm-1".into());
    let alone = |kind: &str, patron: Option<u32>| Deed::DeviceEnrolled {
        device: format!("past-{kind}").parse().unwrap(),
        kind: kind.into(),
        table: TABLE.into(),
        patron: patron.map(PatronNo),
        at_box: None,
        second: None,
        reason: None,
        credential: None,
    };
    for (kind, patron) in [("terminal", Some(9)), ("acceptor", Some(9)), ("console", None), ("reader", None)]
    {
        for by in [by.clone(), Actor::House] {
            assert!(house.app.deeds.write(by, alone(kind, patron)).await.is_err(), "{kind}");
        }
    }
}

/// The credential of a device is in two hands: neither half opens anything, and each is told to one person.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn neither_of_the_two_has_the_credential() {
    let (house, _) = a_house().await;
    let (first, second) = (house.http("adm-1").await, house.http("shm-1").await);
    let record = signed(&first, &device("terminal", 7, "t-7"), "shm-1").await.unwrap();
    let told: Value = first.post("/api/enrolments/record", &record).await.unwrap();
    assert_eq!(told["with_code"], true);
    let secret = told["credential"].as_str().unwrap();
    let codes: Value = second.get("/api/enrolments/codes").await.unwrap();
    assert_eq!(codes[0]["device"], "t-7");
    let code = codes[0]["code"].as_str().unwrap();
    for other in ["adm-1", "adm-2"] {
        let codes: Value = house.http(other).await.get("/api/enrolments/codes").await.unwrap();
        assert_eq!(codes, json!([]), "{other}");
    }
    let opens = |shown: &str| house.app.register.device(shown).unwrap().map(|it| it.id.to_string());
    let digits: String = code.chars().filter(|it| *it != '-').collect();
    let other = if digits.starts_with('0') { '1' } else { '0' };
    let misread = format!("{secret}.{other}{}", &digits[1..]);
    for wrong in [secret.to_owned(), code.to_owned(), digits.clone(), format!("{secret}."), misread] {
        assert_eq!(opens(&wrong), None, "{wrong}");
    }
    assert_eq!(opens(&format!("{secret}.{code}")).as_deref(), Some("t-7"));
    assert_eq!(
        opens(&format!("{secret}.{}", digits.to_uppercase())).as_deref(),
        Some("t-7"),
        "as it was typed"
    );
    assert_eq!(house.findings().await, Vec::<String>::new(), "the row is what its deed says");
    // A device that is revoked has no code any more.
    first.delete("/api/devices/t-7").await.unwrap();
    let codes: Value = second.get("/api/enrolments/codes").await.unwrap();
    assert_eq!(codes, json!([]));
}

/// Had it come into the record past server and vault, the audit would find it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_device_over_credits_is_found() {
    let (house, _) = a_house().await;
    done(&house, cashier(), buy(9)).await;
    let by = Role::Administrator.actor("adm-1".into());
    let over = Deed::DeviceEnrolled {
        device: "t-10".into(),
        kind: "terminal".into(),
        table: TABLE.into(),
        patron: Some(PatronNo(9)),
        at_box: None,
        second: Some("shm-1".into()),
        reason: Some("the old one broke".into()),
        credential: None,
    };
    for signer in [by.clone(), Role::ShiftManager.actor("shm-1".into())] {
        let given =
            Deed::ApprovalGiven { digest: Some(over.signed_by(&by)), table: None, round: None, factor: None };
        house.app.deeds.write(signer, given).await.unwrap();
    }
    house.app.deeds.write(by, over).await.unwrap();
    let found = house.findings().await;
    assert!(found.iter().any(|it| it.contains("standing credits")), "{found:?}");
}
