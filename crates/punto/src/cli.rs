//! What can be typed.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

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
    /// Check or show a rule book
    #[command(subcommand)]
    Rulebook(RulebookVerb),
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
