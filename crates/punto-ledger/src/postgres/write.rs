//! Writing: a group of batches in one statement where nothing stands in its way, else with a savepoint for each.

use std::collections::BTreeSet;

use futures_util::future::{OptionFuture, join4};
use punto_record::{Currency, Sealed, Ticket, TicketAnswer, TicketMove, TicketTag, Volume};
use tokio::time::Instant;
use tokio_postgres::error::SqlState;

use super::{ANSWER, Fault, Params, Postgres, UNHURRIED};
use crate::author::{Author, Signed};
use crate::part::{Part, refusal, step, word};
use crate::stored::{Archived, KeptCheckpoint, Snapshot, Thin};
use crate::{Error, tickets};

/// Inserts entries after a leaf, if the fence is still this writer's. Whoever takes over waits until it is done, and
/// whoever was replaced inserts nothing.
const APPEND: &str = "
WITH held AS MATERIALIZED (SELECT FROM punto.writer WHERE one = 1 AND fence = $1 FOR SHARE),
signed AS (INSERT INTO punto.signed_commit (size, text) SELECT $7, $8 WHERE EXISTS (SELECT FROM held))
INSERT INTO punto.entry (leaf, volume, seq, bytes, link)
SELECT $2 + n, volume, seq, bytes, link
FROM unnest($3::bigint[], $4::bigint[], $5::bytea[], $6::bytea[])
  WITH ORDINALITY AS entry (volume, seq, bytes, link, n)
WHERE EXISTS (SELECT FROM held)";

/// The same for one batch of a group, whose signature comes at the end.
const APPEND_PART: &str = "
WITH held AS MATERIALIZED (SELECT FROM punto.writer WHERE one = 1 AND fence = $1 FOR SHARE)
INSERT INTO punto.entry (leaf, volume, seq, bytes, link)
SELECT $2 + n, volume, seq, bytes, link
FROM unnest($3::bigint[], $4::bigint[], $5::bytea[], $6::bytea[])
  WITH ORDINALITY AS entry (volume, seq, bytes, link, n)
WHERE EXISTS (SELECT FROM held)";

const ISSUE: &str = "
INSERT INTO punto.ticket (no, amount, issued, expires, state, key, tag, currency)
SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::bytea[],
  $8::text[])
ON CONFLICT DO NOTHING";

/// As [`tickets::may`] has it; why one could not be used is looked up where that happens.
const USE: &str = "
UPDATE punto.ticket AS ticket SET state = asked.state
FROM unnest($1::text[], $2::text[], $3::bigint[]) AS asked (no, state, at)
WHERE ticket.no = asked.no AND ticket.state = 'good' AND (asked.at IS NULL OR asked.at <= ticket.expires)";

