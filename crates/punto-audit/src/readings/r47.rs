//! Interpretation 47: whoever rules on a Round drew no card of it, and once its result was shown a void or anything that
//! moves money was agreed to by a second Pit Supervisor or above who drew none either.

use punto_record::{Command, Entry, Event, Person, Report, Ruling};
use punto_rules::{Card, Post};

use super::past::Past;
use crate::finding::Findings;

const NO: u8 = 47;

/// Checks a ruling that somebody gave.
pub(super) fn check(past: &Past, entry: &Entry, out: &mut Findings) {
    let Command::Rule { matter, second, second_post, .. } = &entry.order.command else { return };
    let Some(matter) = past.matters.get(matter) else { return };
    let earlier =
        if let Report::WrongResult { round, .. } | Report::LateDiscovery { round, .. } = &matter.report {
            Some(*round)
        } else {
            None
        };
    let round = earlier.unwrap_or(matter.round);
    let in_play = past.round.as_ref().filter(|it| it.no == round);
    let just_over = past.last.as_ref().filter(|it| it.no == round);
    let dealers = in_play.map(|it| &it.dealers).or(just_over.map(|it| &it.dealers));
    let dealt = |person: &Person| dealers.is_some_and(|dealers| dealers.contains(person));
    let giver = entry.order.by.person();
    out.interpreted(NO, !giver.is_some_and(dealt), "whoever ruled dealt a card of the Round");
    // A Round that is over had its result.
    if in_play.is_some_and(|it| it.result.is_none()) {
        return;
    }
    let shown = in_play.and_then(|it| it.result.as_deref());
    if !entry.events.iter().any(|event| moves_money(event, shown)) {
        return;
    }
    let post = second_post.or_else(|| past.posts.get(second.as_ref()?).copied());
    let stands = post.is_some_and(|post| post >= Post::PitSupervisor);
    let agrees = second.as_ref().is_some_and(|it| Some(it) != giver && !it.as_str().trim().is_empty());
    out.interpreted(NO, agrees && stands, "after the result nobody voids or moves money alone");
    out.interpreted(NO, !second.as_ref().is_some_and(dealt), "the second person dealt a card of the Round");
}

/// Whether what happened voids, pays, takes, or makes another result than the one that was shown.
fn moves_money(event: &Event, shown: Option<&[Card]>) -> bool {
    let other = |cards: &[Card]| shown.is_some_and(|shown| shown != cards);
    if let Event::Ruled { ruling, choice, .. } = event {
        return *choice || matches!(ruling, Ruling::Void {} | Ruling::Correct { .. } | Ruling::Adjust { .. });
    }
    if let Event::CardsOrdered { order: cards, .. } | Event::CardsConfirmed { cards, .. } = event {
        return other(cards);
    }
    matches!(event, Event::RoundCorrected { .. } | Event::Adjusted { .. })
}
