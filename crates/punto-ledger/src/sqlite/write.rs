//! Writing: one transaction for a group of batches, a savepoint for each.

use punto_record::planted::{Bug, is};
use punto_record::{Currency, Sealed, Ticket, TicketAnswer, TicketMove, Volume};
use rusqlite::{
    Connection, ErrorCode, OptionalExtension as _, Params, Transaction, TransactionBehavior, params,
};

use super::Sqlite;
use crate::author::{Author, Signed};
use crate::part::{Part, refusal, step, word};
use crate::stored::{Archived, KeptCheckpoint, Snapshot, Thin};
use crate::{Error, tickets};

impl Sqlite {
    /// Becomes the one writer: whoever wrote before cannot any more.
    pub(crate) fn take_over(&mut self, _waiting: &mut dyn FnMut(&str)) -> Result<i64, Error> {
        self.own()?;
        self.next_term("UPDATE writer SET fence = fence + 1 RETURNING fence", [])?.ok_or(Error::Fenced)
    }

    /// The kernel keeps the lock as long as this process lives.
    #[allow(clippy::unused_self, clippy::unnecessary_wraps, reason = "one contract for both stores")]
    pub(crate) fn require_lease(&mut self) -> Result<(), Error> {
        Ok(())
    }

    /// Ends the term of whoever writes, as a program does that knows nothing of the lock.
    pub(crate) fn end_term(&mut self) -> Result<(), Error> {
        self.connection.execute("UPDATE writer SET fence = fence + 1", [])?;
        Ok(())
    }

    /// Goes on as the writer that it was: refused if another one has taken over meanwhile.
    pub(crate) fn take_over_from(&mut self, fence: i64) -> Result<i64, Error> {
        let sql = "UPDATE writer SET fence = fence + 1 WHERE fence = ?1 RETURNING fence";
        self.next_term(sql, [fence])?.ok_or(Error::Fenced)
    }

