//! How easily a password is guessed: what people choose first is a word, a name, a date, a repetition or a run on the
//! keyboard, with a few digits behind it and letters written as digits.
//!
//! The password is cut into such pieces and single characters in the cheapest way; what the pieces cost together is about
//! what somebody has to try who knows the same list. It is an estimate on the safe side, not a measure.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Words that people choose, in small letters, a line for each kind. Composed for this software from what is known to be
/// common; it grows, and what is taken out of it was wrong in it.
const WORDS: &str = include_str!("words.txt");

/// Runs on the keyboard: rows, columns, zigzags. Parts of them count, and backwards.
const RUNS: [&str; 12] = [
    "`1234567890-=",
    "~!@#$%^&*()_+",
    "qwertyuiop[]",
    "asdfghjkl;'",
    "zxcvbnm,./",
    "qwertzuiop",
    "azertyuiop",
    "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,9ol.0p;/",
    "zaq1xsw2cde3vfr4bgt5nhy6mju7,ki8.lo9/;p0",
    "1q2w3e4r5t6y7u8i9o0p",
    "q1w2e3r4t5y6u7i8o9p0",
    "789456123",
];

/// The shortest part of a run, and of letters or digits that follow each other.
const SHORTEST_RUN: usize = 3;

/// A word with digits for letters.
const DISGUISED: u32 = 20;

/// The longest piece that is looked at.
const LONGEST_PIECE: usize = 24;

/// What a piece costs, in tenths of bits.
const RUN: u32 = 70;
const SEQUENCE: u32 = 50;
const REPEATED: u32 = 40;
const NAME: u32 = 30;
const YEAR: u32 = 70;
const DATE: u32 = 130;
/// A character that is part of nothing; few choose more freely.
const CHARACTER: u32 = 33;
/// One of a larger script.
const FOREIGN: u32 = 90;

static COMMON: LazyLock<HashSet<&str>> = LazyLock::new(|| WORDS.split_whitespace().collect());

/// About how much somebody has to guess, in tenths of bits. `names`: what anybody knows who works here, in small letters.
pub(super) fn effort(password: &str, names: &[String]) -> u32 {
    let small: Vec<char> = password.to_lowercase().chars().collect();
    let whole = cheapest(&small, names);
    // The same over and over is hardly more than once.
    let block = (1..=small.len() / 2)
        .filter(|length| small.len().is_multiple_of(*length))
        .find(|length| small.chunks(*length).all(|chunk| *chunk == small[..*length]));
    match block {
        Some(length) => whole.min(cheapest(&small[..length], names) + REPEATED),
        None => whole,
    }
}

/// The cheapest way to put it together.
fn cheapest(text: &[char], names: &[String]) -> u32 {
    let mut cost = vec![0; text.len() + 1];
    for end in 1..=text.len() {
        let starts = end.saturating_sub(LONGEST_PIECE)..end;
        let ways = starts.map(|start| cost[start] + piece(&text[start..end], names));
        cost[end] = ways.min().expect("a piece has a character");
    }
    cost[text.len()]
}

/// What one piece costs.
fn piece(text: &[char], names: &[String]) -> u32 {
    let single = |c: &char| if c.is_ascii() { CHARACTER } else { FOREIGN };
    let mut cost: u32 = text.iter().map(single).sum();
    if text.len() < SHORTEST_RUN {
        return cost;
    }
    if let Some(word) = word(text, names) {
        cost = cost.min(word);
    }
    if text.windows(2).all(|pair| pair[0] == pair[1]) {
        cost = cost.min(REPEATED);
    }
    if is_sequence(text) {
        cost = cost.min(SEQUENCE);
    }
    if is_run(text) {
        cost = cost.min(RUN);
    }
    cost.min(date(text).unwrap_or(u32::MAX))
}

/// A common word or a name, plainly or with digits for letters.
fn word(text: &[char], names: &[String]) -> Option<u32> {
    let common = 10 * (COMMON.len().ilog2() + 1);
    readings(text).into_iter().enumerate().find_map(|(written, reading)| {
        let extra = if written == 0 { 0 } else { DISGUISED };
        if names.contains(&reading) {
            Some(NAME + extra)
        } else {
            COMMON.contains(reading.as_str()).then_some(common + extra)
        }
    })
}

/// What it may be read as: itself first.
fn readings(text: &[char]) -> [String; 3] {
    let read = |one: char| {
        text.iter()
            .map(|c| match c {
                '0' => 'o',
                '1' | '!' | '|' => one,
                '3' | '€' => 'e',
                '4' | '@' => 'a',
                '5' | '$' => 's',
                '6' | '9' => 'g',
                '7' | '+' => 't',
                '8' => 'b',
                '2' => 'z',
                other => *other,
            })
            .collect()
    };
    [text.iter().collect(), read('i'), read('l')]
}

fn is_sequence(text: &[char]) -> bool {
    let steps = |by: i64| {
        text.windows(2).all(|pair| i64::from(u32::from(pair[1])) - i64::from(u32::from(pair[0])) == by)
    };
    text.iter().all(char::is_ascii_alphanumeric) && (steps(1) || steps(-1))
}

fn is_run(text: &[char]) -> bool {
    let forward: String = text.iter().collect();
    let backward: String = text.iter().rev().collect();
    RUNS.iter().any(|run| run.contains(&forward) || run.contains(&backward))
}

/// A year, or a day written in one of the usual ways, with or without separators.
fn date(text: &[char]) -> Option<u32> {
    let separator = |c: &char| matches!(c, '-' | '/' | '.' | ' ' | '_');
    let parts: Vec<String> = text.split(separator).map(|part| part.iter().collect::<String>()).collect();
    let digits: String = parts.concat();
    if !digits.chars().all(|c| c.is_ascii_digit()) || parts.iter().any(String::is_empty) {
        return None;
    }
    let number = |from: usize, to: usize| digits[from..to].parse::<u32>().unwrap_or(u32::MAX);
    let is_year = |year: u32| (1900..=2099).contains(&year);
    let is_day = |one: u32, other: u32| (1..=31).contains(&one) && (1..=12).contains(&other);
    let either = |one: u32, other: u32| is_day(one, other) || is_day(other, one);
    match digits.len() {
        4 if is_year(number(0, 4)) => Some(YEAR),
        6 if either(number(0, 2), number(2, 4)) || either(number(2, 4), number(4, 6)) => Some(DATE),
        8 if is_year(number(4, 8)) && either(number(0, 2), number(2, 4)) => Some(DATE),
        8 if is_year(number(0, 4)) && either(number(4, 6), number(6, 8)) => Some(DATE),
        _ => None,
    }
}
