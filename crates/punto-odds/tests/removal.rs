//! Effects of removal against differences of counts by the textbook, and the law that they add up to nothing.

mod scale;
mod textbook;

use punto_odds::{PriceError, Pricer, Ratio, effects_of_removal};
use punto_rules::{Card, Composition, Rank, Suit};
use scale::{Chance, scale};
use textbook::reference::BetRule;
use textbook::{Counts, count, falling, offered};

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
        let n = u64::from(shoe.len());
        for rank in Rank::ALL {
            let effect = effects[rank as usize];
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

/// A card taken out unseen changes nothing: the effects of all cards of the shoe add up to nought, exactly.
#[test]
fn all_cards_together_have_no_effect() {
    let games = GAMES.map(offered);
    for case in 0..scale(6, 200) {
        let mut chance = Chance::new(11_000 + case);
        let decks = chance.between(1, 10) as u8;
        for shoe in [Composition::decks(decks), chance.depleted(8), chance.handful(9)] {
            for (pricer, rules) in &games {
                let effects = effects_of_removal(pricer, &shoe).unwrap();
                assert!(effects.iter().flatten().any(|effect| *effect != Ratio::ZERO));
                for (effects, rule) in effects.iter().zip(rules) {
                    let sum = Rank::ALL.into_iter().fold(Ratio::ZERO, |sum, rank| {
                        let (cards, effect) = (i128::from(shoe.of_rank(rank)), effects[rank as usize]);
                        sum.minus(Ratio::new(-cards * effect.numerator(), effect.denominator()))
                    });
                    assert_eq!(sum, Ratio::ZERO, "{} of {shoe:?}", rule.id);
                }
            }
        }
    }
}

/// Small cards gone are good for Banker, middling ones for Player, as every study of counting finds.
#[test]
fn signs_at_eight_decks() {
    let (pricer, _) = offered(DA_HU);
    let effects = effects_of_removal(&pricer, &Composition::decks(8)).unwrap();
    let of = |bet: &str| &effects[pricer.bets().position(|it| it.id.as_str() == bet).unwrap()];
    let (player, banker) = (of("player"), of("banker"));
    for (small, middling) in Rank::ALL[..4].iter().zip(&Rank::ALL[4..8]) {
        assert!(player[*small as usize] < Ratio::ZERO && banker[*small as usize] > Ratio::ZERO);
        assert!(player[*middling as usize] > Ratio::ZERO && banker[*middling as usize] < Ratio::ZERO);
    }
    // The four matters most to both.
    let most = |effects: &[Ratio; 13]| {
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
