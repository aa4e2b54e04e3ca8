//! What was decided goes to the ledger; what the ledger holds is looked at; and the software starts again when it must.

use punto_ledger::Error;
use punto_record::{Actor, Command, Report, Seq, Volume};

use super::{INSIDER, Night, WROTE_ON, words};
use crate::checks::Fault;
use crate::device::Role;
use crate::faults::Moment;
use crate::network::Happening;
use crate::server::From;

impl Night<'_> {
    pub(super) fn commit_soon(&mut self) {
        if !self.commit_is_due {
            self.commit_is_due = true;
            let at = self.now + self.dice.between(1, 12);
            self.queue.put(at, Happening::Commit);
        }
    }

    /// What was decided goes to the ledger, and what waited for it is said.
    pub(super) fn commit(&mut self) -> Result<(), String> {
        self.commit_is_due = false;
        self.server.tick(self.now);
        let volumes = std::mem::take(&mut self.volumes);
        let (tables, group) = self.server.group(&volumes);
        self.volumes = volumes;
        if group.is_empty() {
            return Ok(());
        }
        if self.doom == Some(Moment::Append) {
            self.counters.crashes_before_append += 1;
            return self.crash();
        }
        let results = self.server.append(&group);
        if self.superseded && results.iter().any(Result::is_ok) {
            return Err(WROTE_ON.to_owned());
        }
        if self.doom == Some(Moment::Receipt) && results.iter().all(Result::is_ok) {
            self.counters.crashes_before_receipt += 1;
            return self.crash();
        }
        self.counters.commits += 1;
        self.look()?;
        let mut broken = None;
        for (table, result) in tables.into_iter().zip(results) {
            match result {
                Ok(receipt) => {
                    // More orders may come to the desk before the receipt does.
                    let (life, seq) = (self.stations[table].life, receipt.seq());
                    let at = self.now + self.dice.between(0, 15);
                    self.queue.put(at, Happening::Receipt { table, life, seq });
                }
                Err(error) if error.is_refusal() => self.reload(table, &error)?,
                Err(error) => broken = Some(error),
            }
        }
        if let Some(error) = broken {
            return self.failed(&error);
        }
        self.now_and_then()
    }

    /// A desk learns what is durable, and says what waited for it.
    pub(super) fn receipt(&mut self, table: usize, life: u64, seq: Seq) -> Result<(), String> {
        if self.stations[table].life != life {
            return Ok(());
        }
        let outbox = self.server.desks[table].receipt(seq);
        let says = !outbox.replies.is_empty();
        self.say(table, outbox)?;
        if self.doom == Some(Moment::Delivery) && says {
            self.counters.crashes_before_delivery += 1;
            return self.crash();
        }
        Ok(())
    }

    pub(super) fn now_and_then(&mut self) -> Result<(), String> {
        let table = self.dice.below(self.stations.len());
        if self.dice.rarely(25) {
            let volume = self.volumes[table].clone();
            match self.server.keep_snapshot(table, &volume) {
                Ok(kept) => self.counters.snapshots += u64::from(kept),
                Err(error) => return self.failed(&error),
            }
        }
        if self.dice.rarely(10) {
            match self.server.checkpoint(self.now) {
                Ok(Some(signed)) => {
                    self.counters.checkpoints += 1;
                    self.counters.root = Some(signed.checkpoint.root);
                    self.watch().checkpoint(signed);
                }
                Ok(None) => {}
                Err(error) => return self.failed(&error),
            }
        }
        if self.dice.rarely(2) {
            match self.server.rotate_key(self.now, self.dice.bytes()) {
                Ok(()) => self.counters.keys_adopted += 1,
                Err(error) => return self.failed(&error),
            }
        }
        let at = self.server.recorded(self.now);
        if self.server.vault().factor_resets().any(|reset| reset.due <= at) {
            self.resets_due()?;
        }
        if self.dice.rarely(50) {
            let watch = self.watch.as_ref().expect("until the end");
            let (state, id) = (self.server.desks[table].table().state(), &self.stations[table].id);
            if watch.state(id).is_some_and(|known| known.seq == state.seq) {
                watch.is_the_same(id, state, self.counters)?;
            }
        }
        Ok(())
    }

    /// Reads what the ledger holds and looks at all of it; people see it too.
    pub(super) fn look(&mut self) -> Result<(), String> {
        let watch = self.watch.as_mut().expect("until the end");
        let read = match watch.catch_up(self.server.vault(), &self.phones, self.counters) {
            Ok(read) => read,
            Err(fault) => {
                if let Fault::Books(mismatch) = &fault
                    && let Volume::Table(table) = &mismatch.volume
                {
                    let at = self.server.recorded(self.now);
                    self.server
                        .vault()
                        .lock(at, table, &mismatch.to_string())
                        .map_err(|error| error.to_string())?;
                }
                return Err(words(fault));
            }
        };
        for (table, entry) in read {
            let at = self.stations.iter().position(|station| station.id == table);
            let at = at.ok_or_else(|| format!("an entry of {table}, which is nowhere"))?;
            entry.events.iter().for_each(|event| self.stations[at].felt.see(event));
            if entry.order.id.device.as_str() == INSIDER {
                self.insider_hears(at, entry.order.id.n, false);
            }
        }
        Ok(())
    }

    /// The ledger failed: the desks stop, say so, and the software starts again.
    pub(super) fn failed(&mut self, error: &Error) -> Result<(), String> {
        match error {
            Error::Full => self.counters.disks_full += 1,
            Error::Fenced => self.counters.other_writers += 1,
            Error::Conflict { .. }
            | Error::Unchained { .. }
            | Error::Ticket { .. }
            | Error::OtherTickets(_)
            | Error::Unnameable(_)
            | Error::Unfit(_)
            | Error::Locked(_)
            | Error::NotAllowed(_)
            | Error::OrderIdReused
            | Error::ForeignRows
            | Error::Owned(_)
            | Error::Stopped(_)
            | Error::Damaged(_)
            | Error::Unsuitable(_)
            | Error::Unreachable(_)
            | Error::Failed(_) => return Err(format!("the ledger: {error}")),
        }
        self.cut(None);
        for table in 0..self.stations.len() {
            let outbox = self.server.stop(table);
            self.say(table, outbox)?;
        }
        self.start_again()
    }

    /// One table's batch was refused: its desk starts again from the record.
    pub(super) fn reload(&mut self, table: usize, error: &Error) -> Result<(), String> {
        // Only a ticket may have changed in between.
        let Error::Ticket { .. } = error else { return Err(format!("a batch was refused: {error}")) };
        self.counters.tables_reloaded += 1;
        self.cut(Some(table));
        let outbox = self.server.stop(table);
        self.say(table, outbox)?;
        self.read_back(table)?;
        self.interrupt(table)
    }

    /// The software dies.
    pub(super) fn crash(&mut self) -> Result<(), String> {
        self.cut(None);
        self.start_again()
    }

    pub(super) fn cut(&mut self, of: Option<usize>) {
        let (orders, answers) = self.queue.cut(of);
        self.counters.orders_lost += orders;
        self.counters.replies_lost += answers;
    }

    pub(super) fn start_again(&mut self) -> Result<(), String> {
        self.counters.restarts += 1;
        self.open_again()
    }

    /// The ledger is opened, the tables are read back, and witnesses are asked.
    pub(super) fn open_again(&mut self) -> Result<(), String> {
        self.superseded = false;
        self.doom = None;
        self.lives += 1;
        self.server
            .start_again(self.now)
            .map_err(|error| format!("the ledger cannot be opened again: {error}"))?;
        self.look()?;
        let watch = self.watch.as_ref().expect("until the end");
        watch.register_is_the_same(self.server.vault().found_amiss(), self.counters)?;
        for table in 0..self.stations.len() {
            self.read_back(table)?;
        }
        for table in 0..self.stations.len() {
            self.interrupt(table)?;
        }
        match self.in_a_house {
            true => self.ask_witnesses(),
            false => Ok(()),
        }
    }

    pub(super) fn read_back(&mut self, table: usize) -> Result<(), String> {
        self.stations[table].life += 1;
        let volume = self.volumes[table].clone();
        match self.server.read_back(table, &volume)? {
            From::OldSnapshot => self.counters.snapshots_old += 1,
            From::Start | From::Snapshot => {}
        }
        let watch = self.watch.as_ref().expect("until the end");
        let state = self.server.desks[table].table().state();
        watch.is_the_same(&self.stations[table].id, state, self.counters)
    }

    /// A crash is a technical interruption: the house reports it before anything else.
    pub(super) fn interrupt(&mut self, table: usize) -> Result<(), String> {
        if self.server.desks[table].table().state().round().is_none() {
            return Ok(());
        }
        let command = Command::Report { report: Report::TechnicalInterruption { cause: None } };
        self.give(table, Role::House, Actor::House, command)
    }
}
