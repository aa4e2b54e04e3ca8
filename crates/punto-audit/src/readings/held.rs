//! Payouts that are held by the record, folded from events without knowing a rule.

use std::collections::BTreeMap;

use punto_record::{Change, Event, RoundNo, SlipNo};
use punto_rules::PatronNo;

/// One of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct OfPatron {
    pub(super) patron: PatronNo,
    pub(super) round: RoundNo,
    pub(super) amount: i128,
}

/// All of them, by their slips.
#[derive(Clone, Debug, Default)]
pub(super) struct Held(BTreeMap<SlipNo, OfPatron>);

impl Held {
    pub(super) fn get(&self, slip: SlipNo) -> Option<OfPatron> {
        self.0.get(&slip).copied()
    }

    /// Whether the payout of a patron in a Round is held.
    pub(super) fn is_held(&self, patron: PatronNo, round: RoundNo) -> bool {
        self.0.values().any(|it| it.patron == patron && it.round == round)
    }

    /// How much of it.
    pub(super) fn of(&self, patron: PatronNo, round: RoundNo) -> i128 {
        let own = self.0.values().filter(|it| it.patron == patron && it.round == round);
        own.map(|it| it.amount).sum()
    }

    #[allow(clippy::wildcard_enum_match_arm)] // What it does not name holds nothing and takes nothing that is held.
    pub(super) fn learn(&mut self, event: &Event) {
        match event {
            Event::PayoutHoldOrdered { slip, patron, round, .. } => {
                self.0.insert(*slip, OfPatron { patron: *patron, round: *round, amount: 0 });
            }
            Event::PayoutHeld { slip, amount, .. } => {
                if let Some(held) = self.0.get_mut(slip) {
                    held.amount += i128::from(amount.get());
                }
            }
            Event::HeldDecided { slip, .. } => {
                self.0.remove(slip);
            }
            Event::RoundVoided { round, changes, .. }
            | Event::RoundCorrected { round, changes, .. }
            | Event::RoundAmended { round, changes, .. }
            | Event::Adjusted { round, changes, .. } => self.take(*round, changes),
            _ => {}
        }
    }

    fn take(&mut self, round: RoundNo, changes: &[Change]) {
        for change in changes {
            let own = self.0.values_mut().find(|it| it.patron == change.patron && it.round == round);
            if let Some(held) = own {
                held.amount -= i128::from(change.from_held.get());
            }
        }
    }
}
