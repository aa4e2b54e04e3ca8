//! `make bench`: the speed of the rules. Prints a Markdown table for docs/benchmarks.md.
//!
//! Figures are CPU time of this thread, the best of several runs; ratios are against a baseline in the same run. Nothing
//! is asserted: machines are shared and noisy.

mod clock;

use std::borrow::Cow;
use std::fs::File;
use std::hint::black_box;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use clock::{best, best_beside};
use punto_rules::rulebook::APPROVED;
use punto_rules::{
    Card, Composition, LimitsAsked, Money, Outcome, Rulebook, Shoe, Step, Terms, Wager, reconstruct, settle,
};
use serde::Deserialize;

const RUNS: usize = 5;

fn main() {
    // `cargo test --benches` calls with --test; there is nothing to test here.
    if std::env::args().any(|arg| arg == "--test") {
        return;
    }
    let rounds: usize =
        std::env::var("PUNTO_BENCH_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(1_000_000);
    println!("| what | figure | target |\n|---|---|---|");
    bench_settle();
    bench_load();
    bench_ndjson(rounds);
}

/// So many completed Rounds out of shuffled shoes.
fn outcomes(count: usize) -> Vec<Vec<Card>> {
    let mut rounds = Vec::with_capacity(count);
    let mut seed = [0u8; 32];
    for shoe_no in 0u64.. {
        seed[..8].copy_from_slice(&shoe_no.to_le_bytes());
        let mut shoe = Shoe::shuffled(&Composition::decks(8), seed);
        while shoe.remaining() >= 6 {
            let mut cards = Vec::new();
            while let Step::Draw(_) = reconstruct(&cards).0.step() {
                cards.push(shoe.draw().expect("six cards are enough for a Round"));
            }
            rounds.push(cards);
            if rounds.len() == count {
                return rounds;
            }
        }
    }
    unreachable!("there is always another seed")
}

fn eight_wagers(terms: &Terms) -> Vec<Wager> {
    let bets = terms.bets().iter().take(8).map(|bet| terms.bet_no(bet.id.as_str()).expect("offered"));
    bets.map(|bet| Wager::new(bet, Money::new(10_000).expect("small"))).collect()
}

fn bench_settle() {
    for game in ["wu-song", "rws-baccarat", "da-hu-ying-xiong"] {
        let rulebook = Rulebook::approved(game).expect("approved");
        let terms = rulebook.terms("A", 8, &LimitsAsked::default()).expect("terms");
        let wagers = eight_wagers(&terms);
        let outcomes: Vec<Outcome> = outcomes(10_000)
            .iter()
            .map(|cards| match reconstruct(cards).0.step() {
                Step::Complete(outcome) => outcome,
                Step::Draw(_) => unreachable!("Rounds are dealt to their end"),
            })
            .collect();
        let time = best(RUNS, || {
            let mut house = 0;
            for outcome in &outcomes {
                house += settle(&terms, black_box(&wagers), outcome).house;
            }
            house
        });
        let nanos = time.as_nanos() / outcomes.len() as u128;
        println!("| `settle`, {game} layout A, 8 wagers | {nanos} ns a Round | < 150 ns |");
    }
}

fn bench_load() {
    let time = best(RUNS, || {
        for (_, text) in APPROVED {
            black_box(Rulebook::parse(text).expect("approved"));
        }
    });
    println!("| load and compile the four rule books | {:.2} ms | < 5 ms |", time.as_secs_f64() * 1e3);
}

/// What a competent engineer would parse these lines into.
#[derive(Deserialize)]
#[allow(dead_code)]
struct Round<'l> {
    #[serde(borrow)]
    game: Cow<'l, str>,
    #[serde(borrow)]
    layout: Cow<'l, str>,
    cards: Vec<&'l str>,
    #[serde(borrow)]
    wagers: Vec<Placed<'l>>,
}

#[derive(Deserialize)]
#[allow(dead_code)]
struct Placed<'l> {
    #[serde(borrow)]
    patron: Cow<'l, str>,
    #[serde(rename = "box")]
    box_no: Option<u64>,
    #[serde(borrow)]
    stance: Option<Cow<'l, str>>,
    #[serde(borrow)]
    bet: Cow<'l, str>,
    stake: u64,
}

