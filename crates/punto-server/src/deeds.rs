//! What concerns the house is written into its own volume: starts and stops, sign-ins, devices, failures.

use punto_ledger::{Credential, Error, Ledger};
use punto_record::{Actor, Deed, Digest, OrderId, Seq, Timestamp, Volume};

use crate::clock::{Clock, System};

/// The device of deeds that the server writes down.
pub const SERVER: &str = "server";

/// Starts the clock of a ledger, and writes down that the software was started: before anything else, so that whatever the
/// record is moved on by at this start stands in the very entry that has the new time first.
///
/// # Errors
/// If the ledger failed.
pub async fn start(ledger: &Ledger, system: System, software: Digest) -> Result<Clock, Error> {
    let write = move |vault: &mut punto_ledger::Vault| {
        let (clock, at_rest) = match vault.kind().is_house() {
            true => {
                let (clock, rested) = Clock::bounded(system, vault.closed_at(), vault.may_rest());
                (clock, Some(rested))
            }
            false => (Clock::new(system, Timestamp(0)), None),
        };
        let n = vault.head(&Volume::House).seq.0 + 1;
        let id = OrderId { device: SERVER.into(), n };
        vault.deed(id, Actor::House, clock.now(), Deed::SoftwareStarted { software, at_rest })?;
        Ok(clock)
    };
    ledger.with(write).await
}

/// Writes deeds.
#[derive(Clone, Debug)]
pub struct Deeds {
    ledger: Ledger,
    clock: Clock,
}

impl Deeds {
    /// Into this ledger.
    pub const fn new(ledger: Ledger, clock: Clock) -> Deeds {
        Deeds { ledger, clock }
    }

    /// Writes a deed down. It is durable when this returns.
    ///
    /// # Errors
    /// If it is not theirs to do, or the ledger failed.
    pub async fn write(&self, by: Actor, deed: Deed) -> Result<Seq, Error> {
        self.write_with(by, deed, None).await
    }

    /// Writes a deed that gives a credential, together with the row of the register.
    ///
    /// # Errors
    /// As [`Deeds::write`].
    pub async fn write_with(
        &self,
        by: Actor,
        deed: Deed,
        credential: Option<Credential>,
    ) -> Result<Seq, Error> {
        let clock = self.clock.clone();
        let write = move |vault: &mut punto_ledger::Vault| {
            // Whose role changes has none until the deed is written; only then it gets its time.
            vault.suspend(&deed);
            let at = clock.now();
            // One writer, one volume: its next number was never used before.
            let n = vault.head(&Volume::House).seq.0 + 1;
            vault.deed_with(OrderId { device: SERVER.into(), n }, by, at, deed, credential)
        };
        self.ledger.with(write).await
    }

    /// The same from a thread that may wait, and where the register is held meanwhile.
    ///
    /// # Errors
    /// As [`Deeds::write`].
    ///
    /// # Panics
    /// Outside the threads of the server.
    pub fn write_waiting(&self, by: Actor, deed: Deed, credential: Option<Credential>) -> Result<Seq, Error> {
        tokio::runtime::Handle::current().block_on(self.write_with(by, deed, credential))
    }
}
