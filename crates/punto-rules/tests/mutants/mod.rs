#![allow(unreachable_pub)]
//! Rule books with one datum changed.
//!
//! The text is walked as TOML, whatever keys it has, so a datum that is added later is changed too. Each datum is
//! replaced, each key and each item is dropped, and each key that another table of its kind has is added.
//!
//! Left out: names for people (`label`, Chinese titles), which no document fixes, and section 5 (`conduct`,
//! `irregularity`). The order of `[[bet]]` and of a layout's `bets` is how they are shown and means nothing here, so
//! only rows and layouts trade places.

pub mod pay_table;

use std::collections::BTreeMap;

use punto_rules::Which;
use toml::value::Datetime;
use toml::{Table, Value};

const LEFT_OUT: [&str; 5] = ["conduct", "irregularity", "label", "zh-Hans", "zh-Hant"];
/// Names are not words of a closed list: a mutant has another one.
const NAMES: [&str; 5] = ["game", "title.en", "bet[].id", "bet[].variant", "layout[].id"];
/// Lists of tables whose order means something.
const ORDERED: [&str; 2] = ["bet[].pays", "layout"];

/// A rule book in which one thing is different.
pub struct Mutant {
    /// Where, and what is there instead.
    pub what: String,
    pub book: Table,
}

/// A step from a value to one inside it.
#[derive(Clone)]
enum Step {
    Key(String),
    Item(usize),
}

/// All values of some rule books by their kind, which is the place without the numbers: `bet[].pays[].odds`.
pub struct Vocabulary(BTreeMap<String, Vec<Value>>);

impl Vocabulary {
    pub fn of<'b>(books: impl IntoIterator<Item = &'b Table>) -> Vocabulary {
        let mut kinds: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        for book in books {
            walk(&Value::Table(book.clone()), &mut Vec::new(), &mut |path, value| {
                let values = kinds.entry(kind(path)).or_default();
                if !values.contains(value) {
                    values.push(value.clone());
                }
            });
        }
        Vocabulary(kinds)
    }

    fn values(&self, kind: &str) -> &[Value] {
        self.0.get(kind).map_or(&[], Vec::as_slice)
    }

    /// The keys that tables of a kind have somewhere, each with a value.
    fn keys<'v>(&'v self, table: &str) -> impl Iterator<Item = (&'v str, &'v Value)> {
        let prefix = if table.is_empty() { String::new() } else { format!("{table}.") };
        self.0.iter().filter_map(move |(kind, values)| {
            let key =
                kind.strip_prefix(&prefix).filter(|key| !key.is_empty() && !key.contains(['.', '[']))?;
            Some((key, &values[0]))
        })
    }
}

/// Every mutant of a rule book.
pub fn mutants(book: &Table, words: &Vocabulary) -> Vec<Mutant> {
    let mut mutants = Vec::new();
    let root = Value::Table(book.clone());
    walk(&root, &mut Vec::new(), &mut |path, value| {
        let kind = kind(path);
        let mut mutate = |what: String, edit: &dyn Fn(&mut Value)| {
            let mut copy = root.clone();
            edit(at(&mut copy, path));
            assert_ne!(copy, root, "{what} changes nothing");
            let Value::Table(book) = copy else { unreachable!("the root stays a table") };
            mutants.push(Mutant { what: format!("{}: {what}", place(&root, path)), book });
        };
        match value {
            Value::Table(table) => {
                for key in table.keys().filter(|key| !LEFT_OUT.contains(&key.as_str())) {
                    mutate(format!("without {key}"), &|value| drop(table_of(value).remove(key)));
                }
                for (key, value) in words.keys(&kind).filter(|(key, _)| !table.contains_key(*key)) {
                    let (name, value) = (key.to_string(), value.clone());
                    mutate(format!("with {key} = {value}"), &|table| {
                        table_of(table).insert(name.clone(), value.clone());
                    });
                }
            }
            Value::Array(items) => {
                for (no, item) in items.iter().enumerate() {
                    mutate(format!("without {}", short(item)), &|value| drop(array_of(value).remove(no)));
                }
                if ORDERED.contains(&kind.as_str()) {
                    for no in 1..items.len() {
                        mutate(format!("{no} after {}", no + 1), &|value| array_of(value).swap(no - 1, no));
                    }
                }
                if kind == "layout[].bets" {
                    for bet in bets_not_in(book, items) {
                        mutate(format!("with {bet}"), &|value| array_of(value).push(bet.clone().into()));
                    }
                }
            }
            leaf @ (Value::String(_)
            | Value::Integer(_)
            | Value::Float(_)
            | Value::Boolean(_)
            | Value::Datetime(_)) => {
                let others = replacements(&kind, leaf, words);
                assert!(!others.is_empty(), "{kind}: say what else it could be than {leaf}");
                for other in others {
                    mutate(format!("{leaf} → {other}"), &|value| *value = other.clone());
                }
            }
        }
    });
    mutants
}

