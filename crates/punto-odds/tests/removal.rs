//! Effects of removal against differences of counts by the textbook, and the law that they add up to nothing.

mod made_up;
mod scale;
mod textbook;

use made_up::{COUNTS, MadeUpLayout, PAIRS, SUITED, TOTALS, terms};
use punto_odds::{ByCard, PriceError, Pricer, Ratio, effects_of_removal};
use punto_rules::{Bet, Card, Composition, LimitsAsked, Rank, Rulebook, Suit, Verdict, notation};
use scale::{Chance, scale};
use textbook::reference::BetRule;
use textbook::{Apart, Counts, count, each_round, falling, offered};

const GAMES: [(&str, &str); 3] = [("wu-song", "A"), ("rws-baccarat", "A"), DA_HU];
const DA_HU: (&str, &str) = ("da-hu-ying-xiong", "A");

/// The shoe without one card of a rank; `None` if it has none.
fn without(shoe: &Composition, rank: Rank) -> Option<Composition> {
    let mut without = shoe.clone();
    Suit::ALL.into_iter().any(|suit| without.remove(Card { rank, suit })).then_some(without)
}

/// What a unit gains over all sequences, in units of 1/20: no seed bet needs finer ones.
fn gain(counts: &Counts) -> i128 {
    let won: i128 = counts
        .won
        .iter()
        .map(|(&(pays, per), &sequences)| {
            assert_eq!(20 % per, 0);
            i128::from(pays * (20 / per)) * i128::from(sequences)
        })
        .sum();
    won - 20 * i128::from(counts.lost)
}

/// Whether a fraction is `a / b`, without reducing anything.
fn equals(ratio: Ratio, a: i128, b: i128) -> bool {
    ratio.numerator().checked_mul(b).unwrap() == ratio.denominator().checked_mul(a).unwrap()
}

fn check(pricer: &Pricer, rules: &[BetRule], shoe: &Composition) {
    let effects = effects_of_removal(pricer, shoe).unwrap();
    // The shoe as it is, and once for each rank.
    let shoes: [Composition; 14] =
        std::array::from_fn(|i| match i.checked_sub(1).and_then(|rank| without(shoe, Rank::ALL[rank])) {
            Some(without) => without,
            None => shoe.clone(),
        });
    let counts = count(shoes.each_ref(), &[], rules);
    for ((rule, effects), counts) in rules.iter().zip(&effects).zip(&counts) {
        let before = gain(&counts[0]);
        assert!(!effects.tells_suits(), "{}: no approved bet asks for suits", rule.id);
        let n = u64::from(shoe.len());
        for rank in Rank::ALL {
            let effect = effects.of(Card { rank, suit: Suit::Clubs });
            if shoe.of_rank(rank) == 0 {
                assert_eq!(effect, Ratio::ZERO, "{}: there is no {rank:?} to remove", rule.id);
                continue;
            }
            // n (n−1) … (n−5) and (n−1) … (n−6) sequences: over n (n−1) … (n−6) both have small factors.
            let after = gain(&counts[rank as usize + 1]);
            let difference = after * i128::from(n) - before * i128::from(n - 6);
            let all = 20 * i128::from(falling(n, 6)) * i128::from(n - 6);
            assert!(equals(effect, difference, all), "{} without a {rank:?} of {shoe:?}", rule.id);
        }
    }
}

#[test]
fn of_eight_decks() {
    let (pricer, rules) = offered(DA_HU);
    check(&pricer, &rules, &Composition::decks(8));
}

#[test]
fn of_small_and_lopsided_shoes() {
    let games = GAMES.map(offered);
    for case in 0..scale(10, 500) {
        let mut chance = Chance::new(10_000 + case);
        let cards = chance.between(7, 12);
        let small = chance.handful(cards);
        let lopsided = chance.lopsided(6);
        for (pricer, rules) in &games {
            for shoe in [&small, &lopsided].into_iter().filter(|shoe| shoe.len() > 6) {
                check(pricer, rules, shoe);
            }
        }
    }
}

/// Σ cards × effect over the whole shoe, exactly.
fn sum(effects: &ByCard<Ratio>, shoe: &Composition) -> Ratio {
    Card::all().fold(Ratio::ZERO, |sum, card| {
        let (cards, effect) = (i128::from(shoe.copies(card)), effects.of(card));
        sum.minus(Ratio::new(-cards * effect.numerator(), effect.denominator()))
    })
}

fn check_sums(pricer: &Pricer, shoe: &Composition) {
    for (effects, bet) in effects_of_removal(pricer, shoe).unwrap().iter().zip(pricer.bets()) {
        assert_eq!(effects.tells_suits(), bet.tells_suits(), "{}", bet.id);
        assert_eq!(sum(effects, shoe), Ratio::ZERO, "{} of {shoe:?}", bet.id);
    }
}

