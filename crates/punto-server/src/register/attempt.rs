//! Trying a password, with the code of a second factor: how often, and from where.
//!
//! Wrong passwords are counted against a budget. All attempts from places that nothing is known of share one for each
//! person; a known place has its own. So strangers can use up what is theirs, and those who work here still come in by
//! their own devices; and nobody guesses without end anywhere.

use std::sync::Arc;

use punto_ledger::{Credential, FactorSeed};
use punto_record::{DeviceId, Digest, FactorShown, Person, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, Transaction, params};

use super::factor::recovery_codes;
use super::secret::Use;
use super::staff::role;
use super::{
    ATTEMPTS, BROWSERS, Error, KNOWN_FOR, LOCKED_FOR, NoSignIn, Register, Secret, Why, at, later, ms,
    password, totp,
};
use crate::role::Role;

/// What a seal on a browser's row is for.
const BROWSER: &str = "browser";

/// What is worked with for those who have no second factor.
const NO_SEED: FactorSeed = FactorSeed::from_bytes([0; 20]);

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

/// What somebody gives to show that it is them.
#[derive(Clone, Copy)]
pub struct PasswordAndCode<'a> {
    /// Their password.
    pub password: &'a str,
    /// A code of their second factor, or one of their recovery codes. Whoever has no second factor needs none.
    pub code: Option<&'a str>,
    /// Whether they give it in a session of their own: that was opened with their second factor, and the password is enough.
    pub in_own_session: bool,
}

impl<'a> PasswordAndCode<'a> {
    /// A password, and a code where there is one.
    pub const fn new(password: &'a str, code: Option<&'a str>) -> PasswordAndCode<'a> {
        PasswordAndCode { password, code, in_own_session: false }
    }
}

/// A recovery code was used, and these are left. What is kept of the second factor from now on must be written down before
/// anything else is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecoveryUsed {
    /// Whose.
    pub person: Person,
    /// What they are employed as.
    pub role: Role,
    /// How many are left.
    pub left: u8,
    /// What the ledger keeps.
    pub credential: Credential,
}

/// It is them.
pub(super) struct Known {
    pub(super) person: Person,
    pub(super) name: Arc<str>,
    pub(super) role: Role,
    /// The hash of the password.
    pub(super) hash: String,
    /// What tells their second factor from any other, if they have one.
    pub(super) mark: Option<String>,
    /// What they showed of it.
    pub(super) shown: Option<FactorShown>,
}

/// How far somebody got.
enum Checked {
    Yes(Option<FactorShown>),
    /// The code of the second factor is missing, wrong or used.
    WrongCode,
    /// Meanwhile they were disabled, or have another password or factor.
    Changed,
}

/// An attempt that was counted.
struct Charged {
    known: Known,
    seed: Option<FactorSeed>,
    /// Whether it is the last one for a while.
    last: bool,
}

struct Row {
    person: String,
    name: String,
    role: String,
    enabled: bool,
    hash: Option<String>,
    mark: Option<String>,
    seed: Option<[u8; 20]>,
}

/// Wrong passwords so far.
#[derive(Clone, Copy, Default)]
struct Budget {
    failures: u32,
    locked_until: Option<i64>,
}

impl Register {
    /// Whether it is them: password and second factor. An attempt is counted before it is looked at, so that there are never
    /// more of them than allowed, however many come at once; and which of the two was wrong is told to nobody. `used` writes
    /// down that a recovery code was used, before that is final.
    pub(super) fn attempt(
        &self,
        person: &str,
        given: &PasswordAndCode<'_>,
        source: &Source,
        now: Timestamp,
        used: impl FnOnce(&RecoveryUsed) -> Result<(), Error>,
    ) -> Result<Known, Error> {
        let charged = self.charge(person, source, now)?;
        let (hash, seed) = match &charged {
            Ok(charged) => (&charged.known.hash, charged.seed.as_ref()),
            Err(_) => (&self.nobody, None),
        };
        let right = password::verify(given.password, hash);
        // Worked out for everybody, so that it takes as long.
        let code = given.code.unwrap_or_default();
        let steps = totp::steps(seed.unwrap_or(&NO_SEED), code, (self.wall)());
        let Charged { mut known, seed, last } = charged.map_err(Error::NotSignedIn)?;
        let checked = match right {
            true => self.check(&known, seed.map(|seed| (seed, steps)), given, source, used)?,
            false => Checked::Changed,
        };
        let why = match (checked, last) {
            (Checked::Yes(shown), _) => {
                known.shown = shown;
                return Ok(known);
            }
            (Checked::WrongCode, false) => Why::WrongCode,
            (Checked::WrongCode, true) => Why::WrongCodeAndLocked,
            (Checked::Changed, false) => Why::Wrong,
            (Checked::Changed, true) => Why::WrongAndLocked,
        };
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
        let (name, role, shown) = (row.name.into(), role(&row.role)?, None);
        let known = Known { person, name, role, hash, mark: row.mark, shown };
        Ok(Ok(Charged { known, seed: row.seed.map(FactorSeed::from_bytes), last }))
    }

