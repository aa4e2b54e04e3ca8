//! `punto backup` and `punto restore`: the same copy, there and back.

use std::io::Write;

use punto_ledger::{Fingerprint, Place, copy};

use super::cli::{Backup, Restore};
use super::{bar, place, problem, reader};
use crate::answer::Answer;

pub(crate) fn backup(args: &Backup, out: &mut impl Write) -> anyhow::Result<Answer> {
    run(&args.ledger, &Place::File(args.to.clone()), out)
}

pub(crate) fn restore(args: &Restore, out: &mut impl Write) -> anyhow::Result<Answer> {
    run(&args.from.to_string_lossy(), &place(&args.ledger), out)
}

fn run(from: &str, to: &Place, out: &mut impl Write) -> anyhow::Result<Answer> {
    let mut reader = reader(from)?;
    let bar = bar("copying", reader.size().map_err(|error| problem(&error))?);
    let copied = copy(&mut reader, to, &mut |leaf| bar.set_position(leaf));
    bar.finish_and_clear();
    let Fingerprint { size, root, heads } = copied.map_err(|error| problem(&error))?;
    writeln!(out, "size {size}\nroot {root}")?;
    for (volume, chain) in heads {
        writeln!(out, "head {volume} {} {}", chain.seq, chain.link)?;
    }
    Ok(Answer::Yes)
}
