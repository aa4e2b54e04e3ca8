//! Names and texts: what is accepted is read back wherever it is written, what is not is refused in every field of every
//! order and deed, and what earlier releases wrote is read as it stands.

use proptest::prelude::*;
use punto_record::{
    CardSet, Chain, Checkpoint, Deed, DeviceId, Digest, Entry, HouseEntry, Order, Person, Pit, Seq,
    SessionId, ShiftName, SignedCheckpoint, TableId, TicketKeyId, TicketNo, Timestamp, Volume, unfit,
};
use punto_rules::BetId;
use serde_json::Value;

/// Texts that must come to nothing: none of them is fit for any field.
const NEVER: [&str; 9] =
    ["a\nb", "a\rb", "a\tb", "a\0b", "\u{1b}[31mred", "a\u{202e}b", "a\u{200b}b", "\u{feff}a", "a\u{e0041}"];
/// Texts that are fit for a line or a label and for no name.
const NO_NAME: [&str; 9] =
    ["T 1", "a/b/c", "..", "\"", "<script>alert(1)</script>", "=cmd()", "桌1", "T１", "T_1"];

fn golden(text: &'static str) -> impl Iterator<Item = Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("a golden line"))
}

/// Every place of a text in a value, as a JSON pointer.
fn places(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::String(_) => found.push(path.to_owned()),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(at, it)| places(it, &format!("{path}/{at}"), found));
        }
        Value::Object(fields) => {
            fields.iter().for_each(|(key, it)| places(it, &format!("{path}/{key}"), found));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Puts `text` at each place in turn; `true` in turn where the result can be read and is found fit.
fn spoil(line: &Value, under: &str, text: &str, fit: impl Fn(Value) -> Option<bool>) -> usize {
    let mut found = Vec::new();
    places(&line[under], &format!("/{under}"), &mut found);
    let mut tried = 0;
    for place in found {
        let mut spoilt = line.clone();
        *spoilt.pointer_mut(&place).expect("a place") = text.into();
        // A rule book has several lines.
        if place.ends_with("/rulebook") && matches!(text, "a\nb" | "a\rb" | "a\tb") {
            continue;
        }
        // What is not even of its type is refused by reading it.
        if let Some(is_fit) = fit(spoilt) {
            tried += 1;
            assert!(!is_fit, "{text:?} at {place} of {line}");
        }
    }
    tried
}

#[test]
fn no_field_of_an_order_takes_what_cannot_be_seen() {
    let long = "x".repeat(10_000);
    let mut tried = 0;
    for line in golden(include_str!("data/orders.ndjson")) {
        let order: Order = serde_json::from_value(line.clone()).expect("an order");
        assert_eq!(unfit(&order.command), Ok(()), "{line}");
        for text in NEVER {
            let is_fit = |it| serde_json::from_value::<Order>(it).ok().map(|it| unfit(&it.command).is_ok());
            tried += spoil(&line, "command", text, is_fit);
        }
        if !line.to_string().contains("\"rulebook\"") {
            let is_fit = |it| serde_json::from_value::<Order>(it).ok().map(|it| unfit(&it.command).is_ok());
            tried += spoil(&line, "command", &long, is_fit);
        }
    }
    assert!(tried > 500, "{tried} fields were tried");
}

#[test]
fn no_field_of_a_deed_takes_what_cannot_be_seen() {
    let mut tried = 0;
    for line in golden(include_str!("data/deeds.ndjson")) {
        let entry: HouseEntry = serde_json::from_value(line.clone()).expect("a deed");
        assert_eq!(unfit(&entry.deed), Ok(()), "{line}");
        for text in NEVER {
            let is_fit = |it| serde_json::from_value::<HouseEntry>(it).ok().map(|it| unfit(&it.deed).is_ok());
            tried += spoil(&line, "deed", text, is_fit);
        }
    }
    assert!(tried > 200, "{tried} fields were tried");
}

#[test]
fn a_refusal_names_the_field_and_what_is_expected() {
    let line = r#"{"deed":"ticket-voided","ticket":"t-1","amount":5,"second":"T 1","reason":"torn"}"#;
    let deed: Deed = serde_json::from_str(line).expect("read as it stands");
    let error = unfit(&deed).unwrap_err();
    assert_eq!(error.to_string(), "`second`: expected 1 to 40 letters (a-z, A-Z), digits and hyphens");
    let deed: Deed = serde_json::from_str(&line.replace("T 1", "m-2").replace("torn", "a\\u202eb")).unwrap();
    assert_eq!(unfit(&deed).unwrap_err().field, "reason");
}

/// Every type of name × every text that is none: not parsed, found in a value, and still read from a record.
#[test]
fn each_type_of_name_keeps_to_its_grammar() {
    macro_rules! each {
        ($($name:ident),+) => {$(
            let long = "x".repeat(10_000);
            let labels = [stringify!(CardSet), stringify!(ShiftName), stringify!(Pit)];
            let is_label = labels.contains(&stringify!($name));
            for text in NEVER.into_iter().chain(["", " ", &long]) {
                assert!(text.parse::<$name>().is_err(), "{} {text:?}", stringify!($name));
            }
            for text in NO_NAME {
                assert_eq!(text.parse::<$name>().is_ok(), is_label, "{} {text:?}", stringify!($name));
            }
            for text in NEVER.into_iter().chain(NO_NAME).chain(["", " ", &long]) {
                let recorded: $name = serde_json::from_value(text.into()).expect("read as it stands");
                assert_eq!((recorded.as_str(), recorded.is_fit()), (text, text.parse::<$name>().is_ok()));
                assert_eq!(serde_json::to_value(&recorded).unwrap(), Value::from(text));
                assert_eq!(unfit(&recorded).is_ok(), recorded.is_fit());
                // Shown, it is one line that does nothing.
                assert!(recorded.to_string().chars().all(punto_rules::text::is_visible));
            }
        )+};
    }
    each!(TableId, DeviceId, Person, SessionId, TicketKeyId, TicketNo, BetId, CardSet, ShiftName, Pit);
}

/// What release 0.1.0 let a dealer or a script write is still an entry, a deed, a volume, a checkpoint.
#[test]
fn what_was_written_before_is_read_as_it_stands() {
    let line = golden(include_str!("data/orders.ndjson"))
        .find(|line| line["command"]["do"] == "load-shoe")
        .expect("a shoe");
    let mut spoilt = line;
    spoilt["command"]["shuffled_by"] = "Mr Tan\u{202e}\n".into();
    spoilt["command"]["card_set"] = "\u{1b}[31m".into();
    let order: Order = serde_json::from_value(spoilt.clone()).expect("an order");
    assert_eq!(serde_json::to_value(&order).unwrap(), spoilt);
    assert!(unfit(&order.command).is_err());
    let release = punto_record::Release("punto 0.1.0".into());
    let entry = Entry { seq: Seq(1), order, events: Vec::new(), release, mandates: None };
    let mut chain = Chain::START;
    let sealed = chain.seal(&entry);
    assert_eq!(serde_json::from_slice::<Entry>(&sealed.bytes).unwrap(), entry);
    for name in ["桌1", "T_1", "..", "a/b", "\u{1b}[31m", "=cmd()"] {
        let volume: Volume = format!("table/{name}").parse().expect("no white space");
        assert_eq!(volume.to_string(), format!("table/{name}"));
        assert_eq!(read_back(volume.clone()), volume);
    }
    for name in ["", "T 1", "T\n1", "T\u{2028}1", "T\u{a0}1"] {
        assert!(format!("table/{name}").parse::<Volume>().is_err(), "{name:?}");
    }
}

/// A volume through the text of a checkpoint, which is signed.
fn read_back(volume: Volume) -> Volume {
    let key = ed25519_dalek::SigningKey::from_bytes(&[3; 32]);
    let (ledger, root, at, size) = (Digest([1; 32]), Digest([2; 32]), Timestamp(5), 9);
    let house = (Volume::House, Chain { seq: Seq(2), link: Digest([4; 32]) });
    let table = (volume, Chain { seq: Seq(7), link: Digest([5; 32]) });
    let signed = Checkpoint { ledger, at, size, root, heads: vec![house, table] }.sign(&key);
    let read: SignedCheckpoint = signed.to_string().parse().expect("a checkpoint as it was written");
    assert_eq!(read, signed);
    assert!(read.is_signed());
    read.checkpoint.heads[1].0.clone()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever a person types: if it is taken, it comes back from everything that it is written into.
    #[test]
    fn an_accepted_name_is_read_back(text in "([A-Za-z0-9-]{1,40}|[ -~]{0,45}|\\PC{0,8}|[a-z]{1,5}[\\s/=\"]?)") {
        if let Ok(table) = text.parse::<TableId>() {
            let volume = Volume::Table(table.clone());
            prop_assert_eq!(volume.to_string().parse::<Volume>().unwrap(), volume.clone());
            let json = serde_json::to_string(&volume).unwrap();
            prop_assert_eq!(serde_json::from_str::<Volume>(&json).unwrap(), volume.clone());
            prop_assert_eq!(read_back(volume.clone()), volume);
            prop_assert_eq!(table.to_string(), text.clone());
        }
        if let Ok(set) = text.parse::<CardSet>() {
            let json = serde_json::to_string(&set).unwrap();
            prop_assert_eq!(serde_json::from_str::<CardSet>(&json).unwrap(), set.clone());
            prop_assert_eq!(set.to_string(), text.clone());
            prop_assert_eq!(json.lines().count(), 1);
        }
    }
}
