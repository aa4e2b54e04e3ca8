//! Exports: entries become rows, one after another, with flat memory.
//!
//! Rows of a Round come when the next one commences, because until then it can still be put right. Everything else
//! comes at once. What is kept is the Round in play or just over of each table, its balances and its open tickets.

mod in_play;
mod row;

use std::collections::HashMap;

use punto_record::{Deed, Entry, Event, HouseEntry, RoundNo, TableId, TicketNo, Timestamp};

pub use row::{
    CardRow, EventRow, FloatRow, PostingRow, RoundRow, Row, RowKind, SettlementRow, TicketRow, WagerRow,
};

use crate::accounts::Accounts;
use crate::day::Calendar;
use crate::movement::{Movement, minor};
use in_play::{InPlay, Where};

/// Turns entries into rows.
#[derive(Clone, Debug, Default)]
pub struct Exporter {
    accounts: Accounts,
    tables: HashMap<TableId, AtTable>,
}

#[derive(Clone, Debug)]
struct AtTable {
    calendar: Calendar,
    currency: String,
    round: Option<RoundNo>,
    in_play: Option<Box<InPlay>>,
}

impl Default for AtTable {
    fn default() -> AtTable {
        AtTable { calendar: Calendar::utc(), currency: String::new(), round: None, in_play: None }
    }
}

impl Exporter {
    /// The rows of an entry of a table's record.
    pub fn rows_of(&mut self, table: &TableId, entry: &Entry, out: &mut impl FnMut(Row)) {
        let at = self.tables.entry(table.clone()).or_default();
        for (index, event) in entry.events.iter().enumerate() {
            at.settings(event);
            if let Event::BetsOpened { round, shoe, .. } = event {
                at.finish(table, out);
                at.round = Some(*round);
                at.in_play = Some(Box::new(InPlay::new(*round, *shoe, entry.order.at)));
            }
            at.event(table, entry, index, event, out);
            at.money(table, entry, event, out);
            let day = at.day(entry.order.at);
            if let Some(in_play) = &mut at.in_play {
                let place = Where { table: table.as_str(), currency: &at.currency, day, at: entry.order.at };
                in_play.take(&place, event);
            }
        }
        // What does not add up is the auditor's and the lock's business; an export shows what is there.
        let _ = self.accounts.enter_with(table, entry, |event, posting| {
            out(Row::Posting(PostingRow {
                volume: format!("table/{table}"),
                seq: entry.seq.0,
                at: entry.order.at.0,
                event: event.kind().id(),
                debit: posting.debit.to_string(),
                credit: posting.credit.to_string(),
                amount: minor(posting.amount),
                currency: posting.currency.as_str().to_owned(),
            }));
        });
    }

    /// The rows of an entry of the house's own record.
    pub fn rows_of_deed(&mut self, entry: &HouseEntry, out: &mut impl FnMut(Row)) {
        let (volume, event) = ("house".to_owned(), entry.deed.kind().id());
        out(Row::Event(EventRow {
            volume: volume.clone(),
            seq: entry.seq.0,
            index: 1,
            at: entry.at.0,
            day: Calendar::utc().day_of(entry.at).to_string(),
            device: entry.id.device.to_string(),
            by: json(&entry.by),
            round: None,
            event,
            json: json(&entry.deed),
        }));
        let step = if let Deed::TicketPaid { .. } = entry.deed { "paid" } else { "void" };
        if let Deed::TicketPaid { ticket, amount, currency, .. }
        | Deed::TicketVoided { ticket, amount, currency, .. } = &entry.deed
        {
            let currency = currency.as_ref().or_else(|| self.accounts.issued_in(ticket));
            out(Row::Ticket(TicketRow {
                volume: volume.clone(),
                seq: entry.seq.0,
                at: entry.at.0,
                ticket: ticket.to_string(),
                step,
                patron: None,
                amount: minor(*amount),
                expires: None,
                currency: currency.map(|currency| currency.as_str().to_owned()),
            }));
        }
        if let Ok(Some(posting)) = self.accounts.enter_deed(entry) {
            out(Row::Posting(PostingRow {
                volume,
                seq: entry.seq.0,
                at: entry.at.0,
                event,
                debit: posting.debit.to_string(),
                credit: posting.credit.to_string(),
                amount: minor(posting.amount),
                currency: posting.currency.as_str().to_owned(),
            }));
        }
    }

