//! The five roads: the checked cases, a second implementation from the words of the rules, and what always holds.

#[path = "../../punto-rules/tests/scale/mod.rs"]
mod scale;

use std::collections::HashSet;

use proptest::collection::vec;
use proptest::prelude::*;
use punto_rules::{BySide, Side, Step, Winner, notation as cards, reconstruct};
use punto_table::roads::notation::{self, MOST_ROUNDS, TokenFault};
use punto_table::roads::{Derived, Mark, Place, ROWS, Roads, Tail};
use scale::{check, scale};
use serde_json::{Value, json};

const TAILS: [Tail; 2] = [Tail::Sticky, Tail::Redescend];

fn view(roads: &Roads) -> Value {
    serde_json::to_value(roads.view()).expect("JSON")
}

fn roads(input: &str, tail: Tail) -> Roads {
    Roads::from_marks(tail, &notation::parse(input).expect("Rounds"))
}

fn big_road_places(roads: &Roads) -> Vec<(u16, u8)> {
    roads.big_road().iter().map(|cell| (cell.place.col, cell.place.row)).collect()
}

/// The roads once more, slowly: everything from the whole shoe, a grid as the set of its cells, the derived roads by the
/// depths of finished streaks and the coordinates of each mark.
mod model {
    use super::*;

    /// Lays streaks: how long each is.
    fn draw(streaks: &[usize], tail: Tail) -> Vec<(u16, u8)> {
        let mut grid: HashSet<(u16, u8)> = HashSet::new();
        let mut drawn = Vec::new();
        let mut start = None;
        for &length in streaks {
            let first = start.map_or(0, |previous| previous + 1);
            let column = (first..).find(|&column| !grid.contains(&(column, 0))).expect("room to the right");
            start = Some(column);
            let (mut at, mut turned) = ((column, 0), false);
            for mark in 0..length {
                if mark > 0 {
                    let below = (at.0, at.1 + 1);
                    let is_free = below.1 <= 5 && !grid.contains(&below);
                    if is_free && (tail == Tail::Redescend || !turned) {
                        at = below;
                    } else {
                        at.0 += 1;
                        turned = true;
                    }
                }
                assert!(grid.insert(at), "{at:?} is taken");
                drawn.push(at);
            }
        }
        drawn
    }

    fn streaks<T: PartialEq>(values: &[T]) -> Vec<usize> {
        values.chunk_by(|a, b| a == b).map(<[T]>::len).collect()
    }

    /// The colours of the derived road that looks `k` columns back.
    fn colours(depths: &[usize], k: usize) -> Vec<char> {
        let mut colours = Vec::new();
        for (c, &depth) in depths.iter().enumerate() {
            for r in 0..depth {
                if r == 0 && c > k {
                    colours.push(if depths[c - 1] == depths[c - 1 - k] { 'r' } else { 'b' });
                } else if r >= 1 && c >= k {
                    colours.push(if depths[c - k] == r { 'b' } else { 'r' });
                }
            }
        }
        colours
    }

