//! The register of people and devices beside the deeds: the auditor's own reading.
//!
//! The vault compares each row when a ledger is opened. This is written a second time on purpose, from the deeds alone.

use std::collections::BTreeMap;
use std::sync::Arc;

use punto_record::{Deed, Digest, HouseEntry, RegisterFact, RegisterKind, RegisterLine, RegisterRow, Seq};

use crate::finding::{FindingKind, Findings};

type Rows = BTreeMap<(&'static str, Arc<str>), RegisterRow>;

/// What the deeds make of the register so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Register {
    rows: Rows,
    /// Whether the store keeps it.
    is_kept: bool,
    /// Verifications that failed and are not cleared.
    failed: Vec<Seq>,
}

fn key(kind: RegisterKind, id: &str) -> (&'static str, Arc<str>) {
    (kind.id(), id.into())
}

impl Register {
    pub(crate) fn deed(&mut self, entry: &HouseEntry, out: &mut Findings) {
        let deed = entry.seq;
        if let Deed::StaffChanged { person, role, enabled, invited, name, credential, .. } = &entry.deed {
            let before = self.rows.get(&key(RegisterKind::Person, person.as_str()));
            let known = before.and_then(|row| match &row.fact {
                RegisterFact::Person { name, .. } => Some(name.clone()),
                RegisterFact::Password { .. }
                | RegisterFact::Invitation { .. }
                | RegisterFact::Factor { .. }
                | RegisterFact::Device { .. } => None,
            });
            let name = name.clone().or(known).unwrap_or_else(|| person.as_str().into());
            let (person, role, enabled) = (person.clone(), role.clone(), *enabled);
            if !enabled || *invited {
                self.rows.remove(&key(RegisterKind::Invitation, person.as_str()));
            }
            if enabled && credential.is_some() {
                self.put(deed, RegisterFact::Invitation { person: person.clone() }, *credential);
            }
            self.put(deed, RegisterFact::Person { person, name, role, enabled }, None);
        } else if let (Deed::PasswordChosen { credential }, Some(person)) = (&entry.deed, entry.by.person()) {
            self.rows.remove(&key(RegisterKind::Invitation, person.as_str()));
            self.rows.remove(&key(RegisterKind::Password, person.as_str()));
            if credential.is_some() {
                self.put(deed, RegisterFact::Password { person: person.clone() }, *credential);
            }
        } else if let Deed::AdministratorsRestored { persons, .. } = &entry.deed {
            for person in persons {
                self.rows.remove(&key(RegisterKind::Invitation, person.as_str()));
                self.rows.remove(&key(RegisterKind::Password, person.as_str()));
                self.rows.remove(&key(RegisterKind::Factor, person.as_str()));
            }
        } else if let (
            Deed::FactorEnrolled { credential, .. }
            | Deed::RecoveryCodesMade { credential, .. }
            | Deed::RecoveryCodeUsed { credential, .. },
            Some(person),
        ) = (&entry.deed, entry.by.person())
        {
            self.put(deed, RegisterFact::Factor { person: person.clone() }, *credential);
        } else if let Deed::FactorReset { person, .. } = &entry.deed {
            self.rows.remove(&key(RegisterKind::Factor, person.as_str()));
        } else if let Deed::DeviceEnrolled { device, kind, table, patron, at_box, credential, .. } =
            &entry.deed
        {
            let (device, kind, table) = (device.clone(), kind.clone(), table.clone());
            let (patron, at_box, revoked) = (*patron, *at_box, false);
            let fact = RegisterFact::Device { device, kind, table, patron, at_box, revoked };
            self.put(deed, fact, *credential);
        } else if let Deed::DeviceRevoked { device } = &entry.deed {
            if let Some(row) = self.rows.get_mut(&key(RegisterKind::Device, device.as_str())) {
                row.deed = deed;
                row.credential = None;
                if let RegisterFact::Device { revoked, .. } = &mut row.fact {
                    *revoked = true;
                }
            }
        } else if let Deed::RegisterTakenOver { people, devices } = &entry.deed {
            out.hold(!self.is_kept, FindingKind::RegisterRow, "a register was taken over a second time");
            self.is_kept = true;
            self.rows.retain(|(kind, _), _| matches!(*kind, "person" | "device"));
            for row in self.rows.values_mut() {
                row.deed = deed;
                row.credential = None;
            }
            for taken in people {
                if let Some(row) = self.rows.get_mut(&key(RegisterKind::Person, taken.person.as_str()))
                    && let RegisterFact::Person { name, .. } = &mut row.fact
                {
                    *name = taken.name.clone();
                }
                if taken.credential.is_some() {
                    self.put(deed, RegisterFact::Password { person: taken.person.clone() }, taken.credential);
                }
            }
            for taken in devices {
                if let Some(row) = self.rows.get_mut(&key(RegisterKind::Device, taken.device.as_str())) {
                    row.credential = Some(taken.credential);
                }
            }
        } else if let Deed::VerificationFailed { register: true, .. } = &entry.deed {
            self.failed.push(deed);
        } else if let Deed::RegisterCleared { failed, .. } = &entry.deed {
            let was = self.failed.last() == Some(failed);
            out.hold(
                was,
                FindingKind::OutOfTurn,
                "there was nothing of that kind in the register to be cleared",
            );
            self.failed.clear();
        }
    }

    fn put(&mut self, deed: Seq, fact: RegisterFact, credential: Option<Digest>) {
        let key = key(fact.kind(), fact.id());
        self.rows.insert(key, RegisterRow { deed, fact, credential });
    }

    /// Whether there are rows to be handed in.
    pub(crate) const fn is_kept(&self) -> bool {
        self.is_kept
    }

    /// Compares the store's rows with what the deeds make of them.
    pub(crate) fn compare(&self, lines: impl IntoIterator<Item = RegisterLine>, out: &mut Findings) {
        let mut left: Rows = match self.is_kept {
            true => self.rows.clone(),
            false => Rows::new(),
        };
        for RegisterLine { kind, id, row } in lines {
            let kinds = RegisterKind::ALL.into_iter();
            let expected = kinds
                .map(RegisterKind::id)
                .find(|it| *it == &*kind)
                .and_then(|kind| left.remove(&(kind, id.clone())));
            let whose = format!("the register's {kind} of {id}");
            let words = match (expected, row) {
                (None, _) => format!("{whose}: no deed accounts for it"),
                (Some(_), None) => format!("{whose}: the row cannot be read"),
                (Some(expected), Some(found)) if !stands_for(&found, &expected) => {
                    format!("{whose} is not what entry {} says", expected.deed)
                }
                (Some(_), Some(_)) => continue,
            };
            out.say(FindingKind::RegisterRow, words);
        }
        for (kind, id) in left.into_keys() {
            out.say(FindingKind::RegisterRow, format!("the register's {kind} of {id} is missing"));
        }
    }
}

/// Whether a row is what its deed says. One that was made again has no credential.
fn stands_for(found: &RegisterRow, expected: &RegisterRow) -> bool {
    let is_known = found.credential.is_none() || found.credential == expected.credential;
    (found.deed, &found.fact) == (expected.deed, &expected.fact) && is_known
}
