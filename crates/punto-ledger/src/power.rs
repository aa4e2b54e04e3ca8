//! Power over people in a house at work: giving it takes two, taking it away takes one, and two Administrators are left.
//!
//! Somebody who hires, raises or invites alone could make themselves a second person, or take over somebody else's account.

use std::collections::BTreeSet;
use std::sync::Arc;

use punto_record::{Actor, Deed, HouseEntry, LedgerKind, Person};

use crate::Error;
use crate::house::House;
use crate::staff::Employed;

const ADMINISTRATOR: &str = "administrator";

/// Administrators that a house has at least, so that no single one can do without another.
pub const ADMINISTRATORS: usize = 2;

/// What the house's volume says about who came to power, and how.
#[derive(Clone, Debug, Default)]
pub(crate) struct Power {
    /// Administrators whom the software itself invited, because there were too few.
    founders: BTreeSet<Person>,
    /// Everybody who ever was an Administrator.
    administrators: BTreeSet<Person>,
    /// Everybody who has chosen a password.
    chosen: BTreeSet<Person>,
}

impl Power {
    pub(crate) fn enter(&mut self, entry: &HouseEntry) {
        if let Deed::StaffChanged { person, role, .. } = &entry.deed {
            if &**role == ADMINISTRATOR {
                self.administrators.insert(person.clone());
            }
            if entry.by == Actor::House {
                self.founders.insert(person.clone());
            }
        } else if let (Deed::PasswordChosen {}, Some(person)) = (&entry.deed, entry.by.person()) {
            self.chosen.insert(person.clone());
        }
    }
}

impl Employed {
    /// Whether they may agree to power over people: an Administrator, or a Table Games Shift Manager or above. There is one
    /// in every shift, who cannot begin such a deed, and under whom the person will work.
    pub fn agrees_to_power(&self) -> bool {
        self.enabled && matches!(&*self.role, ADMINISTRATOR | "shift-manager" | "duty-manager")
    }

    fn administrates(&self) -> bool {
        self.enabled && &*self.role == ADMINISTRATOR
    }
}

impl House {
    /// Administrators who are employed and have chosen a password.
    pub(crate) fn administrators(&self) -> impl Iterator<Item = &Person> {
        let has_password = |person: &&Person| self.power.chosen.contains(*person);
        self.staff.iter().filter(|(_, it)| it.administrates()).map(|(person, _)| person).filter(has_password)
    }

    /// Whether a change of staff has the people that it takes.
    pub(crate) fn empowers(&self, by: &Actor, deed: &Deed) -> Result<(), Error> {
        let Deed::StaffChanged { person, role, enabled, invited, second, reason, .. } = deed else {
            return Ok(());
        };
        if second.as_ref().is_some_and(|second| Some(second) == by.person() || second == person) {
            return Err(Error::NotAllowed("the second person is neither the first nor the one it is about"));
        }
        // Where no real money is, one person may try everything out.
        if self.kind != LedgerKind::House {
            return Ok(());
        }
        let before = self.staff.get(person);
        if by.person().is_none() {
            return self.founds(person, role, *enabled, before);
        }
        let is_counted = self.administrators().any(|it| it == person);
        let stays = *enabled && &**role == ADMINISTRATOR;
        if is_counted && !stays && self.administrators().count() <= ADMINISTRATORS {
            return Err(Error::NotAllowed("the last two Administrators stay so"));
        }
        let only_takes_away = !enabled && !invited && before.is_some_and(|it| it.role == *role);
        if only_takes_away && second.is_none() {
            return Ok(());
        }
        let agrees = second.as_ref().and_then(|second| self.staff.get(second));
        if !agrees.is_some_and(Employed::agrees_to_power) {
            return Err(Error::NotAllowed(
                "giving somebody power takes a second person: an Administrator, or a Table Games Shift Manager or above",
            ));
        }
        match reason.as_ref().is_some_and(|reason| !reason.trim().is_empty()) {
            true => Ok(()),
            false => Err(Error::NotAllowed("giving somebody power takes a reason")),
        }
    }

    /// The software invites the first two Administrators, and again whoever of them never came.
    fn founds(
        &self,
        person: &Person,
        role: &Arc<str>,
        enabled: bool,
        before: Option<&Employed>,
    ) -> Result<(), Error> {
        let Power { founders, administrators, chosen } = &self.power;
        let is_one = enabled && &**role == ADMINISTRATOR && !chosen.contains(person);
        let is_needed = match before {
            Some(before) => founders.contains(person) && before.administrates(),
            None => administrators.len() < ADMINISTRATORS,
        };
        match is_one && is_needed {
            true => Ok(()),
            false => {
                Err(Error::NotAllowed("the software invites the first two Administrators and nobody else"))
            }
        }
    }
}
