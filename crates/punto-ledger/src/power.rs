//! Power over people in a house at work: giving it takes two, taking it away takes one, and two Administrators are left.
//!
//! Somebody who hires, raises or invites alone could make themselves a second person, or take over somebody else's account.

use std::collections::BTreeSet;
use std::sync::Arc;

use punto_record::{Actor, Deed, HouseEntry, LedgerKind, Person, Seq};

use crate::Error;
use crate::house::House;
use crate::staff::Employed;

const ADMINISTRATOR: &str = "administrator";
/// The one kind of device that only shows what everybody may see.
const BOARD: &str = "board";

/// Administrators that a house has at least, so that no single one can do without another.
pub const ADMINISTRATORS: usize = 2;

/// What the house's volume says about who came to power, and how.
#[derive(Clone, Debug, Default)]
pub(crate) struct Power {
    /// Administrators whom the software itself invited, because there were too few.
    founders: BTreeSet<Person>,
    /// Everybody who ever was an Administrator.
    administrators: BTreeSet<Person>,
    /// Everybody who has chosen a password, since they were last restored.
    chosen: BTreeSet<Person>,
    /// The restoration of Administrators that none of them has looked into yet.
    pub(crate) restored: Option<Seq>,
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
        } else if let (Deed::PasswordChosen { .. }, Some(person)) = (&entry.deed, entry.by.person()) {
            self.chosen.insert(person.clone());
        } else if let Deed::AdministratorsRestored { persons, .. } = &entry.deed {
            self.restored = Some(entry.seq);
            for person in persons {
                self.chosen.remove(person);
                self.founders.insert(person.clone());
            }
        } else if let Deed::RestorationSeen { restored, .. } = &entry.deed
            && self.restored == Some(*restored)
        {
            self.restored = None;
        }
    }
}

