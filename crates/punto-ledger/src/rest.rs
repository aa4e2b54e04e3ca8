//! How far the recorded clock follows the system's at a start. A closed house cannot know how long it was closed: whoever sets
//! the host's clock and starts the software again says so, and could say it again and again. Trust is therefore kept like a
//! balance, from the record alone: time at rest is taken from it, time at work earns it back.

use punto_record::{Deed, HouseEntry, Timestamp};

const HOUR: u64 = 60 * 60_000;

/// How far the recorded clock follows the system's forward while the software runs, in all until it is started again, in
/// milliseconds.
pub const WHILE_RUNNING: u64 = HOUR;

/// The most that a house may have been at rest before two people say that the system's clock is right, in milliseconds: a
/// week, and a day for when it closed and opens.
pub const AT_REST: u64 = 8 * 24 * HOUR;

/// How much time at rest an hour at work earns: a house that is open for eight hours a day is never asked.
const EARNED: u64 = 2;

/// The balance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rest {
    left: u64,
    /// How much of this run may have been the system's word as well.
    doubtful: u64,
    /// The time of the last entry.
    now: Timestamp,
}

impl Rest {
    pub(crate) const fn founded(at: Timestamp) -> Rest {
        Rest { left: AT_REST, doubtful: 0, now: at }
    }

    pub(crate) const fn left(&self) -> u64 {
        self.left
    }

    pub(crate) fn enter(&mut self, entry: &HouseEntry) {
        let elapsed = entry.at.0.saturating_sub(self.now.0);
        self.now = self.now.max(entry.at);
        if let Deed::SoftwareStarted { at_rest, .. } = &entry.deed {
            // Earlier builds did not say how much of it was at rest.
            let rested = at_rest.unwrap_or(elapsed);
            self.earn(elapsed.saturating_sub(rested));
            self.left = self.left.saturating_sub(at_rest.unwrap_or(0));
            // Nothing is written down when a run follows by itself: so much of it counts as time at rest.
            self.doubtful = WHILE_RUNNING;
        } else {
            self.earn(elapsed);
        }
        if let Deed::ClockConfirmed { .. } = &entry.deed {
            self.left = AT_REST;
        }
    }

    fn earn(&mut self, elapsed: u64) {
        let doubtful = elapsed.min(self.doubtful);
        self.doubtful -= doubtful;
        let earned = (elapsed - doubtful).saturating_mul(EARNED);
        self.left = self.left.saturating_sub(doubtful).saturating_add(earned).min(AT_REST);
    }
}
