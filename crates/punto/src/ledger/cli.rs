//! What can be typed about ledgers.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, Subcommand, ValueEnum};
use punto_ledger::BackupRecipient;
use punto_record::{Digest, Person, TableId, Volume, VolumeError};
use punto_reports::RowKind;
use punto_rules::name::NameError;
use punto_rules::text::is_line;

use crate::cli::Format;

/// The key of a ledger.
#[derive(Debug, Args)]
pub(crate) struct Key {
    /// The file of the signing key [default: the ledger's path with `.key` behind it]
    #[arg(long, value_name = "FILE")]
    pub(crate) key: Option<PathBuf>,
}

/// The keys that ticket numbers are derived with.
#[derive(Debug, Args)]
pub(crate) struct TicketKeyFile {
    /// The file of the ticket keys [default: the ledger's path with `.ticket-key` behind it; of a ledger in a database the signing
    /// key's path with `.ticket-key` in place of its ending]
    #[arg(long, value_name = "FILE")]
    pub(crate) ticket_key: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum LedgerVerb {
    /// Found a ledger: a SQLite file, or the tables in a PostgreSQL database
    Found(Found),
    /// Where each volume ends, and what the store says about itself
    Heads(Heads),
    /// Which rule books are approved, pending or withdrawn, and what was recorded about each
    Approvals(Approvals),
    /// Sign everything that is there; keep what this prints somewhere else
    Checkpoint(Checkpoint),
    /// Prove that one checkpoint goes on from another: nothing between them was changed, taken out or put in
    Consistency(Consistency),
    /// Check such a proof, without a ledger
    CheckConsistency(CheckConsistency),
    /// Sign with a new key from now on; the old one vouches for it
    RotateKey(RotateKey),
    /// Make new tickets with a new key from now on; the old one is kept as long as its tickets
    RotateTicketKey(RotateTicketKey),
    /// Appoint Administrators at the host, when none of them can come in any more; every screen says so
    RestoreAdministrators(RestoreAdministrators),
    /// Move closed days to an archive file, behind a checkpoint
    Archive(Archive),
}

/// What a ledger is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum KindName {
    /// Trying things out
    Demo,
    /// A floor of one's own without real money: any rules, any cards
    Practice,
    /// A house at work: approved rules only
    House,
}

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  punto ledger found floor.punto --kind demo\n\n\
    A ledger is a path, or postgres://user@host/database for a database that exists and is empty.")]
pub(crate) struct Found {
    /// Where: a path, or postgres://…
    #[arg(value_name = "LEDGER")]
    pub(crate) ledger: String,
    /// What it is for. It stays so for ever
    #[arg(long, value_enum)]
    pub(crate) kind: KindName,
    #[command(flatten)]
    pub(crate) key: Key,
    #[command(flatten)]
    pub(crate) ticket_key: TicketKeyFile,
}

