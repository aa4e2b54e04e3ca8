//! What a game-protection manager wants to know: which bets can be beaten by counting, and what would cure it.

use super::play::CountingStudy;
use super::sums::{CountingTally, EDGE_STEP, EDGE_STEPS, Estimate};

/// Below this perfect play is not worth watching, in table maximums a shoe.
///
/// A shoe takes about an hour. A twentieth of a maximum an hour, for someone who never errs, sits through every Round and
/// bets the most that is allowed, is less than the same person earns honestly at most tables.
pub const WORTH_WATCHING: f64 = 0.05;

/// From here on a bet is vulnerable, in table maximums a shoe: half a maximum an hour is a living, and it pays for
/// confederates and hidden devices.
pub const VULNERABLE: f64 = 0.5;

/// How much a bet is to be feared for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Concern {
    /// Perfect play wins next to nothing.
    NotWorthWatching,
    /// There is something to win, but no living.
    OfInterest,
    /// Worth a counter's while.
    Vulnerable,
    /// It gains from the full shoe already: no counting is needed.
    FavoursPatron,
}

/// What would bring a bet below the bound that it is above; each measure by itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cure {
    /// The bound: [`VULNERABLE`] or [`WORTH_WATCHING`].
    pub below: f64,
    /// The fewest cards behind the cut card, of the depths studied, that do it.
    pub behind: Option<u16>,
    /// How much higher the house edge would have to be, to the next [`EDGE_STEP`]; `None` if no step studied does it.
    pub edge_higher: Option<f64>,
    /// The share of today's maximum that does it.
    pub maximum: f64,
}

/// The finding on one bet, at the depth with the fewest cards behind the cut card.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Finding {
    /// How much it is to be feared for.
    pub concern: Concern,
    /// What perfect play wins a shoe, betting wherever it gains at all: nobody can win more with flat bets.
    pub most: Estimate,
    /// What would cure it; `None` where nothing needs a cure.
    pub cure: Option<Cure>,
}

/// A finding for each bet. Bounds are held against the upper end of the confidence interval: a study of few shoes should
/// alarm rather than lull.
pub fn findings(study: &CountingStudy, tally: &CountingTally) -> Vec<Finding> {
    (0..study.counts().len()).map(|bet| finding(study, tally, bet)).collect()
}

fn finding(study: &CountingStudy, tally: &CountingTally, bet: usize) -> Finding {
    let most = tally.with_edge_raised(bet, 0, 0);
    let (concern, below) = if study.counts()[bet].base > 0.0 {
        (Concern::FavoursPatron, WORTH_WATCHING)
    } else if most.most() >= VULNERABLE {
        (Concern::Vulnerable, VULNERABLE)
    } else if most.most() >= WORTH_WATCHING {
        (Concern::OfInterest, WORTH_WATCHING)
    } else {
        return Finding { concern: Concern::NotWorthWatching, most, cure: None };
    };
    let behind = &study.rules().behind;
    let cure = Cure {
        below,
        behind: (0..behind.len())
            .find(|&depth| tally.with_edge_raised(bet, depth, 0).most() < below)
            .map(|depth| behind[depth]),
        edge_higher: (0..EDGE_STEPS)
            .find(|&step| tally.with_edge_raised(bet, 0, step).most() < below)
            .map(|step| step as f64 * EDGE_STEP),
        maximum: below / most.most(),
    };
    Finding { concern, most, cure: Some(cure) }
}
