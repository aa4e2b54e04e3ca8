//! The rows of the register of people and devices.

use rusqlite::{Connection, Row, params};

use super::{REGISTER, Sqlite};
use crate::Error;
use crate::part::RowWrite;
use crate::registered::StoredRow;

impl Sqlite {
    /// All rows. They are returned as found; `Vault::register` judges them.
    pub(crate) fn register(&mut self) -> Result<Vec<StoredRow>, Error> {
        if self.steps < REGISTER {
            return Ok(Vec::new());
        }
        let sql = "SELECT kind, id, deed, body FROM register ORDER BY kind, id";
        let mut statement = self.connection.prepare_cached(sql)?;
        // What is not even text is no reason not to open the ledger.
        let text = |row: &Row<'_>, at: usize| -> rusqlite::Result<String> {
            Ok(String::from_utf8_lossy(row.get_ref(at)?.as_bytes()?).into_owned())
        };
        let rows = statement.query_map([], |row| {
            let (kind, id) = (text(row, 0)?, text(row, 1)?);
            Ok(StoredRow { kind, id, deed: row.get(2)?, body: text(row, 3)? })
        })?;
        rows.map(|row| row.map_err(Error::from)).collect()
    }

    pub(crate) fn fill_register(&mut self, row: &StoredRow) -> Result<(), Error> {
        put(&self.connection, row)
    }
}

pub(super) fn write(connection: &Connection, write: &RowWrite) -> Result<(), Error> {
    match write {
        RowWrite::Put(row) => put(connection, row),
        RowWrite::Remove { kind, id } => {
            let sql = "DELETE FROM register WHERE kind = ? AND id = ?";
            connection.prepare_cached(sql)?.execute([kind, id])?;
            Ok(())
        }
    }
}

fn put(connection: &Connection, StoredRow { kind, id, deed, body }: &StoredRow) -> Result<(), Error> {
    connection
        .prepare_cached("INSERT OR REPLACE INTO register (kind, id, deed, body) VALUES (?, ?, ?, ?)")?
        .execute(params![kind, id, deed, body])?;
    Ok(())
}
