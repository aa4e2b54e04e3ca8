//! Cards: thirteen ranks, four suits, and the point value of each (3.2).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A card's rank. A pair is two cards of one rank: a 10 and a Jack are worth the same but are no pair.
// INTERPRETATION 1: a pair is by rank, not by value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Rank {
    Ace,
    Two,
    Three,
    Four,
    Five,
    Six,
    Seven,
    Eight,
    Nine,
    Ten,
    Jack,
    Queen,
    King,
}

impl Rank {
    /// All ranks, Ace first.
    pub const ALL: [Rank; 13] = [
        Rank::Ace,
        Rank::Two,
        Rank::Three,
        Rank::Four,
        Rank::Five,
        Rank::Six,
        Rank::Seven,
        Rank::Eight,
        Rank::Nine,
        Rank::Ten,
        Rank::Jack,
        Rank::Queen,
        Rank::King,
    ];
    const SYMBOLS: &'static [u8; 13] = b"A23456789TJQK";

    /// The points of a card of this rank: Ace 1, 2 to 9 as printed, 10 and pictures 0 once totals drop their tens.
    pub const fn value(self) -> u8 {
        // 3.2.2 gives the 10 its face value; a Point Total keeps the last digit only (1.20), so ten is nought.
        if (self as u8) < 9 { self as u8 + 1 } else { 0 }
    }

    /// One letter or digit; ten is `T`.
    pub const fn symbol(self) -> char {
        Self::SYMBOLS[self as usize] as char
    }

    /// The rank written as one letter or digit, upper or lower case.
    pub fn from_symbol(symbol: char) -> Option<Rank> {
        let symbol = u8::try_from(symbol).ok()?.to_ascii_uppercase();
        match symbol {
            b'2'..=b'9' => Some(Self::ALL[usize::from(symbol - b'1')]),
            _ => Self::SYMBOLS.iter().position(|it| *it == symbol).map(|index| Self::ALL[index]),
        }
    }
}

/// A card's suit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Suit {
    Spades,
    Hearts,
    Diamonds,
    Clubs,
}

impl Suit {
    /// All suits.
    pub const ALL: [Suit; 4] = [Suit::Spades, Suit::Hearts, Suit::Diamonds, Suit::Clubs];

    /// One lower-case letter.
    pub const fn symbol(self) -> char {
        match self {
            Suit::Spades => 's',
            Suit::Hearts => 'h',
            Suit::Diamonds => 'd',
            Suit::Clubs => 'c',
        }
    }

    /// The sign on the card.
    pub const fn glyph(self) -> char {
        match self {
            Suit::Spades => '♠',
            Suit::Hearts => '♥',
            Suit::Diamonds => '♦',
            Suit::Clubs => '♣',
        }
    }

    /// The suit written as one letter, upper or lower case.
    pub fn from_symbol(symbol: char) -> Option<Suit> {
        match symbol.to_ascii_lowercase() {
            's' => Some(Suit::Spades),
            'h' => Some(Suit::Hearts),
            'd' => Some(Suit::Diamonds),
            'c' => Some(Suit::Clubs),
            _ => None,
        }
    }
}

/// One card of a deck of 52.
///
/// ```
/// use punto_rules::{Card, Rank, Suit};
/// let card: Card = "Td".parse().unwrap();
/// assert_eq!(card, Card { rank: Rank::Ten, suit: Suit::Diamonds });
/// assert_eq!(card.to_string(), "Td");
/// assert_eq!(card.rank.value(), 0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(
        with = "String",
        description = "One card of a deck of 52: rank and suit, ten is `T`.",
        extend("pattern" = "^[A2-9TJQK][shdc]$")
    )
)]
#[allow(missing_docs)]
pub struct Card {
    pub rank: Rank,
    pub suit: Suit,
}

impl Card {
    /// How many different cards a deck has.
    pub const KINDS: usize = 52;

    /// All 52, Aces first.
    pub fn all() -> impl Iterator<Item = Card> {
        (0..Self::KINDS).map(Card::from_index)
    }

    /// The place of this card in [`Card::all`], 0 to 51.
    pub const fn index(self) -> usize {
        self.rank as usize * 4 + self.suit as usize
    }

    /// The card at a place of [`Card::all`].
    ///
    /// # Panics
    /// If `index` is above 51.
    pub const fn from_index(index: usize) -> Card {
        Card { rank: Rank::ALL[index / 4], suit: Suit::ALL[index % 4] }
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.rank.symbol(), self.suit.symbol())
    }
}

/// A word that is no card.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a card{}", .hint.map(|hint| format!(": {hint}")).unwrap_or_default())]
pub struct CardError {
    /// What was written.
    pub text: String,
    /// What would be right, where it can be guessed.
    pub hint: Option<&'static str>,
}

impl FromStr for Card {
    type Err = CardError;

    fn from_str(text: &str) -> Result<Card, CardError> {
        let mut chars = text.chars();
        if let (Some(rank), Some(suit), None) = (chars.next(), chars.next(), chars.next())
            && let (Some(rank), Some(suit)) = (Rank::from_symbol(rank), Suit::from_symbol(suit))
        {
            return Ok(Card { rank, suit });
        }
        let hint = if text.starts_with("10") {
            "ten is written T, as in Ts"
        } else {
            "write rank (A 2 … 9 T J Q K) and suit (s h d c), as in As or Td"
        };
        Err(CardError { text: text.chars().take(20).collect(), hint: Some(hint) })
    }
}

impl Serialize for Card {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = [self.rank.symbol() as u8, self.suit.symbol() as u8];
        serializer.serialize_str(std::str::from_utf8(&text).expect("both symbols are ASCII"))
    }
}

impl<'de> Deserialize<'de> for Card {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Card, D::Error> {
        struct Visitor;
        impl de::Visitor<'_> for Visitor {
            type Value = Card;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a card such as \"As\"")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Card, E> {
                text.parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_str(Visitor)
    }
}
