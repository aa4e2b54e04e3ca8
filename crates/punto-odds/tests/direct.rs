//! Every count of every bet against the textbook enumeration, on shoes that no casino has.

mod made_up;
mod scale;
mod textbook;

use made_up::{COUNTS, MadeUpLayout, PAIRS, SUITED, TOTALS};
use punto_odds::{CompiledBet, PriceError, Pricer, Ratio};
use punto_rules::{Card, Composition, Deal, Step, notation, reconstruct};
use scale::{Chance, says, scale};
use textbook::reference::BetRule;
use textbook::{Apart, Counts, LAYOUTS, count, each_round, falling, offered};

fn games() -> Vec<(Pricer, Vec<BetRule>)> {
    LAYOUTS.into_iter().map(offered).collect()
}

/// Prices the seed bets of several shoes and compares all with one walk through the Rounds.
fn check_games<const N: usize>(games: &[(Pricer, Vec<BetRule>)], shoes: [&Composition; N], seen: &[Card]) {
    let (deal, _) = reconstruct(seen);
    let rules: Vec<BetRule> = games.iter().flat_map(|(_, rules)| rules.clone()).collect();
    let counted = count(shoes, seen, &rules);
    for (at, shoe) in shoes.into_iter().enumerate() {
        let priced = games.iter().flat_map(|(pricer, _)| pricer.price_given(shoe, &deal).unwrap());
        for ((price, counted), rule) in priced.zip(&counted).zip(&rules) {
            assert_eq!(Counts::of(&price), counted[at], "{} of {shoe:?} after {deal:?}", rule.id);
            assert_eq!(price.sequences, falling(shoe.len().into(), 6 - seen.len() as u64));
            assert_eq!(price.sequences, counted[at].sequences());
        }
    }
}

/// The same for made-up bets, row by row.
fn check_made_up(layout: &MadeUpLayout, shoe: &Composition, seen: &[Card]) {
    let (deal, _) = reconstruct(seen);
    let mut rows: Vec<Vec<u64>> = layout.pricer.bets().map(|bet| vec![0; bet.rows.len() + 1]).collect();
    each_round([shoe], layout.apart(), seen, |round, [sequences]| {
        for (bet, rows) in layout.bets.iter().zip(&mut rows) {
            let lost = rows.len() - 1;
            rows[(bet.row)(round).unwrap_or(lost)] += sequences;
        }
    });
    let prices = layout.pricer.price_given(shoe, &deal).unwrap();
    for ((price, rows), bet) in prices.iter().zip(&rows).zip(&layout.bets) {
        let priced: Vec<u64> = price.rows.iter().copied().chain([price.lost]).collect();
        assert_eq!(priced, *rows, "{} of {shoe:?} after {deal:?}", bet.id);
    }
}

/// All ways to mix what bets depend on, since one bet on suits has every bet told apart by suit.
fn made_up_layouts() -> Vec<MadeUpLayout> {
    vec![
        MadeUpLayout::new(TOTALS.iter().chain(&PAIRS)),
        MadeUpLayout::new(TOTALS.iter().take(2).chain(&SUITED)),
        MadeUpLayout::new(PAIRS.iter().chain(&COUNTS)),
        MadeUpLayout::new(SUITED.iter().chain(&COUNTS).chain(&PAIRS[2..])),
    ]
}

#[test]
fn seed_bets_on_large_shoes() {
    let games = games();
    let cases = scale(1, 40);
    for case in 0..cases {
        let mut chance = Chance::new(case);
        let shoes = [10, 8, 3, 1].map(|decks| chance.depleted(decks));
        check_games(&games, shoes.each_ref(), &[]);
    }
    says("seed bets on large shoes", 4 * cases);
}

#[test]
fn seed_bets_on_tiny_and_lopsided_shoes() {
    let games = games();
    let cases = scale(40, 2_000);
    for case in 0..cases {
        let mut chance = Chance::new(1_000 + case);
        let cards = chance.between(6, 12);
        check_games(&games, [&chance.handful(cards)], &[]);
        let kinds = chance.between(1, 8);
        check_games(&games, [&chance.lopsided(kinds)], &[]);
    }
    says("seed bets on tiny and lopsided shoes", 2 * cases);
}

