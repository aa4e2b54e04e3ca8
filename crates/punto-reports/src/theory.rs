//! Statistics: what the exact odds expect of the stakes that were played, and how far chance may take a table from it.
//!
//! The only file of this crate with floats. Whole minor units and exact ratios come in; whole minor units go out, with
//! the interval rounded outwards. No amount that anybody is paid or owes passes through here.

use punto_odds::{Joint, Pricer, Ratio};
use punto_record::Settings;
use punto_rules::{BetId, Composition, LimitsAsked, Rulebook};

/// 95 of 100 normal deviates lie within so many standard deviations.
const NORMAL_95: f64 = 1.959_963_984_540_054;

/// The bets of a layout, priced for a full shoe.
#[derive(Clone, Debug)]
pub(crate) struct Pricing {
    bets: Vec<BetId>,
    edges: Vec<Ratio>,
    /// Covariances of a unit staked on each of two bets in one Round.
    covariances: Vec<Vec<f64>>,
}

/// What had to be expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Expected {
    pub(crate) win: i128,
    pub(crate) low: i128,
    pub(crate) high: i128,
    /// How many thousandths of a standard deviation the actual win is away.
    pub(crate) z: i64,
}

impl Pricing {
    /// Prices the layout of a table. `None` where its rule book cannot be read by this release.
    pub(crate) fn new(settings: &Settings, rulebook: &str) -> Option<Pricing> {
        let rulebook = Rulebook::recorded(rulebook).ok()?;
        let asked = LimitsAsked { unit: settings.unit, betting_box: None, bets: [].into() };
        let terms = rulebook.terms(&settings.layout, settings.decks, &asked).ok()?;
        let (pricer, shoe) = (Pricer::new(&terms), Composition::decks(settings.decks));
        let prices = pricer.price(&shoe).ok()?;
        let joint = Joint::new(&pricer, &pricer.classes(&shoe).ok()?);
        let sds: Vec<f64> = prices.iter().map(|price| price.sd()).collect();
        let all = 0..sds.len();
        let covariance = |i: usize, j: usize| {
            if i == j { sds[i] * sds[i] } else { joint.correlation(i, j) * sds[i] * sds[j] }
        };
        Some(Pricing {
            bets: terms.bets().iter().map(|bet| bet.id.clone()).collect(),
            edges: prices.iter().map(|price| price.edge()).collect(),
            covariances: all.clone().map(|i| all.clone().map(|j| covariance(i, j)).collect()).collect(),
        })
    }

    /// The place of a bet.
    pub(crate) fn bet_no(&self, bet: &BetId) -> Option<usize> {
        self.bets.iter().position(|it| it == bet)
    }

    /// A bet by its place.
    pub(crate) fn bet(&self, bet: usize) -> &BetId {
        &self.bets[bet]
    }

    /// The exact edge of a bet.
    pub(crate) fn edge(&self, bet: usize) -> Ratio {
        self.edges[bet]
    }

    /// What some bets together had to win. `products` are sums over Rounds of the stake on one bet times that on
    /// another; each pair of different bets stands there once.
    pub(crate) fn expect(
        &self,
        handles: &[(usize, i128)],
        products: &[((usize, usize), i128)],
        actual: i128,
    ) -> Expected {
        let win: i128 = handles.iter().map(|(bet, handle)| part_of(*handle, self.edges[*bet])).sum();
        let variance: f64 = products
            .iter()
            .map(|((i, j), product)| {
                let times = if i == j { 1.0 } else { 2.0 };
                times * self.covariances[*i][*j] * (*product as f64)
            })
            .sum();
        let sd = variance.max(0.0).sqrt();
        let reach = (NORMAL_95 * sd).ceil() as i128;
        let off = (actual - win) as f64;
        let z = if sd > 0.0 { (off / sd * 1000.0).round() as i64 } else { 0 };
        Expected { win, low: win - reach, high: win + reach, z }
    }
}

/// A ratio of an amount, to the nearest minor unit.
fn part_of(amount: i128, ratio: Ratio) -> i128 {
    let (above, below) = (ratio.numerator(), ratio.denominator());
    match amount.checked_mul(above) {
        Some(exact) => {
            let half = if exact < 0 { -below } else { below } / 2;
            exact.saturating_add(half) / below
        }
        // More than 127 bits: an estimate, as the interval around it is.
        None => (amount as f64 * ratio.to_f64()).round() as i128,
    }
}
