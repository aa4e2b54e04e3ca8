//! A sheet: columns and rows of any report, so that tables, CSV, JSON and pages are all made in one way.

use serde::Serialize;

use crate::figure::{self, Share};

/// What stands in a column, and how it is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ColumnKind {
    /// Words.
    Text,
    /// An amount, in minor units.
    Money,
    /// A whole number.
    Count,
    /// A part of something.
    Share,
    /// A number with decimals, written out.
    Decimal,
}

/// A column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct Column {
    /// Its name in CSV and JSON; never changed.
    pub id: &'static str,
    /// As it is printed.
    pub heading: &'static str,
    pub kind: ColumnKind,
}

/// One figure or word. In JSON amounts are minor units.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
#[allow(missing_docs)]
pub enum Cell {
    Empty,
    Text(String),
    Money(i128),
    Count(i128),
    Share(Share),
}

impl Cell {
    /// For people: `1,234.50`, `1.058 %`.
    pub fn shown(&self) -> String {
        match self {
            Cell::Empty => String::new(),
            Cell::Text(text) => text.clone(),
            Cell::Money(amount) => figure::money(*amount),
            Cell::Count(number) => figure::count(*number),
            Cell::Share(share) => share.to_string(),
        }
    }

    /// For a machine: `1234.50`, `0.010579`.
    pub fn plain(&self) -> String {
        match self {
            Cell::Empty => String::new(),
            Cell::Text(text) => text.clone(),
            Cell::Money(amount) => figure::plain_money(*amount),
            Cell::Count(number) => number.to_string(),
            Cell::Share(share) => share.plain(),
        }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        Cell::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell::Text(text)
    }
}

impl From<Option<Share>> for Cell {
    fn from(share: Option<Share>) -> Cell {
        share.map_or(Cell::Empty, Cell::Share)
    }
}

/// A picture of figures that also stand in the rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "plot", rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum Plot {
    /// One bar for each label.
    Bars { title: String, currency: String, bars: Vec<Bar> },
    /// What happened, and what had to be expected.
    Intervals { title: String, currency: String, items: Vec<Interval> },
}

/// A bar.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct Bar {
    pub label: String,
    pub amount: i128,
}

/// An amount, and the interval in which 95 of 100 would lie.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct Interval {
    pub label: String,
    pub actual: i128,
    pub expected: i128,
    pub low: i128,
    pub high: i128,
}

impl Interval {
    /// Whether what happened lies outside.
    pub const fn is_outside(&self) -> bool {
        self.actual < self.low || self.actual > self.high
    }
}

/// A report as a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct Sheet {
    /// Names the sheet on the command line and in links; never changed.
    pub id: &'static str,
    pub title: &'static str,
    pub columns: Vec<Column>,
    pub rows: Vec<Vec<Cell>>,
    /// What one must know to read it.
    pub notes: Vec<String>,
    pub plots: Vec<Plot>,
}

impl Sheet {
    pub(crate) fn new(
        id: &'static str,
        title: &'static str,
        columns: &[(&'static str, &'static str, ColumnKind)],
    ) -> Sheet {
        let columns = columns.iter().map(|&(id, heading, kind)| Column { id, heading, kind }).collect();
        Sheet { id, title, columns, rows: Vec::new(), notes: Vec::new(), plots: Vec::new() }
    }

    pub(crate) fn row(&mut self, cells: Vec<Cell>) {
        debug_assert_eq!(cells.len(), self.columns.len(), "a row of {} has a cell for each column", self.id);
        self.rows.push(cells);
    }

    pub(crate) fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    /// The names of the columns, and each row as plain text: what a CSV file holds.
    pub fn plain(&self) -> (Vec<&'static str>, impl Iterator<Item = Vec<String>> + '_) {
        let names = self.columns.iter().map(|column| column.id).collect();
        (names, self.rows.iter().map(|row| row.iter().map(Cell::plain).collect()))
    }
}
