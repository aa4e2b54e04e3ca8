//! The table that a study is about: game, layout, shoe.

use punto_odds::Pricer;
use punto_rules::{Composition, LimitsAsked, NumberSet, Rulebook, Terms};

use crate::cli;
use crate::rulebooks::{self, Loaded};

/// The decks of a shoe where nobody says otherwise.
const USUAL_DECKS: u8 = 8;

/// A game's layout, ready to be studied.
pub(crate) struct Study {
    pub(crate) loaded: Loaded,
    pub(crate) terms: Terms,
    pub(crate) pricer: Pricer,
}

impl Study {
    pub(crate) fn new(table: &cli::Table) -> anyhow::Result<Study> {
        let loaded = rulebooks::load(&table.game)?;
        let rulebook = &loaded.rulebook;
        let decks = table.decks.unwrap_or(USUAL_DECKS.clamp(rulebook.decks.min, rulebook.decks.max));
        let layout = table.layout.as_deref().unwrap_or(&rulebook.layouts[0].id);
        let terms = rulebook.terms(layout, decks, &LimitsAsked::default())?;
        let pricer = Pricer::new(&terms);
        Ok(Study { loaded, terms, pricer })
    }

    pub(crate) fn rulebook(&self) -> &Rulebook {
        &self.loaded.rulebook
    }

    /// The full shoe.
    pub(crate) fn shoe(&self) -> Composition {
        Composition::decks(self.terms.decks())
    }

    /// `Wu Song (Non-Commission Baccarat), version 3, layout A, 8 decks`
    pub(crate) fn title(&self) -> String {
        let title = rulebooks::full_title(self.rulebook());
        format!("{title}, layout {}, {}", self.terms.layout().id, decks(self.terms.decks()))
    }
}

/// `1 deck`, `8 decks`
pub(crate) fn decks(decks: u8) -> String {
    format!("{decks} deck{}", if decks == 1 { "" } else { "s" })
}

/// `1 deck`, `1 or 2 decks`, `1, 2 or 5 decks`
pub(crate) fn numbers_of_decks(numbers: &[u8]) -> String {
    let set: NumberSet = numbers.iter().copied().collect();
    match numbers {
        [only] => decks(*only),
        _ => format!("{set} decks"),
    }
}
