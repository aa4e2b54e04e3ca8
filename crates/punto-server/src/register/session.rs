//! Signing in, and what comes of it: a session.

use std::sync::Arc;

use punto_record::{Digest, Person, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, ToSql, Transaction, params};

use super::attempt::{Known, Source};
use super::secret::Use;
use super::staff::{role, set_password};
use super::{ABSOLUTE, Error, GRAIN, Gone, IDLE, Register, SESSIONS, Secret, at, later, ms, password};
use crate::role::Role;

/// A member of staff who is signed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Staff {
    /// Who.
    pub person: Person,
    /// Their name, as it is shown.
    pub name: Arc<str>,
    /// What they are employed as.
    pub role: Role,
    /// The public name of the session. It opens nothing.
    pub session: Arc<str>,
    /// When the session ends, however much it is used.
    pub until: Timestamp,
}

/// A session that has just begun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedIn {
    /// Whose.
    pub staff: Staff,
    /// What they show for it.
    pub secret: Secret,
}

/// What looking a session up says about its person.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Counts {
    /// They do something: the session goes on for another while.
    AsUse,
    AsNothing,
}

impl Register {
    /// Begins a session, from a place that nothing is known of.
    ///
    /// # Errors
    /// As [`Register::sign_in_from`].
    pub fn sign_in(&self, person: &str, password: &str, now: Timestamp) -> Result<SignedIn, Error> {
        self.sign_in_from(&Source::Unknown, person, password, now)
    }

    /// Begins a session. It is always a new one: what somebody may have slipped to the browser before is worth nothing.
    ///
    /// Takes its time, as long for persons that there are as for others: it hashes.
    ///
    /// # Errors
    /// If person and password do not belong together.
    pub fn sign_in_from(
        &self,
        source: &Source,
        person: &str,
        password: &str,
        now: Timestamp,
    ) -> Result<SignedIn, Error> {
        let Known { person, name, role, .. } = self.attempt(person, password, source, now)?;
        let secret = Secret::new()?;
        let session: Arc<str> = Digest(Secret::new()?.hash(Use::Session)).to_string()[..16].into();
        let mut connection = self.connection();
        let transaction = connection.transaction()?;
        let mut over = sweep(&transaction, now)?;
        over.extend(make_room(&transaction, &person)?);
        transaction.execute(
            "INSERT INTO session (id, secret, person, began, used) VALUES (?1, ?2, ?3, ?4, ?4)",
            params![session, secret.hash(Use::Session), person.as_str(), ms(now)],
        )?;
        transaction.commit()?;
        drop(connection);
        self.tell(over.into_iter().map(Gone::Session));
        Ok(SignedIn { staff: Staff { person, name, role, session, until: later(now, ABSOLUTE) }, secret })
    }

    /// Whose session it is; using it keeps it from ending.
    ///
    /// # Errors
    /// If the register failed.
    pub fn whose(&self, secret: &str, now: Timestamp) -> Result<Option<Staff>, Error> {
        let Some(secret) = Secret::parse(secret) else { return Ok(None) };
        self.found("secret", &secret.hash(Use::Session), Counts::AsUse, now)
    }

    /// Whose session it is, for what screens do by themselves: it does not keep the session from ending.
    ///
    /// # Errors
    /// If the register failed.
    pub fn whose_unused(&self, secret: &str, now: Timestamp) -> Result<Option<Staff>, Error> {
        let Some(secret) = Secret::parse(secret) else { return Ok(None) };
        self.found("secret", &secret.hash(Use::Session), Counts::AsNothing, now)
    }

    /// Whether a session still goes on, by its public name; using it keeps it from ending. For sockets, with every order.
    ///
    /// # Errors
    /// If the register failed.
    pub fn goes_on(&self, session: &str, now: Timestamp) -> Result<Option<Staff>, Error> {
        self.found("id", &session, Counts::AsUse, now)
    }

    /// The same, without using it. For sockets that are open: that a screen is shown is no sign of whoever signed in at it.
    ///
    /// # Errors
    /// If the register failed.
    pub fn goes_on_unused(&self, session: &str, now: Timestamp) -> Result<Option<Staff>, Error> {
        self.found("id", &session, Counts::AsNothing, now)
    }

