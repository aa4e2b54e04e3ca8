//! The ledger in a SQLite file, or in memory.

mod lock;
#[cfg(unix)]
mod offline;
mod read;
mod register;
mod schema;
mod write;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rusqlite::ffi::SQLITE_IOERR_SHMSIZE;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::Error;
use lock::Lock;

/// How long to wait for somebody else's lock: a backup, a reader at the end of the log.
const PATIENCE: Duration = Duration::from_secs(10);

/// The schema of release 0.1.0, which can be read without writing to it.
const FIRST_READABLE: usize = 3;
const NEWEST: usize = schema::STEPS.len();

/// From this step on commits and snapshots are signed.
pub(super) const SIGNED: usize = 4;
/// The steps after which a ticket has a tag.
pub(super) const TAGS: usize = 5;
/// The steps after which a ticket names its currency.
pub(super) const CURRENCIES: usize = 7;

/// From this step on people and devices are kept here.
pub(super) const REGISTER: usize = 5;

/// A connection to a ledger in SQLite.
#[derive(Debug)]
pub(crate) struct Sqlite {
    connection: Connection,
    /// How many steps of the schema were taken: an earlier release's ledger can be read as it is.
    steps: usize,
    /// The file; none in memory.
    path: Option<PathBuf>,
    /// Held by the writer. After the connection, so that it is let go only when nothing can be written any more.
    lock: Option<Arc<Lock>>,
}

