//! Settlement to the cent (interpretations 8, 9, 14, 15): random tables, Rounds and wagers.

mod scale;
mod scratch;

use proptest::prelude::*;
use proptest::sample::Index;
use punto_rules::{
    BoxLimits, Card, LimitsAsked, LimitsModel, Money, Outcome, Pays, Side, Step, Terms, Verdict, Wager,
    Winner, apportion, fix_playing, settle,
};
use scale::{check, scale};
use scratch::{BOOKS, deal, outcome, terms};

fn money(minor: u64) -> Money {
    Money::new(minor).unwrap()
}

/// A table of one of the approved games, a completed Round and what was wagered on it.
#[derive(Clone, Debug)]
struct Case {
    terms: Terms,
    outcome: Outcome,
    wagers: Vec<Wager>,
}

fn tables() -> impl Strategy<Value = Terms> {
    (any::<Index>(), any::<Index>(), 1..50u64).prop_map(|(book, layout, multiple)| {
        let book = book.get(&BOOKS);
        let layout = layout.get(&book.layouts);
        let asked =
            LimitsAsked { unit: Some(money(layout.exact_unit().get() * multiple)), ..LimitsAsked::default() };
        book.terms(&layout.id, book.decks.max, &asked).unwrap()
    })
}

fn rounds() -> impl Strategy<Value = Outcome> {
    prop::collection::vec(0..Card::KINDS, 6).prop_map(|cards| {
        let cards: Vec<Card> = cards.into_iter().map(Card::from_index).collect();
        let Step::Complete(outcome) = deal(&cards).step() else { panic!("six cards are enough") };
        outcome
    })
}

fn cases() -> impl Strategy<Value = Case> {
    let wagers = prop::collection::vec((any::<Index>(), 1..1_000_000u64, 0..=100u64), 0..20);
    (tables(), rounds(), wagers).prop_map(|(terms, outcome, wagers)| {
        let unit = terms.unit().get();
        let wager = |(bet, stake, percent): (Index, u64, u64)| Wager {
            bet: terms.bet_no(bet.get(terms.bets()).id.as_str()).unwrap(),
            stake: money(stake * unit),
            playing: money(stake * percent / 100 * unit),
        };
        let wagers = wagers.into_iter().map(wager).collect();
        Case { terms, outcome, wagers }
    })
}

#[test]
fn no_cent_appears_or_is_lost() {
    check("no_cent_appears_or_is_lost", scale(10_000, 400_000), cases(), |case| {
        let settlement = settle(&case.terms, &case.wagers, &case.outcome);
        let stakes: i128 = case.wagers.iter().map(|wager| i128::from(wager.stake.get())).sum();
        let back: i128 = settlement.lines.iter().map(|line| i128::from(line.to_patron().get())).sum();
        assert_eq!(stakes, back + settlement.house);
        for line in &settlement.lines {
            let stake = i128::from(line.wager.stake.get());
            assert_eq!(stake, i128::from(line.to_patron().get()) + line.house());
        }
    });
}

#[test]
fn every_line_says_what_became_of_its_wager() {
    check("every_line_says_what_became_of_its_wager", scale(10_000, 400_000), cases(), |case| {
        let settlement = settle(&case.terms, &case.wagers, &case.outcome);
        assert_eq!(settlement.lines.iter().map(|line| line.wager).collect::<Vec<_>>(), case.wagers);
        for line in &settlement.lines {
            let bet = case.terms.bet(line.wager.bet);
            let (stake, playing) = (line.wager.stake.get(), line.wager.playing.get());
            let (returned, winnings, commission) =
                (line.returned.get(), line.winnings.get(), line.commission.get());
            assert_eq!(line.verdict, bet.verdict(case.terms.class_of(&case.outcome)));
            let times = |amount: u64, by: u32| u128::from(amount) * u128::from(by);
            match line.verdict {
                Verdict::Won(odds) => {
                    assert_eq!(times(winnings, odds.per()), times(playing, odds.pays()));
                    assert_eq!((returned, line.to_patron().get()), (stake - playing, stake + winnings));
                    assert_eq!(line.house(), -i128::from(winnings));
                }
                Verdict::Lost => {
                    assert_eq!((winnings, commission, line.row), (0, 0, None));
                    assert_eq!((returned, line.to_patron().get()), (stake - playing, stake - playing));
                    assert_eq!(line.house(), i128::from(playing));
                }
                // 9: neither won nor lost.
                Verdict::Returned => {
                    assert_eq!((returned, winnings, commission), (stake, 0, 0));
                    assert_eq!((line.to_patron().get(), line.house()), (stake, 0));
                }
            }
            let charged =
                line.row.is_some_and(|row| matches!(row.pays, Pays::Won { commission: Some(_), .. }));
            assert_eq!(commission > 0, charged && playing > 0);
        }
    });
}

