//! A simulation beside the exact odds: z-scores by bet, χ² over the classes of outcomes.

use punto_rules::{ClassNo, Composition, Verdict};

use crate::pricer::{PriceError, Pricer};
use crate::simulation::Tally;

/// What came out, and how far it is from what had to.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Each bet, in the order of the layout.
    pub bets: Vec<ComparedBet>,
    /// Σ (seen − expected)² ÷ expected over classes, rare ones put together.
    pub chi_square: f64,
    /// Cells less one.
    pub degrees_of_freedom: u32,
    /// How likely a fair simulation is at least so far off.
    pub p: f64,
}

/// One bet.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct ComparedBet {
    pub won: u64,
    pub lost: u64,
    pub returned: u64,
    /// The house edge of the simulated Rounds.
    pub edge: f64,
    pub exact_edge: f64,
    /// Their difference in standard errors.
    pub z: f64,
}

/// Cells of fewer expected Rounds are put together, or χ² does not hold.
const LEAST_EXPECTED: f64 = 10.0;

impl Comparison {
    /// Compares a tally with the exact odds of the shoe that it was dealt from.
    ///
    /// # Errors
    /// If the shoe is too small for a Round.
    pub fn new(pricer: &Pricer, shoe: &Composition, tally: &Tally) -> Result<Comparison, PriceError> {
        let prices = pricer.price(shoe)?;
        let possible: Vec<ClassNo> = pricer.space().possible().iter().collect();
        let rounds = tally.rounds as f64;
        let bets = pricer.bets().zip(&prices).map(|(bet, price)| {
            let (mut won, mut lost, mut returned, mut paid) = (0, 0, 0, 0.0);
            for &class in &possible {
                let count = tally.counts[class.index()];
                match bet.verdict(class) {
                    Verdict::Won(odds) => {
                        won += count;
                        paid += count as f64 * f64::from(odds.pays()) / f64::from(odds.per());
                    }
                    Verdict::Lost => lost += count,
                    Verdict::Returned => returned += count,
                }
            }
            let (edge, exact_edge) = ((lost as f64 - paid) / rounds, price.edge().to_f64());
            let error = price.sd() / rounds.sqrt();
            // A bet that always ends alike leaves no room for chance.
            let off = edge - exact_edge;
            let z = if off.abs() < 1e-12 { 0.0 } else { off / error };
            ComparedBet { won, lost, returned, edge, exact_edge, z }
        });
        let bets = bets.collect();

        let exact = pricer.classes(shoe)?;
        let mut cells: Vec<(f64, f64)> = Vec::new();
        let mut rest = (0.0, 0.0);
        let mut impossible = false;
        for class in possible {
            let expected = exact.counts[class.index()] as f64 / exact.sequences as f64 * rounds;
            impossible |= expected == 0.0 && tally.counts[class.index()] > 0;
            let cell = (tally.counts[class.index()] as f64, expected);
            if expected >= LEAST_EXPECTED {
                cells.push(cell);
            } else {
                rest = (rest.0 + cell.0, rest.1 + cell.1);
            }
        }
        if rest.1 > 0.0 {
            cells.push(rest);
        }
        let chi_square: f64 = cells.iter().map(|(seen, expected)| (seen - expected).powi(2) / expected).sum();
        let degrees_of_freedom = (cells.len() as u32).saturating_sub(1);
        // What cannot happen happened: no χ² is needed to see that.
        let chi_square = if impossible { f64::INFINITY } else { chi_square };
        let p = if impossible { 0.0 } else { chi_square_tail(chi_square, degrees_of_freedom) };
        Ok(Comparison { bets, chi_square, degrees_of_freedom, p })
    }
}

/// The probability that χ² of so many degrees of freedom is at least this: the regularised upper incomplete gamma
/// function, by its series below the mean and its continued fraction above.
fn chi_square_tail(statistic: f64, degrees_of_freedom: u32) -> f64 {
    if degrees_of_freedom == 0 || statistic <= 0.0 {
        return 1.0;
    }
    let (a, x) = (f64::from(degrees_of_freedom) / 2.0, statistic / 2.0);
    let front = (a * x.ln() - x - ln_gamma(a)).exp();
    if x < a + 1.0 {
        let (mut term, mut sum, mut n) = (1.0 / a, 1.0 / a, a);
        while term > sum * 1e-15 {
            n += 1.0;
            term *= x / n;
            sum += term;
        }
        return (1.0 - front * sum).clamp(0.0, 1.0);
    }
    let tiny = 1e-300;
    let mut b = x + 1.0 - a;
    let mut c = 1.0 / tiny;
    let mut d = 1.0 / b;
    let mut fraction = d;
    for i in 1..10_000 {
        let i = f64::from(i);
        let an = -i * (i - a);
        b += 2.0;
        d = an * d + b;
        d = 1.0 / if d.abs() < tiny { tiny } else { d };
        c = b + an / c;
        c = if c.abs() < tiny { tiny } else { c };
        fraction *= d * c;
        if (d * c - 1.0).abs() < 1e-15 {
            break;
        }
    }
    (front * fraction).clamp(0.0, 1.0)
}

/// ln Γ(x) by Stirling's series, after moving x up to where it is good to the last digit.
fn ln_gamma(x: f64) -> f64 {
    if x < 15.0 {
        return ln_gamma(x + 1.0) - x.ln();
    }
    let y = 1.0 / (x * x);
    let series = (1.0 / 12.0 - y * (1.0 / 360.0 - y * (1.0 / 1260.0 - y / 1680.0))) / x;
    (x - 0.5) * x.ln() - x + 0.5 * (2.0 * std::f64::consts::PI).ln() + series
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Published percentage points of χ².
    #[test]
    fn tails_of_chi_square() {
        for (statistic, degrees, p) in
            [(3.841_459, 1, 0.05), (18.307_04, 10, 0.05), (135.806_7, 100, 0.01), (61.917_9, 100, 0.999)]
        {
            assert!((chi_square_tail(statistic, degrees) - p).abs() < 1e-5, "{statistic} at {degrees}");
        }
        assert_eq!(chi_square_tail(0.0, 5), 1.0);
    }
}
