//! What the register of people and devices must hold, by the house's own volume.
//!
//! Every row reflects one deed: a person's role, their password, an invitation, a device. Deeds hold the digest of
//! each credential, so that a row written by anyone else is noticed.

use std::collections::BTreeMap;
use std::sync::Arc;

use punto_record::{
    Deed, DeviceTaken, Digest, HouseEntry, Person, PersonTaken, RegisterFact, RegisterKind, RegisterLine,
    RegisterRow, Seq, Timestamp,
};
use serde::{Deserialize, Serialize};

use crate::factor::{FactorSeed, SeedKey};
use crate::{Credential, EndedSessions, Error, UsedSteps};

/// By what a row is found.
pub(crate) type RowKey = (RegisterKind, Arc<str>);

/// What a row must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Expected {
    pub(crate) row: RegisterRow,
    /// When its deed was done, and for a device when it was enrolled.
    pub(crate) at: Timestamp,
    pub(crate) first: Timestamp,
}

impl Expected {
    fn key(&self) -> RowKey {
        (self.row.fact.kind(), self.row.fact.id().into())
    }
}

/// What a deed does to the register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RowChange {
    Put(Expected),
    Remove(RowKey),
}

/// The register by the record.
#[derive(Clone, Debug, Default)]
pub(crate) struct Registered {
    /// The deed since which the store keeps it.
    pub(crate) since: Option<Seq>,
    pub(crate) rows: BTreeMap<RowKey, Expected>,
    /// Verifications that failed because it was tampered with, and that nobody has cleared yet.
    pub(crate) tampered: BTreeMap<Seq, Arc<str>>,
}

impl Registered {
    pub(crate) fn enter(&mut self, entry: &HouseEntry) {
        for change in self.changes(entry) {
            match change {
                RowChange::Put(expected) => drop(self.rows.insert(expected.key(), expected)),
                RowChange::Remove(key) => drop(self.rows.remove(&key)),
            }
        }
        if let Deed::RegisterTakenOver { .. } = entry.deed {
            self.since.get_or_insert(entry.seq);
        } else if let Deed::VerificationFailed { words, register: true, .. } = &entry.deed {
            self.tampered.insert(entry.seq, words.clone());
        } else if let Deed::RegisterCleared { failed, .. } = &entry.deed {
            self.tampered.retain(|seq, _| seq > failed);
        }
    }

    pub(crate) fn row(&self, kind: RegisterKind, id: &str) -> Option<&Expected> {
        self.rows.get(&(kind, id.into()))
    }

    /// What an entry does to the rows.
    pub(crate) fn changes(&self, entry: &HouseEntry) -> Vec<RowChange> {
        let HouseEntry { seq, at, deed, .. } = entry;
        let new = |fact, credential| {
            let row = RegisterRow { deed: *seq, fact, credential };
            RowChange::Put(Expected { row, at: *at, first: *at })
        };
        let remove = |kind, person: &Person| RowChange::Remove((kind, person.as_str().into()));
        if let Deed::StaffChanged { person, role, enabled, invited, name, credential, .. } = deed {
            let name = name.clone().unwrap_or_else(|| self.name(person));
            let (role, enabled) = (role.clone(), *enabled);
            let mut changes =
                vec![new(RegisterFact::Person { person: person.clone(), name, role, enabled }, None)];
            match (credential, enabled && !invited) {
                (Some(digest), _) if enabled => {
                    changes.push(new(RegisterFact::Invitation { person: person.clone() }, Some(*digest)));
                }
                (_, true) => {}
                (_, false) => changes.push(remove(RegisterKind::Invitation, person)),
            }
            return changes;
        }
        if let (Deed::PasswordChosen { credential }, Some(person)) = (deed, entry.by.person()) {
            let password = match credential {
                Some(digest) => new(RegisterFact::Password { person: person.clone() }, Some(*digest)),
                None => remove(RegisterKind::Password, person),
            };
            return vec![password, remove(RegisterKind::Invitation, person)];
        }
        if let (
            Deed::FactorEnrolled { credential, .. }
            | Deed::RecoveryCodesMade { credential, .. }
            | Deed::RecoveryCodeUsed { credential, .. },
            Some(person),
        ) = (deed, entry.by.person())
        {
            return vec![new(RegisterFact::Factor { person: person.clone() }, *credential)];
        }
        if let Deed::FactorReset { person, .. } = deed {
            return vec![remove(RegisterKind::Factor, person)];
        }
        if let Deed::AdministratorsRestored { persons, .. } = deed {
            let kinds = [RegisterKind::Password, RegisterKind::Invitation, RegisterKind::Factor];
            return persons.iter().flat_map(|person| kinds.map(|kind| remove(kind, person))).collect();
        }
        if let Deed::DeviceEnrolled { device, kind, table, patron, at_box, credential, .. } = deed {
            let (device, kind, table) = (device.clone(), kind.clone(), table.clone());
            let (patron, at_box, revoked) = (*patron, *at_box, false);
            return vec![new(
                RegisterFact::Device { device, kind, table, patron, at_box, revoked },
                *credential,
            )];
        }
        if let Deed::DeviceRevoked { device } = deed {
            let found = self.row(RegisterKind::Device, device.as_str()).cloned();
            return found.into_iter().map(|before| revoked(before, *seq, *at)).collect();
        }
        if let Deed::RegisterTakenOver { people, devices } = deed {
            return self.taken_over(*seq, *at, people, devices);
        }
        Vec::new()
    }

