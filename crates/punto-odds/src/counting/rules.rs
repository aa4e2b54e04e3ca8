//! How shoes are dealt and when counters bet, and which rules contradict themselves.

use std::ops::RangeInclusive;

use punto_rules::{Burn, Composition};

use crate::PriceError;

/// The most cards of a Round.
const MOST_CARDS: u32 = 6;
/// Cards behind the cut card where nobody says otherwise: what casinos leave, half a deck, a whole one.
const USUAL_DEPTHS: [u16; 3] = [14, 26, 52];

/// When the last Round of a shoe is dealt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LastRound {
    /// The Round in which the cut card shows is the last.
    Stop,
    /// One more is dealt after it.
    OneMore,
}

impl LastRound {
    /// The fewest cards behind the cut card with which no shoe runs out in the middle of a Round.
    ///
    /// A Round is dealt while the cut card is inside, so with one card more than lie behind it; it may take six. After
    /// it five fewer may be left than lay behind, and one more Round may take six again.
    pub const fn least_behind(self) -> u16 {
        match self {
            LastRound::Stop => 5,
            LastRound::OneMore => 11,
        }
    }
}

/// How shoes are dealt and when counters bet.
#[derive(Clone, Debug, PartialEq)]
pub struct CountingRules {
    /// Cards behind the cut card, several depths at once: each shoe is dealt once, to the deepest.
    pub behind: Vec<u16>,
    /// When the last Round is dealt.
    pub last_round: LastRound,
    /// What is burnt before the first Round. Only a card that is turned over to say how many are burnt has been seen.
    pub burn: Burn,
    /// Bet only where a unit staked gains more than this; several at once.
    pub triggers: Vec<f64>,
    /// The same seed gives the same shoes.
    pub seed: u64,
}

impl CountingRules {
    /// The numbers of cards behind the cut card with which a shoe lasts for a Round and never runs out in one; `None` if
    /// so many are burnt that no cut leaves a Round.
    pub fn depths(last_round: LastRound, burn: Burn, shoe: &Composition) -> Option<RangeInclusive<u16>> {
        let most = shoe.len().checked_sub(most_burnt(burn) + MOST_CARDS)?;
        let depths = last_round.least_behind()..=u16::try_from(most).unwrap_or(u16::MAX);
        (!depths.is_empty()).then_some(depths)
    }

    /// The depths to study where nobody says otherwise: 14, 26 and 52 cards behind the cut card, as far as the shoe allows
    /// them. A shoe that allows none of them is dealt as deep as it can be.
    pub fn usual_depths(last_round: LastRound, burn: Burn, shoe: &Composition) -> Vec<u16> {
        let allowed = CountingRules::depths(last_round, burn, shoe);
        let is_allowed = |depth: &u16| allowed.as_ref().is_some_and(|depths| depths.contains(depth));
        let usual: Vec<u16> = USUAL_DEPTHS.into_iter().filter(is_allowed).collect();
        if usual.is_empty() { vec![last_round.least_behind()] } else { usual }
    }
}

/// The most cards that may be burnt before the first Round.
fn most_burnt(burn: Burn) -> u32 {
    match burn {
        Burn::Fixed(count) => count.into(),
        Burn::ByFirstCard => 11,
    }
}

/// Why a study cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)]
pub enum CountingError {
    #[error("no depth of the cut card to study")]
    NoDepth,
    #[error("no trigger to study")]
    NoTrigger,
    #[error("a trigger of {0} is no gain of a bet")]
    Trigger(f64),
    #[error("{behind} cards behind the cut card are given twice")]
    TwiceTheSame { behind: u16 },
    #[error(
        "with {behind} cards behind the cut card the shoe could run out in a Round; it takes {least} to {most}"
    )]
    TooFewBehind { behind: u16, least: u16, most: u16 },
    #[error(
        "{behind} cards behind the cut card leave no Round in front of it; this shoe takes {least} to {most}"
    )]
    TooManyBehind { behind: u16, least: u16, most: u16 },
    #[error("up to {burnt} cards burnt leave no Round to a shoe of {cards}; at most {most} can be burnt")]
    TooManyBurnt { burnt: u32, most: u32, cards: u32 },
    #[error(transparent)]
    Price(#[from] PriceError),
}

/// Refuses rules that contradict themselves or the shoe. The depths must be sorted.
pub(super) fn check(rules: &CountingRules, shoe: &Composition) -> Result<(), CountingError> {
    let (Some(&first), Some(&last)) = (rules.behind.first(), rules.behind.last()) else {
        return Err(CountingError::NoDepth);
    };
    if let Some(twice) = rules.behind.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(CountingError::TwiceTheSame { behind: twice[0] });
    }
    let Some(depths) = CountingRules::depths(rules.last_round, rules.burn, shoe) else {
        let (burnt, cards) = (most_burnt(rules.burn), shoe.len());
        let most = cards.saturating_sub(u32::from(rules.last_round.least_behind()) + MOST_CARDS);
        return Err(CountingError::TooManyBurnt { burnt, most, cards });
    };
    let (least, most) = depths.into_inner();
    if first < least {
        return Err(CountingError::TooFewBehind { behind: first, least, most });
    }
    if last > most {
        return Err(CountingError::TooManyBehind { behind: last, least, most });
    }
    if rules.triggers.is_empty() {
        return Err(CountingError::NoTrigger);
    }
    match rules.triggers.iter().find(|trigger| !trigger.is_finite()) {
        Some(&trigger) => Err(CountingError::Trigger(trigger)),
        None => Ok(()),
    }
}
