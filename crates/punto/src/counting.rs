//! `punto counting`: what removed cards do to each bet, and what a card counter could win.

mod data;
mod report;
mod words;

use std::io::Write;

use anstyle::AnsiColor;
use punto_odds::{CountingError, CountingRules, CountingStudy, CountingTally, LastRound};
use punto_rules::{Burn, Composition};

use crate::answer::{Answer, Problem, say};
use crate::cli::{Counting, Format, LastRoundName};
use crate::output::write_json;
use crate::table::Study;
use crate::work::{cores, divide, stop_on_ctrl_c};
use report::Report;

pub(crate) fn run(args: &Counting, out: &mut impl Write) -> anyhow::Result<Answer> {
    let study = Study::new(&args.table)?;
    let shoe = study.shoe();
    let rules = rules(args, &shoe)?;
    let counting = CountingStudy::new(&study.pricer, &shoe, rules).map_err(with_hint)?;
    let slow: Vec<&str> = counting.slow().map(|bet| study.terms.bets()[bet].id.as_str()).collect();
    if !slow.is_empty() {
        let text = format!(
            "{} must be enumerated anew before every Round, which takes milliseconds each; fewer --shoes are quicker",
            slow.join(", ")
        );
        say("slow", AnsiColor::Yellow, &text);
    }
    stop_on_ctrl_c()?;
    let tally = play(&counting, args.shoes, cores());
    if tally.shoes < args.shoes {
        say("stopped", AnsiColor::Yellow, &format!("after {} of {} shoes", tally.shoes, args.shoes));
    }
    if tally.shoes < 2 {
        return Ok(Answer::No); // no confidence interval from one shoe
    }
    let report = Report::new(&study, &counting, &tally);
    match args.format {
        Format::Json => write_json(&report.json(), out)?,
        Format::Csv => report.csv().write(Format::Csv, out)?,
        Format::Table | Format::Markdown => report.write(args.format, out)?,
    }
    Ok(Answer::Yes)
}

fn rules(args: &Counting, shoe: &Composition) -> Result<CountingRules, Problem> {
    if let Some(trigger) = args.trigger.iter().find(|trigger| !(-100.0..=100.0).contains(*trigger)) {
        let message = format!("a trigger of {trigger} % is no gain of a bet");
        return Err(Problem::new(message)
            .hint("give percent of the stake, from -100 to 100; 0 bets wherever it gains"));
    }
    let burn = burn(&args.burn)?;
    let last_round = match args.last_round {
        LastRoundName::Stop => LastRound::Stop,
        LastRoundName::OneMore => LastRound::OneMore,
    };
    let usual = || CountingRules::usual_depths(last_round, burn, shoe);
    Ok(CountingRules {
        behind: args.cut.clone().unwrap_or_else(usual),
        last_round,
        burn,
        triggers: args.trigger.iter().map(|percent| percent / 100.0).collect(),
        seed: args.seed,
    })
}

fn burn(text: &str) -> Result<Burn, Problem> {
    if text == "first-card" {
        return Ok(Burn::ByFirstCard);
    }
    let malformed = |_| {
        Problem::new(format!("`{text}` is no way to burn cards"))
            .hint("give a number of cards, or `first-card` for as many as the first card shows")
    };
    text.parse().map(Burn::Fixed).map_err(malformed)
}

fn with_hint(error: CountingError) -> Problem {
    let problem = Problem::new(error.to_string());
    match error {
        CountingError::TooFewBehind { least, most, .. }
        | CountingError::TooManyBehind { least, most, .. } => problem.hint(format!(
            "--cut takes {least} to {most} with these decks, this --burn and this --last-round"
        )),
        CountingError::TooManyBurnt { most, .. } => {
            problem.hint(format!("--burn takes at most {most} with these decks and this --last-round"))
        }
        CountingError::TwiceTheSame { .. } => problem.hint("name each depth once, as in `--cut 14,26,52`"),
        CountingError::NoDepth
        | CountingError::NoTrigger
        | CountingError::Trigger(_)
        | CountingError::Price(_) => problem,
    }
}

/// Plays shoes on so many threads until all are done or Ctrl-C stops it.
pub(crate) fn play(counting: &CountingStudy, shoes: u64, threads: usize) -> CountingTally {
    let empty = || CountingTally::new(counting);
    let job = |shoe: u64, tally: &mut CountingTally| tally.add(&counting.shoe(shoe));
    divide("playing shoes", shoes, threads, empty, job, CountingTally::add)
}
