//! Who had a wager in which Round, and who has disputed it: the right to a dispute (interpretation 43).

use std::collections::BTreeMap;

use punto_record::{Event, RoundNo};
use punto_rules::PatronNo;
use serde::{Deserialize, Serialize};

/// Rounds that a table remembers.
const ROUNDS: usize = 256;
/// Patrons that it remembers, in all of them together.
const PATRONS: usize = 20_000;

/// The patrons of the last Rounds, each with whether they disputed it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bettors {
    rounds: BTreeMap<RoundNo, BTreeMap<PatronNo, bool>>,
    patrons: usize,
}

impl Bettors {
    /// Whether somebody had a wager in a Round, be it that it was withdrawn or went back since.
    pub fn had_wager(&self, round: RoundNo, patron: PatronNo) -> bool {
        self.get(round, patron).is_some()
    }

    /// Whether somebody has disputed a Round.
    pub fn has_disputed(&self, round: RoundNo, patron: PatronNo) -> bool {
        self.get(round, patron) == Some(true)
    }

    /// The greatest number of them.
    pub(crate) fn last(&self) -> Option<PatronNo> {
        self.rounds.values().filter_map(|patrons| patrons.keys().next_back()).max().copied()
    }

    fn get(&self, round: RoundNo, patron: PatronNo) -> Option<bool> {
        self.rounds.get(&round)?.get(&patron).copied()
    }

    /// What an event says about it, in this Round if it names none: whose, and whether they dispute.
    #[allow(clippy::wildcard_enum_match_arm)] // Nothing else makes a bettor.
    pub(crate) fn told(event: &Event, round: RoundNo) -> Option<(RoundNo, PatronNo, bool)> {
        match event {
            Event::WagerRegistered { patron, .. } => Some((round, *patron, false)),
            Event::ChipsRecorded { patron, stake, .. } | Event::WagerAmended { patron, stake, .. }
                if !stake.is_zero() =>
            {
                Some((round, *patron, false))
            }
            Event::DisputeOpened { round: Some(round), patron: Some(patron), .. } => {
                Some((*round, *patron, true))
            }
            _ => None,
        }
    }

    /// Whether that is news.
    pub(crate) fn knows(&self, round: RoundNo, patron: PatronNo, disputes: bool) -> bool {
        match self.get(round, patron) {
            Some(has) => has || !disputes,
            // Only those who had a wager dispute a Round; the first release took disputes of anybody.
            None => disputes,
        }
    }

    pub(crate) fn learn(&mut self, round: RoundNo, patron: PatronNo, disputes: bool) {
        let before = self.rounds.entry(round).or_default().insert(patron, disputes);
        self.patrons += usize::from(before.is_none());
        while self.rounds.len() > ROUNDS || (self.patrons > PATRONS && self.rounds.len() > 2) {
            let Some((_, first)) = self.rounds.pop_first() else { return };
            self.patrons -= first.len();
        }
    }
}
