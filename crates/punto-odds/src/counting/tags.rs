//! A count that fits in the head: small whole tags in proportion to the effects of removal.

use punto_rules::{Card, Composition};

use crate::ByCard;

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
    /// By card where the bet asks for suits, else by rank. All nought where no card matters more than another, as for
    /// pairs: then there is no count.
    pub tags: ByCard<i8>,
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
    /// and weighted by the cards that each tag stands for: the offset takes out whatever the tags sum up to, so it costs nothing.
    pub fn new(effects: &ByCard<f64>, shoe: &Composition, base: f64) -> LinearCount {
        let weights = effects.copies(shoe).map(f64::from);
        let cards: f64 = weights.values().iter().sum();
        let dot = |a: &ByCard<f64>, b: &ByCard<f64>| -> f64 {
            let values = a.values().iter().zip(b.values()).zip(weights.values());
            values.map(|((a, b), weight)| a * b * weight).sum()
        };
        let about_mean = |values: &ByCard<f64>| {
            let weighted = values.values().iter().zip(weights.values()).map(|(value, weight)| value * weight);
            let mean = weighted.sum::<f64>() / cards;
            values.map(|value| value - mean)
        };
        let centred = about_mean(effects);
        let length = dot(&centred, &centred).sqrt();
        let mut count = LinearCount {
            tags: effects.map(|_| 0),
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
        count.offset = count.sum_of_tags(shoe);
        count
    }

    /// Whether there is anything to count.
    pub fn counts(&self) -> bool {
        self.tags.values().iter().any(|&tag| tag != 0)
    }

    /// What the tags of a deck sum up to: nought for a balanced count.
    pub fn imbalance(&self) -> f64 {
        self.offset as f64 * DECK / self.cards as f64
    }

    /// The true count while these cards have not been seen: minus what they are tagged on average, a deck.
    pub fn true_count(&self, left: &Composition) -> f64 {
        -self.sum_of_tags(left) as f64 * DECK / f64::from(left.len())
    }

    fn sum_of_tags(&self, of: &Composition) -> i64 {
        let copies = |cards: &[Card]| cards.iter().map(|&card| i64::from(of.copies(card))).sum::<i64>();
        self.tags.iter().map(|(cards, tag)| i64::from(tag) * copies(cards)).sum()
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
fn scales(effects: &ByCard<f64>) -> Vec<f64> {
    let most = effects.values().iter().fold(0.0, |most, effect| f64::max(most, effect.abs()));
    // Effects are differences of gains: what is below this beside the largest is nought.
    let sizes = effects.values().iter().map(|effect| effect.abs()).filter(|&size| size > most * 1e-9);
    let mut scales: Vec<f64> = sizes
        .flat_map(|size| (0..MOST_TAG).map(move |step| (f64::from(step) + 0.5) / size))
        .map(|scale| scale * (1.0 + 1e-12))
        .filter(|scale| scale * most < f64::from(MOST_TAG) + 0.5)
        .collect();
    scales.sort_by(f64::total_cmp);
    scales
}
