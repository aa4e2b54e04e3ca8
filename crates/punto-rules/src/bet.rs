//! A bet is data: pay-table rows in order, the first match wins, no match loses.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::class::{ClassNo, ClassSpace};
use crate::fact::{Fact, Facts};
use crate::{Odds, Side, Verdict};

crate::names! {
    /// A bet's name on the wire and on the command line, such as `big-tiger`.
    BetId: Name, NAME_PATTERN,
}

/// Where the approved document says it: one or more paragraphs, `1.23, 4.1.2`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Cite(pub(crate) Arc<str>);

impl Cite {
    /// As text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// An entry of docs/interpretations.md: what follows from a reading cites the reading, not a paragraph that does not
    /// say so.
    // INTERPRETATION 40: a paragraph is cited only for what it says.
    pub fn interpretation(no: u8) -> Cite {
        Cite(format!("interpretation {no}").into())
    }

    /// Those of the paragraphs that say it; all of them where none is told apart.
    pub fn only(&self, says_so: impl Fn(&str) -> bool) -> Cite {
        let kept: Vec<&str> = self.paragraphs().filter(|paragraph| says_so(paragraph)).collect();
        if kept.is_empty() { self.clone() } else { Cite(kept.join(", ").into()) }
    }

    /// Each paragraph by itself.
    pub fn paragraphs(&self) -> impl Iterator<Item = &str> {
        self.0.split(',').map(str::trim)
    }
}

impl fmt::Display for Cite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// A name in the three languages of the felt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(missing_docs)]
pub struct Label {
    pub en: String,
    #[serde(rename = "zh-Hans")]
    pub zh_hans: String,
    #[serde(rename = "zh-Hant")]
    pub zh_hant: String,
}

/// What a row pays when it matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pays {
    /// The bet wins. "0.95 to 1" and "even money less 5 %" are one thing (interpretation 6).
    Won {
        /// What the patron gets: net of commission, as printed.
        odds: Odds,
        /// What the House keeps, if it takes a commission.
        commission: Option<Commission>,
    },
    /// The stake comes back.
    Returned,
}

/// A share of the gross winnings that the House keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Commission {
    /// The share of the gross winnings: 1 to 20 for 5 %.
    share: Odds,
    /// The same money, to the stake.
    to_stake: Odds,
    /// Net odds and commission together.
    gross: Odds,
}

impl Commission {
    /// `share` of the gross winnings where `net` odds are what is left; `None` if nothing would be left.
    // INTERPRETATION 6: the printed odds are net, so commission ÷ stake is net odds × share ÷ (1 − share).
    pub(crate) fn new(share: Odds, net: Odds) -> Option<Commission> {
        let rest = share.per().checked_sub(share.pays())?;
        let (pays, per) =
            (u64::from(net.pays()) * u64::from(share.pays()), u64::from(net.per()) * u64::from(rest));
        let to_stake = Odds::new(pays, per).ok()?;
        // net ÷ (1 − share)
        let gross =
            Odds::new(u64::from(net.pays()) * u64::from(share.per()), u64::from(net.per()) * u64::from(rest));
        Some(Commission { share, to_stake, gross: gross.ok()? })
    }

    /// The commission to the stake: 0.05 to 1 where even money less 5 % is paid.
    pub const fn to_stake(self) -> Odds {
        self.to_stake
    }
}

impl fmt::Display for Commission {
    /// `5%`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A percentage is read with at most four decimals, so it has no more.
        let ten_thousandths = u64::from(self.share.pays()) * 1_000_000 / u64::from(self.share.per());
        let percent = format!("{}.{:04}", ten_thousandths / 10_000, ten_thousandths % 10_000);
        write!(f, "{}%", percent.trim_end_matches('0').trim_end_matches('.'))
    }
}

impl Serialize for Commission {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// One row of a pay table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// All of these must hold; none means always.
    pub when: Vec<Fact>,
    /// What it pays.
    pub pays: Pays,
    /// Where the document says so.
    pub cite: Cite,
    /// The row's own printed name, if it has one.
    pub label: Option<Label>,
}

impl Row {
    pub(crate) fn matches(&self, facts: &Facts) -> bool {
        self.when.iter().all(|fact| fact.holds(facts))
    }

