//! The description of the protocol: it is fresh, and it says of every value what serde says.
//!
//! `PUNTO_UPDATE=1` writes docs/openapi.json, docs/protocol.schema.json, docs/protocol.md and web/src/lib/wire.ts anew.

#[path = "../../punto-table/tests/scripts/mod.rs"]
mod scripts;

mod page;
mod twisted;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use jsonschema::Validator;
use punto_record::{Event, HouseEntry, Order, Rejection, Release, TicketAnswer};
use punto_rules::{PatronNo, Post};
use punto_server::http::routes;
use punto_server::schema;
use punto_server::wire::{Answer, Frame, Reply, Said, Told};
use punto_table::script::{Outcome, play};
use punto_table::{Audience, Desk, Given, Table};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use twisted::twisted;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn fresh(path: &str, text: &str) {
    let file = root().join(path);
    if std::env::var_os("PUNTO_UPDATE").is_some() {
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder can be made");
        fs::write(&file, text).expect("it can be written");
        return;
    }
    let is_fresh = fs::read_to_string(&file).is_ok_and(|it| it == text);
    assert!(is_fresh, "{path} is not fresh: PUNTO_UPDATE=1 cargo test -p punto-server --test schema");
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).expect("JSON") + "\n"
}

#[test]
fn generated_files_are_fresh() {
    let routes = routes();
    fresh("docs/protocol.schema.json", &pretty(&schema::protocol(&routes)));
    fresh("docs/openapi.json", &pretty(&schema::openapi(&routes)));
    fresh("web/src/lib/wire.ts", &schema::typescript(&routes));
    fresh("docs/protocol.md", &page::page(&schema::protocol(&routes)));
}

/// The lines of a golden file of the record.
fn golden(name: &str) -> Vec<Value> {
    let path = root().join("crates/punto-record/tests/data").join(name);
    let text = fs::read_to_string(path).expect("golden lines");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert!(lines.len() > 10, "{name}");
    lines
}

/// Checks values against one type of the protocol.
fn of_protocol(name: &str) -> Validator {
    let mut document = schema::protocol(&routes());
    document.as_object_mut().expect("an object").remove("anyOf");
    document["$ref"] = format!("#/$defs/{name}").into();
    jsonschema::validator_for(&document).expect("a schema")
}

/// The same for what is told, and a field that is not described is a fault.
fn of_told_and_nothing_more() -> Validator {
    fn close(schema: &mut Value) {
        if let Value::Object(map) = schema {
            if map.contains_key("properties") {
                let kind =
                    if map.contains_key("allOf") { "unevaluatedProperties" } else { "additionalProperties" };
                map.insert(kind.to_owned(), false.into());
            }
            map.iter_mut().filter(|(name, _)| *name != "Reason").for_each(|(_, part)| close(part));
        } else if let Value::Array(parts) = schema {
            parts.iter_mut().for_each(close);
        }
    }
    let mut document = schema::protocol(&routes());
    document.as_object_mut().expect("an object").remove("anyOf");
    close(&mut document["$defs"]);
    document["$ref"] = "#/$defs/Told".into();
    jsonschema::validator_for(&document).expect("a schema")
}

/// Checks values against a type by itself.
fn alone<T: JsonSchema>() -> Validator {
    jsonschema::validator_for(&schema::alone::<T>()).expect("a schema")
}

fn accepts(validator: &Validator, value: &Value) {
    if let Err(error) = validator.validate(value) {
        panic!("{}: {error}\n{value}", error.instance_path());
    }
}

#[test]
fn every_golden_line_is_as_described() {
    let (said, told) = (of_protocol("Said"), of_told_and_nothing_more());
    for order in golden("orders.ndjson") {
        accepts(&said, &json!({ "order": order }));
        accepts(&said, &json!({ "approved": { "order": order, "pending": "abc" } }));
        // What screens of release 0.1.0 say.
        accepts(&said, &json!({ "approved": { "order": order, "approvals": ["abc"] } }));
    }
    let events = golden("events.ndjson");
    for event in &events {
        accepts(&told, &json!({ "frame": { "seq": 7, "now": 1, "events": [event] } }));
    }
    for refused in golden("rejections.ndjson") {
        let to = json!({ "device": "console-1", "n": 7 });
        accepts(&told, &json!({ "reply": { "to": to, "answer": { "refused": refused } } }));
    }
    let deeds = alone::<HouseEntry>();
    golden("deeds.ndjson").iter().for_each(|deed| accepts(&deeds, deed));
}

