//! A Hand with a wrong number of cards (5.5.3; electronic 5.3.3): computed from the cards in drawing order and from where
//! they lie, never on somebody's word.
// INTERPRETATION 32: what is reported, what is computed, and what may be ruled.

use punto_record::{Event, Reason, Rejection, Report, RulingWord};
use punto_rules::{BySide, Card, Composition, Discretion, IrregularityKind, Side, reconstruct};

use super::{Decided, bets, report};
use crate::draft::Draft;
use crate::law::Law;
use crate::round::Matter;
use crate::state::State;

/// Takes the report: every card has its place, and the numbers are wrong.
pub(super) fn report(draft: &mut Draft<'_>, it: &Report) -> Decided {
    let Report::WrongNumberOfCards { hands, unread, .. } = it else {
        unreachable!("asked for wrong numbers only")
    };
    if !unread.is_empty() && draft.state.round().is_some_and(|round| round.shoe_awaited) {
        return Err(Reason::ShoeAwaited {}.into());
    }
    report::can_be_out(draft, unread)?;
    let recorded = draft.state.round().map_or_else(|| before(&draft.state), |round| round.cards());
    if !has_every_card(it, &recorded) {
        return Err(Reason::CardsDoNotAddUp {}.into());
    }
    let counting = [counting(&draft.state).as_slice(), unread].concat();
    if !is_wrong(&counting, hands) {
        let cite = draft.law.cite(IrregularityKind::WrongNumberOfCards);
        return Err(Reason::NumberNotWrong {}.under_some(cite));
    }
    if !unread.is_empty() {
        if draft.state.round().is_some() {
            bets::close_if_open(draft);
        }
        unread.iter().for_each(|card| report::out(draft, *card));
        if draft.state.round().is_none() {
            // They are of the Round just played and stay beside it until it is ruled.
            let carried = draft.state.carried.iter().chain(unread).copied().collect();
            draft.push(Event::CardsOrdered { order: Vec::new(), carried });
        }
    }
    report::hold(draft, it.clone());
    if let Some(extra) = report::too_many(draft, unread) {
        let excess = Report::ShortageOrExcess { missing: vec![], extra: vec![extra], shoe: None };
        report::cards_at_fault(draft, &excess);
    }
    Ok(())
}

/// Whether a Hand has another number of cards than the Table of Play gives it, dealing the cards in this order.
fn is_wrong(order: &[Card], lying: &BySide<Vec<Card>>) -> bool {
    let (deal, _) = reconstruct(order);
    Side::BOTH.into_iter().any(|side| deal.hands()[side].cards().len() != lying[side].len())
}

/// Whether the Round of this matter is one that has a wrong number of cards still.
pub(super) fn is_wrong_now(state: &State, matter: &Matter) -> bool {
    match (state.round(), &matter.report) {
        (Some(round), _) => is_wrong(&round.order, &round.hands()),
        (None, it @ Report::WrongNumberOfCards { hands, .. }) => {
            let settled = state.last().map_or(&[][..], |last| &last.drawn);
            is_wrong(settled, hands) && places_all(it, settled)
        }
        (None, _) => false,
    }
}

/// The cards that the Round just played can be settled by after all: some of those that were out, and what that leaves.
pub(super) fn left_over(state: &State, cards: &[Card]) -> Result<Vec<Card>, Rejection> {
    let mut rest = before(state);
    for card in cards {
        let place = rest.iter().position(|it| it == card).ok_or(Reason::CardsDoNotAddUp {})?;
        rest.remove(place);
    }
    Ok(rest)
}

/// Whether the cards can be put in order, as far as the software can tell: a card that nobody read has no place in it.
pub(crate) fn proposed(it: &Report) -> Option<RulingWord> {
    match it {
        Report::WrongNumberOfCards { unread, .. } if unread.is_empty() => Some(RulingWord::Reconstruct),
        Report::WrongNumberOfCards { .. } => Some(RulingWord::Void),
        Report::TechnicalInterruption { .. }
        | Report::CardsInDispute { .. }
        | Report::ForeignCard { .. }
        | Report::ShortageOrExcess { .. }
        | Report::ShoeExhausted { .. }
        | Report::NotShuffled {}
        | Report::LateBet { .. }
        | Report::ExcessOrExposedCard { .. }
        | Report::WrongSide { .. }
        | Report::FaceUp { .. }
        | Report::SimultaneousDraw { .. }
        | Report::OtherDealingError { .. }
        | Report::LateDiscovery { .. }
        | Report::BetPlacedInError { .. }
        | Report::WrongResult { .. }
        | Report::WalkAway { .. }
        | Report::Uncovered { .. } => None,
    }
}

/// How freely it is decided. Whether a wrong number can be reconstructed is decided as for cards in excess (5.8/5.7;
/// electronic 5.4).
pub(crate) fn discretion(law: &Law, kind: IrregularityKind) -> Option<Discretion> {
    let is_number = kind == IrregularityKind::WrongNumberOfCards;
    let says_so = if is_number { IrregularityKind::ExcessOrExposedCard } else { kind };
    law.irregularity(says_so).and_then(|it| it.discretion)
}

/// The cards of the Round just played that are still there: what it was settled by, and what is left over.
fn before(state: &State) -> Vec<Card> {
    let settled = state.last().map_or(&[][..], |last| &last.drawn);
    [settled, &state.carried].concat()
}

/// The cards in the order that counts.
fn counting(state: &State) -> Vec<Card> {
    state.round().map_or_else(|| before(state), |round| round.order.clone())
}

/// Whether a report places every card of the record exactly once, and nothing but those and the unread ones.
fn has_every_card(it: &Report, recorded: &[Card]) -> bool {
    let Report::WrongNumberOfCards { unread, .. } = it else { return false };
    let out: Composition = recorded.iter().chain(unread).copied().collect();
    placed(it) == out && !out.is_empty()
}

/// Whether a report places these cards at least.
fn places_all(it: &Report, cards: &[Card]) -> bool {
    let (placed, there): (Composition, Composition) = (placed(it), cards.iter().copied().collect());
    !cards.is_empty() && Card::all().all(|card| placed.copies(card) >= there.copies(card))
}

fn placed(it: &Report) -> Composition {
    let Report::WrongNumberOfCards { hands, neither, .. } = it else { return Composition::EMPTY };
    hands.player.iter().chain(&hands.banker).chain(neither).copied().collect()
}
