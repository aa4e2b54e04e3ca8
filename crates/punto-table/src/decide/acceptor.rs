//! Money in acceptors at terminals, and what goes wrong with notes and tickets (interpretation 41).

use std::sync::Arc;

use punto_record::{
    Actor, CaseNo, CaseOutcome, CaseReport, DeviceId, DropNo, Event, Person, Reason, Rejection,
};
use punto_rules::{Cite, Money, PatronNo, Post};

use super::{Decided, credits, has_reason};
use crate::draft::Draft;

/// The number of the interpretation, which is what its events and refusals cite.
fn cite() -> Cite {
    Cite::interpretation(41)
}

/// The acceptor that gives the order.
fn acceptor<'a>(draft: &Draft<'a>) -> Option<&'a DeviceId> {
    if let Actor::Acceptor { acceptor, .. } = draft.by { Some(acceptor) } else { None }
}

/// A second person, who is not the one who gives the order.
fn second(draft: &Draft<'_>, second: Option<&Person>) -> Result<Person, Rejection> {
    let other = |it: &&Person| Some(*it) != draft.person() && !it.as_str().trim().is_empty();
    second.filter(other).cloned().ok_or_else(|| Reason::SecondPersonNeeded {}.under(&cite()))
}

/// A note becomes credits. Until the answer the acceptor holds it in escrow, and what is refused it gives back.
// INTERPRETATION 41: credits are bought at the terminal; only the acceptor says what it took.
pub(super) fn accept(draft: &mut Draft<'_>, patron: PatronNo, amount: Money) -> Decided {
    let acceptor = acceptor(draft).cloned().ok_or(Reason::NotPermitted { least: None })?;
    let credits = credits::fits(draft, patron, amount)?;
    let there = draft.state.acceptors.get(&acceptor).copied().unwrap_or_default();
    if there.plus(amount).is_none() {
        return Err(Reason::MoreThanThere { most: Money::MAX.less(there) }.into());
    }
    draft.push(Event::NoteAccepted { patron, acceptor, amount, credits, cite: cite() });
    Ok(())
}

/// A note that was not credited, or a ticket that nobody took, is a case: a fact that is never refused for its moment.
pub(super) fn report(draft: &mut Draft<'_>, patron: PatronNo, report: &CaseReport) -> Decided {
    match report {
        CaseReport::NoteNotCredited { acceptor: named, amount, words } => {
            // An acceptor speaks for itself.
            if acceptor(draft).is_some_and(|own| own != named) {
                return Err(Reason::NotYours {}.into());
            }
            has_reason(words)?;
            has_reason(named.as_str())?;
            if amount.is_some_and(|amount| amount.is_zero()) {
                return Err(Reason::Nothing {}.into());
            }
        }
        CaseReport::TicketNotTaken { ticket } => has_reason(ticket.as_str())?,
    }
    let case = draft.state.case_no.next();
    draft.push(Event::CaseOpened { case, patron, report: report.clone(), cite: cite() });
    Ok(())
}

/// Two people put a case right. A note is worth at most what the acceptor read; a ticket is money already.
pub(super) fn settle(
    draft: &mut Draft<'_>,
    case: CaseNo,
    outcome: &CaseOutcome,
    reason: &Arc<str>,
    agrees: Option<&Person>,
) -> Decided {
    let found = draft.state.cases.get(&case).cloned().ok_or(Reason::NoSuchCase {})?;
    has_reason(reason)?;
    let second = second(draft, agrees)?;
    let patron = found.patron;
    let (holder, read) = match &found.report {
        CaseReport::NoteNotCredited { acceptor, amount, .. } => (Some(acceptor.clone()), *amount),
        CaseReport::TicketNotTaken { .. } => (None, None),
    };
    let acceptor = match outcome {
        CaseOutcome::Credited { amount } | CaseOutcome::Paid { amount } => {
            let holder = holder.ok_or_else(|| Reason::RulingNotAllowed {}.under(&cite()))?;
            if amount.is_zero() {
                return Err(Reason::Nothing {}.into());
            }
            let there = draft.state.acceptors.get(&holder).copied().unwrap_or_default();
            let most = read.unwrap_or(Money::MAX).min(Money::MAX.less(there));
            if *amount > most {
                return Err(Reason::MoreThanThere { most }.into());
            }
            if let CaseOutcome::Credited { .. } = outcome {
                credits::fits(draft, patron, *amount)?;
            }
            Some(holder)
        }
        CaseOutcome::HandedOver {} | CaseOutcome::Nothing {} => None,
    };
    let (outcome, reason, cite) = (outcome.clone(), reason.clone(), cite());
    draft.push(Event::CaseSettled { case, patron, acceptor, outcome, second, reason, cite });
    Ok(())
}

/// The box of an acceptor is taken out by two people; it is money of its own until it is counted.
pub(super) fn empty(draft: &mut Draft<'_>, acceptor: &DeviceId, agrees: Option<&Person>) -> Decided {
    let there = draft.state.acceptors.get(acceptor).copied();
    let expected = there.ok_or(Reason::NoSuchAcceptor {})?;
    let second = second(draft, agrees)?;
    let by = draft.person().cloned().ok_or(Reason::NotPermitted { least: Some(Post::PitSupervisor) })?;
    let (drop, acceptor) = (draft.state.drop_no.next(), acceptor.clone());
    draft.push(Event::AcceptorEmptied { drop, acceptor, expected, by, second, cite: cite() });
    Ok(())
}

/// A box is counted. What is too much or too little is on record and lost nowhere.
pub(super) fn count(draft: &mut Draft<'_>, drop: DropNo, counted: Money, agrees: Option<&Person>) -> Decided {
    let of = draft.state.drops.get(&drop).cloned().ok_or(Reason::NoSuchDrop {})?;
    let second = second(draft, agrees)?;
    // Neither of them took the box out.
    if of.by.contains(&second) || draft.person().is_some_and(|person| of.by.contains(person)) {
        return Err(Reason::SecondPersonNeeded {}.under(&cite()));
    }
    let (acceptor, expected) = (of.acceptor, of.expected);
    draft.push(Event::AcceptorCounted { drop, acceptor, counted, expected, second, cite: cite() });
    Ok(())
}
