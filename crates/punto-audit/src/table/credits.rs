//! Credits, tickets and the tray: what may be moved, and what stands afterwards.

use punto_record::{Command, Event, Timestamp};
use punto_rules::{IrregularityKind, Money, PatronNo};

use super::Look;
use super::books::{amount, money};
use crate::finding::FindingKind;

const DAY: u64 = 24 * 60 * 60 * 1000;

impl Look<'_> {
    pub(super) fn cash_out(&mut self, patron: PatronNo) {
        self.credits_kept();
        self.nothing_pending();
        let stands = self.round().is_some_and(|round| round.bets(patron));
        self.in_turn(!stands, "cashed out with bets in a running Round");
        let credits = self.table.books.account(patron).credits;
        self.must(credits > 0, FindingKind::WrongCredits, "nothing was cashed out");
    }

    /// What only the event can say: how much a ticket was good for, and the number of a new one. Tickets are looked at
    /// across all tables; the rest is due as anything else.
    pub(super) fn with_ticket(&mut self, event: &Event) {
        if let (Command::RedeemTicket { patron, ticket }, Event::TicketRedeemed { amount, .. }) =
            (&self.order.command, event)
        {
            self.something(*amount);
            let (patron, ticket, amount) = (*patron, ticket.clone(), *amount);
            let credits = self.credits_after(patron, amount);
            self.due.push(Event::TicketRedeemed { patron, ticket, amount, credits });
        }
        if let (Command::CashOut { patron }, Event::CashedOut { ticket, .. }) = (&self.order.command, event) {
            let (patron, ticket) = (*patron, ticket.clone());
            let amount = money(self.table.books.account(patron).credits).unwrap_or_default();
            let days = u64::from(self.law.settings.ticket_days);
            let expires = Timestamp(self.at.0.saturating_add(days.saturating_mul(DAY)));
            self.due.push(Event::CashedOut { patron, ticket, amount, expires });
        }
    }

    pub(super) fn credits_after(&self, patron: PatronNo, more: Money) -> Money {
        money(self.table.books.account(patron).credits + amount(more)).unwrap_or(Money::MAX)
    }

    pub(super) fn credits_kept(&mut self) {
        self.must(!self.law.is_chips(), FindingKind::WrongCredits, "a chip table keeps no credits");
    }

    pub(super) fn chips_kept(&mut self) {
        self.must(self.law.is_chips(), FindingKind::WrongFloat, "a table with credits has no float");
    }

    pub(super) fn float_open(&mut self) {
        self.in_turn(self.table.books.float.is_some(), "the float is not open");
    }

    pub(super) fn moves_chips(&mut self, chips: Money, out_of_the_tray: bool) {
        self.chips_kept();
        self.float_open();
        self.something(chips);
        let there = !out_of_the_tray || self.table.books.float.is_none_or(|float| amount(chips) <= float);
        self.must(there, FindingKind::WrongFloat, "more chips than were in the tray");
    }

    /// Cash-out waits while a correction may come (interpretation 28).
    pub(super) fn nothing_pending(&mut self) {
        let pending = self.table.matters.iter().any(|matter| {
            matches!(matter.kind, IrregularityKind::WrongResult | IrregularityKind::WrongNumberOfCards)
        });
        self.in_turn(!pending, "a correction may still come");
    }
}
