//! Beside the entries: checkpoints, snapshots, archives.

use std::collections::BTreeMap;

use ed25519_dalek::Signer as _;
use punto_record::merkle::leaf;
use punto_record::{
    Actor, ArchivedHead, Chain, Checkpoint, Deed, Digest, Note, OrderId, Origin, PublicKey, Seq,
    SignedCheckpoint, Timestamp, TreeHead, Volume,
};

use super::book::{self, Signed, TicketBook};
use super::{LEDGER, Vault};
use crate::Error;
use crate::author::snapshot_text;
use crate::house::House;
use crate::store::Store;
use crate::stored::{Archived, KeptCheckpoint, Snapshot, Thin};

impl Vault {
    /// Signs everything that is there, and keeps the checkpoint. `None` if nothing was added since the last one.
    ///
    /// # Errors
    /// If the store failed.
    pub fn checkpoint(&mut self, at: Timestamp) -> Result<Option<SignedCheckpoint>, Error> {
        self.running()?;
        if self.pending.is_empty() && self.tree.size() > 0 {
            return Ok(None);
        }
        let at = at.max(self.signed);
        let thin = Thin::due(self.signed, at);
        self.signed = at;
        for (volume, chain) in self.pending.drain(..) {
            self.tree.push(leaf(&volume, chain));
        }
        let heads = self.heads.iter().map(|(volume, chain)| (volume.clone(), *chain)).collect();
        let (ledger, size, root) = (self.house.ledger, self.tree.size(), self.tree.root());
        let signed = Checkpoint { ledger, at, size, root, heads }.sign(&self.key);
        let tree = serde_json::to_string(&self.tree).expect("always JSON");
        let kept = KeptCheckpoint { size, at, text: signed.to_string(), tree };
        let result = self.store.keep_checkpoint(self.fence, &kept, thin);
        self.or_stop(result)?;
        if self.book.is_due(self.size) {
            self.keep_book()?;
        }
        Ok(Some(signed))
    }

    /// Everything up to the last checkpoint as a note for a witness, in the history that it keeps of this ledger. Only what a
    /// kept checkpoint signs for is ever signed like this: it is durable before a witness sees it.
    ///
    /// # Errors
    /// If this writer has stopped.
    pub fn note(&mut self, origin: Origin) -> Result<Note, Error> {
        self.running()?;
        Ok(TreeHead { origin, size: self.tree.size(), root: self.tree.root() }.sign(&self.key))
    }

    /// Keeps the book of tickets, so that the next opening need not read all entries.
    pub(super) fn keep_book(&mut self) -> Result<(), Error> {
        let bytes = self.book.bytes(self.size, &self.heads);
        let chain = self.head(&Volume::House);
        let book = Snapshot { volume: Volume::House, chain, schema: book::SCHEMA, bytes, signed: None };
        self.keep_snapshot(&book)?;
        self.book.kept(self.size);
        Ok(())
    }

    /// The book of tickets as it was when the tree had this size: what an archive goes on from.
    fn book_at(&mut self, archived: &Archived) -> Result<Snapshot, Error> {
        let kept = kept_books(&mut self.store, &self.house)?;
        let size = archived.tree.size();
        let heads: BTreeMap<Volume, Chain> =
            archived.heads.iter().map(|head| (head.volume.clone(), head.chain())).collect();
        let before = self.store.archived()?;
        let signed = Signed { heads: &heads, size, archived: before.as_ref() };
        // Books of a later time know nothing about then.
        let kept: Vec<Vec<u8>> = kept.into_iter().filter(|bytes| book::size(bytes) <= Some(size)).collect();
        let (book, broken) = TicketBook::read(&mut self.store, &kept, &signed)?;
        if let Some(words) = broken.into_values().next() {
            return Err(Error::damaged(words));
        }
        let chain = heads.get(&Volume::House).copied().unwrap_or(Chain::START);
        let bytes = book.bytes(size, &heads);
        let kept = Snapshot { volume: Volume::House, chain, schema: book::SCHEMA, bytes, signed: None };
        Ok(self.sign_snapshot(&kept))
    }

    /// Keeps a snapshot of a table.
    ///
    /// # Errors
    /// If the store failed.
    pub fn keep_snapshot(&mut self, snapshot: &Snapshot) -> Result<(), Error> {
        self.running()?;
        let (volume, expect) = (&snapshot.volume, snapshot.chain.seq);
        let found = self.head(volume).seq;
        if expect > found || found == Seq(0) {
            return Err(Error::Conflict { volume: volume.clone(), expect, found });
        }
        let signed = self.sign_snapshot(snapshot);
        let result = self.store.keep_snapshot(self.fence, &signed);
        self.or_stop(result)
    }

