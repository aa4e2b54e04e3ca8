//! Sessions that are over by the house's volume, whatever the file says in which the server keeps them.

use std::collections::{BTreeMap, VecDeque};

use punto_record::{Deed, HouseEntry, Person, SessionId, Timestamp};

use crate::staff::Employed;

/// However much it is used, a session is over after so long: a long shift. What ended longer ago than that need not be remembered.
pub const LONGEST_SESSION: u64 = 12 * 3_600_000;

/// Sessions that would still be good by their age and were ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EndedSessions {
    /// In the order of their deeds.
    signed_out: VecDeque<(Timestamp, SessionId)>,
    /// By person: everything that began before was ended, because they were disabled, invited again or given another role.
    before: BTreeMap<Person, Timestamp>,
}

impl EndedSessions {
    /// Takes an entry; what people were employed as before it.
    pub(crate) fn enter(&mut self, entry: &HouseEntry, staff: &BTreeMap<Person, Employed>) {
        if let Deed::SignedOut { session } = &entry.deed {
            self.signed_out.push_back((entry.at, session.clone()));
            let is_old = |at: Timestamp| at.0.saturating_add(LONGEST_SESSION) < entry.at.0;
            while self.signed_out.front().is_some_and(|(at, _)| is_old(*at)) {
                self.signed_out.pop_front();
            }
        } else if let Deed::StaffChanged { person, role, enabled, invited, .. } = &entry.deed {
            let keeps_role = staff.get(person).is_some_and(|before| before.role == *role);
            if !enabled || *invited || !keeps_role {
                self.before.insert(person.clone(), entry.at);
            }
        }
    }

    /// Sessions whose owners signed out, and when.
    pub fn signed_out(&self) -> impl Iterator<Item = (Timestamp, &SessionId)> {
        self.signed_out.iter().map(|(at, session)| (*at, session))
    }

    /// Before when all sessions of a person are over.
    pub fn before(&self) -> impl Iterator<Item = (&Person, Timestamp)> {
        self.before.iter().map(|(person, at)| (person, *at))
    }
}