    fn o(winner: Winner) -> &'static str {
        match winner {
            Winner::Player => "P",
            Winner::Banker => "B",
            Winner::Tie => "T",
        }
    }

    const K: [(&str, usize); 3] = [("big_eye_boy", 1), ("small_road", 2), ("cockroach_pig", 3)];

    /// What a win of this side would add, found by adding it.
    fn asked(marks: &[Mark], winner: Winner, k: usize) -> String {
        let wins = |marks: &[Mark]| -> Vec<Winner> {
            marks.iter().map(|mark| mark.winner).filter(|winner| *winner != Winner::Tie).collect()
        };
        let before = colours(&streaks(&wins(marks)), k).len();
        let with = [marks, &[Mark::plain(winner)]].concat();
        colours(&streaks(&wins(&with)), k)[before..].iter().collect()
    }

    pub(super) fn view(marks: &[Mark], tail: Tail) -> Value {
        let bead: Vec<Value> = marks
            .iter()
            .enumerate()
            .map(|(n, mark)| {
                json!({ "n": n, "col": n / 6, "row": n % 6, "o": o(mark.winner),
                    "bp": mark.pairs.banker, "pp": mark.pairs.player, "nat": mark.natural })
            })
            .collect();
        let wins: Vec<usize> = (0..marks.len()).filter(|&n| marks[n].winner != Winner::Tie).collect();
        let leading_ties = wins.first().copied().unwrap_or(marks.len());
        let winners: Vec<Winner> = wins.iter().map(|&n| marks[n].winner).collect();
        let depths = streaks(&winners);
        let logical: Vec<(usize, usize)> =
            depths.iter().enumerate().flat_map(|(c, &depth)| (0..depth).map(move |r| (c, r))).collect();
        let mut cells = Vec::new();
        for (i, (col, row)) in draw(&depths, tail).into_iter().enumerate() {
            let n = wins[i];
            let next = wins.get(i + 1).copied().unwrap_or(marks.len());
            let mark = marks[n];
            let mut cell = json!({ "col": col, "row": row, "logical_col": logical[i].0, "logical_row": logical[i].1,
                "o": o(mark.winner), "n": n, "ties": next - n - 1,
                "bp": mark.pairs.banker, "pp": mark.pairs.player, "nat": mark.natural });
            if i == 0 && leading_ties > 0 {
                cell["ties_before"] = json!(leading_ties);
            }
            cells.push(cell);
        }
        let mut view = json!({
            "bead": bead,
            "leading_ties": leading_ties,
            "big_road": { "depths": depths, "first": winners.first().map(|&winner| o(winner)), "cells": cells },
            "ask": {},
        });
        for (name, k) in K {
            let colours = colours(&depths, k);
            let cells: Vec<Value> = draw(&streaks(&colours), tail)
                .into_iter()
                .zip(&colours)
                .map(|((col, row), colour)| json!([col, row, colour]))
                .collect();
            view[name] = json!({ "seq": colours.iter().collect::<String>(), "cells": cells });
            view["ask"][name] = json!({
                "B": asked(marks, Winner::Banker, k), "P": asked(marks, Winner::Player, k) });
        }
        view
    }
}

fn agrees(marks: &[Mark], tail: Tail, roads: &Roads) {
    let (ours, models) = (view(roads), model::view(marks, tail));
    assert_eq!(ours, models, "{tail:?}: {}", notation::show(marks));
}

#[test]
fn the_checked_cases() {
    let file: Value = serde_json::from_str(include_str!("data/roads-cases.json")).expect("JSON");
    let (mut cases, mut variants) = (0, 0);
    for case in file["cases"].as_array().expect("cases") {
        let id = case["id"].as_str().expect("an id");
        let input = case["input"].as_str().expect("an input");
        let sticky = roads(input, Tail::Sticky);
        assert_eq!(json!(sticky.marks().len()), case["rounds"], "{id}");
        assert_eq!(view(&sticky), case["expected"], "{id}");
        let redescending = roads(input, Tail::Redescend);
        match case.get("expected_big_road_positions_nonsticky_variant") {
            Some(places) => {
                assert_eq!(&json!(big_road_places(&redescending)), places, "{id}");
                variants += 1;
            }
            // It is given where it differs, so elsewhere it does not.
            None => assert_eq!(view(&redescending), case["expected"], "{id}"),
        }
        for tail in TAILS {
            agrees(sticky.marks(), tail, &roads(input, tail));
        }
        cases += 1;
    }
    assert_eq!((cases, variants), (10, 1));
}

