//! Exact fractions, in lowest terms.

use std::cmp::Ordering;
use std::fmt;

use serde::{Serialize, Serializer};

/// `numerator / denominator`, in lowest terms, the denominator positive.
///
/// Numerators stay far below 2¹²⁷: at most 520 · 519 · … · 515 sequences times odds of at most a million.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ratio {
    numerator: i128,
    denominator: i128,
}

impl Ratio {
    /// Nought.
    pub const ZERO: Ratio = Ratio { numerator: 0, denominator: 1 };

    /// The fraction in lowest terms.
    ///
    /// # Panics
    /// If the denominator is nought.
    pub fn new(numerator: i128, denominator: i128) -> Ratio {
        assert!(denominator != 0, "a fraction of nothing");
        let common = gcd(numerator.unsigned_abs(), denominator.unsigned_abs()) as i128 * denominator.signum();
        Ratio { numerator: numerator / common, denominator: denominator / common }
    }

    /// Above the line.
    pub const fn numerator(self) -> i128 {
        self.numerator
    }

    /// Below the line; positive.
    pub const fn denominator(self) -> i128 {
        self.denominator
    }

    /// The nearest number that a computer can hold.
    pub fn to_f64(self) -> f64 {
        // Both are reduced, so at least one digit in sixteen survives even where they exceed 2⁵³.
        self.numerator as f64 / self.denominator as f64
    }

    /// The difference.
    pub fn minus(self, other: Ratio) -> Ratio {
        let common = gcd(self.denominator as u128, other.denominator as u128) as i128;
        let (a, b) = (other.denominator / common, self.denominator / common);
        Ratio::new(self.numerator * a - other.numerator * b, self.denominator * a)
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Ratio) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ratio {
    fn cmp(&self, other: &Ratio) -> Ordering {
        self.minus(*other).numerator.cmp(&0)
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.numerator, self.denominator)
    }
}

impl Serialize for Ratio {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}
