//! What is printed at a table: the felt, the pay table, the paragraphs. It changes only with the settings.

use punto_rules::rulebook::Mode;
use punto_rules::table_of_play;
use punto_rules::{
    Bet, BetId, BySide, Card, Cite, Discretion, Fact, IrregularityKind, Label, NumberSet, Odds, Pays,
    PointTotal, Post, Rank, Remedy, Row, Side, Suit, Which, Winner,
};
use serde::Serialize;

use crate::decide::{decides, decides_in_time};
use crate::law::Law;
use crate::table::Table;

/// What is printed at a table, and where the approved document says it.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(missing_docs)]
pub struct Printed<'a> {
    pub game: &'a str,
    pub title: &'a Label,
    pub version: Option<u32>,
    pub in_force: &'a str,
    pub mode: Mode,
    pub decks: u8,
    pub layout: &'a str,
    pub layout_cite: &'a Cite,
    /// Whether the document says that its Chinese print means the same as the English.
    pub bilingual: Option<bool>,
    /// The felt row by row, where its picture survives; a bet may be printed twice.
    pub felt: Option<&'a [Vec<BetId>]>,
    pub bets: Vec<PrintedBet<'a>>,
    /// What the document lays down about play and conduct, and in which paragraph.
    pub topics: Vec<(&'static str, &'a Cite)>,
    pub table_of_play: PrintedTableOfPlay<'a>,
    pub irregularities: Vec<PrintedIrregularity<'a>>,
}

/// A bet and its pay table.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(missing_docs)]
pub struct PrintedBet<'a> {
    pub bet: &'a BetId,
    pub label: &'a Label,
    pub cite: &'a Cite,
    pub side: Option<Side>,
    /// In order: the first that holds decides; if none does, the bet loses.
    pub rows: Vec<PrintedRow<'a>>,
}

/// A row of a pay table.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PrintedRow<'a> {
    /// All of these must hold.
    pub when: Vec<FactTold<'a>>,
    /// What it pays; none where the stake comes back.
    pub odds: Option<Odds>,
    /// What the House keeps of gross winnings, as a percentage.
    pub commission: Option<String>,
    /// The paragraph.
    pub cite: &'a Cite,
    /// The row's own printed name.
    pub label: Option<&'a Label>,
}

/// One condition of a row.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "fact", rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum FactTold<'a> {
    Winner { is: &'a [Winner] },
    Points { is: Vec<u8> },
    PointsOf { side: Side, is: Vec<u8> },
    WinnerCards { is: Vec<u8> },
    CardsOf { side: Side, is: Vec<u8> },
    Cards { is: Vec<u8> },
    Margin { is: Vec<u8> },
    Natural { on: Which },
    Pairs { on: Which },
    SuitedPairs { on: Which },
    Count { is: Vec<u8>, of: &'a str },
    Sum { is: Vec<u8> },
}

/// The third-card rules, as figures.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PrintedTableOfPlay<'a> {
    /// The paragraph.
    pub cite: &'a Cite,
    /// On which totals the Player Hand draws.
    pub player_draws: Vec<u8>,
    /// For Banker totals 0 to 7, on which values of the Player's third card Banker draws.
    pub banker_draws: Vec<Vec<u8>>,
    /// On which totals Banker draws where the Player Hand stood.
    pub banker_draws_alone: Vec<u8>,
}

/// What the document says about one kind of irregularity.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(missing_docs)]
pub struct PrintedIrregularity<'a> {
    pub kind: IrregularityKind,
    pub cite: &'a Cite,
    pub remedy: Remedy,
    pub decides: Option<Post>,
    /// Who decides what is noticed in time, where that is another.
    pub decides_in_time: Option<Post>,
    pub second_person: bool,
    pub discretion: Option<Discretion>,
}

impl Table {
    /// What is printed at the table; nothing before it was first opened.
    pub fn printed(&self) -> Option<Printed<'_>> {
        self.law().map(printed)
    }
}

