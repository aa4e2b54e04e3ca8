//! The Baccarat Table of Play: the third-card rules, here and nowhere else.
//!
//! All approved documents print the same table (3.11 and 3.12; electronic game 3.9 and 3.10), so it is code. What a
//! rule book says about it is only where it is printed.

use crate::{BySide, PointTotal, Rank, Side};

/// Whether a side draws a third card, and which line of the Table of Play says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The side that the decision is about.
    pub side: Side,
    /// `true` to draw, `false` to stand.
    pub draws: bool,
    /// The line of the table.
    pub because: Because,
}

/// The line of the Table of Play that decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Because {
    /// A Natural: neither side draws.
    Natural(BySide<PointTotal>),
    /// The side's own two cards decide.
    OwnTotal(PointTotal),
    /// The Player Hand stood, so Banker draws to 5 and stands on 6 or 7.
    PlayerStood(PointTotal),
    /// Banker's two cards against the value of the Player's third card.
    AgainstThird(PointTotal, Rank),
}

/// For Banker totals 0 to 7, the values of the Player's third card on which Banker draws: bit `v` for value `v`.
const BANKER_DRAWS_AGAINST: [u16; 8] = [
    0b11_1111_1111, // 0: always
    0b11_1111_1111, // 1: always
    0b11_1111_1111, // 2: always
    0b10_1111_1111, // 3: all but 8
    0b00_1111_1100, // 4: 2 to 7
    0b00_1111_0000, // 5: 4 to 7
    0b00_1100_0000, // 6: 6 and 7
    0b00_0000_0000, // 7: never
];

const fn is_natural(two: BySide<PointTotal>) -> bool {
    two.player.get() >= 8 || two.banker.get() >= 8
}

/// Whether the Player Hand draws, from the totals of both sides' first two cards.
pub fn player(two: BySide<PointTotal>) -> Decision {
    let (draws, because) = if is_natural(two) {
        (false, Because::Natural(two))
    } else {
        (two.player.get() <= 5, Because::OwnTotal(two.player))
    };
    Decision { side: Side::Player, draws, because }
}

/// Whether the Banker Hand draws, from the totals of both sides' first two cards and the Player's third card.
pub fn banker(two: BySide<PointTotal>, player_third: Option<Rank>) -> Decision {
    let total = two.banker;
    let (draws, because) = if is_natural(two) {
        (false, Because::Natural(two))
    } else {
        match player_third {
            None => (total.get() <= 5, Because::PlayerStood(total)),
            Some(third) => {
                let draws = BANKER_DRAWS_AGAINST[total.get() as usize] >> third.value() & 1 == 1;
                let own_total_decides = matches!(total.get(), 0..=2 | 7);
                (
                    draws,
                    if own_total_decides {
                        Because::OwnTotal(total)
                    } else {
                        Because::AgainstThird(total, third)
                    },
                )
            }
        }
    };
    Decision { side: Side::Banker, draws, because }
}
