//! The lease on a ledger in a database: what its holder, and a process that waits for it, make of one row.
//!
//! The row has no time in it, because no two clocks agree. Each side counts on its own: the holder from before it sent a
//! renewal, the waiting one from after it first saw a beat. So the holder's count ends first, whatever was delayed on the way.
//! That keeps two from answering at once; that two never write is the work of the term, which the store checks in every commit.
//!
//! Pure: instants are handed in, as time on a clock that goes on while the machine sleeps.

use std::time::Duration;

/// How long a holder may write after it sent the last renewal that was answered.
pub(crate) const LEASE: Duration = Duration::from_secs(6);

/// How often it sends one.
pub(crate) const BEAT: Duration = Duration::from_secs(2);

/// The row.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Row {
    /// Who holds it; nobody, if it was given back.
    pub(crate) owner: Option<String>,
    /// Counts owners. Whoever takes the lease over begins the next one.
    pub(crate) term: i64,
    /// Counts renewals.
    pub(crate) beat: i64,
}

/// What a holder knows of its lease.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Holder {
    until: Duration,
    is_replaced: bool,
}

/// Why a holder must not write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Silence {
    /// No renewal was answered in time; another process may have taken over.
    Lapsed,
    /// Another term has begun.
    Replaced,
}

impl Holder {
    /// The lease was taken by a statement that was sent at this time.
    pub(crate) fn taken(sent: Duration) -> Holder {
        Holder { until: sent + LEASE, is_replaced: false }
    }

    /// A renewal that was sent at this time was answered: the row was still of this holder's term, or no longer.
    pub(crate) fn answered(&mut self, sent: Duration, is_renewed: bool) {
        match is_renewed {
            true => self.until = self.until.max(sent + LEASE),
            false => self.is_replaced = true,
        }
    }

    /// Checks that it may write and answer.
    pub(crate) fn require(&self, now: Duration) -> Result<(), Silence> {
        match self.is_replaced {
            true => Err(Silence::Replaced),
            false if now < self.until => Ok(()),
            false => Err(Silence::Lapsed),
        }
    }
}

/// What a waiting process has seen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Watch {
    /// Term and beat of the row, and when an answer first had them.
    seen: Option<(i64, i64, Duration)>,
}

impl Watch {
    /// Whether the row, asked for and answered at these times, may be taken over: it was given back, or it did not change for a
    /// whole lease.
    pub(crate) fn may_take(&mut self, row: &Row, sent: Duration, answered: Duration) -> bool {
        match self.seen {
            _ if row.owner.is_none() => true,
            Some((term, beat, since)) if (term, beat) == (row.term, row.beat) => {
                sent.saturating_sub(since) >= LEASE
            }
            Some(_) | None => {
                self.seen = Some((row.term, row.beat, answered));
                false
            }
        }
    }

    /// The database was lost: what it did meanwhile was not seen.
    pub(crate) fn lose(&mut self) {
        self.seen = None;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// A third of a lease.
    const TICK: Duration = BEAT;
    /// Instants of the model: a bit more than two leases.
    const END: u32 = 8;

    /// What one process is doing. A statement is sent, then carried out by the database, then answered; time may pass before
    /// each, and an answer may never come.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    enum Process {
        Waits { watch: Watch },
        Asked { watch: Watch, sent: u32, read: Option<Row> },
        Takes { sent: u32, expected: Row, done: Option<Option<i64>> },
        Holds { holder: Holder, term: i64 },
        Renews { holder: Holder, term: i64, sent: u32, done: Option<bool> },
        Out,
    }

    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    struct World {
        now: u32,
        row: Row,
        processes: [Process; 2],
        /// Kept out of the state space: how often a process may still lose what was under way.
        losses: u8,
    }

    fn at(tick: u32) -> Duration {
        TICK * tick
    }

    /// Takes the row over if it is as expected, as one transaction does.
    fn take(row: &mut Row, expected: &Row) -> Option<i64> {
        if row != expected {
            return None;
        }
        *row = Row { owner: Some("a process".to_owned()), term: row.term + 1, beat: row.beat + 1 };
        Some(row.term)
    }

    fn renew(row: &mut Row, term: i64) -> bool {
        let is_mine = row.term == term && row.owner.is_some();
        row.beat += i64::from(is_mine);
        is_mine
    }

