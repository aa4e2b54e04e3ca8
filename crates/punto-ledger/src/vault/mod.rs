//! The one writer of a ledger: checks what is handed in, commits it, and gives receipts.
//!
//! Everything here happens in the caller's thread. [`Ledger`](crate::Ledger) puts a vault behind a thread of its own.

mod append;
mod deeds;
mod keeping;

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use ed25519_dalek::SigningKey;
use punto_record::merkle::Frontier;
use punto_record::{
    Actor, Approvals, Batch, Chain, Deed, Digest, HouseEntry, LedgerKind, OrderId, Person, PublicKey,
    Release, Seq, TicketNo, Timestamp, Volume,
};

use crate::Error;
use crate::account::Account;
use crate::house::House;
use crate::key::random;
use crate::part::Part;
use crate::place::Place;
use crate::reader::Reader;
use crate::staff::StaffBook;
use crate::store::Store;
use crate::stored::Archived;

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
    heads: BTreeMap<Volume, Head>,
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
    /// What stopped it.
    stopped: Option<Error>,
}

#[derive(Clone, Copy, Debug)]
struct Head {
    id: i64,
    chain: Chain,
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
        let fence = store.take_over()?;
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
        let part = Part { volume: &Volume::House, id: None, batch: &batch };
        store.commit(fence, 0, &[part])?.pop().expect("one batch, one result")?;
        Vault::from_store(place, store, fence, key, release)
    }

    /// Opens a ledger as its one writer: whoever wrote to it before cannot any more.
    ///
    /// # Errors
    /// If there is none, it is damaged, or the key is another.
    pub fn open(place: &Place, key: SigningKey, release: Release) -> Result<Vault, Error> {
        let mut store = Store::write(place)?;
        // Whoever has no business here does not stop the one who writes.
        if read_house(&mut store)?.key != Some(PublicKey::of(&key)) {
            return Err(Error::unsuitable("the key is not the one that this ledger has adopted"));
        }
        let fence = store.take_over()?;
        Vault::from_store(place, store, fence, key, release)
    }

    /// Opens the same ledger anew, as after a crash: nothing is known any more but what was committed. The only way to
    /// come back to a ledger in memory.
    ///
    /// # Errors
    /// If it is damaged.
    pub fn reopen(self) -> Result<Vault, Error> {
        let Vault { place, mut store, key, release, .. } = self;
        let fence = store.take_over()?;
        Vault::from_store(&place, store, fence, key, release)
    }

    /// Opens a stopped ledger anew, where that can be done without a new start of the software: after a full disk, and
    /// after a lost database. A file that could not be synced is never trusted again by the same process, and whoever
    /// was fenced off stays so.
    ///
    /// # Errors
    /// What stopped it, where nothing can be done; or why it cannot be opened.
    pub fn recover(&mut self) -> Result<(), Error> {
        let Some(cause) = &self.stopped else { return Ok(()) };
        let mut store = match (&self.place, cause) {
            (_, Error::Fenced | Error::Damaged(_)) => return Err(cause.clone()),
            (Place::File(_), Error::Full) | (Place::Database(_), _) => Store::write(&self.place)?,
            (Place::Memory | Place::File(_), _) => return Err(cause.clone()),
        };
        let (key, release) = (self.key.clone(), self.release.clone());
        let fence = store.take_over()?;
        // Whoever looks into the book goes on looking into the same one.
        let staff = self.staff.clone();
        *self = Vault::from_store(&self.place.clone(), store, fence, key, release)?;
        staff.set_all(&self.house);
        self.staff = staff;
        Ok(())
    }

    /// Lets another writer take over, as opening the same file twice does; nothing more can be written here.
    ///
    /// # Errors
    /// If the store failed.
    pub fn give_way(&mut self) -> Result<(), Error> {
        self.store.take_over().map(|_| ())
    }

    fn from_store(
        place: &Place,
        mut store: Store,
        fence: i64,
        key: SigningKey,
        release: Release,
    ) -> Result<Vault, Error> {
        let archived = store.archived()?;
        let mut heads = BTreeMap::new();
        for (id, volume) in (1..).zip(store.volumes()?) {
            let chain = match store.head(id)? {
                Some(chain) => chain,
                None => Archived::begins(archived.as_ref(), &volume),
            };
            heads.insert(volume, Head { id, chain });
        }
        let house = read_house(&mut store)?;
        let size = store.size()?;
        let last = store.last_checkpoint()?;
        let signed = last.as_ref().map_or(Timestamp(0), |kept| kept.at);
        let tree = match (last, archived) {
            (Some(kept), _) if kept.size <= size => kept.read()?.1,
            (Some(_), _) => {
                return Err(Error::damaged("there is a checkpoint for more entries than there are"));
            }
            (None, Some(archived)) => archived.tree,
            (None, None) => Frontier::default(),
        };
        let mut pending = Vec::new();
        store.links(tree.size(), &mut |volume, chain| pending.push((volume.clone(), chain)))?;
        if tree.size() + pending.len() as u64 != size {
            return Err(Error::damaged("entries are missing"));
        }
        let (reserved, staff) = (BTreeMap::new(), StaffBook::default());
        staff.set_all(&house);
        Ok(Vault {
            place: place.clone(),
            store,
            fence,
            release,
            key,
            heads,
            house,
            staff,
            size,
            tree,
            pending,
            signed,
            reserved,
            stopped: None,
        })
    }

    /// What the ledger is for.
    pub const fn kind(&self) -> LedgerKind {
        self.house.kind
    }

    /// The approvals of rule books that the house has recorded.
    pub const fn approvals(&self) -> &Approvals {
        &self.house.approvals
    }

    /// The name of the ledger: the link of its first entry.
    pub const fn ledger(&self) -> Digest {
        self.house.ledger
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
        self.heads.get(volume).map_or(Chain::START, |head| head.chain)
    }

    /// Where each volume ends.
    pub fn heads(&self) -> impl Iterator<Item = (&Volume, Chain)> {
        self.heads.iter().map(|(volume, head)| (volume, head.chain))
    }

    /// When the last checkpoint was signed.
    pub const fn signed_at(&self) -> Timestamp {
        self.signed
    }

    /// Whether a table takes no orders because its books did not balance.
    pub fn is_locked(&self, volume: &Volume) -> bool {
        self.house.takes(volume).is_err()
    }

    /// Nothing is tried again after a failure: what reached the disk is known when the ledger has been opened anew.
    fn stop(&mut self, error: &Error) {
        self.stopped.get_or_insert_with(|| error.clone());
    }

    fn running(&self) -> Result<(), Error> {
        match &self.stopped {
            Some(cause) => Err(Error::Stopped(cause.to_string().into())),
            None => Ok(()),
        }
    }

    fn or_stop<T>(&mut self, result: Result<T, Error>) -> Result<T, Error> {
        if let Err(error) = &result
            && !error.is_refusal()
        {
            self.stop(error);
        }
        result
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

fn read_house(store: &mut Store) -> Result<House, Error> {
    let mut house: Option<House> = None;
    let mut fault = None;
    store.entries_of(&Volume::House, Seq(0), &mut |stored| {
        let read = serde_json::from_slice::<HouseEntry>(stored.bytes)
            .map_err(|error| Error::damaged(format!("entry {} of the house: {error}", stored.seq)));
        let taken = read.and_then(|entry| match &mut house {
            Some(house) => {
                house.enter(&entry, stored.link);
                Ok(())
            }
            None => House::founded(&entry, stored.link).map(|founded| house = Some(founded)),
        });
        match taken {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                fault = Some(error);
                ControlFlow::Break(())
            }
        }
    })?;
    match (fault, house) {
        (Some(error), _) => Err(error),
        (None, Some(house)) => Ok(house),
        (None, None) => Err(Error::unsuitable(
            "this ledger was never founded: its making was interrupted; delete it and found it again",
        )),
    }
}
