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

    /// The root of the perfect subtree over the leaves `from..to`, if it is one of those that are kept.
    fn peak(&self, from: u64, to: u64) -> Option<Digest> {
        let mut begins = 0;
        // From the left: one perfect subtree for each bit that is set, the largest first.
        let bits = (0..u64::BITS).rev().filter(|bit| self.size >> bit & 1 == 1);
        for (bit, peak) in bits.zip(&self.peaks) {
            let ends = begins + (1 << bit);
            if (begins, ends) == (from, to) {
                return Some(*peak);
            }
            begins = ends;
        }
        None
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

/// A tree of which the leaves are known from some size on, and of what came before only the right edge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    start: Frontier,
    leaves: Vec<Digest>,
}

impl Tree {
    /// The tree that goes on from there; `None` where that is no frontier.
    pub fn after(start: Frontier) -> Option<Tree> {
        start.is_whole().then_some(Tree { start, leaves: Vec::new() })
    }

    /// Adds a leaf.
    pub fn push(&mut self, leaf: Digest) {
        self.leaves.push(leaf);
    }

    /// Leaves in all.
    pub fn size(&self) -> u64 {
        self.start.size() + self.leaves.len() as u64
    }

    /// The root when the tree had this size; `None` where that is not known.
    pub fn root_at(&self, size: u64) -> Option<Digest> {
        match size {
            0 => Some(root(&[])),
            _ => self.root_of(0, size),
        }
    }

    /// What proves that the leaf at `index` is in the tree of the first `size` leaves, as RFC 6962, 2.1.1 has it: the roots
    /// beside its way up, lowest first. `None` where there is no such leaf, or too little is known of the tree.
    pub fn inclusion(&self, index: u64, size: u64) -> Option<Vec<Digest>> {
        match index < size && size <= self.size() {
            true => self.audit_path(index, 0, size),
            false => None,
        }
    }

    /// PATH of the RFC over the leaves `from..to`.
    fn audit_path(&self, index: u64, from: u64, to: u64) -> Option<Vec<Digest>> {
        if to - from == 1 {
            return Some(Vec::new());
        }
        let at = from + split(to - from);
        let (mut path, beside) = match index < at {
            true => (self.audit_path(index, from, at)?, self.root_of(at, to)?),
            false => (self.audit_path(index, at, to)?, self.root_of(from, at)?),
        };
        path.push(beside);
        Some(path)
    }

    /// What proves that the tree of the first `old` leaves grew to that of the first `new` ones, as RFC 6962, 2.1.2 has it.
    /// `None` where there is no such tree, or too little of it is known.
    pub fn consistency(&self, old: u64, new: u64) -> Option<Vec<Digest>> {
        match 0 < old && old <= new && new <= self.size() {
            true => self.subproof(old, 0, new, true),
            false => None,
        }
    }

    /// SUBPROOF of the RFC over the leaves `from..to`, of which `old` are the earlier tree's.
    fn subproof(&self, old: u64, from: u64, to: u64, is_whole: bool) -> Option<Vec<Digest>> {
        if from + old == to {
            return if is_whole { Some(Vec::new()) } else { Some(vec![self.root_of(from, to)?]) };
        }
        let at = split(to - from);
        let (mut path, beside) = match old <= at {
            true => (self.subproof(old, from, from + at, is_whole)?, self.root_of(from + at, to)?),
            false => (self.subproof(old - at, from + at, to, false)?, self.root_of(from, from + at)?),
        };
        path.push(beside);
        Some(path)
    }

    /// The root over the leaves `from..to`, which is a subtree or ends with the tree of some size.
    fn root_of(&self, from: u64, to: u64) -> Option<Digest> {
        let start = self.start.size();
        if from >= start {
            let at = |place: u64| usize::try_from(place - start).ok();
            return self.leaves.get(at(from)?..at(to)?).map(root);
        }
        if let Some(peak) = self.start.peak(from, to) {
            return Some(peak);
        }
        // A single leaf, or a subtree of which nothing but its root is known.
        if to - from < 2 || to > self.size() {
            return None;
        }
        let at = from + split(to - from);
        Some(node(self.root_of(from, at)?, self.root_of(at, to)?))
    }
}
