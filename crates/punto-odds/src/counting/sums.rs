//! What shoes add up to, in whole numbers, and the estimates made from it.

use super::play::CountingStudy;

/// Wins are kept in so many parts of a unit: rounding is far below what chance leaves open.
const PARTS: f64 = 1e9;

/// A higher house edge is tried in steps of this.
pub const EDGE_STEP: f64 = 0.005;
/// So many of them.
pub const EDGE_STEPS: usize = 41;

/// Both counters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ByPlay<T> {
    pub(super) perfect: T,
    pub(super) count: T,
}

/// A figure with its 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The mean over shoes.
    pub mean: f64,
    /// The interval is the mean, this much to either side.
    pub margin: f64,
}

impl Estimate {
    /// The upper end of the interval.
    pub fn most(self) -> f64 {
        self.mean + self.margin
    }
}

/// What one way to play comes to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures {
    /// Units won a shoe.
    pub win: Estimate,
    /// Bets made a shoe.
    pub bets: Estimate,
    /// Bets as a share of the Rounds dealt.
    pub share: f64,
    /// What a bet gains on average; `None` if none was made. The margin is infinite if all were made in one shoe.
    pub gain: Option<Estimate>,
}

/// One shoe of one way to play.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Played {
    pub(super) bets: i64,
    pub(super) parts: i64,
}

/// Sums over shoes. Squares fit as long as ten million shoes win less than a million units each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Sum {
    sum: i128,
    squares: u128,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Sums {
    bets: Sum,
    parts: Sum,
    products: i128,
    /// In how many shoes there was a bet.
    shoes: u64,
}

/// What was played, ready to be added to what others played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountingTally {
    /// Shoes played.
    pub shoes: u64,
    /// By depth.
    rounds: Vec<Sum>,
    /// By bet, trigger and depth.
    played: Vec<ByPlay<Sums>>,
    /// Won by perfect play from nought if the house edge were so many steps higher; by bet, depth and step.
    raised: Vec<Sum>,
    triggers: usize,
}

pub(super) fn parts(gain: f64) -> i64 {
    (gain * PARTS).round() as i64
}

impl CountingTally {
    /// Nothing played yet.
    pub fn new(study: &CountingStudy) -> CountingTally {
        let (bets, depths) = (study.counts().len(), study.rules().behind.len());
        let triggers = study.rules().triggers.len();
        CountingTally {
            shoes: 0,
            rounds: vec![Sum::default(); depths],
            played: vec![ByPlay::default(); bets * triggers * depths],
            raised: vec![Sum::default(); bets * depths * EDGE_STEPS],
            triggers,
        }
    }

    /// One shoe.
    pub(super) fn of_shoe(
        rounds: &[i64],
        played: &[ByPlay<Played>],
        raised: &[i64],
        triggers: usize,
    ) -> Self {
        let both = |it: &ByPlay<Played>| ByPlay { perfect: Sums::of(it.perfect), count: Sums::of(it.count) };
        CountingTally {
            shoes: 1,
            rounds: rounds.iter().map(|&rounds| Sum::of(rounds)).collect(),
            played: played.iter().map(both).collect(),
            raised: raised.iter().map(|&parts| Sum::of(parts)).collect(),
            triggers,
        }
    }

    /// Adds what was played elsewhere in the same study.
    pub fn add(&mut self, other: &CountingTally) {
        self.shoes += other.shoes;
        self.rounds.iter_mut().zip(&other.rounds).for_each(|(sum, more)| sum.add(more));
        self.raised.iter_mut().zip(&other.raised).for_each(|(sum, more)| sum.add(more));
        for (sums, more) in self.played.iter_mut().zip(&other.played) {
            sums.perfect.add(&more.perfect);
            sums.count.add(&more.count);
        }
    }

    /// Rounds a shoe, by the place of the depth.
    pub fn rounds(&self, depth: usize) -> Estimate {
        self.rounds[depth].estimate(self.shoes, 1.0)
    }

    /// What perfect play comes to, by the places of bet, trigger and depth.
    pub fn perfect(&self, bet: usize, trigger: usize, depth: usize) -> Figures {
        self.figures(depth, &self.played[self.place(bet, trigger, depth)].perfect)
    }

