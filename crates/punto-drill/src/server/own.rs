//! What people do for themselves at the door: sign in, set up a second factor or another one, use a recovery code, have new ones
//! made; and resets of second factors that are due.

use punto_ledger::{Credential, Error, FactorSeed};
use punto_record::{Deed, Digest, FactorShown, Person, Seq, SessionId};

use super::{Server, works_as};
use crate::dice::Dice;
use crate::phones::{Done, Made, Phones, Shown, step_at};

/// What somebody showed at the door, and what is written down of it.
pub(crate) type Taken = (Shown, FactorShown);

impl Server {
    fn own(
        &mut self,
        person: &Person,
        deed: Deed,
        (credential, done): (Option<Credential>, Done),
        now: u64,
        phones: &mut Phones,
    ) -> Result<Seq, Error> {
        let (id, at) = (self.at_the_door(), self.recorded(now));
        phones.remember(&id, done);
        self.vault().deed_with(id, works_as(person), at, deed, credential)
    }

    /// Somebody sets up a second factor, or another one in the place of the one that they showed.
    pub(crate) fn enrol(
        &mut self,
        person: &Person,
        taken: Option<Taken>,
        now: u64,
        dice: &mut Dice,
        phones: &mut Phones,
    ) -> Result<Made, Error> {
        let made = Made::new(dice);
        // The app has it before anybody else knows it.
        phones.of(person).seeds.push(made.seed);
        let step = step_at(self.clock(now).0);
        let (shown, factor) = taken.unzip();
        let deed = Deed::FactorEnrolled { step, factor, credential: None };
        let done = Done { shown, leaves: Some(made.clone()) };
        self.own(person, deed, (Some(made.credential()), done), now, phones)?;
        self.door.set(person, &made);
        self.door.begin(person, step);
        Ok(made)
    }

    /// Somebody signs in.
    pub(crate) fn sign_in(
        &mut self,
        person: &Person,
        taken: Option<Taken>,
        now: u64,
        phones: &mut Phones,
    ) -> Result<(), Error> {
        let (shown, factor) = taken.unzip();
        let session = SessionId::as_recorded(format!("s-{}", self.signed));
        let done = Done { shown, leaves: None };
        self.own(person, Deed::SignedIn { session, factor }, (None, done), now, phones).map(|_| ())
    }

    /// A recovery code that somebody showed is used up.
    pub(crate) fn use_recovery_code(
        &mut self,
        person: &Person,
        code: Digest,
        now: u64,
        phones: &mut Phones,
    ) -> Result<(), Error> {
        let mut codes = self.door.codes(person);
        codes.retain(|it| *it != code);
        let Some(made) = self.with_codes(person, codes) else { return Ok(()) };
        let left = u8::try_from(made.codes.len()).unwrap_or(u8::MAX);
        let deed = Deed::RecoveryCodeUsed { left, credential: None };
        let done = Done { shown: Some(Shown::Recovery(code)), leaves: Some(made.clone()) };
        self.own(person, deed, (Some(made.credential()), done), now, phones)?;
        self.door.set(person, &made);
        Ok(())
    }

    /// Somebody has new recovery codes made; those before are no longer good.
    pub(crate) fn renew_codes(
        &mut self,
        person: &Person,
        (shown, factor): Taken,
        now: u64,
        dice: &mut Dice,
        phones: &mut Phones,
    ) -> Result<Vec<Digest>, Error> {
        let Some(made) = self.with_codes(person, Made::new_codes(dice)) else { return Ok(Vec::new()) };
        let deed = Deed::RecoveryCodesMade { factor, credential: None };
        let done = Done { shown: Some(shown), leaves: Some(made.clone()) };
        self.own(person, deed, (Some(made.credential()), done), now, phones)?;
        self.door.set(person, &made);
        Ok(made.codes)
    }

    /// The person concerned or an Administrator stops a reset.
    pub(crate) fn stop_reset(
        &mut self,
        by: &Person,
        (begun, person): (Seq, Person),
        (shown, factor): Taken,
        now: u64,
        phones: &mut Phones,
    ) -> Result<(), Error> {
        let deed = Deed::FactorResetStopped { begun, person, factor: Some(factor) };
        let done = Done { shown: Some(shown), leaves: None };
        self.own(by, deed, (None, done), now, phones).map(|_| ())
    }

    /// Carries out the resets whose delay is over; whose they were.
    pub(crate) fn reset_factors(&mut self, now: u64) -> Result<Vec<Person>, Error> {
        let at = self.recorded(now);
        let persons = self.vault().carry_out_factor_resets(at)?;
        persons.iter().for_each(|person| self.door.forget(person));
        Ok(persons)
    }

    /// The same second factor with other recovery codes.
    fn with_codes(&self, person: &Person, codes: Vec<Digest>) -> Option<Made> {
        let seed = self.door.factor(person)?.seed().map(FactorSeed::bytes)?;
        Some(Made { seed: *seed, codes })
    }
}
