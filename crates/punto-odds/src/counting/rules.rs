//! How shoes are dealt and when counters bet, and which rules contradict themselves.

use punto_rules::{Burn, Composition};

use crate::PriceError;

/// The most cards of a Round.
const MOST_CARDS: u32 = 6;

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
        "with {behind} cards behind the cut card the shoe could run out in a Round; at least {least} are needed"
    )]
    TooFewBehind { behind: u16, least: u16 },
    #[error("{behind} cards behind the cut card and up to {burnt} burnt leave no Round to a shoe of {cards}")]
    NoRound { behind: u16, burnt: u32, cards: u32 },
    #[error(transparent)]
    Price(#[from] PriceError),
}

/// Refuses rules that contradict themselves or the shoe. The depths must be sorted.
pub(super) fn check(rules: &CountingRules, shoe: &Composition) -> Result<(), CountingError> {
    let least = rules.last_round.least_behind();
    let burnt = match rules.burn {
        Burn::Fixed(count) => count.into(),
        Burn::ByFirstCard => 11,
    };
    let (Some(&first), Some(&last)) = (rules.behind.first(), rules.behind.last()) else {
        return Err(CountingError::NoDepth);
    };
    if let Some(twice) = rules.behind.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(CountingError::TwiceTheSame { behind: twice[0] });
    }
    if first < least {
        return Err(CountingError::TooFewBehind { behind: first, least });
    }
    if u32::from(last) + burnt + MOST_CARDS > shoe.len() {
        return Err(CountingError::NoRound { behind: last, burnt, cards: shoe.len() });
    }
    if rules.triggers.is_empty() {
        return Err(CountingError::NoTrigger);
    }
    match rules.triggers.iter().find(|trigger| !trigger.is_finite()) {
        Some(&trigger) => Err(CountingError::Trigger(trigger)),
        None => Ok(()),
    }
}
