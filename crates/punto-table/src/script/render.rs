//! Events and refusals on one line each, in the words of the record.

use punto_record::{Event, Rejection, Timestamp};
use serde_json::{Map, Value};

/// Too long for a line, and the same for every script: what a table was opened with is written above it.
const LEFT_OUT: [&str; 3] = ["rulebook", "settings", "digest"];
/// Amounts that are only worth a word when there are any.
const ONLY_SOME: [&str; 6] = ["returned", "winnings", "commission", "paid", "taken", "uncollected"];
/// Moments, shown from the beginning of the script.
const MOMENTS: [&str; 7] = ["closes_at", "until", "money_until", "expires", "from", "to", "since"];

/// What is named first, and last; everything else between, by its name.
const FIRST: [&str; 13] = [
    "matter",
    "round",
    "shoe",
    "patron",
    "box",
    "stance",
    "bet",
    "side",
    "card",
    "kind",
    "ruling",
    "irregularity",
    "stake",
];
const LAST: [&str; 6] = ["cite", "parts_cite", "chips_cite", "returns_cite", "display_cite", "reason"];

fn in_order(map: &Map<String, Value>) -> Vec<(&String, &Value)> {
    let place = |key: &str| match FIRST.iter().position(|it| *it == key) {
        Some(place) => place,
        None => FIRST.len() + LAST.iter().position(|it| *it == key).map_or(0, |place| place + 1),
    };
    let mut fields: Vec<_> = map.iter().collect();
    fields.sort_by_key(|(key, _)| place(key));
    fields
}

/// An event as lines: its word and fields, then one line for each item of a list.
pub fn show_event(event: &Event, start: Timestamp) -> Vec<String> {
    let Value::Object(map) = serde_json::to_value(event).expect("an event is JSON") else {
        unreachable!("an event is an object")
    };
    let mut line = event.kind().id().to_owned();
    let mut items = Vec::new();
    for (key, value) in in_order(&map) {
        if key != "event" && !LEFT_OUT.contains(&key.as_str()) {
            field(key, value, start, &mut line, &mut items);
        }
    }
    let mut lines = vec![line];
    lines.extend(items);
    lines
}

/// A refusal on one line.
pub fn show_rejection(rejection: &Rejection, start: Timestamp) -> String {
    let Value::Object(map) = serde_json::to_value(rejection).expect("a rejection is JSON") else {
        unreachable!("a rejection is an object")
    };
    let mut line = format!("! {}", rejection.reason.kind().id());
    for (key, value) in &map {
        if key != "reason" && key != "cite" {
            field(key, value, start, &mut line, &mut Vec::new());
        }
    }
    if let Some(cite) = &rejection.cite {
        line.push_str(&format!(" ({cite})"));
    }
    line
}

fn field(key: &str, value: &Value, start: Timestamp, line: &mut String, items: &mut Vec<String>) {
    match value {
        Value::Null | Value::Bool(false) => {}
        Value::Bool(true) => line.push_str(&format!(" {key}")),
        Value::Number(number) => {
            let last = key.rsplit('.').next().unwrap_or(key);
            if MOMENTS.contains(&last) {
                let moment = number.as_u64().unwrap_or(0).saturating_sub(start.0);
                line.push_str(&format!(" {key}=+{}.{}s", moment / 1000, moment % 1000 / 100));
            } else if number.as_u64() != Some(0) || !ONLY_SOME.contains(&last) {
                line.push_str(&format!(" {key}={number}"));
            }
        }
        Value::String(text) if text.contains([' ', ',']) || text.is_empty() => {
            line.push_str(&format!(" {key}=\"{text}\""));
        }
        Value::String(text) => line.push_str(&format!(" {key}={text}")),
        Value::Array(values) if values.iter().any(Value::is_object) => {
            for value in values {
                let mut item = format!("  {key}:");
                if let Value::Object(map) = value {
                    in_order(map)
                        .into_iter()
                        .for_each(|(key, value)| field(key, value, start, &mut item, &mut Vec::new()));
                }
                items.push(item);
            }
        }
        Value::Array(values) if values.is_empty() => {}
        Value::Array(values) => {
            let words: Vec<String> = values
                .iter()
                .map(|it| it.as_str().map_or_else(|| it.to_string(), |text| text.replace(", ", ",")))
                .collect();
            line.push_str(&format!(" {key}=[{}]", words.join(" ")));
        }
        // An approval, by the number of its deed.
        Value::Object(map) if map.contains_key("link") => {
            let seq = map.get("seq").cloned().unwrap_or_default();
            line.push_str(&format!(" {key}={seq}"));
        }
        Value::Object(map) => {
            for (inner, value) in in_order(map) {
                let name = if inner == key { key.to_owned() } else { format!("{key}.{inner}") };
                field(&name, value, start, line, items);
            }
        }
    }
}
