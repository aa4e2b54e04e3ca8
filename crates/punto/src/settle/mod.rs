//! `punto settle`: Rounds with their wagers, a line each, settled in a stream.
//!
//! A bad line is answered in its place and the rest go on. Nothing is kept from line to line but the terms in force,
//! so that memory stays flat however long the stream.

mod input;
mod output;
mod round;
mod terms_cache;

use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Read, Write};

use anstyle::AnsiColor;
use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};

use crate::answer::{Answer, say};
use crate::cli::{Settle, SettleFormat};
use round::{LineError, settle_line};
use terms_cache::TermsCache;

/// The longest line that is read.
const MOST_BYTES: u64 = 1 << 20;

pub(crate) fn run(args: &Settle, out: &mut impl Write) -> anyhow::Result<Answer> {
    let (reader, size): (Box<dyn Read>, u64) = match &args.file {
        Some(path) => {
            let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
            let size = file.metadata()?.len();
            (Box::new(file), size)
        }
        None => (Box::new(io::stdin().lock()), 0),
    };
    // A bar where somebody is watching and the settlements go elsewhere.
    let bar = if size > 0 && io::stderr().is_terminal() && !io::stdout().is_terminal() {
        let style = ProgressStyle::with_template("settling {wide_bar} {percent}% {eta} left")?;
        ProgressBar::new(size).with_style(style)
    } else {
        ProgressBar::hidden()
    };
    let mut reader = BufReader::with_capacity(1 << 16, bar.wrap_read(reader));
    let tally = match args.format {
        SettleFormat::Json => ndjson(&mut reader, out)?,
        SettleFormat::Table => stream(&mut reader, out, output::table, output::table_error)?,
    };
    bar.finish_and_clear();
    if tally.bad == 0 {
        return Ok(Answer::Yes);
    }
    out.flush()?;
    let text = format!(
        "{} of {} lines could not be settled; each has its error in the output",
        tally.bad, tally.lines
    );
    say("bad input", AnsiColor::Red, &text);
    Ok(Answer::No)
}

/// How many lines there were, and how many of them were bad.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Tally {
    pub lines: u64,
    pub bad: u64,
}

/// Settles every line of `reader` as NDJSON on `out`.
pub fn ndjson(reader: &mut impl BufRead, out: &mut impl Write) -> anyhow::Result<Tally> {
    let mut scratch = Vec::new();
    stream(reader, out, |settled, out| output::json(settled, &mut scratch, out), output::json_error)
}

fn stream<W: Write>(
    reader: &mut impl BufRead,
    out: &mut W,
    mut write: impl FnMut(&round::Settled<'_>, &mut W) -> anyhow::Result<()>,
    write_error: impl Fn(&str, u64, &mut W) -> anyhow::Result<()>,
) -> anyhow::Result<Tally> {
    let mut cache = TermsCache::default();
    let mut tally = Tally::default();
    let mut line_no = 0u64;
    let mut line = Vec::new();
    loop {
        line.clear();
        if (&mut *reader).take(MOST_BYTES).read_until(b'\n', &mut line)? == 0 {
            return Ok(tally);
        }
        line_no += 1;
        let too_long = line.len() as u64 == MOST_BYTES && !line.ends_with(b"\n");
        if too_long {
            skip_line(reader)?;
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        tally.lines += 1;
        let settled = if too_long {
            Err(LineError::Bad(format!("a line has at most {MOST_BYTES} bytes")))
        } else {
            settle_line(line.trim_ascii(), &mut cache, |settled| write(settled, out))
        };
        match settled {
            Ok(()) => {}
            Err(LineError::Bad(error)) => {
                tally.bad += 1;
                write_error(&error, line_no, out)?;
            }
            Err(LineError::Write(error)) => return Err(error),
        }
    }
}

fn skip_line(reader: &mut impl BufRead) -> io::Result<()> {
    let mut rest = Vec::new();
    loop {
        rest.clear();
        let read = (&mut *reader).take(MOST_BYTES).read_until(b'\n', &mut rest)?;
        if read == 0 || rest.ends_with(b"\n") {
            return Ok(());
        }
    }
}
