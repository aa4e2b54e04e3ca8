//! Signed notes, as C2SP has them: the form in which a checkpoint is sent to witnesses, and in which they sign it as well.
//!
//! ```text
//! punto/5f0c…                    the origin: which ledger, and which of its histories after a loss
//! 17                             entries in the tree
//! CsUYapGGPo4dkMgIAUqom/Xajj7…   the root, in base64
//!
//! — punto/5f0c… Az3grlgtzPICa5O…  signature lines: a name, then key id and signature in base64
//! — witness.example/w1 jWbPPwAA…
//! ```
//!
//! The standards are c2sp.org/signed-note, /tlog-checkpoint and /tlog-cosignature (version 1, Ed25519). One note has one text.

use std::fmt::{self, Write as _};
use std::str::FromStr;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::{Signer as _, SigningKey};
use sha2::{Digest as _, Sha256};

use crate::signed_text::hex;
use crate::{Digest, PublicKey, Seq};

/// The first type of signature of a note: Ed25519 over its text.
const ED25519: u8 = 1;
/// Ed25519 with a time, by a witness.
const COSIGNATURE: u8 = 4;

/// Signatures of one note that are read; the standard asks for sixteen at least.
const MOST_SIGNATURES: usize = 64;

const PREFIX: &str = "punto/";

/// The name of one history of a ledger at its witnesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin {
    /// The name of the ledger: the link of its first entry.
    pub ledger: Digest,
    /// The deed that declared the loss after which this history began; none for the first.
    pub after_loss: Option<Seq>,
}

impl Origin {
    /// The first history of the same ledger.
    #[must_use]
    pub const fn first(self) -> Origin {
        Origin { after_loss: None, ..self }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{}", self.ledger)?;
        self.after_loss.map_or(Ok(()), |seq| write!(f, "/{seq}"))
    }
}

impl FromStr for Origin {
    type Err = NoteError;

    fn from_str(text: &str) -> Result<Origin, NoteError> {
        let origin = || {
            let rest = text.strip_prefix(PREFIX)?;
            let (ledger, seq) =
                rest.split_once('/').map_or((rest, None), |(ledger, seq)| (ledger, Some(seq)));
            let after_loss = match seq {
                Some(seq) => Some(Seq(seq.parse().ok()?)),
                None => None,
            };
            Some(Origin { ledger: ledger.parse().ok()?, after_loss })
        };
        origin().filter(|it| it.to_string() == text).ok_or(NoteError("an origin as in punto/5f0c…"))
    }
}

/// The root of a ledger's tree at one size, as a witness keeps it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct TreeHead {
    pub origin: Origin,
    pub size: u64,
    pub root: Digest,
}

impl fmt::Display for TreeHead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n{}\n{}", self.origin, self.size, STANDARD.encode(self.root.0))
    }
}

impl TreeHead {
    /// A note of it, signed by the ledger's key.
    pub fn sign(self, key: &SigningKey) -> Note {
        let text = self.to_string();
        let name: Arc<str> = self.origin.to_string().into();
        let id = key_id(&name, ED25519, PublicKey::of(key));
        let bytes = key.sign(text.as_bytes()).to_bytes().to_vec();
        Note { head: self, signatures: vec![NoteSignature { name, id, bytes }] }
    }

    fn cosigned_text(&self, seconds: u64) -> String {
        format!("cosignature/v1\ntime {seconds}\n{self}")
    }

    /// A witness's signature over it: that it knows of no longer history of this origin, and of none that this one does
    /// not go on from.
    pub fn cosign(&self, name: &Arc<str>, key: &SigningKey, seconds: u64) -> NoteSignature {
        let signature = key.sign(self.cosigned_text(seconds).as_bytes()).to_bytes();
        let bytes = [&seconds.to_be_bytes()[..], &signature].concat();
        NoteSignature { name: name.clone(), id: key_id(name, COSIGNATURE, PublicKey::of(key)), bytes }
    }
}

fn key_id(name: &str, kind: u8, key: PublicKey) -> [u8; 4] {
    let hash = Sha256::new().chain_update(name).chain_update([b'\n', kind]).chain_update(key.0.0).finalize();
    [hash[0], hash[1], hash[2], hash[3]]
}

/// Whether a text can be the name of a key.
fn is_key_name(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= 200
        && name.chars().all(|c| !c.is_whitespace() && !c.is_control() && c != '+')
}

/// One signature line. Whose it is, is told by name and key id together.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct NoteSignature {
    pub name: Arc<str>,
    pub id: [u8; 4],
    pub bytes: Vec<u8>,
}

impl fmt::Display for NoteSignature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "— {} {}", self.name, STANDARD.encode([&self.id[..], &self.bytes].concat()))
    }
}

impl FromStr for NoteSignature {
    type Err = NoteError;

    /// A line without its line feed.
    fn from_str(line: &str) -> Result<NoteSignature, NoteError> {
        let signature = || {
            let (name, encoded) = line.strip_prefix("— ")?.split_once(' ')?;
            let bytes = STANDARD.decode(encoded).ok()?;
            let (id, bytes) = bytes.split_first_chunk::<4>()?;
            let is_one = is_key_name(name) && !bytes.is_empty();
            is_one.then(|| NoteSignature { name: name.into(), id: *id, bytes: bytes.to_vec() })
        };
        signature().ok_or(NoteError("a signature line: —, a name, and base64"))
    }
}

/// A checkpoint as a signed note. Written with `Display`, read with `FromStr`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Note {
    pub head: TreeHead,
    pub signatures: Vec<NoteSignature>,
}

