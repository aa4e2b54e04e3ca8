//! `punto play`: a table script, played and told.

use std::io::{Read, Write};
use std::path::Path;
use std::sync::Arc;

use anstyle::{AnsiColor, Style};
use anyhow::Context;
use punto_record::{Order, Rejection, Seq};
use punto_rules::text::{Shown, ShownLines};
use punto_table::script::{Outcome, Played, Script, Step, play};
use serde::Serialize;

use crate::answer::{Answer, Problem, say};
use crate::cli::{self, PlayFormat};
use crate::{ledger, rulebooks};

/// More than this is no script.
const MOST_BYTES: u64 = 1 << 20;

pub(crate) fn run(args: &cli::Play, out: &mut impl Write) -> anyhow::Result<Answer> {
    let text = read(&args.script)?;
    let script = Script::parse(&text).map_err(|fault| problem(&args.script, &fault.to_string()))?;
    let rulebook = |game: &str| rulebooks::load(game).ok().map(|loaded| Arc::from(loaded.text));
    let played = play(&script, rulebook).map_err(|fault| problem(&args.script, &fault.to_string()))?;
    if args.update {
        if args.script == Path::new("-") {
            return Err(Problem::new("standard input cannot be updated").into());
        }
        let cannot = || format!("cannot write {}", args.script.display());
        std::fs::write(&args.script, played.rewritten(&text)).with_context(cannot)?;
        // What a script asserts is not for an update to give up.
        if played.not_shown().is_empty() {
            return Ok(Answer::Yes);
        }
    }
    if let Some(ledger) = &args.ledger {
        ledger::record(ledger, args, &played.entries, out)?;
    }
    match args.format {
        _ if args.receipts => {}
        PlayFormat::Table => tell(&text, &played, out)?,
        PlayFormat::Json => write_json(&played, out)?,
    }
    let surprises = played.steps.iter().filter(|step| is_surprise(step)).count();
    let not_shown = played.not_shown();
    if surprises == 0 && not_shown.is_empty() {
        return Ok(Answer::Yes);
    }
    out.flush()?;
    if surprises > 0 {
        let lines = if surprises == 1 { "line" } else { "lines" };
        say("note", AnsiColor::Yellow, &format!("{surprises} {lines} did not go as the script expects"));
    }
    for (line, shows) in not_shown {
        let (no, paragraph, words) = (shows.no, &shows.paragraph, shows.words.join(" "));
        say(
            "note",
            AnsiColor::Yellow,
            &format!("line {no}: `{}` does not show {paragraph}: no `{words}`", line.text),
        );
    }
    Ok(Answer::No)
}

fn read(path: &Path) -> anyhow::Result<String> {
    let cannot = || format!("cannot read {}", path.display());
    let mut text = String::new();
    let mut input: Box<dyn Read> = if path == Path::new("-") {
        Box::new(std::io::stdin().lock())
    } else {
        Box::new(std::fs::File::open(path).with_context(cannot)?)
    };
    input.by_ref().take(MOST_BYTES + 1).read_to_string(&mut text).with_context(cannot)?;
    if text.len() as u64 > MOST_BYTES {
        return Err(Problem::new(format!("a script has at most {MOST_BYTES} bytes")).into());
    }
    Ok(text)
}

fn problem(path: &Path, message: &str) -> Problem {
    Problem::new(format!("{}: {message}", path.display()))
        .hint("an order reads `dealer: open-bets` or `patron 7: bet banker 500 box=2`; see docs/table.md")
}

/// Something else than expected, or a refusal where nothing was expected.
fn is_surprise(step: &Step) -> bool {
    let refused = step.orders.iter().any(|(_, outcome)| matches!(outcome, Outcome::Refused(_)));
    !step.is_as_expected() || (refused && step.line.expected.is_empty())
}

/// The script's own lines, with what happened below each order.
fn tell(text: &str, played: &Played, out: &mut impl Write) -> anyhow::Result<()> {
    let colour = anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never;
    let style = |colour_of: AnsiColor| {
        if colour { Style::new().fg_color(Some(colour_of.into())) } else { Style::new() }
    };
    let (order, refused, expected) = (
        if colour { Style::new().bold() } else { Style::new() },
        style(AnsiColor::Red),
        style(AnsiColor::Yellow),
    );
    let lines: Vec<&str> = text.lines().collect();
    let mut done = 0;
    for step in &played.steps {
        for line in &lines[done..step.line.no - 1] {
            writeln!(out, "{}", ShownLines(line))?;
        }
        writeln!(out, "{order}{}{order:#}", ShownLines(&step.line.text))?;
        for line in step.happened.iter().map(|line| Shown(line).to_string()) {
            if line.starts_with('!') {
                writeln!(out, "  {refused}{line}{refused:#}")?;
            } else {
                writeln!(out, "  {line}")?;
            }
        }
        for rejection in refusals(step) {
            writeln!(out, "    {}", Shown(&rejection.reason.to_string()))?;
        }
        if !step.is_as_expected() {
            for line in step.line.expected.iter().map(|line| ShownLines(line)) {
                writeln!(out, "  {expected}expected: {line}{expected:#}")?;
            }
        }
        done = step.line.end;
    }
    for line in &lines[done..] {
        writeln!(out, "{}", ShownLines(line))?;
    }
    Ok(())
}

fn refusals(step: &Step) -> impl Iterator<Item = &Rejection> {
    step.orders.iter().filter_map(|(_, outcome)| match outcome {
        Outcome::Refused(rejection) => Some(rejection),
        Outcome::Events(_) | Outcome::Answered(_) => None,
    })
}

#[derive(Serialize)]
struct Told<'a> {
    line: usize,
    order: &'a Order,
    #[serde(skip_serializing_if = "Option::is_none")]
    events: Option<&'a [punto_record::Event]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rejection: Option<&'a Rejection>,
    #[serde(skip_serializing_if = "Option::is_none")]
    answered: Option<Seq>,
}

fn write_json(played: &Played, out: &mut impl Write) -> anyhow::Result<()> {
    for step in &played.steps {
        for (order, outcome) in &step.orders {
            let (events, rejection, answered) = match outcome {
                Outcome::Events(events) => (Some(events.as_slice()), None, None),
                Outcome::Refused(rejection) => (None, Some(rejection), None),
                Outcome::Answered(seq) => (None, None, Some(*seq)),
            };
            serde_json::to_writer(
                &mut *out,
                &Told { line: step.line.no, order, events, rejection, answered },
            )?;
            writeln!(out)?;
        }
    }
    Ok(())
}
