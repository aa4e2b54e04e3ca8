//! `make bench`: the speed of the table, against plain baselines in the same run.

mod clock;

use std::hint::black_box;
use std::time::Duration;

use clock::best_beside;
use punto_rules::{BySide, Composition, Shoe, Side, Step, reconstruct};
use punto_table::roads::{Colour, Derived, Mark, Roads, Tail};

const RUNS: usize = 11;

fn main() {
    if std::env::args().any(|arg| arg == "--test") {
        return;
    }
    println!("| what | figure | ratio | target |\n|---|---|---|---|");
    bench_roads();
}

/// The Rounds of so many shuffled shoes of eight decks, each to a cut card before the last fourteen cards.
fn shoes(count: u64) -> Vec<Vec<Mark>> {
    let shoe = |number: u64| {
        let mut seed = [0u8; 32];
        seed[..8].copy_from_slice(&number.to_le_bytes());
        let mut shoe = Shoe::shuffled(&Composition::decks(8), seed);
        let mut marks = Vec::new();
        while shoe.remaining() > 14 {
            let mut cards = Vec::with_capacity(6);
            let outcome = loop {
                match reconstruct(&cards).0.step() {
                    Step::Complete(outcome) => break outcome,
                    Step::Draw(_) => cards.push(shoe.draw().expect("fourteen cards are enough")),
                }
            };
            marks.push(Mark::of(&outcome));
        }
        marks
    };
    (0..count).map(shoe).collect()
}

/// The roads as a competent engineer first writes them: all anew from the Rounds, streaks as lists, a grid of flags, and
/// the derived roads by the formula with columns and rows.
mod plain {
    use super::*;

    pub(super) struct Win {
        pub(super) place: (usize, usize),
        pub(super) side: Side,
        pub(super) round: usize,
        pub(super) ties: usize,
        pub(super) pairs: BySide<bool>,
        pub(super) natural: bool,
    }

    pub(super) struct Board {
        pub(super) bead: Vec<(usize, usize, Mark)>,
        pub(super) big: Vec<Win>,
        pub(super) derived: [Vec<((usize, usize), Colour)>; 3],
        pub(super) ask: [[Option<Colour>; 2]; 3],
    }

    fn lay(streaks: impl Iterator<Item = usize>) -> Vec<(usize, usize)> {
        let mut grid: Vec<[bool; 6]> = Vec::new();
        let mut places = Vec::new();
        let mut start = 0;
        for length in streaks {
            while grid.get(start).is_some_and(|column| column[0]) {
                start += 1;
            }
            let (mut col, mut row, mut turned) = (start, 0, false);
            for i in 0..length {
                if i > 0 {
                    if !turned && row < 5 && !grid[col][row + 1] {
                        row += 1;
                    } else {
                        turned = true;
                        col += 1;
                    }
                }
                if col >= grid.len() {
                    grid.resize(col + 1, [false; 6]);
                }
                grid[col][row] = true;
                places.push((col, row));
            }
            start += 1;
        }
        places
    }

    fn colour(depths: &[usize], k: usize, c: usize, r: usize) -> Option<Colour> {
        let is_red = match r {
            0 if c > k => depths[c - 1] == depths[c - 1 - k],
            0 => return None,
            _ if c >= k => depths[c - k] != r,
            _ => return None,
        };
        Some(if is_red { Colour::Red } else { Colour::Blue })
    }

    pub(super) fn board(marks: &[Mark]) -> Board {
        let bead = marks.iter().enumerate().map(|(i, &mark)| (i / 6, i % 6, mark)).collect();
        let mut big: Vec<Win> = Vec::new();
        let mut depths: Vec<usize> = Vec::new();
        let mut leading = 0;
        for (round, mark) in marks.iter().enumerate() {
            let Some(side) = mark.winner.side() else {
                match big.last_mut() {
                    Some(win) => win.ties += 1,
                    None => leading += 1,
                }
                continue;
            };
            match big.last() {
                Some(win) if win.side == side => *depths.last_mut().expect("a streak") += 1,
                Some(_) | None => depths.push(1),
            }
            let (pairs, natural) = (mark.pairs, mark.natural);
            big.push(Win { place: (0, 0), side, round, ties: 0, pairs, natural });
        }
        if let Some(first) = big.first_mut() {
            first.ties += leading;
        }
        for (win, place) in big.iter_mut().zip(lay(depths.iter().copied())) {
            win.place = place;
        }
        let derived = [1, 2, 3].map(|k| {
            let mut colours = Vec::new();
            for (c, &depth) in depths.iter().enumerate() {
                colours.extend((0..depth).filter_map(|r| colour(&depths, k, c, r)));
            }
            let places = lay(colours.chunk_by(|a, b| a == b).map(<[Colour]>::len));
            places.into_iter().zip(colours).collect()
        });
        let ask = [1, 2, 3].map(|k| {
            let (Some(last), Some(&depth)) = (depths.len().checked_sub(1), depths.last()) else {
                return [None; 2];
            };
            let (on, anew) = (colour(&depths, k, last, depth), colour(&depths, k, last + 1, 0));
            if big.last().is_some_and(|win| win.side == Side::Player) { [on, anew] } else { [anew, on] }
        });
        Board { bead, big, derived, ask }
    }

