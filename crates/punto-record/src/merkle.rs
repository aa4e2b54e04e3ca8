//! The tree over all entries of a ledger, hashed as RFC 6962 has it: who holds a root holds every entry below it.
//!
//! A leaf is the link of an entry's own chain under the name of its volume, so it stands for the entry's bytes and for
//! everything before them at the same table.

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::{Chain, Digest, Volume};

/// The hash of a leaf: the name of its volume and the chain of that volume up to it.
pub fn leaf(volume: &Volume, chain: Chain) -> Digest {
    let mut hash = Sha256::new();
    hash.update([0]);
    hash.update(volume.to_string());
    hash.update([0]);
    hash.update(chain.seq.0.to_be_bytes());
    hash.update(chain.link.0);
    Digest(hash.finalize().into())
}

fn node(left: Digest, right: Digest) -> Digest {
    let mut hash = Sha256::new();
    hash.update([1]);
    hash.update(left.0);
    hash.update(right.0);
    Digest(hash.finalize().into())
}

/// A tree of which only the right edge is kept: enough to grow it and to know its root.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Frontier {
    size: u64,
    /// The roots of the perfect subtrees from left to right: one for each bit that is set in `size`.
    peaks: Vec<Digest>,
}

impl Frontier {
    /// Leaves so far.
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// Whether it can be a frontier at all.
    pub fn is_whole(&self) -> bool {
        self.peaks.len() == self.size.count_ones() as usize
    }

    /// Adds a leaf.
    pub fn push(&mut self, leaf: Digest) {
        let mut subtree = leaf;
        // A perfect subtree of the same size stands to the left for each bit that is set at the low end.
        for _ in 0..self.size.trailing_ones() {
            let left = self.peaks.pop().expect("one peak for each bit that is set");
            subtree = node(left, subtree);
        }
        self.peaks.push(subtree);
        self.size += 1;
    }

    /// The root; of no leaves, the digest of nothing.
    pub fn root(&self) -> Digest {
        let right_to_left = self.peaks.iter().rev().copied();
        right_to_left.reduce(|right, left| node(left, right)).unwrap_or_else(|| crate::digest(&[]))
    }
}

/// The root over some leaves.
pub fn root(leaves: &[Digest]) -> Digest {
    let mut tree = Frontier::default();
    leaves.iter().for_each(|leaf| tree.push(*leaf));
    tree.root()
}

/// The largest power of two below `size`, where RFC 6962 divides a tree.
const fn split(size: u64) -> u64 {
    size.next_power_of_two() / 2
}

/// What proves that the leaf at `index` is in the tree of these leaves: the roots beside its way up, lowest first.
///
/// # Panics
/// If there is no such leaf.
pub fn inclusion(leaves: &[Digest], index: u64) -> Vec<Digest> {
    let size = leaves.len() as u64;
    assert!(index < size, "leaf {index} of {size}");
    if size == 1 {
        return Vec::new();
    }
    let at = split(size);
    let (left, right) = leaves.split_at(at as usize);
    let (mut path, beside) = match index < at {
        true => (inclusion(left, index), root(right)),
        false => (inclusion(right, index - at), root(left)),
    };
    path.push(beside);
    path
}

/// The root that a leaf and its proof lead to; `None` where the proof does not fit the place.
pub fn root_by_inclusion(leaf: Digest, index: u64, size: u64, path: &[Digest]) -> Option<Digest> {
    if index >= size {
        return None;
    }
    match path.split_last() {
        None => (size == 1).then_some(leaf),
        Some(_) if size == 1 => None,
        Some((beside, below)) => {
            let at = split(size);
            match index < at {
                true => Some(node(root_by_inclusion(leaf, index, at, below)?, *beside)),
                false => Some(node(*beside, root_by_inclusion(leaf, index - at, size - at, below)?)),
            }
        }
    }
}
