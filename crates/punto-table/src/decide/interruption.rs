//! A technical interruption (5.4; electronic 5.1): concluded if an outcome has been established, otherwise void.

use punto_record::{Cards, Event, Reason, Report, Seen};
use punto_rules::{BetId, Card, IrregularityKind, Remedy};

use super::{Decided, bets, cards, report, void};
use crate::draft::Draft;

// INTERPRETATION 21: a crash of the software is one. With a software shoe it is resolved at once; with real cards the
// Dealer first says which cards are out.
pub(super) fn interrupt(draft: &mut Draft<'_>) -> Decided {
    let kind = IrregularityKind::TechnicalInterruption;
    let cite = draft.law.cite(kind).cloned().unwrap_or_else(|| draft.uncovered());
    draft.push(Event::TableInterrupted { cite });
    if draft.law.settings.cards == Cards::Software {
        let ruled = draft.round().left_over().len();
        resolve(draft, ruled);
    }
    Ok(())
}

/// The cards that are out, in drawing order. The felt may be ahead of the record, and the cards prevail.
pub(super) fn confirm_cards(draft: &mut Draft<'_>, out: &[Card]) -> Decided {
    let left = draft.state.shoe.as_ref().ok_or(Reason::NoShoe {})?.left();
    if out.len().saturating_sub(draft.round().drawn.len()) > left.into() {
        return Err(Reason::TooFewCards { left }.into());
    }
    // What is no card of the set is not among them and stays as it lies.
    let cards = draft.round().drawn.iter().filter(|dealt| !matches!(dealt.seen, Seen::Foreign(_))).count();
    if out.len() > report::MOST_AT_ONCE + draft.round().drawn.len() || out.len() < cards {
        return Err(Reason::CardsDoNotAddUp {}.into());
    }
    let ruled = draft.round().left_over().len();
    draft.push(Event::CardsConfirmed { cards: out.to_vec() });
    cards::cut_card(draft);
    resolve(draft, ruled);
    Ok(())
}

/// Applies the paragraph; so many cards were left over before, and that was ruled or is about to be.
fn resolve(draft: &mut Draft<'_>, ruled: usize) {
    let kind = IrregularityKind::TechnicalInterruption;
    let because = draft.law.established(&draft.round().order, draft.placed());
    let because: Vec<BetId> = because.into_iter().map(|bet| draft.law.terms.bet(bet).id.clone()).collect();
    let clause = draft.law.rulebook.irregularity(kind);
    let concludes = clause.is_none_or(|it| it.remedy == Remedy::ConcludeOrVoid) && !because.is_empty();
    let cite = clause.map_or_else(|| draft.uncovered(), |it| it.cite.clone());
    draft.push(Event::InterruptionResolved { established: !because.is_empty(), because, cite: cite.clone() });
    if !concludes {
        let round = draft.round().no;
        void::void_round(draft, round, kind, cite, Vec::new());
        return;
    }
    if !draft.round().drawn.iter().all(|dealt| dealt.carried) {
        bets::close_if_open(draft);
    }
    if let Some(extra) = report::too_many(draft, &draft.round().order) {
        report::hold(draft, Report::ShortageOrExcess { missing: vec![], extra: vec![extra], shoe: None });
    }
    if draft.round().left_over().len() <= ruled {
        cards::go_on(draft);
    } else {
        report::hold(draft, Report::ExcessOrExposedCard { cards: vec![] });
    }
}
