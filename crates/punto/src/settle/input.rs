//! A line of input: one Round with its wagers.

use std::borrow::Cow;
use std::fmt;

use punto_rules::{Card, Money, Stance};
use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, Serialize};

/// One Round to settle.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RoundIn<'l> {
    #[serde(borrow)]
    pub(super) game: Cow<'l, str>,
    #[serde(borrow)]
    pub(super) layout: Cow<'l, str>,
    pub(super) limits: Option<LimitsIn>,
    pub(super) cards: Vec<Card>,
    #[serde(borrow)]
    pub(super) wagers: Vec<WagerIn<'l>>,
}

/// Minimum and Differential of the betting boxes, and the chip unit.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LimitsIn {
    pub(super) minimum: Amount,
    pub(super) differential: Amount,
    pub(super) unit: Option<Amount>,
}

/// One wager.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WagerIn<'l> {
    #[serde(borrow)]
    pub(super) patron: Cow<'l, str>,
    #[serde(rename = "box")]
    pub(super) box_no: Option<u64>,
    pub(super) stance: Option<Stance>,
    #[serde(borrow)]
    pub(super) bet: Cow<'l, str>,
    pub(super) stake: Amount,
}

/// An amount whose refusal says what is wrong with it.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
pub(super) struct Amount(pub(super) Money);

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Amount, D::Error> {
        struct AmountVisitor;
        impl Visitor<'_> for AmountVisitor {
            type Value = Amount;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a whole number of minor units from 0 to {}", Money::MAX)
            }
            fn visit_u64<E: de::Error>(self, amount: u64) -> Result<Amount, E> {
                Money::try_from(amount).map(Amount).map_err(E::custom)
            }
            fn visit_i64<E: de::Error>(self, amount: i64) -> Result<Amount, E> {
                let amount = u64::try_from(amount)
                    .map_err(|_| E::custom(format!("an amount of {amount} is negative")))?;
                self.visit_u64(amount)
            }
        }
        deserializer.deserialize_u64(AmountVisitor)
    }
}
