//! What concerns the house is written into its own volume: starts and stops, sign-ins, devices, failures.

use punto_ledger::{Error, Ledger};
use punto_record::{Actor, Deed, OrderId, Seq, Volume};

use crate::clock::Clock;

/// The device of deeds that the server writes down.
pub const SERVER: &str = "server";

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
        let clock = self.clock.clone();
        let write = move |vault: &mut punto_ledger::Vault| {
            // Whose role changes has none until the deed is written; only then it gets its time.
            vault.suspend(&deed);
            let at = clock.now();
            // One writer, one volume: its next number was never used before.
            let n = vault.head(&Volume::House).seq.0 + 1;
            vault.deed(OrderId { device: SERVER.into(), n }, by, at, deed)
        };
        self.ledger.with(write).await
    }
}
