//! Interpretation 43: a dispute is raised by somebody with a wager in its Round, once; what was raised in time is decided
//! before the next Round commences where that Round then stands, and seen before it elsewhere.

use punto_record::{Command, Entry, Event, Timestamp};
use punto_rules::Post;

use super::past::{DisputePast, Past};
use crate::finding::Findings;

const NO: u8 = 43;

/// Checks disputes, and that no Round commenced over one.
#[allow(clippy::wildcard_enum_match_arm)] // Nothing else is about disputes.
pub(super) fn check(past: &Past, entry: &Entry, out: &mut Findings) {
    for event in &entry.events {
        match event {
            Event::DisputeOpened { round: Some(round), patron, .. } => {
                let right = patron.and_then(|patron| past.bettors.get(round)?.get(&patron).copied());
                out.interpreted(
                    NO,
                    right.is_some(),
                    "a Round was disputed by somebody without a wager in it",
                );
                out.interpreted(NO, right != Some(true), "a patron disputed a Round twice");
            }
            Event::BetsOpened { .. } => opened(past, entry, out),
            Event::DisputeSeen { surveillance, .. } => {
                let may = entry.order.by.post().is_some_and(|post| post >= Post::PitSupervisor);
                out.interpreted(NO, may, "a dispute was seen by nobody from Pit Supervisor up");
                let named = surveillance.as_ref().is_none_or(|it| !it.trim().is_empty());
                out.interpreted(NO, named, "a dispute counts as spoken in time by no recording");
            }
            Event::DisputeClosed { dispute, .. } => {
                let waits = past.disputes.get(dispute).is_some_and(|it| it.in_time && it.last_chance);
                let least = if waits { Post::PitSupervisor } else { Post::ShiftManager };
                let may = entry.order.by.post().is_some_and(|post| post >= least);
                out.interpreted(NO, may, "a dispute was decided by too low a post");
                let dealt = waits && dealt_it(past, entry);
                out.interpreted(NO, !dealt, "whoever dealt the Round decided the dispute about it");
            }
            _ => {}
        }
    }
    if let Command::CloseTable {} = entry.order.command {
        let undecided = past.disputes.values().any(|it| it.in_time && it.last_chance);
        out.interpreted(NO, !undecided, "the table closed over a dispute that was raised in time");
    }
}

/// The next Round commenced.
fn opened(past: &Past, entry: &Entry, out: &mut Findings) {
    let Some(settings) = &past.settings else { return };
    let at = entry.order.at.max(past.now);
    let about_last = |it: &&DisputePast| it.in_time && it.round == Some(past.rounds);
    let until = |since: Timestamp| since.plus_seconds(settings.dispute_seconds);
    for it in past.disputes.values().filter(about_last) {
        if it.last_chance {
            out.interpreted(NO, false, "a Round commenced over a dispute that was not decided");
        } else {
            let heard = it.seen || at >= until(it.since);
            out.interpreted(NO, heard, "a Round commenced over a dispute that nobody had seen");
        }
    }
}

fn dealt_it(past: &Past, entry: &Entry) -> bool {
    let in_play = past.round.as_ref().map(|round| &round.dealers);
    let dealers = in_play.or_else(|| past.last.as_ref().map(|last| &last.dealers));
    let person = entry.order.by.person();
    dealers.zip(person).is_some_and(|(dealers, person)| dealers.contains(person))
}
