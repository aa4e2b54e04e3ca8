//! Second factors as their owners know them: which one is good, which codes of it were used, and resets that wait. It listens to
//! the record, and knows beside it what was truly shown.

use std::collections::{BTreeMap, BTreeSet};

use punto_ledger::{Credential, RegisterFound};
use punto_record::{Deed, FactorShown, HouseEntry, Person, RegisterFact, Seq, Timestamp};

use crate::Counters;
use crate::phones::{Done, Made, Shown};

/// How long a reset waits.
const DAY: u64 = 86_400_000;

/// A second factor that somebody has.
#[derive(Debug)]
struct Held {
    made: Made,
    used: BTreeSet<u64>,
}

/// Everybody's.
#[derive(Debug, Default)]
pub(crate) struct Factors {
    held: BTreeMap<Person, Held>,
    /// When a factor was removed that nobody has replaced yet.
    removed: BTreeMap<Person, Timestamp>,
    /// The deed that began a reset, and when it is due.
    resets: BTreeMap<Person, (Seq, u64)>,
}

impl Factors {
    /// Takes an entry. What insiders wrote is the auditor's to name: here it is only remembered.
    ///
    /// # Errors
    /// What somebody would complain about whose factor it is.
    pub(super) fn enter(
        &mut self,
        entry: &HouseEntry,
        done: Option<&Done>,
        by_insider: bool,
        counters: &mut Counters,
    ) -> Result<(), String> {
        if let (Some(person), Some(shown)) = (entry.by.person(), shown_in(&entry.deed)) {
            let taken = self.shown(person, shown, done.and_then(|done| done.shown));
            match taken {
                Ok(()) => counters.codes_taken += u64::from(!by_insider),
                Err(_) if by_insider => {}
                Err(words) => return Err(format!("{person}: {words}")),
            }
        }
        match by_insider {
            true => self.by_insider(entry, done),
            false => self.by_owner(entry, done, counters)?,
        }
        self.resets(entry, by_insider, counters)
    }

    fn shown(&mut self, person: &Person, told: FactorShown, shown: Option<Shown>) -> Result<(), String> {
        let held = self.held.get_mut(person).ok_or("a second factor was taken, and there is none")?;
        match (told, shown) {
            (FactorShown::Code { step: told }, Some(Shown::Code { seed, step })) if told == step => {
                if seed != held.made.seed {
                    return Err("a code was taken of a factor that was replaced or lost".to_owned());
                }
                match held.used.insert(step) {
                    true => Ok(()),
                    false => Err("a code was taken twice".to_owned()),
                }
            }
            (FactorShown::RecoveryCode, Some(Shown::Recovery(code))) => {
                match held.made.codes.contains(&code) {
                    false => Ok(()),
                    true => Err("a recovery code was taken and not used up".to_owned()),
                }
            }
            (FactorShown::Code { .. } | FactorShown::RecoveryCode, _) => {
                Err("something was taken that nobody showed".to_owned())
            }
        }
    }

    fn by_owner(
        &mut self,
        entry: &HouseEntry,
        done: Option<&Done>,
        counters: &mut Counters,
    ) -> Result<(), String> {
        let Some(person) = entry.by.person() else { return Ok(()) };
        let leaves = done.and_then(|done| done.leaves.clone());
        if let Deed::SignedIn { factor, .. } = &entry.deed
            && factor.is_none()
            && self.held.contains_key(person)
        {
            return Err(format!("{person} signed in without their second factor"));
        }
        if let Deed::FactorEnrolled { step, factor, .. } = &entry.deed {
            let replaces = self.held.contains_key(person);
            if replaces && factor.is_none() {
                return Err(format!(
                    "the second factor of {person} was replaced by somebody who did not show it"
                ));
            }
            counters.factors_enrolled += u64::from(!replaces);
            counters.factors_replaced += u64::from(replaces);
            let made = leaves.ok_or_else(|| format!("{person} set up no second factor"))?;
            self.set(person, made, *step);
        } else if let Deed::RecoveryCodesMade { .. } = &entry.deed {
            counters.recovery_codes_made += 1;
            let held = self.held.get_mut(person).ok_or("recovery codes of no second factor")?;
            held.made = leaves.ok_or_else(|| format!("{person} had no recovery codes made"))?;
        } else if let Deed::RecoveryCodeUsed { left, .. } = &entry.deed {
            counters.recovery_codes_used += 1;
            let held = self.held.get_mut(person).ok_or("a recovery code of no second factor")?;
            let Some(Shown::Recovery(code)) = done.and_then(|done| done.shown) else {
                return Err(format!("{person} showed no recovery code"));
            };
            let before = held.made.codes.len();
            held.made.codes.retain(|it| *it != code);
            if before != held.made.codes.len() + 1 || held.made.codes.len() != usize::from(*left) {
                return Err(format!("{person}: a recovery code was used that is not there any more"));
            }
        }
        Ok(())
    }

