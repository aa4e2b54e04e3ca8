//! Signing in, and what comes of it: a session.

use std::sync::Arc;

use punto_ledger::Credential;
use punto_record::{Digest, FactorShown, Person, Timestamp};
use punto_rules::text::Shown;
use rusqlite::{Connection, OptionalExtension as _, ToSql, Transaction, params};

use super::attempt::{Known, PasswordAndCode, RecoveryUsed, Source};
use super::seal::SealKey;
use super::secret::Use;
use super::staff::{role, set_password};
use super::{ABSOLUTE, Error, GRAIN, Gone, IDLE, Register, SESSIONS, Secret, at, later, ms, password};
use crate::role::Role;

/// What a seal on a session's row is for.
const SESSION: &str = "session";

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
    /// Whether they have a second factor. Then the session was opened with it.
    pub factor: bool,
    /// Whether they must have one and have none: the session is good for enrolling one and for nothing else.
    pub must_enrol: bool,
}

/// A session that has just begun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedIn {
    /// Whose.
    pub staff: Staff,
    /// What they show for it.
    pub secret: Secret,
    /// What they showed of their second factor.
    pub factor: Option<FactorShown>,
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

    /// Begins a session of somebody without a second factor.
    ///
    /// # Errors
    /// As [`Register::sign_in_with`].
    pub fn sign_in_from(
        &self,
        source: &Source,
        person: &str,
        password: &str,
        now: Timestamp,
    ) -> Result<SignedIn, Error> {
        self.sign_in_with(source, person, &PasswordAndCode::new(password, None), now, |_| Ok(()))
    }

    /// Begins a session. It is always a new one: what somebody may have slipped to the browser before is worth nothing.
    ///
    /// Takes its time, as long for persons that there are as for others: it hashes. `used` writes down that a recovery code
    /// was used.
    ///
    /// # Errors
    /// If person, password and code do not belong together.
    pub fn sign_in_with(
        &self,
        source: &Source,
        person: &str,
        given: &PasswordAndCode<'_>,
        now: Timestamp,
        used: impl FnOnce(&RecoveryUsed) -> Result<(), Error>,
    ) -> Result<SignedIn, Error> {
        let Known { person, name, role, hash, mark, shown } =
            self.attempt(person, given, source, now, used)?;
        let (by, factor) = (proven_by(&hash, mark.as_deref()), mark.is_some());
        let secret = Secret::new()?;
        let session: Arc<str> = Digest(Secret::new()?.hash(Use::Session)).to_string()[..16].into();
        let mut connection = self.connection();
        let transaction = connection.transaction()?;
        let hash = secret.hash(Use::Session);
        let (id, of) = (session.as_ref().to_owned(), person.as_str().to_owned());
        let row = Row { id, secret: hash, person: of, began: ms(now), used: ms(now) };
        let seal = row.seal(&self.key, role.id(), &by);
        let mut over = sweep(&transaction, now)?;
        over.extend(make_room(&transaction, &person)?);
        transaction.execute(
            "INSERT INTO session (id, secret, person, began, used, seal) VALUES (?1, ?2, ?3, ?4, ?4, ?5)",
            params![session, hash, person.as_str(), ms(now), seal],
        )?;
        transaction.commit()?;
        drop(connection);
        self.tell(over.into_iter().map(Gone::Session));
        let (until, must_enrol) = (later(now, ABSOLUTE), self.must_enrol(role, factor));
        let staff = Staff { person, name, role, session, until, factor, must_enrol };
        Ok(SignedIn { staff, secret, factor: shown })
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
                "SELECT id, secret, session.person, began, used, seal, name, role, password, mark
                 FROM session JOIN staff USING (person) LEFT JOIN factor USING (person)
                 WHERE session.{column} = ?1 AND enabled AND began >= sessions_since
                   AND NOT EXISTS (SELECT 1 FROM signed_out WHERE signed_out.session = session.id)"
            ))?
            .query_row([value], |row| {
                let (seal, name): (Vec<u8>, String) = (row.get(5)?, row.get(6)?);
                let (word, hash, mark): (_, Option<String>, Option<String>) =
                    (row.get(7)?, row.get(8)?, row.get(9)?);
                Ok((Row::read(row)?, seal, name, word, hash.unwrap_or_default(), mark))
            })
            .optional()?;
        let Some((mut row, seal, name, word, hash, mark)) = found else { return Ok(None) };
        let word: String = word;
        let (by, factor) = (proven_by(&hash, mark.as_deref()), mark.is_some());
        let session: Arc<str> = row.id.as_str().into();
        if !row.is_sealed(&self.key, &word, &by, &seal) {
            tracing::error!(session = %Shown(&session), "the seal of a session is not valid: it was forged, or the role, the password or the second factor has changed");
            end(&connection, &session)?;
            return Ok(None);
        }
        let (began, used) = (at(row.began), at(row.used));
        if now >= later(used, IDLE) || now >= later(began, ABSOLUTE) {
            end(&connection, &session)?;
            drop(connection);
            self.tell([Gone::Session(session)]);
            return Ok(None);
        }
        if counts == Counts::AsUse && now >= later(used, GRAIN) {
            row.used = ms(now);
            let seal = row.seal(&self.key, &word, &by);
            let sql = "UPDATE session SET used = ?2, seal = ?3 WHERE id = ?1";
            connection.execute(sql, params![session, row.used, seal])?;
        }
        let (person, until) = (Person::as_recorded(row.person), later(began, ABSOLUTE));
        let role = role(&word)?;
        let must_enrol = self.must_enrol(role, factor);
        Ok(Some(Staff { person, name: name.into(), role, session, until, factor, must_enrol }))
    }

    /// Ends a session, by its public name. Its row may come back with an older file, and is worth nothing then.
    ///
    /// # Errors
    /// If the register failed.
    pub fn sign_out(&self, session: &str, now: Timestamp) -> Result<(), Error> {
        let mut connection = self.connection();
        let transaction = connection.transaction()?;
        remember_signed_out(&transaction, session, now)?;
        end(&transaction, session)?;
        transaction.commit()?;
        drop(connection);
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
        self.change_password_with(source, staff, old, chosen, now, |_| Ok(()))
    }

    /// The same, if what is done before it is final goes well: the deed.
    ///
    /// # Errors
    /// As there, and what that says.
    pub fn change_password_with(
        &self,
        source: &Source,
        staff: &Staff,
        old: &str,
        chosen: &str,
        now: Timestamp,
        before: impl FnOnce(&Credential) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let given = PasswordAndCode { password: old, code: None, in_own_session: true };
        let Known { mark, .. } = self.attempt(staff.person.as_str(), &given, source, now, |_| Ok(()))?;
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
        let by = proven_by(&hash, mark.as_deref());
        self.seal_again(&transaction, &staff.session, staff.role.id(), &by)?;
        before(&Credential::new(hash))?;
        transaction.commit()?;
        drop(connection);
        self.tell(others.into_iter().map(Gone::Session));
        Ok(())
    }
}