    /// The password was right: whether the second factor is as well, which uses up the code. Wrong attempts before it, from the
    /// same place, are forgotten. `seed`: with the steps whose code was typed.
    fn check(
        &self,
        known: &Known,
        seed: Option<(FactorSeed, Vec<u64>)>,
        given: &PasswordAndCode<'_>,
        source: &Source,
        used: impl FnOnce(&RecoveryUsed) -> Result<(), Error>,
    ) -> Result<Checked, Error> {
        let mut connection = self.connection();
        let transaction = connection.transaction()?;
        let person = known.person.as_str();
        let still = transaction
            .prepare_cached(
                "SELECT 1 FROM staff LEFT JOIN factor USING (person)
                 WHERE staff.person = ?1 AND password = ?2 AND enabled AND mark IS ?3",
            )?
            .exists(params![person, known.hash, known.mark])?;
        if !still {
            return Ok(Checked::Changed);
        }
        let shown = match (&known.mark, seed) {
            (None, _) => None,
            (Some(_), _) if given.in_own_session => None,
            // It was lost from the store: nobody can show it.
            (Some(_), None) => return Ok(Checked::WrongCode),
            (Some(_), Some((seed, steps))) => {
                let free = steps.into_iter().find(|step| self.use_up(&known.person, *step));
                match free {
                    Some(step) => Some(FactorShown::Code { step }),
                    None if use_recovery_code(&transaction, known, seed, given, used)? => {
                        Some(FactorShown::RecoveryCode)
                    }
                    None => return Ok(Checked::WrongCode),
                }
            }
        };
        set_budget(&transaction, person, source.name().as_deref(), Budget::default())?;
        transaction.commit()?;
        Ok(Checked::Yes(shown))
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

/// Uses up the recovery code that was typed, if it is one.
fn use_recovery_code(
    transaction: &Transaction<'_>,
    known: &Known,
    seed: FactorSeed,
    given: &PasswordAndCode<'_>,
    used: impl FnOnce(&RecoveryUsed) -> Result<(), Error>,
) -> Result<bool, Error> {
    let hash = Secret::hash_of_recovery_code(given.code.unwrap_or_default());
    let person = known.person.as_str();
    let deleted =
        transaction.execute("DELETE FROM recovery WHERE hash = ?1 AND person = ?2", params![hash, person])?;
    if deleted > 0 {
        let left = recovery_codes(transaction, person)?;
        let (count, credential) = (left.len() as u8, Credential::factor(seed, &left));
        used(&RecoveryUsed { person: known.person.clone(), role: known.role, left: count, credential })?;
    }
    Ok(deleted > 0)
}

fn row_of(transaction: &Transaction<'_>, person: &str) -> Result<Option<Row>, Error> {
    let found = transaction.query_row(
        "SELECT staff.person, name, role, enabled, password, mark, seed FROM staff LEFT JOIN factor USING (person)
         WHERE staff.person = ?1",
        [person],
        |row| {
            Ok(Row {
                person: row.get(0)?,
                name: row.get(1)?,
                role: row.get(2)?,
                enabled: row.get(3)?,
                hash: row.get(4)?,
                mark: row.get(5)?,
                seed: row.get(6)?,
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
