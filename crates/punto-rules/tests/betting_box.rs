//! Betting boxes of an enforced table (5.1, 5.2; interpretations 11 and 13): properties of random evenings at one box. The
//! clauses one by one, with numbers, are in `betting_box_clauses.rs`.

mod scale;

use std::collections::BTreeMap;

use proptest::prelude::*;
use punto_rules::{BettingBox, BoxLimits, Layer, Money, PatronNo, Refusal, Side, Stance, Trim};
use scale::{check, scale};

/// The chip unit of these boxes.
const UNIT: u64 = 5;

/// What somebody does at the box. Amounts in chip units.
#[derive(Clone, Copy, Debug)]
enum Act {
    Place { patron: u32, stance: Stance, side: Side, units: u64 },
    Withdraw { patron: u32, side: Side, units: u64 },
}

/// The limits, in chip units, and what happens until bets close.
#[derive(Clone, Debug)]
struct Evening {
    minimum: u64,
    differential: u64,
    acts: Vec<Act>,
}

impl Evening {
    fn limits(&self) -> BoxLimits {
        BoxLimits { minimum: chips(self.minimum), differential: chips(self.differential) }
    }
}

fn chips(units: u64) -> Money {
    Money::new(units * UNIT).unwrap()
}

fn bet(patron: u32, stance: Stance, side: Side, units: u64) -> Layer {
    Layer { patron: PatronNo(patron), stance, side, amount: chips(units) }
}

fn evenings() -> impl Strategy<Value = Evening> {
    let side = || prop::sample::select(Side::BOTH.to_vec());
    // Patron 0 mostly sits, the others mostly stand.
    let stance = |patron: u32| {
        let seated = if patron == 0 { 9 } else { 1 };
        prop_oneof![seated => Just(Stance::Seated), 10 - seated => Just(Stance::Standing)]
    };
    let place = (0..5u32, side(), 1..30u64).prop_flat_map(move |(patron, side, units)| {
        stance(patron).prop_map(move |stance| Act::Place { patron, stance, side, units })
    });
    let withdraw = || {
        let units = prop_oneof![1..30u64, Just(500)];
        (0..5u32, side(), units).prop_map(|(patron, side, units)| Act::Withdraw { patron, side, units })
    };
    // Bets, then people leave: that is what widens a gap before bets close.
    let bets = prop::collection::vec(prop_oneof![4 => place, 1 => withdraw()], 1..40);
    let leaving = prop::collection::vec(withdraw(), 0..4);
    (1..15u64, 0..50u64, bets, leaving).prop_map(|(minimum, more, mut acts, leaving)| {
        acts.extend(leaving);
        Evening { minimum, differential: minimum + more, acts }
    })
}

/// Patron, stance, side and chip units.
type Chips = (u32, Stance, Side, u64);
/// Chip units by patron.
type Trims = BTreeMap<u32, u64>;

/// The box once more, as naive as interpretation 13 can be told: chips give way one at a time.
#[derive(Clone, Debug, Default)]
struct Model {
    layers: Vec<Chips>,
}

impl Model {
    fn total(&self, side: Side) -> u64 {
        self.layers.iter().filter(|layer| layer.2 == side).map(|layer| layer.3).sum()
    }

    fn stake(&self, patron: u32, side: Side) -> u64 {
        self.layers.iter().filter(|layer| layer.0 == patron && layer.2 == side).map(|layer| layer.3).sum()
    }

    fn is_over(&self, side: Side, evening: &Evening) -> bool {
        self.total(side) > self.total(side.other()) + evening.differential
    }

    /// One chip off the latest layer of that kind; what is left below the minimum goes as well.
    fn give_way(&mut self, side: Side, stance: Stance, evening: &Evening, trims: &mut Trims) -> bool {
        let latest = self.layers.iter_mut().rev().find(|layer| layer.1 == stance && layer.2 == side);
        let Some(layer) = latest else { return false };
        let patron = layer.0;
        layer.3 -= 1;
        *trims.entry(patron).or_default() += 1;
        let rest = self.stake(patron, side);
        if rest < evening.minimum {
            *trims.entry(patron).or_default() += rest;
            self.layers.retain(|layer| (layer.0, layer.2) != (patron, side));
        }
        self.layers.retain(|layer| layer.3 > 0);
        true
    }

