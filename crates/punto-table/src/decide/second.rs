//! Separate people (interpretation 47): who rules did not deal, and once a result was shown nobody voids a Round or moves
//! money alone.

use punto_record::{Person, Reason, Report, RoundNo, Ruling, RulingWord};
use punto_rules::{Card, Cite, Post, reconstruct};

use super::clause::Clause;
use super::order::order;
use super::rule::gives_choice;
use super::{Decided, adjust};
use crate::draft::Draft;
use crate::round::{Matter, Round};
use crate::state::State;

/// The number of the interpretation, which is what its refusals cite.
const SEPARATE_PEOPLE: u8 = 47;

/// Whether the people of a ruling are separate enough for it.
// INTERPRETATION 47: whoever rules did not deal; after a result was shown a second Pit Supervisor or above agrees.
pub(super) fn separate(
    draft: &Draft<'_>,
    matter: &Matter,
    clause: &Clause,
    ruling: &Ruling,
    second: Option<&Person>,
) -> Decided {
    let round = adjust::round(matter, ruling);
    did_not_deal(draft, round, draft.person())?;
    if clause.second_person {
        return agrees_on(draft, round, second, &clause.cite);
    }
    if moves_money(draft, matter, clause, ruling) {
        return agrees_on(draft, round, second, &Cite::interpretation(SEPARATE_PEOPLE));
    }
    Ok(())
}

/// A Pit Supervisor or above, from any pit or remotely, who neither gives the order nor dealt.
pub(super) fn agrees_on(draft: &Draft<'_>, round: RoundNo, second: Option<&Person>, cite: &Cite) -> Decided {
    let needed = || Reason::SecondPersonNeeded {}.under(cite);
    let second = second.filter(|second| Some(*second) != draft.person()).ok_or_else(needed)?;
    did_not_deal(draft, round, Some(second))?;
    let post = draft.second_post.or_else(|| draft.state.posts.get(second).copied());
    let has_standing = post.is_some_and(|post| post >= Post::PitSupervisor);
    if has_standing && !second.as_str().trim().is_empty() { Ok(()) } else { Err(needed()) }
}

pub(super) fn did_not_deal(draft: &Draft<'_>, round: RoundNo, person: Option<&Person>) -> Decided {
    match person {
        Some(person) if draft.state.dealt(round, person) => {
            Err(Reason::DealtIt { person: person.clone() }.under(&Cite::interpretation(SEPARATE_PEOPLE)))
        }
        Some(_) | None => Ok(()),
    }
}

/// The Round that a report names.
pub(super) const fn named(matter: &Matter) -> Option<RoundNo> {
    if let Report::WrongResult { round, .. } | Report::LateDiscovery { round, .. } = &matter.report {
        Some(*round)
    } else {
        None
    }
}

/// The Round that a matter is about.
fn about(matter: &Matter) -> RoundNo {
    named(matter).unwrap_or(matter.round)
}

/// Whether a result was shown of the Round that a matter is about. One that is over had its result.
fn result_shown(state: &State, matter: &Matter) -> bool {
    state.round().is_none_or(|round| round.no != about(matter) || round.shown)
}

/// Whether a ruling voids or moves money after a result was shown. Money of an earlier Round always has.
fn moves_money(draft: &Draft<'_>, matter: &Matter, clause: &Clause, ruling: &Ruling) -> bool {
    if matches!(ruling, Ruling::Adjust { .. }) {
        return true;
    }
    if !result_shown(&draft.state, matter) {
        return false;
    }
    match ruling {
        Ruling::Void {} | Ruling::Correct { .. } | Ruling::Misread { card: Some(_) } => true,
        Ruling::Reconstruct {}
        | Ruling::AsTheyLie { .. }
        | Ruling::InOrder { .. }
        | Ruling::Continue {}
        | Ruling::Stand {}
        | Ruling::Misread { card: None }
        | Ruling::Adjust { .. } => {
            // An order that cannot be is refused for that.
            let ordered = order(draft, matter, ruling).ok().flatten().map(|(order, _)| order);
            let changes = |round: &Round| ordered.as_ref().is_some_and(|order| *order != result_cards(round));
            draft.state.round().is_some_and(changes)
                || gives_choice(draft, clause, ruling, ordered.as_deref())
        }
    }
}

/// The cards of the result, as they count so far.
fn result_cards(round: &Round) -> Vec<Card> {
    reconstruct(&round.order).0.drawn().collect()
}

/// Whether a ruling of this kind may need a second person, for screens that ask before they know its figures.
pub(crate) fn may_take_two(state: &State, matter: &Matter, clause: &Clause, ruling: RulingWord) -> bool {
    if clause.second_person || ruling == RulingWord::Adjust {
        return true;
    }
    let after_result = result_shown(state, matter);
    let asks = state.round().is_some() && clause.choice.is_some();
    match ruling {
        RulingWord::Void | RulingWord::Correct | RulingWord::Misread => after_result,
        RulingWord::InOrder | RulingWord::AsTheyLie => after_result && state.round().is_some(),
        RulingWord::Reconstruct | RulingWord::Continue => after_result && asks,
        RulingWord::Stand | RulingWord::Adjust => false,
    }
}