    /// A baseline that draws something else would be none.
    pub(super) fn is_the_same(board: &Board, roads: &Roads) -> bool {
        let place = |place: punto_table::roads::Place| (usize::from(place.col), usize::from(place.row));
        let big = board.big.iter().zip(roads.big_road()).enumerate().all(|(i, (plain, ours))| {
            let ties = ours.ties + if i == 0 { roads.leading_ties() } else { 0 };
            let same = (plain.place, plain.side, plain.round, plain.ties)
                == (place(ours.place), ours.side, usize::from(ours.n), usize::from(ties));
            same && (plain.pairs, plain.natural) == (ours.pairs, ours.natural)
        });
        let derived = Derived::ALL.iter().zip(&board.derived).all(|(&road, plain)| {
            let ours = roads.derived(road).iter().map(|cell| (place(cell.place), cell.colour));
            ours.eq(plain.iter().copied())
        });
        let bead = roads.bead_plate().map(|cell| (place(cell.place), cell.mark));
        let ask = Derived::ALL.map(|road| Side::BOTH.map(|side| roads.ask(side)[road]));
        big && derived
            && board.big.len() == roads.big_road().len()
            && bead.eq(board.bead.iter().map(|&(col, row, mark)| ((col, row), mark)))
            && ask == board.ask
    }
}

fn bench_roads() {
    let shoes = shoes(2_000);
    let rounds: usize = shoes.iter().map(Vec::len).sum();
    for marks in &shoes {
        assert!(plain::is_the_same(&plain::board(marks), &Roads::from_marks(Tail::Sticky, marks)));
    }
    let micros = |time: Duration, count: usize| time.as_secs_f64() * 1e6 / count as f64;
    let ratio = |[baseline, ours]: [Duration; 2], counts: [usize; 2]| {
        micros(baseline, counts[0]) / micros(ours, counts[1])
    };

    let whole = best_beside(
        RUNS,
        || shoes.iter().for_each(|marks| drop(black_box(plain::board(black_box(marks))))),
        || shoes.iter().for_each(|marks| drop(black_box(Roads::from_marks(Tail::Sticky, black_box(marks))))),
    );
    let a_shoe = rounds / shoes.len();
    println!(
        "| (c) five roads of a shoe of {a_shoe} Rounds, plainly | {:.2} µs | 1 | baseline |",
        micros(whole[0], shoes.len())
    );
    println!(
        "| `Roads::from_marks` | {:.2} µs | {:.1} × as fast as (c) | < 2.5 µs |",
        micros(whole[1], shoes.len()),
        ratio(whole, [shoes.len(); 2])
    );

    // The baseline has no other way than to draw all of it after every Round; some shoes are enough for that.
    let some = &shoes[..100];
    let some_rounds: usize = some.iter().map(Vec::len).sum();
    let mut roads = Roads::new(Tail::Sticky);
    let one_more = best_beside(
        RUNS,
        || {
            for marks in some {
                (1..=marks.len()).for_each(|end| drop(black_box(plain::board(black_box(&marks[..end])))));
            }
        },
        || {
            for marks in &shoes {
                roads.clear();
                for &mark in marks {
                    roads.push(black_box(mark));
                    black_box(&roads);
                }
            }
        },
    );
    println!(
        "| (d) one more Round, all drawn anew plainly, mean over a shoe | {:.0} ns | 1 | baseline |",
        micros(one_more[0], some_rounds) * 1e3
    );
    println!(
        "| `Roads::push` | {:.1} ns | {:.0} × as fast as (d) | < 50 ns |",
        micros(one_more[1], rounds) * 1e3,
        ratio(one_more, [some_rounds, rounds])
    );
}
