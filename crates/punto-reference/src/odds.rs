//! Odds and percentages as the documents print them, kept as whole numbers.

use std::fmt;

use serde::Deserialize;

/// The odds of a win: `pays` for every `per` staked, in lowest terms.
///
/// ```
/// use punto_reference::Odds;
/// let odds = Odds::read("0.95 to 1").unwrap();
/// assert_eq!((odds.pays(), odds.per()), (19, 20));
/// assert_eq!((odds.on(100), odds.on(101)), (Some(95), None)); // nothing is ever rounded
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(try_from = "String")]
pub struct Odds {
    pays: u64,
    per: u64,
}

/// Four decimals are the most that a number may have, so every number is a whole number of these.
const TEN_THOUSANDTHS: u64 = 10_000;
/// The most that either number of the odds may be in lowest terms.
const MOST: u64 = 1_000_000;

impl Odds {
    /// Reads `11 to 1`, `1 to 2` or `0.95 to 1`; `None` if the text is not odds.
    pub fn read(text: &str) -> Option<Odds> {
        let (pays, per) = text.split_once(" to ")?;
        let (pays, per) = (ten_thousandths(pays)?, ten_thousandths(per)?);
        if pays == 0 || per == 0 {
            return None;
        }
        let common = greatest_common_divisor(pays, per);
        let odds = Odds { pays: pays / common, per: per / common };
        (odds.pays <= MOST && odds.per <= MOST).then_some(odds)
    }

    /// How much is paid …
    pub const fn pays(self) -> u64 {
        self.pays
    }

    /// … for every so much staked.
    pub const fn per(self) -> u64 {
        self.per
    }

    /// What a stake wins; `None` if that is not a whole number.
    pub fn on(self, stake: u64) -> Option<u128> {
        exactly(u128::from(stake) * u128::from(self.pays), u128::from(self.per))
    }
}

impl TryFrom<String> for Odds {
    type Error = String;

    fn try_from(text: String) -> Result<Odds, String> {
        Odds::read(&text).ok_or_else(|| format!("`{text}` is not odds"))
    }
}

impl fmt::Display for Odds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {}", self.pays, self.per)
    }
}

/// A share of the gross winnings, such as `5%`.
///
/// ```
/// use punto_reference::Percentage;
/// let five = Percentage::read("5%").unwrap();
/// assert_eq!(five.taken_beside(95), Some(5)); // 5 of the gross 100
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(try_from = "String")]
pub struct Percentage {
    millionths: u64,
}

/// The whole, of which a percentage is a part.
const WHOLE: u64 = 100 * TEN_THOUSANDTHS;

impl Percentage {
    /// Reads `5%`, `5 %` or `2.5%`; `None` if the text is not a percentage between 0 and 100.
    pub fn read(text: &str) -> Option<Percentage> {
        let millionths = ten_thousandths(text.strip_suffix('%')?.trim_end())?;
        (0 < millionths && millionths < WHOLE).then_some(Percentage { millionths })
    }

    /// The share of the gross winnings of which `net` is what remains; `None` if it is not a whole number.
    // INTERPRETATION 6: the printed odds are net. What was taken is to the net as the share is to the rest of the whole.
    pub fn taken_beside(self, net: u128) -> Option<u128> {
        exactly(net * u128::from(self.millionths), u128::from(WHOLE - self.millionths))
    }

    /// The smallest stake of which this share is whole, where these odds are what remains.
    pub(crate) fn smallest_stake(self, net: Odds) -> u64 {
        let (taken, of) = (net.pays * self.millionths, net.per * (WHOLE - self.millionths));
        of / greatest_common_divisor(taken, of)
    }
}

impl TryFrom<String> for Percentage {
    type Error = String;

    fn try_from(text: String) -> Result<Percentage, String> {
        Percentage::read(&text).ok_or_else(|| format!("`{text}` is not a commission"))
    }
}

/// Reads a decimal number: up to seven digits, and up to four after a point.
fn ten_thousandths(text: &str) -> Option<u64> {
    let (whole, decimals) = match text.split_once('.') {
        Some((_, "")) => return None,
        Some(parts) => parts,
        None => (text, ""),
    };
    if whole.is_empty() || whole.len() > 7 || decimals.len() > 4 {
        return None;
    }
    let padded = format!("{whole}{decimals:0<4}");
    padded.bytes().all(|byte| byte.is_ascii_digit()).then(|| padded.parse().ok())?
}

/// `amount ÷ by`; `None` if that is not a whole number.
fn exactly(amount: u128, by: u128) -> Option<u128> {
    amount.is_multiple_of(by).then(|| amount / by)
}

/// The smallest number that both divide; `None` beyond 2⁶⁴. Neither may be 0.
pub(crate) fn least_common_multiple(a: u64, b: u64) -> Option<u64> {
    (a / greatest_common_divisor(a, b)).checked_mul(b)
}

/// The greatest number that divides both.
pub(crate) fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}