fn bench_ndjson(rounds: usize) {
    let path = std::env::temp_dir().join(format!("punto-bench-{}.ndjson", std::process::id()));
    write_rounds(rounds, &path);
    let open = || BufReader::with_capacity(1 << 16, File::open(&path).expect("just written"));

    let each_line = |work: &dyn Fn(&str)| {
        let (mut reader, mut line) = (open(), String::new());
        while reader.read_line(&mut line).expect("readable") > 0 {
            work(&line);
            line.clear();
        }
    };
    let parse =
        || each_line(&|line| drop(black_box(serde_json::from_str::<Round<'_>>(line).expect("a Round"))));
    let parse_value = || {
        each_line(&|line| drop(black_box(serde_json::from_str::<serde_json::Value>(line).expect("JSON"))));
    };
    let settle = || {
        let mut sink = BufWriter::with_capacity(1 << 16, File::create("/dev/null").expect("there"));
        let tally = punto::settle::ndjson(&mut open(), &mut sink).expect("settled");
        sink.flush().expect("flushed");
        assert_eq!((tally.lines, tally.bad), (rounds as u64, 0));
    };
    let [typed, ours] = best_beside(RUNS, parse, settle);
    let value = best(2, parse_value);

    let rate = |time: Duration| rounds as f64 / time.as_secs_f64() / 1e6;
    let ratio = |baseline: Duration| baseline.as_secs_f64() / ours.as_secs_f64();
    println!("| merely parse {rounds} Rounds into structs | {:.2} M Rounds/s | baseline |", rate(typed));
    println!("| merely parse them into `serde_json::Value` | {:.2} M Rounds/s | |", rate(value));
    println!("| `punto settle` on them | {:.2} M Rounds/s | |", rate(ours));
    println!("| ratio to parsing into structs | {:.2} | ≥ 0.5 |", ratio(typed));
    println!("| ratio to parsing into `Value` | {:.2} | |", ratio(value));
    for share in [10, 1] {
        write_rounds(rounds / share, &path);
        let (wall, memory) = run_binary(&path);
        let wall = wall.as_secs_f64();
        println!(
            "| the binary on {} Rounds | {wall:.2} s, {memory} KiB at most | memory flat |",
            rounds / share
        );
    }
    std::fs::remove_file(&path).expect("ours");
}

fn write_rounds(rounds: usize, path: &std::path::Path) {
    let mut out = BufWriter::new(File::create(path).expect("a temporary file"));
    let bets =
        ["player", "banker", "tie", "tiger-tie", "player-pair", "banker-pair", "big-tiger", "small-tiger"];
    let pool = outcomes(rounds.min(50_000));
    for cards in pool.iter().cycle().take(rounds) {
        let cards: Vec<String> = cards.iter().map(|card| format!("\"{card}\"")).collect();
        let wagers: Vec<String> = bets
            .iter()
            .enumerate()
            .map(|(i, bet)| {
                format!(
                    r#"{{"patron":"patron-{i}","box":{},"stance":"seated","bet":"{bet}","stake":{}}}"#,
                    i % 6 + 1,
                    (i + 1) * 1_000
                )
            })
            .collect();
        writeln!(
            out,
            r#"{{"game":"wu-song","layout":"A","cards":[{}],"wagers":[{}]}}"#,
            cards.join(","),
            wagers.join(",")
        )
        .expect("written");
    }
    out.flush().expect("written");
}

/// Wall time and peak memory of the real binary.
fn run_binary(path: &std::path::Path) -> (Duration, u64) {
    let start = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_punto"))
        .arg("settle")
        .stdin(File::open(path).expect("just written"))
        .stdout(Stdio::null())
        .spawn()
        .expect("the binary runs");
    let mut peak = 0;
    loop {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let high = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let high = high.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok());
        peak = peak.max(high.unwrap_or(0));
        if let Some(status) = child.try_wait().expect("our child") {
            assert!(status.success());
            return (start.elapsed(), peak);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}
