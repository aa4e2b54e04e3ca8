//! The cage: tickets are paid and made void there. It asks the ledger itself, over the same bad network.

use punto_record::{Actor, Deed, OrderId, TicketNo};

use super::{MOST_TRIES, Night, PATIENCE};
use crate::faults::{Delivery, delivery};
use crate::network::Happening;

/// What the cage waits for.
#[derive(Debug, Default)]
pub(super) struct Cage {
    pub(super) n: u64,
    pub(super) pending: Option<(Deed, u32)>,
}

impl Night<'_> {
    pub(super) fn cage_acts(&mut self) {
        let next = self.now + self.dice.between(300, 2_500);
        self.queue.put(next, Happening::CageActs);
        let watch = self.watch.as_ref().expect("until the end");
        let from = if self.dice.chance(15) { &watch.spent } else { &watch.pockets };
        if !from.is_empty() {
            let ticket = self.dice.pick(from);
            self.cage_pays(&ticket);
        }
    }

    pub(super) fn cage_pays(&mut self, ticket: &TicketNo) {
        let Some((amount, currency)) = self.watch().worth(ticket) else { return };
        if self.cage.pending.is_some() {
            return;
        }
        let ticket = ticket.clone();
        let deed = match self.dice.chance(25) {
            true => {
                let (second, reason) = ("p-5".into(), "torn".into());
                Deed::TicketVoided { ticket, amount, currency, second, reason }
            }
            false => Deed::TicketPaid { ticket, amount, currency, second: None, reason: None },
        };
        self.cage.n += 1;
        self.cage.pending = Some((deed.clone(), 1));
        self.counters.orders += 1;
        self.send_deed(deed);
    }

    pub(super) fn send_deed(&mut self, deed: Deed) {
        let id = OrderId { device: "cage".into(), n: self.cage.n };
        let by = Actor::Cashier { person: "c-1".into() };
        let n = id.n;
        let doing = if self.closing { Delivery::Prompt } else { delivery(&mut self.dice, self.plan.trouble) };
        let at = self.now + self.dice.between(2, 30);
        let arrives = Happening::DeedArrives { id, by, deed };
        match doing {
            Delivery::Prompt => self.queue.put(at, arrives),
            Delivery::Lost => self.counters.orders_lost += 1,
            Delivery::Late => {
                self.counters.orders_late += 1;
                self.queue.put(at + 700, arrives);
            }
            Delivery::Twice => {
                self.counters.orders_doubled += 1;
                self.queue.put(at, arrives.clone());
                self.queue.put(at + 50, arrives);
            }
        }
        self.queue.put(self.now + PATIENCE, Happening::CageWaits { n });
    }

    pub(super) fn deed_arrives(&mut self, id: OrderId, by: Actor, deed: Deed) -> Result<(), String> {
        if let Err(error) = self.server.sign_deed(&by, &deed, self.now) {
            return self.failed(&error);
        }
        let at = self.server.recorded(self.now);
        let done = match self.server.vault().deed(id.clone(), by, at, deed) {
            Ok(_) => true,
            Err(error) if error.is_refusal() => false,
            Err(error) => return self.failed(&error),
        };
        self.look()?;
        let at = self.now + self.dice.between(2, 30);
        if self.closing || !self.dice.chance(3) {
            self.queue.put(at, Happening::DeedAnswered { id, done });
        } else {
            self.counters.replies_lost += 1;
        }
        Ok(())
    }

    pub(super) fn deed_answered(&mut self, id: &OrderId, done: bool) {
        if id.n == self.cage.n && self.cage.pending.take().is_some() && !done {
            self.counters.refused += 1;
        }
    }

    pub(super) fn cage_waits(&mut self, n: u64) -> Result<(), String> {
        if n != self.cage.n {
            return Ok(());
        }
        let Some((deed, tries)) = &mut self.cage.pending else { return Ok(()) };
        *tries += 1;
        if *tries > MOST_TRIES {
            return Err("the cage never got an answer".to_owned());
        }
        let deed = deed.clone();
        self.counters.retries += 1;
        self.send_deed(deed);
        Ok(())
    }
}
