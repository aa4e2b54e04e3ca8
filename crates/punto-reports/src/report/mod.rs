//! Reports: one fold over the entries, from which every sheet is made.
//!
//! Tables are read in any order, each in the order of its own record; the house's entries before, between or after
//! them. A report is a pure function of what was entered and what was asked.

mod acceptors;
mod exceptions;
mod floats;
mod liability;
mod metered;
mod moment;
mod significant;
mod theoretical;
mod win;

use std::collections::BTreeMap;

use punto_record::{Deed, Entry, HouseEntry, LedgerKind, TableId, Timestamp, Volume};
use punto_rules::Money;
use serde::Serialize;

pub use acceptors::{AcceptorBox, AcceptorsReport};
pub use exceptions::{Exception, ExceptionKind, ExceptionsReport};
pub use floats::{FloatSession, FloatsReport};
pub use liability::{Aged, Ageing, LiabilityReport};
pub use punto_record::Significance;
pub use significant::{SignificantEvent, SignificantReport};
pub use theoretical::{Compared, TheoreticalReport};
pub use win::{Figures, WinReport};

use crate::day::Calendar;
use crate::filter::Filter;
use crate::meters::Meters;
use crate::movement::Movement;
use crate::sheet::Sheet;
use moment::{Desk, Moment};

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Asked {
    /// Which events.
    pub filter: Filter,
    /// The time from which ages are counted back.
    pub at: Timestamp,
    /// From which amount a patron's winnings of one Round are significant.
    pub large_win: Option<Money>,
    /// Which significant events are shown; all where none are named.
    pub significant: Vec<Significance>,
}

impl Asked {
    /// Everything, with ages counted back from this time.
    pub fn everything(at: Timestamp) -> Asked {
        Asked { filter: Filter::default(), at, large_win: None, significant: Vec::new() }
    }
}

/// Reads entries and adds them up.
#[derive(Clone, Debug)]
pub struct Reporter {
    report: Report,
    desks: BTreeMap<TableId, Desk>,
}

/// Everything that was added up.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Report {
    pub asked: Asked,
    /// What the ledger is for, where its founding was read.
    pub kind: Option<LedgerKind>,
    pub win: WinReport,
    pub theoretical: TheoreticalReport,
    pub exceptions: ExceptionsReport,
    pub significant: SignificantReport,
    pub liability: LiabilityReport,
    pub floats: FloatsReport,
    pub acceptors: AcceptorsReport,
    pub meters: Meters,
    /// The currency of each table.
    pub currencies: BTreeMap<TableId, String>,
    /// Tables whose time zone is not known: their days are those of UTC.
    pub without_zone: Vec<TableId>,
}

impl Reporter {
    /// Nothing read yet.
    pub fn new(asked: Asked) -> Reporter {
        let report = Report {
            kind: None,
            win: WinReport::default(),
            theoretical: TheoreticalReport::default(),
            exceptions: ExceptionsReport::default(),
            significant: SignificantReport::default(),
            liability: LiabilityReport::new(asked.at),
            floats: FloatsReport::default(),
            acceptors: AcceptorsReport::default(),
            meters: Meters::default(),
            currencies: BTreeMap::new(),
            without_zone: Vec::new(),
            asked,
        };
        Reporter { report, desks: BTreeMap::new() }
    }

    /// Takes an entry of a table's record. All entries of a table must come, in their order: what lies outside the
    /// filter is read and not counted.
    pub fn enter(&mut self, table: &TableId, entry: &Entry) {
        let Reporter { report, desks } = self;
        let desk = desks.entry(table.clone()).or_default();
        let filter = &report.asked.filter;
        let counts_table = filter.takes_table(Some(table));
        for event in &entry.events {
            desk.before(event);
            let moment = Moment::new(table, desk, entry, event);
            report.liability.take(&moment, counts_table);
            if filter.takes(Some(table), moment.at, moment.day) {
                report.win.take(&moment);
                report.theoretical.take(&moment);
                report.exceptions.take(&moment);
                report.significant.take(&moment, report.asked.large_win);
                report.floats.take(&moment);
                report.acceptors.take(&moment);
            }
            desk.after(&Movement::of(event));
        }
        let is_in_time = filter.until.is_none_or(|until| entry.order.at < until);
        if counts_table && is_in_time {
            report.meters.enter(table, entry);
        }
    }