#[derive(Debug, Args)]
pub(crate) struct Heads {
    /// A ledger or an export
    #[arg(value_name = "LEDGER|EXPORT")]
    pub(crate) ledger: String,
    /// How to write it
    #[arg(long, value_enum, default_value = "table")]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  punto ledger approvals floor.punto\n  \
    punto ledger approvals floor.punto --at 2026-11-14T06:00:00Z --format json\n\n\
    A text is known by its digest. A house plays what is in force; a demonstration and a practice floor play anything. The JSON is \
    that of GET /api/rules.")]
pub(crate) struct Approvals {
    /// A ledger or an export
    #[arg(value_name = "LEDGER|EXPORT")]
    pub(crate) ledger: String,
    /// How they stood, or will stand, at this instant [default: now]
    #[arg(long, value_name = "TIME")]
    pub(crate) at: Option<String>,
    /// How to write it
    #[arg(long, value_enum, default_value = "table")]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct Checkpoint {
    /// The ledger
    #[arg(value_name = "LEDGER")]
    pub(crate) ledger: String,
    #[command(flatten)]
    pub(crate) key: Key,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  punto ledger consistency floor.punto --from kept-in-june.txt > proof.json\n  \
    punto ledger consistency floor.ndjson --from 1200 --to kept-in-july.txt > proof.json\n\n\
    Exit 1 if the ledger does not go on from a checkpoint: a fork, or entries are missing."
)]
pub(crate) struct Consistency {
    /// A ledger or an export
    #[arg(value_name = "LEDGER|EXPORT")]
    pub(crate) ledger: String,
    /// The earlier checkpoint: a file, or the size of one that the ledger keeps
    #[arg(long, value_name = "SIZE|FILE")]
    pub(crate) from: String,
    /// The later one [default: the last one that the ledger keeps]
    #[arg(long, value_name = "SIZE|FILE")]
    pub(crate) to: Option<String>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  punto ledger check-consistency proof.json --from kept-in-june.txt --key 8f2a…\n\n\
    The proof holds both checkpoints. Hand in the one that you kept: a proof about two others proves nothing to you. Exit 1 if \
    the proof does not hold."
)]
pub(crate) struct CheckConsistency {
    /// The proof
    #[arg(value_name = "FILE")]
    pub(crate) proof: PathBuf,
    /// The ledger's public key, 64 hexadecimal digits; given again for each key that it had between the two
    #[arg(long, value_name = "KEY", required = true)]
    pub(crate) key: Vec<Digest>,
    /// The earlier checkpoint as you kept it
    #[arg(long, value_name = "FILE")]
    pub(crate) from: Option<PathBuf>,
    /// The later checkpoint as you kept it
    #[arg(long, value_name = "FILE")]
    pub(crate) to: Option<PathBuf>,
    /// How to write it
    #[arg(long, value_enum, default_value = "table")]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  punto ledger restore-administrators floor.punto --reason 'both left the house'\n\n\
    Close the server first; its next start prints a link for each, which works once, for 24 hours. The deed stands in the record \
    for ever, every screen says so until an Administrator has looked into it, and the reports list it."
)]
pub(crate) struct RestoreAdministrators {
    /// The ledger of a house
    #[arg(value_name = "LEDGER")]
    pub(crate) ledger: String,
    #[command(flatten)]
    pub(crate) key: Key,
    /// Whom to appoint, new or an Administrator before; given twice or more [default: two new ones]
    #[arg(long, value_name = "ID")]
    pub(crate) administrator: Vec<Person>,
    /// Why
    #[arg(long, value_name = "TEXT")]
    pub(crate) reason: String,
}

#[derive(Debug, Args)]
pub(crate) struct RotateKey {
    /// The ledger
    #[arg(value_name = "LEDGER")]
    pub(crate) ledger: String,
    #[command(flatten)]
    pub(crate) key: Key,
    /// The file for the new key
    #[arg(long, value_name = "FILE")]
    pub(crate) new_key: PathBuf,
}

