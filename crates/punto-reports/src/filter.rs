//! What a report is about: a time, a table, a gaming day. Everything where nothing is said.

use punto_record::{TableId, Timestamp};
use serde::Serialize;

use crate::day::GamingDay;

/// Which events are counted. Those before it are still read: what a correction undoes may lie there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct Filter {
    /// From this instant on.
    pub from: Option<Timestamp>,
    /// Before this instant.
    pub until: Option<Timestamp>,
    pub table: Option<TableId>,
    /// By the calendar of each table; what concerns no table, by UTC.
    pub day: Option<GamingDay>,
}

impl Filter {
    /// Whether something counts that happened at this time.
    pub fn takes(&self, table: Option<&TableId>, at: Timestamp, day: GamingDay) -> bool {
        self.from.is_none_or(|from| at >= from)
            && self.until.is_none_or(|until| at < until)
            && self.day.is_none_or(|asked| day == asked)
            && self.takes_table(table)
    }

    /// Whether a table counts. What concerns the house counts always.
    pub fn takes_table(&self, table: Option<&TableId>) -> bool {
        match (&self.table, table) {
            (Some(asked), Some(table)) => asked == table,
            (Some(_), None) | (None, _) => true,
        }
    }
}
