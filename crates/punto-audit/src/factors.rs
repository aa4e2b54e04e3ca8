//! Second factors: the auditor's own reading of who must show one, of codes that were used, and of resets.
//!
//! The server asks for the factor and the vault refuses a reset that is too early. Both are read a second time here, from the record
//! alone. Where nobody ever enrolled a factor the record is of an earlier build, and says nothing about them.

use std::collections::{BTreeMap, BTreeSet};

use punto_record::{Actor, Deed, FactorShown, HouseEntry, Person, Seq, Timestamp};

use crate::finding::{FindingKind, Findings};

/// How long a reset waits, in milliseconds.
const DELAY: u64 = 24 * 60 * 60 * 1000;

/// A reset that waits.
#[derive(Clone, Copy, Debug)]
struct Reset {
    begun: Seq,
    due: u64,
}

/// What the house's volume says so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Factors {
    /// Whether anybody ever enrolled one.
    is_begun: bool,
    has: BTreeSet<Person>,
    /// When a person's factor was removed.
    removed: BTreeMap<Person, Timestamp>,
    used: BTreeSet<(Person, u64)>,
    resets: BTreeMap<Person, Reset>,
}

/// Who does not work in a house without one.
fn must_have(role: &str) -> bool {
    matches!(role, "administrator" | "pit-manager" | "shift-manager" | "duty-manager")
}

impl Factors {
    /// Takes an entry of the house's volume.
    pub(crate) fn deed(&mut self, entry: &HouseEntry, out: &mut Findings) {
        let by = entry.by.person();
        if let Deed::FactorResetBegun { person, second, .. } = &entry.deed {
            let distinct = by != Some(person) && person != second;
            out.hold(
                distinct,
                FindingKind::SecondPerson,
                "a second factor was reset by the person whose it is",
            );
            let is_one = self.has.contains(person) && !self.resets.contains_key(person);
            out.hold(is_one, FindingKind::OutOfTurn, "there was no second factor to be reset");
            let due = entry.at.0.saturating_add(DELAY);
            self.resets.insert(person.clone(), Reset { begun: entry.seq, due });
        } else if let Deed::FactorResetStopped { begun, person, .. } = &entry.deed {
            let was = self.resets.remove(person).is_some_and(|reset| reset.begun == *begun);
            out.hold(was, FindingKind::OutOfTurn, "no such reset of a second factor waited");
            let is_theirs = by == Some(person) || matches!(entry.by, Actor::Administrator { .. });
            out.hold(is_theirs, FindingKind::NotPermitted, "that reset was not for this person to stop");
        } else if let Deed::FactorReset { begun, person } = &entry.deed {
            match self.resets.remove(person).filter(|reset| reset.begun == *begun) {
                Some(Reset { due, .. }) => out.hold(
                    due <= entry.at.0,
                    FindingKind::SecondFactor,
                    "a second factor was reset before the delay was over",
                ),
                None => {
                    out.say(
                        FindingKind::SecondFactor,
                        "a second factor was reset that no two people asked for",
                    );
                }
            }
            self.remove(person, entry.at);
        } else if let Deed::ClockConfirmed { ahead, .. } = &entry.deed {
            // The clock steps forward by that much, which is no time that anybody had.
            self.resets.values_mut().for_each(|reset| reset.due = reset.due.saturating_add(*ahead));
        } else if let Deed::AdministratorsRestored { persons, .. } = &entry.deed {
            for person in persons {
                self.resets.remove(person);
                self.remove(person, entry.at);
            }
        }
        if let Some(person) = by {
            self.by_person(person, &entry.deed, out);
        }
    }

    fn by_person(&mut self, person: &Person, deed: &Deed, out: &mut Findings) {
        let has = self.has.contains(person);
        let shown = if let Deed::SignedIn { factor, .. } = deed {
            out.hold(
                !has || factor.is_some(),
                FindingKind::SecondFactor,
                "somebody signed in without their second factor",
            );
            *factor
        } else if let Deed::FactorEnrolled { step, factor, .. } = deed {
            out.hold(
                !has || factor.is_some(),
                FindingKind::SecondFactor,
                "a second factor was replaced by somebody who did not show it",
            );
            self.is_begun = true;
            self.has.insert(person.clone());
            self.resets.remove(person);
            if let Some(FactorShown::Code { step }) = factor {
                self.use_up(person, *step, out);
            }
            // Another factor has other codes.
            self.used.retain(|(whose, _)| whose != person);
            self.use_up(person, *step, out);
            None
        } else if let Deed::ApprovalGiven { factor, .. } | Deed::FactorResetStopped { factor, .. } = deed {
            *factor
        } else if let Deed::RecoveryCodesMade { factor, .. } = deed {
            out.hold(has, FindingKind::SecondFactor, "recovery codes without a second factor");
            Some(*factor)
        } else {
            if let Deed::RecoveryCodeUsed { .. } = deed {
                out.hold(has, FindingKind::SecondFactor, "a recovery code without a second factor");
            }
            None
        };
        if let Some(FactorShown::Code { step }) = shown {
            self.use_up(person, step, out);
        }
    }

    fn use_up(&mut self, person: &Person, step: u64, out: &mut Findings) {
        let is_new = self.used.insert((person.clone(), step));
        out.hold(is_new, FindingKind::SecondFactor, "a code of a second factor was used twice");
    }

    fn remove(&mut self, person: &Person, at: Timestamp) {
        if self.has.remove(person) {
            self.removed.insert(person.clone(), at);
        }
    }

    /// Somebody did something at this time, in a role that a deed of that time gave them.
    pub(crate) fn acts(
        &self,
        person: &Person,
        (role, since): (&str, Timestamp),
        at: Timestamp,
        out: &mut Findings,
    ) {
        let lacks = self.is_begun && must_have(role) && !self.has.contains(person);
        // What was on its way when the factor was removed, or the role given, was not done without it.
        let since = self.removed.get(person).copied().max(Some(since));
        out.hold(
            !lacks || Some(at) <= since,
            FindingKind::SecondFactor,
            "somebody who must have a second factor acted without one",
        );
    }
}
