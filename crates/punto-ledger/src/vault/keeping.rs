//! Beside the entries: checkpoints, snapshots, archives.

use punto_record::merkle::leaf;
use punto_record::{Actor, Checkpoint, Deed, Digest, OrderId, Seq, SignedCheckpoint, Timestamp, Volume};

use super::{LEDGER, Vault};
use crate::Error;
use crate::stored::{Archived, KeptCheckpoint, Snapshot};

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
        self.signed = at;
        for (volume, chain) in self.pending.drain(..) {
            self.tree.push(leaf(&volume, chain));
        }
        let heads = self.heads.iter().map(|(volume, head)| (volume.clone(), head.chain)).collect();
        let (ledger, size, root) = (self.house.ledger, self.tree.size(), self.tree.root());
        let signed = Checkpoint { ledger, at, size, root, heads }.sign(&self.key);
        let tree = serde_json::to_string(&self.tree).expect("always JSON");
        let kept = KeptCheckpoint { size, at, text: signed.to_string(), tree };
        let result = self.store.keep_checkpoint(self.fence, &kept);
        self.or_stop(result).map(|()| Some(signed))
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
        let result = self.store.keep_snapshot(self.fence, snapshot);
        self.or_stop(result)
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
        let heads = archived.heads.clone();
        let n = self.house.next_of(LEDGER);
        let id = OrderId { device: LEDGER.into(), n };
        self.deed(id, by, at, Deed::EntriesArchived { size, root, archive, heads })?;
        let result = self.store.archive(self.fence, archived, snapshots);
        self.or_stop(result)
    }
}
