//! A technical interruption (5.4; electronic 5.1): concluded if an outcome has been established, otherwise void.

use punto_record::{Cards, Event, Reason, Report};
use punto_rules::{BetId, Card, IrregularityKind, Remedy, reconstruct};

use super::{Decided, bets, cards, correction, report, rule};
use crate::draft::Draft;
use crate::round::Stage;

// INTERPRETATION 21: a crash of the software is one. With a software shoe it is resolved at once; with real cards the
// Dealer first says which cards are out.
pub(super) fn interrupt(draft: &mut Draft<'_>) -> Decided {
    draft.state.round().ok_or(Reason::NoRound {})?;
    let kind = IrregularityKind::TechnicalInterruption;
    let cite = draft.law.cite(kind).cloned().unwrap_or_else(|| draft.uncovered());
    draft.push(Event::TableInterrupted { cite });
    if draft.law.settings.cards == Cards::Software {
        resolve(draft);
    }
    Ok(())
}

/// The cards that are out, in drawing order. The felt may be ahead of the record, and the cards prevail.
pub(super) fn confirm_cards(draft: &mut Draft<'_>, out: &[Card]) -> Decided {
    let left = draft.state.shoe.as_ref().ok_or(Reason::NoShoe {})?.left();
    if out.len().saturating_sub(draft.round().drawn.len()) > left.into() {
        return Err(Reason::TooFewCards { left }.into());
    }
    if out.len() > correction::MOST_CARDS || out.len() < draft.round().drawn.len() {
        return Err(Reason::CardsDoNotAddUp {}.into());
    }
    draft.push(Event::CardsConfirmed { cards: out.to_vec() });
    resolve(draft);
    if let (Some(extra), Some(_)) = (report::too_many(draft, out), draft.state.round()) {
        report::hold(draft, Report::ShortageOrExcess { missing: vec![], extra: vec![extra] });
    }
    Ok(())
}

fn resolve(draft: &mut Draft<'_>) {
    let kind = IrregularityKind::TechnicalInterruption;
    let because = draft.law.established(&draft.round().order, draft.placed());
    let because: Vec<BetId> = because.into_iter().map(|bet| draft.law.terms.bet(bet).id.clone()).collect();
    let clause = draft.law.rulebook.irregularity(kind);
    let concludes = clause.is_none_or(|it| it.remedy == Remedy::ConcludeOrVoid) && !because.is_empty();
    let cite = clause.map_or_else(|| draft.uncovered(), |it| it.cite.clone());
    draft.push(Event::InterruptionResolved { established: !because.is_empty(), because, cite: cite.clone() });
    if !concludes {
        let round = draft.round().no;
        rule::void_round(draft, round, kind, cite, Vec::new());
        return;
    }
    let round = draft.round();
    let only_carried = round.drawn.iter().all(|dealt| dealt.carried);
    if let (Stage::Betting { .. }, false) = (&round.stage, only_carried) {
        bets::close(draft);
    }
    let (_, surplus) = reconstruct(&draft.round().order);
    if surplus.is_empty() {
        cards::go_on(draft);
    } else {
        report::hold(draft, Report::ExcessOrExposedCard { cards: vec![] });
    }
}
