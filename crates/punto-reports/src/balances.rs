//! Running balances by account. A balance that is nothing is not kept, so Rounds that are over take no room.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::account::{Account, Normal, Posting};

/// Balances, credits positive.
#[derive(Clone, Debug, Default)]
pub(crate) struct Balances {
    by_account: HashMap<Account, i128, BuildHasherDefault<Fnv>>,
}

impl Balances {
    pub(crate) fn post(&mut self, posting: &Posting) {
        let amount = i128::from(posting.amount.get());
        self.add(&posting.debit, -amount);
        self.add(&posting.credit, amount);
    }

    fn add(&mut self, account: &Account, amount: i128) {
        match self.by_account.get_mut(account) {
            Some(balance) if *balance == -amount => {
                self.by_account.remove(account);
            }
            Some(balance) => *balance += amount,
            None if amount == 0 => {}
            None => {
                self.by_account.insert(account.clone(), amount);
            }
        }
    }

    /// The balance on the side where the account usually stands.
    pub(crate) fn of(&self, account: &Account) -> i128 {
        shown(account, self.by_account.get(account).copied().unwrap_or_default())
    }

    /// All that are not nothing.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Account, i128)> {
        self.by_account.iter().map(|(account, balance)| (account, shown(account, *balance)))
    }

    /// Everything together, credits positive.
    pub(crate) fn sum(&self) -> i128 {
        self.by_account.values().sum()
    }
}

fn shown(account: &Account, balance: i128) -> i128 {
    match account.normal() {
        Normal::Credit => balance,
        Normal::Debit => -balance,
    }
}

/// FNV-1a: the keys are short and come from our own record, and this runs beside every event.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fnv(u64);

const PRIME: u64 = 0x0100_0000_01b3;

impl Default for Fnv {
    fn default() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(PRIME));
    }

    fn write_u32(&mut self, word: u32) {
        self.0 = (self.0 ^ u64::from(word)).wrapping_mul(PRIME);
    }

    fn write_u8(&mut self, byte: u8) {
        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(PRIME);
    }

    fn write_isize(&mut self, word: isize) {
        self.0 = (self.0 ^ word as u64).wrapping_mul(PRIME);
    }

    // The low bits of a product are its weakest; a table looks at them first.
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }
}
