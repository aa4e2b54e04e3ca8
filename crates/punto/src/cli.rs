//! What can be typed.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use punto_record::TableId;

use crate::ledger::cli::{Audit, Backup, Drill, Export, LedgerVerb, ReceiptVerb, Report, Restore};
use crate::load::Load;
use crate::serve::Serve;
use crate::witness::WitnessVerb;

/// Runs, settles, audits and analyses baccarat tables, from the approved rule book.
#[derive(Debug, Parser)]
#[command(version, arg_required_else_help = true, infer_subcommands = false)]
#[command(after_help = "Cards are written `As Td 9h Kc` (ten is T), in the order they left the shoe.\n\
    GAME is a name from `punto games` or the path of a rule-book file.\n\
    Exit code: 0 yes, 1 the answer is no, 2 could not do it.")]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// List the games, their layouts and the bets on each
    Games(Games),
    /// Deal a Round from a list of cards and say what it does to every bet
    Deal(Deal),
    /// Settle Rounds with their wagers: NDJSON in, NDJSON out, a Round a line
    Settle(Settle),
    /// Exact odds of every bet, for any number of decks or any shoe
    Odds(Odds),
    /// Deal Rounds at random and compare every bet with its exact odds
    Simulate(Simulate),
    /// What removing cards does to each bet, and what a card counter could win
    Counting(Counting),
    /// The PAR sheet of a layout: everything a regulator asks about its mathematics
    Par(Par),
    /// Find whole-number pays that put a bet's edge where it should be
    Solve(Solve),
    /// Draw the five roads of a shoe
    Roads(Roads),
    /// Play a table script: what happens at each order, and why an order is refused
    Play(Play),
    /// Check or show a rule book
    #[command(subcommand)]
    Rulebook(RulebookVerb),
    /// Run tables for terminals, consoles and boards
    Serve(Serve),
    /// Keep and sign checkpoints of somebody else's ledger
    #[command(subcommand)]
    Witness(WitnessVerb),
    /// Let terminals bet against a running server, and compare the record with what was acknowledged
    Load(Load),
    /// Found a ledger, sign it, archive its closed days
    #[command(subcommand)]
    Ledger(LedgerVerb),
    /// Check a ledger or an export: every link, every signature, every Round, every cent
    Audit(Audit),
    /// Prove that a wager is in the record, or check such a proof
    #[command(subcommand)]
    Receipt(ReceiptVerb),
    /// Export the record, or rows of it
    Export(Export),
    /// Win, handle, hold, actual against theoretical, voids, liabilities, floats, meters
    Report(Report),
    /// Copy a ledger to a file, also while it is in use
    Backup(Backup),
    /// Make a ledger from a backup or an export
    Restore(Restore),
    /// Run a whole floor with every fault that can happen, and audit it
    Drill(Drill),
}

/// Which game, on which felt, from which cards.
#[derive(Debug, Args)]
pub(crate) struct Table {
    /// A name from `punto games`, or the path of a rule-book file
    #[arg(value_name = "GAME")]
    pub(crate) game: String,
    /// The layout on the table [default: the game's first]
    #[arg(long, value_name = "LAYOUT")]
    pub(crate) layout: Option<String>,
    /// The decks in the shoe [default: 8, or the nearest that the game allows]
    #[arg(long, value_name = "N")]
    pub(crate) decks: Option<u8>,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  punto odds wu-song --layout A --decks 8\n  \
    punto odds ncb-etg --shoe \"A=30,2=32,3=31,K=29\"\n  punto odds ncb-etg --seen \"As 4d\"\n  \
    punto odds da-hu-ying-xiong --compare 6,8\n  punto odds wu-song --basket \"banker=100,tie=5\"\n\n\
    Sequences are ordered six-card sequences from the shoe; a Round that takes fewer cards counts with every way to go on.")]
pub(crate) struct Odds {
    #[command(flatten)]
    pub(crate) table: Table,
    /// A shoe by its cards instead of decks: "A=30,2=32,…,K=29" by rank or "As=8,…" by card; what is left out is nought
    #[arg(long, value_name = "CARDS", conflicts_with_all = ["decks", "compare"])]
    pub(crate) shoe: Option<String>,
    /// Numbers of decks side by side: 6,8
    #[arg(long, value_name = "N,N", value_delimiter = ',', conflicts_with_all = ["decks", "seen", "basket"])]
    pub(crate) compare: Option<Vec<u8>>,
    /// Cards of this Round that are already out: "As 4d"
    #[arg(long, value_name = "CARDS", conflicts_with = "basket")]
    pub(crate) seen: Option<String>,
    /// Several bets at once, with what is staked on each: "banker=100,tie=5"
    #[arg(long, value_name = "BET=STAKE,…")]
    pub(crate) basket: Option<String>,
    /// How to write it
    #[arg(long, value_enum, default_value = "table")]
    pub(crate) format: Format,
}

