//! The verbs about ledgers, from the founding to the archive, with the real binary.

use crate::postgres_server;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::run::{Run, punto};
use punto_ledger::{Place, Vault, read_key};
use punto_record::{Actor, Deed, Moment, OrderId, Release, Timestamp};
use tempfile::TempDir;

/// A folder with a ledger of three tables.
struct Floor {
    folder: TempDir,
}

impl Floor {
    fn new() -> Floor {
        let floor = Floor { folder: tempfile::tempdir().expect("a folder") };
        let found = floor.punto(&["ledger", "found", "@/floor.punto", "--kind", "demo"]);
        assert_eq!(found.code, 0, "{}", found.page());
        assert!(found.stdout.contains("ledger ") && found.stdout.contains("\nkey "), "{}", found.page());
        floor.play("T1", "ncb-etg/a-round-at-the-terminals.txt");
        floor.play("T2", "wu-song/an-ordinary-round.txt");
        floor.play("T3", "ncb-etg/a-wrong-result-seen-in-time.txt");
        floor
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs `punto`; `@/` stands for the folder.
    fn punto(&self, args: &[&str]) -> Run {
        let folder = format!("{}/", self.folder.path().display());
        let args: Vec<String> = args.iter().map(|arg| arg.replace("@/", &folder)).collect();
        punto(&args.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// As [`Floor::punto`], for what must go well; gives what it printed.
    fn well(&self, args: &[&str]) -> String {
        let run = self.punto(args);
        assert_eq!(run.code, 0, "{args:?}: {}", run.page());
        run.stdout
    }

    fn play(&self, table: &str, script: &str) {
        self.play_into("@/floor.punto", table, script);
    }

    fn play_into(&self, ledger: &str, table: &str, script: &str) {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/scenarios").join(script);
        let script = script.to_string_lossy();
        let receipts = self.well(&["play", &script, "--ledger", ledger, "--as", table, "--receipts"]);
        assert!(receipts.lines().all(|line| line.starts_with(&format!("table/{table} "))), "{receipts}");
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("a file");
    }
}

fn word<'a>(text: &'a str, name: &str) -> &'a str {
    let line = text.lines().find(|line| line.starts_with(&format!("{name} ")));
    line.unwrap_or_else(|| panic!("{name} in {text}")).split(' ').nth(1).expect("a word")
}

/// Text as it stands inside a string of JSON.
fn escaped(text: &str) -> String {
    text.replace('\n', "\\n")
}

#[test]
fn a_ledger_is_signed_audited_and_exported() {
    let floor = Floor::new();
    let again = floor.punto(&["ledger", "found", "@/floor.punto", "--kind", "demo"]);
    assert_eq!(again.code, 2, "a ledger is not founded twice: {}", again.page());
    let checkpoint = floor.well(&["ledger", "checkpoint", "@/floor.punto"]);
    floor.write("kept.txt", &checkpoint);
    let audit = floor.punto(&["audit", "@/floor.punto", "--checkpoint", "@/kept.txt"]);
    assert_eq!((audit.code, audit.stdout.starts_with("no finding: ")), (0, true), "{}", audit.page());
    assert!(!audit.stderr.contains("cut off"), "{}", audit.page());
    let alone = floor.punto(&["audit", "@/floor.punto", "--format", "json"]);
    assert_eq!(alone.json()["clean"], true);
    let unknown = alone.json()["unknown"].to_string();
    assert!(unknown.contains("nobody can tell whether entries were cut off"), "{unknown}");

    let export = floor.well(&["export", "@/floor.punto"]);
    floor.write("floor.ndjson", &export);
    assert_eq!(floor.punto(&["audit", "@/floor.ndjson", "--checkpoint", "@/kept.txt"]).code, 0);
    let heads = floor.well(&["ledger", "heads", "@/floor.punto", "--format", "json"]);
    assert_eq!(floor.well(&["ledger", "heads", "@/floor.ndjson", "--format", "json"]), heads);

    // Cut off at the end: only the checkpoint from elsewhere tells.
    let entries: Vec<&str> = export.lines().filter(|line| !line.starts_with("{\"checkpoint\"")).collect();
    let table = entries.iter().rposition(|line| line.starts_with("{\"entry\"")).expect("entries");
    let cut: Vec<&str> =
        entries.iter().enumerate().filter(|(at, _)| *at != table).map(|(_, line)| *line).collect();
    floor.write("cut.ndjson", &(cut.join("\n") + "\n"));
    let found = floor.punto(&["audit", "@/cut.ndjson", "--checkpoint", "@/kept.txt"]);
    assert_eq!(found.code, 1, "{}", found.page());
    assert!(found.stdout.contains("missing-entries"), "{}", found.page());
    // Changed: the chain tells.
    floor.write(
        "changed.ndjson",
        &export.replacen("\\\"stake\\\":500", "\\\"stake\\\":600", 1).replacen(
            "\"stake\":500",
            "\"stake\":600",
            1,
        ),
    );
    let found = floor.punto(&["audit", "@/changed.ndjson"]);
    assert_eq!(found.code, 1, "{}", found.page());
    assert!(found.stdout.contains("broken-link"), "{}", found.page());
}

#[test]
fn a_receipt_is_checked_with_checkpoint_and_key_alone() {
    let floor = Floor::new();
    let checkpoint = floor.well(&["ledger", "checkpoint", "@/floor.punto"]);
    floor.write("kept.txt", &checkpoint);
    let key = word(&checkpoint, "key").to_owned();
    let make = ["receipt", "make", "@/floor.punto", "--table", "T2", "--round", "1", "--patron", "7"];
    let receipts = floor.well(&make);
    assert_eq!(receipts.lines().count(), 1, "{receipts}");
    assert!(receipts.contains("wager-registered"), "{receipts}");
    floor.write("receipt.ndjson", &receipts);
    let check = ["receipt", "check", "@/receipt.ndjson", "--checkpoint", "@/kept.txt", "--key", &key];
    assert!(floor.well(&check).contains("in the ledger"));

    floor.write("receipt.ndjson", &receipts.replacen("500", "900", 1));
    let forged = floor.punto(&check);
    assert_eq!((forged.code, forged.stdout.contains("not proven")), (1, true), "{}", forged.page());
    floor.write("receipt.ndjson", &receipts);
    let other = "0".repeat(64);
    let wrong_key =
        floor.punto(&["receipt", "check", "@/receipt.ndjson", "--checkpoint", "@/kept.txt", "--key", &other]);
    assert_eq!(wrong_key.code, 1, "{}", wrong_key.page());
    let nobody =
        floor.punto(&["receipt", "make", "@/floor.punto", "--table", "T2", "--round", "1", "--patron", "99"]);
    assert_eq!((nobody.code, nobody.stdout.as_str()), (1, ""), "{}", nobody.page());
}

/// Two histories with one key and one size, each clean by itself: a kept checkpoint and a proof tell them apart.
#[test]
fn a_checkpoint_is_proven_to_go_on_from_another_and_a_fork_is_not() {
    let floor = Floor::new();
    let first = floor.well(&["ledger", "checkpoint", "@/floor.punto"]);
    floor.write("first.txt", &first);
    let key = word(&first, "key").to_owned();
    for ending in ["", ".key"] {
        let (from, to) =
            (floor.path(&format!("floor.punto{ending}")), floor.path(&format!("fork.punto{ending}")));
        fs::copy(from, to).expect("a copy");
    }
    // The same script at tables of other names: as many entries, others.
    floor.play_into("@/floor.punto", "T4", "wu-song/an-ordinary-round.txt");
    floor.play_into("@/fork.punto", "T5", "wu-song/an-ordinary-round.txt");
    let last = floor.well(&["ledger", "checkpoint", "@/floor.punto"]);
    let other = floor.well(&["ledger", "checkpoint", "@/fork.punto"]);
    floor.write("last.txt", &last);
    floor.write("other.txt", &other);
    assert_eq!((word(&last, "size"), word(&last, "key")), (word(&other, "size"), word(&other, "key")));
    assert_ne!(word(&last, "root"), word(&other, "root"));
    for (ledger, kept) in [("@/floor.punto", "@/last.txt"), ("@/fork.punto", "@/other.txt")] {
        assert_eq!(floor.punto(&["audit", ledger, "--checkpoint", kept]).code, 0, "each is clean by itself");
    }

    let proof = floor.well(&["ledger", "consistency", "@/floor.punto", "--from", "@/first.txt"]);
    floor.write("proof.json", &proof);
    let check = ["ledger", "check-consistency", "@/proof.json", "--from", "@/first.txt", "--key", &key];
    assert!(floor.well(&check).contains("goes on from"));
    let told = floor.well(&[&check[..], &["--format", "json"]].concat());
    assert!(told.contains("\"consistent\":true") || told.contains("\"consistent\": true"), "{told}");
    // From an export as well, and between sizes that the ledger keeps.
    floor.write("floor.ndjson", &floor.well(&["export", "@/floor.punto"]));
    let sizes = [
        "ledger",
        "consistency",
        "@/floor.ndjson",
        "--from",
        word(&first, "size"),
        "--to",
        word(&last, "size"),
    ];
    assert_eq!(floor.well(&sizes), proof);

    // The fork goes on from the same first checkpoint; what each has signed since is no history of the other.
    let forked = floor.punto(&["ledger", "consistency", "@/fork.punto", "--from", "@/last.txt"]);
    assert_eq!((forked.code, forked.stdout.as_str()), (1, ""), "{}", forked.page());
    assert!(forked.stderr.contains("fork"), "{}", forked.page());
    let swapped = proof.replace(&escaped(&last), &escaped(&other));
    assert_ne!(swapped, proof);
    floor.write("swapped.json", &swapped);
    let refused = floor.punto(&["ledger", "check-consistency", "@/swapped.json", "--key", &key]);
    assert_eq!((refused.code, refused.stdout.contains("not proven")), (1, true), "{}", refused.page());
    // A proof about other checkpoints than the kept one says nothing about it, and neither does another key's.
    let elsewhere =
        floor.punto(&["ledger", "check-consistency", "@/proof.json", "--from", "@/other.txt", "--key", &key]);
    assert_eq!((elsewhere.code, elsewhere.stdout.contains("another earlier checkpoint")), (1, true));
    let wrong_key = floor.punto(&["ledger", "check-consistency", "@/proof.json", "--key", &"0".repeat(64)]);
    assert_eq!(wrong_key.code, 1, "{}", wrong_key.page());
    floor.write("proof.json", "{}");
    assert_eq!(floor.punto(&check).code, 2, "what is no proof cannot be checked");
    let none = floor.punto(&["ledger", "consistency", "@/floor.punto", "--from", "99999"]);
    assert_eq!((none.code, none.stderr.contains("no checkpoint over 99999")), (2, true), "{}", none.page());
}

#[test]
fn a_key_is_rotated_and_the_old_one_does_not_open() {
    let floor = Floor::new();
    let before = floor.well(&["ledger", "checkpoint", "@/floor.punto"]);
    let new = floor.well(&["ledger", "rotate-key", "@/floor.punto", "--new-key", "@/second.key"]);
    assert_ne!(word(&new, "key"), word(&before, "key"));
    let old = floor.punto(&["ledger", "checkpoint", "@/floor.punto"]);
    assert_eq!(old.code, 2, "{}", old.page());
    assert!(old.stderr.contains("not the one that this ledger has adopted"), "{}", old.page());
    let after = floor.well(&["ledger", "checkpoint", "@/floor.punto", "--key", "@/second.key"]);
    assert_eq!(word(&after, "key"), word(&new, "key"));
    floor.write("before.txt", &before);
    floor.write("after.txt", &after);
    let audit = ["audit", "@/floor.punto", "--checkpoint", "@/before.txt", "--checkpoint", "@/after.txt"];
    assert_eq!(floor.punto(&audit).code, 0);
}

#[test]
fn a_copy_holds_the_same_in_either_store() {
    let floor = Floor::new();
    let heads = floor.well(&["ledger", "heads", "@/floor.punto", "--format", "csv"]);
    let backup = floor.well(&["backup", "@/floor.punto", "@/backup.punto"]);
    assert!(backup.starts_with("size "), "{backup}");
    assert_eq!(floor.well(&["ledger", "heads", "@/backup.punto", "--format", "csv"]), heads);
    let Place::Database(url) = postgres_server::database() else { panic!("a database") };
    assert_eq!(floor.well(&["restore", "@/backup.punto", &url]), backup);
    assert_eq!(floor.well(&["ledger", "heads", &url, "--format", "csv"]), heads);
    assert_eq!(floor.punto(&["audit", &url]).code, 0);
    assert_eq!(floor.well(&["backup", &url, "@/back-again.punto"]), backup);
    assert_eq!(floor.well(&["export", "@/back-again.punto"]), floor.well(&["export", "@/floor.punto"]));
    let occupied = floor.punto(&["restore", "@/backup.punto", "@/back-again.punto"]);
    assert_eq!(occupied.code, 2, "{}", occupied.page());
    // The restored ledger goes on, with the key that was kept apart.
    let key = floor.path("floor.punto.key");
    let key = key.to_string_lossy();
    floor.well(&["ledger", "checkpoint", &url, "--key", &key]);
}

#[test]
fn closed_days_are_archived_and_still_audited() {
    let floor = Floor::new();
    let first = floor.well(&["ledger", "checkpoint", "@/floor.punto"]);
    floor.write("first.txt", &first);
    let whole = floor.well(&["audit", "@/floor.punto", "--format", "json"]);
    let archive = [
        "ledger",
        "archive",
        "@/floor.punto",
        "@/archive.ndjson",
        "--before",
        "2999-01-01T00:00:00Z",
        "--by",
        "a-1",
    ];
    let archived = floor.well(&archive);
    assert_eq!(word(&archived, "root"), word(&first, "root"));
    floor.play("T4", "wu-song/an-ordinary-round.txt");
    let last = floor.well(&["ledger", "checkpoint", "@/floor.punto"]);
    floor.write("last.txt", &last);

    let both = [
        "audit",
        "@/archive.ndjson",
        "@/floor.punto",
        "--checkpoint",
        "@/first.txt",
        "--checkpoint",
        "@/last.txt",
    ];
    let audit = floor.punto(&[&both[..], &["--format", "json"]].concat());
    assert_eq!((audit.code, audit.json()["clean"].as_bool()), (0, Some(true)), "{}", audit.page());
    let whole: serde_json::Value = serde_json::from_str(&whole).expect("JSON");
    let rounds = |json: &serde_json::Value| json["counts"]["rounds"].as_u64().expect("a count");
    assert_eq!(rounds(&audit.json()), rounds(&whole) + 1, "the archived Rounds and the new one");

    let alone = floor.punto(&["audit", "@/floor.punto", "--checkpoint", "@/last.txt"]);
    assert_eq!(alone.code, 0, "{}", alone.page());
    assert!(alone.stderr.contains("begins in the archive"), "{}", alone.page());
    // Without what was archived the ledger is a copy as good as before.
    let backup = floor.well(&["backup", "@/floor.punto", "@/backup.punto"]);
    assert_eq!(word(&backup, "root"), word(&last, "root"));
    assert_eq!(floor.punto(&["audit", "@/archive.ndjson", "@/backup.punto"]).code, 0);
    // An archive that is not the one: found.
    let damaged = fs::read_to_string(floor.path("archive.ndjson")).expect("the archive");
    floor.write("damaged.ndjson", &damaged.replacen("\"stake\":500", "\"stake\":700", 1));
    assert_eq!(floor.punto(&["audit", "@/damaged.ndjson", "@/floor.punto"]).code, 1);
    // And a second time, from where the first ended.
    let archive = [
        "ledger",
        "archive",
        "@/floor.punto",
        "@/second.ndjson",
        "--before",
        "2999-01-01T00:00:00Z",
        "--by",
        "a-1",
    ];
    floor.well(&archive);
    let all = ["audit", "@/archive.ndjson", "@/second.ndjson", "@/floor.punto", "--checkpoint", "@/last.txt"];
    let audit = floor.punto(&all);
    assert_eq!(audit.code, 0, "{}", audit.page());
}

#[test]
fn reports_and_rows_come_in_every_format() {
    let floor = Floor::new();
    let table = floor.well(&["report", "@/floor.punto", "--at", "2026-01-02T00:00:00Z"]);
    assert!(table.contains("Win and handle by table") && table.contains("T3"), "{table}");
    let sheets = floor.well(&["report", "@/floor.punto", "--sheet", "help"]);
    for line in sheets.lines() {
        let id = line.split_whitespace().next().expect("a name");
        let csv = floor.well(&["report", "@/floor.punto", "--sheet", id, "--format", "csv"]);
        assert!(csv.lines().next().is_some_and(|heading| heading.contains(',')), "{id}: {csv}");
    }
    let json: serde_json::Value =
        serde_json::from_str(&floor.well(&["report", "@/floor.punto", "--format", "json"])).expect("JSON");
    assert!(json["meters"].is_object() || json["meters"].is_array(), "{json}");
    let html = floor.well(&["report", "@/floor.punto", "--format", "html"]);
    assert!(html.starts_with("<!DOCTYPE html>") && html.contains("<svg"), "{}", &html[..200]);
    let unknown = floor.punto(&["report", "@/floor.punto", "--sheet", "win-by-moon"]);
    assert_eq!((unknown.code, unknown.stderr.contains("hint: ")), (2, true), "{}", unknown.page());
    for kind in ["rounds", "cards", "wagers", "settlements", "events", "tickets", "floats", "postings"] {
        let csv = floor.well(&["export", "@/floor.punto", "--what", kind, "--format", "csv"]);
        let ndjson = floor.well(&["export", "@/floor.punto", "--what", kind]);
        assert_eq!(csv.lines().count(), ndjson.lines().count() + 1, "{kind}");
        let columns = csv.lines().next().expect("a heading").split(',').count();
        for line in ndjson.lines() {
            let row: serde_json::Value = serde_json::from_str(line).expect("JSON");
            assert_eq!(row.as_object().map(serde_json::Map::len), Some(columns), "{kind}: {line}");
        }
    }
    let settled = floor.well(&["export", "@/floor.punto", "--what", "settlements", "--table", "T2"]);
    assert!(!settled.is_empty() && settled.lines().all(|line| line.contains("\"T2\"")), "{settled}");
}

#[test]
fn what_is_not_a_ledger_is_said_so() {
    let floor = Floor { folder: tempfile::tempdir().expect("a folder") };
    let missing = floor.punto(&["audit", "@/nothing.punto"]);
    assert_eq!(missing.code, 2);
    assert!(
        missing.stderr.contains("there is no ledger") && missing.stderr.contains("hint: "),
        "{}",
        missing.page()
    );
    floor.write("text.punto", "not a ledger at all, but long enough to look like one ".repeat(100).as_str());
    let text = floor.punto(&["audit", "@/text.punto"]);
    assert_eq!((text.code, text.stdout.as_str()), (2, ""), "{}", text.page());
    let nowhere = floor.punto(&["ledger", "found", "postgres:///nothing?host=/nowhere", "--kind", "demo"]);
    assert_eq!((nowhere.code, nowhere.stderr.contains("--key")), (2, true), "{}", nowhere.page());
    let secret = "postgres://me:secret@127.0.0.1:1/nothing";
    let unreachable = floor.punto(&["audit", secret]);
    assert_eq!(
        (unreachable.code, unreachable.stderr.contains("secret")),
        (2, false),
        "{}",
        unreachable.page()
    );
}

#[test]
fn a_drill_tells_what_it_went_through() {
    let floor = Floor { folder: tempfile::tempdir().expect("a folder") };
    let drilled = floor.well(&["drill", "--seed", "5", "--seconds", "4", "--ledger", "@/floor"]);
    assert!(drilled.contains("crashes before append") && drilled.contains("full audits"), "{drilled}");
    let named = drilled.lines().find_map(|line| line.trim().strip_prefix("insiders named")).expect("a count");
    let named: usize = named.trim().parse().expect("a number");
    assert!(named > 0, "nobody got an order past the server: the seed does not show what is to be shown");
    // What insiders got past the server stands in the ledger of the night, and the audit names that and nothing else.
    let audit = floor.punto(&["audit", "@/floor.1", "--format", "json"]);
    assert_eq!(audit.code, 1);
    let audit = audit.json();
    let findings = audit["findings"].as_array().expect("findings");
    let places: BTreeSet<String> = findings.iter().map(|it| it["place"].to_string()).collect();
    assert_eq!(places.len(), named, "{findings:?}");
}

/// The daily checkpoint does not take the ledger away from the server that writes to it.
#[test]
fn a_checkpoint_is_had_beside_a_writer() {
    let floor = Floor::new();
    let key = read_key(&floor.path("floor.punto.key")).expect("a key");
    let place = Place::File(floor.path("floor.punto"));
    let mut vault = Vault::open(&place, key, Release("test".into())).expect("a vault");
    let deed = || Deed::SoftwareStarted { software: punto_record::digest(b"test"), at_rest: None };
    let id = |n| OrderId { device: "server".into(), n };
    vault.deed(id(1), Actor::House, Timestamp(1), deed()).expect("written");
    // As the server does, a moment later.
    let writer = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_secs(1));
        let signed = vault.checkpoint(Timestamp(u64::MAX / 4)).expect("signed").expect("something new");
        (vault, signed.to_string())
    });
    let printed = floor.well(&["ledger", "checkpoint", "@/floor.punto"]);
    let (mut vault, signed) = writer.join().expect("a thread");
    assert_eq!(printed, signed, "the server's own, over everything");
    vault.deed(id(2), Actor::House, Timestamp(2), deed()).expect("the server goes on writing");
}

