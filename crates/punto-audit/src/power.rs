//! Who gave whom power in a house: the auditor's own reading, from the record alone.
//!
//! The vault has a check of its own. This one is written a second time on purpose, so that a deed that came into the record
//! past the vault, or past a mistake in it, is noticed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use punto_record::{Deed, HouseEntry, Person};

use crate::finding::{FindingKind, Findings};

/// How many Administrators are left in any case.
const LEFT: usize = 2;

#[derive(Clone, Debug)]
struct Now {
    role: Arc<str>,
    enabled: bool,
}

/// What the house's volume says so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Power {
    staff: BTreeMap<Person, Now>,
    /// Whom the software invited.
    invited: BTreeSet<Person>,
    /// Everybody who ever administrated.
    ever: BTreeSet<Person>,
    /// Who has a password.
    passwords: BTreeSet<Person>,
}

fn administrates(role: &str, enabled: bool) -> bool {
    enabled && role == "administrator"
}

impl Power {
    /// Takes an entry of the house's volume; what is not judged is only remembered.
    pub(crate) fn deed(&mut self, entry: &HouseEntry, judged: bool, out: &mut Findings) {
        if let Deed::StaffChanged { person, role, enabled, .. } = &entry.deed {
            if judged {
                match entry.by.person() {
                    Some(by) => self.by_people(by, &entry.deed, out),
                    None => self.by_software(person, role, *enabled, out),
                }
            }
            if &**role == "administrator" {
                self.ever.insert(person.clone());
            }
            if entry.by.person().is_none() {
                self.invited.insert(person.clone());
            }
            self.staff.insert(person.clone(), Now { role: role.clone(), enabled: *enabled });
        } else if let Deed::DeviceEnrolled { kind, second, reason, .. } = &entry.deed {
            match second {
                Some(second) if judged => {
                    self.agreed(entry.by.person(), None, (second, reason.as_ref()), out)
                }
                None if judged && &**kind != "board" => {
                    out.say(
                        FindingKind::SecondPerson,
                        "one person alone enrolled a device that gives orders",
                    );
                }
                Some(_) | None => {}
            }
        } else if let (true, Some(second)) = (judged && takes_standing(&entry.deed), entry.deed.second()) {
            self.has_standing(second, out);
        } else if let (Deed::PasswordChosen { .. }, Some(person)) = (&entry.deed, entry.by.person()) {
            self.passwords.insert(person.clone());
        } else if let Deed::AdministratorsRestored { persons, .. } = &entry.deed {
            for person in persons {
                let fits = self.staff.get(person).is_none_or(|it| &*it.role == "administrator");
                out.hold(
                    fits || !judged,
                    FindingKind::NotPermitted,
                    "somebody was restored who never administrated",
                );
                self.passwords.remove(person);
                self.invited.insert(person.clone());
            }
        }
    }

    /// Administrators who are employed and have a password.
    pub(crate) fn administrators(&self) -> usize {
        let can = |(person, it): &(&Person, &Now)| {
            administrates(&it.role, it.enabled) && self.passwords.contains(*person)
        };
        self.staff.iter().filter(can).count()
    }

    /// One person takes away, two give; two Administrators are left.
    fn by_people(&self, by: &Person, deed: &Deed, out: &mut Findings) {
        let Deed::StaffChanged { person, role, enabled, invited, second, reason, .. } = deed else { return };
        let before = self.staff.get(person);
        let others = self.staff.iter().filter(|(other, it)| {
            *other != person && administrates(&it.role, it.enabled) && self.passwords.contains(*other)
        });
        let was = before.is_some_and(|it| administrates(&it.role, it.enabled));
        let goes = was && self.passwords.contains(person) && !administrates(role, *enabled);
        out.hold(
            !goes || others.count() >= LEFT,
            FindingKind::NotPermitted,
            "one of the last two Administrators was taken away",
        );
        let takes_away = before.is_some_and(|it| it.role == *role) && !*enabled && !*invited;
        if takes_away && second.is_none() {
            return;
        }
        match second {
            None => {
                out.say(FindingKind::SecondPerson, "one person alone gave somebody power");
                let said = reason.as_ref().is_some_and(|reason| !reason.trim().is_empty());
                out.hold(said, FindingKind::NoReason, "a reason is missing");
            }
            Some(second) => self.agreed(Some(by), Some(person), (second, reason.as_ref()), out),
        }
    }

    /// A second person of standing, who is neither of those, and a reason.
    fn agreed(
        &self,
        by: Option<&Person>,
        about: Option<&Person>,
        (second, reason): (&Person, Option<&Arc<str>>),
        out: &mut Findings,
    ) {
        if Some(second) == by || Some(second) == about {
            out.say(FindingKind::SecondPerson, "the second person is the first, or the one it is about");
        } else {
            self.has_standing(second, out);
        }
        let said = reason.is_some_and(|reason| !reason.trim().is_empty());
        out.hold(said, FindingKind::NoReason, "a reason is missing");
    }

    fn has_standing(&self, second: &Person, out: &mut Findings) {
        let agrees = self.staff.get(second).is_some_and(|it| {
            it.enabled && ["administrator", "shift-manager", "duty-manager"].contains(&&*it.role)
        });
        out.hold(agrees, FindingKind::NoMandate, "the second person was in no role to agree to that");
    }

    /// The software invites two Administrators, those restored, and whoever of them never came; nobody else.
    fn by_software(&self, person: &Person, role: &str, enabled: bool, out: &mut Findings) {
        let again = self.invited.contains(person);
        let new = !self.staff.contains_key(person) && self.ever.len() < LEFT;
        let fits = administrates(role, enabled) && !self.passwords.contains(person) && (again || new);
        out.hold(
            fits,
            FindingKind::NotPermitted,
            "the software invites two Administrators and nobody else, and nobody who has a password",
        );
    }
}

/// Deeds beside those about people and devices that a second person of standing agrees to. That it is another person, and
/// the reason, is looked at with the deed itself.
const fn takes_standing(deed: &Deed) -> bool {
    matches!(
        deed,
        Deed::TicketPaid { second: Some(_), .. }
            | Deed::TicketVoided { .. }
            | Deed::TableUnlocked { .. }
            | Deed::ClockConfirmed { .. }
            | Deed::RegisterCleared { .. }
            | Deed::FactorResetBegun { .. }
            | Deed::RulesApproved { .. }
            | Deed::RulesWithdrawn { .. }
            | Deed::ReadingsAdopted { .. }
            | Deed::WitnessChanged { .. }
            | Deed::OpenedUnwitnessed { .. }
            | Deed::LossDeclared { .. }
    )
}
