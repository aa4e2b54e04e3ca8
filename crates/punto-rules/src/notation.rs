//! A Round on one line: the cards in the order they left the shoe, `2s 3d 3c 3h 5d`.

use crate::{Card, CardError};

/// A word in a line of cards that is no card.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("card {ordinal}, column {column}: {error}")]
pub struct NotationError {
    /// Which card of the line, from 1.
    pub ordinal: usize,
    /// Where it begins, in characters from 1.
    pub column: usize,
    /// What is wrong with it.
    pub error: CardError,
}

/// Reads cards separated by white space; an empty line is no cards.
///
/// ```
/// use punto_rules::notation;
/// let cards = notation::parse("As Td 9h").unwrap();
/// assert_eq!(notation::show(&cards), "As Td 9h");
/// assert_eq!(notation::parse("As 1d").unwrap_err().column, 4);
/// ```
pub fn parse(line: &str) -> Result<Vec<Card>, NotationError> {
    let mut cards = Vec::new();
    for word in line.split_whitespace() {
        let card = word.parse().map_err(|error| NotationError {
            ordinal: cards.len() + 1,
            column: line[..word.as_ptr() as usize - line.as_ptr() as usize].chars().count() + 1,
            error,
        })?;
        cards.push(card);
    }
    Ok(cards)
}

/// Writes cards as [`parse`] reads them.
pub fn show(cards: &[Card]) -> String {
    cards.iter().map(Card::to_string).collect::<Vec<_>>().join(" ")
}
