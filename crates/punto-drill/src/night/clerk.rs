//! The cage and the office ask the ledger for deeds, over the same bad network as everybody; each waits for one answer at a time.

use punto_ledger::{Credential, Error};
use punto_record::{Actor, Deed, OrderId, Person, TicketAnswer, Volume, digest};
use punto_rules::PatronNo;

use super::{MOST_TRIES, Night, PATIENCE, WROTE_ON};
use crate::faults::{Delivery, Moment, delivery};
use crate::network::{Clerk, Happening};

/// How far the system's clock may be from what somebody signed for, in milliseconds.
const NEARLY: u64 = 2_000;

/// What a clerk waits for.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    pub(super) n: u64,
    pub(super) pending: Option<(Actor, Deed, u32)>,
}

impl Clerk {
    fn device(self) -> &'static str {
        match self {
            Clerk::Cage => "cage",
            Clerk::Office => "office",
        }
    }
}

/// The credential that a device is given by a deed. The same request again gives the same one.
pub(crate) fn credential_of(id: &OrderId, deed: &Deed) -> Option<Credential> {
    let text = || digest(format!("{} {}", id.device, id.n).as_bytes()).to_string();
    matches!(deed, Deed::DeviceEnrolled { .. }).then(|| Credential::new(text()))
}

