//! `punto export`: the record itself, or rows with stable columns.

use std::cell::Cell;
use std::io::Write;
use std::ops::ControlFlow;

use punto_ledger::{Reader, write_export};
use punto_record::{Deed, Entry, HouseEntry, Seq, Volume};
use punto_reports::{Exporter, Row, RowKind};
use serde::Serialize;

use super::cli::{Export, ExportFormat, RECORD};
use super::{bar, problem, reader};
use crate::answer::{Answer, Problem};
use crate::output::csv_cell;

pub(crate) fn run(args: &Export, out: &mut impl Write) -> anyhow::Result<Answer> {
    let mut reader = reader(&args.ledger)?;
    let bar = bar("exporting", reader.size().map_err(|error| problem(&error))?);
    let progress = &mut |leaf| bar.set_position(leaf);
    let result = match RowKind::ALL.iter().find(|kind| kind.id() == args.what) {
        Some(kind) => rows(args, *kind, &mut reader, out, progress),
        None => {
            assert_eq!(args.what, RECORD, "the command line knows what can be exported");
            record(args, &mut reader, out, progress)
        }
    };
    bar.finish_and_clear();
    result.map(|()| Answer::Yes)
}

fn record(
    args: &Export,
    reader: &mut Reader<'_>,
    out: &mut impl Write,
    progress: &mut dyn FnMut(u64),
) -> anyhow::Result<()> {
    if args.format == ExportFormat::Csv || args.table.is_some() {
        return Err(Problem::new("the record is exported whole and as NDJSON")
            .hint("--what settlements, for example, has rows of one table, also as CSV")
            .into());
    }
    write_export(reader, None, out, progress).map_err(|error| problem(&error).into())
}

fn rows(
    args: &Export,
    kind: RowKind,
    reader: &mut Reader<'_>,
    out: &mut impl Write,
    progress: &mut dyn FnMut(u64),
) -> anyhow::Result<()> {
    if args.format == ExportFormat::Csv {
        let names: Vec<&str> = kind.columns().iter().map(|(name, _)| *name).chain(["ledger"]).collect();
        writeln!(out, "{}", names.join(","))?;
    }
    let mut exporter = Exporter::default();
    let mut fault: Option<anyhow::Error> = None;
    // INTERPRETATION 33: every row says what the ledger is for.
    let ledger = Cell::new("unknown");
    let wanted = args.table.clone().map(Volume::Table);
    let mut write = |row: Row, fault: &mut Option<anyhow::Error>| {
        if row.kind() == kind && fault.is_none() {
            *fault = write_row(args.format, &row, ledger.get(), out).err();
        }
    };
    let read = reader.entries(0, &mut |stored| {
        progress(stored.leaf);
        if let (Volume::House, Seq(1)) = (stored.volume, stored.seq)
            && let Ok(HouseEntry { deed: Deed::LedgerFounded { kind, .. }, .. }) =
                serde_json::from_slice(stored.bytes)
        {
            ledger.set(kind.id());
        }
        if wanted.as_ref().is_some_and(|wanted| wanted != stored.volume) {
            return ControlFlow::Continue(());
        }
        let taken = match stored.volume {
            Volume::House => serde_json::from_slice::<HouseEntry>(stored.bytes)
                .map(|entry| exporter.rows_of_deed(&entry, &mut |row| write(row, &mut fault))),
            Volume::Table(table) => serde_json::from_slice::<Entry>(stored.bytes)
                .map(|entry| exporter.rows_of(table, &entry, &mut |row| write(row, &mut fault))),
        };
        if let Err(error) = taken {
            let words = format!("entry {} of {}: {error}", stored.seq, stored.volume);
            fault = Some(Problem::new(words).hint("`punto audit` says what is wrong").into());
        }
        if fault.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    read.map_err(|error| problem(&error))?;
    exporter.finish(&mut |row| write(row, &mut fault));
    fault.map_or(Ok(()), Err)
}

/// A row with what the ledger is for.
#[derive(Serialize)]
struct Told<'a> {
    #[serde(flatten)]
    row: &'a Row,
    ledger: &'static str,
}

fn write_row(
    format: ExportFormat,
    row: &Row,
    ledger: &'static str,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    match format {
        ExportFormat::Ndjson => serde_json::to_writer(&mut *out, &Told { row, ledger })?,
        ExportFormat::Csv => {
            let cells = row.cells();
            let cells = cells.iter().map(String::as_str).chain([ledger]);
            let cells: Vec<String> = cells.map(csv_cell).collect();
            out.write_all(cells.join(",").as_bytes())?;
        }
    }
    Ok(out.write_all(b"\n")?)
}