    /// What the count comes to, by the places of bet, trigger and depth.
    pub fn count(&self, bet: usize, trigger: usize, depth: usize) -> Figures {
        self.figures(depth, &self.played[self.place(bet, trigger, depth)].count)
    }

    /// What perfect play, betting whenever it gains at all, would win a shoe if the house edge were `step` ×
    /// [`EDGE_STEP`] higher whatever the shoe. Lower pays take most where a bet hits most, so they do even better.
    pub fn with_edge_raised(&self, bet: usize, depth: usize, step: usize) -> Estimate {
        self.raised[(bet * self.rounds.len() + depth) * EDGE_STEPS + step].estimate(self.shoes, PARTS)
    }

    fn place(&self, bet: usize, trigger: usize, depth: usize) -> usize {
        (bet * self.triggers + trigger) * self.rounds.len() + depth
    }

    fn figures(&self, depth: usize, sums: &Sums) -> Figures {
        Figures {
            win: sums.parts.estimate(self.shoes, PARTS),
            bets: sums.bets.estimate(self.shoes, 1.0),
            share: sums.bets.sum as f64 / self.rounds[depth].sum as f64,
            gain: (sums.bets.sum > 0).then(|| sums.gain(self.shoes)),
        }
    }
}

impl Sum {
    fn of(value: i64) -> Sum {
        let size = u128::from(value.unsigned_abs());
        Sum { sum: value.into(), squares: size * size }
    }

    fn add(&mut self, other: &Sum) {
        self.sum += other.sum;
        self.squares += other.squares;
    }

    /// The sum of squares about the mean.
    fn spread(&self, shoes: u64) -> f64 {
        about_mean(self.squares as i128, self.sum, self.sum, shoes)
    }

    fn estimate(&self, shoes: u64, scale: f64) -> Estimate {
        let n = shoes as f64;
        Estimate { mean: self.sum as f64 / n / scale, margin: margin(self.spread(shoes), n) / scale }
    }
}

impl Sums {
    fn of(played: Played) -> Sums {
        Sums {
            bets: Sum::of(played.bets),
            parts: Sum::of(played.parts),
            products: i128::from(played.bets) * i128::from(played.parts),
            shoes: u64::from(played.bets > 0),
        }
    }

    fn add(&mut self, other: &Sums) {
        self.bets.add(&other.bets);
        self.parts.add(&other.parts);
        self.products += other.products;
        self.shoes += other.shoes;
    }

    /// The gain of a bet: a ratio of two sums, so its margin is that of win − gain × bets, over the bets.
    fn gain(&self, shoes: u64) -> Estimate {
        let n = shoes as f64;
        let mean = self.parts.sum as f64 / self.bets.sum as f64;
        let together = about_mean(self.products, self.parts.sum, self.bets.sum, shoes);
        let spread = self.parts.spread(shoes) - 2.0 * mean * together + mean * mean * self.bets.spread(shoes);
        let bets = self.bets.sum as f64 / n;
        let margin = if self.shoes < 2 { f64::INFINITY } else { margin(spread, n) / bets / PARTS };
        Estimate { mean: mean / PARTS, margin }
    }
}

/// Σ xy − Σx Σy ÷ n, in which floating point would lose the difference of two large numbers: the means are taken off
/// in whole numbers first.
fn about_mean(products: i128, x: i128, y: i128, shoes: u64) -> f64 {
    let n = i128::from(shoes.max(1));
    let (mean_x, mean_y) = (x / n, y / n);
    let centred = products - mean_x * y - mean_y * x + n * mean_x * mean_y;
    let (rest_x, rest_y) = ((x - n * mean_x) as f64, (y - n * mean_y) as f64);
    centred as f64 - rest_x * rest_y / n as f64
}

/// Half of the 95 % confidence interval of a mean.
fn margin(spread: f64, n: f64) -> f64 {
    if n < 2.0 { f64::INFINITY } else { 1.96 * (spread.max(0.0) / (n - 1.0) / n).sqrt() }
}
