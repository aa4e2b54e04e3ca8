//! A real house: approved rules only, recorded by two people (interpretation 33), and settings that take two as well
//! (interpretation 48).

use std::sync::atomic::{AtomicU64, Ordering};

use crate::house::{House, SignsAs as _, clock};
use punto_ledger::{Append, Place, Vault, new_key};
use punto_record::{
    Actor, Batch, Chain, Command, Entry, Event, LedgerKind, Moment, Order, OrderId, Reason, Release, Seen,
    Settings, Source, TableId, Timestamp, Volume, digest,
};
use punto_rules::Post;
use punto_rules::rulebook::APPROVED;
use punto_server::client::Http;
use punto_server::floor::Pace;
use punto_server::pending::Pending;
use punto_server::role::Role;
use punto_server::wire::Answer;
use punto_table::script::{Script, play};
use serde_json::{Value, json};

const DAY: u64 = 24 * 60 * 60 * 1000;

fn text(game: &str) -> &'static str {
    let is_it = |text: &&str| text.contains(&format!("game = \"{game}\""));
    APPROVED.iter().map(|(_, text)| *text).find(is_it).expect("an approved game")
}

fn live(table: &str) -> Settings {
    serde_json::from_value(json!({
        "table": table, "game": "wu-song", "layout": "A", "decks": 8, "posts": "held",
        "betting_box": { "minimum": 100, "differential": 1000 },
        "other_bets": { "minimum": 20, "maximum": 500 },
    }))
    .unwrap()
}

/// A house of this kind, with two Administrators and a Shift Manager.
async fn a_house(kind: LedgerKind) -> House {
    let house = House::of_kind(kind, clock(), Pace::FLAT_OUT).await;
    for (person, role) in [
        ("adm-1", Role::Administrator),
        ("adm-2", Role::Administrator),
        ("shm-1", Role::ShiftManager),
        ("d-1", Role::Dealer),
    ] {
        house.hire(person, role).await;
    }
    house
}

fn approval_of(rulebook: &str, in_force: Timestamp, second: &str) -> Value {
    json!({
        "game": "wu-song", "version": "3", "digest": digest(rulebook.as_bytes()).to_string(),
        "authority": "the authority", "reference": "GR/12", "operator": "the operator", "document": "Wu Song, version 3",
        "in_force": Moment::utc(in_force).to_string(), "compared": "every paragraph, by both", "second": second,
    })
}

/// Has something wait, has it signed, and has it recorded.
async fn signed(http: &Http, path: &str, body: &Value) {
    let pending: Pending = http.post(path, body).await.unwrap();
    let unsigned = http.post::<Value>("/api/rules/record", &json!({ "pending": pending.pending })).await;
    assert!(unsigned.is_err(), "nobody signed");
    http.sign_as(&pending.pending, body["second"].as_str().unwrap()).await.unwrap();
    let _: Value = http.post("/api/rules/record", &json!({ "pending": pending.pending })).await.unwrap();
}

async fn record(house: &House, http: &Http, in_force: Timestamp) {
    signed(http, "/api/rules/approvals", &approval_of(text("wu-song"), in_force, "shm-1")).await;
    assert_eq!(house.app.floor.approvals().iter().count(), 1);
}

async fn withdraw(http: &Http) {
    let digest = digest(text("wu-song").as_bytes()).to_string();
    let body = json!({ "digest": digest, "reason": "withdrawn by the authority", "second": "adm-2" });
    signed(http, "/api/rules/withdrawals", &body).await;
}

async fn state(http: &Http) -> String {
    let rules: Value = http.get("/api/rules").await.unwrap();
    let listed = rules["rules"].as_array().unwrap();
    assert_eq!(listed.iter().filter(|it| it["shipped"] == json!(true)).count(), 4);
    let own = listed.iter().find(|it| it["game"] == json!("wu-song")).unwrap();
    own["state"].as_str().unwrap().to_owned()
}

