//! An older file of sessions is put back, with the server running and while it is stopped: what the record says was ended
//! stays over.

use std::path::Path;

use crate::house::{House, clock};
use punto_server::client::{Error, Http};
use punto_server::floor::Pace;
use punto_server::role::Role;
use serde_json::{Value, json};

/// What becomes of a session after the file was copied.
const ENDED: [(&str, &str); 4] = [
    ("d-1", "signs out"),
    ("d-2", "is disabled and enabled"),
    ("d-3", "is invited again"),
    ("d-4", "has another role for a moment"),
];

const STAYS: &str = "d-5";

/// Writes what a file has now into another one.
fn copy(from: &Path, to: &Path) {
    let file = rusqlite::Connection::open(from).unwrap();
    file.execute("VACUUM INTO ?1", [to.to_str().unwrap()]).unwrap();
}

/// Puts the rows of an older file back beside whoever has it open; how many there are.
fn put_back(older: &Path, file: &Path) -> usize {
    let file = rusqlite::Connection::open(file).unwrap();
    file.execute("ATTACH ?1 AS older", [older.to_str().unwrap()]).unwrap();
    file.execute("INSERT OR REPLACE INTO main.session SELECT * FROM older.session", []).unwrap()
}

async fn is_signed_in(house: &House, session: &str) -> bool {
    match Http::with_session(&house.url, session).unwrap().get::<Value>("/api/session").await {
        Ok(_) => true,
        Err(Error::Refused { status: 401, .. }) => false,
        Err(error) => panic!("{error}"),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_older_file_brings_no_session_back() {
    let house = House::new().await;
    house.hire("adm-1", Role::Administrator).await;
    let administrator = house.http("adm-1").await;
    let mut sessions = Vec::new();
    for person in ENDED.map(|(person, _)| person).into_iter().chain([STAYS]) {
        house.hire(person, Role::Dealer).await;
        sessions.push(house.http(person).await.session().unwrap().to_owned());
    }
    let stays = sessions.pop().unwrap();
    let (file, elsewhere) = (house.folder.path().join("people.sessions"), tempfile::tempdir().unwrap());
    let older = elsewhere.path().join("older");
    copy(&file, &older);

    Http::with_session(&house.url, &sessions[0]).unwrap().delete("/api/session").await.unwrap();
    for (person, change) in [
        ("d-2", json!({ "enabled": false })),
        ("d-2", json!({ "enabled": true })),
        ("d-3", json!({ "invite": true })),
        ("d-4", json!({ "role": "cashier" })),
        ("d-4", json!({ "role": "dealer" })),
    ] {
        let _: Value = administrator.patch(&format!("/api/staff/{person}"), &change).await.unwrap();
    }

    // The server has the file open; it was stopped, and the file was replaced; it was stopped, and rows were added after its
    // start.
    let mut house = house;
    for turn in 0..3 {
        if turn > 0 {
            let (folder, key) = house.close().await;
            if turn == 1 {
                for name in ["people.sessions-wal", "people.sessions-shm"] {
                    let _ = std::fs::remove_file(folder.path().join(name));
                }
                std::fs::copy(&older, &file).unwrap();
            }
            house = House::open(folder, key, clock(), Pace::FLAT_OUT).await;
        }
        assert!(put_back(&older, &file) > ENDED.len(), "the rows are there");
        for (session, (person, what)) in sessions.iter().zip(ENDED) {
            assert!(!is_signed_in(&house, session).await, "turn {turn}: {person}, who {what}");
        }
        assert!(is_signed_in(&house, &stays).await, "turn {turn}: nobody else is signed out");
    }
    // Whoever was ended signs in again.
    let again = house.http("d-2").await.session().unwrap().to_owned();
    assert!(is_signed_in(&house, &again).await);
    house.close().await;
}
