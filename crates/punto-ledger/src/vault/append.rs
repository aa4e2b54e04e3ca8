//! Appending: batches of any tables in one transaction, each taken or refused on its own.

use std::collections::BTreeSet;

use punto_record::{Chain, Seq, TicketMove, TicketNo, Volume};

use super::book::{Issued, moves_in};
use super::{Append, Vault};
use crate::Error;
use crate::author::Author;
use crate::part::{Part, RowWrite};
use crate::receipt::Receipt;

impl Vault {
    /// Appends batches of any volumes in as few transactions as possible: one, unless a volume comes twice.
    /// Each batch is taken or refused on its own. What cannot be made durable stops the vault for good.
    pub fn append(&mut self, group: &[Append]) -> Vec<Result<Receipt, Error>> {
        let mut results: Vec<Option<Result<Receipt, Error>>> = Vec::new();
        results.resize_with(group.len(), || None);
        let mut waiting: Vec<usize> = (0..group.len()).collect();
        while !waiting.is_empty() {
            let mut volumes = BTreeSet::new();
            let (now, later): (Vec<usize>, Vec<usize>) =
                waiting.into_iter().partition(|at| volumes.insert(group[*at].volume.clone()));
            let appends = now.iter().map(|at| &group[*at]).collect::<Vec<_>>();
            let done = self.append_once(&appends, &[]);
            for (at, result) in now.into_iter().zip(done) {
                results[at] = Some(result);
            }
            waiting = later;
        }
        self.raise_alarms();
        results.into_iter().map(|result| result.expect("each has its result")).collect()
    }

    /// Appends a batch of the house together with what it does to the register.
    pub(super) fn append_with(&mut self, append: &Append, rows: &[RowWrite]) -> Result<Receipt, Error> {
        let done = self.append_once(&[append], rows).pop();
        self.raise_alarms();
        done.expect("one batch, one result")
    }

    /// One transaction; no volume comes twice. The rows are those of the house's batch.
    fn append_once(&mut self, group: &[&Append], rows: &[RowWrite]) -> Vec<Result<Receipt, Error>> {
        let running = self.running();
        let moves = group.iter().flat_map(|append| &append.batch.tickets);
        let issued = |asked: &&TicketMove| matches!(asked, TicketMove::Issued { .. });
        let issued: Vec<&TicketNo> = moves.filter(issued).map(TicketMove::ticket).collect();
        let check = |append: &&Append| running.clone().and_then(|()| self.check(append, &issued));
        let checked: Vec<Result<Chain, Error>> = group.iter().map(check).collect();
        let good = group.iter().zip(&checked).filter(|(_, checked)| checked.is_ok());
        let parts: Vec<Part<'_>> = good
            .map(|(Append { volume, batch }, _)| Part {
                volume,
                id: self.ids.get(volume).copied(),
                batch,
                rows: if *volume == Volume::House { rows } else { &[] },
            })
            .collect();
        let committed = match parts.is_empty() {
            true => Ok(Vec::new()),
            false => {
                let author = Author { ledger: self.house.ledger, term: self.fence, key: &self.key };
                self.store.commit(&author, self.size, &parts)
            }
        };
        let mut committed = match self.or_stop(committed) {
            Ok(results) => results.into_iter(),
            Err(error) => vec![Err(error); parts.len()].into_iter(),
        };
        let mut results = Vec::with_capacity(group.len());
        for (append, checked) in group.iter().zip(checked) {
            results.push(checked.and_then(|chain| {
                let id = committed.next().expect("a result for each batch that was tried")?;
                Ok(self.taken(append, id, chain))
            }));
        }
        results
    }

    /// Whether a batch goes on where its volume ends; where it ends then.
    fn check(&mut self, append: &Append, issued: &[&TicketNo]) -> Result<Chain, Error> {
        let Append { volume, batch } = append;
        self.house.takes(volume)?;
        let found = self.head(volume);
        if found.seq != batch.expect || batch.entries.is_empty() {
            return Err(Error::Conflict { volume: volume.clone(), expect: batch.expect, found: found.seq });
        }
        // What cannot be read back is never begun; what is there goes on.
        if let (Volume::Table(table), Seq(0)) = (volume, found.seq)
            && !table.is_fit()
        {
            return Err(Error::Unnameable(table.clone()));
        }
        let head = batch.entries.iter().try_fold(found, |chain, entry| {
            let chain = chain.after(&entry.bytes);
            match (chain.seq, chain.link) == (entry.seq, entry.chain) {
                true => Ok(chain),
                false => Err(Error::Unchained { volume: volume.clone(), seq: entry.seq }),
            }
        })?;
        // Whatever happens to tickets stands in the entries, or the book could not be made again.
        if !batch.tickets.is_empty() {
            let said = batch.entries.iter().map(|entry| moves_in(volume, &entry.bytes).unwrap_or_default());
            if said.flatten().ne(batch.tickets.iter().cloned()) {
                return Err(Error::OtherTickets(volume.clone()));
            }
            self.proves_all(&batch.tickets, issued)?;
        }
        Ok(head)
    }

    /// A batch is durable.
    fn taken(&mut self, append: &Append, id: i64, head: Chain) -> Receipt {
        let Append { volume, batch } = append;
        self.ids.insert(volume.clone(), id);
        if !batch.tickets.is_empty() {
            self.enter_tickets(append);
        }
        self.heads.insert(volume.clone(), head);
        let links = batch.entries.iter().map(|entry| Chain { seq: entry.seq, link: entry.chain });
        self.pending.extend(links.map(|chain| (volume.clone(), chain)));
        self.size += batch.entries.len() as u64;
        for asked in &batch.tickets {
            self.reserved.remove(asked.ticket());
        }
        Receipt::new(volume.clone(), head.seq, self.size)
    }

    /// The tickets of a batch that is durable.
    fn enter_tickets(&mut self, append: &Append) {
        let Append { volume, batch } = append;
        let mut before = self.head(volume).link;
        for entry in &batch.entries {
            for asked in moves_in(volume, &entry.bytes).unwrap_or_default() {
                let (volume, seq, link) = (volume.clone(), entry.seq, entry.chain);
                self.book.enter(&asked, Issued { volume, seq, before, link });
            }
            before = entry.chain;
        }
    }
}
