//! Rule books with one datum of section 5 changed, one at a time.

use std::fmt;
use std::sync::Arc;

use punto_rules::{ChoiceOffered, Discretion, Post, Remedy, ShoeAfter};

use crate::clause::{Clause, Datum, clauses};

/// A rule book in which one thing of section 5 is different.
pub(crate) struct Mutant {
    /// `conduct`, or the kind of irregularity.
    pub(crate) clause: String,
    /// The key, or `clause` for the whole of it.
    pub(crate) key: String,
    /// What is there instead.
    pub(crate) change: String,
    /// Paragraphs of which a script must name one to speak about the datum.
    pub(crate) paragraphs: Vec<String>,
    pub(crate) text: Arc<str>,
}

impl fmt::Display for Mutant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Mutant { clause, key, change, paragraphs, .. } = self;
        write!(f, "{clause} ({}): {key}: {change}", paragraphs.join(", "))
    }
}

/// The keys that an irregularity may have beside its kind and citation, with every word that each may take.
fn vocabulary() -> [(&'static str, Vec<&'static str>); 7] {
    let posts = Post::ALL;
    let remedies: Vec<&str> = Remedy::ALL.iter().map(|it| it.id()).collect();
    [
        ("in_time", remedies.clone()),
        ("remedy", remedies),
        ("decides", posts.map(Post::id).to_vec()),
        ("second_person", vec!["true", "false"]),
        ("discretion", Discretion::ALL.iter().map(|it| it.id()).collect()),
        ("choice", ChoiceOffered::ALL.iter().map(|it| it.id()).collect()),
        ("shoe", ShoeAfter::ALL.iter().map(|it| it.id()).collect()),
    ]
}

/// Every mutant of a rule book's section 5.
pub(crate) fn mutants(text: &str) -> Vec<Mutant> {
    clauses(text).iter().flat_map(|clause| of_clause(text, clause)).collect()
}

fn of_clause(text: &str, clause: &Clause) -> Vec<Mutant> {
    let mut mutants = Vec::new();
    let mut add = |key: &str, change: String, paragraphs: &[String], edit: &dyn Fn(&mut Vec<String>)| {
        let mut lines: Vec<String> = text.lines().map(String::from).collect();
        edit(&mut lines);
        mutants.push(Mutant {
            clause: clause.name.clone(),
            key: key.into(),
            change,
            paragraphs: paragraphs.to_vec(),
            text: (lines.join("\n") + "\n").into(),
        });
    };
    let cites = |datum: &Datum| datum.key == "cite" || clause.is_conduct();
    for datum in clause.data.iter().filter(|datum| cites(datum)) {
        let paragraphs = datum.paragraphs();
        for (no, paragraph) in paragraphs.iter().enumerate() {
            let mut others = paragraphs.clone();
            others[no] = other(paragraph);
            let line = format!("{} = \"{}\"", datum.key, others.join(", "));
            // Only a script about this very paragraph can tell.
            add(
                &datum.key,
                format!("{paragraph} → {}", others[no]),
                std::slice::from_ref(paragraph),
                &|lines| lines[datum.line].clone_from(&line),
            );
        }
    }
    if clause.is_conduct() {
        for datum in &clause.data {
            let without = |lines: &mut Vec<String>| drop(lines.remove(datum.line));
            add(&datum.key, "left out".into(), &datum.paragraphs(), &without);
        }
        return mutants;
    }
    let own = clause.datum("cite").expect("an irregularity has its citation").paragraphs();
    add("clause", "left out".into(), &own, &|lines| drop(lines.drain(clause.lines.clone())));
    let vocabulary = vocabulary();
    for datum in &clause.data {
        let known = vocabulary.iter().any(|(key, _)| *key == datum.key);
        assert!(known || ["kind", "cite"].contains(&datum.key.as_str()), "`{}` is never changed", datum.key);
    }
    for (key, words) in vocabulary {
        let there = clause.datum(key);
        // A flag that is not there is false.
        let now = there.map(|it| it.value.as_str()).or((key == "second_person").then_some("false"));
        for word in words.into_iter().filter(|word| Some(*word) != now) {
            let value = if key == "second_person" { word.into() } else { format!("\"{word}\"") };
            let line = format!("{key} = {value}");
            let change = format!("{} → {word}", now.unwrap_or("nothing"));
            add(key, change, &own, &|lines| match there {
                Some(datum) => lines[datum.line].clone_from(&line),
                None => lines.insert(clause.lines.end, line.clone()),
            });
        }
        if let Some(datum) = there {
            add(key, format!("{} → nothing", datum.value), &own, &|lines| drop(lines.remove(datum.line)));
        }
    }
    mutants
}

/// A paragraph that no document has: `5.8` becomes `5.98`.
fn other(paragraph: &str) -> String {
    let (head, last) = paragraph.rsplit_once('.').expect("a paragraph has a point");
    format!("{head}.9{last}")
}
