//! How far screens are behind: since when the oldest message waits that a connection has not taken yet.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use tokio::time::Instant;

/// All connections that are sent frames.
#[derive(Debug)]
pub struct Feeds {
    started: Instant,
    connections: Mutex<Vec<Weak<FeedLag>>>,
}

impl Default for Feeds {
    fn default() -> Feeds {
        Feeds { started: Instant::now(), connections: Mutex::default() }
    }
}

/// Since when one connection has been sending: milliseconds since the start, plus one; zero while nothing waits. What waits
/// behind the message that is being sent is younger.
#[derive(Debug)]
pub(crate) struct FeedLag {
    started: Instant,
    since: AtomicU64,
}

impl Feeds {
    pub(crate) fn connect(&self) -> Arc<FeedLag> {
        let lag = Arc::new(FeedLag { started: self.started, since: AtomicU64::new(0) });
        let mut connections = self.connections.lock().unwrap_or_else(PoisonError::into_inner);
        // Those who went make room for those who come.
        if connections.len() == connections.capacity() {
            connections.retain(|connection| connection.strong_count() > 0);
        }
        connections.push(Arc::downgrade(&lag));
        lag
    }

    /// The age of the oldest message that a connection has not taken yet.
    pub fn lag(&self) -> Duration {
        let now = millis(self.started, Instant::now());
        let connections = self.connections.lock().unwrap_or_else(PoisonError::into_inner);
        let since = connections.iter().filter_map(Weak::upgrade).map(|lag| lag.since.load(Ordering::Relaxed));
        let oldest = since.filter(|since| *since > 0).min();
        Duration::from_millis(oldest.map_or(0, |since| now.saturating_sub(since)))
    }
}

impl FeedLag {
    /// What has waited since then is being sent.
    pub(crate) fn sending(&self, since: Instant) {
        self.since.store(millis(self.started, since), Ordering::Relaxed);
    }

    /// Nothing waits any more.
    pub(crate) fn sent(&self) {
        self.since.store(0, Ordering::Relaxed);
    }
}

fn millis(started: Instant, at: Instant) -> u64 {
    u64::try_from(at.saturating_duration_since(started).as_millis()).unwrap_or(u64::MAX - 1) + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn the_oldest_message_that_waits_is_the_lag() {
        let feeds = Feeds::default();
        let (slow, quick, gone) = (feeds.connect(), feeds.connect(), feeds.connect());
        assert_eq!(feeds.lag(), Duration::ZERO);
        tokio::time::advance(Duration::from_secs(1)).await;
        for lag in [&slow, &quick, &gone] {
            lag.sending(Instant::now());
        }
        tokio::time::advance(Duration::from_secs(3)).await;
        quick.sent();
        assert_eq!(feeds.lag(), Duration::from_secs(3));
        slow.sent();
        assert_eq!(feeds.lag(), Duration::from_secs(3), "the third");
        drop(gone);
        assert_eq!(feeds.lag(), Duration::ZERO);
        // A screen that comes and goes leaves nothing behind.
        (0..1000).for_each(|_| drop(feeds.connect()));
        assert!(feeds.connections.lock().unwrap().len() <= 16);
        drop((slow, quick));
    }
}
