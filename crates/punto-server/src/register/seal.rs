//! Seals on what lies in the file beside the ledger: write access to the file is not enough to make one.

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

/// A key that is derived from the house's own and never leaves this process.
#[derive(Clone)]
pub(super) struct SealKey([u8; 32]);

impl SealKey {
    pub(super) const fn new(key: [u8; 32]) -> SealKey {
        SealKey(key)
    }

    /// The seal over these fields, in their order.
    pub(super) fn seal(&self, kind: &str, fields: &[&[u8]]) -> [u8; 32] {
        self.over(kind, fields).finalize().into_bytes().into()
    }

    /// Whether it is the seal over these fields.
    pub(super) fn is_sealed(&self, kind: &str, fields: &[&[u8]], seal: &[u8]) -> bool {
        self.over(kind, fields).verify_slice(seal).is_ok()
    }

    fn over(&self, kind: &str, fields: &[&[u8]]) -> Hmac<Sha256> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("a key of any length");
        // With their lengths, so that no two lists of fields read alike.
        for field in [kind.as_bytes()].iter().chain(fields) {
            mac.update(&(field.len() as u64).to_be_bytes());
            mac.update(field);
        }
        mac
    }
}

/// Never into a log.
impl std::fmt::Debug for SealKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SealKey(…)")
    }
}
