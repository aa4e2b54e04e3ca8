//! Several bets at once: how they go together, and what a basket of them is worth.

use punto_rules::{ClassNo, Verdict};

use crate::pricer::{Histogram, Pricer};

/// Means, variances and covariances of all bets of a layout, for a unit staked on each.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    means: Vec<f64>,
    covariances: Vec<Vec<f64>>,
}

impl Joint {
    /// From the exact counts of every class.
    pub fn new(pricer: &Pricer, classes: &Histogram) -> Joint {
        let possible: Vec<ClassNo> = pricer.space().possible().iter().collect();
        let gains: Vec<Vec<f64>> = pricer
            .bets()
            .map(|bet| possible.iter().map(|&class| gain(bet.verdict(class))).collect())
            .collect();
        let total = classes.sequences as f64;
        let weights: Vec<f64> =
            possible.iter().map(|class| classes.counts[class.index()] as f64 / total).collect();
        let mean = |gains: &Vec<f64>| -> f64 {
            gains.iter().zip(&weights).map(|(gain, weight)| gain * weight).sum()
        };
        let means: Vec<f64> = gains.iter().map(mean).collect();
        let covariance = |i: usize, j: usize| -> f64 {
            let both = gains[i].iter().zip(&gains[j]).zip(&weights);
            both.map(|((a, b), weight)| (a - means[i]) * (b - means[j]) * weight).sum()
        };
        let covariances =
            (0..gains.len()).map(|i| (0..gains.len()).map(|j| covariance(i, j)).collect()).collect();
        Joint { means, covariances }
    }

    /// The correlation of two bets, −1 to 1; nought with a bet that always ends alike.
    pub fn correlation(&self, i: usize, j: usize) -> f64 {
        let deviations = (self.covariances[i][i] * self.covariances[j][j]).sqrt();
        if deviations == 0.0 { 0.0 } else { self.covariances[i][j] / deviations }
    }

    /// Mean and standard deviation of so much staked on each bet.
    pub fn basket(&self, stakes: &[f64]) -> (f64, f64) {
        let mean = self.means.iter().zip(stakes).map(|(mean, stake)| mean * stake).sum();
        let mut variance = 0.0;
        for (i, a) in stakes.iter().enumerate() {
            for (j, b) in stakes.iter().enumerate() {
                variance += a * b * self.covariances[i][j];
            }
        }
        (mean, f64::max(variance, 0.0).sqrt())
    }
}

fn gain(verdict: Verdict) -> f64 {
    match verdict {
        Verdict::Won(odds) => f64::from(odds.pays()) / f64::from(odds.per()),
        Verdict::Lost => -1.0,
        Verdict::Returned => 0.0,
    }
}
