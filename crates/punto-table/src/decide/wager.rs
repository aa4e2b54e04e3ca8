//! Placing, raising and withdrawing wagers: the orders that come by the thousand. They look at the state as it is and
//! need no draft of it.

use punto_record::{BoxNo, Command, Event, LimitsMode, MoneyKind, Order, Reason, Rejection};
use punto_rules::{
    BetId, BetNo, BettingBox, Cite, IrregularityKind, Layer, Money, PatronNo, Refusal, Side, StakeError,
    Stance,
};

use super::seats;
use crate::law::Law;
use crate::round::{Round, Stage, WagerKey};
use crate::state::State;

/// Decides a wager; `None` if the order is none.
pub(crate) fn wager(state: &State, law: &Law, order: &Order) -> Option<Result<Vec<Event>, Rejection>> {
    if let Command::PlaceWager { patron, box_no, stance, bet, stake } = &order.command {
        return Some(place(state, law, order, *patron, *box_no, *stance, bet, *stake));
    }
    if let Command::WithdrawWager { patron, box_no, bet, amount } = &order.command {
        return Some(withdraw(state, law, order, *patron, *box_no, bet, *amount));
    }
    None
}

#[allow(clippy::too_many_arguments)]
fn place(
    state: &State,
    law: &Law,
    order: &Order,
    patron: PatronNo,
    box_no: Option<BoxNo>,
    stance: Option<Stance>,
    bet: &BetId,
    stake: Money,
) -> Result<Vec<Event>, Rejection> {
    let round = in_time(state, law, order)?;
    let no = bet_no(law, bet)?;
    let side = law.terms.bet(no).original;
    let stance = seats::stance(state, law, patron, box_no, stance)?;
    let key = WagerKey { patron, box_no, bet: bet.clone() };
    whole_units(law, no, stake)?;
    let before = round.wagers.stake(&key);
    let mut trims = Vec::new();
    if law.settings.limits == LimitsMode::Enforced {
        match (box_no, stance, side) {
            (Some(box_no), Some(stance), Some(side)) => {
                let layer = Layer { patron, stance, side, amount: stake };
                trims = differential(round, law, box_no, layer)?;
            }
            (Some(_) | None, Some(_) | None, Some(_) | None) => range(law, no, before, stake)?,
        }
    }
    let most = law.room(round.wagers.total(), state.credits(patron));
    if stake > most {
        return Err(Reason::PayoutTooLarge { most }.into());
    }
    if law.settings.money == MoneyKind::Credits && stake > state.credits(patron) {
        return Err(Reason::NotEnoughCredits { credits: state.credits(patron) }.into());
    }
    let placed_by = order.by.person().cloned();
    let cite = placed_by.as_ref().and(law.rulebook.conduct.pit_employee_bets.clone());
    let bet = law.terms.bet(no).id.clone();
    let total = before.plus(stake).expect("within the room");
    let registered = Event::WagerRegistered {
        patron,
        box_no,
        stance,
        bet,
        side,
        amount: stake,
        stake: total,
        placed_by,
        cite,
    };
    let mut events = vec![registered];
    events.append(&mut trims);
    if law.settings.limits == LimitsMode::Observed
        && let (Some(box_no), Some(stance)) = (box_no, stance)
    {
        let mut after = round.wagers.clone();
        after.add(key, Some(stance), side, stake);
        events.extend(super::limits::flags(law, &after, box_no, patron, no));
    }
    Ok(events)
}

fn withdraw(
    state: &State,
    law: &Law,
    order: &Order,
    patron: PatronNo,
    box_no: Option<BoxNo>,
    bet: &BetId,
    amount: Option<Money>,
) -> Result<Vec<Event>, Rejection> {
    let round = in_time(state, law, order)?;
    let no = bet_no(law, bet)?;
    check_box(law, box_no)?;
    let key = WagerKey { patron, box_no, bet: bet.clone() };
    let standing = round.wagers.get(&key).ok_or(Reason::NoSuchWager {})?;
    let amount = amount.unwrap_or(standing.stake);
    if amount.is_zero() {
        return Err(Reason::Nothing {}.into());
    }
    let unit = law.terms.unit();
    // Chips that are no whole units may be made whole.
    let makes_whole = standing.stake.minus(amount).is_some_and(|left| left.is_whole(unit));
    if !amount.is_whole(unit) && !makes_whole {
        return Err(Reason::NotWholeUnits { unit }.into());
    }
    let Some(left) = standing.stake.minus(amount) else {
        return Err(Reason::MoreThanThere { most: standing.stake }.into());
    };
    let (minimum, cite) = minimum(law, no);
    if law.settings.limits == LimitsMode::Enforced && !left.is_zero() && left < minimum {
        return Err(Reason::UnderMinimum { least: minimum.less(left) }.under(cite));
    }
    let (bet, side) = (key.bet, standing.side);
    let mut events = vec![Event::WagerWithdrawn { patron, box_no, bet, side, amount, stake: left }];
    let is_away = state.account(patron).is_some_and(|account| account.away);
    if is_away && law.settings.money == MoneyKind::Chips {
        events.push(Event::kept(patron, amount));
    }
    if law.settings.limits == LimitsMode::Observed
        && let Some(box_no) = box_no
    {
        let mut after = round.wagers.clone();
        after.take(&WagerKey { patron, box_no: Some(box_no), bet: law.terms.bet(no).id.clone() }, amount);
        events.extend(super::limits::flags(law, &after, box_no, patron, no));
    }
    Ok(events)
}

