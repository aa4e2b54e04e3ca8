//! The self-audit identity: every amount of an event against the books and the order that it came from.
//!
//! No rule book is asked: which bet wins and what it pays is the auditor's business. Here it is only asked whether the
//! money adds up.

use std::collections::BTreeMap;

use punto_record::{CaseOutcome, Change, Command, Owed, Return, RoundNo, SettledLine, VerdictWord};
use punto_rules::{BetId, Money, PatronNo};

use crate::account::Account;
use crate::context::{Context, Settled};
use crate::mismatch::{Unequal, holds, same};
use crate::movement::{Movement, Spot, Step, minor, to_patron};
use crate::postings::Place;

type Checked = Result<(), Unequal>;

/// What must hold before a movement is posted.
pub(crate) fn before(
    place: &Place<'_>,
    context: &Context,
    movement: &Movement<'_>,
    command: &Command,
) -> Checked {
    match movement {
        Movement::Nothing
        | Movement::Settings(_)
        | Movement::RoundCommenced { .. }
        | Movement::HoldOrdered { .. } => Ok(()),
        Movement::Stake { step, .. } => stake_ordered(step, command),
        Movement::Parts { parts, .. } => parts_fit(place, parts),
        Movement::Amended { stake, .. } => {
            let asked = if let Command::AmendWager { stake, .. } = command { Some(*stake) } else { None };
            ordered("the stake", *stake, asked)
        }
        Movement::TakenBack { patron, returns } => {
            let others = returns.iter().find(|it| it.patron != *patron);
            others.map_or(Ok(()), |it| {
                same(|| "whose bets go back".to_owned(), it.patron.0.into(), patron.0.into())
            })?;
            returned_at_most(place, returns)
        }
        Movement::Voided { round, returns, changes } => {
            returned_in_full(place, returns)?;
            let last = context.last.as_ref().filter(|last| last.round == *round);
            let undone = last.map_or_else(BTreeMap::new, undone);
            changes_are(changes, undone)?;
            split_is_right(place, context, *round, changes)
        }
        Movement::Settled { round, lines, house, .. } => {
            same(|| "the Round".to_owned(), round.0.into(), context.round.0.into())?;
            lines_stand(place, context, lines)?;
            house_is(lines, *house)
        }
        Movement::Corrected { round, lines, house, changes, amended, .. } => {
            let Some(last) = context.last.as_ref().filter(|last| last.round == *round) else {
                return same(|| "the Round just settled".to_owned(), round.0.into(), context.round.0.into())
                    .and(Err(nothing("a Round to correct")));
            };
            match amended {
                None => same_wagers(last, lines)?,
                Some((spot, stake)) => {
                    let asked = if_is!(command, Command::AmendWager { stake, .. } => *stake);
                    ordered("the stake", *stake, asked)?;
                    other_wagers(last, lines, *spot, *stake)?;
                }
            }
            lines.iter().try_for_each(line_adds_up)?;
            house_is(lines, *house)?;
            let mut due = undone(last);
            for line in lines.iter() {
                *due.entry(line.patron).or_default() += minor(line.to_patron) - minor(line.stake);
            }
            changes_are(changes, due)?;
            split_is_right(place, context, *round, changes)
        }
        Movement::Adjusted { round, adjustments, changes } => {
            let mut due: BTreeMap<PatronNo, i128> = BTreeMap::new();
            for it in adjustments.iter() {
                *due.entry(it.patron).or_default() += match it.owed {
                    Owed::ToPatron => minor(it.amount),
                    Owed::ToHouse => -minor(it.amount),
                };
            }
            changes_are(changes, due)?;
            split_is_right(place, context, *round, changes)
        }
        Movement::Pushed { counted, .. } => {
            ordered("the count", *counted, if_is!(command, Command::RecordPush { counted, .. } => *counted))
        }
        Movement::Bought { amount, .. } => {
            ordered("the amount", *amount, if_is!(command, Command::BuyCredits { amount, .. } => *amount))
        }
        Movement::Noted { amount, .. } => {
            ordered("the note", *amount, if_is!(command, Command::AcceptNote { amount, .. } => *amount))?;
            ordered("the case", *amount, settled(command))
        }
        Movement::NotePaid { amount, .. } => ordered("the case", *amount, settled(command)),
        Movement::Emptied { acceptor, expected, .. } => {
            let account = place.in_acceptor(acceptor);
            holds(&account, minor(*expected), place.balances.of(&account))
        }
        Movement::BoxCounted { drop, counted, expected } => {
            ordered(
                "the count",
                *counted,
                if_is!(command, Command::CountAcceptor { counted, .. } => *counted),
            )?;
            let emptied = context.boxes.get(drop).map_or(0, |it| minor(*it));
            holds(&place.boxes(), minor(*expected), emptied)
        }
        Movement::Redeemed { .. } => Ok(()),
        Movement::CashedOut { patron, amount, .. } => {
            let account = place.credits(*patron);
            holds(&account, minor(*amount), place.balances.of(&account))
        }
        Movement::Collected { amount, .. } => {
            ordered("the amount", *amount, if_is!(command, Command::Collect { amount, .. } => *amount))
        }
        Movement::UnclaimedKept { patron, amount, .. } if place.chips => {
            let paid = context.paid.iter().any(|(whose, paid)| whose == patron && paid == amount);
            same(
                || "what was paid to the patron".to_owned(),
                minor(*amount),
                if paid { minor(*amount) } else { 0 },
            )
        }
        Movement::UnclaimedKept { patron, amount, part } => {
            let account = place.credits(*patron);
            let there = place.balances.of(&account);
            holds(&account, minor(*amount), if *part { there.min(minor(*amount)) } else { there })
        }
        Movement::PayoutHeld { patron, amount, from_unclaimed, .. } => {
            payout_is_there(place, context, command, *patron, (*amount, *from_unclaimed))
        }
        Movement::HeldDecided { slip, patron, amount, .. } => {
            let held = context.held.get(slip).map_or(0, |it| it.2);
            holds(&place.held(*patron), minor(*amount), held)
        }
        Movement::UnclaimedPaid { amount, .. } => {
            ordered("the amount", *amount, if_is!(command, Command::PayUnclaimed { amount, .. } => *amount))
        }
        Movement::FloatOpened { amount } => {
            ordered("the float", *amount, if_is!(command, Command::OpenFloat { amount, .. } => *amount))
        }
        Movement::FloatClosed { counted, expected } => {
            ordered("the count", *counted, if_is!(command, Command::CloseFloat { counted, .. } => *counted))?;
            let tray = place.tray();
            holds(&tray, (*expected).into(), place.balances.of(&tray))
        }
        Movement::Filled { amount } => {
            ordered("the fill", *amount, if_is!(command, Command::Fill { amount, .. } => *amount))
        }
        Movement::Credited { amount } => {
            ordered("the credit", *amount, if_is!(command, Command::Credit { amount, .. } => *amount))
        }
        Movement::Dropped { amount } => {
            ordered("the drop", *amount, if_is!(command, Command::Drop { amount, .. } => *amount))
        }
    }
}

