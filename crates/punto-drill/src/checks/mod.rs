//! What must hold, looked at after every commit from what the ledger itself holds. It shares no state with the tables
//! and believes nobody: entries are read back, replayed, audited and booked anew.

mod factors;
mod finish;
mod house;
mod tickets;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use punto_audit::{Auditor, Inputs, Place};
use punto_ledger::{Stored, Vault};
use punto_record::{
    Chain, Currency, Entry, Event, HouseEntry, Order, OrderId, Reason, Sealed, Seq, SignedCheckpoint,
    TableId, TicketNo, Volume,
};
use punto_reports::{Accounts, Mismatch};
use punto_table::{Answer, Books, Reply, State};

use crate::Counters;
use crate::night::INSIDER;
use crate::phones::Phones;
use crate::purse::Purses;
use factors::Factors;
use house::House;
use tickets::Slip;

/// Why something does not hold.
#[derive(Debug)]
pub(crate) enum Fault {
    /// The books do not balance: the table is to be locked.
    Books(Box<Mismatch>),
    /// In words.
    Words(String),
}

impl From<String> for Fault {
    fn from(words: String) -> Fault {
        Fault::Words(words)
    }
}

/// Everything that is watched.
#[derive(Debug)]
pub(crate) struct Watch {
    /// How far the ledger was read.
    leaf: u64,
    tables: BTreeMap<TableId, Known>,
    auditor: Auditor,
    accounts: Accounts,
    tickets: BTreeMap<TicketNo, Slip>,
    /// The currency of each table that was opened.
    currencies: BTreeMap<TableId, Currency>,
    /// Tickets that are good, the latest.
    pub(crate) pockets: Vec<TicketNo>,
    /// Tickets that their holders took home.
    at_home: Vec<TicketNo>,
    /// Tickets that were used, the latest.
    pub(crate) spent: Vec<TicketNo>,
    /// Orders that a device was told are carried out, and the entry it was told.
    told: BTreeMap<OrderId, (TableId, Seq)>,
    /// Orders that a device was told are refused.
    refused: BTreeMap<OrderId, Order>,
    deeds: BTreeSet<OrderId>,
    /// Entries of insiders.
    insiders: BTreeSet<(Volume, Seq)>,
    /// How many findings there are about them.
    findings: usize,
    outside: Vec<SignedCheckpoint>,
    house: House,
    pub(crate) factors: Factors,
}

/// A table as its record tells it.
#[derive(Debug, Default)]
struct Known {
    state: State,
    link: Option<Chain>,
    ids: Vec<OrderId>,
    once: BTreeSet<OrderId>,
    purses: Purses,
}

impl Watch {
    pub(crate) fn new() -> Watch {
        Watch {
            leaf: 0,
            tables: BTreeMap::new(),
            auditor: Auditor::new(Inputs::default()),
            accounts: Accounts::default(),
            tickets: BTreeMap::new(),
            currencies: BTreeMap::new(),
            pockets: Vec::new(),
            at_home: Vec::new(),
            spent: Vec::new(),
            told: BTreeMap::new(),
            refused: BTreeMap::new(),
            deeds: BTreeSet::new(),
            insiders: BTreeSet::new(),
            findings: 0,
            outside: Vec::new(),
            house: House::default(),
            factors: Factors::default(),
        }
    }