/// 3.14: what is on a Hand comes back on a Tie, is lost when the other Hand wins, and wins when it wins.
#[test]
fn original_bets_follow_their_hand() {
    check(
        "original_bets_follow_their_hand",
        scale(4_000, 200_000),
        (tables(), rounds()),
        |(terms, outcome)| {
            for side in Side::BOTH {
                let bet = terms.bet_no(side.id()).unwrap();
                let settlement = settle(&terms, &[Wager::new(bet, terms.unit())], &outcome);
                let expected = match outcome.winner() {
                    Winner::Tie => "returned",
                    winner if winner.side() == Some(side) => "won",
                    Winner::Player | Winner::Banker => "lost",
                };
                assert_eq!(settlement.lines[0].verdict.id(), expected);
            }
        },
    );
}

/// Da Hu 4.1.1: 5 % of even money. What is paid and what is kept add up to the stake, on every stake.
#[test]
fn da_hu_4_1_1_commission_and_winnings_are_even_money() {
    let terms = terms(&BOOKS[3], "A");
    let banker = terms.bet_no("banker").unwrap();
    let won = outcome("2s 3d 3c 3h 5d");
    for units in 1..=5_000 {
        let playing = units * 20;
        let wager = Wager { bet: banker, stake: money(playing + 700), playing: money(playing) };
        let settlement = settle(&terms, &[wager], &won);
        let line = &settlement.lines[0];
        assert_eq!((line.commission, line.winnings), (money(units), money(19 * units)));
        assert_eq!(settlement.house, -i128::from(19 * units));
    }
    // Nothing is kept where nothing is won.
    for (round, house) in [("2s 3d 3c 3h Ad", 0), ("9s 3d Tc 3h", 2_000)] {
        let line = settle(&terms, &[Wager::new(banker, money(2_000))], &outcome(round)).lines[0];
        assert_eq!((line.commission, line.house()), (Money::ZERO, house), "{round}");
    }
}