impl Night<'_> {
    pub(super) fn clerk_acts(&mut self, clerk: Clerk) -> Result<(), String> {
        let next = match clerk {
            Clerk::Cage => self.dice.between(300, 2_500),
            Clerk::Office => self.dice.between(200, 800),
        };
        self.queue.put(self.now + next, Happening::ClerkActs { clerk });
        match clerk {
            Clerk::Cage => self.cage_acts(),
            Clerk::Office => {
                self.office_acts();
                Ok(())
            }
        }
    }

    pub(super) fn clerk(&mut self, clerk: Clerk) -> &mut Waiting {
        match clerk {
            Clerk::Cage => &mut self.cage,
            Clerk::Office => &mut self.office,
        }
    }

    /// Asks for a deed.
    pub(super) fn asks(&mut self, clerk: Clerk, by: Actor, deed: Deed) {
        let waiting = self.clerk(clerk);
        waiting.n += 1;
        waiting.pending = Some((by, deed, 1));
        self.counters.orders += 1;
        self.send_deed(clerk);
    }

    fn send_deed(&mut self, clerk: Clerk) {
        let waiting = self.clerk(clerk);
        let n = waiting.n;
        let Some((by, deed, _)) = waiting.pending.clone() else { return };
        let id = OrderId { device: clerk.device().into(), n };
        let doing = if self.closing { Delivery::Prompt } else { delivery(&mut self.dice, self.plan.trouble) };
        let at = self.now + self.dice.between(2, 30);
        let arrives = Happening::DeedArrives { clerk, id, by, deed };
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
        self.queue.put(self.now + PATIENCE, Happening::ClerkWaits { clerk, n });
    }

    pub(super) fn deed_arrives(
        &mut self,
        clerk: Clerk,
        id: OrderId,
        by: Actor,
        deed: Deed,
    ) -> Result<(), String> {
        let people: Vec<Person> = by.person().into_iter().chain(deed.second()).cloned().collect();
        if !self.come_in(&people)? {
            return Ok(());
        }
        if self.doom == Some(Moment::Append) {
            self.counters.crashes_before_append += 1;
            return self.crash();
        }
        let done = match self.is_about_now(&deed) {
            true => match self.write(&id, by, &deed)? {
                Some(done) => done,
                None => return Ok(()),
            },
            false => false,
        };
        self.look()?;
        let (n, at) = (id.n, self.now + self.dice.between(2, 30));
        if self.closing || !self.dice.chance(3) {
            self.queue.put(at, Happening::DeedAnswered { clerk, n, done });
        } else {
            self.counters.replies_lost += 1;
        }
        Ok(())
    }

    /// Whether it is in the record now; nothing if the software had to start again.
    fn write(&mut self, id: &OrderId, by: Actor, deed: &Deed) -> Result<Option<bool>, String> {
        let signed = self.server.sign_deed(&by, deed, self.now, &mut self.dice, &mut self.phones);
        if let Err(error) = signed {
            return self.failed(&error).map(|()| None);
        }
        let at = self.server.recorded(self.now);
        let before = self.server.vault().head(&Volume::House);
        let credential = credential_of(id, deed);
        match self.server.vault().deed_with(id.clone(), by, at, deed.clone(), credential) {
            Ok(_) if self.superseded => Err(WROTE_ON.to_owned()),
            Ok(_) if self.doom == Some(Moment::Receipt) => {
                self.counters.crashes_before_receipt += 1;
                self.crash().map(|()| None)
            }
            Ok(_) => {
                if self.server.vault().head(&Volume::House) != before {
                    self.carried_out(deed)?;
                }
                Ok(Some(true))
            }
            Err(error) if error.is_refusal() => {
                let expired = matches!(error, Error::Ticket { answer: TicketAnswer::Expired, .. });
                self.counters.expired_refused += u64::from(expired);
                Ok(Some(false))
            }
            Err(error) => self.failed(&error).map(|()| None),
        }
    }

    /// Whether a deed is about how things stand, as the server looks before it asks the vault.
    fn is_about_now(&mut self, deed: &Deed) -> bool {
        if let Deed::ClockConfirmed { ahead, .. } = deed {
            self.server.unfollowed > 0 && self.server.unfollowed.abs_diff(*ahead) < NEARLY
        } else if let (Deed::TicketPaid { .. }, true) = (deed, self.server.is_in_doubt()) {
            self.counters.held_back += 1;
            false
        } else if let Deed::OpenedUnwitnessed { .. } = deed {
            self.server.unwitnessed && self.server.asked.all
        } else if let Deed::DeviceEnrolled { table, patron: Some(patron), .. } = deed {
            let at = self.stations.iter().position(|station| station.id == *table);
            at.is_some_and(|table| self.is_free(table, *patron))
        } else {
            true
        }
    }

    /// Whether a device may be enrolled for a patron: nothing of theirs stands at the table, and nothing is on its way into
    /// the record.
    pub(super) fn is_free(&mut self, table: usize, patron: PatronNo) -> bool {
        let head = self.server.vault().head(&self.volumes[table]).seq;
        let state = self.server.desks[table].table().state();
        let bets = state.round().is_some_and(|round| round.wagers.of(patron).next().is_some());
        let credits = state.account(patron).is_some_and(|account| !account.credits.is_zero());
        state.seq == head && !bets && !credits
    }

    /// What a deed changes beside the record.
    fn carried_out(&mut self, deed: &Deed) -> Result<(), String> {
        if let Deed::ClockConfirmed { .. } = deed {
            self.counters.clocks_confirmed += 1;
            return self.clock_follows();
        }
        if let Deed::OpenedUnwitnessed { .. } = deed {
            self.server.unwitnessed = false;
        }
        Ok(())
    }

    pub(super) fn deed_answered(&mut self, clerk: Clerk, n: u64, done: bool) {
        let waiting = self.clerk(clerk);
        if n == waiting.n && waiting.pending.take().is_some() && !done {
            self.counters.refused += 1;
        }
    }

    pub(super) fn clerk_waits(&mut self, clerk: Clerk, n: u64) -> Result<(), String> {
        let waiting = self.clerk(clerk);
        if n != waiting.n {
            return Ok(());
        }
        let Some((_, _, tries)) = &mut waiting.pending else { return Ok(()) };
        *tries += 1;
        if *tries > MOST_TRIES {
            return Err(format!("the {} never got an answer", clerk.device()));
        }
        self.counters.retries += 1;
        self.send_deed(clerk);
        Ok(())
    }
}
