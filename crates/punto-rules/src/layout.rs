//! A layout: the bets that one printed felt offers, and its betting boxes.

use std::sync::Arc;

use crate::{Bet, BetId, BetNo, Cite, Money};

/// The most betting boxes that a table may be set up with where the layout's picture does not say.
pub const MOST_BOXES: u8 = 9;

/// One approved layout of a game (2.1.1 and the appendices).
#[derive(Clone, Debug)]
pub struct Layout {
    /// The letter of its appendix, or another short name.
    pub id: String,
    /// Where the document shows it.
    pub cite: Cite,
    /// The number of boxes printed on it; `None` where the picture is lost and the table chooses (1 to 9).
    pub boxes: Option<u8>,
    /// Whether the document says that its Chinese print means the same as the English; `None` where it says nothing.
    pub bilingual: Option<bool>,
    /// The bets it offers, in print order.
    pub bets: Vec<Arc<Bet>>,
    /// Where they are printed, row by row, if the picture survives. A bet may be printed twice.
    pub felt: Option<Vec<Vec<BetId>>>,
}

impl Layout {
    /// The place of a bet; `None` if the layout does not offer it.
    pub fn bet_no(&self, id: &str) -> Option<BetNo> {
        self.bets.iter().position(|bet| bet.id.as_str() == id).map(BetNo::new)
    }

    /// The highest box number that a wager may name.
    // INTERPRETATION 5: where the picture is lost, the number of boxes is the table's setting, 1 to 9.
    pub fn most_boxes(&self) -> u8 {
        self.boxes.unwrap_or(MOST_BOXES)
    }

    /// The smallest chip unit that pays every bet of the layout exactly.
    pub fn exact_unit(&self) -> Money {
        let unit = self.bets.iter().try_fold(1, |unit, bet| crate::odds::lcm(unit, bet.exact_unit()?));
        Money::new(unit.expect("checked when the rule book was read"))
            .expect("checked when the rule book was read")
    }
}
