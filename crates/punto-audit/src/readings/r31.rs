//! Interpretation 31: what was read is evidence. After an interruption the cards that are out are confirmed by two people,
//! and a list that says otherwise than what was read is ruled on before anything is applied.

use punto_record::{Command, Entry, Event, MatterNo, Report, Seen, Source};
use punto_rules::{Card, Post};

use super::past::{Drawn, Past};
use crate::finding::Findings;

const READING: u8 = 31;

#[allow(clippy::wildcard_enum_match_arm)] // Only these events touch what the interpretation is about.
pub(super) fn check(past: &Past, entry: &Entry, out: &mut Findings) {
    let Some(round) = &past.round else { return };
    if let Command::ConfirmCards { second, .. } = &entry.order.command
        && round.drawn.iter().any(|drawn| drawn.source != Source::Carried)
    {
        let by = &entry.order.by;
        let post = by.post() >= Some(Post::PitSupervisor);
        out.interpreted(READING, post, "cards after an interruption were not confirmed by a Pit Supervisor");
        let two = second.is_some() && second.as_ref() != by.person();
        out.interpreted(READING, two, "cards after an interruption were confirmed by one person alone");
        let dealt = by.person().is_some_and(|person| round.dealers.contains(person));
        out.interpreted(READING, !dealt, "cards after an interruption were confirmed by somebody who dealt");
    }
    let mut disputed: Vec<MatterNo> =
        past.matters.iter().filter(|(_, it)| is_dispute(&it.report)).map(|(no, _)| *no).collect();
    for event in &entry.events {
        match event {
            Event::Ruled { matter, reason, .. } if disputed.contains(matter) => {
                out.interpreted(
                    READING,
                    !reason.trim().is_empty(),
                    "a list of cards stands without a reason",
                );
                disputed.retain(|no| no != matter);
            }
            Event::MatterOpened { matter, report, .. } if is_dispute(report) => disputed.push(*matter),
            Event::CardsConfirmed { cards, .. } => {
                let holds = match &entry.order.command {
                    Command::ConfirmCards { .. } => keeps(&round.drawn, cards),
                    Command::Rule { matter, .. } => {
                        past.matters.get(matter).is_none_or(|it| is_one_of(&it.report, cards))
                    }
                    _ => false,
                };
                out.interpreted(READING, holds, "a card that was read was dropped, changed or moved");
            }
            Event::InterruptionResolved { .. } | Event::RoundVoided { .. } => {
                let known = disputed.is_empty();
                out.interpreted(
                    READING,
                    known,
                    "an interruption was resolved while its cards were in dispute",
                );
            }
            _ => {}
        }
    }
}

const fn is_dispute(report: &Report) -> bool {
    matches!(report, Report::CardsInDispute { .. })
}

/// Whether every card that was read stands in its place.
fn keeps(drawn: &[Drawn], cards: &[Card]) -> bool {
    let of_the_set = drawn.iter().filter(|drawn| !matches!(drawn.seen, Seen::Foreign(_)));
    let mut places = of_the_set.enumerate();
    places.all(|(at, drawn)| {
        cards.get(at).is_some_and(|card| drawn.seen.card().is_none_or(|read| read == *card))
    })
}

/// Whether a ruling kept to the lists in dispute; other matters are not about them.
fn is_one_of(report: &Report, cards: &[Card]) -> bool {
    let Report::CardsInDispute { read, confirmed, .. } = report else { return true };
    let of_the_set: Vec<&Seen> = read.iter().filter(|seen| !matches!(seen, Seen::Foreign(_))).collect();
    let as_read = |(seen, card): (&&Seen, &Card)| seen.card().is_none_or(|read| read == *card);
    cards == confirmed || (cards.len() == of_the_set.len() && of_the_set.iter().zip(cards).all(as_read))
}