impl Postgres {
    /// Appends a group. Each batch is taken whole or refused whole; the group is durable when this returns.
    pub(crate) fn commit(
        &mut self,
        author: &Author<'_>,
        size: u64,
        group: &[Part<'_>],
    ) -> Result<Vec<Result<i64, Error>>, Error> {
        self.require_lease()?;
        self.until = Some(Instant::now() + ANSWER);
        let done = match self.commit_whole(author, size, group) {
            Ok(Some(ids)) => Ok(ids.into_iter().map(Ok).collect()),
            Ok(None) => self.transaction(|store| store.commit_each(author, size, group)),
            Err(error) => Err(error),
        };
        self.until = None;
        // Whoever slept over the end of its lease says nothing any more, though the record has it.
        self.require_lease()?;
        done
    }

    /// Appends the whole group at once. `None`, and nothing written, where something must be looked at more closely: a
    /// volume is new, a batch is refused, or the register changes.
    fn commit_whole(
        &mut self,
        author: &Author<'_>,
        size: u64,
        group: &[Part<'_>],
    ) -> Result<Option<Vec<i64>>, Error> {
        let Some(ids) = group.iter().map(|part| part.id).collect::<Option<Vec<i64>>>() else {
            return Ok(None);
        };
        if group.iter().any(|part| !part.rows.is_empty()) {
            return Ok(None);
        }
        let mut rows = Rows::default();
        for (id, part) in ids.iter().zip(group) {
            part.batch.entries.iter().for_each(|entry| rows.push(*id, entry));
        }
        let moves: Vec<&TicketMove> = group.iter().flat_map(|part| &part.batch.tickets).collect();
        let numbers: BTreeSet<&str> = moves.iter().map(|asked| asked.ticket().as_str()).collect();
        // In one statement nobody says which of two moves comes first.
        if numbers.len() != moves.len() || rows.volumes.is_empty() {
            return Ok(None);
        }
        let at = Appending { fence: author.term, size: size as i64, signed: author.sign(size, group) };
        let written = match moves.is_empty() {
            true => self.append_alone(&at, &rows)?,
            false => self.append_with_tickets(&at, &rows, &moves)?,
        };
        Ok(written.then_some(ids))
    }

    /// One statement, one transaction, one answer: it comes after the commit.
    fn append_alone(&mut self, at: &Appending, rows: &Rows<'_>) -> Result<bool, Error> {
        let Rows { volumes, seqs, bytes, links } = rows;
        let Appending { fence, size, signed } = at;
        let (after, text) = (signed.size as i64, &signed.text);
        let written = self.execute(APPEND, &[fence, size, volumes, seqs, bytes, links, &after, text]);
        all(written, volumes.len()).and_then(|written| match written {
            Written::All => Ok(true),
            Written::Taken => Ok(false),
            Written::Less => Err(Error::Fenced),
        })
    }

    /// Everything is sent before the first answer is waited for; only the commit waits for all of them.
    fn append_with_tickets(
        &mut self,
        at: &Appending,
        rows: &Rows<'_>,
        moves: &[&TicketMove],
    ) -> Result<bool, Error> {
        let Rows { volumes, seqs, bytes, links } = rows;
        let Appending { fence, size, signed } = at;
        let (after, text) = (signed.size as i64, &signed.text);
        let (issues, uses) = (Issues::of(moves), Uses::of(moves));
        let (append, issue, r#use) = (self.prepared(APPEND)?, self.prepared(ISSUE)?, self.prepared(USE)?);
        let Issues { numbers, amounts, issued, expires, states, keys, tags, currencies } = &issues;
        let append_params: Params<'_> = &[fence, size, volumes, seqs, bytes, links, &after, text];
        let issue_params: Params<'_> = &[numbers, amounts, issued, expires, states, keys, tags, currencies];
        let use_params: Params<'_> = &[&uses.numbers, &uses.states, &uses.times];
        let client = &self.client;
        let sent = join4(
            client.batch_execute("BEGIN"),
            client.execute(&append, append_params),
            OptionFuture::from((!numbers.is_empty()).then(|| client.execute(&issue, issue_params))),
            OptionFuture::from((!uses.numbers.is_empty()).then(|| client.execute(&r#use, use_params))),
        );
        let (begun, appended, issued, used) = self.wait(async { Ok(sent.await) })?;
        let written = begun.map_err(Error::from).and_then(|()| {
            let entries = match all(appended.map_err(Fault::Told), volumes.len())? {
                Written::All => true,
                Written::Taken => false,
                Written::Less => return Err(Error::Fenced),
            };
            let tickets = |moved: Option<Result<u64, _>>, asked: usize| match moved {
                Some(moved) if entries => {
                    all(moved.map_err(Fault::Told), asked).map(|moved| moved == Written::All)
                }
                Some(_) | None => Ok(entries),
            };
            Ok(tickets(issued, numbers.len())? && tickets(used, uses.numbers.len())?)
        });
        match written {
            Ok(true) => self.batch("COMMIT").map(|()| true),
            Ok(false) => self.batch("ROLLBACK").map(|()| false),
            Err(error) => {
                self.batch("ROLLBACK").ok();
                Err(error)
            }
        }
    }

    /// Appends the batches one by one, so that a refusal concerns one only.
    fn commit_each(
        &mut self,
        author: &Author<'_>,
        size: u64,
        group: &[Part<'_>],
    ) -> Result<Vec<Result<i64, Error>>, Error> {
        self.is_writer(author.term)?;
        let mut leaf = size as i64;
        let mut results = Vec::with_capacity(group.len());
        let mut taken = Vec::with_capacity(group.len());
        for part in group {
            self.batch("SAVEPOINT part")?;
            let result = self.append(author.term, leaf, part);
            match &result {
                Ok(_) => {
                    leaf += part.batch.entries.len() as i64;
                    taken.push(part);
                    self.batch("RELEASE SAVEPOINT part")?;
                }
                Err(error) if error.is_refusal() => {
                    self.batch("ROLLBACK TO SAVEPOINT part; RELEASE SAVEPOINT part")?;
                }
                Err(error) => return Err(error.clone()),
            }
            results.push(result);
        }
        if !taken.is_empty() {
            self.fill_signed(&author.sign(size, taken))?;
        }
        Ok(results)
    }

    /// Moves entries after this leaf, and commits that claim them, out of the record: nobody signed for them.
    pub(crate) fn put_aside(&mut self, fence: i64, after: u64) -> Result<(), Error> {
        let after = after as i64;
        self.fenced_unhurried(fence, |store| {
            let sql = "INSERT INTO punto.put_aside (leaf, volume, seq, bytes, link)
                       SELECT leaf, volume, seq, bytes, link FROM punto.entry WHERE leaf > $1 ORDER BY leaf";
            store.execute(sql, &[&after])?;
            store.execute("DELETE FROM punto.entry WHERE leaf > $1", &[&after])?;
            store.execute("DELETE FROM punto.signed_commit WHERE size > $1", &[&after])?;
            Ok(())
        })
    }

    pub(crate) fn fill_signed(&mut self, signed: &Signed) -> Result<(), Error> {
        let sql = "INSERT INTO punto.signed_commit (size, text) VALUES ($1, $2)";
        self.execute(sql, &[&(signed.size as i64), &signed.text])?;
        Ok(())
    }

    /// Appends one batch and gives the number of its volume.
    fn append(&mut self, fence: i64, leaf: i64, part: &Part<'_>) -> Result<i64, Error> {
        let Part { volume, id, batch, rows: changes } = part;
        let id = match *id {
            Some(id) => id,
            None => self.volume_id(volume)?,
        };
        let found = match self.head(id)? {
            Some(chain) => chain.seq,
            None => Archived::begins(self.archived()?.as_ref(), volume).seq,
        };
        if found != batch.expect {
            return Err(Error::Conflict { volume: (*volume).clone(), expect: batch.expect, found });
        }
        let mut rows = Rows::default();
        batch.entries.iter().for_each(|entry| rows.push(id, entry));
        let Rows { volumes, seqs, bytes, links } = &rows;
        let written = self.execute(APPEND_PART, &[&fence, &leaf, volumes, seqs, bytes, links]);
        match all(written, volumes.len())? {
            Written::All => {}
            // The volume ends where it should, and the fence is still this writer's: so it is the place in the tree that is taken.
            Written::Taken => return Err(Error::ForeignRows),
            Written::Less => return Err(Error::Fenced),
        }
        batch.tickets.iter().try_for_each(|asked| self.carry_out(asked))?;
        changes.iter().try_for_each(|write| self.write_row(write))?;
        Ok(id)
    }

    /// The number of a volume, which begins here unless there is one of that name.
    fn volume_id(&mut self, volume: &Volume) -> Result<i64, Error> {
        let name = volume.to_string();
        if let Some(row) = self.row("SELECT id FROM punto.volume WHERE name = $1", &[&name])? {
            return Ok(row.try_get(0)?);
        }
        let sql = "INSERT INTO punto.volume (id, name) SELECT coalesce(max(id), 0) + 1, $1 FROM punto.volume
                   RETURNING id";
        Ok(self.one(sql, &[&name])?.try_get(0)?)
    }

    fn carry_out(&mut self, asked: &TicketMove) -> Result<(), Error> {
        let (_, _, at) = step(asked);
        let found = self.ticket(asked.ticket())?;
        if let TicketMove::Issued { amount, currency, tag, .. } = asked {
            let same_number = match tag {
                Some(tag) => self.tagged(&tag.digest)?.is_some(),
                None => false,
            };
            return match found.is_some() || same_number {
                true => {
                    let (amount, currency) = (*amount, currency.clone());
                    Err(refusal(asked, TicketAnswer::Reserved { amount, currency }))
                }
                false => self.issue(&Issues::of(&[asked])),
            };
        }
        tickets::may(found.as_ref(), at).map_err(|answer| refusal(asked, answer))?;
        let Uses { numbers, states, times } = Uses::of(&[asked]);
        match self.execute(USE, &[&numbers, &states, &times])? {
            1 => Ok(()),
            _ => Err(Error::Fenced),
        }
    }

    fn issue(&mut self, issues: &Issues<'_>) -> Result<(), Error> {
        let Issues { numbers, amounts, issued, expires, states, keys, tags, currencies } = issues;
        let columns: Params<'_> = &[numbers, amounts, issued, expires, states, keys, tags, currencies];
        let written = self.execute(ISSUE, columns)?;
        if written != numbers.len() as u64 {
            return Err(Error::damaged("a ticket is there twice"));
        }
        Ok(())
    }

    fn is_writer(&mut self, fence: i64) -> Result<(), Error> {
        let sql = "SELECT fence FROM punto.writer WHERE one = 1 FOR SHARE";
        let held: i64 = self.one(sql, &[])?.try_get(0)?;
        if held == fence { Ok(()) } else { Err(Error::Fenced) }
    }

    fn fenced(
        &mut self,
        fence: i64,
        work: impl FnOnce(&mut Postgres) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.require_lease()?;
        self.transaction(|store| {
            store.is_writer(fence)?;
            work(store)
        })
    }

    /// The same, for as long as it takes: renewing the lease goes on meanwhile.
    fn fenced_unhurried(
        &mut self,
        fence: i64,
        work: impl FnOnce(&mut Postgres) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.require_lease()?;
        self.unhurried(|store| {
            store.is_writer(fence)?;
            work(store)
        })
    }

    /// Keeps a checkpoint.
    pub(crate) fn keep_checkpoint(
        &mut self,
        fence: i64,
        kept: &KeptCheckpoint,
        thin: Option<Thin>,
    ) -> Result<(), Error> {
        self.fenced(fence, |store| {
            store.fill_checkpoint(kept)?;
            // From here on the checkpoint signs for them.
            store.execute("DELETE FROM punto.signed_commit WHERE size <= $1", &[&(kept.size as i64)])?;
            for (until, each) in thin.iter().flat_map(Thin::steps) {
                let sql = "DELETE FROM punto.checkpoint WHERE at < $1
                             AND size NOT IN (SELECT max(size) FROM punto.checkpoint GROUP BY at / $2)
                             AND size NOT IN (SELECT size FROM punto.archive)";
                store.execute(sql, &[&until, &each])?;
            }
            Ok(())
        })
    }

    /// Keeps a snapshot and drops older ones, but for the one that an archive begins with.
    pub(crate) fn keep_snapshot(&mut self, fence: i64, snapshot: &Snapshot) -> Result<(), Error> {
        self.fenced(fence, |store| {
            let archived = store.archived()?;
            let base = Archived::begins(archived.as_ref(), &snapshot.volume).seq.0 as i64;
            let id = store.number(&snapshot.volume)?;
            store.execute("DELETE FROM punto.snapshot WHERE volume = $1 AND seq <> $2", &[&id, &base])?;
            store.fill_snapshot(id, snapshot)
        })
    }

    fn number(&mut self, volume: &Volume) -> Result<i64, Error> {
        let row = self.row("SELECT id FROM punto.volume WHERE name = $1", &[&volume.to_string()])?;
        let row = row.ok_or_else(|| Error::failed(format!("there is no volume {volume}")))?;
        Ok(row.try_get(0)?)
    }

    /// Deletes all snapshots that are not the beginning of what is here.
    pub(crate) fn drop_snapshots(&mut self, fence: i64) -> Result<(), Error> {
        self.fenced(fence, |store| {
            let archived = store.archived()?;
            for (id, volume) in (1_i64..).zip(&store.volumes()?) {
                let base = Archived::begins(archived.as_ref(), volume).seq.0 as i64;
                store.execute("DELETE FROM punto.snapshot WHERE volume = $1 AND seq <> $2", &[&id, &base])?;
            }
            Ok(())
        })
    }

    /// Says that entries up to the tree's size live elsewhere and deletes them here, but for the house's own. Their room
    /// is used again when the server has cleaned up, which it does by itself.
    pub(crate) fn archive(
        &mut self,
        fence: i64,
        archived: &Archived,
        snapshots: &[Snapshot],
    ) -> Result<(), Error> {
        let size = archived.tree.size() as i64;
        self.fenced_unhurried(fence, |store| {
            store.fill_archived(archived)?;
            for snapshot in snapshots {
                let id = store.number(&snapshot.volume)?;
                store.fill_snapshot(id, snapshot)?;
            }
            let sql = "DELETE FROM punto.entry
                       WHERE leaf <= $1 AND volume <> (SELECT id FROM punto.volume WHERE name = 'house')";
            store.execute(sql, &[&size])?;
            // The last checkpoint that covers them stays: it is what the archive is verified against.
            store.execute("DELETE FROM punto.checkpoint WHERE size < $1", &[&size])?;
            Ok(())
        })
    }

    /// Begins to fill an empty ledger with what another holds; these are its volumes.
    pub(crate) fn begin_fill(&mut self, volumes: &[Volume]) -> Result<(), Error> {
        // Whoever reads the other one may take its time.
        self.patience = None;
        self.batch("BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0")?;
        self.batch(UNHURRIED)?;
        let begun = self.fill_volumes(volumes);
        if begun.is_err() {
            self.batch("ROLLBACK").ok();
        }
        begun
    }

    fn fill_volumes(&mut self, volumes: &[Volume]) -> Result<(), Error> {
        self.one("SELECT fence FROM punto.writer WHERE one = 1 FOR UPDATE", &[])?;
        if self.row("SELECT 1 FROM punto.volume LIMIT 1", &[])?.is_some() {
            return Err(Error::unsuitable("the ledger to be filled is not empty"));
        }
        let names: Vec<String> = volumes.iter().map(Volume::to_string).collect();
        let sql = "INSERT INTO punto.volume (id, name)
                   SELECT id, name FROM unnest($1::text[]) WITH ORDINALITY AS volume (name, id)";
        self.execute(sql, &[&names])?;
        Ok(())
    }

    /// Entries with their place in the tree and the number of their volume.
    pub(crate) fn fill_entries(&mut self, entries: &[(u64, i64, Sealed)]) -> Result<(), Error> {
        let leaves: Vec<i64> = entries.iter().map(|(leaf, ..)| *leaf as i64).collect();
        let mut rows = Rows::default();
        entries.iter().for_each(|(_, id, entry)| rows.push(*id, entry));
        let Rows { volumes, seqs, bytes, links } = &rows;
        let sql = "INSERT INTO punto.entry (leaf, volume, seq, bytes, link)
                   SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bytea[], $5::bytea[])";
        self.execute(sql, &[&leaves, volumes, seqs, bytes, links])?;
        Ok(())
    }

    pub(crate) fn fill_ticket(&mut self, ticket: &Ticket) -> Result<(), Error> {
        let mut issues = Issues::default();
        issues.push(ticket.no.as_str(), ticket.amount.get(), ticket.issued.0, ticket.expires.0);
        issues.push_tag(ticket.tag.as_ref());
        issues.currencies.push(ticket.currency.as_ref().map(Currency::as_str));
        issues.states = vec![word(ticket.state)];
        self.issue(&issues)
    }

    pub(crate) fn fill_checkpoint(&mut self, kept: &KeptCheckpoint) -> Result<(), Error> {
        let sql = "INSERT INTO punto.checkpoint (size, at, text, tree) VALUES ($1, $2, $3, $4)
                   ON CONFLICT (size, at) DO UPDATE SET text = excluded.text, tree = excluded.tree";
        self.execute(sql, &[&(kept.size as i64), &(kept.at.0 as i64), &kept.text, &kept.tree])?;
        Ok(())
    }

    pub(crate) fn fill_snapshot(&mut self, id: i64, snapshot: &Snapshot) -> Result<(), Error> {
        let Snapshot { chain, schema, bytes, signed, .. } = snapshot;
        let sql = "INSERT INTO punto.snapshot (volume, seq, link, schema, bytes, key, signature)
                   VALUES ($1, $2, $3, $4, $5, $6, $7)
                   ON CONFLICT (volume, seq) DO UPDATE
                   SET link = excluded.link, schema = excluded.schema, bytes = excluded.bytes,
                     key = excluded.key, signature = excluded.signature";
        let (seq, link) = (chain.seq.0 as i64, &chain.link.0[..]);
        let key = signed.as_ref().map(|(key, _)| &key.0.0[..]);
        let signature = signed.as_ref().map(|(_, signature)| &signature[..]);
        self.execute(sql, &[&id, &seq, &link, &i64::from(*schema), bytes, &key, &signature])?;
        Ok(())
    }

    pub(crate) fn fill_archived(&mut self, archived: &Archived) -> Result<(), Error> {
        let (tree, heads) = archived.texts();
        let sql = "INSERT INTO punto.archive (size, tree, heads) VALUES ($1, $2, $3)";
        self.execute(sql, &[&(archived.tree.size() as i64), &tree, &heads])?;
        Ok(())
    }

    /// Makes what was filled in durable.
    pub(crate) fn end_fill(&mut self) -> Result<(), Error> {
        self.batch("COMMIT")
    }
}

/// Where a group goes, and what is signed for it.
struct Appending {
    fence: i64,
    size: i64,
    signed: Signed,
}

/// How many of some rows were written.
#[derive(PartialEq, Eq)]
enum Written {
    All,
    /// Some were refused.
    Less,
    /// None: there is another row in the place of one of them.
    Taken,
}

fn all(written: Result<u64, Fault>, asked: usize) -> Result<Written, Error> {
    match written {
        Ok(rows) if rows == asked as u64 => Ok(Written::All),
        Ok(_) => Ok(Written::Less),
        Err(error) if error.code() == Some(&SqlState::UNIQUE_VIOLATION) => Ok(Written::Taken),
        Err(error) => Err(error.into()),
    }
}

/// Entries by column, as `unnest` takes them.
#[derive(Default)]
struct Rows<'a> {
    volumes: Vec<i64>,
    seqs: Vec<i64>,
    bytes: Vec<&'a [u8]>,
    links: Vec<&'a [u8]>,
}

impl<'a> Rows<'a> {
    fn push(&mut self, volume: i64, entry: &'a Sealed) {
        self.volumes.push(volume);
        self.seqs.push(entry.seq.0 as i64);
        self.bytes.push(&entry.bytes);
        self.links.push(&entry.chain.0);
    }
}

/// New tickets by column.
#[derive(Default)]
struct Issues<'a> {
    numbers: Vec<&'a str>,
    amounts: Vec<i64>,
    issued: Vec<i64>,
    expires: Vec<i64>,
    states: Vec<&'static str>,
    keys: Vec<Option<&'a str>>,
    tags: Vec<Option<&'a [u8]>>,
    currencies: Vec<Option<&'a str>>,
}

impl<'a> Issues<'a> {
    fn of(moves: &[&'a TicketMove]) -> Issues<'a> {
        let mut issues = Issues::default();
        for asked in moves {
            if let TicketMove::Issued { ticket, amount, currency, at, expires, tag } = asked {
                issues.push(ticket.as_str(), amount.get(), at.0, expires.0);
                issues.push_tag(tag.as_ref());
                issues.currencies.push(currency.as_ref().map(Currency::as_str));
                issues.states.push(word(step(asked).1));
            }
        }
        issues
    }

    fn push(&mut self, number: &'a str, amount: u64, issued: u64, expires: u64) {
        self.numbers.push(number);
        self.amounts.push(amount as i64);
        self.issued.push(issued as i64);
        self.expires.push(expires as i64);
    }

    fn push_tag(&mut self, tag: Option<&'a TicketTag>) {
        self.keys.push(tag.map(|tag| tag.key.as_str()));
        self.tags.push(tag.map(|tag| &tag.digest.0[..]));
    }
}

/// Tickets to be used, by column.
#[derive(Default)]
struct Uses<'a> {
    numbers: Vec<&'a str>,
    states: Vec<&'static str>,
    times: Vec<Option<i64>>,
}

impl<'a> Uses<'a> {
    fn of(moves: &[&'a TicketMove]) -> Uses<'a> {
        let mut uses = Uses::default();
        for asked in moves.iter().filter(|asked| !matches!(asked, TicketMove::Issued { .. })) {
            let (_, to, at) = step(asked);
            uses.numbers.push(asked.ticket().as_str());
            uses.states.push(word(to));
            uses.times.push(at.map(|at| at.0 as i64));
        }
        uses
    }
}
