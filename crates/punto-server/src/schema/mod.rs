//! What is said, described for programs: JSON Schema, OpenAPI and TypeScript, all made from the types themselves.
//!
//! A type is described as it may be *said* to the server, or as it is *told* by it: what may be left out in the one
//! always stands in the other. Where the two differ, the second is called `SettingsTold`. All three outputs use the
//! same names.

mod openapi;
mod protocol;
mod typescript;

use std::borrow::Cow;
use std::collections::BTreeSet;

use punto_table::View;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use crate::http::answer::Told as Failure;
use crate::http::route::Route;
use crate::wire::{Said, Told};

pub use openapi::openapi;
pub use protocol::protocol;
pub use typescript::typescript;

/// Where a description finds another by its name.
const DEFS: &str = "#/$defs/";

/// The parts of a view, each whole or not there.
#[derive(Debug)]
pub struct Sections;

impl JsonSchema for Sections {
    fn schema_name() -> Cow<'static, str> {
        "Sections".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = View::json_schema(generator);
        schema.remove("required");
        // Every frame has a number and a time of its own.
        if let Some(Value::Object(parts)) = schema.get_mut("properties") {
            parts.retain(|name, _| !["seq", "now"].contains(&name.as_str()));
        }
        schema.insert("description".to_owned(), "The parts of a `View` that are different now.".into());
        schema
    }
}

/// Every type of the socket and of the routes, by its name.
struct Types<'r> {
    defs: Map<String, Value>,
    /// Those that are told otherwise than they may be said.
    apart: BTreeSet<String>,
    /// Names that more than one type has.
    clashes: BTreeSet<String>,
    routes: Vec<Passage<'r>>,
}

/// What goes through a route.
struct Passage<'r> {
    route: &'r Route,
    query: Option<Value>,
    body: Option<Value>,
    answer: Option<Value>,
}

impl<'r> Types<'r> {
    /// Describes the messages of the socket, and what the routes take and answer.
    fn new(routes: &'r [Route]) -> Types<'r> {
        let mut said = SchemaSettings::draft2020_12().for_deserialize().into_generator();
        let mut told = SchemaSettings::draft2020_12().for_serialize().into_generator();
        said.subschema_for::<Said>();
        told.subschema_for::<Told>();
        told.subschema_for::<Failure>();
        let passage = |route: &'r Route| Passage {
            route,
            query: route.query.map(|query| straight(query(&mut said))),
            body: route.body.map(|body| straight(body(&mut said))),
            answer: route.answer.map(|answer| straight(answer(&mut told))),
        };
        let passages = routes.iter().map(passage).collect::<Vec<_>>();
        let mut types = Types::together(defs(said), defs(told));
        let with_names_told =
            |it: Passage<'r>| Passage { answer: it.answer.map(|answer| types.as_told(answer)), ..it };
        types.routes = passages.into_iter().map(with_names_told).collect();
        types
    }

    /// Puts both sides together: what is the same has one name, what differs has two.
    fn together(said: Map<String, Value>, told: Map<String, Value>) -> Types<'r> {
        let mut apart: BTreeSet<String> = BTreeSet::new();
        loop {
            // A type differs if its own description does, or that of a type that it is made of.
            let differs = |(name, schema): &(&String, &Value)| {
                said.get(*name).is_some_and(|it| it != *schema || refs(it).any(|to| apart.contains(to)))
            };
            let found = told.iter().filter(differs).map(|(name, _)| name.clone()).collect();
            if found == apart {
                break;
            }
            apart = found;
        }
        // The generator puts a number behind a name that is taken; across the two sides only the shapes tell.
        let is_numbered = |name: &&String| name.ends_with(|c: char| c.is_ascii_digit());
        let numbered = said.keys().chain(told.keys()).filter(is_numbered);
        let differ = apart.iter().filter(|name| shape(&said[*name]) != shape(&told[*name]));
        let clashes = numbered.chain(differ).cloned().collect();
        let mut types = Types { defs: said, apart, clashes, routes: Vec::new() };
        for (name, schema) in told {
            let (name, schema) = (types.name_told(&name), types.as_told(schema));
            types.defs.insert(name, schema);
        }
        types
    }

    fn name_told(&self, name: &str) -> String {
        if self.apart.contains(name) { format!("{name}Told") } else { name.to_owned() }
    }

    /// A description that names types as they are told.
    fn as_told(&self, mut schema: Value) -> Value {
        rename(&mut schema, &|name| format!("{DEFS}{}", self.name_told(name)));
        schema
    }

    /// These types and all that they are made of.
    fn within(&self, names: &[&str]) -> Map<String, Value> {
        let mut within = Map::new();
        let mut waiting: Vec<&str> = names.to_vec();
        while let Some(name) = waiting.pop() {
            let schema = self.defs.get(name).unwrap_or_else(|| panic!("`{name}` is not described"));
            if within.insert(name.to_owned(), schema.clone()).is_none() {
                waiting.extend(refs(schema));
            }
        }
        within
    }
}

