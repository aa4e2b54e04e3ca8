//! How many connections there may be: in all, and from one address.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use crate::http::limit::network;

/// Connections from one address. A pit behind one address has fewer; whoever wants to fill the house needs many addresses.
pub const PER_ADDRESS: usize = 512;

/// Connections in all, where the system allows that many file descriptors.
pub const TOTAL: usize = 20_000;

/// Connections that are counted. Cloned, it counts the same ones.
#[derive(Clone, Debug)]
pub struct Caps {
    total: usize,
    per_address: usize,
    /// Addresses that many people share, such as a proxy's: they count in all, not by themselves.
    shared: Arc<[IpAddr]>,
    open: Arc<Mutex<Open>>,
}

#[derive(Debug, Default)]
struct Open {
    total: usize,
    refused: u64,
    by_address: HashMap<IpAddr, usize>,
}

/// Why there can be no further connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Full {
    /// There are too many in all.
    #[error("too many connections in all")]
    InAll,
    /// There are too many from that address.
    #[error("too many connections from one address")]
    FromThere,
}

impl Default for Caps {
    fn default() -> Caps {
        Caps::new(TOTAL, PER_ADDRESS, Vec::new())
    }
}

impl Caps {
    /// So many in all, and so many from each address that is not shared.
    pub fn new(total: usize, per_address: usize, shared: Vec<IpAddr>) -> Caps {
        Caps { total, per_address, shared: shared.into(), open: Arc::default() }
    }

    /// Counts another connection, until the slot is dropped.
    ///
    /// # Errors
    /// If there are too many.
    pub fn take(&self, from: IpAddr) -> Result<Slot, Full> {
        let from = from.to_canonical();
        let key = (!self.shared.contains(&from)).then(|| network(from));
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.total >= self.total {
            open.refused += 1;
            return Err(Full::InAll);
        }
        if let Some(key) = key {
            let count = open.by_address.entry(key).or_default();
            if *count >= self.per_address {
                open.refused += 1;
                return Err(Full::FromThere);
            }
            *count += 1;
        }
        open.total += 1;
        drop(open);
        Ok(Slot { open: self.open.clone(), key })
    }

    /// How many there are.
    pub fn open(&self) -> usize {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).total
    }

    /// How many there may be in all.
    pub const fn total(&self) -> usize {
        self.total
    }

    /// How many were refused.
    pub fn refused(&self) -> u64 {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).refused
    }
}

/// The place of one connection, given back when it is dropped.
#[derive(Debug)]
pub struct Slot {
    open: Arc<Mutex<Open>>,
    key: Option<IpAddr>,
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.total -= 1;
        if let Some(key) = self.key
            && let Some(count) = open.by_address.get_mut(&key)
        {
            *count -= 1;
            if *count == 0 {
                open.by_address.remove(&key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn each_address_has_its_share_and_all_together_theirs() {
        let caps = Caps::new(5, 2, vec![ip("10.0.0.9")]);
        let held = [caps.take(ip("10.0.0.1")), caps.take(ip("::ffff:10.0.0.1"))];
        assert!(held.iter().all(Result::is_ok));
        assert_eq!(caps.take(ip("10.0.0.1")).err(), Some(Full::FromThere), "however it is written");
        let proxy: Vec<Slot> = (0..3).map(|_| caps.take(ip("10.0.0.9")).expect("shared")).collect();
        assert_eq!(caps.take(ip("10.0.0.2")).err(), Some(Full::InAll));
        assert_eq!(caps.take(ip("10.0.0.9")).err(), Some(Full::InAll));
        assert_eq!(caps.refused(), 3);
        drop(proxy);
        assert_eq!(caps.open(), 2);
        drop(held);
        assert!(caps.take(ip("10.0.0.1")).is_ok());
        let open = caps.open.lock().expect("not poisoned");
        assert_eq!((open.total, open.by_address.len()), (0, 0), "nothing is kept about those who left");
    }

    #[test]
    fn a_network_of_addresses_is_one() {
        let caps = Caps::new(9, 1, Vec::new());
        let _held = caps.take(ip("2001:db8::1")).expect("the first");
        assert_eq!(caps.take(ip("2001:db8::2")).err(), Some(Full::FromThere));
        assert!(caps.take(ip("2001:db8:0:1::1")).is_ok());
    }
}
