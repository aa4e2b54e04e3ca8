//! Credits, tickets, and what is owed or kept for somebody.

use std::sync::Arc;

use punto_record::{
    Event, MoneyKind, NewTicket, Person, Reason, Rejection, SlipNo, TicketAnswer, TicketNo, Timestamp,
};
use punto_rules::{Cite, Money, PatronNo, Post};

use super::{Decided, claims, has_reason};
use crate::draft::Draft;
use crate::table::Given;

const MILLISECONDS_A_DAY: u64 = 24 * 60 * 60 * 1000;
/// The interpretation of credits that are set aside, which is what its events and refusals cite.
const ABANDONED: u8 = 45;

pub(super) fn buy(draft: &mut Draft<'_>, patron: PatronNo, amount: Money) -> Decided {
    let credits = fits(draft, patron, amount)?;
    draft.push(Event::CreditsBought { patron, amount, credits });
    Ok(())
}

pub(super) fn redeem(draft: &mut Draft<'_>, patron: PatronNo, ticket: &TicketNo, given: &Given) -> Decided {
    let amount = match &given.ticket {
        Some(TicketAnswer::Reserved { amount, currency })
            if currency.as_ref() == Some(&draft.law.settings.currency) =>
        {
            *amount
        }
        Some(TicketAnswer::Reserved { currency, .. }) => {
            return Err(Reason::TicketOfAnotherCurrency { currency: currency.clone() }.into());
        }
        Some(TicketAnswer::NotFound) | None => return Err(Reason::TicketNotFound {}.into()),
        Some(TicketAnswer::InUse) => return Err(Reason::TicketInUse {}.into()),
        Some(TicketAnswer::Paid) => return Err(Reason::TicketPaid {}.into()),
        Some(TicketAnswer::Expired) => return Err(Reason::TicketExpired {}.into()),
        Some(TicketAnswer::Void) => return Err(Reason::TicketVoid {}.into()),
        Some(TicketAnswer::Tampered) => return Err(Reason::TicketTampered {}.into()),
    };
    let credits = fits(draft, patron, amount)?;
    draft.push(Event::TicketRedeemed { patron, ticket: ticket.clone(), amount, credits });
    Ok(())
}

/// Something, and never so much that a payout on top of it would not fit.
pub(super) fn fits(draft: &Draft<'_>, patron: PatronNo, amount: Money) -> Result<Money, Rejection> {
    if amount.is_zero() {
        return Err(Reason::Nothing {}.into());
    }
    let standing = draft.state.round().map_or(Money::ZERO, |round| round.wagers.total());
    let credits = draft.state.credits(patron);
    let after =
        credits.plus(amount).filter(|after| standing.is_zero() || fits_payout(draft, standing, *after));
    after.ok_or_else(|| Reason::MoreThanThere { most: Money::MAX.less(credits) }.into())
}

/// Whether a payout of everything that stands would still fit on top of these credits.
fn fits_payout(draft: &Draft<'_>, standing: Money, credits: Money) -> bool {
    draft.law.holds(standing, credits)
}

/// All credits out as a ticket, except with bets in a running Round, and except what a claim could still take: that is
/// kept for the patron, who gets a slip.
pub(super) fn cash_out(draft: &mut Draft<'_>, patron: PatronNo, given: &Given) -> Decided {
    let stands = draft.state.round().is_some_and(|round| round.wagers.of(patron).next().is_some());
    if stands {
        return Err(Reason::BetsStand {}.into());
    }
    let account = draft.state.account(patron).cloned().unwrap_or_default();
    let credits = account.credits;
    if credits.is_zero() {
        return Err(Reason::NotEnoughCredits { credits }.into());
    }
    // INTERPRETATION 44: what is kept already answers for the claim too.
    let hold = claims::hold(&draft.state, patron, draft.at);
    let held = hold.most.less(account.kept()).min(credits);
    let out = credits.less(held);
    let ticket = match &given.new_ticket {
        Some(ticket) => Some(ticket.clone()).filter(|_| !out.is_zero()),
        None if out.is_zero() => None,
        None => return Err(Reason::NoTicketNumber {}.into()),
    };
    if !held.is_zero() {
        let (slip, cite) = (draft.state.slip_no.next(), claims::cite());
        let (matters, until) = (hold.matters, hold.until);
        draft.push(Event::CashOutHeld { patron, slip, amount: held, matters, until, cite });
    }
    if let Some(NewTicket { ticket, tag, attempt }) = ticket {
        let days = u64::from(draft.law.settings.ticket_days);
        let expires = Timestamp(draft.at.0.saturating_add(days * MILLISECONDS_A_DAY));
        draft.push(Event::CashedOut {
            patron,
            ticket,
            amount: out,
            expires,
            owed: account.owed,
            tag,
            attempt,
            currency: Some(draft.law.settings.currency.clone()),
        });
    }
    Ok(())
}

