//! What must hold, looked at after every commit from what the ledger itself holds. It shares no state with the tables
//! and believes nobody: entries are read back, replayed, audited and booked anew.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use punto_audit::{Auditor, Inputs, Place};
use punto_ledger::{Stored, Vault};
use punto_record::{
    Chain, Currency, Deed, Entry, Event, HouseEntry, Order, OrderId, Reason, Sealed, Seq, SignedCheckpoint,
    SignedCommit, TableId, TicketNo, TicketState, Volume,
};
use punto_reports::{Accounts, Mismatch};
use punto_rules::Money;
use punto_table::{Answer, Books, Reply, State};

use crate::Counters;
use crate::night::INSIDER;
use crate::purse::Purses;

/// Tickets that somebody may still have in a pocket.
const POCKETS: usize = 24;

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

/// A ticket as its holder knows it.
#[derive(Debug)]
struct Slip {
    amount: Money,
    currency: Option<Currency>,
    used: u32,
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
            spent: Vec::new(),
            told: BTreeMap::new(),
            refused: BTreeMap::new(),
            deeds: BTreeSet::new(),
            insiders: BTreeSet::new(),
            findings: 0,
            outside: Vec::new(),
        }
    }

    /// Reads what was written since and looks at all of it. Gives the entries of tables.
    pub(crate) fn catch_up(
        &mut self,
        vault: &mut Vault,
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
                    self.deed(&entry, counters)?;
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

    fn deed(&mut self, entry: &HouseEntry, counters: &mut Counters) -> Result<(), Fault> {
        self.accounts.enter_deed(entry).map_err(|mismatch| Fault::Books(Box::new(mismatch)))?;
        if !self.deeds.insert(entry.id.clone()) {
            return Err(format!("the deed {:?} was done twice", entry.id).into());
        }
        if let Deed::TicketPaid { ticket, amount, currency, .. }
        | Deed::TicketVoided { ticket, amount, currency, .. } = &entry.deed
        {
            counters.tickets_at_the_cage += 1;
            self.use_up(ticket, *amount, currency.as_ref())?;
        }
        Ok(())
    }

    fn use_up(
        &mut self,
        ticket: &TicketNo,
        amount: Money,
        currency: Option<&Currency>,
    ) -> Result<(), String> {
        let slip = self.tickets.get_mut(ticket).ok_or_else(|| format!("ticket {ticket} was never issued"))?;
        slip.used += 1;
        self.pockets.retain(|it| it != ticket);
        keep(&mut self.spent, ticket);
        if slip.used > 1 {
            return Err(format!("ticket {ticket} was used {} times", slip.used));
        }
        match slip.amount == amount && slip.currency.as_ref() == currency {
            true => Ok(()),
            false => Err(format!(
                "ticket {ticket} is worth {} {:?}, used for {amount} {currency:?}",
                slip.amount, slip.currency
            )),
        }
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
            self.ticket(table, event, counters)?;
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

    fn ticket(&mut self, table: &TableId, event: &Event, counters: &mut Counters) -> Result<(), String> {
        if let Event::TableOpened { settings, .. } | Event::SettingsChanged { settings, .. } = event {
            let before = self.currencies.insert(table.clone(), settings.currency.clone());
            if before.is_some_and(|before| before != settings.currency) {
                return Err(format!("{table} has another currency than before"));
            }
        }
        if let Event::CashedOut { ticket, amount, currency, .. } = event {
            counters.tickets_issued += 1;
            let slip = Slip { amount: *amount, currency: currency.clone(), used: 0 };
            if self.tickets.insert(ticket.clone(), slip).is_some() {
                return Err(format!("ticket {ticket} was issued twice"));
            }
            keep(&mut self.pockets, ticket);
        }
        if let Event::TicketRedeemed { ticket, amount, .. } = event {
            counters.tickets_redeemed += 1;
            let currency = self.currencies.get(table).cloned();
            return self.use_up(ticket, *amount, currency.as_ref());
        }
        Ok(())
    }

    /// What a ticket is worth, if there is one.
    pub(crate) fn worth(&self, ticket: &TicketNo) -> Option<(Money, Option<Currency>)> {
        self.tickets.get(ticket).map(|slip| (slip.amount, slip.currency.clone()))
    }

    /// A ticket that nobody has used, if there is one in a pocket.
    pub(crate) fn good_ticket(&self) -> Option<TicketNo> {
        self.pockets.last().cloned()
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

    /// The end of a ledger: everything once more from its first entry.
    pub(crate) fn finish(self, vault: &mut Vault, counters: &mut Counters) -> Result<(), Fault> {
        counters.full_audits += 1;
        let mut auditor = Auditor::new(Inputs { outside: self.outside.clone(), ..Inputs::default() });
        let mut accounts = Accounts::default();
        let mut told = self.told.clone();
        let mut words: Option<Fault> = None;
        let mut reader = vault.reader();
        let failed = |error: punto_ledger::Error| format!("the ledger cannot be read: {error}");
        reader
            .checkpoints(&mut |kept| match kept.read() {
                Ok((signed, _)) => auditor.checkpoint(signed),
                Err(error) => words = Some(Fault::Words(error.to_string())),
            })
            .map_err(failed)?;
        let mut each = |stored: Stored<'_>| -> Result<(), Fault> {
            auditor.entry(stored.volume, &stored.sealed());
            let unread =
                |error: serde_json::Error| format!("entry {} of {}: {error}", stored.seq, stored.volume);
            match stored.volume {
                Volume::House => {
                    let entry: HouseEntry = serde_json::from_slice(stored.bytes).map_err(unread)?;
                    accounts.enter_deed(&entry).map_err(|mismatch| Fault::Books(Box::new(mismatch)))?;
                }
                Volume::Table(table) => {
                    let entry: Entry = serde_json::from_slice(stored.bytes).map_err(unread)?;
                    accounts.enter(table, &entry).map_err(|mismatch| Fault::Books(Box::new(mismatch)))?;
                    if told.get(&entry.order.id).is_some_and(|told| *told == (table.clone(), entry.seq)) {
                        told.remove(&entry.order.id);
                    }
                }
            }
            Ok(())
        };
        reader
            .entries(0, &mut |stored| match each(stored) {
                Ok(()) => ControlFlow::Continue(()),
                Err(fault) => {
                    words = Some(fault);
                    ControlFlow::Break(())
                }
            })
            .map_err(failed)?;
        if let Some(fault) = words {
            return Err(fault);
        }
        if let Some((id, (table, seq))) = told.first_key_value() {
            return Err(format!("{id:?} was acknowledged as entry {seq} of {table} and is not there").into());
        }
        let faults = reader.check().map_err(failed)?;
        if let Some(words) = faults.first() {
            return Err(format!("the store is not sound: {words}").into());
        }
        let mut rows = Vec::new();
        reader.tickets(&mut |ticket| rows.push(ticket)).map_err(failed)?;
        let good = rows.iter().filter(|row| row.state == TicketState::Good).map(|row| row.amount.get());
        let held = self.tickets.values().filter(|slip| slip.used == 0).map(|slip| slip.amount.get());
        let (good, held): (u64, u64) = (good.sum(), held.sum());
        if good != held {
            return Err(format!("the store has tickets for {good}, people hold tickets for {held}").into());
        }
        auditor.tickets(rows);
        let mut commits = Vec::new();
        reader.signed_commits(&mut |text| commits.push(text.parse::<SignedCommit>())).map_err(failed)?;
        let commits: Result<Vec<SignedCommit>, _> = commits.into_iter().collect();
        auditor.commits(commits.map_err(|error| error.to_string())?);
        let audit = auditor.finish();
        let mut unnamed = self.insiders.clone();
        for finding in &audit.findings {
            let place = finding.place.seq.map(|seq| (finding.place.volume.clone(), seq));
            match place.filter(|place| self.insiders.contains(place)) {
                Some(place) => unnamed.remove(&place),
                None => return Err(format!("the audit from the first entry: {finding}").into()),
            };
        }
        if let Some((volume, seq)) = unnamed.first() {
            let words =
                format!("the audit from the first entry does not name the insider of {volume}, entry {seq}");
            return Err(words.into());
        }
        match accounts.trial_balance().into_iter().find(|(_, sum)| *sum != 0) {
            None => Ok(()),
            Some((currency, sum)) => Err(format!("the trial balance is {sum} {currency}").into()),
        }
    }
}

fn keep(tickets: &mut Vec<TicketNo>, ticket: &TicketNo) {
    if tickets.len() == POCKETS {
        tickets.remove(0);
    }
    tickets.push(ticket.clone());
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
