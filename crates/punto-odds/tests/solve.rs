//! `solve` against trying every pay, with fractions compared by cross-multiplication.

use punto_odds::{Price, Pricer, Ratio, Solution, SolveError, sensitivity, solve};
use punto_rules::{Composition, LimitsAsked, Rulebook, Verdict};

fn price(game: &str, bet: &str) -> Price {
    let rulebook = Rulebook::approved(game).unwrap();
    let terms = rulebook.terms("A", 8, &LimitsAsked::default()).unwrap();
    let prices = Pricer::new(&terms).price(&Composition::decks(8)).unwrap();
    prices[terms.bet_no(bet).unwrap().index()].clone()
}

/// What the House keeps over all sequences, in units of 1/20, if these rows pay so much.
fn kept(price: &Price, rows: &[usize], pays: &[u32]) -> i128 {
    let mut kept = 20 * i128::from(price.lost);
    for (row, &sequences) in price.rows.iter().enumerate() {
        let paid = match (rows.iter().position(|it| *it == row), price.verdict(row)) {
            (Some(varied), _) => 20 * pays[varied],
            (None, Some(Verdict::Won(odds))) => odds.pays() * 20 / odds.per(),
            (None, _) => 0,
        };
        kept -= i128::from(paid) * i128::from(sequences);
    }
    kept
}

/// All pays up to `most` whose edge is between `a.0 / a.1` and `b.0 / b.1`, likelier rows never paying more; nearest to
/// the middle first.
fn brute(price: &Price, rows: &[usize], a: (i128, i128), b: (i128, i128), most: u32) -> Vec<Vec<u32>> {
    let mut all: Vec<Vec<u32>> = vec![Vec::new()];
    for _ in rows {
        let longer = |pays: Vec<u32>| (1..=most).map(move |more| [&pays[..], &[more]].concat());
        all = all.into_iter().flat_map(longer).collect();
    }
    let units = 20 * i128::from(price.sequences);
    all.retain(|pays| {
        let kept = kept(price, rows, pays);
        let within = a.0 * units <= kept * a.1 && kept * b.1 <= b.0 * units;
        let pairs = |i: usize, j: usize| price.rows[rows[i]] > price.rows[rows[j]] && pays[i] > pays[j];
        within && !(0..rows.len()).any(|i| (0..rows.len()).any(|j| pairs(i, j)))
    });
    // Twice the distance to the middle, in units of 1 / (a.1 · b.1).
    let distance =
        |pays: &Vec<u32>| (2 * kept(price, rows, pays) * a.1 * b.1 - (a.0 * b.1 + b.0 * a.1) * units).abs();
    all.sort_by_key(distance);
    all
}

fn check(price: &Price, rows: &[usize], a: (i128, i128), b: (i128, i128), most: u32, keep: usize) -> usize {
    let found = solve(price, rows, Ratio::new(a.0, a.1), Ratio::new(b.0, b.1), most, keep).unwrap();
    let mut brute = brute(price, rows, a, b, most);
    let all = brute.len();
    brute.truncate(keep);
    assert_eq!(found.iter().map(|solution| solution.pays.clone()).collect::<Vec<_>>(), brute);
    for Solution { pays, edge } in found {
        assert_eq!(edge, Ratio::new(kept(price, rows, &pays), 20 * i128::from(price.sequences)));
    }
    all
}

#[test]
fn finds_what_trying_finds() {
    let tie = price("da-hu-ying-xiong", "tie");
    assert_eq!(check(&tie, &[0], (0, 1), (1, 5), 20, 50), 2, "8 and 9 to 1");
    let tiger = price("da-hu-ying-xiong", "tiger");
    assert!(check(&tiger, &[0, 1], (1, 20), (1, 10), 60, 1_000) > 10);
    assert!(check(&tiger, &[1, 0], (1, 20), (1, 10), 60, 3) > 10);
    assert!(check(&tiger, &[0], (1, 100), (1, 5), 60, 10) > 1);
    let pairs = price("da-hu-ying-xiong", "tiger-pair");
    assert_eq!(pairs.rows.len(), 3);
    assert!(check(&pairs, &[0, 1, 2], (1, 10), (1, 5), 30, 20) > 20);
    // Edges in the patron's favour, and pays that no row of an even-money bet has.
    let banker = price("wu-song", "banker");
    let wins = (0..banker.rows.len()).filter(|row| matches!(banker.verdict(*row), Some(Verdict::Won(_))));
    let wins: Vec<usize> = wins.collect();
    assert!(check(&banker, &wins, (-3, 1), (3, 1), 5, 100) > 3);
    assert_eq!(check(&banker, &wins, (1, 1), (2, 1), 5, 100), 0);
}