impl Sqlite {
    /// Opens a file to read it only.
    pub(crate) fn read(path: &Path) -> Result<Sqlite, Error> {
        // A log that a crash left behind must be taken in before anything can be read, and that is writing.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let read_only = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let look = |connection: Connection| {
            connection.busy_timeout(PATIENCE)?;
            connection.pragma_query_value(None, "application_id", |_| Ok(()))?;
            Ok(connection)
        };
        let opened = Connection::open_with_flags(path, flags)
            .or_else(|_| Connection::open_with_flags(path, read_only))
            .and_then(look);
        let connection = match opened {
            #[cfg(unix)]
            Err(error) if offline::is_cause(&error) && path.is_file() => offline::open(path)?,
            opened => opened.map_err(|error| not_opened(path, error))?,
        };
        let mut store = Sqlite::of(connection, Some(path));
        store.settle_in(false)?;
        store.steps = store.readable()?;
        Ok(store)
    }

    /// Opens a file to write to it, and brings it up to what this release writes.
    ///
    /// # Errors
    /// [`Error::Owned`] if another process writes to it.
    pub(crate) fn write(path: &Path) -> Result<Sqlite, Error> {
        Sqlite::write_with(path, None)
    }

    /// Opens the file anew for the same writer, which keeps its lock.
    pub(crate) fn again(&self) -> Result<Sqlite, Error> {
        match &self.path {
            Some(path) => Sqlite::write_with(path, self.lock.clone()),
            None => Err(Error::unsuitable("a ledger in memory cannot be opened again")),
        }
    }

    fn write_with(path: &Path, lock: Option<Arc<Lock>>) -> Result<Sqlite, Error> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags).map_err(|error| not_opened(path, error))?;
        let mut store = Sqlite { lock, ..Sqlite::of(connection, Some(path)) };
        // A file that is no ledger gets no lock beside it.
        store.is_ledger()?;
        store.own()?;
        store.settle_in(true)?;
        store.migrate()?;
        Ok(store)
    }

    fn of(connection: Connection, path: Option<&Path>) -> Sqlite {
        Sqlite { connection, steps: 0, path: path.map(Path::to_owned), lock: None }
    }

    /// Takes the lock, unless it is held already.
    pub(crate) fn own(&mut self) -> Result<(), Error> {
        if let (Some(path), None) = (&self.path, &self.lock) {
            self.lock = Some(Arc::new(Lock::acquire(path)?));
        }
        Ok(())
    }

    /// Makes a new file.
    pub(crate) fn create(path: &Path) -> Result<Sqlite, Error> {
        let mut options = std::fs::OpenOptions::new();
        options.write(true).create_new(true);
        // SQLite gives its log the same mode.
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options
            .open(path)
            .map_err(|error| Error::unsuitable(format!("{} cannot be made: {error}", path.display())))?;
        let store = Sqlite::of(Connection::open(path)?, Some(path));
        store.connection.pragma_update(None, "application_id", schema::APPLICATION)?;
        store.begin()
    }

    /// A ledger in memory.
    pub(crate) fn memory() -> Result<Sqlite, Error> {
        Sqlite::memory_with(schema::STEPS.len())
    }

    /// As a release made it that knew so many steps.
    fn memory_with(steps: usize) -> Result<Sqlite, Error> {
        let mut store = Sqlite::of(Connection::open_in_memory()?, None);
        store.connection.pragma_update(None, "application_id", schema::APPLICATION)?;
        store.settle_in(true)?;
        store.migrate_to(steps)?;
        Ok(store)
    }

    fn begin(mut self) -> Result<Sqlite, Error> {
        self.settle_in(true)?;
        self.migrate()?;
        Ok(self)
    }

    fn settle_in(&self, writes: bool) -> Result<(), Error> {
        let connection = &self.connection;
        connection.busy_timeout(PATIENCE)?;
        connection.set_prepared_statement_cache_capacity(32);
        self.is_ledger()?;
        connection.pragma_update(None, "trusted_schema", false)?;
        connection.pragma_update(None, "cell_size_check", true)?;
        if writes {
            connection.pragma_update(None, "journal_mode", "wal")?;
            connection.pragma_update(None, "synchronous", "full")?;
            connection.pragma_update(None, "foreign_keys", true)?;
        } else {
            connection.pragma_update(None, "query_only", true)?;
        }
        Ok(())
    }

    fn is_ledger(&self) -> Result<(), Error> {
        let application: i32 =
            self.connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
        match application == schema::APPLICATION {
            true => Ok(()),
            false => Err(Error::unsuitable("this file is not a ledger of Punto")),
        }
    }

    fn version(&self) -> Result<usize, Error> {
        Ok(self.connection.pragma_query_value(None, "user_version", |row| row.get::<_, u32>(0))? as usize)
    }

    /// The steps that were taken, if a reader knows what to make of them.
    fn readable(&self) -> Result<usize, Error> {
        match self.version()? {
            steps @ FIRST_READABLE..=NEWEST => Ok(steps),
            0..FIRST_READABLE => Err(older()),
            _ => Err(newer()),
        }
    }

    /// Takes the steps that are missing, each as a whole or not at all.
    fn migrate(&mut self) -> Result<(), Error> {
        self.migrate_to(schema::STEPS.len())
    }

    fn migrate_to(&mut self, steps: usize) -> Result<(), Error> {
        let version = self.version()?;
        let Some(missing) = schema::STEPS.get(version..steps) else { return Err(newer()) };
        for (step, sql) in missing.iter().enumerate() {
            let transaction = self.connection.transaction()?;
            transaction.execute_batch(sql)?;
            transaction.pragma_update(None, "user_version", (version + step + 1) as u32)?;
            transaction.commit()?;
        }
        self.steps = steps;
        Ok(())
    }

    /// Whether the file is sound and has the tables and triggers it should have; what is wrong, if not.
    pub(crate) fn check(&mut self) -> Result<Vec<String>, Error> {
        let mut faults = Vec::new();
        let mut statement = self.connection.prepare("PRAGMA integrity_check(20)")?;
        let words = statement.query_map([], |row| row.get::<_, String>(0))?;
        for word in words {
            let word = word?;
            if word != "ok" {
                faults.push(word);
            }
        }
        let expected = Sqlite::memory_with(self.steps)?;
        if self.shape()? != expected.shape()? {
            faults.push("the tables, indexes or triggers are not those that this release makes".to_owned());
        }
        Ok(faults)
    }

    fn shape(&self) -> Result<Vec<(String, String, Option<String>)>, Error> {
        let mut statement =
            self.connection.prepare("SELECT type, name, sql FROM sqlite_schema ORDER BY type, name")?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        rows.map(|row| row.map_err(Error::from)).collect()
    }

    /// Lets the file grow to so many pages at most.
    pub(crate) fn limit_pages(&mut self, pages: u32) -> Result<(), Error> {
        Ok(self.connection.pragma_update(None, "max_page_count", pages)?)
    }
}

fn older() -> Error {
    Error::unsuitable(
        "this ledger was written by an earlier release; open it once for writing to bring it up to date",
    )
}

fn newer() -> Error {
    Error::unsuitable("this ledger was written by a later release of Punto")
}

fn extended(error: &rusqlite::Error) -> Option<i32> {
    error.sqlite_error().map(|error| error.extended_code)
}

fn not_opened(path: &Path, error: rusqlite::Error) -> Error {
    if path.exists() {
        error.into()
    } else {
        Error::unsuitable(format!("there is no ledger at {}", path.display()))
    }
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Error {
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Error::Full,
            // Nor was there room for the index of the log, which holds nothing of its own.
            Some(ErrorCode::SystemIoFailure) if extended(&error) == Some(SQLITE_IOERR_SHMSIZE) => Error::Full,
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Error::damaged(error.to_string()),
            Some(_) | None => Error::failed(error),
        }
    }
}
