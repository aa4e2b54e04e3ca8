//! Trying a password: how often, and from where.
//!
//! Wrong passwords are counted against a budget. All attempts from places that nothing is known of share one for each
//! person; a known place has its own. So strangers can use up what is theirs, and those who work here still come in by
//! their own devices; and nobody guesses without end anywhere.

use std::sync::Arc;

use punto_record::{DeviceId, Digest, Person, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, Transaction, params};

use super::secret::Use;
use super::staff::role;
use super::{
    ATTEMPTS, BROWSERS, Error, KNOWN_FOR, LOCKED_FOR, NoSignIn, Register, Secret, Why, at, later, ms,
    password,
};
use crate::role::Role;

/// What a seal on a browser's row is for.
const BROWSER: &str = "browser";

/// Budgets of places that nothing is known of have no name.
const STRANGERS: &str = "";

/// From where somebody tries a password. Made by whoever has looked at what was shown for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Nobody knows.
    Unknown,
    /// An enrolled device.
    Device(DeviceId),
    /// A browser in which the same person has signed in before, by the hash of what it shows.
    Browser([u8; 32]),
    /// The screen of somebody who is signed in. By person: whoever begins a new session gets no new attempts.
    ScreenOf(Person),
}

impl Source {
    /// Whether it has a budget of its own.
    pub fn is_known(&self) -> bool {
        *self != Source::Unknown
    }

    /// Its name, where it has a budget of its own. One kind cannot be taken for another.
    pub fn name(&self) -> Option<String> {
        match self {
            Source::Unknown => None,
            Source::Device(device) => Some(format!("device {device}")),
            Source::Browser(hash) => Some(format!("browser {}", Digest(*hash))),
            Source::ScreenOf(person) => Some(format!("screen of {person}")),
        }
    }
}

/// Person and password belonged together.
pub(super) struct Known {
    pub(super) person: Person,
    pub(super) name: Arc<str>,
    pub(super) role: Role,
    /// The hash of the password.
    pub(super) hash: String,
}

/// An attempt that was counted.
struct Charged {
    known: Known,
    /// Whether it is the last one for a while.
    last: bool,
}

struct Row {
    person: String,
    name: String,
    role: String,
    enabled: bool,
    hash: Option<String>,
}

/// Wrong passwords so far.
#[derive(Clone, Copy, Default)]
struct Budget {
    failures: u32,
    locked_until: Option<i64>,
}

impl Register {
    /// Whether person and password belong together. An attempt is counted before it is looked at, so that there are never
    /// more of them than allowed, however many come at once.
    pub(super) fn attempt(
        &self,
        person: &str,
        password: &str,
        source: &Source,
        now: Timestamp,
    ) -> Result<Known, Error> {
        let charged = self.charge(person, source, now)?;
        let hash = charged.as_ref().map_or(&self.nobody, |charged| &charged.known.hash);
        let right = password::verify(password, hash);
        let Charged { known, last } = charged.map_err(Error::NotSignedIn)?;
        if right && self.forgive(&known, source)? {
            return Ok(known);
        }
        let why = if last { Why::WrongAndLocked } else { Why::Wrong };
        Err(Error::NotSignedIn(NoSignIn { person: Some(known.person), why }))
    }

    /// Counts an attempt, if there may be one.
    fn charge(
        &self,
        person: &str,
        source: &Source,
        now: Timestamp,
    ) -> Result<Result<Charged, NoSignIn>, Error> {
        let mut connection = self.connection();
        let transaction = connection.transaction()?;
        let Some(row) = row_of(&transaction, person)? else {
            return Ok(Err(NoSignIn { person: None, why: Why::Unknown }));
        };
        let person: Person = Person::as_recorded(row.person.as_str());
        let none = |why| Ok(Err(NoSignIn { person: Some(person.clone()), why }));
        if !row.enabled {
            return none(Why::Disabled);
        }
        let Some(hash) = row.hash else { return none(Why::NoPassword) };
        let name = source.name();
        let budget = budget(&transaction, &row.person, name.as_deref())?;
        let failures = match budget.locked_until.map(at) {
            Some(until) if until > now => return none(Why::Locked),
            Some(_) => 1,
            None => budget.failures + 1,
        };
        let last = failures >= ATTEMPTS;
        let locked_until = last.then(|| ms(later(now, LOCKED_FOR)));
        set_budget(&transaction, &row.person, name.as_deref(), Budget { failures, locked_until })?;
        transaction.commit()?;
        let known = Known { person, name: row.name.into(), role: role(&row.role)?, hash };
        Ok(Ok(Charged { known, last }))
    }

    /// The password was right: wrong ones before it, from the same place, are forgotten. False if meanwhile the person was
    /// disabled or has another password.
    fn forgive(&self, known: &Known, source: &Source) -> Result<bool, Error> {
        let mut connection = self.connection();
        let transaction = connection.transaction()?;
        let still = transaction
            .prepare_cached("SELECT 1 FROM staff WHERE person = ?1 AND password = ?2 AND enabled")?
            .exists([known.person.as_str(), &known.hash])?;
        if still {
            set_budget(&transaction, known.person.as_str(), source.name().as_deref(), Budget::default())?;
            transaction.commit()?;
        }
        Ok(still)
    }

