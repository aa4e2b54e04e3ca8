//! Records that were forged by somebody who has the key: any value changed to any other, events and entries left out, repeated,
//! reordered or copied elsewhere, and then chained and signed as a ledger would be. The auditor ends with findings, or with
//! none, and never fails.

use crate::ledger::{Ledger, Scenario, key, ledger_in, scenarios};
use crate::scale::{check, scale};
use ed25519_dalek::SigningKey;
use proptest::prelude::*;
use punto_audit::{Auditor, Inputs};
use punto_record::{
    Chain, Commit, Entry, HouseEntry, SignedCheckpoint, SignedCommit, Ticket, TicketState, Timestamp, Volume,
};
use punto_rules::Money;
use serde_json::{Value, json};

/// Numbers that have broken programs before.
const EDGES: &[i64] = &[
    0,
    1,
    2,
    3,
    7,
    51,
    52,
    255,
    256,
    65_535,
    65_536,
    u32::MAX as i64,
    u32::MAX as i64 + 1,
    (1 << 53) - 1,
    1 << 53,
    i64::MAX,
    -1,
    i64::MIN,
];

const WORDS: &[&str] = &[
    "",
    " ",
    "As",
    "Kd",
    "player",
    "banker",
    "tie",
    "won",
    "lost",
    "returned",
    "house",
    "table/T1",
    "0.1.0",
    "0.2.0",
    "dealer",
    "shift-manager",
    "administrator",
    "4.1",
    "interpretation 33",
    "\u{202e}\u{0}",
    "999999999999999999999",
];

/// The longest list that is made.
const LONGEST: usize = 3_000;

/// Numbers that follow from one.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    fn one_in(&mut self, of: u64) -> bool {
        self.next().is_multiple_of(of)
    }

    fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}

fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(count).sum(),
        Value::Object(map) => map.values().map(count).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}

