//! A ledger as text: one JSON object a line, the bytes of every entry exactly as they were hashed.
//!
//! ```text
//! {"punto":"export","format":1,"size":17,"volumes":["house","table/T1"]}
//! {"entry":{"leaf":1,"volume":"house","seq":1,"link":"5f0c…","bytes":{…the entry itself…}}}
//! {"checkpoint":{"size":17,"at":1700000000000,"text":"punto checkpoint 1\n…","tree":"…"}}
//! {"commit":{"size":18,"text":"punto commit 1\n…"}}
//! {"ticket":{"no":"T1/17","amount":500,"issued":…,"expires":…,"state":"good"}}
//! {"register":{"kind":"password","id":"d-1","row":{"deed":17,"fact":{…},"credential":"91ab…"}}}
//! ```

use std::borrow::Cow;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Write};
use std::ops::ControlFlow;
use std::path::Path;

use punto_record::merkle::Frontier;
use punto_record::{
    ArchivedHead, Currency, Digest, RegisterLine, RegisterRow, Seq, Ticket, TicketNo, TicketTag, Timestamp,
    Volume,
};
use punto_rules::Money;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::Error;
use crate::author::Signed;
use crate::part;
use crate::reader::Reader;
use crate::stored::{Archived, Each, KeptCheckpoint, Stored};

/// The first line.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Header {
    punto: String,
    format: u32,
    /// Entries in the tree, those included that were archived before.
    pub(crate) size: u64,
    pub(crate) volumes: Vec<Volume>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    archived: Option<ArchivedLine>,
    /// The entries after these, checkpoints and tickets are not here: an archive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) until: Option<u64>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ArchivedLine {
    tree: Frontier,
    heads: Vec<ArchivedHead>,
}