    /// Begins a term, durably. Without a transaction around it SQLite would commit when the statement is let go of, after it has
    /// given its row, and nobody would hear that the disk is full.
    fn next_term(&mut self, sql: &str, params: impl Params) -> Result<Option<i64>, Error> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let term = transaction.query_row(sql, params, |row| row.get(0)).optional()?;
        transaction.commit()?;
        Ok(term)
    }

    /// Appends a group. Each batch is taken whole or refused whole; the group is durable when this returns.
    pub(crate) fn commit(
        &mut self,
        author: &Author<'_>,
        size: u64,
        group: &[Part<'_>],
    ) -> Result<Vec<Result<i64, Error>>, Error> {
        let mut transaction = self.fenced(author.term)?;
        let mut leaf = size as i64;
        let mut results = Vec::with_capacity(group.len());
        let mut taken = Vec::with_capacity(group.len());
        for part in group {
            let savepoint = transaction.savepoint()?;
            let result = append(&savepoint, leaf, part);
            match &result {
                Ok(_) => {
                    leaf += part.batch.entries.len() as i64;
                    taken.push(part);
                    savepoint.commit()?;
                }
                Err(error) if error.is_refusal() => savepoint.finish()?,
                Err(error) => return Err(error.clone()),
            }
            results.push(result);
        }
        if !taken.is_empty() {
            insert_signed(&transaction, &author.sign(size, taken))?;
        }
        transaction.commit()?;
        Ok(results)
    }

    /// Moves entries after this leaf, and commits that claim them, out of the record: nobody signed for them.
    pub(crate) fn put_aside(&mut self, fence: i64, after: u64) -> Result<(), Error> {
        let transaction = self.fenced(fence)?;
        transaction.execute(
            "INSERT INTO put_aside (leaf, volume, seq, bytes, link)
             SELECT leaf, volume, seq, bytes, link FROM entry WHERE leaf > ? ORDER BY leaf",
            [after as i64],
        )?;
        transaction.execute("DELETE FROM entry WHERE leaf > ?", [after as i64])?;
        transaction.execute("DELETE FROM signed_commit WHERE size > ?", [after as i64])?;
        Ok(transaction.commit()?)
    }

    pub(crate) fn fill_signed(&mut self, signed: &Signed) -> Result<(), Error> {
        insert_signed(&self.connection, signed)
    }

    fn fenced(&mut self, fence: i64) -> Result<Transaction<'_>, Error> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let held: i64 =
            transaction.prepare_cached("SELECT fence FROM writer")?.query_row([], |row| row.get(0))?;
        // Planted: whoever wrote before goes on.
        if held == fence || is(Bug::FenceIgnored) { Ok(transaction) } else { Err(Error::Fenced) }
    }

    /// Keeps a checkpoint.
    pub(crate) fn keep_checkpoint(
        &mut self,
        fence: i64,
        kept: &KeptCheckpoint,
        thin: Option<Thin>,
    ) -> Result<(), Error> {
        let transaction = self.fenced(fence)?;
        insert_checkpoint(&transaction, kept)?;
        // From here on the checkpoint signs for them.
        transaction
            .prepare_cached("DELETE FROM signed_commit WHERE size <= ?")?
            .execute([kept.size as i64])?;
        if let Some(thin) = thin {
            for (until, each) in thin.steps() {
                transaction.execute(
                    "DELETE FROM checkpoint WHERE at < ?1
                       AND size NOT IN (SELECT max(size) FROM checkpoint GROUP BY at / ?2)
                       AND size NOT IN (SELECT size FROM archive)",
                    [until, each],
                )?;
            }
        }
        Ok(transaction.commit()?)
    }

    /// Keeps a snapshot and drops older ones, but for the one that an archive begins with.
    pub(crate) fn keep_snapshot(&mut self, fence: i64, snapshot: &Snapshot) -> Result<(), Error> {
        let archived = self.archived()?;
        let base = Archived::begins(archived.as_ref(), &snapshot.volume).seq;
        let transaction = self.fenced(fence)?;
        let name = snapshot.volume.to_string();
        let id = transaction.query_row("SELECT id FROM volume WHERE name = ?", [name], |row| row.get(0))?;
        let others = "DELETE FROM snapshot WHERE volume = ? AND seq <> ?";
        transaction.prepare_cached(others)?.execute(params![id, base.0 as i64])?;
        insert_snapshot(&transaction, id, snapshot)?;
        Ok(transaction.commit()?)
    }

    /// Deletes all snapshots that are not the beginning of what is here.
    pub(crate) fn drop_snapshots(&mut self, fence: i64) -> Result<(), Error> {
        let archived = self.archived()?;
        let volumes = self.volumes()?;
        let transaction = self.fenced(fence)?;
        for (id, volume) in (1_i64..).zip(&volumes) {
            let base = Archived::begins(archived.as_ref(), volume).seq;
            transaction
                .execute("DELETE FROM snapshot WHERE volume = ? AND seq <> ?", params![id, base.0 as i64])?;
        }
        Ok(transaction.commit()?)
    }

    /// Says that entries up to the tree's size live elsewhere and deletes them here, but for the house's own.
    pub(crate) fn archive(
        &mut self,
        fence: i64,
        archived: &Archived,
        snapshots: &[Snapshot],
    ) -> Result<(), Error> {
        let size = archived.tree.size() as i64;
        let transaction = self.fenced(fence)?;
        insert_archive(&transaction, archived)?;
        for snapshot in snapshots {
            let name = snapshot.volume.to_string();
            let id =
                transaction.query_row("SELECT id FROM volume WHERE name = ?", [name], |row| row.get(0))?;
            insert_snapshot(&transaction, id, snapshot)?;
        }
        transaction.execute(
            "DELETE FROM entry WHERE leaf <= ? AND volume <> (SELECT id FROM volume WHERE name = 'house')",
            [size],
        )?;
        // The last checkpoint that covers them stays: it is what the archive is verified against.
        transaction.execute("DELETE FROM checkpoint WHERE size < ?", [size])?;
        transaction.commit()?;
        Ok(self.connection.execute_batch("VACUUM")?)
    }

    /// Begins to fill an empty ledger with what another holds; these are its volumes.
    pub(crate) fn begin_fill(&mut self, volumes: &[Volume]) -> Result<(), Error> {
        self.connection.execute_batch("BEGIN IMMEDIATE")?;
        let is_empty: bool =
            self.connection.query_row("SELECT NOT EXISTS (SELECT 1 FROM volume)", [], |row| row.get(0))?;
        if !is_empty {
            self.connection.execute_batch("ROLLBACK")?;
            return Err(Error::unsuitable("the ledger to be filled is not empty"));
        }
        for (id, volume) in (1_i64..).zip(volumes) {
            let row = params![id, volume.to_string()];
            self.connection.execute("INSERT INTO volume (id, name) VALUES (?, ?)", row)?;
        }
        Ok(())
    }

    /// Entries with their place in the tree and the number of their volume.
    pub(crate) fn fill_entries(&mut self, entries: &[(u64, i64, Sealed)]) -> Result<(), Error> {
        entries.iter().try_for_each(|(leaf, id, entry)| insert(&self.connection, *leaf as i64, *id, entry))
    }

    pub(crate) fn fill_ticket(&mut self, ticket: &Ticket) -> Result<(), Error> {
        self.connection.prepare_cached(ISSUE)?.execute(params![
            ticket.no.as_str(),
            ticket.amount.get() as i64,
            ticket.issued.0 as i64,
            ticket.expires.0 as i64,
            word(ticket.state),
            ticket.tag.as_ref().map(|tag| tag.key.as_str()),
            ticket.tag.as_ref().map(|tag| &tag.digest.0[..]),
            ticket.currency.as_ref().map(Currency::as_str),
        ])?;
        Ok(())
    }

    pub(crate) fn fill_checkpoint(&mut self, kept: &KeptCheckpoint) -> Result<(), Error> {
        insert_checkpoint(&self.connection, kept)
    }

    pub(crate) fn fill_snapshot(&mut self, id: i64, snapshot: &Snapshot) -> Result<(), Error> {
        insert_snapshot(&self.connection, id, snapshot)
    }

    pub(crate) fn fill_archived(&mut self, archived: &Archived) -> Result<(), Error> {
        insert_archive(&self.connection, archived)
    }

    /// Makes what was filled in durable.
    pub(crate) fn end_fill(&mut self) -> Result<(), Error> {
        Ok(self.connection.execute_batch("COMMIT")?)
    }
}

