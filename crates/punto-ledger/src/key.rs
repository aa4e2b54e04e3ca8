//! The key that signs checkpoints, in a file of its own.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

use ed25519_dalek::SigningKey;
use punto_record::{Digest, digest};
use rand::TryRng as _;
use rand::rngs::SysRng;

use crate::Error;
use crate::private::require_private;

/// A key that nobody can guess.
///
/// # Errors
/// If the system has no randomness to give.
pub fn new_key() -> Result<SigningKey, Error> {
    random().map(|seed| SigningKey::from_bytes(&seed))
}

/// A key for another purpose. It cannot sign, and reveals nothing about the signing key.
pub(crate) fn derived(key: &SigningKey, purpose: &str) -> [u8; 32] {
    let text = serde_json::to_vec(&("punto derived key", Digest(key.to_bytes()), purpose));
    digest(&text.expect("always JSON")).0
}

/// Bytes that nobody can guess.
///
/// # Errors
/// If the system has no randomness to give.
pub fn random() -> Result<[u8; 32], Error> {
    let mut bytes = [0; 32];
    SysRng.try_fill_bytes(&mut bytes).map_err(Error::failed)?;
    Ok(bytes)
}

/// Writes a key to a new file that only its owner may read.
///
/// # Errors
/// If there is such a file, or it cannot be written.
pub fn write_key(path: &Path, key: &SigningKey) -> Result<(), Error> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options.open(path).and_then(|mut file: File| {
        writeln!(file, "{}", Digest(key.to_bytes()))?;
        file.sync_all()
    });
    written
        .map_err(|error| Error::unsuitable(format!("the key {} cannot be written: {error}", path.display())))
}

/// Reads a key.
///
/// # Errors
/// If there is none, it is no key, or others than its owner have access to it.
pub fn read_key(path: &Path) -> Result<SigningKey, Error> {
    let unreadable =
        |error: io::Error| Error::unsuitable(format!("the key {} cannot be read: {error}", path.display()));
    let file = File::open(path).map_err(unreadable)?;
    let metadata = file.metadata().map_err(unreadable)?;
    require_private(path, &metadata).map_err(|words| Error::unsuitable(format!("the key {words}")))?;
    let text = io::read_to_string(file).map_err(unreadable)?;
    let seed: Digest = text.trim_end().parse().map_err(|_| {
        Error::unsuitable(format!("{} is no key: 64 hexadecimal digits expected", path.display()))
    })?;
    Ok(SigningKey::from_bytes(&seed.0))
}