    /// The rows of Rounds that no other Round has followed, table by table.
    pub fn finish(mut self, out: &mut impl FnMut(Row)) {
        let mut tables: Vec<_> = self.tables.drain().collect();
        tables.sort_by(|(a, _), (b, _)| a.cmp(b));
        tables.iter_mut().for_each(|(table, at)| at.finish(table, out));
    }
}

impl AtTable {
    fn settings(&mut self, event: &Event) {
        if let Event::TableOpened { settings, .. } | Event::SettingsChanged { settings, .. } = event {
            self.calendar = Calendar::of(settings).unwrap_or_else(|_| Calendar::utc());
            settings.currency.as_str().clone_into(&mut self.currency);
        }
    }

    fn day(&self, at: Timestamp) -> String {
        self.calendar.day_of(at).to_string()
    }

    fn finish(&mut self, table: &TableId, out: &mut impl FnMut(Row)) {
        if let Some(in_play) = self.in_play.take() {
            in_play.finish(table.as_str(), &self.currency, out);
        }
    }

    fn event(&self, table: &TableId, entry: &Entry, index: usize, event: &Event, out: &mut impl FnMut(Row)) {
        out(Row::Event(EventRow {
            volume: format!("table/{table}"),
            seq: entry.seq.0,
            index: index as u64 + 1,
            at: entry.order.at.0,
            day: self.day(entry.order.at),
            device: entry.order.id.device.to_string(),
            by: json(&entry.order.by),
            round: self.round.map(|round| round.0),
            event: event.kind().id(),
            json: json(event),
        }));
    }

    fn money(&self, table: &TableId, entry: &Entry, event: &Event, out: &mut impl FnMut(Row)) {
        let ticket =
            |step: &'static str, ticket: &TicketNo, patron: u32, amount, expires: Option<Timestamp>| {
                Row::Ticket(TicketRow {
                    volume: format!("table/{table}"),
                    seq: entry.seq.0,
                    at: entry.order.at.0,
                    ticket: ticket.to_string(),
                    step,
                    patron: Some(patron),
                    amount: minor(amount),
                    expires: expires.map(|it| it.0),
                    currency: Some(self.currency.clone()),
                })
            };
        let float = |step: &'static str, amount, expected: Option<i64>| {
            let slip = if let Event::Filled { slip, .. } | Event::Credited { slip, .. } = event {
                Some(slip.to_string())
            } else {
                None
            };
            Row::Float(FloatRow {
                table: table.to_string(),
                seq: entry.seq.0,
                at: entry.order.at.0,
                day: self.day(entry.order.at),
                step,
                amount: minor(amount),
                expected: expected.map(i128::from),
                slip,
                currency: self.currency.clone(),
            })
        };
        match Movement::of(event) {
            Movement::CashedOut { patron, ticket: no, amount, expires } => {
                out(ticket("issued", no, patron.0, amount, Some(expires)));
            }
            Movement::Redeemed { patron, ticket: no, amount, .. } => {
                out(ticket("redeemed", no, patron.0, amount, None));
            }
            Movement::FloatOpened { amount } => out(float("opened", amount, None)),
            Movement::Filled { amount } => out(float("fill", amount, None)),
            Movement::Credited { amount } => out(float("credit", amount, None)),
            Movement::Dropped { amount } => out(float("drop", amount, None)),
            Movement::FloatClosed { counted, expected } => out(float("closed", counted, Some(expected))),
            Movement::Nothing
            | Movement::Settings(_)
            | Movement::RoundCommenced { .. }
            | Movement::Stake { .. }
            | Movement::Parts { .. }
            | Movement::Amended { .. }
            | Movement::TakenBack { .. }
            | Movement::Voided { .. }
            | Movement::Settled { .. }
            | Movement::Corrected { .. }
            | Movement::Adjusted { .. }
            | Movement::Pushed { .. }
            | Movement::Bought { .. }
            | Movement::Noted { .. }
            | Movement::NotePaid { .. }
            | Movement::Emptied { .. }
            | Movement::BoxCounted { .. }
            | Movement::Collected { .. }
            | Movement::UnclaimedKept { .. }
            | Movement::UnclaimedPaid { .. }
            | Movement::HoldOrdered { .. }
            | Movement::PayoutHeld { .. }
            | Movement::HeldDecided { .. } => {}
        }
    }
}

fn json(it: &impl serde::Serialize) -> String {
    serde_json::to_string(it).unwrap_or_default()
}
