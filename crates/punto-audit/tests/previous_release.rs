//! Tables of release 0.1.0, which knew interpretations 31 to 51 not yet, and random streams of orders: their records in
//! `data/0.1.0` are judged by what was true then and are clean, and the post-conditions find in them what that release
//! let happen, in every game.
//!
//! `scripts/previous-release` plays the streams anew with that release; `STREAMS=folder PUNTO_UPDATE=1` keeps of them
//! as little as shows everything that all of them show.

mod ledger;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use ledger::{Ledger, files, key, table_of, told};
use punto_audit::{Audit, FindingKind, Inputs};
use punto_record::{Command, CommandKind, Entry, LedgerKind, Order};
use punto_rules::Rulebook;

/// An interpretation and the game in which it was not followed.
type Breach = (u8, String);

/// A stream of orders.
struct Stream {
    path: PathBuf,
    entries: Vec<Entry>,
}

fn read(path: PathBuf) -> Stream {
    let text = std::fs::read_to_string(&path).expect("a file");
    let entries: Vec<Entry> =
        text.lines().map(|line| serde_json::from_str(line).expect("an entry")).collect();
    Stream { path, entries }
}

/// The game that was played when an entry was written.
fn game_at(entries: &[Entry], seq: u64) -> String {
    let before = entries.iter().take(seq as usize).rev();
    let rulebook = before.filter(|entry| !entry.events.is_empty()).find_map(|entry| {
        if let Command::OpenTable { rulebook, .. } | Command::ChangeSettings { rulebook, .. } =
            &entry.order.command
        {
            Some(rulebook)
        } else {
            None
        }
    });
    Rulebook::parse(rulebook.expect("a table is opened")).expect("an approved rule book").game
}

fn audit(entries: &[Entry], strict: bool) -> Audit {
    // What binds a house is looked for in one (interpretations 33 and 48): the first release asked for no approval.
    let kind = if strict { LedgerKind::House } else { LedgerKind::Demo };
    let mut ledger = Ledger::founded(kind, &key(1));
    let table = table_of(entries);
    for entry in entries {
        ledger.plain_entry(&table, entry);
    }
    ledger.audit_entries_with(Inputs { strict, ..Inputs::default() })
}

/// What a stream shows, and the first entry that shows it.
fn breaches(stream: &Stream) -> BTreeMap<Breach, u64> {
    let mut found = BTreeMap::new();
    for finding in audit(&stream.entries, true).findings {
        if finding.kind != FindingKind::AgainstInterpretation {
            continue;
        }
        let cite = finding.cite.expect("the interpretation").to_string();
        let no = cite.strip_prefix("interpretation ").and_then(|no| no.parse().ok()).expect("its number");
        let seq = finding.place.seq.expect("an entry").0;
        found.entry((no, game_at(&stream.entries, seq))).or_insert(seq);
    }
    found
}

fn kept() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/0.1.0")
}

/// Keeps of all streams in the folder as little as shows everything: a stream to the entry that shows it.
fn keep_what_shows(folder: &Path) {
    for old in files(&kept()) {
        std::fs::remove_file(old).expect("removed");
    }
    let mut cheapest: BTreeMap<Breach, (u64, PathBuf)> = BTreeMap::new();
    for path in files(folder) {
        let stream = read(path);
        for (breach, seq) in breaches(&stream) {
            let best = cheapest.entry(breach).or_insert((u64::MAX, PathBuf::new()));
            if seq < best.0 {
                *best = (seq, stream.path.clone());
            }
        }
    }
    let mut length: BTreeMap<PathBuf, u64> = BTreeMap::new();
    for (seq, path) in cheapest.into_values() {
        let to = length.entry(path).or_default();
        *to = seq.max(*to);
    }
    for (path, to) in length {
        let text = std::fs::read_to_string(&path).expect("a file");
        let lines: Vec<&str> = text.lines().take(to as usize).collect();
        std::fs::write(kept().join(path.file_name().expect("a name")), lines.join("\n") + "\n")
            .expect("kept");
    }
}

#[test]
fn what_the_first_release_let_happen_is_found() {
    if let (Some(folder), Some(_)) = (std::env::var_os("STREAMS"), std::env::var_os("PUNTO_UPDATE")) {
        keep_what_shows(Path::new(&folder));
    }
    let found: BTreeSet<Breach> =
        files(&kept()).into_iter().flat_map(|path| breaches(&read(path)).into_keys()).collect();
    let mut by_number: BTreeMap<u8, Vec<&str>> = BTreeMap::new();
    for (no, game) in &found {
        by_number.entry(*no).or_default().push(game);
    }
    let told: Vec<String> = by_number.iter().map(|(no, games)| format!("{no} {}", games.join(" "))).collect();
    let expected: Vec<&str> = include_str!("data/0.1.0.txt").lines().collect();
    assert_eq!(told, expected, "{}", told.join("\n"));
}

/// What a later interpretation allows and that release refused: no record shows a refusal, so the orders are kept.
#[test]
fn what_the_first_release_refused_is_kept() {
    let mut found: BTreeMap<u64, BTreeSet<String>> = BTreeMap::new();
    for line in include_str!("data/0.1.0-refused.ndjson").lines() {
        let line: serde_json::Value = serde_json::from_str(line).expect("a line");
        let order: Order =
            serde_json::from_value(line["order"].clone()).expect("an order that is read still");
        let no = line["interpretation"].as_u64().expect("a number");
        let is_it = match no {
            38 => matches!(order.command.kind(), CommandKind::Report),
            41 => matches!(order.command.kind(), CommandKind::BuyCredits) && order.by.patron().is_some(),
            45 => matches!(order.command.kind(), CommandKind::KeepUnclaimed),
            51 => matches!(order.command.kind(), CommandKind::AmendWager),
            _ => false,
        };
        assert!(is_it && line["refused"]["reason"].is_string(), "{line}");
        found.entry(no).or_default().insert(line["game"].as_str().expect("a game").to_owned());
    }
    let told: Vec<String> = found
        .iter()
        .map(|(no, games)| format!("{no} {}", games.iter().cloned().collect::<Vec<_>>().join(" ")))
        .collect();
    let expected = [
        "38 da-hu-ying-xiong ncb-etg rws-baccarat wu-song",
        "41 ncb-etg",
        "45 ncb-etg",
        "51 da-hu-ying-xiong rws-baccarat wu-song",
    ];
    assert_eq!(told, expected);
}

/// By what was true then. Streams make up tickets and the cards that software shows as burnt.
#[test]
fn the_record_of_the_first_release_is_clean_by_what_was_true_then() {
    let mut wrong = Vec::new();
    for path in files(&kept()) {
        let stream = read(path);
        let mut audit = audit(&stream.entries, false);
        let made_up = [FindingKind::TicketNotGood, FindingKind::WrongTicket, FindingKind::WrongOrder];
        audit.findings.retain(|finding| !made_up.contains(&finding.kind));
        if !audit.is_clean() {
            wrong.push(format!("{}\n{}", stream.path.display(), told(&audit)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
