//! By how much starts of the software moved the record on, on the word of the system's clock alone: the auditor's own reading
//! of what a house is trusted with.

use punto_record::{Deed, HouseEntry};

use crate::finding::{FindingKind, Findings};

const HOUR: u64 = 3_600_000;

/// A week and a day.
const MOST: u64 = 192 * HOUR;

/// What is known of a house's time, in milliseconds.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rest {
    /// Time at rest that was taken and not earned back.
    spent: u64,
    /// Until when the present run may have followed the system's clock unseen.
    sure_from: u64,
    /// The time of the last entry.
    last: Option<u64>,
}

impl Rest {
    pub(crate) fn entry(&mut self, entry: &HouseEntry, judged: bool, out: &mut Findings) {
        let now = entry.at.0;
        let last = self.last.unwrap_or(now);
        self.last = Some(now.max(last));
        let Deed::SoftwareStarted { at_rest, .. } = &entry.deed else {
            self.at_work(last, now);
            if let Deed::ClockConfirmed { .. } = &entry.deed {
                self.spent = 0;
            }
            return;
        };
        if let Some(rested) = at_rest {
            let fits = !judged || self.spent.saturating_add(*rested) <= MOST;
            let words = "a start moved the record on by more than a house is trusted with";
            out.hold(fits, FindingKind::NotPermitted, words);
            self.at_work(last, now.saturating_sub(*rested));
            self.spent = self.spent.saturating_add(*rested).min(MOST);
        }
        self.sure_from = now.saturating_add(HOUR);
    }

    /// It was at work between these times: the first hour of a run counts as rest, every other one takes two of them back.
    fn at_work(&mut self, from: u64, to: u64) {
        let doubtful = to.min(self.sure_from).saturating_sub(from);
        let sure = to.saturating_sub(from).saturating_sub(doubtful);
        self.spent = self.spent.saturating_add(doubtful).min(MOST).saturating_sub(sure.saturating_mul(2));
    }
}
