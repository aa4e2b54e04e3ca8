//! The one writer of a ledger: checks what is handed in, commits it, and gives receipts.
//!
//! Everything here happens in the caller's thread. [`Ledger`](crate::Ledger) puts a vault behind a thread of its own.

mod append;
mod book;
mod currency;
mod deeds;
mod found;
mod issue;
mod keeping;
mod proof;
mod register;
mod trusted;

use std::collections::{BTreeMap, BTreeSet};

pub use book::Outstanding;
use book::{Signed, TicketBook};
use ed25519_dalek::SigningKey;
use punto_record::merkle::Frontier;
use punto_record::{
    Actor, Approvals, Batch, Chain, Currency, Deed, Digest, HouseEntry, LedgerKind, OrderId, Person,
    PublicKey, Release, Seq, TableId, TicketNo, Timestamp, Volume, Witnesses,
};
use trusted::Trusted;

use crate::Error;
use crate::account::Account;
use crate::author::Author;
use crate::house::House;
use crate::key::{derived, random};
use crate::part::Part;
use crate::place::Place;
use crate::reader::Reader;
use crate::staff::StaffBook;
use crate::store::Store;
use crate::ticket_keys::TicketKeys;

pub use found::Found;

/// The device of deeds that the software does by itself.
pub const LEDGER: &str = "ledger";

/// The one writer of a ledger.
#[derive(Debug)]
pub struct Vault {
    place: Place,
    store: Store,
    fence: i64,
    release: Release,
    key: SigningKey,
    /// The number of each volume in the store.
    ids: BTreeMap<Volume, i64>,
    heads: BTreeMap<Volume, Chain>,
    house: House,
    /// The same as far as people are concerned, for whoever reads beside the writer.
    staff: StaffBook,
    /// Entries in the tree, and those of them that `tree` does not have yet.
    size: u64,
    tree: Frontier,
    pending: Vec<(Volume, Chain)>,
    /// When the last checkpoint was signed.
    signed: Timestamp,
    /// Tickets that an order is being decided about. Only here: a restart lets go of them all.
    reserved: BTreeMap<TicketNo, OrderId>,
    /// The tickets that are good, by the record.
    book: TicketBook,
    /// What their numbers are derived with; none before somebody hands them in.
    ticket_keys: TicketKeys,
    /// Tickets whose rows were tampered with, as far as that was written down; and what is still to be.
    reported: BTreeSet<TicketNo>,
    alarms: Vec<String>,
    /// What was not as it was signed for when the ledger was opened.
    found: Found,
    /// What stopped it.
    stopped: Option<Error>,
}

/// A batch for a volume.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Append {
    pub volume: Volume,
    pub batch: Batch,
}

impl Vault {
    /// Founds a ledger where there is none.
    ///
    /// # Errors
    /// If there is something already, or it cannot be written.
    pub fn found(
        place: &Place,
        kind: LedgerKind,
        key: SigningKey,
        at: Timestamp,
        release: Release,
    ) -> Result<Vault, Error> {
        let nonce = Digest(random()?);
        Vault::found_with(place, kind, key, nonce, at, release)
    }

    /// Founds a ledger with a nonce that is handed in.
    ///
    /// # Errors
    /// As [`Vault::found`].
    pub fn found_with(
        place: &Place,
        kind: LedgerKind,
        key: SigningKey,
        nonce: Digest,
        at: Timestamp,
        release: Release,
    ) -> Result<Vault, Error> {
        let mut store = Store::create(place)?;
        let fence = store.take_over(&mut |_| {})?;
        let mut chain = Chain::START;
        let deeds = [
            Deed::LedgerFounded { kind, nonce },
            Deed::KeyAdopted { key: PublicKey::of(&key), before: None, vouched: None },
        ];
        let mut entries = Vec::new();
        for (n, deed) in (1..).zip(deeds) {
            let id = OrderId { device: LEDGER.into(), n };
            let seq = chain.seq.next();
            let entry = HouseEntry { seq, id, by: Actor::House, at, deed, release: release.clone() };
            entries.push(chain.seal_deed(&entry));
        }
        let batch = Batch { expect: Seq(0), entries, tickets: Vec::new() };
        let part = Part { volume: &Volume::House, id: None, batch: &batch, rows: &[] };
        let author = Author { ledger: batch.entries[0].chain, term: fence, key: &key };
        store.commit(&author, 0, &[part])?.pop().expect("one batch, one result")?;
        Vault::from_store(place, store, fence, key, release)
    }

    /// Opens a ledger as its one writer.
    ///
    /// # Errors
    /// If there is none, it is damaged, the key is another, or another process is its writer.
    pub fn open(place: &Place, key: SigningKey, release: Release) -> Result<Vault, Error> {
        Vault::open_telling(place, key, release, &mut |_| {})
    }

