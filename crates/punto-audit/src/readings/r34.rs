//! Interpretation 34: a choice belongs to the bets that lay when the error happened. It is made before the Round goes on, and
//! its time never runs while the table is interrupted or held.

use std::collections::BTreeMap;

use punto_record::{Actor, BoxNo, Choice, Entry, Event, MatterNo, MoneyKind, Timestamp};
use punto_rules::{BetId, Money, PatronNo};

use super::past::Past;
use crate::finding::Findings;

const READING: u8 = 34;
const SECONDS: std::ops::RangeInclusive<u64> = 20..=180;

type Stakes = BTreeMap<(PatronNo, Option<BoxNo>, BetId), Money>;

/// What is remembered of the Round in play.
#[derive(Clone, Debug, Default)]
pub(super) struct Check {
    /// What lay when each matter was opened.
    lay: BTreeMap<MatterNo, Stakes>,
    /// What lay when the error happened, of patrons who were granted a choice and have not made it.
    granted: Stakes,
    /// When those who are being asked have answered at the latest; none while it does not run.
    until: Option<Timestamp>,
}

impl Check {
    #[allow(clippy::wildcard_enum_match_arm)] // Only these events touch what the interpretation is about.
    pub(super) fn entry(&mut self, past: &Past, entry: &Entry, out: &mut Findings) {
        let at = past.now.max(entry.order.at);
        let mut stakes = past.round.as_ref().map(|round| round.stakes.clone()).unwrap_or_default();
        for event in &entry.events {
            match event {
                Event::TableOpened { settings, .. } | Event::SettingsChanged { settings, .. } => {
                    let holds = SECONDS.contains(&u64::from(settings.choice_seconds));
                    out.interpreted(READING, holds, "patrons choose for 20 to 180 seconds");
                }
                Event::BetsOpened { .. } => *self = Check::default(),
                Event::WagerRegistered { patron, box_no, bet, stake, .. }
                | Event::WagerWithdrawn { patron, box_no, bet, stake, .. } => {
                    self.lies(&mut stakes, (*patron, *box_no, bet.clone()), *stake);
                }
                Event::WagerTrimmed { patron, box_no, bet, stake, .. }
                | Event::WagerReturned { patron, box_no, bet, stake, .. }
                | Event::ChipsRecorded { patron, box_no, bet, stake, .. }
                | Event::WagerAmended { patron, box_no, bet, stake, .. } => {
                    self.lies(&mut stakes, (*patron, Some(*box_no), bet.clone()), *stake);
                }
                Event::MatterOpened { matter, holds: true, .. } => {
                    self.lay.insert(*matter, stakes.clone());
                    self.until = None;
                }
                Event::TableInterrupted { .. } => self.until = None,
                Event::Ruled { matter, choice: true, .. } => {
                    for (key, amount) in self.lay.get(matter).into_iter().flatten() {
                        let amount = stakes.get(key).map_or(Money::ZERO, |stake| (*stake).min(*amount));
                        if !amount.is_zero() {
                            self.granted.insert(key.clone(), amount);
                        }
                    }
                }
                Event::ChoiceOffered { until, .. } => self.until = Some(*until),
                Event::ChoiceMade { patron, choice, silent, returns } => {
                    let away = self.until.is_some_and(|until| at < until);
                    out.interpreted(
                        READING,
                        self.until.is_some(),
                        "a choice was made while its time did not run",
                    );
                    let by_clock = *silent && !away && entry.order.by == Actor::House;
                    let chips = past.settings.as_ref().is_some_and(|it| it.money == MoneyKind::Chips);
                    out.interpreted(
                        READING,
                        !(by_clock && chips),
                        "the clock ended a choice that the Dealer records",
                    );
                    for it in returns.iter().filter(|_| *choice == Choice::TakeBack) {
                        let key = (it.patron, it.box_no, it.bet.clone());
                        let lay = self.granted.get(&key).copied().unwrap_or(Money::ZERO);
                        out.interpreted(
                            READING,
                            it.amount <= lay,
                            "more was taken back than lay at the error",
                        );
                        let left =
                            stakes.get(&key).map_or(Money::ZERO, |stake| stake.less(it.amount.min(*stake)));
                        stakes.insert(key, left);
                    }
                    self.granted.retain(|(owner, _, _), _| owner != patron);
                }
                Event::RoundCompleted { .. } | Event::RoundSettled { .. } => {
                    let made = self.granted.is_empty();
                    out.interpreted(READING, made, "a Round went on to its result before a choice was made");
                }
                _ => {}
            }
        }
    }

    fn lies(&mut self, stakes: &mut Stakes, key: (PatronNo, Option<BoxNo>, BetId), stake: Money) {
        if let Some(granted) = self.granted.get_mut(&key) {
            *granted = (*granted).min(stake);
        }
        self.granted.retain(|_, amount| !amount.is_zero());
        stakes.insert(key, stake);
    }
}
