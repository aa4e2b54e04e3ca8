//! The cards in use, and sets that were taken out of use.

use punto_record::{CardSet, Digest, ShoeNo};
use punto_rules::{Card, Cite, Composition};
use serde::{Deserialize, Serialize};

/// A shoe in use, or one filling of a shuffler.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct ShoeInUse {
    pub no: ShoeNo,
    pub card_set: CardSet,
    /// Cards in the full set.
    pub cards: u16,
    pub shuffled: bool,
    pub commitment: Option<Digest>,
    /// The cards that came out of a shoe that is committed to its order, one after another.
    pub sequence: Vec<Card>,
    /// Every card that came out and is known.
    pub dealt: Composition,
    /// How many came out, known or not, without the burnt ones.
    pub drawn: u16,
    pub burnt: u16,
    pub cut_card_out: bool,
    /// Why the cards may not be used any more.
    pub must_exchange: Option<Cite>,
}

impl ShoeInUse {
    /// Cards left, as far as the record knows.
    pub const fn left(&self) -> u16 {
        self.cards.saturating_sub(self.drawn).saturating_sub(self.burnt)
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
        self.drawn -= 1;
        if let Some(card) = card {
            let there = self.dealt.remove(card);
            assert!(there, "a card is put back only if it was out");
            if let Some(place) = self.sequence.iter().rposition(|it| *it == card) {
                self.sequence.remove(place);
            }
        }
    }
}

/// A set that was taken out of use and is not done with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct RetiredShoe {
    pub no: ShoeNo,
    pub cards: u16,
    pub dealt: Composition,
    pub commitment: Option<Digest>,
    pub burnt: u16,
    pub sequence: Vec<Card>,
    /// A fault of these cards was found while they were in use.
    pub found: bool,
    /// Cards were dealt from it.
    pub played: bool,
    pub reconciled: bool,
}
