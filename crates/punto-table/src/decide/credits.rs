//! Credits, tickets, and what is owed or kept for somebody.

use punto_record::{Event, MoneyKind, Reason, Rejection, TicketAnswer, TicketNo, Timestamp};
use punto_rules::{Money, PatronNo};

use super::Decided;
use crate::draft::Draft;
use crate::table::Given;

const MILLISECONDS_A_DAY: u64 = 24 * 60 * 60 * 1000;

pub(super) fn buy(draft: &mut Draft<'_>, patron: PatronNo, amount: Money) -> Decided {
    let credits = fits(draft, patron, amount)?;
    draft.push(Event::CreditsBought { patron, amount, credits });
    Ok(())
}

pub(super) fn redeem(draft: &mut Draft<'_>, patron: PatronNo, ticket: &TicketNo, given: &Given) -> Decided {
    let amount = match given.ticket {
        Some(TicketAnswer::Reserved { amount }) => amount,
        Some(TicketAnswer::NotFound) | None => return Err(Reason::TicketNotFound {}.into()),
        Some(TicketAnswer::InUse) => return Err(Reason::TicketInUse {}.into()),
        Some(TicketAnswer::Paid) => return Err(Reason::TicketPaid {}.into()),
        Some(TicketAnswer::Expired) => return Err(Reason::TicketExpired {}.into()),
        Some(TicketAnswer::Void) => return Err(Reason::TicketVoid {}.into()),
    };
    let credits = fits(draft, patron, amount)?;
    draft.push(Event::TicketRedeemed { patron, ticket: ticket.clone(), amount, credits });
    Ok(())
}

/// Something, and never so much that a payout on top of it would not fit.
fn fits(draft: &Draft<'_>, patron: PatronNo, amount: Money) -> Result<Money, Rejection> {
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

/// All credits out as a ticket, except with bets in a running Round.
pub(super) fn cash_out(draft: &mut Draft<'_>, patron: PatronNo, given: &Given) -> Decided {
    let stands = draft.state.round().is_some_and(|round| round.wagers.of(patron).next().is_some());
    if stands {
        return Err(Reason::BetsStand {}.into());
    }
    let amount = draft.state.credits(patron);
    if amount.is_zero() {
        return Err(Reason::NotEnoughCredits { credits: amount }.into());
    }
    let ticket = given.ticket_number.clone().ok_or(Reason::NoTicketNumber {})?;
    let days = u64::from(draft.law.settings.ticket_days);
    let expires = Timestamp(draft.at.0.saturating_add(days * MILLISECONDS_A_DAY));
    draft.push(Event::CashedOut { patron, ticket, amount, expires });
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

/// Credits that somebody left behind become a liability (5.3), never the House's.
pub(super) fn keep_unclaimed(draft: &mut Draft<'_>, patron: PatronNo) -> Decided {
    let account = draft.state.account(patron).cloned().unwrap_or_default();
    let stands = draft.state.round().is_some_and(|round| round.wagers.of(patron).next().is_some());
    if stands {
        return Err(Reason::BetsStand {}.into());
    }
    if !account.away || account.credits.is_zero() {
        return Err(Reason::NotEnoughCredits { credits: Money::ZERO }.into());
    }
    draft.push(Event::UnclaimedKept { patron, amount: account.credits });
    Ok(())
}

pub(super) fn pay_unclaimed(draft: &mut Draft<'_>, patron: PatronNo, amount: Money) -> Decided {
    let kept = draft.state.account(patron).map_or(0, |account| account.unclaimed);
    let most = u64::try_from(kept).ok().and_then(Money::new).unwrap_or(Money::MAX);
    if amount.is_zero() {
        return Err(Reason::Nothing {}.into());
    }
    if amount > most {
        return Err(Reason::MoreThanThere { most }.into());
    }
    draft.push(Event::UnclaimedPaid { patron, amount });
    Ok(())
}
