//! What a late claim holds back (interpretation 44): money that it could still change, and nothing else.

use std::collections::BTreeSet;
use std::sync::Arc;

use punto_record::{Event, MatterNo, Reason, Report, RoundNo, Timestamp};
use punto_rules::{Cite, Money, PatronNo};

use super::{Decided, has_reason};
use crate::draft::Draft;
use crate::round::Matter;
use crate::state::State;

/// The number of the interpretation, which is what its events and refusals cite.
const LATE_CLAIM: u8 = 44;

/// What is held back of one patron's money.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Hold {
    /// The most that all claims together could take.
    pub(crate) most: Money,
    /// The claims.
    pub(crate) matters: Vec<MatterNo>,
    /// When the last of them holds nothing back any more; none where one has no time.
    pub(crate) until: Option<Timestamp>,
}

pub(super) fn cite() -> Cite {
    Cite::interpretation(LATE_CLAIM)
}

/// The Round that is over and whose money a report claims to be wrong.
fn round_of(state: &State, report: &Report) -> Option<RoundNo> {
    let round = if let Report::WrongResult { round, .. } | Report::LateDiscovery { round, .. } = report {
        *round
    } else if let Report::WrongNumberOfCards { .. } = report {
        state.rounds
    } else {
        return None;
    };
    let in_play = state.round().is_some_and(|it| it.no == round);
    (!in_play && state.earlier.get(round).is_some()).then_some(round)
}

/// Until when a report that is taken now holds money back. Saying the same once more gives no more time.
pub(super) fn until(draft: &Draft<'_>, report: &Report) -> Option<Timestamp> {
    let round = round_of(&draft.state, report)?;
    let before = draft.state.matters.iter().filter(|it| it.claim() == Some(round));
    let known = before.filter_map(|it| it.money_until).min();
    Some(known.unwrap_or_else(|| draft.at.plus_a_day()))
}

/// The claims that hold money back now, and the Round of each.
fn running(state: &State, now: Timestamp) -> impl Iterator<Item = (&Matter, RoundNo)> {
    let runs = move |matter: &Matter| matter.money_until.is_none_or(|until| now < until);
    state.matters.iter().filter(move |it| runs(it)).filter_map(|it| Some((it, it.claim()?)))
}

/// What is held back of a patron's money. A claim can take no more than was paid for its Round.
// INTERPRETATION 44: only of patrons with a wager in that Round, at most what it could take, and not for ever.
pub(crate) fn hold(state: &State, patron: PatronNo, now: Timestamp) -> Hold {
    let mut hold = Hold { until: Some(Timestamp(0)), ..Hold::default() };
    let mut counted: BTreeSet<RoundNo> = BTreeSet::new();
    for (matter, round) in running(state, now) {
        let paid = state.earlier.get(round).and_then(|over| over.paid.get(&patron)).copied();
        // INTERPRETATION 51: a payout that is held answers for itself.
        let held = state.held_payout(patron, round).map_or(Money::ZERO, |(_, held)| held.amount);
        let paid = paid.map(|paid| paid.less(held));
        let Some(paid) = paid.filter(|paid| !paid.is_zero()) else { continue };
        if counted.insert(round) {
            hold.most = hold.most.plus(paid).unwrap_or(Money::MAX);
        }
        hold.matters.push(matter.no);
        hold.until = hold.until.zip(matter.money_until).map(|(a, b)| a.max(b));
    }
    hold.until = hold.until.filter(|_| !hold.matters.is_empty());
    hold
}

/// How much of what is kept for a patron can be paid now: a claim can still take from credits too.
pub(crate) fn payable(state: &State, patron: PatronNo, now: Timestamp) -> Money {
    let account = state.account(patron).cloned().unwrap_or_default();
    let kept = account.kept();
    let needed = hold(state, patron, now).most.less(account.credits);
    kept.less(needed)
}

/// The first claim about a Round that holds money back.
pub(super) fn about(state: &State, round: RoundNo, now: Timestamp) -> Option<MatterNo> {
    running(state, now).find(|(_, about)| *about == round).map(|(matter, _)| matter.no)
}

/// Whether some claim holds money back.
pub(crate) fn is_running(state: &State) -> bool {
    running(state, state.now).next().is_some()
}

/// The Shift Manager lets a claim hold money back for a day more.
pub(super) fn extend(draft: &mut Draft<'_>, matter: MatterNo, reason: &Arc<str>) -> Decided {
    let found = draft.state.matters.iter().find(|it| it.no == matter).ok_or(Reason::NoSuchMatter {})?;
    let until = found.claim().and(found.money_until).filter(|until| draft.at < *until);
    let until = until.ok_or_else(|| Reason::NoHold {}.under(&cite()))?.plus_a_day();
    has_reason(reason)?;
    draft.push(Event::HoldExtended { matter, until, reason: reason.clone(), cite: cite() });
    Ok(())
}
