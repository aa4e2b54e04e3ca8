//! What every request may need.

use std::net::IpAddr;
use std::sync::{Arc, OnceLock};

use punto_record::{Actor, Deed, Timestamp};
use tokio::sync::Semaphore;

use crate::clock::Clock;
use crate::deeds::Deeds;
use crate::floor::Floor;
use crate::full_check::FullCheck;
use crate::guest::Guest;
use crate::http::answer::Problem;
use crate::http::devices::DeviceCodes;
use crate::http::limit::Limit;
use crate::http::metrics::Counters;
use crate::http::receipts::Receipts;
use crate::http::staffing::Codes;
use crate::listen::Caps;
use crate::pending::Pendings;
use crate::register::{self, NoSignIn, Register, Source, Why};
use crate::socket::{Feeds, SocketTimes};
use crate::software::{Seen, Software, SoftwareError};
use crate::witness::Witnessing;

/// Passwords that are hashed at once: more would take the tables' cores and memory from them.
const HASHING: usize = 2;

/// Passwords that may wait for it, from known places and from others.
const WAITING: usize = 32;

/// The server, as a request sees it. Cloned, it is the same server.
#[derive(Clone, Debug)]
pub struct App {
    /// Who may come in.
    pub register: Arc<Register>,
    /// The tables.
    pub floor: Floor,
    /// The software that runs.
    pub software: Software,
    /// What visitors of a demonstration are given.
    pub guest: Arc<OnceLock<Guest>>,
    /// The clock of the floor.
    pub clock: Clock,
    /// Where deeds are written.
    pub deeds: Deeds,
    /// What waits for signatures.
    pub pendings: Arc<Pendings>,
    /// Codes of invitations, for the second person who signed.
    pub codes: Arc<Codes>,
    /// Codes of devices that wait for their second person.
    pub device_codes: Arc<DeviceCodes>,
    /// What browsers must know and show.
    pub door: Arc<Door>,
    /// How often one address may try to guess something.
    pub limit: Arc<Limit>,
    /// How many receipts are made for patrons, and how often.
    pub receipts: Arc<Receipts>,
    /// Connections that are counted.
    pub caps: Caps,
    /// How far screens are behind.
    pub feeds: Arc<Feeds>,
    /// What is counted since the start.
    pub counters: Arc<Counters>,
    /// The audit of the whole record.
    pub full_check: FullCheck,
    /// Who keeps checkpoints elsewhere.
    pub witnesses: Witnessing,
    /// How long screens may take.
    pub socket_times: SocketTimes,
    hashing: Arc<Semaphore>,
    known: Arc<Semaphore>,
    strangers: Strangers,
}

/// What is left to those of whom nothing is known: one password at a time, so that however many they send, whoever works here
/// comes in.
#[derive(Clone, Debug)]
struct Strangers {
    waiting: Arc<Semaphore>,
    hashing: Arc<Semaphore>,
}

/// What browsers must know and show.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Door {
    /// The pages that may speak to this server, as browsers say it: `https://floor.example:8443`.
    pub origins: Vec<String>,
    /// Whether there is TLS: then cookies are sent over nothing else.
    pub secure: bool,
    /// The address that is listened on: requests may name it, beside the hosts of `origins`.
    pub listens: Option<IpAddr>,
    /// Proxies whose word about where a request comes from is taken.
    pub proxies: Vec<IpAddr>,
}

impl Door {
    /// Whether a page from there may speak to this server.
    pub fn admits(&self, origin: &str) -> bool {
        self.origins.iter().any(|own| own.eq_ignore_ascii_case(origin))
    }
}

impl App {
    /// A server with these; clock and deeds are the floor's.
    pub fn new(register: Arc<Register>, floor: Floor, software: Software, door: Door) -> App {
        let clock = floor.clock().clone();
        let deeds = Deeds::new(floor.ledger().clone(), clock.clone());
        App {
            register,
            floor,
            software,
            guest: Arc::default(),
            clock,
            deeds,
            pendings: Arc::default(),
            codes: Arc::default(),
            device_codes: Arc::default(),
            door: Arc::new(door),
            limit: Arc::default(),
            receipts: Arc::default(),
            caps: Caps::default(),
            feeds: Arc::default(),
            counters: Arc::default(),
            full_check: FullCheck::default(),
            witnesses: Witnessing::default(),
            socket_times: SocketTimes::default(),
            hashing: Arc::new(Semaphore::new(HASHING)),
            known: Arc::new(Semaphore::new(WAITING)),
            strangers: Strangers {
                waiting: Arc::new(Semaphore::new(WAITING)),
                hashing: Arc::new(Semaphore::new(HASHING - 1)),
            },
        }
    }

