//! A result that was registered otherwise than the cards show, and what is done about money that has moved.

use std::collections::BTreeMap;

use punto_record::{
    Change, Event, MoneyKind, Reason, Rejection, Report, RoundNo, RoundResult, Ruling, Seen, SettledLine,
};
use punto_rules::{Card, Composition, IrregularityKind, Money, PatronNo, Remedy, Wager, reconstruct};

use super::{Decided, adjust, interruption, number, report, settle};
use crate::draft::Draft;
use crate::round::{Dealt, Matter, Stage, WagerKey};
use crate::state::LastRound;

// INTERPRETATION 28: corrected to the cards until the next Round commences; after that it depends on the game.
pub(super) fn report(draft: &mut Draft<'_>, round: RoundNo, report: &Report) -> Decided {
    let clause = draft.law.irregularity(IrregularityKind::WrongResult);
    let correctable = clause.is_some_and(|it| it.in_time == Some(Remedy::CorrectToCards));
    let stands = clause.is_some_and(|it| it.remedy == Remedy::Stand);
    let in_play = draft.state.round().filter(|it| it.no == round);
    if let Some(in_play) = in_play {
        if let Stage::Betting { .. } = in_play.stage {
            return Err(Reason::BetsOpen {}.into());
        }
        report::open(draft, report.clone(), true);
        return Ok(());
    }
    let just_settled = draft.state.last().is_some_and(|last| last.no == round && last.result.is_some());
    if just_settled && correctable {
        report::open(draft, report.clone(), true);
    } else if round == RoundNo(0) || round > draft.state.rounds || is_void(draft, round) {
        return Err(Reason::NoSuchRound {}.into());
    } else if stands {
        report::stand(draft, report.clone());
    } else {
        report::open(draft, report.clone(), false);
    }
    Ok(())
}

/// Whether the Round just played was void: there is no result to be wrong.
fn is_void(draft: &Draft<'_>, round: RoundNo) -> bool {
    draft.state.last().is_some_and(|last| last.no == round && last.result.is_none())
}

/// What a correcting ruling does, as events to follow it.
pub(super) fn check(draft: &Draft<'_>, matter: &Matter, ruling: &Ruling) -> Result<Vec<Event>, Rejection> {
    let moves_chips = matches!(ruling, Ruling::Correct { .. } | Ruling::Adjust { .. } | Ruling::Void {});
    let no_float = draft.law.settings.money == MoneyKind::Chips && draft.state.float.is_none();
    if draft.state.round().is_none() && moves_chips && no_float {
        return Err(Reason::FloatNotOpen {}.into());
    }
    if let (Report::CardsInDispute { read, confirmed, .. }, Ruling::Correct { cards }) =
        (&matter.report, ruling)
    {
        if !interruption::is_in_dispute(read, confirmed, cards) {
            return Err(Reason::CardsDoNotAddUp {}.into());
        }
        return Ok(vec![Event::CardsConfirmed { cards: cards.clone(), second: None }]);
    }
    match ruling {
        Ruling::Correct { cards } if draft.state.round().is_some() => {
            if !can_be_out(draft, cards) {
                return Err(Reason::CardsDoNotAddUp {}.into());
            }
            Ok(vec![Event::CardsConfirmed { cards: cards.clone(), second: None }])
        }
        Ruling::Correct { cards } => correct(draft, matter, cards).map(|event| vec![event]),
        Ruling::Adjust { .. } => adjust::check(draft, matter, ruling).map(|event| vec![event]),
        Ruling::Void {}
        | Ruling::Misread { .. }
        | Ruling::Reconstruct {}
        | Ruling::AsTheyLie { .. }
        | Ruling::InOrder { .. }
        | Ruling::Continue {}
        | Ruling::Stand {} => Ok(Vec::new()),
    }
}

