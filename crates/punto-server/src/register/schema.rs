//! The tables of the register at work: people and devices in memory, as the ledger has them; sessions, known browsers and
//! wrong passwords in a file beside the ledger, which may be deleted.

use rusqlite::{Connection, TransactionBehavior};

use super::Error;

/// `PNTS` in ASCII: what the file says it is.
const APPLICATION: i32 = 0x504e_5453;

/// People and devices. What is here was compared with the record, which also says whose sessions were ended and when, and
/// who signed out: the file may be put back as it was. A second factor without a seed is one whose row was not as its deed
/// says: the person has one, and nobody can show it.
const KEPT: &str = "
CREATE TABLE staff (
  person TEXT PRIMARY KEY COLLATE NOCASE,
  name TEXT NOT NULL,
  role TEXT NOT NULL,
  enabled INTEGER NOT NULL,
  password TEXT,
  sessions_since INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE signed_out (session TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT;
CREATE TABLE factor (
  person TEXT PRIMARY KEY COLLATE NOCASE REFERENCES staff (person),
  seed BLOB CHECK (seed IS NULL OR length(seed) = 20),
  mark TEXT NOT NULL CHECK (mark <> '')
) STRICT;
CREATE TABLE recovery (
  hash BLOB PRIMARY KEY CHECK (length(hash) = 32),
  person TEXT NOT NULL COLLATE NOCASE REFERENCES factor (person) ON DELETE CASCADE
) STRICT;
CREATE TABLE invitation (
  person TEXT PRIMARY KEY REFERENCES staff (person),
  secret BLOB NOT NULL UNIQUE CHECK (length(secret) = 32),
  until INTEGER NOT NULL,
  code BLOB CHECK (code IS NULL OR length(code) = 32)
) STRICT;
CREATE TABLE device (
  id TEXT PRIMARY KEY COLLATE NOCASE,
  kind TEXT NOT NULL,
  at_table TEXT NOT NULL,
  patron INTEGER,
  box INTEGER,
  secret BLOB UNIQUE CHECK (secret IS NULL OR length(secret) = 32),
  enrolled INTEGER NOT NULL,
  revoked INTEGER
) STRICT;
CREATE UNIQUE INDEX one_terminal ON device (at_table, patron) WHERE kind = 'terminal' AND revoked IS NULL;
CREATE UNIQUE INDEX one_acceptor ON device (at_table, patron) WHERE kind = 'acceptor' AND revoked IS NULL;
CREATE UNIQUE INDEX one_at_box ON device (at_table, box)
  WHERE kind = 'terminal' AND box IS NOT NULL AND revoked IS NULL;
";

/// From an empty file to what this release writes; `user_version` counts the steps that were taken.
const STEPS: [&str; 1] = [LOCAL];

/// A session or browser is worth nothing without the seal that only the holder of the house's key can make. Attempts from
/// places that nothing is known of have no source.
const LOCAL: &str = "
CREATE TABLE local.session (
  id TEXT PRIMARY KEY,
  secret BLOB NOT NULL UNIQUE CHECK (length(secret) = 32),
  person TEXT NOT NULL COLLATE NOCASE,
  began INTEGER NOT NULL,
  used INTEGER NOT NULL,
  seal BLOB NOT NULL
) STRICT;
CREATE INDEX local.session_of ON session (person);
CREATE TABLE local.browser (
  secret BLOB PRIMARY KEY CHECK (length(secret) = 32),
  person TEXT NOT NULL COLLATE NOCASE,
  used INTEGER NOT NULL,
  seal BLOB NOT NULL
) STRICT;
CREATE INDEX local.browser_of ON browser (person);
CREATE TABLE local.budget (
  person TEXT NOT NULL COLLATE NOCASE,
  source TEXT NOT NULL,
  failures INTEGER NOT NULL,
  locked_until INTEGER,
  PRIMARY KEY (person, source)
) STRICT;
";

/// A connection to nothing yet but memory, with the file attached.
pub(super) fn open(local: &str) -> Result<Connection, Error> {
    let mut connection = Connection::open_in_memory()?;
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.execute("ATTACH ?1 AS local", [local])?;
    let of_local = |name: &str| -> Result<i64, Error> {
        Ok(connection.pragma_query_value(Some("local"), name, |row| row.get(0))?)
    };
    let (version, application) = (of_local("user_version")?, of_local("application_id")?);
    let empty: bool =
        connection.query_row("SELECT count(*) = 0 FROM local.sqlite_schema", [], |row| row.get(0))?;
    match (application == i64::from(APPLICATION), empty) {
        (true, _) => {}
        (false, true) => connection.pragma_update(Some("local"), "application_id", APPLICATION)?,
        (false, false) => return Err(Error::failed("this file does not hold sessions of Punto")),
    }
    if usize::try_from(version).map_or(true, |steps| steps > STEPS.len()) {
        return Err(Error::failed("these sessions were written by a later release of Punto"));
    }
    connection.pragma_update(Some("local"), "journal_mode", "wal")?;
    connection.pragma_update(Some("local"), "synchronous", "full")?;
    connection.pragma_update(Some("local"), "secure_delete", true)?;
    connection.execute_batch(KEPT)?;
    while take_step(&mut connection)? {}
    Ok(connection)
}

/// Takes the next step, whole or not at all; false where none is left. Who comes second finds it taken.
fn take_step(connection: &mut Connection) -> Result<bool, Error> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let taken: u32 = transaction.pragma_query_value(Some("local"), "user_version", |row| row.get(0))?;
    let Some(sql) = STEPS.get(taken as usize) else { return Ok(false) };
    transaction.execute_batch(sql)?;
    transaction.pragma_update(Some("local"), "user_version", taken + 1)?;
    transaction.commit()?;
    Ok(true)
}
