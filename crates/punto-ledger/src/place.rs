//! Where a ledger is kept.

use std::convert::Infallible;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// A file, a database, or nowhere.
#[derive(Clone, PartialEq, Eq)]
pub enum Place {
    /// A SQLite file.
    File(PathBuf),
    /// A PostgreSQL database, as `postgres://user@host/name`.
    Database(String),
    /// Only in memory: gone with the process.
    Memory,
}

impl FromStr for Place {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Place, Infallible> {
        Ok(if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            Place::Database(text.to_owned())
        } else {
            Place::File(text.into())
        })
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::File(path) => path.display().fmt(f),
            Place::Database(url) => f.write_str(without_password(url)),
            Place::Memory => f.write_str("memory"),
        }
    }
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Place({self})")
    }
}

/// The host and the database; user, password and parameters are nobody's business.
fn without_password(url: &str) -> &str {
    let url = url.split('?').next().unwrap_or_default();
    url.rsplit_once('@').map_or(url, |(_, rest)| rest)
}
