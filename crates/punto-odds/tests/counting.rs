//! Counting: the tags, the shoes, the sums over them, the verdict.

use std::sync::LazyLock;

use punto_odds::{
    Concern, CountingError, CountingRules, CountingStudy, CountingTally, LastRound, LinearCount, MOST_TAG,
    Pricer, VULNERABLE, WORTH_WATCHING, findings,
};
use punto_rules::{Burn, Card, Composition, LimitsAsked, Rank, Rulebook, Shoe, Suit, Terms};

static DA_HU: LazyLock<Terms> = LazyLock::new(|| {
    let rulebook = Rulebook::approved("da-hu-ying-xiong").unwrap();
    rulebook.terms("A", 8, &LimitsAsked::default()).unwrap()
});

fn rules() -> CountingRules {
    CountingRules {
        behind: vec![14, 26, 52],
        last_round: LastRound::Stop,
        burn: Burn::Fixed(0),
        triggers: vec![0.0],
        seed: 1,
    }
}

fn study(rules: CountingRules) -> CountingStudy {
    CountingStudy::new(&Pricer::new(&DA_HU), &Composition::decks(8), rules).unwrap()
}

fn play(study: &CountingStudy, shoes: impl IntoIterator<Item = u64>) -> CountingTally {
    let mut tally = CountingTally::new(study);
    shoes.into_iter().for_each(|shoe| tally.add(&study.shoe(shoe)));
    tally
}

/// A layout of one bet with these rows.
fn scratch(rows: &str) -> Terms {
    let text = format!(
        r#"format = 1
game = "scratch"
title = {{ en = "Scratch" }}
in_force = 2025-01-01T08:00:00
mode = "live"
[cards]
decks = {{ min = 1, max = 8 }}
cite = "2.2"
[play]
initial_cards = "3.10"
third_card = "3.11"
table_of_play = "3.12"
winner = "3.13"
tie = "3.14"
[limits]
model = "differential"
cite = "3.4"
[[bet]]
id = "it"
cite = "4.1"
label = {{ en = "It" }}
pays = [{rows}]
[[layout]]
id = "A"
cite = "2.1"
bets = ["it"]
"#
    );
    Rulebook::parse(&text).unwrap().terms("A", 8, &LimitsAsked::default()).unwrap()
}

#[test]
fn tags_of_whole_effects_are_these_effects() {
    let effects = [2.0, 1.0, 0.0, 0.0, 0.0, -4.0, -3.0, 0.0, 4.0, 0.0, 0.0, 0.0, 0.0].map(|it| it * 1e-4);
    let count = LinearCount::new(&effects.into(), &Composition::decks(6), -0.05);
    assert_eq!(count.tags, [2, 1, 0, 0, 0, -4, -3, 0, 4, 0, 0, 0, 0].into());
    assert!((count.correlation - 1.0).abs() < 1e-12);
    assert_eq!((count.offset, count.imbalance()), (0, 0.0));
    // One true count is one tag a deck: 52 tags' worth of cards out of 312 make (312 − 1) ÷ 52 effects.
    assert!((count.worth - 1e-4 * 311.0 / 52.0).abs() < 1e-15);
    assert!((count.trigger(0.0) - 0.05 / count.worth).abs() < 1e-9);
}

#[test]
fn the_smallest_tags_that_fit_are_taken() {
    let mut effects = [0.0; 13];
    (effects[4], effects[5]) = (0.003, -0.003);
    let count = LinearCount::new(&effects.into(), &Composition::decks(8), -0.01);
    assert_eq!(count.tags, [0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 0, 0, 0].into());
}

/// Hearts gone are good, spades gone are bad: each card is counted by its own tag, whatever its rank.
#[test]
fn tags_by_card_where_suits_matter() {
    let effects: [f64; Card::KINDS] = std::array::from_fn(|index| match Card::from_index(index).suit {
        Suit::Hearts => 2e-4,
        Suit::Spades => -1e-4,
        Suit::Clubs => -1e-4,
        Suit::Diamonds => 0.0,
    });
    let full = Composition::decks(6);
    let count = LinearCount::new(&effects.into(), &full, -0.05);
    assert!(count.counts() && count.tags.tells_suits());
    assert!((count.correlation - 1.0).abs() < 1e-12);
    let [spades, hearts, diamonds, clubs] =
        Suit::ALL.map(|suit| count.tags.of(Card { rank: Rank::Nine, suit }));
    assert_eq!([spades, hearts, diamonds, clubs], [-1, 2, 0, -1]);
    assert_eq!((count.offset, count.true_count(&full)), (0, 0.0));
    for (card, tag) in [("9h", 2.0), ("As", -1.0), ("Kd", 0.0), ("2c", -1.0)] {
        let mut left = full.clone();
        assert!(left.remove(card.parse().unwrap()));
        assert!((count.true_count(&left) - tag * 52.0 / 311.0).abs() < 1e-12, "{card}");
    }
}

