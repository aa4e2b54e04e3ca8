//! Whether the database is as this release makes it, and keeps what it promises to keep.

use super::{FIRST_READABLE, NEWEST, Postgres};
use crate::Error;

/// Settings without which something durable may be lost.
const SETTINGS: [&str; 3] = ["fsync", "full_page_writes", "synchronous_commit"];

/// Tables with their columns, constraints, triggers and functions, each in a line. `tgenabled` is `O` where a trigger
/// fires. The server's own triggers behind foreign keys are not listed.
const SHAPE: &str = "
SELECT table_name || '.' || column_name || ' ' || data_type
  || CASE is_nullable WHEN 'NO' THEN ' not null' ELSE '' END COLLATE \"C\" AS line
FROM information_schema.columns WHERE table_schema = 'punto'
UNION ALL
SELECT relname || ': ' || pg_get_constraintdef(con.oid)
FROM pg_constraint AS con JOIN pg_class ON pg_class.oid = conrelid
WHERE con.connamespace = 'punto'::regnamespace AND contype IN ('p', 'u', 'c', 'f')
UNION ALL
SELECT CASE tgenabled WHEN 'O' THEN '' ELSE '(off) ' END || pg_get_triggerdef(pg_trigger.oid)
FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
WHERE relnamespace = 'punto'::regnamespace AND NOT tgisinternal
UNION ALL
SELECT proname || ': ' || regexp_replace(btrim(prosrc), '\\s+', ' ', 'g') FROM pg_proc WHERE pronamespace = 'punto'::regnamespace
ORDER BY line";

/// What [`SHAPE`] says of a ledger that so many steps have made, from the first that can be read.
const EXPECTED: [&str; NEWEST - FIRST_READABLE + 1] = [
    include_str!("shape-3.txt"),
    include_str!("shape-4.txt"),
    include_str!("shape-5.txt"),
    include_str!("shape-6.txt"),
    include_str!("shape-7.txt"),
    include_str!("shape-8.txt"),
];

impl Postgres {
    /// What is wrong with the store itself, apart from what it holds.
    pub(crate) fn check(&mut self) -> Result<Vec<String>, Error> {
        let mut faults = Vec::new();
        for setting in SETTINGS {
            let value: String = self.one("SELECT current_setting($1)", &[&setting])?.try_get(0)?;
            if value == "off" {
                faults.push(format!("{setting} is off: what was said to be durable may be lost"));
            }
        }
        let rows = self.rows(SHAPE, &[])?;
        let found = rows.iter().map(|row| row.try_get(0)).collect::<Result<Vec<&str>, _>>()?;
        let expected: Vec<&str> = EXPECTED[self.steps - FIRST_READABLE].lines().collect();
        let missing = expected.iter().filter(|line| !found.contains(line));
        let more = found.iter().filter(|line| !expected.contains(line));
        faults.extend(missing.map(|line| format!("the database lacks `{line}`")));
        faults
            .extend(more.map(|line| format!("the database has `{line}`, which this release does not make")));
        Ok(faults)
    }
}
