//! Notes in acceptors, boxes taken out of them, and cases of notes and tickets (interpretation 41).

use std::collections::BTreeMap;
use std::sync::Arc;

use punto_record::{Actor, CaseNo, CaseOutcome, CaseReport, DeviceId, DropNo, Event, Person};
use punto_rules::{Cite, Money, PatronNo};

use super::Look;
use super::books::{amount, money};
use crate::finding::FindingKind;

/// What the record says about them.
#[derive(Clone, Debug, Default)]
pub(super) struct Acceptors {
    holding: BTreeMap<DeviceId, i128>,
    drops: BTreeMap<DropNo, (DeviceId, Money, [Person; 2])>,
    drop_no: DropNo,
    cases: BTreeMap<CaseNo, (PatronNo, CaseReport)>,
    case_no: CaseNo,
}

impl Acceptors {
    /// Whether no acceptor holds notes, and no box that was taken out waits to be counted.
    pub(super) fn are_empty(&self) -> bool {
        self.drops.is_empty() && self.holding.values().all(|there| *there == 0)
    }

    /// Whether no acceptor holds anything and no case is open; boxes that are out may be counted later.
    pub(super) fn is_done(&self) -> bool {
        self.holding.is_empty() && self.cases.is_empty()
    }

    #[allow(clippy::wildcard_enum_match_arm)] // Nothing else is about acceptors.
    pub(super) fn learn(&mut self, event: &Event) {
        match event {
            Event::NoteAccepted { acceptor, amount: note, .. } => {
                *self.holding.entry(acceptor.clone()).or_default() += amount(*note);
            }
            Event::CaseOpened { case, patron, report, .. } => {
                self.case_no = *case;
                self.cases.insert(*case, (*patron, report.clone()));
            }
            Event::CaseSettled { case, acceptor, outcome, .. } => {
                self.cases.remove(case);
                if let (
                    CaseOutcome::Credited { amount: note } | CaseOutcome::Paid { amount: note },
                    Some(acceptor),
                ) = (outcome, acceptor)
                {
                    *self.holding.entry(acceptor.clone()).or_default() += amount(*note);
                }
            }
            Event::AcceptorEmptied { drop, acceptor, expected, by, second, .. } => {
                self.drop_no = *drop;
                self.holding.remove(acceptor);
                let by = [by.clone(), second.clone()];
                self.drops.insert(*drop, (acceptor.clone(), *expected, by));
            }
            Event::AcceptorCounted { drop, .. } => {
                self.drops.remove(drop);
            }
            _ => {}
        }
    }
}

fn cite() -> Cite {
    Cite::interpretation(41)
}

impl Look<'_> {
    fn agreed(&mut self, second: Option<&Person>) -> Person {
        let own = self.order.by.person();
        let other = second.is_some_and(|it| Some(it) != own && !it.as_str().trim().is_empty());
        self.must(other, FindingKind::SecondPerson, "money of an acceptor in the hands of one person alone");
        second.cloned().unwrap_or_else(|| Person::as_recorded(""))
    }

    pub(super) fn accept_note(&mut self, patron: PatronNo, note: Money) {
        self.credits_kept();
        self.something(note);
        let Actor::Acceptor { acceptor, .. } = &self.order.by else { return };
        let (acceptor, credits) = (acceptor.clone(), self.credits_after(patron, note));
        self.due.push(Event::NoteAccepted { patron, acceptor, amount: note, credits, cite: cite() });
    }

    pub(super) fn report_case(&mut self, patron: PatronNo, report: &CaseReport) {
        self.credits_kept();
        if let (CaseReport::NoteNotCredited { acceptor: named, .. }, Actor::Acceptor { acceptor, .. }) =
            (report, &self.order.by)
        {
            self.must(named == acceptor, FindingKind::NotPermitted, "an acceptor speaks for itself only");
        }
        let case = CaseNo(self.table.acceptors.case_no.0.saturating_add(1));
        self.due.push(Event::CaseOpened { case, patron, report: report.clone(), cite: cite() });
    }

    pub(super) fn settle_case(
        &mut self,
        case: CaseNo,
        outcome: &CaseOutcome,
        reason: &Arc<str>,
        second: Option<&Person>,
    ) {
        self.reason(reason);
        let second = self.agreed(second);
        let Some((patron, report)) = self.table.acceptors.cases.get(&case) else {
            self.in_turn(false, "no such case is open");
            return;
        };
        let acceptor = match (outcome, report) {
            (
                CaseOutcome::Credited { amount: note } | CaseOutcome::Paid { amount: note },
                CaseReport::NoteNotCredited { acceptor, amount: read, .. },
            ) => {
                let most = read.map_or(i128::MAX, amount);
                let fits = amount(*note) > 0 && amount(*note) <= most;
                self.must(fits, FindingKind::WrongCredits, "more than the note was worth");
                Some(acceptor.clone())
            }
            (CaseOutcome::Credited { .. } | CaseOutcome::Paid { .. }, CaseReport::TicketNotTaken { .. }) => {
                self.say(FindingKind::WrongCredits, "a ticket was paid twice");
                None
            }
            (CaseOutcome::HandedOver {} | CaseOutcome::Nothing {}, _) => None,
        };
        let (patron, outcome, reason, cite) = (*patron, outcome.clone(), reason.clone(), cite());
        self.due.push(Event::CaseSettled { case, patron, acceptor, outcome, second, reason, cite });
    }

    pub(super) fn empty_acceptor(&mut self, acceptor: &DeviceId, second: Option<&Person>) {
        self.credits_kept();
        let second = self.agreed(second);
        let there = self.table.acceptors.holding.get(acceptor).copied();
        self.in_turn(there.is_some(), "an acceptor was emptied that holds nothing");
        let expected = money(there.unwrap_or(0)).unwrap_or_default();
        let by = self.order.by.person().cloned().unwrap_or_else(|| Person::as_recorded(""));
        let drop = DropNo(self.table.acceptors.drop_no.0.saturating_add(1));
        let (acceptor, cite) = (acceptor.clone(), cite());
        self.due.push(Event::AcceptorEmptied { drop, acceptor, expected, by, second, cite });
    }

    pub(super) fn count_acceptor(&mut self, drop: DropNo, counted: Money, second: Option<&Person>) {
        let second = self.agreed(second);
        let Some((acceptor, expected, by)) = self.table.acceptors.drops.get(&drop) else {
            self.in_turn(false, "no such box waits to be counted");
            return;
        };
        let others = !by.contains(&second) && self.order.by.person().is_none_or(|it| !by.contains(it));
        self.must(others, FindingKind::SecondPerson, "a box was counted by who took it out");
        let (acceptor, expected, cite) = (acceptor.clone(), *expected, cite());
        self.due.push(Event::AcceptorCounted { drop, acceptor, counted, expected, second, cite });
    }
}