/// Five tails leave only the top row for the sixth, and the seventh streak begins behind it.
#[test]
fn a_tail_in_the_top_row_covers_where_streaks_would_begin() {
    let roads = roads("B9P9B9P9B9P9BP", Tail::Sticky);
    let places = big_road_places(&roads);
    let streak = |which: usize| &places[9 * which..9 * which + 9];
    assert_eq!(streak(0)[5..], [(0, 5), (1, 5), (2, 5), (3, 5)]);
    assert_eq!(streak(1)[4..], [(1, 4), (2, 4), (3, 4), (4, 4), (5, 4)]);
    assert_eq!(streak(4)[..4], [(4, 0), (4, 1), (5, 1), (6, 1)]);
    assert_eq!(streak(5), [5, 6, 7, 8, 9, 10, 11, 12, 13].map(|column| (column, 0)));
    assert_eq!(places[54..], [(14, 0), (15, 0)]);
    assert_eq!(roads.depths(), [9, 9, 9, 9, 9, 9, 1, 1], "a tail changes nothing but the drawing");
    assert_eq!(roads.big_road()[54].logical, (6, 0));
}

/// One that turned goes down again behind the end of the tail beneath, or never.
#[test]
fn tails_redescend_where_the_table_says_so() {
    let last = |tail| big_road_places(&roads("B7P9", tail))[11..].to_vec();
    assert_eq!(last(Tail::Sticky), [(1, 4), (2, 4), (3, 4), (4, 4), (5, 4)]);
    assert_eq!(last(Tail::Redescend), [(1, 4), (2, 4), (2, 5), (3, 5), (4, 5)]);
}

/// The first column that can be compared: with its first mark only from the column after.
#[test]
fn derived_roads_begin_where_they_can_compare() {
    let marks = |input: &str| Derived::ALL.map(|road| roads(input, Tail::Sticky).derived(road).len());
    assert_eq!(marks("BBBP"), [0, 0, 0]);
    assert_eq!(marks("BPP"), [1, 0, 0]);
    assert_eq!(marks("BPB"), [1, 0, 0]);
    assert_eq!(marks("BPBB"), [2, 1, 0]);
    assert_eq!(marks("BPBP"), [2, 1, 0]);
    assert_eq!(marks("BPBPP"), [3, 2, 1]);
    assert_eq!(marks("BPBPB"), [3, 2, 1]);
}

/// Every shoe of up to nine Rounds, each Round Banker, Player or Tie; longer by one in a soak.
#[test]
fn every_short_shoe() {
    fn walk(roads: &Roads, left: u32, shoes: &mut u32) {
        agrees(roads.marks(), roads.tail(), roads);
        *shoes += 1;
        if left > 0 {
            for winner in Winner::ALL {
                let mut longer = roads.clone();
                longer.push(Mark::plain(winner));
                walk(&longer, left - 1, shoes);
            }
        }
    }
    let longest = scale(9, 11);
    for tail in TAILS {
        let mut shoes = 0;
        walk(&Roads::new(tail), longest, &mut shoes);
        assert_eq!(shoes, (3u32.pow(longest + 1) - 1) / 2);
        scale::says("every_short_shoe", shoes);
    }
}

/// Every shoe of four streaks up to eight deep (of six in a soak, which reach the top row): all ways in which tails meet.
#[test]
fn every_meeting_of_tails() {
    let depths: &[usize] = &[1, 2, 3, 4, 5, 6, 7, 8];
    let (deep, count) = if scale(0, 1) == 1 { (&[1, 2, 5, 6, 7, 9, 12][..], 6) } else { (depths, 4) };
    let mut shoes = 0;
    for number in 0..deep.len().pow(count) {
        let marks: Vec<Mark> = (0..count)
            .flat_map(|streak| {
                let depth = deep[number / deep.len().pow(streak) % deep.len()];
                let winner = if streak % 2 == 0 { Winner::Banker } else { Winner::Player };
                std::iter::repeat_n(Mark::plain(winner), depth)
            })
            .collect();
        for tail in TAILS {
            agrees(&marks, tail, &Roads::from_marks(tail, &marks));
        }
        shoes += 1;
    }
    scale::says("every_meeting_of_tails", shoes);
}

