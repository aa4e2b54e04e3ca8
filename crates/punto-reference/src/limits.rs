//! The unit of stakes and the limits of a betting box, as a table displays them.

use crate::odds::{greatest_common_divisor, least_common_multiple};
use crate::settlement::MOST;
use crate::{Layout, LimitsModel, Refusal};

/// What a table has in force. By default the smallest unit of the layout and no limits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The chip unit; `None` for the smallest that the layout takes.
    pub unit: Option<u64>,
    /// The limits of each betting box, where the table has any.
    pub betting_box: Option<BoxLimits>,
}

/// The limits of one betting box.
// INTERPRETATION 11: of Player and Banker bets only, each box by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoxLimits {
    /// The least that a patron may have on Player or on Banker.
    pub minimum: u64,
    /// The most by which one side may outweigh the other.
    pub differential: u64,
}

impl Layout {
    /// The smallest chip unit: every multiple of it is paid in whole minor units on every bet, commission too; `None` if
    /// money cannot hold it.
    ///
    /// ```
    /// use punto_reference::Book;
    /// let book = Book::read(include_str!("../../../rulebooks/da-hu-ying-xiong-2019.toml")).unwrap();
    /// assert_eq!(book.layout("A").unwrap().smallest_unit(), Some(20)); // 0.95 to 1 with 5%
    /// ```
    // INTERPRETATION 8: nothing is ever rounded.
    pub fn smallest_unit(&self) -> Option<u64> {
        let mut unit: u64 = 1;
        for row in self.bets.iter().flat_map(|bet| &bet.rows) {
            unit = least_common_multiple(unit, row.smallest_stake()?)?;
        }
        Some(unit).filter(|unit| *unit <= MOST)
    }

    /// The smallest unit of a table that pays with chips: every multiple of it, and what it wins, is a whole number of the
    /// smallest chip; `None` if money cannot hold it.
    ///
    /// ```
    /// use punto_reference::Book;
    /// let book = Book::read(include_str!("../../../rulebooks/wu-song-v3.toml")).unwrap();
    /// assert_eq!(book.layout("A").unwrap().payable_unit(500), Some(1_000)); // 1 to 2 of it is one chip
    /// ```
    // INTERPRETATION 51: what is paid, and every stake that goes back, is a sum of chips.
    pub fn payable_unit(&self, smallest_chip: u64) -> Option<u64> {
        if smallest_chip == 0 {
            return None;
        }
        let exact = self.smallest_unit()?;
        // How many times an amount is a whole number of chips.
        let step = |amount| smallest_chip / greatest_common_divisor(amount, smallest_chip);
        let mut times = step(exact);
        for row in self.bets.iter().flat_map(|bet| &bet.rows) {
            let (winnings, _) = row.pay(exact)?;
            times = least_common_multiple(times, step(winnings))?;
        }
        exact.checked_mul(times).filter(|unit| *unit <= MOST)
    }

    /// The unit in force.
    ///
    /// ```
    /// use punto_reference::{Book, BoxLimits, Limits};
    /// let book = Book::read(include_str!("../../../rulebooks/wu-song-v3.toml")).unwrap();
    /// let betting_box = Some(BoxLimits { minimum: 1_000, differential: 50_000 });
    /// let limits = Limits { unit: Some(100), betting_box };
    /// assert_eq!(book.layout("A").unwrap().unit(&limits), Ok(100));
    /// assert!(book.layout("A").unwrap().unit(&Limits { unit: Some(25), betting_box }).is_err()); // 1 to 2
    /// ```
    ///
    /// # Errors
    /// If the unit does not pay every bet exactly, or the limits cannot be in force in this game.
    pub fn unit(&self, limits: &Limits) -> Result<u64, Refusal> {
        let smallest = self.smallest_unit().ok_or(Refusal::NoUnit)?;
        let unit = limits.unit.unwrap_or(smallest);
        if unit == 0 || unit > MOST || !unit.is_multiple_of(smallest) {
            return Err(Refusal::Unit(unit));
        }
        if let Some(BoxLimits { minimum, differential }) = limits.betting_box {
            if self.limits == LimitsModel::PerBet {
                return Err(Refusal::NoDifferential);
            }
            let whole = minimum % unit == 0 && differential % unit == 0;
            if minimum == 0 || differential < minimum || differential > MOST || !whole {
                return Err(Refusal::Limits { minimum, differential });
            }
        }
        Ok(unit)
    }
}
