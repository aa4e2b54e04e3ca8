//! Rule books: the approved documents as data. One TOML text in, everything that the house needs out.
//!
//! `docs/rulebook.md` is the reference of the language. A text either becomes a [`Rulebook`], compiled and fit to
//! deal, settle and price from, or comes back with **all** its faults.

mod approved;
mod check;
mod fault;
mod pay_table;
mod reader;
mod sections;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use approved::APPROVED;
pub use fault::{Fault, FaultKind, RulebookFaults};
pub use sections::{Conduct, Play};

use crate::class::ClassSpace;
use crate::limits::{LimitsAsked, LimitsModel};
use crate::{Bet, Cite, Irregularity, IrregularityKind, Label, Layout, Terms, TermsError};

/// A live table, or the electronic one with its Game Console and Player Terminals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum Mode {
    Live,
    Electronic,
}

impl Mode {
    const ALL: [Mode; 2] = [Mode::Live, Mode::Electronic];

    /// The word in a rule book.
    pub const fn id(self) -> &'static str {
        match self {
            Mode::Live => "live",
            Mode::Electronic => "electronic",
        }
    }
}

/// How many decks the game may be played with (2.2.1).
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Decks {
    pub min: u8,
    pub max: u8,
    pub cite: Cite,
}

/// Who may ask to squeeze a card (3.9).
// INTERPRETATION 16: of any Player in Wu Song, of Seated Players in RWS and Da Hu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum SqueezeRight {
    AnyPlayer,
    SeatedPlayer,
}

impl SqueezeRight {
    const ALL: [SqueezeRight; 2] = [SqueezeRight::AnyPlayer, SqueezeRight::SeatedPlayer];

    /// The word in a rule book.
    pub const fn id(self) -> &'static str {
        match self {
            SqueezeRight::AnyPlayer => "any-player",
            SqueezeRight::SeatedPlayer => "seated-player",
        }
    }
}

/// The squeeze on tables that deal face down.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Squeeze {
    pub right: SqueezeRight,
    pub cite: Cite,
}

/// The kind of limits, and where the document sets them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct LimitsRule {
    pub model: LimitsModel,
    pub cite: Cite,
}

/// One approved document, compiled.
///
/// ```
/// use punto_rules::Rulebook;
/// let rulebook = Rulebook::approved("wu-song").unwrap();
/// assert_eq!((rulebook.decks.min, rulebook.decks.max), (4, 10));
/// let faults = Rulebook::parse("game = 7").unwrap_err();
/// assert!(faults.0.len() > 1); // all of them, not only the first
/// ```
#[derive(Clone, Debug)]
pub struct Rulebook {
    /// The game's name on the command line and on the wire, such as `wu-song`.
    pub game: String,
    /// The game's printed name.
    pub title: Label,
    /// The version of the document, where it has one.
    pub version: Option<u32>,
    /// From when it is in force, local time, `2024-12-06T08:00:00`.
    pub in_force: String,
    /// Live or electronic.
    pub mode: Mode,
    /// The cards.
    pub decks: Decks,
    /// Section 3: where each step of play is laid down.
    pub play: Play,
    /// The right to squeeze; `None` where the game has none.
    pub squeeze: Option<Squeeze>,
    /// The kind of limits.
    pub limits: LimitsRule,
    /// All bets.
    pub bets: Vec<Arc<Bet>>,
    /// All layouts.
    pub layouts: Vec<Layout>,
    /// Section 5, general rules.
    pub conduct: Conduct,
    /// Section 5, irregularities.
    pub irregularities: Vec<Irregularity>,
    pub(crate) space: Arc<ClassSpace>,
    /// Where each bet stands in the text.
    places: Vec<std::ops::Range<usize>>,
    warnings: Vec<Fault>,
}

impl Rulebook {
    /// Reads and compiles a rule book.
    ///
    /// # Errors
    /// All faults of the text, in its order. What is merely odd about a sound text is in [`Rulebook::warnings`].
    pub fn parse(text: &str) -> Result<Rulebook, RulebookFaults> {
        sections::parse(text, false)
    }

    /// Reads a rule book that is in the record. It may hold characters that cannot be seen: earlier releases did not look for
    /// them, and what was played was played under that text.
    ///
    /// # Errors
    /// All other faults of the text.
    pub fn recorded(text: &str) -> Result<Rulebook, RulebookFaults> {
        sections::parse(text, true)
    }

    /// One of the approved rule books that come with Punto.
    pub fn approved(game: &str) -> Option<Rulebook> {
        let rulebooks = APPROVED.iter().map(|(_, text)| text);
        rulebooks
            .map(|text| Self::parse(text).expect("approved rule books have no fault"))
            .find(|it| it.game == game)
    }

    /// A layout by its name.
    pub fn layout(&self, id: &str) -> Option<&Layout> {
        self.layouts.iter().find(|layout| layout.id == id)
    }

    /// What the rule book says about a kind of irregularity; `None` where it leaves it uncovered.
    pub fn irregularity(&self, kind: IrregularityKind) -> Option<&Irregularity> {
        self.irregularities.iter().find(|irregularity| irregularity.kind == kind)
    }

    /// The paragraphs for a wrong result: that the cards prevail while it can be corrected, what is done after that.
    // INTERPRETATION 40: a paragraph is cited only for what it says.
    pub fn wrong_result_cite(&self, in_time: bool) -> Option<Cite> {
        let all = &self.irregularity(IrregularityKind::WrongResult)?.cite;
        let prevail = self.conduct.display_informs.as_ref();
        let is_it = |paragraph: &str| prevail.is_some_and(|it| it.paragraphs().any(|one| one == paragraph));
        Some(all.only(|paragraph| is_it(paragraph) == in_time))
    }

    /// The paragraphs by which an interrupted Round is concluded or void. A clause names the paragraph, and then those for
    /// the one and for the other case.
    pub fn interruption_cite(&self, established: bool) -> Option<Cite> {
        let all = &self.irregularity(IrregularityKind::TechnicalInterruption)?.cite;
        let cases: Vec<&str> = all.paragraphs().collect();
        let [_, concluded, void] = cases[..] else { return Some(all.clone()) };
        Some(all.only(|paragraph| paragraph != if established { void } else { concluded }))
    }

    /// The terms of a table with this layout, so many decks, and these limits.
    ///
    /// # Errors
    /// An unknown layout, a number of decks out of range, or limits that cannot be in force.
    pub fn terms(&self, layout: &str, decks: u8, limits: &LimitsAsked) -> Result<Terms, TermsError> {
        Terms::new(self, layout, decks, limits)
    }

    /// The classes of outcomes that its bets tell apart.
    pub fn space(&self) -> &ClassSpace {
        &self.space
    }

    /// Where a bet stands in the text it was read from, in bytes, by its place among [`Rulebook::bets`].
    pub fn place_of(&self, bet: usize) -> std::ops::Range<usize> {
        self.places[bet].clone()
    }

    /// What is odd about it but does not stop its use.
    pub fn warnings(&self) -> &[Fault] {
        &self.warnings
    }
}
