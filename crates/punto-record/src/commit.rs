//! Signed commits: every transaction that appends to a ledger carries its writer's signature over what it appended.
//!
//! The chain of a volume needs no key, so whoever can write to the store could append an entry that fits. What they cannot
//! do is sign for it:
//!
//! ```text
//! punto commit 1
//! ledger 5f0c…          the link of the ledger's first entry
//! term 4                which writer, counted by take-overs
//! size 17               entries in the tree with these
//! entry house 3 77d0…   each entry: its volume, number and link, in the order of the tree
//! entry table/T1 14 0c4e…
//! key 8f2a…             Ed25519, 32 bytes
//! signature 03d1…       over the SHA-256 of all lines before, each with its line feed
//! ```
//!
//! A checkpoint signs for the whole tree, so commits are kept only until the next one.

use std::fmt::{self, Write as _};
use std::str::FromStr;

use ed25519_dalek::{Signer as _, SigningKey};

use crate::signed_text::{BadLine, Lines, digest_after, hex, number_after, place_after, signature_from_hex};
use crate::{Chain, Digest, PublicKey, Volume, digest};

const TITLE: &str = "punto commit 1";

/// What one transaction appended. Ed25519 reads what it signs twice, and a commit may be long: its digest is signed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Commit {
    /// The link of the first entry of the house's volume.
    pub ledger: Digest,
    /// Which writer it was: each take-over counts one up.
    pub term: u64,
    /// Entries in the tree, these included.
    pub size: u64,
    /// What was appended, in the order of the tree.
    pub entries: Vec<(Volume, Chain)>,
}

impl Commit {
    /// Signs it.
    pub fn sign(self, key: &SigningKey) -> SignedCommit {
        let public = PublicKey::of(key);
        let signature = key.sign(&digest(self.to_be_signed(public).as_bytes()).0).to_bytes();
        SignedCommit { commit: self, key: public, signature }
    }

    /// Entries in the tree before it; `None` where it claims more entries than there can be.
    pub fn size_before(&self) -> Option<u64> {
        self.size.checked_sub(self.entries.len() as u64)
    }

    fn to_be_signed(&self, key: PublicKey) -> String {
        let Commit { ledger, term, size, entries } = self;
        let mut text = String::with_capacity(256 + 120 * entries.len());
        write!(text, "{TITLE}\nledger {ledger}\nterm {term}\nsize {size}\n").expect("text takes everything");
        for (volume, chain) in entries {
            writeln!(text, "entry {volume} {} {}", chain.seq, hex(&chain.link.0))
                .expect("text takes everything");
        }
        writeln!(text, "key {key}").expect("text takes everything");
        text
    }
}

/// A commit with its signature. Written with `Display`, read with `FromStr`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct SignedCommit {
    pub commit: Commit,
    pub key: PublicKey,
    pub signature: [u8; 64],
}

impl SignedCommit {
    /// Whether the owner of its key signed it. Whether that key is the ledger's is another question.
    pub fn is_signed(&self) -> bool {
        self.key.signed(&digest(self.commit.to_be_signed(self.key).as_bytes()).0, &self.signature)
    }
}

impl fmt::Display for SignedCommit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}signature {}", self.commit.to_be_signed(self.key), hex(&self.signature))
    }
}

/// Text that is not a signed commit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the commit: {expected} expected")]
pub struct CommitError {
    /// Counted from 1.
    pub line: usize,
    /// What should stand there.
    pub expected: &'static str,
}

impl From<BadLine> for CommitError {
    fn from(BadLine { line, expected }: BadLine) -> CommitError {
        CommitError { line, expected }
    }
}

impl FromStr for SignedCommit {
    type Err = CommitError;

    fn from_str(text: &str) -> Result<SignedCommit, CommitError> {
        let mut lines = Lines::new(text);
        lines.take("`punto commit 1`", |line| (line == TITLE).then_some(()))?;
        let ledger = lines.take("`ledger` and a digest", |line| digest_after(line, "ledger"))?;
        let term = lines.take("`term` and a number", |line| number_after(line, "term"))?;
        let size = lines.take("`size` and a number", |line| number_after(line, "size"))?;
        let mut entries = Vec::new();
        while let Ok(entry) = lines.take("an entry", |line| place_after(line, "entry")) {
            entries.push(entry);
        }
        let key = lines.take("`entry` with volume, number and digest, or `key` and a digest", |line| {
            digest_after(line, "key")
        })?;
        let signature = lines.take("`signature` and 128 hexadecimal digits", |line| {
            signature_from_hex(line.strip_prefix("signature ")?)
        })?;
        lines.take_end()?;
        let commit = Commit { ledger, term, size, entries };
        let signed = SignedCommit { commit, key: PublicKey(key), signature };
        match signed.to_string() == text {
            true => Ok(signed),
            false => Err(CommitError { line: 1, expected: "a commit exactly as it was written" }),
        }
    }
}
