//! Section 5 of a rule book's text: its clauses and their data, with the lines they stand on.

use std::ops::Range;

/// A `[conduct]` or an `[[irregularity]]`.
pub(crate) struct Clause {
    /// `conduct`, or the kind of irregularity.
    pub(crate) name: String,
    /// Its lines, from the header to the last datum.
    pub(crate) lines: Range<usize>,
    pub(crate) data: Vec<Datum>,
}

/// `key = value`.
pub(crate) struct Datum {
    pub(crate) key: String,
    /// Without its quotes.
    pub(crate) value: String,
    pub(crate) line: usize,
}

impl Clause {
    pub(crate) fn is_conduct(&self) -> bool {
        self.name == "conduct"
    }

    pub(crate) fn datum(&self, key: &str) -> Option<&Datum> {
        self.data.iter().find(|datum| datum.key == key)
    }
}

impl Datum {
    /// A citation's paragraphs.
    pub(crate) fn paragraphs(&self) -> Vec<String> {
        self.value.split(", ").map(String::from).collect()
    }
}

/// The clauses of section 5, in the order of the text.
pub(crate) fn clauses(text: &str) -> Vec<Clause> {
    let mut clauses: Vec<Clause> = Vec::new();
    let mut inside = false;
    for (no, line) in text.lines().enumerate() {
        if line.starts_with('[') {
            inside = ["[conduct]", "[[irregularity]]"].contains(&line);
            if inside {
                clauses.push(Clause { name: "conduct".into(), lines: no..no + 1, data: Vec::new() });
            }
        } else if inside && !line.is_empty() && !line.starts_with('#') {
            let clause = clauses.last_mut().expect("a header came before");
            let (key, value) = line.split_once(" = ").expect("a datum reads `key = value`");
            let value = value.trim_matches('"').to_string();
            if key == "kind" {
                clause.name.clone_from(&value);
            }
            clause.lines.end = no + 1;
            clause.data.push(Datum { key: key.into(), value, line: no });
        }
    }
    clauses
}
