//! Second factors at work: enrolled by their owner, with recovery codes, each code good once.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use punto_ledger::{Credential, FactorSeed, UsedSteps};
use punto_record::{Digest, FactorShown, Person, Timestamp};
use rusqlite::{OptionalExtension as _, Transaction, params};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::attempt::{Known, PasswordAndCode, RecoveryUsed, Source};
use super::session::{proven_by, take};
use super::{Error, Gone, OFFERED_FOR, Refusal, Register, Secret, Staff, later, totp};
use crate::role::Role;

/// Recovery codes that are made at once.
pub const RECOVERY_CODES: usize = 10;

/// What a second factor is marked with whose row was not as its deed says.
const LOST: &str = "lost";

/// What an app needs to make codes. It is told once, and waits for the first of them.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FactorOffer {
    /// The secret, as it is typed into an app.
    pub secret: String,
    /// The same as an app reads it from a QR code.
    pub uri: String,
    /// Until when the first code may come.
    pub until: Timestamp,
}

/// Never into a log.
impl std::fmt::Debug for FactorOffer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("FactorOffer(…)")
    }
}

/// What is written down of a second factor before it is final.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactorEnrolled {
    /// The step of the first code; none where only the recovery codes are new.
    pub step: Option<u64>,
    /// What was shown of the factor before.
    pub shown: Option<FactorShown>,
    /// What the ledger keeps.
    pub credential: Credential,
}

/// A secret that waits for its first code.
struct Offered {
    seed: FactorSeed,
    until: Timestamp,
    /// The second factor before it, and what was shown of it.
    mark: Option<String>,
    shown: Option<FactorShown>,
}

/// What is known of second factors beside their rows.
#[derive(Default)]
pub(super) struct Factors {
    used: Mutex<BTreeMap<Person, UsedSteps>>,
    /// By session: it waits where it was asked for.
    offered: Mutex<BTreeMap<Arc<str>, Offered>>,
}

impl Register {
    /// Whether somebody must enrol a second factor before they do anything else.
    pub(super) const fn must_enrol(&self, role: Role, has_factor: bool) -> bool {
        self.requires_factors && role.must_have_factor() && !has_factor
    }

    /// Uses up the code of a step. False if it was used before.
    pub(super) fn use_up(&self, person: &Person, step: u64) -> bool {
        lock(&self.factors.used).entry(person.clone()).or_default().use_up(step)
    }

    pub(super) fn remember_used(&self, used: &BTreeMap<Person, UsedSteps>) {
        let mut known = lock(&self.factors.used);
        for (person, used) in used {
            known.entry(person.clone()).or_default().extend(used);
        }
    }

    /// How many recovery codes somebody has left; none if they have no second factor.
    ///
    /// # Errors
    /// If the register failed.
    pub fn recovery_codes_left(&self, person: &Person) -> Result<Option<usize>, Error> {
        let mut connection = self.connection();
        let transaction = connection.transaction()?;
        let has = mark_of(&transaction, person.as_str())?.is_some();
        Ok(if has { Some(recovery_codes(&transaction, person.as_str())?.len()) } else { None })
    }

    /// Offers whoever is signed in a new second factor, in the place of the one that they have. They give their password
    /// again, and a code if they have a factor. `house` is what the app calls it.
    ///
    /// Takes its time: it hashes.
    ///
    /// # Errors
    /// If it is not them.
    pub fn offer_factor(
        &self,
        (source, house): (&Source, &str),
        staff: &Staff,
        given: &PasswordAndCode<'_>,
        now: Timestamp,
        used: impl FnOnce(&RecoveryUsed) -> Result<(), Error>,
    ) -> Result<FactorOffer, Error> {
        let Known { person, mark, shown, .. } =
            self.attempt(staff.person.as_str(), given, source, now, used)?;
        let (seed, until) = (FactorSeed::new()?, later(now, OFFERED_FOR));
        let (secret, uri) = (totp::secret(&seed), totp::uri(&seed, house, person.as_str()));
        let mut offered = lock(&self.factors.offered);
        offered.retain(|_, it| it.until > now);
        offered.insert(staff.session.clone(), Offered { seed, until, mark, shown });
        Ok(FactorOffer { secret, uri, until })
    }

    /// Enrols what was offered, by its first code. The other sessions of the person end; theirs goes on. Tells the recovery
    /// codes, once. `write` writes it down before it is final.
    ///
    /// # Errors
    /// If the code is not the app's, or nothing waits for it.
    pub fn enrol_factor(
        &self,
        staff: &Staff,
        code: &str,
        now: Timestamp,
        write: impl FnOnce(&FactorEnrolled) -> Result<(), Error>,
    ) -> Result<Vec<String>, Error> {
        let mut connection = self.connection();
        let transaction = connection.transaction()?;
        let mut offered = lock(&self.factors.offered);
        let Some(Offered { seed, until, mark, shown }) = offered.get(&staff.session) else {
            return Err(Refusal::FactorOfferGone.into());
        };
        let person = staff.person.as_str();
        if *until <= now || mark_of(&transaction, person)? != *mark {
            offered.remove(&staff.session);
            return Err(Refusal::FactorOfferGone.into());
        }
        let steps = totp::steps(seed, code, (self.wall)());
        let step = *steps.first().ok_or(Refusal::FactorCodeWrong)?;
        let (codes, hashes) = new_codes()?;
        let credential = Credential::factor(seed.clone(), &hashes);
        set_factor(&transaction, &staff.person, Some(&credential))?;
        let others = take(
            &transaction,
            "DELETE FROM session WHERE person = ?1 AND id <> ?2 RETURNING id",
            params![person, staff.session],
        )?;
        let hash: Option<String> =
            transaction
                .query_row("SELECT password FROM staff WHERE person = ?1", [person], |row| row.get(0))?;
        let by = proven_by(&hash.unwrap_or_default(), Some(mark_by(&credential)));
        self.seal_again(&transaction, &staff.session, staff.role.id(), &by)?;
        write(&FactorEnrolled { step: Some(step), shown: *shown, credential })?;
        transaction.commit()?;
        offered.remove(&staff.session);
        // Codes of the factor before are good for nothing.
        lock(&self.factors.used).remove(&staff.person);
        self.use_up(&staff.person, step);
        drop((offered, connection));
        self.tell(others.into_iter().map(Gone::Session));
        Ok(codes)
    }

