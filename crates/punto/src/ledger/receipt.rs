//! `punto receipt`: the proof that an entry is in the ledger, and its check.

use std::fs;
use std::io::Write;
use std::ops::ControlFlow;

use anstyle::AnsiColor;
use anyhow::Context as _;
use punto_ledger::Stored;
use punto_record::{
    Chain, Digest, Entry, Event, PatronReceipt, Proof, PublicKey, Seq, SignedCheckpoint, Volume, merkle,
};
use punto_rules::PatronNo;
use serde_json::value::RawValue;

use super::cli::{ReceiptCheck, ReceiptMake};
use super::{bar, problem, reader};
use crate::answer::{Answer, Problem, say};

pub(crate) fn make(args: &ReceiptMake, out: &mut impl Write) -> anyhow::Result<Answer> {
    let mut reader = reader(&args.ledger)?;
    if reader.archived().map_err(|error| problem(&error))?.is_some() {
        return Err(Problem::new("early entries of this ledger are archived: a proof needs the whole tree")
            .hint("restore the ledger from a backup that was made before, and make the receipt there")
            .into());
    }
    let checkpoint = match &args.checkpoint {
        Some(path) => read_checkpoint(path)?,
        None => {
            let mut last = None;
            let read = reader.checkpoints(&mut |kept| last = Some(kept));
            read.map_err(|error| problem(&error))?;
            let last = last.ok_or_else(|| {
                Problem::new("the ledger keeps no checkpoint").hint("`punto ledger checkpoint` signs one")
            })?;
            last.read().map_err(|error| problem(&error))?.0
        }
    };
    let size = checkpoint.checkpoint.size;
    let volume = Volume::Table(args.table.clone());
    let bar = bar("reading", size);
    let (mut leaves, mut wanted, mut ledger) = (Vec::new(), Vec::new(), None);
    let mut before = Chain::START;
    let read = reader.entries(0, &mut |stored| {
        if stored.leaf > size {
            return ControlFlow::Break(());
        }
        bar.set_position(stored.leaf);
        leaves.push(stored.leaf_hash());
        if *stored.volume == Volume::House && stored.seq == Seq(1) {
            ledger = Some(stored.link);
        }
        if *stored.volume == volume {
            if is_wanted(args, &stored) {
                wanted.push((stored.leaf, stored.seq, before.link, stored.bytes.to_vec()));
            }
            before = stored.chain();
        }
        ControlFlow::Continue(())
    });
    bar.finish_and_clear();
    read.map_err(|error| problem(&error))?;
    let ledger = ledger.context("nobody founded this ledger")?;
    if leaves.len() as u64 != size || merkle::root(&leaves) != checkpoint.checkpoint.root {
        return Err(Problem::new("the entries are not those that the checkpoint was signed over")
            .hint("`punto audit` says what is wrong")
            .into());
    }
    for (leaf, seq, before, bytes) in &wanted {
        let path = merkle::inclusion(&leaves, leaf - 1);
        let (leaf, seq, before, volume) = (*leaf, *seq, *before, volume.clone());
        let entry: Box<RawValue> = serde_json::from_slice(bytes).context("an entry that is not JSON")?;
        serde_json::to_writer(&mut *out, &Proof { ledger, volume, seq, before, entry, leaf, size, path })?;
        writeln!(out)?;
    }
    if wanted.is_empty() {
        say(
            "note",
            AnsiColor::Yellow,
            &format!("there is nothing like that at {} up to the checkpoint", args.table),
        );
        return Ok(Answer::No);
    }
    Ok(Answer::Yes)
}

fn is_wanted(args: &ReceiptMake, stored: &Stored<'_>) -> bool {
    if let Some(seq) = args.entry {
        return stored.seq == Seq(seq);
    }
    let Ok(entry) = serde_json::from_slice::<Entry>(stored.bytes) else { return false };
    let is_theirs = |event: &Event| {
        matches!(
            event,
            Event::WagerRegistered { patron, .. } | Event::ChipsRecorded { patron, .. }
                if Some(*patron) == args.patron.map(PatronNo)
        )
    };
    entry.order.round.map(|round| round.0) == args.round && entry.events.iter().any(is_theirs)
}

pub(crate) fn check(args: &ReceiptCheck, out: &mut impl Write) -> anyhow::Result<Answer> {
    let key: Digest = args.key.parse().map_err(|_| Problem::new("a public key has 64 hexadecimal digits"))?;
    let cannot = || format!("cannot read {}", args.receipts.display());
    let text = fs::read_to_string(&args.receipts).with_context(cannot)?;
    let (proofs, own) = match PatronReceipt::is_titled(&text) {
        true => {
            let receipt: PatronReceipt = text.parse().map_err(|error| Problem::new(format!("{error}")))?;
            (receipt.proofs, Some(receipt.signed))
        }
        false => (lines(&text)?, None),
    };
    let kept = args.checkpoint.as_deref().map(read_checkpoint).transpose()?;
    let checkpoint = kept.or(own).ok_or_else(|| {
        Problem::new("these receipts bring no checkpoint")
            .hint("name the file that it is in by `--checkpoint`")
    })?;
    let mut answer = Answer::Yes;
    let receipts = proofs.len();
    for proof in proofs {
        match proof.check(&checkpoint, PublicKey(key)) {
            Ok(()) => writeln!(out, "{} entry {}: in the ledger", proof.volume, proof.seq)?,
            Err(error) => {
                writeln!(out, "{} entry {}: not proven: {error}", proof.volume, proof.seq)?;
                answer = Answer::No;
            }
        }
    }
    match receipts {
        0 => Err(Problem::new("there is no receipt in the file").into()),
        _ => Ok(answer),
    }
}

/// Receipts as `make` writes them, one a line.
fn lines(text: &str) -> anyhow::Result<Vec<Proof>> {
    let read = |(number, line): (usize, &str)| {
        serde_json::from_str(line).map_err(|error| Problem::new(format!("line {number}: {error}")).into())
    };
    (1..).zip(text.lines()).map(read).collect()
}

/// A checkpoint from a file.
pub(super) fn read_checkpoint(path: &std::path::Path) -> anyhow::Result<SignedCheckpoint> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    text.parse().map_err(|error| Problem::new(format!("{}: {error}", path.display())).into())
}