#[test]
fn an_unbalanced_count_promises_what_its_balanced_twin_does() {
    // Tags 1 for twelve ranks and 0 for the King say the same as a tag for Kings alone.
    let mut effects = [1.0 / 13.0; 13];
    effects[12] -= 1.0;
    let shoe = Composition::decks(8);
    let count = LinearCount::new(&effects.into(), &shoe, -0.5);
    assert!(count.correlation > 0.999_999);
    let mut seen = [3; 13];
    seen[12] = 9;
    let mut unseen = shoe.clone();
    for (rank, &times) in Rank::ALL.into_iter().zip(&seen) {
        // Two hearts or more of each: to a count by rank the suit is no matter.
        let suits = [Suit::Hearts, Suit::Hearts, Suit::Clubs].into_iter().cycle().take(times as usize);
        suits.for_each(|suit| assert!(unseen.remove(Card { rank, suit })));
    }
    let promise = (count.true_count(&unseen) + count.imbalance()) * count.worth;
    let left = f64::from(416 - 45);
    let exact =
        seen.iter().zip(effects).map(|(&n, effect)| f64::from(n) * effect).sum::<f64>() * 415.0 / left;
    assert!((promise - exact).abs() < 1e-12, "{promise} {exact}");
    // The trigger is where the promise makes up for the edge.
    let at_trigger = (count.trigger(0.02) + count.imbalance()) * count.worth;
    assert!((at_trigger - 0.52).abs() < 1e-12);
}

#[test]
fn tags_follow_the_effects_of_every_bet() {
    let study = study(rules());
    for (bet, (count, effects)) in DA_HU.bets().iter().zip(study.counts().iter().zip(study.effects())) {
        let tags = count.tags.values();
        assert!(tags.len() == 13 && tags.iter().all(|tag| tag.abs() <= MOST_TAG), "{}", bet.id);
        if bet.id.as_str() == "tiger-pair" {
            // By symmetry no rank matters more than another, so the effects are nought, exactly.
            assert!(!count.counts());
            assert!(effects.values().iter().all(|effect| effect.numerator() == 0));
            continue;
        }
        assert!(count.correlation > 0.97, "{}: {}", bet.id, count.correlation);
        assert_eq!(tags[9..], [tags[9]; 4], "{}: tens and pictures are worth the same", bet.id);
        assert!(count.base < 0.0 && count.worth > 0.0);
    }
    // The six makes both tigers: once it is out they are gone.
    for bet in ["tiger", "small-tiger", "tiger-tie"] {
        let bet = DA_HU.bet_no(bet).unwrap().index();
        assert_eq!(study.counts()[bet].tags.values()[Rank::Six as usize], -MOST_TAG);
    }
}

#[test]
fn shoes_add_up_alike_however_they_are_divided() {
    let study = study(rules());
    let whole = play(&study, 0..24);
    let mut parts = play(&study, (0..24).rev().filter(|shoe| shoe % 3 == 1));
    parts.add(&play(&study, (0..24).filter(|shoe| shoe % 3 != 1)));
    assert_eq!(whole, parts);
    assert_eq!(whole.shoes, 24);
}

#[test]
fn the_seed_decides_the_shoes() {
    let one = study(rules());
    let again = study(rules());
    let other = study(CountingRules { seed: 2, ..rules() });
    assert_eq!(one.shoe(7), again.shoe(7));
    assert_ne!(one.shoe(7), one.shoe(8));
    assert_ne!(one.shoe(7), other.shoe(7));
}

