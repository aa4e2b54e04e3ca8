//! The proof that one checkpoint of a ledger goes on from another: nothing between the two was changed, taken out or put in.
//!
//! The proof is a small file that stands for itself: both checkpoints as they were signed, and the digests of RFC 6962, 2.1.2. It is
//! made from a ledger or an export. Its check is in `punto-audit`, written from the RFC and without this crate's tree.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::merkle::Tree;
use crate::{Digest, SignedCheckpoint};

/// Two checkpoints, and what proves that the later one goes on from the earlier one. As JSON it is what
/// `punto ledger consistency` writes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct ConsistencyProof {
    /// The earlier checkpoint, as text.
    pub from: Arc<str>,
    /// The later one.
    pub to: Arc<str>,
    /// The digests, in the order of the RFC.
    pub path: Vec<Digest>,
}

/// Why a consistency proof cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum NoConsistency {
    #[error("the two checkpoints are of different ledgers")]
    OtherLedger,
    #[error("the later checkpoint has fewer entries than the earlier one")]
    Backwards,
    #[error("the ledger holds fewer entries than the checkpoint over {0} entries")]
    Missing(u64),
    #[error(
        "the first {0} entries are not those that the checkpoint signed for: the ledger and the checkpoint are a fork"
    )]
    Fork(u64),
    #[error("the entries before the earlier checkpoint are archived, and the tree does not reach back to it")]
    Archived,
}

impl ConsistencyProof {
    /// Proves that `to` goes on from `from` by the tree of the ledger that signed both.
    ///
    /// # Errors
    /// If it does not, or the tree cannot tell.
    pub fn make(
        tree: &Tree,
        from: &SignedCheckpoint,
        to: &SignedCheckpoint,
    ) -> Result<ConsistencyProof, NoConsistency> {
        let (old, new) = (&from.checkpoint, &to.checkpoint);
        if old.ledger != new.ledger {
            return Err(NoConsistency::OtherLedger);
        }
        if old.size > new.size {
            return Err(NoConsistency::Backwards);
        }
        for checkpoint in [old, new] {
            if checkpoint.size > tree.size() {
                return Err(NoConsistency::Missing(checkpoint.size));
            }
            match tree.root_at(checkpoint.size) {
                Some(root) if root == checkpoint.root => {}
                Some(_) => return Err(NoConsistency::Fork(checkpoint.size)),
                None => return Err(NoConsistency::Archived),
            }
        }
        let path = tree.consistency(old.size, new.size).ok_or(NoConsistency::Archived)?;
        Ok(ConsistencyProof { from: from.to_string().into(), to: to.to_string().into(), path })
    }
}
