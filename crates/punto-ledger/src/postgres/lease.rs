//! The lease in the database: taking it, renewing it, giving it back.

use std::thread;
use std::time::Duration;

use tokio_postgres::Row as Answer;

use super::Postgres;
use super::keeper::{Keeper, boot_time};
use crate::Error;
use crate::lease::{Holder, LEASE, Row, Watch};
use crate::process::this_process;

/// How often whoever waits looks.
const LOOK: Duration = Duration::from_millis(250);

/// How long it is waited for a ledger that has its writer, and for a database that went away meanwhile.
const WAIT: Duration = LEASE.saturating_mul(2);

/// How long at most, however often the database goes away.
const LONGEST: Duration = WAIT.saturating_mul(3);

/// Ends the sessions of writers before: one that hangs in a commit would hold up the next writer.
const END_SESSIONS: &str = "
SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity
WHERE datname = current_database() AND application_name LIKE 'punto writer %' AND pid <> pg_backend_pid()";

impl Postgres {
    /// Becomes the one writer. Where there is one, its lease has to end first; `waiting` is told about it.
    pub(crate) fn take_over(&mut self, waiting: &mut dyn FnMut(&str)) -> Result<i64, Error> {
        let (mut watch, mut is_told) = (Watch::default(), false);
        let begun = boot_time();
        let mut until = begun + WAIT;
        loop {
            match self.try_take(&mut watch) {
                Ok(Ok(term)) => return Ok(term),
                Ok(Err(_)) if boot_time() < until => {}
                Ok(Err(owner)) => return Err(Error::Owned(owner.into())),
                Err(Error::Unreachable(_) | Error::Failed(_)) if boot_time() < until => {
                    // What it does meanwhile is not seen.
                    watch.lose();
                    if let Ok(again) = self.again() {
                        *self = again;
                        until = (boot_time() + WAIT).min(begun + LONGEST);
                    }
                }
                Err(error) => return Err(error),
            }
            if !is_told && let Ok(row) = self.lease() {
                waiting(&words(&row));
                is_told = true;
            }
            thread::sleep(LOOK);
        }
    }

    /// Takes the lease if it may be taken; the owner, if not.
    fn try_take(&mut self, watch: &mut Watch) -> Result<Result<i64, String>, Error> {
        let sent = boot_time();
        let row = self.lease()?;
        if watch.may_take(&row, sent, boot_time())
            && let Some(term) = self.take(|found, _| *found == row)?
        {
            return Ok(Ok(term));
        }
        Ok(Err(words(&row)))
    }

    /// Goes on as the writer that it was: refused if another term has begun.
    pub(crate) fn take_over_from(&mut self, fence: i64) -> Result<i64, Error> {
        self.take(|found, is_own| found.term == fence || is_own)?.ok_or(Error::Fenced)
    }

    /// Begins the next term if the row is as it should be. Sessions of earlier terms are ended, and what they may still do comes
    /// before this or not at all: every commit holds the row of the term.
    fn take(&mut self, is_expected: impl FnOnce(&Row, bool) -> bool) -> Result<Option<i64>, Error> {
        let sent = boot_time();
        let (owner, claim) = (this_process(), self.claim.to_string());
        let taken = self.transaction(|store| {
            let sql = "SELECT owner, term, beat, claim IS NOT DISTINCT FROM $1 FROM punto.lease
                       WHERE one = 1 FOR UPDATE";
            let found = store.one(sql, &[&claim])?;
            if !is_expected(&read(&found)?, found.try_get(3)?) {
                return Ok(None);
            }
            // Who is not allowed to end them waits for them instead.
            store.batch("SAVEPOINT sessions")?;
            let ended = store.batch(END_SESSIONS);
            store.batch(if ended.is_ok() {
                "RELEASE SAVEPOINT sessions"
            } else {
                "ROLLBACK TO SAVEPOINT sessions"
            })?;
            let sql = "UPDATE punto.writer SET fence = fence + 1 WHERE one = 1 RETURNING fence";
            let term: i64 = store.one(sql, &[])?.try_get(0)?;
            let sql =
                "UPDATE punto.lease SET owner = $1, claim = $2, term = $3, beat = beat + 1 WHERE one = 1";
            store.execute(sql, &[&owner, &claim, &term])?;
            store.is_of_term(term)?;
            Ok(Some(term))
        })?;
        if let Some(term) = taken {
            self.keeper = Some(Keeper::start(&self.address.0, term, Holder::taken(sent))?);
        }
        Ok(taken)
    }

    /// Names this session, for whoever takes over.
    pub(super) fn is_of_term(&mut self, term: i64) -> Result<(), Error> {
        let name = format!("punto writer {term}");
        self.one("SELECT set_config('application_name', $1, false)", &[&name])?;
        Ok(())
    }

    /// Whether the lease is of this term; if so, it is renewed.
    pub(super) fn renew(&mut self, term: i64) -> Result<bool, Error> {
        let sql = "UPDATE punto.lease SET beat = beat + 1 WHERE one = 1 AND term = $1 AND owner IS NOT NULL";
        Ok(self.execute(sql, &[&term])? == 1)
    }

    /// Gives the lease back, if it is of this term: the next writer need not wait.
    pub(super) fn give_back(&mut self, term: i64) -> Result<(), Error> {
        self.execute("UPDATE punto.lease SET owner = NULL WHERE one = 1 AND term = $1", &[&term])?;
        Ok(())
    }

    /// Ends the term of whoever writes.
    pub(crate) fn end_term(&mut self) -> Result<(), Error> {
        self.transaction(|store| {
            store.execute("UPDATE punto.writer SET fence = fence + 1 WHERE one = 1", &[])?;
            let sql =
                "UPDATE punto.lease SET owner = NULL, term = fence FROM punto.writer WHERE lease.one = 1";
            store.execute(sql, &[])?;
            Ok(())
        })
    }

    /// Checks that the lease has not ended by this process's own clock. A ledger that is just being made has none.
    pub(crate) fn require_lease(&mut self) -> Result<(), Error> {
        self.keeper.as_ref().map_or(Ok(()), Keeper::require)
    }

    fn lease(&mut self) -> Result<Row, Error> {
        read(&self.one("SELECT owner, term, beat FROM punto.lease WHERE one = 1", &[])?)
    }
}

fn read(row: &Answer) -> Result<Row, Error> {
    Ok(Row { owner: row.try_get(0)?, term: row.try_get(1)?, beat: row.try_get(2)? })
}

fn words(row: &Row) -> String {
    match &row.owner {
        Some(owner) => format!("{owner} (term {})", row.term),
        None => "another process".to_owned(),
    }
}