#[derive(Debug, Args)]
#[command(
    after_help = "The server must be stopped. Keep a copy of the file of ticket keys where you keep that of the signing key: it \
    is in no backup, and without it tickets are found by nobody but two people at the cage."
)]
pub(crate) struct RotateTicketKey {
    /// The ledger
    #[arg(value_name = "LEDGER")]
    pub(crate) ledger: String,
    #[command(flatten)]
    pub(crate) key: Key,
    #[command(flatten)]
    pub(crate) ticket_key: TicketKeyFile,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Entries up to the last checkpoint before that time go into the file and out of the ledger. The \
    house's own entries stay as well. `punto audit ARCHIVE LEDGER` audits both as one."
)]
pub(crate) struct Archive {
    /// The ledger
    #[arg(value_name = "LEDGER")]
    pub(crate) ledger: String,
    /// The file to be written
    #[arg(value_name = "ARCHIVE")]
    pub(crate) archive: PathBuf,
    /// Everything signed before this instant, as 2026-11-14T06:00:00Z
    #[arg(long, value_name = "TIME")]
    pub(crate) before: String,
    /// The Administrator who does it
    #[arg(long, value_name = "PERSON")]
    pub(crate) by: Person,
    #[command(flatten)]
    pub(crate) key: Key,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  punto audit floor.punto\n  punto audit floor.punto --checkpoint kept-elsewhere.txt\n  \
    punto audit archive-2026.ndjson floor.punto\n\n\
    Chain, tree and signatures are checked, every outcome and every settlement is worked out again from the rule books in the \
    record alone, and every cent is followed. Exit 1 if there are findings."
)]
pub(crate) struct Audit {
    /// A ledger or an export; archives of it come before it
    #[arg(value_name = "LEDGER|EXPORT", required = true)]
    pub(crate) sources: Vec<String>,
    /// A checkpoint that was kept elsewhere, or the note of a witness: with it, what was cut off or rewritten before it is found
    #[arg(long, value_name = "FILE")]
    pub(crate) checkpoint: Vec<PathBuf>,
    /// The file of the ticket keys: with it, the tag of every ticket is checked as well
    #[arg(long, value_name = "FILE")]
    pub(crate) ticket_key: Option<PathBuf>,
    /// Judge entries of release 0.1 by interpretations 31 to 51 as well, which it did not follow
    #[arg(long)]
    pub(crate) strict: bool,
    /// How to write it
    #[arg(long, value_enum, default_value = "table")]
    pub(crate) format: Format,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ReceiptVerb {
    /// Make receipts: proofs that entries are in the ledger
    Make(ReceiptMake),
    /// Check receipts with nothing but the checkpoint and the public key
    Check(ReceiptCheck),
}

#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  punto receipt make floor.punto --table T1 --round 3 --patron 7 > receipt.ndjson"
)]
pub(crate) struct ReceiptMake {
    /// A ledger or an export
    #[arg(value_name = "LEDGER|EXPORT")]
    pub(crate) ledger: String,
    /// The table
    #[arg(long, value_name = "TABLE", value_parser = recorded)]
    pub(crate) table: TableId,
    /// One entry by its number
    #[arg(long, value_name = "N", conflicts_with_all = ["round", "patron"])]
    pub(crate) entry: Option<u64>,
    /// Wagers of this Round
    #[arg(long, value_name = "N", required_unless_present = "entry")]
    pub(crate) round: Option<u32>,
    /// Wagers of this patron
    #[arg(long, value_name = "N", required_unless_present = "entry")]
    pub(crate) patron: Option<u32>,
    /// The checkpoint that the proof leads to [default: the last one that the ledger keeps]
    #[arg(long, value_name = "FILE")]
    pub(crate) checkpoint: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  punto receipt check receipt.ndjson --checkpoint kept-elsewhere.txt --key 8f2a…\n  \
    punto receipt check punto-receipt-T1-3.txt --key 8f2a…"
)]
pub(crate) struct ReceiptCheck {
    /// Receipts, one a line, or the file that a Player Terminal made
    #[arg(value_name = "FILE")]
    pub(crate) receipts: PathBuf,
    /// The checkpoint; a terminal's receipt brings its own
    #[arg(long, value_name = "FILE")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// The public key, 64 hexadecimal digits
    #[arg(long, value_name = "KEY")]
    pub(crate) key: String,
}

/// What can be exported: the record itself, or rows of a kind.
/// A table that is in a record: tables of release 0.1.0 may have names that none is given any more.
fn recorded(text: &str) -> Result<TableId, NameError> {
    match format!("table/{text}").parse() {
        Ok(Volume::Table(table)) if is_line(text) => Ok(table),
        Ok(_) | Err(VolumeError) => Err(NameError { expected: TableId::GRAMMAR }),
    }
}

fn exportable() -> PossibleValuesParser {
    let kinds = RowKind::ALL.iter().map(|kind| PossibleValue::new(kind.id()));
    PossibleValuesParser::new(std::iter::once(PossibleValue::new(RECORD)).chain(kinds))
}

/// Everything, byte by byte: what `punto audit` and `punto restore` read.
pub(crate) const RECORD: &str = "record";

/// How an export is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// One JSON object a line
    Ndjson,
    /// Comma-separated, with a line of headings
    Csv,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  punto export floor.punto > floor.ndjson\n  \
    punto export floor.punto --what settlements --format csv > settlements.csv\n\n\
    The columns are described in docs/ledger.md.")]
pub(crate) struct Export {
    /// A ledger or an export
    #[arg(value_name = "LEDGER|EXPORT")]
    pub(crate) ledger: String,
    /// What: the record byte by byte, as `punto audit` and `punto restore` read it, or rows of one kind
    #[arg(long, value_parser = exportable(), default_value = RECORD)]
    pub(crate) what: String,
    /// How to write it
    #[arg(long, value_enum, default_value = "ndjson")]
    pub(crate) format: ExportFormat,
    /// Only this table
    #[arg(long, value_name = "TABLE", value_parser = recorded)]
    pub(crate) table: Option<TableId>,
}