    /// The latest snapshot of a volume that this schema can read and that somebody vouches for: the writer by a signature,
    /// or the deed by which entries before it were archived. Others are not looked at.
    ///
    /// # Errors
    /// If the store failed.
    pub fn snapshot(&mut self, of: &Volume, schema: u32) -> Result<Option<Snapshot>, Error> {
        match self.store.snapshot(of, schema)? {
            Some(snapshot) if self.vouches_for(&snapshot) => Ok(Some(snapshot)),
            Some(_) => {
                let others = self.store.snapshots()?.into_iter().rev();
                let mut others = others.filter(|it| it.volume == *of && it.schema == schema);
                Ok(others.find(|snapshot| self.vouches_for(snapshot)))
            }
            None => Ok(None),
        }
    }

    fn sign_snapshot(&self, snapshot: &Snapshot) -> Snapshot {
        let key = PublicKey::of(&self.key);
        let text = snapshot_text(self.house.ledger, snapshot, key);
        Snapshot { signed: Some((key, self.key.sign(text.as_bytes()).to_bytes())), ..snapshot.clone() }
    }

    fn vouches_for(&self, snapshot: &Snapshot) -> bool {
        vouches_for(&self.house, snapshot)
    }

    /// Deletes all snapshots that can be made again from what is here.
    ///
    /// # Errors
    /// If the store failed.
    pub fn drop_snapshots(&mut self) -> Result<(), Error> {
        self.running()?;
        let result = self.store.drop_snapshots(self.fence);
        self.or_stop(result)
    }

    /// Moves entries out of the ledger that an archive holds: those up to the tree's size, but for the house's own.
    /// The snapshots are what the tables go on from.
    ///
    /// # Errors
    /// If something does not fit what is here, or the store failed.
    pub fn archive(
        &mut self,
        archived: &Archived,
        snapshots: &[Snapshot],
        archive: Digest,
        by: Actor,
        at: Timestamp,
    ) -> Result<(), Error> {
        self.running()?;
        let (size, root) = (archived.tree.size(), archived.tree.root());
        let is_signed = |kept: &KeptCheckpoint| {
            kept.size == size && kept.read().is_ok_and(|(signed, _)| signed.checkpoint.root == root)
        };
        let mut found = false;
        self.store.checkpoints(&mut |kept| found |= is_signed(&kept))?;
        if !found {
            return Err(Error::unsuitable(format!(
                "there is no checkpoint at {size} entries with that root"
            )));
        }
        for head in archived.heads.iter().filter(|head| head.volume != Volume::House) {
            let fits = |snapshot: &&Snapshot| {
                (&snapshot.volume, snapshot.chain, Some(snapshot.digest()))
                    == (&head.volume, head.chain(), head.snapshot)
            };
            if !snapshots.iter().any(|snapshot| fits(&snapshot)) {
                return Err(Error::unsuitable(format!(
                    "there is no snapshot of {} to go on from",
                    head.volume
                )));
            }
        }
        let book = self.book_at(archived)?;
        let heads = archived.heads.clone();
        let n = self.house.next_of(LEDGER);
        let id = OrderId { device: LEDGER.into(), n };
        self.deed(id, by, at, Deed::EntriesArchived { size, root, archive, heads })?;
        let mut snapshots: Vec<Snapshot> =
            snapshots.iter().map(|snapshot| self.sign_snapshot(snapshot)).collect();
        snapshots.push(book);
        let result = self.store.archive(self.fence, archived, &snapshots);
        self.or_stop(result)
    }
}

/// Whether somebody vouches for a snapshot: the writer, or the deed of an archive.
fn vouches_for(house: &House, snapshot: &Snapshot) -> bool {
    let archived = house.archives.iter().flat_map(|(_, _, heads)| heads);
    let in_deed = |head: &ArchivedHead| {
        (&head.volume, head.chain(), head.snapshot)
            == (&snapshot.volume, snapshot.chain, Some(snapshot.digest()))
    };
    let is_signed = |(key, signature): &(PublicKey, [u8; 64])| {
        house.keys.iter().any(|(_, adopted, _)| adopted == key)
            && key.signed(snapshot_text(house.ledger, snapshot, *key).as_bytes(), signature)
    };
    snapshot.signed.as_ref().is_some_and(is_signed) || archived.into_iter().any(in_deed)
}

/// The books of tickets that were kept and that somebody vouches for.
pub(super) fn kept_books(store: &mut Store, house: &House) -> Result<Vec<Vec<u8>>, Error> {
    let mut kept = store.snapshots()?;
    kept.retain(|it| it.volume == Volume::House && it.schema == book::SCHEMA && vouches_for(house, it));
    Ok(kept.into_iter().map(|book| book.bytes).collect())
}
