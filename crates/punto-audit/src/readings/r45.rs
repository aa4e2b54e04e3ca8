//! Interpretation 45: credits are set aside by a Pit Supervisor with somebody else at the terminal, after the time without a
//! bet, and never with the terminal down, a claim held or a bet standing; and somebody else reviews it.

use std::collections::{BTreeMap, BTreeSet};

use punto_record::{Entry, Event, Person, SlipNo, Timestamp};
use punto_rules::{PatronNo, Post};

use super::past::Past;
use super::purse::Purses;
use super::r44;
use crate::finding::Findings;

const NO: u8 = 45;

/// What must be known of patrons.
#[derive(Clone, Debug, Default)]
pub(super) struct Check {
    played: BTreeMap<PatronNo, Timestamp>,
    lost: BTreeSet<PatronNo>,
    set_aside: BTreeMap<SlipNo, [Option<Person>; 2]>,
}

impl Check {
    #[allow(clippy::wildcard_enum_match_arm)] // What it does not name sets nothing aside.
    pub(super) fn entry(
        &mut self,
        past: &Past,
        purses: &Purses,
        claims: &r44::Check,
        entry: &Entry,
        out: &mut Findings,
    ) {
        let at = past.now.max(entry.order.at);
        for event in &entry.events {
            match event {
                Event::UnclaimedKept { patron, slip, attendant, .. } if !purses.chips() => {
                    self.kept(past, claims, entry, *patron, attendant.as_ref(), out);
                    if let Some(slip) = slip {
                        let by = [entry.order.by.person().cloned(), attendant.clone()];
                        self.set_aside.insert(*slip, by);
                    }
                }
                Event::SetAsideReviewed { slip, .. } => {
                    let by = self.set_aside.remove(slip);
                    let who = entry.order.by.person().cloned();
                    let other = by.is_some_and(|by| !by.contains(&who));
                    let may = entry.order.by.post().is_some_and(|post| post >= Post::ShiftManager);
                    out.interpreted(NO, other && may, "no other Shift Manager reviewed what was set aside");
                }
                Event::WagerRegistered { patron, .. }
                | Event::CreditsBought { patron, .. }
                | Event::TicketRedeemed { patron, .. }
                | Event::NoteAccepted { patron, .. } => {
                    self.played.insert(*patron, at);
                }
                Event::TerminalLost { patron, .. } => {
                    self.lost.insert(*patron);
                }
                Event::TerminalRestored { patron } => {
                    self.lost.remove(patron);
                }
                _ => {}
            }
        }
    }

    fn kept(
        &self,
        past: &Past,
        claims: &r44::Check,
        entry: &Entry,
        patron: PatronNo,
        attendant: Option<&Person>,
        out: &mut Findings,
    ) {
        let at = past.now.max(entry.order.at);
        let by = entry.order.by.person();
        let may = entry.order.by.post().is_some_and(|post| post >= Post::PitSupervisor);
        let two = attendant.is_some_and(|it| Some(it) != by && !it.as_str().trim().is_empty());
        out.interpreted(NO, may && two, "one person alone set a patron's credits aside");
        let minutes = past.settings.as_ref().map_or(30, |settings| u64::from(settings.abandoned_minutes));
        let played = self.played.get(&patron).map_or(0, |at| at.0);
        let over = at.0 >= played.saturating_add(minutes * 60_000);
        out.interpreted(NO, over, "credits were set aside before the time without a bet was over");
        out.interpreted(NO, !self.lost.contains(&patron), "credits were set aside with the terminal down");
        let mut stakes = past.round.iter().flat_map(|round| round.stakes.keys());
        let stands = stakes.any(|(whose, _, _)| *whose == patron);
        out.interpreted(NO, !stands, "credits were set aside with a bet standing");
        out.interpreted(NO, claims.most(patron, at) == 0, "credits were set aside that a claim could take");
    }
}