/// What must hold when it has been posted.
pub(crate) fn after(place: &Place<'_>, felt: i128, movement: &Movement<'_>) -> Checked {
    let stands = |account: &Account, stated: Money| holds(account, minor(stated), place.balances.of(account));
    match movement {
        Movement::Stake { spot, step: Step::More { stake, .. } | Step::Less { stake, .. } } => {
            stands(&place.felt(*spot), *stake)
        }
        Movement::Voided { .. } | Movement::Settled { .. } => {
            same(|| "what is left on the felt".to_owned(), 0, felt)
        }
        Movement::Bought { patron, credits, .. } | Movement::Redeemed { patron, credits, .. } => {
            stands(&place.credits(*patron), *credits)
        }
        Movement::Noted { patron, stands: Some(credits), .. } => stands(&place.credits(*patron), *credits),
        Movement::Collected { patron, owed, .. } => stands(&place.owed(*patron), *owed),
        Movement::Nothing
        | Movement::Settings(_)
        | Movement::RoundCommenced { .. }
        | Movement::Stake { step: Step::Is { .. }, .. }
        | Movement::Parts { .. }
        | Movement::Amended { .. }
        | Movement::TakenBack { .. }
        | Movement::Corrected { .. }
        | Movement::Adjusted { .. }
        | Movement::Pushed { .. }
        | Movement::Noted { stands: None, .. }
        | Movement::NotePaid { .. }
        | Movement::Emptied { .. }
        | Movement::BoxCounted { .. }
        | Movement::CashedOut { .. }
        | Movement::UnclaimedKept { .. }
        | Movement::UnclaimedPaid { .. }
        | Movement::HoldOrdered { .. }
        | Movement::PayoutHeld { .. }
        | Movement::HeldDecided { .. }
        | Movement::FloatOpened { .. }
        | Movement::FloatClosed { .. }
        | Movement::Filled { .. }
        | Movement::Credited { .. }
        | Movement::Dropped { .. } => Ok(()),
    }
}