/// Boxes of an observed live table, Player and Banker bets mixed with side bets.
#[test]
fn pro_rata_touches_the_heavier_side_only() {
    let live: Vec<usize> =
        (0..BOOKS.len()).filter(|&no| BOOKS[no].limits.model == LimitsModel::Differential).collect();
    assert_eq!(live.len(), 3);
    let bets = prop::collection::vec((any::<Index>(), 0..4u32, 1..400u64), 1..12);
    let boxes = (prop::sample::select(live), any::<Index>(), bets, 1..30u64, 0..200u64);
    check("pro_rata_touches_the_heavier_side_only", scale(4_000, 200_000), boxes, |case| {
        let (book, layout, bets, minimum, more) = case;
        let layout = layout.get(&BOOKS[book].layouts);
        let unit = layout.exact_unit();
        let chips = |units: u64| money(units * unit.get());
        let limits = BoxLimits { minimum: chips(minimum), differential: chips(minimum + more) };
        let asked = LimitsAsked { betting_box: Some(limits), ..LimitsAsked::default() };
        let terms = BOOKS[book].terms(&layout.id, 8, &asked).unwrap();
        let mut wagers: Vec<Wager> = bets
            .iter()
            .map(|(any, kind, units)| {
                let id = match kind {
                    0 | 1 => "banker",
                    2 => "player",
                    _ => any.get(terms.bets()).id.as_str(),
                };
                Wager::new(terms.bet_no(id).unwrap(), chips(*units))
            })
            .collect();
        fix_playing(&terms, &mut wagers);

        let on = |side: Side| {
            let on_it = wagers.iter().filter(|wager| terms.bet(wager.bet).original == Some(side));
            on_it.copied().collect::<Vec<Wager>>()
        };
        let total = |side: Side| on(side).iter().map(|wager| wager.stake).sum::<Money>();
        for wager in wagers.iter().filter(|wager| terms.bet(wager.bet).original.is_none()) {
            assert_eq!(wager.playing, wager.stake, "a side bet plays in full (interpretation 14)");
        }
        for side in Side::BOTH {
            let stakes: Vec<Money> = on(side).iter().map(|wager| wager.stake).collect();
            let playing: Vec<Money> = on(side).iter().map(|wager| wager.playing).collect();
            if total(side) <= total(side.other()) {
                assert_eq!(playing, stakes, "the lighter side plays in full");
            } else {
                assert_eq!(playing, apportion(&stakes, total(side.other()), limits, unit));
            }
        }
        // What was fixed at close is settled without a remainder, whatever the Round.
        for round in ["2s 3d 3c 3h 5d", "9s 2d 9h 3c", "9s 9d Th Kc"] {
            let settlement = settle(&terms, &wagers, &outcome(round));
            let back: i128 = settlement.lines.iter().map(|line| i128::from(line.to_patron().get())).sum();
            let stakes: i128 = wagers.iter().map(|wager| i128::from(wager.stake.get())).sum();
            assert_eq!(stakes, back + settlement.house);
        }
    });
}

/// The worked example of interpretations 15, as a whole table sees it.
#[test]
fn pro_rata_settled() {
    let limits = BoxLimits { minimum: money(200), differential: money(2_000) };
    let asked = LimitsAsked { betting_box: Some(limits), ..LimitsAsked::default() };
    let terms = BOOKS[0].terms("A", 8, &asked).unwrap();
    let no = |bet| terms.bet_no(bet).unwrap();
    let mut wagers = [("banker", 2_000), ("tie", 9_000), ("banker", 1_200), ("player", 500), ("banker", 300)]
        .map(|(bet, stake)| Wager::new(no(bet), money(stake)));
    fix_playing(&terms, &mut wagers);
    assert_eq!(wagers.map(|wager| wager.playing.get()), [1_428, 9_000, 858, 500, 214]);

    // Banker wins on 6, which pays half (Wu Song 4.1.1); what did not play is back whatever happens.
    let won = settle(&terms, &wagers, &outcome("2s 3d 3c 3h 5d"));
    assert_eq!(won.lines.iter().map(|line| line.winnings.get()).collect::<Vec<_>>(), [714, 0, 429, 0, 107]);
    assert_eq!(
        won.lines.iter().map(|line| line.to_patron().get()).collect::<Vec<_>>(),
        [2_714, 0, 1_629, 0, 407]
    );
    assert_eq!(won.house, 9_000 + 500 - 714 - 429 - 107);
    let lost = settle(&terms, &wagers, &outcome("9s 3d Tc 3h"));
    assert_eq!(
        lost.lines.iter().map(|line| line.to_patron().get()).collect::<Vec<_>>(),
        [572, 0, 342, 1_000, 86]
    );
}

#[test]
#[should_panic(expected = "no more plays than was staked")]
fn more_playing_than_staked_is_refused() {
    let terms = terms(&BOOKS[0], "A");
    let bet = terms.bet_no("player").unwrap();
    settle(&terms, &[Wager { bet, stake: money(2), playing: money(4) }], &outcome("9s 3d Tc 3h"));
}
