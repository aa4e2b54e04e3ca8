//! Reading: everything in the order it was written, a page at a time.

use std::ops::ControlFlow;

use punto_record::{Chain, Currency, Digest, PublicKey, Seq, Ticket, TicketNo, Timestamp, Volume};
use punto_rules::Money;
use tokio_postgres::Row;

use super::{CURRENCIES, Postgres, SIGNED, TAGS};
use crate::Error;
use crate::author::Signed;
use crate::part;
use crate::stored::{Archived, Each, KeptCheckpoint, Snapshot, Stored, named};

/// Rows that are held in memory at once.
const PAGE: i64 = 4096;

impl Postgres {
    /// Everything that is read from now on is of one moment.
    pub(crate) fn hold_still(&mut self) -> Result<(), Error> {
        // The moment is that of the first query.
        self.batch("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT 1 FROM punto.volume LIMIT 1")
    }

    /// The volumes in the order of their numbers, which count from 1.
    pub(crate) fn volumes(&mut self) -> Result<Vec<Volume>, Error> {
        let mut volumes = Vec::new();
        for row in self.rows("SELECT id, name FROM punto.volume ORDER BY id", &[])? {
            let (id, name): (i64, &str) = (row.try_get(0)?, row.try_get(1)?);
            if id != volumes.len() as i64 + 1 {
                return Err(Error::damaged("the volumes are not counted from 1"));
            }
            volumes.push(named(name)?);
        }
        Ok(volumes)
    }

    /// The last entry of a volume that is here.
    pub(crate) fn head(&mut self, id: i64) -> Result<Option<Chain>, Error> {
        let sql = "SELECT seq, link FROM punto.entry WHERE volume = $1 ORDER BY seq DESC LIMIT 1";
        self.row(sql, &[&id])?.map(|row| chain(&row, 0)).transpose()
    }

    /// Entries in the tree, those included that were archived.
    pub(crate) fn size(&mut self) -> Result<u64, Error> {
        let last: Option<i64> = self.one("SELECT max(leaf) FROM punto.entry", &[])?.try_get(0)?;
        let archived = self.archived()?.map_or(0, |archived| archived.tree.size());
        // Of what was archived the house's own entries are still here.
        Ok(last.map_or(archived, |last| archived.max(last as u64)))
    }

    /// Entries of all volumes in the order of the tree, after the leaf.
    pub(crate) fn entries(&mut self, after: u64, each: Each<'_>) -> Result<(), Error> {
        let sql = "SELECT leaf, volume, seq, bytes, link FROM punto.entry
                   WHERE leaf > $1 ORDER BY leaf LIMIT $2";
        let mut volumes = self.volumes()?;
        let mut after = after as i64;
        loop {
            let page = self.rows(sql, &[&after, &PAGE])?;
            let Some(last) = page.last() else { return Ok(()) };
            after = last.try_get(0)?;
            self.catch_up(&mut volumes, &page, 1)?;
            for row in &page {
                if give(row, &volumes, each)?.is_break() {
                    return Ok(());
                }
            }
        }
    }

    /// Entries of one volume, after the number.
    pub(crate) fn entries_of(&mut self, volume: &Volume, after: Seq, each: Each<'_>) -> Result<(), Error> {
        let sql = "SELECT leaf, volume, seq, bytes, link FROM punto.entry
                   WHERE volume = $1 AND seq > $2 ORDER BY seq LIMIT $3";
        let volumes = self.volumes()?;
        let Some(at) = volumes.iter().position(|it| it == volume) else { return Ok(()) };
        let id = at as i64 + 1;
        let mut after = after.0 as i64;
        loop {
            let page = self.rows(sql, &[&id, &after, &PAGE])?;
            let Some(last) = page.last() else { return Ok(()) };
            after = last.try_get(2)?;
            for row in &page {
                if give(row, &volumes, each)?.is_break() {
                    return Ok(());
                }
            }
        }
    }

    /// Links of all entries after a leaf, with their volume: what the tree is made of.
    pub(crate) fn links(&mut self, after: u64, each: &mut dyn FnMut(&Volume, Chain)) -> Result<(), Error> {
        let sql = "SELECT leaf, volume, seq, link FROM punto.entry WHERE leaf > $1 ORDER BY leaf LIMIT $2";
        let mut volumes = self.volumes()?;
        let mut after = after as i64;
        loop {
            let page = self.rows(sql, &[&after, &PAGE])?;
            let Some(last) = page.last() else { return Ok(()) };
            after = last.try_get(0)?;
            self.catch_up(&mut volumes, &page, 1)?;
            for row in &page {
                each(volume(&volumes, row.try_get(1)?)?, chain(row, 2)?);
            }
        }
    }

    /// Between two pages somebody may have opened a table.
    fn catch_up(&mut self, volumes: &mut Vec<Volume>, page: &[Row], column: usize) -> Result<(), Error> {
        for row in page {
            if row.try_get::<_, i64>(column)? > volumes.len() as i64 {
                *volumes = self.volumes()?;
                break;
            }
        }
        Ok(())
    }

