//! What a software shoe keeps to itself until it is revealed: the order of its cards. Outside the ledger, on the disk
//! before the table is told of the commitment, so that a crash cannot lose a shoe that Rounds were dealt from.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use punto_ledger::random;
use punto_record::{Digest, commitment};
use punto_rules::{Card, Composition, Shoe};
use serde::{Deserialize, Serialize};

/// The order of a shoe and the salt that it was committed with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Secret {
    pub salt: Arc<str>,
    pub cards: Vec<Card>,
}

/// Keeps the secrets of software shoes, one file each.
#[derive(Debug)]
pub struct Secrets {
    folder: Option<PathBuf>,
    known: Mutex<HashMap<Digest, Arc<Secret>>>,
}

impl Secrets {
    /// In a folder that only its owner may read, made if it is not there.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn in_folder(folder: &Path) -> io::Result<Secrets> {
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(folder)?;
        Ok(Secrets { folder: Some(folder.to_owned()), known: Mutex::default() })
    }

    /// For a ledger in memory.
    pub fn in_memory() -> Secrets {
        Secrets { folder: None, known: Mutex::default() }
    }

    /// Shuffles so many decks and commits to their order. The secret is durable when this returns.
    ///
    /// # Errors
    /// If there is no randomness, or it cannot be written.
    pub fn shuffle(&self, decks: u8) -> io::Result<Digest> {
        let seed = random().map_err(io::Error::other)?;
        let salt = Digest(random().map_err(io::Error::other)?).to_string();
        let mut shoe = Shoe::shuffled(&Composition::decks(decks), seed);
        let cards: Vec<Card> = std::iter::from_fn(|| shoe.draw()).collect();
        let committed = commitment(salt.as_bytes(), &cards);
        let secret = Secret { salt: salt.into(), cards };
        if let Some(path) = self.path(committed) {
            let mut options = OpenOptions::new();
            options.write(true).create_new(true);
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            let mut file = options.open(&path)?;
            file.write_all(&serde_json::to_vec(&secret)?)?;
            file.sync_all()?;
            File::open(path.parent().expect("a file in a folder"))?.sync_all()?;
        }
        self.lock().insert(committed, Arc::new(secret));
        Ok(committed)
    }

    /// The secret of a shoe.
    pub fn of(&self, committed: Digest) -> Option<Arc<Secret>> {
        if let Some(secret) = self.lock().get(&committed) {
            return Some(secret.clone());
        }
        let bytes = fs::read(self.path(committed)?).ok()?;
        let secret: Secret = serde_json::from_slice(&bytes).ok()?;
        // A file that somebody changed is no secret of ours.
        let is_it = commitment(secret.salt.as_bytes(), &secret.cards) == committed;
        let secret = Arc::new(secret);
        is_it.then(|| self.lock().entry(committed).or_insert(secret).clone())
    }

    /// It stands in the record now.
    pub fn forget(&self, committed: Digest) {
        self.lock().remove(&committed);
        if let Some(path) = self.path(committed)
            && let Err(error) = fs::remove_file(path)
        {
            tracing::debug!(%error, "the secret of a revealed shoe stays on the disk");
        }
    }

    fn path(&self, committed: Digest) -> Option<PathBuf> {
        self.folder.as_ref().map(|folder| folder.join(format!("{committed}.shoe")))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<Digest, Arc<Secret>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn survives_a_restart_and_is_forgotten_when_revealed() {
        let folder = tempfile::tempdir().unwrap();
        let secrets = Secrets::in_folder(folder.path()).unwrap();
        let (one, two) = (secrets.shuffle(8).unwrap(), secrets.shuffle(8).unwrap());
        assert_ne!(one, two);
        let again = Secrets::in_folder(folder.path()).unwrap();
        let secret = again.of(one).unwrap();
        assert_eq!(secret.cards.iter().copied().collect::<Composition>(), Composition::decks(8));
        again.forget(one);
        assert_eq!(Secrets::in_folder(folder.path()).unwrap().of(one), None);
        assert!(again.of(two).is_some());
    }

    #[test]
    fn a_file_that_was_changed_is_no_secret() {
        let folder = tempfile::tempdir().unwrap();
        let one = Secrets::in_folder(folder.path()).unwrap().shuffle(1).unwrap();
        let path = folder.path().join(format!("{one}.shoe"));
        let mut secret: Secret = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        secret.cards.swap(0, 1);
        let same = secret.cards[0] == secret.cards[1];
        fs::write(&path, serde_json::to_vec(&secret).unwrap()).unwrap();
        assert_eq!(Secrets::in_folder(folder.path()).unwrap().of(one).is_some(), same);
    }
}
