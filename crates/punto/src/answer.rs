//! What a verb answers, and how that becomes an exit code.

use std::fmt;
use std::io::{self, IsTerminal as _, Write};
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use clap::Parser;
use punto_rules::text::ShownLines;

use crate::cli::{Cli, RulebookVerb, Verb};
use crate::ledger;
use crate::ledger::cli::{LedgerVerb, ReceiptVerb};
use crate::printed::{Lets, Printed};
use crate::witness::WitnessVerb;

/// Yes or no; everything else is an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// Exit 0.
    Yes,
    /// Exit 1.
    No,
}

/// An error that can say what would be right.
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
}

impl Problem {
    pub(crate) fn new(message: impl Into<String>) -> Problem {
        Problem { message: message.into(), hint: None }
    }

    pub(crate) fn hint(self, hint: impl Into<String>) -> Problem {
        Problem { hint: Some(hint.into()), ..self }
    }

    /// The hint of an error that has one.
    pub(crate) fn hint_of(error: &anyhow::Error) -> Option<&str> {
        error.chain().find_map(|cause| cause.downcast_ref::<Problem>()?.hint.as_deref())
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Problem {}

/// Runs the command line and turns its answer into an exit code.
pub fn run() -> ExitCode {
    let cli = Cli::try_parse().unwrap_or_else(|error| refused(&error));
    let lets = lets(&cli.verb, io::stdout().is_terminal());
    let mut stdout = Printed::new(io::BufWriter::with_capacity(1 << 16, io::stdout().lock()), lets);
    let answer = dispatch(cli.verb, &mut stdout).and_then(|answer| {
        stdout.flush()?;
        Ok(answer)
    });
    match answer {
        Ok(Answer::Yes) => ExitCode::SUCCESS,
        Ok(Answer::No) => ExitCode::from(1),
        // Whoever reads us (`head`, a pager) has seen enough.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            report(&error);
            ExitCode::from(2)
        }
    }
}

/// What cannot be read off the command line; clap itself exits, with 2 on bad usage. It repeats what was typed.
fn refused(error: &clap::Error) -> ! {
    let said = error.render().to_string();
    let shown = ShownLines(&said).to_string();
    if shown == said {
        error.exit();
    }
    eprint!("{shown}");
    std::process::exit(error.exit_code());
}

/// What a verb may print beside text.
fn lets(verb: &Verb, on_terminal: bool) -> Lets {
    let is_hashed_or_signed = matches!(
        verb,
        Verb::Export(_)
            | Verb::Receipt(_)
            | Verb::Ledger(LedgerVerb::Checkpoint(_) | LedgerVerb::Consistency(_))
    );
    let is_styled = matches!(verb, Verb::Play(_) | Verb::Report(_) | Verb::Roads(_) | Verb::Rulebook(_));
    let has_colour = anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never;
    match (is_hashed_or_signed, is_styled) {
        (true, _) if !on_terminal => Lets::Bytes,
        (_, true) if has_colour => Lets::Styles,
        (_, _) => Lets::Text,
    }
}

fn dispatch(verb: Verb, out: &mut impl Write) -> anyhow::Result<Answer> {
    match verb {
        Verb::Games(args) => crate::games::run(&args, out),
        Verb::Deal(args) => crate::deal::run(&args, out),
        Verb::Settle(args) => crate::settle::run(&args, out),
        Verb::Odds(args) => crate::odds::run(&args, out),
        Verb::Simulate(args) => crate::simulate::run(&args, out),
        Verb::Counting(args) => crate::counting::run(&args, out),
        Verb::Par(args) => crate::par::run(&args, out),
        Verb::Solve(args) => crate::solve::run(&args, out),
        Verb::Roads(args) => crate::roads::run(&args, out),
        Verb::Play(args) => crate::play::run(&args, out),
        Verb::Rulebook(RulebookVerb::Check(args)) => crate::rulebook::check(&args, out),
        Verb::Rulebook(RulebookVerb::Show(args)) => crate::rulebook::show(&args, out),
        Verb::Serve(args) => crate::serve::run(args, out),
        Verb::Witness(WitnessVerb::Serve(args)) => crate::witness::serve(args, out),
        Verb::Witness(WitnessVerb::Key(args)) => crate::witness::key(&args, out),
        Verb::Load(args) => crate::load::run(&args, out),
        Verb::Ledger(LedgerVerb::Found(args)) => ledger::found(&args, out),
        Verb::Ledger(LedgerVerb::Heads(args)) => ledger::heads(&args, out),
        Verb::Ledger(LedgerVerb::Approvals(args)) => ledger::approvals(&args, out),
        Verb::Ledger(LedgerVerb::Checkpoint(args)) => ledger::checkpoint(&args, out),
        Verb::Ledger(LedgerVerb::Consistency(args)) => ledger::consistency(&args, out),
        Verb::Ledger(LedgerVerb::CheckConsistency(args)) => ledger::check_consistency(&args, out),
        Verb::Ledger(LedgerVerb::RotateKey(args)) => ledger::rotate_key(&args, out),
        Verb::Ledger(LedgerVerb::RotateTicketKey(args)) => ledger::rotate_ticket_key(&args, out),
        Verb::Ledger(LedgerVerb::RestoreAdministrators(args)) => ledger::restore_administrators(&args, out),
        Verb::Ledger(LedgerVerb::Archive(args)) => ledger::archive(&args, out),
        Verb::Audit(args) => ledger::audit(&args, out),
        Verb::Receipt(ReceiptVerb::Make(args)) => ledger::make_receipt(&args, out),
        Verb::Receipt(ReceiptVerb::Check(args)) => ledger::check_receipt(&args, out),
        Verb::Export(args) => ledger::export(&args, out),
        Verb::Report(args) => ledger::report(&args, out),
        Verb::Backup(args) => ledger::backup(&args, out),
        Verb::Restore(args) => ledger::restore(&args, out),
        Verb::Drill(args) => crate::drill::run(&args, out),
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let io = cause.downcast_ref::<io::Error>().map(io::Error::kind);
        let json = cause.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind);
        io == Some(io::ErrorKind::BrokenPipe) || json == Some(io::ErrorKind::BrokenPipe)
    })
}

fn report(error: &anyhow::Error) {
    say("error", AnsiColor::Red, &format!("{error:#}"));
    if let Some(hint) = Problem::hint_of(error) {
        say("hint", AnsiColor::Cyan, hint);
    }
}

/// A line of talk on stderr: `hint: …`.
pub(crate) fn say(word: &str, colour: AnsiColor, text: &str) {
    let style = Style::new().bold().fg_color(Some(colour.into()));
    anstream::eprintln!("{style}{word}{style:#}: {}", ShownLines(text));
}
