//! Money after the fact (interpretation 37): what is owed for a Round that is over is computed from its wagers.

use std::collections::BTreeMap;
use std::sync::Arc;

use punto_record::{Adjustment, Event, Owed, Person, Reason, Rejection, RoundNo, Ruling};
use punto_rules::{Cite, Composition, Money, PatronNo, Post, Wager};

use super::{Decided, correction, has_reason, report, second, settle};
use crate::draft::Draft;
use crate::earlier::{Over, Played};
use crate::law::Law;
use crate::round::{Matter, WagerKey};

/// The number of the interpretation, which is what its events and refusals cite.
const AFTER_THE_FACT: u8 = 37;

/// Why an adjustment is refused where no adjustment may be ruled.
pub(super) fn refused(law: &Law) -> Option<Rejection> {
    law.earlier_rounds_stand().map(|cite| Reason::RoundStands {}.under(cite))
}

/// What an adjusting ruling does, as the event to follow it.
// INTERPRETATION 37: the difference to what was paid, for everybody who had a wager in that Round and nobody else.
pub(super) fn check(draft: &Draft<'_>, matter: &Matter, ruling: &Ruling) -> Result<Event, Rejection> {
    let Ruling::Adjust { adjustments, cards, .. } = ruling else {
        unreachable!("asked for adjustments only")
    };
    if !adjustments.is_empty() {
        return Err(Reason::AmountTyped {}.under(&Cite::interpretation(AFTER_THE_FACT)));
    }
    let round = round(matter, ruling);
    report::is_late(draft, round)?;
    let no_such = || Rejection::from(Reason::NoSuchRound {});
    let named = second::named(matter);
    let over = draft.state.earlier.get(round).filter(|_| named.is_none_or(|it| it == round));
    let over = over.ok_or_else(no_such)?;
    if let Some(refused) = refused(draft.law).filter(|_| !draft.state.was_opened_over(round)) {
        return Err(refused);
    }
    let cards = if cards.is_empty() { &over.cards } else { cards };
    let outcome = settle::complete(cards)?;
    let out: Composition = cards.iter().copied().collect();
    if cards.iter().any(|card| out.copies(*card) > draft.law.settings.decks.into()) {
        return Err(Reason::CardsDoNotAddUp {}.into());
    }
    let wagers = over.wagers.iter().map(|it| wager(draft.law, it)).collect::<Option<Vec<_>>>();
    let (lines, _) = settle::lines(draft.law, &wagers.ok_or_else(no_such)?, &outcome);
    let owed = difference(correction::owed(&lines), over);
    let adjustments: Vec<Adjustment> = owed.iter().filter_map(adjustment).collect();
    let changes = correction::changes(draft, round, owed)?;
    if changes.is_empty() {
        return Err(Reason::Nothing {}.into());
    }
    let cite = draft.law.cite_in_time(matter.kind, false).unwrap_or_else(|| draft.uncovered());
    Ok(Event::Adjusted { round, adjustments, changes, cards: cards.clone(), cite })
}

/// The Round that an adjustment is about.
pub(super) fn round(matter: &Matter, ruling: &Ruling) -> RoundNo {
    let said = if let Ruling::Adjust { round, .. } = ruling { *round } else { None };
    said.or_else(|| second::named(matter)).unwrap_or(matter.round)
}

fn wager(law: &Law, it: &Played) -> Option<(WagerKey, Wager)> {
    let bet = law.terms.bet_no(it.key.bet.as_str())?;
    Some((it.key.clone(), Wager { bet, stake: it.stake, playing: it.playing }))
}

fn difference(mut owed: BTreeMap<PatronNo, i128>, over: &Over) -> BTreeMap<PatronNo, i128> {
    for (patron, paid) in &over.paid {
        *owed.entry(*patron).or_default() -= i128::from(paid.get());
    }
    owed.retain(|_, amount| *amount != 0);
    owed
}

fn adjustment((patron, amount): (&PatronNo, &i128)) -> Option<Adjustment> {
    let owed = if *amount > 0 { Owed::ToPatron } else { Owed::ToHouse };
    let amount = u64::try_from(amount.unsigned_abs()).ok().and_then(Money::new)?;
    Some(Adjustment { patron: *patron, owed, amount })
}

/// Records what the Dealer really pushed: in time a Pit Supervisor, afterwards the Shift Manager with a second person
/// where the earlier Round does not stand.
// INTERPRETATION 37: recorded as counted, and put right by the difference.
pub(super) fn record_push(
    draft: &mut Draft<'_>,
    round: RoundNo,
    patron: PatronNo,
    counted: Money,
    surveillance: &Arc<str>,
    second: Option<&Person>,
) -> Decided {
    let own = Cite::interpretation(AFTER_THE_FACT);
    if draft.state.last().is_none_or(|last| last.no != round) {
        report::is_late(draft, round)?;
        // INTERPRETATION 43: but for a patron who had disputed it in time when the next Round was opened.
        let mut spoken = draft.state.disputes.values().filter(|it| it.spoken);
        let is_theirs = spoken.any(|it| it.round == Some(round) && it.patron == Some(patron));
        if let Some(refused) = refused(draft.law).filter(|_| !is_theirs) {
            return Err(refused);
        }
        let least = Post::ShiftManager;
        if draft.by.post().is_none_or(|post| post < least) {
            return Err(Reason::NotPermitted { least: Some(least) }.under(&own));
        }
        second::agrees_on(draft, round, second, &own)?;
    }
    let over = draft.state.earlier.get(round).ok_or(Reason::NoSuchRound {})?;
    has_reason(surveillance)?;
    second::did_not_deal(draft, round, draft.person())?;
    if over.pushed.contains(&patron) {
        return Err(Reason::PushKnown {}.under(&own));
    }
    // INTERPRETATION 51: of a payout that is held nothing was pushed.
    if draft.state.held_payout(patron, round).is_some() {
        return Err(Reason::PayoutKept {}.under(&Cite::interpretation(51)));
    }
    let payout = *over.paid.get(&patron).ok_or(Reason::NoSuchWager {})?;
    // Chips of somebody who walked away were kept for them: nothing was pushed.
    let is_away = draft.state.account(patron).is_some_and(|account| account.away);
    if counted == payout || is_away {
        return Err(Reason::Nothing {}.into());
    }
    let owed = draft.state.account(patron).map_or(Money::ZERO, |account| account.owed);
    if owed.plus(counted.less(payout)).is_none() {
        return Err(Reason::MoreThanThere { most: Money::MAX.less(owed) }.into());
    }
    let (surveillance, second) = (surveillance.clone(), second.cloned());
    draft.push(Event::PushRecorded { round, patron, payout, counted, surveillance, second, cite: own });
    Ok(())
}
