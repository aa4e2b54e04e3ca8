//! A bet and its pay table.

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::{Odds, Round, Row, Side};

/// What becomes of a bet.
// INTERPRETATION 9: returned is neither won nor lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// It wins at these odds, net of commission.
    Won(Odds),
    /// It loses.
    Lost,
    /// The stake comes back.
    Returned,
}

/// A verdict and where it is written.
#[derive(Clone, Copy, Debug)]
pub struct Decision<'b> {
    /// What becomes of the bet.
    pub verdict: Verdict,
    /// The row that decided; `None` if no row matched and the bet lost.
    pub row: Option<&'b Row>,
    /// The paragraphs that the row cites, or else its bet; `None` if no row matched.
    pub cite: Option<&'b str>,
}

/// A bet as a rule book prices it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bet {
    /// Its name.
    pub id: String,
    /// Tells the pay tables of one printed bet apart.
    pub variant: Option<String>,
    /// Where the document defines and prices it.
    pub cite: String,
    /// The Hand that an Original Bet is placed on; `None` for a side bet.
    pub original: Option<Side>,
    /// The pay table, from top to bottom.
    #[serde(rename = "pays")]
    pub rows: Vec<Row>,
    #[serde(rename = "label")]
    _label: IgnoredAny,
}

impl Bet {
    /// What a Round makes of it: the first row that matches decides, and if none does the bet loses.
    ///
    /// ```
    /// use punto_reference::{Book, Round, Verdict, parse_cards};
    /// let book = Book::read(include_str!("../../../rulebooks/wu-song-v3.toml")).unwrap();
    /// let round = Round::of(&parse_cards("9s 9h Ks Kd").unwrap()).unwrap();
    /// let decision = book.layout("A").unwrap().bet("tie").unwrap().decide(&round);
    /// assert!(matches!(decision.verdict, Verdict::Won(odds) if odds.pays() == 8));
    /// assert_eq!(decision.cite, Some("1.26, 4.1.2"));
    /// ```
    pub fn decide(&self, round: &Round) -> Decision<'_> {
        let row = self.rows.iter().find(|row| row.matches(round));
        Decision {
            verdict: row.map_or(Verdict::Lost, Row::verdict),
            row,
            cite: row.map(|row| row.cite().unwrap_or(&self.cite)),
        }
    }

    /// How layouts name it: `tie`, or `tie:raised` where it has a variant.
    pub fn name(&self) -> String {
        match &self.variant {
            Some(variant) => format!("{}:{variant}", self.id),
            None => self.id.clone(),
        }
    }
}
