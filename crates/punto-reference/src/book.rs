//! A rule book as far as money depends on it, read from its text.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::{Bet, ReadError};

/// The version of the language that is read here.
const FORMAT: u32 = 1;

/// A live table with betting boxes, or terminals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum Mode {
    Live,
    Electronic,
}

/// Which kind of limits a game has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LimitsModel {
    /// A minimum and a Differential for each betting box; side bets have a minimum and a maximum.
    Differential,
    /// A minimum and a maximum for every bet.
    PerBet,
}

/// What a rule book says about one kind of irregularity, in its own words.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Clause {
    pub kind: String,
    pub cite: String,
    pub in_time: Option<String>,
    pub remedy: String,
    pub decides: Option<String>,
    #[serde(default)]
    pub second_person: bool,
    pub discretion: Option<String>,
    pub choice: Option<String>,
    pub shoe: Option<String>,
}

/// The right to ask for the squeeze, on tables that deal face down.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Squeeze {
    pub right: SqueezeRight,
    pub cite: String,
}

/// Whose bets are compared for the squeeze.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum SqueezeRight {
    AnyPlayer,
    SeatedPlayer,
}

/// One printed felt, or the display of the terminals.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Its name.
    pub id: String,
    /// How many betting boxes are printed on it; `None` where the table chooses.
    pub boxes: Option<u8>,
    /// The bets that it offers, in the order of their print.
    pub bets: Vec<Bet>,
    /// Which kind of limits the game has.
    pub limits: LimitsModel,
    /// Whether a box that stays over the Differential is settled pro rata; else its bets play as placed.
    pub is_pro_rata: bool,
}

impl Layout {
    /// A bet that it offers, by its plain name without a variant.
    pub fn bet(&self, id: &str) -> Option<&Bet> {
        self.bets.iter().find(|bet| bet.id == id)
    }
}

/// A rule book.
#[derive(Clone, Debug)]
pub struct Book {
    /// The name of the game.
    pub game: String,
    /// Live or electronic.
    pub mode: Mode,
    /// The least and the greatest number of decks.
    pub decks: (u8, u8),
    /// Its layouts.
    pub layouts: Vec<Layout>,
    /// Where it sets the kind of limits.
    pub limits_cite: String,
    /// The right to the squeeze; `None` where the game has none.
    pub squeeze: Option<Squeeze>,
    /// What it says about irregularities.
    pub clauses: Vec<Clause>,
    play: BTreeMap<String, String>,
    conduct: BTreeMap<String, String>,
}

impl Book {
    /// Reads the text of a rule book.
    ///
    /// ```
    /// use punto_reference::Book;
    /// let book = Book::read(include_str!("../../../rulebooks/wu-song-v3.toml")).unwrap();
    /// assert_eq!(book.layout("A").unwrap().bets.len(), 10);
    /// assert_eq!(book.clause("walk-away").unwrap().cite, "5.3");
    /// assert!(Book::read("game = 7").is_err());
    /// ```
    ///
    /// # Errors
    /// If the text is not a rule book. Whether a rule book makes sense is not looked at.
    pub fn read(text: &str) -> Result<Book, ReadError> {
        let read: BookText =
            toml::from_str(text).map_err(|error| ReadError::Text(error.message().to_owned()))?;
        if read.format != FORMAT {
            return Err(ReadError::Format(read.format));
        }
        let mut bets = BTreeMap::new();
        for bet in &read.bet {
            if let Some(row) = bet.rows.iter().position(|row| !row.has_one_result()) {
                return Err(ReadError::Result { bet: bet.name(), row });
            }
            if bets.insert(bet.name(), bet).is_some() {
                return Err(ReadError::Twice(bet.name()));
            }
        }
        let is_pro_rata = read.irregularity.iter().any(|clause| {
            (clause.kind.as_str(), clause.remedy.as_str()) == ("over-differential", "pro-rata")
        });
        let mut layouts: Vec<Layout> = Vec::new();
        for LayoutText { id, boxes, bets: offered, .. } in read.layout {
            let mut names = BTreeSet::new();
            let mut layout = Layout { id, boxes, bets: Vec::new(), limits: read.limits.model, is_pro_rata };
            for name in offered {
                let unknown = || ReadError::UnknownBet { layout: layout.id.clone(), bet: name.clone() };
                let bet: &Bet = bets.get(&name).ok_or_else(unknown)?;
                if !names.insert(&bet.id) {
                    return Err(ReadError::Twice(name));
                }
                layout.bets.push(bet.clone());
            }
            if layouts.iter().any(|other| other.id == layout.id) {
                return Err(ReadError::Twice(layout.id));
            }
            layouts.push(layout);
        }
        Ok(Book {
            game: read.game,
            mode: read.mode,
            decks: (read.cards.decks.min, read.cards.decks.max),
            layouts,
            limits_cite: read.limits.cite,
            squeeze: read.squeeze,
            clauses: read.irregularity,
            play: read.play,
            conduct: read.conduct,
        })
    }

    /// A layout by its name.
    pub fn layout(&self, id: &str) -> Option<&Layout> {
        self.layouts.iter().find(|layout| layout.id == id)
    }

    /// What it says about a kind of irregularity, such as `late-bet`.
    pub fn clause(&self, kind: &str) -> Option<&Clause> {
        self.clauses.iter().find(|clause| clause.kind == kind)
    }

    /// Where it lays down a step of play, such as `close_bets`.
    pub fn play(&self, topic: &str) -> Option<&str> {
        self.play.get(topic).map(String::as_str)
    }

    /// Where it lays down a general rule for irregularities, such as `void_returns`.
    pub fn conduct(&self, topic: &str) -> Option<&str> {
        self.conduct.get(topic).map(String::as_str)
    }
}

/// The text as it is written. A key that is not known here might change what is paid, so it is an error.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BookText {
    format: u32,
    game: String,
    #[serde(rename = "title")]
    _title: IgnoredAny,
    #[serde(rename = "version")]
    _version: Option<IgnoredAny>,
    #[serde(rename = "in_force")]
    _in_force: IgnoredAny,
    mode: Mode,
    cards: CardsText,
    play: BTreeMap<String, String>,
    squeeze: Option<Squeeze>,
    limits: LimitsText,
    bet: Vec<Bet>,
    layout: Vec<LayoutText>,
    #[serde(default)]
    conduct: BTreeMap<String, String>,
    #[serde(default)]
    irregularity: Vec<Clause>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CardsText {
    decks: DecksText,
    #[serde(rename = "cite")]
    _cite: IgnoredAny,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DecksText {
    min: u8,
    max: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LimitsText {
    model: LimitsModel,
    cite: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LayoutText {
    id: String,
    boxes: Option<u8>,
    bets: Vec<String>,
    #[serde(rename = "cite")]
    _cite: IgnoredAny,
    #[serde(rename = "bilingual")]
    _bilingual: Option<IgnoredAny>,
    #[serde(rename = "felt")]
    _felt: Option<IgnoredAny>,
}