/// Opens a table through the door, signed by both where there are two; how it was refused, if it was.
async fn open(
    http: &Http,
    settings: &Settings,
    second: Option<&str>,
    rulebook: Option<&str>,
) -> Option<String> {
    let mut body = json!({ "settings": settings, "rulebook": rulebook.unwrap_or(text("wu-song")) });
    if let Some(person) = second {
        let rulebook = rulebook.unwrap_or(text("wu-song")).into();
        let (settings, second) = (Box::new(settings.clone()), Some(person.parse().expect("a name")));
        let command = Command::OpenTable { settings, rulebook, second };
        let pending = http.propose(&"ws-1".into(), "adm-1", None, command).await.unwrap();
        http.sign_as(&pending.pending, "adm-1").await.unwrap();
        body["second"] = person.into();
        // Named, and not signed.
        assert!(http.post::<Value>("/api/tables", &body).await.is_err());
        body["pending"] = pending.pending.to_string().into();
        assert!(http.post::<Value>("/api/tables", &body).await.is_err(), "one has not signed");
        http.sign_as(&pending.pending, person).await.unwrap();
    }
    http.post::<Value>("/api/tables", &body).await.err().map(|error| error.to_string())
}

/// Gives an order at a table.
async fn give(house: &House, by: Actor, command: Command) -> Answer {
    static NUMBER: AtomicU64 = AtomicU64::new(1);
    let id = OrderId { device: "anywhere".into(), n: NUMBER.fetch_add(1, Ordering::Relaxed) };
    let order = Order { id, by, at: Timestamp(0), round: None, command };
    house.app.floor.order(&TableId::from("ws-1"), order, false).await.unwrap().expect("a table")
}

/// The Shift Manager comes, and assigns those who work at the table.
async fn take_posts(house: &House, people: &[(&str, Post)]) {
    let manager = || Actor::Staff { person: "shm-1".into(), post: Post::ShiftManager };
    for (person, post) in [("shm-1", Post::ShiftManager)].iter().chain(people) {
        let take = Command::TakePost { person: (*person).parse().expect("a name"), post: *post };
        let answer = give(house, manager(), take).await;
        assert!(matches!(answer, Answer::Done(_)), "{answer:?}");
    }
}

fn dealer() -> Actor {
    Actor::Staff { person: "d-1".into(), post: Post::Dealer }
}

fn draw(card: &str) -> Command {
    Command::DrawCard { card: Seen::Card(card.parse().unwrap()), source: Source::Read, to: None }
}

fn refused(answer: &Answer) -> &Reason {
    let Answer::Refused(rejection) = answer else { panic!("{answer:?}") };
    assert_eq!(rejection.cite.as_ref().unwrap().to_string(), "interpretation 33");
    &rejection.reason
}