/// What serde lets pass and nobody means: a variant by its number, fields beside a variant that has none, and a name that a
/// record may hold and no order (its grammar is looked at before anything is written).
fn is_overlooked(how: &str) -> bool {
    let by_number = ["irregularity", "ruling", "reason"].map(|tag| format!("/{tag} is 7"));
    by_number.iter().any(|it| how.ends_with(it))
        || (how.starts_with("a stranger at") && how.ends_with("/by"))
        || how.contains("/currency is \"")
}

/// Every line, twisted at every place: what serde refuses the description refuses, and the other way round.
fn described_as_it_is_read<T: DeserializeOwned>(validator: &Validator, lines: &[Value], least: usize) {
    let (mut refused, mut wrong) = (0, BTreeSet::new());
    for line in lines {
        for (how, value) in twisted(line) {
            let read = serde_json::from_value::<T>(value.clone());
            refused += usize::from(read.is_err());
            let is_valid = validator.is_valid(&value);
            if read.is_ok() != is_valid && (is_valid || !is_overlooked(&how)) {
                wrong.insert(format!("{how}: serde says {:?}: {value}", read.err().map(|it| it.to_string())));
            }
        }
    }
    let shown: Vec<String> = wrong.iter().take(20).cloned().collect();
    assert!(wrong.is_empty(), "{} of them:\n{}", wrong.len(), shown.join("\n"));
    assert!(refused >= least, "only {refused} were refused");
}

#[test]
fn orders_are_described_as_they_are_read() {
    let lines: Vec<Value> = golden("orders.ndjson").into_iter().map(|it| json!({ "order": it })).collect();
    described_as_it_is_read::<Said>(&of_protocol("Said"), &lines, 3000);
    let hello = json!({ "hello": { "table": "T1", "screen": "terminal", "device": "abc", "after": 7 } });
    described_as_it_is_read::<Said>(&of_protocol("Said"), &[hello, json!({ "ping": 3 })], 20);
    // An order by itself is the same as in its envelope.
    let lines = golden("orders.ndjson");
    described_as_it_is_read::<Order>(&of_protocol("Order"), &lines, 3000);
}

#[test]
fn the_record_is_described_as_it_is_read() {
    described_as_it_is_read::<Event>(&alone::<Event>(), &golden("events.ndjson"), 2000);
    described_as_it_is_read::<Rejection>(&alone::<Rejection>(), &golden("rejections.ndjson"), 200);
    described_as_it_is_read::<HouseEntry>(&alone::<HouseEntry>(), &golden("deeds.ndjson"), 200);
}

/// Everybody who may look at a table, and two patrons.
fn audiences() -> Vec<Audience> {
    let patrons = [PatronNo(7), PatronNo(9999)].map(|patron| Audience::Terminal { patron });
    let staff = [Audience::Console { post: Post::Dealer }, Audience::Pit { post: Post::ShiftManager }];
    [&patrons[..], &staff[..], &[Audience::Board, Audience::Cage, Audience::Auditor]].concat()
}

fn views(table: &Table) -> Vec<Value> {
    audiences().into_iter().map(|it| serde_json::to_value(table.view(it)).expect("a view is JSON")).collect()
}

/// What a store would have said for an order of a script.
fn given(outcome: &Outcome) -> Given {
    let events = if let Outcome::Events(events) = outcome { &events[..] } else { &[] };
    let amount = events.iter().find_map(|event| {
        if let Event::TicketRedeemed { amount, .. } = event { Some(*amount) } else { None }
    });
    Given {
        ticket: amount.map(|amount| TicketAnswer::Reserved { amount, currency: Some("SGD".into()) }),
        new_ticket: Some("ticket".into()),
        ..Given::default()
    }
}

