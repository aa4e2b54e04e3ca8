//! The two Administrators of a house, who come in by their links, with a second factor.
#![allow(dead_code, unreachable_pub)]

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::{SystemTime, UNIX_EPOCH};

use punto_server::client::{Http, authenticator};
use serde_json::{Value, json};

pub const PASSWORD: &str = "a sentence that is long enough";

/// Recovery codes that were not used: codes of an app are good once in half a minute.
static RECOVERY: Mutex<BTreeMap<String, Vec<String>>> = Mutex::new(BTreeMap::new());

/// A code that was not used yet.
pub fn code(person: &str) -> Option<String> {
    RECOVERY.lock().expect("codes").get_mut(person).and_then(Vec::pop)
}

/// Chooses a password and sets up a second factor, as the page of the invitation does. Who it is.
pub async fn choose(url: &str, secret: &str) -> String {
    let http = || Http::new(url).expect("an address");
    let body = json!({ "invitation": secret, "password": PASSWORD });
    let chosen: Value = http().post("/api/password", &body).await.expect("chosen");
    assert_eq!(chosen["must_enrol"], json!(true), "{chosen}");
    let person = chosen["person"].as_str().expect("a person").to_owned();
    let http = http().sign_in(&person, PASSWORD).await.expect("signed in");
    let offer: Value =
        http.post("/api/factor/offer", &json!({ "password": PASSWORD })).await.expect("an offer");
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_millis() as u64;
    let code = authenticator::code(offer["secret"].as_str().expect("a secret"), now).expect("a code");
    let told: Value = http.post("/api/factor", &json!({ "code": code })).await.expect("set up");
    let codes: Vec<String> = serde_json::from_value(told["codes"].clone()).expect("codes");
    RECOVERY.lock().expect("codes").insert(person.clone(), codes);
    person
}

pub async fn sign_in(url: &str, person: &str) -> Http {
    let http = Http::new(url).expect("an address");
    http.sign_in_with(person, PASSWORD, code(person).as_deref()).await.expect("signed in")
}
