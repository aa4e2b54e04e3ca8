//! Limits on a felt that is only observed: what breaks one is flagged, and a flag is notice (5.1, 5.2).

use punto_record::{BoxNo, Event, Reason, Rejection};
use punto_rules::{BetId, BetNo, Cite, Flag, Irregularity, IrregularityKind, Money, PatronNo, Range, Remedy};

use super::{Decided, bets, settle, wager};
use crate::draft::Draft;
use crate::law::Law;
use crate::round::{Standing, WagerKey, Wagers};

/// The number of the interpretation about chips that are no whole units.
const NO_WHOLE_UNITS: u8 = 51;

/// What breaks a limit in a box now: the Differential and the minimum of the box, the range of a side bet just moved.
pub(super) fn flags(law: &Law, wagers: &Wagers, box_no: BoxNo, patron: PatronNo, bet: BetNo) -> Vec<Event> {
    let (over, under) =
        (in_time(law, IrregularityKind::OverDifferential), in_time(law, IrregularityKind::UnderMinimum));
    let mut events = Vec::new();
    match law.terms.bet(bet).original {
        Some(_) => {
            let limits = law.terms.box_limits().expect("live tables have a Differential");
            let found = wagers.betting_box(box_no).map(|it| it.flags(limits)).unwrap_or_default();
            let mut cites = Vec::new();
            let flags: Vec<Flag> = found
                .into_iter()
                .filter(|flag| {
                    let clause = match flag {
                        Flag::OverDifferential { .. } => over,
                        Flag::UnderMinimum { .. } => under,
                    };
                    cites.extend(clause.map(|it| it.cite.clone()));
                    clause.is_some()
                })
                .collect();
            if !flags.is_empty() {
                events.push(Event::LimitsFlagged { box_no, flags, cites });
            }
        }
        None => {
            let key = WagerKey { patron, box_no: Some(box_no), bet: law.terms.bet(bet).id.clone() };
            let stake = wagers.stake(&key);
            if let Some(Range { minimum, maximum }) = outside(law, bet, stake) {
                let cite = law.rulebook.limits.cite.clone();
                let bet = key.bet;
                events.push(Event::SideBetFlagged { patron, box_no, bet, stake, minimum, maximum, cite });
            }
        }
    }
    let key = WagerKey { patron, box_no: Some(box_no), bet: law.terms.bet(bet).id.clone() };
    let stake = wagers.stake(&key);
    if odd(law, stake).is_some() {
        let (unit, cite) = (law.terms.unit(), Cite::interpretation(NO_WHOLE_UNITS));
        events.push(Event::StackFlagged { patron, box_no, bet: key.bet, stake, unit, cite });
    }
    events
}

/// What of a stake is no whole unit, and so cannot play.
// INTERPRETATION 51: recorded as it lies, flagged, and dealt with before bets close.
pub(crate) fn odd(law: &Law, stake: Money) -> Option<Money> {
    Money::new(stake.get() % law.terms.unit().get()).filter(|odd| !odd.is_zero())
}

/// The range of a side bet that a stake is outside of.
pub(crate) fn outside(law: &Law, bet: BetNo, stake: Money) -> Option<Range> {
    let range = law.terms.range(bet).filter(|_| law.terms.bet(bet).original.is_none())?;
    let is_outside = !stake.is_zero() && !(range.minimum..=range.maximum).contains(&stake);
    is_outside.then_some(range)
}

/// The House rejects what is over the Differential, noticed before bets are closed (5.1).
pub(super) fn reject_excess(draft: &mut Draft<'_>, box_no: BoxNo) -> Decided {
    let clause = draft.law.rulebook.irregularity(IrregularityKind::OverDifferential);
    if clause.and_then(|it| it.in_time) != Some(Remedy::RejectExcess) {
        return Err(Reason::RulingNotAllowed {}.into());
    }
    wager::check_box(draft.law, Some(box_no))?;
    if !is_over(draft.law, &draft.round().wagers, box_no) {
        return Err(Reason::NothingOver {}.under_some(clause.map(|it| &it.cite)));
    }
    bets::trim(draft, box_no);
    Ok(())
}

/// A clause about chips that the House can still act on while bets are open.
fn in_time(law: &Law, kind: IrregularityKind) -> Option<&Irregularity> {
    law.rulebook.irregularity(kind).filter(|it| it.in_time.is_some())
}