impl Power {
    /// Whether this person has chosen a password since they were last restored.
    pub(crate) fn has_chosen(&self, person: &Person) -> bool {
        self.chosen.contains(person)
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

    /// Administrators who are to be invited by the software: those it invited before who never came, and as many as are
    /// missing, under these ids or others that are free.
    pub(crate) fn to_found(&self, ids: &[Person]) -> Vec<Person> {
        let Power { founders, administrators, chosen, .. } = &self.power;
        // Whoever was disabled meanwhile, or is something else, is not called back.
        let waits = |person: &&Person| {
            !chosen.contains(*person) && self.staff.get(*person).is_none_or(|it| self.comes_back(person, it))
        };
        let mut found: Vec<Person> = founders.iter().filter(waits).cloned().collect();
        let named = ids.iter().filter(|person| !self.staff.contains_key(*person)).cloned();
        let missing = ADMINISTRATORS.saturating_sub(administrators.len());
        found.extend(named.chain(self.new_administrators()).take(missing));
        found
    }

    /// Whether an Administrator without a password is invited by the software again: while nobody disabled them, or because
    /// they were restored.
    fn comes_back(&self, person: &Person, it: &Employed) -> bool {
        let restored = self.power.restored.is_some_and(|restored| it.deed.seq < restored);
        self.power.founders.contains(person) && &*it.role == ADMINISTRATOR && (it.enabled || restored)
    }

    /// Ids that were never used: `administrator-1`, and so on.
    pub(crate) fn new_administrators(&self) -> impl Iterator<Item = Person> {
        let numbered = (1..).map(|n: u32| Person::as_recorded(format!("{ADMINISTRATOR}-{n}")));
        numbered.filter(|person| !self.staff.contains_key(person))
    }

    /// Whether Administrators may be restored like this, or a restoration be seen to.
    fn restores(&self, deed: &Deed) -> Result<(), Error> {
        let said = |reason: &str| match reason.trim() {
            "" => Err(Error::NotAllowed("a restoration takes a reason")),
            _ => Ok(()),
        };
        if let Deed::AdministratorsRestored { persons, reason } = deed {
            said(reason)?;
            let fits = |person: &Person| self.staff.get(person).is_none_or(|it| &*it.role == ADMINISTRATOR);
            let distinct: BTreeSet<&Person> = persons.iter().collect();
            return match distinct.len() >= ADMINISTRATORS && persons.iter().all(fits) {
                true => Ok(()),
                false => {
                    Err(Error::NotAllowed("two or more are restored, each new or an Administrator before"))
                }
            };
        }
        if let Deed::RestorationSeen { restored, reason } = deed {
            said(reason)?;
            return match self.power.restored == Some(*restored) {
                true => Ok(()),
                false => Err(Error::NotAllowed("there is no such restoration to be seen to")),
            };
        }
        Ok(())
    }

    /// Checks that a clearing of the register is about what was found last.
    fn clears(&self, deed: &Deed) -> Result<(), Error> {
        let Deed::RegisterCleared { failed, .. } = deed else { return Ok(()) };
        match self.registered.tampered.last_key_value() {
            Some((last, _)) if last == failed => Ok(()),
            Some(_) | None => Err(Error::NotAllowed("that is not what was last found in the register")),
        }
    }

    /// Checks that a deed that gives power, or takes a patron's claim away, has the people that it takes.
    pub(crate) fn empowers(&self, by: &Actor, deed: &Deed) -> Result<(), Error> {
        self.restores(deed)?;
        if deed.kind().facts().agreed && self.kind.is_house() {
            self.has_standing(deed.second())?;
            if let Some(reason) = deed.reason() {
                says_why(reason)?;
            }
        }
        self.witnesses.admit(deed).map_err(Error::NotAllowed)?;
        self.clears(deed)?;
        if let Deed::TicketPaid { second: Some(second), reason, .. } = deed {
            return if self.kind.is_house() { self.agreed(Some(second), reason.as_ref()) } else { Ok(()) };
        }
        if let Deed::SoftwareStarted { at_rest: Some(at_rest), .. } = deed
            && self.kind.is_house()
            && *at_rest > self.rest.left()
        {
            return Err(Error::NotAllowed("the system's clock is further ahead than a start follows"));
        }
        if let Deed::DeviceEnrolled { kind, second, reason, .. } = deed {
            if second.is_some() && second.as_ref() == by.person() {
                return Err(Error::NotAllowed("the second person is another one"));
            }
            // Whoever has the credential of a terminal, a console, a reader or an acceptor gives its orders.
            let takes_two = self.kind.is_house() && (second.is_some() || &**kind != BOARD);
            return if takes_two { self.agreed(second.as_ref(), reason.as_ref()) } else { Ok(()) };
        }
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
        self.agreed(second.as_ref(), reason.as_ref())
    }

    /// Checks that a person of standing agreed, for a reason.
    pub(crate) fn agreed(&self, second: Option<&Person>, reason: Option<&Arc<str>>) -> Result<(), Error> {
        self.has_standing(second)?;
        says_why(reason.map_or("", |reason| reason))
    }

    /// Checks that the second person may agree to power.
    fn has_standing(&self, second: Option<&Person>) -> Result<(), Error> {
        let agrees = second.and_then(|second| self.staff.get(second));
        match agrees.is_some_and(Employed::agrees_to_power) {
            true => Ok(()),
            false => Err(Error::NotAllowed(
                "that takes a second person: an Administrator, or a Table Games Shift Manager or above",
            )),
        }
    }

    /// The software invites the first two Administrators, those who were restored, and again whoever of them never came.
    fn founds(
        &self,
        person: &Person,
        role: &Arc<str>,
        enabled: bool,
        before: Option<&Employed>,
    ) -> Result<(), Error> {
        let Power { founders, administrators, chosen, .. } = &self.power;
        let is_one = enabled && &**role == ADMINISTRATOR && !chosen.contains(person);
        let is_needed = match before {
            Some(before) => founders.contains(person) && &*before.role == ADMINISTRATOR,
            None => founders.contains(person) || administrators.len() < ADMINISTRATORS,
        };
        match is_one && is_needed {
            true => Ok(()),
            false => {
                Err(Error::NotAllowed("the software invites the first two Administrators and nobody else"))
            }
        }
    }
}

/// Checks that a reason says something.
fn says_why(reason: &str) -> Result<(), Error> {
    if reason.trim().is_empty() { Err(Error::NotAllowed("that takes a reason")) } else { Ok(()) }
}
