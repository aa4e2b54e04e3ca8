//! The server's clock: it goes on steadily whatever happens to the system's, and tells when that jumped.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use punto_record::Timestamp;
use tokio::time::Instant;

/// A difference from the system's clock that is a jump and no drift, in milliseconds.
const JUMP: u64 = 2_000;

/// How far a bounded clock follows the system's forward in all before people say that it is right, in milliseconds: an hour.
/// Whoever can set the system's clock could otherwise let every ticket expire and every session end, for ever: recorded time
/// never runs back.
pub const FOLLOWED: u64 = punto_ledger::WHILE_RUNNING;

/// What the system's clock says, in milliseconds since 1970.
pub type System = Arc<dyn Fn() -> u64 + Send + Sync>;

/// A clock that never runs backwards. Cloned, it is the same clock.
#[derive(Clone)]
pub struct Clock {
    system: System,
    started: Instant,
    state: Arc<Mutex<State>>,
}

struct State {
    /// What this clock said when it was started, with every step forward since.
    base: u64,
    /// How far the system's clock was ahead of this one when it was last looked at; negative where it was behind.
    ahead: i64,
    /// How far this clock still follows forward by itself; nothing says for ever.
    may_follow: Option<u64>,
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
    /// A clock by the system's, no earlier than a time that has been written down already. It follows the system's forward
    /// however far that jumps.
    pub fn new(system: System, written: Timestamp) -> Clock {
        let now = system();
        let base = now.max(written.0);
        Clock::starting(system, State { base, ahead: difference(now, base), may_follow: None })
    }

    /// A clock that goes on from the last time in the ledger, `written`. It takes up to `rest` for time at rest, which it
    /// returns: where the system's clock is further ahead, it follows not at all. Later it follows for [`FOLLOWED`] in all, and
    /// never for more than is left of `rest`; further only when people [confirm](Self::confirm) it.
    pub fn bounded(system: System, written: Timestamp, rest: u64) -> (Clock, u64) {
        let now = system();
        let forward = now.saturating_sub(written.0);
        let rested = if forward <= rest { forward } else { 0 };
        let base = written.0 + rested;
        let may_follow = Some(FOLLOWED.min(rest - rested));
        (Clock::starting(system, State { base, ahead: difference(now, base), may_follow }), rested)
    }

    fn starting(system: System, state: State) -> Clock {
        Clock { system, started: Instant::now(), state: Arc::new(Mutex::new(state)) }
    }

    /// The clock of this machine.
    pub fn system() -> System {
        Arc::new(|| {
            let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
            since.map_or(0, |since| since.as_millis() as u64)
        })
    }

    /// By the clock of this machine.
    pub fn of_this_machine(written: Timestamp) -> Clock {
        Clock::new(Clock::system(), written)
    }

    /// The time.
    pub fn now(&self) -> Timestamp {
        Timestamp(self.lock().base + self.elapsed())
    }

    /// Goes on from a time that has been written down, if that is later.
    pub fn at_least(&self, written: Timestamp) {
        let elapsed = self.elapsed();
        let mut state = self.lock();
        let forward = written.0.saturating_sub(state.base + elapsed);
        state.step(forward);
    }

    /// When it will be that time.
    pub fn instant(&self, at: Timestamp) -> Instant {
        Instant::now() + Duration::from_millis(at.0.saturating_sub(self.now().0))
    }

    /// Looks at the system's clock. A jump forward is followed within bounds; after one backwards this clock goes on as before.
    pub fn look(&self) -> Option<Jump> {
        let (system, elapsed) = ((self.system)(), self.elapsed());
        let mut state = self.lock();
        let own = state.base + elapsed;
        let expected = own.saturating_add_signed(state.ahead);
        if system.abs_diff(expected) < JUMP {
            return None;
        }
        state.ahead = difference(system, own);
        let forward = system.saturating_sub(own);
        if state.may_follow.is_none_or(|left| forward <= left) {
            state.may_follow = state.may_follow.map(|left| left - forward);
            state.step(forward);
        }
        Some(Jump { from: Timestamp(expected), to: Timestamp(system) })
    }

    /// How far the system's clock is ahead of this one, in milliseconds, where this one did not follow. Nothing while it is
    /// with it, or behind.
    pub fn ahead(&self) -> Option<u64> {
        u64::try_from(self.lock().ahead).ok().filter(|ahead| *ahead > 0)
    }

    /// Whether the system's clock is so far ahead of this one, give or take what is no jump.
    pub fn is_ahead(&self, ahead: u64) -> bool {
        self.lock().is_ahead(ahead)
    }

    /// People said that the system's clock, so far ahead of this one, is right: this one follows. Whether it was still so far
    /// ahead; if not, nothing happens.
    pub fn confirm(&self, ahead: u64) -> bool {
        let mut state = self.lock();
        let is_it = state.is_ahead(ahead);
        if is_it {
            let forward = state.ahead.unsigned_abs();
            state.step(forward);
            state.may_follow = state.may_follow.map(|_| FOLLOWED);
        }
        is_it
    }

