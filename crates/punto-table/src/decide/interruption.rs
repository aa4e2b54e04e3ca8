//! A technical interruption (5.4; electronic 5.1): concluded if an outcome has been established, otherwise void.

use punto_record::{Actor, Cards, Cause, Event, Person, Reason, Rejection, Report, Seen};
use punto_rules::{BetId, Card, Cite, IrregularityKind, Post, Remedy};

use super::{Decided, bets, cards, choices, float, report, rule, void};
use crate::draft::Draft;
use crate::round::{Stage, is_as_read};

// INTERPRETATION 21: a crash of the software is one. With a software shoe it is resolved at once; with real cards the
// Dealer first says which cards are out.
pub(super) fn interrupt(draft: &mut Draft<'_>, cause: Option<Cause>) -> Decided {
    let kind = IrregularityKind::TechnicalInterruption;
    let lost = cause == Some(Cause::ShoeLost);
    // It puts another shoe in place during a Round. Nobody but the house knows whether it still has the order of its own.
    if lost && (*draft.by != Actor::House || draft.law.settings.cards != Cards::Software) {
        return Err(Reason::NotPermitted { least: None }.under_some(draft.law.cite(kind)));
    }
    let cite = draft.law.cite(kind).cloned().unwrap_or_else(|| draft.uncovered());
    draft.push(Event::TableInterrupted { cause, cite });
    // INTERPRETATION 51: whoever has to leave covers the float first.
    if let Some(cause) = cause.filter(|cause| cause.takes_people_away())
        && draft.state.float.is_some()
        && !draft.state.float_covered
        && draft.law.settings.cards == Cards::Real
    {
        float::cover(draft, cause)?;
    }
    if draft.law.settings.cards == Cards::Software {
        let ruled = draft.round().left_over().len();
        resolve(draft, ruled, lost);
    }
    Ok(())
}

/// The cards that are out, in drawing order. The felt may be ahead of the record, and the cards prevail; what was read
/// is not said otherwise without a ruling.
// INTERPRETATION 31: once a card is out, a Pit Supervisor or above who did not deal confirms with the Dealer.
pub(super) fn confirm_cards(draft: &mut Draft<'_>, out: &[Card], second: Option<&Person>) -> Decided {
    let left = draft.state.shoe.as_ref().ok_or(Reason::NoShoe {})?.left();
    let round = draft.round();
    let is_recorded = !round.has_drawn() && out.len() == round.drawn.len() && round.is_as_read(out);
    if !is_recorded && draft.by.post().is_none_or(|post| post < Post::PitSupervisor) {
        return Err(not_alone());
    }
    if out.len().saturating_sub(round.drawn.len()) > left.into() {
        return Err(Reason::TooFewCards { left }.into());
    }
    if !is_recorded {
        did_not_deal(draft, second)?;
    }
    if out.len() > report::MOST_AT_ONCE + round.drawn.len() {
        return Err(Reason::CardsDoNotAddUp {}.into());
    }
    if !round.is_as_read(out) {
        let read = round.drawn.iter().map(|dealt| dealt.seen.clone()).collect();
        let (confirmed, second) = (out.to_vec(), second.cloned());
        report::open(draft, Report::CardsInDispute { read, confirmed, second }, true);
        return Ok(());
    }
    let ruled = round.left_over().len();
    draft.push(Event::CardsConfirmed { cards: out.to_vec(), second: second.cloned() });
    cards::cut_card(draft);
    resolve(draft, ruled, false);
    Ok(())
}

/// The Dealer's word on the cards that are out is not enough.
pub(crate) fn not_alone() -> Rejection {
    Reason::NotPermitted { least: Some(Post::PitSupervisor) }.under(&Cite::interpretation(31))
}

/// Two people stand by what lies on the felt, and whoever signs for the House dealt none of it.
fn did_not_deal(draft: &Draft<'_>, second: Option<&Person>) -> Decided {
    let other = second.is_some_and(|it| Some(it) != draft.person() && !it.as_str().trim().is_empty());
    let cite = Cite::interpretation(31);
    match draft.person() {
        Some(person) if draft.state.dealt(draft.round().no, person) => {
            Err(Reason::DealtIt { person: person.clone() }.under(&cite))
        }
        Some(_) if other => Ok(()),
        Some(_) | None => Err(Reason::SecondPersonNeeded {}.under(&cite)),
    }
}

/// Whether a ruling names one of the two lists in dispute: what was read, with a card in every place that nobody could
/// read, or what was confirmed.
pub(super) fn is_in_dispute(read: &[Seen], confirmed: &[Card], cards: &[Card]) -> bool {
    let places = read.iter().filter(|seen| !matches!(seen, Seen::Foreign(_))).count();
    cards == confirmed || (cards.len() == places && is_as_read(read.iter(), cards))
}

/// Applies the paragraph; so many cards were left over before, and that was ruled or is about to be. `lost`: the Round cannot
/// be concluded with the shoe in use.
pub(super) fn resolve(draft: &mut Draft<'_>, ruled: usize, lost: bool) {
    let kind = IrregularityKind::TechnicalInterruption;
    let because = draft.law.established(&draft.round().order, draft.placed());
    let because: Vec<BetId> = because.into_iter().map(|bet| draft.law.terms.bet(bet).id.clone()).collect();
    let clause = draft.law.rulebook.irregularity(kind);
    let concludes = clause.is_none_or(|it| it.remedy == Remedy::ConcludeOrVoid) && !because.is_empty();
    let cite = draft.law.rulebook.interruption_cite(!because.is_empty()).unwrap_or_else(|| draft.uncovered());
    draft.push(Event::InterruptionResolved { established: !because.is_empty(), because, cite: cite.clone() });
    if !concludes {
        let round = draft.round().no;
        void::void_round(draft, round, kind, cite, Vec::new());
        return;
    }
    if lost && !draft.round().shoe_awaited {
        let shoe = draft.state.shoe.as_ref().expect("a Round has its shoe").no;
        draft.push(Event::ShoeReplacementOrdered { shoe, cite });
    }
    if !draft.round().drawn.iter().all(|dealt| dealt.carried) {
        bets::close_if_open(draft);
    }
    if let Some(extra) = report::too_many(draft, &draft.round().order) {
        report::hold(draft, Report::ShortageOrExcess { missing: vec![], extra: vec![extra], shoe: None });
    }
    if draft.round().left_over().len() > ruled {
        report::hold(draft, Report::ExcessOrExposedCard { cards: vec![] });
    }
    match &draft.state.round().map(|round| &round.stage) {
        Some(Stage::Held { .. }) => rule::resume(draft),
        Some(Stage::Choosing { .. } | Stage::Dealing {}) => choices::ask_or_go_on(draft),
        Some(Stage::Betting { .. }) => bets::reopen(draft),
        Some(Stage::Unread {} | Stage::Confirming { .. } | Stage::Interrupted { .. }) | None => {}
    }
}
