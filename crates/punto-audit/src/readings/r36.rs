//! A card drawn in excess or exposed is used: it opens the next Round, unless the shoe changes, the Round is void, or it
//! decides a bet and the Shift Manager rules so.

use punto_record::{CommandKind, Entry, Event, Ruling};
use punto_rules::{IrregularityKind, Post};

use super::past::Past;
use crate::finding::Findings;

const NO: u8 = 36;
/// Fewer cards than these never establish a bet (interpretation 20).
const LEAST_THAT_DECIDE: usize = 3;

pub(super) fn check(past: &Past, entry: &Entry, out: &mut Findings) {
    let concerns = |event: &Event| {
        matches!(event, Event::Ruled { .. } | Event::CarriedCardsDiscarded { .. } | Event::BetsOpened { .. })
    };
    if !entry.events.iter().any(concerns) {
        return;
    }
    let mut felt = past.felt.clone();
    for event in &entry.events {
        if let Event::Ruled { matter, ruling: Ruling::Stand {}, .. } = event {
            let exposed = past.matters.get(matter).is_some_and(|it| {
                it.holds && it.kind == IrregularityKind::ExcessOrExposedCard && past.round.is_none()
            });
            out.interpreted(NO, !exposed, "an exposed card was put aside");
        }
        if let Event::CarriedCardsDiscarded { cards } = event {
            let changed =
                matches!(entry.order.command.kind(), CommandKind::RetireShoe | CommandKind::ExchangeShoe);
            let ruled = entry.order.command.kind() == CommandKind::RuleCarriedCards
                && entry.order.by.post().is_some_and(|post| post >= Post::ShiftManager)
                && cards.len() >= LEAST_THAT_DECIDE;
            out.interpreted(NO, changed || ruled, "carried cards that decide nothing were thrown away");
        }
        if let Event::BetsOpened { carried, .. } = event {
            out.interpreted(NO, *carried == felt.carried, "not the carried cards open the Round");
            let mut unused = felt.exposed.clone();
            for card in carried {
                if let Some(place) = unused.iter().position(|it| it == card) {
                    unused.remove(place);
                }
            }
            out.interpreted(NO, unused.is_empty(), "a card that came out between Rounds was not used");
        }
        felt.learn(event);
    }
}
