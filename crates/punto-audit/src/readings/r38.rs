//! Interpretation 38: a Round is void for want of cards where the record has none left, or where a Pit Supervisor or above has
//! seen that the device holds fewer than the Round needs.

use punto_record::{CardDevice, Command, Entry, Event, Report, Seen};
use punto_rules::{IrregularityKind, Post};

use super::past::Past;
use crate::finding::Findings;

const READING: u8 = 38;

#[allow(clippy::wildcard_enum_match_arm)] // Only these events touch what the interpretation is about.
pub(super) fn check(past: &Past, entry: &Entry, out: &mut Findings) {
    let continuous = past.settings.as_ref().is_some_and(|it| it.device == CardDevice::ContinuousShuffler);
    for event in &entry.events {
        match event {
            Event::MatterOpened { report: Report::ShoeExhausted { left: None }, .. } => {
                out.interpreted(READING, !continuous, "a continuous shuffler was found empty by nobody");
            }
            Event::MatterOpened { report: Report::ShoeExhausted { left: Some(left) }, .. } => {
                let drawn = past.round.iter().flat_map(|round| &round.drawn);
                let cards = drawn.filter(|drawn| matches!(drawn.seen, Seen::Card(_))).count();
                let few = usize::from(*left) < 4_usize.saturating_sub(cards).max(1);
                out.interpreted(READING, few, "a device held as many cards as the Round needed");
                let seen = !past.is_software();
                out.interpreted(READING, seen, "somebody looked for the cards of a software shoe");
            }
            Event::RoundVoided { kind: IrregularityKind::ShoeExhausted, .. } => {
                let ruled = if let Command::Rule { matter, .. } = &entry.order.command {
                    past.matters.get(matter).filter(|it| it.kind == IrregularityKind::ShoeExhausted)
                } else {
                    None
                };
                let by_post = entry.order.by.post() >= Some(Post::PitSupervisor);
                let found = entry.events.iter().any(|it| {
                    matches!(it, Event::MatterOpened { report: Report::ShoeExhausted { left: None }, .. })
                });
                out.interpreted(
                    READING,
                    found || (ruled.is_some() && by_post),
                    "a Round was void for want of cards, and no Pit Supervisor had seen it",
                );
            }
            _ => {}
        }
    }
}
