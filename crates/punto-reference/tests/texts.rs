//! Texts damaged in many ways, always the same ones: nothing panics, and of what `punto-rules` still accepts both
//! implementations say the same.

use std::cell::Cell;

use crate::both::Both;
use crate::scale::{check, says, scale};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use punto_reference::{Book, Limits, Round, Wager, parse_cards};
use punto_rules::rulebook::APPROVED;

/// One thing done to a text.
#[derive(Clone, Debug)]
enum Damage {
    /// A value of a pay table in place of another, or a new one.
    Value(Index, String),
    SwapValues(Index, Index),
    DropLine(Index),
    RepeatLine(Index, Index),
    Insert(Index, &'static str),
    Truncate(Index),
}

const VALUES: [&str; 34] = [
    "0",
    "1",
    "2",
    "3",
    "6",
    "7",
    "9",
    "-1",
    "255",
    "256",
    "0x7",
    "1_0",
    "99999999999999999999",
    "1.5",
    "nan",
    "true",
    "false",
    "\"player\"",
    "\"banker\"",
    "\"tie\"",
    "\"both\"",
    "\"twin\"",
    "\"winner\"",
    "\"neither\"",
    "\"exactly-one\"",
    "\"0.95 to 1\"",
    "\"7 to 3\"",
    "\"1000000 to 1\"",
    "\"5%\"",
    "\"99.9999%\"",
    "[6, 7]",
    "[]",
    "{}",
    "[2, \"tie\"]",
];
const INSERTS: [&str; 12] = ["\"", "'", "\"\"\"", "[", "]", "{", "}", "=", "\n", "\0", "武松", "\nsum = 3\n"];

fn damages() -> impl Strategy<Value = Damage> {
    let at = any::<Index>;
    prop_oneof![
        4 => (at(), select(&VALUES[..])).prop_map(|(place, value)| Damage::Value(place, value.to_owned())),
        3 => (at(), 0..12u8).prop_map(|(place, number)| Damage::Value(place, number.to_string())),
        6 => (at(), at()).prop_map(|(one, other)| Damage::SwapValues(one, other)),
        2 => at().prop_map(Damage::DropLine),
        1 => (at(), at()).prop_map(|(line, to)| Damage::RepeatLine(line, to)),
        1 => (at(), select(&INSERTS[..])).prop_map(|(place, what)| Damage::Insert(place, what)),
        1 => at().prop_map(Damage::Truncate),
    ]
}

/// Where the values are that stand behind a `=`: up to a comma, a closing brace or the end of the line.
fn values(text: &str) -> Vec<std::ops::Range<usize>> {
    let starts = text.match_indices("= ").map(|(place, _)| place + 2);
    let end = |start: usize| match text[start..].chars().next() {
        Some('"') => text[start + 1..].find('"').map_or(text.len(), |length| start + 1 + length + 1),
        Some('[') => text[start..].find(']').map_or(text.len(), |length| start + length + 1),
        _ => text[start..].find([',', ' ', '\n', '}']).map_or(text.len(), |length| start + length),
    };
    starts.map(|start| start..end(start)).collect()
}

fn damage(text: String, damage: &Damage) -> String {
    let values = values(&text);
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    if values.is_empty() {
        return text;
    }
    let boundary = |place: &Index| {
        let place = place.index(text.len());
        (place..=text.len()).find(|place| text.is_char_boundary(*place)).expect("the end is one")
    };
    match damage {
        Damage::Value(place, value) => {
            let at = place.get(&values);
            format!("{}{value}{}", &text[..at.start], &text[at.end..])
        }
        Damage::SwapValues(one, other) => {
            let (one, other) = (one.get(&values), other.get(&values));
            let (one, other) = if one.start < other.start { (one, other) } else { (other, one) };
            if one.end > other.start {
                return text;
            }
            let [head, between, tail] = [&text[..one.start], &text[one.end..other.start], &text[other.end..]];
            format!("{head}{}{between}{}{tail}", &text[other.clone()], &text[one.clone()])
        }
        Damage::DropLine(line) => {
            let line = line.index(lines.len());
            [&lines[..line], &lines[line + 1..]].concat().concat()
        }
        Damage::RepeatLine(line, to) => {
            let (line, to) = (*line.get(&lines), to.index(lines.len()));
            [&lines[..to], &[line], &lines[to..]].concat().concat()
        }
        Damage::Insert(place, what) => {
            let place = boundary(place);
            format!("{}{what}{}", &text[..place], &text[place..])
        }
        Damage::Truncate(place) => text[..boundary(place)].to_owned(),
    }
}

const ROUNDS: [&str; 8] = [
    "2s 3d 3c 3h 5d",
    "9s 2d Th 3c",
    "9s 9d Th Kc",
    "7h 7h 7h 7h 7h 7h",
    "6s 6h Kd Qc",
    "4s 2h Kd Qc As 5h",
    "As 3h Kd 4c Ts",
    "8s 9d 8h 9c",
];

#[test]
fn damaged_texts() {
    let harbour = include_str!("../../../docs/examples/harbour-baccarat.toml");
    let texts: Vec<&str> = APPROVED.iter().map(|(_, text)| *text).chain([harbour]).collect();
    let (accepted, readable, refused) = (Cell::new(0), Cell::new(0), Cell::new(0));
    let cases = scale(200, 60_000);
    let inputs = (select(texts), prop::collection::vec(damages(), 1..3));
    check("damaged rule books", cases, inputs, |(text, damages)| {
        let text = damages.iter().fold(text.to_owned(), damage);
        // What only `punto-rules` refuses must still be harmless here.
        match Book::read(&text) {
            Ok(book) => {
                readable.set(readable.get() + 1);
                use_every_bet(&book);
            }
            Err(error) => {
                refused.set(refused.get() + 1);
                assert!(!error.to_string().is_empty());
            }
        }
        let Some(both) = Both::read(&text) else { return };
        accepted.set(accepted.get() + 1);
        for table in both.tables() {
            let unit = table.terms.unit().get();
            let wagers: Vec<_> = (0..table.layout.bets.len()).map(|bet| (bet, 1, unit * 3)).collect();
            for line in ROUNDS {
                let cards = parse_cards(line).expect("cards");
                table.compare_verdicts(&cards);
                table.compare_settlements(&wagers, &cards);
                table.compare_established(&cards[..4]);
            }
        }
    });
    says("damaged rule books accepted", accepted.get());
    let least = accepted.get().min(readable.get() - accepted.get()).min(refused.get());
    assert!(
        least > cases / 20,
        "{} accepted, {} readable, {} refused",
        accepted.get(),
        readable.get(),
        refused.get()
    );
}

fn use_every_bet(book: &Book) {
    for layout in &book.layouts {
        for line in ROUNDS {
            let cards = parse_cards(line).expect("cards");
            let round = Round::of(&cards).expect("a Round");
            for bet in &layout.bets {
                let decision = bet.decide(&round);
                assert_eq!(decision.row.is_some(), decision.cite.is_some());
                let stake = layout.smallest_unit().unwrap_or(1);
                for wager in [Wager::new(&bet.id, stake), Wager::new(&bet.id, u64::MAX)] {
                    // A refusal is as good as a settlement here.
                    if let Ok(settled) = layout.settle(&Limits::default(), &[wager], &cards) {
                        assert_eq!(settled.house, settled.lines[0].house());
                    }
                }
            }
        }
    }
}

/// Deep nesting and long words are refused, never a stack overflow.
#[test]
fn deep_and_long_texts() {
    let many = |what: &str, times| what.repeat(times);
    let rows = format!("pays = [{}]", many("{ odds = \"1 to 1\" }, ", 3_000));
    for text in [
        format!("a = {}{}", many("[", 9_000), many("]", 9_000)),
        format!("a = {}1{}", many("{ a = ", 3_000), many(" }", 3_000)),
        format!("{}a = 1", many("a.", 9_000)),
        format!("[{}a]", many("a.", 9_000)),
        format!("[[bet]]\n{rows}"),
        format!("game = \"{}\"", many("武", 6_000)),
        many("[[bet]]\n", 2_000),
        many("\n", 19_000),
        String::new(),
    ] {
        assert!(Book::read(&text).is_err());
    }
}

#[test]
fn words_that_are_not_cards() {
    for word in ["A", "As2", "aS", "10d", "1d", "Sx", "s", "é♠", "A♠", "Ａｓ"] {
        assert_eq!(parse_cards(&format!("Kd {word}")).unwrap_err().0, word);
    }
    assert_eq!(parse_cards(" \t\n").unwrap(), []);
}
