//! Pro rata (5.1.1, 5.1.2): how much of each bet plays in a box that stayed over the Differential.

use crate::{BoxLimits, Money};

/// The parts of the heavier side's bets that play, in their order.
///
/// `lighter` is what stands on the other side of the box. The heavier side may play `lighter` + Differential:
/// a bet under the minimum plays in full (5.1.2); the others share the rest in proportion, none below the minimum
/// (5.1.1). Shares are whole chip units: rounded down, left-over units by largest remainder, earlier bet first.
///
/// ```
/// use punto_rules::{BoxLimits, Money, apportion};
/// let money = |minor| Money::new(minor).unwrap();
/// let limits = BoxLimits { minimum: money(100), differential: money(1_000) };
/// let banker = [1_000, 600, 150].map(money);
/// assert_eq!(apportion(&banker, money(250), limits, money(1)), [714, 429, 107].map(money));
/// ```
///
/// # Panics
/// If a bet, `lighter` or a limit is not a whole number of units, the minimum is nothing, or the bets add up to more
/// than money can hold.
// INTERPRETATION 15: the pro rata rule in full.
pub fn apportion(bets: &[Money], lighter: Money, limits: BoxLimits, unit: Money) -> Vec<Money> {
    let BoxLimits { minimum, differential } = limits;
    assert!(!minimum.is_zero(), "a minimum of nothing");
    let all = bets.iter().chain([&lighter, &minimum, &differential]);
    assert!(all.into_iter().all(|amount| amount.is_whole(unit)), "amounts are whole chip units");
    let total: Money = bets.iter().copied().sum();
    let may_play = u128::from(lighter.get()) + u128::from(differential.get());
    if u128::from(total.get()) <= may_play {
        return bets.to_vec();
    }

    // Bets under the minimum, and bets that their share would take below it, leave the sharing.
    let mut playing: Vec<Option<Money>> = bets.iter().map(|&bet| (bet < minimum).then_some(bet)).collect();
    let (room, sharing) = loop {
        let fixed: u128 = playing.iter().flatten().map(|bet| u128::from(bet.get())).sum();
        let room = may_play.saturating_sub(fixed);
        let open = |i: &usize| playing[*i].is_none();
        let sharing: u128 = (0..bets.len()).filter(open).map(|i| u128::from(bets[i].get())).sum();
        let below: Vec<usize> = (0..bets.len())
            .filter(open)
            .filter(|&i| u128::from(bets[i].get()) * room < u128::from(minimum.get()) * sharing)
            .collect();
        if below.is_empty() {
            break (room, sharing);
        }
        for i in below {
            playing[i] = Some(minimum);
        }
    };

    let unit = u128::from(unit.get());
    let mut left_over = room / unit;
    let mut remainders = Vec::new();
    for (i, part) in playing.iter_mut().enumerate() {
        if part.is_none() {
            let share = u128::from(bets[i].get()) * room;
            let units = share / (sharing * unit);
            left_over -= units;
            remainders.push((share % (sharing * unit), i));
            *part = Some(money(units * unit));
        }
    }
    remainders.sort_by(|(a, i), (b, j)| b.cmp(a).then(i.cmp(j)));
    let sharers = remainders.len();
    for (_, i) in remainders.into_iter().take(left_over as usize) {
        playing[i] = playing[i].map(|part| money(u128::from(part.get()) + unit));
    }
    assert!(sharers == 0 || left_over <= sharers as u128, "each sharer gets at most one left-over unit");
    playing.into_iter().map(|part| part.expect("every bet has its part by now")).collect()
}

fn money(amount: u128) -> Money {
    u64::try_from(amount).ok().and_then(Money::new).expect("a part of a bet is no more than the bet")
}
