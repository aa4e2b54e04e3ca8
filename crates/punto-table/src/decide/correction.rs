//! A result that was registered otherwise than the cards show, and what is done about money that has moved.

use std::collections::BTreeMap;

use punto_record::{
    Change, Event, MoneyKind, Owed, Reason, Rejection, Report, RoundNo, RoundResult, Ruling, SettledLine,
};
use punto_rules::{Card, Composition, IrregularityKind, Money, PatronNo, Remedy, Wager};

use super::{Decided, report, settle};
use crate::draft::Draft;
use crate::round::{Matter, Stage, WagerKey};
use crate::state::LastRound;

/// A Round has six cards; more than a second Round's are not out.
pub(super) const MOST_CARDS: usize = 12;

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
    } else if round == RoundNo(0)
        || round > draft.state.rounds
        || (round == draft.state.rounds && !just_settled)
    {
        return Err(Reason::NoSuchRound {}.into());
    } else if stands {
        report::stand(draft, report.clone());
    } else {
        report::open(draft, report.clone(), false);
    }
    Ok(())
}

/// What a correcting ruling does, as events to follow it.
pub(super) fn check(draft: &Draft<'_>, matter: &Matter, ruling: &Ruling) -> Result<Vec<Event>, Rejection> {
    match ruling {
        Ruling::Correct { cards } if draft.state.round().is_some() => {
            let copies: Composition = cards.iter().copied().collect();
            let too_many = Card::all().any(|card| copies.copies(card) > draft.law.settings.decks.into());
            if cards.is_empty() || cards.len() > MOST_CARDS || too_many {
                return Err(Reason::CardsDoNotAddUp {}.into());
            }
            Ok(vec![Event::CardsConfirmed { cards: cards.clone() }])
        }
        Ruling::Correct { cards } => correct(draft, cards).map(|event| vec![event]),
        Ruling::Adjust { adjustments } => {
            let about =
                if let Report::WrongResult { round, .. } = &matter.report { Some(*round) } else { None };
            let round = about.unwrap_or(matter.round);
            let mut owed: BTreeMap<PatronNo, i128> = BTreeMap::new();
            for it in adjustments {
                let amount = i128::from(it.amount.get());
                *owed.entry(it.patron).or_default() += match it.owed {
                    Owed::ToPatron => amount,
                    Owed::ToHouse => -amount,
                };
            }
            let changes = changes(draft, owed)?;
            if changes.is_empty() {
                return Err(Reason::Nothing {}.into());
            }
            let cite = draft.law.cite(matter.kind).cloned().unwrap_or_else(|| draft.uncovered());
            Ok(vec![Event::Adjusted { round, adjustments: adjustments.clone(), changes, cite }])
        }
        Ruling::Void {}
        | Ruling::Misread { .. }
        | Ruling::Reconstruct {}
        | Ruling::AsTheyLie { .. }
        | Ruling::InOrder { .. }
        | Ruling::Continue {}
        | Ruling::Stand {} => Ok(Vec::new()),
    }
}

/// Settles the Round just settled anew, by these cards.
fn correct(draft: &Draft<'_>, cards: &[punto_rules::Card]) -> Result<Event, Rejection> {
    let last = draft.state.last().filter(|last| last.result.is_some()).ok_or(Reason::NoSuchRound {})?;
    let outcome = settle::complete(cards)?;
    if is_too_many(draft, last, cards) {
        return Err(Reason::CardsDoNotAddUp {}.into());
    }
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
    let kind = IrregularityKind::WrongResult;
    let cite = draft.law.cite(kind).cloned().unwrap_or_else(|| draft.uncovered());
    let (round, result) = (last.no, RoundResult::of(cards, &outcome));
    let display_cite = draft.law.rulebook.conduct.display_informs.clone();
    let changes = changes(draft, owed)?;
    Ok(Event::RoundCorrected { round, result, lines, house, changes, cite, display_cite })
}

/// Whether some card would have left its shoe more often than it is in there.
fn is_too_many(draft: &Draft<'_>, last: &LastRound, cards: &[Card]) -> bool {
    let decks = u16::from(draft.law.settings.decks);
    let in_use = draft.state.shoe.as_ref().filter(|shoe| shoe.no == last.shoe).map(|shoe| &shoe.dealt);
    let retired = draft.state.retired.iter().find(|shoe| shoe.no == last.shoe).map(|shoe| &shoe.dealt);
    let mut dealt = in_use.or(retired).cloned().unwrap_or(Composition::EMPTY);
    for card in &last.drawn {
        // A continuous shuffler has them back already.
        let _ = dealt.remove(*card);
    }
    cards.iter().for_each(|card| dealt.add(*card));
    cards.iter().any(|card| dealt.copies(*card) > decks)
}

fn owed(lines: &[SettledLine]) -> BTreeMap<PatronNo, i128> {
    let mut owed: BTreeMap<PatronNo, i128> = BTreeMap::new();
    for line in lines {
        *owed.entry(line.patron).or_default() += i128::from(line.to_patron.get());
    }
    owed
}

/// What undoes a settlement: every stake back, everything paid taken back.
pub(super) fn undo(draft: &Draft<'_>, lines: &[SettledLine]) -> Result<Vec<Change>, Rejection> {
    let mut back: BTreeMap<PatronNo, i128> = BTreeMap::new();
    for line in lines {
        *back.entry(line.patron).or_default() +=
            i128::from(line.stake.get()) - i128::from(line.to_patron.get());
    }
    changes(draft, back)
}

/// Compensating entries: what is owed to a patron is paid, what is owed by one is taken as far as credits go.
// INTERPRETATION 28: no balance is ever negative; the rest is booked as uncollected. Chips are collected by hand.
fn changes(draft: &Draft<'_>, owed: BTreeMap<PatronNo, i128>) -> Result<Vec<Change>, Rejection> {
    let mut changes = Vec::new();
    for (patron, amount) in owed.into_iter().filter(|(_, amount)| *amount != 0) {
        let money = |amount: i128| u64::try_from(amount).ok().and_then(Money::new);
        let credits = match draft.law.settings.money {
            MoneyKind::Credits => draft.state.credits(patron),
            MoneyKind::Chips => Money::ZERO,
        };
        let too_much = Reason::MoreThanThere { most: Money::MAX.less(credits) };
        if amount > 0 {
            let paid = money(amount).filter(|paid| credits.plus(*paid).is_some()).ok_or(too_much)?;
            changes.push(Change { patron, paid, taken: Money::ZERO, uncollected: Money::ZERO });
        } else {
            let due = money(-amount).ok_or(too_much)?;
            let taken = due.min(credits);
            let uncollected = due.less(taken);
            let before = draft.state.account(patron).map_or(Money::ZERO, |account| account.owed);
            if before.plus(uncollected).is_none() {
                return Err(Reason::MoreThanThere { most: Money::MAX.less(before) }.into());
            }
            changes.push(Change { patron, paid: Money::ZERO, taken, uncollected });
        }
    }
    Ok(changes)
}
