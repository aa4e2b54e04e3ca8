//! `punto backup` and `punto restore`: the same copy, there and back, encrypted or not.

use std::io::Write;
use std::path::Path;

use indicatif::ProgressBar;
use punto_ledger::{
    BackupHead, BackupIdentity, Error, Fingerprint, Place, Step, backup_to, copy, restore_from,
};

use super::cli::{Backup, BackupKey, BackupVerb, Restore};
use super::{bar, place, problem, reader};
use crate::answer::{Answer, Problem};

pub(crate) fn backup(args: &Backup, out: &mut impl Write) -> anyhow::Result<Answer> {
    if let Some(BackupVerb::Key(BackupKey { file })) = &args.verb {
        let recipient = BackupIdentity::make(file).map_err(|error| problem(&error))?;
        writeln!(out, "{recipient}")?;
        return Ok(Answer::Yes);
    }
    let (ledger, file) = args.ledger.as_ref().zip(args.file.as_ref()).expect("required without a verb");
    if args.to.is_empty() {
        return run(ledger, &Place::File(file.clone()), out);
    }
    let mut reader = reader(ledger)?;
    let mut bars = Bars::default();
    let done = backup_to(&mut reader, file, &args.to, &mut |step, at, all| bars.show(step, at, all));
    tell(bars, done, out)
}

pub(crate) fn restore(args: &Restore, out: &mut impl Write) -> anyhow::Result<Answer> {
    let head = BackupHead::of(&args.from).map_err(|error| problem(&error))?;
    match (head, &args.identity) {
        (None, None) => run(&args.from.to_string_lossy(), &place(&args.ledger), out),
        (Some(_), Some(identity)) => {
            let identity = BackupIdentity::open(identity).map_err(|error| problem(&error))?;
            let (to, mut bars) = (place(&args.ledger), Bars::default());
            let done =
                restore_from(&args.from, &to, &identity, &mut |step, at, all| bars.show(step, at, all));
            tell(bars, done, out)
        }
        (Some(head), None) => Err(encrypted(&args.from, &head).into()),
        (None, Some(_)) => {
            let words = format!("{} is not an encrypted backup", args.from.display());
            Err(Problem::new(words).hint("without --identity it is restored as it is").into())
        }
    }
}

/// What is said to somebody who wants to read an encrypted backup as a ledger.
pub(super) fn encrypted(path: &Path, head: &BackupHead) -> Problem {
    let words = format!("{} is encrypted to {}", path.display(), head.to.join(", "));
    Problem::new(words).hint("`punto restore BACKUP LEDGER --identity FILE` opens it")
}

fn run(from: &str, to: &Place, out: &mut impl Write) -> anyhow::Result<Answer> {
    let mut reader = reader(from)?;
    let mut bars = Bars::default();
    let entries = reader.size().map_err(|error| problem(&error))?;
    let copied = copy(&mut reader, to, &mut |leaf| bars.show(Step::Copying, leaf, entries));
    tell(bars, copied, out)
}

fn tell(bars: Bars, copied: Result<Fingerprint, Error>, out: &mut impl Write) -> anyhow::Result<Answer> {
    drop(bars);
    let Fingerprint { size, root, heads } = copied.map_err(|error| problem(&error))?;
    writeln!(out, "size {size}\nroot {root}")?;
    for (volume, chain) in heads {
        writeln!(out, "head {volume} {} {}", chain.seq, chain.link)?;
    }
    Ok(Answer::Yes)
}

/// A bar for one step after the other.
#[derive(Default)]
struct Bars(Option<(Step, ProgressBar)>);

impl Bars {
    fn show(&mut self, step: Step, at: u64, all: u64) {
        if self.0.as_ref().is_none_or(|(shown, _)| *shown != step) {
            self.clear();
            let what = match step {
                Step::Copying => "copying",
                Step::Encrypting => "encrypting",
                Step::Decrypting => "decrypting",
            };
            self.0 = Some((step, bar(what, all)));
        }
        if let Some((_, bar)) = &self.0 {
            bar.set_position(at);
        }
    }

    fn clear(&mut self) {
        if let Some((_, bar)) = self.0.take() {
            bar.finish_and_clear();
        }
    }
}

impl Drop for Bars {
    fn drop(&mut self) {
        self.clear();
    }
}
