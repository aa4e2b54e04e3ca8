//! Checkpoints: a signed line under everything that a ledger holds, to be kept elsewhere.
//!
//! A checkpoint is a few lines of text that a person can read and a program can check:
//!
//! ```text
//! punto checkpoint 1
//! ledger 5f0c…        the link of the ledger's first entry
//! at 1700000000000    milliseconds since 1970, UTC
//! size 17             entries in the tree
//! root 91ab…          RFC 6962
//! head house 3 77d0…  each volume: its last entry and the link of its chain there
//! head table/T1 14 0c4e…
//! key 8f2a…           Ed25519, 32 bytes
//! signature 03d1…     over all lines before, each with its line feed
//! ```

use std::fmt::{self, Write as _};
use std::str::FromStr;

use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use serde::{Deserialize, Serialize};

use crate::signed_text::{BadLine, Lines, digest_after, hex, number_after, place_after, signature_from_hex};
use crate::{Chain, Digest, Timestamp, Volume};

const TITLE: &str = "punto checkpoint 1";

/// An Ed25519 key that checks signatures; in JSON, 64 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct PublicKey(pub Digest);

impl PublicKey {
    /// The public half of a key.
    pub fn of(key: &SigningKey) -> PublicKey {
        PublicKey(Digest(key.verifying_key().to_bytes()))
    }

    /// Whether this key's owner signed these bytes.
    pub fn signed(&self, bytes: &[u8], signature: &[u8; 64]) -> bool {
        VerifyingKey::from_bytes(&self.0.0)
            .is_ok_and(|key| key.verify_strict(bytes, &Signature::from_bytes(signature)).is_ok())
    }

    /// Whether this key vouches for another, as `KeyAdopted` has it.
    pub fn vouches_for(&self, other: PublicKey, vouched: &str) -> bool {
        signature_from_hex(vouched).is_some_and(|signature| self.signed(&other.0.0, &signature))
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A signature over the bytes of a key by the key before it, as hexadecimal digits.
pub fn vouch(before: &SigningKey, key: PublicKey) -> String {
    hex(&before.sign(&key.0.0).to_bytes())
}

/// What a checkpoint says.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Checkpoint {
    /// The link of the first entry of the house's volume.
    pub ledger: Digest,
    pub at: Timestamp,
    /// Entries in the tree.
    pub size: u64,
    pub root: Digest,
    /// Where each volume stands, in their order.
    pub heads: Vec<(Volume, Chain)>,
}

impl Checkpoint {
    /// Signs it.
    pub fn sign(self, key: &SigningKey) -> SignedCheckpoint {
        let public = PublicKey::of(key);
        let signature = key.sign(self.to_be_signed(public).as_bytes()).to_bytes();
        SignedCheckpoint { checkpoint: self, key: public, signature }
    }

    fn to_be_signed(&self, key: PublicKey) -> String {
        let Checkpoint { ledger, at, size, root, heads } = self;
        let mut text = format!("{TITLE}\nledger {ledger}\nat {at}\nsize {size}\nroot {root}\n");
        for (volume, chain) in heads {
            writeln!(text, "head {volume} {} {}", chain.seq, chain.link).expect("text takes everything");
        }
        writeln!(text, "key {key}").expect("text takes everything");
        text
    }
}

/// A checkpoint with its signature. Written with `Display`, read with `FromStr`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct SignedCheckpoint {
    pub checkpoint: Checkpoint,
    pub key: PublicKey,
    pub signature: [u8; 64],
}

impl SignedCheckpoint {
    /// Whether the owner of its key signed it. Whether that key is the ledger's is another question.
    pub fn is_signed(&self) -> bool {
        self.key.signed(self.checkpoint.to_be_signed(self.key).as_bytes(), &self.signature)
    }
}

impl fmt::Display for SignedCheckpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}signature {}", self.checkpoint.to_be_signed(self.key), hex(&self.signature))
    }
}

/// Text that is no checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the checkpoint: {expected} expected")]
pub struct CheckpointError {
    /// Counted from 1.
    pub line: usize,
    /// What should stand there.
    pub expected: &'static str,
}

impl From<BadLine> for CheckpointError {
    fn from(BadLine { line, expected }: BadLine) -> CheckpointError {
        CheckpointError { line, expected }
    }
}

impl FromStr for SignedCheckpoint {
    type Err = CheckpointError;

    fn from_str(text: &str) -> Result<SignedCheckpoint, CheckpointError> {
        let mut lines = Lines::new(text);
        lines.take("`punto checkpoint 1`", |line| (line == TITLE).then_some(()))?;
        let ledger = lines.take("`ledger` and a digest", |line| digest_after(line, "ledger"))?;
        let at = lines.take("`at` and a time", |line| number_after(line, "at"))?;
        let size = lines.take("`size` and a number", |line| number_after(line, "size"))?;
        let root = lines.take("`root` and a digest", |line| digest_after(line, "root"))?;
        let mut heads = Vec::new();
        while let Ok(head) = lines.take("a head", |line| place_after(line, "head")) {
            heads.push(head);
        }
        let key = lines.take("`head` with volume, number and digest, or `key` and a digest", |line| {
            digest_after(line, "key")
        })?;
        let signature = lines.take("`signature` and 128 hexadecimal digits", |line| {
            signature_from_hex(line.strip_prefix("signature ")?)
        })?;
        let checkpoint = Checkpoint { ledger, at: Timestamp(at), size, root, heads };
        let signed = SignedCheckpoint { checkpoint, key: PublicKey(key), signature };
        // One checkpoint has one text: nothing hides in spaces, leading zeros or capital letters.
        lines.take_end()?;
        if signed.to_string() == text {
            Ok(signed)
        } else {
            Err(CheckpointError { line: 1, expected: "a checkpoint exactly as it was written" })
        }
    }
}
