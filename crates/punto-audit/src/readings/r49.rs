//! Interpretation 49: a flag is notice. What the console showed to be over or under a limit does not play so.

use std::collections::BTreeSet;

use punto_record::{BoxNo, Entry, Event};
use punto_rules::{BetId, Flag, PatronNo, Side};

use crate::finding::Findings;

/// Flags that were shown and not dealt with since.
#[derive(Clone, Debug, Default)]
pub(super) struct Check {
    over: BTreeSet<BoxNo>,
    under: BTreeSet<(BoxNo, PatronNo, Side)>,
    outside: BTreeSet<(BoxNo, PatronNo, BetId)>,
}

impl Check {
    #[allow(clippy::wildcard_enum_match_arm)] // What it does not name neither moves a stake nor shows a limit.
    pub(super) fn entry(&mut self, entry: &Entry, out: &mut Findings) {
        for event in &entry.events {
            match event {
                Event::BetsOpened { .. } => *self = Check::default(),
                Event::ChipsRecorded { patron, box_no, bet, side, .. } => {
                    self.moved(*box_no, *patron, bet, *side);
                }
                Event::WagerTrimmed { patron, box_no, bet, side, .. } => {
                    self.moved(*box_no, *patron, bet, Some(*side));
                }
                Event::WagerReturned { patron, box_no, bet, side, .. } => {
                    self.moved(*box_no, *patron, bet, *side);
                }
                Event::WagerRegistered { patron, box_no: Some(box_no), bet, side, .. }
                | Event::WagerWithdrawn { patron, box_no: Some(box_no), bet, side, .. } => {
                    self.moved(*box_no, *patron, bet, *side);
                }
                Event::LimitsFlagged { box_no, flags, .. } => self.shown(*box_no, flags),
                Event::SideBetFlagged { patron, box_no, bet, .. } => {
                    self.outside.insert((*box_no, *patron, bet.clone()));
                }
                Event::BetsClosed { .. } => {
                    let words = "a box that was shown to be over its Differential was closed so";
                    out.interpreted(49, self.over.is_empty(), words);
                    let words = "a bet that was shown to be outside its limits was closed so";
                    out.interpreted(49, self.under.is_empty() && self.outside.is_empty(), words);
                }
                _ => {}
            }
        }
    }

    /// Chips of a box have moved: what was said of it is said again if it still holds.
    fn moved(&mut self, box_no: BoxNo, patron: PatronNo, bet: &BetId, side: Option<Side>) {
        match side {
            Some(side) => {
                self.over.remove(&box_no);
                self.under.remove(&(box_no, patron, side));
            }
            None => {
                self.outside.remove(&(box_no, patron, bet.clone()));
            }
        }
    }

    fn shown(&mut self, box_no: BoxNo, flags: &[Flag]) {
        for flag in flags {
            match flag {
                Flag::OverDifferential { .. } => {
                    self.over.insert(box_no);
                }
                Flag::UnderMinimum { patron, side, .. } => {
                    self.under.insert((box_no, *patron, *side));
                }
            }
        }
    }
}
