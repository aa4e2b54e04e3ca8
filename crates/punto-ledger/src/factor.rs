//! Seeds of second factors: sealed in the store under a key that is derived from the house's own, so that nobody who reads the
//! store or a backup can make a code.
//!
//! The deed knows a digest of the seed and not its seal. So the seal can be made again under another key, and a seal that
//! holds another seed is noticed.

use std::fmt;

use data_encoding::HEXLOWER;
use ed25519_dalek::SigningKey;
use punto_record::{Digest, digest};
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};

use crate::key::{derived, random};
use crate::{Credential, Error};

/// Bytes of a seed: as long as the hash behind the codes (RFC 4226, 4).
const SEED: usize = 20;

/// What the key of the seals is derived for.
const SEALS: &str = "punto factor seeds 1";

/// What the codes of a second factor are made of.
#[derive(Clone, PartialEq, Eq)]
pub struct FactorSeed([u8; SEED]);

impl FactorSeed {
    /// A new one.
    ///
    /// # Errors
    /// If the system has no randomness to give.
    pub fn new() -> Result<FactorSeed, Error> {
        let random = random()?;
        Ok(FactorSeed(random[..SEED].try_into().expect("shorter than what is drawn")))
    }

    /// From its bytes.
    pub const fn from_bytes(bytes: [u8; SEED]) -> FactorSeed {
        FactorSeed(bytes)
    }

    /// Its bytes.
    pub const fn bytes(&self) -> &[u8; SEED] {
        &self.0
    }

    /// What may be known of it.
    fn hash(&self) -> Digest {
        digest(&[b"punto factor seed ", &self.0[..]].concat())
    }
}

/// Never into a log.
impl fmt::Debug for FactorSeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FactorSeed(…)")
    }
}

impl Credential {
    /// A second factor: its seed, and the hashes of the recovery codes that are still good.
    pub fn factor(seed: FactorSeed, codes: &[Digest]) -> Credential {
        let hashes: Vec<String> = [seed.hash()].iter().chain(codes).map(Digest::to_string).collect();
        Credential::new(hashes.join(" ")).with_seed(seed)
    }

    /// The hashes of the recovery codes of a second factor; `None` if it is none.
    pub fn recovery_codes(&self) -> Option<Vec<Digest>> {
        self.hash().split(' ').skip(1).map(|hash| hash.parse().ok()).collect()
    }
}

/// Seals and opens seeds.
pub(crate) struct SeedKey {
    key: LessSafeKey,
    ledger: Digest,
}

impl SeedKey {
    pub(crate) fn of(key: &SigningKey, ledger: Digest) -> SeedKey {
        let key = UnboundKey::new(&CHACHA20_POLY1305, &derived(key, SEALS)).expect("a key of that length");
        SeedKey { key: LessSafeKey::new(key), ledger }
    }

    /// A seal is for one person in one ledger.
    fn of_person(&self, person: &str) -> Aad<Vec<u8>> {
        Aad::from(serde_json::to_vec(&("punto factor", self.ledger, person)).expect("always JSON"))
    }

    /// The seed as the store has it.
    pub(crate) fn seal(&self, person: &str, seed: &FactorSeed) -> Result<String, Error> {
        let nonce: [u8; NONCE_LEN] = random()?[..NONCE_LEN].try_into().expect("shorter than what is drawn");
        let mut sealed = seed.0.to_vec();
        let with = Nonce::assume_unique_for_key(nonce);
        self.key
            .seal_in_place_append_tag(with, self.of_person(person), &mut sealed)
            .map_err(|_| Error::failed("a seed could not be sealed"))?;
        Ok(HEXLOWER.encode(&[&nonce[..], &sealed].concat()))
    }

    /// The seed behind a seal, if it is that of these hashes.
    pub(crate) fn open(&self, person: &str, sealed: &str, hashes: &str) -> Option<FactorSeed> {
        let bytes = HEXLOWER.decode(sealed.as_bytes()).ok()?;
        let (nonce, sealed) = bytes.split_at_checked(NONCE_LEN)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
        let mut sealed = sealed.to_vec();
        let seed = self.key.open_in_place(nonce, self.of_person(person), &mut sealed).ok()?;
        let seed = FactorSeed((&*seed).try_into().ok()?);
        (hashes.split(' ').next() == Some(seed.hash().to_string().as_str())).then_some(seed)
    }
}
