//! One betting box where limits are enforced (5.1, 5.2; interpretations 11 and 13): sentences of the reading by hand, and
//! random bets, withdrawals and closings compared with `punto-rules`.

use std::cell::Cell;

use crate::scale::{check, says, scale};
use proptest::prelude::*;
use punto_reference::{BettingBox, BoxLimits, Chips, Cut, Side, TurnedDown};
use punto_rules::{Layer, Money, PatronNo, Refusal, Stance, Trim};

const LIMITS: BoxLimits = BoxLimits { minimum: 100, differential: 1_000 };

fn chips(patron: u32, is_seated: bool, side: Side, amount: u64) -> Chips {
    Chips { patron, is_seated, side, amount }
}

fn felt(all: &[(u32, bool, Side, u64)]) -> BettingBox {
    let mut felt = BettingBox::default();
    all.iter()
        .for_each(|&(patron, is_seated, side, amount)| felt.record(chips(patron, is_seated, side, amount)));
    felt
}

use Side::{Banker, Player};

#[test]
fn a_bet_that_is_too_large_is_turned_down_whole() {
    let mut felt = felt(&[(1, false, Banker, 700)]);
    let place = |felt: &mut BettingBox, bet| felt.place(bet, LIMITS);
    assert_eq!(
        place(&mut felt, chips(2, false, Banker, 301)),
        Err(TurnedDown::OverDifferential { most: 300 })
    );
    assert_eq!(place(&mut felt, chips(2, false, Banker, 300)), Ok(vec![]));
    // The room that is left does not reach the minimum.
    assert_eq!(place(&mut felt, chips(3, false, Player, 60)), Err(TurnedDown::BelowMinimum { least: 100 }));
    assert_eq!(place(&mut felt, chips(3, false, Banker, 100)), Err(TurnedDown::OverDifferential { most: 0 }));
    // On the other side there is room for both bets and the Differential.
    assert_eq!(
        place(&mut felt, chips(3, false, Player, 2_001)),
        Err(TurnedDown::OverDifferential { most: 2_000 })
    );
    assert_eq!(place(&mut felt, chips(3, false, Player, 2_000)), Ok(vec![]));
}

#[test]
fn a_bet_that_brings_the_sides_closer_is_taken() {
    let mut felt = felt(&[(1, false, Banker, 5_000)]);
    assert_eq!(felt.excess(LIMITS), Some((Banker, 4_000)));
    assert_eq!(felt.place(chips(2, false, Player, 100), LIMITS), Ok(vec![]));
    assert_eq!(felt.excess(LIMITS), Some((Banker, 3_900)));
}

#[test]
fn standing_bets_give_way_newest_first_and_not_below_the_minimum() {
    let standing =
        [(1, false, Banker, 400), (2, false, Banker, 300), (1, false, Banker, 200), (3, false, Player, 50)];
    let mut box_one = felt(&standing);
    // 900 stand, 1,050 may: 250 of the Seated Player's 400 have no room.
    let cuts = box_one.place(chips(9, true, Banker, 400), LIMITS).unwrap();
    // Patron 1's raise of 200 goes first, then 50 of patron 2, who keeps 250.
    let cut = |patron, amount| Cut { patron, side: Banker, amount };
    assert_eq!(cuts, [cut(1, 200), cut(2, 50)]);
    // 700: patron 2 would keep 50 and gets all back; the room is not given to others.
    let mut box_two = felt(&[(1, false, Banker, 400), (2, false, Banker, 150), (3, false, Player, 50)]);
    assert_eq!(box_two.place(chips(9, true, Banker, 600), LIMITS).unwrap(), [cut(2, 150)]);
    assert_eq!(box_two.excess(LIMITS), None);
}

#[test]
fn at_the_close_standing_bets_are_cut_before_the_seated_one() {
    let mut felt = felt(&[(9, true, Banker, 1_500), (1, false, Banker, 300), (2, false, Player, 100)]);
    let cuts = felt.close(LIMITS);
    assert_eq!(cuts.iter().map(|cut| (cut.patron, cut.amount)).collect::<Vec<_>>(), [(1, 300), (9, 400)]);
    assert_eq!(felt.close(LIMITS), []);
}

#[test]
fn one_seated_player_to_a_box_and_one_stance_to_a_patron() {
    let mut felt = felt(&[(9, true, Banker, 200), (1, false, Player, 200)]);
    let mut place = |bet| felt.place(bet, LIMITS).unwrap_err();
    assert_eq!(place(chips(8, true, Player, 200)), TurnedDown::SeatTaken);
    assert_eq!(place(chips(9, false, Player, 200)), TurnedDown::OtherStance);
    assert_eq!(place(chips(1, true, Player, 200)), TurnedDown::SeatTaken);
}

