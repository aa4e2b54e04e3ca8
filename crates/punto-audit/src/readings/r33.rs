//! Interpretation 33: in a house nothing is played but approved rules. A table opens and a Round commences only under a
//! text whose approval was on record and in force then, and the event names its deed; elsewhere there is no deed to name.
//! Only a Shift Manager or above departs from an interpretation, in a case.

use punto_record::{Digest, Entry, Event, digest};
use punto_rules::Post;

use super::house::HousePast;
use super::past::Past;
use crate::finding::Findings;

const NO: u8 = 33;

/// The digest of the text that the table plays by.
#[derive(Clone, Debug, Default)]
pub(super) struct Check {
    text: Option<Digest>,
}

impl Check {
    #[allow(clippy::wildcard_enum_match_arm)] // Only what opens something is approved.
    pub(super) fn entry(&mut self, house: &HousePast, past: &Past, entry: &Entry, out: &mut Findings) {
        let at = entry.order.at.max(past.now);
        for event in &entry.events {
            let cited = match event {
                Event::TableOpened { rulebook, approval, .. }
                | Event::SettingsChanged { rulebook, approval, .. } => {
                    self.text = Some(digest(rulebook.as_bytes()));
                    *approval
                }
                Event::BetsOpened { approval, .. } => *approval,
                Event::Ruled { departs: Some(_), .. } => {
                    let may = entry.order.by.post().is_some_and(|post| post >= Post::ShiftManager);
                    out.interpreted(
                        NO,
                        may,
                        "a departure from an interpretation by less than a Shift Manager",
                    );
                    continue;
                }
                _ => continue,
            };
            if !house.is_house() {
                let named = house.is_no_house() && cited.is_some();
                out.interpreted(NO, !named, "an approval is cited where nothing is approved");
                continue;
            }
            let found = house.cited(cited).filter(|it| Some(it.text) == self.text);
            let words = match event {
                Event::BetsOpened { .. } => "a Round opened outside an approval of its rules",
                _ => "a table was opened outside an approval of its rules",
            };
            out.interpreted(NO, found.is_some_and(|it| it.covers(at)), words);
        }
    }
}