/// A card taken out unseen changes nothing: the effects of all cards of the shoe add up to nought, exactly.
#[test]
fn all_cards_together_have_no_effect_on_any_approved_bet() {
    let mut bets = 0;
    for game in ["wu-song", "ncb-etg", "rws-baccarat", "da-hu-ying-xiong"] {
        let rulebook = Rulebook::approved(game).unwrap();
        for layout in &rulebook.layouts {
            let terms = rulebook.terms(&layout.id, rulebook.decks.max, &LimitsAsked::default()).unwrap();
            let pricer = Pricer::new(&terms);
            for decks in [1, rulebook.decks.min, 6, 8, rulebook.decks.max] {
                check_sums(&pricer, &Composition::decks(decks));
            }
            bets += pricer.bets().count();
        }
    }
    assert!(bets > 60, "{bets} bets");
}

#[test]
fn all_cards_of_any_shoe_together_have_no_effect() {
    let games = GAMES.map(offered);
    for case in 0..scale(6, 200) {
        let mut chance = Chance::new(11_000 + case);
        for shoe in [chance.depleted(8), chance.handful(9), chance.lopsided(5)] {
            let pricers = games.iter().map(|(pricer, _)| pricer);
            pricers.filter(|_| shoe.len() > 6).for_each(|pricer| check_sums(pricer, &shoe));
        }
    }
}

/// The layouts that ask for suits, alone and beside bets that do not.
fn with_suits() -> Vec<MadeUpLayout> {
    vec![
        MadeUpLayout::new(TOTALS.iter().take(2).chain(&SUITED)),
        MadeUpLayout::new(PAIRS.iter().chain(&COUNTS)),
        MadeUpLayout::new(SUITED.iter().take(1).chain(&COUNTS)),
    ]
}

#[test]
fn all_cards_together_have_no_effect_where_suits_matter() {
    for (case, layout) in with_suits().iter().enumerate() {
        let by_card: Vec<&str> =
            layout.pricer.bets().filter(|bet| bet.tells_suits()).map(|bet| bet.id.as_str()).collect();
        assert!(by_card.len() >= 3 && by_card.len() < layout.bets.len(), "{by_card:?}");
        let mut chance = Chance::new(12_000 + case as u64);
        // Suited pairs and counts together take half a second a card.
        let decks: &[u8] = if case == 2 { &[2] } else { &[1, 6, 8] };
        decks.iter().for_each(|&decks| check_sums(&layout.pricer, &Composition::decks(decks)));
        for _ in 0..scale(1, 20) {
            check_sums(&layout.pricer, &chance.handful(11));
            check_sums(&layout.pricer, &chance.lopsided(7));
        }
        (0..scale(0, 1)).for_each(|_| check_sums(&layout.pricer, &chance.depleted(4)));
    }
}

/// What a unit staked on each made-up bet gains from a shoe, by the textbook.
fn gains(layout: &MadeUpLayout, shoe: &Composition) -> Vec<Ratio> {
    let mut rows: Vec<Vec<u64>> = layout.pricer.bets().map(|bet| vec![0; bet.rows.len() + 1]).collect();
    each_round([shoe], Apart::ByCard, &[], |round, [sequences]| {
        for (bet, rows) in layout.bets.iter().zip(&mut rows) {
            let lost = rows.len() - 1;
            rows[(bet.row)(round).unwrap_or(lost)] += sequences;
        }
    });
    let all = i128::from(falling(shoe.len().into(), 6));
    let gain = |(bet, rows): (&Bet, &Vec<u64>)| {
        let pays = |row: usize| match bet.rows.get(row).map(|row| row.verdict()) {
            Some(Verdict::Won(odds)) => (i128::from(odds.pays()), i128::from(odds.per())),
            Some(Verdict::Returned) => (0, 1),
            Some(Verdict::Lost) | None => (-1, 1),
        };
        let gain = |row: usize| Ratio::new(-pays(row).0 * i128::from(rows[row]), pays(row).1 * all);
        (0..rows.len()).fold(Ratio::ZERO, |sum, row| sum.minus(gain(row)))
    };
    layout.pricer.bets().zip(&rows).map(gain).collect()
}

/// Each of the 52 cards taken out in turn, every Round of what is left dealt and judged card by card.
#[test]
fn of_bets_on_suits_against_every_round_of_small_shoes() {
    let layout = MadeUpLayout::new(SUITED.iter().chain(&COUNTS).chain(&PAIRS[2..]));
    let mut told_apart = 0;
    // Two suits of some cards, for the bets to win now and then; then any cards.
    let mut shoes = vec!["7h 7h 7s 7c Kh Kh Ks 2d", "4s 4s 4d 4c 9s 9s Jc Jh", "Qs Qh Qs 3d 3d 8c 8h 6h"]
        .into_iter()
        .map(|cards| notation::parse(cards).unwrap().into_iter().collect())
        .collect::<Vec<Composition>>();
    shoes.extend((0..scale(2, 60)).map(|case| Chance::new(13_000 + case).handful(8)));
    for shoe in &shoes {
        let effects = effects_of_removal(&layout.pricer, shoe).unwrap();
        let before = gains(&layout, shoe);
        for card in Card::all() {
            let mut without = shoe.clone();
            let is_there = without.remove(card);
            let after = if is_there { gains(&layout, &without) } else { before.clone() };
            for (at, (bet, effects)) in layout.bets.iter().zip(&effects).enumerate() {
                // Without the card there is no effect, unless another of its rank stands for it.
                if is_there || effects.tells_suits() {
                    assert_eq!(
                        effects.of(card),
                        after[at].minus(before[at]),
                        "{} without {card} of {shoe:?}",
                        bet.id
                    );
                }
            }
        }
        told_apart += effects.iter().filter(|effects| effects.by_suits().len() > 1).count();
    }
    assert!(told_apart > 20, "suits made a difference {told_apart} times only");
}

