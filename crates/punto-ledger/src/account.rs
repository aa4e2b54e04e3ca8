//! What was done to somebody's account, kept at hand so that they can be told at every sign-in.

use std::collections::{BTreeMap, VecDeque};

use punto_record::{Deed, HouseEntry, Person, Timestamp};

/// What is kept about one person: nobody reads further back than this at a sign-in, and the record has the rest.
const MOST: usize = 16;

/// What was done to an account, and when it was last used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Account {
    /// Changes of the person, passwords that were chosen, and what was done about the second factor; the oldest first.
    pub changes: VecDeque<HouseEntry>,
    /// The sign-in before the last one.
    pub before: Option<Timestamp>,
    last: Option<Timestamp>,
}

/// The accounts of everybody.
#[derive(Clone, Debug, Default)]
pub(crate) struct Accounts(BTreeMap<Person, Account>);

impl Accounts {
    pub(crate) fn enter(&mut self, entry: &HouseEntry) {
        if let Deed::StaffChanged { person, .. } = &entry.deed {
            self.0.entry(person.clone()).or_default().keep(entry);
        } else if let (Deed::PasswordChosen { .. }, Some(person)) = (&entry.deed, entry.by.person()) {
            self.0.entry(person.clone()).or_default().keep(entry);
        } else if let Deed::FactorResetBegun { person, .. }
        | Deed::FactorResetStopped { person, .. }
        | Deed::FactorReset { person, .. } = &entry.deed
        {
            self.0.entry(person.clone()).or_default().keep(entry);
        } else if let (Deed::FactorEnrolled { .. } | Deed::RecoveryCodesMade { .. }, Some(person)) =
            (&entry.deed, entry.by.person())
        {
            self.0.entry(person.clone()).or_default().keep(entry);
        } else if let (Deed::SignedIn { .. }, Some(person)) = (&entry.deed, entry.by.person()) {
            let account = self.0.entry(person.clone()).or_default();
            account.before = account.last.replace(entry.at);
        }
    }

    pub(crate) fn of(&self, person: &Person) -> Account {
        self.0.get(person).cloned().unwrap_or_default()
    }
}

impl Account {
    fn keep(&mut self, entry: &HouseEntry) {
        if self.changes.len() == MOST {
            self.changes.pop_front();
        }
        self.changes.push_back(entry.clone());
    }
}