/// Where random numbers come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GeneratorName {
    /// xoshiro256++
    Fast,
    /// ChaCha20, the stream of software shoes
    Chacha,
}

#[derive(Debug, Args)]
pub(crate) struct Simulate {
    #[command(flatten)]
    pub(crate) table: Table,
    /// How many Rounds, each from a full shoe
    #[arg(long, value_name = "N", default_value_t = 10_000_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
    pub(crate) rounds: u64,
    /// The seed; the same seed gives the same answer, whatever the number of threads
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Where random numbers come from
    #[arg(long, value_enum, default_value = "fast")]
    pub(crate) generator: GeneratorName,
    /// How many threads work on it [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// How to write it
    #[arg(long, value_enum, default_value = "table")]
    pub(crate) format: Format,
}

/// When the last Round of a shoe is dealt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LastRoundName {
    /// The Round in which the cut card shows is the last
    Stop,
    /// One more Round is dealt after it
    OneMore,
}

#[derive(Debug, Args)]
pub(crate) struct Counting {
    #[command(flatten)]
    pub(crate) table: Table,
    /// How many shoes to play
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(2..=10_000_000))]
    pub(crate) shoes: u64,
    /// Cards behind the cut card, one or several depths [default: 14,26,52, those that the shoe allows]
    #[arg(long, value_name = "N,N", value_delimiter = ',')]
    pub(crate) cut: Option<Vec<u16>>,
    /// When the last Round is dealt after the cut card has shown
    #[arg(long, value_enum, default_value = "stop")]
    pub(crate) last_round: LastRoundName,
    /// Cards burnt before the first Round: a number, or `first-card` for as many as the first card shows
    #[arg(long, value_name = "N|first-card", default_value = "0")]
    pub(crate) burn: String,
    /// Bet only where the expected gain is above this, in percent of the stake; one or several
    #[arg(
        long,
        value_name = "PERCENT,…",
        value_delimiter = ',',
        default_value = "0",
        allow_hyphen_values = true
    )]
    pub(crate) trigger: Vec<f64>,
    /// The seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// How to write it
    #[arg(long, value_enum, default_value = "table")]
    pub(crate) format: Format,
}

/// How a PAR sheet is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ParFormat {
    /// For documents
    Markdown,
    /// For programs
    Json,
    /// One self-contained page with plots, to read or to print
    Html,
}

#[derive(Debug, Args)]
pub(crate) struct Par {
    #[command(flatten)]
    pub(crate) table: Table,
    /// Write it to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Rounds of the simulation check
    #[arg(long, value_name = "N", default_value_t = 20_000_000, value_parser = clap::value_parser!(u64).range(1..=100_000_000_000))]
    pub(crate) rounds: u64,
    /// The seed of the simulation check and of counting
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Shoes to play for the counting section; 0 leaves it out
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u64).range(0..=10_000_000))]
    pub(crate) counting_shoes: u64,
    /// How to write it
    #[arg(long, value_enum, default_value = "markdown")]
    pub(crate) format: ParFormat,
}

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  punto solve wu-song --layout A --bet small-tiger --edge 4..8")]
pub(crate) struct Solve {
    #[command(flatten)]
    pub(crate) table: Table,
    /// The bet whose pays are sought
    #[arg(long, value_name = "BET")]
    pub(crate) bet: String,
    /// The house edge wanted, from..to, in percent: 4..8
    #[arg(long, value_name = "FROM..TO", allow_hyphen_values = true)]
    pub(crate) edge: String,
    /// Vary only these rows of the pay table, from 1 [default: all that pay odds]
    #[arg(long, value_name = "N,N", value_delimiter = ',')]
    pub(crate) rows: Option<Vec<usize>>,
    /// The largest pay to try
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) most: u32,
    /// How many answers to show, nearest to the middle of the interval first
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub(crate) show: u32,
    /// How to write it
    #[arg(long, value_enum, default_value = "table")]
    pub(crate) format: Format,
}

/// Where a streak goes after it had to turn right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TailName {
    /// It keeps to the right
    Sticky,
    /// It goes down again as soon as there is room
    Redescend,
}

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  punto roads \"B P T Bb Pn B8\"\n\n\
    A Round is B, P or T, then flags in any order: b Banker pair, p Player pair, n Natural. A number repeats it. \
    Spaces are optional; leave void Rounds out.")]