/// More solutions than are ever held at once: the best still come out.
#[test]
fn keeps_the_nearest_of_very_many() {
    let pairs = price("da-hu-ying-xiong", "tiger-pair");
    assert!(check(&pairs, &[0, 1, 2], (-5, 1), (1, 1), 24, 5) > 1_020);
}

#[test]
fn both_ends_of_the_interval_are_in_it() {
    let tie = price("da-hu-ying-xiong", "tie");
    let edge = |pays: u32| Ratio::new(kept(&tie, &[0], &[pays]), 20 * i128::from(tie.sequences));
    let pays = |from, to| {
        let found = solve(&tie, &[0], from, to, 20, 10).unwrap();
        let mut pays: Vec<u32> = found.into_iter().map(|solution| solution.pays[0]).collect();
        pays.sort_unstable();
        pays
    };
    assert_eq!(pays(edge(8), edge(8)), [8]);
    assert_eq!(pays(edge(10), edge(8)), [8, 9, 10]);
    let least = Ratio::new(1, 100 * i128::from(tie.sequences));
    assert_eq!(pays(edge(10), edge(8).minus(least)), [9, 10]);
    let above = Ratio::ZERO.minus(Ratio::ZERO.minus(edge(10)).minus(least));
    assert_eq!(pays(above, edge(8)), [8, 9]);
}

#[test]
fn sensitivity_is_the_change_of_one() {
    for bet in ["tie", "tiger", "tiger-pair"] {
        let price = price("da-hu-ying-xiong", bet);
        for row in 0..price.rows.len() {
            let edge = |pays| Ratio::new(kept(&price, &[row], &[pays]), 20 * i128::from(price.sequences));
            assert_eq!(sensitivity(&price, row), edge(9).minus(edge(8)));
        }
    }
}

#[test]
fn questions_without_sense() {
    let (one, two) = (Ratio::new(1, 100), Ratio::new(1, 50));
    let player = price("da-hu-ying-xiong", "player");
    let returned = (0..2).find(|row| player.verdict(*row) == Some(Verdict::Returned)).unwrap();
    let ask = |price: &Price, rows: &[usize], from, to| solve(price, rows, from, to, 10, 5);
    assert_eq!(ask(&player, &[returned], one, two), Err(SolveError::NotAWinningRow(returned + 1)));
    assert_eq!(ask(&player, &[1 - returned, 2], one, two), Err(SolveError::NotAWinningRow(3)));
    let empty = SolveError::EmptyInterval { from: "1/50".into(), to: "1/100".into() };
    assert_eq!(ask(&player, &[1 - returned], two, one), Err(empty.clone()));
    assert_eq!(empty.to_string(), "the interval is empty: 1/50 is above 1/100");

    let terms = {
        let rulebook = Rulebook::parse(include_str!("../../../docs/examples/harbour-baccarat.toml")).unwrap();
        rulebook.terms("A", 8, &LimitsAsked::default()).unwrap()
    };
    let prices = Pricer::new(&terms).price(&Composition::decks(8)).unwrap();
    let tide = &prices[terms.bet_no("player-tide").unwrap().index()];
    assert_eq!(ask(tide, &[1, 2, 3, 4], one, two), Err(SolveError::TooManyRows));
    assert!(ask(tide, &[1, 2, 3], one, two).is_ok());
}

#[test]
fn a_row_cannot_be_varied_twice() {
    let price = &price("da-hu-ying-xiong", "tiger");
    let all = Ratio::new(1, 1);
    assert_eq!(solve(price, &[0, 0], Ratio::ZERO, all, 10, 5), Err(SolveError::TwiceTheSame(1)));
    assert_eq!(solve(price, &[0], Ratio::ZERO, all, 0, 5), Ok(Vec::new()));
}