/// Whether these can be the cards that are out in the Round: not fewer than were drawn, no copy too many, no more left
/// over than was ruled to be.
fn can_be_out(draft: &Draft<'_>, cards: &[Card]) -> bool {
    let round = draft.round();
    let Some(shoe) = draft.state.shoe.as_ref() else { return false };
    let known = round.drawn.iter().filter(|dealt| !matches!(dealt.seen, Seen::Foreign(_))).count();
    // The count of the shoe without this Round, and with what its cards are said to be.
    let mut dealt = shoe.dealt.clone();
    let is_of_shoe = |dealt: &&Dealt| dealt.shoe == round.shoe;
    for card in round.drawn.iter().filter(is_of_shoe).filter_map(|dealt| dealt.seen.card()) {
        // A continuous shuffler has a carried card back already.
        let _ = dealt.remove(card);
    }
    let of_other_shoes = round.drawn.iter().take_while(|dealt| !is_of_shoe(dealt)).count();
    cards.iter().skip(of_other_shoes).for_each(|card| dealt.add(*card));
    let too_many = cards.iter().any(|card| dealt.copies(*card) > draft.law.settings.decks.into());
    let left_over = reconstruct(cards).1.len();
    !too_many && cards.len() >= known && !cards.is_empty() && left_over <= round.left_over().len()
}

/// Books what was found.
pub(super) fn carry_out(draft: &mut Draft<'_>, events: Vec<Event>) {
    for event in events {
        let mut paid = None;
        if let Event::RoundCorrected { round, changes, .. } | Event::Adjusted { round, changes, .. } = &event
        {
            paid = Some((*round, changes.iter().map(|it| (it.patron, it.paid)).collect()));
        }
        draft.push(event);
        if let Some((round, paid)) = paid {
            settle::put_by(draft, round, paid);
        }
    }
}

/// Settles the Round just settled anew, by these cards.
fn correct(draft: &Draft<'_>, matter: &Matter, cards: &[Card]) -> Result<Event, Rejection> {
    let last = draft.state.last().filter(|last| last.result.is_some()).ok_or(Reason::NoSuchRound {})?;
    let outcome = settle::complete(cards)?;
    // A wrong number is reconstructed from the cards that were out; a wrong result may show others.
    let (kind, carried) = if matter.kind == IrregularityKind::WrongNumberOfCards {
        (IrregularityKind::ExcessOrExposedCard, number::left_over(&draft.state, cards)?)
    } else if is_too_many(draft, last, cards) {
        return Err(Reason::CardsDoNotAddUp {}.into());
    } else {
        (IrregularityKind::WrongResult, left_over(draft, last, cards))
    };
    let wagers: Vec<(WagerKey, Wager)> = last
        .lines
        .iter()
        .map(|line| {
            let bet = draft.law.terms.bet_no(line.bet.as_str()).expect("settled bets are offered");
            let key = WagerKey { patron: line.patron, box_no: line.box_no, bet: line.bet.clone() };
            (key, Wager { bet, stake: line.stake, playing: line.playing })
        })
        .collect();
    let (lines, house) = settle::lines(draft.law, &wagers, &outcome);
    let mut owed = owed(&lines);
    for (patron, amount) in self::owed(&last.lines) {
        *owed.entry(patron).or_default() -= amount;
    }
    let cite = draft.law.cite_in_time(kind, true).unwrap_or_else(|| draft.uncovered());
    let (round, result) = (last.no, RoundResult::of(cards, &outcome));
    let display_cite = draft.law.rulebook.conduct.display_informs.clone();
    let changes = changes(draft, round, owed)?;
    Ok(Event::RoundCorrected { round, result, lines, house, changes, carried, cite, display_cite })
}

/// Whether some card would have left its shoe more often than it is in there.
fn is_too_many(draft: &Draft<'_>, last: &LastRound, cards: &[Card]) -> bool {
    let decks = u16::from(draft.law.settings.decks);
    let in_use = draft.state.shoe.as_ref().filter(|shoe| shoe.no == last.shoe).map(|shoe| &shoe.dealt);
    let retired = draft.state.retired.iter().find(|shoe| shoe.no == last.shoe).map(|shoe| &shoe.dealt);
    let mut dealt = in_use.or(retired).cloned().unwrap_or(Composition::EMPTY);
    let carried = &draft.state.carried;
    let used = carried.len() - left_over(draft, last, cards).len().min(carried.len());
    for card in last.drawn.iter().chain(&carried[..used]) {
        // A continuous shuffler has them back already.
        let _ = dealt.remove(*card);
    }
    cards.iter().for_each(|card| dealt.add(*card));
    cards.iter().any(|card| dealt.copies(*card) > decks)
}