    /// Everybody and everything that the deeds know; credentials as the earlier release's register had them.
    fn taken_over(
        &self,
        seq: Seq,
        at: Timestamp,
        people: &[PersonTaken],
        devices: &[DeviceTaken],
    ) -> Vec<RowChange> {
        let mut changes = Vec::new();
        for expected in self.rows.values() {
            let mut next = Expected { at, ..expected.clone() };
            next.row.deed = seq;
            next.row.credential = None;
            match &mut next.row.fact {
                RegisterFact::Person { person, name, .. } => {
                    if let Some(taken) = people.iter().find(|it| it.person == *person) {
                        *name = taken.name.clone();
                    }
                }
                RegisterFact::Device { device, .. } => {
                    let taken = devices.iter().find(|it| it.device == *device);
                    next.row.credential = taken.map(|it| it.credential);
                }
                // What the earlier release kept of them comes below, or not at all.
                RegisterFact::Password { .. }
                | RegisterFact::Invitation { .. }
                | RegisterFact::Factor { .. } => {
                    changes.push(RowChange::Remove(next.key()));
                    continue;
                }
            }
            changes.push(RowChange::Put(next));
        }
        for PersonTaken { person, credential, .. } in people {
            if let Some(digest) = credential {
                let fact = RegisterFact::Password { person: person.clone() };
                let row = RegisterRow { deed: seq, fact, credential: Some(*digest) };
                changes.push(RowChange::Put(Expected { row, at, first: at }));
            }
        }
        changes
    }

    /// The name as it is shown: the last that a deed gave.
    fn name(&self, person: &Person) -> Arc<str> {
        match self.row(RegisterKind::Person, person.as_str()).map(|it| &it.row.fact) {
            Some(RegisterFact::Person { name, .. }) => name.clone(),
            Some(_) | None => person.as_str().into(),
        }
    }
}

/// A revoked device needs its credential no more.
fn revoked(mut before: Expected, seq: Seq, at: Timestamp) -> RowChange {
    if let RegisterFact::Device { revoked, .. } = &mut before.row.fact {
        *revoked = true;
    }
    before.row.deed = seq;
    before.row.credential = None;
    RowChange::Put(Expected { at, ..before })
}

/// A row as found in a store; it is not trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StoredRow {
    pub(crate) kind: String,
    pub(crate) id: String,
    pub(crate) deed: i64,
    pub(crate) body: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Body {
    fact: RegisterFact,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hash: Option<String>,
    /// The sealed seed of a second factor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sealed: Option<String>,
}

impl StoredRow {
    /// A row that holds no credential.
    pub(crate) fn of(row: &RegisterRow) -> StoredRow {
        StoredRow::with(row, None, None)
    }

    /// A row with its credential; a seed is sealed.
    pub(crate) fn sealing(
        row: &RegisterRow,
        credential: Option<&Credential>,
        key: &SeedKey,
    ) -> Result<StoredRow, Error> {
        let seed = credential.and_then(Credential::seed);
        let sealed = seed.map(|seed| key.seal(row.fact.id(), seed)).transpose()?;
        Ok(StoredRow::with(row, credential.map(|it| it.hash().to_owned()), sealed))
    }

