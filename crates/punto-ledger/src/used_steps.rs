//! Which codes of a second factor were used: each is good once.

use std::collections::BTreeSet;

/// Steps that are remembered one by one.
const MOST: usize = 64;

/// The steps of the codes that one person used.
///
/// Not only the highest is remembered: a clock that was ahead for a moment would otherwise refuse every code until time has caught
/// up with it. Nor are they forgotten with time: a clock that is set back would make old codes good again. What is no longer
/// remembered one by one is refused together with everything before it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UsedSteps {
    steps: BTreeSet<u64>,
    /// This one and all before it are refused.
    floor: Option<u64>,
}

impl UsedSteps {
    /// Whether the code of a step may still be used.
    pub fn is_free(&self, step: u64) -> bool {
        Some(step) > self.floor && !self.steps.contains(&step)
    }

    /// The code of a step is used up. False if it was before.
    pub fn use_up(&mut self, step: u64) -> bool {
        let is_free = self.is_free(step);
        if is_free {
            self.steps.insert(step);
            while self.steps.len() > MOST {
                self.floor = self.steps.pop_first();
            }
        }
        is_free
    }

    /// Takes what is known elsewhere.
    pub fn extend(&mut self, other: &UsedSteps) {
        self.floor = self.floor.max(other.floor);
        for step in &other.steps {
            self.use_up(*step);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_step_is_good_once_whatever_the_clock_does() {
        let mut used = UsedSteps::default();
        assert!(used.use_up(1_000) && !used.use_up(1_000));
        // The clock is a year ahead for a moment, and is put right.
        assert!(used.use_up(1_052_000) && !used.use_up(1_052_000));
        assert!(used.use_up(1_001) && used.use_up(1_003));
        // The clock is set back: what was used then is still known, what was not used is good.
        assert!(!used.use_up(1_001) && used.use_up(1_002));
    }

    #[test]
    fn what_is_forgotten_is_refused() {
        let mut used = UsedSteps::default();
        let all = (0..10 * MOST as u64).map(|n| 5_000 + 2 * n);
        assert!(all.clone().all(|step| used.use_up(step)));
        assert!(all.clone().all(|step| !used.is_free(step)));
        assert!(used.steps.len() == MOST && !used.is_free(0) && !used.is_free(5_001));
        let last = all.clone().next_back().expect("many");
        assert!(used.is_free(last - 1) && used.is_free(last + 1));
        // Many codes while the clock was ahead do not shut out the time before it.
        let mut ahead = UsedSteps::default();
        assert!(ahead.use_up(10) && (0..MOST as u64).all(|n| ahead.use_up(9_000 + n)));
        assert!(ahead.use_up(11) && !ahead.use_up(11) && !ahead.use_up(10) && ahead.use_up(12));
    }

    #[test]
    fn two_memories_make_one() {
        let (mut one, mut other) = (UsedSteps::default(), UsedSteps::default());
        assert!((0..100).all(|step| one.use_up(step)));
        other.use_up(200);
        other.extend(&one);
        assert!((0..100).chain([200]).all(|step| !other.is_free(step)) && other.is_free(150));
    }
}
