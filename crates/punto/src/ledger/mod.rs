//! Verbs about ledgers: found, look, sign, audit, prove, export, report, copy.

mod approvals;
mod archive;
mod audit;
pub(crate) mod cli;
mod consistency;
mod copies;
mod export;
mod keeping;
mod played;
mod receipt;
mod replays;
mod report;
mod restore;

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anstyle::AnsiColor;
use ed25519_dalek::SigningKey;
use indicatif::{ProgressBar, ProgressStyle};
use punto_ledger::{BackupHead, Error, Place, Reader, Vault, read_key};
use punto_record::{Release, Timestamp};

use crate::answer::{Problem, say};

pub(crate) use approvals::run as approvals;
pub(crate) use archive::run as archive;
pub(crate) use audit::{is_clean, run as audit};
pub(crate) use consistency::{check as check_consistency, make as consistency};
pub(crate) use copies::{backup, restore};
pub(crate) use export::run as export;
pub(crate) use keeping::{checkpoint, found, heads, rotate_key, rotate_ticket_key};
pub(crate) use played::record;
pub(crate) use receipt::{check as check_receipt, make as make_receipt};
pub(crate) use report::run as report;
pub(crate) use restore::restore_administrators;

/// This program, as entries name it.
pub(crate) fn release() -> Release {
    Release(concat!("punto ", env!("CARGO_PKG_VERSION")).into())
}

/// The time of the system.
pub(crate) fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}

/// The time at which something is written into a ledger that no server has open. A closed house's clock stands still:
/// whoever sets that of the host moves no record.
pub(crate) fn recorded(vault: &Vault) -> Timestamp {
    if vault.kind().is_house() { vault.closed_at() } else { now() }
}

pub(crate) fn place(text: &str) -> Place {
    let Ok(place) = text.parse();
    place
}

/// Where the key of a ledger is.
pub(crate) fn key_path(place: &Place, given: Option<&PathBuf>) -> Result<PathBuf, Problem> {
    match (given, place) {
        (Some(path), _) => Ok(path.clone()),
        (None, Place::File(path)) => {
            let mut name = path.as_os_str().to_owned();
            name.push(".key");
            Ok(name.into())
        }
        (None, Place::Database(_) | Place::Memory) => {
            Err(Problem::new("a ledger in a database does not say where its key is").hint("--key FILE"))
        }
    }
}

/// Where the keys of ticket numbers are.
pub(crate) fn ticket_key_path(place: &Place, given: Option<&PathBuf>, key: &Path) -> PathBuf {
    match (given, place) {
        (Some(path), _) => path.clone(),
        (None, Place::File(path)) => {
            let mut name = path.as_os_str().to_owned();
            name.push(".ticket-key");
            name.into()
        }
        (None, Place::Database(_) | Place::Memory) => key.with_extension("ticket-key"),
    }
}

/// Opens a ledger to read it.
pub(crate) fn reader(text: &str) -> Result<Reader<'static>, Problem> {
    let place = place(text);
    if let Place::File(path) = &place
        && let Some(head) = BackupHead::of(path).map_err(|error| problem(&error))?
    {
        return Err(copies::encrypted(path, &head));
    }
    Reader::open(&place).map_err(|error| opened(&error))
}

/// Opens a ledger as its one writer.
pub(crate) fn vault(text: &str, key: Option<&PathBuf>) -> Result<Vault, Problem> {
    open(text, ledger_key(text, key)?)
}

/// The key of a ledger.
pub(crate) fn ledger_key(text: &str, given: Option<&PathBuf>) -> Result<SigningKey, Problem> {
    read_key(&key_path(&place(text), given)?).map_err(|error| problem(&error))
}

/// Opens a ledger as its one writer. What is not as it was signed for is told.
pub(crate) fn open(text: &str, key: SigningKey) -> Result<Vault, Problem> {
    let mut waiting = |owner: &str| {
        let words = format!(
            "this ledger is being written by {owner}; waiting for it to stop, for two leases at most"
        );
        say("note", AnsiColor::Yellow, &words);
    };
    let vault = Vault::open_telling(&place(text), key, release(), &mut waiting);
    let vault = vault.map_err(|error| opened(&error))?;
    let found = vault.found_amiss();
    for (volume, count) in &found.unsigned {
        let words = format!("{volume}: {count} entries that nobody signed for were put aside");
        say("warning", AnsiColor::Red, &words);
    }
    for (volume, words) in &found.damaged {
        say("warning", AnsiColor::Red, &format!("{volume}: {words}"));
    }
    Ok(vault)
}

fn opened(error: &Error) -> Problem {
    if let Error::Unsuitable(words) = error
        && words.starts_with("there is no ledger")
    {
        return problem(error).hint("`punto ledger found` makes one");
    }
    problem(error)
}

pub(crate) fn problem(error: &Error) -> Problem {
    let problem = Problem::new(error.to_string());
    if let Error::Owned(_) = error {
        return problem
            .hint("a ledger has one writer: stop that process first; a backup or an audit needs no stop");
    }
    problem
}

/// A bar for whoever watches.
pub(crate) fn bar(what: &'static str, length: u64) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let template = "{msg} {wide_bar} {pos}/{len} {eta} left";
    let style = ProgressStyle::with_template(template).expect("a sound template");
    ProgressBar::new(length).with_style(style).with_message(what)
}

/// An instant as somebody types it: `2026-11-14T06:00:00Z`.
pub(crate) fn instant(text: &str) -> Result<Timestamp, Problem> {
    let read: Result<jiff::Timestamp, _> = text.parse();
    let instant = read.ok().and_then(|instant| u64::try_from(instant.as_millisecond()).ok());
    instant.map(Timestamp).ok_or_else(|| {
        Problem::new(format!("`{text}` is no instant")).hint("for example 2026-11-14T06:00:00Z")
    })
}