    fn elapsed(&self) -> u64 {
        self.started.elapsed().as_millis() as u64
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn is_ahead(&self, ahead: u64) -> bool {
        u64::try_from(self.ahead).is_ok_and(|now| now > 0 && now.abs_diff(ahead) < JUMP)
    }

    fn step(&mut self, forward: u64) {
        self.base = self.base.saturating_add(forward);
        self.ahead = self.ahead.saturating_sub_unsigned(forward);
    }
}

/// How far `one` is ahead of `other`.
fn difference(one: u64, other: u64) -> i64 {
    i64::try_from(i128::from(one) - i128::from(other)).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use punto_ledger::AT_REST;

    use super::*;

    const YEARS: u64 = 10 * 365 * 24 * 3_600_000;

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

    #[tokio::test(start_paused = true)]
    async fn a_bounded_clock_follows_an_hour_in_all_however_often_it_is_asked_to() {
        let system = Arc::new(AtomicU64::new(1_000_000));
        let (clock, _) = Clock::bounded(of(&system), Timestamp(1_000_000), AT_REST);
        for _ in 0..3 {
            system.fetch_add(FOLLOWED / 3, Ordering::Relaxed);
            assert!(clock.look().is_some());
            assert_eq!((clock.now().0, clock.ahead()), (system.load(Ordering::Relaxed), None));
        }
        let reached = clock.now();
        system.fetch_add(3_000, Ordering::Relaxed);
        assert!(clock.look().is_some());
        assert_eq!((clock.now(), clock.ahead()), (reached, Some(3_000)));
        tokio::time::advance(Duration::from_secs(5)).await;
        system.fetch_add(5_000, Ordering::Relaxed);
        assert_eq!((clock.look(), clock.now().0), (None, reached.0 + 5_000));
    }

    #[tokio::test(start_paused = true)]
    async fn ten_years_forward_for_a_moment_leave_nothing_behind() {
        let system = Arc::new(AtomicU64::new(1_000_000));
        let (clock, _) = Clock::bounded(of(&system), Timestamp(1_000_000), AT_REST);
        system.fetch_add(YEARS, Ordering::Relaxed);
        let jump = Jump { from: Timestamp(1_000_000), to: Timestamp(1_000_000 + YEARS) };
        assert_eq!(
            (clock.look(), clock.now(), clock.ahead()),
            (Some(jump), Timestamp(1_000_000), Some(YEARS))
        );
        system.fetch_sub(YEARS, Ordering::Relaxed);
        assert!(clock.look().is_some());
        assert_eq!((clock.now(), clock.ahead()), (Timestamp(1_000_000), None));
        assert!(!clock.confirm(YEARS), "what was signed for is no longer so");
        assert_eq!(clock.now(), Timestamp(1_000_000));
    }

    #[tokio::test(start_paused = true)]
    async fn people_confirm_what_they_saw_and_nothing_else() {
        let system = Arc::new(AtomicU64::new(1_000_000));
        let (clock, _) = Clock::bounded(of(&system), Timestamp(1_000_000), AT_REST);
        assert!(!clock.confirm(0));
        system.fetch_add(YEARS, Ordering::Relaxed);
        clock.look();
        for other in [0, YEARS - JUMP, YEARS + JUMP, u64::MAX] {
            assert!(!clock.confirm(other));
        }
        assert_eq!(clock.now(), Timestamp(1_000_000));
        assert!(clock.confirm(YEARS + 1_000));
        assert_eq!((clock.now(), clock.ahead()), (Timestamp(1_000_000 + YEARS), None));
        assert!(!clock.confirm(YEARS), "once");
        // An hour more is followed again.
        system.fetch_add(FOLLOWED, Ordering::Relaxed);
        assert!(clock.look().is_some());
        assert_eq!(clock.ahead(), None);
    }

    #[tokio::test(start_paused = true)]
    async fn a_start_long_after_the_last_entry_is_doubted() {
        let written = 1_000_000;
        let hour = FOLLOWED;
        for (later, rest, followed, follows_later) in [
            (0, AT_REST, true, hour),
            (AT_REST - hour, AT_REST, true, hour),
            (AT_REST, AT_REST, true, 0),
            (AT_REST + 1, AT_REST, false, 0),
            (YEARS, AT_REST, false, 0),
            (hour, hour, true, 0),
            (1, 0, false, 0),
            (0, 0, true, 0),
        ] {
            let system = Arc::new(AtomicU64::new(written + later));
            let (clock, rested) = Clock::bounded(of(&system), Timestamp(written), rest);
            let ahead = Some(later).filter(|_| !followed);
            assert_eq!(rested, if followed { later } else { 0 });
            assert_eq!((clock.now().0, clock.ahead(), clock.look()), (written + rested, ahead, None));
            if followed {
                // No further while it runs than is left.
                system.fetch_add(follows_later + JUMP, Ordering::Relaxed);
                assert!(clock.look().is_some());
                assert_eq!(clock.now().0, written + rested, "{later} of {rest}");
                if follows_later > 0 {
                    system.fetch_sub(JUMP, Ordering::Relaxed);
                    assert!(clock.look().is_some());
                    assert_eq!(clock.now().0, written + rested + follows_later, "{later} of {rest}");
                }
            }
        }
        // What a table wrote later than the house is known a moment later.
        let system = Arc::new(AtomicU64::new(written + YEARS));
        let (clock, _) = Clock::bounded(of(&system), Timestamp(written), AT_REST);
        clock.at_least(Timestamp(written + 5_000));
        assert_eq!((clock.now().0, clock.ahead()), (written + 5_000, Some(YEARS - 5_000)));
    }
}
