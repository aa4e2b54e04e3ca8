//! A ledger where nothing can be written, on read-only media or in a folder of somebody else: SQLite cannot make the index that it
//! shares with writers, and needs none, because there is no writer.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::lock::Lock;
use crate::Error;

/// Whether an error of the first look at a file comes of a place where nothing can be written.
pub(super) fn is_cause(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly))
}

/// Opens a file that nobody writes to.
///
/// # Errors
/// If somebody does, or it cannot be read.
pub(super) fn open(path: &Path) -> Result<Connection, Error> {
    if !Lock::is_free(path) {
        return Err(Error::unsuitable(format!(
            "{} is being written, and nothing can be written beside it by whoever reads it: read it as the user of the server",
            path.display()
        )));
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut log = path.as_os_str().to_owned();
    log.push(OsString::from("-wal"));
    if fs::metadata(&log).is_ok_and(|log| log.len() > 0) {
        // A log that a crash left: its index is made in memory, which takes a connection that shares with nobody.
        let connection = Connection::open_with_flags_and_vfs(path, flags, "unix-none")?;
        connection.pragma_update(None, "locking_mode", "exclusive")?;
        return Ok(connection);
    }
    Ok(Connection::open_with_flags(uri(path)?, flags | OpenFlags::SQLITE_OPEN_URI)?)
}

/// The file as something that does not change while it is read.
fn uri(path: &Path) -> Result<String, Error> {
    let path = fs::canonicalize(path).map_err(|error| Error::unsuitable(error.to_string()))?;
    let mut uri = "file:".to_owned();
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => {
                uri.push(char::from(*byte))
            }
            _ => drop(write!(uri, "%{byte:02x}")),
        }
    }
    Ok(uri + "?immutable=1")
}
