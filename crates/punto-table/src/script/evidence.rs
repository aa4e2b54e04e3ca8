//! What the run of a script shows about the rules: the paragraphs that its events and refusals cite, and the assertions
//! that the script makes in its own words. A script proves a paragraph only by one of the two.

use std::collections::BTreeSet;

use serde_json::Value;

use super::reader::Line;
use super::run::{Outcome, Played, Step};

/// An assertion: `shows 3.6: wager-registered patron=8 stance=standing` below an order says that what happened there
/// includes a line with all these words, and that this is what the paragraph demands. `--update` never touches it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shows {
    /// The number of its line in the text, from 1.
    pub no: usize,
    /// The paragraph that it stands for.
    pub paragraph: String,
    /// Words that one line of what happened must have, all of them.
    pub words: Vec<String>,
}

impl Shows {
    /// Reads what stands behind `shows `.
    pub(super) fn parse(no: usize, text: &str) -> Result<Shows, String> {
        let usage = || "an assertion reads `shows 3.6: wager-registered patron=8`".to_owned();
        let (paragraph, words) = text.split_once(": ").ok_or_else(usage)?;
        let words = tokens(words);
        if paragraph.is_empty() || paragraph.contains(',') || words.is_empty() {
            return Err(usage());
        }
        Ok(Shows { no, paragraph: paragraph.to_owned(), words })
    }

    /// Whether one of these lines has all its words.
    pub fn holds(&self, happened: &[String]) -> bool {
        happened.iter().any(|line| {
            let line = tokens(line);
            self.words.iter().all(|word| line.contains(word))
        })
    }
}

/// Words divided by spaces; what stands in quotation marks or brackets is one word.
fn tokens(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let (mut quoted, mut depth) = (false, 0_u32);
    for letter in text.chars() {
        match letter {
            '"' => quoted = !quoted,
            '[' if !quoted => depth += 1,
            ']' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
        if letter == ' ' && !quoted && depth == 0 {
            words.push(String::new());
        } else if let Some(word) = words.last_mut() {
            word.push(letter);
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

impl Step {
    /// The assertions below this line that do not hold.
    pub fn not_shown(&self) -> impl Iterator<Item = &Shows> {
        self.line.shows.iter().filter(|shows| !shows.holds(&self.happened))
    }
}

impl Played {
    /// The paragraphs that events and refusals of this run cite.
    pub fn cited(&self) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        for (_, outcome) in self.steps.iter().flat_map(|step| &step.orders) {
            match outcome {
                Outcome::Events(events) => {
                    for event in events {
                        gather(&serde_json::to_value(event).expect("an event is JSON"), &mut found);
                    }
                }
                Outcome::Refused(rejection) => {
                    let cites = rejection.cite.iter().flat_map(|cite| cite.paragraphs());
                    found.extend(cites.map(str::to_owned));
                }
                Outcome::Answered(_) => {}
            }
        }
        found
    }

    /// The paragraphs that an assertion of the script holds for.
    pub fn asserted(&self) -> BTreeSet<String> {
        let holding =
            |step: &Step| step.line.shows.iter().filter(|it| it.holds(&step.happened)).cloned().collect();
        let holding = self.steps.iter().flat_map(|step: &Step| -> Vec<Shows> { holding(step) });
        holding.map(|shows| shows.paragraph).collect()
    }

    /// Assertions that do not hold, each with the line that it stands below.
    pub fn not_shown(&self) -> Vec<(&Line, &Shows)> {
        self.steps.iter().flat_map(|step| step.not_shown().map(|shows| (&step.line, shows))).collect()
    }
}

/// Every paragraph in a field named `cite`, `…_cite` or `cites`, at any depth. What an order brought along (a report, a
/// rule book) has no such field.
fn gather(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                if key == "cite" || key.ends_with("_cite") || key == "cites" {
                    texts(value, found);
                } else {
                    gather(value, found);
                }
            }
        }
        Value::Array(values) => values.iter().for_each(|value| gather(value, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn texts(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::String(cite) => found.extend(cite.split(',').map(|it| it.trim().to_owned())),
        Value::Array(values) => values.iter().for_each(|value| texts(value, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => {}
    }
}