/// What happens at a box.
#[derive(Clone, Debug)]
enum Deed {
    Place(Chips),
    Record(Chips),
    Withdraw(u32, Side, u64),
    Close,
}

fn deeds() -> impl Strategy<Value = Deed> {
    let side = || prop::bool::ANY.prop_map(|player| if player { Player } else { Banker });
    let amount = || prop_oneof![1..15u64, 1..400u64];
    // Patron 1 mostly sits.
    let bet = (1..5u32, prop::bool::weighted(0.1), side(), amount())
        .prop_map(|(patron, other, side, amount)| chips(patron, (patron == 1) != other, side, amount));
    prop_oneof![
        8 => bet.clone().prop_map(Deed::Place),
        2 => bet.prop_map(Deed::Record),
        3 => (1..5u32, side(), amount()).prop_map(|(patron, side, amount)| Deed::Withdraw(patron, side, amount)),
        1 => Just(Deed::Close),
    ]
}

fn money(amount: u64) -> Money {
    Money::new(amount).expect("amounts of tests fit")
}

fn side(side: Side) -> punto_rules::Side {
    match side {
        Player => punto_rules::Side::Player,
        Banker => punto_rules::Side::Banker,
    }
}

fn layer(chips: &Chips) -> Layer {
    let stance = if chips.is_seated { Stance::Seated } else { Stance::Standing };
    Layer { patron: PatronNo(chips.patron), stance, side: side(chips.side), amount: money(chips.amount) }
}

fn trims(cuts: &[Cut]) -> Vec<Trim> {
    let trim =
        |cut: &Cut| Trim { patron: PatronNo(cut.patron), side: side(cut.side), amount: money(cut.amount) };
    cuts.iter().map(trim).collect()
}

fn refusal(why: TurnedDown) -> Refusal {
    match why {
        TurnedDown::SeatTaken => Refusal::SeatTaken,
        TurnedDown::OtherStance => Refusal::OtherStance,
        TurnedDown::BelowMinimum { least } => Refusal::UnderMinimum { least: money(least) },
        TurnedDown::OverDifferential { most } => Refusal::OverDifferential { most: money(most) },
    }
}

#[test]
fn random_deeds_come_to_the_same_as_in_punto_rules() {
    let (cuts_seen, refused) = (Cell::new(0), Cell::new(0));
    let deeds = prop::collection::vec(deeds(), 1..25);
    let cases = scale(6_000, 600_000);
    check("betting boxes", cases, (deeds, 1..30u64, 0..400u64), |(deeds, minimum, more)| {
        let limits = BoxLimits { minimum, differential: minimum + more };
        let theirs = punto_rules::BoxLimits { minimum: money(minimum), differential: money(minimum + more) };
        let (mut ours, mut other) = (BettingBox::default(), punto_rules::BettingBox::default());
        for deed in deeds {
            match deed {
                Deed::Place(bet) => {
                    let placed = ours.place(bet, limits);
                    match &placed {
                        Ok(cuts) => cuts_seen.set(cuts_seen.get() + cuts.len() as u32),
                        Err(_) => refused.set(refused.get() + 1),
                    }
                    let placed = placed.map(|cuts| trims(&cuts)).map_err(refusal);
                    assert_eq!(placed, other.place(layer(&bet), theirs));
                }
                Deed::Record(bet) => {
                    ours.record(bet);
                    other.record(layer(&bet)).expect("small amounts");
                }
                Deed::Withdraw(patron, of, amount) => {
                    let amount = amount.min(ours.stake(patron, of));
                    assert!(ours.withdraw(patron, of, amount));
                    assert_eq!(other.withdraw(PatronNo(patron), side(of), money(amount)), money(amount));
                    assert!(!ours.withdraw(patron, of, 1 << 60));
                }
                Deed::Close => assert_eq!(trims(&ours.close(limits)), other.close(theirs)),
            }
            assert_eq!(ours.chips().iter().map(layer).collect::<Vec<_>>(), other.layers());
            let over = ours
                .excess(limits)
                .map(|(of, by)| punto_rules::Flag::OverDifferential { side: side(of), by: money(by) });
            let below = ours.below_minimum(limits).into_iter().map(|(patron, of, by)| {
                punto_rules::Flag::UnderMinimum { patron: PatronNo(patron), side: side(of), by: money(by) }
            });
            assert_eq!(over.into_iter().chain(below).collect::<Vec<_>>(), other.flags(theirs));
        }
    });
    says("bets that were cut", cuts_seen.get());
    assert!(
        cuts_seen.get().min(refused.get()) > cases / 20,
        "{} cuts, {} refused",
        cuts_seen.get(),
        refused.get()
    );
}