    /// The box with the bet, and who gave way; `None` if that does not bring its side within the Differential.
    fn with(&self, bet: Chips, evening: &Evening) -> Option<(Model, Trims)> {
        let mut model = self.clone();
        model.layers.push(bet);
        let mut trims = BTreeMap::new();
        while model.is_over(bet.2, evening) {
            let gives_way =
                bet.1 == Stance::Seated && model.give_way(bet.2, Stance::Standing, evening, &mut trims);
            if !gives_way {
                return None;
            }
        }
        Some((model, trims))
    }

    fn place(&mut self, bet: Chips, evening: &Evening) -> Result<Trims, Refusal> {
        let (patron, stance, side, units) = bet;
        let seated = |layer: &&Chips| layer.1 == Stance::Seated;
        if stance == Stance::Seated && self.layers.iter().filter(seated).any(|layer| layer.0 != patron) {
            return Err(Refusal::SeatTaken);
        }
        if self.layers.iter().any(|layer| layer.0 == patron && layer.1 != stance) {
            return Err(Refusal::OtherStance);
        }
        let before = self.stake(patron, side);
        let needed = evening.minimum.saturating_sub(before);
        if units < needed {
            return Err(Refusal::UnderMinimum { least: chips(needed) });
        }
        let Some((model, trims)) = self.with(bet, evening) else {
            let fits = |units: &u64| self.with((patron, stance, side, *units), evening).is_some();
            let most = (needed.max(1)..units).rev().find(fits).unwrap_or(0);
            return Err(Refusal::OverDifferential { most: chips(most) });
        };
        *self = model;
        Ok(trims)
    }

    fn withdraw(&mut self, patron: u32, side: Side, units: u64) -> u64 {
        for taken in 0..units {
            let latest = self.layers.iter_mut().rev().find(|layer| layer.0 == patron && layer.2 == side);
            let Some(layer) = latest else { return taken };
            layer.3 -= 1;
            self.layers.retain(|layer| layer.3 > 0);
        }
        units
    }

    fn close(&mut self, evening: &Evening) -> Trims {
        let mut trims = BTreeMap::new();
        for side in Side::BOTH {
            while self.is_over(side, evening) {
                let standing = self.give_way(side, Stance::Standing, evening, &mut trims);
                assert!(standing || self.give_way(side, Stance::Seated, evening, &mut trims));
            }
        }
        trims
    }

    fn layers(&self) -> Vec<Layer> {
        self.layers.iter().map(|&(patron, stance, side, units)| bet(patron, stance, side, units)).collect()
    }
}

fn by_patron(trims: &[Trim]) -> Trims {
    let by_patron: Trims = trims.iter().map(|trim| (trim.patron.0, trim.amount.get() / UNIT)).collect();
    assert_eq!(by_patron.len(), trims.len(), "each patron is told once: {trims:?}");
    by_patron
}

#[test]
fn a_box_is_what_the_naive_box_is() {
    check("a_box_is_what_the_naive_box_is", scale(6_000, 300_000), evenings(), |evening| {
        let (mut betting_box, mut model) = (BettingBox::default(), Model::default());
        for &act in &evening.acts {
            match act {
                Act::Place { patron, stance, side, units } => {
                    let placed = betting_box.place(bet(patron, stance, side, units), evening.limits());
                    let expected = model.place((patron, stance, side, units), &evening);
                    assert_eq!(placed.map(|trims| by_patron(&trims)), expected, "{act:?}");
                }
                Act::Withdraw { patron, side, units } => {
                    let back = betting_box.withdraw(PatronNo(patron), side, chips(units));
                    assert_eq!(back, chips(model.withdraw(patron, side, units)), "{act:?}");
                }
            }
            assert_eq!(betting_box.layers(), model.layers(), "{act:?}");
        }
        let trims = by_patron(&betting_box.close(evening.limits()));
        assert_eq!(trims, model.close(&evening));
        assert_eq!(betting_box.layers(), model.layers());
    });
}

/// Goes through an evening and shows each bet with the box before it, the answer, and the box after it.
fn each_bet(
    evening: &Evening,
    mut see: impl FnMut(&BettingBox, Layer, &Result<Vec<Trim>, Refusal>, &BettingBox),
) -> BettingBox {
    let mut betting_box = BettingBox::default();
    for &act in &evening.acts {
        match act {
            Act::Place { patron, stance, side, units } => {
                let before = betting_box.clone();
                let bet = bet(patron, stance, side, units);
                let answer = betting_box.place(bet, evening.limits());
                see(&before, bet, &answer, &betting_box);
            }
            Act::Withdraw { patron, side, units } => {
                betting_box.withdraw(PatronNo(patron), side, chips(units));
            }
        }
    }
    betting_box
}