    /// The bytes of one entry of a volume, and its link.
    pub(crate) fn entry(&mut self, id: i64, seq: Seq) -> Result<Option<(Vec<u8>, Digest)>, Error> {
        let sql = "SELECT bytes, seq, link FROM punto.entry WHERE volume = $1 AND seq = $2";
        let found = self.row(sql, &[&id, &(seq.0 as i64)])?;
        found.map(|row| Ok((row.try_get(0)?, chain(&row, 1)?.link))).transpose()
    }

    /// One ticket.
    pub(crate) fn ticket(&mut self, no: &TicketNo) -> Result<Option<Ticket>, Error> {
        let sql = "SELECT no, amount, issued, expires, state, key, tag, currency
                   FROM punto.ticket WHERE no = $1";
        self.row(sql, &[&no.as_str()])?.map(|row| ticket(&row)).transpose()
    }

    /// The name of the ticket with this tag.
    pub(crate) fn tagged(&mut self, tag: &Digest) -> Result<Option<TicketNo>, Error> {
        let sql = "SELECT no FROM punto.ticket WHERE tag = $1";
        let row = self.row(sql, &[&&tag.0[..]])?;
        row.map(|row| Ok(TicketNo::as_recorded(row.try_get::<_, &str>(0)?))).transpose()
    }

    /// All tickets, by name.
    pub(crate) fn tickets(&mut self, each: &mut dyn FnMut(Ticket)) -> Result<(), Error> {
        let sql = match self.steps {
            ..TAGS => {
                "SELECT no, amount, issued, expires, state, NULL::text, NULL::bytea, NULL::text
                 FROM punto.ticket WHERE no > $1 ORDER BY no LIMIT $2"
            }
            TAGS..CURRENCIES => {
                "SELECT no, amount, issued, expires, state, key, tag, NULL::text
                 FROM punto.ticket WHERE no > $1 ORDER BY no LIMIT $2"
            }
            CURRENCIES.. => {
                "SELECT no, amount, issued, expires, state, key, tag, currency
                 FROM punto.ticket WHERE no > $1 ORDER BY no LIMIT $2"
            }
        };
        let mut after = String::new();
        loop {
            let page = self.rows(sql, &[&after, &PAGE])?;
            let Some(last) = page.last() else { return Ok(()) };
            after = last.try_get(0)?;
            for row in &page {
                each(ticket(row)?);
            }
        }
    }

    /// All checkpoints, by size.
    pub(crate) fn checkpoints(&mut self, each: &mut dyn FnMut(KeptCheckpoint)) -> Result<(), Error> {
        let sql = "SELECT size, at, text, tree FROM punto.checkpoint
                   WHERE (size, at) > ($1, $2) ORDER BY size, at LIMIT $3";
        let mut after = (-1_i64, -1_i64);
        loop {
            let page = self.rows(sql, &[&after.0, &after.1, &PAGE])?;
            let Some(last) = page.last() else { return Ok(()) };
            after = (last.try_get(0)?, last.try_get(1)?);
            for row in &page {
                each(checkpoint(row)?);
            }
        }
    }

    /// The last checkpoint that was kept.
    pub(crate) fn last_checkpoint(&mut self) -> Result<Option<KeptCheckpoint>, Error> {
        let sql = "SELECT size, at, text, tree FROM punto.checkpoint ORDER BY size DESC, at DESC LIMIT 1";
        self.row(sql, &[])?.map(|row| checkpoint(&row)).transpose()
    }

    /// The smallest checkpoint of at least this size.
    pub(crate) fn checkpoint_from(&mut self, size: u64) -> Result<Option<KeptCheckpoint>, Error> {
        let sql = "SELECT size, at, text, tree FROM punto.checkpoint
                   WHERE size >= $1 ORDER BY size, at LIMIT 1";
        self.row(sql, &[&(size as i64)])?.map(|row| checkpoint(&row)).transpose()
    }

    /// The largest checkpoint of at most this size.
    pub(crate) fn checkpoint_up_to(&mut self, size: u64) -> Result<Option<KeptCheckpoint>, Error> {
        let sql = "SELECT size, at, text, tree FROM punto.checkpoint
                   WHERE size <= $1 ORDER BY size DESC, at DESC LIMIT 1";
        self.row(sql, &[&(size as i64)])?.map(|row| checkpoint(&row)).transpose()
    }

    /// Signed commits after a size, in their order.
    pub(crate) fn signed_commits(&mut self, after: u64, each: &mut dyn FnMut(Signed)) -> Result<(), Error> {
        if self.steps < SIGNED {
            return Ok(());
        }
        let sql = "SELECT size, text FROM punto.signed_commit WHERE size > $1 ORDER BY size LIMIT $2";
        let mut after = after as i64;
        loop {
            let page = self.rows(sql, &[&after, &PAGE])?;
            let Some(last) = page.last() else { return Ok(()) };
            after = last.try_get(0)?;
            for row in &page {
                each(Signed { size: row.try_get::<_, i64>(0)? as u64, text: row.try_get(1)? });
            }
        }
    }

