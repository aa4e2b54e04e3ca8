//! What becomes of a mutant.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use punto_rules::Rulebook;
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

/// How a script goes.
#[derive(PartialEq, Eq)]
pub(crate) enum Went {
    AsTold,
    Otherwise,
    Panicked,
}

pub(crate) fn fate(mutant: &Mutant, game: &str, scenarios: &[&'static Scenario]) -> Fate {
    if Rulebook::parse(&mutant.text).is_err() {
        return Fate::Refused;
    }
    let mut scripts = 0;
    for scenario in scenarios {
        if !scenario.script.proves.iter().any(|it| mutant.paragraphs.contains(it)) {
            continue;
        }
        scripts += 1;
        let went = went(scenario, game, &mutant.text);
        if went != Went::AsTold {
            return Fate::Red { script: &scenario.name, panicked: went == Went::Panicked };
        }
    }
    Fate::Same { scripts }
}

/// Plays a script with this text as its game's rule book.
pub(crate) fn went(scenario: &Scenario, game: &str, text: &Arc<str>) -> Went {
    let rulebook = |asked: &str| if asked == game { Some(text.clone()) } else { approved(asked) };
    let played = catch_unwind(AssertUnwindSafe(|| play(&scenario.script, rulebook)));
    match played {
        Err(_) => Went::Panicked,
        Ok(Ok(played)) if played.steps.iter().all(|step| step.is_as_expected()) => Went::AsTold,
        Ok(Ok(_) | Err(_)) => Went::Otherwise,
    }
}
