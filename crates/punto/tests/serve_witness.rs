//! The real binary as a house, as its witness, and the folder beside it: what happens with yesterday's ledger, after a
//! declared loss, with a new key, and while nobody can be reached. And a house in a database whose older copy is put back.

use crate::administrators;
use crate::postgres_server;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::administrators::PASSWORD;
use crate::run::punto;
use punto_server::client::Http;
use punto_server::pending::Pending;
use serde_json::{Value, json};

const PATIENCE: Duration = Duration::from_secs(60);

struct Process {
    child: Child,
    url: String,
    /// The secrets of the links that it printed.
    links: Vec<String>,
    /// What it has said since.
    said: Arc<Mutex<String>>,
}

impl Process {
    /// Starts it, and reads its words until it says this.
    fn start(args: &[&str], until: &str) -> Process {
        let mut child = Command::new(env!("CARGO_BIN_EXE_punto"))
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary");
        let mut url = String::new();
        BufReader::new(child.stdout.take().expect("its output")).read_line(&mut url).expect("its address");
        let mut links = Vec::new();
        let mut words = BufReader::new(child.stderr.take().expect("its words"));
        let mut line = String::new();
        while words.read_line(&mut line).expect("a line") > 0 {
            links.extend(line.split_once("/invitation#").map(|(_, secret)| secret.trim().to_owned()));
            if line.contains(until) {
                break;
            }
            line.clear();
        }
        // A full pipe would keep it waiting.
        let said: Arc<Mutex<String>> = Arc::default();
        let listening = said.clone();
        std::thread::spawn(move || {
            let mut line = String::new();
            while words.read_line(&mut line).is_ok_and(|read| read > 0) {
                listening.lock().expect("nobody panics with it").push_str(&line);
                line.clear();
            }
        });
        Process { child, url: url.trim().to_owned(), links, said }
    }

    fn house(ledger: &Path) -> Process {
        Process::start(&["serve", &ledger.to_string_lossy(), "--listen", "127.0.0.1:0"], "tables are open")
    }