    /// All snapshots, the latest of a volume last.
    pub(crate) fn snapshots(&mut self) -> Result<Vec<Snapshot>, Error> {
        let volumes = self.volumes()?;
        let sql = match self.steps < SIGNED {
            true => {
                "SELECT volume, seq, link, schema, bytes, NULL::bytea, NULL::bytea FROM punto.snapshot
                 ORDER BY volume, seq"
            }
            false => {
                "SELECT volume, seq, link, schema, bytes, key, signature FROM punto.snapshot ORDER BY volume, seq"
            }
        };
        self.rows(sql, &[])?.iter().map(|row| snapshot(row, &volumes)).collect()
    }

    /// The latest snapshot of a volume that this schema can read.
    pub(crate) fn snapshot(&mut self, of: &Volume, schema: u32) -> Result<Option<Snapshot>, Error> {
        let volumes = self.volumes()?;
        let Some(at) = volumes.iter().position(|it| it == of) else { return Ok(None) };
        let sql = "SELECT volume, seq, link, schema, bytes, key, signature FROM punto.snapshot
                   WHERE volume = $1 AND schema = $2 ORDER BY seq DESC LIMIT 1";
        let row = self.row(sql, &[&(at as i64 + 1), &i64::from(schema)])?;
        row.map(|row| snapshot(&row, &volumes)).transpose()
    }

    /// What was archived, if something was.
    pub(crate) fn archived(&mut self) -> Result<Option<Archived>, Error> {
        let sql = "SELECT tree, heads FROM punto.archive ORDER BY size DESC LIMIT 1";
        let row = self.row(sql, &[])?;
        row.map(|row| Archived::read(row.try_get(0)?, row.try_get(1)?)).transpose()
    }
}

fn volume(volumes: &[Volume], id: i64) -> Result<&Volume, Error> {
    let found = usize::try_from(id - 1).ok().and_then(|at| volumes.get(at));
    found.ok_or_else(|| Error::damaged(format!("an entry of a volume {id} that there is not")))
}

/// A chain from `seq, link` at this column.
fn chain(row: &Row, at: usize) -> Result<Chain, Error> {
    let seq = Seq(row.try_get::<_, i64>(at)? as u64);
    Ok(Chain { seq, link: link(row, at + 1)? })
}

fn link(row: &Row, at: usize) -> Result<Digest, Error> {
    let bytes: &[u8] = row.try_get(at)?;
    bytes.try_into().map(Digest).map_err(|_| Error::damaged("a link that has not 32 bytes"))
}

fn give(row: &Row, volumes: &[Volume], each: Each<'_>) -> Result<ControlFlow<()>, Error> {
    Ok(each(Stored {
        leaf: row.try_get::<_, i64>(0)? as u64,
        volume: volume(volumes, row.try_get(1)?)?,
        seq: Seq(row.try_get::<_, i64>(2)? as u64),
        bytes: row.try_get(3)?,
        link: link(row, 4)?,
    }))
}

fn checkpoint(row: &Row) -> Result<KeptCheckpoint, Error> {
    Ok(KeptCheckpoint {
        size: row.try_get::<_, i64>(0)? as u64,
        at: Timestamp(row.try_get::<_, i64>(1)? as u64),
        text: row.try_get(2)?,
        tree: row.try_get(3)?,
    })
}

fn snapshot(row: &Row, volumes: &[Volume]) -> Result<Snapshot, Error> {
    let schema: i64 = row.try_get(3)?;
    Ok(Snapshot {
        volume: volume(volumes, row.try_get(0)?)?.clone(),
        chain: chain(row, 1)?,
        schema: u32::try_from(schema)
            .map_err(|_| Error::damaged(format!("a snapshot's schema is {schema}")))?,
        bytes: row.try_get(4)?,
        signed: signed(row)?,
    })
}

/// Who signed a snapshot, from `key, signature`; of another length, they are none.
fn signed(row: &Row) -> Result<Option<(PublicKey, [u8; 64])>, Error> {
    let (key, signature): (Option<&[u8]>, Option<&[u8]>) = (row.try_get(5)?, row.try_get(6)?);
    let key = key.and_then(|key| key.try_into().ok()).map(|key| PublicKey(Digest(key)));
    Ok(key.zip(signature.and_then(|signature| signature.try_into().ok())))
}

/// A ticket from `no, amount, issued, expires, state, key, tag, currency`.
fn ticket(row: &Row) -> Result<Ticket, Error> {
    let no = TicketNo::as_recorded(row.try_get::<_, &str>(0)?);
    let amount = u64::try_from(row.try_get::<_, i64>(1)?).ok().and_then(Money::new);
    let amount = amount.ok_or_else(|| Error::damaged(format!("the amount of ticket {no}")))?;
    let time = |at: usize| row.try_get::<_, i64>(at).map(|at| Timestamp(at as u64));
    let (state, tag) = (part::state(row.try_get(4)?)?, part::tag(row.try_get(5)?, row.try_get(6)?)?);
    let currency = row.try_get::<_, Option<String>>(7)?.map(Currency::as_recorded);
    Ok(Ticket { no, amount, currency, issued: time(2)?, expires: time(3)?, tag, state })
}
