//! Interpretation 48: in a house, settings that touch rights are bounded and take two people; an outcome is established by
//! the bets offered; cards of software run only under an approval that allows them.

use punto_record::{Cards, Entry, EstablishedBy, Event, Settings};

use super::house::HousePast;
use super::past::Past;
use crate::finding::Findings;

const NO: u8 = 48;

#[allow(clippy::wildcard_enum_match_arm)] // Nothing else is done by settings, or changes them.
pub(super) fn check(house: &HousePast, past: &Past, entry: &Entry, out: &mut Findings) {
    if !house.is_house() {
        return;
    }
    for event in &entry.events {
        let (settings, approval) = match event {
            Event::TableOpened { settings, approval, .. }
            | Event::SettingsChanged { settings, approval, .. } => (Some(settings), approval),
            Event::BetsOpened { approval, .. } => (past.settings.as_ref(), approval),
            _ => continue,
        };
        let Some(settings) = settings else { continue };
        let software = settings.cards == Cards::Software;
        let allowed = house.cited(*approval).is_some_and(|it| it.software_cards);
        out.interpreted(NO, !software || allowed, "cards of software that no approval allows");
        let offered = settings.established_by == EstablishedBy::Offered;
        out.interpreted(NO, offered, "an outcome is established by bets placed");
        let bounded = (10..=300).contains(&settings.betting_seconds);
        out.interpreted(NO, bounded, "bets are open for less than 10 or more than 300 seconds");
        let (second, touches) = match event {
            Event::TableOpened { second, .. } => (second, true),
            Event::SettingsChanged { second, .. } => {
                (second, past.settings.as_ref().is_none_or(|before| differ(before, settings)))
            }
            _ => continue,
        };
        let other = second
            .as_ref()
            .is_some_and(|it| entry.order.by.person() != Some(it) && !it.as_str().trim().is_empty());
        out.interpreted(NO, !touches || other, "settings that touch rights without a second person");
    }
}

/// Whether a setting differs that touches rights.
fn differ(before: &Settings, after: &Settings) -> bool {
    before.choice_seconds != after.choice_seconds
        || before.betting_seconds != after.betting_seconds
        || before.limits != after.limits
        || before.result != after.result
        || before.established_by != after.established_by
        || before.cards != after.cards
}