const ISSUE: &str = "INSERT INTO ticket (no, amount, issued, expires, state, key, tag, currency) VALUES (?, ?, ?, ?, ?, ?, ?, ?)";

fn insert_archive(connection: &Connection, archived: &Archived) -> Result<(), Error> {
    let (tree, heads) = archived.texts();
    connection.execute(
        "INSERT INTO archive (size, tree, heads) VALUES (?, ?, ?)",
        params![archived.tree.size() as i64, tree, heads],
    )?;
    Ok(())
}

fn insert_signed(connection: &Connection, signed: &Signed) -> Result<(), Error> {
    connection
        .prepare_cached("INSERT INTO signed_commit (size, text) VALUES (?, ?)")?
        .execute(params![signed.size as i64, signed.text])?;
    Ok(())
}

fn insert_checkpoint(connection: &Connection, kept: &KeptCheckpoint) -> Result<(), Error> {
    connection
        .prepare_cached("INSERT OR REPLACE INTO checkpoint (size, at, text, tree) VALUES (?, ?, ?, ?)")?
        .execute(params![kept.size as i64, kept.at.0 as i64, kept.text, kept.tree])?;
    Ok(())
}

fn insert_snapshot(connection: &Connection, id: i64, snapshot: &Snapshot) -> Result<(), Error> {
    connection
        .prepare_cached(
            "INSERT OR REPLACE INTO snapshot (volume, seq, link, schema, bytes, key, signature)
             VALUES (?, ?, ?, ?, ?, ?, ?)",
        )?
        .execute(params![
            id,
            snapshot.chain.seq.0 as i64,
            snapshot.chain.link.0,
            snapshot.schema,
            snapshot.bytes,
            snapshot.signed.map(|(key, _)| key.0.0),
            snapshot.signed.as_ref().map(|(_, signature)| &signature[..]),
        ])?;
    Ok(())
}

