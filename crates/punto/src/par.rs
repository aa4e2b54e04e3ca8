//! `punto par`: the PAR sheet of a layout.

use std::fmt::Write as _;
use std::io::Write;
use std::sync::Arc;

use punto_odds::{
    Comparison, CountedBet, CountingRules, CountingSection, CountingStudy, Generator, LastRound, ParInput,
    ParSheet, Simulation, SimulationRun,
};
use punto_rules::{Bet, Burn};
use sha2::{Digest, Sha256};

use crate::answer::{Answer, Problem};
use crate::cli::{Par, ParFormat};
use crate::counting::play;
use crate::output::write_json;
use crate::simulate::deal;
use crate::table::Study;
use crate::work::cores;

/// The generator of the simulation check: twenty million Rounds should not take a minute.
const GENERATOR: Generator = Generator::Fast;
/// A 95 % margin in standard errors.
const NORMAL_95: f64 = 1.96;

pub(crate) fn run(args: &Par, out: &mut impl Write) -> anyhow::Result<Answer> {
    if args.counting_shoes == 1 {
        let hint = "give two shoes or more, or leave the section out with 0";
        return Err(Problem::new("one shoe has no margin of error").hint(hint).into());
    }
    let study = Study::new(&args.table)?;
    let shoe = study.shoe();
    let simulation = Simulation::new(study.terms.space(), &shoe, GENERATOR, args.seed);
    let tally = deal(&simulation, args.rounds, cores(), "simulating");
    let sheet = ParSheet::new(&ParInput {
        rulebook: study.rulebook(),
        terms: &study.terms,
        pricer: &study.pricer,
        game_argument: &args.table.game,
        digest: &digest(&study.loaded.text),
        software: concat!("punto ", env!("CARGO_PKG_VERSION")),
        simulation: SimulationRun {
            comparison: &Comparison::new(&study.pricer, &shoe, &tally)?,
            generator: GENERATOR,
            seed: args.seed,
            rounds: tally.rounds,
        },
        counting: if args.counting_shoes > 0 { Some(counting(args, &study)?) } else { None },
    })?;
    let text = match args.format {
        ParFormat::Markdown => sheet.to_markdown(),
        ParFormat::Html => sheet.to_html(),
        ParFormat::Json => {
            let mut json = Vec::new();
            write_json(&sheet, &mut json)?;
            String::from_utf8(json)?
        }
    };
    match &args.output {
        None => out.write_all(text.as_bytes())?,
        Some(path) => std::fs::write(path, text).map_err(|error| {
            let problem = Problem::new(format!("cannot write {}: {error}", path.display()));
            match path.parent() {
                Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
                    problem.hint(format!("there is no folder {}", folder.display()))
                }
                Some(_) | None => problem,
            }
        })?,
    }
    Ok(Answer::Yes)
}

/// What perfect play wins per shoe, at the depths that `punto counting` studies by default.
fn counting(args: &Par, study: &Study) -> anyhow::Result<CountingSection> {
    let (last_round, burn, shoe) = (LastRound::Stop, Burn::Fixed(0), study.shoe());
    let depths = CountingRules::usual_depths(last_round, burn, &shoe);
    let rules =
        CountingRules { behind: depths.clone(), last_round, burn, triggers: vec![0.0], seed: args.seed };
    let counting = CountingStudy::new(&study.pricer, &shoe, rules)?;
    let tally = play(&counting, args.counting_shoes, cores());
    let counted = |(no, bet): (usize, &Arc<Bet>)| {
        let figures = depths.iter().enumerate().map(move |(depth, &cut)| (cut, depth));
        let (tally, id) = (&tally, bet.id.to_string());
        figures
            .map(|(cut, depth)| {
                let perfect = tally.perfect(no, 0, depth);
                CountedBet {
                    bet: id.clone(),
                    cut,
                    chances: perfect.share,
                    gain: perfect.gain.map_or(0.0, |gain| gain.mean),
                    gain_per_shoe: perfect.win.mean,
                    error: perfect.win.margin / NORMAL_95,
                }
            })
            .collect::<Vec<_>>()
    };
    Ok(CountingSection {
        shoes: tally.shoes,
        seed: args.seed,
        settings: vec![
            "The Round in which the cut card shows is the last; nothing is burnt.".to_string(),
            "Before every Round each bet is priced exactly from the cards not seen yet.".to_string(),
        ],
        bets: study.terms.bets().iter().enumerate().flat_map(counted).collect(),
    })
}

/// SHA-256 in hexadecimal.
fn digest(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().fold(String::new(), |mut hex, byte| {
        write!(hex, "{byte:02x}").expect("a string takes everything");
        hex
    })
}