/// Visits a value and all values inside it that are not left out.
fn walk(value: &Value, path: &mut Vec<Step>, visit: &mut impl FnMut(&[Step], &Value)) {
    visit(path, value);
    match value {
        Value::Table(table) => {
            for (key, value) in table.iter().filter(|(key, _)| !LEFT_OUT.contains(&key.as_str())) {
                path.push(Step::Key(key.clone()));
                walk(value, path, visit);
                path.pop();
            }
        }
        Value::Array(items) => {
            for (no, item) in items.iter().enumerate() {
                path.push(Step::Item(no));
                walk(item, path, visit);
                path.pop();
            }
        }
        Value::String(_) | Value::Integer(_) | Value::Float(_) | Value::Boolean(_) | Value::Datetime(_) => {}
    }
}

/// What else a datum could be.
fn replacements(kind: &str, value: &Value, words: &Vocabulary) -> Vec<Value> {
    match value {
        Value::Integer(number) => {
            let mut others: Vec<Value> = vec![(number - 1).into(), (number + 1).into()];
            // One number stands for a set of one, which may also grow.
            if kind.starts_with("bet[].pays[].") && !kind.ends_with("[]") {
                others.extend([number - 1, number + 1].map(|more| Value::from(vec![*number, more])));
            }
            others
        }
        Value::Boolean(flag) => vec![(!flag).into()],
        Value::Datetime(at) => other_times(at).into_iter().map(Value::Datetime).collect(),
        Value::String(text) => {
            other_texts(kind, text, words.values(kind)).into_iter().map(Value::from).collect()
        }
        Value::Float(_) | Value::Array(_) | Value::Table(_) => Vec::new(),
    }
}

fn other_texts(kind: &str, text: &str, seen: &[Value]) -> Vec<String> {
    if kind.ends_with(".cite") || kind.starts_with("play.") {
        return other_cites(text);
    }
    if let Some((pays, per)) = text.split_once(" to ") {
        let others =
            [(shift(pays, 1), per.into()), (shift(pays, -1), per.into()), (pays.into(), shift(per, 1))];
        return others.map(|(pays, per): (String, String)| format!("{pays} to {per}")).into();
    }
    if let Some(percent) = text.strip_suffix('%') {
        return [1, -1].map(|by| format!("{}%", shift(percent, by))).into();
    }
    if NAMES.contains(&kind) {
        return vec![format!("{text}-2")];
    }
    let mut words: Vec<String> = seen.iter().filter_map(|word| word.as_str().map(String::from)).collect();
    match kind {
        // A layout's other bets are dropped and added; here a bet gets another pay table of its own.
        "layout[].bets[]" => words.retain(|word| id(word) == id(text)),
        "bet[].pays[].pairs" => words.extend(Which::PAIRS.map(|which| which.id().to_string())),
        _ => {}
    }
    words.retain(|word| word != text);
    words.sort_unstable();
    words.dedup();
    if words.is_empty() {
        words.push(format!("{text}-2"));
    }
    words
}

