//! A void Round: every bet goes back, and faulty cards go out of use.

use punto_record::{Change, Event, Report, RoundNo};
use punto_rules::{Cite, IrregularityKind};

use super::{report, settle};
use crate::draft::Draft;
use crate::round::Matter;

/// Voids the Round in play, or undoes the one just settled. Every bet goes back (5.16/5.15; electronic 5.11).
pub(super) fn void(draft: &mut Draft<'_>, kind: IrregularityKind, matter: &Matter, changes: Vec<Change>) {
    // Cards that cannot be reconstructed and leave a wrong number are a void cause of their own (5.5.3; electronic 5.3.3).
    let kind = if matches!(kind, IrregularityKind::ExcessOrExposedCard | IrregularityKind::WrongSide) {
        IrregularityKind::WrongNumberOfCards
    } else {
        kind
    };
    // INTERPRETATION 42: a bet placed in error through the House is not what the paragraph about errors is about.
    let own = draft.law.cite(kind).filter(|_| kind != IrregularityKind::BetPlacedInError);
    let cite = own.cloned().unwrap_or_else(|| draft.uncovered());
    let round = draft.state.round().map_or(matter.round, |round| round.no);
    void_round(draft, round, kind, cite, changes);
    condemn(draft, kind, matter);
    if let Report::ShoeExhausted { left: Some(_) } = matter.report {
        too_few(draft);
    }
}

/// What was seen to hold too few cards for one Round is not used for another.
// INTERPRETATION 38.
fn too_few(draft: &mut Draft<'_>) {
    if let Some(shoe) = draft.state.shoe.as_ref().filter(|shoe| shoe.must_exchange.is_none()) {
        let (shoe, cite) = (shoe.no, Cite::interpretation(38));
        draft.push(Event::ShoeExchangeRequired { shoe, cite });
    }
}

/// Puts the cards out of use, unless it is another set that was found at fault.
fn condemn(draft: &mut Draft<'_>, kind: IrregularityKind, matter: &Matter) {
    let counted = if let Report::ShortageOrExcess { shoe, .. } = &matter.report { *shoe } else { None };
    let in_use = draft.state.shoe.as_ref().map(|shoe| shoe.no);
    if counted.is_none() || counted == in_use {
        report::require_exchange(draft, kind);
    }
}

pub(super) fn void_round(
    draft: &mut Draft<'_>,
    round: RoundNo,
    kind: IrregularityKind,
    cite: Cite,
    changes: Vec<Change>,
) {
    let returns = draft.state.round().map_or_else(Vec::new, |round| round.wagers.returns());
    let returns_cite = draft.law.rulebook.conduct.void_returns.clone();
    let shoe_awaited = draft.state.round().is_some_and(|round| round.shoe_awaited);
    let also: Vec<Matter> = draft.state.round().map_or_else(Vec::new, |round| round.matters().to_vec());
    let given_back = returns.iter().map(|it| (it.patron, it.amount));
    let given_back: Vec<_> = given_back.chain(changes.iter().map(|it| (it.patron, it.paid))).collect();
    draft.push(Event::RoundVoided { round, kind, cite, returns_cite, returns, changes });
    settle::put_by(draft, round, given_back);
    // Whatever the void was for, faulty cards that were found are out of use.
    for matter in also {
        condemn(draft, matter.kind, &matter);
    }
    if shoe_awaited {
        report::replace_before_next(draft);
    }
}
