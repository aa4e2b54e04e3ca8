//! The network between devices and tables: what is sent arrives, late, twice, or never.

use punto_record::Order;
use punto_table::Reply;

use super::{Night, PATIENCE};
use crate::device::Role;
use crate::faults::{Delivery, delivery};
use crate::network::Happening;

impl Night<'_> {
    pub(super) fn send(&mut self, table: usize, role: Role, order: Order) {
        let doing = if self.closing { Delivery::Prompt } else { delivery(&mut self.dice, self.plan.trouble) };
        let prompt = self.now + self.dice.between(2, 30);
        let late = self.now + self.dice.between(500, 6_000);
        let n = order.id.n;
        let arrives = Happening::Arrives { table, order };
        match doing {
            Delivery::Prompt => self.queue.put(prompt, arrives),
            Delivery::Lost => self.counters.orders_lost += 1,
            Delivery::Late => {
                self.counters.orders_late += 1;
                self.queue.put(late, arrives);
            }
            Delivery::Twice => {
                self.counters.orders_doubled += 1;
                self.queue.put(prompt, arrives.clone());
                self.queue.put(if n.is_multiple_of(2) { prompt + 1 } else { late }, arrives);
            }
        }
        let patience = self.now + PATIENCE + self.dice.between(0, 100);
        self.queue.put(patience, Happening::Impatience { table, role, n });
    }

    pub(super) fn send_back(&mut self, table: usize, reply: Reply) {
        let doing = if self.closing { Delivery::Prompt } else { delivery(&mut self.dice, self.plan.trouble) };
        let prompt = self.now + self.dice.between(2, 30);
        let late = self.now + self.dice.between(500, 6_000);
        let answered = Happening::Answered { table, reply };
        match doing {
            Delivery::Prompt => self.queue.put(prompt, answered),
            Delivery::Lost => self.counters.replies_lost += 1,
            Delivery::Late => {
                self.counters.replies_late += 1;
                self.queue.put(late, answered);
            }
            Delivery::Twice => {
                self.counters.replies_doubled += 1;
                self.queue.put(prompt, answered.clone());
                self.queue.put(late, answered);
            }
        }
    }
}
