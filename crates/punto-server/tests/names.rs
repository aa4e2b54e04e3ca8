//! Names and texts at the doors of a house: every place in a body or an order that takes one × everything that somebody may
//! put there. Refused with what is expected and nothing written, or taken and read back by the auditor.

use crate::house::{House, electronic, order};
use punto_record::{Command, Reason};
use punto_server::client::Http;
use punto_server::role::Role;
use punto_server::wire::{Answer, Screen};
use serde_json::{Value, json};

/// What is no name and no text: it is refused everywhere.
fn never() -> Vec<String> {
    let texts = [
        "a\nb",
        "a\rb",
        "a\tb",
        "a\0b",
        "\u{1b}[31mT",
        "\u{9b}31mT",
        "a\u{202e}b",
        "a\u{200b}b",
        "a\u{2066}b",
        "\u{feff}T",
        "T\u{e0041}",
    ];
    texts.iter().map(|text| (*text).to_owned()).chain(["x".repeat(10_000)]).collect()
}

/// What is no name, and may be said in a text.
const NO_NAME: [&str; 15] = [
    "", " ", "T 1", " T1", "T/1", "..", "T\"1", "T'1", "<script>", "=cmd()", "T_1", "T１", "٣", "桌1",
    "T%201",
];

async fn refused(http: &Http, path: &str, body: Value) {
    let answer: Result<Value, _> = http.post(path, &body).await;
    let error = answer.expect_err(&format!("{path} {body}"));
    let words = error.to_string();
    assert!(!words.contains(|c: char| c.is_control() || c == '\u{202e}'), "{words:?}");
    assert!(
        words.contains("letters") || words.contains("invisible") || words.contains("characters"),
        "{words}"
    );
}

/// Entries in the ledger, people and devices in the register.
async fn counted(house: &House) -> (u64, usize, usize) {
    let size = house.app.floor.read(|reader| reader.size()).await.unwrap();
    let staff = house.app.register.staff(house.app.clock.now()).unwrap().len();
    (size, staff, house.app.register.devices().unwrap().len())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_body_brings_in_what_is_no_name() {
    let house = House::new().await;
    house.open_table(electronic("etg-1", 5)).await;
    let http = house.http("adm-1").await;
    let before = counted(&house).await;
    for text in never().into_iter().chain(NO_NAME.map(str::to_owned)) {
        let hire = json!({"person": text, "name": "Somebody", "role": "dealer"});
        refused(&http, "/api/staff", hire).await;
        let kind = json!({"terminal": {"table": "etg-1", "patron": 3}});
        refused(&http, "/api/devices", json!({"device": text, "kind": kind})).await;
        let kind = json!({"terminal": {"table": text, "patron": 3}});
        refused(&http, "/api/devices", json!({"device": "t-3", "kind": kind})).await;
        let mut settings = serde_json::to_value(electronic("etg-2", 5)).unwrap();
        settings["table"] = text.as_str().into();
        refused(&http, "/api/tables", json!({"settings": settings})).await;
    }
    for text in never().iter().map(String::as_str).chain(["", " "]) {
        refused(&http, "/api/staff", json!({"person": "d-1", "name": text, "role": "dealer"})).await;
        let mut settings = serde_json::to_value(electronic("etg-2", 5)).unwrap();
        settings["pit"] = text.into();
        refused(&http, "/api/tables", json!({"settings": settings})).await;
    }
    assert_eq!(counted(&house).await, before, "nothing was written");
    // What people are called, as shown, is not for programs.
    let named: Value = http
        .post("/api/staff", &json!({"person": "d-9", "name": "<b>陈 =1</b>", "role": "dealer"}))
        .await
        .unwrap();
    assert_eq!(named["member"]["name"], "<b>陈 =1</b>");
    assert_eq!(house.findings().await, Vec::<String>::new());
    house.close().await;
}

/// Whoever signs is shown what they sign: nothing is held for a signature that reads otherwise than it is.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_held_for_a_signature_that_looks_like_something_else() {
    let house = House::new().await;
    house.open_table(electronic("etg-1", 5)).await;
    house.hire("adm-2", Role::Administrator).await;
    let http = house.http("adm-1").await;
    for text in never() {
        let asked = json!({"second": "adm-2", "reason": text});
        refused(&http, "/api/tables/etg-1/unlock/pending", asked).await;
    }
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_order_brings_in_what_cannot_be_seen() {
    let house = House::new().await;
    let settings = json!({
        "table": "rws-1", "game": "rws-baccarat", "layout": "A", "decks": 8,
        "betting_box": { "minimum": 100, "differential": 100_000 },
        "other_bets": { "minimum": 100, "maximum": 50_000 },
    });
    house.open_table(serde_json::from_value(settings).unwrap()).await;
    let mut console = house.staff("rws-1", Screen::Console, "m-1", Role::PitManager).await;
    let before = counted(&house).await;
    let load = |set: &str, by: &str| -> Command {
        serde_json::from_value(json!({"do": "load-shoe", "card_set": set, "shuffled_by": by})).unwrap()
    };
    let shift = |name: &str| -> Command {
        serde_json::from_value(json!({"do": "start-shift", "name": name})).unwrap()
    };
    for text in never() {
        for (command, field) in
            [(load(&text, "s-1"), "card_set"), (load("blue-1", &text), "shuffled_by"), (shift(&text), "name")]
        {
            let answer = order(&mut console, command, None).await;
            let Answer::Refused(rejection) = &answer else { panic!("{field} {text:?}: {answer:?}") };
            assert!(
                matches!(&rejection.reason, Reason::UnfitText { field: it, .. } if it == field),
                "{rejection}"
            );
        }
    }
    for text in NO_NAME {
        let answer = order(&mut console, load("blue-1", text), None).await;
        assert!(matches!(answer, Answer::Refused(_)), "{text:?}: {answer:?}");
    }
    assert_eq!(counted(&house).await, before, "nothing was written");
    let answer = order(&mut console, shift("夜班 =1"), None).await;
    assert!(matches!(answer, Answer::Done(_)), "{answer:?}");
    let answer = order(&mut console, load("Blue 4 <b>", "s-1"), None).await;
    assert!(matches!(answer, Answer::Done(_)), "{answer:?}");
    console.hang_up().await;
    assert_eq!(house.findings().await, Vec::<String>::new());
    house.close().await;
}