/// The Round, while bets are open. On the electronic game the clock closes, even if nobody has said so yet.
// INTERPRETATION 18: electronic tables close by the server's clock, live ones when the Dealer says so.
fn in_time<'a>(state: &'a State, law: &Law, order: &Order) -> Result<&'a Round, Rejection> {
    let round = state.round().ok_or(Reason::BetsNotOpen {})?;
    if let Stage::Betting { closes_at } = round.stage
        && law.is_electronic()
        && order.at.max(state.now) >= closes_at
    {
        return Err(Reason::BetsClosed {}.under_some(law.cite(IrregularityKind::LateBet)));
    }
    Ok(round)
}

pub(super) fn bet_no(law: &Law, bet: &BetId) -> Result<BetNo, Rejection> {
    let unknown = || Reason::UnknownBet { bet: bet.clone() }.under_some(law.rulebook.play.bets.as_ref());
    law.terms.bet_no(bet.as_str()).ok_or_else(unknown)
}

pub(super) fn check_box(law: &Law, box_no: Option<BoxNo>) -> Result<(), Rejection> {
    let layout = &law.terms.layout().cite;
    match (law.settings.boxes, box_no) {
        (None, None) => Ok(()),
        (None, Some(_)) => Err(Reason::NoBoxes {}.under(layout)),
        (Some(_), None) => Err(Reason::BoxNeeded {}.into()),
        (Some(boxes), Some(BoxNo(no))) if (1..=boxes).contains(&no) => Ok(()),
        (Some(boxes), Some(_)) => Err(Reason::NoSuchBox { boxes }.under(layout)),
    }
}

/// A stake is something, in whole units. That its payout fits is a matter of the whole Round, see [`Law::room`].
pub(super) fn whole_units(law: &Law, no: BetNo, stake: Money) -> Result<(), Rejection> {
    match law.terms.check_stake(no, stake) {
        Err(StakeError::Nothing { .. }) => Err(Reason::Nothing {}.into()),
        Err(StakeError::NotWholeUnits { unit, .. }) => Err(Reason::NotWholeUnits { unit }.into()),
        Err(StakeError::PayoutTooLarge { .. }) | Ok(()) => Ok(()),
    }
}

/// The least of a bet and the paragraph that says so: live 5.2 and 3.4, electronic 3.4.
fn minimum(law: &Law, no: BetNo) -> (Money, &Cite) {
    let limits = &law.rulebook.limits.cite;
    match (law.terms.bet(no).original, law.terms.box_limits()) {
        (Some(_), Some(limits_of_box)) => {
            (limits_of_box.minimum, law.cite(IrregularityKind::UnderMinimum).unwrap_or(limits))
        }
        (Some(_) | None, Some(_) | None) => {
            (law.terms.range(no).map_or(Money::ZERO, |range| range.minimum), limits)
        }
    }
}

/// A bet that has a minimum and a maximum of its own, raises merged.
fn range(law: &Law, no: BetNo, before: Money, stake: Money) -> Result<(), Rejection> {
    let Some(range) = law.terms.range(no) else { return Ok(()) };
    let total = before.get() + stake.get();
    let cite = &law.rulebook.limits.cite;
    if total < range.minimum.get() {
        return Err(Reason::UnderMinimum { least: range.minimum.less(before) }.under(cite));
    }
    if total > range.maximum.get() {
        return Err(Reason::OverMaximum { most: range.maximum.less(before) }.under(cite));
    }
    Ok(())
}

/// The Differential of a box (5.1): what gives way to the bet, or why it is refused.
fn differential(round: &Round, law: &Law, box_no: BoxNo, layer: Layer) -> Result<Vec<Event>, Rejection> {
    let limits = law.terms.box_limits().expect("live tables have a Differential");
    let own = &law.rulebook.limits.cite;
    let over = law.cite(IrregularityKind::OverDifferential).unwrap_or(own);
    let empty = BettingBox::default();
    let betting_box = round.wagers.betting_box(box_no).unwrap_or(&empty);
    let gives_way = betting_box.check(layer, limits).map_err(|refusal| match refusal {
        Refusal::SeatTaken => Reason::SeatTaken {}.into(),
        Refusal::OtherStance => Reason::OtherStance {}.into(),
        Refusal::UnderMinimum { least } => {
            Reason::UnderMinimum { least }.under(law.cite(IrregularityKind::UnderMinimum).unwrap_or(own))
        }
        Refusal::OverDifferential { most } => Reason::OverDifferential { most }.under(over),
    })?;
    if !gives_way {
        return Ok(Vec::new());
    }
    let mut betting_box = betting_box.clone();
    let trims = betting_box.place(layer, limits).expect("it was just checked");
    Ok(trimmed(law, box_no, &betting_box, &trims, over))
}

/// Trims of a box as events.
pub(super) fn trimmed(
    law: &Law,
    box_no: BoxNo,
    after: &BettingBox,
    trims: &[punto_rules::Trim],
    cite: &Cite,
) -> Vec<Event> {
    let event = |trim: &punto_rules::Trim| Event::WagerTrimmed {
        patron: trim.patron,
        box_no,
        bet: original(law, trim.side),
        side: trim.side,
        amount: trim.amount,
        stake: after.stake(trim.patron, trim.side),
        cite: cite.clone(),
    };
    trims.iter().map(event).collect()
}

/// The Original Bet on a side.
fn original(law: &Law, side: Side) -> BetId {
    let bet = law.terms.bets().iter().find(|bet| bet.original == Some(side));
    bet.expect("a layout with a Differential offers Player and Banker").id.clone()
}