    /// Everything that one process, the database or the network may do next.
    fn steps(world: &World, who: usize) -> Vec<World> {
        use Process::{Asked, Holds, Out, Renews, Takes, Waits};
        let mut next = Vec::new();
        let mut to = |row: &Row, process: Process, lost: u8| {
            let mut world = World { row: row.clone(), losses: world.losses - lost, ..world.clone() };
            world.processes[who] = process;
            next.push(world);
        };
        let (now, row) = (world.now, &world.row);
        let may_lose = world.losses > 0;
        match world.processes[who].clone() {
            Waits { watch } => to(row, Asked { watch, sent: now, read: None }, 0),
            Asked { watch, sent, read: None } => {
                to(row, Asked { watch, sent, read: Some(row.clone()) }, 0);
            }
            Asked { mut watch, sent, read: Some(read) } => {
                if may_lose {
                    let mut watch = watch.clone();
                    watch.lose();
                    to(row, Waits { watch }, 1);
                }
                match watch.may_take(&read, at(sent), at(now)) {
                    true => to(row, Takes { sent: now, expected: read, done: None }, 0),
                    false => to(row, Waits { watch }, 0),
                }
            }
            Takes { sent, expected, done: None } => {
                let mut row = row.clone();
                let done = Some(take(&mut row, &expected));
                to(&row, Takes { sent, expected, done }, 0);
            }
            Takes { sent, done: Some(done), .. } => {
                if may_lose {
                    to(row, Waits { watch: Watch::default() }, 1);
                }
                match done {
                    Some(term) => to(row, Holds { holder: Holder::taken(at(sent)), term }, 0),
                    None => to(row, Waits { watch: Watch::default() }, 0),
                }
            }
            // Once a tick is enough; without end the beats would have none.
            Holds { holder, term } if holder.until < at(now) + LEASE => {
                to(row, Renews { holder, term, sent: now, done: None }, 0);
            }
            Holds { .. } => {}
            Renews { holder, term, sent, done: None } => {
                let mut row = row.clone();
                let done = Some(renew(&mut row, term));
                to(&row, Renews { holder, term, sent, done }, 0);
            }
            Renews { mut holder, term, sent, done: Some(is_renewed) } => {
                if may_lose {
                    to(row, Holds { holder: holder.clone(), term }, 1);
                }
                holder.answered(at(sent), is_renewed);
                let is_out = holder.require(at(now)) == Err(Silence::Replaced);
                to(row, if is_out { Out } else { Holds { holder, term } }, 0);
            }
            Out => {}
        }
        next
    }

    /// The term under which a process believes that it may write and answer now.
    fn writes(process: &Process, now: u32) -> Option<i64> {
        match process {
            Process::Holds { holder, term } | Process::Renews { holder, term, .. } => {
                holder.require(at(now)).is_ok().then_some(*term)
            }
            Process::Waits { .. } | Process::Asked { .. } | Process::Takes { .. } | Process::Out => None,
        }
    }

    /// Every interleaving of two processes, a database, lost answers and time: never two that may write at once, and never one
    /// that may write with a term that is over while the next one writes.
    #[test]
    fn never_two_may_write() {
        let row = Row { owner: None, term: 1, beat: 0 };
        let waits = || Process::Waits { watch: Watch::default() };
        let mut open = vec![World { now: 0, row, processes: [waits(), waits()], losses: 1 }];
        let mut seen: HashSet<World> = HashSet::new();
        let (mut taken_over, mut silent) = (false, false);
        while let Some(world) = open.pop() {
            if !seen.insert(world.clone()) {
                continue;
            }
            let writing = world.processes.each_ref().map(|process| writes(process, world.now));
            assert!(!matches!(writing, [Some(_), Some(_)]), "two may write: {world:?}");
            taken_over |= world.row.term > 2 && writing.contains(&Some(world.row.term));
            let holds = |process: &Process| matches!(process, Process::Holds { .. });
            silent |=
                world.processes.iter().any(|process| holds(process) && writes(process, world.now).is_none());
            open.extend((0..2).flat_map(|who| steps(&world, who)));
            if world.now < END {
                open.push(World { now: world.now + 1, ..world });
            }
        }
        assert!(taken_over && silent, "the model never takes over, or never falls silent");
        assert!(seen.len() > 100_000, "{} states", seen.len());
    }

    fn row(term: i64, beat: i64) -> Row {
        Row { owner: Some("somebody".to_owned()), term, beat }
    }

    #[test]
    fn a_beat_must_stand_still_for_a_whole_lease() {
        let second = Duration::from_secs;
        let mut watch = Watch::default();
        assert!(!watch.may_take(&row(3, 7), second(9), second(10)), "first seen");
        assert!(!watch.may_take(&row(3, 7), second(15), second(20)), "five seconds before it was asked");
        assert!(watch.may_take(&row(3, 7), second(16), second(16)));
        for changed in [row(3, 8), row(4, 7)] {
            let mut watch = watch.clone();
            assert!(!watch.may_take(&changed, second(30), second(30)), "counted anew");
            assert!(!watch.may_take(&changed, second(35), second(35)));
            assert!(watch.may_take(&changed, second(36), second(36)));
        }
        watch.lose();
        assert!(!watch.may_take(&row(3, 7), second(40), second(40)), "what happened meanwhile was not seen");
        let free = Row { owner: None, ..row(3, 7) };
        assert!(watch.may_take(&free, second(40), second(40)), "given back");
    }

    #[test]
    fn a_holder_counts_from_before_it_sent_and_stays_out_once_replaced() {
        let second = Duration::from_secs;
        let mut holder = Holder::taken(second(10));
        assert_eq!(holder.require(second(15)), Ok(()));
        assert_eq!(holder.require(second(16)), Err(Silence::Lapsed));
        // Answered late, it counts from when it was sent.
        holder.answered(second(12), true);
        assert_eq!(holder.require(second(17)), Ok(()));
        assert_eq!(holder.require(second(18)), Err(Silence::Lapsed));
        // Nobody came meanwhile: the row was still its own.
        holder.answered(second(20), true);
        assert_eq!(holder.require(second(21)), Ok(()));
        holder.answered(second(22), false);
        holder.answered(second(23), true);
        assert_eq!(holder.require(second(23)), Err(Silence::Replaced));
    }
}
