//! The door: second factors as the software keeps them in memory. They come from the store when it is opened, and from deeds
//! since; each code is good once.

use std::collections::BTreeMap;

use punto_ledger::{Credential, RegisterFound, UsedSteps};
use punto_record::{Digest, FactorShown, Person, RegisterFact};

use crate::phones::{Made, Shown};

/// Who has a second factor, and which codes of it were used.
#[derive(Debug, Default)]
pub(crate) struct Door {
    factors: BTreeMap<Person, Option<Credential>>,
    used: BTreeMap<Person, UsedSteps>,
}

impl Door {
    /// As the ledger gave it at a start.
    pub(super) fn of(found: &RegisterFound) -> Door {
        let factor = |row: &punto_ledger::KeptRow| match &row.fact {
            RegisterFact::Factor { person } => Some((person.clone(), row.credential.clone())),
            RegisterFact::Person { .. }
            | RegisterFact::Password { .. }
            | RegisterFact::Invitation { .. }
            | RegisterFact::Device { .. } => None,
        };
        Door { factors: found.rows.iter().filter_map(factor).collect(), used: found.used.clone() }
    }

    /// Whether a person has a second factor.
    pub(crate) fn knows(&self, person: &Person) -> bool {
        self.factors.contains_key(person)
    }

    /// The factor of a person as it may be shown.
    pub(crate) fn factor(&self, person: &Person) -> Option<&Credential> {
        self.factors.get(person)?.as_ref()
    }

    /// Whether the code of a step was not used yet.
    pub(crate) fn is_free(&self, person: &Person, step: u64) -> bool {
        self.used.get(person).is_none_or(|used| used.is_free(step))
    }

    /// The recovery codes that a person has left, by their hashes.
    pub(crate) fn codes(&self, person: &Person) -> Vec<Digest> {
        self.factor(person).and_then(Credential::recovery_codes).unwrap_or_default()
    }

    /// Takes what somebody shows: what is to be written down of it, if it is good. A code is used up by it.
    pub(crate) fn takes(&mut self, person: &Person, shown: &Shown) -> Option<FactorShown> {
        match *shown {
            Shown::Code { seed, step } => {
                let own = self.factor(person)?.seed()?;
                let is_good = *own.bytes() == seed;
                let is_taken = is_good && self.used.entry(person.clone()).or_default().use_up(step);
                is_taken.then_some(FactorShown::Code { step })
            }
            Shown::Recovery(code) => self.codes(person).contains(&code).then_some(FactorShown::RecoveryCode),
        }
    }

    /// A deed gave a person another factor, or other recovery codes with it.
    pub(crate) fn set(&mut self, person: &Person, made: &Made) {
        self.factors.insert(person.clone(), Some(made.credential()));
    }

    /// The first code of another factor was shown: codes of the one before are good for nothing.
    pub(crate) fn begin(&mut self, person: &Person, step: u64) {
        let mut used = UsedSteps::default();
        used.use_up(step);
        self.used.insert(person.clone(), used);
    }

    /// A deed took a person's factor away. Which codes were used stays known.
    pub(crate) fn forget(&mut self, person: &Person) {
        self.factors.remove(person);
    }
}
