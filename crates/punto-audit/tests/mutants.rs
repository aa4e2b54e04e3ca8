//! Every value of every event is changed in turn, and the chain is sealed anew, so that only the meaning is wrong: the
//! auditor finds it. What goes unnoticed is listed here, with the reason.

use crate::ledger;
use std::collections::BTreeMap;

use crate::ledger::{Ledger, key, redeemed, scenarios, table_of};
use crate::scale::{says, scale};
use punto_audit::{Auditor, Inputs};
use punto_record::{Chain, Entry, HouseEntry, LedgerKind, Sealed, Volume};
use punto_rules::Card;
use serde_json::Value;

/// Values of an order that a record may have any of, by path: nothing in the record says what they should be.
const FREE: &[(&str, &str)] = &[
    ("order.at", "the time of arrival; only its order and the deadlines made from it are known"),
    ("order.id.n", "a device counts upwards, and refused orders take numbers too"),
    ("order.id.device", "which device spoke is nowhere else in the record"),
    ("order.by.person", "who it was is nowhere else in the record, except where a second person must differ"),
    ("order.by.post", "a post that may do the same"),
    ("order.command.reason", "words of the person, kept only in the order"),
    ("order.command.settings.other_bets", "a limit of bets that all have their own"),
];

/// An audit up to some entry, to go on from as often as needed.
struct Going {
    auditor: Auditor,
    chain: Chain,
    volume: Volume,
}

impl Going {
    fn at_the_table(house: &[HouseEntry], entries: &[Entry]) -> (Going, Ledger) {
        let mut before = match house {
            [] => Ledger::founded(LedgerKind::Demo, &key(1)),
            house => Ledger::of(house),
        };
        before.cage(&redeemed(entries));
        let mut auditor = Auditor::new(Inputs::default());
        before.leaves.iter().for_each(|(volume, sealed)| auditor.entry(volume, sealed));
        let whole = ledger::ledger_in(house, entries);
        (Going { auditor, chain: Chain::START, volume: Volume::Table(table_of(entries)) }, whole)
    }

    fn enter(&mut self, bytes: Vec<u8>) {
        self.chain = self.chain.after(&bytes);
        let sealed = Sealed { seq: self.chain.seq, bytes, chain: self.chain.link };
        self.auditor.entry(&self.volume, &sealed);
    }

    /// Whether the audit finds something if this comes next, and then the rest.
    fn finds(&self, next: &[Value], rest: &[Entry], whole: &Ledger) -> bool {
        let mut going =
            Going { auditor: self.auditor.clone(), chain: self.chain, volume: self.volume.clone() };
        let rest = rest.iter().map(|entry| serde_json::to_value(entry).expect("JSON"));
        for mut value in next.iter().cloned().chain(rest) {
            value["seq"] = going.chain.seq.next().0.into();
            let Ok(entry) = serde_json::from_value::<Entry>(value) else { return true };
            going.enter(serde_json::to_vec(&entry).expect("JSON"));
            if !going.auditor.findings().is_empty() {
                return true;
            }
        }
        going.auditor.tickets(whole.tickets.values().cloned());
        !going.auditor.finish().is_clean()
    }
}

/// Other values that could stand in its place.
fn others(key: &str, value: &Value) -> Vec<Value> {
    match value {
        Value::Null => Vec::new(),
        Value::Bool(it) => vec![(!it).into()],
        Value::Number(it) => match it.as_u64() {
            Some(0) => vec![1.into(), 20.into()],
            Some(it) => vec![(it + 1).into(), (it - 1).into(), (it * 2).into(), (it + 100).into()],
            None => vec![(it.as_i64().unwrap_or(0) + 1).into(), 0.into()],
        },
        Value::String(text) => {
            words(key, text).into_iter().filter(|it| it != text).map(Value::from).collect()
        }
        Value::Array(items) => {
            let mut lists = Vec::new();
            if let [_, .., last] = items.as_slice() {
                let mut swapped = items.clone();
                swapped.swap(0, 1);
                lists.push(swapped);
                let mut rotated = items.clone();
                rotated.insert(0, last.clone());
                lists.push(rotated);
            }
            if let [rest @ .., last] = items.as_slice() {
                lists.push(rest.to_vec());
                lists.push(items.iter().cloned().chain([last.clone()]).collect());
            }
            lists.into_iter().filter(|it| it != items).map(Value::Array).collect()
        }
        Value::Object(_) => Vec::new(),
    }
}

