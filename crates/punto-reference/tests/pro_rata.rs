//! Pro rata (5.1.1, 5.1.2; interpretation 15): what the reading promises, and the same parts as `punto-rules`.

use std::cell::Cell;

use crate::scale::{check, says, scale};
use proptest::prelude::*;
use proptest::sample::select;
use punto_reference::{Book, BoxLimits, Card, Limits, MOST, Refusal, Wager, apportion, parse_cards};
use punto_rules::Money;

/// The heavier side of a box, in units.
#[derive(Clone, Debug)]
struct Felt {
    unit: u64,
    bets: Vec<u64>,
    lighter: u64,
    limits: BoxLimits,
}

/// Boxes near the points where bets stand at the minimum, and amounts of every size.
fn felts() -> impl Strategy<Value = Felt> {
    let bets = prop_oneof![
        prop::collection::vec(1..30u64, 1..8),
        prop::collection::vec(1..3_000u64, 1..10),
        (1..40u64, 1..8usize).prop_map(|(bet, count)| vec![bet; count]),
        prop::collection::vec(1..MOST / 10_000, 1..10),
    ];
    (select(vec![1u64, 2, 20, 100, 1_000]), bets, 1..40u64, 0..=100u64, 0..=105u64).prop_map(
        |(unit, bets, minimum, lighter, more)| {
            let total: u64 = bets.iter().sum();
            let lighter = total / 100 * lighter / 3;
            let differential = (total.saturating_sub(lighter) / 100 * more).max(minimum);
            let limits = BoxLimits { minimum: minimum * unit, differential: differential * unit };
            let bets = bets.into_iter().map(|bet| bet * unit).collect();
            Felt { unit, bets, lighter: lighter * unit, limits }
        },
    )
}

fn money(amount: u64) -> Money {
    Money::new(amount).expect("amounts of tests fit")
}

#[test]
fn parts_are_what_the_reading_promises_and_punto_rules_gives() {
    let shared = Cell::new(0);
    let cases = scale(20_000, 2_000_000);
    check("boxes over the Differential", cases, felts(), |felt| {
        let Felt { unit, bets, lighter, limits } = felt;
        let BoxLimits { minimum, differential } = limits;
        let parts = apportion(&bets, lighter, limits, unit).expect("whole units");
        let theirs = punto_rules::BoxLimits { minimum: money(minimum), differential: money(differential) };
        let stakes: Vec<Money> = bets.iter().copied().map(money).collect();
        let theirs = punto_rules::apportion(&stakes, money(lighter), theirs, money(unit));
        assert_eq!(parts, theirs.into_iter().map(Money::get).collect::<Vec<_>>());

        let (total, allowed) = (bets.iter().sum::<u64>(), lighter + differential);
        if total <= allowed {
            assert_eq!(parts, bets);
            return;
        }
        shared.set(shared.get() + 1);
        let least: u64 = bets.iter().map(|bet| bet.min(&minimum)).sum();
        assert_eq!(parts.iter().sum::<u64>(), allowed.max(least), "all that is allowed plays, and no more");
        for (part, bet) in parts.iter().zip(&bets) {
            assert!(part <= bet && part % unit == 0);
            assert!(*part >= minimum || part == bet, "below the minimum only what was staked so");
        }
        // Of two bets that are scaled the larger plays at least as much, and equal ones differ by no more than a unit.
        for (one, other) in parts.iter().zip(&bets).zip(parts.iter().zip(&bets).skip(1)) {
            if one.1 == other.1 {
                assert!(*one.0 == *other.0 || *one.0 == other.0 + unit, "the earlier bet comes first");
            } else {
                assert!((one.1 < other.1) == (one.0 < other.0) || one.0.abs_diff(*other.0) <= unit);
            }
        }
    });
    says("boxes that were shared out", shared.get());
    assert!(shared.get() > cases / 3);
}

fn round() -> Vec<Card> {
    parse_cards("9h Ks Kd Qc").expect("cards") // Player wins with 9
}

fn wu_song() -> Book {
    Book::read(include_str!("../../../rulebooks/wu-song-v3.toml")).expect("an approved rule book")
}

const UNIT: u64 = 100;
const LIMITS: Limits =
    Limits { unit: Some(UNIT), betting_box: Some(BoxLimits { minimum: 10_000, differential: 100_000 }) };

/// The second worked example of interpretation 15, in two boxes and with a side bet between, which stays outside.
#[test]
fn each_box_is_treated_by_itself_and_side_bets_play_in_full() {
    let bets = [
        ("banker", 1, 100_000, 53_800),
        ("banker", 2, 100_000, 100_000),
        ("tie", 1, 900_000, 900_000),
        ("banker", 1, 60_000, 32_200),
        ("banker", 1, 11_000, 10_000),
        ("banker", 1, 4_000, 4_000),
        ("player", 3, 100_000, 100_000),
    ];
    let wagers = bets.map(|(bet, no, stake, _)| Wager::new(bet, stake).in_box(no));
    let book = wu_song();
    let settlement = book.layout("C").unwrap().settle(&LIMITS, &wagers, &round()).unwrap();
    let playing: Vec<u64> = settlement.lines.iter().map(|line| line.playing).collect();
    assert_eq!(playing, bets.map(|bet| bet.3));
    for line in &settlement.lines[..6] {
        assert_eq!((line.returned, line.to_patron()), (line.stake - line.playing, line.returned));
    }
    assert_eq!(settlement.lines[6].to_patron(), 200_000);
    let lost: i128 = bets[..6].iter().map(|bet| i128::from(bet.3)).sum();
    assert_eq!(settlement.house, lost - 100_000);
}

