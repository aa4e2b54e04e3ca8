//! Pro rata (5.1.1, 5.1.2; interpretation 15), against a second statement of it in fractions.

mod scale;

use proptest::prelude::*;
use punto_rules::{BoxLimits, Money, apportion};
use scale::{check, scale};

/// The heavier side of a box, what stands against it, and the limits. Amounts in minor units.
#[derive(Clone, Debug)]
struct Felt {
    bets: Vec<u64>,
    lighter: u64,
    minimum: u64,
    differential: u64,
    unit: u64,
}

impl Felt {
    fn parts(&self) -> Vec<u64> {
        let limits = BoxLimits { minimum: money(self.minimum), differential: money(self.differential) };
        let bets: Vec<Money> = self.bets.iter().map(|&bet| money(bet)).collect();
        let parts = apportion(&bets, money(self.lighter), limits, money(self.unit));
        parts.into_iter().map(Money::get).collect()
    }

    fn may_play(&self) -> u64 {
        self.lighter + self.differential
    }

    fn is_over(&self) -> bool {
        self.bets.iter().sum::<u64>() > self.may_play()
    }

    /// The least that can play: bets under the minimum in full, the others at the minimum.
    fn floor(&self) -> u64 {
        self.bets.iter().map(|&bet| bet.min(self.minimum)).sum()
    }
}

fn money(minor: u64) -> Money {
    Money::new(minor).unwrap()
}

/// Boxes of every size, many of them near the points where bets are held at the minimum or the limit is just met.
fn felts() -> impl Strategy<Value = Felt> {
    let unit = prop::sample::select(vec![1u64, 2, 5, 20, 100, 2_500]);
    let bets = prop_oneof![
        prop::collection::vec(1..40u64, 1..9),
        prop::collection::vec(1..5_000u64, 1..9),
        (1..9usize, 1..300u64).prop_map(|(equal, bet)| vec![bet; equal]),
        prop::collection::vec(1..Money::MAX.get() / (9 * 2_500), 1..9),
    ];
    (unit, bets, 1..30u64, 0..=100u64, 0..=110u64).prop_flat_map(|(unit, bets, minimum, lighter, over)| {
        let total: u64 = bets.iter().sum();
        let lighter = u64::try_from(u128::from(total) * u128::from(lighter) / 300).unwrap();
        // From far under the total to a little above it, so that some boxes are just within the Differential.
        let about = u64::try_from(u128::from(total - lighter) * u128::from(over) / 100).unwrap();
        (Just((unit, bets, minimum, lighter)), about.saturating_sub(2)..=about + 2).prop_map(
            |((unit, bets, minimum, lighter), differential)| Felt {
                bets: bets.iter().map(|bet| bet * unit).collect(),
                lighter: lighter * unit,
                minimum: minimum * unit,
                differential: differential.max(minimum) * unit,
                unit,
            },
        )
    })
}

/// A fraction that is never negative.
#[derive(Clone, Copy, Debug)]
struct Fraction(u128, u128);

impl Fraction {
    fn times(self, number: u64) -> Fraction {
        Fraction(self.0 * u128::from(number), self.1)
    }

    fn whole(self) -> u128 {
        self.0 / self.1
    }

    fn rest(self) -> Fraction {
        Fraction(self.0 % self.1, self.1)
    }

    /// By whole parts, then by what is left of each turned over: no product that could overflow.
    fn is_less(self, other: Fraction) -> bool {
        if self.whole() != other.whole() {
            return self.whole() < other.whole();
        }
        match (self.rest().0, other.rest().0) {
            (_, 0) => false,
            (0, _) => true,
            (a, b) => Fraction(other.1, b).is_less(Fraction(self.1, a)),
        }
    }
}

