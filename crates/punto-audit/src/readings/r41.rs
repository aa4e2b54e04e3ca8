//! Interpretation 41: only an acceptor says what it took, and for its own patron; every note is in its box until two people
//! take that out and two others count it; a case is settled by two, at most for what the acceptor read; and a table closes
//! with no note in an acceptor and no case open.

use std::collections::BTreeMap;

use punto_record::{Actor, CaseNo, CaseOutcome, CaseReport, Command, DeviceId, DropNo, Entry, Event, Person};
use punto_rules::Money;

use crate::finding::Findings;

const NO: u8 = 41;

/// What is in acceptors and in boxes, by the notes.
#[derive(Clone, Debug, Default)]
pub(super) struct Check {
    notes: BTreeMap<DeviceId, i128>,
    boxes: BTreeMap<DropNo, (i128, Vec<Person>)>,
    cases: BTreeMap<CaseNo, CaseReport>,
}

fn units(money: Money) -> i128 {
    money.get().into()
}

impl Check {
    #[allow(clippy::wildcard_enum_match_arm)] // Nothing else is about acceptors.
    pub(super) fn entry(&mut self, entry: &Entry, out: &mut Findings) {
        let people: Vec<Person> =
            entry.order.by.person().into_iter().chain(entry.order.command.second()).cloned().collect();
        let two = people.len() == 2
            && people[0] != people[1]
            && people.iter().all(|person| !person.as_str().trim().is_empty());
        for event in &entry.events {
            match event {
                Event::NoteAccepted { patron, acceptor, amount, .. } => {
                    let own = Actor::Acceptor { acceptor: acceptor.clone(), patron: *patron };
                    out.interpreted(NO, entry.order.by == own, "a note that its acceptor did not report");
                    *self.notes.entry(acceptor.clone()).or_default() += units(*amount);
                }
                Event::CaseOpened { case, report, .. } => {
                    self.cases.insert(*case, report.clone());
                }
                Event::CaseSettled { case, acceptor, outcome, .. } => {
                    out.interpreted(NO, two, "one person alone settled a case");
                    self.settled(*case, acceptor.as_ref(), outcome, out);
                }
                Event::AcceptorEmptied { drop, acceptor, expected, .. } => {
                    out.interpreted(NO, two, "one person alone took a box out");
                    let notes = self.notes.remove(acceptor).unwrap_or(0);
                    let all = notes == units(*expected);
                    out.interpreted(NO, all, "a box is said to hold something else than the notes taken");
                    self.boxes.insert(*drop, (notes, people.clone()));
                }
                Event::AcceptorCounted { drop, expected, .. } => {
                    out.interpreted(NO, two, "one person alone counted a box");
                    let of = self.boxes.remove(drop);
                    let known = of.as_ref().is_some_and(|(notes, _)| *notes == units(*expected));
                    out.interpreted(NO, known, "a box was counted against something else than its notes");
                    let others = of.is_some_and(|(_, by)| by.iter().all(|it| !people.contains(it)));
                    out.interpreted(NO, others, "a box was counted by who took it out");
                }
                Event::TableClosed {} => {
                    out.interpreted(NO, self.notes.is_empty(), "a table closed with notes in an acceptor");
                    out.interpreted(NO, self.cases.is_empty(), "a table closed with a case open");
                }
                _ => {}
            }
        }
        if let Command::AcceptNote { .. } = &entry.order.command {
            let by_device = matches!(entry.order.by, Actor::Acceptor { .. });
            out.interpreted(NO, by_device, "somebody else than an acceptor said what it took");
        }
    }

    fn settled(
        &mut self,
        case: CaseNo,
        holder: Option<&DeviceId>,
        outcome: &CaseOutcome,
        out: &mut Findings,
    ) {
        let report = self.cases.remove(&case);
        out.interpreted(NO, report.is_some(), "a case was settled that is not open");
        let (CaseOutcome::Credited { amount } | CaseOutcome::Paid { amount }) = outcome else { return };
        if let Some(CaseReport::NoteNotCredited { acceptor, amount: read, .. }) = report {
            let own = holder == Some(&acceptor);
            let fits = read.is_none_or(|read| *amount <= read);
            out.interpreted(NO, own && fits, "a case gave more than the note, or took it from elsewhere");
            *self.notes.entry(acceptor).or_default() += units(*amount);
        } else {
            out.interpreted(NO, false, "money was given for a ticket that is money already");
        }
    }
}
