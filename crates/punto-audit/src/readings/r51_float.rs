//! Interpretation 51: while the float is covered, nobody is at the table. No bets open, no chips move, nothing is settled;
//! and it is uncovered by two people.

use punto_record::{Entry, Event};

use crate::finding::Findings;

const NO: u8 = 51;

/// Whether the float is covered.
#[derive(Clone, Debug, Default)]
pub(super) struct Check {
    covered: bool,
}

impl Check {
    #[allow(clippy::wildcard_enum_match_arm)] // What it does not name moves no chips.
    pub(super) fn entry(&mut self, entry: &Entry, out: &mut Findings) {
        for event in &entry.events {
            match event {
                Event::FloatCovered { .. } => self.covered = true,
                Event::FloatUncovered { second, .. } => {
                    let alone = entry.order.by.person() == Some(second);
                    out.interpreted(NO, !alone, "one person alone uncovered the float");
                    self.covered = false;
                }
                Event::BetsOpened { .. }
                | Event::ChipsRecorded { .. }
                | Event::WagerRegistered { .. }
                | Event::WagerWithdrawn { .. }
                | Event::WagerTrimmed { .. }
                | Event::WagerReturned { .. }
                | Event::RoundSettled { .. }
                | Event::RoundVoided { .. }
                | Event::RoundCorrected { .. }
                | Event::RoundAmended { .. }
                | Event::Adjusted { .. }
                | Event::PushRecorded { .. }
                | Event::FloatClosed { .. }
                | Event::Filled { .. }
                | Event::Credited { .. }
                | Event::Dropped { .. } => {
                    out.interpreted(NO, !self.covered, "chips moved while the float was covered");
                }
                _ => {}
            }
        }
    }
}