    /// Makes new recovery codes; those before are no longer good. Tells them, once.
    ///
    /// Takes its time: it hashes.
    ///
    /// # Errors
    /// If it is not them, or they have no second factor.
    pub fn make_recovery_codes(
        &self,
        source: &Source,
        staff: &Staff,
        given: &PasswordAndCode<'_>,
        now: Timestamp,
        used: impl FnOnce(&RecoveryUsed) -> Result<(), Error>,
        write: impl FnOnce(&FactorEnrolled) -> Result<(), Error>,
    ) -> Result<Vec<String>, Error> {
        let Known { person, mark, shown, .. } =
            self.attempt(staff.person.as_str(), given, source, now, used)?;
        if shown.is_none() {
            return Err(Refusal::NoFactor.into());
        }
        let mut connection = self.connection();
        let transaction = connection.transaction()?;
        let seed: Option<Option<[u8; 20]>> = transaction
            .query_row(
                "SELECT seed FROM factor WHERE person = ?1 AND mark IS ?2",
                params![person.as_str(), mark],
                |row| row.get(0),
            )
            .optional()?;
        let seed = seed.flatten().ok_or(Refusal::FactorOfferGone)?;
        let (codes, hashes) = new_codes()?;
        let credential = Credential::factor(FactorSeed::from_bytes(seed), &hashes);
        set_factor(&transaction, &person, Some(&credential))?;
        write(&FactorEnrolled { step: None, shown, credential })?;
        transaction.commit()?;
        Ok(codes)
    }

    /// Takes second factors away whose reset was carried out; the register is held until the record says so. Their sessions
    /// end.
    ///
    /// # Errors
    /// If that failed, or the register did.
    pub fn reset_factors(
        &self,
        carry_out: impl FnOnce() -> Result<Vec<Person>, punto_ledger::Error>,
    ) -> Result<Vec<Person>, Error> {
        let mut connection = self.connection();
        let transaction = connection.transaction()?;
        let persons = carry_out()?;
        for person in &persons {
            transaction.execute("DELETE FROM factor WHERE person = ?1", [person.as_str()])?;
            transaction.execute("DELETE FROM session WHERE person = ?1", [person.as_str()])?;
        }
        transaction.commit()?;
        drop(connection);
        self.tell(persons.iter().cloned().map(Gone::Person));
        Ok(persons)
    }
}

/// New recovery codes, and their hashes.
fn new_codes() -> Result<(Vec<String>, Vec<Digest>), Error> {
    let codes: Vec<String> =
        (0..RECOVERY_CODES).map(|_| Ok(Secret::new()?.recovery_code())).collect::<Result<_, Error>>()?;
    let hashes = codes.iter().map(|code| Digest(Secret::hash_of_recovery_code(code))).collect();
    Ok((codes, hashes))
}

/// The recovery codes that somebody has left, by their hashes, always in one order.
pub(super) fn recovery_codes(transaction: &Transaction<'_>, person: &str) -> Result<Vec<Digest>, Error> {
    let mut statement =
        transaction.prepare_cached("SELECT hash FROM recovery WHERE person = ?1 ORDER BY hash")?;
    let hashes = statement.query_map([person], |row| row.get(0).map(Digest))?;
    Ok(hashes.collect::<Result<_, _>>()?)
}

/// What tells a second factor from any other: the hash of its seed.
fn mark_by(credential: &Credential) -> &str {
    credential.hash().split(' ').next().unwrap_or(LOST)
}

fn mark_of(transaction: &Transaction<'_>, person: &str) -> Result<Option<String>, Error> {
    let found =
        transaction.query_row("SELECT mark FROM factor WHERE person = ?1", [person], |row| row.get(0));
    Ok(found.optional()?)
}

/// A second factor as it is from now on. Without a credential nobody can show it.
pub(super) fn set_factor(
    transaction: &Transaction<'_>,
    person: &Person,
    credential: Option<&Credential>,
) -> Result<(), Error> {
    let seed = credential.and_then(Credential::seed).map(FactorSeed::bytes);
    let mark = credential.map_or(LOST, mark_by);
    transaction.execute("DELETE FROM factor WHERE person = ?1", [person.as_str()])?;
    transaction.execute(
        "INSERT INTO factor (person, seed, mark) VALUES (?1, ?2, ?3)",
        params![person.as_str(), seed, mark],
    )?;
    let codes = credential.and_then(Credential::recovery_codes).unwrap_or_default();
    for code in codes {
        transaction.execute(
            "INSERT OR IGNORE INTO recovery (hash, person) VALUES (?1, ?2)",
            params![code.0, person.as_str()],
        )?;
    }
    Ok(())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
