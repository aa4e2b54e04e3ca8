//! Boxes of note acceptors: from taking one out to its count.

use punto_record::{DropNo, Event, TableId};
use serde::Serialize;

use super::moment::{Moment, who};
use crate::movement::minor;
use crate::sheet::{Cell, ColumnKind, Sheet};

/// A box that was taken out of an acceptor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct AcceptorBox {
    pub table: TableId,
    pub currency: String,
    pub drop: DropNo,
    pub acceptor: String,
    pub emptied_at: String,
    pub by: String,
    pub second: String,
    /// What the record says was in it.
    pub expected: i128,
    pub counted_at: Option<String>,
    pub counted_by: Option<String>,
    pub counted: Option<i128>,
}

/// All boxes, in the order of the records.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct AcceptorsReport {
    /// Each.
    pub boxes: Vec<AcceptorBox>,
}

impl AcceptorsReport {
    pub(crate) fn take(&mut self, moment: &Moment<'_>) {
        if let Event::AcceptorEmptied { drop, acceptor, expected, second, .. } = moment.event {
            self.boxes.push(AcceptorBox {
                table: moment.table.clone(),
                currency: moment.desk.currency.to_string(),
                drop: *drop,
                acceptor: acceptor.to_string(),
                emptied_at: moment.clock(),
                by: who(moment.by),
                second: second.to_string(),
                expected: minor(*expected),
                counted_at: None,
                counted_by: None,
                counted: None,
            });
        } else if let Event::AcceptorCounted { drop, counted, second, .. } = moment.event
            && let Some(of) = self.boxes.iter_mut().find(|it| it.table == *moment.table && it.drop == *drop)
        {
            of.counted_at = Some(moment.clock());
            of.counted_by = Some(format!("{}; {second}", who(moment.by)));
            of.counted = Some(minor(*counted));
        }
    }

    /// As a sheet.
    pub fn sheet(&self) -> Sheet {
        use ColumnKind::{Count, Money, Text};
        let columns = [
            ("table", "Table", Text),
            ("currency", "Currency", Text),
            ("box", "Box", Count),
            ("acceptor", "Acceptor", Text),
            ("emptied_at", "Taken out", Text),
            ("by", "By", Text),
            ("second", "Second person", Text),
            ("counted_at", "Counted", Text),
            ("counted_by", "Counted by", Text),
            ("expected", "Expected", Money),
            ("counted", "Counted", Money),
            ("difference", "Over or short", Money),
        ];
        let mut sheet = Sheet::new("acceptors", "Boxes of note acceptors", &columns);
        let some = |amount: Option<i128>| amount.map_or(Cell::Empty, Cell::Money);
        for it in &self.boxes {
            sheet.row(vec![
                it.table.as_str().into(),
                it.currency.as_str().into(),
                Cell::Count(it.drop.0.into()),
                it.acceptor.as_str().into(),
                it.emptied_at.as_str().into(),
                it.by.as_str().into(),
                it.second.as_str().into(),
                it.counted_at.as_deref().unwrap_or("not yet").into(),
                it.counted_by.as_deref().unwrap_or_default().into(),
                Cell::Money(it.expected),
                some(it.counted),
                some(it.counted.map(|counted| counted - it.expected)),
            ]);
        }
        sheet
    }
}
