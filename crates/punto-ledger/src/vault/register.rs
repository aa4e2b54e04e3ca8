//! The register of people and devices: compared with the deeds, cleared, taken over from an earlier release.

use std::collections::BTreeMap;
use std::sync::Arc;

use ed25519_dalek::SigningKey;
use punto_record::{
    Actor, Deed, DeviceId, DeviceTaken, HouseEntry, OrderId, Person, PersonTaken, RegisterFact, RegisterKind,
    Seq, Timestamp,
};
use punto_rules::text::Shown;

use super::{LEDGER, Vault};
use crate::factor::SeedKey;
use crate::part::RowWrite;
use crate::registered::{EarlierDevice, EarlierPerson, Expected, KeptRow, RowChange, RowKey, StoredRow};
use crate::{Credential, EarlierRegister, Error, FactorReset, RegisterFound};

/// How many rows one deed names; the audit names all of them.
const MOST_NAMED: usize = 20;

/// The store's rows beside what the deeds say.
#[derive(Debug, Default)]
struct Compared {
    /// Credentials that their deeds know.
    good: BTreeMap<RowKey, Option<Credential>>,
    tampered: Vec<(StoredRow, String)>,
    missing: Vec<RowKey>,
}

/// Credentials by their rows.
pub(super) type Credentials = BTreeMap<RowKey, Credential>;

impl Vault {
    /// The register as the store has it, each row compared with its deed. What differs is written down and not used, and no
    /// further Round opens until two people have cleared it; what is missing is made again, without a credential.
    ///
    /// # Errors
    /// If the store failed.
    pub fn register(&mut self, at: Timestamp) -> Result<RegisterFound, Error> {
        self.running()?;
        let compared = self.compare_register()?;
        let tampered: Vec<String> = compared.tampered.iter().map(|(_, words)| words.clone()).collect();
        if let Some(words) = said(&tampered) {
            let words: Arc<str> = format!("the register was tampered with: {words}").into();
            let is_known = self.house.registered.tampered.values().any(|known| *known == words);
            if !is_known {
                self.own_deed(at, Deed::VerificationFailed { words, register: true, contest: None })?;
            }
        }
        let missing: Vec<String> =
            compared.missing.iter().map(|(kind, id)| format!("{} {id}", kind.id())).collect();
        if let Some(words) = said(&missing) {
            let words = format!("rows of the register were missing and were made again: {words}");
            let again = compared.missing.iter().filter_map(|key| self.house.registered.rows.get(key));
            let writes = again.map(|it| RowWrite::Put(StoredRow::of(&it.row))).collect();
            let n = self.house.next_of(LEDGER);
            let id = OrderId { device: LEDGER.into(), n };
            self.write_deed(id, Actor::House, at, Deed::verification_failed(words), writes)?;
        }
        let (used, ended) = (self.house.factors.used().clone(), self.house.sessions.clone());
        Ok(RegisterFound { rows: self.kept_rows(&compared.good), tampered, missing, used, ended })
    }

    /// Whether the register was tampered with and nobody has cleared it: the last verification that failed.
    pub fn register_tampered(&self) -> Option<(Seq, &str)> {
        self.house.registered.tampered.last_key_value().map(|(seq, words)| (*seq, &**words))
    }

    /// Whether the register of an earlier release was taken over, if there was one: it is done once.
    pub const fn keeps_register(&self) -> bool {
        self.house.registered.since.is_some()
    }