    fn found(
        &self,
        column: &str,
        value: &dyn ToSql,
        counts: Counts,
        now: Timestamp,
    ) -> Result<Option<Staff>, Error> {
        let connection = self.connection();
        let found = connection
            .prepare_cached(&format!(
                "SELECT id, person, name, role, began, used FROM session JOIN staff USING (person)
                 WHERE session.{column} = ?1 AND enabled"
            ))?
            .query_row([value], |row| {
                let (id, person): (String, String) = (row.get(0)?, row.get(1)?);
                let (name, role): (String, String) = (row.get(2)?, row.get(3)?);
                Ok((id, person, name, role, at(row.get(4)?), at(row.get(5)?)))
            })
            .optional()?;
        let Some((id, person, name, word, began, used)) = found else { return Ok(None) };
        let session: Arc<str> = id.into();
        if now >= later(used, IDLE) || now >= later(began, ABSOLUTE) {
            end(&connection, &session)?;
            drop(connection);
            self.tell([Gone::Session(session)]);
            return Ok(None);
        }
        if counts == Counts::AsUse && now >= later(used, GRAIN) {
            connection.execute("UPDATE session SET used = ?2 WHERE id = ?1", params![session, ms(now)])?;
        }
        let (person, until) = (Person::as_recorded(person), later(began, ABSOLUTE));
        Ok(Some(Staff { person, name: name.into(), role: role(&word)?, session, until }))
    }

    /// Ends a session, by its public name.
    ///
    /// # Errors
    /// If the register failed.
    pub fn sign_out(&self, session: &str) -> Result<(), Error> {
        end(&self.connection(), session)?;
        self.tell([Gone::Session(session.into())]);
        Ok(())
    }

    /// Ends the sessions whose time is over, so that sockets that say nothing are cut as well.
    ///
    /// # Errors
    /// If the register failed.
    pub fn sweep(&self, now: Timestamp) -> Result<(), Error> {
        let mut connection = self.connection();
        let transaction = connection.transaction()?;
        let over = sweep(&transaction, now)?;
        transaction.commit()?;
        drop(connection);
        self.tell(over.into_iter().map(Gone::Session));
        Ok(())
    }

    /// Changes one's own password; the old one is asked for again. All one's other sessions end.
    ///
    /// Takes its time: it hashes.
    ///
    /// # Errors
    /// If the old password is wrong, or the new one too easily guessed.
    pub fn change_password(
        &self,
        source: &Source,
        staff: &Staff,
        old: &str,
        chosen: &str,
        now: Timestamp,
    ) -> Result<(), Error> {
        self.attempt(staff.person.as_str(), old, source, now)?;
        let person = staff.person.as_str();
        password::suits(person, &self.names(person)?, chosen)?;
        let hash = self.cost.hash(chosen)?;
        let mut connection = self.connection();
        let transaction = connection.transaction()?;
        set_password(&transaction, person, &hash)?;
        let others = take(
            &transaction,
            "DELETE FROM session WHERE person = ?1 AND id <> ?2 RETURNING id",
            params![person, staff.session],
        )?;
        // An invitation that somebody else may hold is worth nothing any more either.
        transaction.execute("DELETE FROM invitation WHERE person = ?1", [person])?;
        transaction.commit()?;
        drop(connection);
        self.tell(others.into_iter().map(Gone::Session));
        Ok(())
    }
}

fn end(connection: &Connection, session: &str) -> Result<(), Error> {
    connection.execute("DELETE FROM session WHERE id = ?1", [session])?;
    Ok(())
}

/// Forgets what time has ended; which sessions.
fn sweep(transaction: &Transaction<'_>, now: Timestamp) -> Result<Vec<Arc<str>>, Error> {
    transaction.execute("DELETE FROM invitation WHERE until <= ?1", [ms(now)])?;
    take(
        transaction,
        "DELETE FROM session WHERE used + ?2 <= ?1 OR began + ?3 <= ?1 RETURNING id",
        params![ms(now), IDLE as i64, ABSOLUTE as i64],
    )
}

fn make_room(transaction: &Transaction<'_>, person: &Person) -> Result<Vec<Arc<str>>, Error> {
    take(
        transaction,
        "DELETE FROM session WHERE id IN
           (SELECT id FROM session WHERE person = ?1 ORDER BY used DESC, began DESC LIMIT -1 OFFSET ?2) RETURNING id",
        params![person.as_str(), SESSIONS - 1],
    )
}

/// The ids that a statement returns.
fn take(transaction: &Transaction<'_>, sql: &str, with: &[&dyn ToSql]) -> Result<Vec<Arc<str>>, Error> {
    let mut statement = transaction.prepare(sql)?;
    let ids = statement.query_map(with, |row| row.get::<_, String>(0))?;
    ids.map(|id| Ok(id?.into())).collect()
}
