//! The patrons' choice after a dealing error (5.13/5.12): continue with the hand as ruled, or take every bet back.

use punto_record::{Choice, Event, Reason};
use punto_rules::PatronNo;

use super::{Decided, cards, settle};
use crate::draft::Draft;
use crate::round::Stage;

/// Asks these patrons. Who walked away continues.
fn offer(draft: &mut Draft<'_>, patrons: Vec<PatronNo>) {
    let until = draft.at.plus_seconds(draft.law.settings.choice_seconds);
    let cite = draft.law.rulebook.conduct.patrons_choice.clone();
    draft.push(Event::ChoiceOffered { until, patrons: patrons.clone(), cite });
    for patron in patrons {
        walked_away(draft, patron);
    }
}

/// Whoever has a choice is asked before another card; otherwise the Round goes on.
// INTERPRETATION 34: one granted while bets were open is offered when they close, and one broken off by an interruption
// or another matter is offered again, with its full time.
pub(super) fn ask_or_go_on(draft: &mut Draft<'_>) {
    let asked = draft.round().entitled();
    if !asked.is_empty() {
        offer(draft, asked.into_iter().collect());
        return;
    }
    if !matches!(draft.round().stage, Stage::Dealing {}) {
        draft.push(Event::PlayResumed { closes_at: None });
    }
    cards::go_on(draft);
}

pub(super) fn choose(draft: &mut Draft<'_>, patron: PatronNo, choice: Choice) -> Decided {
    let is_late = matches!(draft.round().stage, Stage::Choosing { until, .. } if draft.at >= until);
    let is_over = is_late && draft.law.clock_ends_choices();
    if is_over || !is_waiting(draft, patron) {
        return Err(Reason::NotChoosing {}.into());
    }
    make(draft, patron, choice, false);
    Ok(())
}

/// Who has not answered in time continues.
pub(super) fn close(draft: &mut Draft<'_>) -> Decided {
    let Stage::Choosing { until, waiting } = &draft.round().stage else {
        unreachable!("the gate saw a choice")
    };
    if draft.at < *until {
        return Err(Reason::TooEarly {}.into());
    }
    for patron in waiting.clone() {
        make(draft, patron, Choice::Continue, true);
    }
    Ok(())
}

pub(super) fn walked_away(draft: &mut Draft<'_>, patron: PatronNo) {
    let away = draft.state.account(patron).is_some_and(|account| account.away);
    if away && is_waiting(draft, patron) {
        make(draft, patron, Choice::Continue, true);
    }
}

fn is_waiting(draft: &Draft<'_>, patron: PatronNo) -> bool {
    match draft.state.round().map(|round| &round.stage) {
        Some(Stage::Choosing { waiting, .. }) => waiting.contains(&patron),
        Some(
            Stage::Betting { .. }
            | Stage::Dealing {}
            | Stage::Unread {}
            | Stage::Held { .. }
            | Stage::Confirming { .. }
            | Stage::Interrupted { .. },
        )
        | None => false,
    }
}

// INTERPRETATION 25: one choice for all bets of a patron; when everybody has chosen, the cards go on, bets or no bets.
fn make(draft: &mut Draft<'_>, patron: PatronNo, choice: Choice, silent: bool) {
    let returns = match choice {
        Choice::Continue => Vec::new(),
        Choice::TakeBack => draft.round().taken_back(patron),
    };
    let (round, back) = (draft.round().no, returns.iter().map(|it| (it.patron, it.amount)).collect());
    draft.push(Event::ChoiceMade { patron, choice, silent, returns });
    settle::put_by(draft, round, back);
    if let Stage::Choosing { waiting, .. } = &draft.round().stage
        && waiting.is_empty()
    {
        ask_or_go_on(draft);
    }
}
