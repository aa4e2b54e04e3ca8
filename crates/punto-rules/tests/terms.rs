//! The terms of a table (interpretations 8, 11, 12): chip units, limits, and stakes whose payout money can hold.

mod scratch;

use std::collections::BTreeMap;

use punto_rules::{
    Bet, BoxLimits, Commission, Deal, LimitsAsked, Money, Odds, Pays, Range, Rulebook, StakeError, Step,
    TermsError, Wager, notation, settle,
};
use scratch::{BOOKS, deal, each_round, terms, text};

fn money(minor: u64) -> Money {
    Money::new(minor).unwrap()
}

/// Each pay and commission of a bet to the stake, as two whole numbers.
fn ratios(bet: &Bet) -> Vec<(u64, u64)> {
    let pays = bet.rows.iter().filter_map(|row| match row.pays {
        Pays::Won { odds, commission } => Some([Some(odds), commission.map(Commission::to_stake)]),
        Pays::Returned => None,
    });
    pays.flatten().flatten().map(|odds| (odds.pays().into(), odds.per().into())).collect()
}

/// The smallest stake that is paid without a remainder, by trying.
fn smallest_unit(bets: &[&Bet]) -> u64 {
    let exact = |unit: &u64| {
        bets.iter().flat_map(|bet| ratios(bet)).all(|(pays, per)| (unit * pays).is_multiple_of(per))
    };
    (1..100_000).find(exact).unwrap()
}

#[test]
fn the_smallest_unit_pays_every_bet_exactly() {
    let expected = [("wu-song", 2), ("ncb-etg", 2), ("rws-baccarat", 2), ("da-hu-ying-xiong", 20)];
    for (book, (game, unit)) in BOOKS.iter().zip(expected) {
        assert_eq!(book.game, game);
        for layout in &book.layouts {
            let bets: Vec<&Bet> = layout.bets.iter().map(AsRef::as_ref).collect();
            assert_eq!(smallest_unit(&bets), unit, "{game} {}", layout.id);
            assert_eq!(layout.exact_unit(), money(unit));
            assert_eq!(terms(book, &layout.id).unit(), money(unit), "it is the unit where none is asked for");
        }
    }
}

#[test]
fn units_of_odd_pay_tables() {
    let books = [
        (
            vec![("a", "{ odds = '3 to 2' }"), ("b", "{ odds = '0.95 to 1' }"), ("c", "{ odds = '7 to 3' }")],
            60,
        ),
        (vec![("a", "{ odds = '1.2345 to 1' }")], 2_000),
        // 4 to 1 after a commission of 20 % keeps 1 to 1; 2.5 % of the gross of 1 to 1 is 1 to 39.
        (vec![("a", "{ odds = '4 to 1', commission = '20%' }")], 1),
        (vec![("a", "{ odds = '1 to 1', commission = '2.5%' }")], 39),
        (vec![("a", "{ winner = 'tie', returned = true }, { odds = '150 to 1' }")], 1),
    ];
    for (bets, unit) in books {
        let book = Rulebook::parse(&text(&bets)).unwrap();
        let all: Vec<&Bet> = book.bets.iter().map(AsRef::as_ref).collect();
        assert_eq!(smallest_unit(&all), unit, "{bets:?}");
        assert_eq!(book.layouts[0].exact_unit(), money(unit), "{bets:?}");
    }
}

#[test]
fn a_unit_must_be_a_multiple_of_the_smallest() {
    for book in BOOKS.iter() {
        let layout = &book.layouts[0];
        let smallest = layout.exact_unit();
        for unit in (0..=200).map(money) {
            let asked = LimitsAsked { unit: Some(unit), ..LimitsAsked::default() };
            match book.terms(&layout.id, 8, &asked) {
                Ok(terms) => {
                    assert_eq!(terms.unit(), unit);
                    assert!(unit.get() > 0 && unit.get() % smallest.get() == 0, "{unit}");
                }
                Err(error) => {
                    assert_eq!(error, TermsError::UnitNotExact { unit, smallest });
                    assert!(unit.get() % smallest.get() > 0 || unit.get() == 0, "{unit}");
                }
            }
        }
    }
}

/// What is refused when a table of a game is opened like this.
fn refused(game: usize, layout: &str, decks: u8, asked: &LimitsAsked) -> TermsError {
    BOOKS[game].terms(layout, decks, asked).unwrap_err()
}

fn box_limits(minimum: u64, differential: u64) -> LimitsAsked {
    let betting_box = BoxLimits { minimum: money(minimum), differential: money(differential) };
    LimitsAsked { betting_box: Some(betting_box), ..LimitsAsked::default() }
}