fn words(key: &str, text: &str) -> Vec<String> {
    let list = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    if let Ok(card) = text.parse::<Card>() {
        let near = |more: usize| Card::from_index((card.index() + more) % Card::KINDS).to_string();
        return vec![near(1), near(4), near(17)];
    }
    match key {
        "verdict" => list(&["won", "lost", "returned"]),
        "winner" => list(&["player", "banker", "tie"]),
        "side" => list(&["player", "banker"]),
        "stance" => list(&["seated", "standing"]),
        "choice" => list(&["continue", "take-back"]),
        "owed" => list(&["to-patron", "to-house"]),
        "post" | "decides" => list(&["dealer", "pit-supervisor", "pit-manager", "shift-manager"]),
        "discretion" => list(&["reasonable", "absolute"]),
        "source" => list(&["read", "keyed"]),
        "kind" => list(&["foreign-card", "wrong-side", "uncovered", "wrong-result", "shoe-exhausted"]),
        "bet" => list(&["player", "banker", "tie", "player-pair"]),
        "pays" => list(&["1 to 1", "1 to 2", "8 to 1", "11 to 1"]),
        "game" | "layout" | "event" | "do" | "as" | "irregularity" | "ruling" | "flag" => Vec::new(),
        _ if text.len() == 64 => {
            vec![text.replacen(&text[..1], if text.starts_with('0') { "1" } else { "0" }, 1)]
        }
        _ => vec![format!("{text}x"), text.chars().skip(1).collect()],
    }
}

