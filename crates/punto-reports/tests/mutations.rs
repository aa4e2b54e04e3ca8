//! Every amount of every event of every scenario, changed in turn: the books notice, or it is listed here why not.

mod support;

#[path = "../../punto-table/tests/scripts/mod.rs"]
mod scripts;

use std::collections::{BTreeMap, BTreeSet};

use punto_record::{Entry, Event};
use punto_reports::Accounts;
use punto_table::script::play;
use scripts::{approved, scenarios};
use serde_json::Value;
use support::table;

/// What no book can notice, and why.
const NOT_MONEY: [(&str, &str, &str); 22] = [
    ("table-opened", "settings", "limits of the table; no money moves"),
    ("settings-changed", "settings", "limits of the table; no money moves"),
    ("limits-announced", "bets", "limits of the table; no money moves"),
    ("limits-announced", "betting_box", "limits of the table; no money moves"),
    ("limits-changed", "bets", "limits of the table; no money moves"),
    ("limits-changed", "betting_box", "limits of the table; no money moves"),
    ("stack-flagged", "unit", "the chip unit of the table; no money moves"),
    ("stack-flagged", "stake", "a warning while bets are open; the chips stand in chips-recorded"),
    (
        "round-amended",
        "lines.commission",
        "a part of gross winnings that never moves; only a rule book can tell",
    ),
    ("limits-flagged", "flags.by", "a warning while bets are open; no money moves"),
    ("side-bet-flagged", "minimum", "a warning while bets are open; no money moves"),
    ("side-bet-flagged", "maximum", "a warning while bets are open; no money moves"),
    ("side-bet-flagged", "stake", "a warning while bets are open; the chips stand in chips-recorded"),
    ("patron-advised", "stake", "words to a patron; the chips stand in chips-recorded"),
    ("cashed-out", "owed", "told to the cage; what is owed stands in its own account"),
    ("cash-out-held", "amount", "where nothing is paid out with it, what is not held stays as credits"),
    ("dispute-opened", "pictured", "what the record said, for whoever decides; the auditor compares it"),
    ("case-opened", "report.amount", "what somebody says; money moves when the case is settled"),
    ("late-bet-refused", "stake", "chips that were refused never reached the felt"),
    (
        "round-settled",
        "lines.commission",
        "a part of gross winnings that never moves; only a rule book can tell",
    ),
    (
        "round-corrected",
        "lines.commission",
        "a part of gross winnings that never moves; only a rule book can tell",
    ),
    (
        "wager-amended",
        "parts.playing",
        "only where another amendment followed, the Round was void or the bet taken back",
    ),
];

const AMOUNTS: [&str; 20] = [
    "amount",
    "stake",
    "credits",
    "owed",
    "playing",
    "returned",
    "winnings",
    "commission",
    "to_patron",
    "house",
    "paid",
    "cancelled",
    "taken",
    "from_unclaimed",
    "from_held",
    "uncollected",
    "counted",
    "expected",
    "by",
    "minimum",
];

/// The paths of all amounts in an event.
fn amounts(value: &Value, path: &mut Vec<String>, found: &mut Vec<Vec<String>>) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                path.push(key.clone());
                let is_money = AMOUNTS.contains(&key.as_str())
                    || ["maximum", "differential", "unit"].contains(&key.as_str());
                if value.is_number() && is_money {
                    found.push(path.clone());
                }
                amounts(value, path, found);
                path.pop();
            }
        }
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                path.push(at.to_string());
                amounts(item, path, found);
                path.pop();
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn changed(event: &Value, path: &[String], by: i64) -> Option<Event> {
    let mut event = event.clone();
    let mut at = &mut event;
    for key in path {
        at = match at {
            Value::Array(items) => &mut items[key.parse::<usize>().expect("a place")],
            Value::Object(map) => map.get_mut(key)?,
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => return None,
        };
    }
    *at = (at.as_i64()? + by).into();
    serde_json::from_value(event).ok()
}

/// Without places in lists.
fn pattern(path: &[String]) -> String {
    let names: Vec<&str> =
        path.iter().map(String::as_str).filter(|it| it.parse::<usize>().is_err()).collect();
    names.join(".")
}

#[test]
fn every_amount_is_checked() {
    let mut unnoticed: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    let mut excused = BTreeSet::new();
    let mut noticed = 0;
    for scenario in scenarios() {
        let entries = play(&scenario.script, approved).expect("a script").entries;
        let mut before = Accounts::default();
        for (no, entry) in entries.iter().enumerate() {
            for (index, event) in entry.events.iter().enumerate() {
                let value = serde_json::to_value(event).expect("JSON");
                let mut paths = Vec::new();
                amounts(&value, &mut Vec::new(), &mut paths);
                for (path, by) in paths.iter().flat_map(|path| [(path, 20), (path, -20)]) {
                    let Some(mutant) = changed(&value, path, by) else { continue };
                    let mut changed = entry.clone();
                    changed.events[index] = mutant;
                    if is_noticed(&before, &changed, &entries[no + 1..]) {
                        noticed += 1;
                        continue;
                    }
                    let (kind, pattern) = (event.kind().id(), pattern(path));
                    let excuse =
                        NOT_MONEY.iter().find(|(of, start, _)| *of == kind && pattern.starts_with(start));
                    match excuse {
                        Some(excuse) => {
                            excused.insert(*excuse);
                        }
                        None => {
                            let where_ = format!("{} entry {} by {by}", scenario.name, entry.seq);
                            unnoticed.entry((kind.to_owned(), pattern)).or_default().push(where_);
                        }
                    }
                }
            }
            before.enter(&table(), entry).expect("the books agree");
        }
    }
    let told: Vec<String> = unnoticed
        .iter()
        .map(|((event, path), places)| format!("{event} {path}: {} times, first {}", places.len(), places[0]))
        .collect();
    assert!(told.is_empty(), "{}", told.join("\n"));
    let idle: Vec<_> = NOT_MONEY.iter().filter(|it| !excused.contains(it)).collect();
    assert!(idle.is_empty(), "excuses that nothing needs: {idle:?}");
    assert!(noticed > 3000, "only {noticed} changes were noticed");
}

fn is_noticed(before: &Accounts, changed: &Entry, rest: &[Entry]) -> bool {
    let (mut accounts, table) = (before.clone(), table());
    std::iter::once(changed).chain(rest).any(|entry| accounts.enter(&table, entry).is_err())
}