    fn with(row: &RegisterRow, hash: Option<String>, sealed: Option<String>) -> StoredRow {
        let body = serde_json::to_string(&Body { fact: row.fact.clone(), hash, sealed });
        StoredRow {
            kind: row.fact.kind().id().to_owned(),
            id: row.fact.id().to_owned(),
            deed: row.deed.0 as i64,
            body: body.expect("always JSON"),
        }
    }

    /// The seed that it holds, if its seal can be opened and it is the one of its hash.
    pub(crate) fn seed(&self, key: &SeedKey) -> Option<FactorSeed> {
        let Body { fact, hash, sealed } = serde_json::from_str(&self.body).ok()?;
        key.open(fact.id(), &sealed?, &hash?)
    }

    /// The same row under another key; `None` if there is no seed in it that could be read.
    pub(crate) fn sealed_again(&self, old: &SeedKey, new: &SeedKey) -> Result<Option<StoredRow>, Error> {
        let Some(seed) = self.seed(old) else { return Ok(None) };
        let Some((row, Some(credential))) = self.read() else { return Ok(None) };
        StoredRow::sealing(&row, Some(&credential.with_seed(seed)), new).map(Some)
    }

    /// As it may be shown.
    pub(crate) fn line(&self) -> RegisterLine {
        let row = self.read().map(|(row, _)| row);
        RegisterLine { kind: self.kind.as_str().into(), id: self.id.as_str().into(), row }
    }

    /// From what may be shown: it stands for its deed, and nobody comes in by it.
    pub(crate) fn without_credential(RegisterLine { kind, id, row }: &RegisterLine) -> StoredRow {
        match row {
            Some(row) => {
                StoredRow { kind: kind.as_ref().into(), id: id.as_ref().into(), ..StoredRow::of(row) }
            }
            None => {
                let (kind, id) = (kind.as_ref().into(), id.as_ref().into());
                StoredRow { kind, id, deed: 0, body: String::new() }
            }
        }
    }

    /// What it says and holds, if it can be read and stands in its own place.
    pub(crate) fn read(&self) -> Option<(RegisterRow, Option<Credential>)> {
        let Body { fact, hash, .. } = serde_json::from_str(&self.body).ok()?;
        let fits = (fact.kind().id(), fact.id()) == (self.kind.as_str(), self.id.as_str());
        let deed = Seq(u64::try_from(self.deed).ok()?);
        let credential = hash.as_deref().map(|hash| fact.kind().credential(fact.id(), hash));
        fits.then(|| (RegisterRow { deed, fact, credential }, hash.map(Credential::new)))
    }
}

/// A row that the record accounts for, as the server keeps it in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptRow {
    /// What the deeds say.
    pub fact: RegisterFact,
    /// The credential, where the store has the one that its deed knows.
    pub credential: Option<Credential>,
    /// When the first deed about it was done, and the one that it reflects.
    pub first: Timestamp,
    /// See `first`.
    pub at: Timestamp,
}

/// The register as it was found in the store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RegisterFound {
    /// Everybody and everything by the deeds, with the credentials that may be used.
    pub rows: Vec<KeptRow>,
    /// Rows that differ from their deeds, or that no deed accounts for.
    pub tampered: Vec<String>,
    /// Rows that were missing and were made again.
    pub missing: Vec<String>,
    /// Codes of second factors that were used.
    pub used: BTreeMap<Person, UsedSteps>,
    /// Sessions that are over.
    pub ended: EndedSessions,
}

/// A person in the register of an earlier release.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct EarlierPerson {
    pub person: Person,
    pub name: Arc<str>,
    pub role: Arc<str>,
    pub enabled: bool,
    pub password: Option<Credential>,
}

/// A device as the register of an earlier release has it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct EarlierDevice {
    pub fact: RegisterFact,
    pub credential: Credential,
}

/// The register of an earlier release.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct EarlierRegister {
    pub people: Vec<EarlierPerson>,
    pub devices: Vec<EarlierDevice>,
}

impl EarlierDevice {
    /// The digest by which the deed will know its credential.
    pub(crate) fn digest(&self) -> Digest {
        RegisterKind::Device.credential(self.fact.id(), self.credential.hash())
    }
}
