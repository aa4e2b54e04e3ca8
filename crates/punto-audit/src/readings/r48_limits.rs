//! Interpretation 48, limits: they never move while a Round is in play, they change only as announced and only after the
//! whole notice, and no wager is accepted outside those of its Round.

use std::collections::BTreeMap;

use punto_record::{BoxNo, Entry, Event, LimitsMode, Settings, Timestamp};
use punto_rules::{BetId, BoxLimits, Money, PatronNo, Post, Range, Side};

use super::past::Past;
use crate::finding::Findings;

const NO: u8 = 48;

/// Minimum and Differential of a box, and the ranges of bets.
type Limits = (Option<BoxLimits>, BTreeMap<BetId, Range>);

/// What was announced, and what lies in the boxes.
#[derive(Clone, Debug, Default)]
pub(super) struct Check {
    announced: Option<(Limits, Timestamp)>,
    /// Player and Banker bets by box, patron and side.
    boxes: BTreeMap<(BoxNo, PatronNo, Side), Money>,
    /// Whether a Round is in play.
    in_play: bool,
}

impl Check {
    #[allow(clippy::wildcard_enum_match_arm)] // What it does not name neither moves a stake nor touches a limit.
    pub(super) fn entry(&mut self, past: &Past, entry: &Entry, out: &mut Findings) {
        // In force for this entry; what it changes itself comes first.
        let mut settings = past.settings.clone();
        let at = entry.order.at.max(past.now);
        let gap = box_of(entry).map(|box_no| (box_no, self.gap(box_no)));
        for event in &entry.events {
            match event {
                Event::LimitsAnnounced { betting_box, bets, from, .. } => {
                    let may = entry.order.by.post().is_some_and(|post| post >= Post::PitSupervisor);
                    out.interpreted(NO, may, "limits were announced by nobody from Pit Supervisor up");
                    let notice = settings.as_ref().map(|it| at.plus_seconds(it.limits_notice_seconds));
                    out.interpreted(NO, notice == Some(*from), "limits were announced without their notice");
                    self.announced = Some(((*betting_box, bets.clone()), *from));
                }
                Event::LimitsChanged { betting_box, bets, .. } => {
                    out.interpreted(NO, !self.in_play, "limits moved while a Round was in play");
                    let new = (*betting_box, bets.clone());
                    let told = self.announced.take();
                    let is_due = told.is_some_and(|(limits, from)| limits == new && at >= from);
                    out.interpreted(NO, is_due, "limits changed without notice");
                    if let Some(settings) = &mut settings {
                        (settings.betting_box, settings.bets) = new;
                    }
                }
                Event::TableOpened { settings: new, .. } | Event::SettingsChanged { settings: new, .. } => {
                    out.interpreted(NO, !self.in_play, "limits moved while a Round was in play");
                    (settings, self.announced) = (Some(new.clone()), None);
                }
                Event::BetsOpened { .. } => {
                    let overdue = self.announced.as_ref().is_some_and(|(_, from)| at >= *from);
                    out.interpreted(NO, !overdue, "a Round commenced without the limits that were announced");
                    self.in_play = true;
                    self.boxes.clear();
                }
                Event::RoundSettled { .. } | Event::RoundVoided { .. } | Event::TableClosed {} => {
                    self.in_play = false;
                }
                _ => self.stake(settings.as_deref(), event, out),
            }
        }
        // A withdrawal may have widened a box; a wager that narrows it is always fine.
        let enforced = settings.filter(|it| it.limits == LimitsMode::Enforced);
        if let (Some((box_no, before)), Some(limits)) = (gap, enforced.and_then(|it| it.betting_box)) {
            let after = self.gap(box_no);
            let within = after <= i128::from(limits.differential.get()) || after < before;
            out.interpreted(NO, within, "a wager took its box over the Differential in force");
        }
    }

    #[allow(clippy::wildcard_enum_match_arm)] // As above.
    fn stake(&mut self, settings: Option<&Settings>, event: &Event, out: &mut Findings) {
        match event {
            Event::WagerRegistered { patron, box_no, bet, side, stake, .. } => {
                self.put(*box_no, *patron, *side, *stake);
                // A table that only observes records what lies there.
                let Some(settings) = settings.filter(|it| it.limits == LimitsMode::Enforced) else { return };
                let least = match (box_no, side, settings.betting_box) {
                    (Some(_), Some(_), Some(limits)) => Some((limits.minimum, None)),
                    _ => settings.bets.get(bet).map(|range| (range.minimum, Some(range.maximum))),
                };
                let within = |(least, most): (Money, Option<Money>)| {
                    *stake >= least && most.is_none_or(|most| *stake <= most)
                };
                let words = "a wager was accepted outside the limits in force";
                out.interpreted(NO, least.is_some_and(within), words);
            }
            Event::WagerWithdrawn { patron, box_no, side, stake, .. } => {
                self.put(*box_no, *patron, *side, *stake);
            }
            Event::WagerTrimmed { patron, box_no, side, stake, .. } => {
                self.put(Some(*box_no), *patron, Some(*side), *stake);
            }
            Event::WagerReturned { patron, box_no, side, stake, .. }
            | Event::ChipsRecorded { patron, box_no, side, stake, .. } => {
                self.put(Some(*box_no), *patron, *side, *stake);
            }
            _ => {}
        }
    }

    fn put(&mut self, box_no: Option<BoxNo>, patron: PatronNo, side: Option<Side>, stake: Money) {
        if let (Some(box_no), Some(side)) = (box_no, side) {
            self.boxes.insert((box_no, patron, side), stake);
        }
    }

    /// How far the sides of a box are apart.
    fn gap(&self, box_no: BoxNo) -> i128 {
        let of_box = self.boxes.iter().filter(|((no, ..), _)| *no == box_no);
        let signed = of_box.map(|((.., side), stake)| match side {
            Side::Player => i128::from(stake.get()),
            Side::Banker => -i128::from(stake.get()),
        });
        signed.sum::<i128>().abs()
    }
}

/// The box in which an entry placed a wager on Player or Banker.
fn box_of(entry: &Entry) -> Option<BoxNo> {
    entry.events.iter().find_map(|event| {
        if let Event::WagerRegistered { box_no, side: Some(_), .. } = event { *box_no } else { None }
    })
}
