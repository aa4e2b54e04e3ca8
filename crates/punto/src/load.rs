//! `punto load`: terminals that bet against a running server, and the record compared with what was acknowledged.

use std::io::Write;
use std::time::Duration;

use anstyle::AnsiColor;
use clap::{Args, ValueEnum};
use punto_record::Person;
use punto_server::client::Error;
use punto_server::load::{Latency, Options, Progress, Report, SignIn, SignIns, Until, run as generate};

use crate::answer::{Answer, Problem, say};
use crate::cli::Format;
use crate::ledger::bar;
use crate::output::{Rows, write_json};

/// Let terminals bet against a running server.
#[derive(Debug, Args)]
#[command(
    after_help = "It opens electronic tables of its own (`load-1` and so on), enrols terminals, buys credits and bets: each \
    terminal with one bet in flight, or so many bets a second over all with --rate. A server that is killed and comes back in \
    the middle is waited for. Afterwards the record is read back: every acknowledged bet must be there once, with its amount, \
    and nothing else; every terminal's credits must be what the record says. A difference makes the exit code 1.\n\n\
    A demonstration tells its sign-ins; for any other server name people, whose passwords are read from \
    PUNTO_PASSWORD_ADMINISTRATOR, PUNTO_PASSWORD_CASHIER and PUNTO_PASSWORD_AUDITOR.\n\n\
    Examples:\n  punto load http://127.0.0.1:8100\n  punto load http://127.0.0.1:8100 --terminals 1000 --tables 20 --rate 1000"
)]
pub(crate) struct Load {
    /// The server: http://HOST:PORT
    #[arg(value_name = "URL")]
    url: String,
    /// How many terminals, over all tables
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    terminals: u32,
    /// How many tables
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    tables: u32,
    /// How long they bet, in seconds
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    seconds: u64,
    /// Stop after so many registered bets instead
    #[arg(long, value_name = "N", conflicts_with = "seconds", value_parser = clap::value_parser!(u64).range(1..))]
    bets: Option<u64>,
    /// So many bets a second over all terminals [default: as quickly as they are answered]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    rate: Option<u32>,
    /// How long bets are open in each Round, in seconds
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=3_600))]
    betting_seconds: u16,
    /// Who opens tables and enrols terminals
    #[arg(long, value_name = "PERSON", requires_all = ["cashier", "auditor"])]
    administrator: Option<Person>,
    /// Who sells credits
    #[arg(long, value_name = "PERSON", requires = "administrator")]
    cashier: Option<Person>,
    /// Who reads the record
    #[arg(long, value_name = "PERSON", requires = "administrator")]
    auditor: Option<Person>,
    /// How to write it
    #[arg(long, value_enum, default_value = "table")]
    format: LoadFormat,
}

/// How a report is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum LoadFormat {
    /// For people
    Table,
    /// For programs
    Json,
}

pub(crate) fn run(args: &Load, out: &mut impl Write) -> anyhow::Result<Answer> {
    let sign_ins = sign_ins(args)?;
    let until = args.bets.map_or(Until::Seconds(args.seconds), Until::Bets);
    let options = Options {
        url: args.url.clone(),
        terminals: args.terminals,
        tables: args.tables,
        until,
        rate: args.rate,
        betting_seconds: args.betting_seconds,
        sign_ins,
    };
    let ready = bar("terminals", args.terminals.into());
    let betting = match until {
        Until::Seconds(seconds) => bar("betting, seconds", seconds),
        Until::Bets(bets) => bar("bets", bets),
    };
    let report = generate(&options, &|progress| match progress {
        Progress::Ready(count) => ready.set_position(count),
        Progress::Registered(bets, time) => match until {
            Until::Seconds(_) => betting.set_position(time.as_secs()),
            Until::Bets(_) => betting.set_position(bets),
        },
        Progress::ReadBack(_) => betting.finish_and_clear(),
    });
    ready.finish_and_clear();
    betting.finish_and_clear();
    let report = report.map_err(|error| problem(error, options.sign_ins.is_some()))?;
    match args.format {
        LoadFormat::Json => write_json(&report, out)?,
        LoadFormat::Table => write_table(&report, out)?,
    }
    out.flush()?;
    if report.agrees() {
        return Ok(Answer::Yes);
    }
    let words =
        format!("{} differences between the record and what was acknowledged", report.reconciled.differences);
    say("error", AnsiColor::Red, &words);
    Ok(Answer::No)
}