/// Above a trigger t, perfect play takes every Round that gains more and no other, so nothing beats it in Σ (gain − t).
#[test]
fn nothing_beats_perfect_play() {
    let triggers = vec![0.0, -0.02, 0.03];
    let study = study(CountingRules { triggers: triggers.clone(), ..rules() });
    let tally = play(&study, 0..60);
    let mut won_more = 0;
    for bet in 0..DA_HU.bets().len() {
        for depth in 0..3 {
            let at_nought = (tally.perfect(bet, 0, depth), tally.count(bet, 0, depth));
            assert!(at_nought.0.win.mean >= at_nought.1.win.mean);
            won_more += usize::from(at_nought.0.win.mean > at_nought.1.win.mean);
            assert_eq!(at_nought.0.win, tally.with_edge_raised(bet, depth, 0));
            for (place, trigger) in triggers.iter().enumerate() {
                let (perfect, count) = (tally.perfect(bet, place, depth), tally.count(bet, place, depth));
                let over = |it: punto_odds::Figures| it.win.mean - trigger * it.bets.mean;
                assert!(over(perfect) >= over(count) - 1e-9);
                assert!(perfect.gain.is_none_or(|gain| gain.mean > *trigger));
                assert!((0.0..=1.0).contains(&perfect.share));
            }
            // A higher trigger bets less often.
            let [nought, lower, higher] = [0, 1, 2].map(|place| tally.perfect(bet, place, depth).bets.mean);
            assert!(lower >= nought && nought >= higher);
            // A higher edge leaves less.
            let raised: Vec<f64> = (0..5).map(|step| tally.with_edge_raised(bet, depth, step).mean).collect();
            assert!(raised.is_sorted_by(|a, b| a >= b));
        }
    }
    assert!(won_more > 10, "only {won_more} comparisons tell the two apart");
}

#[test]
fn a_deeper_cut_card_means_more_rounds_and_more_won() {
    let study = study(rules());
    for index in 0..40 {
        let shoe = study.shoe(index);
        let rounds = [0, 1, 2].map(|depth| shoe.rounds(depth).mean);
        assert!(rounds.is_sorted_by(|a, b| a >= b), "{rounds:?}");
        assert!(rounds[0] > rounds[2], "38 cards are at least six Rounds");
        for bet in 0..DA_HU.bets().len() {
            let won = [0, 1, 2].map(|depth| shoe.perfect(bet, 0, depth).win.mean);
            assert!(won.is_sorted_by(|a, b| a >= b), "{won:?}");
        }
    }
}

#[test]
fn depths_do_not_disturb_each_other() {
    let together = study(rules());
    for (depth, behind) in [14, 26, 52].into_iter().enumerate() {
        let alone = study(CountingRules { behind: vec![behind], ..rules() });
        for shoe in 0..5 {
            let (together, alone) = (together.shoe(shoe), alone.shoe(shoe));
            assert_eq!(together.rounds(depth).mean, alone.rounds(0).mean);
            for bet in 0..DA_HU.bets().len() {
                assert_eq!(together.perfect(bet, 0, depth).win.mean, alone.perfect(bet, 0, 0).win.mean);
                assert_eq!(together.count(bet, 0, depth).win.mean, alone.count(bet, 0, 0).win.mean);
            }
        }
    }
}

#[test]
fn one_more_round_is_one_more_round() {
    let stop = study(rules());
    let one_more = study(CountingRules { last_round: LastRound::OneMore, ..rules() });
    for index in 0..40 {
        let (stop, one_more) = (stop.shoe(index), one_more.shoe(index));
        for depth in 0..3 {
            assert_eq!(one_more.rounds(depth).mean, stop.rounds(depth).mean + 1.0);
        }
    }
}