    /// What a win costs the House before it keeps its commission.
    pub(crate) fn gross(&self) -> Option<Odds> {
        match self.pays {
            Pays::Won { odds, commission } => Some(commission.map_or(odds, |commission| commission.gross)),
            Pays::Returned => None,
        }
    }

    /// What the row means for the bet.
    pub const fn verdict(&self) -> Verdict {
        match self.pays {
            Pays::Won { odds, .. } => Verdict::Won(odds),
            Pays::Returned => Verdict::Returned,
        }
    }
}

impl fmt::Display for Row {
    /// The condition in words: `Banker wins, on 6 or 7`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.when.is_empty() {
            return f.write_str("always");
        }
        let facts: Vec<String> = self.when.iter().map(Fact::to_string).collect();
        f.write_str(&facts.join(", "))
    }
}

/// A bet as printed and paid, compiled.
#[derive(Clone, Debug)]
pub struct Bet {
    /// Its name.
    pub id: BetId,
    /// Tells apart the pay tables of one printed bet that pays differently by layout.
    pub variant: Option<String>,
    /// Its name on the felt.
    pub label: Label,
    /// Where the document defines and prices it.
    pub cite: Cite,
    /// The Hand that an Original Bet is placed on; `None` for a side bet.
    pub original: Option<Side>,
    /// The pay table.
    pub rows: Vec<Row>,
    /// The most that it can cost the House, commission included; every bet can win.
    pub most_gross: Odds,
    pub(crate) table: VerdictTable,
}

/// How layouts name a bet.
pub(crate) fn full_name(id: &BetId, variant: Option<&str>) -> String {
    variant.map_or(id.to_string(), |variant| format!("{id}:{variant}"))
}

/// For each class of outcomes the row that decides: 0 for none, `k` for row `k - 1`.
#[derive(Clone, Debug)]
pub(crate) struct VerdictTable(Vec<u8>);

impl VerdictTable {
    /// More rows than a code can name.
    pub(crate) const MOST_ROWS: usize = u8::MAX as usize;

    /// The tables of several pay tables at once, so that the facts of a class are made but once.
    pub(crate) fn compile(pay_tables: &[&[Row]], space: &ClassSpace) -> Vec<VerdictTable> {
        assert!(pay_tables.iter().all(|rows| rows.len() <= Self::MOST_ROWS));
        let mut tables = vec![VerdictTable(vec![0; space.len()]); pay_tables.len()];
        for class in space.possible().iter() {
            let facts = space.facts(class);
            for (rows, table) in pay_tables.iter().zip(&mut tables) {
                let first = rows.iter().position(|row| row.matches(&facts));
                table.0[class.index()] = first.map_or(0, |row| row as u8 + 1);
            }
        }
        tables
    }

    pub(crate) fn row_no(&self, class: ClassNo) -> Option<usize> {
        (self.0[class.index()] as usize).checked_sub(1)
    }
}

impl Bet {
    /// `tie`, or `tie:raised` where the bet has several pay tables.
    pub fn name(&self) -> String {
        full_name(&self.id, self.variant.as_deref())
    }

    /// Whether cards of one rank and different suits can make a difference to it.
    pub fn tells_suits(&self) -> bool {
        self.rows.iter().flat_map(|row| &row.when).any(Fact::tells_suits)
    }

    /// The row that decides a class of outcomes; `None` if the bet loses.
    pub fn row_for(&self, class: ClassNo) -> Option<&Row> {
        self.row_no_for(class).map(|row| &self.rows[row])
    }

    /// The index of that row.
    pub fn row_no_for(&self, class: ClassNo) -> Option<usize> {
        self.table.row_no(class)
    }

    /// The verdict on a class of outcomes.
    pub fn verdict(&self, class: ClassNo) -> Verdict {
        self.row_for(class).map_or(Verdict::Lost, Row::verdict)
    }

    /// The smallest stake that every row pays exactly, commission apart.
    pub(crate) fn exact_unit(&self) -> Option<u64> {
        self.rows.iter().try_fold(1, |unit, row| match row.pays {
            Pays::Returned => Some(unit),
            Pays::Won { odds, commission } => {
                let unit = crate::odds::lcm(unit, odds.per().into())?;
                commission.map_or(Some(unit), |commission| {
                    crate::odds::lcm(unit, commission.to_stake().per().into())
                })
            }
        })
    }
}