fn winner() -> impl Strategy<Value = Winner> {
    prop_oneof![5 => Just(Winner::Banker), 5 => Just(Winner::Player), 1 => Just(Winner::Tie)]
}

fn mark() -> impl Strategy<Value = Mark> {
    let flag = || proptest::bool::weighted(0.1);
    (winner(), flag(), flag(), flag()).prop_map(|(winner, player, banker, natural)| Mark {
        winner,
        pairs: BySide { player, banker },
        natural,
    })
}

/// Shoes as they come, and shoes of long streaks, whose tails meet.
fn shoe() -> impl Strategy<Value = Vec<Mark>> {
    let long = vec((mark(), 1..24usize), 0..16).prop_map(|streaks| {
        streaks.into_iter().flat_map(|(mark, times)| std::iter::repeat_n(mark, times)).collect()
    });
    prop_oneof![vec(mark(), 0..130), long]
}

fn tail() -> impl Strategy<Value = Tail> {
    prop_oneof![Just(Tail::Sticky), Just(Tail::Redescend)]
}

fn for_shoes(name: &str, test: impl Fn(Vec<Mark>, Tail)) {
    check(name, scale(400, 40_000), (shoe(), tail()), |(marks, tail)| test(marks, tail));
}

#[test]
fn any_shoe_is_as_the_model_draws_it() {
    for_shoes("any_shoe_is_as_the_model_draws_it", |marks, tail| {
        let mut roads = Roads::new(tail);
        for (n, &mark) in marks.iter().enumerate() {
            roads.push(mark);
            if n % 10 == 0 {
                agrees(&marks[..=n], tail, &roads);
            }
        }
        agrees(&marks, tail, &roads);
        assert_eq!(roads, Roads::from_marks(tail, &marks));
    });
}

#[test]
fn no_cell_has_two_marks_and_no_road_a_seventh_row() {
    let distinct = |places: Vec<Place>| {
        assert!(places.iter().all(|place| place.row < ROWS));
        let cells: HashSet<Place> = places.iter().copied().collect();
        assert_eq!(cells.len(), places.len());
    };
    for_shoes("no_cell_has_two_marks_and_no_road_a_seventh_row", |marks, tail| {
        let roads = Roads::from_marks(tail, &marks);
        distinct(roads.bead_plate().map(|cell| cell.place).collect());
        distinct(roads.big_road().iter().map(|cell| cell.place).collect());
        for road in Derived::ALL {
            distinct(roads.derived(road).iter().map(|cell| cell.place).collect());
        }
    });
}

/// What is asked is what comes, and the two sides' answers are both empty or opposite.
#[test]
fn ask_says_what_the_next_round_adds() {
    for_shoes("ask_says_what_the_next_round_adds", |marks, tail| {
        let roads = Roads::from_marks(tail, &marks);
        let [player, banker] = Side::BOTH.map(|side| roads.ask(side));
        for road in Derived::ALL {
            assert_eq!(player[road].map(|colour| colour.other()), banker[road], "{road:?}");
        }
        for (winner, asked) in [(Winner::Player, player), (Winner::Banker, banker)] {
            let mut after = roads.clone();
            after.push(Mark::plain(winner));
            for road in Derived::ALL {
                let added: Vec<_> = after.derived(road)[roads.derived(road).len()..].to_vec();
                assert_eq!(added.first().map(|cell| cell.colour), asked[road], "{road:?}");
                assert!(added.len() <= 1);
            }
        }
        let mut after = roads.clone();
        after.push(Mark::plain(Winner::Tie));
        assert_eq!(Side::BOTH.map(|side| after.ask(side)), [player, banker], "a Tie changes no answer");
    });
}