/// Who signs in: as named, or as the demonstration says.
fn sign_ins(args: &Load) -> Result<Option<SignIns>, Problem> {
    let named = |person: &Option<Person>, role: &str| -> Result<SignIn, Problem> {
        let person = person.clone().expect("all three are named, or none");
        let variable = format!("PUNTO_PASSWORD_{role}");
        let password = std::env::var(&variable).map_err(|_| {
            Problem::new(format!("the password of `{person}` is not there")).hint(format!("set {variable}"))
        })?;
        Ok(SignIn { person, password })
    };
    if args.administrator.is_none() {
        return Ok(None);
    }
    Ok(Some(SignIns {
        administrator: named(&args.administrator, "ADMINISTRATOR")?,
        cashier: named(&args.cashier, "CASHIER")?,
        auditor: named(&args.auditor, "AUDITOR")?,
    }))
}

fn problem(error: Error, is_named: bool) -> Problem {
    if error.is_not_found() && !is_named {
        return Problem::new("the server is no demonstration and tells no sign-ins")
            .hint("--administrator PERSON --cashier PERSON --auditor PERSON");
    }
    let problem = Problem::new(error.to_string());
    match error {
        Error::Unreachable(_) | Error::Gone => problem.hint("`punto serve --demo` starts a server"),
        Error::Address(_)
        | Error::Tls(_)
        | Error::Refused { .. }
        | Error::Unreadable(_)
        | Error::Goodbye(_) => problem,
    }
}

fn write_table(report: &Report, out: &mut impl Write) -> anyhow::Result<()> {
    let mut rows = Rows::aligned(vec!["figure", "value"], vec![false, true]);
    let mut row = |figure: &str, value: String| rows.push([figure.to_owned(), value]);
    row("tables", report.tables.len().to_string());
    row("terminals", report.terminals.to_string());
    row("seconds", format!("{:.1}", report.seconds));
    row("seconds with bets open", format!("{:.1}", report.open_seconds));
    row("bets registered", report.registered.to_string());
    row("bets registered a second", format!("{:.0}", report.per_second));
    for (reason, count) in &report.refused {
        row(&format!("refused: {reason}"), count.to_string());
    }
    row("busy", report.busy.to_string());
    row("not known at once", report.unknown.to_string());
    row("connected again", report.reconnected.to_string());
    row("entries read back", report.reconciled.entries.to_string());
    row("wagers reconciled", report.reconciled.wagers.to_string());
    row("staked on them, minor units", report.reconciled.staked.to_string());
    row("unanswered", report.reconciled.unanswered.to_string());
    row("differences", report.reconciled.differences.to_string());
    rows.write(Format::Table, out)?;
    writeln!(out)?;
    let columns = vec!["milliseconds", "count", "p50", "p90", "p99", "p99.9", "max"];
    let mut rows = Rows::aligned(columns, vec![false, true, true, true, true, true, true]);
    for (what, latency) in [("acknowledgement", report.acknowledgement), ("feed", report.feed)] {
        let Latency { count, p50, p90, p99, p999, max } = latency;
        let [p50, p90, p99, p999, max] = [p50, p90, p99, p999, max].map(milliseconds);
        rows.push([what.to_owned(), count.to_string(), p50, p90, p99, p999, max]);
    }
    rows.write(Format::Table, out)?;
    for difference in &report.reconciled.listed {
        writeln!(out, "{}", serde_json::to_string(difference)?)?;
    }
    Ok(())
}

fn milliseconds(microseconds: u64) -> String {
    format!("{:.2}", Duration::from_micros(microseconds).as_secs_f64() * 1_000.0)
}
