//! How much of each bet plays in a betting box that stayed over the Differential (5.1.1, 5.1.2).

use std::cmp::Reverse;

use crate::BoxLimits;
use crate::settlement::MOST;

/// The parts that play of the heavier side's bets, in their order; `lighter` is the total of the other side. `None` if the
/// minimum is nothing, or an amount is not a whole number of units or more than money can hold.
///
/// ```
/// use punto_reference::{BoxLimits, apportion};
/// let limits = BoxLimits { minimum: 100, differential: 1_000 };
/// assert_eq!(apportion(&[1_000, 600, 150], 250, limits, 1), Some(vec![714, 429, 107]));
/// assert_eq!(apportion(&[1_000, 600, 110, 40], 0, limits, 1), Some(vec![538, 322, 100, 40]));
/// ```
// INTERPRETATION 15: steps 1 to 5 of the reading.
pub fn apportion(bets: &[u64], lighter: u64, limits: BoxLimits, unit: u64) -> Option<Vec<u64>> {
    let BoxLimits { minimum, differential } = limits;
    let is_amount = |amount: &u64| *amount <= MOST && amount.checked_rem(unit) == Some(0);
    if minimum == 0
        || !bets.iter().chain([&minimum, &differential]).all(is_amount)
        || !lighter.is_multiple_of(unit)
    {
        return None;
    }
    let allowed = u128::from(lighter) + u128::from(differential);
    if sum(bets) <= allowed {
        return Some(bets.to_vec());
    }
    // A bet below the minimum plays as it is, and no other bet plays less than the minimum.
    let mut parts: Vec<u64> = bets.iter().map(|bet| *bet.min(&minimum)).collect();
    let mut scaled: Vec<usize> = (0..bets.len()).filter(|no| bets[*no] >= minimum).collect();
    loop {
        let others = sum(&parts) - sum(scaled.iter().map(|no| &parts[*no]));
        // Too little even for the minimum: every one of them plays it.
        let Some(room) = allowed.checked_sub(others) else { return Some(parts) };
        let stakes = sum(scaled.iter().map(|no| &bets[*no]));
        let before = scaled.len();
        scaled.retain(|no| u128::from(bets[*no]) * room >= u128::from(minimum) * stakes);
        if scaled.len() == before {
            give_out(bets, &mut parts, &scaled, room, unit.into());
            return Some(parts);
        }
    }
}

fn sum<'a>(amounts: impl IntoIterator<Item = &'a u64>) -> u128 {
    amounts.into_iter().copied().map(u128::from).sum()
}

/// Scales bets to fill the room: whole units, and those that remain singly to the largest fractions, the earlier bet first.
fn give_out(bets: &[u64], parts: &mut [u64], scaled: &[usize], room: u128, unit: u128) {
    // The share of a bet in units is `bet × room` over this.
    let whole = unit * sum(scaled.iter().map(|no| &bets[*no]));
    let share = |no: usize| u128::from(bets[no]) * room;
    let used: u128 = scaled.iter().map(|no| share(*no) / whole).sum();
    let remain = room / unit - used;
    let mut by_fraction = scaled.to_vec();
    // The sort is stable: equal fractions stay in the order in which the bets came.
    by_fraction.sort_by_key(|no| Reverse(share(*no) % whole));
    for (place, no) in (0..).zip(by_fraction) {
        let units = share(no) / whole + u128::from(place < remain);
        parts[no] = u64::try_from(units * unit).expect("a part is no more than its bet");
    }
}
