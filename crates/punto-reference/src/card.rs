//! A card, by the two letters that it is written with.

use std::fmt;
use std::str::FromStr;

/// Ace to King; ten is `T`.
const RANKS: [char; 13] = ['A', '2', '3', '4', '5', '6', '7', '8', '9', 'T', 'J', 'Q', 'K'];
/// Spades, hearts, diamonds, clubs.
const SUITS: [char; 4] = ['s', 'h', 'd', 'c'];

/// One card of a deck of 52.
///
/// ```
/// use punto_reference::Card;
/// let card: Card = "Td".parse().unwrap();
/// assert_eq!((card.rank(), card.suit(), card.value()), ('T', 'd', 10));
/// assert!("10d".parse::<Card>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card {
    rank: char,
    suit: char,
}

impl Card {
    /// The 52 cards of a deck.
    pub fn deck() -> impl Iterator<Item = Card> {
        RANKS.into_iter().flat_map(|rank| SUITS.map(|suit| Card { rank, suit }))
    }

    /// `A`, `2` to `9`, `T`, `J`, `Q` or `K`.
    pub const fn rank(self) -> char {
        self.rank
    }

    /// `s`, `h`, `d` or `c`.
    pub const fn suit(self) -> char {
        self.suit
    }

    /// What it adds to the value of a Hand (3.2): an Ace 1, 2 to 10 their number, a picture 0.
    pub const fn value(self) -> u8 {
        match self.rank {
            'A' => 1,
            '2'..='9' => self.rank as u8 - b'0',
            'T' => 10,
            _ => 0,
        }
    }
}

/// A word that is not a card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotACard(pub String);

impl fmt::Display for NotACard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a card; cards are written As, Td, 9h", self.0)
    }
}

impl std::error::Error for NotACard {}

impl FromStr for Card {
    type Err = NotACard;

    fn from_str(word: &str) -> Result<Card, NotACard> {
        let mut letters = word.chars();
        match (letters.next(), letters.next(), letters.next()) {
            (Some(rank), Some(suit), None) if RANKS.contains(&rank) && SUITS.contains(&suit) => {
                Ok(Card { rank, suit })
            }
            _ => Err(NotACard(word.to_owned())),
        }
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.rank, self.suit)
    }
}

/// Reads cards with spaces between them, in the order in which they left the shoe.
///
/// ```
/// use punto_reference::parse_cards;
/// assert_eq!(parse_cards("As Td 9h").unwrap().len(), 3);
/// assert_eq!(parse_cards("As Xd").unwrap_err().0, "Xd");
/// ```
///
/// # Errors
/// The first word that is not a card.
pub fn parse_cards(line: &str) -> Result<Vec<Card>, NotACard> {
    line.split_whitespace().map(str::parse).collect()
}
