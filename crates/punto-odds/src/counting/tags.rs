//! A count that fits in the head: small whole tags in proportion to the effects of removal.

use punto_rules::{Composition, Rank};

/// The largest tag. Published counts of side bets go to 4; nobody keeps more.
pub const MOST_TAG: i8 = 4;

const DECK: f64 = 52.0;

/// A linear count for one bet.
///
/// The running count is the sum of the tags of the cards seen. With the offset, the sum of the tags of the whole shoe, the
/// true count is (running count − offset) ÷ decks left: minus what the cards left are tagged on average, a deck. A
/// balanced count has the offset 0. High is good for the patron.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearCount {
    /// By rank, Ace first. All nought where no rank matters more than another, as for pairs: then there is no count.
    pub tags: [i8; 13],
    /// How closely the tags follow the effects: the betting correlation, 1 for a perfect fit.
    pub correlation: f64,
    /// The sum of the tags of the whole shoe.
    pub offset: i64,
    /// What one of the true count is worth to a patron, for a unit staked.
    pub worth: f64,
    /// What a unit staked gains from the full shoe.
    pub base: f64,
    cards: i64,
}

impl LinearCount {
    /// The tags that follow these effects best, from this shoe, for a bet that gains `base` from all of it.
    ///
    /// The effects are scaled and rounded. Rounding changes only where a scaled effect passes a half, so all scales are
    /// tried by trying one after each such point. The fit is the cosine between effects and tags, both about their means
    /// and weighted by the cards of each rank: the offset takes out whatever the tags sum up to, so it costs nothing.
    pub fn new(effects: &[f64; 13], shoe: &Composition, base: f64) -> LinearCount {
        let weights = Rank::ALL.map(|rank| f64::from(shoe.of_rank(rank)));
        let cards: f64 = weights.iter().sum();
        let about_mean = |values: &[f64; 13]| {
            let mean = values.iter().zip(weights).map(|(value, weight)| value * weight).sum::<f64>() / cards;
            values.map(|value| value - mean)
        };
        let dot = |a: &[f64; 13], b: &[f64; 13]| -> f64 {
            a.iter().zip(b).zip(weights).map(|((a, b), weight)| a * b * weight).sum()
        };
        let centred = about_mean(effects);
        let length = dot(&centred, &centred).sqrt();
        let mut count = LinearCount {
            tags: [0; 13],
            correlation: 0.0,
            offset: 0,
            worth: 0.0,
            base,
            cards: i64::from(shoe.len()),
        };
        for scale in scales(effects) {
            let tags = effects.map(|effect| (effect * scale).round());
            let centred_tags = about_mean(&tags);
            let (along, square) = (dot(&centred, &centred_tags), dot(&centred_tags, &centred_tags));
            let correlation = along / (length * square.sqrt());
            // Scales come smallest first: a larger tag must earn its place by more than noise.
            if square > 0.0 && correlation > count.correlation + 1e-9 {
                count.tags = tags.map(|tag| tag as i8);
                count.correlation = correlation;
                // Each card out shifts the gain by its effect × (cards − 1) ÷ cards left, the least-squares fit over
                // all ways to deal; along ÷ square is what one tag stands for.
                count.worth = along / square * (cards - 1.0) / DECK;
            }
        }
        count.offset = Rank::ALL
            .into_iter()
            .map(|rank| i64::from(count.tags[rank as usize]) * i64::from(shoe.of_rank(rank)))
            .sum();
        count
    }

    /// Whether there is anything to count.
    pub fn counts(&self) -> bool {
        self.tags != [0; 13]
    }

    /// What the tags of a deck sum up to: nought for a balanced count.
    pub fn imbalance(&self) -> f64 {
        self.offset as f64 * DECK / self.cards as f64
    }

    /// The true count after so many cards of each rank have been seen.
    pub fn true_count(&self, seen: &[u32; 13]) -> f64 {
        let running: i64 = seen.iter().zip(self.tags).map(|(&n, tag)| i64::from(n) * i64::from(tag)).sum();
        let left = self.cards - seen.iter().map(|&n| i64::from(n)).sum::<i64>();
        (running - self.offset) as f64 * DECK / left as f64
    }

    /// The true count from which the linear approximation promises more than `gain`.
    ///
    /// Where there is nothing to count it is −∞ if the full shoe promises that much, else +∞: always or never.
    pub fn trigger(&self, gain: f64) -> f64 {
        if self.counts() {
            (gain - self.base) / self.worth - self.imbalance()
        } else if self.base > gain {
            f64::NEG_INFINITY
        } else {
            f64::INFINITY
        }
    }
}

/// One scale after each point at which rounding gives other tags, smallest first.
fn scales(effects: &[f64; 13]) -> Vec<f64> {
    let most = effects.iter().fold(0.0, |most, effect| f64::max(most, effect.abs()));
    // Effects are differences of gains: what is below this beside the largest is nought.
    let sizes = effects.iter().map(|effect| effect.abs()).filter(|&size| size > most * 1e-9);
    let mut scales: Vec<f64> = sizes
        .flat_map(|size| (0..MOST_TAG).map(move |step| (f64::from(step) + 0.5) / size))
        .map(|scale| scale * (1.0 + 1e-12))
        .filter(|scale| scale * most < f64::from(MOST_TAG) + 0.5)
        .collect();
    scales.sort_by(f64::total_cmp);
    scales
}