/// A suited pair on Player is two copies of one card: Σ n (n − 1) of N (N − 1). No enumeration is needed to know what any
/// card of any shoe does to it.
#[test]
fn of_suited_pairs_in_closed_form() {
    let layout = terms(&[("suited", r#"{ suited_pairs = "player", odds = "25 to 1" }"#)]);
    let pricer = Pricer::new(&layout);
    let gain = |shoe: &Composition| {
        let pairs = Card::all().map(|card| i128::from(shoe.copies(card))).map(|n| n * (n - 1)).sum::<i128>();
        let all = i128::from(shoe.len());
        Ratio::new(26 * pairs, all * (all - 1)).minus(Ratio::new(1, 1))
    };
    let mut shoe = Chance::new(14_000).depleted(8);
    shoe.set("9h".parse().unwrap(), 8);
    shoe.set("9c".parse().unwrap(), 1);
    let effects = &effects_of_removal(&pricer, &shoe).unwrap()[0];
    for card in Card::all().filter(|&card| shoe.copies(card) > 0) {
        let mut without = shoe.clone();
        assert!(without.remove(card));
        assert_eq!(effects.of(card), gain(&without).minus(gain(&shoe)), "{card}");
    }
    // Eight 9h make many pairs, the only 9c none.
    let of = |card: &str| effects.of(card.parse().unwrap());
    assert!(of("9h") < Ratio::ZERO && of("9c") > Ratio::ZERO);
    // A full shoe has as many of each card, and no card can matter more than another.
    let full = &effects_of_removal(&pricer, &Composition::decks(8)).unwrap()[0];
    assert!(full.tells_suits() && full.values().iter().all(|effect| *effect == Ratio::ZERO));
}

/// No black card in the Round: black cards gone are good, red ones bad, both colours alike within a rank.
#[test]
fn of_a_colour() {
    let layout = MadeUpLayout::new(COUNTS.iter().skip(1).take(1));
    let effects = &effects_of_removal(&layout.pricer, &Composition::decks(8)).unwrap()[0];
    for card in Card::all() {
        let is_black = matches!(card.suit, Suit::Spades | Suit::Clubs);
        assert_eq!(effects.of(card) > Ratio::ZERO, is_black, "{card}");
        assert_ne!(effects.of(card), Ratio::ZERO);
    }
    let sets: Vec<Vec<Suit>> = effects.by_suits().into_iter().map(|(suits, _)| suits).collect();
    assert_eq!(sets, [[Suit::Spades, Suit::Clubs], [Suit::Hearts, Suit::Diamonds]]);
}

/// Small cards gone are good for Banker, middling ones for Player, as every study of counting finds.
#[test]
fn signs_at_eight_decks() {
    let (pricer, _) = offered(DA_HU);
    let effects = effects_of_removal(&pricer, &Composition::decks(8)).unwrap();
    let of = |bet: &str| &effects[pricer.bets().position(|it| it.id.as_str() == bet).unwrap()];
    let (player, banker) = (of("player"), of("banker"));
    let (player, banker) = (player.values(), banker.values());
    for (small, middling) in Rank::ALL[..4].iter().zip(&Rank::ALL[4..8]) {
        assert!(player[*small as usize] < Ratio::ZERO && banker[*small as usize] > Ratio::ZERO);
        assert!(player[*middling as usize] > Ratio::ZERO && banker[*middling as usize] < Ratio::ZERO);
    }
    // The four matters most to both.
    let most = |effects: &[Ratio]| {
        let size = |rank: &&Rank| effects[**rank as usize].to_f64().abs();
        *Rank::ALL.iter().max_by(|a, b| size(a).total_cmp(&size(b))).unwrap()
    };
    assert_eq!((most(player), most(banker)), (Rank::Four, Rank::Four));
    // Ten, Jack, Queen and King are alike where pairs do not matter.
    assert!(player[9..].iter().all(|effect| effect == &player[9]));
}

#[test]
fn six_cards_cannot_lose_one() {
    let (pricer, _) = offered(DA_HU);
    let six = Chance::new(1).handful(6);
    let refused = PriceError::TooFewCards { cards: 5, needed: 6 };
    assert_eq!(effects_of_removal(&pricer, &six).unwrap_err(), refused);
}