fn range(bet: &str, minimum: u64, maximum: u64) -> LimitsAsked {
    let range = Range { minimum: money(minimum), maximum: money(maximum) };
    LimitsAsked { bets: BTreeMap::from([(bet.to_string(), range)]), ..LimitsAsked::default() }
}

#[test]
fn layouts_and_decks() {
    let none = LimitsAsked::default();
    let known = ["A", "B", "C", "D"].map(str::to_string).to_vec();
    assert_eq!(refused(3, "E", 8, &none), TermsError::UnknownLayout { asked: "E".into(), known });
    for (book, (min, max)) in BOOKS.iter().zip([(4, 10), (4, 8), (4, 10), (4, 10)]) {
        for asked in 0..=u8::MAX {
            let expected = TermsError::Decks { asked, min, max, cite: "2.2.1".into() };
            let refused = book.terms(&book.layouts[0].id, asked, &none).err();
            assert_eq!(refused, (asked < min || asked > max).then_some(expected), "{}", book.game);
        }
    }
}

#[test]
fn box_limits_are_whole_units_and_not_upside_down() {
    let terms = BOOKS[3].terms("A", 8, &box_limits(20, 20)).unwrap();
    assert_eq!(terms.box_limits(), Some(BoxLimits { minimum: money(20), differential: money(20) }));
    let unit = money(20);
    assert_eq!(refused(3, "A", 8, &box_limits(0, 100)), TermsError::NoMinimum { unit });
    let (what, amount) = ("minimum", money(30));
    assert_eq!(refused(3, "A", 8, &box_limits(30, 100)), TermsError::NotWholeUnits { what, amount, unit });
    let (what, amount) = ("Differential", money(110));
    assert_eq!(refused(3, "A", 8, &box_limits(20, 110)), TermsError::NotWholeUnits { what, amount, unit });
    let (differential, minimum) = (money(80), money(100));
    assert_eq!(
        refused(3, "A", 8, &box_limits(100, 80)),
        TermsError::DifferentialBelowMinimum { differential, minimum }
    );
    // ETG 3.4: a minimum and a maximum per bet, and no betting boxes.
    assert_eq!(
        refused(1, "terminal", 8, &box_limits(100, 1_000)),
        TermsError::NoDifferential { cite: "3.4".into() }
    );
}

#[test]
fn ranges_are_whole_units_and_not_upside_down() {
    let terms = BOOKS[0].terms("A", 8, &range("tie", 10, 10)).unwrap();
    let tie = terms.bet_no("tie").unwrap();
    assert_eq!(terms.range(tie), Some(Range { minimum: money(10), maximum: money(10) }));
    assert_eq!(terms.range(terms.bet_no("tiger-tie").unwrap()), None);
    let unit = money(2);
    assert_eq!(refused(0, "A", 8, &range("tie", 0, 10)), TermsError::NoMinimum { unit });
    let (what, amount) = ("minimum", money(5));
    assert_eq!(refused(0, "A", 8, &range("tie", 5, 10)), TermsError::NotWholeUnits { what, amount, unit });
    let (what, amount) = ("maximum", money(11));
    assert_eq!(refused(0, "A", 8, &range("tie", 10, 11)), TermsError::NotWholeUnits { what, amount, unit });
    let (bet, minimum, maximum) = ("tie".to_string(), money(10), money(8));
    assert_eq!(
        refused(0, "A", 8, &range("tie", 10, 8)),
        TermsError::MaximumBelowMinimum { bet, minimum, maximum }
    );
}

#[test]
fn ranges_are_for_side_bets_of_live_games_and_for_every_bet_of_the_electronic_one() {
    let on_bet = |error| {
        let TermsError::LimitsOnBet { bet, why } = error else { panic!("{error:?}") };
        (bet, why)
    };
    let (bet, why) = on_bet(refused(0, "A", 8, &range("banker-big-7", 10, 100)));
    assert_eq!((bet.as_str(), why), ("banker-big-7", "which the layout does not offer"));
    assert!(BOOKS[0].terms("E", 8, &range("banker-big-7", 10, 100)).is_ok());
    for original in ["player", "banker"] {
        let (bet, why) = on_bet(refused(0, "A", 8, &range(original, 10, 100)));
        assert_eq!(
            (bet.as_str(), why),
            (original, "which is limited by the Differential of its betting box")
        );
        assert!(BOOKS[1].terms("terminal", 8, &range(original, 10, 100)).is_ok());
    }
}

#[test]
fn a_stake_is_a_positive_number_of_units() {
    let terms = terms(&BOOKS[3], "A");
    let (unit, tie) = (money(20), terms.bet_no("tie").unwrap());
    assert_eq!(terms.check_stake(tie, Money::ZERO), Err(StakeError::Nothing { unit }));
    for stake in (1..=1_000).map(money) {
        let refused = Err(StakeError::NotWholeUnits { stake, unit });
        let expected = if stake.get() % 20 == 0 { Ok(()) } else { refused };
        assert_eq!(terms.check_stake(tie, stake), expected);
    }
}

