//! The rows of the register of people and devices.

use super::{Postgres, REGISTER};
use crate::Error;
use crate::part::RowWrite;
use crate::registered::StoredRow;

impl Postgres {
    /// All rows. They are returned as found; `Vault::register` judges them.
    pub(crate) fn register(&mut self) -> Result<Vec<StoredRow>, Error> {
        if self.steps < REGISTER {
            return Ok(Vec::new());
        }
        let rows = self.rows("SELECT kind, id, deed, body FROM punto.register ORDER BY kind, id", &[])?;
        let read = |row: &tokio_postgres::Row| {
            let (kind, id) = (row.try_get(0)?, row.try_get(1)?);
            Ok(StoredRow { kind, id, deed: row.try_get(2)?, body: row.try_get(3)? })
        };
        rows.iter().map(read).collect()
    }

    pub(crate) fn fill_register(&mut self, row: &StoredRow) -> Result<(), Error> {
        let StoredRow { kind, id, deed, body } = row;
        let sql = "INSERT INTO punto.register (kind, id, deed, body) VALUES ($1, $2, $3, $4)
                   ON CONFLICT (kind, id) DO UPDATE SET deed = excluded.deed, body = excluded.body";
        self.execute(sql, &[kind, id, deed, body])?;
        Ok(())
    }

    pub(super) fn write_row(&mut self, write: &RowWrite) -> Result<(), Error> {
        match write {
            RowWrite::Put(row) => self.fill_register(row),
            RowWrite::Remove { kind, id } => {
                self.execute("DELETE FROM punto.register WHERE kind = $1 AND id = $2", &[kind, id])?;
                Ok(())
            }
        }
    }
}
