//! What a bet is worth: exact counts by row of its pay table, and the figures made from them.

use punto_rules::{Bet, Verdict};

use crate::Ratio;

/// The exact counts of one bet over all six-card sequences of a shoe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Price {
    /// All sequences.
    pub sequences: u64,
    /// The sequences that each row of the pay table decides, in its order.
    pub rows: Vec<u64>,
    /// The sequences that no row matches.
    pub lost: u64,
    /// What each row does.
    verdicts: Vec<Verdict>,
}

impl Price {
    pub(crate) fn new(bet: &Bet, sequences: u64, rows: Vec<u64>) -> Price {
        let verdicts = bet.rows.iter().map(|row| row.verdict()).collect();
        let lost = sequences - rows.iter().sum::<u64>();
        Price { sequences, rows, lost, verdicts }
    }

    /// The sequences that give the stake back.
    pub fn returned(&self) -> u64 {
        self.of(|verdict| verdict == Verdict::Returned)
    }

    /// The sequences that win.
    pub fn won(&self) -> u64 {
        self.of(|verdict| verdict.odds().is_some())
    }

    /// Whether any sequence wins.
    pub fn can_win(&self) -> bool {
        self.won() > 0
    }

    fn of(&self, which: impl Fn(Verdict) -> bool) -> u64 {
        self.rows
            .iter()
            .zip(&self.verdicts)
            .filter(|(_, verdict)| which(**verdict))
            .map(|(count, _)| count)
            .sum()
    }

    /// What the House keeps of a unit staked, on average: the house edge, exactly. Returned stakes count as staked.
    pub fn edge(&self) -> Ratio {
        let mut paid = Ratio::ZERO;
        for (odds, count) in self.wins() {
            paid = paid.minus(Ratio::new(-i128::from(odds.pays()) * i128::from(count), odds.per().into()));
        }
        let kept = Ratio::new(self.lost.into(), 1).minus(paid);
        Ratio::new(kept.numerator(), kept.denominator() * i128::from(self.sequences))
    }

    /// What a row does; `None` if there is no such row.
    pub fn verdict(&self, row: usize) -> Option<Verdict> {
        self.verdicts.get(row).copied()
    }

    /// The edge that would be left if these rows paid nothing (but did not lose either).
    pub(crate) fn edge_without(&self, rows: &[usize]) -> Ratio {
        let mut others = self.clone();
        for &row in rows {
            others.verdicts[row] = Verdict::Returned;
        }
        others.edge()
    }

    fn wins(&self) -> impl Iterator<Item = (punto_rules::Odds, u64)> + '_ {
        let rows = self.verdicts.iter().zip(&self.rows);
        rows.filter_map(|(verdict, count)| Some((verdict.odds()?, *count)))
    }

    /// How likely the bet wins.
    pub fn hit(&self) -> f64 {
        self.share(self.won())
    }

    /// A count as a share of all sequences.
    pub fn share(&self, count: u64) -> f64 {
        count as f64 / self.sequences as f64
    }

    /// The moment of a kind of what a patron gets for a unit staked, about the mean.
    fn central_moment(&self, power: i32) -> f64 {
        let mean = -self.edge().to_f64();
        let wins = self.wins().map(|(odds, count)| (f64::from(odds.pays()) / f64::from(odds.per()), count));
        let all = wins.chain([(-1.0, self.lost), (0.0, self.returned())]);
        all.map(|(gain, count)| (gain - mean).powi(power) * self.share(count)).sum()
    }

    /// The standard deviation of a unit staked.
    pub fn sd(&self) -> f64 {
        self.central_moment(2).sqrt()
    }

    /// The skewness of a unit staked; nought for a bet that always ends alike.
    pub fn skew(&self) -> f64 {
        let sd = self.sd();
        if sd == 0.0 { 0.0 } else { self.central_moment(3) / sd.powi(3) }
    }
}
