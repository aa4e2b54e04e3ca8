//! Rounds that are over: who had which wager in them and what they were paid, for what is found later.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use punto_record::{Event, Owed, RoundNo, SettledLine};
use punto_rules::{Card, Money, PatronNo};
use serde::{Deserialize, Serialize};

use crate::round::WagerKey;

/// Rounds that a table remembers.
const ROUNDS: usize = 256;
/// Wagers that it remembers, in all of them together.
const WAGERS: usize = 10_000;

/// A wager of a Round that is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Played {
    pub key: WagerKey,
    pub stake: Money,
    pub playing: Money,
}

/// A Round that was settled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Over {
    pub cards: Vec<Card>,
    pub wagers: Vec<Played>,
    /// What everybody with a wager in it was paid, corrections and adjustments included.
    pub paid: BTreeMap<PatronNo, Money>,
    /// Of whom it was recorded what the Dealer really pushed.
    pub pushed: BTreeSet<PatronNo>,
}

/// The last Rounds that were settled, by the rules in force.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Earlier {
    rounds: BTreeMap<RoundNo, Arc<Over>>,
    wagers: usize,
}

impl Earlier {
    /// One of them.
    pub fn get(&self, round: RoundNo) -> Option<&Over> {
        self.rounds.get(&round).map(AsRef::as_ref)
    }

    /// All of them, the earliest first.
    pub fn iter(&self) -> impl Iterator<Item = (RoundNo, &Over)> {
        self.rounds.iter().map(|(round, over)| (*round, over.as_ref()))
    }

    /// Whether an event changes what is remembered.
    pub(crate) const fn concerns(event: &Event) -> bool {
        matches!(
            event,
            Event::RoundSettled { .. }
                | Event::RoundCorrected { .. }
                | Event::RoundAmended { .. }
                | Event::RoundVoided { .. }
                | Event::Adjusted { .. }
                | Event::PushRecorded { .. }
        )
    }

    #[allow(clippy::wildcard_enum_match_arm)] // Just what `concerns` names.
    pub(crate) fn learn(&mut self, event: &Event) {
        match event {
            Event::RoundSettled { round, result, lines, .. } => self.settle(*round, &result.cards, lines),
            Event::RoundCorrected { round, result, lines, .. } => self.change(*round, |over| {
                over.cards.clone_from(&result.cards);
                over.paid = paid(lines);
            }),
            Event::RoundAmended { round, lines, .. } => {
                let before = self.get(*round).map_or(0, |over| over.wagers.len());
                self.change(*round, |over| (over.wagers, over.paid) = (played(lines), paid(lines)));
                let after = self.get(*round).map_or(0, |over| over.wagers.len());
                self.wagers = self.wagers + after - before;
            }
            Event::RoundVoided { round, .. } => self.forget(*round),
            Event::Adjusted { round, adjustments, cards, .. } => self.change(*round, |over| {
                if !cards.is_empty() {
                    over.cards.clone_from(cards);
                }
                for it in adjustments {
                    let Some(paid) = over.paid.get_mut(&it.patron) else { continue };
                    *paid = match it.owed {
                        Owed::ToPatron => paid.plus(it.amount).unwrap_or(Money::MAX),
                        Owed::ToHouse => paid.less(it.amount),
                    };
                }
            }),
            Event::PushRecorded { round, patron, .. } => self.change(*round, |over| {
                over.pushed.insert(*patron);
            }),
            _ => {}
        }
    }

    fn settle(&mut self, round: RoundNo, cards: &[Card], lines: &[SettledLine]) {
        let wagers = played(lines);
        self.wagers += wagers.len();
        let over = Over { cards: cards.to_vec(), wagers, paid: paid(lines), pushed: BTreeSet::new() };
        self.rounds.insert(round, Arc::new(over));
        while self.rounds.len() > ROUNDS || (self.wagers > WAGERS && self.rounds.len() > 1) {
            let Some((first, _)) = self.rounds.first_key_value() else { return };
            self.forget(*first);
        }
    }

    fn change(&mut self, round: RoundNo, change: impl FnOnce(&mut Over)) {
        if let Some(over) = self.rounds.get_mut(&round) {
            change(Arc::make_mut(over));
        }
    }

    fn forget(&mut self, round: RoundNo) {
        if let Some(over) = self.rounds.remove(&round) {
            self.wagers -= over.wagers.len();
        }
    }
}

fn played(lines: &[SettledLine]) -> Vec<Played> {
    let played = |line: &SettledLine| Played {
        key: WagerKey { patron: line.patron, box_no: line.box_no, bet: line.bet.clone() },
        stake: line.stake,
        playing: line.playing,
    };
    lines.iter().map(played).collect()
}

fn paid(lines: &[SettledLine]) -> BTreeMap<PatronNo, Money> {
    let mut paid: BTreeMap<PatronNo, Money> = BTreeMap::new();
    for line in lines {
        let sum = paid.entry(line.patron).or_default();
        *sum = sum.plus(line.to_patron).unwrap_or(Money::MAX);
    }
    paid
}
