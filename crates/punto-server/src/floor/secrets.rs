//! What a software shoe keeps to itself until it is revealed: the order of its cards. Outside the ledger, on the disk
//! before the table is told of the commitment, so that a crash cannot lose a shoe that Rounds were dealt from.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use punto_ledger::{random, require_private};
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

/// How long a secret that cannot be read just now is waited for. A missing or changed file is not waited for.
const PATIENCE: Duration = Duration::from_secs(10);

/// Keeps the secrets of software shoes, one file each.
#[derive(Debug)]
pub struct Secrets {
    folder: Option<PathBuf>,
    known: Mutex<HashMap<Digest, Known>>,
    /// Shoes in use that were found to be lost.
    lost: AtomicU64,
}

/// What is known about a secret.
#[derive(Clone, Debug)]
enum Known {
    There(Arc<Secret>),
    Unreadable { since: Instant },
    Lost(Arc<str>),
}

/// Why there is no secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoSecret {
    /// It is gone or is another one: the shoe can never be dealt from again, nor revealed.
    #[error("the order of the cards is lost: {0}")]
    Lost(Arc<str>),
    /// It cannot be read at the moment.
    #[error("the order of the cards cannot be read: {0}")]
    Unreadable(Arc<str>),
}

impl Secrets {
    /// In a folder that only its owner may read, made if it is not there.
    ///
    /// # Errors
    /// If it cannot be made, or others have access to it.
    pub fn in_folder(folder: &Path) -> io::Result<Secrets> {
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(folder)?;
        require_private(folder, &fs::metadata(folder)?).map_err(io::Error::other)?;
        Ok(Secrets { folder: Some(folder.to_owned()), known: Mutex::default(), lost: AtomicU64::new(0) })
    }

    /// For a ledger in memory.
    pub fn in_memory() -> Secrets {
        Secrets { folder: None, known: Mutex::default(), lost: AtomicU64::new(0) }
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
        if let Some(path) = self.path(committed)
            && let Err(error) = keep(&path, &secret)
        {
            // What was half written is of no use, and takes the room that is wanted.
            let _ = fs::remove_file(&path);
            return Err(error);
        }
        self.lock().insert(committed, Known::There(Arc::new(secret)));
        Ok(committed)
    }

    /// Whether a shoe could be shuffled and kept now.
    ///
    /// # Errors
    /// If it could not.
    pub fn try_out(&self, decks: u8) -> io::Result<()> {
        self.shuffle(decks).map(|committed| self.forget(committed))
    }

    /// The secret of a shoe.
    ///
    /// # Errors
    /// If it is lost, or cannot be read at the moment.
    pub fn of(&self, committed: Digest) -> Result<Arc<Secret>, NoSecret> {
        let mut known = self.lock();
        let since = match known.get(&committed) {
            Some(Known::There(secret)) => return Ok(secret.clone()),
            Some(Known::Lost(words)) => return Err(NoSecret::Lost(words.clone())),
            Some(Known::Unreadable { since }) => *since,
            None => Instant::now(),
        };
        let found = self.read(committed);
        let now = match &found {
            Ok(secret) => Known::There(secret.clone()),
            Err(NoSecret::Unreadable(_)) if since.elapsed() < PATIENCE => Known::Unreadable { since },
            Err(NoSecret::Lost(words) | NoSecret::Unreadable(words)) => {
                known.insert(committed, Known::Lost(words.clone()));
                return Err(NoSecret::Lost(words.clone()));
            }
        };
        known.insert(committed, now);
        found
    }

    /// The order of a shoe in use is lost.
    pub(crate) fn count_loss(&self) {
        self.lost.fetch_add(1, Ordering::Relaxed);
    }

