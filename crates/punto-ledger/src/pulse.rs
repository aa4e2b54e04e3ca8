//! How the writer does, for monitoring: readable at any moment, also while a store hangs.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use punto_record::Currency;

use crate::vault::Outstanding;

/// Upper bounds of the latency buckets, in milliseconds.
pub const LATENCY_BUCKETS: [u64; 10] = [1, 5, 10, 25, 50, 100, 250, 1_000, 2_500, 10_000];

/// How the writer does. Times are kept as milliseconds since `started`, plus one: zero means never.
#[derive(Debug)]
pub struct Pulse {
    started: Instant,
    committed: AtomicU64,
    busy_since: AtomicU64,
    failed: AtomicU64,
    sum_us: AtomicU64,
    buckets: [AtomicU64; LATENCY_BUCKETS.len() + 1],
    outstanding: Mutex<BTreeMap<Currency, Outstanding>>,
}

impl Default for Pulse {
    fn default() -> Pulse {
        Pulse {
            started: Instant::now(),
            committed: AtomicU64::new(0),
            busy_since: AtomicU64::new(0),
            failed: AtomicU64::new(0),
            sum_us: AtomicU64::new(0),
            buckets: Default::default(),
            outstanding: Mutex::default(),
        }
    }
}

impl Pulse {
    fn now(&self) -> u64 {
        millis(self.started.elapsed()) + 1
    }

    fn since(&self, at: &AtomicU64) -> Option<Duration> {
        let at = at.load(Ordering::Relaxed);
        (at > 0).then(|| Duration::from_millis(self.now().saturating_sub(at)))
    }

    /// The writer takes up a job.
    pub(crate) fn begin(&self) {
        self.busy_since.store(self.now(), Ordering::Relaxed);
    }

    /// The writer is done with it.
    pub(crate) fn end(&self) {
        self.busy_since.store(0, Ordering::Relaxed);
    }

    /// A batch was made durable after this time, or was not.
    pub(crate) fn appended(&self, took: Duration, is_durable: bool) {
        if !is_durable {
            self.failed.fetch_add(1, Ordering::Relaxed);
            return;
        }
        self.committed.store(self.now(), Ordering::Relaxed);
        let bucket = LATENCY_BUCKETS.partition_point(|bound| Duration::from_millis(*bound) < took);
        self.buckets[bucket].fetch_add(1, Ordering::Relaxed);
        self.sum_us.fetch_add(u64::try_from(took.as_micros()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// Tickets that are outstanding after a job of the writer.
    pub(crate) fn tickets(&self, outstanding: &BTreeMap<Currency, Outstanding>) {
        let mut known = self.outstanding.lock().unwrap_or_else(PoisonError::into_inner);
        if *known != *outstanding {
            known.clone_from(outstanding);
        }
    }

    /// Tickets that were issued and not used, by currency, as of the writer's last job.
    pub fn outstanding(&self) -> BTreeMap<Currency, Outstanding> {
        self.outstanding.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Time since a batch was last made durable; since the start, if none was.
    pub fn commit_age(&self) -> Duration {
        self.since(&self.committed).unwrap_or_else(|| self.started.elapsed())
    }

    /// How long the writer has been at its present job; nothing, if it waits for one.
    pub fn busy_for(&self) -> Duration {
        self.since(&self.busy_since).unwrap_or_default()
    }

    /// Batches that could not be made durable.
    pub fn failed(&self) -> u64 {
        self.failed.load(Ordering::Relaxed)
    }

    /// Durable batches in each bucket (the last one has no bound), and the sum of their latencies.
    pub fn latencies(&self) -> ([u64; LATENCY_BUCKETS.len() + 1], Duration) {
        let counts = std::array::from_fn(|at| self.buckets[at].load(Ordering::Relaxed));
        (counts, Duration::from_micros(self.sum_us.load(Ordering::Relaxed)))
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_latency_falls_into_the_first_bucket_that_holds_it() {
        let pulse = Pulse::default();
        for ms in [1, 2, 5, 6, 20_000] {
            pulse.appended(Duration::from_millis(ms), true);
        }
        pulse.appended(Duration::from_millis(1), false);
        let (counts, sum) = pulse.latencies();
        assert_eq!((counts[0], counts[1], counts[2], counts[10]), (1, 2, 1, 1));
        assert_eq!((sum, pulse.failed()), (Duration::from_millis(20_014), 1));
        assert!(pulse.commit_age() < Duration::from_secs(5));
    }

    #[test]
    fn a_writer_that_waits_is_not_busy() {
        let pulse = Pulse::default();
        assert_eq!(pulse.busy_for(), Duration::ZERO);
        pulse.begin();
        let start = Instant::now();
        while pulse.busy_for() < Duration::from_millis(2) {
            assert!(start.elapsed() < Duration::from_secs(10), "busy, and no time passes");
        }
        pulse.end();
        assert_eq!(pulse.busy_for(), Duration::ZERO);
    }
}
