//! Orders on their way from devices to desks, and answers on their way back.

use punto_record::{Actor, Command, CommandKind, Order, Person, Reason};
use punto_table::{Answer, Outbox, Reply};

use super::{INSIDER, MOST_TRIES, Night};
use crate::device::{Pending, Role};
use crate::network::Happening;
use crate::server::Coming;

impl Night<'_> {
    /// Somebody gives an order on a device.
    pub(super) fn give(
        &mut self,
        table: usize,
        role: Role,
        by: Actor,
        command: Command,
    ) -> Result<(), String> {
        let state = self.server.desks[table].table().state();
        let names = command.kind().facts().names_its_round || self.dice.chance(20);
        let round =
            (names && !self.dice.rarely(5)).then(|| state.round().map_or(state.rounds, |round| round.no));
        self.counters.orders += 1;
        let device = self.stations[table].device(role);
        let order = device.order(by, round, command);
        if role == Role::House {
            return self.arrives(table, order);
        }
        if self.dice.rarely(3) && order.id.n > 1 {
            // A device that has lost count: an id that was used before, for another order. Nobody waits for an answer.
            self.counters.ids_reused += 1;
            device.n -= 1;
            let id = punto_record::OrderId { n: order.id.n - 1, ..order.id.clone() };
            // It may happen to want the same as before. If that was refused, nobody remembers it after a restart.
            self.watch.as_mut().expect("until the end").asks_anew(&id);
            self.queue.put(self.now + 5, Happening::Arrives { table, order: Order { id, ..order } });
            return Ok(());
        }
        device.pending = Some(Pending { order: order.clone(), tries: 1 });
        self.send(table, role, order);
        Ok(())
    }

    pub(super) fn arrives(&mut self, table: usize, order: Order) -> Result<(), String> {
        if self.server.denies(order.command.kind()) {
            self.denied(table, &order);
            return Ok(());
        }
        let people = self.people_of(&order);
        if !self.come_in(&people)? {
            return Ok(());
        }
        let volume = &self.volumes[table];
        let coming = Coming { table, volume, order, deceit: None };
        let handed = self.server.hand_in(coming, self.now, &mut self.dice, &mut self.phones);
        if let Err(error) = handed {
            return self.failed(&error);
        }
        let outbox = self.server.desks[table].outbox();
        self.say(table, outbox)?;
        self.commit_soon();
        Ok(())
    }

    /// The server does not pass an order on, and says so.
    fn denied(&mut self, table: usize, order: &Order) {
        self.counters.held_back += 1;
        let mut devices = self.stations[table].devices();
        if let Some((_, device)) = devices.find(|(_, device)| device.id == order.id.device) {
            device.pending.take_if(|pending| pending.order.id == order.id);
        }
    }

    /// Whoever answers for an order, or for what the house does about rule books with it.
    pub(super) fn people_of(&self, order: &Order) -> Vec<Person> {
        let rules = matches!(order.command.kind(), CommandKind::OpenBets | CommandKind::CloseTable);
        let office: &[&str] = if rules { &["o-1", "p-5"] } else { &[] };
        let own = order.by.person().into_iter().chain(order.command.second()).cloned();
        own.chain(office.iter().map(|person| (*person).into())).collect()
    }

    /// What a desk says goes out; it must be true when it leaves.
    pub(super) fn say(&mut self, table: usize, outbox: Outbox) -> Result<(), String> {
        let head = self.server.vault().head(&self.volumes[table]).seq;
        if let Some(frame) = outbox.frames.iter().find(|frame| frame.seq > head) {
            return Err(format!(
                "a frame for {:?} tells of entry {}, the ledger has {head}",
                frame.feed, frame.seq
            ));
        }
        for reply in outbox.replies {
            let id = self.stations[table].id.clone();
            self.watch.as_mut().expect("until the end").answer(&id, &reply, self.counters)?;
            let house = self.stations[table].device(Role::House).id.clone();
            if reply.to.device.as_str() == INSIDER {
                if let Answer::Refused(_) = reply.answer {
                    self.insider_hears(table, reply.to.n, true);
                }
            } else if reply.to.device == house {
                self.house_hears(&reply)?;
            } else if reply.to.device.as_str() != punto_table::CLOCK {
                self.send_back(table, reply);
            }
        }
        Ok(())
    }

    pub(super) fn house_hears(&mut self, reply: &Reply) -> Result<(), String> {
        if let Answer::Refused(rejection) = &reply.answer {
            self.counters.refused += 1;
            if let Reason::RevealDoesNotMatch {} = rejection.reason {
                return Err(format!("{:?}: the order of a shoe was refused that was committed to", reply.to));
            }
        }
        Ok(())
    }

    /// An answer reaches its device.
    pub(super) fn answered(&mut self, table: usize, reply: &Reply) -> Result<(), String> {
        let id = self.stations[table].id.clone();
        self.watch.as_mut().expect("until the end").answer(&id, reply, self.counters)?;
        let now = self.now;
        let mut devices = self.stations[table].devices();
        let Some((_, device)) = devices.find(|(_, device)| device.id == reply.to.device) else {
            return Ok(());
        };
        let waits = device.pending.as_ref().is_some_and(|pending| pending.order.id == reply.to);
        if !waits || device.is_dark(now) {
            return Ok(());
        }
        let Some(pending) = device.pending.take() else { return Ok(()) };
        match &reply.answer {
            Answer::Done { .. } | Answer::Before { .. } => {
                if pending.tries > 1 {
                    self.counters.learned_by_asking_again += 1;
                }
            }
            Answer::Refused(rejection) => {
                self.counters.refused += 1;
                let watch = self.watch.as_mut().expect("until the end");
                watch.told_no(&id, &pending.order, &rejection.reason)?;
            }
            Answer::Unknown => device.pending = Some(pending),
        }
        Ok(())
    }

    pub(super) fn impatience(&mut self, table: usize, role: Role, n: u64) -> Result<(), String> {
        let now = self.now;
        let device = self.stations[table].device(role);
        let Some(pending) = device.pending.as_mut().filter(|pending| pending.order.id.n == n) else {
            return Ok(());
        };
        pending.tries += 1;
        if pending.tries > MOST_TRIES {
            return Err(format!("{} never got an answer to {:?}", device.id, pending.order));
        }
        let order = pending.order.clone();
        if device.is_dark(now) {
            let light = device.dark_until;
            self.queue.put(light, Happening::Impatience { table, role, n });
            return Ok(());
        }
        self.counters.retries += 1;
        self.send(table, role, order);
        Ok(())
    }
}