    /// Takes the register of an earlier release over, once, as far as the deeds account for it. From then on the store keeps
    /// the register. Tells what was not taken over.
    ///
    /// # Errors
    /// If it was done before, or the store failed.
    pub fn take_over_register(
        &mut self,
        earlier: &EarlierRegister,
        at: Timestamp,
    ) -> Result<Vec<String>, Error> {
        if self.keeps_register() {
            return Err(Error::NotAllowed("the register of an earlier release is taken over once"));
        }
        let mut amiss = Vec::new();
        let (mut people, mut devices, mut credentials) = (Vec::new(), Vec::new(), Credentials::new());
        for it in &earlier.people {
            let EarlierPerson { person, name, password, .. } = it;
            let key = (RegisterKind::Password, Arc::from(person.as_str()));
            let password = match self.differs(it) {
                Some(words) => {
                    amiss.push(format!("person {}: {words}", Shown(person.as_str())));
                    None
                }
                None => password.as_ref().filter(|_| self.house.power.has_chosen(person)),
            };
            if let Some(credential) = password {
                credentials.insert(key, credential.clone());
            }
            let digest = password.map(|it| RegisterKind::Password.credential(person.as_str(), it.hash()));
            if self.house.registered.row(RegisterKind::Person, person.as_str()).is_some() {
                people.push(PersonTaken { person: person.clone(), name: name.clone(), credential: digest });
            }
        }
        for it in &earlier.devices {
            let id = it.fact.id();
            let expected = self.house.registered.row(RegisterKind::Device, id);
            let is_revoked = matches!(it.fact, RegisterFact::Device { revoked: true, .. });
            match expected {
                Some(expected) if expected.row.fact == it.fact && is_revoked => {}
                Some(expected) if expected.row.fact == it.fact => {
                    let EarlierDevice { credential, .. } = it;
                    credentials.insert((RegisterKind::Device, id.into()), credential.clone());
                    devices.push(DeviceTaken { device: DeviceId::as_recorded(id), credential: it.digest() });
                }
                Some(_) => amiss.push(format!("device {}: the deeds say something else", Shown(id))),
                None => amiss.push(format!("device {}: no deed enrolled it", Shown(id))),
            }
        }
        // A demonstration of the first release wrote no deeds for its visitors.
        if let (true, Some(words)) = (self.kind().is_house(), said(&amiss)) {
            let words: Arc<str> = format!("the register of the earlier release: {words}").into();
            if !self.house.registered.tampered.values().any(|known| *known == words) {
                self.own_deed(at, Deed::VerificationFailed { words, register: true, contest: None })?;
            }
        }
        let deed = Deed::RegisterTakenOver { people, devices };
        let id = OrderId { device: LEDGER.into(), n: self.house.next_of(LEDGER) };
        let writes = self.row_writes(&id, &Actor::House, at, &deed, &credentials)?;
        self.write_deed(id, Actor::House, at, deed, writes)?;
        Ok(amiss)
    }

    /// How a person of an earlier register differs from the deeds.
    fn differs(&self, it: &EarlierPerson) -> Option<&'static str> {
        match self.house.registered.row(RegisterKind::Person, it.person.as_str()).map(|it| &it.row.fact) {
            Some(RegisterFact::Person { role, enabled, .. }) => {
                ((role, *enabled) != (&it.role, it.enabled)).then_some("the deeds give another role")
            }
            Some(_) | None => Some("no deed employs them"),
        }
    }

    /// What a deed writes into the register beside itself.
    pub(super) fn row_writes(
        &mut self,
        id: &OrderId,
        by: &Actor,
        at: Timestamp,
        deed: &Deed,
        credentials: &Credentials,
    ) -> Result<Vec<RowWrite>, Error> {
        let takes_over = matches!(deed, Deed::RegisterTakenOver { .. });
        if !self.keeps_register() && !takes_over {
            return Ok(Vec::new());
        }
        let (by, at) = (by.clone(), at.max(self.house.now));
        let seq = self.head(&punto_record::Volume::House).seq.next();
        let entry =
            HouseEntry { seq, id: id.clone(), by, at, deed: deed.clone(), release: self.release.clone() };
        let seeds = self.seed_key();
        let write = |change| match change {
            RowChange::Put(Expected { row, .. }) => {
                let key = (row.fact.kind(), Arc::from(row.fact.id()));
                StoredRow::sealing(&row, credentials.get(&key), &seeds).map(RowWrite::Put)
            }
            RowChange::Remove((kind, id)) => {
                Ok(RowWrite::Remove { kind: kind.id().to_owned(), id: id.as_ref().to_owned() })
            }
        };
        self.house.registered.changes(&entry).into_iter().map(write).collect()
    }

    /// What puts the register right again: rows of which no deed knows are deleted, others are made again without a
    /// credential.
    pub(super) fn clearing_writes(&mut self) -> Result<Vec<RowWrite>, Error> {
        let compared = self.compare_register()?;
        let write = |(stored, _): &(StoredRow, String)| {
            let known = self.house.registered.rows.values().find(|it| {
                (it.row.fact.kind().id(), it.row.fact.id()) == (stored.kind.as_str(), stored.id.as_str())
            });
            match known {
                Some(expected) => RowWrite::Put(StoredRow::of(&expected.row)),
                None => RowWrite::Remove { kind: stored.kind.clone(), id: stored.id.clone() },
            }
        };
        Ok(compared.tampered.iter().map(write).collect())
    }

    fn seed_key(&self) -> SeedKey {
        SeedKey::of(&self.key, self.house.ledger)
    }

    /// The seeds of second factors, sealed under another key. A seed that cannot be read stays as it is, and is found when the
    /// register is compared.
    pub(super) fn sealed_again(&mut self, key: &SigningKey) -> Result<Vec<RowWrite>, Error> {
        let (old, new) = (self.seed_key(), SeedKey::of(key, self.house.ledger));
        let rows = self.store.register()?;
        let again = rows.iter().map(|row| row.sealed_again(&old, &new));
        again.filter_map(Result::transpose).map(|row| row.map(RowWrite::Put)).collect()
    }

    /// Resets of second factors that wait.
    pub fn factor_resets(&self) -> impl Iterator<Item = &FactorReset> {
        self.house.factors.resets()
    }

    /// Carries out the resets whose delay is over; whose they were.
    ///
    /// # Errors
    /// If the store failed.
    pub fn carry_out_factor_resets(&mut self, at: Timestamp) -> Result<Vec<Person>, Error> {
        let at = at.max(self.house.now);
        let due: Vec<_> = self.factor_resets().filter(|reset| reset.due <= at).cloned().collect();
        let mut persons = Vec::new();
        for FactorReset { begun, person, .. } in due {
            self.own_deed(at, Deed::FactorReset { begun, person: person.clone() })?;
            persons.push(person);
        }
        Ok(persons)
    }

    fn compare_register(&mut self) -> Result<Compared, Error> {
        let stored = self.store.register()?;
        let seeds = self.seed_key();
        let registered = &self.house.registered;
        let mut compared = Compared::default();
        for row in stored {
            match judged(&row, registered.since.is_some().then_some(&registered.rows), &seeds) {
                Ok((key, credential)) => drop(compared.good.insert(key, credential)),
                Err(words) => {
                    let words = format!("{} {}: {words}", Shown(&row.kind), Shown(&row.id));
                    compared.tampered.push((row, words));
                }
            }
        }
        if registered.since.is_some() {
            let is_there = |(kind, id): &RowKey| {
                let is_it = |(row, _): &(StoredRow, String)| {
                    (row.kind.as_str(), row.id.as_str()) == (kind.id(), &**id)
                };
                compared.good.contains_key(&(*kind, id.clone())) || compared.tampered.iter().any(is_it)
            };
            let missing = registered.rows.keys().filter(|key| !is_there(key)).cloned().collect();
            compared.missing = missing;
        }
        Ok(compared)
    }

    /// What the deeds say, and the credentials that may be used: nobody comes in whose own row is not as it should be.
    fn kept_rows(&self, good: &BTreeMap<RowKey, Option<Credential>>) -> Vec<KeptRow> {
        let kept = |(key, expected): (&RowKey, &Expected)| {
            let fact = expected.row.fact.clone();
            let person = (RegisterKind::Person, key.1.clone());
            let stands = match fact.kind() {
                RegisterKind::Password | RegisterKind::Invitation | RegisterKind::Factor => {
                    good.contains_key(&person)
                }
                RegisterKind::Person | RegisterKind::Device => true,
            };
            let credential = good.get(key).filter(|_| stands).cloned().flatten();
            KeptRow { fact, credential, first: expected.first, at: expected.at }
        };
        match self.keeps_register() {
            true => self.house.registered.rows.iter().map(kept).collect(),
            false => Vec::new(),
        }
    }
}

