//! What is counted while terminals bet.

use std::collections::BTreeMap;
use std::time::Duration;

use hdrhistogram::Histogram;
use serde::Serialize;

/// Latencies are kept to three digits, up to a minute, in microseconds.
const DIGITS: u8 = 3;
const LONGEST: u64 = 60_000_000;

/// What is counted while terminals bet.
#[derive(Debug)]
pub(super) struct Figures {
    pub(super) acknowledgement: Histogram<u64>,
    pub(super) feed: Histogram<u64>,
    pub(super) registered: u64,
    pub(super) refused: BTreeMap<String, u64>,
    pub(super) busy: u64,
    pub(super) unknown: u64,
    pub(super) reconnected: u64,
    /// For how long terminals could not bet because bets were closed or the server was away, all together.
    pub(super) closed: Duration,
}

/// Latencies in microseconds: how long the quickest half took at most, and so on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct Latency {
    pub count: u64,
    pub p50: u64,
    pub p90: u64,
    pub p99: u64,
    pub p999: u64,
    pub max: u64,
}

impl Figures {
    pub(super) fn new() -> Figures {
        let histogram =
            || Histogram::new_with_bounds(1, LONGEST, DIGITS).expect("bounds that a histogram can have");
        Figures {
            acknowledgement: histogram(),
            feed: histogram(),
            registered: 0,
            refused: BTreeMap::new(),
            busy: 0,
            unknown: 0,
            reconnected: 0,
            closed: Duration::ZERO,
        }
    }

    pub(super) fn acknowledged(&mut self, after: Duration) {
        self.acknowledgement.saturating_record(microseconds(after));
    }

    pub(super) fn refused(&mut self, reason: &str) {
        match self.refused.get_mut(reason) {
            Some(count) => *count += 1,
            None => {
                self.refused.insert(reason.to_owned(), 1);
            }
        }
    }
}

fn microseconds(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

impl From<&Histogram<u64>> for Latency {
    fn from(of: &Histogram<u64>) -> Latency {
        Latency {
            count: of.len(),
            p50: of.value_at_quantile(0.5),
            p90: of.value_at_quantile(0.9),
            p99: of.value_at_quantile(0.99),
            p999: of.value_at_quantile(0.999),
            max: of.max(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_those_of_what_was_recorded() {
        let mut figures = Figures::new();
        for n in 1..=1000 {
            figures.acknowledged(Duration::from_micros(n));
        }
        figures.acknowledged(Duration::from_secs(3600));
        let latency = Latency::from(&figures.acknowledgement);
        assert_eq!(latency.count, 1001);
        assert_eq!((latency.p50, latency.p90), (501, 901));
        assert!((990..=992).contains(&latency.p99), "{latency:?}");
        assert!(latency.max >= LONGEST, "what is too long counts as the longest: {latency:?}");
    }
}
