//! Approvals: somebody gives their password again, and answers for one order.

use std::sync::Arc;

use punto_record::{Person, Timestamp};
use rusqlite::{OptionalExtension as _, params};

use super::secret::Use;
use super::session::Known;
use super::staff::role;
use super::{APPROVED_FOR, Error, Register, Secret, at, later, ms};
use crate::role::Role;

/// Good once, for a minute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approval {
    /// Who answers.
    pub person: Person,
    /// Their name, as it is shown.
    pub name: Arc<str>,
    /// What they are employed as.
    pub role: Role,
    /// What is sent along with the order.
    pub secret: Secret,
    /// Until when.
    pub until: Timestamp,
}

/// Who answers for an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approver {
    /// Who.
    pub person: Person,
    /// What they are employed as.
    pub role: Role,
}

impl Register {
    /// An approval by somebody who gives their password. Wrong ones count as at sign-in.
    ///
    /// Takes its time: it hashes.
    ///
    /// # Errors
    /// If person and password do not belong together.
    pub fn approve(&self, person: &str, password: &str, now: Timestamp) -> Result<Approval, Error> {
        let Known { person, name, role, .. } = self.attempt(person, password, now)?;
        let (secret, until) = (Secret::new()?, later(now, APPROVED_FOR));
        let connection = self.connection();
        connection.execute("DELETE FROM approval WHERE until <= ?1", [ms(now)])?;
        connection.execute(
            "INSERT INTO approval (secret, person, until) VALUES (?1, ?2, ?3)",
            params![secret.hash(Use::Approval), person.as_str(), ms(until)],
        )?;
        Ok(Approval { person, name, role, secret, until })
    }

    /// Uses an approval up. None, if it is not good: spent, too old, of somebody who was disabled since.
    ///
    /// # Errors
    /// If the register failed.
    pub fn spend(&self, approval: &str, now: Timestamp) -> Result<Option<Approver>, Error> {
        let Some(secret) = Secret::parse(approval) else { return Ok(None) };
        let connection = self.connection();
        let spent: Option<(String, i64)> = connection
            .prepare_cached("DELETE FROM approval WHERE secret = ?1 RETURNING person, until")?
            .query_row([secret.hash(Use::Approval)], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        let Some((person, _)) = spent.filter(|(_, until)| at(*until) > now) else { return Ok(None) };
        let word: Option<String> = connection
            .query_row("SELECT role FROM staff WHERE person = ?1 AND enabled", [&person], |row| row.get(0))
            .optional()?;
        word.map(|word| Ok(Approver { person: person.as_str().into(), role: role(&word)? })).transpose()
    }
}
