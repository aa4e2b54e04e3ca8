//! The cards of a game and the shoe they are dealt from: composition, shuffle, cut, burn.
//!
//! Randomness is handed in as a seed. Burn and cut are not in the rules; they are settings of a table (interpretation 7).

use std::collections::BTreeMap;

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use serde::{Deserialize, Serialize};

use crate::{Card, Rank};

/// How many copies of each card there are.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(into = "BTreeMap<Card, u16>", from = "BTreeMap<Card, u16>")]
pub struct Composition {
    copies: [u16; Card::KINDS],
}

impl Composition {
    /// No cards.
    pub const EMPTY: Composition = Composition { copies: [0; Card::KINDS] };

    /// So many full decks.
    pub const fn decks(decks: u8) -> Composition {
        Composition { copies: [decks as u16; Card::KINDS] }
    }

    /// The copies of one card.
    pub const fn copies(&self, card: Card) -> u16 {
        self.copies[card.index()]
    }

    /// The cards of one rank.
    pub fn of_rank(&self, rank: Rank) -> u32 {
        self.copies[rank as usize * 4..][..4].iter().map(|&copies| u32::from(copies)).sum()
    }

    /// The cards of one value, 0 to 9.
    pub fn of_value(&self, value: u8) -> u32 {
        Rank::ALL.into_iter().filter(|rank| rank.value() == value).map(|rank| self.of_rank(rank)).sum()
    }

    /// All cards.
    pub fn len(&self) -> u32 {
        self.copies.iter().map(|&copies| u32::from(copies)).sum()
    }

    /// Whether there are no cards.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Sets how many copies of a card there are.
    pub fn set(&mut self, card: Card, copies: u16) {
        self.copies[card.index()] = copies;
    }

    /// Adds one copy.
    pub fn add(&mut self, card: Card) {
        self.copies[card.index()] += 1;
    }

    /// Takes one copy away; `false` if there is none: a card beyond its copies.
    #[must_use]
    pub fn remove(&mut self, card: Card) -> bool {
        let copies = &mut self.copies[card.index()];
        let there = *copies > 0;
        *copies -= u16::from(there);
        there
    }

    /// Every card, in the order of [`Card::all`].
    pub fn cards(&self) -> impl Iterator<Item = Card> + '_ {
        Card::all().flat_map(|card| std::iter::repeat_n(card, self.copies(card).into()))
    }
}

impl From<Composition> for BTreeMap<Card, u16> {
    fn from(composition: Composition) -> Self {
        Card::all().map(|card| (card, composition.copies(card))).filter(|(_, copies)| *copies > 0).collect()
    }
}

impl From<BTreeMap<Card, u16>> for Composition {
    fn from(copies: BTreeMap<Card, u16>) -> Self {
        let mut composition = Composition::EMPTY;
        copies.into_iter().for_each(|(card, copies)| composition.set(card, copies));
        composition
    }
}

impl FromIterator<Card> for Composition {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Composition {
        let mut composition = Composition::EMPTY;
        cards.into_iter().for_each(|card| composition.add(card));
        composition
    }
}

/// How many cards are burnt before the first Round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Burn {
    /// A fixed number.
    Fixed(u16),
    /// The first card is turned over and burnt, then as many as it shows: Ace 1, 10 and pictures 10.
    ByFirstCard,
}

/// Cards in an order, dealt from the front.
///
/// ```
/// use punto_rules::{Burn, Composition, Shoe};
/// let mut shoe = Shoe::shuffled(&Composition::decks(8), [7; 32]);
/// shoe.cut(200);
/// shoe.place_cut_card(14);
/// let burnt = shoe.burn(Burn::ByFirstCard);
/// assert_eq!(shoe.remaining() + burnt.len(), 416);
/// assert!(!shoe.is_cut_card_out());
/// assert!(shoe.draw().is_some());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shoe {
    cards: Vec<Card>,
    dealt: usize,
    /// How many cards lie behind the cut card.
    behind_cut_card: usize,
}

impl Shoe {
    /// These cards in this order.
    pub fn stacked(cards: Vec<Card>) -> Shoe {
        Shoe { cards, dealt: 0, behind_cut_card: 0 }
    }

    /// All orders equally likely, by the seed: Fisher–Yates over a ChaCha20 stream.
    ///
    /// The order for a seed is part of the record's meaning and never changes with a release, which is why the few
    /// lines are here and not a library's `shuffle`, whose use of the stream may change.
    pub fn shuffled(composition: &Composition, seed: [u8; 32]) -> Shoe {
        let mut stream = ChaCha20Rng::from_seed(seed);
        let mut cards: Vec<Card> = composition.cards().collect();
        for last in (1..cards.len()).rev() {
            cards.swap(last, below(last as u32 + 1, &mut stream) as usize);
        }
        Shoe::stacked(cards)
    }

    /// The cutter's cut: the first `at` cards go to the back.
    ///
    /// # Panics
    /// If there are not so many cards, or dealing has begun.
    pub fn cut(&mut self, at: usize) {
        assert!(self.dealt == 0 && at <= self.cards.len(), "a cut is made within the whole pack");
        self.cards.rotate_left(at);
    }

    /// Puts the cut card before the last `behind` cards.
    ///
    /// # Panics
    /// If there are not so many cards left.
    pub fn place_cut_card(&mut self, behind: usize) {
        assert!(behind <= self.remaining(), "a cut card lies within the shoe");
        self.behind_cut_card = behind;
    }

    /// Burns cards and returns them; all that are left if there are fewer.
    pub fn burn(&mut self, burn: Burn) -> Vec<Card> {
        let mut burnt = Vec::new();
        let count = match burn {
            Burn::Fixed(count) => count,
            Burn::ByFirstCard => {
                let Some(first) = self.draw() else { return burnt };
                burnt.push(first);
                match first.rank.value() {
                    0 => 10,
                    value => value.into(),
                }
            }
        };
        burnt.extend((0..count).map_while(|_| self.draw()));
        burnt
    }

    /// The next card; `None` from an exhausted shoe.
    pub fn draw(&mut self) -> Option<Card> {
        let card = self.cards.get(self.dealt).copied()?;
        self.dealt += 1;
        Some(card)
    }

    /// How many cards are left.
    pub fn remaining(&self) -> usize {
        self.cards.len() - self.dealt
    }

    /// What is left, as a composition.
    pub fn left(&self) -> Composition {
        self.cards[self.dealt..].iter().copied().collect()
    }

    /// Whether the cut card has come out.
    pub fn is_cut_card_out(&self) -> bool {
        self.remaining() <= self.behind_cut_card && self.behind_cut_card > 0
    }
}

/// A number from 0 to `bound` − 1, all equally likely: draws that would favour some numbers are thrown away.
fn below(bound: u32, stream: &mut ChaCha20Rng) -> u32 {
    let excess = (u64::from(u32::MAX) + 1) % u64::from(bound);
    loop {
        let draw = stream.next_u32();
        if u64::from(draw) <= u64::from(u32::MAX) - excess {
            return draw % bound;
        }
    }
}
