//! The kernel lock that makes one process the writer of a ledger in a file.
//!
//! It is a `flock` on a file of its own, `LEDGER.lock`. SQLite locks the ledger itself by `fcntl`, and those locks are lost as
//! soon as the process closes any descriptor of that file, so no descriptor but SQLite's may be opened there. The kernel drops
//! the lock when the process ends, however it ends; the file stays and means nothing by itself.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read as _, Seek as _, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use crate::Error;
use crate::process::this_process;

/// More than this does not name a process.
const LONGEST_NAME: u64 = 200;

/// A child that this process starts has its locks as well until it runs its own program: a moment, longer on a busy machine.
const OWN_CHILD: Duration = Duration::from_millis(500);

/// Held while this process may write.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock of a ledger.
    ///
    /// # Errors
    /// [`Error::Owned`] if another process, or another vault of this one, holds it.
    pub(super) fn acquire(ledger: &Path) -> Result<Lock, Error> {
        has_one_name(ledger)?;
        let path = beside(ledger);
        let unusable =
            |error: std::io::Error| Error::unsuitable(format!("cannot lock {}: {error}", path.display()));
        let mut file = open(&path).map_err(unusable)?;
        let until = Instant::now() + OWN_CHILD;
        loop {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) => {
                    file.rewind().map_err(unusable)?;
                    let owner = owner(&mut file);
                    if owner != this_process() || Instant::now() >= until {
                        return Err(Error::Owned(owner.into()));
                    }
                    thread::sleep(Duration::from_millis(5));
                }
                Err(TryLockError::Error(error)) => return Err(unusable(error)),
            }
        }
        // Only for the message of the next process: on a full disk the lock is as good without it.
        let _ = name_owner(&mut file);
        Ok(Lock { _file: file })
    }

    /// Whether no process holds the lock of a ledger at this moment.
    pub(super) fn is_free(ledger: &Path) -> bool {
        // Without such a file nobody ever wrote here.
        File::open(beside(ledger)).map_or(true, |file| file.try_lock_shared().is_ok())
    }
}

/// Refuses a file with a second name (a hard link): the lock goes by the name, and so does SQLite's log, so that two writers
/// would not know of each other.
fn has_one_name(ledger: &Path) -> Result<(), Error> {
    match fs::metadata(ledger) {
        Ok(metadata) if metadata.nlink() > 1 => Err(Error::unsuitable(format!(
            "{} has another name as well (a hard link), under which a second server could write to it; remove one of the \
             two names, or copy the ledger with `punto backup`",
            ledger.display()
        ))),
        Ok(_) | Err(_) => Ok(()),
    }
}

/// `LEDGER.lock` beside the file that SQLite opens, which follows links.
fn beside(ledger: &Path) -> PathBuf {
    let mut name = fs::canonicalize(ledger).unwrap_or_else(|_| ledger.to_owned()).into_os_string();
    name.push(".lock");
    name.into()
}

fn open(path: &Path) -> std::io::Result<File> {
    let opened = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
    match opened {
        // Another user made it; a descriptor to read is enough for the lock.
        Err(error) if error.kind() == ErrorKind::PermissionDenied => File::open(path),
        opened => opened,
    }
}

fn name_owner(file: &mut File) -> std::io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    writeln!(file, "{}", this_process())
}

fn owner(file: &mut File) -> String {
    let mut text = String::new();
    let read = file.take(LONGEST_NAME).read_to_string(&mut text);
    match (read, text.lines().next()) {
        (Ok(_), Some(line)) if !line.is_empty() => line.to_owned(),
        (Ok(_) | Err(_), _) => "another process".to_owned(),
    }
}
