//! A Hand of up to three cards, and its Point Total.

use std::fmt;

use serde::Serialize;

use crate::{Card, Rank, Suit};

/// The total of a Hand, 0 to 9: the last digit of the sum of its cards (1.20).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct PointTotal(u8);

impl PointTotal {
    /// The total of these cards; no cards make 0.
    pub fn of(cards: &[Card]) -> PointTotal {
        PointTotal(cards.iter().map(|card| card.rank.value()).sum::<u8>() % 10)
    }

    /// As a number, 0 to 9.
    pub const fn get(self) -> u8 {
        self.0
    }
}

impl fmt::Display for PointTotal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The cards of one side, in the order they came: at most three.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Hand {
    cards: [Card; 3],
    len: u8,
}

impl Hand {
    const BLANK: Card = Card { rank: Rank::Ace, suit: Suit::Spades };
    /// A Hand without cards.
    pub const EMPTY: Hand = Hand { cards: [Self::BLANK; 3], len: 0 };

    /// The cards so far.
    pub fn cards(&self) -> &[Card] {
        &self.cards[..self.len as usize]
    }

    /// How many cards there are.
    pub const fn len(&self) -> u8 {
        self.len
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The total of the cards so far.
    pub fn points(&self) -> PointTotal {
        PointTotal::of(self.cards())
    }

    /// The total of the first two cards, on which the Table of Play decides.
    pub(crate) fn first_two(&self) -> PointTotal {
        PointTotal::of(&self.cards[..2.min(self.len as usize)])
    }

    /// The third card, if one was drawn.
    pub fn third(&self) -> Option<Card> {
        self.cards().get(2).copied()
    }

    /// The rank of the pair that the first two cards form; a third card never makes or breaks one (1.18, 3.10).
    pub fn pair(&self) -> Option<Rank> {
        let [first, second, _] = self.cards;
        (self.len >= 2 && first.rank == second.rank).then_some(first.rank)
    }

    /// Whether the first two cards are a pair of one suit as well.
    pub fn is_suited_pair(&self) -> bool {
        self.len >= 2 && self.cards[0] == self.cards[1]
    }

    /// A two-card total of 8 or 9 (1.12).
    pub fn is_natural(&self) -> bool {
        self.len == 2 && self.points().get() >= 8
    }

    pub(crate) fn take(mut self, card: Card) -> Hand {
        assert!(self.len < 3, "a Hand has at most three cards");
        // Unused places stay at BLANK, so that equal Hands are equal bytes.
        self.cards[self.len as usize] = card;
        self.len += 1;
        self
    }
}

impl fmt::Debug for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}]", crate::notation::show(self.cards()))
    }
}
