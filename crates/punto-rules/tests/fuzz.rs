//! Rule books and lines of cards damaged in many ways, always the same ones: nothing panics, every fault has its place in
//! the text, and what is accepted can be used.

mod scale;
mod scratch;

use std::cell::Cell;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use proptest::sample::Index;
use punto_rules::rulebook::{APPROVED, FaultKind, RulebookFaults};
use punto_rules::{Card, Rulebook, Wager, established, notation, settle};
use scale::{check, scale};
use scratch::{deal, outcome, terms, text};

/// One thing done to a text. Places are shares of its length, so that they still mean something in a shrunk case.
#[derive(Clone, Debug)]
enum Damage {
    FlipBit(Index, u8),
    Insert(Index, &'static str),
    DeleteLine(Index),
    DuplicateLine(Index, Index),
    SwapLines(Index, Index),
    /// Lines of another text, at some place of this one.
    Splice {
        from: Index,
        lines: usize,
        to: Index,
    },
    ReplaceWord(Index, &'static str),
    ReplaceNumber(Index, u8),
    SwapWords(Index, Index),
    /// A word of another text in place of one of this one.
    SpliceWord(Index, Index),
    Truncate(Index),
}

/// What breaks things: TOML's own signs, other scripts, direction marks, words and numbers of the language at their limits.
const INSERTS: [&str; 20] = [
    "\"", "'", "\"\"\"", "[", "]", "{", "}", "=", ".", "#", ",", "\n", "\r", "\u{feff}", "\u{202e}", "é",
    "武松", "\0", "\\u0041", " to ",
];
const WORDS: [&str; 36] = [
    "0",
    "1",
    "2",
    "3",
    "6",
    "7",
    "9",
    "10",
    "-1",
    "255",
    "4294967296",
    "99999999999999999999",
    "0x7",
    "1_0",
    "1.5",
    "nan",
    "true",
    "false",
    "player",
    "banker",
    "tie",
    "twin",
    "both",
    "neither",
    "winner",
    "returned",
    "odds",
    "cite",
    "points",
    "cards",
    "pairs",
    "suited_pairs",
    "count",
    "sum",
    "per-bet",
    "2025-02-30T25:00:00",
];

fn damages() -> impl Strategy<Value = Damage> {
    let at = any::<Index>;
    prop_oneof![
        1 => (at(), 0..8u8).prop_map(|(place, bit)| Damage::FlipBit(place, bit)),
        1 => (at(), prop::sample::select(&INSERTS[..])).prop_map(|(place, what)| Damage::Insert(place, what)),
        1 => at().prop_map(Damage::DeleteLine),
        1 => (at(), at()).prop_map(|(line, to)| Damage::DuplicateLine(line, to)),
        1 => (at(), at()).prop_map(|(one, other)| Damage::SwapLines(one, other)),
        1 => (at(), 1..12usize, at()).prop_map(|(from, lines, to)| Damage::Splice { from, lines, to }),
        2 => (at(), prop::sample::select(&WORDS[..])).prop_map(|(word, by)| Damage::ReplaceWord(word, by)),
        4 => (at(), 0..12u8).prop_map(|(number, by)| Damage::ReplaceNumber(number, by)),
        2 => (at(), at()).prop_map(|(one, other)| Damage::SwapWords(one, other)),
        2 => (at(), at()).prop_map(|(from, to)| Damage::SpliceWord(from, to)),
        1 => at().prop_map(Damage::Truncate),
    ]
}

/// Where the words and numbers of a text are.
fn words(text: &str) -> Vec<std::ops::Range<usize>> {
    let is_word = |c: char| c.is_alphanumeric() || "_-.%".contains(c);
    let parts = text.split_inclusive(|c| !is_word(c));
    let starts = parts.map(|part| part.as_ptr() as usize - text.as_ptr() as usize);
    starts
        .filter_map(|start| {
            let length = text[start..].find(|c| !is_word(c)).unwrap_or(text.len() - start);
            (length > 0).then_some(start..start + length)
        })
        .collect()
}

fn damage(text: &str, other: &str, damage: &Damage) -> String {
    // An empty text has no place for anything; a line break is one.
    let text = if text.is_empty() { "\n" } else { text };
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    let others: Vec<&str> = other.split_inclusive('\n').collect();
    let place = |index: &Index| {
        let place = index.index(text.len());
        (place..).find(|&place| text.is_char_boundary(place)).unwrap()
    };
    let replace = |text: &str, word: std::ops::Range<usize>, by: &str| {
        [&text[..word.start], by, &text[word.end..]].concat()
    };
    let (mine, theirs) = (words(text), words(other));
    match damage {
        Damage::FlipBit(index, bit) => {
            let mut bytes = text.as_bytes().to_vec();
            bytes[index.index(text.len())] ^= 1 << bit;
            return String::from_utf8_lossy(&bytes).into_owned();
        }
        Damage::Insert(index, what) => return replace(text, place(index)..place(index), what),
        Damage::Truncate(index) => return text[..place(index)].to_string(),
        Damage::DeleteLine(line) => drop(lines.remove(line.index(lines.len()))),
        Damage::DuplicateLine(line, to) => {
            lines.insert(to.index(lines.len()), lines[line.index(lines.len())])
        }
        Damage::SwapLines(one, other) => {
            let (one, other) = (one.index(lines.len()), other.index(lines.len()));
            lines.swap(one, other);
        }
        Damage::Splice { from, lines: count, to } => {
            let from = from.index(others.len());
            let to = to.index(lines.len());
            lines.splice(to..to, others[from..].iter().take(*count).copied());
        }
        Damage::ReplaceWord(..) | Damage::SwapWords(..) | Damage::SpliceWord(..) if mine.is_empty() => {}
        Damage::ReplaceNumber(number, by) => {
            let is_number = |word: &std::ops::Range<usize>| text[word.clone()].parse::<u32>().is_ok();
            let numbers: Vec<_> = mine.into_iter().filter(is_number).collect();
            if !numbers.is_empty() {
                return replace(text, number.get(&numbers).clone(), &by.to_string());
            }
        }
        Damage::ReplaceWord(word, by) => return replace(text, word.get(&mine).clone(), by),
        Damage::SwapWords(one, other) => {
            let (one, other) = (one.get(&mine).clone(), other.get(&mine).clone());
            let (first, last) = if one.start <= other.start { (one, other) } else { (other, one) };
            let swapped = replace(text, last.clone(), &text[first.clone()]);
            return replace(&swapped, first, &text[last]);
        }
        Damage::SpliceWord(from, to) => {
            return replace(text, to.get(&mine).clone(), &other[from.get(&theirs).clone()]);
        }
    }
    lines.concat()
}

/// Small rule books that use the whole language.
fn small_books() -> Vec<String> {
    let small = [
        text(&[("tie", "{ winner = 'tie', odds = '8 to 1' }")]),
        text(&[
            (
                "counts",
                "{ count = [{ rank = '7', is = [2, 3, 4, 5, 6] }, { suit = 'hearts', is = 0 }], odds = '30 to 1' }",
            ),
            (
                "suits",
                "{ suited_pairs = 'twin', odds = '200 to 1' }, { suited_pairs = 'either', odds = '8 to 1' }",
            ),
            ("net", "{ winner = 'banker', odds = '0.95 to 1', commission = '5%' }"),
        ]),
        text(&[
            (
                "rows",
                "{ natural = 'winner', margin = [1, 2], odds = '2 to 1' }, { winner_cards = 3, sum = 9, cards = 6, odds = '9 to 1' }",
            ),
            (
                "hands",
                "{ player_points = 1, banker_points = [0, 9], player_cards = 3, banker_cards = 2, odds = '99 to 1' }",
            ),
            (
                "back",
                "{ pairs = 'exactly-one', returned = true }, { winner = ['player', 'banker'], odds = '1 to 2' }",
            ),
        ]) + "\n[squeeze]\nright = 'seated-player'\ncite = '3.9'\n\n[[irregularity]]\nkind = 'late-bet'\ncite = '5.7'\nremedy = 'refuse'\n",
    ];
    small.to_vec()
}

fn assert_faults(text: &str, faults: &RulebookFaults) {
    assert!(faults.0.iter().any(|fault| !fault.kind.is_warning()), "refused for nothing");
    assert!(faults.0.is_sorted_by_key(|fault| fault.span.start), "not in the order of the text");
    let lines: Vec<&str> = text.split('\n').collect();
    for fault in &faults.0 {
        assert!(text.get(fault.span.clone()).is_some(), "{fault:?} is not in the text");
        let (line, column) = fault.place(text);
        let characters = lines[line - 1].chars().count();
        assert!((1..=characters + 1).contains(&column), "{fault:?} at {line}:{column}");
        assert!(!fault.message.is_empty(), "{fault:?}");
    }
}

/// Puts every layout in force, settles a stake on every bet, and asks what is certain.
fn assert_usable(book: &Rulebook) {
    assert!(book.warnings().iter().all(|warning| warning.kind.is_warning()));
    let rounds = ["2s 3d 3c 3h 5d", "9s 2d Th 3c", "9s 9d Th Kc", "7h 7h 7h 7h 7h 7h"].map(outcome);
    let three = deal(&notation::parse("7h 2d 7h").unwrap());
    for layout in &book.layouts {
        let terms = terms(book, &layout.id);
        let numbers = layout.bets.iter().map(|bet| terms.bet_no(bet.id.as_str()).unwrap());
        let wagers: Vec<Wager> = numbers.map(|bet| Wager::new(bet, terms.unit())).collect();
        for outcome in &rounds {
            let class = terms.class_of(outcome);
            assert!(terms.space().possible().contains(class));
            let fit: Vec<Wager> =
                wagers.iter().copied().filter(|it| terms.check_stake(it.bet, it.stake).is_ok()).collect();
            for line in settle(&terms, &fit, outcome).lines {
                assert_eq!(line.verdict, terms.bet(line.wager.bet).verdict(class));
            }
        }
        let established = established(&terms, &three);
        assert_eq!(established.decided().count() > 0, established.is_established());
    }
}

/// What became of the texts: a fuzz whose texts are all refused at once proves little.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    used: u32,
    syntax: u32,
    refused: u32,
    slowest: Duration,
}

fn fuzz(name: &str, cases: u32, books: &[String]) {
    let tally = Cell::new(Tally::default());
    let damages = prop::collection::vec(damages(), 1..4);
    let damaged = (prop::sample::select(books.to_vec()), prop::sample::select(books.to_vec()), damages);
    check(name, cases, damaged, |(book, other, damages)| {
        let text = damages.iter().fold(book, |text, it| damage(&text, &other, it));
        let mut sum = tally.get();
        let begun = Instant::now();
        let parsed = Rulebook::parse(&text);
        sum.slowest = sum.slowest.max(begun.elapsed());
        match &parsed {
            Ok(book) => {
                assert_usable(book);
                sum.used += 1;
            }
            Err(faults) => {
                assert_faults(&text, faults);
                let syntax = faults.0.iter().any(|fault| fault.kind == FaultKind::Syntax);
                *if syntax { &mut sum.syntax } else { &mut sum.refused } += 1;
            }
        }
        tally.set(sum);
    });
    let tally = tally.get();
    eprintln!("{name}: {tally:?}");
    assert!(tally.used.min(tally.refused).min(tally.syntax) > cases / 20, "{tally:?}");
    // A rule book is read while somebody waits; these are some 20 kB at most.
    assert!(tally.slowest < Duration::from_secs(2), "{tally:?}");
}

#[test]
fn damaged_approved_rule_books() {
    let books: Vec<String> = APPROVED.iter().map(|(_, text)| text.to_string()).collect();
    fuzz("damaged_approved_rule_books", scale(5_000, 60_000), &books);
}

#[test]
fn damaged_small_rule_books() {
    fuzz("damaged_small_rule_books", scale(500, 20_000), &small_books());
}

/// Deep nesting and long words are refused or read, never a stack overflow.
#[test]
fn deep_and_long_texts() {
    let many = |what: &str, times| what.repeat(times);
    let texts = [
        format!("a = {}{}", many("[", 9_000), many("]", 9_000)),
        format!("a = {}1{}", many("{ a = ", 3_000), many(" }", 3_000)),
        format!("{}a = 1", many("a.", 9_000)),
        format!("[{}a]", many("a.", 9_000)),
        format!("{} = 1", many("k", 19_000)),
        format!("game = \"{}\"", many("武", 6_000)),
        many("[[bet]]\n", 2_000),
        many("k = 1\n", 3_000),
        many("\n", 19_000),
        String::new(),
    ];
    for text in texts {
        let faults = Rulebook::parse(&text).unwrap_err();
        assert_faults(&text, &faults);
    }
}

#[test]
fn lines_of_cards() {
    let alphabet: Vec<char> = "A23456789TJQKatjqkshdcSHDC10x \t\u{a0}\u{3000}\né武♠\u{301}".chars().collect();
    let words = prop::collection::vec(prop::sample::select(alphabet), 0..4).prop_map(String::from_iter);
    let cards = (0..Card::KINDS).prop_map(|index| Card::from_index(index).to_string());
    let lines =
        prop::collection::vec(prop_oneof![5 => cards, 1 => words], 0..8).prop_map(|words| words.join(" "));
    let (read, refused) = (Cell::new(0), Cell::new(0));
    let cases = scale(20_000, 2_000_000);
    check("lines_of_cards", cases, lines, |line| match notation::parse(&line) {
        Ok(cards) => {
            read.set(read.get() + 1);
            let words: Vec<&str> = line.split_whitespace().collect();
            assert_eq!(notation::show(&cards).to_lowercase(), words.join(" ").to_lowercase());
            assert_eq!(notation::parse(&notation::show(&cards)), Ok(cards));
        }
        Err(error) => {
            refused.set(refused.get() + 1);
            let word = line.split_whitespace().nth(error.ordinal - 1).unwrap();
            assert!(word.parse::<Card>().is_err() && word.starts_with(&error.error.text));
            let rest: String = line.chars().skip(error.column - 1).collect();
            assert!(rest.starts_with(word), "column {} of {line:?}", error.column);
        }
    });
    assert!(read.get().min(refused.get()) > cases / 10, "{} read, {} refused", read.get(), refused.get());
}