/// What a house has recorded about its rule books, at several moments.
#[test]
fn approvals_are_listed_as_they_stand() {
    let floor = Floor { folder: tempfile::tempdir().expect("a folder") };
    floor.well(&["ledger", "found", "@/house.punto", "--kind", "house"]);
    let states = |at: &str| -> Vec<String> {
        let list = ["ledger", "approvals", "@/house.punto", "--format", "json", "--at", at];
        let listed: serde_json::Value = serde_json::from_str(&floor.well(&list)).expect("JSON");
        assert_eq!(listed["kind"], "house");
        let rules = listed["rules"].as_array().expect("rule books");
        rules.iter().map(|it| format!("{} {}", it["game"], it["state"]).replace('"', "")).collect()
    };
    let later = "2100-01-01T00:00:00Z";
    assert_eq!(states(later).iter().filter(|it| it.ends_with(" pending")).count(), 4);

    let key = read_key(&floor.path("house.punto.key")).expect("a key");
    let place = Place::File(floor.path("house.punto"));
    let mut vault = Vault::open(&place, key, Release("test".into())).expect("a vault");
    let text = punto_rules::rulebook::APPROVED
        .iter()
        .find(|(_, text)| text.contains("game = \"wu-song\""))
        .expect("an approved game")
        .1;
    let digest = punto_record::digest(text.as_bytes());
    let instant = |text: &str| {
        let at: jiff::Timestamp = text.parse().expect("an instant");
        Timestamp(at.as_millisecond().unsigned_abs())
    };
    let deeds = [
        Deed::RulesApproved {
            game: "wu-song".into(),
            version: "3".into(),
            digest,
            authority: "the authority".into(),
            reference: "GR/12".into(),
            operator: "the operator".into(),
            document: "Wu Song, version 3".into(),
            in_force: Moment::utc(instant("2090-01-01T00:00:00Z")),
            software_cards: false,
            second: "adm-2".into(),
            compared: "every paragraph, by both".into(),
        },
        Deed::RulesWithdrawn {
            digest,
            at: Moment::utc(instant("2091-01-01T00:00:00Z")),
            second: "adm-2".into(),
            reason: "replaced".into(),
        },
    ];
    let (now, office) = (instant("2089-01-01T00:00:00Z"), Actor::Administrator { person: "adm-1".into() });
    let mut number = 0;
    let mut write = |by: &Actor, deed: Deed| {
        number += 1;
        let id = OrderId { device: "office".into(), n: number };
        vault.deed(id, by.clone(), now, deed).expect("recorded");
    };
    for person in ["adm-1", "adm-2"] {
        let (person, role) = (person.into(), "administrator".into());
        write(&Actor::House, Deed::staff_changed(person, role, true, false));
    }
    deeds.into_iter().for_each(|deed| write(&office, deed));
    drop(vault);
    for (at, state) in [
        ("2089-06-01T00:00:00Z", "wu-song approved"),
        ("2090-06-01T00:00:00Z", "wu-song in-force"),
        ("2091-06-01T00:00:00Z", "wu-song withdrawn"),
    ] {
        assert!(states(at).contains(&state.to_owned()), "{at}: {:?}", states(at));
    }
    let table = floor.well(&["ledger", "approvals", "@/house.punto", "--at", later]);
    for word in ["GR/12", "the operator", "2091-01-01", "pending"] {
        assert!(table.contains(word), "{word}: {table}");
    }
    let csv = floor.well(&["ledger", "approvals", "@/house.punto", "--at", later, "--format", "csv"]);
    assert!(csv.contains(&digest.to_string()) && csv.lines().count() == 5, "{csv}");
    let wrong = floor.punto(&["ledger", "approvals", "@/house.punto", "--at", "yesterday"]);
    assert_eq!(wrong.code, 2, "{}", wrong.page());
}

#[test]
#[cfg(unix)]
fn a_key_that_others_can_read_is_refused() {
    use std::os::unix::fs::PermissionsExt as _;
    let floor = Floor::new();
    let key = floor.path("floor.punto.key");
    let permit = |mode| fs::set_permissions(&key, fs::Permissions::from_mode(mode)).expect("permitted");
    assert_eq!(fs::metadata(&key).expect("a key").permissions().mode() & 0o777, 0o600);
    for mode in [0o640, 0o604, 0o644, 0o660] {
        permit(mode);
        let refused = floor.punto(&["ledger", "checkpoint", "@/floor.punto"]);
        assert!(refused.code == 2 && refused.stderr.contains("chmod 600"), "{mode:o}: {}", refused.page());
        assert_eq!(refused.stdout, "");
    }
    permit(0o400);
    floor.well(&["ledger", "checkpoint", "@/floor.punto"]);
}
