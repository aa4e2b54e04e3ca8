//! Requests made from the API's own description, good and twisted, by everybody at every route: the server answers each with a
//! status of its closed list and goes on; nothing internal fails or leaks.

use crate::caller::{House, Who};
use axum::http::Method;
use punto_rules::PatronNo;
use punto_server::register::DeviceKind;
use punto_server::role::Role;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use serde_json::{Map, Value, json};

/// How deep a made-up value goes.
const DEEP: usize = 6;

fn scale(test: usize, soak: usize) -> usize {
    if std::env::var_os("PUNTO_SOAK").is_some_and(|it| it == "1") { soak } else { test }
}

/// Makes values that a schema allows, more or less.
struct Maker<'a> {
    document: &'a Value,
    chance: ChaCha8Rng,
}

impl Maker<'_> {
    fn of(&mut self, schema: &Value, depth: usize) -> Value {
        if let Some(target) = schema["$ref"].as_str() {
            let target = self.document.pointer(target.trim_start_matches('#')).cloned();
            let target = target.unwrap_or_else(|| panic!("{schema} leads nowhere"));
            return self.of(&target, depth);
        }
        if let Some(value) = schema.get("const") {
            return value.clone();
        }
        for choice in ["enum", "oneOf", "anyOf"] {
            if let Some(all) = schema[choice].as_array() {
                let one = &all[self.chance.random_range(0..all.len())];
                return if choice == "enum" { one.clone() } else { self.of(&one.clone(), depth) };
            }
        }
        let kind = match schema["type"].as_array() {
            Some(kinds) => kinds[self.chance.random_range(0..kinds.len())].as_str(),
            None => schema["type"].as_str(),
        };
        match kind {
            Some("object") => self.object(schema, depth),
            Some("array") if depth < DEEP => {
                let length = self.chance.random_range(0..3);
                (0..length).map(|_| self.of(&schema["items"].clone(), depth + 1)).collect()
            }
            Some("array") => json!([]),
            Some("integer" | "number") => json!(self.chance.random_range(0..100_000_u64)),
            Some("boolean") => json!(self.chance.random_bool(0.5)),
            Some("null") => Value::Null,
            Some(_) | None => json!(self.word()),
        }
    }

    fn object(&mut self, schema: &Value, depth: usize) -> Value {
        let mut object = Map::new();
        let required: Vec<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        for (name, part) in schema["properties"].as_object().into_iter().flatten() {
            if required.contains(&name.as_str()) || (depth < DEEP && self.chance.random_bool(0.4)) {
                object.insert(name.clone(), self.of(part, depth + 1));
            }
        }
        Value::Object(object)
    }

    fn word(&mut self) -> String {
        let words = [
            "",
            "etg-1",
            "d-1",
            "adm-1",
            "ncb-etg",
            "terminal",
            "A",
            "As",
            "banker",
            "11 to 1",
            "0000-0000-0000-0000-0000",
            "a sentence that is long enough",
            "庄",
            "\u{0}",
            "../../etc/passwd",
            "%00",
            "' OR 1=1 --",
            "2026-11-14",
        ];
        words[self.chance.random_range(0..words.len())].to_owned()
    }

    /// A path with something in the place of its names.
    fn path(&mut self, path: &str) -> String {
        let mut made = String::new();
        for part in path.split('/').skip(1) {
            made.push('/');
            match part.starts_with('{') {
                true => made.push_str(&encoded(&self.word())),
                false => made.push_str(part),
            }
        }
        made
    }
}

fn encoded(text: &str) -> String {
    text.bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' => char::from(byte).to_string(),
            _ => format!("%{byte:02X}"),
        })
        .collect()
}

async fn house() -> (House, Vec<(String, Who)>) {
    let house = House::open().await;
    let mut everybody = vec![("nobody".to_owned(), Who::Nobody)];
    for role in Role::ALL {
        let person = format!("p-{}", role.id());
        house.employ(&person, role).await;
        everybody.push((person.clone(), house.sign_in(&person)));
    }
    let terminal = DeviceKind::Terminal { table: "etg-1".into(), patron: PatronNo(1), at_box: None };
    everybody.push(("a terminal".to_owned(), house.enrol("t-1", terminal)));
    (house, everybody)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_made_from_the_description() {
    let (house, everybody) = house().await;
    let document = house.get("/api/openapi.json", &Who::Nobody).await.body;
    let mut maker = Maker { document: &document, chance: ChaCha8Rng::seed_from_u64(3) };
    let (mut asked, mut good) = (0, 0);
    for (path, methods) in document["paths"].as_object().expect("paths") {
        // What ends a session would end the test; a socket is another story.
        if path == "/api/session" || path == "/api/socket" || !path.starts_with("/api") {
            continue;
        }
        for (method, operation) in methods.as_object().expect("methods") {
            let method: Method = method.to_uppercase().parse().expect("a method");
            let body = operation.pointer("/requestBody/content/application~1json/schema");
            for (name, who) in &everybody {
                for _ in 0..scale(4, 300) {
                    let path = maker.path(path);
                    let body = body.map(|schema| {
                        let value = maker.of(schema, 0);
                        twist(&value, &mut maker.chance)
                    });
                    let answer = house.ask_as(method.clone(), &path, who, body.as_deref()).await;
                    asked += 1;
                    good += usize::from(answer.status < 300);
                    let closed = [200, 201, 204, 400, 401, 403, 404, 405, 408, 409, 413, 415, 429, 503]
                        .contains(&answer.status);
                    assert!(closed, "{method} {path} by {name}: {answer:?}");
                    if answer.status >= 400 && answer.body["state"].is_null() {
                        assert!(
                            answer.body["error"]["code"].is_string(),
                            "{method} {path} by {name}: {answer:?}"
                        );
                        let words = answer.body["error"]["words"].as_str().expect("words");
                        for inside in ["panicked", "rusqlite", "src/", "SELECT", "/tmp"] {
                            assert!(!words.contains(inside), "{method} {path}: {words}");
                        }
                    }
                }
            }
        }
    }
    eprintln!("{asked} requests, {good} carried out");
    assert!(good > 20, "some were good");
    let health = house.get("/api/health", &Who::Nobody).await;
    assert_eq!(health.body["well"], true, "{health:?}");
}

/// Mostly as it is; sometimes with something wrong.
fn twist(value: &Value, chance: &mut ChaCha8Rng) -> Vec<u8> {
    let mut bytes = value.to_string().into_bytes();
    if chance.random_bool(0.3) && !bytes.is_empty() {
        let at = chance.random_range(0..bytes.len());
        match chance.random_range(0..3) {
            0 => bytes[at] = chance.random_range(0..=255),
            1 => bytes.truncate(at),
            _ => drop(bytes.remove(at)),
        }
    }
    bytes
}