/// Views, frames and replies as they go over the wire: of every third scenario, of all of them when there is time.
#[test]
fn everything_that_is_told_along_the_scenarios_is_as_described() {
    let validator = of_told_and_nothing_more();
    let tell = |told: &Told| accepts(&validator, &serde_json::to_value(told).expect("JSON"));
    let mut phases = BTreeSet::new();
    let mut sections = 0;
    let step = if std::env::var_os("PUNTO_SOAK").is_some_and(|soak| soak == "1") { 1 } else { 3 };
    // Which scenarios are the third ones changes as they are added; an unread card is rare, so those always count.
    let unread = |scenario: &scripts::Scenario| scenario.text.contains("draw unreadable");
    let all = scripts::scenarios().into_iter().enumerate();
    for (_, scenario) in all.filter(|(at, it)| at.is_multiple_of(step) || unread(it)) {
        let played = play(&scenario.script, scripts::approved).expect("a script");
        let mut desk = Desk::new(Release("test".into()));
        let mut before = views(desk.table());
        let orders = played.steps.iter().flat_map(|step| step.orders.iter().map(move |it| (it, &step.rules)));
        for ((order, outcome), rules) in orders {
            desk.hand_in(order.clone(), &Given { rules: rules.clone(), ..given(outcome) });
            let outbox = match desk.batch() {
                Some(batch) => desk.receipt(batch.entries.last().expect("an entry").seq),
                None => desk.outbox(),
            };
            let now = order.at;
            for reply in outbox.replies {
                let answer = match reply.answer {
                    punto_table::Answer::Done { seq, .. } => Answer::Done(seq),
                    punto_table::Answer::Before { seq } => Answer::Before(seq),
                    punto_table::Answer::Refused(rejection) => Answer::Refused(rejection),
                    punto_table::Answer::Unknown => Answer::Unknown,
                };
                tell(&Told::Reply(Reply { to: reply.to, answer, printed: None }));
            }
            if outbox.frames.is_empty() {
                continue;
            }
            let after = views(desk.table());
            // The parts that changed, of one audience after another: more than one of them would get.
            let changed = before.iter().zip(&after).flat_map(|(before, after)| page::changed(before, after));
            let mut view: serde_json::Map<String, Value> = changed.collect();
            sections += view.len();
            for frame in outbox.frames {
                let view = std::mem::take(&mut view);
                tell(&Told::Frame(Frame { seq: frame.seq, now, events: frame.events, view }));
            }
            for view in after.iter().filter(|it| !before.contains(it)) {
                phases.insert(view["phase"].to_string());
                tell(&Told::View(Box::new(view.clone())));
            }
            before = after;
        }
    }
    assert_eq!(phases.len(), 9, "every phase of a table was seen: {phases:?}");
    assert!(sections > 1000, "{sections}");
}

#[test]
fn no_two_types_have_one_name() {
    let clashes = schema::clashes(&routes());
    assert!(clashes.is_empty(), "tell them apart by #[schemars(rename = \"…\")]: {clashes:?}");
}

#[test]
fn references_lead_somewhere() {
    let documents = [schema::protocol(&routes()), schema::openapi(&routes())];
    for (document, at) in documents.iter().zip(["/$defs", "/components/schemas"]) {
        let defs = document.pointer(at).and_then(Value::as_object).expect("types");
        let mut waiting = vec![document];
        while let Some(value) = waiting.pop() {
            match value {
                Value::Object(map) => {
                    if let Some(Value::String(to)) = map.get("$ref") {
                        assert!(document.pointer(&to[1..]).is_some(), "{to} leads nowhere");
                    }
                    waiting.extend(map.values());
                }
                Value::Array(parts) => waiting.extend(parts),
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
            }
        }
        assert!(jsonschema::meta::is_valid(&json!({ "$defs": defs })), "{at} is no JSON Schema");
    }
}

#[test]
fn every_route_is_in_the_description() {
    let document = schema::openapi(&routes());
    let mut ids = BTreeSet::new();
    for route in routes() {
        let method = route.method.as_str().to_lowercase();
        let operation = &document["paths"][route.path][&method];
        assert_eq!(operation["summary"], route.summary, "{route:?}");
        assert_eq!(operation.get("requestBody").is_some(), route.body.is_some(), "{route:?}");
        assert!(ids.insert(operation["operationId"].to_string()), "{route:?}: an id twice");
        let parameters = operation["parameters"].as_array().expect("parameters");
        let in_path = parameters.iter().filter(|it| it["in"] == "path").count();
        assert_eq!(in_path, route.path.matches('{').count(), "{route:?}");
    }
}
