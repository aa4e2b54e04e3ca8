//! Entries of a table's record and the chain of hashes that holds them together.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use sha2::{Digest as _, Sha256};

use crate::{Event, HouseEntry, Mandates, Order, Release, Seq};

/// A SHA-256 digest; in JSON, 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(with = "String", extend("pattern" = "^[0-9a-fA-F]{64}$"))
)]
pub struct Digest(pub [u8; 32]);

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Text that is no digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a digest has 64 hexadecimal digits")]
pub struct DigestError;

impl FromStr for Digest {
    type Err = DigestError;

    fn from_str(text: &str) -> Result<Digest, DigestError> {
        let digit = |i: usize| char::from(text.as_bytes()[i]).to_digit(16);
        let byte = |i: usize| Some((digit(2 * i)? * 16 + digit(2 * i + 1)?) as u8);
        let mut bytes = [0; 32];
        let is_digest = text.len() == 64
            && bytes.iter_mut().enumerate().all(|(i, place)| byte(i).map(|byte| *place = byte).is_some());
        is_digest.then_some(Digest(bytes)).ok_or(DigestError)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Digest, D::Error> {
        std::borrow::Cow::<str>::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

/// The digest of some bytes.
pub fn digest(bytes: &[u8]) -> Digest {
    Digest(Sha256::digest(bytes).into())
}

/// What a software shoe binds itself to before its first Round: the digest of a secret salt and the cards in order.
pub fn commitment(salt: &[u8], cards: &[punto_rules::Card]) -> Digest {
    let mut hash = Sha256::new();
    hash.update(salt);
    for card in cards {
        hash.update([card.index() as u8]);
    }
    Digest(hash.finalize().into())
}

/// One order that was carried out, and what happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Entry {
    pub seq: Seq,
    pub order: Order,
    pub events: Vec<Event>,
    pub release: Release,
    /// By which deeds its giver acted, where that is a member of staff. The software fills it in; 0.1.0 did not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mandates: Option<Box<Mandates>>,
}

/// An entry as it is kept: the very bytes that were hashed, and the chain up to them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Sealed {
    pub seq: Seq,
    pub bytes: Vec<u8>,
    pub chain: Digest,
}

/// The chain of a table's record: each link is the digest of the link before and the entry's bytes.
///
/// Whoever changes, drops, adds or reorders an entry changes every link after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Chain {
    pub seq: Seq,
    pub link: Digest,
}

impl Chain {
    /// Before the first entry.
    pub const START: Chain = Chain { seq: Seq(0), link: Digest([0; 32]) };

    /// The chain after some bytes.
    #[must_use]
    pub fn after(self, bytes: &[u8]) -> Chain {
        let mut hash = Sha256::new();
        hash.update(self.link.0);
        hash.update(bytes);
        Chain { seq: self.seq.next(), link: Digest(hash.finalize().into()) }
    }

    /// Seals an entry.
    ///
    /// # Panics
    /// If the entry is not the next one.
    pub fn seal(&mut self, entry: &Entry) -> Sealed {
        self.seal_next(entry.seq, entry)
    }

    /// Seals an entry of the house.
    ///
    /// # Panics
    /// If the entry is not the next one.
    pub fn seal_deed(&mut self, entry: &HouseEntry) -> Sealed {
        self.seal_next(entry.seq, entry)
    }

    fn seal_next(&mut self, seq: Seq, entry: &impl Serialize) -> Sealed {
        assert_eq!(seq, self.seq.next(), "entries are sealed one after another");
        let bytes = serde_json::to_vec(entry).expect("an entry is always JSON");
        *self = self.after(&bytes);
        Sealed { seq: self.seq, bytes, chain: self.link }
    }
}
