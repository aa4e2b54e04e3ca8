//! `punto ledger consistency` and `check-consistency`: the proof that one checkpoint goes on from another, and its check.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::Context as _;
use punto_audit::{Consistent, check_consistency};
use punto_ledger::{KeptCheckpoint, Reader};
use punto_record::{ConsistencyProof, NoConsistency, PublicKey, SignedCheckpoint};
use serde::Serialize;

use super::cli::{CheckConsistency, Consistency};
use super::receipt::read_checkpoint;
use super::{bar, problem, reader};
use crate::answer::{Answer, Problem, say};
use crate::cli::Format;
use crate::output::write_json;

pub(crate) fn make(args: &Consistency, out: &mut impl Write) -> anyhow::Result<Answer> {
    let mut reader = reader(&args.ledger)?;
    let from = checkpoint(&mut reader, Some(&args.from))?;
    let to = checkpoint(&mut reader, args.to.as_deref())?;
    let bar = bar("reading", reader.size().map_err(|error| problem(&error))?);
    let tree = reader.tree(&mut |leaf| bar.set_position(leaf));
    bar.finish_and_clear();
    let tree = tree.map_err(|error| problem(&error))?;
    match ConsistencyProof::make(&tree, &from, &to) {
        Ok(proof) => {
            serde_json::to_writer(&mut *out, &proof)?;
            writeln!(out)?;
            Ok(Answer::Yes)
        }
        Err(error @ (NoConsistency::Fork(_) | NoConsistency::Missing(_))) => {
            say("no proof", anstyle::AnsiColor::Red, &error.to_string());
            Ok(Answer::No)
        }
        Err(error @ NoConsistency::Archived) => {
            let hint = "restore the ledger from a backup that was made before, and make the proof there";
            Err(Problem::new(error.to_string()).hint(hint).into())
        }
        Err(error @ (NoConsistency::OtherLedger | NoConsistency::Backwards)) => {
            Err(Problem::new(error.to_string()).into())
        }
    }
}

/// A checkpoint by its size, from a file, or the last one.
fn checkpoint(reader: &mut Reader<'_>, which: Option<&str>) -> anyhow::Result<SignedCheckpoint> {
    let kept = match which {
        None => reader.last_checkpoint().map_err(|error| problem(&error))?.ok_or_else(|| {
            Problem::new("the ledger keeps no checkpoint").hint("`punto ledger checkpoint` signs one")
        })?,
        Some(text) => {
            let Ok(size) = text.parse::<u64>() else { return read_checkpoint(Path::new(text)) };
            let mut found = None;
            let mut look = |kept: KeptCheckpoint| {
                if kept.size == size {
                    found = Some(kept);
                }
            };
            reader.checkpoints(&mut look).map_err(|error| problem(&error))?;
            found.ok_or_else(|| {
                Problem::new(format!("the ledger keeps no checkpoint over {size} entries"))
                    .hint("a checkpoint that was kept elsewhere can be given as a file")
            })?
        }
    };
    Ok(kept.read().map_err(|error| problem(&error))?.0)
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Checked {
    consistent: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    ledger: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

pub(crate) fn check(args: &CheckConsistency, out: &mut impl Write) -> anyhow::Result<Answer> {
    let cannot = || format!("cannot read {}", args.proof.display());
    let text = fs::read_to_string(&args.proof).with_context(cannot)?;
    let proof: ConsistencyProof = serde_json::from_str(&text)
        .map_err(|error| Problem::new(format!("{}: {error}", args.proof.display())))?;
    let keys: Vec<PublicKey> = args.key.iter().copied().map(PublicKey).collect();
    let checked = match is_about(args, &proof)? {
        Some(which) => Err(format!("the proof is about another {which} checkpoint than the one handed in")),
        None => check_consistency(&proof, &keys).map_err(|error| error.to_string()),
    };
    let answer = if checked.is_ok() { Answer::Yes } else { Answer::No };
    match args.format {
        Format::Json => {
            let checked = match checked {
                Ok(Consistent { ledger, from, to }) => Checked {
                    consistent: true,
                    ledger: Some(ledger.to_string()),
                    from: Some(from),
                    to: Some(to),
                    why: None,
                },
                Err(why) => Checked { consistent: false, ledger: None, from: None, to: None, why: Some(why) },
            };
            write_json(&checked, out)?;
        }
        Format::Table | Format::Csv | Format::Markdown => match checked {
            Ok(Consistent { ledger, from, to }) => {
                writeln!(
                    out,
                    "ledger {ledger}: the checkpoint over {to} entries goes on from that over {from}"
                )?;
            }
            Err(why) => writeln!(out, "not proven: {why}")?,
        },
    }
    Ok(answer)
}

/// Which of the checkpoints that were handed in is another than that of the proof.
fn is_about(args: &CheckConsistency, proof: &ConsistencyProof) -> anyhow::Result<Option<&'static str>> {
    for (which, kept, told) in [("earlier", &args.from, &proof.from), ("later", &args.to, &proof.to)] {
        if let Some(path) = kept
            && read_checkpoint(path)?.to_string() != **told
        {
            return Ok(Some(which));
        }
    }
    Ok(None)
}
