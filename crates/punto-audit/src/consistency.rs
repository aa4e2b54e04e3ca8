//! Whether one checkpoint goes on from another, told from the two checkpoints, a proof and the public key alone.
//!
//! Written from RFC 9162, 2.1.4.2 (the same proofs as in RFC 6962, 2.1.2): a walk from the leaves up with two numbers. The tree
//! that makes proofs divides from the root down; the two share nothing but SHA-256.

use punto_record::{CheckpointError, ConsistencyProof, Digest, PublicKey, SignedCheckpoint, digest};

/// What a proof has shown: the tree of `from` entries grew to that of `to` entries.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Consistent {
    pub ledger: Digest,
    pub from: u64,
    pub to: u64,
}

/// Why a consistency proof does not hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum Inconsistent {
    #[error("the {which} checkpoint cannot be read: {error}")]
    Unreadable { which: &'static str, error: CheckpointError },
    #[error("the {0} checkpoint is signed with another key")]
    OtherKey(&'static str),
    #[error("the signature of the {0} checkpoint is not good")]
    NotSigned(&'static str),
    #[error("the two checkpoints are of different ledgers")]
    OtherLedger,
    #[error("the later checkpoint has fewer entries than the earlier one")]
    Backwards,
    #[error("a fork: both checkpoints sign for {0} entries, and not for the same ones")]
    Fork(u64),
    #[error("the digests do not lead from the earlier checkpoint to the later one")]
    NotProven,
}

/// Checks a proof. Both checkpoints must be signed with one of the keys; several are handed in where the ledger has changed its key.
///
/// # Errors
/// The first thing that does not hold.
pub fn check_consistency(proof: &ConsistencyProof, keys: &[PublicKey]) -> Result<Consistent, Inconsistent> {
    let read = |which: &'static str, text: &str| {
        let signed: SignedCheckpoint =
            text.parse().map_err(|error| Inconsistent::Unreadable { which, error })?;
        if !keys.contains(&signed.key) {
            return Err(Inconsistent::OtherKey(which));
        }
        if !signed.is_signed() {
            return Err(Inconsistent::NotSigned(which));
        }
        Ok(signed.checkpoint)
    };
    let (from, to) = (read("earlier", &proof.from)?, read("later", &proof.to)?);
    if from.ledger != to.ledger {
        return Err(Inconsistent::OtherLedger);
    }
    if from.size > to.size {
        return Err(Inconsistent::Backwards);
    }
    if from.size == to.size && from.root != to.root {
        return Err(Inconsistent::Fork(from.size));
    }
    match is_consistent((from.size, from.root), (to.size, to.root), &proof.path) {
        true => Ok(Consistent { ledger: from.ledger, from: from.size, to: to.size }),
        false => Err(Inconsistent::NotProven),
    }
}

/// Whether these digests prove that a tree, of which size and root are known, grew to the other.
pub fn is_consistent(from: (u64, Digest), to: (u64, Digest), path: &[Digest]) -> bool {
    let ((first, first_root), (second, second_root)) = (from, to);
    if first == 0 || first > second {
        return false;
    }
    if first == second {
        return first_root == second_root && path.is_empty();
    }
    let mut path = path.iter().copied();
    // The earlier tree is itself a subtree of the later one where its size is a power of two: its root is the first digest.
    let seed = if first.is_power_of_two() { Some(first_root) } else { path.next() };
    let Some(seed) = seed else { return false };
    // The place of the earlier tree's last leaf, and of the later one's, at the height that is being looked at.
    let (mut inner, mut outer) = (first - 1, second - 1);
    while inner & 1 == 1 {
        inner >>= 1;
        outer >>= 1;
    }
    let (mut old, mut new) = (seed, seed);
    for beside in path {
        if outer == 0 {
            return false;
        }
        if inner & 1 == 1 || inner == outer {
            old = parent(beside, old);
            new = parent(beside, new);
            while inner & 1 == 0 && inner != 0 {
                inner >>= 1;
                outer >>= 1;
            }
        } else {
            new = parent(new, beside);
        }
        inner >>= 1;
        outer >>= 1;
    }
    outer == 0 && old == first_root && new == second_root
}

/// The hash of an inner node: one, left, right.
fn parent(left: Digest, right: Digest) -> Digest {
    let mut bytes = [1; 65];
    bytes[1..33].copy_from_slice(&left.0);
    bytes[33..].copy_from_slice(&right.0);
    digest(&bytes)
}
