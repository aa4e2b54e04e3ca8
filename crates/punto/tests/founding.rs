//! The real binary founds a house with two Administrators, opens no table before both have come, and has a way back when
//! neither can come in any more, which nobody can take unseen.

use crate::administrators;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::administrators::PASSWORD;
use crate::run::punto;
use punto_server::client::{Error, Http};
use serde_json::{Value, json};

/// The server at work; killed with the test.
struct Server {
    child: Child,
    address: String,
    /// Links that it printed, with the person before each.
    links: Vec<(String, String)>,
}

impl Server {
    fn start(ledger: &Path, more: &[&str]) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_punto"))
            .arg("serve")
            .arg(ledger)
            .args(["--listen", "127.0.0.1:0"])
            .args(more)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary");
        let mut address = String::new();
        BufReader::new(child.stdout.take().expect("its output"))
            .read_line(&mut address)
            .expect("its address");
        let (mut links, mut person) = (Vec::new(), String::new());
        for line in BufReader::new(child.stderr.take().expect("its words")).lines() {
            let line = line.expect("a line");
            if let Some((before, _)) = line.split_once(" is invited to be Administrator") {
                person = before.rsplit(' ').next().expect("a word").to_owned();
            } else if let Some((_, secret)) = line.split_once("/invitation#") {
                links.push((person.clone(), secret.trim().to_owned()));
            } else if line.contains("tables are open") {
                break;
            }
        }
        Server { child, address: address.trim().to_owned(), links }
    }

    fn http(&self) -> Http {
        Http::new(&self.address).expect("an address")
    }

    async fn choose(&self, secret: &str) {
        administrators::choose(&self.address, secret).await;
    }

    async fn sign_in(&self, person: &str) -> Http {
        administrators::sign_in(&self.address, person).await
    }

    async fn health(&self) -> Value {
        self.http().get("/api/health").await.expect("health")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Why a table cannot be opened.
async fn opens(http: &Http) -> String {
    let settings = json!({
        "table": "T1", "game": "wu-song", "layout": "A", "decks": 8, "posts": "held",
        "betting_box": { "minimum": 100, "differential": 1000 },
        "other_bets": { "minimum": 20, "maximum": 500 },
    });
    match http.post::<Value>("/api/tables", &json!({ "settings": settings })).await {
        Ok(opened) => format!("opened: {opened}"),
        Err(Error::Refused { code, .. }) => code,
        Err(error) => panic!("{error:?}"),
    }
}

fn audit(ledger: &str) {
    let audit = punto(&["audit", ledger]);
    assert!(audit.code == 0 && audit.stdout.starts_with("no finding"), "{}", audit.page());
}

#[tokio::test]
async fn a_house_has_two_administrators_and_a_way_back_that_everybody_sees() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("house.punto");
    let ledger = path.to_string_lossy().into_owned();
    let found = punto(&["ledger", "found", &ledger, "--kind", "house"]);
    assert_eq!(found.code, 0, "{}", found.page());

    let first = Server::start(&path, &["--administrator", "ann", "--administrator", "ben"]);
    let invited: Vec<&str> = first.links.iter().map(|(person, _)| person.as_str()).collect();
    assert_eq!(invited, ["ann", "ben"]);
    assert_ne!(first.links[0].1, first.links[1].1);
    drop(first);
    // The links were lost: whoever did not come is invited again, the same two.
    let server = Server::start(&path, &[]);
    let links = server.links.clone();
    assert_eq!(links.iter().map(|it| it.0.as_str()).collect::<Vec<_>>(), ["ann", "ben"]);
    server.choose(&links[0].1).await;
    assert_eq!(server.health().await["too_few_administrators"], json!(true));
    assert_eq!(opens(&server.sign_in("ann").await).await, "too-few-administrators");
    assert!(server.http().sign_in("ann", PASSWORD).await.is_err(), "not without the second factor");
    drop(server);
    let server = Server::start(&path, &[]);
    assert_eq!(server.links.len(), 1, "one of them has come: {:?}", server.links);
    server.choose(&server.links[0].1).await;
    assert_eq!(server.health().await["too_few_administrators"], Value::Null);
    // What else it takes is asked next.
    assert_eq!(opens(&server.sign_in("ann").await).await, "refused");
    drop(server);
    let server = Server::start(&path, &[]);
    assert_eq!(server.links, [], "both can come in");
    drop(server);

    // Nobody takes the way back without a reason, nor for somebody else's role, nor for one alone.
    let restore = |more: &[&str]| punto(&[&["ledger", "restore-administrators", &ledger][..], more].concat());
    assert_ne!(restore(&["--reason", " "]).code, 0);
    assert_ne!(restore(&["--reason", "lost", "--administrator", "eve"]).code, 0);
    assert_ne!(restore(&["--reason", "lost", "--administrator", "eve", "--administrator", "eve"]).code, 0);
    let restored = restore(&["--reason", "both left the house"]);
    assert_eq!(restored.code, 0, "{}", restored.page());
    assert_eq!(restored.stdout.lines().collect::<Vec<_>>(), ["administrator-1", "administrator-2"]);

    let server = Server::start(&path, &[]);
    let entry = server.health().await["restored"].as_u64().expect("everybody is told");
    let links = server.links.clone();
    let invited: Vec<&str> = links.iter().map(|it| it.0.as_str()).collect();
    assert_eq!(invited, ["administrator-1", "administrator-2"]);
    for (_, secret) in &links {
        server.choose(secret).await;
    }
    let http = server.sign_in("administrator-1").await;
    for wrong in
        [json!({ "restored": entry + 1, "reason": "seen" }), json!({ "restored": entry, "reason": "" })]
    {
        assert!(http.post::<Value>("/api/restorations/seen", &wrong).await.is_err(), "{wrong}");
    }
    assert_eq!(server.health().await["restored"], json!(entry));
    let seen = json!({ "restored": entry, "reason": "as arranged with the regulator" });
    let _: Value = http.post("/api/restorations/seen", &seen).await.expect("seen");
    assert_eq!(server.health().await["restored"], Value::Null);
    drop(server);
    audit(&ledger);
    let report = punto(&["report", &ledger, "--format", "json"]);
    assert!(report.stdout.contains("restored at the host"), "{}", report.page());
}
