//! The hash of something by which a person or a device comes in.

use std::fmt;
use std::sync::Arc;

/// A hash as the register keeps it: of a password with its salt, of an invitation, of a device's credential. It stands in the
/// store and nowhere else; deeds hold a digest of it.
#[derive(Clone, PartialEq, Eq)]
pub struct Credential(Arc<str>);

impl Credential {
    /// From the text of the hash.
    pub fn new(hash: impl Into<Arc<str>>) -> Credential {
        Credential(hash.into())
    }

    /// The text of the hash.
    pub fn hash(&self) -> &str {
        &self.0
    }
}

/// Never into a log.
impl fmt::Debug for Credential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Credential(…)")
    }
}
