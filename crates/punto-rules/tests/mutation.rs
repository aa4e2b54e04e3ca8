//! Rule-book mutation: every datum of sections 2 to 4 is changed, one at a time, and something must notice.
//!
//! A mutant is caught if the reader refuses it, or if one of the named checks that the approved rule books pass goes
//! red on it. A mutant that means the same as the original cannot be caught; it is recognised by a rule of its own,
//! listed and counted apart. What is left survives, and fails the test. `--nocapture` shows the fate of each.

mod checks;
mod mutants;
mod reference;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write};

use checks::CHECKS;
use mutants::{Mutant, Vocabulary, mutants, pay_table};
use punto_rules::Rulebook;
use punto_rules::rulebook::APPROVED;
use reference::{Document, documents};
use toml::Table;

enum Fate {
    /// The reader refuses it, with faults of these kinds.
    Refused(BTreeSet<&'static str>),
    /// These checks go red.
    Red(BTreeSet<&'static str>),
    /// No Round can tell it from the original.
    Equivalent,
    Survived,
}

fn fate(mutant: &Table, original: &Table, document: &Document) -> Fate {
    let rulebook = match Rulebook::parse(&mutant.to_string()) {
        Ok(rulebook) => rulebook,
        Err(faults) => {
            let kinds = faults.0.iter().map(|fault| fault.kind).filter(|kind| !kind.is_warning());
            return Fate::Refused(kinds.map(|kind| kind.id()).collect());
        }
    };
    let red = CHECKS.iter().filter(|(_, check)| check(&rulebook, document).is_err());
    let red: BTreeSet<&str> = red.map(|(name, _)| *name).collect();
    if !red.is_empty() {
        Fate::Red(red)
    } else if mutant != original && pay_table::same_meaning(original, mutant) {
        Fate::Equivalent
    } else {
        Fate::Survived
    }
}

/// How many mutants something caught, by the name of what did.
#[derive(Default)]
struct Catch {
    mutants: usize,
    by: BTreeMap<&'static str, usize>,
}

impl Catch {
    fn add(&mut self, by: &BTreeSet<&'static str>) {
        self.mutants += 1;
        for name in by {
            *self.by.entry(name).or_default() += 1;
        }
    }
}

impl fmt::Display for Catch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let by: Vec<String> = self.by.iter().map(|(name, count)| format!("{name} {count}")).collect();
        write!(f, "{} ({})", self.mutants, by.join(", "))
    }
}

fn hunt(game: &str) {
    let books = APPROVED.map(|(_, text)| text.parse::<Table>().expect("TOML"));
    let words = Vocabulary::of(&books);
    let book = books.iter().find(|book| book["game"].as_str() == Some(game)).expect("a rule book");
    let document = documents().into_iter().find(|document| document.game == game).expect("a document");
    // If the original went red, every mutant would, and nothing would be shown.
    assert!(matches!(fate(book, book, &document), Fate::Survived), "{game} itself is not in order");

    let mutants = mutants(book, &words);
    let (mut refused, mut red) = (Catch::default(), Catch::default());
    let (mut equivalent, mut survivors, mut list) = (0, Vec::new(), String::new());
    for Mutant { what, book: mutant } in &mutants {
        let fate = match fate(mutant, book, &document) {
            Fate::Refused(kinds) => {
                refused.add(&kinds);
                format!("refused: {}", Vec::from_iter(kinds).join(", "))
            }
            Fate::Red(checks) => {
                red.add(&checks);
                format!("red: {}", Vec::from_iter(checks).join(", "))
            }
            Fate::Equivalent => {
                equivalent += 1;
                "equivalent: no Round tells it apart".into()
            }
            Fate::Survived => {
                survivors.push(what.as_str());
                "SURVIVED".into()
            }
        };
        writeln!(list, "{game}: {what}: {fate}").expect("text");
    }
    println!(
        "{list}{game}: {} mutants: refused {refused}; red {red}; equivalent {equivalent}; survived {}",
        mutants.len(),
        survivors.len()
    );
    assert!(survivors.is_empty(), "{game}: nothing noticed\n{}", survivors.join("\n"));
    // How cards fall is no datum of a rule book, so only that check stays green throughout.
    let idle: Vec<&str> =
        CHECKS.iter().map(|(name, _)| *name).filter(|name| !red.by.contains_key(name)).collect();
    assert_eq!(idle, ["outcomes"], "{game}: checks that no mutant turned red");
}

#[test]
fn wu_song() {
    hunt("wu-song");
}

#[test]
fn ncb_etg() {
    hunt("ncb-etg");
}

#[test]
fn rws_baccarat() {
    hunt("rws-baccarat");
}

#[test]
fn da_hu_ying_xiong() {
    hunt("da-hu-ying-xiong");
}
