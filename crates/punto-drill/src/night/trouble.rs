//! What each trouble does.

use punto_record::{Actor, Command};
use punto_rules::PatronNo;

use super::{Night, PATIENCE};
use crate::device::{Pending, Role};
use crate::faults::{Trouble, trouble};
use crate::floor::PATRONS;
use crate::network::Happening;

impl Night<'_> {
    /// Something goes wrong.
    pub(super) fn trouble(&mut self) -> Result<(), String> {
        let pause = 100_000 / u64::from(self.plan.trouble.max(1));
        let next = self.now + self.dice.between(pause, 3 * pause);
        self.queue.put(next, Happening::Trouble);
        let table = self.dice.below(self.stations.len());
        match trouble(&mut self.dice) {
            Trouble::Crash(moment) => {
                self.doom = Some(moment);
                Ok(())
            }
            Trouble::PowerCut => {
                if self.server.desks[table].table().state().round().is_some() {
                    self.counters.power_cuts += 1;
                }
                self.interrupt(table)
            }
            Trouble::TerminalLost => self.lose_terminal(table),
            Trouble::DiskFull => self.server.fill_disk().map_err(|error| error.to_string()),
            Trouble::OtherWriter => {
                self.superseded = true;
                self.server.other_writer().map_err(|error| error.to_string())
            }
            Trouble::ClockForward => {
                self.counters.clocks_forward += 1;
                // Now and then so far that tickets expire. In a house the recorded clock does not follow that by itself.
                let days = if self.dice.chance(20) { 2 * 86_400_000 } else { 0 };
                let by = self.dice.between(1_000, 90_000) as i64;
                let (followed, unfollowed) = if self.in_a_house { (0, days) } else { (days, 0) };
                self.server.unfollowed += unfollowed;
                self.jump(by.saturating_add_unsigned(followed))
            }
            Trouble::ClockBack => {
                self.counters.clocks_back += 1;
                let by = self.dice.between(1_000, 20_000) as i64;
                self.jump(-by)
            }
            Trouble::TicketRace => self.ticket_race(),
            Trouble::SnapshotsDeleted => match self.server.vault().drop_snapshots() {
                Ok(()) => {
                    self.counters.snapshots_deleted += 1;
                    Ok(())
                }
                Err(error) => self.failed(&error),
            },
        }
    }

    pub(super) fn jump(&mut self, by: i64) -> Result<(), String> {
        let from = self.server.clock(self.now);
        self.server.ahead += by;
        self.note_clock(from)
    }

    pub(super) fn lose_terminal(&mut self, table: usize) -> Result<(), String> {
        let patron = PatronNo(1 + self.dice.below(PATRONS as usize) as u32);
        let device = self.stations[table].device(Role::Terminal(patron));
        if device.is_dark(self.now) {
            return Ok(());
        }
        self.counters.terminals_lost += 1;
        device.dark_until = self.now + self.dice.between(500, 8_000);
        self.give(table, Role::House, Actor::House, Command::LoseTerminal { patron })
    }

    /// Two orders for one ticket at the same moment, at two tables or at the cage.
    pub(super) fn ticket_race(&mut self) -> Result<(), String> {
        let Some(ticket) = self.watch().good_ticket() else { return Ok(()) };
        let now = self.now;
        let mut at = Vec::new();
        for (table, station) in self.stations.iter_mut().enumerate() {
            let idle = station.devices().find(|(role, device)| {
                matches!(role, Role::Terminal(_)) && device.pending.is_none() && !device.is_dark(now)
            });
            if let Some((Role::Terminal(patron), _)) = idle {
                at.push((table, patron));
            }
        }
        self.dice.shuffle(&mut at);
        let takers: Vec<_> = at.into_iter().take(2).collect();
        if takers.len() < 2 {
            return Ok(());
        }
        self.counters.ticket_races += 1;
        for (table, patron) in takers {
            let command = Command::RedeemTicket { patron, ticket: ticket.clone() };
            let device = self.stations[table].device(Role::Terminal(patron));
            let order = device.order(Actor::Patron { patron }, None, command);
            device.pending = Some(Pending { order: order.clone(), tries: 1 });
            let n = order.id.n;
            self.counters.orders += 1;
            self.queue.put(now + 5, Happening::Arrives { table, order });
            self.queue.put(now + PATIENCE, Happening::Impatience { table, role: Role::Terminal(patron), n });
        }
        if self.dice.chance(30) {
            return self.cage_pays(&ticket);
        }
        Ok(())
    }
}
