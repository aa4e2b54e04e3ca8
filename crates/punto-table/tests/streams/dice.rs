//! Randomness with a seed: what fails once fails again.

/// SplitMix64.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) const fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// 0 to `below` - 1.
    pub(crate) fn below(&mut self, below: usize) -> usize {
        (self.next() % below as u64) as usize
    }

    /// True in so many cases of a hundred.
    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub(crate) fn pick<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }

    /// Picks by weight.
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