#[test]
fn ties_change_no_streak() {
    for_shoes("ties_change_no_streak", |marks, tail| {
        let with = Roads::from_marks(tail, &marks);
        let wins: Vec<Mark> = marks.iter().copied().filter(|mark| mark.winner != Winner::Tie).collect();
        let without = Roads::from_marks(tail, &wins);
        assert_eq!(with.depths(), without.depths());
        assert_eq!(big_road_places(&with), big_road_places(&without));
        for road in Derived::ALL {
            assert_eq!(with.derived(road), without.derived(road));
        }
        let counted: u16 = with.leading_ties() + with.big_road().iter().map(|cell| cell.ties).sum::<u16>();
        assert_eq!(usize::from(counted), marks.len() - wins.len(), "every Tie is counted once");
    });
}

/// A corrected Round, a Round declared void later, a new shoe: as if it had always been so.
#[test]
fn corrections_lay_everything_anew() {
    let strategy = (shoe(), tail(), mark(), any::<prop::sample::Index>());
    check("corrections_lay_everything_anew", scale(400, 40_000), strategy, |(mut marks, tail, other, at)| {
        let mut roads = Roads::from_marks(tail, &marks);
        assert_eq!(roads.replace_last(other), marks.last().copied());
        if let Some(last) = marks.last_mut() {
            *last = other;
        }
        assert_eq!(roads, Roads::from_marks(tail, &marks));
        if !marks.is_empty() {
            marks.remove(at.index(marks.len()));
        }
        roads.rebuild(&marks);
        assert_eq!(roads, Roads::from_marks(tail, &marks));
        agrees(&marks, tail, &roads);
        roads.clear();
        assert_eq!(roads, Roads::new(tail));
        roads.push(other);
        assert_eq!(roads, Roads::from_marks(tail, &[other]));
    });
}

#[test]
fn a_full_bead_plate_drops_whole_columns() {
    let strategy = (shoe(), 1..30u16);
    check("a_full_bead_plate_drops_whole_columns", scale(400, 40_000), strategy, |(marks, columns)| {
        let roads = Roads::from_marks(Tail::Sticky, &marks);
        let shown: Vec<_> = roads.bead_plate_within(columns).collect();
        assert!(shown.iter().all(|cell| cell.place.col < columns && cell.mark == marks[usize::from(cell.n)]));
        assert!(shown.iter().enumerate().all(|(i, cell)| {
            (usize::from(cell.place.col), usize::from(cell.place.row)) == (i / 6, i % 6)
        }));
        let dropped = marks.len() - shown.len();
        assert_eq!(dropped % 6, 0, "whole columns");
        let room = usize::from(columns) * 6;
        assert!(
            shown.len() <= room && (dropped == 0 || shown.len() + 6 > room),
            "as many as there is room for"
        );
        assert_eq!(shown.last().map(|cell| usize::from(cell.n) + 1).unwrap_or(dropped), marks.len());
    });
    let three = roads("B12P", Tail::Sticky);
    let shown: Vec<_> = three.bead_plate_within(2).map(|cell| (cell.n, cell.place.col)).collect();
    assert_eq!((shown.len(), shown[0], shown[6]), (7, (6, 0), (12, 1)));
}

#[test]
fn counters_count() {
    for_shoes("counters_count", |marks, tail| {
        let counters = Roads::from_marks(tail, &marks).counters();
        let count = |of: &dyn Fn(&Mark) -> bool| marks.iter().filter(|mark| of(mark)).count() as u16;
        assert_eq!(counters.wins.banker, count(&|mark| mark.winner == Winner::Banker));
        assert_eq!(counters.wins.player, count(&|mark| mark.winner == Winner::Player));
        assert_eq!(counters.ties, count(&|mark| mark.winner == Winner::Tie));
        assert_eq!(counters.pairs.banker, count(&|mark| mark.pairs.banker));
        assert_eq!(counters.pairs.player, count(&|mark| mark.pairs.player));
        assert_eq!(counters.naturals, count(&|mark| mark.natural));
    });
}

