//! A value of JSON, changed at every place in turn.

use serde_json::{Value, json};

/// Each change with a word on what it is.
pub(crate) fn twisted(value: &Value) -> Vec<(String, Value)> {
    let mut all = Vec::new();
    twist(value, "", &|it| it, &mut all);
    all
}

/// `put` puts a changed part into its place in the whole.
fn twist(value: &Value, place: &str, put: &dyn Fn(Value) -> Value, all: &mut Vec<(String, Value)>) {
    let instead: Vec<Value> = match value {
        Value::Null | Value::Bool(_) => vec![json!("no-such-word"), json!(7)],
        Value::Number(_) => {
            let large = [256_u64, 65_536, 4_294_967_296, 9_007_199_254_740_992].map(Value::from);
            [&large[..], &[json!(-1), json!(1.5), json!("7"), json!(null)]].concat()
        }
        Value::String(_) => vec![json!("no-such-word"), json!("As"), json!(7), json!(null), json!(["As"])],
        Value::Array(_) => vec![json!({}), json!([null]), json!("As"), json!(null)],
        Value::Object(_) => vec![json!([]), json!("As"), json!(null), json!({})],
    };
    all.extend(instead.into_iter().map(|it| (format!("{place} is {it}"), put(it))));
    match value {
        Value::Object(map) => {
            let with = |key: &str, part: Option<Value>| {
                let mut map = map.clone();
                match part {
                    Some(part) => map.insert(key.to_owned(), part),
                    None => map.remove(key),
                };
                put(Value::Object(map))
            };
            all.push((format!("a stranger at {place}"), with("stranger", Some(json!(1)))));
            for (key, part) in map {
                all.push((format!("without {place}/{key}"), with(key, None)));
                twist(part, &format!("{place}/{key}"), &|it| with(key, Some(it)), all);
            }
        }
        Value::Array(items) => {
            for (i, part) in items.iter().enumerate() {
                let with = |it: Value| {
                    let mut items = items.clone();
                    items[i] = it;
                    put(Value::Array(items))
                };
                twist(part, &format!("{place}/{i}"), &with, all);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
