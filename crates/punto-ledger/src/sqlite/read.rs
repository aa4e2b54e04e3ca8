//! Reading: everything in the order it was written.

use std::ops::ControlFlow;

use punto_record::{Chain, Currency, Digest, PublicKey, Seq, Ticket, TicketNo, Timestamp, Volume};
use punto_rules::Money;
use rusqlite::{OptionalExtension as _, Row, params};

use super::{CURRENCIES, SIGNED, Sqlite, TAGS};
use crate::Error;
use crate::author::Signed;
use crate::part;
use crate::stored::{Archived, Each, KeptCheckpoint, Snapshot, Stored, named};

impl Sqlite {
    /// Everything that is read from now on is of one moment.
    pub(crate) fn hold_still(&mut self) -> Result<(), Error> {
        Ok(self.connection.execute_batch("BEGIN; SELECT 1 FROM volume LIMIT 1")?)
    }

    /// The volumes in the order of their numbers, which count from 1.
    pub(crate) fn volumes(&mut self) -> Result<Vec<Volume>, Error> {
        let mut statement = self.connection.prepare("SELECT id, name FROM volume ORDER BY id")?;
        let rows = statement.query_map([], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?)))?;
        let mut volumes = Vec::new();
        for row in rows {
            let (id, name) = row?;
            if id != volumes.len() as i64 + 1 {
                return Err(Error::damaged("the volumes are not counted from 1"));
            }
            volumes.push(named(&name)?);
        }
        Ok(volumes)
    }

    /// The last entry of a volume that is here.
    pub(crate) fn head(&mut self, id: i64) -> Result<Option<Chain>, Error> {
        let sql = "SELECT seq, link FROM entry WHERE volume = ? ORDER BY seq DESC LIMIT 1";
        let found = self
            .connection
            .prepare_cached(sql)?
            .query_row([id], |row| {
                Ok(Chain { seq: Seq(row.get::<_, i64>(0)? as u64), link: Digest(row.get(1)?) })
            })
            .optional()?;
        Ok(found)
    }

    /// Entries in the tree, those included that were archived.
    pub(crate) fn size(&mut self) -> Result<u64, Error> {
        let last: Option<i64> =
            self.connection.query_row("SELECT max(leaf) FROM entry", [], |row| row.get(0))?;
        let archived = self.archived()?.map_or(0, |archived| archived.tree.size());
        Ok(last.map_or(0, |last| last as u64).max(archived))
    }

    /// Entries of all volumes in the order of the tree, after the leaf.
    pub(crate) fn entries(&mut self, after: u64, each: Each<'_>) -> Result<(), Error> {
        let volumes = self.volumes()?;
        let sql = "SELECT leaf, volume, seq, bytes, link FROM entry WHERE leaf > ? ORDER BY leaf";
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut rows = statement.query([after as i64])?;
        while let Some(row) = rows.next()? {
            if give(row, &volumes, each)?.is_break() {
                break;
            }
        }
        Ok(())
    }

    /// Entries of one volume, after the number.
    pub(crate) fn entries_of(&mut self, volume: &Volume, after: Seq, each: Each<'_>) -> Result<(), Error> {
        let volumes = self.volumes()?;
        let Some(at) = volumes.iter().position(|it| it == volume) else { return Ok(()) };
        let sql =
            "SELECT leaf, volume, seq, bytes, link FROM entry WHERE volume = ? AND seq > ? ORDER BY seq";
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut rows = statement.query(params![at as i64 + 1, after.0 as i64])?;
        while let Some(row) = rows.next()? {
            if give(row, &volumes, each)?.is_break() {
                break;
            }
        }
        Ok(())
    }

    /// Links of all entries after a leaf, with their volume: what the tree is made of.
    pub(crate) fn links(&mut self, after: u64, each: &mut dyn FnMut(&Volume, Chain)) -> Result<(), Error> {
        let volumes = self.volumes()?;
        let sql = "SELECT volume, seq, link FROM entry WHERE leaf > ? ORDER BY leaf";
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut rows = statement.query([after as i64])?;
        while let Some(row) = rows.next()? {
            let chain = Chain { seq: Seq(row.get::<_, i64>(1)? as u64), link: Digest(row.get(2)?) };
            each(volume(&volumes, row.get(0)?)?, chain);
        }
        Ok(())
    }

    /// The bytes of one entry of a volume, and its link.
    pub(crate) fn entry(&mut self, id: i64, seq: Seq) -> Result<Option<(Vec<u8>, Digest)>, Error> {
        let sql = "SELECT bytes, link FROM entry WHERE volume = ? AND seq = ?";
        let found = self
            .connection
            .prepare_cached(sql)?
            .query_row(params![id, seq.0 as i64], |row| Ok((row.get(0)?, Digest(row.get(1)?))))
            .optional()?;
        Ok(found)
    }

    /// One ticket.
    pub(crate) fn ticket(&mut self, no: &TicketNo) -> Result<Option<Ticket>, Error> {
        let sql = "SELECT amount, issued, expires, state, key, tag, currency FROM ticket WHERE no = ?";
        let row = self.connection.prepare_cached(sql)?.query_row([no.as_str()], ticket_row(no)).optional()?;
        row.transpose()
    }

    /// The name of the ticket with this tag.
    pub(crate) fn tagged(&mut self, tag: &Digest) -> Result<Option<TicketNo>, Error> {
        let sql = "SELECT no FROM ticket WHERE tag = ?";
        let no = self.connection.prepare_cached(sql)?.query_row([&tag.0[..]], |row| row.get::<_, String>(0));
        Ok(no.optional()?.map(TicketNo::as_recorded))
    }

    /// All tickets, by name.
    pub(crate) fn tickets(&mut self, each: &mut dyn FnMut(Ticket)) -> Result<(), Error> {
        let later = match self.steps {
            ..TAGS => "NULL, NULL, NULL",
            TAGS..CURRENCIES => "key, tag, NULL",
            CURRENCIES.. => "key, tag, currency",
        };
        let sql = format!("SELECT amount, issued, expires, state, {later}, no FROM ticket ORDER BY no");
        let mut statement = self.connection.prepare(&sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let no = TicketNo::as_recorded(row.get::<_, String>(7)?);
            each(ticket_row(&no)(row)??);
        }
        Ok(())
    }

    /// All checkpoints, by size.
    pub(crate) fn checkpoints(&mut self, each: &mut dyn FnMut(KeptCheckpoint)) -> Result<(), Error> {
        let sql = "SELECT size, at, text, tree FROM checkpoint ORDER BY size, at";
        let mut statement = self.connection.prepare(sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            each(checkpoint_row(row)?);
        }
        Ok(())
    }

    /// The last checkpoint that was kept.
    pub(crate) fn last_checkpoint(&mut self) -> Result<Option<KeptCheckpoint>, Error> {
        let sql = "SELECT size, at, text, tree FROM checkpoint ORDER BY size DESC, at DESC LIMIT 1";
        Ok(self.connection.query_row(sql, [], checkpoint_row).optional()?)
    }

    /// The smallest checkpoint of at least this size.
    pub(crate) fn checkpoint_from(&mut self, size: u64) -> Result<Option<KeptCheckpoint>, Error> {
        let sql = "SELECT size, at, text, tree FROM checkpoint WHERE size >= ? ORDER BY size, at LIMIT 1";
        Ok(self.connection.query_row(sql, [size as i64], checkpoint_row).optional()?)
    }

    /// The largest checkpoint of at most this size.
    pub(crate) fn checkpoint_up_to(&mut self, size: u64) -> Result<Option<KeptCheckpoint>, Error> {
        let sql =
            "SELECT size, at, text, tree FROM checkpoint WHERE size <= ? ORDER BY size DESC, at DESC LIMIT 1";
        Ok(self.connection.query_row(sql, [size as i64], checkpoint_row).optional()?)
    }

    /// Signed commits after a size, in their order.
    pub(crate) fn signed_commits(&mut self, after: u64, each: &mut dyn FnMut(Signed)) -> Result<(), Error> {
        if self.steps < SIGNED {
            return Ok(());
        }
        let sql = "SELECT size, text FROM signed_commit WHERE size > ? ORDER BY size";
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut rows = statement.query([after as i64])?;
        while let Some(row) = rows.next()? {
            each(Signed { size: row.get::<_, i64>(0)? as u64, text: row.get(1)? });
        }
        Ok(())
    }

    const fn snapshot_columns(&self) -> &'static str {
        match self.steps < SIGNED {
            true => "SELECT volume, seq, link, schema, bytes, NULL, NULL",
            false => "SELECT volume, seq, link, schema, bytes, key, signature",
        }
    }

    /// All snapshots, the latest of a volume last.
    pub(crate) fn snapshots(&mut self) -> Result<Vec<Snapshot>, Error> {
        let volumes = self.volumes()?;
        let sql = format!("{} FROM snapshot ORDER BY volume, seq", self.snapshot_columns());
        let mut statement = self.connection.prepare(&sql)?;
        let mut rows = statement.query([])?;
        let mut snapshots = Vec::new();
        while let Some(row) = rows.next()? {
            snapshots.push(snapshot_row(row, &volumes)?);
        }
        Ok(snapshots)
    }

    /// The latest snapshot of a volume that this schema can read.
    pub(crate) fn snapshot(&mut self, of: &Volume, schema: u32) -> Result<Option<Snapshot>, Error> {
        let volumes = self.volumes()?;
        let Some(at) = volumes.iter().position(|it| it == of) else { return Ok(None) };
        let columns = self.snapshot_columns();
        let sql =
            format!("{columns} FROM snapshot WHERE volume = ? AND schema = ? ORDER BY seq DESC LIMIT 1");
        let mut statement = self.connection.prepare_cached(&sql)?;
        let mut rows = statement.query(params![at as i64 + 1, schema])?;
        rows.next()?.map(|row| snapshot_row(row, &volumes)).transpose()
    }

    /// What was archived, if something was.
    pub(crate) fn archived(&mut self) -> Result<Option<Archived>, Error> {
        let sql = "SELECT tree, heads FROM archive ORDER BY size DESC LIMIT 1";
        let row: Option<(String, String)> =
            self.connection.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
        row.map(|(tree, heads)| Archived::read(&tree, &heads)).transpose()
    }
}