fn printed(law: &Law) -> Printed<'_> {
    let rulebook = &law.rulebook;
    let layout = rulebook.layouts.iter().find(|it| it.id == law.settings.layout);
    let layout = layout.expect("a law has its layout");
    let irregularities = rulebook.irregularities.iter().map(|it| PrintedIrregularity {
        kind: it.kind,
        cite: &it.cite,
        remedy: it.remedy,
        decides: decides(it),
        decides_in_time: decides_in_time(it),
        second_person: it.second_person,
        discretion: it.discretion,
    });
    Printed {
        game: &rulebook.game,
        title: &rulebook.title,
        version: rulebook.version,
        in_force: &rulebook.in_force,
        mode: rulebook.mode,
        decks: law.settings.decks,
        layout: &layout.id,
        layout_cite: &layout.cite,
        bilingual: layout.bilingual,
        felt: layout.felt.as_deref(),
        bets: law.terms.bets().iter().map(|bet| printed_bet(bet)).collect(),
        topics: rulebook.play.topics().into_iter().chain(rulebook.conduct.topics()).collect(),
        table_of_play: printed_table_of_play(&rulebook.play.table_of_play),
        irregularities: irregularities.collect(),
    }
}

fn printed_bet(bet: &Bet) -> PrintedBet<'_> {
    let rows = bet.rows.iter().map(printed_row).collect();
    PrintedBet { bet: &bet.id, label: &bet.label, cite: &bet.cite, side: bet.original, rows }
}

fn printed_row(row: &Row) -> PrintedRow<'_> {
    let (odds, commission) = match &row.pays {
        Pays::Won { odds, commission } => (Some(*odds), commission.map(|it| it.to_string())),
        Pays::Returned => (None, None),
    };
    let when = row.when.iter().map(told).collect();
    PrintedRow { when, odds, commission, cite: &row.cite, label: row.label.as_ref() }
}

fn told(fact: &Fact) -> FactTold<'_> {
    let numbers = |set: &NumberSet| set.iter().collect();
    match fact {
        Fact::Winner(is) => FactTold::Winner { is },
        Fact::Points(is) => FactTold::Points { is: numbers(is) },
        Fact::PointsOf(side, is) => FactTold::PointsOf { side: *side, is: numbers(is) },
        Fact::WinnerCards(is) => FactTold::WinnerCards { is: numbers(is) },
        Fact::CardsOf(side, is) => FactTold::CardsOf { side: *side, is: numbers(is) },
        Fact::Cards(is) => FactTold::Cards { is: numbers(is) },
        Fact::Margin(is) => FactTold::Margin { is: numbers(is) },
        Fact::Natural(on) => FactTold::Natural { on: *on },
        Fact::Pairs(on) => FactTold::Pairs { on: *on },
        Fact::SuitedPairs(on) => FactTold::SuitedPairs { on: *on },
        Fact::Count(_, is, of) => FactTold::Count { is: numbers(is), of },
        Fact::Sum(is) => FactTold::Sum { is: numbers(is) },
    }
}

/// The table is asked, figure by figure: it stands in one place only.
fn printed_table_of_play(cite: &Cite) -> PrintedTableOfPlay<'_> {
    let mut values: Vec<Rank> = Rank::ALL.to_vec();
    values.sort_by_key(|rank| rank.value());
    values.dedup_by_key(|rank| rank.value());
    let total = |rank: &Rank| PointTotal::of(&[Card { rank: *rank, suit: Suit::Spades }]);
    let totals = || values.iter().map(total).filter(|total| total.get() < 8);
    let two = |player, banker| BySide { player, banker };
    let (nothing, stands) = (PointTotal::of(&[]), total(&Rank::Seven));
    let draws_against = |banker: PointTotal| {
        let draws =
            values.iter().filter(|third| table_of_play::banker(two(nothing, banker), Some(**third)).draws);
        draws.map(|third| third.value()).collect()
    };
    PrintedTableOfPlay {
        cite,
        player_draws: totals()
            .filter(|total| table_of_play::player(two(*total, nothing)).draws)
            .map(PointTotal::get)
            .collect(),
        banker_draws: totals().map(draws_against).collect(),
        banker_draws_alone: totals()
            .filter(|total| table_of_play::banker(two(stands, *total), None).draws)
            .map(PointTotal::get)
            .collect(),
    }
}
