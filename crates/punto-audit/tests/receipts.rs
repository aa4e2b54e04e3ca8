//! Receipts that the page for patrons and this crate's own check must judge alike: made of scenarios, kept in a file that the tests
//! of both implementations read (`crates/punto-record/tests/receipt.rs`, `web/src/receipt/check.test.ts`).

use std::path::Path;

use crate::ledger::{EARLY, Ledger, key, ledger_of, scenarios, table_of};
use ed25519_dalek::SigningKey;
use punto_record::merkle::{Tree, leaf};
use punto_record::{Chain, Entry, PatronReceipt, Proof, PublicKey, Volume, is_own_wager};
use punto_rules::PatronNo;
use serde_json::{Value, json};

const FILE: &str = "../punto-record/tests/data/receipts.json";
const STALE: &str = "stale; run: PUNTO_UPDATE=1 cargo test -p punto-audit --test all receipts";

/// A receipt of everything that is a patron's own in a ledger.
fn receipt(ledger: &Ledger, entries: &[Entry], patron: u32, with: &SigningKey) -> PatronReceipt {
    let signed = ledger.checkpoint(EARLY + 86_400_000, with);
    let mut tree = Tree::default();
    for (volume, sealed) in &ledger.leaves {
        tree.push(leaf(volume, Chain { seq: sealed.seq, link: sealed.chain }));
    }
    let (ledger_name, size) = (signed.checkpoint.ledger, signed.checkpoint.size);
    let volume = Volume::Table(table_of(entries));
    let own = entries.iter().filter(|entry| is_own_wager(entry, PatronNo(patron)));
    let proofs = own.map(|entry| {
        let link_of = |seq| {
            let it = ledger.leaves.iter().position(|(it, sealed)| *it == volume && sealed.seq.0 == seq);
            it.map(|at| (at as u64, &ledger.leaves[at].1))
        };
        let (index, sealed) = link_of(entry.seq.0).expect("it is there");
        let before = link_of(entry.seq.0 - 1).map_or(Chain::START.link, |(_, sealed)| sealed.chain);
        Proof {
            ledger: ledger_name,
            volume: volume.clone(),
            seq: entry.seq,
            before,
            entry: serde_json::from_slice(&sealed.bytes).expect("JSON"),
            leaf: index + 1,
            size,
            path: tree.inclusion(index, size).expect("it is in the tree"),
        }
    });
    PatronReceipt { proofs: proofs.collect(), signed }
}

/// A text with one line changed.
fn with_line(text: &str, word: &str, change: impl Fn(&str) -> String) -> String {
    let mut changed = false;
    let lines = text.lines().map(|line| match line.starts_with(word) && !changed {
        true => {
            changed = true;
            change(line) + "\n"
        }
        false => format!("{line}\n"),
    });
    let text: String = lines.collect();
    assert!(changed, "there is a line `{word}`");
    text
}

/// The last digit of a line, another one.
fn other_end(line: &str) -> String {
    let (start, end) = line.split_at(line.len() - 1);
    format!("{start}{}", if end == "0" { "1" } else { "0" })
}