/// Collects what a correction could not take back: from credits, or in chips.
pub(super) fn collect(draft: &mut Draft<'_>, patron: PatronNo, amount: Money) -> Decided {
    let account = draft.state.account(patron).cloned().unwrap_or_default();
    let most = match draft.law.settings.money {
        MoneyKind::Credits => account.owed.min(account.credits),
        MoneyKind::Chips => account.owed,
    };
    if amount.is_zero() {
        return Err(Reason::Nothing {}.into());
    }
    if amount > most {
        return Err(Reason::MoreThanThere { most }.into());
    }
    draft.push(Event::Collected { patron, amount, owed: account.owed.less(amount) });
    Ok(())
}

/// Credits that nobody plays with any more become a liability, never the House's.
// INTERPRETATION 45: after a time without a bet, by a Pit Supervisor with an attendant at the terminal; never with the
// terminal down, a claim held or a bet standing.
pub(super) fn keep_unclaimed(draft: &mut Draft<'_>, patron: PatronNo, attendant: Option<&Person>) -> Decided {
    let own = Cite::interpretation(ABANDONED);
    let account = draft.state.account(patron).cloned().unwrap_or_default();
    if let Some(matter) = claims::hold(&draft.state, patron, draft.at).matters.first() {
        return Err(Reason::CorrectionPending { matter: *matter }.under(&own));
    }
    if account.lost {
        return Err(Reason::TerminalDown {}.under(&own));
    }
    let by = draft.person().cloned().ok_or(Reason::NotPermitted { least: Some(Post::PitSupervisor) })?;
    let is_somebody = |it: &&Person| **it != by && !it.as_str().trim().is_empty();
    let attendant =
        attendant.filter(is_somebody).cloned().ok_or_else(|| Reason::SecondPersonNeeded {}.under(&own))?;
    let since = draft.state.active.get(&patron).copied().unwrap_or_default();
    if draft.at < since.plus_minutes(draft.law.settings.abandoned_minutes) {
        return Err(Reason::TooEarly {}.under(&own));
    }
    let stands = draft.state.round().is_some_and(|round| round.wagers.of(patron).next().is_some());
    if stands {
        return Err(Reason::BetsStand {}.under(&own));
    }
    if account.credits.is_zero() {
        return Err(Reason::NotEnoughCredits { credits: Money::ZERO }.into());
    }
    draft.push(Event::UnclaimedKept {
        patron,
        amount: account.credits,
        slip: Some(draft.state.slip_no.next()),
        by: Some(by),
        attendant: Some(attendant),
        since: Some(since),
        cite: Some(own),
    });
    Ok(())
}

/// The Shift Manager looks at what was set aside; neither of the two who did it.
pub(super) fn review(draft: &mut Draft<'_>, slip: SlipNo, reason: &Arc<str>) -> Decided {
    let cite = Cite::interpretation(ABANDONED);
    let of = draft.state.set_aside.get(&slip).ok_or(Reason::NoSuchSlip {})?;
    let patron = of.patron;
    has_reason(reason)?;
    if draft.person().is_none_or(|person| *person == of.by || *person == of.attendant) {
        return Err(Reason::SecondPersonNeeded {}.under(&cite));
    }
    draft.push(Event::SetAsideReviewed { slip, patron, reason: reason.clone(), cite });
    Ok(())
}

/// Pays what is kept for somebody, except what a claim could still take.
pub(super) fn pay_unclaimed(draft: &mut Draft<'_>, patron: PatronNo, amount: Money) -> Decided {
    let kept = draft.state.account(patron).map_or(Money::ZERO, |account| account.kept());
    let payable = claims::payable(&draft.state, patron, draft.at);
    if let (true, Some(matter)) =
        (amount > payable && amount <= kept, claims::hold(&draft.state, patron, draft.at).matters.first())
    {
        return Err(Reason::CorrectionPending { matter: *matter }.under(&claims::cite()));
    }
    if amount.is_zero() {
        return Err(Reason::Nothing {}.into());
    }
    if amount > payable {
        return Err(Reason::MoreThanThere { most: payable }.into());
    }
    draft.push(Event::UnclaimedPaid { patron, amount });
    Ok(())
}
