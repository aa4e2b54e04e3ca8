#![allow(dead_code, unreachable_pub)]
//! How much the randomised tests do, and chance that is the same every time. `PUNTO_SOAK=1` asks for the large counts.
//!
//! Included by several test binaries with `mod scale;`, none of which needs all of it.

use punto_rules::{Card, Composition};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// `soak` when a long run was asked for, else `test`.
pub fn scale(test: u64, soak: u64) -> u64 {
    if std::env::var_os("PUNTO_SOAK").is_some_and(|soak| soak == "1") { soak } else { test }
}

/// Says on the record how many cases a randomised test ran.
pub fn says(name: &str, cases: u64) {
    eprintln!("soak: {name}: {cases} cases");
}

/// A source of chance for one case of a test.
pub struct Chance(Xoshiro256PlusPlus);

impl Chance {
    pub fn new(case: u64) -> Chance {
        Chance(Xoshiro256PlusPlus::seed_from_u64(case))
    }

    /// From `least` to `most`, both included.
    pub fn between(&mut self, least: u64, most: u64) -> u64 {
        least + self.0.next_u64() % (most - least + 1)
    }

    /// Any card of a deck.
    pub fn card(&mut self) -> Card {
        Card::from_index(self.between(0, 51) as usize)
    }

    /// One of the cards of a shoe, which loses it.
    pub fn draw(&mut self, shoe: &mut Composition) -> Card {
        let at = self.between(0, u64::from(shoe.len()) - 1) as usize;
        let card = shoe.cards().nth(at).expect("within the shoe");
        assert!(shoe.remove(card));
        card
    }

    /// Some few cards, any of them.
    pub fn handful(&mut self, cards: u64) -> Composition {
        (0..cards).map(|_| self.card()).collect()
    }

    /// Many copies of few kinds: most ranks and suits are missing, one card may be all there is.
    pub fn lopsided(&mut self, kinds: u64) -> Composition {
        let mut shoe = Composition::EMPTY;
        while shoe.len() < 6 {
            for _ in 0..kinds {
                let (card, copies) = (self.card(), self.between(0, 10));
                shoe.set(card, copies as u16);
            }
        }
        shoe
    }

    /// What is left of so many decks after some Rounds, each kind of card gone to a different extent.
    pub fn depleted(&mut self, decks: u16) -> Composition {
        let mut shoe = Composition::EMPTY;
        while shoe.len() < 6 {
            for card in Card::all() {
                // Whole kinds run out now and then.
                let gone = self.between(0, u64::from(decks) + 2) as u16;
                shoe.set(card, decks.saturating_sub(gone));
            }
        }
        shoe
    }
}