/// Each paragraph replaced by its neighbour, each left out, and one too many.
fn other_cites(text: &str) -> Vec<String> {
    let paragraphs: Vec<&str> = text.split(", ").collect();
    let mut others = vec![format!("{text}, 1.1")];
    for (no, paragraph) in paragraphs.iter().enumerate() {
        let (head, tail) = paragraph.rsplit_once(['.', ' ']).expect("a number with a point, or an appendix");
        let separator = &paragraph[head.len()..=head.len()];
        let neighbour = tail.parse::<u32>().map_or("Z".into(), |number| (number + 1).to_string());
        let mut replaced = paragraphs.clone();
        let neighbour = format!("{head}{separator}{neighbour}");
        replaced[no] = &neighbour;
        others.push(replaced.join(", "));
        let mut dropped = paragraphs.clone();
        dropped.remove(no);
        others.push(dropped.join(", "));
    }
    others
}

/// A decimal number with its last digit moved: `0.95` by 1 is `0.96`.
fn shift(number: &str, by: i64) -> String {
    let decimals = number.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let scaled = number.replace('.', "").parse::<i64>().expect("a number") + by;
    let digits = format!("{scaled:0width$}", width = decimals + 1);
    let (whole, fraction) = digits.split_at(digits.len() - decimals);
    if decimals == 0 { whole.into() } else { format!("{whole}.{fraction}") }
}

fn other_times(at: &Datetime) -> Vec<Datetime> {
    let mut others = vec![*at; 5];
    let dates: [fn(&mut toml::value::Date); 3] =
        [|date| date.year += 1, |date| date.month = date.month % 12 + 1, |date| date.day = date.day % 28 + 1];
    for (other, edit) in others.iter_mut().zip(dates) {
        edit(other.date.as_mut().expect("a date"));
    }
    others[3].time.as_mut().expect("a time of day").hour += 1;
    others[4].time.as_mut().expect("a time of day").minute += 1;
    others
}

/// The bets of a rule book of which a layout has no pay table.
fn bets_not_in(book: &Table, offered: &[Value]) -> Vec<String> {
    let text = |bet: &Value, key: &str| bet.get(key).and_then(Value::as_str).map(String::from);
    let mut bets = Vec::new();
    for bet in book["bet"].as_array().expect("bets") {
        let name = text(bet, "id").expect("an id");
        if !offered.iter().any(|other| other.as_str().is_some_and(|other| id(other) == name)) {
            bets.push(text(bet, "variant").map_or(name.clone(), |variant| format!("{name}:{variant}")));
        }
    }
    bets
}

/// A bet's name without the pay table.
fn id(bet: &str) -> &str {
    bet.split(':').next().unwrap_or(bet)
}

fn at<'v>(root: &'v mut Value, path: &[Step]) -> &'v mut Value {
    path.iter().fold(root, |value, step| match step {
        Step::Key(key) => &mut value[key.as_str()],
        Step::Item(no) => &mut value[*no],
    })
}

fn kind(path: &[Step]) -> String {
    let steps = path.iter().map(|step| match step {
        Step::Key(key) => format!(".{key}"),
        Step::Item(_) => "[]".into(),
    });
    steps.collect::<String>().trim_start_matches('.').into()
}

/// The place as people find it: `bet tie:raised, pays 1, odds`.
fn place(root: &Value, path: &[Step]) -> String {
    let mut words: Vec<String> = Vec::new();
    let mut value = root;
    for step in path {
        match step {
            Step::Key(key) => {
                value = &value[key.as_str()];
                words.push(key.clone());
            }
            Step::Item(no) => {
                value = &value[*no];
                let name = value.get("id").map_or((no + 1).to_string(), |_| short(value));
                let list = words.last_mut().expect("items are in a list under a key");
                *list = format!("{list} {name}");
            }
        }
    }
    if words.is_empty() { "rule book".into() } else { words.join(", ") }
}

/// A value in few words: a table by its name, anything else as it is written.
fn short(value: &Value) -> String {
    let name = |key| value.get(key).and_then(Value::as_str);
    match (name("id"), name("variant")) {
        (Some(id), Some(variant)) => format!("{id}:{variant}"),
        (Some(id), None) => id.into(),
        (None, _) => value.to_string().replace('\n', " ").trim().into(),
    }
}

fn table_of(value: &mut Value) -> &mut Table {
    value.as_table_mut().expect("a table")
}

fn array_of(value: &mut Value) -> &mut Vec<Value> {
    value.as_array_mut().expect("a list")
}
