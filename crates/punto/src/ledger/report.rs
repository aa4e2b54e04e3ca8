//! `punto report`: sheets of a day, a table, a whole ledger.

use std::io::Write;
use std::ops::ControlFlow;

use anstyle::Style;
use punto_reports::{
    Asked, Cell, Column, ColumnKind, Filter, GamingDay, Report, Reporter, Sheet, html, html_of,
};
use punto_rules::Money;
use punto_rules::text::Shown;

use super::cli::{self, ReportFormat};
use super::{bar, instant, now, problem, reader};
use crate::answer::{Answer, Problem};
use crate::cli::Format;
use crate::output::{Rows, write_json};

pub(crate) fn run(args: &cli::Report, out: &mut impl Write) -> anyhow::Result<Answer> {
    let asked = asked(args)?;
    let report = read(args, asked)?;
    let sheets = match args.sheet.as_deref() {
        None => report.sheets(),
        Some("help") => {
            for sheet in report.sheets() {
                writeln!(out, "{:24} {}", sheet.id, sheet.title)?;
            }
            return Ok(Answer::Yes);
        }
        Some(id) => vec![report.sheet(id).ok_or_else(|| {
            Problem::new(format!("there is no sheet `{id}`")).hint("`--sheet help` lists them")
        })?],
    };
    match args.format {
        ReportFormat::Html if args.sheet.is_some() => {
            out.write_all(html_of(sheets[0].title, &report.about(), &sheets).as_bytes())?
        }
        ReportFormat::Html => out.write_all(html(&report).as_bytes())?,
        ReportFormat::Json if args.sheet.is_some() => write_json(&sheets, out)?,
        ReportFormat::Json => write_json(&report, out)?,
        ReportFormat::Csv => match sheets.as_slice() {
            [sheet] => rows(sheet, Cell::plain, |column| column.id).write(Format::Csv, out)?,
            _ => return Err(Problem::new("CSV holds one sheet").hint("--sheet, or `--sheet help`").into()),
        },
        ReportFormat::Table => tell(&report, &sheets, out)?,
    }
    Ok(Answer::Yes)
}

fn asked(args: &cli::Report) -> Result<Asked, Problem> {
    let time = |text: &Option<String>| text.as_deref().map(instant).transpose();
    let day = args.day.as_deref().map(|text| {
        let wrong = || Problem::new(format!("`{text}` is no day")).hint("for example 2026-11-14");
        GamingDay::parse(text).map_err(|_| wrong())
    });
    Ok(Asked {
        filter: Filter {
            from: time(&args.from)?,
            until: time(&args.until)?,
            table: args.table.clone(),
            day: day.transpose()?,
        },
        at: time(&args.at)?.unwrap_or_else(now),
        large_win: args
            .large_win
            .map(|amount| {
                Money::new(amount).ok_or_else(|| Problem::new("the amount is more than money can be"))
            })
            .transpose()?,
        significant: Vec::new(),
    })
}

fn read(args: &cli::Report, asked: Asked) -> anyhow::Result<Report> {
    let mut reporter = Reporter::new(asked);
    let mut leaf = 0;
    for source in &args.sources {
        let mut reader = reader(source)?;
        let bar = bar("reading", reader.size().map_err(|error| problem(&error))?);
        let mut fault = None;
        let read = reader.entries(leaf, &mut |stored| {
            leaf = stored.leaf;
            bar.set_position(leaf);
            match reporter.take(stored.volume, stored.bytes) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    let words = format!("entry {} of {}: {error}", stored.seq, stored.volume);
                    fault = Some(Problem::new(words).hint("`punto audit` says what is wrong"));
                    ControlFlow::Break(())
                }
            }
        });
        bar.finish_and_clear();
        read.map_err(|error| problem(&error))?;
        if let Some(fault) = fault {
            return Err(fault.into());
        }
    }
    Ok(reporter.finish())
}

fn rows(sheet: &Sheet, cell: impl Fn(&Cell) -> String, heading: impl Fn(&Column) -> &'static str) -> Rows {
    let headings = sheet.columns.iter().map(&heading).collect();
    let right = sheet.columns.iter().map(|column| column.kind != ColumnKind::Text).collect();
    let mut rows = Rows::aligned(headings, right);
    for row in &sheet.rows {
        rows.push_all(row.iter().map(&cell).collect());
    }
    rows
}

fn tell(report: &Report, sheets: &[Sheet], out: &mut impl Write) -> anyhow::Result<()> {
    let colour = anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never;
    let style = |style: Style| if colour { style } else { Style::new() };
    let (bold, faint) = (style(Style::new().bold()), style(Style::new().dimmed()));
    writeln!(out, "{}", Shown(&report.about()))?;
    for sheet in sheets {
        writeln!(out, "\n{bold}{}{bold:#}", sheet.title)?;
        match sheet.rows.is_empty() {
            true => writeln!(out, "nothing")?,
            false => rows(sheet, Cell::shown, |column| column.heading).write(Format::Table, out)?,
        }
        for note in &sheet.notes {
            writeln!(out, "{faint}{}{faint:#}", Shown(note))?;
        }
    }
    Ok(())
}
