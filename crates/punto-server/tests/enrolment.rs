//! A patron's money never passes to another device: what an Administrator can enrol in a house, alone and with somebody else,
//! while credits stand, are bought at the same moment, or are kept.

mod house;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use house::{House, SignsAs as _};
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

/// Has it wait, signed by a second person, and done.
async fn by_two(http: &Http, body: &Value, second: &str) -> String {
    let mut body = body.clone();
    (body["second"], body["reason"]) = (second.into(), "the old one broke".into());
    let pending: Pending = match http.post("/api/enrolments", &body).await {
        Ok(pending) => pending,
        Err(error) => return code(Err(error)),
    };
    let record = json!({ "pending": pending.pending });
    assert_eq!(code(http.post("/api/enrolments/record", &record).await), "approval-needed");
    http.sign_as(&pending.pending, second).await.unwrap();
    code(http.post("/api/enrolments/record", &record).await)
}

/// The theft: an own terminal over somebody's credits.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_enrols_a_device_over_standing_credits() {
    let (house, _) = a_house().await;
    let http = house.http("adm-1").await;
    assert_eq!(code(http.post("/api/devices", &device("terminal", 7, "t-1")).await), "enrolled");
    done(&house, cashier(), buy(7)).await;
    http.delete("/api/devices/t-1").await.unwrap();
    for kind in ["terminal", "acceptor"] {
        let body = device(kind, 7, "own-1");
        assert_eq!(code(http.post("/api/devices", &body).await), "credits-stand", "{kind}");
        assert_eq!(by_two(&http, &body, "adm-2").await, "credits-stand", "not by two either");
    }
    assert_eq!(
        code(http.post("/api/devices", &device("terminal", 8, "t-8")).await),
        "enrolled",
        "another number"
    );
    // They follow the patron: out to a ticket, and the number is free.
    done(
        &house,
        Actor::Patron { patron: PatronNo(7) },
        Command::CashOut { patron: PatronNo(7), second: None },
    )
    .await;
    assert_eq!(code(http.post("/api/devices", &device("terminal", 7, "t-2")).await), "enrolled");
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
    for patron in 100..160 {
        let body = device("terminal", patron, &format!("t-{patron}"));
        let bought = done(&house, cashier(), buy(patron));
        // Now and then the one, now and then the other has a start.
        let answer = match patron % 3 {
            0 => futures_util::future::join(http.post::<Value>("/api/devices", &body), bought).await.0,
            1 => {
                let late = async {
                    tokio::time::sleep(std::time::Duration::from_millis(u64::from(patron % 7))).await;
                    bought.await;
                };
                futures_util::future::join(http.post::<Value>("/api/devices", &body), late).await.0
            }
            _ => futures_util::future::join(bought, http.post::<Value>("/api/devices", &body)).await.1,
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

/// Money is kept for somebody: a second person of standing and a reason.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_money_is_kept_it_takes_two() {
    let (house, system) = a_house().await;
    let shift = |person: &str, post| Actor::Staff { person: person.parse().expect("a name"), post };
    for (person, post) in [("shm-1", Post::ShiftManager), ("sup-1", Post::PitSupervisor)] {
        let take = Command::TakePost { person: person.into(), post };
        done(&house, shift("shm-1", Post::ShiftManager), take).await;
    }
    done(&house, cashier(), buy(7)).await;
    system.store(house.app.clock.now().0 + 2 * 3_600_000, Ordering::Relaxed);
    house.app.clock.look().expect("the clock follows");
    let aside = Command::KeepUnclaimed { patron: PatronNo(7), attendant: Some("d-1".into()) };
    done(&house, shift("sup-1", Post::PitSupervisor), aside).await;
    let http = house.http("adm-1").await;
    let body = device("terminal", 7, "t-7");
    assert_eq!(code(http.post("/api/devices", &body).await), "second-person-needed");
    for (second, why) in [("adm-1", "one-person"), ("d-1", "not-allowed"), ("sup-1", "not-allowed")] {
        assert_eq!(by_two(&http, &body, second).await, why, "{second}");
    }
    assert_eq!(by_two(&http, &body, "shm-1").await, "enrolled");
    assert_eq!(house.findings().await, Vec::<String>::new());

    // Had it come into the record all the same, the audit would find it.
    let by = Role::Administrator.actor("adm-1".into());
    let alone = Deed::DeviceEnrolled {
        device: "t-9".into(),
        kind: "terminal".into(),
        table: TABLE.into(),
        patron: Some(PatronNo(7)),
        at_box: None,
        second: None,
        reason: None,
        credential: None,
    };
    house.app.deeds.write(by.clone(), alone.clone()).await.unwrap();
    let found = house.findings().await;
    assert!(found.len() == 1 && found[0].contains("SecondPerson"), "{found:?}");
    done(&house, cashier(), buy(9)).await;
    let Deed::DeviceEnrolled { kind, table, at_box, second, reason, .. } = alone else { panic!("as above") };
    let (device, patron) = ("t-10".into(), Some(PatronNo(9)));
    let over = Deed::DeviceEnrolled { device, kind, table, patron, at_box, second, reason, credential: None };
    house.app.deeds.write(by, over).await.unwrap();
    let found = house.findings().await;
    assert!(found.len() == 2 && found[1].contains("standing credits"), "{found:?}");
}
