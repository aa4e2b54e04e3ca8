//! What people carry to show who they are: telephones that make codes, and recovery codes on paper.
//!
//! What was truly shown for a deed is remembered here, beside the record, which has the step of a code only: so the checks
//! know whether it was of the factor that its owner had at that moment.

use std::collections::BTreeMap;

use punto_ledger::{Credential, FactorSeed};
use punto_record::{Digest, OrderId, Person};

use crate::dice::Dice;

/// For how long a code is good, in milliseconds. People here act a hundred times as fast as elsewhere, and so do their
/// telephones.
const CODE: u64 = 300;

/// Recovery codes that are made at once.
const RECOVERY_CODES: usize = 4;

/// The secret of an app.
pub(crate) type Seed = [u8; 20];

/// A second factor as it is made: what the app is told, and the recovery codes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Made {
    pub(crate) seed: Seed,
    pub(crate) codes: Vec<Digest>,
}

impl Made {
    pub(crate) fn new(dice: &mut Dice) -> Made {
        let mut seed = Seed::default();
        seed.copy_from_slice(&dice.bytes()[..size_of::<Seed>()]);
        Made { seed, codes: Made::new_codes(dice) }
    }

    pub(crate) fn new_codes(dice: &mut Dice) -> Vec<Digest> {
        (0..RECOVERY_CODES).map(|_| Digest(dice.bytes())).collect()
    }

    /// As the ledger keeps it.
    pub(crate) fn credential(&self) -> Credential {
        Credential::factor(FactorSeed::from_bytes(self.seed), &self.codes)
    }
}

/// What was shown at the door.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    /// The code of an app with this secret.
    Code { seed: Seed, step: u64 },
    /// A recovery code, by its hash.
    Recovery(Digest),
}

/// What one deed was about, as its giver knows it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Done {
    /// What was shown for it.
    pub(crate) shown: Option<Shown>,
    /// The second factor that it leaves its giver with, if it changes that.
    pub(crate) leaves: Option<Made>,
}

/// What one person carries.
#[derive(Clone, Debug, Default)]
pub(crate) struct Carried {
    /// The secrets in their app, the oldest first. Nobody deletes any.
    pub(crate) seeds: Vec<Seed>,
    /// Recovery codes that they were told and have not crossed out.
    pub(crate) codes: Vec<Digest>,
}

/// What everybody carries.
#[derive(Debug, Default)]
pub(crate) struct Phones {
    carried: BTreeMap<Person, Carried>,
    done: BTreeMap<OrderId, Done>,
}

impl Phones {
    pub(crate) fn of(&mut self, person: &Person) -> &mut Carried {
        self.carried.entry(person.clone()).or_default()
    }

    /// Remembers what a deed was about that is about to be written.
    pub(crate) fn remember(&mut self, id: &OrderId, done: Done) {
        self.done.insert(id.clone(), done);
    }

    /// What a deed was about.
    pub(crate) fn done(&self, id: &OrderId) -> Option<&Done> {
        self.done.get(id)
    }
}

/// The number of the code that an app shows at this time.
pub(crate) const fn step_at(time: u64) -> u64 {
    time / CODE
}
