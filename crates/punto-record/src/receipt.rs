//! A patron's receipt: own entries of a Round with their way up to one signed checkpoint, as a text that is checked without the
//! ledger and without the house.
//!
//! ```text
//! punto receipt 1
//! entry table/T1 17 0c4e…   volume, number, and the link of the entry before it
//! leaf 120                  its place in the tree, from 1
//! path 91ab…                the roots beside its way up, lowest first; none in a tree of one
//! bytes {"seq":17,…}        the entry, byte by byte as it was sealed
//! punto checkpoint 1        the checkpoint as it was signed, after the last entry
//! …
//! ```

use std::fmt;
use std::str::FromStr;

use punto_rules::PatronNo;
use serde_json::value::RawValue;

use crate::signed_text::{BadLine, Lines, digest_after, number_after, place_after};
use crate::{
    Actor, CheckpointError, Command, Digest, Entry, Event, Proof, ProofError, PublicKey, SignedCheckpoint,
};

const TITLE: &str = "punto receipt 1";

/// Entries of one table, each proven to be under the same checkpoint. Written with `Display`, read with `FromStr`.
#[derive(Clone, Debug)]
pub struct PatronReceipt {
    /// In the order of the table's record.
    pub proofs: Vec<Proof>,
    /// The checkpoint.
    pub signed: SignedCheckpoint,
}

/// Text that is no receipt.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum ReceiptError {
    #[error("line {line} of the receipt: {expected} expected")]
    Line { line: usize, expected: &'static str },
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    #[error("the entries are not of one table, in their order")]
    Order,
    #[error("a receipt exactly as it was written expected")]
    NotAsWritten,
}

impl From<BadLine> for ReceiptError {
    fn from(BadLine { line, expected }: BadLine) -> ReceiptError {
        ReceiptError::Line { line, expected }
    }
}

impl PatronReceipt {
    /// Whether this text claims to be one.
    pub fn is_titled(text: &str) -> bool {
        text.lines().next() == Some(TITLE)
    }

    /// Checks every entry against the checkpoint, and the checkpoint against the key.
    ///
    /// # Errors
    /// The first thing that does not hold.
    pub fn check(&self, key: PublicKey) -> Result<(), ProofError> {
        self.proofs.iter().try_for_each(|proof| proof.check(&self.signed, key))
    }

    fn in_order(&self) -> bool {
        self.proofs.windows(2).all(|pair| pair[0].volume == pair[1].volume && pair[0].seq < pair[1].seq)
    }
}

impl fmt::Display for PatronReceipt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{TITLE}")?;
        for Proof { volume, seq, before, entry, leaf, path, ledger: _, size: _ } in &self.proofs {
            writeln!(f, "entry {volume} {seq} {before}\nleaf {leaf}")?;
            path.iter().try_for_each(|beside| writeln!(f, "path {beside}"))?;
            writeln!(f, "bytes {}", entry.get())?;
        }
        self.signed.fmt(f)
    }
}

impl FromStr for PatronReceipt {
    type Err = ReceiptError;

    fn from_str(text: &str) -> Result<PatronReceipt, ReceiptError> {
        // The checkpoint begins at the first line of its title; JSON is one line, so none can hide in an entry.
        let at = text.find("\npunto checkpoint ").map_or(text.len(), |at| at + 1);
        let (entries, checkpoint) = text.split_at(at);
        let signed: SignedCheckpoint = checkpoint.parse()?;
        let (ledger, size) = (signed.checkpoint.ledger, signed.checkpoint.size);
        let mut lines = Lines::new(entries);
        lines.take("`punto receipt 1`", |line| (line == TITLE).then_some(()))?;
        let mut proofs = Vec::new();
        while proofs.is_empty() || lines.take_end().is_err() {
            let (volume, place) =
                lines.take("`entry` with volume, number and digest", |line| place_after(line, "entry"))?;
            let leaf = lines.take("`leaf` and a number", |line| number_after(line, "leaf"))?;
            let mut path: Vec<Digest> = Vec::new();
            while let Ok(beside) = lines.take("a digest", |line| digest_after(line, "path")) {
                path.push(beside);
            }
            let entry: Box<RawValue> = lines.take("`path` and a digest, or `bytes` and JSON", |line| {
                serde_json::from_str(line.strip_prefix("bytes ")?).ok()
            })?;
            let (seq, before) = (place.seq, place.link);
            proofs.push(Proof { ledger, volume, seq, before, entry, leaf, size, path });
        }
        let receipt = PatronReceipt { proofs, signed };
        if !receipt.in_order() {
            return Err(ReceiptError::Order);
        }
        // One receipt has one text: nothing hides in spaces, leading zeros or capital letters.
        if receipt.to_string() == text { Ok(receipt) } else { Err(ReceiptError::NotAsWritten) }
    }
}

/// Whether an entry says something about wagers of a patron being registered or taken back.
pub fn concerns_wager_of(entry: &Entry, patron: PatronNo) -> bool {
    entry.events.iter().any(|event| {
        matches!(
            event,
            Event::WagerRegistered { patron: it, .. }
                | Event::WagerWithdrawn { patron: it, .. }
                | Event::ChipsRecorded { patron: it, .. } if *it == patron
        )
    })
}

/// Whether a patron may have the whole entry: their own order about their own wagers, and nothing happened to anybody else. An
/// entry is proven with all its bytes, so nothing can be left out of it.
pub fn is_own_wager(entry: &Entry, patron: PatronNo) -> bool {
    let is_own_event = |event: &Event| {
        matches!(
            event,
            Event::WagerRegistered { patron: it, .. } | Event::WagerWithdrawn { patron: it, .. } if *it == patron
        )
    };
    entry.order.by == Actor::Patron { patron }
        && matches!(entry.order.command, Command::PlaceWager { .. } | Command::WithdrawWager { .. })
        && !entry.events.is_empty()
        && entry.events.iter().all(is_own_event)
}
