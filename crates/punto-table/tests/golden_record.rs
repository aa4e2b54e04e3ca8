//! Golden records: every later release replays them to the same state.
//!
//! `data/golden/NAME.ndjson` is the record of the script `data/golden/NAME.txt`, one entry a line; the last line has the
//! expected hash of the state and the last link of the chain. The scripts are played only with `PUNTO_UPDATE=1`, which
//! writes the records anew. That is for the time before a first release: afterwards a record is never written again,
//! and a difference here is a broken promise, not a file to refresh.

mod scripts;

use std::path::{Path, PathBuf};

use punto_record::{Chain, Digest, Entry};
use punto_table::script::{Outcome, Script, play};
use punto_table::{Books, State, Table};
use scripts::approved;
use serde::{Deserialize, Serialize};

const RECORDS: [&str; 2] = ["electronic", "live-chips"];

/// The last line of a record.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct End {
    state: Digest,
    chain: Digest,
}

fn path(name: &str, ending: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/golden").join(format!("{name}.{ending}"))
}

/// Plays a script in which nothing is refused.
fn played(name: &str) -> (Vec<Entry>, Table) {
    let text = std::fs::read_to_string(path(name, "txt")).expect("a script");
    let script = Script::parse(&text).unwrap_or_else(|fault| panic!("{name}: {fault}"));
    let played = play(&script, approved).unwrap_or_else(|fault| panic!("{name}: {fault}"));
    for step in &played.steps {
        for (_, outcome) in &step.orders {
            assert!(
                matches!(outcome, Outcome::Events(_)),
                "{name} line {}: {}: {outcome:?}",
                step.line.no,
                step.line.text
            );
        }
    }
    (played.entries, played.table)
}

fn write(name: &str) {
    let (entries, table) = played(name);
    let mut chain = Chain::START;
    let mut lines: Vec<String> = entries
        .iter()
        .map(|entry| String::from_utf8(chain.seal(entry).bytes).expect("JSON is text"))
        .collect();
    let end = End { state: table.state().hash(), chain: chain.link };
    lines.push(serde_json::to_string(&end).expect("JSON"));
    std::fs::write(path(name, "ndjson"), lines.join("\n") + "\n").expect("a record can be written");
}

#[test]
fn golden_records_replay_to_the_same_state() {
    for name in RECORDS {
        if std::env::var_os("PUNTO_UPDATE").is_some() {
            write(name);
        }
        let text = std::fs::read_to_string(path(name, "ndjson")).expect("a record");
        let lines: Vec<&str> = text.lines().collect();
        let (end, lines) = lines.split_last().expect("a last line");
        let end: End = serde_json::from_str(end).expect("the end of a record");
        let mut chain = Chain::START;
        let mut state = State::default();
        let mut table = Table::default();
        for line in lines {
            let entry: Entry =
                serde_json::from_str(line).unwrap_or_else(|error| panic!("{name}: {error}: {line}"));
            assert_eq!(chain.seal(&entry).bytes, line.as_bytes(), "{name}: an entry is written as it was");
            state.enter(&entry);
            table.enter(&entry);
            assert!(Books::is_balanced(&state), "{name}: after entry {}", entry.seq);
        }
        assert_eq!(state, *table.state(), "{name}");
        assert_eq!(End { state: state.hash(), chain: chain.link }, end, "{name}");
        assert!(table.law().is_some(), "{name}: the rule book in the record is read");
    }
}

/// A record in which somebody changed one letter, dropped or swapped an entry no longer ends in its link.
#[test]
fn a_golden_record_shows_every_forgery() {
    for name in RECORDS {
        let text = std::fs::read_to_string(path(name, "ndjson")).expect("a record");
        let lines: Vec<&str> = text.lines().collect();
        let (end, lines) = lines.split_last().expect("a last line");
        let end: End = serde_json::from_str(end).expect("the end of a record");
        let link = |lines: &[String]| {
            lines.iter().fold(Chain::START, |chain, line| chain.after(line.as_bytes())).link
        };
        let whole: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        assert_eq!(link(&whole), end.chain, "{name}");
        for i in 0..whole.len() {
            let mut dropped = whole.clone();
            dropped.remove(i);
            assert_ne!(link(&dropped), end.chain, "{name}: without entry {}", i + 1);
            let mut changed = whole.clone();
            changed[i] = changed[i].replacen("\"n\":", "\"n\":1", 1);
            assert_ne!(link(&changed), end.chain, "{name}: with another entry {}", i + 1);
            if i > 0 {
                let mut swapped = whole.clone();
                swapped.swap(i - 1, i);
                assert_ne!(link(&swapped), end.chain, "{name}: entries {i} and {} swapped", i + 1);
            }
        }
    }
}
