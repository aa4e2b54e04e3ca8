//! Tickets across all tables: issued once, used up once, for the amount they were issued for.

use std::collections::BTreeMap;

use punto_record::{LedgerKind, Ticket, TicketNo, TicketState, Timestamp};
use punto_rules::Money;

use crate::finding::{FindingKind, Findings};

/// What the record says about every ticket.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tickets {
    known: BTreeMap<TicketNo, Ticket>,
    /// Entries before the first were archived: a ticket may have been issued there.
    begins_late: bool,
    pub(crate) kind: Option<LedgerKind>,
    /// Tickets that were used and whose issue is in the archive.
    pub(crate) from_archive: u64,
}

impl Tickets {
    pub(crate) fn new(begins_late: bool) -> Tickets {
        Tickets { begins_late, ..Tickets::default() }
    }

    pub(crate) fn len(&self) -> u64 {
        self.known.len() as u64
    }

    pub(crate) fn issue(
        &mut self,
        no: &TicketNo,
        amount: Money,
        at: Timestamp,
        expires: Timestamp,
        out: &mut Findings,
    ) {
        if self.known.contains_key(no) {
            out.say(FindingKind::WrongTicket, format!("ticket {no} was issued before"));
            return;
        }
        // A demonstration may number its tickets as it likes.
        let checks = TicketNo::from_typed(no.as_str()).is_some_and(|typed| typed == *no);
        if self.kind == Some(LedgerKind::House) && !checks {
            out.say(FindingKind::WrongTicket, format!("ticket {no} has no good check digits"));
        }
        let ticket = Ticket { no: no.clone(), amount, issued: at, expires, state: TicketState::Good };
        self.known.insert(no.clone(), ticket);
    }

    /// A ticket is used up: it becomes credits, cash, or void.
    pub(crate) fn use_up(
        &mut self,
        no: &TicketNo,
        amount: Money,
        at: Timestamp,
        becomes: TicketState,
        out: &mut Findings,
    ) {
        let Some(ticket) = self.known.get_mut(no) else {
            match self.begins_late {
                true => self.from_archive += 1,
                false => out.say(FindingKind::TicketNotGood, format!("ticket {no} was never issued")),
            }
            return;
        };
        if ticket.state != TicketState::Good {
            out.say(FindingKind::TicketNotGood, format!("ticket {no} was used up before"));
        }
        if ticket.amount != amount {
            out.say(
                FindingKind::TicketNotGood,
                format!("ticket {no} was issued for {}, not for {amount}", ticket.amount),
            );
        }
        // An expired ticket can still be made void.
        if becomes != TicketState::Void && at > ticket.expires {
            out.say(FindingKind::TicketNotGood, format!("ticket {no} had expired"));
        }
        ticket.state = becomes;
    }

    /// Compares the store's rows with the record. A reservation is nothing of the record and of no row.
    pub(crate) fn compare(&self, rows: impl IntoIterator<Item = Ticket>, out: &mut Findings) {
        let mut seen: BTreeMap<TicketNo, ()> = BTreeMap::new();
        for row in rows {
            if seen.insert(row.no.clone(), ()).is_some() {
                out.say(FindingKind::TicketRow, format!("the store has ticket {} twice", row.no));
                continue;
            }
            let Some(ticket) = self.known.get(&row.no) else {
                if !self.begins_late {
                    out.say(FindingKind::TicketRow, format!("ticket {} is in no entry", row.no));
                }
                continue;
            };
            if row != *ticket {
                out.say(
                    FindingKind::TicketRow,
                    format!("the store says otherwise about ticket {} than the record", row.no),
                );
            }
        }
        for no in self.known.keys().filter(|no| !seen.contains_key(*no)) {
            out.say(FindingKind::TicketRow, format!("ticket {no} is not in the store"));
        }
    }
}
