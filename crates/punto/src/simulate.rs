//! `punto simulate`: Rounds at random beside the exact odds.

use std::io::Write;

use anstyle::AnsiColor;
use punto_odds::{BLOCK, Comparison, Generator, Simulation, Tally};
use serde::Serialize;

use crate::answer::{Answer, say};
use crate::cli::{Format, GeneratorName, Simulate};
use crate::odds::percent;
use crate::output::{Rows, write_json};
use crate::table::Study;
use crate::work::{cores, divide, stop_on_ctrl_c};

#[derive(Serialize)]
struct SimulationJson<'s> {
    game: &'s str,
    version: Option<u32>,
    layout: &'s str,
    decks: u8,
    generator: &'static str,
    seed: u64,
    rounds: u64,
    asked: u64,
    chi_square: ChiSquareJson,
    bets: Vec<BetJson<'s>>,
}

#[derive(Serialize)]
struct ChiSquareJson {
    statistic: f64,
    degrees_of_freedom: u32,
    p: f64,
}

#[derive(Serialize)]
struct BetJson<'s> {
    bet: &'s str,
    won: u64,
    lost: u64,
    returned: u64,
    edge: f64,
    exact_edge: f64,
    z: f64,
}

pub(crate) fn run(args: &Simulate, out: &mut impl Write) -> anyhow::Result<Answer> {
    let study = Study::new(&args.table)?;
    let generator = match args.generator {
        GeneratorName::Fast => Generator::Fast,
        GeneratorName::Chacha => Generator::ChaCha,
    };
    let shoe = study.shoe();
    let simulation = Simulation::new(study.terms.space(), &shoe, generator, args.seed);
    let threads = args.threads.map_or_else(cores, usize::from);
    stop_on_ctrl_c()?;
    let tally = deal(&simulation, args.rounds, threads, "dealing");
    if tally.rounds < args.rounds {
        say("stopped", AnsiColor::Yellow, &format!("after {} of {} Rounds", tally.rounds, args.rounds));
    }
    if tally.rounds == 0 {
        return Ok(Answer::No);
    }
    let comparison = Comparison::new(&study.pricer, &shoe, &tally)?;
    let rulebook = study.rulebook();
    let name = match args.generator {
        GeneratorName::Fast => "xoshiro256++",
        GeneratorName::Chacha => "ChaCha20",
    };
    if args.format == Format::Json {
        let bets = comparison.bets.iter().zip(study.terms.bets()).map(|(it, bet)| BetJson {
            bet: bet.id.as_str(),
            won: it.won,
            lost: it.lost,
            returned: it.returned,
            edge: it.edge,
            exact_edge: it.exact_edge,
            z: it.z,
        });
        let json = SimulationJson {
            game: &rulebook.game,
            version: rulebook.version,
            layout: &study.terms.layout().id,
            decks: study.terms.decks(),
            generator: name,
            seed: args.seed,
            rounds: tally.rounds,
            asked: args.rounds,
            chi_square: ChiSquareJson {
                statistic: comparison.chi_square,
                degrees_of_freedom: comparison.degrees_of_freedom,
                p: comparison.p,
            },
            bets: bets.collect(),
        };
        write_json(&json, out)?;
        return Ok(Answer::Yes);
    }
    if args.format != Format::Csv {
        writeln!(out, "{}: {} Rounds, {name}, seed {}\n", study.title(), tally.rounds, args.seed)?;
    }
    let mut rows = Rows::new(["Bet", "Won", "Returned", "Lost", "Edge", "Exact edge", "z"]);
    for (it, bet) in comparison.bets.iter().zip(study.terms.bets()) {
        rows.push([
            bet.id.to_string(),
            it.won.to_string(),
            it.returned.to_string(),
            it.lost.to_string(),
            percent(it.edge),
            percent(it.exact_edge),
            format!("{:+.2}", it.z),
        ]);
    }
    rows.write(args.format, out)?;
    if args.format != Format::Csv {
        let Comparison { chi_square, degrees_of_freedom, p, .. } = comparison;
        writeln!(
            out,
            "\nχ² over the classes of outcomes: {chi_square:.1} at {degrees_of_freedom} degrees of freedom, p = {p:.3}"
        )?;
    }
    Ok(Answer::Yes)
}

/// Deals blocks on so many threads until all are done or Ctrl-C stops it.
pub(crate) fn deal(simulation: &Simulation, rounds: u64, threads: usize, what: &'static str) -> Tally {
    let empty = || Tally::new(simulation.space());
    let job = |block: u64, tally: &mut Tally| {
        tally.add(&simulation.block(block, BLOCK.min(rounds - block * BLOCK)))
    };
    divide(what, rounds.div_ceil(BLOCK), threads, empty, job, Tally::add)
}
