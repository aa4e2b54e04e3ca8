//! Money: whole minor units, never rounded, never negative.

use std::fmt;
use std::iter::Sum;

use serde::{Deserialize, Serialize};

/// An amount in minor units (cents), at most 2⁵³ − 1 so that it is a plain number in JSON and in the browser.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(extend("maximum" = Money::MAX.get()))
)]
#[serde(try_from = "u64")]
pub struct Money(u64);

impl Money {
    /// Nothing.
    pub const ZERO: Money = Money(0);
    /// The largest amount.
    pub const MAX: Money = Money((1 << 53) - 1);

    /// An amount of minor units; `None` above [`Money::MAX`].
    pub const fn new(minor_units: u64) -> Option<Money> {
        if minor_units <= Self::MAX.0 { Some(Money(minor_units)) } else { None }
    }

    /// In minor units.
    pub const fn get(self) -> u64 {
        self.0
    }

    /// Whether it is nothing.
    pub const fn is_zero(&self) -> bool {
        self.0 == 0
    }

    /// The sum; `None` above [`Money::MAX`].
    pub const fn plus(self, other: Money) -> Option<Money> {
        Money::new(self.0 + other.0)
    }

    /// The difference; `None` where it would be negative.
    pub const fn minus(self, other: Money) -> Option<Money> {
        match self.0.checked_sub(other.0) {
            Some(rest) => Some(Money(rest)),
            None => None,
        }
    }

    /// The difference, or nothing where it would be negative.
    pub const fn less(self, other: Money) -> Money {
        Money(self.0.saturating_sub(other.0))
    }

    /// Whether it is a whole number of `unit`s.
    pub const fn is_whole(self, unit: Money) -> bool {
        unit.0 != 0 && self.0.is_multiple_of(unit.0)
    }
}

/// An amount above [`Money::MAX`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} is more than money can hold (at most {max} minor units)", max = Money::MAX)]
pub struct TooMuch(pub u64);

impl TryFrom<u64> for Money {
    type Error = TooMuch;
    fn try_from(minor_units: u64) -> Result<Money, TooMuch> {
        Money::new(minor_units).ok_or(TooMuch(minor_units))
    }
}

impl Sum for Money {
    /// # Panics
    /// Above [`Money::MAX`]; sums over untrusted amounts go through [`Money::plus`].
    fn sum<I: Iterator<Item = Money>>(amounts: I) -> Money {
        amounts.fold(Money::ZERO, |sum, amount| {
            sum.plus(amount).expect("a sum of money beyond what money can hold")
        })
    }
}

impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