fn gap(betting_box: &BettingBox) -> u64 {
    let totals = betting_box.totals();
    totals.player.get().abs_diff(totals.banker.get())
}

#[test]
fn an_accepted_bet_leaves_the_box_within_the_differential_or_narrows_the_gap() {
    let name = "an_accepted_bet_leaves_the_box_within_the_differential_or_narrows_the_gap";
    check(name, scale(6_000, 200_000), evenings(), |evening| {
        each_bet(&evening, |before, bet, answer, after| {
            if answer.is_ok() {
                let within = gap(after) <= evening.limits().differential.get();
                assert!(within || gap(after) < gap(before), "{bet:?}");
                assert!(after.stake(bet.patron, bet.side) >= evening.limits().minimum, "{bet:?}");
            }
        });
    });
}

#[test]
fn a_refused_bet_changes_nothing_and_its_answer_is_true() {
    check(
        "a_refused_bet_changes_nothing_and_its_answer_is_true",
        scale(6_000, 200_000),
        evenings(),
        |evening| {
            each_bet(&evening, |before, bet, answer, after| {
                let Err(refusal) = answer else { return };
                assert_eq!(before, after, "{bet:?}");
                let accepts = |amount: u64| {
                    let amount = Money::new(amount).unwrap();
                    before.clone().place(Layer { amount, ..bet }, evening.limits()).is_ok()
                };
                match *refusal {
                    Refusal::OverDifferential { most } if most.is_zero() => {
                        let needed = evening.limits().minimum.less(before.stake(bet.patron, bet.side));
                        assert!(!accepts(needed.get().max(UNIT)), "{bet:?}");
                    }
                    Refusal::OverDifferential { most } => {
                        assert!(accepts(most.get()) && !accepts(most.get() + UNIT), "{bet:?} {most}");
                        assert!(most < bet.amount);
                    }
                    Refusal::UnderMinimum { least } => {
                        assert!(!accepts(least.get() - UNIT), "{bet:?} {least}");
                        assert!(least > bet.amount);
                    }
                    Refusal::SeatTaken => assert_eq!(bet.stance, Stance::Seated),
                    Refusal::OtherStance => {
                        let mine = before.layers().iter().find(|layer| layer.patron == bet.patron);
                        assert_ne!(mine.map(|layer| layer.stance), Some(bet.stance));
                    }
                }
            });
        },
    );
}

#[test]
fn a_seated_bet_never_gives_way_to_another_bet() {
    check("a_seated_bet_never_gives_way_to_another_bet", scale(6_000, 200_000), evenings(), |evening| {
        each_bet(&evening, |before, bet, answer, after| {
            let Ok(trims) = answer else { return };
            let seated = |betting_box: &BettingBox| -> Vec<Layer> {
                let layers = betting_box.layers().iter().copied();
                layers.filter(|layer| layer.stance == Stance::Seated).collect()
            };
            let mut expected = seated(before);
            expected.extend(Some(bet).filter(|bet| bet.stance == Stance::Seated));
            assert_eq!(seated(after), expected);
            // 13: it is a Seated Player's bet, and only on its own side, that others give way to.
            assert!(trims.is_empty() || bet.stance == Stance::Seated);
            assert!(trims.iter().all(|trim| trim.side == bet.side && trim.patron != bet.patron));
        });
    });
}

#[test]
fn a_closed_box_is_within_the_differential_and_seated_bets_went_last() {
    check(
        "a_closed_box_is_within_the_differential_and_seated_bets_went_last",
        scale(6_000, 200_000),
        evenings(),
        |evening| {
            let mut betting_box = each_bet(&evening, |_, _, _, _| {});
            let before = betting_box.clone();
            let trims = betting_box.close(evening.limits());
            assert!(gap(&betting_box) <= evening.limits().differential.get());
            assert_eq!(trims.is_empty(), before == betting_box);
            let stance = |trim: &Trim| {
                before.layers().iter().find(|layer| layer.patron == trim.patron).unwrap().stance
            };
            if let Some(seated) = trims.iter().find(|trim| stance(trim) == Stance::Seated) {
                let left = betting_box.layers().iter();
                let standing =
                    left.filter(|layer| layer.stance == Stance::Standing && layer.side == seated.side);
                assert_eq!(standing.count(), 0, "a Seated bet gave way before a Standing one");
            }
            // Only as far as needed: what is trimmed too much is a remainder below the minimum.
            let needed = gap(&betting_box) + evening.limits().minimum.get();
            assert!(trims.is_empty() || needed > evening.limits().differential.get());
            assert_eq!(betting_box.close(evening.limits()), [], "closing twice trims nothing more");
        },
    );
}