impl Note {
    /// Whether the owner of this key signed it in the name of the ledger. Whether the key is the ledger's is another question.
    pub fn is_signed_by(&self, key: PublicKey) -> bool {
        let (text, name) = (self.head.to_string(), self.head.origin.to_string());
        let id = key_id(&name, ED25519, key);
        let mut theirs = self.signatures.iter().filter(|it| *it.name == *name && it.id == id);
        theirs.any(|it| {
            <&[u8; 64]>::try_from(&*it.bytes).is_ok_and(|signature| key.signed(text.as_bytes(), signature))
        })
    }

    /// When a witness signed it, in seconds since 1970; `None` if it did not.
    pub fn cosigned_at(&self, witness: &WitnessKey) -> Option<u64> {
        self.signatures.iter().filter_map(|it| witness.cosigned(&self.head, it)).max()
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.head)?;
        self.signatures.iter().try_for_each(|signature| signature.fmt(f))
    }
}

/// Text that is not a note of a Punto ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {0}")]
pub struct NoteError(pub &'static str);

/// A number without leading zeros.
pub(crate) fn plain_number(text: &str) -> Option<u64> {
    text.parse().ok().filter(|number: &u64| number.to_string() == text)
}

/// Digests in base64, as notes and proofs have them.
fn digest_from_base64(text: &str) -> Option<Digest> {
    STANDARD.decode(text).ok()?.try_into().ok().map(Digest)
}

impl FromStr for Note {
    type Err = NoteError;

    fn from_str(text: &str) -> Result<Note, NoteError> {
        let (head, signatures) =
            text.split_once("\n\n").ok_or(NoteError("a note: text, an empty line, signatures"))?;
        let mut lines = head.split('\n');
        let origin: Origin = lines.next().unwrap_or_default().parse()?;
        let size = lines.next().and_then(plain_number).ok_or(NoteError("the size of a tree"))?;
        let root = lines.next().and_then(digest_from_base64).ok_or(NoteError("a root in base64"))?;
        if lines.next().is_some() {
            return Err(NoteError("an empty line after the root"));
        }
        let signatures = signatures.strip_suffix('\n').ok_or(NoteError("a line feed at the end"))?;
        if signatures.split('\n').count() > MOST_SIGNATURES {
            return Err(NoteError("at most 64 signatures"));
        }
        let signatures = signatures.split('\n').map(str::parse).collect::<Result<_, _>>()?;
        Ok(Note { head: TreeHead { origin, size, root }, signatures })
    }
}

/// The key of a witness, as C2SP writes keys: name, key id and key, joined by `+`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub struct WitnessKey {
    pub name: Arc<str>,
    pub key: PublicKey,
}

impl WitnessKey {
    /// When the owner of this key signed this, in seconds since 1970; `None` if they did not.
    pub fn cosigned(&self, head: &TreeHead, signature: &NoteSignature) -> Option<u64> {
        if signature.name != self.name || signature.id != key_id(&self.name, COSIGNATURE, self.key) {
            return None;
        }
        let (time, signed) = signature.bytes.split_first_chunk::<8>()?;
        let (seconds, signed) = (u64::from_be_bytes(*time), <&[u8; 64]>::try_from(signed).ok()?);
        self.key.signed(head.cosigned_text(seconds).as_bytes(), signed).then_some(seconds)
    }
}

impl fmt::Display for WitnessKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let material = [&[COSIGNATURE][..], &self.key.0.0].concat();
        let id = hex(&key_id(&self.name, COSIGNATURE, self.key));
        write!(f, "{}+{id}+{}", self.name, STANDARD.encode(material))
    }
}

impl FromStr for WitnessKey {
    type Err = NoteError;

    fn from_str(text: &str) -> Result<WitnessKey, NoteError> {
        let key = || {
            let (name, rest) = text.split_once('+')?;
            let (_, material) = rest.split_once('+')?;
            let material = STANDARD.decode(material).ok()?;
            let key = material.strip_prefix(&[COSIGNATURE])?.try_into().ok()?;
            let key = WitnessKey { name: name.into(), key: PublicKey(Digest(key)) };
            (is_key_name(name) && key.to_string() == text).then_some(key)
        };
        key().ok_or(NoteError("the key of a witness: NAME+ID+KEY, of the type for cosignatures"))
    }
}

/// What a log asks of a witness: to sign a note that goes on from the one it signed last (c2sp.org/tlog-witness).
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct AddCheckpoint {
    /// The size that the witness signed last; 0 for nothing.
    pub old: u64,
    /// The digests of RFC 6962, 2.1.2 from that size to the note's.
    pub path: Vec<Digest>,
    pub note: Note,
}

/// Digests of one proof; a tree of 2⁶³ leaves needs no more.
const MOST_DIGESTS: usize = 63;

impl fmt::Display for AddCheckpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = format!("old {}\n", self.old);
        for digest in &self.path {
            writeln!(text, "{}", STANDARD.encode(digest.0))?;
        }
        write!(f, "{text}\n{}", self.note)
    }
}

impl FromStr for AddCheckpoint {
    type Err = NoteError;

    fn from_str(text: &str) -> Result<AddCheckpoint, NoteError> {
        let (head, note) = text.split_once("\n\n").ok_or(NoteError("a proof, an empty line, and a note"))?;
        let mut lines = head.split('\n');
        let old = lines.next().and_then(|line| plain_number(line.strip_prefix("old ")?));
        let old = old.ok_or(NoteError("`old` and a size"))?;
        let path: Option<Vec<Digest>> = lines.map(digest_from_base64).collect();
        let path = path.filter(|it| it.len() <= MOST_DIGESTS);
        let path = path.ok_or(NoteError("at most 63 digests in base64"))?;
        Ok(AddCheckpoint { old, path, note: note.parse()? })
    }
}
