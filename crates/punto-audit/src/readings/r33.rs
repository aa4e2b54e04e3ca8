//! Interpretation 33: in a house nothing is played but approved rules. A table opens and a Round commences only under a
//! text whose approval was on record and in force then, and the event names its deed; elsewhere there is no deed to name.
//! Only a Shift Manager or above departs from an interpretation, in a case. The Round that was announced as the last is
//! left out only where it could not have commenced.

use punto_record::{Cards, Digest, Entry, EstablishedBy, Event, PostsBy, Timestamp, digest};
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
                Event::LastRoundDropped { .. } => {
                    let could = self.could_commence(house, past, at);
                    out.interpreted(NO, !could, "the last Round was not played though it could commence");
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
    /// Whether a Round could have commenced then: under an approval in force, with settings that a house runs.
    fn could_commence(&self, house: &HousePast, past: &Past, at: Timestamp) -> bool {
        if !house.is_house() {
            return true;
        }
        let Some((text, settings)) = self.text.zip(past.settings.as_ref()) else { return false };
        let fits = settings.posts == PostsBy::Held
            && settings.established_by == EstablishedBy::Offered
            && (10..=300).contains(&settings.betting_seconds);
        let software = settings.cards == Cards::Software;
        house.in_force(text, at).is_some_and(|it| fits && (it.software_cards || !software))
    }
}
