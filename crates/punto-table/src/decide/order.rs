//! The order in which the cards of a Round came, as a ruling fixes it.

use punto_record::{Reason, Rejection, Report, Ruling};
use punto_rules::{BySide, Card, Composition, Side, reconstruct};

use super::Decided;
use crate::draft::Draft;
use crate::round::{Matter, Round};

pub(super) type Ordered = Option<(Vec<Card>, Vec<Card>)>;

/// The order of the cards that a ruling fixes, and what it leaves over.
pub(super) fn order(draft: &Draft<'_>, matter: &Matter, ruling: &Ruling) -> Result<Ordered, Rejection> {
    let Some(round) = draft.state.round() else {
        let mut carried = draft.state.carried.clone();
        if let Report::ExcessOrExposedCard { cards } = &matter.report {
            carried.extend(cards);
        }
        return Ok(matches!(ruling, Ruling::Reconstruct {}).then_some((Vec::new(), carried)));
    };
    let split = |cards: &[Card]| {
        let (deal, surplus) = reconstruct(cards);
        (deal.drawn().collect(), surplus.to_vec())
    };
    match ruling {
        // 5.8/5.7: dealt again in the order of drawing, as ruled before; what is left over opens the next Round.
        Ruling::Reconstruct {} => Ok(Some(split(&round.order))),
        Ruling::InOrder { order } => {
            is_permutation(order, round)?;
            if let Report::SimultaneousDraw { cards, order_known } = &matter.report {
                is_about_these(order, round, matter.from, cards.len(), *order_known)?;
            }
            Ok(Some(split(order)))
        }
        Ruling::AsTheyLie { order } => {
            is_permutation(order, round)?;
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

/// 5.11/5.10 (electronic 5.7): only which of the cards drawn together came first is open, and not if it was seen.
fn is_about_these(order: &[Card], round: &Round, from: usize, cards: usize, order_known: bool) -> Decided {
    let end = (from + cards).min(order.len());
    let start = end.saturating_sub(cards);
    let others_stay = order[..start] == round.order[..start] && order[end..] == round.order[end..];
    let is_known = !order_known || order[start..end] == round.order[start..end];
    if others_stay && is_known { Ok(()) } else { Err(Reason::CardsDoNotAddUp {}.into()) }
}

fn is_permutation(order: &[Card], round: &Round) -> Decided {
    let (ruled, out): (Composition, Composition) =
        (order.iter().copied().collect(), round.order.iter().copied().collect());
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