impl Register {
    /// A session goes on under another password or second factor.
    pub(super) fn seal_again(
        &self,
        transaction: &Transaction<'_>,
        session: &str,
        role: &str,
        by: &str,
    ) -> Result<(), Error> {
        let row = transaction
            .query_row(
                "SELECT id, secret, person, began, used FROM session WHERE id = ?1",
                [session],
                Row::read,
            )
            .optional()?;
        if let Some(row) = row {
            let seal = row.seal(&self.key, role, by);
            transaction.execute("UPDATE session SET seal = ?2 WHERE id = ?1", params![session, seal])?;
        }
        Ok(())
    }
}

/// What a session was opened with: with another password or second factor it is over.
pub(super) fn proven_by(hash: &str, mark: Option<&str>) -> String {
    mark.map_or_else(|| hash.to_owned(), |mark| format!("{hash} {mark}"))
}

/// A session as it lies in the file.
struct Row {
    id: String,
    secret: [u8; 32],
    person: String,
    began: i64,
    used: i64,
}

impl Row {
    /// From its first five columns.
    fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Row> {
        let (id, secret, person) = (row.get(0)?, row.get(1)?, row.get(2)?);
        Ok(Row { id, secret, person, began: row.get(3)?, used: row.get(4)? })
    }

    /// The seal stands for the role, the password and the second factor as well: with another of them the session is over.
    fn seal(&self, key: &SealKey, role: &str, hash: &str) -> [u8; 32] {
        let (began, used) = (self.began.to_be_bytes(), self.used.to_be_bytes());
        key.seal(SESSION, &self.fields(&began, &used, role, hash))
    }

    fn is_sealed(&self, key: &SealKey, role: &str, hash: &str, seal: &[u8]) -> bool {
        let (began, used) = (self.began.to_be_bytes(), self.used.to_be_bytes());
        key.is_sealed(SESSION, &self.fields(&began, &used, role, hash), seal)
    }

    fn fields<'a>(
        &'a self,
        began: &'a [u8; 8],
        used: &'a [u8; 8],
        role: &'a str,
        hash: &'a str,
    ) -> [&'a [u8]; 7] {
        let (id, person) = (self.id.as_bytes(), self.person.as_bytes());
        [id, &self.secret, person, began, used, role.as_bytes(), hash.as_bytes()]
    }
}

fn end(connection: &Connection, session: &str) -> Result<(), Error> {
    connection.execute("DELETE FROM session WHERE id = ?1", [session])?;
    Ok(())
}

pub(super) fn remember_signed_out(
    transaction: &Transaction<'_>,
    session: &str,
    at: Timestamp,
) -> Result<(), Error> {
    let sql = "INSERT OR IGNORE INTO signed_out (session, at) VALUES (?1, ?2)";
    transaction.execute(sql, params![session, ms(at)])?;
    Ok(())
}

/// Forgets what time has ended; which sessions.
fn sweep(transaction: &Transaction<'_>, now: Timestamp) -> Result<Vec<Arc<str>>, Error> {
    transaction.execute("DELETE FROM signed_out WHERE at + ?2 <= ?1", params![ms(now), ABSOLUTE as i64])?;
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
pub(super) fn take(
    transaction: &Transaction<'_>,
    sql: &str,
    with: &[&dyn ToSql],
) -> Result<Vec<Arc<str>>, Error> {
    let mut statement = transaction.prepare(sql)?;
    let ids = statement.query_map(with, |row| row.get::<_, String>(0))?;
    ids.map(|id| Ok(id?.into())).collect()
}
