//! `key=value` as JSON: numbers, words, "quoted words", [lists of words], 'raw JSON', dotted keys for what lies inside.

use serde_json::{Map, Value};

/// Splits a line into words. Quotes and brackets keep together what they enclose.
pub(super) fn words(line: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut closing: Option<char> = None;
    for letter in line.chars() {
        match closing {
            Some(end) => {
                word.push(letter);
                if letter == end {
                    closing = None;
                }
            }
            None if letter.is_whitespace() => {
                if !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
            }
            None => {
                closing = match letter {
                    '"' => Some('"'),
                    '\'' => Some('\''),
                    '[' => Some(']'),
                    _ => None,
                };
                word.push(letter);
            }
        }
    }
    if let Some(end) = closing {
        return Err(format!("`{end}` is missing"));
    }
    if !word.is_empty() {
        words.push(word);
    }
    Ok(words)
}

/// One value.
pub(super) fn value(text: &str) -> Result<Value, String> {
    let inside = |open: char, close: char| text.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
    if let Some(raw) = inside('\'', '\'') {
        return serde_json::from_str(raw).map_err(|error| format!("not JSON: {error}"));
    }
    if let Some(quoted) = inside('"', '"') {
        return Ok(quoted.into());
    }
    if let Some(list) = inside('[', ']') {
        return list.split_whitespace().map(value).collect();
    }
    Ok(match text {
        "true" => true.into(),
        "false" => false.into(),
        text => text.parse::<u64>().map_or_else(|_| text.into(), Value::from),
    })
}

/// Puts a value under a dotted key.
pub(super) fn put(map: &mut Map<String, Value>, key: &str, value: Value) -> Result<(), String> {
    match key.split_once('.') {
        None => match map.insert(key.to_owned(), value) {
            Some(_) => Err(format!("`{key}` twice")),
            None => Ok(()),
        },
        Some((outer, inner)) => {
            let entry = map.entry(outer.to_owned()).or_insert_with(|| Value::Object(Map::new()));
            match entry {
                Value::Object(object) => put(object, inner, value),
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
                    Err(format!("`{outer}` is both a value and a group of values"))
                }
            }
        }
    }
}

/// Reads `key=value` words.
pub(super) fn pairs(words: &[String], map: &mut Map<String, Value>) -> Result<(), String> {
    for word in words {
        let (key, text) =
            word.split_once('=').ok_or_else(|| format!("`{word}` is not of the form key=value"))?;
        put(map, key, value(text)?)?;
    }
    Ok(())
}
