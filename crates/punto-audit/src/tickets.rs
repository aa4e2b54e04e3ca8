//! Tickets across all tables: issued once, used up once, for the amount they were issued for.

use std::collections::BTreeMap;

use punto_record::{
    Currency, Digest, Entry, LedgerKind, Ticket, TicketKey, TicketKeyId, TicketNo, TicketState, TicketTag,
    Timestamp, Volume,
};
use punto_rules::Money;

use crate::finding::{FindingKind, Findings};

/// What the record says about every ticket.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tickets {
    known: BTreeMap<TicketNo, Ticket>,
    /// The currency of each: that of the table that issued it, when it did.
    currencies: BTreeMap<TicketNo, Currency>,
    /// The same by the digests of their tags.
    tagged: BTreeMap<Digest, TicketNo>,
    /// Entries before the first were archived: a ticket may have been issued there.
    begins_late: bool,
    pub(crate) kind: Option<LedgerKind>,
    /// The name of the ledger.
    pub(crate) ledger: Option<Digest>,
    /// The keys that numbers were derived with, as the house's deeds have it; those at hand.
    adopted: Vec<TicketKeyId>,
    keys: Vec<TicketKey>,
    /// Tickets that were used and whose issue is in the archive.
    pub(crate) from_archive: u64,
}

/// By what a ticket was issued.
pub(crate) struct Issue<'a> {
    pub(crate) volume: &'a Volume,
    pub(crate) entry: &'a Entry,
    pub(crate) attempt: u32,
    /// Of the table; none if its settings stand in the archive.
    pub(crate) currency: Option<&'a Currency>,
}

/// What a ticket is used for.
pub(crate) struct Use<'a> {
    pub(crate) amount: Money,
    /// Of the table, or as the deed names it; earlier builds did not.
    pub(crate) currency: Option<&'a Currency>,
    pub(crate) at: Timestamp,
    pub(crate) becomes: TicketState,
    /// Whether a second person is named.
    pub(crate) by_two: bool,
}

impl Tickets {
    pub(crate) fn new(begins_late: bool, keys: Vec<TicketKey>) -> Tickets {
        Tickets { begins_late, keys, ..Tickets::default() }
    }

    pub(crate) fn len(&self) -> u64 {
        self.known.len() as u64
    }

    /// A key that numbers are derived with from now on.
    pub(crate) fn adopt(&mut self, key: &TicketKeyId, before: Option<&TicketKeyId>, out: &mut Findings) {
        let is_known = !self.adopted.is_empty() || !self.begins_late;
        let follows = !is_known || (before == self.adopted.last() && self.adopted.last() != Some(key));
        out.hold(follows, FindingKind::WrongTicket, "a key of tickets that does not follow the one before");
        self.adopted.push(key.clone());
    }

    pub(crate) fn issue(&mut self, ticket: Ticket, by: &Issue<'_>, out: &mut Findings) {
        let no = ticket.no.clone();
        if self.known.contains_key(&no) {
            out.say(FindingKind::WrongTicket, format!("ticket {no} was issued before"));
            return;
        }
        match &ticket.tag {
            Some(tag) => self.tagged(&no, tag, by, out),
            None => self.named_by_number(&no, out),
        }
        if let (Some(named), Some(currency)) = (&ticket.currency, by.currency)
            && named != currency
        {
            out.say(FindingKind::WrongTicket, format!("ticket {no} names {named}, at a table of {currency}"));
        }
        if let Some(currency) = by.currency.or(ticket.currency.as_ref()) {
            self.currencies.insert(no.clone(), currency.clone());
        }
        self.known.insert(no, ticket);
    }

    /// A ticket that is named by its number, as in release 0.1.0. A demonstration may number its tickets as it likes.
    fn named_by_number(&self, no: &TicketNo, out: &mut Findings) {
        let checks = TicketNo::from_typed(no.as_str()).is_some_and(|typed| typed == *no);
        if self.kind == Some(LedgerKind::House) && !checks {
            out.say(FindingKind::WrongTicket, format!("ticket {no} has no good check digits"));
        }
    }

    fn tagged(&mut self, no: &TicketNo, tag: &TicketTag, by: &Issue<'_>, out: &mut Findings) {
        let Volume::Table(table) = by.volume else { return };
        let is_serial = *no == TicketNo::serial(table, by.entry.seq);
        out.hold(is_serial, FindingKind::WrongTicket, "a ticket that is not named after its table and entry");
        if let Some(other) = self.tagged.insert(tag.digest, no.clone()) {
            out.say(FindingKind::WrongTicket, format!("tickets {other} and {no} have the same number"));
        }
        // Which key was in use may stand in the archive.
        let is_adopted = match self.adopted.last() {
            Some(adopted) => *adopted == tag.key,
            None => self.begins_late,
        };
        out.hold(is_adopted, FindingKind::WrongTicket, "a ticket made with a key that was not in use");
        let key = self.keys.iter().find(|key| *key.id() == tag.key);
        if let (Some(key), Some(ledger)) = (key, self.ledger) {
            let number = key.number(ledger, table, &by.entry.order.id, by.attempt);
            let fits = key.tag(ledger, &number) == *tag;
            out.hold(fits, FindingKind::WrongTicket, "the tag of a ticket is not that of its number");
        }
    }

    /// A ticket is used up: it becomes credits, cash, or void.
    pub(crate) fn use_up(&mut self, no: &TicketNo, asked: &Use<'_>, out: &mut Findings) {
        let Use { amount, currency, at, becomes, by_two } = *asked;
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
        if let (Some(issued), Some(currency)) = (self.currencies.get(no), currency)
            && issued != currency
        {
            out.say(
                FindingKind::TicketNotGood,
                format!("ticket {no} was issued in {issued}, and used in {currency}"),
            );
        }
        // Two people can still pay an expired ticket or make it void.
        if !by_two && at > ticket.expires {
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