/// How a report is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// Aligned columns
    Table,
    /// Comma-separated, one sheet
    Csv,
    /// JSON, amounts in minor units
    Json,
    /// One page with plots, for the browser and for printing
    Html,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  punto report floor.punto\n  punto report floor.punto --sheet win-by-day --format csv\n  \
    punto report floor.punto --day 2026-11-14 --format html > day.html"
)]
pub(crate) struct Report {
    /// A ledger or an export; archives of it come before it
    #[arg(value_name = "LEDGER|EXPORT", required = true)]
    pub(crate) sources: Vec<String>,
    /// Only this sheet; `--sheet help` lists them
    #[arg(long, value_name = "SHEET")]
    pub(crate) sheet: Option<String>,
    /// Only this table
    #[arg(long, value_name = "TABLE", value_parser = recorded)]
    pub(crate) table: Option<TableId>,
    /// Only this gaming day, as 2026-11-14
    #[arg(long, value_name = "DAY", conflicts_with_all = ["from", "until"])]
    pub(crate) day: Option<String>,
    /// From this instant on, as 2026-11-14T06:00:00Z
    #[arg(long, value_name = "TIME")]
    pub(crate) from: Option<String>,
    /// Before this instant
    #[arg(long, value_name = "TIME")]
    pub(crate) until: Option<String>,
    /// From which amount, in minor units, a patron's winnings of a Round are a significant event
    #[arg(long, value_name = "AMOUNT")]
    pub(crate) large_win: Option<u64>,
    /// The instant from which ages are counted [default: now]
    #[arg(long, value_name = "TIME")]
    pub(crate) at: Option<String>,
    /// How to write it
    #[arg(long, value_enum, default_value = "table")]
    pub(crate) format: ReportFormat,
}

#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "Examples:\n  punto backup floor.punto backup.punto\n  punto backup key safe/backup.identity\n  \
    punto backup floor.punto backup.age --to age1…\n\n\
    The ledger may be in use. Without --to the backup is a ledger itself: `punto audit` reads it. With --to its first lines say \
    what it is and to whom; the rest can be read with an identity only: restore it, then audit it. The signing key and the ticket \
    key are in neither; keep those files on their own."
)]
pub(crate) struct Backup {
    #[command(subcommand)]
    pub(crate) verb: Option<BackupVerb>,
    /// The ledger
    #[arg(value_name = "LEDGER|EXPORT", required = true)]
    pub(crate) ledger: Option<String>,
    /// The file to be made
    #[arg(value_name = "FILE", required = true)]
    pub(crate) file: Option<PathBuf>,
    /// Encrypt it to whoever has the identity of this recipient; given once or more
    #[arg(long, value_name = "RECIPIENT")]
    pub(crate) to: Vec<BackupRecipient>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum BackupVerb {
    /// Make an identity that opens encrypted backups; prints the recipient to encrypt to
    Key(BackupKey),
}

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  punto backup key safe/backup.identity\n\n\
    Make it where backups are to be opened, not on the server: the server needs the recipient only. The file is readable by its \
    owner only, and is one that the program age reads as well.")]
pub(crate) struct BackupKey {
    /// The file for the identity
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Where the ledger is to be there must be nothing, or an empty database. The restored ledger has the \
    same heads, or nothing is restored."
)]
pub(crate) struct Restore {
    /// A backup or an export
    #[arg(value_name = "FILE")]
    pub(crate) from: PathBuf,
    /// Where: a path, or postgres://…
    #[arg(value_name = "LEDGER")]
    pub(crate) ledger: String,
    /// The identity that opens an encrypted backup, as `punto backup key` made it
    #[arg(long, value_name = "FILE")]
    pub(crate) identity: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "A whole floor in one thread over simulated time: real tables and a real ledger, with crashes, lost \
    and doubled messages, misread cards, power cuts, full disks and clock jumps, and an auditor who looks after every Round. A \
    failure prints its seed; the same seed plays it again."
)]
pub(crate) struct Drill {
    /// The seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// How long, in seconds
    #[arg(long, value_name = "N", default_value_t = 60)]
    pub(crate) seconds: u64,
    /// How many tables
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=64))]
    pub(crate) tables: u8,
    /// How much goes wrong: 100 is usual, 0 is a quiet floor
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u8).range(0..=250))]
    pub(crate) trouble: u8,
    /// Write the ledgers to a real disk, one file for each night: FILE.1, FILE.2 … [default: in memory]
    #[arg(long, value_name = "FILE")]
    pub(crate) ledger: Option<PathBuf>,
}
