//! Dice: one seed for the whole floor, a stream of its own for everybody, so that what one does moves nobody else's.

use std::time::Duration;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

/// Somebody's dice.
#[derive(Clone, Debug)]
pub(super) struct Chance(ChaCha8Rng);

impl Chance {
    pub(super) fn new(seed: u64) -> Chance {
        Chance(ChaCha8Rng::seed_from_u64(seed))
    }

    /// The dice of somebody else, by the same seed.
    pub(super) fn fork(&self, who: u64) -> Chance {
        let mut dice = self.0.clone();
        dice.set_stream(who);
        Chance(dice)
    }

    /// One of 0 to `count` − 1. So many that a trace of unevenness does not matter are not asked for.
    pub(super) fn below(&mut self, count: u64) -> u64 {
        self.0.next_u64() % count.max(1)
    }

    /// A number.
    pub(super) fn number(&mut self) -> u32 {
        self.0.next_u32()
    }

    /// Happens once in so many times.
    pub(super) fn once_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    /// One of these.
    pub(super) fn pick<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        of.get(self.below(of.len() as u64) as usize)
    }

    /// In any order.
    pub(super) fn shuffle<T>(&mut self, of: &mut [T]) {
        for last in (1..of.len()).rev() {
            of.swap(last, self.below(last as u64 + 1) as usize);
        }
    }

    /// Some time from here to there.
    pub(super) fn between(&mut self, least: Duration, most: Duration) -> Duration {
        let span = most.saturating_sub(least).as_millis() as u64;
        least + Duration::from_millis(self.below(span + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_throws_the_same_and_everybody_differently() {
        let throws = |seed, who| {
            let mut chance = Chance::new(seed).fork(who);
            (0..20).map(|_| chance.below(100)).collect::<Vec<_>>()
        };
        assert_eq!(throws(1, 2), throws(1, 2));
        assert_ne!(throws(1, 2), throws(1, 3));
        assert_ne!(throws(1, 2), throws(2, 2));
        let mut chance = Chance::new(5);
        let mut all: Vec<u64> = (0..50).collect();
        chance.shuffle(&mut all);
        assert_ne!(all, (0..50).collect::<Vec<_>>());
        all.sort_unstable();
        assert_eq!(all, (0..50).collect::<Vec<_>>());
        let (least, most) = (Duration::from_millis(5), Duration::from_millis(8));
        assert!((0..100).map(|_| chance.between(least, most)).all(|it| (least..=most).contains(&it)));
    }
}