/// The parts stay fixed when somebody takes a bet back later in the Round (interpretation 15).
#[test]
fn parts_that_were_fixed_are_kept() {
    let book = wu_song();
    let layout = book.layout("A").unwrap();
    let wager = Wager { playing: Some(5_000), ..Wager::new("player", 20_000).in_box(1) };
    let line = layout.settle(&LIMITS, &[wager], &round()).unwrap().lines[0];
    assert_eq!((line.playing, line.returned, line.winnings), (5_000, 15_000, 5_000));
    for playing in [20_100, 5_050] {
        let wager = Wager { playing: Some(playing), ..wager };
        let refused = layout.settle(&LIMITS, &[wager], &round()).unwrap_err();
        assert_eq!(refused, Refusal::Playing { bet: "player".to_owned(), playing });
    }
}

/// `remedy = "play-as-placed"`, and a rule book that says nothing about such boxes.
#[test]
fn without_the_paragraph_bets_play_as_placed() {
    let text = include_str!("../../../rulebooks/wu-song-v3.toml");
    for remedy in ["remedy = \"play-as-placed\"", ""] {
        let changed = match remedy {
            "" => text.replace("kind = \"over-differential\"", "kind = \"under-minimum-2\""),
            _ => text.replace("remedy = \"pro-rata\"", remedy),
        };
        assert_ne!(changed, text);
        let book = Book::read(&changed).unwrap();
        let wager = Wager::new("player", 900_000).in_box(1);
        let settled = book.layout("A").unwrap().settle(&LIMITS, &[wager], &round()).unwrap();
        assert_eq!(settled.lines[0].playing, 900_000);
    }
}

#[test]
fn what_cannot_be_paid_exactly_is_refused() {
    let book = wu_song();
    let layout = book.layout("A").unwrap();
    let settle = |limits: &Limits, wager| layout.settle(limits, &[wager], &round()).map(|_| ()).unwrap_err();
    let free = Limits::default();
    let stake = |bet: &str, stake| Refusal::Stake { bet: bet.to_owned(), stake };
    assert_eq!(settle(&free, Wager::new("banker", 101)), stake("banker", 101)); // 1 to 2
    assert_eq!(settle(&free, Wager::new("tie", 0)), stake("tie", 0));
    assert_eq!(settle(&LIMITS, Wager::new("tie", 150)), stake("tie", 150));
    assert_eq!(settle(&free, Wager::new("tiger", 100)), Refusal::UnknownBet("tiger".to_owned()));
    assert_eq!(settle(&LIMITS, Wager::new("player", 100_000)), Refusal::NoBox { bet: "player".to_owned() });
    // Wu Dalang pays 150 to 1: whatever the cards, money must be able to hold it.
    let most = MOST / 151 / 2 * 2;
    assert!(layout.settle(&free, &[Wager::new("wu-dalang", most)], &round()).is_ok());
    let too_much = Refusal::TooMuch { bet: "wu-dalang".to_owned(), stake: most + 2 };
    assert_eq!(settle(&free, Wager::new("wu-dalang", most + 2)), too_much);
    assert_eq!(
        settle(&free, Wager::new("player", u64::MAX - 1)),
        Refusal::TooMuch { bet: "player".to_owned(), stake: u64::MAX - 1 }
    );
    for unit in [0, 1, 3, MOST + 1] {
        let limits = Limits { unit: Some(unit), betting_box: None };
        assert_eq!(settle(&limits, Wager::new("tie", 2)), Refusal::Unit(unit));
    }
    for (minimum, differential) in
        [(0, 100), (200, 100), (150, 200), (100, 250), (100, MOST - MOST % 100 + 100)]
    {
        let limits = Limits { unit: Some(UNIT), betting_box: Some(BoxLimits { minimum, differential }) };
        assert_eq!(settle(&limits, Wager::new("tie", 100)), Refusal::Limits { minimum, differential });
    }
    let many = vec![Wager::new("player", MOST / 200 * 100).in_box(1); 3];
    assert_eq!(layout.settle(&LIMITS, &many, &round()).unwrap_err(), Refusal::Box(1));
    let electronic = Book::read(include_str!("../../../rulebooks/ncb-etg-v5.toml")).unwrap();
    let refused = electronic.layout("terminal").unwrap().settle(&LIMITS, &[], &round()).unwrap_err();
    assert_eq!(refused, Refusal::NoDifferential);
    let cards = |line| layout.settle(&free, &[], &parse_cards(line).unwrap()).unwrap_err().to_string();
    assert_eq!(cards("9h Ks Kd"), "the Banker Hand needs a card");
    assert_eq!(cards("9h Ks Kd Qc 2s"), "1 cards are left over");
}
