//! What the ledger keeps of the register, and this register at work on it.

use std::path::{Path, PathBuf};

use punto_ledger::{Credential, EarlierRegister, KeptRow, Ledger, RegisterFound};
use punto_record::{Deed, Digest, RegisterFact, Timestamp};
use rusqlite::{Transaction, params};

use super::factor::set_factor;
use super::secret::Use;
use super::session::remember_signed_out;
use super::staff::{end_before, role};
use super::{Chosen, Cost, Enrolled, Error, INVITED_FOR, Invitation, Register, Secret, earlier, later, ms};
use crate::clock::Clock;
use crate::deeds::Deeds;

/// For what the key of the seals is derived.
const SEALS: &str = "punto sessions and browsers 1";

impl Register {
    /// The register of a ledger. A file of an earlier release is taken over the first time, and never read again. Sessions
    /// are kept in a file beside it, or in memory.
    ///
    /// # Errors
    /// If the ledger or a file failed.
    pub async fn of_ledger(
        ledger: &Ledger,
        file: Option<PathBuf>,
        clock: &Clock,
        cost: Cost,
    ) -> Result<Register, Error> {
        let (key, is_kept, kind) =
            ledger.with(|vault| Ok((vault.derived_key(SEALS), vault.keeps_register(), vault.kind()))).await?;
        let now = clock.now();
        if !is_kept {
            let earlier = match file.clone().filter(|path| path.exists()) {
                Some(path) => blocking(move || earlier::read(&path)).await?,
                None => EarlierRegister::default(),
            };
            let left = ledger.with(move |vault| vault.take_over_register(&earlier, now)).await?;
            for words in left {
                tracing::error!(words, "not taken over from the register of the earlier release");
            }
        }
        let local = file.as_deref().map(beside);
        let mut register = blocking(move || match local {
            Some(path) => Register::open(&path, key, cost),
            None => Register::sealed_in_memory(key, cost),
        })
        .await?;
        register.requires_factors = kind.is_house();
        let found = ledger.with(move |vault| vault.register(now)).await?;
        register.load_from(now, || Ok(found))?;
        Ok(register)
    }

    /// Takes everybody and everything as the ledger has them. Nobody changes anything between the look and the end of it.
    ///
    /// # Errors
    /// If the ledger or the register failed.
    pub fn load_from(
        &self,
        now: Timestamp,
        look: impl FnOnce() -> Result<RegisterFound, punto_ledger::Error>,
    ) -> Result<(), Error> {
        let mut connection = self.connection();
        let found = look()?;
        say_found(&found);
        let transaction = connection.transaction()?;
        transaction.execute_batch(
            "DELETE FROM factor; DELETE FROM invitation; DELETE FROM staff; DELETE FROM device;",
        )?;
        // Passwords, invitations and second factors come after the person that they belong to.
        let is_person = |row: &&KeptRow| matches!(row.fact, RegisterFact::Person { .. });
        let (people, others): (Vec<_>, Vec<_>) = found.rows.iter().partition(is_person);
        people.into_iter().chain(others).try_for_each(|row| take(&transaction, row, now))?;
        found.ended.before().try_for_each(|(person, at)| end_before(&transaction, person, at))?;
        found
            .ended
            .signed_out()
            .try_for_each(|(at, session)| remember_signed_out(&transaction, session.as_str(), at))?;
        self.remember_used(&found.used);
        Ok(transaction.commit()?)
    }
}

/// What differs from the deeds, in the log.
pub(crate) fn say_found(found: &RegisterFound) {
    for words in &found.tampered {
        tracing::error!(words, "a row of the register is not what its deed says");
    }
    for row in &found.missing {
        tracing::error!(row, "a row of the register was missing and was made again, without its credential");
    }
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    tokio::task::spawn_blocking(work).await.map_err(Error::failed)?
}

fn take(transaction: &Transaction<'_>, row: &KeptRow, now: Timestamp) -> Result<(), Error> {
    let KeptRow { fact, credential, first, at } = row;
    let hash = credential.as_ref().map(Credential::hash);
    let taken = match fact {
        RegisterFact::Person { person, name, role: word, enabled } => {
            role(word)?;
            transaction.execute(
                "INSERT OR IGNORE INTO staff (person, name, role, enabled) VALUES (?1, ?2, ?3, ?4)",
                params![person.as_str(), name, word, enabled],
            )?
        }
        RegisterFact::Password { person } => transaction
            .execute("UPDATE staff SET password = ?2 WHERE person = ?1", params![person.as_str(), hash])?,
        RegisterFact::Factor { person } => return set_factor(transaction, person, credential.as_ref()),
        RegisterFact::Invitation { person } => {
            let until = later(*at, INVITED_FOR);
            let Some((secret, code)) = hash.and_then(invitation).filter(|_| until > now) else {
                return Ok(());
            };
            transaction.execute(
                "INSERT OR IGNORE INTO invitation (person, secret, until, code) VALUES (?1, ?2, ?3, ?4)",
                params![person.as_str(), secret, ms(until), code],
            )?
        }
        RegisterFact::Device { device, kind, table, patron, at_box, revoked } => {
            let secret = hash.and_then(|hash| hash.parse::<Digest>().ok());
            transaction.execute(
                "INSERT OR IGNORE INTO device (id, kind, at_table, patron, box, secret, enrolled, revoked)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                params![
                    device.as_str(),
                    kind,
                    table.as_str(),
                    patron.map(|it| it.0),
                    at_box.map(|it| it.0),
                    secret.map(|it| it.0),
                    ms(*first),
                    revoked.then(|| ms(*at)),
                ],
            )?
        }
    };
    if taken == 0 {
        tracing::error!(kind = fact.kind().id(), id = fact.id(), "a row of the register contradicts another");
    }
    Ok(())
}

/// The hashes of an invitation from what is kept of it: of its secret, and of its code where there is one.
fn invitation(kept: &str) -> Option<([u8; 32], Option<[u8; 32]>)> {
    let hash = |text: &str| text.parse::<Digest>().ok().map(|it| it.0);
    match kept.split_once(' ') {
        Some((secret, code)) => Some((hash(secret)?, Some(hash(code)?))),
        None => Some((hash(kept)?, None)),
    }
}

impl Invitation {
    /// What the ledger keeps of it.
    pub fn credential(&self) -> Credential {
        let secret = Digest(self.secret.hash(Use::Invitation));
        Credential::new(match &self.code {
            Some(code) => format!("{secret} {}", Digest(Secret::hash_of_code(&code.code()))),
            None => secret.to_string(),
        })
    }
}

impl Chosen {
    /// Writes the deed, from a thread that may wait.
    ///
    /// # Errors
    /// If the ledger did not take it.
    pub fn write(&self, deeds: &Deeds) -> Result<(), Error> {
        let by = self.member.role.actor(self.member.person.clone());
        deeds.write_waiting(by, Deed::PasswordChosen { credential: None }, Some(self.credential.clone()))?;
        Ok(())
    }
}

impl Enrolled {
    /// What the ledger keeps of its credential.
    pub fn kept(&self) -> Credential {
        let hash = super::device::hash(&self.shows()).expect("what a device shows can be read");
        Credential::new(Digest(hash).to_string())
    }
}

/// Where sessions are kept: beside the file in which an earlier release kept its register.
fn beside(register: &Path) -> PathBuf {
    register.with_extension("sessions")
}