fn vectors() -> Value {
    let mut vectors = Vec::new();
    let mut add = |name: &str, key: PublicKey, verdict: &str, receipt: String| {
        vectors.push(json!({ "name": name, "key": key, "verdict": verdict, "receipt": receipt }));
    };
    let (ours, theirs) = (PublicKey::of(&key(1)), PublicKey::of(&key(2)));
    for (scenario, patron, what) in [
        ("ncb-etg/a-round-at-the-terminals.txt", 3, "three bets at an electronic table"),
        ("wu-song/an-ordinary-round.txt", 7, "one bet in a box"),
    ] {
        let found = scenarios().iter().find(|it| it.name == scenario).expect("the scenario");
        let ledger = ledger_of(&found.entries);
        let made = receipt(&ledger, &found.entries, patron, &key(1));
        let text = made.to_string();
        assert!(made.check(ours).is_ok(), "{what}");
        add(what, ours, "good", text.clone());
        let mut add = |how: &str, key, verdict, text| add(&format!("{what}: {how}"), key, verdict, text);
        add("the key of somebody else", theirs, "other-key", text.clone());
        let forged = receipt(&ledger, &found.entries, patron, &key(2)).to_string();
        add("signed with another key", ours, "other-key", forged.clone());
        add(
            "signed with another key, named as ours",
            ours,
            "not-signed",
            with_line(&forged, "key ", |_| format!("key {ours}")),
        );
        add("another signature", ours, "not-signed", with_line(&text, "signature ", other_end));
        add("another root", ours, "not-signed", with_line(&text, "root ", other_end));
        add(
            "another stake",
            ours,
            "not-there",
            with_line(&text, "bytes ", |line| line.replacen("\"stake\":", "\"stake\":9", 1)),
        );
        add(
            "another place in the tree",
            ours,
            "not-there",
            with_line(&text, "leaf ", |line| {
                format!("{}1", &line[..line.len() - 1]).replace("leaf 11", "leaf 12")
            }),
        );
        add("a root beside its way changed", ours, "not-there", with_line(&text, "path ", other_end));
        add(
            "a root beside its way left out",
            ours,
            "not-there",
            text.replacen(text.lines().find(|it| it.starts_with("path ")).expect("a path"), "", 1)
                .replacen("\n\n", "\n", 1),
        );
        add("the entry before changed", ours, "not-there", with_line(&text, "entry ", other_end));
        add("at another table", ours, "not-there", text.replace("\nentry table/", "\nentry table/X"));
        add(
            "a capital letter",
            ours,
            "malformed",
            with_line(&text, "root ", |line| format!("root {}", line[5..].to_uppercase())),
        );
        add(
            "a leading zero",
            ours,
            "malformed",
            with_line(&text, "leaf ", |line| line.replace("leaf ", "leaf 0")),
        );
        add("a space at the end", ours, "malformed", with_line(&text, "at ", |line| format!("{line} ")));
        add("a line more", ours, "malformed", format!("{text}more\n"));
        add("no line feed at the end", ours, "malformed", text.trim_end().to_owned());
        add("lines of another system", ours, "malformed", text.replace('\n', "\r\n"));
        add(
            "no entry",
            ours,
            "malformed",
            text.lines()
                .filter(|it| {
                    !["entry", "leaf", "path", "bytes"].contains(&it.split(' ').next().expect("a word"))
                })
                .map(|it| format!("{it}\n"))
                .collect(),
        );
        let begins = text.find("entry ").expect("an entry");
        let ends = begins + text[begins..].find("\nbytes ").expect("bytes") + 1;
        let ends = ends + text[ends..].find('\n').expect("an end") + 1;
        let twice = format!("{}{}{}", &text[..ends], &text[begins..ends], &text[ends..]);
        add("an entry twice", ours, "malformed", twice);
    }
    json!(vectors)
}

#[test]
fn the_vectors_are_fresh() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE);
    let made = serde_json::to_string_pretty(&vectors()).expect("JSON") + "\n";
    if std::env::var_os("PUNTO_UPDATE").is_some() {
        std::fs::write(&path, &made).expect("written");
    }
    assert!(std::fs::read_to_string(&path).is_ok_and(|kept| kept == made), "{FILE} is {STALE}");
}

/// Nobody else is in what a patron is given: over every scenario, for every patron.
#[test]
fn an_own_entry_names_nobody_else() {
    let (mut own, mut shared) = (0, 0);
    for scenario in scenarios() {
        for entry in &scenario.entries {
            for patron in (1..40).filter(|it| is_own_wager(entry, PatronNo(*it))) {
                own += 1;
                let value = serde_json::to_value(entry).expect("JSON");
                let mut named = Vec::new();
                names(&value, &mut named);
                assert!(named.iter().all(|it| *it == json!(patron)), "{}: {value}", scenario.name);
                assert!(entry.mandates.is_none(), "no member of staff acts in it");
            }
            let by_patron = entry.order.by.patron().filter(|it| !is_own_wager(entry, *it));
            let is_bet = matches!(entry.order.command, punto_record::Command::PlaceWager { .. });
            shared += usize::from(by_patron.is_some() && is_bet);
        }
    }
    assert!(own > 200 && shared > 0, "{own} own, {shared} bets that concern others as well");
}

/// Every patron and every member of staff that a value names.
fn names(value: &Value, named: &mut Vec<Value>) {
    match value {
        Value::Object(fields) => {
            for (field, value) in fields {
                if ["patron", "person", "placed_by", "second"].contains(&field.as_str()) {
                    named.push(value.clone());
                }
                names(value, named);
            }
        }
        Value::Array(values) => values.iter().for_each(|value| names(value, named)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
