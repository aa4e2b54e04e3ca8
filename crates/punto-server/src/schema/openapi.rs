//! The routes as an OpenAPI 3.1 document.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{Passage, Types, refs, rename};
use crate::http::answer::Told as Failure;
use crate::http::guard::{COOKIE, CSRF};
use crate::http::route::{Route, Who};

const ABOUT: &str = "Everything administrative, and everything to read. Tables are played over the socket, which \
    docs/protocol.md describes. Amounts are whole minor units, times are milliseconds since 1970 UTC.";

/// Where HTTP ends.
const SOCKET: &str = "/api/socket";

/// Describes the routes.
pub fn openapi(routes: &[Route]) -> Value {
    let types = Types::new(routes);
    let mut paths: Map<String, Value> = Map::new();
    for passage in &types.routes {
        let methods = paths.entry(passage.route.path).or_insert_with(|| json!({}));
        let method = passage.route.method.as_str().to_lowercase();
        let before = methods.as_object_mut().and_then(|it| it.insert(method, operation(&types, passage)));
        assert!(before.is_none(), "{:?} twice", passage.route);
    }
    let paths = Value::Object(paths);
    let used: Vec<&str> = refs(&paths).collect();
    let schemas = types.within(&used);
    let mut document = json!({
        "openapi": "3.1.0",
        "info": { "title": "Punto", "version": env!("CARGO_PKG_VERSION"), "description": ABOUT },
        "paths": paths,
        "components": {
            "schemas": schemas,
            "responses": { "Failure": { "description": "It was not carried out.", "content": content(failure()) } },
            "securitySchemes": {
                "session": {
                    "type": "apiKey", "in": "cookie", "name": COOKIE,
                    "description": format!("A member of staff in a browser. Whatever changes something also shows `{CSRF}`."),
                },
                "bearer": {
                    "type": "http", "scheme": "bearer",
                    "description": "The session of a member of staff, or the credential of a device.",
                },
            },
        },
    });
    rename(&mut document, &|name| format!("#/components/schemas/{name}"));
    document
}

/// What is answered if all does not go well, whole: no type of a route is made of it.
fn failure() -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize().with(|it| it.inline_subschemas = true);
    Failure::json_schema(&mut settings.into_generator()).to_value()
}

fn content(schema: Value) -> Value {
    json!({ "application/json": { "schema": schema } })
}

fn operation(types: &Types<'_>, passage: &Passage<'_>) -> Value {
    let Passage { route, query, body, answer } = passage;
    let (status, good) = match answer {
        Some(answer) => ("2XX", json!({ "description": "Done.", "content": content(answer.clone()) })),
        None if route.path == SOCKET => ("101", json!({ "description": "The socket is open." })),
        None if route.method.is_safe() => ("200", json!({ "description": "A text, or a page." })),
        None => ("204", json!({ "description": "Done." })),
    };
    let mut parameters = in_path(route.path);
    parameters.extend(query.iter().flat_map(|query| behind_the_question_mark(types, query)));
    let (security, who) = security(route.who);
    let mut operation = json!({
        "operationId": operation_id(route),
        "summary": route.summary,
        "description": who,
        "parameters": parameters,
        "security": security,
        "responses": {
            (status): good,
            "default": { "$ref": "#/components/responses/Failure" },
        },
    });
    if let Some(body) = body {
        operation["requestBody"] = json!({ "required": true, "content": content(body.clone()) });
    }
    operation
}

/// `get-tables-table-entries`.
fn operation_id(route: &Route) -> String {
    let words =
        route.path.split(|c: char| !c.is_ascii_alphanumeric()).filter(|it| !it.is_empty() && *it != "api");
    [&*route.method.as_str().to_lowercase()].into_iter().chain(words).collect::<Vec<_>>().join("-")
}

fn in_path(path: &str) -> Vec<Value> {
    let names = path.split('{').skip(1).filter_map(|rest| rest.split('}').next());
    names
        .map(|name| json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string" } }))
        .collect()
}

/// The fields of a query, one parameter each.
fn behind_the_question_mark(types: &Types<'_>, query: &Value) -> Vec<Value> {
    let named = refs(query).next().map(|name| &types.defs[name]);
    let schema = named.unwrap_or(query);
    let Some(Value::Object(fields)) = schema.get("properties") else {
        panic!("a query with fields: {schema}")
    };
    let is_required = |name: &str| {
        schema.get("required").and_then(Value::as_array).is_some_and(|it| it.iter().any(|it| it == name))
    };
    let parameter = |(name, field): (&String, &Value)| {
        let mut schema = field.clone();
        let words = schema.as_object_mut().and_then(|it| it.remove("description"));
        json!({
            "name": name, "in": "query", "required": is_required(name),
            "description": words.unwrap_or_default(), "schema": schema,
        })
    };
    fields.iter().map(parameter).collect()
}

/// What one has to bring, and who may, in words.
fn security(who: Who) -> (Value, String) {
    let (session, bearer) = (json!({ "session": [] }), json!({ "bearer": [] }));
    match who {
        Who::Anyone => (json!([{}, session, bearer]), "For anyone.".to_owned()),
        Who::Device(screens) => (json!([bearer]), format!("For devices: {}.", words(screens))),
        Who::Staff(roles) => (json!([session, bearer]), format!("For staff: {}.", words(roles))),
        Who::DeviceOrStaff(screens, roles) => (
            json!([session, bearer]),
            format!("For devices: {}. For staff: {}.", words(screens), words(roles)),
        ),
    }
}

/// The words on the wire, in a row.
fn words(all: &[impl Serialize]) -> String {
    let word = |it: &_| serde_json::to_value(it).ok().and_then(|it| it.as_str().map(str::to_owned));
    all.iter().filter_map(word).collect::<Vec<_>>().join(", ")
}