/// Interpretation 15 sentence by sentence, in chip units.
fn by_the_book(felt: &Felt) -> Vec<u64> {
    let units = |amount: u64| amount / felt.unit;
    let bets: Vec<u64> = felt.bets.iter().map(|&bet| units(bet)).collect();
    let minimum = units(felt.minimum);
    // "The heavier side may play A = U + D."
    let may_play = units(felt.lighter) + units(felt.differential);
    if bets.iter().sum::<u64>() <= may_play {
        return felt.bets.clone();
    }
    // "A bet under the minimum plays in full and is taken off A."
    let mut parts: Vec<u64> = bets.iter().map(|&bet| if bet < minimum { bet } else { 0 }).collect();
    let mut sharers: Vec<usize> = (0..bets.len()).filter(|&no| bets[no] >= minimum).collect();
    let under: u64 = parts.iter().sum();
    // "If even all-at-minimum exceeds A, they play the minimum."
    if under + minimum * sharers.len() as u64 > may_play {
        sharers.iter().for_each(|&no| parts[no] = minimum);
        return parts.iter().map(|part| part * felt.unit).collect();
    }
    // "None plays less than the minimum: those that would are held at it and f is found again for the rest." One at a
    // time, the smallest first.
    let mut room = may_play - under;
    let factor = loop {
        let factor = Fraction(room.into(), sharers.iter().map(|&no| u128::from(bets[no])).sum());
        let smallest = *sharers.iter().min_by_key(|&&no| bets[no]).unwrap();
        if !factor.times(bets[smallest]).is_less(Fraction(minimum.into(), 1)) {
            break factor;
        }
        parts[smallest] = minimum;
        room -= minimum;
        sharers.retain(|&no| no != smallest);
    };
    // "Round down, then hand out left-over units by largest remainder, earlier bet first."
    for &no in &sharers {
        parts[no] = u64::try_from(factor.times(bets[no]).whole()).unwrap();
        room -= parts[no];
    }
    while room > 0 {
        let mut next = sharers[0];
        for &no in &sharers {
            if factor.times(bets[next]).rest().is_less(factor.times(bets[no]).rest()) {
                next = no;
            }
        }
        parts[next] += 1;
        room -= 1;
        sharers.retain(|&no| no != next);
    }
    parts.iter().map(|part| part * felt.unit).collect()
}

#[test]
fn interpretation_15_in_fractions() {
    check("interpretation_15_in_fractions", scale(40_000, 2_000_000), felts(), |felt| {
        assert_eq!(felt.parts(), by_the_book(&felt));
    });
}

#[test]
fn no_more_plays_than_may_and_no_unit_is_lost() {
    check("no_more_plays_than_may_and_no_unit_is_lost", scale(20_000, 1_000_000), felts(), |felt| {
        let playing: u64 = felt.parts().iter().sum();
        // 5.1.1, 5.1.2: the one exception is a box whose bets cannot go lower.
        let expected = match felt.is_over() {
            true => felt.may_play().max(felt.floor()),
            false => felt.bets.iter().sum(),
        };
        assert_eq!(playing, expected);
    });
}

#[test]
fn no_bet_falls_below_the_minimum_because_of_it() {
    check("no_bet_falls_below_the_minimum_because_of_it", scale(20_000, 1_000_000), felts(), |felt| {
        for (&bet, part) in felt.bets.iter().zip(felt.parts()) {
            assert!(part >= bet.min(felt.minimum), "{part} of {bet}");
            assert!(part <= bet, "{part} of {bet}");
            assert_eq!(part % felt.unit, 0);
        }
    });
}

#[test]
fn a_larger_bet_never_plays_less() {
    check("a_larger_bet_never_plays_less", scale(20_000, 1_000_000), felts(), |felt| {
        let parts = felt.parts();
        let played: Vec<(u64, u64)> = felt.bets.iter().copied().zip(parts).collect();
        for (no, &(bet, part)) in played.iter().enumerate() {
            for &(later, later_part) in &played[no + 1..] {
                match bet.cmp(&later) {
                    std::cmp::Ordering::Greater => assert!(part >= later_part),
                    std::cmp::Ordering::Less => assert!(part <= later_part),
                    // Alike but for one spare unit, which the earlier has.
                    std::cmp::Ordering::Equal => {
                        assert!(part == later_part || part == later_part + felt.unit)
                    }
                }
            }
        }
    });
}

/// Each kind of box is among the cases: else the tests above would prove less than they say.
#[test]
fn the_cases_are_of_every_kind() {
    let kinds = std::cell::Cell::new([0u32; 5]);
    let cases = scale(4_000, 20_000);
    check("the_cases_are_of_every_kind", cases, felts(), |felt| {
        let parts = felt.parts();
        let mut counts = kinds.get();
        counts[0] += u32::from(!felt.is_over());
        counts[1] += u32::from(felt.bets.iter().sum::<u64>() == felt.may_play());
        counts[2] += u32::from(felt.floor() > felt.may_play());
        let held = felt.bets.iter().zip(&parts).any(|(bet, part)| bet > part && *part == felt.minimum);
        counts[3] += u32::from(felt.is_over() && felt.floor() < felt.may_play() && held);
        counts[4] += u32::from(felt.is_over() && felt.bets.iter().any(|&bet| bet < felt.minimum));
        kinds.set(counts);
    });
    let rare = cases / 250;
    assert!(kinds.get().iter().all(|&kind| kind > rare), "{:?} of {cases}", kinds.get());
}