/// How much of a wager is outside its limits: all of what is below a minimum, what a side bet has above its maximum. With
/// the paragraph by which its owner is advised.
fn excess(law: &Law, key: &WagerKey, standing: &Standing) -> Option<(Money, Cite)> {
    let bet = law.terms.bet_no(key.bet.as_str()).expect("placed bets are offered");
    let outside = match (standing.side, law.terms.box_limits()) {
        (Some(_), Some(limits)) => {
            let clause = in_time(law, IrregularityKind::UnderMinimum);
            let clause = clause.filter(|_| standing.stake < limits.minimum);
            clause.map(|clause| (standing.stake, clause.cite.clone()))
        }
        (Some(_) | None, Some(_) | None) => outside(law, bet, standing.stake).map(|range| {
            let over = standing.stake.less(range.maximum);
            let amount = if over.is_zero() { standing.stake } else { over };
            (amount, Cite::interpretation(49))
        }),
    };
    // Limits are whole units: what is left within them is one once the odd part is gone.
    outside.or_else(|| Some((odd(law, standing.stake)?, Cite::interpretation(NO_WHOLE_UNITS))))
}

fn is_over(law: &Law, wagers: &Wagers, box_no: BoxNo) -> bool {
    let flags = law.terms.box_limits().zip(wagers.betting_box(box_no)).map(|(limits, it)| it.flags(limits));
    flags.is_some_and(|flags| flags.iter().any(|flag| matches!(flag, Flag::OverDifferential { .. })))
}

/// A box in which a limit is broken and nobody has done anything about it, and the paragraph that says what is to be done.
// INTERPRETATION 49: once the console shows it, the House has noticed.
pub(crate) fn noticed(law: &Law, wagers: &Wagers) -> Option<(BoxNo, Cite)> {
    if law.settings.limits != punto_record::LimitsMode::Observed {
        return None;
    }
    let over = in_time(law, IrregularityKind::OverDifferential);
    let mut over =
        wagers.boxes().filter_map(|(no, _)| Some((no, over.filter(|_| is_over(law, wagers, no))?)));
    if let Some((box_no, clause)) = over.next() {
        return Some((box_no, clause.cite.clone()));
    }
    let unadvised = wagers.iter().filter(|(_, standing)| !standing.advised);
    let mut outside = unadvised.filter_map(|(key, it)| Some((key.box_no?, excess(law, key, it)?.1)));
    outside.next()
}

/// The Dealer tells a patron that a bet is outside its limits and may be raised or withdrawn (5.2).
pub(super) fn advise(draft: &mut Draft<'_>, patron: PatronNo, box_no: BoxNo, bet: &BetId) -> Decided {
    wager::bet_no(draft.law, bet)?;
    wager::check_box(draft.law, Some(box_no))?;
    let key = WagerKey { patron, box_no: Some(box_no), bet: bet.clone() };
    let standing = draft.round().wagers.get(&key).ok_or(Reason::NoSuchWager {})?;
    let within = || Rejection::from(Reason::WithinLimits {});
    let (_, cite) = excess(draft.law, &key, standing).ok_or_else(within)?;
    let stake = standing.stake;
    draft.push(Event::PatronAdvised { patron, box_no, bet: key.bet, stake, cite });
    Ok(())
}

/// When bets close, whatever closed them, nothing stays that was noticed and breaks a limit: a bet that its owner was
/// advised of goes back, and so does the excess of a box.
// INTERPRETATION 49: 5.1.1 and 5.2.1 are for what first enters the record at the close or after it.
pub(super) fn put_right(draft: &mut Draft<'_>) {
    let mut wagers: Vec<_> = draft.round().wagers.iter().collect();
    wagers.sort_by_key(|(key, standing)| (key.box_no, standing.first));
    let outside = wagers.into_iter().filter_map(|(key, standing)| {
        let (amount, cite) = excess(draft.law, key, standing)?;
        // By a paragraph its owner was advised; that it goes back is a reading.
        let own = Cite::interpretation(NO_WHOLE_UNITS);
        let cite = if cite == own { own } else { Cite::interpretation(49) };
        Some((key.clone(), key.box_no?, standing.side, amount, standing.stake.less(amount), cite))
    });
    for (key, box_no, side, amount, stake, cite) in outside.collect::<Vec<_>>() {
        let (patron, bet) = (key.patron, key.bet);
        draft.push(Event::WagerReturned { patron, box_no, bet, side, amount, stake, cite });
        let round = draft.round().no;
        settle::put_by(draft, round, vec![(patron, amount)]);
    }
    if in_time(draft.law, IrregularityKind::OverDifferential).is_some() {
        let boxes: Vec<BoxNo> = draft.round().wagers.boxes().map(|(no, _)| no).collect();
        boxes.into_iter().for_each(|box_no| bets::trim(draft, box_no));
    }
}
