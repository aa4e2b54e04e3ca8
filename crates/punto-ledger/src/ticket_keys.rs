//! The keys of ticket numbers, in a file of their own beside the signing key: one a line, 64 hexadecimal digits each.
//!
//! Several, because a key is needed as long as a ticket lives that was made with it. Which of them makes new tickets is in
//! the record. Neither a backup nor an export has any of them.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use punto_record::{Digest, TicketKey, TicketKeyId};

use crate::Error;
use crate::key::random;

/// The keys at hand.
#[derive(Clone, Debug, Default)]
pub struct TicketKeys {
    keys: Vec<TicketKey>,
    /// Where they are kept; only in memory, if nowhere.
    path: Option<PathBuf>,
}

impl TicketKeys {
    /// These keys, kept nowhere.
    pub const fn in_memory(keys: Vec<TicketKey>) -> TicketKeys {
        TicketKeys { keys, path: None }
    }

    /// Reads the keys of a file.
    ///
    /// # Errors
    /// If there is none, others may read it, or it holds something else.
    pub fn open(path: &Path) -> Result<TicketKeys, Error> {
        TicketKeys::read(path)?
            .ok_or_else(|| Error::unsuitable(format!("there is no file of ticket keys {}", path.display())))
    }

    /// Reads the keys of a file, or makes it with a new key. Whether it was made.
    ///
    /// # Errors
    /// As [`TicketKeys::open`], or if it cannot be written.
    pub fn open_or_make(path: &Path) -> Result<(TicketKeys, bool), Error> {
        if let Some(keys) = TicketKeys::read(path)? {
            return Ok((keys, false));
        }
        let mut keys = TicketKeys { keys: Vec::new(), path: Some(path.to_owned()) };
        keys.add()?;
        Ok((keys, true))
    }

    fn read(path: &Path) -> Result<Option<TicketKeys>, Error> {
        let cannot = |what: &dyn std::fmt::Display| {
            Error::unsuitable(format!("the ticket keys {} cannot be read: {what}", path.display()))
        };
        let metadata = match fs::metadata(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            found => found.map_err(|error| cannot(&error))?,
        };
        #[cfg(unix)]
        if std::os::unix::fs::MetadataExt::mode(&metadata) & 0o077 != 0 {
            return Err(cannot(&"others than its owner may read or write it; chmod 600"));
        }
        let text = fs::read_to_string(path).map_err(|error| cannot(&error))?;
        let key = |line: &str| Ok(TicketKey::new(line.trim_end().parse::<Digest>()?.0));
        let keys: Result<Vec<TicketKey>, punto_record::DigestError> = text.lines().map(key).collect();
        let keys = keys.map_err(|_| cannot(&"64 hexadecimal digits a line expected"))?;
        if keys.is_empty() {
            return Err(cannot(&"it is empty"));
        }
        Ok(Some(TicketKeys { keys, path: Some(path.to_owned()) }))
    }

    /// All of them, the latest last.
    pub fn all(&self) -> &[TicketKey] {
        &self.keys
    }

    /// The key of this name.
    pub fn get(&self, id: &TicketKeyId) -> Option<&TicketKey> {
        self.keys.iter().find(|key| key.id() == id)
    }

    /// Makes another key and keeps it.
    pub(crate) fn add(&mut self) -> Result<TicketKeyId, Error> {
        let key = TicketKey::new(random()?);
        let id = key.id().clone();
        self.keys.push(key);
        self.keep()?;
        Ok(id)
    }

    /// Forgets the keys that are not named.
    pub(crate) fn retain(&mut self, needed: impl Fn(&TicketKeyId) -> bool) -> Result<(), Error> {
        let before = self.keys.len();
        self.keys.retain(|key| needed(key.id()));
        if self.keys.len() == before { Ok(()) } else { self.keep() }
    }

    /// Writes all of them beside the file and puts that in its place: whatever happens in between, no key is lost.
    fn keep(&self) -> Result<(), Error> {
        let Some(path) = &self.path else { return Ok(()) };
        let mut beside = path.as_os_str().to_owned();
        beside.push(".new");
        let written = write_new(Path::new(&beside), &self.keys).and_then(|()| fs::rename(&beside, path));
        let synced = written.and_then(|()| match path.parent().filter(|it| !it.as_os_str().is_empty()) {
            Some(folder) => File::open(folder)?.sync_all(),
            None => File::open(".")?.sync_all(),
        });
        synced.map_err(|error| {
            Error::unsuitable(format!("the ticket keys {} cannot be written: {error}", path.display()))
        })
    }
}

fn write_new(path: &Path, keys: &[TicketKey]) -> std::io::Result<()> {
    // What a crash left half written was never in use.
    if let Err(error) = fs::remove_file(path)
        && error.kind() != ErrorKind::NotFound
    {
        return Err(error);
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    for key in keys {
        writeln!(file, "{}", Digest(key.to_bytes()))?;
    }
    file.sync_all()
}
