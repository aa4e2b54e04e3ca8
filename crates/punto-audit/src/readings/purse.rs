//! What a patron has at a table by the record: credits, and what is kept for them.

use std::collections::BTreeMap;

use punto_record::{CaseOutcome, Change, Event, HeldOutcome, MoneyKind, Return};
use punto_rules::{Money, PatronNo};

/// One patron's money.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Purse {
    pub(super) credits: i128,
    pub(super) kept: i128,
}

/// Everybody's money, folded from events without knowing a rule.
#[derive(Clone, Debug, Default)]
pub(super) struct Purses {
    chips: bool,
    of: BTreeMap<PatronNo, Purse>,
}

fn units(money: Money) -> i128 {
    money.get().into()
}

impl Purses {
    pub(super) fn of(&self, patron: PatronNo) -> Purse {
        self.of.get(&patron).copied().unwrap_or_default()
    }

    /// Whether patrons bet with chips: then the table keeps no credits.
    pub(super) const fn chips(&self) -> bool {
        self.chips
    }

    fn credit(&mut self, patron: PatronNo, by: i128) {
        if !self.chips {
            self.of.entry(patron).or_default().credits += by;
        }
    }

    fn back(&mut self, returns: &[Return]) {
        returns.iter().for_each(|it| self.credit(it.patron, units(it.amount)));
    }

    fn compensate(&mut self, changes: &[Change]) {
        for it in changes {
            self.credit(it.patron, units(it.paid) - units(it.taken));
            self.of.entry(it.patron).or_default().kept -= units(it.from_unclaimed);
        }
    }

    #[allow(clippy::wildcard_enum_match_arm)] // What it does not name moves no credits and nothing that is kept.
    pub(super) fn learn(&mut self, event: &Event) {
        match event {
            Event::TableOpened { settings, .. } | Event::SettingsChanged { settings, .. } => {
                self.chips = settings.money == MoneyKind::Chips;
            }
            Event::WagerRegistered { patron, amount, .. } => self.credit(*patron, -units(*amount)),
            Event::WagerWithdrawn { patron, amount, .. }
            | Event::WagerTrimmed { patron, amount, .. }
            | Event::WagerReturned { patron, amount, .. }
            | Event::CreditsBought { patron, amount, .. }
            | Event::NoteAccepted { patron, amount, .. }
            | Event::CaseSettled { patron, outcome: CaseOutcome::Credited { amount }, .. }
            | Event::TicketRedeemed { patron, amount, .. } => self.credit(*patron, units(*amount)),
            Event::CashedOut { patron, amount, .. } | Event::Collected { patron, amount, .. } => {
                self.credit(*patron, -units(*amount));
            }
            Event::ChoiceMade { returns, .. } => self.back(returns),
            Event::RoundVoided { returns, changes, .. } => {
                self.back(returns);
                self.compensate(changes);
            }
            Event::RoundSettled { lines, .. } => {
                lines.iter().for_each(|it| self.credit(it.patron, units(it.to_patron)));
            }
            Event::RoundCorrected { changes, .. } | Event::Adjusted { changes, .. } => {
                self.compensate(changes);
            }
            Event::CashOutHeld { patron, amount, .. } | Event::UnclaimedKept { patron, amount, .. } => {
                self.credit(*patron, -units(*amount));
                self.of.entry(*patron).or_default().kept += units(*amount);
            }
            Event::PayoutHeld { patron, amount, from_unclaimed, .. } => {
                self.credit(*patron, units(*from_unclaimed) - units(*amount));
                self.of.entry(*patron).or_default().kept -= units(*from_unclaimed);
            }
            Event::HeldDecided { patron, amount, outcome: HeldOutcome::Released, .. } => {
                self.of.entry(*patron).or_default().kept += units(*amount);
            }
            Event::UnclaimedPaid { patron, amount } => {
                self.of.entry(*patron).or_default().kept -= units(*amount);
            }
            _ => {}
        }
    }
}
