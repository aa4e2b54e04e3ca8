//! How often one address may try to guess something.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

use punto_record::Timestamp;

/// Addresses that are remembered. Who comes from any more shares what is left with all others like them.
const ADDRESSES: usize = 4096;

/// A bucket for each address: every attempt takes a token, time brings them back. A house has all its consoles behind
/// one address now and then, hence the depth; lock-out by person is what stops guessing, this is what makes it dull.
#[derive(Debug)]
pub struct Limit {
    depth: u64,
    every: u64,
    buckets: Mutex<HashMap<Option<IpAddr>, Bucket>>,
}

/// When the bucket will be full again. What is missing until then is counted in milliseconds.
type Bucket = Timestamp;

impl Default for Limit {
    /// Thirty at once, then one in two seconds.
    fn default() -> Limit {
        Limit::new(30, 2_000)
    }
}

impl Limit {
    /// So many at once, then one in so many milliseconds.
    pub fn new(depth: u64, every: u64) -> Limit {
        Limit { depth, every, buckets: Mutex::default() }
    }

    /// Takes a token, or says in how many seconds there is one. Who comes from nowhere shares with all such.
    pub fn take(&self, from: Option<IpAddr>, now: Timestamp) -> Result<(), u64> {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let mut key = from.map(network);
        if !buckets.contains_key(&key) && buckets.len() >= ADDRESSES {
            buckets.retain(|_, full| *full > now);
            if buckets.len() >= ADDRESSES {
                key = None;
            }
        }
        let full = buckets.entry(key).or_insert(now);
        let after = now.0.max(full.0) + self.every;
        let over = (after - now.0).saturating_sub(self.depth * self.every);
        if over > 0 {
            return Err(over.div_ceil(1000));
        }
        *full = Timestamp(after);
        Ok(())
    }
}

/// Whoever has one IPv6 address has the 2⁶⁴ beside it.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6([a, b, c, d, 0, 0, 0, 0].into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn so_many_at_once_and_then_one_by_one() {
        let limit = Limit::new(3, 2_000);
        let (one, other) = ("10.0.0.1".parse().ok(), "10.0.0.2".parse().ok());
        let now = Timestamp(1_000_000);
        for _ in 0..3 {
            assert_eq!(limit.take(one, now), Ok(()));
        }
        assert_eq!(limit.take(one, now), Err(2));
        assert_eq!(limit.take(one, Timestamp(now.0 + 1_999)), Err(1));
        assert_eq!(limit.take(other, now), Ok(()));
        assert_eq!(limit.take(one, Timestamp(now.0 + 2_000)), Ok(()));
        assert_eq!(limit.take(one, Timestamp(now.0 + 2_000)), Err(2));
    }

    #[test]
    fn a_network_of_addresses_is_one_and_memory_is_bounded() {
        let limit = Limit::new(1, 60_000);
        let now = Timestamp(1_000_000);
        assert_eq!(limit.take("2001:db8::1".parse().ok(), now), Ok(()));
        assert_eq!(limit.take("2001:db8::2".parse().ok(), now), Err(60));
        assert_eq!(limit.take("2001:db8:0:1::1".parse().ok(), now), Ok(()));
        for n in 0..2 * ADDRESSES as u32 {
            let _ = limit.take(Some(IpAddr::V4((0x0a00_0000 + n).into())), now);
        }
        assert!(limit.buckets.lock().expect("buckets").len() <= ADDRESSES + 1);
        assert_eq!(limit.take("192.0.2.1".parse().ok(), now), Err(60), "strangers share one bucket");
        assert_eq!(limit.take("192.0.2.1".parse().ok(), Timestamp(now.0 + 60_000)), Ok(()));
    }
}
