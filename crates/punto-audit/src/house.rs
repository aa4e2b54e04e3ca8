//! The house's volume: the founding of the ledger, keys, tickets at the cage, locks, archives.

use std::collections::BTreeSet;

use punto_record::{Actor, Chain, Deed, HouseEntry, LedgerKind, Person, Seq, TableId, TicketState};

use crate::checkpoints::Checkpoints;
use crate::finding::{FindingKind, Findings};
use crate::posts::may_do;
use crate::rest::Rest;
use crate::tickets::{Tickets, Use};
use crate::witnesses::Witnesses;

/// What the house's own record says.
#[derive(Clone, Debug, Default)]
pub(crate) struct House {
    pub(crate) kind: Option<LedgerKind>,
    locked: BTreeSet<TableId>,
    pub(crate) witnesses: Witnesses,
    /// The restoration of Administrators that none has looked into.
    restored: Option<Seq>,
    rest: Rest,
}

impl House {
    pub(crate) fn is_locked(&self, table: &TableId) -> bool {
        self.locked.contains(table)
    }

    pub(crate) fn entry(
        &mut self,
        entry: &HouseEntry,
        chain: Chain,
        checkpoints: &mut Checkpoints,
        tickets: &mut Tickets,
        out: &mut Findings,
    ) {
        let kind = entry.deed.kind();
        if !may_do(kind, &entry.by) {
            out.say(FindingKind::NotPermitted, format!("{}: not for this person to do", kind.id()));
        }
        let is_judged = self.kind == Some(LedgerKind::House) && !entry.release.is_first();
        self.rest.entry(entry, is_judged, out);
        let founds = matches!(entry.deed, Deed::LedgerFounded { .. });
        out.hold(
            founds == (checkpoints.size() == 1),
            FindingKind::Founding,
            "a ledger is founded by its first entry and by no other",
        );
        match &entry.deed {
            Deed::LedgerFounded { kind, .. } => {
                if self.kind.is_none() {
                    (self.kind, tickets.kind) = (Some(*kind), Some(*kind));
                    checkpoints.ledger = Some(chain.link);
                    tickets.ledger = Some(chain.link);
                }
            }
            Deed::KeyAdopted { .. } => checkpoints.adopt(&entry.deed, out),
            Deed::TicketKeyAdopted { key, before } => tickets.adopt(key, before.as_ref(), out),
            Deed::TicketPaid { ticket, amount, currency, second, reason } => {
                if let Some(second) = second {
                    two(&entry.by, second, out);
                    given(reason.as_deref().unwrap_or_default(), out);
                }
                let (at, becomes) = (entry.at, TicketState::Paid);
                let (currency, by_two) = (currency.as_ref(), second.is_some());
                tickets.use_up(ticket, &Use { amount: *amount, currency, at, becomes, by_two }, out);
            }
            Deed::TicketVoided { ticket, amount, currency, second, reason } => {
                two(&entry.by, second, out);
                given(reason, out);
                let (at, becomes) = (entry.at, TicketState::Void);
                let currency = currency.as_ref();
                tickets.use_up(ticket, &Use { amount: *amount, currency, at, becomes, by_two: true }, out);
            }
            Deed::TableLocked { table, words, .. } => {
                given(words, out);
                let news = self.locked.insert(table.clone());
                out.hold(news, FindingKind::LockedTable, "the table was locked before");
            }
            Deed::TableUnlocked { table, second, reason } => {
                two(&entry.by, second, out);
                given(reason, out);
                let was = self.locked.remove(table);
                out.hold(was, FindingKind::LockedTable, "the table was not locked");
            }
            Deed::RulesApproved { second, compared, authority, reference, operator, document, .. } => {
                two(&entry.by, second, out);
                let words = [compared, authority, reference, operator, document];
                words.into_iter().for_each(|words| given(words, out));
            }
            Deed::RulesWithdrawn { second, reason, .. }
            | Deed::ClockConfirmed { second, reason, .. }
            | Deed::FactorResetBegun { second, reason, .. }
            | Deed::RegisterCleared { second, reason, .. } => {
                two(&entry.by, second, out);
                given(reason, out);
            }
            Deed::ReadingsAdopted { second, .. } => two(&entry.by, second, out),
            Deed::EntriesArchived { size, root, heads, .. } => {
                let heads: Vec<_> = heads.iter().map(|head| (head.volume.clone(), head.chain())).collect();
                checkpoints.archived(*size, *root, &heads, out);
            }
            Deed::StaffChanged { person, .. } => {
                let other = entry.by.person() != Some(person);
                out.hold(other, FindingKind::NotPermitted, "nobody changes what they may do themselves");
            }
            Deed::AdministratorsRestored { persons, reason } => {
                given(reason, out);
                let distinct: BTreeSet<&Person> = persons.iter().collect();
                let two = distinct.len() >= 2;
                out.hold(two, FindingKind::SecondPerson, "fewer than two Administrators were restored");
                self.restored = Some(entry.seq);
            }
            Deed::RestorationSeen { restored, reason } => {
                given(reason, out);
                let was = self.restored.take() == Some(*restored);
                out.hold(was, FindingKind::OutOfTurn, "there was no such restoration to be seen to");
            }
            Deed::WitnessChanged { second, reason, .. }
            | Deed::OpenedUnwitnessed { second, reason }
            | Deed::LossDeclared { second, reason, .. } => {
                two(&entry.by, second, out);
                given(reason, out);
                self.witnesses.deed(entry, out);
            }
            Deed::WitnessConfirmed { .. } | Deed::VerificationFailed { .. } => {
                self.witnesses.deed(entry, out);
            }
            Deed::CommitsSigned { .. }
            | Deed::SoftwareStarted { .. }
            | Deed::SoftwareStopped {}
            | Deed::SignedIn { .. }
            | Deed::SignInFailed { .. }
            | Deed::SignedOut { .. }
            | Deed::PasswordChosen { .. }
            | Deed::FactorEnrolled { .. }
            | Deed::RecoveryCodesMade { .. }
            | Deed::RecoveryCodeUsed { .. }
            | Deed::FactorResetStopped { .. }
            | Deed::FactorReset { .. }
            | Deed::RegisterTakenOver { .. }
            | Deed::DeviceEnrolled { .. }
            | Deed::DeviceRevoked { .. }
            | Deed::ApprovalGiven { .. } => {}
        }
    }
}

fn two(first: &Actor, second: &Person, out: &mut Findings) {
    let other = first.person() != Some(second) && !second.as_str().trim().is_empty();
    out.hold(other, FindingKind::SecondPerson, "a second person must agree");
}

fn given(reason: &str, out: &mut Findings) {
    out.hold(!reason.trim().is_empty(), FindingKind::NoReason, "a reason is missing");
}
