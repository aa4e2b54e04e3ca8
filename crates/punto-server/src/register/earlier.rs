//! The register of an earlier release: a file of its own, read once and left as it is.

use std::path::Path;
use std::time::Duration;

use punto_ledger::{Credential, EarlierDevice, EarlierPerson, EarlierRegister};
use punto_record::{BoxNo, DeviceId, Digest, Person, RegisterFact, TableId};
use punto_rules::PatronNo;
use rusqlite::{Connection, OpenFlags};

use super::Error;

/// `PNTR` in ASCII: what the file says it is.
const APPLICATION: i32 = 0x504e_5452;

/// The steps of its schema; devices have boxes since the fourth.
const STEPS: u32 = 6;
const BOXES: u32 = 4;

/// How long to wait for a lock that another process holds.
const PATIENCE: Duration = Duration::from_secs(10);

/// Reads it. Invitations are not taken over: they are given again.
///
/// # Errors
/// If it is none, or cannot be read.
pub(super) fn read(path: &Path) -> Result<EarlierRegister, Error> {
    // A log that a crash left behind must be taken in before anything can be read, and that is writing.
    let write = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let read = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection =
        Connection::open_with_flags(path, write).or_else(|_| Connection::open_with_flags(path, read))?;
    connection.busy_timeout(PATIENCE)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.pragma_update(None, "query_only", true)?;
    let application: i32 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let steps: u32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    match (application, steps) {
        // It was made and nothing was written into it.
        (_, 0) => return Ok(EarlierRegister::default()),
        (APPLICATION, 1..=STEPS) => {}
        (_, _) => return Err(Error::failed("this file is not a register of an earlier release of Punto")),
    }
    connection.execute_batch("BEGIN")?;
    Ok(EarlierRegister { people: people(&connection)?, devices: devices(&connection, steps)? })
}

fn people(connection: &Connection) -> Result<Vec<EarlierPerson>, Error> {
    let sql = "SELECT person, name, role, enabled, password FROM staff ORDER BY person";
    let mut statement = connection.prepare(sql)?;
    let rows = statement.query_map([], |row| {
        let (person, name, role): (String, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let password: Option<String> = row.get(4)?;
        Ok(EarlierPerson {
            person: Person::as_recorded(person),
            name: name.into(),
            role: role.into(),
            enabled: row.get(3)?,
            password: password.map(Credential::new),
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn devices(connection: &Connection, steps: u32) -> Result<Vec<EarlierDevice>, Error> {
    let at_box = if steps < BOXES { "NULL" } else { "box" };
    let sql = format!("SELECT id, kind, at_table, patron, {at_box}, secret, revoked FROM device ORDER BY id");
    let mut statement = connection.prepare(&sql)?;
    let rows = statement.query_map([], |row| {
        let (id, kind, table): (String, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let secret = Digest(row.get(5)?);
        let fact = RegisterFact::Device {
            device: DeviceId::as_recorded(id),
            kind: kind.into(),
            table: TableId::as_recorded(table),
            patron: row.get::<_, Option<u32>>(3)?.map(PatronNo),
            at_box: row.get::<_, Option<u8>>(4)?.map(BoxNo),
            revoked: row.get::<_, Option<i64>>(6)?.is_some(),
        };
        Ok(EarlierDevice { fact, credential: Credential::new(secret.to_string()) })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}