/// Interpretation 8: stake, winnings and commission together are at most 2^53 − 1. The answer names the last stake that fits.
#[test]
fn the_largest_stake_is_exact_and_can_be_settled() {
    let mut rounds = BTreeMap::new();
    each_round(Deal::new(), &mut |_, outcome| {
        rounds.entry(BOOKS[0].space().class_of(&outcome)).or_insert(outcome);
    });
    for book in BOOKS.iter() {
        for layout in &book.layouts {
            for multiple in [1, 7, 500] {
                let unit = layout.exact_unit().get() * multiple;
                let asked = LimitsAsked { unit: Some(money(unit)), ..LimitsAsked::default() };
                let terms = book.terms(&layout.id, 8, &asked).unwrap();
                for bet in terms.bets() {
                    let no = terms.bet_no(bet.id.as_str()).unwrap();
                    let highest = money(Money::MAX.get() / unit * unit);
                    let Err(StakeError::PayoutTooLarge { stake, most, .. }) = terms.check_stake(no, highest)
                    else {
                        panic!("{} pays something, so not all the money there is can be staked", bet.id)
                    };
                    assert_eq!(stake, highest);
                    let fits = |stake: u64| {
                        let part =
                            |odds: Odds| u128::from(stake) * u128::from(odds.pays()) / u128::from(odds.per());
                        bet.rows.iter().all(|row| match row.pays {
                            Pays::Returned => true,
                            Pays::Won { odds, commission } => {
                                let kept = commission.map_or(0, |commission| part(commission.to_stake()));
                                u128::from(stake) + part(odds) + kept <= u128::from(Money::MAX.get())
                            }
                        })
                    };
                    assert!(fits(most.get()) && !fits(most.get() + unit), "{} {most}", bet.id);
                    assert_eq!(terms.check_stake(no, most), Ok(()));
                    let beyond = terms.check_stake(no, money(most.get() + unit));
                    assert!(
                        matches!(beyond, Err(StakeError::PayoutTooLarge { most: again, .. }) if again == most)
                    );
                    // A Round of every class, the one that pays most among them.
                    for outcome in rounds.values() {
                        let settlement = settle(&terms, &[Wager::new(no, most)], outcome);
                        let back = i128::from(settlement.lines[0].to_patron().get());
                        assert_eq!(i128::from(most.get()), back + settlement.house);
                    }
                }
            }
        }
    }
}

/// The gross winnings must fit, not only what the patron gets: else the commission would have no figure.
#[test]
fn a_stake_whose_commission_would_not_fit_is_refused() {
    let book =
        Rulebook::parse(&text(&[("a", r#"{ winner = "player", odds = "1 to 1", commission = "99%" }"#)]))
            .unwrap();
    let terms = terms(&book, "A");
    let bet = terms.bet_no("a").unwrap();
    let Err(StakeError::PayoutTooLarge { most, .. }) = terms.check_stake(bet, money(Money::MAX.get() / 4))
    else {
        panic!("a quarter of all money at a gross of 100 to 1")
    };
    assert_eq!(most.get(), Money::MAX.get() / 101);
    assert_eq!(terms.check_stake(bet, most), Ok(()));
    for cards in ["9s 2d Kc 4h", "2s 4d 3c 4h"] {
        let Step::Complete(outcome) = deal(&notation::parse(cards).unwrap()).step() else {
            panic!("a Natural")
        };
        let line = settle(&terms, &[Wager::new(bet, most)], &outcome).lines[0];
        assert_eq!(line.commission.get(), 99 * line.winnings.get());
    }
}

/// The most that can be staked is exact also where odds are not "to 1".
#[test]
fn the_most_at_three_to_two() {
    let book = Rulebook::parse(&text(&[("a", "{ odds = '3 to 2' }")])).unwrap();
    let terms = terms(&book, "A");
    let bet = terms.bet_no("a").unwrap();
    let Err(StakeError::PayoutTooLarge { most, .. }) = terms.check_stake(bet, money(Money::MAX.get() - 1))
    else {
        panic!("nearly all money at 3 to 2")
    };
    // Stake and winnings are 5/2 of the stake; whole units are multiples of 2.
    assert_eq!(most.get(), Money::MAX.get() * 2 / 5 / 2 * 2);
    assert_eq!(terms.check_stake(bet, most), Ok(()));
}

#[test]
fn terms_say_how_many_decks() {
    for book in BOOKS.iter() {
        for decks in book.decks.min..=book.decks.max {
            let terms = book.terms(&book.layouts[0].id, decks, &LimitsAsked::default()).unwrap();
            assert_eq!(terms.decks(), decks);
        }
    }
}
