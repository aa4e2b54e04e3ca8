//! Settlement: what the completed Round does to every wager, and where the money goes.

use punto_record::planted::{Bug, is};
use punto_record::{Event, MoneyKind, Reason, RoundNo, RoundResult, SettledLine, VerdictWord};
use punto_rules::{Line, Money, Outcome, PatronNo, Step, Wager, reconstruct, settle};

use super::{Decided, cards, held, report};
use crate::draft::Draft;
use crate::law::Law;
use crate::round::{Stage, Standing, WagerKey};

/// The Dealer confirms, and that settles.
// INTERPRETATION 19: confirmed by the Dealer, or automatic with the last card.
pub(super) fn confirm(draft: &mut Draft<'_>) -> Decided {
    settle_round(draft);
    Ok(())
}

/// Settles where the last card does, once no card lies face down.
pub(super) fn if_automatic(draft: &mut Draft<'_>) {
    let round = draft.round();
    if cards::is_automatic(draft) && matches!(round.stage, Stage::Confirming { .. }) && !round.has_covered() {
        settle_round(draft);
    }
}

fn settle_round(draft: &mut Draft<'_>) {
    let round = draft.round();
    let Stage::Confirming { result } = &round.stage else { unreachable!("the gate saw a complete Round") };
    let result = result.clone();
    let mut wagers: Vec<(&WagerKey, &Standing)> = round.wagers.iter().collect();
    wagers.sort_by_key(|(key, standing)| (key.box_no, standing.first));
    let wagers: Vec<(WagerKey, Wager)> = wagers
        .into_iter()
        .map(|(key, it)| {
            let bet = draft.law.terms.bet_no(key.bet.as_str()).expect("placed bets are offered");
            (key.clone(), Wager { bet, stake: it.stake, playing: it.playing.unwrap_or(it.stake) })
        })
        .collect();
    let (lines, house) = lines(draft.law, &wagers, &outcome(&result));
    let (round, shoe_awaited) = (round.no, round.shoe_awaited);
    let paid: Vec<_> = lines.iter().map(|line| (line.patron, line.to_patron)).collect();
    draft.push(Event::RoundSettled { round, result, lines, house });
    if shoe_awaited {
        report::replace_before_next(draft);
    }
    put_by(draft, round, paid);
}

/// What was just paid for a Round does not go to everybody: a payout that is held stays so, and chips for somebody who
/// walked away are kept for them. Credits stay on the terminal.
// INTERPRETATION 29: what nobody claims is owed, never the House's.
pub(super) fn put_by(draft: &mut Draft<'_>, round: RoundNo, paid: Vec<(PatronNo, Money)>) {
    let paid = held::hold(draft, round, paid);
    if draft.law.settings.money != MoneyKind::Chips {
        return;
    }
    for (patron, amount) in paid {
        let is_away = draft.state.account(patron).is_some_and(|account| account.away);
        if is_away && !amount.is_zero() {
            draft.push(Event::kept(patron, amount));
        }
    }
}

/// The outcome that a recorded result stands for.
pub(super) fn outcome(result: &RoundResult) -> Outcome {
    match reconstruct(&result.cards) {
        (deal, []) => match deal.step() {
            Step::Complete(outcome) => outcome,
            Step::Draw(_) => panic!("a result is that of a complete Round"),
        },
        (_, _) => panic!("a result has no surplus cards"),
    }
}

/// What becomes of wagers, in their order.
pub(super) fn lines(law: &Law, wagers: &[(WagerKey, Wager)], outcome: &Outcome) -> (Vec<SettledLine>, i64) {
    let placed: Vec<Wager> = wagers.iter().map(|(_, wager)| *wager).collect();
    let settlement = settle(&law.terms, &placed, outcome);
    let house = i64::try_from(settlement.house).expect("the payout of a whole Round fits money");
    let lines = wagers.iter().zip(&settlement.lines).map(|((key, _), line)| settled(key, line)).collect();
    planted_lines(lines, house)
}

/// Planted: a Tie takes the stake; one bet pays its stake too much.
fn planted_lines(mut lines: Vec<SettledLine>, mut house: i64) -> (Vec<SettledLine>, i64) {
    for line in &mut lines {
        if is(Bug::TieNotReturned) && line.verdict == VerdictWord::Returned {
            house += line.to_patron.get() as i64;
            (line.verdict, line.returned, line.to_patron) = (VerdictWord::Lost, Money::ZERO, Money::ZERO);
        }
        if is(Bug::WrongOdds) && line.bet.as_str() == "banker-pair" && line.verdict == VerdictWord::Won {
            house -= line.playing.get() as i64;
            line.winnings = line.winnings.plus(line.playing).expect("an amount");
            line.to_patron = line.to_patron.plus(line.playing).expect("an amount");
        }
    }
    (lines, house)
}

fn settled(key: &WagerKey, line: &Line<'_>) -> SettledLine {
    SettledLine {
        patron: key.patron,
        box_no: key.box_no,
        bet: key.bet.clone(),
        stake: line.wager.stake,
        playing: line.wager.playing,
        verdict: VerdictWord::from(line.verdict),
        pays: line.verdict.odds(),
        returned: line.returned,
        winnings: line.winnings,
        commission: line.commission,
        to_patron: line.to_patron(),
        cite: line.row.map(|row| row.cite.clone()),
    }
}

/// The cards of a complete Round, nothing missing and nothing left over.
pub(super) fn complete(cards: &[punto_rules::Card]) -> Result<Outcome, punto_record::Rejection> {
    match reconstruct(cards) {
        (deal, []) => match deal.step() {
            Step::Complete(outcome) => Ok(outcome),
            Step::Draw(_) => Err(Reason::RoundIncomplete {}.into()),
        },
        (_, _) => Err(Reason::CardsDoNotAddUp {}.into()),
    }
}