    /// Where an attempt to be this person, or anybody, comes from, if it is a browser and shows what was left in it when
    /// they signed in.
    ///
    /// # Errors
    /// If the register failed.
    pub fn browser(&self, person: Option<&str>, shown: &str, now: Timestamp) -> Result<Source, Error> {
        let Some(secret) = Secret::parse(shown) else { return Ok(Source::Unknown) };
        let hash = secret.hash(Use::Browser);
        let connection = self.connection();
        let known = connection
            .prepare_cached(
                "SELECT person, used, seal FROM browser
                 WHERE secret = ?1 AND person = coalesce(?2, person) AND used > ?3",
            )?
            .query_row(params![hash, person, ms(now) - KNOWN_FOR as i64], |row| {
                Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?, row.get::<_, Vec<u8>>(2)?))
            })
            .optional()?;
        let is_known = known.is_some_and(|(person, used, seal)| {
            self.key.is_sealed(BROWSER, &browser_fields(&hash, &person, &used.to_be_bytes()), &seal)
        });
        Ok(if is_known { Source::Browser(hash) } else { Source::Unknown })
    }

    /// Makes a browser known in which somebody has just signed in. What it shows from now on is new every time: a copy that
    /// somebody took of the one before is worth nothing any more.
    ///
    /// # Errors
    /// If the register failed.
    pub fn know_browser(&self, person: &Person, before: &Source, now: Timestamp) -> Result<Secret, Error> {
        let secret = Secret::new()?;
        let hash = secret.hash(Use::Browser);
        let fields = ms(now).to_be_bytes();
        let seal = self.key.seal(BROWSER, &browser_fields(&hash, person.as_str(), &fields));
        let mut connection = self.connection();
        let transaction = connection.transaction()?;
        if let Source::Browser(hash) = before {
            transaction.execute(
                "DELETE FROM browser WHERE secret = ?1 AND person = ?2",
                params![hash, person.as_str()],
            )?;
        }
        transaction.execute("DELETE FROM browser WHERE used <= ?1", [ms(now) - KNOWN_FOR as i64])?;
        transaction.execute(
            "DELETE FROM browser WHERE secret IN
               (SELECT secret FROM browser WHERE person = ?1 ORDER BY used DESC LIMIT -1 OFFSET ?2)",
            params![person.as_str(), BROWSERS - 1],
        )?;
        transaction.execute(
            "INSERT INTO browser (secret, person, used, seal) VALUES (?1, ?2, ?3, ?4)",
            params![hash, person.as_str(), ms(now), seal],
        )?;
        // Budgets of browsers that are no longer known can never be used again.
        transaction.execute(
            "DELETE FROM budget WHERE person = ?1 AND source LIKE 'browser %' AND source NOT IN
               (SELECT 'browser ' || lower(hex(secret)) FROM browser WHERE person = ?1)",
            [person.as_str()],
        )?;
        transaction.commit()?;
        Ok(secret)
    }
}

/// Forgets wrong passwords from everywhere. With a new password, guesses at the old one mean nothing.
pub(super) fn forget_failures(transaction: &Transaction<'_>, person: &str) -> Result<(), Error> {
    transaction.execute("DELETE FROM budget WHERE person = ?1", [person])?;
    Ok(())
}

/// No browser is known any more.
pub(super) fn forget_browsers(transaction: &Transaction<'_>, person: &str) -> Result<(), Error> {
    transaction.execute("DELETE FROM browser WHERE person = ?1", [person])?;
    Ok(())
}

fn row_of(transaction: &Transaction<'_>, person: &str) -> Result<Option<Row>, Error> {
    let found = transaction.query_row(
        "SELECT person, name, role, enabled, password FROM staff WHERE person = ?1",
        [person],
        |row| {
            Ok(Row {
                person: row.get(0)?,
                name: row.get(1)?,
                role: row.get(2)?,
                enabled: row.get(3)?,
                hash: row.get(4)?,
            })
        },
    );
    Ok(found.optional()?)
}

fn budget(connection: &Connection, person: &str, source: Option<&str>) -> Result<Budget, Error> {
    let found = connection
        .prepare_cached("SELECT failures, locked_until FROM budget WHERE person = ?1 AND source = ?2")?
        .query_row([person, source.unwrap_or(STRANGERS)], |row| {
            Ok(Budget { failures: row.get(0)?, locked_until: row.get(1)? })
        });
    Ok(found.optional()?.unwrap_or_default())
}

fn set_budget(
    connection: &Connection,
    person: &str,
    source: Option<&str>,
    Budget { failures, locked_until }: Budget,
) -> Result<(), Error> {
    connection
        .prepare_cached(
            "INSERT OR REPLACE INTO budget (person, source, failures, locked_until) VALUES (?1, ?2, ?3, ?4)",
        )?
        .execute(params![person, source.unwrap_or(STRANGERS), failures, locked_until])?;
    Ok(())
}

fn browser_fields<'a>(secret: &'a [u8; 32], person: &'a str, used: &'a [u8; 8]) -> [&'a [u8]; 3] {
    [secret, person.as_bytes(), used]
}
