//! What a PAR sheet holds. Counts and fractions are exact and become text in JSON, where numbers end at 2⁵³.

use punto_rules::{Label, Rulebook, Terms};
use serde::{Serialize, Serializer};

use crate::{Comparison, Generator, Pricer, Ratio};

/// What a sheet is made from.
#[derive(Clone, Debug)]
pub struct ParInput<'a> {
    /// The rule book.
    pub rulebook: &'a Rulebook,
    /// Its layout with the decks.
    pub terms: &'a Terms,
    /// The pricer of that layout.
    pub pricer: &'a Pricer,
    /// How the game is named on the command line, for the commands that reproduce the sheet.
    pub game_argument: &'a str,
    /// SHA-256 of the rule book's text, in hexadecimal.
    pub digest: &'a str,
    /// Name and version of the software.
    pub software: &'a str,
    /// The simulation to check against.
    pub simulation: SimulationRun<'a>,
    /// What counting was found to win, if shoes were played for it.
    pub counting: Option<CountingSection>,
}

/// A simulation that was run, and how to run it again.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct SimulationRun<'a> {
    pub comparison: &'a Comparison,
    pub generator: Generator,
    pub seed: u64,
    pub rounds: u64,
}

/// The PAR sheet of one layout.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ParSheet {
    /// Which game, which text, which software.
    pub identification: Identification,
    /// What the figures take for granted.
    pub assumptions: Vec<String>,
    /// Which figures are exact and which are rounded.
    pub exactness: Vec<String>,
    /// All ordered six-card sequences of the shoe.
    #[serde(serialize_with = "as_text")]
    pub sequences: u64,
    /// Every bet of the layout, in its order.
    pub bets: Vec<ParBet>,
    /// Every two bets, in the order of the layout.
    pub pairs: Vec<PairOfBets>,
    /// A simulation beside the exact figures.
    pub simulation: SimulationCheck,
    /// What counting cards is worth, where shoes were played for it.
    pub counting: Option<CountingSection>,
    /// Commands that give these figures again.
    pub reproduction: Vec<String>,
}

/// Which game, which text, which software.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct Identification {
    pub game: String,
    pub title: Label,
    pub version: Option<u32>,
    pub in_force: String,
    pub mode: &'static str,
    pub rulebook_sha256: String,
    pub software: String,
    pub layout: String,
    pub layout_paragraph: String,
    pub decks: u8,
    /// The decks that the game may be played with, least and most.
    pub decks_allowed: [u8; 2],
    pub decks_paragraph: String,
    pub cards: u32,
}

/// One bet.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ParBet {
    /// Its name on the command line.
    pub bet: String,
    /// Its name on the felt.
    pub label: Label,
    /// Where the document defines and prices it.
    pub paragraph: String,
    /// Whether it is an Original Bet, on a Hand.
    pub original: bool,
    /// The pay table in its order, then the rest, which loses.
    pub rows: Vec<ParRow>,
    /// The figures of the whole bet.
    pub summary: Summary,
    /// Between what bounds the return lies after so many Rounds.
    pub intervals: Vec<Interval>,
    /// The same bet from a full shoe of every number of decks that the game allows.
    pub by_decks: Vec<ByDecks>,
    /// What removing one card does, Ace to King; for each set of suits that the bet tells from others, one after another.
    pub removal: Vec<RemovalEffect>,
    /// The root of the mean square of those effects over all cards: how much the edge moves with the cards.
    pub removal_rms: f64,
}

impl ParBet {
    /// The effects of removal, Ace to King, of each set of suits.
    pub(super) fn removal_by_suits(&self) -> impl Iterator<Item = &[RemovalEffect]> {
        self.removal.chunk_by(|a, b| a.suits == b.suits)
    }

    /// The numbers of decks with which it cannot win, among those that the game allows.
    pub fn cannot_win(&self) -> Vec<u8> {
        self.by_decks.iter().filter(|it| !it.can_win).map(|it| it.decks).collect()
    }
}

