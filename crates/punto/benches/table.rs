//! `make bench`: the speed of the table, against plain baselines in the same run.

mod clock;
mod floor;

use std::collections::HashMap;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use clock::best_beside;
use floor::{Floor, carry_out, long_record, resident, wager};
use punto_record::{Actor, Chain, Command, Entry, Event, Order, Sealed};
use punto_rules::{BySide, Composition, PatronNo, Shoe, Side, Step, reconstruct};
use punto_table::Table;
use punto_table::roads::{Colour, Derived, Mark, Roads, Tail};

const RUNS: usize = 11;

fn main() {
    if std::env::args().any(|arg| arg == "--test") {
        return;
    }
    println!("| what | figure | ratio | target |\n|---|---|---|---|");
    // All of them, or those that are named.
    let named: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let benches: [(&str, fn()); 4] = [
        // First, while the process has no memory to spare that would go unweighed.
        ("state", bench_state),
        ("roads", bench_roads),
        ("decide", bench_decide),
        ("replay", bench_replay),
    ];
    for (name, bench) in benches {
        if named.is_empty() || named.iter().any(|it| it == name) {
            bench();
        }
    }
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

/// Balances and stakes without rules: what anybody would write who only wants to book a wager once.
#[derive(Clone, Default)]
struct PlainLedger {
    credits: HashMap<u32, u64>,
    stakes: HashMap<(u32, u8, Arc<str>), u64>,
    last: HashMap<Arc<str>, u64>,
}

struct PlainOrder {
    device: Arc<str>,
    n: u64,
    patron: u32,
    box_no: u8,
    bet: Arc<str>,
    stake: u64,
}

impl PlainLedger {
    fn place(&mut self, order: &PlainOrder) -> bool {
        let last = self.last.get(&order.device).copied().unwrap_or(0);
        let Some(credits) = self.credits.get_mut(&order.patron) else { return false };
        if order.n <= last || *credits < order.stake {
            return false;
        }
        *credits -= order.stake;
        *self.stakes.entry((order.patron, order.box_no, order.bet.clone())).or_default() += order.stake;
        self.last.insert(order.device.clone(), order.n);
        true
    }
}

const STANDING: u32 = 1_000;
/// Orders placed on top of those that stand: few, so that there are still about so many.
const ON_TOP: u32 = 100;

/// One more wager where a thousand stand: patrons raise their bet on a side, or place a side bet.
fn bench_decide() {
    for (name, boxes) in [("electronic, 1,000 terminals", false), ("live, 7 boxes", true)] {
        let mut floor = if boxes { Floor::live() } else { Floor::electronic() };
        floor.load();
        floor.buy(STANDING);
        floor.by_dealer(Command::OpenBets {});
        let box_of = |no: u32| boxes.then_some((no % 7) as u8 + 1);
        let bet_of = |no: u32| if no.is_multiple_of(2) { "banker" } else { "player" };
        let plain_order = |no: u32, n: u64, bet: &str, stake: u64| {
            let device = format!("terminal-{no}").as_str().into();
            PlainOrder { device, n, patron: no, box_no: box_of(no).unwrap_or(0), bet: bet.into(), stake }
        };
        let mut plain = PlainLedger::default();
        for no in 1..=STANDING {
            floor.by_patron(no, wager(no, box_of(no), bet_of(no), 1000));
            plain.credits.insert(no, 1_000_000_000);
            assert!(plain.place(&plain_order(no, 1, bet_of(no), 1000)));
        }
        for (what, side_bet) in [("a raise", None), ("a side bet", Some("player-pair"))] {
            let placed = (1..=ON_TOP).map(|i| i * 9).map(|no| (no, side_bet.unwrap_or(bet_of(no))));
            let plain_orders: Vec<PlainOrder> =
                placed.clone().map(|(no, bet)| plain_order(no, 9, bet, 100)).collect();
            let orders: Vec<Order> = placed
                .map(|(no, bet)| {
                    let by = Actor::Patron { patron: PatronNo(no) };
                    floor.order(&format!("terminal-{no}"), &by, wager(no, box_of(no), bet, 100))
                })
                .collect();
            let least = on_top(&plain, &plain_orders, &floor.table, &orders);
            let [plainly, ours] = least.map(|time| time.as_secs_f64() * 1e9 / f64::from(ON_TOP));
            println!(
                "| (e) {what} booked in hash maps without rules, {name} | {plainly:.0} ns | 1 | baseline |"
            );
            println!(
                "| `Table::decide` + `enter` of it, {STANDING} wagers standing | {ours:.0} ns | {:.1} × (e) | < 1,000 ns |",
                ours / plainly
            );
        }
    }
}

/// The least time for these orders on a ledger and on a table. Copies are made before the clock starts and dropped after
/// it stops.
fn on_top(ledger: &PlainLedger, plain: &[PlainOrder], table: &Table, orders: &[Order]) -> [Duration; 2] {
    let mut least = [Duration::MAX; 2];
    for _ in 0..RUNS * 10 {
        let mut ledger = ledger.clone();
        let booked = || plain.iter().filter(|order| ledger.place(black_box(order))).count();
        least[0] = least[0].min(clock::best(1, booked));
        let (mut table, mut given) = (table.clone(), orders.to_vec());
        let mut entries = Vec::with_capacity(orders.len());
        let carried_out =
            || given.drain(..).for_each(|order| entries.push(carry_out(&mut table, black_box(order))));
        least[1] = least[1].min(clock::best(1, carried_out));
        assert_eq!(entries.len(), orders.len());
    }
    least
}

fn bench_replay() {
    let floor = long_record(200, 300);
    let events: usize = floor.entries.iter().map(|entry| entry.events.len()).sum();
    let lines: usize = floor
        .entries
        .iter()
        .flat_map(|entry| &entry.events)
        .map(|event| if let Event::RoundSettled { lines, .. } = event { lines.len() } else { 0 })
        .sum();
    let mut chain = Chain::START;
    let sealed: Vec<Sealed> = floor.entries.iter().map(|entry| chain.seal(entry)).collect();
    let bytes: usize = sealed.iter().map(|it| it.bytes.len()).sum();
    let replay = |entries: &[Entry]| {
        let mut table = Table::default();
        entries.iter().for_each(|entry| table.enter(entry));
        table
    };
    assert_eq!(replay(&floor.entries).state().hash(), floor.table.state().hash());
    let apply = |entries: &[Entry]| {
        let mut table = Table::default();
        entries.iter().flat_map(|entry| &entry.events).for_each(|event| table.apply(event));
        table
    };
    let decode = |sealed: &Sealed| -> Entry { serde_json::from_slice(&sealed.bytes).expect("an entry") };
    let a_second = |time: Duration, count: usize| count as f64 / time.as_secs_f64();
    // Entries once read as JSON of no shape: what has to be paid for reading text at all.
    let [shapeless, decoded] = best_beside(
        RUNS,
        || {
            sealed
                .iter()
                .for_each(|it| drop(black_box(serde_json::from_slice::<serde_json::Value>(&it.bytes))))
        },
        || {
            let mut table = Table::default();
            sealed.iter().for_each(|it| table.enter(&decode(it)));
            table
        },
    );
    let verified = clock::best(RUNS, || sealed.iter().fold(Chain::START, |chain, it| chain.after(&it.bytes)));
    let [applied, entered] = best_beside(RUNS, || apply(&floor.entries), || replay(&floor.entries));
    println!(
        "| (f) a record of {} entries, {events} events, {lines} settled lines, {} MB, read as JSON | {:.0} events/s | 1 | baseline |",
        floor.entries.len(),
        bytes / 1_000_000,
        a_second(shapeless, events)
    );
    println!(
        "| `Table::apply`, events alone | {:.0} events/s | | > 2,000,000/s |",
        a_second(applied, events)
    );
    println!(
        "| `Table::enter`, decoded entries | {:.0} events/s | | > 2,000,000/s |",
        a_second(entered, events)
    );
    println!(
        "| the same, JSON decoding included | {:.0} events/s | {:.1} × as fast as (f) | |",
        a_second(decoded, events),
        shapeless.as_secs_f64() / decoded.as_secs_f64()
    );
    println!("| the chain of hashes over its bytes | {:.0} events/s | | |", a_second(verified, events));
}

/// Memory of a table: many are built anew from their record, so that nothing is shared, and the process is weighed.
fn bench_state() {
    let mut floor = Floor::electronic();
    floor.load();
    floor.buy(STANDING);
    floor.by_dealer(Command::OpenBets {});
    for no in 1..=STANDING {
        floor.by_patron(no, wager(no, None, if no.is_multiple_of(2) { "banker" } else { "player" }, 1000));
        floor.by_patron(no, wager(no, None, "player-pair", 100));
    }
    let record: Vec<Vec<u8>> =
        floor.entries.iter().map(|entry| serde_json::to_vec(entry).expect("an entry is JSON")).collect();
    let rebuilt = || {
        let mut table = Table::default();
        record.iter().for_each(|bytes| table.enter(&serde_json::from_slice(bytes).expect("an entry")));
        table
    };
    assert_eq!(rebuilt().state().hash(), floor.table.state().hash());
    const COPIES: usize = 100;
    // What is free from building the record is used up by the first ones.
    let first: Vec<Table> = (0..20).map(|_| rebuilt()).collect();
    let before = resident();
    let cloned: Vec<Table> = (0..COPIES).map(|_| floor.table.clone()).collect();
    let clones = (resident() - before) / COPIES;
    let before = resident();
    let tables: Vec<Table> = (0..COPIES).map(|_| rebuilt()).collect();
    let each = (resident() - before) / COPIES;
    assert_eq!(black_box(&tables).len() + black_box(&first).len(), black_box(&cloned).len() + 20);
    let plain = STANDING as usize
        * (size_of::<(u32, u64)>() + 2 * size_of::<(u32, u8, u64)>() + size_of::<(u32, u64)>());
    println!(
        "| (g) credits, two stakes and an order number each, as bare figures | {:.0} KiB | 1 | baseline |",
        plain as f64 / 1024.0
    );
    println!(
        "| a table of {STANDING} terminals from its record: credits, 2 wagers, last orders, its law | {:.0} KiB | {:.1} × (g) | < 1,024 KiB |",
        each as f64 / 1024.0,
        each as f64 / plain as f64
    );
    println!(
        "| the same, a copy that shares names and law | {:.0} KiB | {:.1} × (g) | |",
        clones as f64 / 1024.0,
        clones as f64 / plain as f64
    );
}
