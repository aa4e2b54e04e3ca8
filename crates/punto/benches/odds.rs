//! `make bench`: the speed of the study, against two plain baselines in the same run.

mod clock;

use std::hint::black_box;
use std::process::Command;
use std::time::{Duration, Instant};

use clock::{best, best_beside};
use punto_odds::{BLOCK, CompiledBet, Generator, Pricer, Simulation};
use punto_rules::{Card, Composition, LimitsAsked, Rank, Rulebook, Suit, Terms};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

const RUNS: usize = 11;
const GAMES: [(&str, &str); 4] =
    [("wu-song", "A"), ("ncb-etg", "terminal"), ("rws-baccarat", "A"), ("da-hu-ying-xiong", "A")];

fn main() {
    if std::env::args().any(|arg| arg == "--test") {
        return;
    }
    println!("| what | figure | ratio | target |\n|---|---|---|---|");
    bench_pricing();
    bench_simulation();
    bench_commands();
}

fn terms(game: &str, layout: &str) -> Terms {
    Rulebook::approved(game).expect("approved").terms(layout, 8, &LimitsAsked::default()).expect("terms")
}

/// Shoes in mid-play: eight decks less some cards, different each time.
fn shoes(count: usize) -> Vec<Composition> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
    let shoe = |_| {
        let mut shoe = Composition::decks(8);
        for _ in 0..120 {
            let card = Card {
                rank: Rank::ALL[random.next_u32() as usize % 13],
                suit: Suit::ALL[random.next_u32() as usize % 4],
            };
            let _ = shoe.remove(card);
        }
        shoe
    };
    (0..count).map(shoe).collect()
}

/// (a) The textbook: 55 × 55 two-card Hands by value, then third cards, counting Player, Banker and Tie.
fn textbook(n: &[i64; 10]) -> [i64; 3] {
    let cards: i64 = n.iter().sum();
    let mut left = *n;
    let mut result = [0; 3];
    let mut count = |player: usize, banker: usize, ways: i64| {
        result[if player > banker { 0 } else { usize::from(player == banker) + 1 }] += ways
    };
    for p1 in 0..10 {
        for p2 in p1..10 {
            let player_ways = if p1 == p2 { left[p1] * (left[p1] - 1) } else { 2 * left[p1] * left[p2] };
            if player_ways == 0 {
                continue;
            }
            left[p1] -= 1;
            left[p2] -= 1;
            let player = (p1 + p2) % 10;
            for b1 in 0..10 {
                for b2 in b1..10 {
                    let banker_ways =
                        if b1 == b2 { left[b1] * (left[b1] - 1) } else { 2 * left[b1] * left[b2] };
                    if banker_ways == 0 {
                        continue;
                    }
                    let ways = player_ways * banker_ways;
                    let banker = (b1 + b2) % 10;
                    if player >= 8 || banker >= 8 || (player >= 6 && banker >= 6) {
                        count(player, banker, ways * (cards - 4) * (cards - 5));
                        continue;
                    }
                    left[b1] -= 1;
                    left[b2] -= 1;
                    if player >= 6 {
                        for (third, left) in left.iter().enumerate() {
                            count(player, (banker + third) % 10, ways * left * (cards - 5));
                        }
                    } else {
                        for third in 0..10 {
                            if left[third] == 0 {
                                continue;
                            }
                            let draws = match banker {
                                0..=2 => true,
                                3 => third != 8,
                                4 => (2..=7).contains(&third),
                                5 => (4..=7).contains(&third),
                                6 => third == 6 || third == 7,
                                _ => false,
                            };
                            let ways = ways * left[third];
                            let player = (player + third) % 10;
                            if !draws {
                                count(player, banker, ways * (cards - 5));
                                continue;
                            }
                            left[third] -= 1;
                            for (fourth, left) in left.iter().enumerate() {
                                count(player, (banker + fourth) % 10, ways * left);
                            }
                            left[third] += 1;
                        }
                    }
                    left[b1] += 1;
                    left[b2] += 1;
                }
            }
            left[p1] += 1;
            left[p2] += 1;
        }
    }
    result
}

fn bench_pricing() {
    let shoes = shoes(200);
    let values: Vec<[i64; 10]> =
        shoes.iter().map(|shoe| std::array::from_fn(|value| i64::from(shoe.of_value(value as u8)))).collect();
    let baseline = || values.iter().map(|values| textbook(black_box(values))[0]).sum::<i64>();
    let micros = |time: Duration| time.as_secs_f64() * 1e6 / shoes.len() as f64;
    let time = best(RUNS, baseline);
    println!("| (a) textbook enumeration, Player, Banker and Tie | {:.1} µs | 1 | baseline |", micros(time));
    for (game, layout) in GAMES {
        let pricer = Pricer::new(&terms(game, layout));
        let check = pricer.price(&shoes[0]).expect("a full shoe");
        assert_eq!(check[0].won() as i64, textbook(&values[0])[0], "the baseline counts the same Rounds");
        let every =
            || shoes.iter().map(|shoe| pricer.price(black_box(shoe)).expect("full").len()).sum::<usize>();
        let [base, time] = best_beside(RUNS, baseline, every);
        let (bets, ratio) = (check.len(), time.as_secs_f64() / base.as_secs_f64());
        println!(
            "| every bet of {game} {layout} ({bets}) | {:.1} µs | {ratio:.2} of (a) | ≤ 0.8 |",
            micros(time)
        );
        let bet = CompiledBet::new(&pricer, 1);
        let one = || shoes.iter().map(|shoe| bet.gain_f64(black_box(shoe))).sum::<f64>();
        let [base, time] = best_beside(RUNS, baseline, one);
        let times = base.as_secs_f64() / time.as_secs_f64();
        println!(
            "| one compiled bet of {game} (`banker`) | {:.2} µs | {times:.1} × as fast as (a) | ≥ 10 |",
            micros(time)
        );
    }
}

