//! Devices and witnesses as the house's volume tells of them, and the register as the ledger gives it after a start.

use std::collections::BTreeMap;

use punto_ledger::{Credential, Found};
use punto_record::{Deed, DeviceId, HouseEntry, LedgerKind, RegisterFact, WitnessName};

use super::Watch;
use crate::Counters;
use crate::night::credential_of;

/// A device that was enrolled.
#[derive(Debug)]
struct Device {
    credential: Option<Credential>,
    revoked: bool,
}

/// What the house's volume says about devices and witnesses.
#[derive(Debug, Default)]
pub(super) struct House {
    is_house: bool,
    devices: BTreeMap<DeviceId, Device>,
    /// By name; whether it is in use.
    witnesses: BTreeMap<WitnessName, bool>,
    /// Whether no Round may open since the start: nobody has confirmed this history, and no two people opened without or
    /// declared what was contested to be lost.
    pub(super) waits: bool,
}

impl House {
    pub(super) const fn is_house(&self) -> bool {
        self.is_house
    }

    pub(super) fn enter(&mut self, entry: &HouseEntry, by_insider: bool, counters: &mut Counters) {
        let honest = u64::from(!by_insider);
        if let Deed::LedgerFounded { kind, .. } = &entry.deed {
            self.is_house = *kind == LedgerKind::House;
        } else if let Deed::SoftwareStarted { .. } = &entry.deed {
            self.waits = self.is_house && self.witnesses.values().any(|in_use| *in_use);
        } else if let Deed::WitnessChanged { witness, in_use, .. } = &entry.deed {
            let was = self.witnesses.insert(witness.clone(), *in_use).unwrap_or(false);
            let counter = match (was, in_use) {
                (_, false) => &mut counters.witnesses_removed,
                (true, true) => &mut counters.witnesses_moved,
                (false, true) => &mut counters.witnesses_named,
            };
            *counter += honest;
            self.waits &= self.witnesses.values().any(|in_use| *in_use);
        } else if let Deed::WitnessConfirmed { .. } = &entry.deed {
            counters.witnesses_confirmed += honest;
            self.waits = false;
        } else if let Deed::OpenedUnwitnessed { .. } = &entry.deed {
            counters.opened_unwitnessed += honest;
            self.waits = false;
        } else if let Deed::VerificationFailed { contest: Some(_), .. } = &entry.deed {
            counters.histories_contested += honest;
            self.waits = false;
        } else if let Deed::LossDeclared { .. } = &entry.deed {
            counters.losses_declared += honest;
            self.waits = false;
        } else if let Deed::DeviceEnrolled { device, .. } = &entry.deed {
            counters.devices_enrolled += honest;
            let credential = credential_of(&entry.id, &entry.deed).filter(|_| !by_insider);
            self.devices.insert(device.clone(), Device { credential, revoked: false });
        } else if let Deed::DeviceRevoked { device } = &entry.deed {
            counters.devices_revoked += honest;
            self.devices.insert(device.clone(), Device { credential: None, revoked: true });
        }
    }
}

impl Watch {
    /// Devices that were enrolled and not revoked.
    pub(crate) fn devices_in_use(&self) -> impl Iterator<Item = &DeviceId> {
        self.house.devices.iter().filter(|(_, device)| !device.revoked).map(|(id, _)| id)
    }

    /// What the ledger found at a start is what everybody has: devices with their credentials, second factors.
    ///
    /// # Errors
    /// What is not.
    pub(crate) fn register_is_the_same(&self, found: &Found, counters: &mut Counters) -> Result<(), String> {
        counters.registers_compared += 1;
        if !found.is_empty() || !found.register.missing.is_empty() {
            return Err(format!("nobody touched the store, and at a start was found: {found:?}"));
        }
        let mut left = self.house.devices.len();
        for row in &found.register.rows {
            let RegisterFact::Device { device, revoked, .. } = &row.fact else { continue };
            let known = self.house.devices.get(device);
            if !known.is_some_and(|it| (it.revoked, &it.credential) == (*revoked, &row.credential)) {
                return Err(format!("after a start device {device} is not what it was: {row:?}"));
            }
            left -= 1;
        }
        if left > 0 {
            return Err(format!("after a start {left} devices are gone"));
        }
        self.factors.are_those_of(&found.register)
    }
}
