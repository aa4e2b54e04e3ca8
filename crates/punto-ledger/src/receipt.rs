//! The proof that something is durable.

use punto_record::{Seq, Volume};

/// Entries up to `seq` are durable. Only a commit makes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    volume: Volume,
    seq: Seq,
    leaf: u64,
}

impl Receipt {
    pub(crate) const fn new(volume: Volume, seq: Seq, leaf: u64) -> Receipt {
        Receipt { volume, seq, leaf }
    }

    /// Whose record.
    pub const fn volume(&self) -> &Volume {
        &self.volume
    }

    /// Up to which entry.
    pub const fn seq(&self) -> Seq {
        self.seq
    }

    /// The place of that entry in the tree, from 1.
    pub const fn leaf(&self) -> u64 {
        self.leaf
    }
}
