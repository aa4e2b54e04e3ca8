//! What a store holds beside entries.

use std::ops::ControlFlow;

use punto_record::merkle::{Frontier, leaf};
use punto_record::{
    ArchivedHead, Chain, Checkpoint, Digest, PublicKey, Sealed, Seq, SignedCheckpoint, TableId, Timestamp,
    Volume, digest,
};
use punto_rules::text::Shown;

use crate::Error;

/// An entry as it is read back, in the order of the tree.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Stored<'a> {
    /// Its place in the tree, from 1.
    pub leaf: u64,
    pub volume: &'a Volume,
    pub seq: Seq,
    pub bytes: &'a [u8],
    pub link: Digest,
}

impl Stored<'_> {
    /// The chain of its volume up to it, as stored.
    pub const fn chain(&self) -> Chain {
        Chain { seq: self.seq, link: self.link }
    }

    /// The hash of its leaf.
    pub fn leaf_hash(&self) -> Digest {
        leaf(self.volume, self.chain())
    }

    /// As the table handed it in.
    pub fn sealed(&self) -> Sealed {
        Sealed { seq: self.seq, bytes: self.bytes.to_vec(), chain: self.link }
    }
}

/// A volume by its name in a store.
pub(crate) fn named(name: &str) -> Result<Volume, Error> {
    name.parse().map_err(|_| match name.strip_prefix("table/") {
        Some(table) => Error::unsuitable(format!(
            "this ledger has a table `{}`, a name that release 0.1.0 let `punto play --as` write and that cannot be read \
             back; play the script again into a new ledger, with a name of {}",
            Shown(table),
            TableId::GRAMMAR,
        )),
        None => Error::damaged(format!("a volume is called `{}`", Shown(name))),
    })
}

/// What is called with each entry; it may stop the reading.
pub type Each<'a> = &'a mut dyn FnMut(Stored<'_>) -> ControlFlow<()>;

/// The state of a table at one entry, to reopen it quickly. Derived: it can be deleted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Snapshot {
    pub volume: Volume,
    /// The entry it was taken at.
    pub chain: Chain,
    /// What the bytes mean: another release may write them otherwise, and then they are not looked at.
    pub schema: u32,
    pub bytes: Vec<u8>,
    /// Who vouches for it: the writer's key and signature. The vault fills it in; without it nothing is read back from it.
    pub signed: Option<(PublicKey, [u8; 64])>,
}

impl Snapshot {
    /// The digest of its bytes.
    pub fn digest(&self) -> Digest {
        digest(&self.bytes)
    }
}

/// A checkpoint as it is kept, with the tree's edge at its size so that the tree can be grown from there.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct KeptCheckpoint {
    pub size: u64,
    pub at: Timestamp,
    /// The signed text.
    pub text: String,
    /// A [`Frontier`] in JSON. Derived: its root must be the one that was signed.
    pub tree: String,
}

impl KeptCheckpoint {
    /// The checkpoint and the tree, if they belong together.
    ///
    /// # Errors
    /// If they do not, or cannot be read.
    pub fn read(&self) -> Result<(SignedCheckpoint, Frontier), Error> {
        let damaged = |words: String| Error::damaged(format!("checkpoint at {}: {words}", self.size));
        let signed: SignedCheckpoint = self.text.parse().map_err(|error| damaged(format!("{error}")))?;
        let tree: Frontier = serde_json::from_str(&self.tree).map_err(|error| damaged(error.to_string()))?;
        let Checkpoint { size, root, at, .. } = &signed.checkpoint;
        let fits =
            tree.is_whole() && (tree.size(), tree.root(), self.size, self.at) == (*size, *root, *size, *at);
        match fits && signed.is_signed() {
            true => Ok((signed, tree)),
            false => Err(damaged("it is not what was signed".to_owned())),
        }
    }
}

/// Which checkpoints are still worth keeping: a later one signs for everything that an earlier one does. All of the last
/// hour, the last of each hour for a week, then the last of each day.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Thin {
    pub(crate) now: Timestamp,
}

const HOUR: u64 = 3_600_000;
const DAY: u64 = 24 * HOUR;

impl Thin {
    /// Due when a checkpoint begins another hour than the one before it.
    pub(crate) const fn due(before: Timestamp, now: Timestamp) -> Option<Thin> {
        if before.0 / HOUR == now.0 / HOUR { None } else { Some(Thin { now }) }
    }

    /// Up to which time, and for how many milliseconds one is kept.
    pub(crate) fn steps(&self) -> [(i64, i64); 2] {
        let since = |ago: u64| self.now.0.saturating_sub(ago) as i64;
        [(since(7 * DAY), DAY as i64), (since(HOUR), HOUR as i64)]
    }
}

/// Where the entries that are here go on from those that were archived.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Archived {
    /// The tree of all entries that are not here any more.
    pub tree: Frontier,
    pub heads: Vec<ArchivedHead>,
}

impl Archived {
    /// Where a volume goes on.
    pub(crate) fn begins(archived: Option<&Archived>, volume: &Volume) -> Chain {
        let heads = archived.map_or(&[][..], |archived| &archived.heads);
        heads.iter().find(|head| head.volume == *volume).map_or(Chain::START, ArchivedHead::chain)
    }

    /// From the two texts that a store keeps.
    pub(crate) fn read(tree: &str, heads: &str) -> Result<Archived, Error> {
        let damaged = |error: serde_json::Error| Error::damaged(format!("what was archived: {error}"));
        let archived = Archived {
            tree: serde_json::from_str(tree).map_err(damaged)?,
            heads: serde_json::from_str(heads).map_err(damaged)?,
        };
        match archived.tree.is_whole() {
            true => Ok(archived),
            false => Err(Error::damaged("what was archived: the tree has another number of peaks")),
        }
    }

    /// As the two texts that a store keeps: the tree and the heads.
    pub(crate) fn texts(&self) -> (String, String) {
        let json = |text: serde_json::Result<String>| text.expect("always JSON");
        (json(serde_json::to_string(&self.tree)), json(serde_json::to_string(&self.heads)))
    }
}