    /// Looks whether the program is still the one that was started; if it is not, play stops. The register of people and
    /// devices is compared with the deeds as well.
    ///
    /// # Errors
    /// If that cannot be told.
    pub async fn verify(&self) -> Result<Seen, SoftwareError> {
        if let Err(error) = self.compare_register().await {
            tracing::error!(%error, "the register of people and devices could not be compared with the deeds");
        }
        let seen = self.software.verify(&self.deeds).await;
        match &seen {
            Ok(seen) if seen.same => {}
            Ok(_) => self.floor.fail("the program on the disk is not the one that was started"),
            Err(error) => self.floor.fail(&error.to_string()),
        }
        seen
    }

    /// Asks the register something, off the threads that must not wait.
    ///
    /// # Errors
    /// What it says.
    pub async fn ask<T: Send + 'static>(
        &self,
        ask: impl FnOnce(&Register, Timestamp) -> Result<T, register::Error> + Send + 'static,
    ) -> Result<T, Problem> {
        Ok(self.call(ask).await??)
    }

    /// Asks the register something for which it must hash a password: two at once, and not too many waiting. A wrong
    /// password is written down.
    ///
    /// # Errors
    /// What it says, or that too many are waiting.
    pub async fn ask_with_password<T: Send + 'static>(
        &self,
        source: Source,
        ask: impl FnOnce(&Register, &Source, Timestamp) -> Result<T, register::Error> + Send + 'static,
    ) -> Result<T, Problem> {
        let waiting = if source.is_known() { &self.known } else { &self.strangers.waiting };
        let _waiting = waiting.try_acquire().map_err(|_| Problem::Busy)?;
        let stranger = match source.is_known() {
            true => None,
            false => Some(self.strangers.hashing.clone().acquire_owned().await.map_err(Problem::internal)?),
        };
        let permit = self.hashing.clone().acquire_owned().await.map_err(Problem::internal)?;
        let asked = self.call(move |register, now| {
            let _permits = (permit, stranger);
            ask(register, &source, now)
        });
        let answer = asked.await?;
        if let Err(register::Error::NotSignedIn(no)) = &answer
            && let Err(error) = self.note(no).await
        {
            // Whoever guesses is answered the same, whatever happens here.
            tracing::error!("a failed sign-in could not be written down: {error}");
        }
        Ok(answer?)
    }

    /// Does something with the register that may take its time.
    ///
    /// # Errors
    /// If it fell over.
    pub(crate) async fn call<T: Send + 'static>(
        &self,
        ask: impl FnOnce(&Register, Timestamp) -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let (register, now) = (self.register.clone(), self.clock.now());
        tokio::task::spawn_blocking(move || ask(&register, now)).await.map_err(Problem::internal)
    }

    async fn note(&self, no: &NoSignIn) -> Result<(), punto_ledger::Error> {
        let (locks, factor) = match no.why {
            Why::WrongAndLocked => (true, false),
            Why::WrongCode => (false, true),
            Why::WrongCodeAndLocked => (true, true),
            Why::Wrong | Why::Unknown | Why::Locked | Why::Disabled | Why::NoPassword => (false, false),
        };
        self.counters.sign_in_failed(locks);
        match no.why {
            // That it is locked has been written down; anybody could go on for ever.
            Why::Locked => return Ok(()),
            Why::WrongAndLocked
            | Why::WrongCode
            | Why::WrongCodeAndLocked
            | Why::Unknown
            | Why::Wrong
            | Why::Disabled
            | Why::NoPassword => {}
        }
        let deed = Deed::SignInFailed { person: no.person.clone(), locked: locks, factor };
        self.deeds.write(Actor::House, deed).await.map(|_| ())
    }
}
