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
        } else if let (Deed::PasswordChosen {}, Some(person)) = (&entry.deed, entry.by.person()) {
            self.passwords.insert(person.clone());
        }
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
            None => out.say(FindingKind::SecondPerson, "one person alone gave somebody power"),
            Some(second) if second == by || second == person => {
                out.say(FindingKind::SecondPerson, "the second person is the first, or the one it is about");
            }
            Some(second) => {
                let agrees = self.staff.get(second).is_some_and(|it| {
                    it.enabled && ["administrator", "shift-manager", "duty-manager"].contains(&&*it.role)
                });
                out.hold(
                    agrees,
                    FindingKind::NoMandate,
                    "the second person was in no role to agree to power",
                );
            }
        }
        let said = reason.as_ref().is_some_and(|reason| !reason.trim().is_empty());
        out.hold(said, FindingKind::NoReason, "a reason is missing");
    }

    /// The software invites two Administrators, and whoever of them never came; nobody else.
    fn by_software(&self, person: &Person, role: &str, enabled: bool, out: &mut Findings) {
        let again = self.invited.contains(person) && self.staff.contains_key(person);
        let new = !self.staff.contains_key(person) && self.ever.len() < LEFT;
        let fits = administrates(role, enabled) && !self.passwords.contains(person) && (again || new);
        out.hold(
            fits,
            FindingKind::NotPermitted,
            "the software invites two Administrators and nobody else, and nobody who has a password",
        );
    }
}