/// The cut card as near to the end as may be: no shoe runs out, which would panic.
#[test]
fn the_least_behind_the_cut_card_is_enough() {
    let terms = scratch(r#"{ pairs = "player", odds = "11 to 1" }"#);
    for last_round in [LastRound::Stop, LastRound::OneMore] {
        let rules = CountingRules { behind: vec![last_round.least_behind()], last_round, ..rules() };
        let study = CountingStudy::new(&Pricer::new(&terms), &Composition::decks(1), rules).unwrap();
        assert_eq!(play(&study, 0..3_000).shoes, 3_000);
    }
}

#[test]
fn what_is_burnt_is_not_played_and_not_known() {
    let none = study(rules());
    let many = study(CountingRules { burn: Burn::Fixed(200), ..rules() });
    let by_first = study(CountingRules { burn: Burn::ByFirstCard, ..rules() });
    let [none, many, by_first] = [&none, &many, &by_first].map(|study| play(study, 0..40));
    let rounds = [none.rounds(0).mean, by_first.rounds(0).mean, many.rounds(0).mean];
    assert!(rounds.is_sorted_by(|a, b| a > b), "{rounds:?}");
    // 200 cards are some 40 Rounds, and with half a shoe unseen next to nothing can be known.
    assert!((rounds[0] - rounds[2] - 40.5).abs() < 2.0, "{rounds:?}");
    for bet in 0..DA_HU.bets().len() {
        assert!(many.perfect(bet, 0, 0).win.mean < 0.01, "{}", DA_HU.bets()[bet].id);
    }
}

/// A ten is turned over and burnt with ten more. Of 405 cards left a Round of six reaches a cut card before the last 399,
/// and that only Round is priced from 415 cards: the ten is known, the other ten cards are not.
#[test]
fn a_card_turned_over_is_known() {
    let terms = scratch(r#"{ winner = "tie", odds = "8 to 1" }"#);
    let full = Composition::decks(8);
    let rules = CountingRules { behind: vec![399], burn: Burn::ByFirstCard, triggers: vec![-1.0], ..rules() };
    let study = CountingStudy::new(&Pricer::new(&terms), &full, rules).unwrap();
    let mut known = full.clone();
    assert!(known.remove(Card { rank: Rank::Ten, suit: Suit::Spades }));
    let [with, without] = [&full, &known].map(|cards| study.gains(cards)[0]);
    assert!(without - with > 1e-4);
    let shoes = (0..100).map(|index| study.shoe(index)).filter(|shoe| shoe.rounds(0).mean == 1.0);
    let won: Vec<f64> = shoes.map(|shoe| shoe.perfect(0, 0, 0).win.mean).collect();
    assert!(won.len() > 5, "{} shoes of one Round", won.len());
    assert!(won.iter().all(|won| (won - without).abs() < 1e-9), "{won:?}, not {without}");
}

#[test]
fn a_bet_that_favours_the_patron_is_bet_every_round() {
    let terms =
        scratch(r#"{ winner = "tie", odds = "3 to 1" }, { winner = ["player", "banker"], odds = "2 to 1" }"#);
    let study = CountingStudy::new(&Pricer::new(&terms), &Composition::decks(8), rules()).unwrap();
    let tally = play(&study, 0..10);
    for depth in 0..3 {
        for figures in [tally.perfect(0, 0, depth), tally.count(0, 0, depth)] {
            assert_eq!(figures.share, 1.0);
            assert_eq!(figures.bets, tally.rounds(depth));
            assert!(figures.gain.unwrap().mean > 2.0);
        }
    }
    let finding = findings(&study, &tally)[0];
    assert_eq!(finding.concern, Concern::FavoursPatron);
    assert_eq!(finding.cure.unwrap().edge_higher, None);
}

#[test]
fn gains_are_those_of_the_exact_odds() {
    let pricer = Pricer::new(&DA_HU);
    let study = study(rules());
    for (seed, left) in [(1, 400), (2, 250), (3, 100), (4, 40), (5, 14), (6, 6)] {
        let mut shoe = Shoe::shuffled(&Composition::decks(8), [seed; 32]);
        shoe.burn(Burn::Fixed(416 - left));
        let cards = shoe.left();
        for (gain, price) in study.gains(&cards).into_iter().zip(pricer.price(&cards).unwrap()) {
            assert!((gain + price.edge().to_f64()).abs() < 1e-12, "{left} cards: {gain}");
        }
    }
}

/// A bet on suits is priced by enumeration; the study says so and plays it all the same.
#[test]
fn a_bet_on_suits_is_slow_and_right() {
    let terms = scratch(r#"{ suited_pairs = "player", odds = "25 to 1" }"#);
    let pricer = Pricer::new(&terms);
    let full = Composition::decks(8);
    let study = CountingStudy::new(&pricer, &full, CountingRules { behind: vec![380], ..rules() }).unwrap();
    assert_eq!(study.slow().collect::<Vec<_>>(), [0]);
    assert_eq!(study.gains(&full)[0], -pricer.price(&full).unwrap()[0].edge().to_f64());
    assert_eq!(play(&study, 0..2).shoes, 2);
    assert_eq!(self::study(rules()).slow().count(), 0);
}

/// No black card in the Round, from two decks. Whoever counts colours wins nearly what can be won; tags that took spades for
/// their rank would tell nothing.
#[test]
fn counting_colours_pays_where_colours_are_paid() {
    let terms = scratch(r#"{ count = { suit = ["spades", "clubs"], is = 0 }, odds = "26 to 1" }"#);
    let full = Composition::decks(2);
    let rules = CountingRules { behind: vec![14], ..rules() };
    let study = CountingStudy::new(&Pricer::new(&terms), &full, rules).unwrap();
    let count = &study.counts()[0];
    assert!(count.base < 0.0 && count.correlation > 0.97, "{count:?}");
    for card in Card::all() {
        let is_black = matches!(card.suit, Suit::Spades | Suit::Clubs);
        assert_eq!(count.tags.of(card).signum(), if is_black { 1 } else { -1 }, "{card}");
    }
    let tally = play(&study, 0..60);
    let (perfect, count) = (tally.perfect(0, 0, 0).win.mean, tally.count(0, 0, 0).win.mean);
    assert!(perfect > 0.5 && count > 0.9 * perfect, "perfect play wins {perfect}, the count {count}");
}

#[test]
fn margins_are_those_of_the_textbook() {
    let study = study(CountingRules { behind: vec![14], ..rules() });
    let bet = DA_HU.bet_no("big-tiger").unwrap().index();
    let shoes: Vec<CountingTally> = (0..50).map(|shoe| study.shoe(shoe)).collect();
    let tally = play(&study, 0..50);
    let wins: Vec<f64> = shoes.iter().map(|shoe| shoe.perfect(bet, 0, 0).win.mean).collect();
    let mean = wins.iter().sum::<f64>() / 50.0;
    let variance = wins.iter().map(|win| (win - mean).powi(2)).sum::<f64>() / 49.0;
    let win = tally.perfect(bet, 0, 0).win;
    assert!((win.mean - mean).abs() < 1e-9);
    assert!((win.margin - 1.96 * (variance / 50.0).sqrt()).abs() < 1e-9);
    // The gain of a bet is Σ win ÷ Σ bets; its margin is that of win − gain × bets, over the mean of bets.
    let bets: Vec<f64> = shoes.iter().map(|shoe| shoe.perfect(bet, 0, 0).bets.mean).collect();
    let all_bets: f64 = bets.iter().sum();
    let gain = tally.perfect(bet, 0, 0).gain.unwrap();
    assert!((gain.mean - wins.iter().sum::<f64>() / all_bets).abs() < 1e-9);
    let rest = wins.iter().zip(&bets).map(|(win, bets)| (win - gain.mean * bets).powi(2)).sum::<f64>() / 49.0;
    assert!((gain.margin - 1.96 * (rest / 50.0).sqrt() / (all_bets / 50.0)).abs() < 1e-9);
}

#[test]
fn findings_hold_the_bounds_and_the_cures_cure() {
    let study = study(CountingRules { behind: vec![8, 14, 26, 52, 104, 208], ..rules() });
    let tally = play(&study, 0..150);
    let findings = findings(&study, &tally);
    let mut cured = 0;
    for (bet, finding) in findings.iter().enumerate() {
        let expected = match finding.most.most() {
            most if most < WORTH_WATCHING => Concern::NotWorthWatching,
            most if most < VULNERABLE => Concern::OfInterest,
            _ => Concern::Vulnerable,
        };
        assert_eq!(finding.concern, expected, "{}", DA_HU.bets()[bet].id);
        let Some(cure) = finding.cure else {
            assert_eq!(finding.concern, Concern::NotWorthWatching);
            continue;
        };
        assert!(finding.most.most() * cure.maximum <= cure.below * (1.0 + 1e-12));
        let behind = cure.behind.expect("half a shoe behind the cut card cures everything");
        let depth = study.rules().behind.iter().position(|it| *it == behind).unwrap();
        assert!(tally.with_edge_raised(bet, depth, 0).most() < cure.below);
        assert!(depth > 0 && tally.with_edge_raised(bet, depth - 1, 0).most() >= cure.below);
        cured += 1;
    }
    assert!(cured >= 4, "only {cured} bets needed a cure");
    // Literature: Player and Banker cannot be beaten by counting.
    for bet in ["player", "banker"] {
        assert_eq!(findings[DA_HU.bet_no(bet).unwrap().index()].concern, Concern::NotWorthWatching);
    }
}

#[test]
fn contradictory_rules_are_refused() {
    let refusal = |rules: CountingRules| {
        CountingStudy::new(&Pricer::new(&DA_HU), &Composition::decks(8), rules).map(|_| ()).unwrap_err()
    };
    assert_eq!(refusal(CountingRules { behind: vec![], ..rules() }), CountingError::NoDepth);
    assert_eq!(refusal(CountingRules { triggers: vec![], ..rules() }), CountingError::NoTrigger);
    assert_eq!(
        refusal(CountingRules { triggers: vec![0.0, f64::INFINITY], ..rules() }),
        CountingError::Trigger(f64::INFINITY)
    );
    assert_eq!(
        refusal(CountingRules { behind: vec![26, 14, 26], ..rules() }),
        CountingError::TwiceTheSame { behind: 26 }
    );
    assert_eq!(
        refusal(CountingRules { behind: vec![14, 4], ..rules() }),
        CountingError::TooFewBehind { behind: 4, least: 5, most: 410 }
    );
    assert_eq!(
        refusal(CountingRules { behind: vec![10], last_round: LastRound::OneMore, ..rules() }),
        CountingError::TooFewBehind { behind: 10, least: 11, most: 410 }
    );
    assert_eq!(
        refusal(CountingRules { behind: vec![411], ..rules() }),
        CountingError::TooManyBehind { behind: 411, least: 5, most: 410 }
    );
    assert_eq!(
        refusal(CountingRules { behind: vec![14], burn: Burn::Fixed(u16::MAX), ..rules() }),
        CountingError::TooManyBurnt { burnt: 65_535, most: 405, cards: 416 }
    );
}

/// Every shoe from one deck to ten has depths to study where nobody names any, and every depth that is allowed can be
/// played.
#[test]
fn usual_depths_fit_every_shoe() {
    let terms = scratch(r#"{ pairs = "player", odds = "11 to 1" }"#);
    let pricer = Pricer::new(&terms);
    for decks in 1..=10 {
        let shoe = Composition::decks(decks);
        for last_round in [LastRound::Stop, LastRound::OneMore] {
            for burn in [Burn::Fixed(0), Burn::Fixed(10), Burn::Fixed(30), Burn::Fixed(35), Burn::ByFirstCard]
            {
                let usual = CountingRules::usual_depths(last_round, burn, &shoe);
                let allowed = CountingRules::depths(last_round, burn, &shoe).expect("a Round is left");
                assert!(!usual.is_empty() && usual.iter().all(|depth| allowed.contains(depth)), "{usual:?}");
                let play = |behind: Vec<u16>| {
                    let rules = CountingRules { behind, last_round, burn, ..rules() };
                    CountingStudy::new(&pricer, &shoe, rules).map(|study| study.shoe(0).rounds(0).mean)
                };
                assert!(play(usual).unwrap() >= 1.0);
                for depth in [*allowed.start(), *allowed.end()] {
                    assert!(play(vec![depth]).unwrap() >= 1.0);
                }
                assert!(play(vec![allowed.start() - 1]).is_err() && play(vec![allowed.end() + 1]).is_err());
            }
        }
    }
    let usual =
        |decks: u8| CountingRules::usual_depths(LastRound::Stop, Burn::Fixed(0), &Composition::decks(decks));
    assert_eq!((usual(1), usual(2), usual(8)), (vec![14, 26], vec![14, 26, 52], vec![14, 26, 52]));
    // Nearly all of a deck burnt leaves one Round, as deep as it can be.
    let deepest = CountingRules::usual_depths(LastRound::Stop, Burn::Fixed(40), &Composition::decks(1));
    assert_eq!(deepest, [5]);
    assert_eq!(CountingRules::depths(LastRound::Stop, Burn::Fixed(42), &Composition::decks(1)), None);
}
