//! Odds as exact ratios: 11 to 1, 1 to 2, 0.95 to 1.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::Money;

/// What a winning bet pays, as a ratio in lowest terms: `pays` for every `per` staked.
///
/// ```
/// use punto_rules::{Money, Odds};
/// let odds: Odds = "0.95 to 1".parse().unwrap();
/// assert_eq!((odds.pays(), odds.per()), (19, 20));
/// assert_eq!(odds.to_string(), "0.95 to 1");
/// assert_eq!(odds.on(Money::new(100).unwrap()), Money::new(95));
/// assert_eq!(odds.on(Money::new(101).unwrap()), None); // nothing is ever rounded
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(
        with = "String",
        description = "What a winning bet pays, as felts print it: `11 to 1`, `0.95 to 1`.",
        extend("pattern" = "^[0-9]{1,7}([.][0-9]{1,4})? to [0-9]{1,7}([.][0-9]{1,4})?$")
    )
)]
pub struct Odds {
    pays: u32,
    per: u32,
}

/// Text that is no odds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum OddsError {
    #[error("odds are written `11 to 1`, `1 to 2` or `0.95 to 1`")]
    Malformed,
    #[error("odds of nothing: a bet that gives the stake back says `returned = true`")]
    Zero,
    #[error("odds have at most four decimals and, in lowest terms, no number above 1000000")]
    TooLarge,
}

/// Keeps every payout of a possible stake within `u64` arithmetic.
const MOST: u64 = 1_000_000;

impl Odds {
    /// `pays` for every `per` staked, reduced to lowest terms.
    pub fn new(pays: u64, per: u64) -> Result<Odds, OddsError> {
        if per == 0 {
            return Err(OddsError::Malformed);
        }
        if pays == 0 {
            return Err(OddsError::Zero);
        }
        let common = gcd(pays, per);
        let (pays, per) = (pays / common, per / common);
        if pays > MOST || per > MOST {
            return Err(OddsError::TooLarge);
        }
        Ok(Odds { pays: pays as u32, per: per as u32 })
    }

    /// How much is paid …
    pub const fn pays(self) -> u32 {
        self.pays
    }

    /// … for every this much staked. Also the smallest stake that is paid exactly.
    pub const fn per(self) -> u32 {
        self.per
    }

    /// Which odds pay more.
    pub fn more(self, other: Odds) -> std::cmp::Ordering {
        let (a, b) =
            (u64::from(self.pays) * u64::from(other.per), u64::from(other.pays) * u64::from(self.per));
        a.cmp(&b)
    }

    /// The winnings on a stake; `None` if they are not a whole number of minor units or more than money can hold.
    pub fn on(self, stake: Money) -> Option<Money> {
        // In lowest terms stake × pays ÷ per is whole exactly when per divides the stake.
        let (stake, per) = (stake.get(), u64::from(self.per));
        if per == 1 {
            return Money::new(stake.checked_mul(u64::from(self.pays))?);
        }
        if !stake.is_multiple_of(per) {
            return None;
        }
        Money::new((stake / per).checked_mul(u64::from(self.pays))?)
    }
}

impl FromStr for Odds {
    type Err = OddsError;

    fn from_str(text: &str) -> Result<Odds, OddsError> {
        let (pays, per) = text.split_once(" to ").ok_or(OddsError::Malformed)?;
        let ((pays, pays_scale), (per, per_scale)) = (decimal(pays)?, decimal(per)?);
        Odds::new(pays * per_scale, per * pays_scale)
    }
}

/// Reads `95`, `0.95` or `1.2` as an integer and the power of ten it was scaled by.
pub(crate) fn decimal(text: &str) -> Result<(u64, u64), OddsError> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let is_decimal = !whole.is_empty() && digits(whole) && digits(fraction) && !text.ends_with('.');
    if !is_decimal {
        return Err(OddsError::Malformed);
    }
    if whole.len() > 7 || fraction.len() > 4 {
        return Err(OddsError::TooLarge);
    }
    let scale = 10u64.pow(fraction.len() as u32);
    let number = |part: &str| part.parse::<u64>().unwrap_or(0); // an absent fraction is nought
    Ok((number(whole) * scale + number(fraction), scale))
}

impl fmt::Display for Odds {
    /// As felts print it: `11 to 1`, `3 to 2`; shares of ten or finer as a decimal, `0.95 to 1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Odds { pays, per } = *self;
        let decimals = (1..=4usize).find(|&places| 10u32.pow(places as u32).is_multiple_of(per));
        match decimals {
            Some(places) if per >= 10 => {
                let scale = 10u32.pow(places as u32);
                let scaled = u64::from(pays) * u64::from(scale / per);
                let (whole, fraction) = (scaled / u64::from(scale), scaled % u64::from(scale));
                write!(f, "{whole}.{fraction:0places$} to 1")
            }
            Some(_) | None => write!(f, "{pays} to {per}"),
        }
    }
}

impl Serialize for Odds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Odds {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Odds, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

/// The greatest common divisor.
pub(crate) const fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The least common multiple of two numbers that are not nought; `None` beyond `u64`.
pub(crate) fn lcm(a: u64, b: u64) -> Option<u64> {
    (a / gcd(a, b)).checked_mul(b)
}
