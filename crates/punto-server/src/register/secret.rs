//! Secrets that this software makes up: 256 bits each, shown once, kept only as a hash.

use punto_record::Digest;
use sha2::{Digest as _, Sha256};

use super::Error;

/// Something that nobody can guess. As text, 64 hexadecimal digits.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret([u8; 32]);

/// What a secret is good for. Its hash depends on it, so that no secret opens a door of another kind.
#[derive(Clone, Copy, Debug)]
pub(super) enum Use {
    Session,
    Csrf,
    Device,
    Invitation,
    Code,
    Recovery,
    Browser,
}

impl Use {
    const fn id(self) -> &'static str {
        match self {
            Use::Session => "punto session ",
            Use::Csrf => "punto csrf ",
            Use::Device => "punto device ",
            Use::Invitation => "punto invitation ",
            Use::Code => "punto code ",
            Use::Recovery => "punto recovery ",
            Use::Browser => "punto browser ",
        }
    }
}

impl Secret {
    /// A new one.
    ///
    /// # Errors
    /// If the system has no randomness to give.
    pub fn new() -> Result<Secret, Error> {
        punto_ledger::random().map(Secret).map_err(Error::failed)
    }

    /// What somebody says is one.
    pub fn parse(text: &str) -> Option<Secret> {
        text.parse::<Digest>().ok().map(|bytes| Secret(bytes.0))
    }

    /// As it is told, once.
    pub fn text(&self) -> String {
        Digest(self.0).to_string()
    }

    pub(super) fn hash(&self, good_for: Use) -> [u8; 32] {
        self.hash_with("", good_for)
    }

    /// The hash of a secret that is good only together with a code, which another person was told.
    pub(super) fn hash_with(&self, code: &str, good_for: Use) -> [u8; 32] {
        let digits = digits_of(code);
        Sha256::new().chain_update(good_for.id()).chain_update(self.0).chain_update(digits).finalize().into()
    }

    /// A part of it, short enough to be said: 64 bits that are worth nothing without the secret beside which they are
    /// asked for.
    pub fn code(&self) -> String {
        let digits = self.text();
        [0, 4, 8, 12].map(|at| &digits[at..at + 4]).join("-")
    }

    /// A part of it as a recovery code: 80 bits, which stand alone beside a password.
    pub(super) fn recovery_code(&self) -> String {
        let digits = self.text();
        [0, 4, 8, 12, 16].map(|at| &digits[at..at + 4]).join("-")
    }

    /// Of a code as somebody typed it.
    pub(super) fn hash_of_code(typed: &str) -> [u8; 32] {
        hash_typed(Use::Code, typed)
    }

    /// Of a recovery code as somebody typed it.
    pub(super) fn hash_of_recovery_code(typed: &str) -> [u8; 32] {
        hash_typed(Use::Recovery, typed)
    }

    /// The token that a page has to show beside the cookie of this session. It is worked out, not kept: whoever has it
    /// cannot tell the session, and whoever reads the register can tell neither.
    pub fn csrf(&self) -> String {
        Digest(self.hash(Use::Csrf)).to_string()
    }
}

/// The digits of a code as typed, without what separates them.
fn digits_of(typed: &str) -> String {
    typed.chars().filter(char::is_ascii_alphanumeric).map(|it| it.to_ascii_lowercase()).collect()
}

fn hash_typed(good_for: Use, typed: &str) -> [u8; 32] {
    Sha256::new().chain_update(good_for.id()).chain_update(digits_of(typed)).finalize().into()
}

/// Never into a log.
impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(…)")
    }
}
