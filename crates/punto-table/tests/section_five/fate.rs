//! What becomes of a mutant.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use punto_rules::Rulebook;
use punto_rules::rulebook::FaultKind;
use punto_table::script::play;

use crate::mutant::Mutant;
use crate::scripts::{Scenario, approved};

pub(crate) enum Fate {
    /// The reader refuses it.
    Refused,
    /// This script goes differently, or even panics: the reader let through what the table cannot carry out.
    Red { script: &'static str, panicked: bool },
    /// Every script about the datum goes as before.
    Same { scripts: usize },
}

/// What happens in a script, line by line; that it is what the script says, `scenarios.rs` sees to.
#[derive(PartialEq, Eq)]
enum Went {
    So(Vec<Vec<String>>),
    /// A line could not be carried out at all.
    Stopped,
    Panicked,
}

/// A script, and how it goes by the approved rule book.
pub(crate) struct Story {
    scenario: &'static Scenario,
    went: Went,
}

impl Story {
    pub(crate) fn new(scenario: &'static Scenario, book: &Arc<str>) -> Story {
        let went = went(scenario, book);
        assert!(matches!(went, Went::So(_)), "{} cannot be played", scenario.name);
        Story { scenario, went }
    }
}

pub(crate) fn fate(mutant: &Mutant, stories: &[Story]) -> Fate {
    if let Err(faults) = Rulebook::parse(&mutant.text) {
        let is_text = faults.0.iter().all(|fault| fault.kind != FaultKind::Syntax);
        assert!(is_text, "{mutant} is no rule book at all");
        return Fate::Refused;
    }
    let mut scripts = 0;
    for Story { scenario, went: before } in stories {
        if !scenario.script.proves.iter().any(|it| mutant.paragraphs.contains(it)) {
            continue;
        }
        scripts += 1;
        let after = went(scenario, &mutant.text);
        if after != *before {
            return Fate::Red { script: &scenario.name, panicked: after == Went::Panicked };
        }
    }
    Fate::Same { scripts }
}

/// Plays a script with this text as its game's rule book.
fn went(scenario: &Scenario, book: &Arc<str>) -> Went {
    let rulebook = |asked: &str| if asked == scenario.game { Some(book.clone()) } else { approved(asked) };
    match catch_unwind(AssertUnwindSafe(|| play(&scenario.script, rulebook))) {
        Ok(Ok(played)) => Went::So(played.steps.into_iter().map(|step| step.happened).collect()),
        Ok(Err(_)) => Went::Stopped,
        Err(_) => Went::Panicked,
    }
}
