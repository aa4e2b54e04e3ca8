//! Several bets at once, against means and covariances taken Round by Round from the textbook.

mod made_up;
mod scale;
mod textbook;

use made_up::{COUNTS, MadeUpLayout, PAIRS, SUITED, TOTALS};
use punto_odds::{Joint, Pricer};
use punto_rules::{Composition, LimitsAsked, Rulebook, Verdict};
use scale::{Chance, scale};
use textbook::each_round;

/// What the textbook says of all bets together.
struct Moments {
    means: Vec<f64>,
    covariances: Vec<Vec<f64>>,
    /// The third moments about the means.
    thirds: Vec<f64>,
}

fn moments(layout: &MadeUpLayout, shoe: &Composition) -> Moments {
    let bets = layout.bets.len();
    let mut rounds: Vec<(Vec<f64>, f64)> = Vec::new();
    each_round([shoe], layout.apart(), &[], |round, [sequences]| {
        let gain = |bet: usize| match (layout.bets[bet].row)(round) {
            None => -1.0,
            Some(row) => match layout.terms.bets()[bet].rows[row].verdict() {
                Verdict::Won(odds) => f64::from(odds.pays()) / f64::from(odds.per()),
                Verdict::Lost => -1.0,
                Verdict::Returned => 0.0,
            },
        };
        rounds.push(((0..bets).map(gain).collect(), sequences as f64));
    });
    let all: f64 = rounds.iter().map(|(_, sequences)| sequences).sum();
    let mean = |of: &dyn Fn(&[f64]) -> f64| {
        rounds.iter().map(|(gains, sequences)| of(gains) * sequences).sum::<f64>() / all
    };
    let means: Vec<f64> = (0..bets).map(|bet| mean(&|gains| gains[bet])).collect();
    let covariance = |i: usize, j: usize| mean(&|gains| (gains[i] - means[i]) * (gains[j] - means[j]));
    let covariances = (0..bets).map(|i| (0..bets).map(|j| covariance(i, j)).collect()).collect();
    let thirds = (0..bets).map(|bet| mean(&|gains| (gains[bet] - means[bet]).powi(3))).collect();
    Moments { means, covariances, thirds }
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * (1.0 + a.abs().max(b.abs()))
}

#[test]
fn moments_of_small_shoes() {
    let layouts = [
        MadeUpLayout::new(TOTALS.iter().chain(&PAIRS)),
        MadeUpLayout::new(SUITED.iter().chain(&COUNTS).chain(&TOTALS[..2])),
    ];
    let mut told = 0;
    for case in 0..scale(8, 300) {
        let mut chance = Chance::new(12_000 + case);
        let shoe = if case % 2 == 0 { chance.handful(8) } else { chance.lopsided(5) };
        for layout in &layouts {
            let joint = Joint::new(&layout.pricer, &layout.pricer.classes(&shoe).unwrap());
            let moments = moments(layout, &shoe);
            let bets = moments.means.len();
            for i in 0..bets {
                for j in 0..bets {
                    let covariance = moments.covariances[i][j];
                    let deviations = (moments.covariances[i][i] * moments.covariances[j][j]).sqrt();
                    if deviations > 1e-9 {
                        assert!(close(joint.correlation(i, j), covariance / deviations));
                        told += 1;
                    } else {
                        assert!(joint.correlation(i, j).abs() <= 1.0 + 1e-9);
                    }
                }
            }
            for (bet, price) in layout.pricer.price(&shoe).unwrap().iter().enumerate() {
                let sd = moments.covariances[bet][bet].sqrt();
                assert!(close(price.sd(), sd) && close(-price.edge().to_f64(), moments.means[bet]));
                if sd > 1e-9 {
                    assert!(close(price.skew(), moments.thirds[bet] / sd.powi(3)));
                }
            }
            let stakes: Vec<f64> = (0..bets).map(|_| chance.between(0, 20) as f64 / 4.0).collect();
            let (mean, sd) = joint.basket(&stakes);
            let expected: f64 = stakes.iter().zip(&moments.means).map(|(stake, mean)| stake * mean).sum();
            let mut variance = 0.0;
            for i in 0..bets {
                for j in 0..bets {
                    variance += stakes[i] * stakes[j] * moments.covariances[i][j];
                }
            }
            assert!(close(mean, expected) && close(sd * sd, variance), "{stakes:?} on {shoe:?}");
        }
    }
    assert!(told > 100);
}

fn da_hu() -> (Pricer, Joint, impl Fn(&str) -> usize) {
    let rulebook = Rulebook::approved("da-hu-ying-xiong").unwrap();
    let terms = rulebook.terms("A", 8, &LimitsAsked::default()).unwrap();
    let pricer = Pricer::new(&terms);
    let joint = Joint::new(&pricer, &pricer.classes(&Composition::decks(8)).unwrap());
    (pricer, joint, move |bet: &str| terms.bet_no(bet).unwrap().index())
}

#[test]
fn a_basket_of_one_bet_is_that_bet() {
    let (pricer, joint, _) = da_hu();
    for (bet, price) in pricer.price(&Composition::decks(8)).unwrap().iter().enumerate() {
        let mut stakes = vec![0.0; pricer.bets().count()];
        stakes[bet] = 3.0;
        let (mean, sd) = joint.basket(&stakes);
        assert!(close(mean, -3.0 * price.edge().to_f64()) && close(sd, 3.0 * price.sd()));
        assert!(close(joint.correlation(bet, bet), 1.0));
    }
}

/// Player and Banker are opposites but for commission and Ties, and the numbers are those of the counts at eight decks.
#[test]
fn player_and_banker() {
    let (_, joint, place) = da_hu();
    let (player, banker, tie) = (place("player"), place("banker"), place("tie"));
    let all = 4_998_398_275_503_360f64;
    let (p, b) = (2_230_518_282_592_256.0 / all, 2_292_252_566_437_888.0 / all);
    let (for_player, for_banker) = (p - b, 0.95 * b - p);
    let covariance = -p - 0.95 * b - for_player * for_banker;
    let variances = (p + b - for_player.powi(2)) * (p + 0.95 * 0.95 * b - for_banker.powi(2));
    let correlation = joint.correlation(player, banker);
    assert!(close(correlation, covariance / variances.sqrt()));
    assert!((-1.0..-0.99).contains(&correlation));
    assert!(close(correlation, joint.correlation(banker, player)));
    assert!(joint.correlation(player, tie).abs() < 0.01, "a Tie gives the stake back");

    // Both at once: only the commission and nothing else can be lost.
    let mut stakes = vec![0.0; 8];
    (stakes[player], stakes[banker]) = (1.0, 1.0);
    let (mean, sd) = joint.basket(&stakes);
    assert!(close(mean, -0.05 * b) && close(sd, 0.05 * (b * (1.0 - b)).sqrt()));
}

/// Nothing but tens: every Round is a Tie at nought, and nothing varies.
#[test]
fn a_shoe_without_chance() {
    let (pricer, _, place) = da_hu();
    let tens = "Ts Ts Ts Ts Ts Ts Ts".split(' ').map(|card| card.parse().unwrap()).collect();
    let joint = Joint::new(&pricer, &pricer.classes(&tens).unwrap());
    assert_eq!(joint.correlation(place("player"), place("tie")), 0.0);
    let mut stakes = vec![0.0; 8];
    (stakes[place("tie")], stakes[place("tiger-pair")]) = (1.0, 2.0);
    assert_eq!(joint.basket(&stakes), (8.0 + 200.0, 0.0));
}