/// The cards that open the next Round after a correction: what the Round needs more came from those that were carried,
/// what it needs less goes there.
// INTERPRETATION 24: surplus cards open the next Round, in the order in which they left the shoe.
fn left_over(draft: &Draft<'_>, last: &LastRound, cards: &[Card]) -> Vec<Card> {
    let carried = &draft.state.carried;
    match cards.get(last.drawn.len()..) {
        Some(more) => {
            let used = more.iter().zip(carried).take_while(|(card, carried)| card == carried).count();
            carried[used..].to_vec()
        }
        None => {
            // A change of shoe discards them, and a continuous shuffler has them back.
            let in_use = draft.state.shoe.as_ref().is_some_and(|shoe| shoe.no == last.shoe);
            let there = in_use && !draft.law.is_continuous();
            let spare = if there { &last.drawn[cards.len()..] } else { &[] };
            spare.iter().chain(carried).copied().collect()
        }
    }
}

pub(super) fn owed(lines: &[SettledLine]) -> BTreeMap<PatronNo, i128> {
    let mut owed: BTreeMap<PatronNo, i128> = BTreeMap::new();
    for line in lines {
        *owed.entry(line.patron).or_default() += i128::from(line.to_patron.get());
    }
    owed
}

/// What undoes a settlement: every stake back, everything paid taken back.
pub(super) fn undo(
    draft: &Draft<'_>,
    round: RoundNo,
    lines: &[SettledLine],
) -> Result<Vec<Change>, Rejection> {
    let mut back: BTreeMap<PatronNo, i128> = BTreeMap::new();
    for line in lines {
        *back.entry(line.patron).or_default() +=
            i128::from(line.stake.get()) - i128::from(line.to_patron.get());
    }
    changes(draft, round, back)
}

/// Compensating entries: what is owed to a patron is paid, what is owed by one is taken from their payout of the Round if
/// it is held, then as far as credits go.
// INTERPRETATION 28: no balance is ever negative; the rest is booked as uncollected. Chips are collected by hand.
pub(super) fn changes(
    draft: &Draft<'_>,
    round: RoundNo,
    owed: BTreeMap<PatronNo, i128>,
) -> Result<Vec<Change>, Rejection> {
    let mut changes = Vec::new();
    for (patron, amount) in owed.into_iter().filter(|(_, amount)| *amount != 0) {
        let money = |amount: i128| u64::try_from(amount).ok().and_then(Money::new);
        let credits = match draft.law.settings.money {
            MoneyKind::Credits => draft.state.credits(patron),
            MoneyKind::Chips => Money::ZERO,
        };
        let account = draft.state.account(patron).cloned().unwrap_or_default();
        let too_much = Reason::MoreThanThere { most: Money::MAX.less(credits) };
        let nothing = Change {
            patron,
            paid: Money::ZERO,
            cancelled: Money::ZERO,
            taken: Money::ZERO,
            from_unclaimed: Money::ZERO,
            from_held: Money::ZERO,
            uncollected: Money::ZERO,
        };
        if amount > 0 {
            let due = money(amount).filter(|due| credits.plus(*due).is_some()).ok_or(too_much)?;
            // What they owe is settled first.
            let cancelled = due.min(account.owed);
            changes.push(Change { paid: due.less(cancelled), cancelled, ..nothing });
        } else {
            let due = money(-amount).ok_or(too_much)?;
            let held = draft.state.held_payout(patron, round).map_or(Money::ZERO, |(_, held)| held.amount);
            let from_held = due.min(held);
            let due = due.less(from_held);
            let taken = due.min(credits);
            let kept = u64::try_from(account.unclaimed).ok().and_then(Money::new).unwrap_or(Money::MAX);
            let from_unclaimed = due.less(taken).min(kept);
            let uncollected = due.less(taken).less(from_unclaimed);
            if account.owed.plus(uncollected).is_none() {
                return Err(Reason::MoreThanThere { most: Money::MAX.less(account.owed) }.into());
            }
            changes.push(Change { from_held, taken, from_unclaimed, uncollected, ..nothing });
        }
    }
    Ok(changes)
}
