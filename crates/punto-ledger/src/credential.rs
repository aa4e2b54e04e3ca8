//! The hash of something by which a person or a device comes in.

use std::fmt;
use std::sync::Arc;

use crate::FactorSeed;

/// A hash as the register keeps it: of a password with its salt, of an invitation, of a device's credential, of a second factor
/// and its recovery codes. It stands in the store and nowhere else; deeds hold a digest of it.
#[derive(Clone, PartialEq, Eq)]
pub struct Credential {
    hash: Arc<str>,
    seed: Option<FactorSeed>,
}

impl Credential {
    /// From the text of the hash.
    pub fn new(hash: impl Into<Arc<str>>) -> Credential {
        Credential { hash: hash.into(), seed: None }
    }

    pub(crate) fn with_seed(self, seed: FactorSeed) -> Credential {
        Credential { seed: Some(seed), ..self }
    }

    /// The text of the hash.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// The seed of a second factor. It stands in the store under a seal only.
    pub const fn seed(&self) -> Option<&FactorSeed> {
        self.seed.as_ref()
    }
}

/// Never into a log.
impl fmt::Debug for Credential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Credential(…)")
    }
}
