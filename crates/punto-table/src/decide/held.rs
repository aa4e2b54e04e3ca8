//! Payouts that are held (interpretation 51): somebody who may not play has a bet in a Round. The bet stands, and what it
//! gives is kept from everybody until two people decide.

use std::collections::BTreeMap;
use std::sync::Arc;

use punto_record::{Event, HeldOutcome, MoneyKind, Person, Reason, RoundNo, SlipNo};
use punto_rules::{Cite, Money, PatronNo};

use super::{Decided, claims, has_reason, second};
use crate::draft::Draft;

/// The number of the interpretation, which is what its events and refusals cite.
const WEEK_ONE: u8 = 51;

fn cite() -> Cite {
    Cite::interpretation(WEEK_ONE)
}

/// Has the payout of a patron held, in the Round in play or in the one just settled.
// INTERPRETATION 51: the bet stands. Whoever orders the hold gains nothing by it: the money is owed, and two others decide.
pub(super) fn order(draft: &mut Draft<'_>, patron: PatronNo, reference: &Arc<str>) -> Decided {
    has_reason(reference)?;
    let in_play = draft.state.round().map(|round| (round.no, round.wagers.of(patron).next().is_some()));
    let last = draft.state.last().map(|last| (last.no, last.lines.iter().any(|it| it.patron == patron)));
    let (round, has_bet) = in_play.or(last).ok_or(Reason::NoRound {})?;
    if draft.state.held_payout(patron, round).is_some() {
        return Err(Reason::PayoutKept {}.under(&cite()));
    }
    let over = draft.state.earlier.get(round);
    if over.is_some_and(|over| over.pushed.contains(&patron)) {
        return Err(Reason::PushKnown {}.under(&cite()));
    }
    if !has_bet {
        return Err(Reason::NoSuchWager {}.under(&cite()));
    }
    let paid = over.and_then(|over| over.paid.get(&patron)).copied().unwrap_or_default();
    let (amount, from_unclaimed) = still_there(draft, patron, paid);
    if in_play.is_none() && amount.is_zero() {
        return Err(Reason::PayoutGone {}.under(&cite()));
    }
    let (slip, reference) = (draft.state.slip_no.next(), reference.clone());
    draft.push(Event::PayoutHoldOrdered { slip, patron, round, reference, cite: cite() });
    if in_play.is_none() {
        draft.push(Event::PayoutHeld { slip, patron, amount, from_unclaimed, cite: cite() });
    }
    Ok(())
}

/// How much of a payout is still at the table, and how much of that is kept for the patron already. Chips lie there until
/// they are pushed; those of somebody who walked away were put aside.
fn still_there(draft: &Draft<'_>, patron: PatronNo, paid: Money) -> (Money, Money) {
    let account = draft.state.account(patron).cloned().unwrap_or_default();
    let in_pocket = match draft.law.settings.money {
        MoneyKind::Credits => paid.min(account.credits),
        MoneyKind::Chips if account.away => Money::ZERO,
        MoneyKind::Chips => paid,
    };
    let kept = paid.less(in_pocket).min(account.kept());
    (in_pocket.plus(kept).expect("no more than was paid"), kept)
}

/// Holds what was just paid to patrons whose payout of this Round is held. What is left is for the others.
pub(super) fn hold(
    draft: &mut Draft<'_>,
    round: RoundNo,
    paid: Vec<(PatronNo, Money)>,
) -> Vec<(PatronNo, Money)> {
    let is_held = |patron: PatronNo| draft.state.held_payout(patron, round);
    let mut held: BTreeMap<PatronNo, (SlipNo, Money)> = BTreeMap::new();
    let mut others = Vec::new();
    for (patron, amount) in paid {
        match is_held(patron) {
            Some((slip, _)) => {
                let (_, sum) = held.entry(patron).or_insert((slip, Money::ZERO));
                *sum = sum.plus(amount).unwrap_or(Money::MAX);
            }
            None => others.push((patron, amount)),
        }
    }
    for (patron, (slip, amount)) in held.into_iter().filter(|(_, (_, amount))| !amount.is_zero()) {
        draft.push(Event::PayoutHeld { slip, patron, amount, from_unclaimed: Money::ZERO, cite: cite() });
    }
    others
}

/// Releases a held payout to the person, or has it go where the law of the house says.
// INTERPRETATION 51: a Shift Manager or above and another Pit Supervisor or above, neither of whom dealt.
pub(super) fn decide(
    draft: &mut Draft<'_>,
    slip: SlipNo,
    outcome: HeldOutcome,
    reference: &Arc<str>,
    second: Option<&Person>,
) -> Decided {
    let held = draft.state.held_payouts.get(&slip).cloned().ok_or(Reason::NoSuchHeld {})?;
    if draft.state.round().is_some_and(|round| round.no == held.round) {
        return Err(Reason::RoundOpen { round: held.round }.under(&cite()));
    }
    // INTERPRETATION 44: what a claim could still take does not leave the table; what is released answers for it.
    let claim = claims::about(&draft.state, held.round, draft.at);
    if let (HeldOutcome::Forfeited, Some(matter)) = (outcome, claim) {
        return Err(Reason::CorrectionPending { matter }.under(&claims::cite()));
    }
    has_reason(reference)?;
    second::did_not_deal(draft, held.round, draft.person())?;
    second::agrees_on(draft, held.round, second, &cite())?;
    let second = second.cloned().ok_or(Reason::SecondPersonNeeded {})?;
    let (patron, amount, reference) = (held.patron, held.amount, reference.clone());
    draft.push(Event::HeldDecided { slip, patron, amount, outcome, reference, second, cite: cite() });
    Ok(())
}
