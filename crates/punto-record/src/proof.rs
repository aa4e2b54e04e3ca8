//! The proof that one entry is in a ledger, for whoever holds a checkpoint and the public key and nothing else.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::merkle::{leaf, root_by_inclusion};
use crate::{Chain, Digest, PublicKey, Seq, SignedCheckpoint, Volume};

/// One entry and its way up the tree. As JSON it is what `punto receipt` writes.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Proof {
    /// The name of the ledger: the link of its first entry.
    pub ledger: Digest,
    pub volume: Volume,
    pub seq: Seq,
    /// The link of the entry before it.
    pub before: Digest,
    /// The entry itself, byte by byte as it was sealed.
    pub entry: Box<RawValue>,
    /// Its place in the tree, from 1.
    pub leaf: u64,
    /// Entries in the tree of the checkpoint.
    pub size: u64,
    /// The roots beside its way up, lowest first.
    pub path: Vec<Digest>,
}

/// Why a proof does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum ProofError {
    #[error("the checkpoint is signed with another key")]
    OtherKey,
    #[error("the signature of the checkpoint is not good")]
    NotSigned,
    #[error("the checkpoint is of another ledger")]
    OtherLedger,
    #[error("the checkpoint is of another size than the receipt")]
    OtherSize,
    #[error("the entry is not in the ledger that was signed")]
    NotThere,
}

impl Proof {
    /// Checks that the entry is in the ledger whose checkpoint this is, signed by the owner of the key.
    ///
    /// # Errors
    /// The first thing that does not hold.
    pub fn check(&self, signed: &SignedCheckpoint, key: PublicKey) -> Result<(), ProofError> {
        let checkpoint = &signed.checkpoint;
        if signed.key != key {
            return Err(ProofError::OtherKey);
        }
        if !signed.is_signed() {
            return Err(ProofError::NotSigned);
        }
        if checkpoint.ledger != self.ledger {
            return Err(ProofError::OtherLedger);
        }
        if checkpoint.size != self.size {
            return Err(ProofError::OtherSize);
        }
        let before = self.seq.0.checked_sub(1).map(|seq| Chain { seq: Seq(seq), link: self.before });
        let leads_to = before.zip(self.leaf.checked_sub(1)).and_then(|(before, index)| {
            let chain = before.after(self.entry.get().as_bytes());
            root_by_inclusion(leaf(&self.volume, chain), index, self.size, &self.path)
        });
        if leads_to == Some(checkpoint.root) { Ok(()) } else { Err(ProofError::NotThere) }
    }
}
