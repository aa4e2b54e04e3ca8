//! The types as TypeScript, made from their JSON Schema.

use punto_record::{CommandKind, Topic};
use serde_json::{Map, Value};

use super::{DEFS, Types};
use crate::http::route::Route;

const HEAD: &str =
    "// What is said over the socket and by HTTP. Made from the types of the server; not written by hand:
// PUNTO_UPDATE=1 cargo test -p punto-server --test schema
";

/// Lines get about as long as this.
const WIDTH: usize = 110;

/// One exported type for each type of the socket and of the routes.
pub fn typescript(routes: &[Route]) -> String {
    declarations(&Types::new(routes).defs) + &topics()
}

/// Where each order is listed, as its declaration says.
fn topics() -> String {
    let word = |topic: Topic| serde_json::to_string(&topic).expect("a word");
    let mut words: Vec<String> = Vec::new();
    let mut rows = String::new();
    for kind in CommandKind::ALL {
        let topic = word(kind.facts().topic);
        rows += &format!("  \"{}\": {topic},\n", kind.id());
        if !words.contains(&topic) {
            words.push(topic);
        }
    }
    format!(
        "\n/** Where orders are listed. */\nexport type Topic = {};\n\n\
         export const TOPIC_OF: Record<CommandKind, Topic> = {{\n{rows}}};\n",
        words.join(" | ")
    )
}

/// One exported type for each description, in the order of names.
fn declarations(defs: &Map<String, Value>) -> String {
    let mut text = HEAD.to_owned();
    for (name, schema) in defs {
        text += "\n";
        text += &doc(schema, "");
        text += &match alternatives(schema) {
            Some(variants) => format!("export type {name} ={};\n", union(variants)),
            // A list of plain words is a list at run time as well: its order and all of it may be asked for.
            None if words(schema).is_some() => format!(
                "export const {name} = [{}] as const;\nexport type {name} = (typeof {name})[number];\n",
                type_of(schema, "").replace(" | ", ", ")
            ),
            None if is_interface(schema) => format!("export interface {name} {}\n", fields(schema, "")),
            None => format!("export type {name} = {};\n", type_of(schema, "  ")),
        };
    }
    text
}

/// The variants of an enum, each on a line of its own with its comment.
fn union(variants: &[Value]) -> String {
    let variant = |it: &Value| format!("\n{}  | {}", doc(it, "  "), type_of(it, "    "));
    variants.iter().map(variant).collect()
}

/// A comment from the description.
fn doc(schema: &Value, indent: &str) -> String {
    match schema.get("description").and_then(Value::as_str) {
        Some(words) => format!("{indent}/** {} */\n", words.replace("*/", "* /")),
        None => String::new(),
    }
}

fn alternatives(schema: &Value) -> Option<&Vec<Value>> {
    schema.get("oneOf").or(schema.get("anyOf")).and_then(Value::as_array)
}

fn is_interface(schema: &Value) -> bool {
    schema.get("properties").is_some() && schema.get("allOf").is_none()
}

fn words(schema: &Value) -> Option<&Vec<Value>> {
    schema.get("enum").and_then(Value::as_array)
}

/// A description as a type expression.
fn type_of(schema: &Value, indent: &str) -> String {
    if let Some(to) = schema.get("$ref").and_then(Value::as_str) {
        return to.strip_prefix(DEFS).unwrap_or_else(|| panic!("`{to}` is elsewhere")).to_owned();
    }
    if let Some(value) = schema.get("const") {
        return value.to_string();
    }
    let one_of = |all: &Vec<Value>, one: &dyn Fn(&Value) -> String| {
        all.iter().map(one).collect::<Vec<_>>().join(" | ")
    };
    if let Some(words) = words(schema) {
        return one_of(words, &Value::to_string);
    }
    if let Some(Value::Array(all)) = schema.get("allOf") {
        let parts = all.iter().map(|it| type_of(it, indent));
        return parts
            .chain(schema.get("properties").map(|_| fields(schema, indent)))
            .collect::<Vec<_>>()
            .join(" & ");
    }
    if let Some(variants) = alternatives(schema) {
        return one_of(variants, &|it| type_of(it, indent));
    }
    match schema.get("type") {
        Some(Value::Array(types)) => one_of(types, &|it| simple(it, schema, indent)),
        Some(one) => simple(one, schema, indent),
        None => "unknown".to_owned(),
    }
}

fn simple(one: &Value, schema: &Value, indent: &str) -> String {
    match one.as_str() {
        Some("integer" | "number") => "number".to_owned(),
        Some("object") => object(schema, indent),
        Some("array") => array(schema, indent),
        Some(word @ ("string" | "boolean" | "null")) => word.to_owned(),
        Some(_) | None => panic!("no type of JSON: {one}"),
    }
}