/// The value at this place of a walk through all.
fn at<'v>(value: &'v mut Value, place: &mut usize) -> Option<&'v mut Value> {
    if *place == 0 {
        return Some(value);
    }
    *place -= 1;
    match value {
        Value::Array(items) => items.iter_mut().find_map(|it| at(it, place)),
        Value::Object(map) => map.values_mut().find_map(|it| at(it, place)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

/// A value of the same key somewhere else, so that it often is of the right type.
fn elsewhere(leaves: &[(Volume, Value)], like: &Value, dice: &mut Dice) -> Value {
    for _ in 0..20 {
        let mut other = dice.pick(leaves).1.clone();
        let mut place = dice.below(count(&other));
        if let Some(found) = at(&mut other, &mut place)
            && std::mem::discriminant(&*found) == std::mem::discriminant(like)
        {
            return found.clone();
        }
    }
    like.clone()
}

fn change(value: &mut Value, leaves: &[(Volume, Value)], dice: &mut Dice) {
    if dice.one_in(4) {
        *value = elsewhere(leaves, value, dice);
        return;
    }
    if dice.one_in(12) {
        *value = match dice.below(5) {
            0 => Value::Null,
            1 => json!(dice.pick(EDGES)),
            2 => json!(dice.pick(WORDS)),
            3 => json!([]),
            _ => json!({}),
        };
        return;
    }
    match value {
        Value::Null => *value = json!(dice.pick(EDGES)),
        Value::Bool(it) => *it = !*it,
        Value::Number(it) => {
            let was = it.as_i64().unwrap_or(0);
            *value = match dice.below(4) {
                0 => json!(was.saturating_add(1)),
                1 => json!(was.saturating_sub(1)),
                2 => json!(u64::MAX),
                _ => json!(dice.pick(EDGES)),
            };
        }
        Value::String(text) => match dice.below(3) {
            0 => text.push_str(WORDS[dice.below(WORDS.len())]),
            _ => *text = (*dice.pick(WORDS)).to_owned(),
        },
        Value::Array(items) => {
            let first = dice.below(items.len());
            match dice.below(5) {
                0 => items.clear(),
                1 => drop(items.pop()),
                2 if !items.is_empty() => {
                    let again = items[first].clone();
                    let times = if dice.one_in(8) { 500 } else { 1 + dice.below(4) };
                    items.extend(vec![again; times]);
                    items.truncate(LONGEST);
                }
                3 if !items.is_empty() => {
                    let other = dice.below(items.len());
                    items.swap(first, other);
                }
                _ => items.reverse(),
            }
        }
        Value::Object(map) => {
            let keys: Vec<String> = map.keys().cloned().collect();
            if !keys.is_empty() {
                map.remove(dice.pick(&keys));
            }
        }
    }
}

/// Events of one entry left out, repeated, reordered, or taken from another.
fn shuffle_events(leaves: &mut [(Volume, Value)], dice: &mut Dice) {
    let (here, there) = (dice.below(leaves.len()), dice.below(leaves.len()));
    let other = leaves[there].1["events"].as_array().cloned().unwrap_or_default();
    let Some(events) = leaves[here].1.get_mut("events").and_then(Value::as_array_mut) else { return };
    let place = dice.below(events.len());
    match dice.below(4) {
        0 if !events.is_empty() => drop(events.remove(place)),
        1 if !events.is_empty() => events.insert(place, events[place].clone()),
        2 => events.reverse(),
        _ => events.extend(other),
    }
}

/// Whole entries left out, repeated, exchanged, or copied into another volume.
fn shuffle_entries(leaves: &mut Vec<(Volume, Value)>, dice: &mut Dice) {
    let (here, there) = (dice.below(leaves.len()), dice.below(leaves.len()));
    match dice.below(5) {
        0 if leaves.len() > 1 => drop(leaves.remove(here)),
        1 => leaves.insert(there, leaves[here].clone()),
        2 => leaves.swap(here, there),
        3 => {
            let volume = match dice.one_in(3) {
                true => Volume::House,
                false => Volume::Table("elsewhere".into()),
            };
            leaves.push((volume, leaves[here].1.clone()));
        }
        _ => {
            // A whole table, as another one.
            let copies = leaves.iter().filter(|(volume, _)| *volume != Volume::House);
            let copies: Vec<_> =
                copies.map(|(_, value)| (Volume::Table("copy".into()), value.clone())).collect();
            leaves.extend(copies);
        }
    }
}

/// Chained and numbered as a ledger would have it. What is no entry any more stays the text that it is.
fn seal(leaves: Vec<(Volume, Value)>, keep_numbers: bool) -> Ledger {
    let mut ledger = Ledger::of(&[]);
    for (volume, mut value) in leaves {
        let heads = ledger.heads();
        let head = heads.iter().find(|(it, _)| *it == volume).map_or(Chain::START, |(_, chain)| *chain);
        if !keep_numbers && let Some(map) = value.as_object_mut() {
            map.insert("seq".to_owned(), head.seq.next().0.into());
        }
        let bytes = match volume {
            Volume::House => {
                serde_json::from_value::<HouseEntry>(value.clone()).map(|it| serde_json::to_vec(&it))
            }
            Volume::Table(_) => {
                serde_json::from_value::<Entry>(value.clone()).map(|it| serde_json::to_vec(&it))
            }
        };
        let bytes = bytes.unwrap_or_else(|_| serde_json::to_vec(&value)).expect("JSON");
        ledger.bytes(&volume, bytes);
    }
    ledger
}

/// A signature for the last entries, by whoever has the key.
fn commit(ledger: &Ledger, entries: usize, with: &SigningKey) -> SignedCommit {
    let from = ledger.leaves.len().saturating_sub(entries);
    let entries = ledger.leaves[from..].iter();
    let entries =
        entries.map(|(volume, sealed)| (volume.clone(), Chain { seq: sealed.seq, link: sealed.chain }));
    let (ledger_name, size) = (ledger.leaves[0].1.chain, ledger.leaves.len() as u64);
    Commit { ledger: ledger_name, term: 1, size, entries: entries.collect() }.sign(with)
}

fn rows(ledger: &Ledger, dice: &mut Dice) -> Vec<Ticket> {
    let mut rows: Vec<Ticket> = ledger.tickets.values().cloned().collect();
    for row in &mut rows {
        if dice.one_in(4) {
            row.amount = Money::new((1 << 53) - 1).expect("an amount");
            row.state = TicketState::Redeemed;
            row.expires = Timestamp(u64::MAX);
        }
    }
    if let Some(row) = rows.first().cloned().filter(|_| dice.one_in(3)) {
        rows.push(row);
    }
    rows
}

fn forge(scenario: &Scenario, seed: u64) -> usize {
    let mut dice = Dice(seed);
    let genuine = ledger_in(&scenario.house, &scenario.entries);
    let read = |bytes: &[u8]| serde_json::from_slice::<Value>(bytes).expect("JSON");
    let mut leaves: Vec<(Volume, Value)> =
        genuine.leaves.iter().map(|(volume, sealed)| (volume.clone(), read(&sealed.bytes))).collect();
    if dice.one_in(6) {
        // By the measure of the first release.
        for (_, value) in &mut leaves {
            value["release"] = json!("0.1.0");
        }
    }
    for _ in 0..=dice.below(4) {
        match dice.below(8) {
            0 => shuffle_entries(&mut leaves, &mut dice),
            1 => shuffle_events(&mut leaves, &mut dice),
            _ => {
                let others = leaves.clone();
                let here = dice.below(leaves.len());
                let mut place = dice.below(count(&leaves[here].1));
                let value = at(&mut leaves[here].1, &mut place).expect("it was counted");
                change(value, &others, &mut dice);
            }
        }
    }
    let mut forged = seal(leaves, dice.one_in(6));
    forged.tickets = genuine.tickets.clone();
    let strict = dice.one_in(2);
    let mut auditor = Auditor::new(Inputs { strict, ..Inputs::default() });
    let signed: Option<SignedCheckpoint> = dice.one_in(2).then(|| forged.checkpoint(u64::MAX, &key(1)));
    signed.iter().for_each(|signed| auditor.checkpoint(signed.clone()));
    for (volume, sealed) in &forged.leaves {
        auditor.entry(volume, sealed);
    }
    auditor.tickets(rows(&forged, &mut dice));
    if dice.one_in(2) {
        let entries = dice.below(forged.leaves.len()) + 1;
        let last = commit(&forged, entries, &key(1));
        auditor.commits([commit(&forged, 1, &key(2)), last.clone(), last]);
    }
    let audit = auditor.finish();
    audit.findings.iter().for_each(|finding| assert!(!finding.to_string().is_empty()));
    audit.findings.len()
}

#[test]
fn whatever_is_forged_the_auditor_ends() {
    let all = scenarios();
    let found = std::cell::Cell::new(0);
    let cases = scale(2_000, 400_000);
    check("forged records", cases, (0..all.len(), any::<u64>()), |(scenario, seed)| {
        found.set(found.get() + u32::from(forge(&all[scenario], seed) > 0));
    });
    assert!(
        found.get() > cases / 2,
        "only {} of {cases} forgeries were noticed: too little was changed",
        found.get()
    );
}
