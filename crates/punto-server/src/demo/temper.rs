//! Tempers: how often somebody does what, once in so many times.

use super::chance::Chance;

/// How somebody plays.
#[derive(Clone, Debug)]
pub(super) struct Temper {
    /// Stakes are up to so many times the least.
    pub(super) boldness: u64,
    /// Side bets in a Round, at most.
    pub(super) side_bets: u64,
    pub(super) sits_out: u64,
    pub(super) raises: u64,
    pub(super) withdraws: u64,
    pub(super) leaves: u64,
    pub(super) disputes: u64,
    pub(super) is_cut_off: u64,
}

impl Temper {
    /// Anybody's.
    pub(super) fn any(chance: &mut Chance) -> Temper {
        let steady = Temper {
            boldness: 3,
            side_bets: 1,
            sits_out: 10,
            raises: 6,
            withdraws: 20,
            leaves: 25,
            disputes: 60,
            is_cut_off: 60,
        };
        match chance.below(5) {
            0 => Temper { boldness: 2, side_bets: 0, sits_out: 4, raises: 20, ..steady },
            1 => Temper { boldness: 12, side_bets: 2, raises: 3, leaves: 12, ..steady },
            2 => Temper { boldness: 4, side_bets: 4, ..steady },
            3 => Temper { boldness: 6, withdraws: 4, disputes: 25, leaves: 12, ..steady },
            _ => steady,
        }
    }
}
