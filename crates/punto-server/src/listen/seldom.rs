//! Something that may happen very often and is mentioned in the log now and then.

use std::time::Duration;

use tokio::time::Instant;

/// Lets one mention through in a while.
#[derive(Debug)]
pub(super) struct Seldom {
    every: Duration,
    last: Option<Instant>,
    unmentioned: u64,
}

impl Seldom {
    pub(super) const fn new(every: Duration) -> Seldom {
        Seldom { every, last: None, unmentioned: 0 }
    }

    /// It happened. If it is to be mentioned, how often it happened since the last mention without being mentioned.
    pub(super) fn mention(&mut self) -> Option<u64> {
        let now = Instant::now();
        if self.last.is_some_and(|last| now.duration_since(last) < self.every) {
            self.unmentioned += 1;
            return None;
        }
        self.last = Some(now);
        Some(std::mem::take(&mut self.unmentioned))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn one_mention_in_a_while_that_counts_the_others() {
        let mut seldom = Seldom::new(Duration::from_secs(60));
        assert_eq!(seldom.mention(), Some(0));
        for _ in 0..5 {
            assert_eq!(seldom.mention(), None);
        }
        tokio::time::advance(Duration::from_secs(60)).await;
        assert_eq!(seldom.mention(), Some(5));
        assert_eq!(seldom.mention(), None);
    }
}