#[test]
fn every_chip_is_standing_trimmed_or_withdrawn() {
    check("every_chip_is_standing_trimmed_or_withdrawn", scale(6_000, 200_000), evenings(), |evening| {
        let mut betting_box = BettingBox::default();
        let (mut placed, mut back) = (BTreeMap::new(), BTreeMap::new());
        let add = |sums: &mut BTreeMap<(PatronNo, Side), u64>, patron, side, amount: Money| {
            *sums.entry((patron, side)).or_default() += amount.get();
        };
        for &act in &evening.acts {
            match act {
                Act::Place { patron, stance, side, units } => {
                    let bet = bet(patron, stance, side, units);
                    let Ok(trims) = betting_box.place(bet, evening.limits()) else { continue };
                    add(&mut placed, bet.patron, side, bet.amount);
                    trims.iter().for_each(|trim| add(&mut back, trim.patron, trim.side, trim.amount));
                }
                Act::Withdraw { patron, side, units } => {
                    let amount = betting_box.withdraw(PatronNo(patron), side, chips(units));
                    assert!(amount <= chips(units));
                    add(&mut back, PatronNo(patron), side, amount);
                }
            }
        }
        let trims = betting_box.close(evening.limits());
        trims.iter().for_each(|trim| add(&mut back, trim.patron, trim.side, trim.amount));
        for patron in (0..5).map(PatronNo) {
            for side in Side::BOTH {
                let sum = |sums: &BTreeMap<_, u64>| sums.get(&(patron, side)).copied().unwrap_or(0);
                let standing = betting_box.stake(patron, side).get();
                assert_eq!(sum(&placed), standing + sum(&back), "{patron:?} on {side:?}");
            }
        }
        assert!(betting_box.layers().iter().all(|layer| !layer.amount.is_zero()));
    });
}

/// Everything that interpretation 13 speaks of happens on these evenings: else the tests above would prove less than they say.
#[test]
fn the_evenings_are_of_every_kind() {
    let happened = std::cell::RefCell::new(BTreeMap::<&str, u32>::new());
    let cases = scale(2_000, 20_000);
    check("the_evenings_are_of_every_kind", cases, evenings(), |evening| {
        let mut happened = happened.borrow_mut();
        let mut count = |what, times: bool| *happened.entry(what).or_default() += u32::from(times);
        let differential = evening.limits().differential.get();
        let mut betting_box = each_bet(&evening, |before, bet, answer, after| match answer {
            Ok(trims) => {
                let left = |trim: &Trim| !after.stake(trim.patron, trim.side).is_zero();
                count("a Standing bet gave way in part", trims.iter().any(left));
                count("a Standing bet gave way whole", trims.iter().any(|trim| !left(trim)));
                count("a raise", !before.stake(bet.patron, bet.side).is_zero());
                count("a bet narrowed a gap that stays too wide", gap(after) > differential);
            }
            Err(Refusal::SeatTaken) => count("seat taken", true),
            Err(Refusal::OtherStance) => count("other stance", true),
            Err(Refusal::UnderMinimum { .. }) => count("under the minimum", true),
            Err(Refusal::OverDifferential { most }) => {
                count("refused, some would do", !most.is_zero());
                count("refused, none would do", most.is_zero());
            }
        });
        let seat = betting_box.layers().iter().find(|layer| layer.stance == Stance::Seated).copied();
        let trims = betting_box.close(evening.limits());
        let seated = |trim: &Trim| seat.is_some_and(|seat| seat.patron == trim.patron);
        count("trimmed at close", !trims.is_empty());
        count("Seated trimmed at close", trims.iter().any(seated));
        count("both trimmed at close", trims.iter().any(seated) && !trims.iter().all(seated));
    });
    let happened = happened.into_inner();
    assert!(happened.values().all(|&times| times > cases / 250), "{happened:#?} in {cases}");
}
