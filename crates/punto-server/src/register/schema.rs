//! The tables of the register. Forward only: a step that has been released is never changed, another one is added.

use rusqlite::{Connection, TransactionBehavior};

use super::Error;

/// `PNTR` in ASCII: what the file says it is.
const APPLICATION: i32 = 0x504e_5452;

/// From an empty file to what this release writes; `user_version` counts the steps that were taken.
const STEPS: [&str; 6] = [FIRST, SECOND, ACCEPTORS, BOXES, CODES, BUDGETS];

const FIRST: &str = "
CREATE TABLE staff (
  person TEXT PRIMARY KEY COLLATE NOCASE,
  name TEXT NOT NULL,
  role TEXT NOT NULL,
  enabled INTEGER NOT NULL,
  password TEXT,
  failures INTEGER NOT NULL DEFAULT 0,
  locked_until INTEGER
) STRICT;
CREATE TRIGGER staff_stays BEFORE DELETE ON staff
BEGIN SELECT raise(ABORT, 'a person is never deleted'); END;
CREATE TABLE invitation (
  person TEXT PRIMARY KEY REFERENCES staff (person),
  secret BLOB NOT NULL UNIQUE CHECK (length(secret) = 32),
  until INTEGER NOT NULL
) STRICT;
CREATE TABLE session (
  id TEXT PRIMARY KEY,
  secret BLOB NOT NULL UNIQUE CHECK (length(secret) = 32),
  person TEXT NOT NULL REFERENCES staff (person),
  began INTEGER NOT NULL,
  used INTEGER NOT NULL
) STRICT;
CREATE INDEX session_of ON session (person);
CREATE TABLE approval (
  secret BLOB PRIMARY KEY CHECK (length(secret) = 32),
  person TEXT NOT NULL REFERENCES staff (person),
  until INTEGER NOT NULL
) STRICT;
CREATE TABLE device (
  id TEXT PRIMARY KEY COLLATE NOCASE,
  kind TEXT NOT NULL CHECK (kind IN ('terminal', 'console', 'board', 'reader')),
  at_table TEXT NOT NULL,
  patron INTEGER CHECK ((kind = 'terminal') = (patron IS NOT NULL)),
  secret BLOB NOT NULL UNIQUE CHECK (length(secret) = 32),
  enrolled INTEGER NOT NULL,
  revoked INTEGER
) STRICT;
CREATE UNIQUE INDEX one_terminal ON device (at_table, patron) WHERE kind = 'terminal' AND revoked IS NULL;
CREATE TRIGGER device_stays BEFORE DELETE ON device
BEGIN SELECT raise(ABORT, 'a device is never deleted: its name is used up'); END;
CREATE TRIGGER device_is_revoked_once BEFORE UPDATE ON device
WHEN old.revoked IS NOT NULL OR new.id <> old.id OR new.secret <> old.secret
BEGIN SELECT raise(ABORT, 'a device is only ever revoked, and once'); END;
";

/// Approvals are for one order since 0.2.0, and wait with it in memory.
const SECOND: &str = "DROP TABLE approval;";

/// Note acceptors are devices too, one at most for each terminal.
const ACCEPTORS: &str = "
DROP TRIGGER device_stays;
DROP TRIGGER device_is_revoked_once;
DROP INDEX one_terminal;
ALTER TABLE device RENAME TO device_before;
CREATE TABLE device (
  id TEXT PRIMARY KEY COLLATE NOCASE,
  kind TEXT NOT NULL CHECK (kind IN ('terminal', 'console', 'board', 'reader', 'acceptor')),
  at_table TEXT NOT NULL,
  patron INTEGER CHECK ((kind IN ('terminal', 'acceptor')) = (patron IS NOT NULL)),
  secret BLOB NOT NULL UNIQUE CHECK (length(secret) = 32),
  enrolled INTEGER NOT NULL,
  revoked INTEGER
) STRICT;
INSERT INTO device (id, kind, at_table, patron, secret, enrolled, revoked)
  SELECT id, kind, at_table, patron, secret, enrolled, revoked FROM device_before;
DROP TABLE device_before;
CREATE UNIQUE INDEX one_terminal ON device (at_table, patron) WHERE kind = 'terminal' AND revoked IS NULL;
CREATE UNIQUE INDEX one_acceptor ON device (at_table, patron) WHERE kind = 'acceptor' AND revoked IS NULL;
CREATE TRIGGER device_stays BEFORE DELETE ON device
BEGIN SELECT raise(ABORT, 'a device is never deleted: its name is used up'); END;
CREATE TRIGGER device_is_revoked_once BEFORE UPDATE ON device
WHEN old.revoked IS NOT NULL OR new.id <> old.id OR new.secret <> old.secret
BEGIN SELECT raise(ABORT, 'a device is only ever revoked, and once'); END;
";

/// A terminal at a live table stands at a betting box, one at each.
const BOXES: &str = "
ALTER TABLE device ADD COLUMN box INTEGER CHECK (box IS NULL OR (kind = 'terminal' AND box BETWEEN 1 AND 255));
CREATE UNIQUE INDEX one_at_box ON device (at_table, box)
  WHERE kind = 'terminal' AND box IS NOT NULL AND revoked IS NULL;
";

/// An invitation that two people answer for needs what each of them holds.
const CODES: &str = "ALTER TABLE invitation ADD COLUMN code BLOB CHECK (code IS NULL OR length(code) = 32);";

/// Known places have budgets of wrong passwords of their own; `staff` keeps the one that all others share.
const BUDGETS: &str = "
CREATE TABLE budget (
  person TEXT NOT NULL COLLATE NOCASE REFERENCES staff (person),
  source TEXT NOT NULL,
  failures INTEGER NOT NULL,
  locked_until INTEGER,
  PRIMARY KEY (person, source)
) STRICT;
CREATE TABLE browser (
  secret BLOB PRIMARY KEY CHECK (length(secret) = 32),
  person TEXT NOT NULL COLLATE NOCASE REFERENCES staff (person),
  used INTEGER NOT NULL
) STRICT;
CREATE INDEX browser_of ON browser (person);
";

/// Makes a connection ready, and brings the file up to what this release writes.
pub(super) fn settle_in(connection: &mut Connection) -> Result<(), Error> {
    let version: u32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let application: i32 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let empty: bool = connection.query_row("SELECT count(*) = 0 FROM sqlite_schema", [], |row| row.get(0))?;
    match (application, empty) {
        (APPLICATION, _) => {}
        (_, true) => connection.pragma_update(None, "application_id", APPLICATION)?,
        (_, false) => return Err(Error::failed("this file is not a register of Punto")),
    }
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.pragma_update(None, "journal_mode", "wal")?;
    connection.pragma_update(None, "synchronous", "full")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "secure_delete", true)?;
    if version as usize > STEPS.len() {
        return Err(Error::failed("this register was written by a later release of Punto"));
    }
    while take_step(connection)? {}
    Ok(())
}

/// Takes the next step, whole or not at all; false where none is left. Who comes second finds it taken.
fn take_step(connection: &mut Connection) -> Result<bool, Error> {
    let taken = |connection: &Connection| -> Result<u32, Error> {
        Ok(connection.pragma_query_value(None, "user_version", |row| row.get(0))?)
    };
    if STEPS.get(taken(connection)? as usize).is_none() {
        return Ok(false);
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let version = taken(&transaction)?;
    let Some(sql) = STEPS.get(version as usize) else { return Ok(false) };
    transaction.execute_batch(sql)?;
    transaction.pragma_update(None, "user_version", version + 1)?;
    transaction.commit()?;
    Ok(true)
}
