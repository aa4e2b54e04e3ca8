//! The order in which the cards of a Round came, as a ruling fixes it.

use punto_record::{Reason, Rejection, Report, Ruling};
use punto_rules::{BySide, Card, Composition, Side, reconstruct};

use super::Decided;
use crate::draft::Draft;
use crate::round::{Dealt, Matter, Round};

pub(super) type Ordered = Option<(Vec<Card>, Vec<Card>)>;

/// The order of the cards that a ruling fixes, and what it leaves over.
pub(super) fn order(draft: &Draft<'_>, matter: &Matter, ruling: &Ruling) -> Result<Ordered, Rejection> {
    let Some(round) = draft.state.round() else { return between(&draft.state.carried, matter, ruling) };
    let split = |cards: &[Card]| {
        let (deal, surplus) = reconstruct(cards);
        (deal.drawn().collect(), surplus.to_vec())
    };
    match ruling {
        // 5.8/5.7: dealt again in the order of drawing, as ruled before; what is left over opens the next Round.
        Ruling::Reconstruct {} => Ok(Some(split(&round.order))),
        Ruling::InOrder { order } => {
            is_permutation(order, &round.order)?;
            if let Report::SimultaneousDraw { .. } = &matter.report {
                is_about_these(order, &round.order, &open(round, matter))?;
            }
            Ok(Some(split(order)))
        }
        Ruling::AsTheyLie { order } => {
            is_permutation(order, &round.order)?;
            let (deal, surplus) = reconstruct(order);
            let hands = round.hands();
            let lie_so = Side::BOTH.into_iter().all(|side| deal.hands()[side].cards() == hands[side]);
            if !surplus.is_empty() || !lie_so {
                return Err(Reason::HandsDoNotLieSo {}.into());
            }
            Ok(Some((order.clone(), Vec::new())))
        }
        Ruling::Void {}
        | Ruling::Misread { .. }
        | Ruling::Continue {}
        | Ruling::Stand {}
        | Ruling::Correct { .. }
        | Ruling::Adjust { .. } => Ok(None),
    }
}

/// Between Rounds: all cards that open the next one, those of this matter last.
fn between(carried: &[Card], matter: &Matter, ruling: &Ruling) -> Result<Ordered, Rejection> {
    let next = [carried, matter.exposed().unwrap_or(&[])].concat();
    match ruling {
        Ruling::Reconstruct {} => Ok(Some((Vec::new(), next))),
        Ruling::InOrder { order } => {
            is_permutation(order, &next)?;
            let places = if is_seen(matter) { 0..0 } else { carried.len()..next.len() };
            is_about_these(order, &next, &places.collect::<Vec<_>>())?;
            Ok(Some((Vec::new(), order.clone())))
        }
        Ruling::Void {}
        | Ruling::Misread { .. }
        | Ruling::AsTheyLie { .. }
        | Ruling::Continue {}
        | Ruling::Stand {}
        | Ruling::Correct { .. }
        | Ruling::Adjust { .. } => Ok(None),
    }
}

fn is_seen(matter: &Matter) -> bool {
    matches!(matter.report, Report::SimultaneousDraw { order_known: true, .. })
}

/// 5.11/5.10 (electronic 5.7): the places in the order that are open, which are those of the cards drawn together.
// INTERPRETATION 35: an order that a reading shoe fixed or surveillance saw stands.
pub(crate) fn open(round: &Round, matter: &Matter) -> Vec<usize> {
    let Report::SimultaneousDraw { cards, places, .. } = &matter.report else { return Vec::new() };
    let drawn: Vec<&Dealt> =
        places.iter().filter_map(|place| round.drawn.get(usize::from(*place).checked_sub(1)?)).collect();
    let is_read = !places.is_empty() && drawn.iter().all(|dealt| !dealt.keyed);
    if is_seen(matter) || is_read {
        return Vec::new();
    }
    if places.is_empty() {
        let end = (matter.from + cards.len()).min(round.order.len());
        return (end.saturating_sub(cards.len())..end).collect();
    }
    let mut open = Vec::new();
    for card in drawn.iter().filter_map(|dealt| dealt.seen.card()) {
        let place = (0..round.order.len()).find(|at| round.order[*at] == card && !open.contains(at));
        open.extend(place);
    }
    open
}

/// Whether nothing changes its place but what is open.
fn is_about_these(order: &[Card], before: &[Card], open: &[usize]) -> Decided {
    let stays = |at: usize| open.contains(&at) || order[at] == before[at];
    if (0..before.len()).all(stays) { Ok(()) } else { Err(Reason::CardsDoNotAddUp {}.into()) }
}

fn is_permutation(order: &[Card], out: &[Card]) -> Decided {
    let (ruled, out): (Composition, Composition) =
        (order.iter().copied().collect(), out.iter().copied().collect());
    if ruled == out { Ok(()) } else { Err(Reason::CardsDoNotAddUp {}.into()) }
}

/// An order of drawing that gives the Hands as they lie, if their numbers of cards are right.
pub(crate) fn as_they_lie(hands: &BySide<Vec<Card>>) -> Option<Vec<Card>> {
    let BySide { player, banker } = hands;
    let in_turn = (0..player.len().max(banker.len())).flat_map(|i| [player.get(i), banker.get(i)]);
    let order: Vec<Card> = in_turn.flatten().copied().collect();
    let (deal, surplus) = reconstruct(&order);
    let lie_so = Side::BOTH.into_iter().all(|side| deal.hands()[side].cards() == hands[side]);
    (surplus.is_empty() && lie_so && !order.is_empty()).then_some(order)
}
