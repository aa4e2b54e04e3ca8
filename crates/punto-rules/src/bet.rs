//! A bet is data: pay-table rows in order, the first match wins, no match loses.

use std::fmt;

use serde::Serialize;

use crate::class::{ClassNo, ClassSpace};
use crate::fact::{Fact, Facts};
use crate::{Odds, Side, Verdict};

/// A bet's name on the wire and on the command line, such as `big-tiger`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct BetId(pub(crate) String);

impl BetId {
    /// As text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for BetId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// Where the approved document says it: one or more paragraphs, `1.23, 4.1.2`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(transparent)]
pub struct Cite(pub(crate) String);

impl Cite {
    /// As text.
    pub fn as_str(&self) -> &str {
        &self.0
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
    /// The bet wins. `odds` are what the patron gets; `commission` is what the House took from the gross winnings,
    /// to the same stake. "0.95 to 1" and "even money less 5 %" are one thing (readings 6).
    Won {
        /// Net of commission, as printed.
        odds: Odds,
        /// Commission to stake, if the House takes one.
        commission: Option<Odds>,
    },
    /// The stake comes back.
    Returned,
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
    pub(crate) table: VerdictTable,
}

/// For each class of outcomes the row that decides: 0 for none, `k` for row `k - 1`.
#[derive(Clone, Debug)]
pub(crate) struct VerdictTable(Vec<u8>);

impl VerdictTable {
    /// More rows than a code can name.
    pub(crate) const MOST_ROWS: usize = u8::MAX as usize;

    pub(crate) fn compile(rows: &[Row], space: &ClassSpace) -> VerdictTable {
        assert!(rows.len() <= Self::MOST_ROWS);
        let mut codes = vec![0; space.len()];
        for class in space.possible().iter() {
            let facts = space.facts(class);
            let first = rows.iter().position(|row| row.matches(&facts));
            codes[class.index()] = first.map_or(0, |row| row as u8 + 1);
        }
        VerdictTable(codes)
    }
}

impl Bet {
    /// The row that decides a class of outcomes; `None` if the bet loses.
    pub fn row_for(&self, class: ClassNo) -> Option<&Row> {
        self.row_no_for(class).map(|row| &self.rows[row])
    }

    /// The index of that row.
    pub fn row_no_for(&self, class: ClassNo) -> Option<usize> {
        (self.table.0[class.index()] as usize).checked_sub(1)
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
                commission.map_or(Some(unit), |commission| crate::odds::lcm(unit, commission.per().into()))
            }
        })
    }

    /// The most that the bet can pay.
    pub fn top_odds(&self) -> Option<Odds> {
        let odds = self.rows.iter().filter_map(|row| row.verdict().odds());
        odds.max_by_key(|odds| u128::from(odds.pays()) * (1 << 64) / u128::from(odds.per()))
    }
}
