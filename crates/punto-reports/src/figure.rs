//! Figures as they are printed: amounts with two decimals, shares as percentages, whole numbers. From integers alone.

use std::fmt;

use serde::{Serialize, Serializer};

/// Minor units in one unit of the currency.
const CENTS: u128 = 100;

/// An amount in full, with commas: `-1,234.50`.
pub(crate) fn money(amount: i128) -> String {
    let (sign, whole) = (if amount < 0 { "−" } else { "" }, amount.unsigned_abs());
    format!("{sign}{}.{:02}", grouped(whole / CENTS), whole % CENTS)
}

/// An amount for a machine: `-1234.50`.
pub(crate) fn plain_money(amount: i128) -> String {
    let (sign, whole) = (if amount < 0 { "-" } else { "" }, amount.unsigned_abs());
    format!("{sign}{}.{:02}", whole / CENTS, whole % CENTS)
}

/// A whole number with commas.
pub(crate) fn count(number: i128) -> String {
    format!("{}{}", if number < 0 { "−" } else { "" }, grouped(number.unsigned_abs()))
}

fn grouped(number: u128) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A part of something, exactly: win of handle, win of drop. In JSON and CSV a decimal number of six places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    part: i128,
    of: i128,
}

impl Share {
    /// `part ÷ of`; `None` where there is nothing to divide by.
    pub const fn new(part: i128, of: i128) -> Option<Share> {
        if of > 0 { Some(Share { part, of }) } else { None }
    }

    /// The nearest whole number of parts in 10 to the power of `places`; halves away from nothing.
    fn scaled(self, places: u32) -> i128 {
        let scale = 10_i128.pow(places);
        let exact = self.part.saturating_mul(scale);
        let half = if exact < 0 { -self.of } else { self.of } / 2;
        (exact.saturating_add(half)) / self.of
    }

    /// `0.010579`
    pub(crate) fn plain(self) -> String {
        let millionths = self.scaled(6);
        let sign = if millionths < 0 { "-" } else { "" };
        let whole = millionths.unsigned_abs();
        format!("{sign}{}.{:06}", whole / 1_000_000, whole % 1_000_000)
    }
}

impl fmt::Display for Share {
    /// `1.058 %`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let thousandths = self.scaled(5);
        let whole = thousandths.unsigned_abs();
        let sign = if thousandths < 0 { "−" } else { "" };
        write!(f, "{sign}{}.{:03} %", grouped(whole / 1000), whole % 1000)
    }
}

impl Serialize for Share {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.plain())
    }
}
