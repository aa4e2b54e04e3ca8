//! The books: postings, meters and reports, pure functions of the record.
//!
//! - [`Accounts`] post every event in double entry and check it against what it states itself: the self-audit identity
//!   that runs beside a table. A [`Mismatch`] locks it.
//! - [`Meters`] say what was wagered, won and returned, what came in and went out.
//! - [`Calendar`] tells the gaming day of an instant.
//! - [`Exporter`] turns entries into [`Row`]s with stable columns, one after another.
//! - [`Recall`] looks up the last Rounds of a table, for a patron or for staff.
//! - [`Reporter`] adds entries up to a [`Report`]: typed figures, [`Sheet`]s, and one page of [`html`].
//!
//! No clock, no files, no randomness, no rule decided here. Floats are in one file, for statistics only.

mod account;
mod accounts;
mod balances;
mod checks;
mod context;
mod day;
mod figure;
mod filter;
mod html;
mod meters;
mod mismatch;
mod movement;
mod opening;
mod postings;
mod recall;
mod report;
mod rows;
mod sheet;
mod style;
mod svg;
mod theory;

pub use account::{Account, Normal, Posting};
pub use accounts::Accounts;
pub use day::{Calendar, DayError, GamingDay};
pub use figure::Share;
pub use filter::Filter;
pub use html::{html, html_of};
pub use meters::{Meter, Meters, Play, TableMeters};
pub use mismatch::Mismatch;
pub use opening::{OnTheFelt, Opening};
pub use recall::{Recall, Recalled, RecalledCard, RecalledStatus, RecalledVoid, RecalledWager, Whose};
pub use report::{
    AcceptorBox, AcceptorsReport, Aged, Ageing, Asked, Compared, Exception, ExceptionKind, ExceptionsReport,
    Figures, FloatSession, FloatsReport, LiabilityReport, Report, Reporter, Significance, SignificantEvent,
    SignificantReport, TheoreticalReport, WinReport,
};
pub use rows::{
    CardRow, EventRow, Exporter, FloatRow, PostingRow, RoundRow, Row, RowKind, SettlementRow, TicketRow,
    WagerRow,
};
pub use sheet::{Bar, Cell, Column, ColumnKind, Interval, Plot, Sheet};