/// One row of a pay table, or the rest.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ParRow {
    /// The condition in words.
    pub when: String,
    /// The row's own name on the felt.
    pub label: Option<Label>,
    /// `11 to 1`, `returned` or `loses`.
    pub pays: String,
    /// The share of the gross winnings that the House keeps, if any; `pays` is net of it.
    pub commission: Option<String>,
    /// Where the document says so.
    pub paragraph: Option<String>,
    /// How many sequences it decides.
    #[serde(serialize_with = "as_text")]
    pub sequences: u64,
    /// Their share of all.
    pub probability: f64,
    /// What it adds to a patron's gain from a unit staked, exactly. The rows add up to the edge, with its sign turned.
    pub gain_exact: Ratio,
    /// The same, rounded.
    pub gain: f64,
    /// What it gives back of a unit staked, the stake included. The rows add up to the RTP.
    pub returns: f64,
}

/// The figures of one bet, for a unit staked.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The house edge.
    pub edge_exact: Ratio,
    /// The same, rounded.
    pub edge: f64,
    /// The return to patrons: 1 − edge.
    pub rtp_exact: Ratio,
    /// The same, rounded.
    pub rtp: f64,
    /// How likely it wins.
    pub hit: f64,
    /// How likely the stake comes back.
    pub returned: f64,
    /// The standard deviation.
    pub sd: f64,
    /// The skewness.
    pub skew: f64,
    /// z · SD.
    pub volatility_index: VolatilityIndex,
}

/// z · SD at three levels of confidence.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct VolatilityIndex {
    pub at_90: f64,
    pub at_95: f64,
    pub at_99: f64,
}

/// Lower and upper bound of the return after so many Rounds: RTP ± z · SD ÷ √n.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct Interval {
    pub rounds: u64,
    pub at_90: [f64; 2],
    pub at_95: [f64; 2],
    pub at_99: [f64; 2],
    /// Whether fewer than ten wins are expected: the normal distribution is then a rough guide.
    pub rough: bool,
}

/// A bet from a full shoe of so many decks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct ByDecks {
    pub decks: u8,
    pub edge_exact: Ratio,
    pub edge: f64,
    /// Whether any sequence of so many decks wins.
    pub can_win: bool,
}

/// The change of a patron's expectation when one card leaves the shoe; positive is good for the patron.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct RemovalEffect {
    pub rank: char,
    /// The suits of which it is the effect: `shdc` where they make no difference.
    pub suits: String,
    pub effect_exact: Ratio,
    pub effect: f64,
}

/// Two bets on the same Round.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct PairOfBets {
    pub bets: [String; 2],
    pub correlation: f64,
    /// In how many sequences both win.
    #[serde(serialize_with = "as_text")]
    pub both_win: u64,
    /// The standard deviation of a unit on each.
    pub sd_of_both: f64,
}

/// A simulation beside the exact figures.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct SimulationCheck {
    pub generator: &'static str,
    pub seed: u64,
    pub rounds: u64,
    pub chi_square: f64,
    pub degrees_of_freedom: u32,
    pub p: f64,
    /// The largest |z| of a bet.
    pub largest_z: f64,
    /// Whether it is as near to the exact figures as the sheet demands.
    pub agrees: bool,
    pub bets: Vec<SimulatedBet>,
}

impl SimulationCheck {
    /// χ² must be at least so likely …
    pub const LEAST_P: f64 = 0.001;
    /// … and no bet further off, in standard errors.
    pub const MOST_Z: f64 = 4.0;
}

/// One bet in the simulation.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct SimulatedBet {
    pub bet: String,
    pub won: u64,
    pub returned: u64,
    pub lost: u64,
    pub edge: f64,
    pub exact_edge: f64,
    pub z: f64,
}

/// What counting cards is worth: shoes played to the cut card, each bet placed only where it favours the patron.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct CountingSection {
    pub shoes: u64,
    pub seed: u64,
    /// How the shoes were played, a sentence each.
    pub settings: Vec<String>,
    pub bets: Vec<CountedBet>,
}

/// One bet at one depth of the cut card.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct CountedBet {
    pub bet: String,
    /// Cards behind the cut card.
    pub cut: u16,
    /// The share of Rounds in which the bet favours the patron.
    pub chances: f64,
    /// A patron's mean gain in those Rounds, for a unit staked.
    pub gain: f64,
    /// A patron's mean gain from a shoe, a unit staked in each of those Rounds.
    pub gain_per_shoe: f64,
    /// The standard error of the gain from a shoe.
    pub error: f64,
}

fn as_text<S: Serializer>(number: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(number)
}
