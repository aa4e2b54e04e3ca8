//! Cards in use and out of use, counted card by card.

use std::sync::Arc;

use punto_record::{Digest, ShoeNo};
use punto_rules::{Card, Cite};

/// How often each card is there; whatever a record says, it can be counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Copies([u32; Card::KINDS]);

impl Copies {
    pub(crate) const NONE: Copies = Copies([0; Card::KINDS]);

    pub(crate) fn of<'c>(cards: impl IntoIterator<Item = &'c Card>) -> Copies {
        let mut copies = Copies::NONE;
        cards.into_iter().for_each(|card| copies.add(*card));
        copies
    }

    pub(crate) const fn get(&self, card: Card) -> u32 {
        self.0[card.index()]
    }

    pub(crate) fn add(&mut self, card: Card) {
        let copies = &mut self.0[card.index()];
        *copies = copies.saturating_add(1);
    }

    pub(crate) fn remove(&mut self, card: Card) {
        let copies = &mut self.0[card.index()];
        *copies = copies.saturating_sub(1);
    }

    pub(crate) fn holds(&self, other: &Copies) -> bool {
        self.0.iter().zip(&other.0).all(|(here, there)| here >= there)
    }

    pub(crate) fn is_full(&self, decks: u32) -> bool {
        self.0.iter().all(|copies| *copies == decks)
    }
}

/// A shoe in use, or one that was taken out of use and is not done with.
#[derive(Clone, Debug)]
pub(crate) struct Shoe {
    pub(crate) no: ShoeNo,
    /// Cards in the full set.
    pub(crate) cards: u16,
    pub(crate) shuffled: bool,
    pub(crate) commitment: Option<Digest>,
    /// What came out, one after another, where the order was committed to.
    pub(crate) sequence: Vec<Card>,
    pub(crate) dealt: Copies,
    pub(crate) drawn: u32,
    pub(crate) burnt: u32,
    pub(crate) burnt_shown: Option<Card>,
    pub(crate) cut_card_out: bool,
    pub(crate) must_exchange: Option<Cite>,
    pub(crate) reconciled: bool,
    /// Why it was taken out of use.
    pub(crate) retired: Option<Arc<str>>,
}

impl Shoe {
    pub(crate) fn new(no: ShoeNo, cards: u16, shuffled: bool, commitment: Option<Digest>) -> Shoe {
        Shoe {
            no,
            cards,
            shuffled,
            commitment,
            sequence: Vec::new(),
            dealt: Copies::NONE,
            drawn: 0,
            burnt: 0,
            burnt_shown: None,
            cut_card_out: false,
            must_exchange: None,
            reconciled: false,
            retired: None,
        }
    }

    pub(crate) fn left(&self) -> u32 {
        u32::from(self.cards).saturating_sub(self.drawn).saturating_sub(self.burnt)
    }

    pub(crate) const fn is_started(&self) -> bool {
        self.drawn > 0 || self.burnt > 0
    }

    pub(crate) fn draw(&mut self, card: Option<Card>) {
        self.drawn = self.drawn.saturating_add(1);
        if let Some(card) = card {
            self.dealt.add(card);
            if self.commitment.is_some() {
                self.sequence.push(card);
            }
        }
    }

    pub(crate) fn undraw(&mut self, card: Option<Card>) {
        self.drawn = self.drawn.saturating_sub(1);
        if let Some(card) = card {
            self.dealt.remove(card);
            if let Some(place) = self.sequence.iter().rposition(|it| *it == card) {
                self.sequence.remove(place);
            }
        }
    }
}
