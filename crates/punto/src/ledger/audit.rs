//! `punto audit`: everything that a ledger or an export claims, worked out again.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;

use anstyle::AnsiColor;
use punto_audit::{Audit, Auditor, Finding, Inputs};
use punto_ledger::{Error, Reader, TicketKeys};
use punto_record::{Note, SignedCommit};
use punto_server::beginning;
use serde::Serialize;

use super::cli;
use super::receipt::read_checkpoint;
use super::replays::Replays;
use super::{bar, problem, reader};
use crate::answer::{Answer, say};
use crate::cli::Format;
use crate::output::{Rows, write_json};

pub(crate) fn run(args: &cli::Audit, out: &mut impl Write) -> anyhow::Result<Answer> {
    let (mut outside, mut notes) = (Vec::new(), Vec::new());
    for path in &args.checkpoint {
        match read_note(path) {
            Some(note) => notes.push(note),
            None => outside.push(read_checkpoint(path)?),
        }
    }
    let ticket_keys = match &args.ticket_key {
        Some(path) => TicketKeys::open(path).map_err(|error| problem(&error))?,
        None => TicketKeys::default(),
    };
    let inputs =
        Inputs { outside, notes, begins: None, strict: args.strict, ticket_keys: ticket_keys.all().to_vec() };
    let (audit, faults) = work_out(&args.sources, inputs)?;
    tell(args.format, &audit, &faults, out)?;
    Ok(if audit.is_clean() && faults.is_empty() { Answer::Yes } else { Answer::No })
}

/// The note of a witness, if that is what a file holds.
fn read_note(path: &Path) -> Option<Note> {
    std::fs::read_to_string(path).ok()?.parse().ok()
}

/// Whether an audit of a ledger finds nothing; what cannot even be opened is found as well.
pub(crate) fn is_clean(ledger: &str) -> bool {
    work_out(&[ledger.to_owned()], Inputs::default())
        .is_ok_and(|(audit, faults)| audit.is_clean() && faults.is_empty())
}

fn work_out(names: &[String], inputs: Inputs) -> anyhow::Result<(Audit, Vec<Fault>)> {
    let mut sources = names.iter().map(|source| reader(source)).collect::<Result<Vec<_>, _>>()?;
    let (first, last) = (0, sources.len() - 1);
    let begins = beginning(&mut sources[first]).map_err(|error| problem(&error))?;
    let mut leaf = begins.as_ref().map_or(0, |begins| begins.frontier.size());
    let mut auditor = Auditor::new(Inputs { begins, ..inputs });
    let bar = bar("auditing", sources[last].size().map_err(|error| problem(&error))?);
    let mut faults = Vec::new();
    for (at, source) in sources.iter_mut().enumerate() {
        let read = look(source, &mut auditor, &mut leaf, &mut faults, at == last, &mut |leaf| {
            bar.set_position(leaf);
        });
        // What cannot be read is found as well; what was read before it still counts.
        if let Err(error) = read {
            faults.push(Fault { source: names[at].clone(), words: error.to_string() });
        }
    }
    bar.finish_and_clear();
    Ok((auditor.finish(), faults))
}

/// Something that is wrong with the store and not with what it holds.
#[derive(Serialize)]
struct Fault {
    source: String,
    words: String,
}

fn look(
    source: &mut Reader<'_>,
    auditor: &mut Auditor,
    leaf: &mut u64,
    faults: &mut Vec<Fault>,
    is_last: bool,
    progress: &mut dyn FnMut(u64),
) -> Result<(), Error> {
    let fault = |words: String| Fault { source: "store".to_owned(), words };
    faults.extend(source.check()?.into_iter().map(fault));
    let mut unreadable = Vec::new();
    source.checkpoints(&mut |kept| match kept.read() {
        Ok((signed, _)) => auditor.checkpoint(signed),
        Err(error) => unreadable.push(error.to_string()),
    })?;
    faults.extend(unreadable.into_iter().map(fault));
    let archived = source.archived()?.filter(|_| source.keeps_snapshots());
    let mut replays = Replays::new(source.snapshots()?, archived);
    source.entries(*leaf, &mut |stored| {
        if stored.leaf != *leaf + 1 {
            let words = format!("after entry {leaf} of the tree comes entry {}", stored.leaf);
            faults.push(fault(words));
        }
        *leaf = stored.leaf;
        progress(*leaf);
        auditor.entry(stored.volume, &stored.sealed());
        // What the auditor objects to is no state to compare a snapshot with.
        let objects = auditor.findings().last().is_some_and(|it| it.place.volume == *stored.volume);
        replays.enter(&stored, objects);
        ControlFlow::Continue(())
    })?;
    faults.extend(replays.faults.into_iter().map(fault));
    if is_last {
        let (mut commits, mut unreadable) = (Vec::new(), Vec::new());
        source.signed_commits(&mut |text| match text.parse::<SignedCommit>() {
            Ok(signed) => commits.push(signed),
            Err(error) => unreadable.push(error.to_string()),
        })?;
        faults.extend(unreadable.into_iter().map(fault));
        auditor.commits(commits);
        let mut tickets = Vec::new();
        source.tickets(&mut |ticket| tickets.push(ticket))?;
        auditor.tickets(tickets);
        auditor.register(source.register()?);
    }
    Ok(())
}

#[derive(Serialize)]
struct AuditJson<'a> {
    clean: bool,
    findings: &'a [Finding],
    faults: &'a [Fault],
    counts: punto_audit::Counts,
    unknown: &'a [String],
}

fn tell(format: Format, audit: &Audit, faults: &[Fault], out: &mut impl Write) -> anyhow::Result<()> {
    let Audit { findings, counts, unknown } = audit;
    let clean = audit.is_clean() && faults.is_empty();
    if format == Format::Json {
        return write_json(&AuditJson { clean, findings, faults, counts: *counts, unknown }, out);
    }
    if !clean {
        let mut rows = Rows::new(["Place", "Entry", "Round", "Finding", "What", "Paragraph"]);
        let text = |value: Option<String>| value.unwrap_or_default();
        for Finding { place, kind, words, cite } in findings {
            rows.push([
                place.volume.to_string(),
                text(place.seq.map(|seq| seq.to_string())),
                text(place.round.map(|round| round.to_string())),
                kind.id().to_owned(),
                words.clone(),
                text(cite.as_ref().map(ToString::to_string)),
            ]);
        }
        for Fault { source, words } in faults {
            let none = String::new;
            rows.push([source.clone(), none(), none(), "store".to_owned(), words.clone(), none()]);
        }
        rows.write(format, out)?;
    }
    if format == Format::Table {
        let found = findings.len() + faults.len();
        writeln!(
            out,
            "{}: {} entries, {} events, {} Rounds, {} settlements with {} wagers, {} voids, {} corrections, {} tickets, \
             {} checkpoints",
            match found {
                0 => "no finding".to_owned(),
                1 => "1 finding".to_owned(),
                _ => format!("{found} findings"),
            },
            counts.entries,
            counts.events,
            counts.rounds,
            counts.settlements,
            counts.lines,
            counts.voids,
            counts.corrections,
            counts.tickets,
            counts.checkpoints,
        )?;
    }
    out.flush()?;
    for words in unknown {
        say("note", AnsiColor::Yellow, words);
    }
    Ok(())
}
