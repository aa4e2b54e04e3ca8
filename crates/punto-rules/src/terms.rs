//! The terms of one table: a layout of a rule book, compiled, with its decks and limits in force.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::class::{ClassNo, ClassSpace};
use crate::limits::{BoxLimits, LimitsAsked, LimitsModel, Range};
use crate::{Bet, BetId, Layout, Money, Outcome};

/// A bet's place on the layout: what a wager names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BetNo(u8);

impl BetNo {
    pub(crate) const fn new(index: usize) -> BetNo {
        assert!(index < 256);
        BetNo(index as u8)
    }

    /// As an index into [`Terms::bets`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// What is in force at one table.
#[derive(Clone, Debug)]
pub struct Terms {
    layout: Layout,
    space: Arc<ClassSpace>,
    decks: u8,
    unit: Money,
    betting_box: Option<BoxLimits>,
    ranges: BTreeMap<BetNo, Range>,
}

/// Why terms cannot be in force.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum TermsError {
    #[error("no layout `{asked}`; this game has {}", .known.join(", "))]
    UnknownLayout { asked: String, known: Vec<String> },
    #[error("{asked} decks; this game is played with {min} to {max} ({cite})")]
    Decks { asked: u8, min: u8, max: u8, cite: String },
    #[error(
        "a chip unit of {unit} cannot pay every bet of the layout exactly; it must be {smallest} or a multiple of it"
    )]
    UnitNotExact { unit: Money, smallest: Money },
    #[error("the {what} of {amount} is not a whole number of chip units of {unit}")]
    NotWholeUnits { what: &'static str, amount: Money, unit: Money },
    #[error("the minimum is nothing; the least it can be is the chip unit, {unit}")]
    NoMinimum { unit: Money },
    #[error("the Differential of {differential} is below the minimum of {minimum}")]
    DifferentialBelowMinimum { differential: Money, minimum: Money },
    #[error("the maximum of {maximum} for `{bet}` is below its minimum of {minimum}")]
    MaximumBelowMinimum { bet: String, minimum: Money, maximum: Money },
    #[error("this game has a minimum and a maximum for each bet and no Differential ({cite})")]
    NoDifferential { cite: String },
    #[error("limits name `{bet}`, {why}")]
    LimitsOnBet { bet: String, why: &'static str },
}

impl Terms {
    pub(crate) fn new(
        rulebook: &crate::Rulebook,
        layout: &str,
        decks: u8,
        asked: &LimitsAsked,
    ) -> Result<Terms, TermsError> {
        let layout = rulebook.layout(layout).ok_or_else(|| TermsError::UnknownLayout {
            asked: layout.chars().take(40).collect(),
            known: rulebook.layouts.iter().map(|layout| layout.id.clone()).collect(),
        })?;
        let (min, max) = (rulebook.decks.min, rulebook.decks.max);
        if !(min..=max).contains(&decks) {
            return Err(TermsError::Decks { asked: decks, min, max, cite: rulebook.decks.cite.to_string() });
        }
        let unit = exact_unit(layout, asked.unit)?;
        let cite = || rulebook.limits.cite.to_string();
        if let Some(BoxLimits { minimum, differential }) = asked.betting_box {
            if rulebook.limits.model == LimitsModel::PerBet {
                return Err(TermsError::NoDifferential { cite: cite() });
            }
            check_range("minimum", minimum, "Differential", differential, unit)?;
            if differential < minimum {
                return Err(TermsError::DifferentialBelowMinimum { differential, minimum });
            }
        }
        let mut ranges = BTreeMap::new();
        for (bet, range) in &asked.bets {
            let refuse = |why| TermsError::LimitsOnBet { bet: bet.clone(), why };
            let no = layout.bet_no(bet).ok_or_else(|| refuse("which the layout does not offer"))?;
            let original = layout.bets[no.index()].original.is_some();
            if original && rulebook.limits.model == LimitsModel::Differential {
                return Err(refuse("which is limited by the Differential of its betting box"));
            }
            check_range("minimum", range.minimum, "maximum", range.maximum, unit)?;
            if range.maximum < range.minimum {
                let Range { minimum, maximum } = *range;
                return Err(TermsError::MaximumBelowMinimum { bet: bet.clone(), minimum, maximum });
            }
            ranges.insert(no, *range);
        }
        Ok(Terms {
            layout: layout.clone(),
            space: Arc::clone(&rulebook.space),
            decks,
            unit,
            betting_box: asked.betting_box,
            ranges,
        })
    }

    /// The layout on the table.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The bets offered, in the order of the layout.
    pub fn bets(&self) -> &[Arc<Bet>] {
        &self.layout.bets
    }

    /// One bet.
    pub fn bet(&self, no: BetNo) -> &Bet {
        &self.layout.bets[no.index()]
    }

    /// The place of a bet on the layout; `None` if it is not offered.
    pub fn bet_no(&self, id: &str) -> Option<BetNo> {
        self.layout.bet_no(id)
    }

    /// The number of decks in the shoe.
    pub const fn decks(&self) -> u8 {
        self.decks
    }

    /// The smallest step of a stake.
    pub const fn unit(&self) -> Money {
        self.unit
    }

    /// Minimum and Differential of a betting box, if they were given.
    pub const fn box_limits(&self) -> Option<BoxLimits> {
        self.betting_box
    }

    /// Minimum and maximum of a bet, if they were given.
    pub fn range(&self, bet: BetNo) -> Option<Range> {
        self.ranges.get(&bet).copied()
    }

    /// The classes of outcomes of the rule book.
    pub fn space(&self) -> &ClassSpace {
        &self.space
    }

    /// The class of a completed Round.
    pub fn class_of(&self, outcome: &Outcome) -> ClassNo {
        self.space.class_of(outcome)
    }

    /// Whether a stake can be placed at all: a positive whole number of chip units whose payout money can hold.
    pub fn check_stake(&self, bet: BetNo, stake: Money) -> Result<(), StakeError> {
        let unit = self.unit;
        if stake.is_zero() {
            return Err(StakeError::Nothing { unit });
        }
        if !stake.is_whole(unit) {
            return Err(StakeError::NotWholeUnits { stake, unit });
        }
        let bet = self.bet(bet);
        let odds = bet.most_gross;
        // Stake and gross winnings together must fit: what goes back to the patron, and the commission.
        match odds.on(stake).and_then(|winnings| winnings.plus(stake)) {
            Some(_) => Ok(()),
            None => {
                let (pays, per) = (u128::from(odds.pays()), u128::from(odds.per()));
                let most = u128::from(Money::MAX.get()) * per / (pays + per);
                let most = most as u64 / unit.get() * unit.get();
                let most = Money::new(most).expect("a share of the most is less than the most");
                Err(StakeError::PayoutTooLarge { bet: bet.id.clone(), stake, most })
            }
        }
    }
}

/// Why a stake cannot be placed on any table with this unit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum StakeError {
    #[error("a stake of nothing; stakes are whole multiples of {unit}")]
    Nothing { unit: Money },
    #[error("a stake of {stake} is not a multiple of the chip unit, {unit}")]
    NotWholeUnits { stake: Money, unit: Money },
    #[error("a stake of {stake} on `{bet}` could pay more than money can hold; the most is {most}")]
    PayoutTooLarge { bet: BetId, stake: Money, most: Money },
}

// INTERPRETATION 8: there is no rounding, so the chip unit must pay everything exactly.
fn exact_unit(layout: &Layout, asked: Option<Money>) -> Result<Money, TermsError> {
    let smallest = layout.exact_unit();
    match asked {
        None => Ok(smallest),
        Some(unit) if !unit.is_zero() && unit.is_whole(smallest) => Ok(unit),
        Some(unit) => Err(TermsError::UnitNotExact { unit, smallest }),
    }
}

fn check_range(
    least: &'static str,
    minimum: Money,
    most: &'static str,
    maximum: Money,
    unit: Money,
) -> Result<(), TermsError> {
    if minimum.is_zero() {
        return Err(TermsError::NoMinimum { unit });
    }
    for (what, amount) in [(least, minimum), (most, maximum)] {
        if !amount.is_whole(unit) {
            return Err(TermsError::NotWholeUnits { what, amount, unit });
        }
    }
    Ok(())
}