/// Appends one batch and gives the number of its volume.
fn append(connection: &Connection, mut leaf: i64, part: &Part<'_>) -> Result<i64, Error> {
    let id = match part.id {
        Some(id) => id,
        None => {
            let sql =
                "INSERT INTO volume (id, name) SELECT coalesce(max(id), 0) + 1, ? FROM volume RETURNING id";
            connection.prepare_cached(sql)?.query_row([part.volume.to_string()], |row| row.get(0))?
        }
    };
    for (at, entry) in part.batch.entries.iter().enumerate() {
        leaf += 1;
        // Planted: the last entry of a longer batch is not written.
        if is(Bug::EntryLost) && at > 0 && at + 1 == part.batch.entries.len() && *part.volume != Volume::House
        {
            continue;
        }
        insert(connection, leaf, id, entry)?;
    }
    part.batch.tickets.iter().try_for_each(|asked| carry_out(connection, asked))?;
    part.rows.iter().try_for_each(|write| super::register::write(connection, write))?;
    Ok(id)
}

fn insert(connection: &Connection, leaf: i64, volume: i64, entry: &Sealed) -> Result<(), Error> {
    connection
        .prepare_cached("INSERT INTO entry (leaf, volume, seq, bytes, link) VALUES (?, ?, ?, ?, ?)")?
        .execute(params![leaf, volume, entry.seq.0 as i64, entry.bytes, entry.chain.0])
        .map_err(|error| match error.sqlite_error_code() {
            // The fence is still this writer's, in this very transaction.
            Some(ErrorCode::ConstraintViolation) => Error::ForeignRows,
            Some(_) | None => error.into(),
        })?;
    Ok(())
}

fn carry_out(connection: &Connection, asked: &TicketMove) -> Result<(), Error> {
    let (_, to, at) = step(asked);
    if let TicketMove::Issued { ticket, amount, currency, at, expires, tag } = asked {
        let key = tag.as_ref().map(|tag| tag.key.as_str());
        let tag = tag.as_ref().map(|tag| &tag.digest.0[..]);
        let (minor, at, expires) = (amount.get() as i64, at.0 as i64, expires.0 as i64);
        let named = currency.as_ref().map(Currency::as_str);
        let row = params![ticket.as_str(), minor, at, expires, word(to), key, tag, named];
        let taken = connection
            .prepare_cached("SELECT 1 FROM ticket WHERE no = ?1 OR tag = ?2")?
            .exists(params![ticket.as_str(), tag])?;
        if taken {
            return Err(refusal(
                asked,
                TicketAnswer::Reserved { amount: *amount, currency: currency.clone() },
            ));
        }
        connection.prepare_cached(ISSUE)?.execute(row)?;
        return Ok(());
    }
    let found = connection
        .prepare_cached("SELECT amount, issued, expires, state, key, tag, currency FROM ticket WHERE no = ?")?
        .query_row([asked.ticket().as_str()], super::read::ticket_row(asked.ticket()))
        .optional()?
        .transpose()?;
    tickets::may(found.as_ref(), at).map_err(|answer| refusal(asked, answer))?;
    // Planted: the ticket stays good.
    if is(Bug::TicketPaidTwice) {
        return Ok(());
    }
    connection
        .prepare_cached("UPDATE ticket SET state = ? WHERE no = ?")?
        .execute(params![word(to), asked.ticket().as_str()])?;
    Ok(())
}