    fn by_insider(&mut self, entry: &HouseEntry, done: Option<&Done>) {
        let leaves = done.and_then(|done| done.leaves.clone());
        let (Some(person), Some(made)) = (entry.by.person(), leaves) else { return };
        if let Deed::FactorEnrolled { step, .. } = &entry.deed {
            self.set(person, made, *step);
        } else if let (Deed::RecoveryCodesMade { .. }, Some(held)) = (&entry.deed, self.held.get_mut(person))
        {
            held.made = made;
        }
    }

    fn set(&mut self, person: &Person, made: Made, step: u64) {
        self.held.insert(person.clone(), Held { made, used: BTreeSet::from([step]) });
        self.removed.remove(person);
        self.resets.remove(person);
    }

    fn resets(
        &mut self,
        entry: &HouseEntry,
        by_insider: bool,
        counters: &mut Counters,
    ) -> Result<(), String> {
        if let Deed::FactorResetBegun { person, .. } = &entry.deed {
            counters.resets_asked += u64::from(!by_insider);
            self.resets.insert(person.clone(), (entry.seq, entry.at.0 + DAY));
        } else if let Deed::FactorResetStopped { begun, person, .. } = &entry.deed {
            counters.resets_stopped += u64::from(!by_insider);
            if self.resets.remove(person).map(|(seq, _)| seq) != Some(*begun) {
                return Err(format!("a reset of {person}'s second factor was stopped that did not wait"));
            }
        } else if let Deed::FactorReset { begun, person } = &entry.deed {
            counters.resets_done += u64::from(!by_insider);
            let (seq, due) = self.resets.remove(person).unwrap_or_default();
            if seq != *begun || entry.at.0 < due {
                return Err(format!("{person}'s second factor was reset unasked or before its day"));
            }
            self.held.remove(person);
            self.removed.insert(person.clone(), entry.at);
        } else if let Deed::ClockConfirmed { ahead, .. } = &entry.deed {
            self.resets.values_mut().for_each(|(_, due)| *due += ahead);
        }
        Ok(())
    }

    /// A code of theirs that was used.
    pub(crate) fn used(&self, person: &Person) -> Option<u64> {
        self.held.get(person)?.used.last().copied()
    }

    /// Since when somebody is without the factor that they had.
    pub(crate) fn removed(&self, person: &Person) -> Option<Timestamp> {
        self.removed.get(person).copied()
    }

    /// What the ledger gives after a start is what everybody has: their secret, their recovery codes, no code twice.
    ///
    /// # Errors
    /// Whose is another.
    pub(super) fn are_those_of(&self, found: &RegisterFound) -> Result<(), String> {
        let mut given: BTreeMap<&Person, Option<&Credential>> = BTreeMap::new();
        for row in &found.rows {
            if let RegisterFact::Factor { person } = &row.fact {
                given.insert(person, row.credential.as_ref());
            }
        }
        for (person, Held { made, used }) in &self.held {
            let is_theirs = given.remove(person).flatten().is_some_and(|it| *it == made.credential());
            if !is_theirs {
                return Err(format!("after a start {person} has another second factor than before"));
            }
            let is_used = |step: &u64| found.used.get(person).is_some_and(|known| !known.is_free(*step));
            if !used.iter().all(is_used) {
                return Err(format!("after a start a code of {person} is good again"));
            }
        }
        match given.first_key_value() {
            Some((person, _)) => Err(format!("after a start {person} has a second factor that was removed")),
            None => Ok(()),
        }
    }
}

/// What a deed says that somebody showed.
fn shown_in(deed: &Deed) -> Option<FactorShown> {
    if let Deed::SignedIn { factor, .. }
    | Deed::FactorEnrolled { factor, .. }
    | Deed::FactorResetStopped { factor, .. }
    | Deed::ApprovalGiven { factor, .. } = deed
    {
        *factor
    } else if let Deed::RecoveryCodesMade { factor, .. } = deed {
        Some(*factor)
    } else {
        None
    }
}
