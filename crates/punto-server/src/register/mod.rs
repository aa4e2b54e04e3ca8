//! The register: who may come in. Staff and their passwords, sessions, devices and their credentials.
//!
//! People and devices are kept by the ledger, beside the deeds that they reflect, and are in memory here: a change
//! writes its deed first. Sessions, known browsers and wrong passwords change and forget; they lie in a file beside the
//! ledger, where a row without its seal is worth nothing. No secret is anywhere in clear: passwords are Argon2id, everything
//! that this software made up itself (256 bits, nobody guesses it) is a SHA-256. Time is handed in.

mod attempt;
mod confirm;
mod device;
mod earlier;
mod error;
mod factor;
mod guess;
mod kept;
mod password;
mod schema;
mod seal;
mod secret;
mod session;
mod staff;
pub(crate) mod totp;

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use punto_record::{DeviceId, Person, Timestamp};
use rusqlite::Connection;
use tokio::sync::broadcast;

use factor::Factors;
use seal::SealKey;

use crate::clock::{Clock, System};

pub use attempt::{PasswordAndCode, RecoveryUsed, Source};
pub use confirm::Confirmed;
pub use device::{Device, DeviceKind, Enrolled, Listed};
pub use error::{Error, NoSignIn, Refusal, Why};
pub use factor::{FactorEnrolled, FactorOffer, RECOVERY_CODES};
pub(crate) use kept::say_found;
pub use password::{Cost, MOST, SHORTEST};
pub use secret::Secret;
pub use session::{SignedIn, Staff};
pub use staff::{Change, Changed, Chosen, FIRST, Hands, Invitation, Member, shown};

/// Wrong passwords in a row before nobody can sign in as that person for a while, from where they were given.
pub const ATTEMPTS: u32 = 5;

/// For how long, in milliseconds.
pub const LOCKED_FOR: u64 = 15 * 60_000;

/// Browsers in which one person is known at once; the one that was not used for longest gives way.
pub const BROWSERS: u32 = 16;

/// How long a browser stays known without a sign-in: longer than anybody's leave.
pub const KNOWN_FOR: u64 = 90 * 24 * 3_600_000;

/// A session that nobody uses for so long is over.
pub const IDLE: u64 = 15 * 60_000;

/// However much it is used, a session is over after so long.
pub const ABSOLUTE: u64 = punto_ledger::LONGEST_SESSION;

/// Uses of a session are written down no more often than this: it ends so much early at most, never late.
pub const GRAIN: u64 = 10_000;

/// How long an invitation to choose a password is good.
pub const INVITED_FOR: u64 = 24 * 3_600_000;

/// Sessions of one person at once; the one that was not used for longest gives way.
pub const SESSIONS: u32 = 8;

/// How long a secret that was shown may wait for its first code.
pub const OFFERED_FOR: u64 = 15 * 60_000;

/// Messages about what is gone that may wait; who is further behind must look again at what it holds on to.
const GONE: usize = 1024;

/// Something is no longer good, from now on: whoever works on the strength of it must stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Gone {
    /// The device was revoked.
    Device(DeviceId),
    /// The session is over; its public name.
    Session(std::sync::Arc<str>),
    /// Nobody is this person any more, or they are something else: all their sessions are over.
    Person(Person),
}

/// The register.
pub struct Register {
    connection: Mutex<Connection>,
    key: SealKey,
    cost: Cost,
    /// The hash of a password that nobody has: unknown persons take as long as known ones.
    nobody: String,
    gone: broadcast::Sender<Gone>,
    /// The clock of the system, by which codes go: apps know no other.
    wall: System,
    /// Whether Administrators and managers must have a second factor: in a house.
    requires_factors: bool,
    factors: Factors,
}

impl std::fmt::Debug for Register {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Register(…)")
    }
}

impl Register {
    /// A register with nobody in it yet. Sessions are kept in this file, which only its owner may read.
    ///
    /// # Errors
    /// If it cannot be opened, or is something else.
    pub fn open(local: &Path, key: [u8; 32], cost: Cost) -> Result<Register, Error> {
        let mut options = std::fs::OpenOptions::new();
        options.append(true).create(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(local).map_err(Error::failed)?;
        let name =
            local.to_str().ok_or_else(|| Error::failed("the file of sessions has no name in UTF-8"))?;
        Register::on(schema::open(name)?, key, cost)
    }

    /// A register in memory.
    ///
    /// # Errors
    /// If there is none to be had.
    pub fn memory(cost: Cost) -> Result<Register, Error> {
        Register::sealed_in_memory(punto_ledger::random().map_err(Error::failed)?, cost)
    }

    fn sealed_in_memory(key: [u8; 32], cost: Cost) -> Result<Register, Error> {
        Register::on(schema::open(":memory:")?, key, cost)
    }

    fn on(connection: Connection, key: [u8; 32], cost: Cost) -> Result<Register, Error> {
        let nobody = cost.hash(&Secret::new()?.text())?;
        let (gone, _) = broadcast::channel(GONE);
        let (connection, key) = (Mutex::new(connection), SealKey::new(key));
        let (wall, requires_factors, factors) = (Clock::system(), false, Factors::default());
        Ok(Register { connection, key, cost, nobody, gone, wall, requires_factors, factors })
    }

    /// The same, with codes that go by this clock.
    #[must_use]
    pub fn with_wall(self, wall: System) -> Register {
        Register { wall, ..self }
    }

    /// Tells at once what is no longer good.
    pub fn gone(&self) -> broadcast::Receiver<Gone> {
        self.gone.subscribe()
    }

    /// Held for single statements and short transactions, never while a password is being hashed.
    fn connection(&self) -> MutexGuard<'_, Connection> {
        // A transaction that panicked was rolled back when it was dropped.
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, gone: impl IntoIterator<Item = Gone>) {
        for gone in gone {
            // Nobody listens: nobody holds on to it.
            let _ = self.gone.send(gone);
        }
    }
}

/// SQLite counts with a sign.
fn ms(at: Timestamp) -> i64 {
    i64::try_from(at.0).unwrap_or(i64::MAX)
}

fn at(ms: i64) -> Timestamp {
    Timestamp(u64::try_from(ms).unwrap_or(0))
}

fn later(now: Timestamp, by: u64) -> Timestamp {
    Timestamp(now.0.saturating_add(by))
}