#[test]
fn made_up_bets_on_tiny_and_lopsided_shoes() {
    let layouts = made_up_layouts();
    let cases = scale(24, 1_000);
    for case in 0..cases {
        let mut chance = Chance::new(2_000 + case);
        for layout in &layouts {
            let cards = chance.between(6, 9);
            check_made_up(layout, &chance.handful(cards), &[]);
            let kinds = chance.between(1, 8);
            check_made_up(layout, &chance.lopsided(kinds), &[]);
        }
    }
    says("made-up bets on tiny and lopsided shoes", 8 * cases);
}

/// Sevens and a few others, two suits: the bets on counts win here as often as they lose.
#[test]
fn made_up_bets_on_shoes_made_for_them() {
    let cards = ["7h 7s 7c Kh Ks 2d", "7h 7d Kd Qh Qs Qc", "4s 4h 4d 4c 9s Jc", "3h 3d 5h 5d 6h Th"];
    for (case, cards) in cards.into_iter().enumerate() {
        let mut chance = Chance::new(3_000 + case as u64);
        let mut shoe = Composition::EMPTY;
        for card in notation::parse(cards).unwrap() {
            shoe.set(card, chance.between(1, 10) as u16);
        }
        made_up_layouts().iter().for_each(|layout| check_made_up(layout, &shoe, &[]));
    }
}

#[test]
fn made_up_bets_on_large_shoes() {
    // Suits apart, a whole shoe would take weeks.
    let layout = MadeUpLayout::new(TOTALS.iter().chain(&PAIRS));
    assert!(layout.apart() == Apart::ByRank);
    for case in 0..scale(2, 30) {
        check_made_up(&layout, &Chance::new(4_000 + case).depleted(9), &[]);
    }
}

#[test]
fn bets_given_the_first_cards() {
    let (games, layouts) = (games(), made_up_layouts());
    let cases = scale(120, 2_400);
    let mut complete = [0; 7];
    for case in 0..cases {
        let mut chance = Chance::new(5_000 + case);
        let kinds = chance.between(2, 7);
        let mut shoe = if case % 2 == 0 { chance.handful(10) } else { chance.lopsided(kinds) };
        let mut deal = Deal::new();
        let wanted = 1 + case as usize % 6;
        while deal.len() < wanted && matches!(deal.step(), Step::Draw(_)) {
            deal = deal.take(chance.draw(&mut shoe));
        }
        while shoe.len() + (deal.len() as u32) < 6 {
            shoe.add(chance.card());
        }
        complete[deal.len()] += u32::from(matches!(deal.step(), Step::Complete(_)));
        let seen: Vec<Card> = deal.drawn().collect();
        check_games(&games, [&shoe], &seen);
        layouts.iter().for_each(|layout| check_made_up(layout, &shoe, &seen));
    }
    assert!(complete[4..].iter().all(|&rounds| rounds >= 5), "Rounds that are over: {complete:?}");
    says("bets given the first cards", cases);
}

/// Every prefix of one Round of six cards, from a whole shoe.
#[test]
fn seed_bets_given_the_first_cards_of_eight_decks() {
    let games = games();
    let cards = notation::parse("Ts 2d 2c As 6h").unwrap();
    for seen in 2..=cards.len() {
        let mut shoe = Composition::decks(8);
        assert!(cards[..seen].iter().all(|&card| shoe.remove(card)));
        check_games(&games, [&shoe], &cards[..seen]);
    }
}