    /// Takes an entry as it is stored.
    ///
    /// # Errors
    /// If it is none.
    pub fn take(&mut self, volume: &Volume, bytes: &[u8]) -> Result<(), serde_json::Error> {
        match volume {
            Volume::House => serde_json::from_slice(bytes).map(|entry| self.enter_deed(&entry)),
            Volume::Table(table) => serde_json::from_slice(bytes).map(|entry| self.enter(table, &entry)),
        }
    }

    /// Takes an entry of the house's own record.
    pub fn enter_deed(&mut self, entry: &HouseEntry) {
        let report = &mut self.report;
        if let Deed::LedgerFounded { kind, .. } = entry.deed {
            report.kind = Some(kind);
        }
        report.liability.take_deed(entry);
        if report.asked.filter.takes(None, entry.at, Calendar::utc().day_of(entry.at)) {
            report.exceptions.take_deed(entry);
            report.significant.take_deed(entry);
        }
    }

    /// What was added up.
    pub fn finish(mut self) -> Report {
        for (table, desk) in &self.desks {
            if self.report.asked.filter.takes_table(Some(table)) {
                self.report.currencies.insert(table.clone(), desk.currency.to_string());
                if desk.no_zone {
                    self.report.without_zone.push(table.clone());
                }
            }
        }
        self.report
    }
}

impl Report {
    /// Every sheet, in the order of the page.
    pub fn sheets(&self) -> Vec<Sheet> {
        let mut sheets = self.win.sheets();
        sheets.extend(self.theoretical.sheets());
        sheets.extend(self.exceptions.sheets());
        sheets.push(self.significant.sheet(&self.asked.significant));
        sheets.extend(self.liability.sheets());
        sheets.push(self.floats.sheet());
        sheets.push(self.acceptors.sheet());
        sheets.extend(metered::sheets(&self.meters, &self.currencies));
        let days = sheets.iter_mut().find(|sheet| sheet.id == "win-by-day");
        if let (Some(days), false) = (days, self.without_zone.is_empty()) {
            let tables: Vec<&str> = self.without_zone.iter().map(TableId::as_str).collect();
            days.note(format!("The time zone of {} is not known: days are those of UTC.", tables.join(", ")));
        }
        sheets
    }

    /// One sheet by its id.
    pub fn sheet(&self, id: &str) -> Option<Sheet> {
        self.sheets().into_iter().find(|sheet| sheet.id == id)
    }

    /// What it is about, in a line.
    pub fn about(&self) -> String {
        let Asked { filter, at, .. } = &self.asked;
        let utc = Calendar::utc();
        let mut words = vec![match &filter.table {
            Some(table) => format!("table {table}"),
            None => match self.currencies.len() {
                1 => "1 table".to_owned(),
                count => format!("{count} tables"),
            },
        }];
        words.extend(filter.day.map(|day| format!("gaming day {day}")));
        words.extend(filter.from.map(|from| format!("from {} UTC", utc.clock(from))));
        words.extend(filter.until.map(|until| format!("until {} UTC", utc.clock(until))));
        words.push(format!("as of {} UTC", utc.clock(*at)));
        // INTERPRETATION 33: what is no house says so wherever it is shown.
        words.extend(self.kind.and_then(no_house).map(str::to_owned));
        words.join(" · ")
    }
}

/// What is said on everything that comes from a ledger without real money.
const fn no_house(kind: LedgerKind) -> Option<&'static str> {
    match kind {
        LedgerKind::Demo => Some("demonstration, no real money"),
        LedgerKind::Practice => Some("practice, no real money"),
        LedgerKind::House => None,
    }
}
