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
    buckets: Mutex<HashMap<Counted, Bucket>>,
}

/// Whose attempts are counted together.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Counted {
    /// Everybody's from an address, or from nowhere.
    From(Option<IpAddr>),
    /// Those of a known place or person, by a name of it: strangers at the same address take nothing from them.
    Known(String),
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
    pub fn take(&self, counted: Counted, now: Timestamp) -> Result<(), u64> {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let mut key = match counted {
            Counted::From(address) => Counted::From(address.map(network)),
            Counted::Known(name) => Counted::Known(name),
        };
        // Known places are few; strangers with many addresses must not make them share.
        let may_spill = matches!(key, Counted::From(_));
        if may_spill && !buckets.contains_key(&key) && buckets.len() >= ADDRESSES {
            buckets.retain(|_, full| *full > now);
            if buckets.len() >= ADDRESSES {
                key = Counted::From(None);
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

    fn from(address: &str) -> Counted {
        Counted::From(address.parse().ok())
    }

    #[test]
    fn so_many_at_once_and_then_one_by_one() {
        let limit = Limit::new(3, 2_000);
        let (one, other) = (from("10.0.0.1"), from("10.0.0.2"));
        let now = Timestamp(1_000_000);
        for _ in 0..3 {
            assert_eq!(limit.take(one.clone(), now), Ok(()));
        }
        assert_eq!(limit.take(one.clone(), now), Err(2));
        assert_eq!(limit.take(one.clone(), Timestamp(now.0 + 1_999)), Err(1));
        assert_eq!(limit.take(other, now), Ok(()));
        assert_eq!(limit.take(one.clone(), Timestamp(now.0 + 2_000)), Ok(()));
        assert_eq!(limit.take(one.clone(), Timestamp(now.0 + 2_000)), Err(2));
    }

    #[test]
    fn a_network_of_addresses_is_one_and_memory_is_bounded() {
        let limit = Limit::new(1, 60_000);
        let now = Timestamp(1_000_000);
        assert_eq!(limit.take(from("2001:db8::1"), now), Ok(()));
        assert_eq!(limit.take(from("2001:db8::2"), now), Err(60));
        assert_eq!(limit.take(from("2001:db8:0:1::1"), now), Ok(()));
        for n in 0..2 * ADDRESSES as u32 {
            let _ = limit.take(Counted::From(Some(IpAddr::V4((0x0a00_0000 + n).into()))), now);
        }
        assert!(limit.buckets.lock().expect("buckets").len() <= ADDRESSES + 1);
        assert_eq!(limit.take(from("192.0.2.1"), now), Err(60), "strangers share one bucket");
        let known = || Counted::Known("device c-1".to_owned());
        assert_eq!(limit.take(known(), now), Ok(()), "known places do not share with them");
        assert_eq!(limit.take(known(), now), Err(60));
        assert_eq!(limit.take(from("192.0.2.1"), Timestamp(now.0 + 60_000)), Ok(()));
    }
}