impl Header {
    pub(crate) fn archived(&self) -> Option<Archived> {
        let ArchivedLine { tree, heads } = self.archived.clone()?;
        Some(Archived { tree, heads })
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum Line<'a> {
    #[serde(borrow)]
    Entry(EntryLine<'a>),
    Checkpoint(CheckpointLine),
    Commit(CommitLine),
    Ticket(TicketLine),
    Register(RegisterLineText),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EntryLine<'a> {
    leaf: u64,
    #[serde(borrow)]
    volume: Cow<'a, str>,
    seq: Seq,
    link: Digest,
    #[serde(borrow)]
    bytes: &'a RawValue,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CheckpointLine {
    size: u64,
    at: Timestamp,
    text: String,
    tree: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CommitLine {
    size: u64,
    text: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TicketLine {
    no: TicketNo,
    amount: Money,
    issued: Timestamp,
    expires: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tag: Option<TicketTag>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    currency: Option<Currency>,
    state: String,
}

/// A row of the register, with the digest of its credential and not with the credential.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RegisterLineText {
    kind: String,
    id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    row: Option<RegisterRow>,
}

/// Writes everything that a ledger holds; `until` a leaf, only the entries up to it. Tells how far it is.
///
/// # Errors
/// If it cannot be read or written.
pub fn write_export(
    reader: &mut Reader<'_>,
    until: Option<u64>,
    out: &mut dyn Write,
    progress: &mut dyn FnMut(u64),
) -> Result<(), Error> {
    let archived = reader.archived()?.map(|Archived { tree, heads }| ArchivedLine { tree, heads });
    let size = until.unwrap_or(reader.size()?);
    let volumes = reader.volumes()?;
    let header = Header { punto: "export".to_owned(), format: 1, size, volumes, archived, until };
    line(out, &header)?;
    let mut fault = None;
    reader.entries(0, &mut |stored| {
        if stored.leaf > size {
            return ControlFlow::Break(());
        }
        match write_entry(out, &stored) {
            Ok(()) => {
                progress(stored.leaf);
                ControlFlow::Continue(())
            }
            Err(error) => {
                fault = Some(error);
                ControlFlow::Break(())
            }
        }
    })?;
    if let Some(error) = fault {
        return Err(error);
    }
    if until.is_none() {
        let mut result = Ok(());
        reader.checkpoints(&mut |KeptCheckpoint { size, at, text, tree }| {
            if result.is_ok() {
                result = line(out, &Line::Checkpoint(CheckpointLine { size, at, text, tree }));
            }
        })?;
        reader.each_signed(&mut |Signed { size, text }| {
            if result.is_ok() {
                result = line(out, &Line::Commit(CommitLine { size, text }));
            }
        })?;
        reader.tickets(&mut |Ticket { no, amount, currency, issued, expires, tag, state }| {
            if result.is_ok() {
                let state = part::word(state).to_owned();
                let ticket = TicketLine { no, amount, issued, expires, tag, currency, state };
                result = line(out, &Line::Ticket(ticket));
            }
        })?;
        result?;
        for RegisterLine { kind, id, row } in reader.register()? {
            let (kind, id) = (kind.as_ref().to_owned(), id.as_ref().to_owned());
            line(out, &Line::Register(RegisterLineText { kind, id, row }))?;
        }
    }
    out.flush().map_err(Error::failed)
}

fn write_entry(out: &mut dyn Write, stored: &Stored<'_>) -> Result<(), Error> {
    let damaged = || Error::damaged(format!("entry {} of {} is not JSON", stored.seq, stored.volume));
    let text = std::str::from_utf8(stored.bytes).map_err(|_| damaged())?;
    let bytes: &RawValue = serde_json::from_str(text).map_err(|_| damaged())?;
    // Bytes that an export could not give back exactly are not an entry that was ever sealed.
    if bytes.get() != text || text.contains(['\n', '\r']) {
        return Err(damaged());
    }
    let volume = stored.volume.to_string().into();
    let Stored { leaf, seq, link, .. } = *stored;
    line(out, &Line::Entry(EntryLine { leaf, volume, seq, link, bytes }))
}

fn line(out: &mut dyn Write, value: &impl Serialize) -> Result<(), Error> {
    serde_json::to_writer(&mut *out, value).map_err(Error::failed)?;
    out.write_all(b"\n").map_err(Error::failed)
}

/// Whether a file looks like an export.
pub(crate) fn is_export(path: &Path) -> bool {
    let mut start = [0; 8];
    let read = File::open(path).and_then(|mut file| std::io::Read::read_exact(&mut file, &mut start));
    read.is_ok() && start == *br#"{"punto""#
}

/// The first line of an export.
pub(crate) fn header(path: &Path) -> Result<Header, Error> {
    let mut text = String::new();
    open(path)?.read_line(&mut text).map_err(Error::failed)?;
    let header: Header = serde_json::from_str(&text).map_err(|error| bad_line(1, &error))?;
    let whole = header.archived.as_ref().is_none_or(|archived| archived.tree.is_whole());
    match (header.punto.as_str(), header.format, whole) {
        ("export", 1, true) => Ok(header),
        _ => Err(Error::unsuitable("this is not an export that this release can read")),
    }
}

fn open(path: &Path) -> Result<BufReader<File>, Error> {
    let file = File::open(path)
        .map_err(|error| Error::unsuitable(format!("{} cannot be read: {error}", path.display())))?;
    Ok(BufReader::with_capacity(1 << 20, file))
}

fn bad_line(number: u64, error: &dyn std::fmt::Display) -> Error {
    Error::damaged(format!("line {number} of the export: {error}"))
}

type EachLine<'a> = &'a mut dyn FnMut(u64, Line<'_>) -> Result<ControlFlow<()>, Error>;

fn lines(path: &Path, each: EachLine<'_>) -> Result<(), Error> {
    let mut file = open(path)?;
    let mut text = Vec::new();
    for number in 1.. {
        text.clear();
        if file.read_until(b'\n', &mut text).map_err(Error::failed)? == 0 {
            break;
        }
        if number == 1 {
            continue;
        }
        let read: Line<'_> = serde_json::from_slice(&text).map_err(|error| bad_line(number, &error))?;
        if each(number, read)?.is_break() {
            break;
        }
    }
    Ok(())
}

/// The entries of an export after a leaf.
pub(crate) fn entries(path: &Path, after: u64, each: Each<'_>) -> Result<(), Error> {
    let mut volumes: Vec<Volume> = Vec::new();
    lines(path, &mut |number, read| {
        let entry = match read {
            Line::Entry(entry) => entry,
            Line::Checkpoint(_) | Line::Commit(_) | Line::Ticket(_) | Line::Register(_) => {
                return Ok(ControlFlow::Break(()));
            }
        };
        let EntryLine { leaf, volume, seq, link, bytes } = entry;
        if leaf <= after {
            return Ok(ControlFlow::Continue(()));
        }
        let named: Volume = volume.parse().map_err(|error| bad_line(number, &error))?;
        let at = volumes.iter().position(|it| *it == named).unwrap_or_else(|| {
            volumes.push(named);
            volumes.len() - 1
        });
        Ok(each(Stored { leaf, volume: &volumes[at], seq, bytes: bytes.get().as_bytes(), link }))
    })
}

/// The checkpoints of an export.
pub(crate) fn checkpoints(path: &Path, each: &mut dyn FnMut(KeptCheckpoint)) -> Result<(), Error> {
    lines(path, &mut |_, read| {
        if let Line::Checkpoint(CheckpointLine { size, at, text, tree }) = read {
            each(KeptCheckpoint { size, at, text, tree });
        }
        Ok(ControlFlow::Continue(()))
    })
}

/// The signed commits of an export.
pub(crate) fn signed_commits(path: &Path, each: &mut dyn FnMut(Signed)) -> Result<(), Error> {
    lines(path, &mut |_, read| {
        if let Line::Commit(CommitLine { size, text }) = read {
            each(Signed { size, text });
        }
        Ok(ControlFlow::Continue(()))
    })
}

/// The tickets of an export.
pub(crate) fn tickets(path: &Path, each: &mut dyn FnMut(Ticket)) -> Result<(), Error> {
    lines(path, &mut |_, read| {
        if let Line::Ticket(TicketLine { no, amount, issued, expires, tag, currency, state }) = read {
            each(Ticket { no, amount, currency, issued, expires, tag, state: part::state(&state)? });
        }
        Ok(ControlFlow::Continue(()))
    })
}

/// The rows of the register in an export.
pub(crate) fn register(path: &Path) -> Result<Vec<RegisterLine>, Error> {
    let mut rows = Vec::new();
    lines(path, &mut |_, read| {
        if let Line::Register(RegisterLineText { kind, id, row }) = read {
            rows.push(RegisterLine { kind: kind.into(), id: id.into(), row });
        }
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(rows)
}
