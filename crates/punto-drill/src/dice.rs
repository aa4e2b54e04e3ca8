//! Randomness with a seed: the same seed gives the same run on any machine.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

/// A stream of numbers.
#[derive(Debug)]
pub(crate) struct Dice(ChaCha20Rng);

impl Dice {
    /// The stream of a seed; each night has one of its own.
    pub(crate) fn new(seed: u64, night: u64) -> Dice {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        bytes[8..16].copy_from_slice(&night.to_le_bytes());
        Dice(ChaCha20Rng::from_seed(bytes))
    }

    pub(crate) fn number(&mut self) -> u64 {
        self.0.next_u64()
    }

    pub(crate) fn bytes(&mut self) -> [u8; 32] {
        let mut bytes = [0; 32];
        self.0.fill_bytes(&mut bytes);
        bytes
    }

    /// 0 to `below` - 1.
    pub(crate) fn below(&mut self, below: usize) -> usize {
        (self.number() % below as u64) as usize
    }

    /// `from` to `to` - 1.
    pub(crate) fn between(&mut self, from: u64, to: u64) -> u64 {
        from + self.number() % (to - from)
    }

    /// True in so many cases of a thousand.
    pub(crate) fn rarely(&mut self, of_a_thousand: usize) -> bool {
        self.below(1000) < of_a_thousand
    }

    /// True in so many cases of a hundred.
    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub(crate) fn pick<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }

    /// One of them by weight.
    pub(crate) fn weigh<T: Clone>(&mut self, of: &[(usize, T)]) -> T {
        let mut at = self.below(of.iter().map(|(weight, _)| weight).sum());
        for (weight, it) in of {
            match at.checked_sub(*weight) {
                Some(rest) => at = rest,
                None => return it.clone(),
            }
        }
        unreachable!("weights add up")
    }

    pub(crate) fn shuffle<T>(&mut self, cards: &mut [T]) {
        for i in (1..cards.len()).rev() {
            cards.swap(i, self.below(i + 1));
        }
    }
}