#[test]
fn a_mark_is_what_a_round_shows() {
    let mark = |round: &str| match reconstruct(&cards::parse(round).expect("cards")).0.step() {
        Step::Complete(outcome) => Mark::of(&outcome).to_string(),
        Step::Draw(side) => panic!("{side:?} draws"),
    };
    assert_eq!(mark("2s 3d 3c 3h 5d"), "Bb");
    // Cards go Player, Banker, Player, Banker; a third card makes no pair.
    assert_eq!(mark("9s 2d 9h Kd"), "Ppn");
    assert_eq!(mark("Ks 4d Qh 4c"), "Bbn");
    assert_eq!(mark("4s 4d 4h 4c"), "Tbpn");
    assert_eq!(mark("2s Kd 3c 7h 2d"), "T");
}

#[test]
fn marks_and_tails_as_json() {
    let mark = notation::parse("Pbn").expect("a Round")[0];
    let value = serde_json::to_value(mark).expect("JSON");
    assert_eq!(
        value,
        json!({ "winner": "player", "pairs": { "player": false, "banker": true }, "natural": true })
    );
    assert_eq!(serde_json::from_value::<Mark>(value).expect("a mark"), mark);
    assert_eq!(serde_json::to_value(TAILS).expect("JSON"), json!(["sticky", "redescend"]));
    assert_eq!(Tail::default(), Tail::Sticky);
}

#[test]
fn the_notation() {
    let reads = |line: &str, as_if: &str| {
        assert_eq!(notation::show(&notation::parse(line).expect(line)), as_if, "{line}");
    };
    reads("", "");
    reads(" \n\t", "");
    reads("B P T Bb Pn B8", "B P T Bb Pn B B B B B B B B");
    reads("TTBTPB", "T T B T P B");
    reads("Bnb2Tpbn1 P01", "Bbn Bbn Tbpn P");
    let refuses = |line: &str, token: &str, ordinal: usize, fault: TokenFault| {
        let error = notation::parse(line).expect_err(line);
        assert_eq!((error.token.as_str(), error.ordinal, error.fault), (token, ordinal, fault), "{line}");
        assert!(!error.fault.hint().is_empty() && error.to_string().contains(token));
    };
    refuses("B p", "p", 2, TokenFault::NoOutcome);
    refuses("B 8", "8", 2, TokenFault::NoOutcome);
    refuses("BPX", "X", 3, TokenFault::NoOutcome);
    refuses("闲", "闲", 1, TokenFault::NoOutcome);
    refuses("B,P", "B,", 1, TokenFault::UnknownFlag(','));
    refuses("Bx", "Bx", 1, TokenFault::UnknownFlag('x'));
    refuses("Bbnb", "Bbnb", 1, TokenFault::FlagTwice('b'));
    refuses("B8n", "B8n", 1, TokenFault::FlagAfterNumber('n'));
    refuses("B00", "B00", 1, TokenFault::NoTimes);
    refuses("B600 P401", "P401", 2, TokenFault::TooMany);
    refuses("B99999999999999999999999", "B9999999999999999999…", 1, TokenFault::TooMany);
    refuses("B\u{1b}[31m", "B\\u{1b}[31m", 1, TokenFault::UnknownFlag('\u{1b}'));
    assert_eq!(notation::parse("B1000").expect("as many as may be").len(), MOST_ROUNDS);
}

#[test]
fn any_text_is_read_or_refused() {
    check("the notation of any shoe", scale(400, 40_000), vec(mark(), 0..130), |marks| {
        assert_eq!(notation::parse(&notation::show(&marks)).expect("its own"), marks);
    });
    let text = prop_oneof!["[BPTbpn0-9 ]{0,40}", any::<String>()];
    check("any_text_is_read_or_refused", scale(2_000, 200_000), text, |text| match notation::parse(&text) {
        Ok(marks) => assert_eq!(notation::parse(&notation::show(&marks)), Ok(marks)),
        Err(error) => assert!(!error.token.is_empty()),
    });
}
