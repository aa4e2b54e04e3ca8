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

/// How much time at rest an hour at work earns: a house that is open for nine hours a day is never asked.
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

#[cfg(test)]
mod tests {
    use punto_record::{Actor, Digest, OrderId, Release, Seq};

    use super::*;

    const DAY: u64 = 24 * HOUR;

    /// What is left after entries at these times.
    fn left(entries: &[(u64, Deed)]) -> u64 {
        let mut rest = Rest::founded(Timestamp(0));
        for (at, deed) in entries {
            let id = OrderId { device: "server".into(), n: 1 };
            let (by, at, deed) = (Actor::House, Timestamp(*at), deed.clone());
            rest.enter(&HouseEntry { seq: Seq(1), id, by, at, deed, release: Release("test".into()) });
        }
        rest.left()
    }

    fn started(at_rest: u64) -> Deed {
        Deed::SoftwareStarted { software: Digest([0; 32]), at_rest: Some(at_rest) }
    }

    #[test]
    fn rest_is_taken_and_earned_back_by_work() {
        let stopped = Deed::SoftwareStopped {};
        assert_eq!(left(&[]), AT_REST);
        assert_eq!(left(&[(DAY, started(DAY))]), AT_REST - DAY);
        // The first hour of a run may be the system's word; every other one earns two.
        let run = |hours: u64| left(&[(DAY, started(DAY)), (DAY + hours * HOUR, stopped.clone())]);
        assert_eq!(
            [0, 1, 2, 13, 14].map(|hours| AT_REST - run(hours)),
            [24, 25, 23, 1, 0].map(|it| it * HOUR)
        );
        // Nothing is gained by starting it again and again, an hour apart.
        let again: Vec<_> = (1..=10).map(|n| (n * HOUR, started(0))).collect();
        assert_eq!(left(&again), AT_REST - 9 * HOUR);
        // Two people said that the clock is right.
        let confirmed = Deed::ClockConfirmed { ahead: 5, second: "m-2".into(), reason: "seen".into() };
        assert_eq!(left(&[(AT_REST, started(AT_REST)), (AT_REST, confirmed)]), AT_REST);
    }

    #[test]
    fn a_house_that_is_open_for_nine_hours_a_day_and_closed_for_a_week_is_never_asked() {
        let mut all = Vec::new();
        let mut at = 0;
        for day in 1..=400_u64 {
            let closed = if day % 100 == 0 { 7 * DAY } else { 15 * HOUR };
            at += closed;
            all.push((at, started(closed)));
            at += 9 * HOUR;
            all.push((at, Deed::SoftwareStopped {}));
            assert!(left(&all) > 0, "day {day}");
        }
    }
}
