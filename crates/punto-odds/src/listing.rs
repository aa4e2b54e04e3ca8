//! The odds of a layout as they are published: one shape for the command line and for the server.

use punto_rules::{Bet, Card, Rulebook, Terms};
use serde::Serialize;

use crate::Price;

/// The odds of every bet of a layout.
#[derive(Clone, Debug, Serialize)]
pub struct Listing<'a> {
    /// The game.
    pub game: &'a str,
    /// The version of its rule book.
    pub version: Option<u32>,
    /// The layout.
    pub layout: &'a str,
    /// Null where the shoe was given by its cards.
    pub decks: Option<u8>,
    /// All ordered sequences of six cards.
    pub sequences: String,
    /// Cards that are out already.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub seen: Vec<Card>,
    /// The bets, as the layout has them.
    pub bets: Vec<Listed<'a>>,
}

/// One bet.
#[derive(Clone, Debug, Serialize)]
pub struct Listed<'a> {
    /// Which.
    pub bet: &'a str,
    /// The house edge.
    pub edge: f64,
    /// The same, exactly.
    pub edge_exact: String,
    /// How likely it wins.
    pub hit: f64,
    /// Whether any sequence wins: not where the shoe holds too few copies of what the bet asks for.
    pub can_win: bool,
    /// How likely the stake comes back.
    pub returned: f64,
    /// The standard deviation of a unit staked.
    pub sd: f64,
    /// The rows that pay.
    pub rows: Vec<ListedRow>,
    /// Sequences that lose.
    pub lost_sequences: String,
    /// Sequences that give the stake back.
    pub returned_sequences: String,
}

/// One row that pays.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct ListedRow {
    pub pays: String,
    pub sequences: String,
    pub probability: f64,
}

impl<'a> Listing<'a> {
    /// The prices of all bets of a layout, listed.
    pub fn new(
        rulebook: &'a Rulebook,
        terms: &'a Terms,
        decks: Option<u8>,
        seen: Vec<Card>,
        prices: &[Price],
    ) -> Listing<'a> {
        Listing {
            game: &rulebook.game,
            version: rulebook.version,
            layout: &terms.layout().id,
            decks,
            sequences: prices.first().map_or(0, |price| price.sequences).to_string(),
            seen,
            bets: terms.bets().iter().zip(prices).map(|(bet, price)| Listed::new(bet, price)).collect(),
        }
    }
}

impl<'a> Listed<'a> {
    fn new(bet: &'a Bet, price: &Price) -> Listed<'a> {
        let rows = bet.rows.iter().zip(&price.rows);
        let paying = rows.filter_map(|(row, count)| Some((row.verdict().odds()?, *count)));
        let row = |(odds, count): (punto_rules::Odds, u64)| ListedRow {
            pays: odds.to_string(),
            sequences: count.to_string(),
            probability: price.share(count),
        };
        Listed {
            bet: bet.id.as_str(),
            edge: price.edge().to_f64(),
            edge_exact: price.edge().to_string(),
            hit: price.hit(),
            can_win: price.can_win(),
            returned: price.share(price.returned()),
            sd: price.sd(),
            rows: paying.map(row).collect(),
            lost_sequences: price.lost.to_string(),
            returned_sequences: price.returned().to_string(),
        }
    }
}