macro_rules! if_is {
    ($value:expr, $pattern:pat => $then:expr) => {
        if let $pattern = $value { Some($then) } else { None }
    };
}
use if_is;

/// What was ordered is what happened. Another order than the usual one says nothing about the amount.
fn ordered(what: &str, happened: Money, asked: Option<Money>) -> Checked {
    match asked {
        Some(asked) => same(|| format!("{what} ordered"), minor(happened), minor(asked)),
        None => Ok(()),
    }
}

/// What a case was ordered to be settled for.
fn settled(command: &Command) -> Option<Money> {
    let Command::SettleCase { outcome, .. } = command else { return None };
    if_is!(outcome, CaseOutcome::Credited { amount } | CaseOutcome::Paid { amount } => *amount)
}

fn stake_ordered(step: &Step, command: &Command) -> Checked {
    match step {
        Step::More { amount, .. } => {
            ordered("the stake", *amount, if_is!(command, Command::PlaceWager { stake, .. } => *stake))
        }
        Step::Less { amount, .. } => {
            let asked = if_is!(command, Command::WithdrawWager { amount, .. } => *amount);
            ordered("the amount", *amount, asked.flatten())
        }
        Step::Is { stake } => {
            ordered("the stake", *stake, if_is!(command, Command::RecordChips { stake, .. } => *stake))
        }
    }
}

fn nothing(what: &str) -> Unequal {
    Unequal { what: what.to_owned(), stated: 1, booked: 0 }
}

/// What is held was just paid, or is still with the table when somebody orders it.
fn payout_is_there(
    place: &Place<'_>,
    context: &Context,
    command: &Command,
    patron: PatronNo,
    (amount, from_unclaimed): (Money, Money),
) -> Checked {
    if let Command::HoldPayout { .. } = command {
        let last = context.last.iter().flat_map(|last| &last.lines).filter(|line| line.patron == patron);
        let paid: i128 = last.map(|line| minor(line.to_patron)).sum();
        let in_pocket = match (place.chips, from_unclaimed.is_zero()) {
            (false, _) => paid.min(place.balances.of(&place.credits(patron))),
            (true, true) => paid,
            // Chips of somebody who walked away were put aside.
            (true, false) => 0,
        };
        let kept = (paid - in_pocket).min(place.balances.of(&place.unclaimed(patron)));
        same(|| "what was kept before".to_owned(), minor(from_unclaimed), kept)?;
        return same(|| "what was paid to the patron".to_owned(), minor(amount), in_pocket + kept);
    }
    same(|| "what was kept before".to_owned(), minor(from_unclaimed), 0)?;
    let paid = context.paid.iter().filter(|(whose, _)| *whose == patron).map(|(_, paid)| minor(*paid));
    same(|| format!("what was paid to {}", place.held(patron)), minor(amount), paid.sum())
}