    /// How many shoes in use were found to be lost since the start.
    pub fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }

    fn read(&self, committed: Digest) -> Result<Arc<Secret>, NoSecret> {
        let lost = |words: &str| NoSecret::Lost(words.into());
        let path = self.path(committed).ok_or_else(|| lost("it was kept in memory only"))?;
        let bytes = fs::read(&path).map_err(|error| {
            let words = error.to_string().into();
            // Where the whole folder is gone a disk may be missing that comes back.
            let is_gone = error.kind() == io::ErrorKind::NotFound && path.parent().is_some_and(Path::is_dir);
            if is_gone { NoSecret::Lost(words) } else { NoSecret::Unreadable(words) }
        })?;
        let secret: Secret =
            serde_json::from_slice(&bytes).map_err(|_| lost("its file holds something else"))?;
        // A file that somebody changed is no secret of ours.
        let is_it = commitment(secret.salt.as_bytes(), &secret.cards) == committed;
        if is_it { Ok(Arc::new(secret)) } else { Err(lost("its file holds another order")) }
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

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<Digest, Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Durable when this returns.
fn keep(path: &Path, secret: &Secret) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    file.write_all(&serde_json::to_vec(secret)?)?;
    file.sync_all()?;
    File::open(path.parent().expect("a file in a folder"))?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn survives_a_restart_and_is_forgotten_when_revealed() {
        let folder = tempfile::tempdir().unwrap();
        let shoes = folder.path().join("shoes");
        let secrets = Secrets::in_folder(&shoes).unwrap();
        let (one, two) = (secrets.shuffle(8).unwrap(), secrets.shuffle(8).unwrap());
        assert_ne!(one, two);
        let again = Secrets::in_folder(&shoes).unwrap();
        let secret = again.of(one).unwrap();
        assert_eq!(secret.cards.iter().copied().collect::<Composition>(), Composition::decks(8));
        again.forget(one);
        let gone = Secrets::in_folder(&shoes).unwrap();
        assert!(matches!(gone.of(one), Err(NoSecret::Lost(_))));
        assert!(again.of(two).is_ok());
    }

    #[test]
    fn a_file_that_was_changed_is_no_secret() {
        let folder = tempfile::tempdir().unwrap();
        let shoes = folder.path().join("shoes");
        let one = Secrets::in_folder(&shoes).unwrap().shuffle(1).unwrap();
        let path = shoes.join(format!("{one}.shoe"));
        let mut secret: Secret = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        secret.cards.swap(0, 1);
        let same = secret.cards[0] == secret.cards[1];
        fs::write(&path, serde_json::to_vec(&secret).unwrap()).unwrap();
        assert_eq!(Secrets::in_folder(&shoes).unwrap().of(one).is_ok(), same);
    }

    #[test]
    fn a_folder_that_is_away_is_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let (here, elsewhere) = (folder.path().join("shoes"), folder.path().join("elsewhere"));
        let one = Secrets::in_folder(&here).unwrap().shuffle(1).unwrap();
        let again = Secrets::in_folder(&here).unwrap();
        fs::rename(&here, &elsewhere).unwrap();
        assert!(matches!(again.of(one), Err(NoSecret::Unreadable(_))));
        assert!(again.try_out(1).is_err());
        fs::rename(&elsewhere, &here).unwrap();
        assert!(again.of(one).is_ok());
        again.try_out(1).unwrap();
        assert_eq!(fs::read_dir(&here).unwrap().count(), 1, "what was tried out is not kept");
    }

    #[test]
    #[cfg(unix)]
    fn a_folder_that_others_can_read_is_refused() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        for (mode, good) in [(0o755, false), (0o750, false), (0o701, false), (0o700, true)] {
            fs::set_permissions(folder.path(), fs::Permissions::from_mode(mode)).unwrap();
            let opened = Secrets::in_folder(folder.path()).map(|_| ()).map_err(|error| error.to_string());
            assert_eq!(opened.is_ok(), good, "{mode:o}: {opened:?}");
            assert!(good || opened.unwrap_err().contains("chmod 700"));
        }
    }
}