fn plays(bets: &[u64], lighter: u64, minimum: u64, differential: u64, unit: u64) -> Vec<u64> {
    Felt { bets: bets.to_vec(), lighter, minimum, differential, unit }.parts()
}

#[test]
fn worked_example_in_proportion() {
    assert_eq!(plays(&[1_000, 600, 150], 250, 100, 1_000, 1), [714, 429, 107]);
}

#[test]
fn worked_example_held_at_the_minimum() {
    assert_eq!(plays(&[1_000, 600, 110, 40], 0, 100, 1_000, 1), [538, 322, 100, 40]);
}

#[test]
fn the_order_of_the_bets_decides_only_who_gets_the_spare_unit() {
    assert_eq!(plays(&[40, 600, 110, 1_000], 0, 100, 1_000, 1), [40, 323, 100, 537]);
}

#[test]
fn exactly_at_the_limit_everything_plays() {
    assert_eq!(plays(&[700, 300], 0, 100, 1_000, 1), [700, 300]);
    assert_eq!(plays(&[900, 350], 250, 100, 1_000, 1), [900, 350]);
    // One unit more and somebody gives way.
    assert_eq!(plays(&[901, 350], 250, 100, 1_000, 1), [900, 350]);
    assert_eq!(plays(&[900, 351], 250, 100, 1_000, 1), [899, 351]);
}

#[test]
fn under_the_minimum_plays_in_full_whatever_the_limit() {
    // 5.1.2. Twelve bets of 90 are 1,080 and over the Differential by themselves.
    assert_eq!(plays(&[90; 12], 0, 100, 1_000, 1), [90; 12]);
    // They use up what may play, so the one proper bet is down to its minimum.
    let mut bets = vec![90; 12];
    bets.push(5_000);
    assert_eq!(plays(&bets, 0, 100, 1_000, 1).last(), Some(&100));
}

#[test]
fn all_at_the_minimum_may_exceed_the_limit() {
    assert_eq!(plays(&[150; 11], 0, 100, 1_000, 1), [100; 11]);
    assert_eq!(plays(&[150; 10], 0, 100, 1_000, 1), [100; 10]);
}

#[test]
fn a_single_bet_plays_what_may_play() {
    assert_eq!(plays(&[5_000], 0, 100, 1_000, 100), [1_000]);
    assert_eq!(plays(&[5_000], 300, 100, 1_000, 100), [1_300]);
}

#[test]
fn equal_bets_share_the_spare_units_earlier_first() {
    assert_eq!(plays(&[600; 3], 0, 100, 1_000, 1), [334, 333, 333]);
    assert_eq!(plays(&[600; 3], 0, 100, 1_000, 100), [400, 300, 300]);
    assert_eq!(plays(&[500; 6], 0, 100, 1_000, 50), [200, 200, 150, 150, 150, 150]);
}

#[test]
fn holding_one_bet_can_bring_the_next_below_the_minimum() {
    // f = 1,000/1,630 holds 130; then 900/1,500 leaves 165 at 99, so it is held as well: 800 over 1,335.
    assert_eq!(plays(&[1_335, 165, 130], 0, 100, 1_000, 1), [800, 100, 100]);
}

#[test]
fn nothing_on_the_felt() {
    assert_eq!(plays(&[], 0, 100, 1_000, 1), Vec::<u64>::new());
}

#[test]
fn as_much_as_money_can_hold() {
    let most = Money::MAX.get();
    assert_eq!(plays(&[most - 2, 1, 1], 0, 1, most, 1), [most - 2, 1, 1]);
    // The limit and what stands against it are together beyond money, but the bets are not.
    assert_eq!(plays(&[most], most, 1, most, 1), [most]);
    assert_eq!(plays(&[most], 0, 1, most - 1, 1), [most - 1]);
    // 2^53 - 1 is 6,361 × 69,431 × 20,394,401: thirds and halves of it leave remainders.
    let third = most / 3;
    assert_eq!(plays(&[third, third, third], 0, 1, third, 1).iter().sum::<u64>(), third);
    assert_eq!(plays(&[most / 2, most / 2], 1, 1, most / 2, 1), [(most / 2).div_ceil(2); 2]);
}

#[test]
#[should_panic(expected = "whole chip units")]
fn half_a_chip_is_refused() {
    plays(&[150], 0, 100, 1_000, 100);
}

#[test]
#[should_panic(expected = "a minimum of nothing")]
fn a_minimum_of_nothing_is_refused() {
    plays(&[150], 0, 0, 1_000, 1);
}