/// No more plays than stands (5.1.1).
fn parts_fit(place: &Place<'_>, parts: &[punto_record::Part]) -> Checked {
    for part in parts {
        let spot = Spot { patron: part.patron, box_no: Some(part.box_no), bet: &part.bet };
        let stake = place.stake(spot);
        if minor(part.playing) > stake {
            return holds(&place.felt(spot), minor(part.playing), stake);
        }
    }
    Ok(())
}

/// A stake that goes back goes back whole.
/// A choice takes back what lay when the error happened: no more than stands.
fn returned_at_most(place: &Place<'_>, returns: &[Return]) -> Checked {
    returns.iter().try_for_each(|it| {
        let spot = Spot { patron: it.patron, box_no: it.box_no, bet: &it.bet };
        let stands = place.stake(spot);
        holds(&place.felt(spot), minor(it.amount), stands.min(minor(it.amount)))
    })
}

fn returned_in_full(place: &Place<'_>, returns: &[Return]) -> Checked {
    returns.iter().try_for_each(|it| {
        let spot = Spot { patron: it.patron, box_no: it.box_no, bet: &it.bet };
        holds(&place.felt(spot), minor(it.amount), place.stake(spot))
    })
}

/// Every line is about a wager that stands, plays what was fixed at close and adds up.
fn lines_stand(place: &Place<'_>, context: &Context, lines: &[SettledLine]) -> Checked {
    lines.iter().try_for_each(|line| {
        let spot = Spot { patron: line.patron, box_no: line.box_no, bet: &line.bet };
        holds(&place.felt(spot), minor(line.stake), place.stake(spot))?;
        let playing = context.playing(spot).map_or(line.stake, |part| part.min(line.stake));
        same(|| format!("what plays of {}", place.felt(spot)), minor(line.playing), minor(playing))?;
        line_adds_up(line)
    })
}

fn line_adds_up(line: &SettledLine) -> Checked {
    let SettledLine { patron, bet, stake, playing, verdict, pays, returned, winnings, to_patron, .. } = line;
    let figure = |what: &'static str| move || format!("{what} of {bet} for patron {}", patron.0);
    let unplayed = minor(*stake) - minor(*playing);
    let (back, won) = match verdict {
        VerdictWord::Won => (minor(*stake), pays.and_then(|odds| odds.on(*playing)).map_or(-1, minor)),
        VerdictWord::Lost => (unplayed, 0),
        VerdictWord::Returned => (minor(*stake), 0),
    };
    let comes_back = match verdict {
        VerdictWord::Won | VerdictWord::Lost => unplayed,
        VerdictWord::Returned => minor(*stake),
    };
    same(figure("the winnings"), minor(*winnings), won)?;
    same(figure("what is returned"), minor(*returned), comes_back)?;
    same(figure("what goes to the patron"), minor(*to_patron), back + won)
}

fn house_is(lines: &[SettledLine], house: i64) -> Checked {
    let booked = lines.iter().map(|line| minor(line.stake) - minor(line.to_patron)).sum();
    same(|| "what the House won".to_owned(), house.into(), booked)
}

/// A correction is about the wagers that were settled, each with its stake and what played of it.
fn same_wagers(last: &Settled, lines: &[SettledLine]) -> Checked {
    type Wager<'a> = (PatronNo, Option<punto_record::BoxNo>, &'a BetId, Money, Money);
    fn wagers(lines: &[SettledLine]) -> Vec<Wager<'_>> {
        let mut all: Vec<_> =
            lines.iter().map(|it| (it.patron, it.box_no, &it.bet, it.stake, it.playing)).collect();
        all.sort();
        all
    }
    let (was, is) = (wagers(&last.lines), wagers(lines));
    let different = was.iter().zip(&is).find(|(was, is)| was != is);
    match different {
        Some((was, is)) => {
            let what = || format!("the wager on {} of patron {}", is.2, is.0.0);
            same(what, minor(is.3), minor(was.3))
                .and(same(what, minor(is.4), minor(was.4)))
                .and(Err(nothing("a wager that was settled")))
        }
        None => same(|| "wagers to correct".to_owned(), is.len() as i128, was.len() as i128),
    }
}

