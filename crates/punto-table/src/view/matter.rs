//! What is to be ruled: everything that somebody must know to decide it.

use punto_record::{MatterNo, Report, RoundNo, RulingWord, Timestamp};
use punto_rules::{BetId, Card, Cite, Discretion, IrregularityKind, Post, reconstruct};
use serde::Serialize;

use crate::decide::{as_they_lie, clause, discretion, may_take_two, open, proposed, rulings};
use crate::law::Law;
use crate::round::Matter;
use crate::state::State;

/// Something to be ruled, with what the software proposes.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(missing_docs)]
pub struct MatterView<'a> {
    pub matter: MatterNo,
    pub kind: IrregularityKind,
    pub report: &'a Report,
    pub round: RoundNo,
    /// Whether the Round waits for it.
    pub holds: bool,
    pub cite: Cite,
    pub decides: Post,
    /// Until when it holds back money of a Round that is over.
    pub money_until: Option<Timestamp>,
    /// Whether a second person must agree.
    pub second_person: bool,
    pub discretion: Option<Discretion>,
    /// What the software proposes, where whoever decides may rule otherwise.
    pub proposed: Option<RulingWord>,
    pub established: bool,
    /// The bets that are certain already: why an outcome is established.
    pub because: Vec<&'a BetId>,
    pub proposal: Option<Proposal>,
    /// Cards that left the shoe together and whose order is open.
    pub movable: Vec<Card>,
    /// What may be ruled.
    pub rulings: Vec<RulingWord>,
    /// Those of them that a second person must agree to.
    pub take_two: Vec<RulingWord>,
    /// Whether whoever rules may have the cards in the shoe replaced.
    pub may_replace: bool,
}

/// What the cards would be, put in order.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Proposal {
    /// Dealt again by the Table of Play.
    pub reconstructed: Vec<Card>,
    /// What is then left over for the next Round.
    pub carried: Vec<Card>,
    /// An order that gives the Hands as they lie, if their numbers of cards are right.
    pub as_they_lie: Option<Vec<Card>>,
}

/// All that waits for a ruling.
pub(super) fn matters<'a>(state: &'a State, law: &'a Law) -> Vec<MatterView<'a>> {
    let held = state.round().map_or(&[][..], |round| round.matters());
    let order = state.round().map_or(&[][..], |round| &round.order);
    let all: Vec<&Matter> = held.iter().chain(&state.matters).collect();
    if all.is_empty() {
        return Vec::new();
    }
    let placed = state.round().into_iter().flat_map(|round| round.wagers.iter());
    let placed: Vec<_> = placed.filter_map(|(key, _)| law.terms.bet_no(key.bet.as_str())).collect();
    let because: Vec<&BetId> =
        law.established(order, placed.into_iter()).into_iter().map(|bet| &law.terms.bet(bet).id).collect();
    all.into_iter()
        .map(|matter| {
            let clause = clause(law, matter);
            let rulings = rulings(state, law, matter);
            MatterView {
                matter: matter.no,
                kind: matter.kind,
                report: &matter.report,
                round: matter.round,
                holds: matter.holds,
                cite: clause.cite.clone(),
                decides: clause.least(),
                money_until: matter.claim().and(matter.money_until),
                second_person: clause.second_person,
                discretion: discretion(law, matter.kind),
                proposed: proposed(&matter.report),
                established: !because.is_empty(),
                because: because.clone(),
                proposal: proposal(state, matter),
                movable: movable(state, matter),
                take_two: rulings
                    .iter()
                    .copied()
                    .filter(|word| may_take_two(state, matter, &clause, *word))
                    .collect(),
                rulings,
                may_replace: clause.may_replace(state, law).is_ok(),
            }
        })
        .collect()
}

/// The cards of a matter whose order is open; none where it stands.
fn movable(state: &State, matter: &Matter) -> Vec<Card> {
    match (state.round(), matter.exposed()) {
        (Some(round), _) => open(round, matter).into_iter().map(|at| round.order[at]).collect(),
        (None, Some(cards)) => cards.to_vec(),
        (None, None) => Vec::new(),
    }
}

fn proposal(state: &State, matter: &Matter) -> Option<Proposal> {
    let Some(round) = state.round().filter(|_| matter.holds) else {
        let exposed = matter.exposed().filter(|_| state.round().is_none())?;
        let carried = [&state.carried, exposed].concat();
        return Some(Proposal { reconstructed: Vec::new(), carried, as_they_lie: None });
    };
    let (deal, surplus) = reconstruct(&round.order);
    let as_they_lie = as_they_lie(&round.hands());
    Some(Proposal { reconstructed: deal.drawn().collect(), carried: surplus.to_vec(), as_they_lie })
}
