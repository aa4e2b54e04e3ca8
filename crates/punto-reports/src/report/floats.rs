//! Floats of chip tables: from one opening of a tray to its count.

use punto_record::TableId;
use serde::Serialize;

use super::moment::Moment;
use crate::movement::{Movement, minor};
use crate::sheet::{Cell, ColumnKind, Sheet};

/// A tray from its opening to its count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct FloatSession {
    pub table: TableId,
    pub currency: String,
    pub opened_at: String,
    pub opening: i128,
    pub fills: i128,
    pub credits: i128,
    pub drop: i128,
    pub closed_at: Option<String>,
    pub counted: Option<i128>,
    /// What should have been there.
    pub expected: Option<i128>,
}

impl FloatSession {
    /// Counted less expected.
    pub fn difference(&self) -> Option<i128> {
        Some(self.counted? - self.expected?)
    }

    /// What the tray says the table won: closing + credits + drop − opening − fills.
    pub fn win_by_tray(&self) -> Option<i128> {
        Some(self.counted? + self.credits + self.drop - self.opening - self.fills)
    }
}

/// All floats, in the order of the records.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct FloatsReport {
    /// Each.
    pub sessions: Vec<FloatSession>,
}

impl FloatsReport {
    pub(crate) fn take(&mut self, moment: &Moment<'_>) {
        if let Movement::FloatOpened { amount } = moment.movement {
            self.sessions.push(FloatSession {
                table: moment.table.clone(),
                currency: moment.desk.currency.to_string(),
                opened_at: moment.clock(),
                opening: minor(amount),
                fills: 0,
                credits: 0,
                drop: 0,
                closed_at: None,
                counted: None,
                expected: None,
            });
            return;
        }
        let is_open = |it: &&mut FloatSession| it.table == *moment.table && it.closed_at.is_none();
        let Some(open) = self.sessions.iter_mut().rev().find(is_open) else { return };
        if let Movement::Filled { amount } = moment.movement {
            open.fills += minor(amount);
        } else if let Movement::Credited { amount } = moment.movement {
            open.credits += minor(amount);
        } else if let Movement::Dropped { amount } = moment.movement {
            open.drop += minor(amount);
        } else if let Movement::FloatClosed { counted, expected } = moment.movement {
            open.closed_at = Some(moment.clock());
            open.counted = Some(minor(counted));
            open.expected = Some(expected.into());
        }
    }

    /// As a sheet.
    pub fn sheet(&self) -> Sheet {
        use ColumnKind::{Money, Text};
        let columns = [
            ("table", "Table", Text),
            ("currency", "Currency", Text),
            ("opened_at", "Opened", Text),
            ("closed_at", "Closed", Text),
            ("opening", "Opening", Money),
            ("fills", "Fills", Money),
            ("credits", "Credits", Money),
            ("drop", "Drop", Money),
            ("counted", "Counted", Money),
            ("expected", "Expected", Money),
            ("difference", "Difference", Money),
            ("win_by_tray", "Win by the tray", Money),
        ];
        let mut sheet = Sheet::new("floats", "Floats", &columns);
        let some = |amount: Option<i128>| amount.map_or(Cell::Empty, Cell::Money);
        for it in &self.sessions {
            sheet.row(vec![
                it.table.as_str().into(),
                it.currency.as_str().into(),
                it.opened_at.as_str().into(),
                it.closed_at.as_deref().unwrap_or("open").into(),
                Cell::Money(it.opening),
                Cell::Money(it.fills),
                Cell::Money(it.credits),
                Cell::Money(it.drop),
                some(it.counted),
                some(it.expected),
                some(it.difference()),
                some(it.win_by_tray()),
            ]);
        }
        sheet.note(
            "Win by the tray is counted + credits + drop − opening − fills. It differs from the booked win by the \
             difference and by what patrons owe or have paid back.",
        );
        sheet
    }
}
