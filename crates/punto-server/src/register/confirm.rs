//! Somebody gives their password again, to answer for something.

use std::sync::Arc;

use punto_record::{Person, Timestamp};

use super::attempt::{Known, Source};
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
}

impl Register {
    /// Whether it is them. Wrong passwords count as at sign-in.
    ///
    /// Takes its time: it hashes.
    ///
    /// # Errors
    /// If person and password do not belong together.
    pub fn confirm(
        &self,
        source: &Source,
        person: &str,
        password: &str,
        now: Timestamp,
    ) -> Result<Confirmed, Error> {
        let Known { person, name, role, .. } = self.attempt(person, password, source, now)?;
        Ok(Confirmed { person, name, role })
    }
}
