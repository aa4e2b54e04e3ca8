//! Second factors by the house's own volume: which codes were used, and resets that wait.

use std::collections::BTreeMap;
use std::sync::Arc;

use punto_record::{Actor, Deed, FactorShown, HouseEntry, Person, RegisterKind, Seq, Timestamp};

use crate::house::House;
use crate::{Error, UsedSteps};

/// How long a reset of a second factor waits before it is carried out, in milliseconds: a day. Whoever is concerned comes to
/// work in that time, or is asked by telephone, and can stop it; and nobody who has lost a phone waits longer than that.
pub const FACTOR_RESET_DELAY: u64 = 24 * 3_600_000;

/// A reset of a second factor that waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactorReset {
    /// The deed that began it.
    pub begun: Seq,
    /// Whose second factor it is.
    pub person: Person,
    /// Who asked for it.
    pub by: Option<Person>,
    /// Who agreed.
    pub second: Person,
    /// Why.
    pub reason: Arc<str>,
    /// When it is carried out.
    pub due: Timestamp,
}

/// What the house's volume says about second factors, beside the rows of the register.
#[derive(Clone, Debug, Default)]
pub(crate) struct Factors {
    used: BTreeMap<Person, UsedSteps>,
    resets: BTreeMap<Person, FactorReset>,
}

impl Factors {
    pub(crate) fn enter(&mut self, entry: &HouseEntry) {
        let by = entry.by.person();
        if let (Deed::FactorEnrolled { .. }, Some(person)) = (&entry.deed, by) {
            // Codes of the factor before are good for nothing.
            self.used.remove(person);
        }
        if let Some(person) = by {
            for step in steps(&entry.deed) {
                self.used.entry(person.clone()).or_default().use_up(step);
            }
        }
        if let Deed::FactorResetBegun { person, second, reason } = &entry.deed {
            let due = Timestamp(entry.at.0.saturating_add(FACTOR_RESET_DELAY));
            let (begun, second, reason) = (entry.seq, second.clone(), reason.clone());
            let reset = FactorReset { begun, person: person.clone(), by: by.cloned(), second, reason, due };
            self.resets.insert(person.clone(), reset);
        } else if let Deed::FactorResetStopped { person, .. } | Deed::FactorReset { person, .. } = &entry.deed
        {
            self.resets.remove(person);
        } else if let (Deed::FactorEnrolled { .. }, Some(person)) = (&entry.deed, by) {
            // The factor that was to be removed is not there any more.
            self.resets.remove(person);
        } else if let Deed::AdministratorsRestored { persons, .. } = &entry.deed {
            persons.iter().for_each(|person| drop(self.resets.remove(person)));
        } else if let Deed::ClockConfirmed { ahead, .. } = &entry.deed {
            // The recorded clock steps forward by that much, and nobody had that time to stop anything.
            for reset in self.resets.values_mut() {
                reset.due = Timestamp(reset.due.0.saturating_add(*ahead));
            }
        }
    }

    /// Resets that wait.
    pub(crate) fn resets(&self) -> impl Iterator<Item = &FactorReset> {
        self.resets.values()
    }

    pub(crate) const fn used(&self) -> &BTreeMap<Person, UsedSteps> {
        &self.used
    }
}

/// The steps of the codes that a deed used up.
fn steps(deed: &Deed) -> impl Iterator<Item = u64> {
    let (enrolled, shown) = if let Deed::FactorEnrolled { step, .. } = deed {
        // What is shown beside it is of the factor before.
        (Some(*step), None)
    } else if let Deed::SignedIn { factor, .. }
    | Deed::ApprovalGiven { factor, .. }
    | Deed::FactorResetStopped { factor, .. } = deed
    {
        (None, *factor)
    } else if let Deed::RecoveryCodesMade { factor, .. } = deed {
        (None, Some(*factor))
    } else {
        (None, None)
    };
    enrolled.into_iter().chain(shown.and_then(FactorShown::step))
}

impl House {
    /// Checks that a deed about a second factor is possible at this time.
    pub(crate) fn changes_factor(&self, by: &Actor, at: Timestamp, deed: &Deed) -> Result<(), Error> {
        let has = |person: &Person| self.registered.row(RegisterKind::Factor, person.as_str()).is_some();
        if let Deed::RecoveryCodesMade { .. } | Deed::RecoveryCodeUsed { .. } = deed {
            return match by.person().is_some_and(has) {
                true => Ok(()),
                false => Err(Error::NotAllowed("that person has no second factor")),
            };
        }
        if let Deed::FactorResetBegun { person, second, reason } = deed {
            if Some(person) == by.person() || person == second || Some(second) == by.person() {
                return Err(Error::NotAllowed(
                    "a reset takes two people, of whom neither is the one concerned",
                ));
            }
            if self.kind.is_house() {
                self.agreed(Some(second), Some(reason))?;
            }
            return match has(person) && !self.factors.resets.contains_key(person) {
                true => Ok(()),
                false => Err(Error::NotAllowed(
                    "there is no second factor to be reset, or its reset waits already",
                )),
            };
        }
        if let Deed::FactorResetStopped { begun, person, .. } | Deed::FactorReset { begun, person } = deed {
            let reset = self.factors.resets.get(person).filter(|reset| reset.begun == *begun);
            let reset = reset.ok_or(Error::NotAllowed("no such reset waits"))?;
            let is_theirs =
                by.person().is_none_or(|by| by == person) || matches!(by, Actor::Administrator { .. });
            if !is_theirs {
                return Err(Error::NotAllowed(
                    "a reset is stopped by the person concerned or an Administrator",
                ));
            }
            if matches!(deed, Deed::FactorReset { .. }) && at < reset.due {
                return Err(Error::NotAllowed("the delay of that reset is not over"));
            }
        }
        Ok(())
    }
}
