//! Tickets as their holders know them: issued once, used once, with their own worth; what has expired by two people only.

use punto_record::{Currency, Deed, Event, HouseEntry, TableId, TicketNo, Timestamp};
use punto_rules::Money;

use super::Watch;
use crate::Counters;

/// Tickets that somebody may still have in a pocket.
const POCKETS: usize = 24;

/// A ticket as its holder knows it.
#[derive(Clone, Debug)]
pub(crate) struct Slip {
    pub(crate) amount: Money,
    pub(crate) currency: Option<Currency>,
    pub(crate) expires: Timestamp,
    pub(crate) used: u32,
}

impl Watch {
    /// What a deed does to a ticket.
    pub(super) fn ticket_deed(&mut self, entry: &HouseEntry, counters: &mut Counters) -> Result<(), String> {
        let (Deed::TicketPaid { ticket, amount, currency, .. }
        | Deed::TicketVoided { ticket, amount, currency, .. }) = &entry.deed
        else {
            return Ok(());
        };
        counters.tickets_at_the_cage += 1;
        if self.slip(ticket).is_some_and(|slip| entry.at > slip.expires) {
            if let Deed::TicketPaid { second, reason, .. } = &entry.deed {
                if second.is_none() || reason.is_none() {
                    return Err(format!("ticket {ticket} had expired, and one person paid it"));
                }
                counters.expired_paid += 1;
            } else {
                counters.expired_voided += 1;
            }
        }
        self.use_up(ticket, *amount, currency.as_ref())
    }

    fn use_up(
        &mut self,
        ticket: &TicketNo,
        amount: Money,
        currency: Option<&Currency>,
    ) -> Result<(), String> {
        let slip = self.tickets.get_mut(ticket).ok_or_else(|| format!("ticket {ticket} was never issued"))?;
        slip.used += 1;
        self.pockets.retain(|it| it != ticket);
        self.at_home.retain(|it| it != ticket);
        keep(&mut self.spent, ticket);
        if slip.used > 1 {
            return Err(format!("ticket {ticket} was used {} times", slip.used));
        }
        match slip.amount == amount && slip.currency.as_ref() == currency {
            true => Ok(()),
            false => Err(format!(
                "ticket {ticket} is worth {} {:?}, used for {amount} {currency:?}",
                slip.amount, slip.currency
            )),
        }
    }

    /// What an event of a table does to tickets, and to the currency that they are of.
    pub(super) fn ticket(
        &mut self,
        table: &TableId,
        (event, at): (&Event, Timestamp),
        counters: &mut Counters,
    ) -> Result<(), String> {
        if let Event::TableOpened { settings, .. } | Event::SettingsChanged { settings, .. } = event {
            let before = self.currencies.insert(table.clone(), settings.currency.clone());
            if before.is_some_and(|before| before != settings.currency) {
                return Err(format!("{table} has another currency than before"));
            }
        }
        if let Event::CashedOut { ticket, amount, currency, expires, .. } = event {
            counters.tickets_issued += 1;
            let slip = Slip { amount: *amount, currency: currency.clone(), expires: *expires, used: 0 };
            if self.tickets.insert(ticket.clone(), slip).is_some() {
                return Err(format!("ticket {ticket} was issued twice"));
            }
            // In a house every other ticket goes home with its holder, for another evening.
            let goes_home = self.house.is_house() && self.tickets.len().is_multiple_of(2);
            keep(if goes_home { &mut self.at_home } else { &mut self.pockets }, ticket);
        }
        if let Event::TicketRedeemed { ticket, amount, .. } = event {
            counters.tickets_redeemed += 1;
            if self.slip(ticket).is_some_and(|slip| at > slip.expires) {
                return Err(format!("ticket {ticket} had expired and became credits"));
            }
            let currency = self.currencies.get(table).cloned();
            return self.use_up(ticket, *amount, currency.as_ref());
        }
        Ok(())
    }

    /// A ticket as its holder knows it, if there is one.
    pub(crate) fn slip(&self, ticket: &TicketNo) -> Option<Slip> {
        self.tickets.get(ticket).cloned()
    }

    /// The next evening: whoever took a ticket home brings it along.
    pub(crate) fn next_evening(&mut self) {
        for ticket in std::mem::take(&mut self.at_home) {
            keep(&mut self.pockets, &ticket);
        }
    }

    /// A ticket that nobody has used, if there is one in a pocket.
    pub(crate) fn good_ticket(&self) -> Option<TicketNo> {
        self.pockets.last().cloned()
    }

    /// Tickets that nobody has used and that have expired.
    pub(crate) fn expired_tickets(&self, at: Timestamp) -> impl Iterator<Item = &TicketNo> {
        let has_expired = move |it: &&TicketNo| self.tickets.get(*it).is_some_and(|slip| at > slip.expires);
        self.pockets.iter().filter(has_expired)
    }
}

fn keep(tickets: &mut Vec<TicketNo>, ticket: &TicketNo) {
    if tickets.len() == POCKETS {
        tickets.remove(0);
    }
    tickets.push(ticket.clone());
}
