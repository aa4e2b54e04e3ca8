//! JSON and tables as people read them.

use serde_json::Value;

/// Lines get about as long as this.
const WIDTH: usize = 110;

/// JSON with short parts on one line.
pub(super) fn json(value: &Value) -> String {
    lines(value, 0)
}

fn lines(value: &Value, indent: usize) -> String {
    let short = value.to_string();
    if indent + short.len() <= WIDTH {
        return short;
    }
    let inner = indent + 2;
    let (open, parts, close): (_, Vec<String>, _) = match value {
        Value::Array(items) => ("[", items.iter().map(|it| lines(it, inner)).collect(), "]"),
        Value::Object(map) => {
            let part = |(key, part): (&String, &Value)| format!("{key:?}: {}", lines(part, inner));
            ("{", map.iter().map(part).collect(), "}")
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => return short,
    };
    let pad = " ".repeat(inner);
    format!("{open}\n{pad}{}\n{}{close}", parts.join(&format!(",\n{pad}")), " ".repeat(indent))
}

/// Text for a cell of a table.
pub(super) fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