    /// The same. A ledger in a database that has its writer is waited for, two leases long: a start on another machine, or
    /// after a crash. `waiting` is told who writes.
    ///
    /// # Errors
    /// As [`Vault::open`].
    pub fn open_telling(
        place: &Place,
        key: SigningKey,
        release: Release,
        waiting: &mut dyn FnMut(&str),
    ) -> Result<Vault, Error> {
        let mut store = Store::write(place)?;
        // Whoever has no business here does not stop the one who writes.
        Trusted::read(&mut store, &key)?;
        let fence = store.take_over(waiting)?;
        Vault::from_store(place, store, fence, key, release)
    }

    /// Opens the same ledger anew, as after a crash: nothing is known any more but what was committed. The only way to
    /// come back to a ledger in memory.
    ///
    /// # Errors
    /// If it is damaged.
    pub fn reopen(self) -> Result<Vault, Error> {
        let Vault { place, mut store, key, release, ticket_keys, .. } = self;
        let fence = store.take_over(&mut |_| {})?;
        Ok(Vault { ticket_keys, ..Vault::from_store(&place, store, fence, key, release)? })
    }

    /// Opens a stopped ledger anew, where that can be done without a new start of the software: after a full disk, and
    /// after a lost database. A file that could not be synced is never trusted again by the same process, and whoever
    /// was fenced off stays so.
    ///
    /// # Errors
    /// What stopped it, where nothing can be done; or why it cannot be opened.
    pub fn recover(&mut self) -> Result<(), Error> {
        let done = self.try_recover();
        match (&self.place, done) {
            // A database on its way down, up, or to another host says many things; all of them are waited for.
            (Place::Database(_), Err(Error::Failed(words))) => Err(Error::Unreachable(words)),
            (_, done) => done,
        }
    }

    fn try_recover(&mut self) -> Result<(), Error> {
        let Some(cause) = &self.stopped else { return Ok(()) };
        let mut store = match (&self.place, cause) {
            (_, Error::Fenced | Error::ForeignRows | Error::Damaged(_)) => return Err(cause.clone()),
            (Place::File(_), Error::Full) | (Place::Database(_), _) => self.store.again()?,
            (Place::Memory | Place::File(_), _) => return Err(cause.clone()),
        };
        let (key, release) = (self.key.clone(), self.release.clone());
        // A writer that was replaced while it could not reach its store stays out.
        let fence = store.take_over_from(self.fence).inspect_err(|error| {
            if *error == Error::Fenced {
                self.stopped = Some(Error::Fenced);
            }
        })?;
        // Should the rest fail, this is what is gone on from the next time.
        self.fence = fence;
        // Whoever looks into the book goes on looking into the same one.
        let (staff, ticket_keys) = (self.staff.clone(), self.ticket_keys.clone());
        *self = Vault::from_store(&self.place.clone(), store, fence, key, release)?;
        staff.set_all(&self.house);
        self.staff = staff;
        self.ticket_keys = ticket_keys;
        Ok(())
    }

    /// Ends this writer's term, as another writer does that took over; nothing more can be written here. For tests.
    ///
    /// # Errors
    /// If the store failed.
    pub fn give_way(&mut self) -> Result<(), Error> {
        self.store.end_term()
    }

    fn from_store(
        place: &Place,
        mut store: Store,
        fence: i64,
        key: SigningKey,
        release: Release,
    ) -> Result<Vault, Error> {
        let trusted = Trusted::read(&mut store, &key)?;
        let size = trusted.size();
        let mut found = Found::compare(&mut store, fence, &trusted)?;
        let archived = store.archived()?;
        let kept = keeping::kept_books(&mut store, &trusted.house)?;
        let signed_for = Signed { heads: &trusted.heads, size, archived: archived.as_ref() };
        let (mut book, broken) = TicketBook::read(&mut store, &kept, &signed_for)?;
        for (volume, words) in broken {
            found.damaged.entry(volume).or_insert(words);
        }
        if let (true, Some(archived)) = (trusted.is_first, &archived) {
            book.take_archived(&mut store, size, archived)?;
        }
        let ids: BTreeMap<Volume, i64> = store.volumes()?.into_iter().zip(1..).collect();
        let Trusted { house, heads, tree, pending, signed, is_first } = trusted;
        let (reserved, staff) = (BTreeMap::new(), StaffBook::default());
        staff.set_all(&house);
        let mut vault = Vault {
            place: place.clone(),
            store,
            fence,
            release,
            key,
            ids,
            heads,
            house,
            staff,
            size,
            tree,
            pending,
            signed,
            reserved,
            book,
            ticket_keys: TicketKeys::default(),
            reported: BTreeSet::new(),
            alarms: Vec::new(),
            found: Found::default(),
            stopped: None,
        };
        if is_first {
            let at = vault.house.now;
            vault.own_deed(at, Deed::CommitsSigned { size })?;
            vault.checkpoint(at)?;
            if archived.is_some() {
                vault.keep_book()?;
            }
        }
        vault.write_down(&found)?;
        found.register = vault.register(vault.house.now)?;
        vault.found = found;
        Ok(vault)
    }