/// Every place below, and what could stand there.
fn mutants(key: &str, path: &str, value: &Value, made: &mut Vec<(String, String, Value)>, pointer: &str) {
    for other in others(key, value) {
        made.push((path.to_owned(), pointer.to_owned(), other));
    }
    match value {
        Value::Object(map) => {
            for (name, below) in map {
                let escaped = name.replace('~', "~0").replace('/', "~1");
                mutants(name, &format!("{path}.{name}"), below, made, &format!("{pointer}/{escaped}"));
            }
        }
        Value::Array(items) => {
            for (i, below) in items.iter().enumerate() {
                mutants(key, path, below, made, &format!("{pointer}/{i}"));
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

struct Tally {
    made: u64,
    unnoticed: BTreeMap<String, (u64, String)>,
}

fn walk(part: &str, every: usize) -> Tally {
    let mut tally = Tally { made: 0, unnoticed: BTreeMap::new() };
    for scenario in scenarios().iter().filter(|it| it.house.is_empty()).step_by(every) {
        let (mut going, whole) = Going::at_the_table(&scenario.house, &scenario.entries);
        for (i, entry) in scenario.entries.iter().enumerate() {
            let value = serde_json::to_value(entry).expect("JSON");
            let mut made = Vec::new();
            mutants(part, part, &value[part], &mut made, &format!("/{part}"));
            for (path, pointer, other) in made {
                let mut changed = value.clone();
                *changed.pointer_mut(&pointer).expect("it was there") = other.clone();
                tally.made += 1;
                if !going.finds(&[changed], &scenario.entries[i + 1..], &whole) {
                    let event =
                        pointer.split('/').nth(2).and_then(|it| value[part].get(it.parse::<usize>().ok()?));
                    let kind = event.and_then(|event| event["event"].as_str());
                    let kind = kind.or(value["order"]["command"]["do"].as_str()).unwrap_or("");
                    let path = path.replace("events", kind);
                    let first = format!("{} entry {} {pointer} → {other} ({kind})", scenario.name, i + 1);
                    tally.unnoticed.entry(path).or_insert((0, first)).0 += 1;
                }
            }
            going.enter(serde_json::to_vec(entry).expect("JSON"));
        }
        assert!(going.auditor.findings().is_empty(), "{}", scenario.name);
    }
    tally
}

#[test]
fn every_changed_event_is_found() {
    let tally = walk("events", scale(8, 1) as usize);
    says("changed events", tally.made as u32);
    let missed: Vec<String> = tally
        .unnoticed
        .iter()
        .map(|(path, (times, first))| format!("{path}: {times} times, {first}"))
        .collect();
    assert!(tally.made > 10_000, "{}", tally.made);
    assert!(missed.is_empty(), "{} of {} unnoticed\n{}", missed.len(), tally.made, missed.join("\n"));
}

#[test]
fn a_changed_order_is_found_unless_nothing_else_says_so() {
    let tally = walk("order", scale(8, 1) as usize);
    says("changed orders", tally.made as u32);
    let free = |path: &str| FREE.iter().any(|(free, _)| path.starts_with(free));
    let missed: Vec<String> = tally
        .unnoticed
        .iter()
        .filter(|(path, _)| !free(path))
        .map(|(path, (times, first))| format!("{path}: {times} times, {first}"))
        .collect();
    assert!(missed.is_empty(), "{} of {} unnoticed\n{}", missed.len(), tally.made, missed.join("\n"));
}

/// Orders that may be left out without a trace in what is left, because nothing later depends on them. Only a
/// checkpoint shows that they are missing.
const LEAVES_NO_TRACE: &[&str] = &[
    // The last that happened to that patron, shoe, dispute or matter.
    "buy-credits",
    "cash-out",
    "change-settings",
    "close-choices",
    "close-dispute",
    "bundle-dispute",
    "see-dispute",
    "open-dispute",
    "collect",
    "record-push",
    "hold-payout",
    "decide-held",
    "keep-unclaimed",
    "pay-unclaimed",
    "lose-terminal",
    "restore-terminal",
    "redeem-ticket",
    "rule",
    // Words to somebody who then raised or withdrew.
    "advise",
    // Of somebody who then has no bet at that box.
    "take-seat",
    // Notes.
    "hand-cards",
    "grant-squeeze",
    "ask-squeeze",
    "inspect-cards",
    "cut-cards",
    "announce-closing",
    // Announced anew before it applied.
    "change-limits",
    "note-clock",
    "start-shift",
    "take-post",
    "leave-post",
    "report",
    // Of a set that nobody counts or reveals afterwards.
    "reconcile-shoe",
    "retire-shoe",
    "reveal-shoe",
    "exchange-shoe",
    // Of a Round that is never settled: the record ends, or it is void with nobody's bets in it.
    "draw-card",
    "open-bets",
    "place-wager",
    "withdraw-wager",
    "confirm-result",
    "choose",
    // Chips that were moved again before bets closed, or never played.
    "record-chips",
    "amend-wager",
    // Nothing follows from a review, and from a longer hold only if somebody asks for the money.
    "review-set-aside",
    "extend-hold",
    // Of a case in which no money moved.
    "settle-case",
    // Of a float that is not closed in the record.
    "fill",
    "credit",
    "drop",
    // A box may be counted at any time, also when the table is closed.
    "count-acceptor",
    "close-table",
];

#[test]
fn dropped_doubled_and_swapped_entries_are_found() {
    let mut unnoticed: BTreeMap<String, (u64, String)> = BTreeMap::new();
    let mut made = 0;
    for scenario in scenarios().iter().filter(|it| it.house.is_empty()).step_by(scale(4, 1) as usize) {
        let entries = &scenario.entries;
        let values: Vec<Value> = entries.iter().map(|it| serde_json::to_value(it).expect("JSON")).collect();
        let (mut going, whole) = Going::at_the_table(&scenario.house, entries);
        for (i, entry) in entries.iter().enumerate() {
            let rest = &entries[i + 1..];
            let twice = [values[i].clone(), values[i].clone()];
            assert!(going.finds(&twice, rest, &whole), "{} entry {} twice", scenario.name, i + 1);
            if let Some(next) = values.get(i + 1) {
                let swapped = [next.clone(), values[i].clone()];
                assert!(
                    going.finds(&swapped, &entries[i + 2..], &whole),
                    "{} entry {}",
                    scenario.name,
                    i + 1
                );
            }
            made += 1;
            if !rest.is_empty() && !going.finds(&[], rest, &whole) {
                let kind = entry.order.command.kind().id();
                let first = format!("{} entry {}", scenario.name, i + 1);
                unnoticed.entry(kind.to_owned()).or_insert((0, first)).0 += 1;
            }
            going.enter(serde_json::to_vec(entry).expect("JSON"));
        }
    }
    let missed: Vec<String> = unnoticed
        .iter()
        .filter(|(kind, _)| !LEAVES_NO_TRACE.contains(&kind.as_str()))
        .map(|(kind, (times, first))| format!("{kind}: {times} times, {first}"))
        .collect();
    assert!(missed.is_empty(), "of {made} dropped, unnoticed:\n{}", missed.join("\n"));
}
