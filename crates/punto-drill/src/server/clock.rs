//! The house's clock: it follows the system's in small steps by itself, at a start for as long as a house may rest, and further
//! when two people say so.

use punto_ledger::Error;
use punto_record::{Actor, Deed, OrderId, Timestamp, digest};

use super::{SERVER, Server};

impl Server {
    /// What the clock on the wall says.
    pub(crate) const fn clock(&self, now: u64) -> Timestamp {
        Timestamp(now.saturating_add_signed(self.ahead))
    }

    /// A time to be written down.
    pub(crate) fn recorded(&mut self, now: u64) -> Timestamp {
        self.latest = self.latest.max(self.clock(now).0);
        Timestamp(self.latest)
    }

    /// Writes down what the software itself does.
    pub(crate) fn own_deed(&mut self, deed: Deed, now: u64) -> Result<(), Error> {
        self.own += 1;
        let (id, at) = (OrderId { device: SERVER.into(), n: self.own }, self.recorded(now));
        self.vault().deed(id, Actor::House, at, deed).map(|_| ())
    }

    /// Writes down that the software was started. In a house the clock follows the system's as far as a house may rest, and
    /// otherwise not at all.
    pub(super) fn started(&mut self, now: u64) -> Result<(), Error> {
        let software = digest(b"drill");
        let at_rest = match self.vault().kind().is_house() {
            true => Some(self.rested(now)),
            false => None,
        };
        self.own_deed(Deed::SoftwareStarted { software, at_rest }, now)
    }

    fn rested(&mut self, now: u64) -> u64 {
        let wall = self.clock(now).0.saturating_add(self.unfollowed);
        let (closed, may_rest) = (self.vault().closed_at().0, self.vault().may_rest());
        let forward = wall.saturating_sub(closed);
        if forward > may_rest {
            return 0;
        }
        self.follow();
        forward
    }

    /// The recorded clock follows the system's from now on.
    pub(crate) fn follow(&mut self) {
        self.ahead = self.ahead.saturating_add_unsigned(std::mem::take(&mut self.unfollowed));
    }
}