    /// What the ledger is for.
    pub const fn kind(&self) -> LedgerKind {
        self.house.kind
    }

    /// The last time that was written in the house's own volume.
    pub const fn now(&self) -> Timestamp {
        self.house.now
    }

    /// The last time that the record and its checkpoints vouch for: a closed house's clock stands still there.
    pub fn closed_at(&self) -> Timestamp {
        self.house.now.max(self.signed)
    }

    /// How far a start may follow the system's clock ahead of the record without two people, in milliseconds.
    pub const fn may_rest(&self) -> u64 {
        self.house.rest.left()
    }

    /// The approvals of rule books that the house has recorded.
    pub const fn approvals(&self) -> &Approvals {
        &self.house.approvals
    }

    /// The name of the ledger: the link of its first entry.
    pub const fn ledger(&self) -> Digest {
        self.house.ledger
    }

    /// Who keeps checkpoints of this ledger elsewhere.
    pub const fn witnesses(&self) -> &Witnesses {
        &self.house.witnesses
    }

    /// The keys that this ledger has adopted, oldest first.
    pub fn adopted_keys(&self) -> impl Iterator<Item = PublicKey> {
        self.house.keys.iter().map(|(_, key, _)| *key)
    }

    /// Who is employed as what.
    pub const fn staff(&self) -> &StaffBook {
        &self.staff
    }

    /// What was done to somebody's account.
    pub fn account(&self, person: &Person) -> Account {
        self.house.accounts.of(person)
    }

    /// How many Administrators are employed and have chosen a password.
    pub fn administrators(&self) -> usize {
        self.house.administrators().count()
    }

    /// Administrators whom the software is to invite because there were never two who came, under these ids or others.
    pub fn administrators_to_invite(&self, ids: &[Person]) -> Vec<Person> {
        self.house.to_found(ids)
    }

    /// Ids of Administrators that were never used.
    pub fn new_administrators(&self) -> impl Iterator<Item = Person> {
        self.house.new_administrators()
    }

    /// Where a volume ends.
    pub fn head(&self, volume: &Volume) -> Chain {
        self.heads.get(volume).copied().unwrap_or(Chain::START)
    }

    /// Where each volume ends.
    pub fn heads(&self) -> impl Iterator<Item = (&Volume, Chain)> {
        self.heads.iter().map(|(volume, chain)| (volume, *chain))
    }

    /// Tickets that were issued and not used, by currency; `XXX` where the record at hand does not say which.
    pub const fn outstanding(&self) -> &BTreeMap<Currency, Outstanding> {
        self.book.outstanding()
    }

    /// When the last checkpoint was signed.
    pub const fn signed_at(&self) -> Timestamp {
        self.signed
    }

    /// What was not as it was signed for when the ledger was opened.
    pub const fn found_amiss(&self) -> &Found {
        &self.found
    }

    /// Whether a table takes no orders.
    pub fn is_locked(&self, volume: &Volume) -> bool {
        self.house.takes(volume).is_err()
    }

    /// Why a table takes no orders, if it takes none.
    pub fn locked_because(&self, table: &TableId) -> Option<&str> {
        self.house.locked.get(table).map(|words| &**words)
    }

    /// Nothing is tried again after a failure: what reached the disk is known when the ledger has been opened anew.
    fn stop(&mut self, error: &Error) {
        self.stopped.get_or_insert_with(|| error.clone());
    }

    fn running(&mut self) -> Result<(), Error> {
        if self.stopped.is_none() {
            let held = self.store.require_lease();
            self.or_stop(held)?;
        }
        match &self.stopped {
            Some(cause) => Err(Error::Stopped(cause.to_string().into())),
            None => Ok(()),
        }
    }

    /// What stopped it; looks whether the lease has ended meanwhile.
    pub fn stopped(&mut self) -> Option<&Error> {
        // What it says is what is kept.
        let _ = self.running();
        self.stopped.as_ref()
    }

    fn or_stop<T>(&mut self, result: Result<T, Error>) -> Result<T, Error> {
        if let Err(error) = &result
            && !error.is_refusal()
        {
            self.stop(error);
        }
        result
    }

    /// A key for another purpose, derived from the signing key. It reveals nothing about the signing key.
    pub fn derived_key(&self, purpose: &str) -> [u8; 32] {
        derived(&self.key, purpose)
    }

    /// Reads what is there.
    pub const fn reader(&mut self) -> Reader<'_> {
        Reader::lent(&mut self.store)
    }

    /// Lets a file grow to so many pages at most, as if the disk were full there.
    ///
    /// # Errors
    /// If the store failed.
    pub fn limit_pages(&mut self, pages: u32) -> Result<(), Error> {
        self.store.limit_pages(pages)
    }
}