fn volume(volumes: &[Volume], id: i64) -> Result<&Volume, Error> {
    let found = usize::try_from(id - 1).ok().and_then(|at| volumes.get(at));
    found.ok_or_else(|| Error::damaged(format!("an entry of a volume {id} that there is not")))
}

fn give(row: &Row<'_>, volumes: &[Volume], each: Each<'_>) -> Result<ControlFlow<()>, Error> {
    let bytes = row.get_ref(3)?.as_blob().map_err(Error::failed)?;
    Ok(each(Stored {
        leaf: row.get::<_, i64>(0)? as u64,
        volume: volume(volumes, row.get(1)?)?,
        seq: Seq(row.get::<_, i64>(2)? as u64),
        bytes,
        link: Digest(row.get(4)?),
    }))
}

fn checkpoint_row(row: &Row<'_>) -> rusqlite::Result<KeptCheckpoint> {
    Ok(KeptCheckpoint {
        size: row.get::<_, i64>(0)? as u64,
        at: Timestamp(row.get::<_, i64>(1)? as u64),
        text: row.get(2)?,
        tree: row.get(3)?,
    })
}

fn snapshot_row(row: &Row<'_>, volumes: &[Volume]) -> Result<Snapshot, Error> {
    Ok(Snapshot {
        volume: volume(volumes, row.get(0)?)?.clone(),
        chain: Chain { seq: Seq(row.get::<_, i64>(1)? as u64), link: Digest(row.get(2)?) },
        schema: row.get(3)?,
        bytes: row.get(4)?,
        // Of another length, it is no signature.
        signed: row.get(5).map(|key| PublicKey(Digest(key))).ok().zip(row.get(6).ok()),
    })
}

/// A ticket from `amount, issued, expires, state, key, tag, currency`.
pub(super) fn ticket_row(no: &TicketNo) -> impl Fn(&Row<'_>) -> rusqlite::Result<Result<Ticket, Error>> {
    move |row| {
        let (amount, issued, expires): (i64, i64, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let state: String = row.get(3)?;
        let (key, tag): (Option<String>, Option<Vec<u8>>) = (row.get(4)?, row.get(5)?);
        let currency = row.get::<_, Option<String>>(6)?.map(Currency::as_recorded);
        let amount = u64::try_from(amount).ok().and_then(Money::new);
        let time = |at: i64| Timestamp(at as u64);
        Ok(amount.ok_or_else(|| Error::damaged(format!("the amount of ticket {no}"))).and_then(|amount| {
            let (state, tag) = (part::state(&state)?, part::tag(key, tag)?);
            let (no, currency, issued, expires) = (no.clone(), currency.clone(), time(issued), time(expires));
            Ok(Ticket { no, amount, currency, issued, expires, tag, state })
        }))
    }
}
