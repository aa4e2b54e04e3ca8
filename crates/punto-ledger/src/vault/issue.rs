//! Tickets and their numbers: which ticket a number belongs to, and what a new one is called. Numbers come in and go out
//! here; nothing of what is written has one.

use std::collections::BTreeMap;

use punto_record::{
    Command, CommandKind, Deed, NewTicket, OrderId, Seq, TableId, Ticket, TicketKeyId, TicketNo,
    TicketNumber, TicketState, TicketTag, Timestamp,
};

use super::Vault;
use super::book::Good;
use crate::Error;
use crate::ticket_keys::TicketKeys;

/// How many numbers are tried for a new ticket. One in 10¹⁶ is taken for each ticket that there is.
const ATTEMPTS: u32 = 8;

impl Vault {
    /// Takes the keys of ticket numbers. New tickets are made with the key that the record names; if it is not among them, or
    /// the record names none, with another one, which is written down.
    ///
    /// # Errors
    /// If a key cannot be made, or the store failed.
    pub fn use_ticket_keys(&mut self, mut keys: TicketKeys, at: Timestamp) -> Result<(), Error> {
        let adopted = self.house.ticket_key.clone();
        if adopted.as_ref().is_none_or(|id| keys.get(id).is_none()) {
            let key = match keys.all().last() {
                Some(key) => key.id().clone(),
                None => keys.add()?,
            };
            self.own_deed(at, Deed::TicketKeyAdopted { key, before: adopted })?;
        }
        self.ticket_keys = keys;
        Ok(())
    }

    /// The key that new tickets are made with, by the record.
    pub const fn ticket_key(&self) -> Option<&TicketKeyId> {
        self.house.ticket_key.as_ref()
    }

    /// Makes new tickets with a new key from now on. Keys are forgotten when the last ticket made with them was used and has
    /// expired: two people may still pay an expired one.
    ///
    /// # Errors
    /// If the key cannot be kept, or the store failed.
    pub fn rotate_ticket_key(&mut self, at: Timestamp) -> Result<TicketKeyId, Error> {
        self.running()?;
        let before = self.house.ticket_key.clone();
        // Kept before it is adopted: no ticket is ever made with a key that could be lost.
        let key = self.ticket_keys.add()?;
        self.own_deed(at, Deed::TicketKeyAdopted { key: key.clone(), before })?;
        let mut needed: Vec<TicketKeyId> = vec![key.clone()];
        // Used tickets count as well: an order that redeemed one may be repeated.
        let rows = self.store.tickets(&mut |row: Ticket| {
            needed.extend(row.tag.filter(|_| at <= row.expires).map(|tag| tag.key));
        });
        self.or_stop(rows)?;
        needed.extend(self.book.keys().cloned());
        self.ticket_keys.retain(|id| needed.contains(id))?;
        Ok(key)
    }

    /// Good tickets by the key that they were made with, where that key is not at hand: nobody finds them by their number.
    pub fn tickets_without_key(&self) -> BTreeMap<TicketKeyId, u64> {
        let mut found = BTreeMap::new();
        for key in self.book.keys().filter(|key| self.ticket_keys.get(key).is_none()) {
            *found.entry(key.clone()).or_default() += 1;
        }
        found
    }

    /// The ticket whose number somebody presents, in any state; [`TicketNo::unknown`] if there is none. A serial is no
    /// number: whoever knows one gets nothing for it.
    ///
    /// # Errors
    /// If the store failed.
    pub fn present(&mut self, presented: &str) -> Result<TicketNo, Error> {
        match TicketNumber::from_typed(presented) {
            Some(number) => Ok(self.find(&number)?.unwrap_or_else(TicketNo::unknown)),
            None => Ok(TicketNo::unknown()),
        }
    }