/// (b) A plain simulator: shuffle eight decks, deal to the end, count Player, Banker and Tie.
fn plain_simulator(random: &mut Xoshiro256PlusPlus, rounds: u64) -> [u64; 3] {
    let mut shoe: Vec<u8> =
        (0..416).map(|card| if card % 13 < 9 { (card % 13 + 1) as u8 } else { 0 }).collect();
    let mut result = [0; 3];
    let mut dealt = 0;
    while dealt < rounds {
        for last in (1..shoe.len()).rev() {
            let at = ((u64::from(random.next_u32()) * (last as u64 + 1)) >> 32) as usize;
            shoe.swap(last, at);
        }
        let mut next = 0;
        while next + 6 <= shoe.len() && dealt < rounds {
            let (mut player, mut banker) =
                ((shoe[next] + shoe[next + 2]) % 10, (shoe[next + 1] + shoe[next + 3]) % 10);
            next += 4;
            if player < 8 && banker < 8 {
                let mut draws = banker <= 5;
                if player <= 5 {
                    let third = shoe[next];
                    next += 1;
                    player = (player + third) % 10;
                    draws = match banker {
                        0..=2 => true,
                        3 => third != 8,
                        4 => (2..=7).contains(&third),
                        5 => (4..=7).contains(&third),
                        6 => third == 6 || third == 7,
                        _ => false,
                    };
                }
                if draws {
                    banker = (banker + shoe[next]) % 10;
                    next += 1;
                }
            }
            result[if player > banker { 0 } else { usize::from(player == banker) + 1 }] += 1;
            dealt += 1;
        }
    }
    result
}

fn bench_simulation() {
    let blocks = 8;
    let rounds = BLOCK * blocks;
    let rate = |time: Duration| rounds as f64 / time.as_secs_f64() / 1e6;
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut baseline = || plain_simulator(&mut random, rounds);
    let time = best(RUNS, &mut baseline);
    println!("| (b) plain simulator, Player, Banker and Tie | {:.1} M Rounds/s | 1 | baseline |", rate(time));
    for (game, layout) in GAMES {
        for (generator, name, target) in
            [(Generator::Fast, "fast", "1.8"), (Generator::ChaCha, "ChaCha20", "1.0")]
        {
            let terms = terms(game, layout);
            let simulation = Simulation::new(terms.space(), &Composition::decks(8), generator, 1);
            let work = || (0..blocks).map(|block| simulation.block(block, BLOCK).rounds).sum::<u64>();
            let [base, time] = best_beside(RUNS, &mut baseline, work);
            let ratio = base.as_secs_f64() / time.as_secs_f64();
            println!(
                "| every bet of {game} {layout}, {name} | {:.1} M Rounds/s | {ratio:.2} × (b) | ≥ {target} |",
                rate(time)
            );
        }
    }
    let simulation =
        Simulation::new(terms("wu-song", "A").space(), &Composition::decks(8), Generator::Fast, 1);
    let wall = |threads: u64| {
        let start = Instant::now();
        std::thread::scope(|scope| {
            for thread in 0..threads {
                let simulation = &simulation;
                scope.spawn(move || {
                    (0..40 / threads).map(|i| simulation.block(thread * 100 + i, BLOCK).rounds).sum::<u64>()
                });
            }
        });
        start.elapsed()
    };
    let times: Vec<(Duration, Duration)> = (0..2 * RUNS).map(|_| (wall(1), wall(2))).collect();
    let one = times.iter().map(|times| times.0).min().expect("runs");
    let two = times.iter().map(|times| times.1).min().expect("runs");
    println!("| two threads, wall time | | {:.2} × one | ≥ 1.8 |", one.as_secs_f64() / two.as_secs_f64());
}

fn bench_commands() {
    let run = |args: &[&str]| {
        let times = (0..RUNS).map(|_| {
            let start = Instant::now();
            let output = Command::new(env!("CARGO_BIN_EXE_punto")).args(args).output().expect("it runs");
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            start.elapsed()
        });
        times.min().expect("runs").as_secs_f64() * 1e3
    };
    for (game, layout) in GAMES {
        let odds = run(&["odds", game, "--layout", layout]);
        println!("| `punto odds {game} --layout {layout}`, wall time | {odds:.1} ms | | < 20 ms |");
        let par = run(&["par", game, "--layout", layout, "--format", "html"]);
        println!("| `punto par {game} --layout {layout}`, wall time | {par:.0} ms | | < 10 s |");
    }
}
