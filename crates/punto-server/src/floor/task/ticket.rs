//! Numbers of tickets at the table's door: one that is presented becomes a serial before anything is decided, and that of a
//! new ticket goes to the screen that gave the order, and nowhere else.

use punto_ledger::Error;
use punto_record::{Event, NewTicket, Order, OrderId, TicketNumber};

use super::Task;
use crate::wire::PrintedTicket;

impl Task {
    /// Puts the ticket in the place of a number that the order has.
    pub(super) async fn find_ticket(&mut self, order: &mut Order) -> Result<(), Error> {
        if order.command.presented().is_some() {
            let mut command = order.command.clone();
            let found =
                self.house.ledger.with(move |vault| vault.find_presented(&mut command).map(|()| command));
            order.command = found.await?;
        }
        Ok(())
    }

    /// What the ticket is called that an order issues, and its number. Of an order that was carried out before the number is
    /// derived again, to be printed again.
    pub(super) async fn new_ticket(
        &mut self,
        order: &Order,
        is_new: bool,
    ) -> Result<Option<(NewTicket, TicketNumber)>, Error> {
        // What is due by the clock goes ahead of the order, and takes numbers of entries.
        self.desk.tick(order.at);
        let (table, id) = (self.id.clone(), order.id.clone());
        if is_new {
            let seq = self.desk.table().state().seq.next();
            return self.house.ledger.with(move |vault| vault.new_ticket(&table, seq, &id)).await;
        }
        let Some(seq) = self.desk.table().answered(order).filter(|_| !self.printing.contains_key(&order.id))
        else {
            return Ok(None);
        };
        let found = self.house.ledger.with(move |vault| vault.issued_ticket(&table, seq, &id)).await?;
        if let Some((ticket, number)) = found {
            let (number, amount, expires) = (number.printed().into(), ticket.amount, ticket.expires);
            let printed = PrintedTicket { ticket: ticket.no, number, amount, expires };
            self.printing.insert(order.id.clone(), printed);
        }
        Ok(None)
    }

    /// Keeps the number of a ticket that an order has issued until the order is answered.
    pub(super) fn print(&mut self, order: &OrderId, number: &TicketNumber) {
        let entry = self.desk.entries().iter().rev().find(|entry| entry.order.id == *order);
        let issued = entry.into_iter().flat_map(|entry| &entry.events).find_map(|event| {
            let Event::CashedOut { ticket, amount, expires, .. } = event else { return None };
            Some((ticket.clone(), *amount, *expires))
        });
        if let Some((ticket, amount, expires)) = issued {
            let printed = PrintedTicket { ticket, number: number.printed().into(), amount, expires };
            self.printing.insert(order.clone(), printed);
        }
    }
}
