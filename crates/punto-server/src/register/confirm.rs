//! Somebody gives their password again, to answer for something.

use std::sync::Arc;

use punto_record::{FactorShown, Person, Timestamp};

use super::attempt::{Known, PasswordAndCode, RecoveryUsed, Source};
use super::{Error, Register};
use crate::role::Role;

/// Somebody whose password was right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confirmed {
    /// Who.
    pub person: Person,
    /// Their name, as it is shown.
    pub name: Arc<str>,
    /// What they are employed as.
    pub role: Role,
    /// What they showed of their second factor.
    pub factor: Option<FactorShown>,
    /// Whether they must have a second factor and have none: they can sign for nothing.
    pub must_enrol: bool,
}

impl Register {
    /// Whether it is somebody without a second factor.
    ///
    /// # Errors
    /// As [`Register::confirm_with`].
    pub fn confirm(
        &self,
        source: &Source,
        person: &str,
        password: &str,
        now: Timestamp,
    ) -> Result<Confirmed, Error> {
        self.confirm_with(source, person, &PasswordAndCode::new(password, None), now, |_| Ok(()))
    }

    /// Whether it is them. Wrong passwords and codes count as at sign-in. `used` writes down that a recovery code was used.
    ///
    /// Takes its time: it hashes.
    ///
    /// # Errors
    /// If person, password and code do not belong together.
    pub fn confirm_with(
        &self,
        source: &Source,
        person: &str,
        given: &PasswordAndCode<'_>,
        now: Timestamp,
        used: impl FnOnce(&RecoveryUsed) -> Result<(), Error>,
    ) -> Result<Confirmed, Error> {
        let Known { person, name, role, mark, shown, .. } = self.attempt(person, given, source, now, used)?;
        Ok(Confirmed { person, name, role, factor: shown, must_enrol: self.must_enrol(role, mark.is_some()) })
    }
}
