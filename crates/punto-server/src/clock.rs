//! The server's clock: it goes on steadily whatever happens to the system's, and tells when that jumped.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use punto_record::Timestamp;
use tokio::time::Instant;

/// A difference from the system's clock that is a jump and no drift.
const JUMP: u64 = 2_000;

/// What the system's clock says, in milliseconds since 1970.
pub type System = Arc<dyn Fn() -> u64 + Send + Sync>;

/// A clock that never runs backwards. Cloned, it is the same clock.
#[derive(Clone)]
pub struct Clock {
    system: System,
    started: Instant,
    /// What this clock said when it was started, with every jump forward since.
    base: Arc<AtomicU64>,
    /// How far the system's clock was behind this one when it was last looked at.
    behind: Arc<AtomicU64>,
}

impl std::fmt::Debug for Clock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Clock({})", self.now().0)
    }
}

/// The system's clock was moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Jump {
    pub from: Timestamp,
    pub to: Timestamp,
}

impl Clock {
    /// A clock by the system's, no earlier than a time that has been written down already.
    pub fn new(system: System, written: Timestamp) -> Clock {
        let now = system();
        let base = now.max(written.0);
        Clock {
            system,
            started: Instant::now(),
            base: Arc::new(AtomicU64::new(base)),
            behind: Arc::new(AtomicU64::new(base - now)),
        }
    }

    /// By the clock of this machine.
    pub fn of_this_machine(written: Timestamp) -> Clock {
        let system = || {
            let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
            since.map_or(0, |since| since.as_millis() as u64)
        };
        Clock::new(Arc::new(system), written)
    }

    /// The time.
    pub fn now(&self) -> Timestamp {
        Timestamp(self.base.load(Ordering::Relaxed) + self.started.elapsed().as_millis() as u64)
    }

    /// Goes on from a time that has been written down, if that is later.
    pub fn at_least(&self, written: Timestamp) {
        let ahead = written.0.saturating_sub(self.now().0);
        self.base.fetch_add(ahead, Ordering::Relaxed);
        self.behind.fetch_add(ahead, Ordering::Relaxed);
    }

    /// When it will be that time.
    pub fn instant(&self, at: Timestamp) -> Instant {
        Instant::now() + Duration::from_millis(at.0.saturating_sub(self.now().0))
    }

    /// Looks at the system's clock. A jump forward is followed; after one backwards this clock goes on as before.
    pub fn look(&self) -> Option<Jump> {
        let (own, system) = (self.now().0, (self.system)());
        let expected = own - self.behind.load(Ordering::Relaxed).min(own);
        if system.abs_diff(expected) < JUMP {
            return None;
        }
        self.base.fetch_add(system.saturating_sub(own), Ordering::Relaxed);
        self.behind.store(own.saturating_sub(system), Ordering::Relaxed);
        Some(Jump { from: Timestamp(expected), to: Timestamp(system) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(at: &Arc<AtomicU64>) -> System {
        let at = at.clone();
        Arc::new(move || at.load(Ordering::Relaxed))
    }

    #[tokio::test(start_paused = true)]
    async fn follows_forward_and_never_runs_back() {
        let system = Arc::new(AtomicU64::new(1_000_000));
        let clock = Clock::new(of(&system), Timestamp(0));
        tokio::time::advance(Duration::from_secs(5)).await;
        system.fetch_add(5_000, Ordering::Relaxed);
        assert_eq!((clock.now(), clock.look()), (Timestamp(1_005_000), None));

        system.fetch_add(60_000, Ordering::Relaxed);
        let jump = Jump { from: Timestamp(1_005_000), to: Timestamp(1_065_000) };
        assert_eq!((clock.look(), clock.look()), (Some(jump), None));
        assert_eq!(clock.now(), Timestamp(1_065_000));

        system.fetch_sub(600_000, Ordering::Relaxed);
        let jump = Jump { from: Timestamp(1_065_000), to: Timestamp(465_000) };
        assert_eq!((clock.look(), clock.look()), (Some(jump), None));
        tokio::time::advance(Duration::from_secs(1)).await;
        system.fetch_add(1_000, Ordering::Relaxed);
        assert_eq!((clock.now(), clock.look()), (Timestamp(1_066_000), None));

        // Put right again: a jump, and no step of this clock.
        system.fetch_add(600_000, Ordering::Relaxed);
        assert!(clock.look().is_some());
        assert_eq!(clock.now(), Timestamp(1_066_000));
    }

    #[tokio::test(start_paused = true)]
    async fn goes_on_from_what_was_written() {
        let system = Arc::new(AtomicU64::new(1_000));
        let clock = Clock::new(of(&system), Timestamp(9_000));
        assert_eq!((clock.now(), clock.look()), (Timestamp(9_000), None));
        clock.at_least(Timestamp(12_000));
        clock.at_least(Timestamp(10_000));
        assert_eq!((clock.now(), clock.look()), (Timestamp(12_000), None));
    }
}