#[test]
fn too_few_cards() {
    let (pricer, _) = &games()[0];
    let tens: Composition = notation::parse("Ts Th Td Tc Js Jh").unwrap().into_iter().collect();
    assert_eq!(pricer.price(&tens).unwrap()[0].sequences, 720);
    let mut five = tens.clone();
    let card: Card = "Ts".parse().unwrap();
    assert!(five.remove(card));
    let refused = PriceError::TooFewCards { cards: 5, needed: 6 };
    assert_eq!(pricer.price(&five).unwrap_err(), refused);
    assert_eq!(pricer.classes(&five).unwrap_err(), refused);
    assert_eq!(CompiledBet::new(pricer, 0).gain(&five).unwrap_err(), refused);
    // With one card out, five are enough.
    assert_eq!(pricer.price_given(&five, &Deal::new().take(card)).unwrap()[0].sequences, 120);
}

/// A compiled bet says what pricing says, turned around, on every kind of shoe.
#[test]
fn compiled_bets_gain_what_the_house_does_not_keep() {
    let pricers: Vec<Pricer> = games().into_iter().map(|(pricer, _)| pricer).collect();
    let [by_class, .., by_suit] = &made_up_layouts()[..] else { panic!("several") };
    let check = |pricer: &Pricer, shoe: &Composition| {
        for (bet, price) in pricer.price(shoe).unwrap().iter().enumerate() {
            let compiled = CompiledBet::new(pricer, bet);
            let gain = compiled.gain(shoe).unwrap();
            assert_eq!(gain, Ratio::ZERO.minus(price.edge()), "{} of {shoe:?}", pricer.bet(bet).id);
            assert!((compiled.gain_f64(shoe) - gain.to_f64()).abs() < 1e-12);
        }
    };
    for case in 0..scale(5, 200) {
        let mut chance = Chance::new(6_000 + case);
        let cards = chance.between(6, 12);
        let whole = Composition::decks(chance.between(1, 10) as u8);
        for shoe in [whole, chance.handful(cards), chance.lopsided(6), chance.depleted(8)] {
            pricers.iter().chain([&by_class.pricer]).for_each(|pricer| check(pricer, &shoe));
        }
    }
    check(&by_suit.pricer, &Chance::new(6_999).handful(8));
}

/// The classes of a shoe are all of its sequences, and each bet's rows are sums of them.
#[test]
fn classes_add_up_to_prices() {
    let mut pricers: Vec<Pricer> = games().into_iter().map(|(pricer, _)| pricer).collect();
    pricers.extend(made_up_layouts().into_iter().map(|layout| layout.pricer));
    for case in 0..scale(1, 100) {
        let mut chance = Chance::new(7_000 + case);
        for shoe in [chance.handful(7), chance.lopsided(7), chance.depleted(8)] {
            for pricer in &pricers {
                let classes = pricer.classes(&shoe).unwrap();
                assert_eq!(classes.sequences, falling(shoe.len().into(), 6));
                assert_eq!(classes.counts.iter().sum::<u64>(), classes.sequences);
                for (bet, price) in pricer.bets().zip(pricer.price(&shoe).unwrap()) {
                    let mut rows = vec![0; bet.rows.len()];
                    for class in pricer.space().possible().iter() {
                        if let Some(row) = bet.row_no_for(class) {
                            rows[row] += classes.counts[class.index()];
                        }
                    }
                    assert_eq!(rows, price.rows, "{} of {shoe:?}", bet.id);
                }
            }
        }
    }
}

/// Odds whose sums would not fit in 64 bits are priced the slow way, and right.
#[test]
fn compiled_bets_with_the_largest_odds() {
    let rows = [
        r#"{ winner = ["player", "banker"], odds = "1000000 to 1" }"#,
        r#"{ winner = "player", odds = "5000 to 1" }, { winner = "tie", odds = "0.0001 to 1" }"#,
        r#"{ winner = "player", odds = "999983 to 1" }, { winner = "tie", odds = "1 to 999983" }"#,
    ];
    for rows in rows {
        let pricer = Pricer::new(&made_up::terms(&[("a", rows)]));
        let shoe = Composition::decks(10);
        let edge = pricer.price(&shoe).unwrap()[0].edge();
        assert_eq!(CompiledBet::new(&pricer, 0).gain(&shoe).unwrap(), Ratio::ZERO.minus(edge), "{rows}");
    }
}