fn array(schema: &Value, indent: &str) -> String {
    if let Some(Value::Array(items)) = schema.get("prefixItems") {
        let items: Vec<String> = items.iter().map(|it| type_of(it, indent)).collect();
        return format!("[{}]", items.join(", "));
    }
    let item = schema.get("items").map_or("unknown".to_owned(), |it| type_of(it, indent));
    if item.contains(['|', '&']) { format!("({item})[]") } else { format!("{item}[]") }
}

/// An object with known fields, or a map.
fn object(schema: &Value, indent: &str) -> String {
    if schema.get("properties").is_some() {
        return fields(schema, indent);
    }
    let by_pattern = schema.get("patternProperties").and_then(|it| it.as_object()?.values().next());
    let value = by_pattern.or(schema.get("additionalProperties").filter(|it| it.is_object()));
    format!("Record<string, {}>", value.map_or("unknown".to_owned(), |it| type_of(it, indent)))
}

/// The fields of an object: those that must be there in the order of the type, then those that need not.
fn fields(schema: &Value, indent: &str) -> String {
    let Some(Value::Object(properties)) = schema.get("properties") else { panic!("fields of {schema}") };
    let required: Vec<&str> = match schema.get("required") {
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        Some(_) | None => Vec::new(),
    };
    let optional = properties.keys().map(String::as_str).filter(|name| !required.contains(name));
    let inner = format!("{indent}  ");
    let field = |name: &str| {
        let mark = if required.contains(&name) { "" } else { "?" };
        let is_word = name.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_');
        let key = if is_word { name.to_owned() } else { format!("{name:?}") };
        format!("{key}{mark}: {}", type_of(&properties[name], &inner))
    };
    let names: Vec<&str> = required.iter().copied().chain(optional).collect();
    let all: Vec<String> = names.iter().map(|name| field(name)).collect();
    let line = format!("{{ {} }}", all.join("; "));
    let has_words = names.iter().any(|name| properties[*name].get("description").is_some());
    if !indent.is_empty() && !has_words && !line.contains('\n') && indent.len() + line.len() < WIDTH {
        return line;
    }
    let lines =
        names.iter().zip(all).map(|(name, it)| format!("{}{inner}{it};\n", doc(&properties[*name], &inner)));
    format!("{{\n{}{indent}}}", lines.collect::<String>())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(schema: Value) -> String {
        let text = declarations(&Map::from_iter([("It".to_owned(), schema)]));
        text.strip_prefix(HEAD).expect("the head").trim().to_owned()
    }

    #[test]
    fn an_object_is_an_interface() {
        let schema = json!({
            "description": "A wager.",
            "properties": {
                "box": { "anyOf": [{ "$ref": "#/$defs/BoxNo" }, { "type": "null" }] },
                "stake": { "description": "In cents.", "type": "integer" },
                "zh-Hans": { "type": ["string", "null"] },
            },
            "required": ["zh-Hans", "stake"],
            "type": "object",
        });
        assert_eq!(
            of(schema),
            "/** A wager. */
export interface It {
  \"zh-Hans\": string | null;
  /** In cents. */
  stake: number;
  box?: BoxNo | null;
}"
        );
    }

    #[test]
    fn variants_are_a_union_by_their_tag_or_their_key() {
        let tagged = |word: &str| {
            json!({
                "properties": { "do": { "const": word, "type": "string" }, "at": { "type": "integer" } },
                "required": ["do"],
                "type": "object",
            })
        };
        let by_key = json!({
            "description": "With a key.",
            "properties": { "fixed": { "type": "integer" } },
            "required": ["fixed"],
            "type": "object",
        });
        let schema = json!({ "oneOf": [tagged("cut"), by_key, { "const": "busy", "type": "string" }] });
        assert_eq!(
            of(schema),
            "export type It =
  | { do: \"cut\"; at?: number }
  /** With a key. */
  | { fixed: number }
  | \"busy\";"
        );
    }

    #[test]
    fn lists_tuples_maps_and_the_rest() {
        let pair =
            json!({ "type": "array", "prefixItems": [{ "type": "integer" }, { "$ref": "#/$defs/Colour" }] });
        assert_eq!(of(pair), "export type It = [number, Colour];");
        let words = json!({ "enum": ["r", "b"] });
        assert_eq!(
            of(words),
            "export const It = [\"r\", \"b\"] as const;\nexport type It = (typeof It)[number];"
        );
        let list = json!({ "type": "array", "items": { "enum": ["r", "b"] } });
        assert_eq!(of(list), "export type It = (\"r\" | \"b\")[];");
        let map = json!({ "type": "object", "additionalProperties": { "type": "boolean" } });
        assert_eq!(of(map), "export type It = Record<string, boolean>;");
        let both = json!({
            "type": "object",
            "allOf": [{ "$ref": "#/$defs/Reason" }],
            "properties": { "cite": { "type": "string" } },
        });
        assert_eq!(of(both), "export type It = Reason & { cite?: string };");
        assert_eq!(of(json!({})), "export type It = unknown;");
    }
}