/// Names that more than one type has: `#[schemars(rename = "…")]` tells them apart.
pub fn clashes(routes: &[Route]) -> BTreeSet<String> {
    Types::new(routes).clashes
}

/// One type by itself, as it may be said.
pub fn alone<T: JsonSchema>() -> Value {
    let mut generator = SchemaSettings::draft2020_12().for_deserialize().into_generator();
    let mut schema = straight(generator.subschema_for::<T>());
    schema["$defs"] = defs(generator).into();
    schema
}

/// What a generator has described, put straight.
fn defs(mut generator: SchemaGenerator) -> Map<String, Value> {
    let mut defs = generator.take_definitions(true);
    defs.values_mut().for_each(straighten);
    defs
}

fn straight(schema: Schema) -> Value {
    let mut schema = schema.to_value();
    straighten(&mut schema);
    schema
}

/// Says what the generator leaves unsaid, and leaves out what says nothing.
fn straighten(schema: &mut Value) {
    if let Value::Object(map) = schema {
        map.retain(|key, value| !(key == "default" && value.is_null()));
        if map.get("format") == Some(&json!("uint32")) {
            map.insert("maximum".to_owned(), u32::MAX.into());
        }
        if let Some(Value::String(words)) = map.get_mut("description") {
            *words = words.replace('\n', " ").replace("[`", "`").replace("`]", "`");
        }
    }
    parts_mut(schema).for_each(straighten);
}

/// A description without what must be there: in that alone may what is said and what is told differ.
fn shape(schema: &Value) -> Value {
    let mut schema = schema.clone();
    fn strip(schema: &mut Value) {
        if let Value::Object(map) = schema {
            map.remove("required");
        }
        parts_mut(schema).for_each(strip);
    }
    strip(&mut schema);
    schema
}

fn parts_mut(schema: &mut Value) -> Box<dyn Iterator<Item = &mut Value> + '_> {
    match schema {
        Value::Array(items) => Box::new(items.iter_mut()),
        Value::Object(map) => Box::new(map.values_mut()),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Box::new(std::iter::empty()),
    }
}

/// The names of the types that a description refers to.
fn refs(schema: &Value) -> Box<dyn Iterator<Item = &str> + '_> {
    match schema {
        Value::Array(items) => Box::new(items.iter().flat_map(refs)),
        Value::Object(map) => {
            let own = map.get("$ref").and_then(Value::as_str).and_then(|to| to.strip_prefix(DEFS));
            Box::new(own.into_iter().chain(map.values().flat_map(refs)))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Box::new(std::iter::empty()),
    }
}

/// Writes every reference of a description anew.
fn rename(schema: &mut Value, to: &impl Fn(&str) -> String) {
    if let Some(Value::String(reference)) = schema.get_mut("$ref")
        && let Some(name) = reference.strip_prefix(DEFS)
    {
        *reference = to(name);
    }
    parts_mut(schema).for_each(|part| rename(part, to));
}