    /// Puts the ticket in the place of the number that somebody presents by an order, or read out to whoever reports. The
    /// same order said again names the same ticket again.
    ///
    /// # Errors
    /// If the store failed.
    pub fn find_presented(&mut self, command: &mut Command) -> Result<(), Error> {
        let redeems = command.kind() == CommandKind::RedeemTicket;
        let Some(ticket) = command.presented() else { return Ok(()) };
        // A report may name a ticket by its serial.
        if redeems || ticket.may_be_number() {
            *ticket = self.present(ticket.as_str())?;
        }
        Ok(())
    }

    fn find(&mut self, number: &TicketNumber) -> Result<Option<TicketNo>, Error> {
        let ledger = self.house.ledger;
        let tags: Vec<TicketTag> =
            self.ticket_keys.all().iter().rev().map(|key| key.tag(ledger, number)).collect();
        for tag in &tags {
            if let Some(ticket) = self.book.tagged(&tag.digest) {
                return Ok(Some(ticket.clone()));
            }
            let row = self.store.tagged(&tag.digest);
            if let Some(ticket) = self.or_stop(row)? {
                return Ok(Some(ticket));
            }
        }
        let name = number.first_release_name();
        if let Some(Good { tag: None, .. }) = self.book.get(name) {
            return Ok(Some(name.clone()));
        }
        let row = match self.store.ticket(name) {
            // A row that cannot be read is looked at when the ticket is.
            Err(Error::Damaged(_)) => return Ok(Some(name.clone())),
            row => self.or_stop(row)?,
        };
        Ok(row.filter(|row| row.tag.is_none()).map(|row| row.no))
    }

    /// What the ticket is called that an order issues by this entry, and its number. `None` without a key.
    ///
    /// # Errors
    /// If the store failed.
    pub fn new_ticket(
        &mut self,
        table: &TableId,
        seq: Seq,
        order: &OrderId,
    ) -> Result<Option<(NewTicket, TicketNumber)>, Error> {
        self.running()?;
        let Some(key) = self.house.ticket_key.as_ref().and_then(|id| self.ticket_keys.get(id)) else {
            return Ok(None);
        };
        let key = key.clone();
        for attempt in 0..ATTEMPTS {
            let number = key.number(self.house.ledger, table, order, attempt);
            if self.find(&number)?.is_none() {
                let tag = Some(key.tag(self.house.ledger, &number));
                return Ok(Some((NewTicket { ticket: TicketNo::serial(table, seq), tag, attempt }, number)));
            }
        }
        Ok(None)
    }

    /// The ticket that an order issued by this entry, with its number, derived again. `None` if it issued none, or the key is
    /// not at hand.
    ///
    /// # Errors
    /// If the store failed.
    pub fn issued_ticket(
        &mut self,
        table: &TableId,
        seq: Seq,
        order: &OrderId,
    ) -> Result<Option<(Ticket, TicketNumber)>, Error> {
        let no = TicketNo::serial(table, seq);
        // The record before the row, which anybody might have changed who can write to the store.
        let ticket = match self.book.get(&no) {
            Some(Good { amount, currency, issued, expires, tag, .. }) => {
                let (amount, issued, expires, tag) = (*amount, *issued, *expires, tag.clone());
                let (currency, state) = (currency.clone(), TicketState::Good);
                Some(Ticket { no, amount, currency, issued, expires, tag, state })
            }
            None => {
                let row = self.store.ticket(&no);
                self.or_stop(row)?
            }
        };
        let Some(ticket) = ticket else { return Ok(None) };
        let Some(key) = ticket.tag.as_ref().and_then(|tag| self.ticket_keys.get(&tag.key)) else {
            return Ok(None);
        };
        let ledger = self.house.ledger;
        let mut numbers = (0..ATTEMPTS).map(|attempt| key.number(ledger, table, order, attempt));
        let number = numbers.find(|number| ticket.tag.as_ref() == Some(&key.tag(ledger, number)));
        Ok(number.map(|number| (ticket, number)))
    }
}