async fn round(house: &House) {
    for command in
        [Command::CloseBets {}, draw("9s"), draw("2d"), draw("Kh"), draw("Kc"), Command::ConfirmResult {}]
    {
        let answer = give(house, dealer(), command).await;
        assert!(matches!(answer, Answer::Done(_)), "{answer:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_people_approve_and_a_table_opens_until_it_is_withdrawn() {
    let house = a_house(LedgerKind::House).await;
    let http = house.http("adm-1").await;
    assert_eq!(state(&http).await, "pending");
    let refusal = open(&http, &live("ws-1"), Some("shm-1"), None).await.expect("nothing is approved");
    assert!(refusal.contains("interpretation 33"), "{refusal}");

    // Nobody signs twice, somebody without the role does not sign at all, and a digest has its own name.
    let now = house.app.clock.now();
    for second in ["adm-1", "d-1", "nobody"] {
        let body = approval_of(text("wu-song"), now, second);
        assert!(http.post::<Value>("/api/rules/approvals", &body).await.is_err(), "{second}");
    }
    let mut body = approval_of(text("wu-song"), now, "adm-2");
    body["version"] = json!("4");
    let refusal = http.post::<Value>("/api/rules/approvals", &body).await.unwrap_err().to_string();
    assert!(refusal.contains("wu-song 3"), "{refusal}");
    assert_eq!(state(&http).await, "pending");

    // In force tomorrow: refused today.
    record(&house, &http, Timestamp(now.0 + DAY)).await;
    assert_eq!(state(&http).await, "approved");
    assert!(open(&http, &live("ws-1"), Some("shm-1"), None).await.is_some());
    house.app.clock.at_least(Timestamp(now.0 + DAY + 1000));
    let http = house.http("adm-1").await;
    assert_eq!(state(&http).await, "in-force");

    // Another text is another text, be it by one byte; and one person does not open a table.
    let other = format!("{}\n", text("wu-song"));
    let refusal = open(&http, &live("ws-1"), Some("shm-1"), Some(&other)).await.expect("not approved");
    assert!(refusal.contains("interpretation 33"), "{refusal}");
    let refusal = open(&http, &live("ws-1"), None, None).await.expect("alone");
    assert!(refusal.contains("interpretation 48"), "{refusal}");
    let software = Settings { cards: punto_record::Cards::Software, ..live("ws-1") };
    let refusal = open(&http, &software, Some("shm-1"), None).await.expect("cards of software");
    assert!(refusal.contains("interpretation 48"), "{refusal}");
    // Being signed in is not holding a post.
    let by_role = Settings { posts: punto_record::PostsBy::Role, ..live("ws-1") };
    let refusal = open(&http, &by_role, Some("shm-1"), None).await.expect("posts by role");
    assert!(refusal.contains("interpretation 46"), "{refusal}");
    assert_eq!(open(&http, &live("ws-1"), Some("shm-1"), None).await, None);
    take_posts(&house, &[("d-1", Post::Dealer)]).await;

    let load =
        Command::LoadShoe { card_set: "blue-1".into(), shuffled_by: Some("s-1".into()), commitment: None };
    assert!(matches!(give(&house, dealer(), load).await, Answer::Done(_)));
    assert!(matches!(give(&house, dealer(), Command::OpenBets {}).await, Answer::Done(_)));
    // Withdrawn in mid-Round: it ends, and no other opens.
    withdraw(&http).await;
    assert_eq!(state(&http).await, "withdrawn");
    round(&house).await;
    let answer = give(&house, dealer(), Command::OpenBets {}).await;
    assert!(matches!(refused(&answer), Reason::RulesWithdrawn { .. }), "{answer:?}");
    assert!(
        http.post::<Value>(
            "/api/rules/withdrawals",
            &json!({
                "digest": digest(text("wu-song").as_bytes()).to_string(), "reason": "again", "second": "adm-2",
            })
        )
        .await
        .is_err()
    );
    assert_eq!(house.findings().await, Vec::<String>::new());

    // What was recorded is there again after a restart.
    let (folder, key) = house.close().await;
    let house = House::open(folder, key, clock(), Pace::FLAT_OUT).await;
    let answer = give(&house, dealer(), Command::OpenBets {}).await;
    assert!(matches!(refused(&answer), Reason::RulesWithdrawn { .. }), "{answer:?}");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_interpretations_are_adopted_by_two() {
    let house = a_house(LedgerKind::House).await;
    let http = house.http("adm-1").await;
    let rules: Value = http.get("/api/rules").await.unwrap();
    assert_eq!(rules["interpretations"]["adopted"], Value::Null);
    let shipped = rules["interpretations"]["digest"].clone();
    let other = json!({ "digest": digest(b"other").to_string(), "second": "adm-2" });
    assert!(http.post::<Value>("/api/rules/interpretations", &other).await.is_err());
    let body = json!({ "digest": shipped, "second": "adm-2" });
    signed(&http, "/api/rules/interpretations", &body).await;
    let rules: Value = http.get("/api/rules").await.unwrap();
    assert!(rules["interpretations"]["adopted"].is_number());
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_practice_floor_asks_for_nothing_and_says_what_it_is() {
    let house = a_house(LedgerKind::Practice).await;
    let http = house.http("adm-1").await;
    let health: Value = http.get("/api/health").await.unwrap();
    assert_eq!(health["kind"], json!("practice"));
    assert_eq!(open(&http, &live("ws-1"), None, None).await, None);
    let report: Value = house.http("shm-1").await.get("/api/report").await.unwrap();
    assert_eq!(report["kind"], json!("practice"));
    house.close().await;
}

/// What release 0.1.0 left in a house, in mid-Round: it is read back, the Round is concluded, and the next one waits.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_house_of_the_first_release_concludes_its_round_and_opens_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let key = new_key().unwrap();
    let place = Place::File(folder.path().join("ledger"));
    let first = Release("punto 0.1.0".into());
    let now = Timestamp(1_767_225_000_000);
    let mut vault = Vault::found(&place, LedgerKind::House, key.clone(), now, first.clone()).unwrap();
    let script = "table wu-song A table=ws-1\ndealer: load-shoe card_set=blue-1 shuffled_by=s-1\ndealer: open-bets\n\
                  dealer: close-bets\ndealer: draw 9s 2d Kh\n";
    let played = play(&Script::parse(script).unwrap(), |game| Some(text(game).into())).unwrap();
    let mut chain = Chain::START;
    for entry in &played.entries {
        let entry = Entry { release: first.clone(), ..entry.clone() };
        let batch = Batch { expect: chain.seq, entries: vec![chain.seal(&entry)], tickets: Vec::new() };
        let append = Append { volume: Volume::Table("ws-1".into()), batch };
        vault.append(&[append]).pop().unwrap().unwrap();
    }
    drop(vault);
    let house = House::open(folder, key.to_bytes(), clock(), Pace::FLAT_OUT).await;
    for (person, role) in [("adm-1", Role::Administrator), ("adm-2", Role::Administrator)] {
        house.hire(person, role).await;
    }
    for (person, role) in
        [("shm-1", Role::ShiftManager), ("sup-1", Role::PitSupervisor), ("d-1", Role::Dealer)]
    {
        house.hire(person, role).await;
    }
    house.hire("dealer", Role::Dealer).await;
    let supervisor = Actor::Staff { person: "sup-1".into(), post: Post::PitSupervisor };
    let cards = ["9s", "2d", "Kh"].map(|card| card.parse().unwrap()).to_vec();
    let confirm = Command::ConfirmCards { cards, second: Some("dealer".into()) };
    let answer = give(&house, supervisor, confirm).await;
    assert!(matches!(answer, Answer::Done(_)), "{answer:?}");
    for command in [draw("Kc"), Command::ConfirmResult {}] {
        let answer = give(&house, dealer(), command).await;
        assert!(matches!(answer, Answer::Done(_)), "{answer:?}");
    }
    let answer = give(&house, dealer(), Command::OpenBets {}).await;
    assert!(matches!(refused(&answer), Reason::RulesNotApproved {}), "{answer:?}");
    record(&house, &house.http("adm-1").await, now).await;
    // Approved, but the table was opened where whoever was signed in gave orders: its settings change first.
    let Answer::Refused(refusal) = give(&house, dealer(), Command::OpenBets {}).await else {
        panic!("posts are not held")
    };
    assert_eq!(refusal.cite.as_ref().unwrap().to_string(), "interpretation 46");
    let retire = Command::RetireShoe { reason: "for other settings".into() };
    assert!(matches!(give(&house, dealer(), retire).await, Answer::Done(_)));
    let settings = house.app.floor.look(&"ws-1".into(), |table| table.state().settings.clone()).await;
    let mut settings = settings.flatten().unwrap();
    settings.posts = punto_record::PostsBy::Held;
    let change = Command::ChangeSettings { settings, rulebook: text("wu-song").into(), second: None };
    let office = Actor::Administrator { person: "adm-1".into() };
    let answer = give(&house, office, change).await;
    assert!(matches!(answer, Answer::Done(_)), "{answer:?}");
    take_posts(&house, &[("d-1", Post::Dealer)]).await;
    let load =
        Command::LoadShoe { card_set: "blue-2".into(), shuffled_by: Some("s-1".into()), commitment: None };
    assert!(matches!(give(&house, dealer(), load).await, Answer::Done(_)));
    let answer = give(&house, dealer(), Command::OpenBets {}).await;
    assert!(matches!(answer, Answer::Done(_)), "{answer:?}");
    let opened = house.app.floor.look(&"ws-1".into(), |table| table.state().round().is_some()).await;
    assert_eq!(opened, Some(true));
    // The cards were confirmed past the door, where both would have signed.
    let mut findings = house.findings().await;
    findings.retain(|finding| !finding.contains("NotSigned"));
    assert_eq!(findings, Vec::<String>::new());
    let named = house.app.floor.read(|reader| {
        let mut named = Vec::new();
        reader.entries_of(&Volume::Table("ws-1".into()), punto_record::Seq(0), &mut |stored| {
            let entry: Entry = serde_json::from_slice(stored.bytes).unwrap();
            for event in &entry.events {
                if let Event::BetsOpened { approval, .. } = event {
                    named.push(approval.is_some());
                }
            }
            std::ops::ControlFlow::Continue(())
        })?;
        Ok(named)
    });
    assert_eq!(named.await.unwrap(), [false, true]);
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_table_that_was_refused_is_not_there() {
    let house = a_house(LedgerKind::House).await;
    let http = house.http("adm-1").await;
    let list = async || http.get::<Value>("/api/tables").await.unwrap();
    let refusal = open(&http, &live("ws-1"), Some("shm-1"), None).await.expect("nothing is approved");
    assert!(refusal.contains("interpretation 33"), "{refusal}");
    assert_eq!(list().await, json!([]));
    assert!(house.app.floor.tables().is_empty() && house.app.floor.standings().borrow().is_empty());

    // Refused by the dozen while others open it: it is there if one of them did.
    record(&house, &http, house.app.clock.now()).await;
    let settings = |table: &str| Box::new(live(table));
    let refused = async |n: u64, table: &'static str| {
        let command =
            Command::OpenTable { settings: settings(table), rulebook: text("wu-song").into(), second: None };
        let id = OrderId { device: format!("console-{n}").parse().unwrap(), n: 1 };
        let order = Order { id, by: dealer(), at: Timestamp(0), round: None, command };
        house.app.floor.order(&TableId::from(table), order, true).await.unwrap().expect("an answer")
    };
    let all = async {
        for n in 0..40 {
            let (at_ws_1, elsewhere) = tokio::join!(refused(2 * n, "ws-1"), refused(2 * n + 1, "ws-2"));
            for answer in [at_ws_1, elsewhere] {
                assert!(
                    matches!(answer, Answer::Denied(_) | Answer::Refused(_) | Answer::Busy),
                    "{answer:?}"
                );
            }
        }
    };
    let opens = async {
        // Whoever comes to a table that just goes is told to come again.
        let mut opened = open(&http, &live("ws-1"), Some("shm-1"), None).await;
        while opened.as_ref().is_some_and(|words| words.contains("busy")) {
            opened = open(&http, &live("ws-1"), Some("shm-1"), None).await;
        }
        assert_eq!(opened, None);
    };
    tokio::join!(all, opens);
    assert_eq!(house.app.floor.tables(), ["ws-1".into()]);
    assert_eq!(list().await[0]["seq"], json!(1));
    assert_eq!(house.app.floor.standings().borrow().len(), 1);
}
