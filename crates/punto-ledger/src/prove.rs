//! Proofs that entries are in the ledger, for somebody who has nothing of the ledger.

use std::ops::ControlFlow;

use punto_record::merkle::{Frontier, Tree};
use punto_record::{Digest, PatronReceipt, Proof, Seq, Volume};

use crate::Error;
use crate::reader::Reader;

/// Entries that are read for one proof at most: where checkpoints lie further apart, it is made at the host.
const MOST_BETWEEN: u64 = 1 << 18;

/// An entry that is to be proven.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Unproven {
    pub leaf: u64,
    pub seq: Seq,
    /// The link of the entry before it.
    pub before: Digest,
    pub bytes: Vec<u8>,
}

/// Whether entries are under a checkpoint.
#[derive(Clone, Debug)]
pub enum Coverage {
    /// They are.
    Proven(Box<PatronReceipt>),
    /// No checkpoint signs for all of them yet.
    NotYetSigned,
    /// The checkpoints around them were thinned out: too many entries would have to be read.
    TooFarApart,
}

impl Reader<'_> {
    /// The tree as far as it takes to prove that one of this size, or of a smaller one that there is a checkpoint near, grew
    /// to what is here: it begins at the last kept checkpoint that is not larger, and only the entries after it are read.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn tree_from(&mut self, size: u64) -> Result<Tree, Error> {
        let start = match self.checkpoint_up_to(size)? {
            Some(kept) => kept.read()?.1,
            None => Frontier::default(),
        };
        // What was archived is not read again: of it only the right edge is known.
        let archived = self.archived()?.map_or(0, |archived| archived.tree.size());
        if start.size() <= archived {
            return self.tree(&mut |_| {});
        }
        let from = start.size();
        let mut tree =
            Tree::after(start).ok_or_else(|| Error::damaged("the tree of a checkpoint is none"))?;
        self.entries(from, &mut |stored| {
            if stored.leaf != tree.size() + 1 {
                return ControlFlow::Break(());
            }
            tree.push(stored.leaf_hash());
            ControlFlow::Continue(())
        })?;
        Ok(tree)
    }

    /// Proves that entries of one volume are in the ledger: a receipt with the first checkpoint that signs for all of them.
    /// Only the entries between the checkpoints before and after them are read, however large the ledger is.
    ///
    /// # Errors
    /// If the ledger cannot be read, or is not what was signed.
    pub fn prove(&mut self, volume: &Volume, entries: &[Unproven]) -> Result<Coverage, Error> {
        let (Some(first), Some(last)) = (entries.first(), entries.last()) else {
            return Err(Error::unsuitable("there is no entry to prove"));
        };
        let Some(kept) = self.checkpoint_from(last.leaf)? else {
            return Ok(Coverage::NotYetSigned);
        };
        let (signed, _) = kept.read()?;
        let start = match self.checkpoint_up_to(first.leaf.saturating_sub(1))? {
            Some(before) => before.read()?.1,
            None => Frontier::default(),
        };
        let (from, size) = (start.size(), signed.checkpoint.size);
        if size.saturating_sub(from) > MOST_BETWEEN {
            return Ok(Coverage::TooFarApart);
        }
        let damaged = |words: &str| Error::damaged(format!("checkpoint at {size}: {words}"));
        let mut tree = Tree::after(start).ok_or_else(|| damaged("the tree before it is none"))?;
        self.entries(from, &mut |stored| {
            // A gap ends the tree; it is then too small for the checkpoint.
            if stored.leaf > size || stored.leaf != tree.size() + 1 {
                return ControlFlow::Break(());
            }
            tree.push(stored.leaf_hash());
            ControlFlow::Continue(())
        })?;
        if tree.root_at(size) != Some(signed.checkpoint.root) {
            return Err(damaged("the entries are not those that it signs for"));
        }
        let ledger = signed.checkpoint.ledger;
        let prove = |entry: &Unproven| {
            let path = entry.leaf.checked_sub(1).and_then(|index| tree.inclusion(index, size));
            let bytes = serde_json::from_slice(&entry.bytes).ok();
            let (path, bytes) = path.zip(bytes).ok_or_else(|| damaged("an entry cannot be proven"))?;
            let (volume, seq, before, leaf) = (volume.clone(), entry.seq, entry.before, entry.leaf);
            Ok(Proof { ledger, volume, seq, before, entry: bytes, leaf, size, path })
        };
        let proofs = entries.iter().map(prove).collect::<Result<_, Error>>()?;
        Ok(Coverage::Proven(Box::new(PatronReceipt { proofs, signed })))
    }
}

#[cfg(test)]
mod tests {
    use punto_record::{Actor, Deed, LedgerKind, OrderId, Release, Timestamp};

    use crate::{Place, Vault, new_key};

    #[test]
    fn a_part_of_the_tree_proves_what_the_whole_tree_proves() {
        let (at, release) = (Timestamp(1), Release("test".into()));
        let mut vault =
            Vault::found(&Place::Memory, LedgerKind::Demo, new_key().unwrap(), at, release).unwrap();
        for n in 1..=41 {
            let id = OrderId { device: "test".into(), n };
            vault.deed(id, Actor::House, Timestamp(n), Deed::verification_failed(format!("{n}"))).unwrap();
            if n % 5 == 0 {
                vault.checkpoint(Timestamp(n)).unwrap();
            }
        }
        let whole = vault.reader().tree(&mut |_| {}).unwrap();
        let size = whole.size();
        assert_eq!(size, 43);
        for old in 1..=size {
            let part = vault.reader().tree_from(old).unwrap();
            assert_eq!(part.size(), size);
            assert_eq!(part.root_at(old), whole.root_at(old), "{old}");
            for new in old..=size {
                assert_eq!(part.root_at(new), whole.root_at(new));
                assert_eq!(part.consistency(old, new), whole.consistency(old, new), "{old} to {new}");
            }
        }
    }
}