/// An amendment changes one stake of the Round and no other.
fn other_wagers(last: &Settled, lines: &[SettledLine], spot: Spot<'_>, stake: Money) -> Checked {
    type Stakes<'a> = BTreeMap<(PatronNo, Option<punto_record::BoxNo>, &'a BetId), Money>;
    fn stakes(lines: &[SettledLine]) -> Stakes<'_> {
        lines.iter().map(|it| ((it.patron, it.box_no, &it.bet), it.stake)).collect()
    }
    let (mut was, is) = (stakes(&last.lines), stakes(lines));
    let key = (spot.patron, spot.box_no, spot.bet);
    if stake.is_zero() {
        was.remove(&key)
    } else {
        was.insert(key, stake)
    };
    let wrong = was.iter().find(|(key, stake)| is.get(*key) != Some(stake));
    match wrong {
        Some(((patron, _, bet), stake)) => {
            same(|| format!("the stake on {bet} of patron {}", patron.0), 0, minor(*stake))
        }
        None => same(|| "wagers to amend".to_owned(), lines.len() as i128, was.len() as i128),
    }
}

/// What gives every patron of a settled Round their stakes back and takes what they were paid.
fn undone(last: &Settled) -> BTreeMap<PatronNo, i128> {
    let mut back: BTreeMap<PatronNo, i128> = BTreeMap::new();
    for line in &last.lines {
        *back.entry(line.patron).or_default() += minor(line.stake) - minor(line.to_patron);
    }
    back
}

/// Compensating entries give every patron exactly what is due, and nobody else anything.
fn changes_are(changes: &[Change], mut due: BTreeMap<PatronNo, i128>) -> Checked {
    for change in changes {
        let is_due = due.remove(&change.patron).unwrap_or_default();
        same(|| format!("what is due to patron {}", change.patron.0), to_patron(change), is_due)?;
    }
    due.retain(|_, amount| *amount != 0);
    due.into_iter()
        .next()
        .map_or(Ok(()), |(patron, amount)| same(|| format!("what is due to patron {}", patron.0), 0, amount))
}

/// What is paid first settles what is owed; what is taken is taken from a held payout, then from credits, then from what
/// is kept, and only the rest is owed.
// INTERPRETATION 28.
fn split_is_right(place: &Place<'_>, context: &Context, round: RoundNo, changes: &[Change]) -> Checked {
    for Change { patron, paid, cancelled, taken, from_unclaimed, from_held, uncollected } in changes {
        let still_held = context.held_of(*patron, round) - minor(*from_held);
        let is_more = !taken.is_zero() || !from_unclaimed.is_zero() || !uncollected.is_zero();
        if still_held < 0 || (is_more && still_held != 0) {
            return same(|| place.held(*patron).to_string(), 0, still_held);
        }
        let left = |account: &Account, taken: &Money| place.balances.of(account) - minor(*taken);
        let still_owed = left(&place.owed(*patron), cancelled);
        let still_there = left(&place.credits(*patron), taken);
        let still_kept = left(&place.unclaimed(*patron), from_unclaimed);
        if !paid.is_zero() && still_owed != 0 {
            return same(|| place.owed(*patron).to_string(), 0, still_owed);
        }
        if (!from_unclaimed.is_zero() || !uncollected.is_zero()) && still_there != 0 {
            return same(|| place.credits(*patron).to_string(), 0, still_there);
        }
        if !uncollected.is_zero() && still_kept != 0 {
            return same(|| place.unclaimed(*patron).to_string(), 0, still_kept);
        }
    }
    Ok(())
}