    fn stop(mut self) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().expect("kill").success());
        assert!(self.child.wait().expect("it ended").success());
    }

    /// A house in a database, with its files in a folder.
    fn house_in_database(url: &str, files: &Path) -> Process {
        let file = |name: &str| files.join(name).to_string_lossy().into_owned();
        let (key, people, shoes) = (file("house.key"), file("house.people"), file("house.shoes"));
        let files = ["--key", &key, "--people", &people, "--shoes", &shoes];
        // Not those of the other test: their recovery codes are kept by their names.
        let people = ["--administrator", "chief-1", "--administrator", "chief-2"];
        let args = [&["serve", url, "--listen", "127.0.0.1:0"], &files[..], &people].concat();
        Process::start(&args, "tables are open")
    }

    async fn http(&self, person: &str) -> Http {
        administrators::sign_in(&self.url, person).await
    }

    /// Waits until the history is so, and this keeps Rounds back.
    async fn history(&self, is: &str, held: &[&str]) {
        let http = Http::new(&self.url).expect("an address");
        let held = if held.is_empty() { Value::Null } else { json!(held) };
        let start = Instant::now();
        loop {
            let health: Value = http.get("/api/health").await.expect("health");
            if health["history"] == is && health["no_further_round"] == held {
                return;
            }
            let said = self.said.lock().expect("nobody panics with it");
            assert!(start.elapsed() < PATIENCE, "{is}, {held}: {health}\n{said}");
            drop(said);
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// The witnesses, once each of them says this.
    async fn witnesses(&self, http: &Http, says: impl Fn(&Value) -> bool) -> Vec<Value> {
        let start = Instant::now();
        loop {
            let list: Value = http.get("/api/witnesses").await.expect("witnesses");
            let list = list["witnesses"].as_array().expect("a list").clone();
            if list.iter().all(&says) {
                return list;
            }
            assert!(start.elapsed() < PATIENCE, "{list:?}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn copied(from: &Path, to: &Path) {
    fs::copy(from, to).expect("a copy");
}

/// What a checkpoint says after a word.
fn word<'t>(text: &'t str, word: &str) -> &'t str {
    text.lines().find_map(|line| line.strip_prefix(word)).expect(word).trim()
}

#[tokio::test]
async fn yesterdays_ledger_is_contested_and_a_loss_is_declared_by_two() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let text = |name: &str| path(name).to_string_lossy().into_owned();
    let ledger = path("house.punto");
    let found = punto(&["ledger", "found", &text("house.punto"), "--kind", "house"]);
    assert_eq!(found.code, 0, "{}", found.page());
    let checkpoint = punto(&["ledger", "checkpoint", &text("house.punto")]).stdout;
    let log = format!("punto/{}={}", word(&checkpoint, "ledger "), word(&checkpoint, "key "));

    let signs = ["--key", &text("witness.key"), "--name", "witness.example/w1"];
    let key = punto(&[&["witness", "key"], &signs[..]].concat());
    assert_eq!(punto(&[&["witness", "key"], &signs[..]].concat()).stdout, key.stdout, "it is made once");
    fs::create_dir(path("safe")).expect("a folder");
    let witness = |listen: &str, logs: &[&str]| {
        let notes = text("notes");
        let mut args = [&["witness", "serve", "--listen", listen, "--folder", &notes], &signs[..]].concat();
        logs.iter().for_each(|log| args.extend(["--log", log]));
        Process::start(&args, "this witness signs with")
    };
    let server = witness("127.0.0.1:0", &[&log]);
    let listen = server.url.strip_prefix("http://").expect("an address").to_owned();

    let house = Process::house(&ledger);
    for (person, secret) in ["administrator-1", "administrator-2"].iter().zip(&house.links) {
        assert_eq!(administrators::choose(&house.url, secret).await, *person);
    }
    let http = house.http("administrator-1").await;
    house.history("not-compared", &[]).await;
    let named = |witness: &str, address: &str, key: Option<&str>| {
        json!({
            "witness": witness, "address": address, "key": key, "in_use": true, "second": "administrator-2", "reason": "r",
        })
    };
    let sign = |http: Http, path: &'static str, body: Value| async move {
        let pending: Pending = http.post(path, &body).await.expect("it waits");
        let code = administrators::code("administrator-2");
        http.sign_with(&pending.pending, "administrator-2", PASSWORD, code.as_deref()).await.expect("signed");
        let signed = json!({ "pending": pending.pending });
        let _: Value = http.post("/api/witnesses", &signed).await.expect("recorded");
    };
    let change = "/api/witnesses/pending";
    sign(http.clone(), change, named("safe", &format!("folder:{}", text("safe")), None)).await;
    sign(http.clone(), change, named("regulator", &server.url, Some(key.stdout.trim()))).await;
    house.history("confirmed", &[]).await;
    house.witnesses(&http, |it| it["state"] == "confirmed").await;
    house.stop();
    copied(&ledger, &path("yesterday"));

    // A day goes by.
    let house = Process::house(&ledger);
    house.history("confirmed", &[]).await;
    house.http("administrator-1").await;
    house.stop();

    // Somebody puts yesterday's copy in its place.
    copied(&ledger, &path("today"));
    copied(&path("yesterday"), &ledger);
    let house = Process::house(&ledger);
    house.history("contested", &["history-contested"]).await;
    let http = house.http("administrator-1").await;
    for it in house.witnesses(&http, |it| it["other"]["to"].is_u64()).await {
        let body = json!({
            "witness": it["witness"], "to": it["other"]["to"], "second": "administrator-2", "reason": "restored",
        });
        sign(http.clone(), "/api/witnesses/losses/pending", body).await;
    }
    house.history("confirmed", &[]).await;
    // Each of them is asked alone later, and vouches only for what it is known to have confirmed.
    house.witnesses(&http, |it| it["state"] == "confirmed").await;
    house.stop();
    let audit = punto(&["audit", &text("house.punto")]);
    assert!(
        audit.code == 0 && audit.stderr.contains("were declared lost by administrator-1"),
        "{}",
        audit.page()
    );
    // What was lost is not what the ledger holds, and says so.
    let origins = fs::read_dir(path("notes")).expect("notes").map(|it| it.expect("an entry").path());
    let histories: Vec<_> = origins.filter(|it| it.is_dir()).collect();
    assert_eq!(histories.len(), 2);

    // With a new key: the folder goes on, the server must be told.
    let rotated = punto(&["ledger", "rotate-key", &text("house.punto"), "--new-key", &text("second.key")]);
    assert_eq!(rotated.code, 0, "{}", rotated.page());
    copied(&path("second.key"), &path("house.punto.key"));
    let house = Process::house(&ledger);
    house.history("confirmed", &[]).await;
    let http = house.http("administrator-1").await;
    let told = house.witnesses(&http, |it| it["witness"] == "safe" || it["words"].is_string()).await;
    assert!(told.iter().any(|it| it["words"] == "it does not know the key of this ledger"), "{told:?}");
    house.stop();
    server.stop();
    let checkpoint = punto(&["ledger", "checkpoint", &text("house.punto")]).stdout;
    let again = format!("{}={}", log.split_once('=').expect("a log").0, word(&checkpoint, "key "));
    let server = witness(&listen, &[&log, &again]);
    fs::rename(path("safe"), path("away")).expect("it is taken away");
    let house = Process::house(&ledger);
    house.history("confirmed", &[]).await;
    house.stop();

    // Nobody can be reached: two people open.
    server.stop();
    let house = Process::house(&ledger);
    let http = house.http("administrator-1").await;
    house.history("unwitnessed", &["history-unwitnessed"]).await;
    let start = Instant::now();
    let body = json!({ "second": "administrator-2", "reason": "the line is cut" });
    while http.post::<Pending>("/api/witnesses/unwitnessed/pending", &body).await.is_err() {
        assert!(start.elapsed() < PATIENCE, "not all were asked");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    sign(http.clone(), "/api/witnesses/unwitnessed/pending", body).await;
    house.history("unwitnessed", &[]).await;
    house.stop();
    let audit = punto(&["audit", &text("house.punto")]);
    assert!(audit.code == 0 && audit.stderr.contains("was opened 1 times"), "{}", audit.page());

    // The old history is still at the witness, and an auditor who has it finds what was put aside.
    let first =
        histories.iter().find(|it| !it.to_string_lossy().rsplit('/').next().expect("a name").contains('-'));
    let mut notes: Vec<_> =
        fs::read_dir(first.expect("the first")).expect("notes").map(|it| it.expect("one").path()).collect();
    notes.sort();
    let note = notes.last().expect("the latest").to_string_lossy().into_owned();
    let lost = punto(&["audit", &text("house.punto"), "--checkpoint", &note]);
    assert!(lost.code == 1 && lost.stdout.contains("rewritten-entries"), "{}", lost.page());
    let kept = punto(&["audit", &text("today"), "--checkpoint", &note]);
    assert_eq!(kept.code, 0, "{}", kept.page());
}

/// An older copy of a database, as a dump or a snapshot of its disk gives one, is put in the place of the latest: no Round
/// opens and nothing is paid.
#[tokio::test]
async fn an_older_copy_of_a_database_is_contested() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = folder.path();
    let database = tokio::task::spawn_blocking(postgres_server::server).await.expect("PostgreSQL");
    let (house_url, postgres) = (database.url("house"), database.url("postgres"));
    let sql = |statement: &'static str| {
        let postgres = postgres.clone();
        async move {
            let done = tokio::task::spawn_blocking(move || postgres_server::run(&postgres, statement));
            done.await.expect("a thread").expect(statement);
        }
    };
    sql("CREATE DATABASE house").await;
    let key = files.join("house.key").to_string_lossy().into_owned();
    let found = punto(&["ledger", "found", &house_url, "--kind", "house", "--key", &key]);
    assert_eq!(found.code, 0, "{}", found.page());
    let safe = files.join("safe");
    fs::create_dir(&safe).expect("a folder");

    let house = Process::house_in_database(&house_url, files);
    for (person, secret) in ["chief-1", "chief-2"].iter().zip(&house.links) {
        assert_eq!(administrators::choose(&house.url, secret).await, *person);
    }
    let http = house.http("chief-1").await;
    let body = json!({
        "witness": "safe", "address": format!("folder:{}", safe.display()), "in_use": true, "second": "chief-2",
        "reason": "as planned",
    });
    let pending: Pending = http.post("/api/witnesses/pending", &body).await.expect("it waits");
    let code = administrators::code("chief-2");
    http.sign_with(&pending.pending, "chief-2", PASSWORD, code.as_deref()).await.expect("signed");
    let signed = json!({ "pending": pending.pending });
    let _: Value = http.post("/api/witnesses", &signed).await.expect("recorded");
    house.history("confirmed", &[]).await;
    house.stop();
    sql("CREATE DATABASE yesterday TEMPLATE house").await;

    // A day goes by, and the copy is put back.
    let house = Process::house_in_database(&house_url, files);
    house.history("confirmed", &[]).await;
    house.http("chief-1").await;
    house.stop();
    sql("ALTER DATABASE house RENAME TO today").await;
    sql("ALTER DATABASE yesterday RENAME TO house").await;
    let house = Process::house_in_database(&house_url, files);
    house.history("contested", &["history-contested"]).await;
    house.stop();
    let audit = punto(&["audit", &house_url]);
    assert!(audit.stderr.contains("witness safe keeps another history than this one"), "{}", audit.page());

    // With the latest in its place everything is as it was.
    sql("ALTER DATABASE house RENAME TO yesterday").await;
    sql("ALTER DATABASE today RENAME TO house").await;
    let house = Process::house_in_database(&house_url, files);
    house.history("confirmed", &[]).await;
    house.stop();
    let audit = punto(&["audit", &house_url]);
    assert_eq!(audit.code, 0, "{}", audit.page());
}