    /// Reads what was written since and looks at all of it. Gives the entries of tables.
    pub(crate) fn catch_up(
        &mut self,
        vault: &mut Vault,
        phones: &Phones,
        counters: &mut Counters,
    ) -> Result<Vec<(TableId, Entry)>, Fault> {
        let mut new: Vec<(Volume, Sealed)> = Vec::new();
        let leaf = &mut self.leaf;
        let mut gap = None;
        vault
            .reader()
            .entries(*leaf, &mut |stored: Stored<'_>| {
                *leaf += 1;
                if stored.leaf != *leaf {
                    gap = Some(stored.leaf);
                    return ControlFlow::Break(());
                }
                new.push((stored.volume.clone(), stored.sealed()));
                ControlFlow::Continue(())
            })
            .map_err(|error| format!("the ledger cannot be read: {error}"))?;
        if let Some(leaf) = gap {
            return Err(format!("an entry is missing before leaf {leaf}").into());
        }
        let mut read = Vec::new();
        for (volume, sealed) in new {
            self.auditor.entry(&volume, &sealed);
            counters.entries += 1;
            counters.audited += 1;
            let unread = |error: serde_json::Error| format!("entry {} of {volume}: {error}", sealed.seq);
            match &volume {
                Volume::House => {
                    let entry: HouseEntry = serde_json::from_slice(&sealed.bytes).map_err(unread)?;
                    self.note_insider(&volume, sealed.seq, &entry.id);
                    self.deed(&entry, phones, counters)?;
                }
                Volume::Table(table) => {
                    let entry: Entry = serde_json::from_slice(&sealed.bytes).map_err(unread)?;
                    self.note_insider(&volume, sealed.seq, &entry.order.id);
                    self.entry(table, &sealed, &entry, counters)?;
                    read.push((table.clone(), entry));
                }
            }
            self.judge(&volume, &sealed, counters)?;
        }
        Ok(read)
    }

    fn note_insider(&mut self, volume: &Volume, seq: Seq, id: &OrderId) {
        if id.device.as_str() == INSIDER {
            self.insiders.insert((volume.clone(), seq));
        }
    }

    /// The auditor names each entry of an insider, and no other.
    fn judge(&mut self, volume: &Volume, sealed: &Sealed, counters: &mut Counters) -> Result<(), Fault> {
        let text = String::from_utf8_lossy(&sealed.bytes);
        let is_insiders = self.insiders.contains(&(volume.clone(), sealed.seq));
        let new = &self.auditor.findings()[self.findings..];
        let is_here =
            |place: &Place| place.volume == *volume && place.seq.is_none_or(|seq| seq == sealed.seq);
        match new.iter().find(|finding| !is_insiders || !is_here(&finding.place)) {
            Some(finding) => return Err(format!("the auditor: {finding}\n  {text}").into()),
            None if is_insiders && new.is_empty() => {
                return Err(format!("the auditor has nothing to say about an insider:\n  {text}").into());
            }
            None => {}
        }
        counters.insiders_named += u64::from(is_insiders);
        self.findings = self.auditor.findings().len();
        Ok(())
    }

    fn deed(&mut self, entry: &HouseEntry, phones: &Phones, counters: &mut Counters) -> Result<(), Fault> {
        self.accounts.enter_deed(entry).map_err(|mismatch| Fault::Books(Box::new(mismatch)))?;
        if !self.deeds.insert(entry.id.clone()) {
            return Err(format!("the deed {:?} was done twice", entry.id).into());
        }
        let by_insider = entry.id.device.as_str() == INSIDER;
        self.house.enter(entry, by_insider, counters);
        self.factors.enter(entry, phones.done(&entry.id), by_insider, counters)?;
        self.ticket_deed(entry, counters)?;
        Ok(())
    }

    fn entry(
        &mut self,
        table: &TableId,
        sealed: &Sealed,
        entry: &Entry,
        counters: &mut Counters,
    ) -> Result<(), Fault> {
        self.accounts.enter(table, entry).map_err(|mismatch| Fault::Books(Box::new(mismatch)))?;
        for event in &entry.events {
            if self.house.waits && matches!(event, Event::BetsOpened { .. }) {
                return Err(
                    format!("a Round of {table} opened, and nobody has confirmed this history").into()
                );
            }
            self.ticket(table, (event, entry.order.at), counters)?;
        }
        let id = &entry.order.id;
        if self.refused.get(id).is_some_and(|order| is_same(order, &entry.order)) {
            return Err(format!("{id:?} was carried out after its device was told that it is refused").into());
        }
        let known = self.tables.entry(table.clone()).or_default();
        if !known.once.insert(id.clone()) {
            return Err(format!("{id:?} was carried out twice").into());
        }
        known.ids.push(id.clone());
        if known.ids.len() as u64 != entry.seq.0 {
            return Err(format!("entry {} of {table} comes out of turn", entry.seq).into());
        }
        known.state.enter(entry);
        known.link = Some(Chain { seq: sealed.seq, link: sealed.chain });
        if !Books::is_balanced(&known.state) {
            return Err(format!("the books of {table} do not balance after entry {}", entry.seq).into());
        }
        let complaint = |words: String| format!("{table}, entry {}: {words}", entry.seq);
        for event in &entry.events {
            known.purses.see(event).map_err(complaint)?;
            count(event, counters);
        }
        counters.purses += known.purses.agree(&known.state).map_err(complaint)?;
        Ok(())
    }

    /// What a table is, as its record tells it.
    pub(crate) fn state(&self, table: &TableId) -> Option<&State> {
        self.tables.get(table).map(|known| &known.state)
    }

    /// A table that was read back is the one that its record tells.
    pub(crate) fn is_the_same(
        &self,
        table: &TableId,
        state: &State,
        counters: &mut Counters,
    ) -> Result<(), String> {
        counters.replays += 1;
        let told = self.tables.get(table);
        let agrees = match told {
            Some(known) => {
                known.state == *state
                    && (!state.seq.0.is_multiple_of(8) || known.state.hash() == state.hash())
            }
            None => state.seq == Seq(0),
        };
        match agrees {
            true => Ok(()),
            false => Err(format!("{table} at entry {} is not what its record tells", state.seq)),
        }
    }

    /// An answer leaves the house or reaches a device: it must be true.
    pub(crate) fn answer(
        &mut self,
        table: &TableId,
        reply: &Reply,
        counters: &mut Counters,
    ) -> Result<(), String> {
        let seq = match &reply.answer {
            Answer::Done { seq, .. } | Answer::Before { seq } => *seq,
            Answer::Refused(_) | Answer::Unknown => return Ok(()),
        };
        counters.answers += 1;
        let ids = self.tables.get(table).map_or(&[][..], |known| &known.ids);
        let there = (seq.0 as usize).checked_sub(1).and_then(|at| ids.get(at));
        if there != Some(&reply.to) {
            return Err(format!(
                "{:?} is said to be entry {seq} of {table}, where the ledger has {there:?}",
                reply.to
            ));
        }
        self.told.insert(reply.to.clone(), (table.clone(), seq));
        Ok(())
    }

    /// A device learned that its order is refused: it is not in the record and never will be.
    pub(crate) fn told_no(&mut self, table: &TableId, order: &Order, reason: &Reason) -> Result<(), String> {
        // These speak about the id: the order itself may well have been carried out.
        if matches!(reason, Reason::OrderIdReused {} | Reason::Superseded { .. }) {
            return Ok(());
        }
        if self.tables.get(table).is_some_and(|known| known.once.contains(&order.id)) {
            return Err(format!("{:?} is refused and in the record", order.id));
        }
        self.refused.insert(order.id.clone(), order.clone());
        Ok(())
    }

    /// A device asks again under an id that was refused: from now on it wants it.
    pub(crate) fn asks_anew(&mut self, id: &OrderId) {
        self.refused.remove(id);
    }

    /// A checkpoint was signed: the auditor compares it, and somebody elsewhere keeps it.
    pub(crate) fn checkpoint(&mut self, signed: SignedCheckpoint) {
        self.auditor.checkpoint(signed.clone());
        self.outside.push(signed);
    }
}

fn is_same(a: &Order, b: &Order) -> bool {
    (&a.by, a.round, &a.command) == (&b.by, b.round, &b.command)
}

#[allow(clippy::wildcard_enum_match_arm, reason = "only these are counted")]
fn count(event: &Event, counters: &mut Counters) {
    match event {
        Event::RoundSettled { .. } => {
            counters.rounds_settled += 1;
            counters.rounds_clean += 1;
        }
        Event::RoundVoided { .. } => {
            counters.rounds_void += 1;
            counters.rounds_clean += 1;
        }
        Event::RoundCorrected { .. } => counters.rounds_corrected += 1,
        Event::MatterOpened { .. } => counters.matters += 1,
        Event::ChoiceMade { .. } => counters.choices += 1,
        Event::WagerRegistered { .. } | Event::ChipsRecorded { .. } => counters.wagers += 1,
        Event::ShoeLoaded { .. } => counters.shoes += 1,
        Event::ShoeRevealed { .. } => counters.reveals += 1,
        Event::TableOpened { .. } => counters.openings += 1,
        Event::TableClosed {} => counters.closings += 1,
        _ => {}
    }
}
