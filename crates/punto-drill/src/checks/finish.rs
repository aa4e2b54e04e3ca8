//! The end of a ledger: everything once more from its first entry, the store's rows and signatures included.

use std::ops::ControlFlow;

use punto_audit::{Auditor, Inputs};
use punto_ledger::{Stored, Vault};
use punto_record::{Entry, HouseEntry, SignedCommit, TicketState, Volume};
use punto_reports::Accounts;

use super::{Fault, Watch};
use crate::Counters;

impl Watch {
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
        auditor.register(reader.register().map_err(failed)?);
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