/// Whether a row is what its deed says.
fn judged(
    stored: &StoredRow,
    expected: Option<&BTreeMap<RowKey, Expected>>,
    seeds: &SeedKey,
) -> Result<(RowKey, Option<Credential>), String> {
    let expected = expected.ok_or_else(|| "no register was begun here".to_owned())?;
    let (row, credential) = stored.read().ok_or_else(|| "it cannot be read".to_owned())?;
    let key: RowKey = (row.fact.kind(), row.fact.id().into());
    let Expected { row: by_deed, .. } =
        expected.get(&key).ok_or_else(|| "no deed accounts for it".to_owned())?;
    let differs = |what: &str| Err(format!("{what} is not that of entry {} of the house", by_deed.deed));
    if row.fact != by_deed.fact {
        return differs("what it says");
    }
    if row.deed != by_deed.deed {
        return differs("its deed");
    }
    // A row that was made again has none, and is of no use until there is a new one.
    if row.credential.is_some() && row.credential != by_deed.credential {
        return differs("its credential");
    }
    if key.0 == RegisterKind::Factor
        && let Some(credential) = credential
    {
        return match stored.seed(seeds) {
            Some(seed) => Ok((key, Some(credential.with_seed(seed)))),
            None => differs("its seed"),
        };
    }
    Ok((key, credential))
}

/// The first of them, and how many more there are.
fn said(all: &[String]) -> Option<String> {
    let named = all.iter().take(MOST_NAMED).map(String::as_str).collect::<Vec<_>>().join("; ");
    match all.len() {
        0 => None,
        1..=MOST_NAMED => Some(named),
        count => Some(format!("{named}; and {} more", count - MOST_NAMED)),
    }
}