pub(crate) struct Roads {
    /// The Rounds of the shoe, in order: "B P T Bb Pn B8"; - reads them from standard input
    #[arg(value_name = "ROUNDS")]
    pub(crate) rounds: Vec<String>,
    /// Where a streak goes after it had to turn right
    #[arg(long, value_enum, default_value = "sticky")]
    pub(crate) tail: TailName,
    /// How to write it (csv has a mark a line)
    #[arg(long, value_enum, default_value = "table")]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  punto play docs/scenarios/wu-song/an-ordinary-round.txt\n\n\
    A script has one order a line and may say below it what is expected; docs/table.md has the language. The exit code \
    is 1 where something else happens, or where an order is refused and nobody expected it.")]
pub(crate) struct Play {
    /// The script; - reads it from standard input
    #[arg(value_name = "SCRIPT")]
    pub(crate) script: PathBuf,
    /// Write what happened into the script, in place of what it expects
    #[arg(long)]
    pub(crate) update: bool,
    /// How to write it (json has an order a line)
    #[arg(long, value_enum, default_value = "table", conflicts_with = "update")]
    pub(crate) format: PlayFormat,
    /// Also write the record of the table into this ledger; a demo ledger is founded if there is none
    #[arg(long, value_name = "LEDGER", conflicts_with = "update")]
    pub(crate) ledger: Option<String>,
    /// The name of the table in the ledger: 1 to 40 letters, digits and hyphens [default: the script's]
    #[arg(long = "as", value_name = "TABLE", requires = "ledger")]
    pub(crate) table: Option<TableId>,
    /// Play it so many times, each at a table of its own
    #[arg(long, value_name = "N", requires = "ledger", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) times: u32,
    /// Write a line for each receipt as it comes, instead of telling the script
    #[arg(long, requires = "ledger")]
    pub(crate) receipts: bool,
    /// The file of the ledger's signing key [default: the ledger's path with `.key` behind it]
    #[arg(long, value_name = "FILE", requires = "ledger")]
    pub(crate) key: Option<PathBuf>,
}

/// How a played script is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlayFormat {
    /// For people
    Table,
    /// NDJSON, an order a line with its events or its refusal
    Json,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RulebookVerb {
    /// Report every fault of a rule-book file, each with its place and a hint
    Check(Check),
    /// Show a rule book as a person would read it
    Show(Show),
}

/// How data is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Table,
    /// For programs
    Json,
    /// For spreadsheets
    Csv,
    /// For documents
    Markdown,
}

#[derive(Debug, Args)]
pub(crate) struct Games {
    /// How to write it
    #[arg(long, value_enum, default_value = "table")]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  punto deal \"2s 3d 3c 3h 5d\" --game wu-song --layout A\n\n\
    Any number of cards will do: while the Round is incomplete, bets that are already certain have their verdict; \
    cards beyond the Round are left over.")]
pub(crate) struct Deal {
    /// The cards, in the order they left the shoe: "2s 3d 3c 3h 5d"
    #[arg(value_name = "CARDS")]
    pub(crate) cards: Vec<String>,
    /// A name from `punto games`, or the path of a rule-book file
    #[arg(long, value_name = "GAME")]
    pub(crate) game: String,
    /// The layout on the table [default: the game's first]
    #[arg(long, value_name = "LAYOUT")]
    pub(crate) layout: Option<String>,
    /// The decks in the shoe, which limit the copies of a card [default: the most that the game allows]
    #[arg(long, value_name = "N")]
    pub(crate) decks: Option<u8>,
    /// How to write it (csv holds the bets only)
    #[arg(long, value_enum, default_value = "table")]
    pub(crate) format: Format,
}

/// How settlements are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SettleFormat {
    /// NDJSON, a settlement a line
    Json,
    /// For people
    Table,
}

#[derive(Debug, Args)]
#[command(
    after_help = "A line of input:\n  {\"game\": \"wu-song\", \"layout\": \"A\", \"cards\": [\"2s\", \"3d\", \"3c\", \"3h\", \"5d\"],\n   \
    \"wagers\": [{\"patron\": \"p1\", \"box\": 1, \"stance\": \"seated\", \"bet\": \"banker\", \"stake\": 10000}]}\n\n\
    Amounts are in minor units. With \"limits\": {\"minimum\": …, \"differential\": …, \"unit\": …} boxes over the Differential \
    are settled pro rata. A bad line becomes {\"error\": …, \"line\": …}; the others are settled, and the exit code is 1."
)]
pub(crate) struct Settle {
    /// The Rounds to settle, NDJSON [default: standard input]
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// How to write it
    #[arg(long, value_enum, default_value = "json")]
    pub(crate) format: SettleFormat,
}

#[derive(Debug, Args)]
pub(crate) struct Check {
    /// The rule-book file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// How to write it
    #[arg(long, value_enum, default_value = "table")]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct Show {
    /// A name from `punto games`, or the path of a rule-book file
    #[arg(value_name = "GAME")]
    pub(crate) game: String,
    /// How to write it (csv holds the pay tables only)
    #[arg(long, value_enum, default_value = "table")]
    pub(crate) format: Format,
    /// Print the rule book's own text, to read beside the approval or to start another from
    #[arg(long, conflicts_with = "format")]
    pub(crate) source: bool,
}
