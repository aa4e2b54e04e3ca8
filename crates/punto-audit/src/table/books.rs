//! Where the money of a table is, by patron and all together.

use std::collections::BTreeMap;

use punto_record::{Change, HeldOutcome, RoundNo, SlipNo};
use punto_rules::{Money, PatronNo};

pub(crate) fn amount(money: Money) -> i128 {
    money.get().into()
}

/// An amount as money, if it is one.
pub(crate) fn money(amount: i128) -> Option<Money> {
    u64::try_from(amount).ok().and_then(Money::new)
}

/// What the record says about one patron's money.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Account {
    pub(crate) credits: i128,
    pub(crate) owed: i128,
    pub(crate) unclaimed: i128,
    pub(crate) away: bool,
    pub(crate) lost: bool,
}

/// All accounts, with their sums kept beside them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Books {
    accounts: BTreeMap<PatronNo, Account>,
    /// Payouts that are held: whose, of which Round, how much.
    held: BTreeMap<SlipNo, (PatronNo, RoundNo, i128)>,
    /// Credits and unclaimed money less what is owed, of everybody.
    with_patrons: i128,
    pub(crate) felt: i128,
    pub(crate) received: i128,
    pub(crate) given: i128,
    pub(crate) house: i128,
    pub(crate) float: Option<i128>,
    /// An account fell below nothing.
    below: bool,
    /// What was out of balance before and has been told.
    told: i128,
}

impl Books {
    pub(crate) fn account(&self, patron: PatronNo) -> Account {
        self.accounts.get(&patron).copied().unwrap_or_default()
    }

    /// Whether the table keeps something about a patron.
    pub(crate) fn knows(&self, patron: PatronNo) -> bool {
        self.account(patron) != Account::default()
    }

    pub(crate) fn change(&mut self, patron: PatronNo, change: impl FnOnce(&mut Account)) {
        let account = self.accounts.entry(patron).or_default();
        let before = account.credits + account.unclaimed - account.owed;
        change(account);
        self.with_patrons += account.credits + account.unclaimed - account.owed - before;
        let Account { credits, owed, unclaimed, away, lost } = *account;
        self.below |= credits < 0 || owed < 0 || unclaimed < 0;
        if credits == 0 && owed == 0 && unclaimed == 0 && !away && !lost {
            self.accounts.remove(&patron);
        }
    }

    /// A payout that is held under a slip.
    pub(crate) fn held(&self, slip: SlipNo) -> Option<(PatronNo, RoundNo, i128)> {
        self.held.get(&slip).copied()
    }

    /// The slip of a patron's held payout of a Round, and how much is held.
    pub(crate) fn held_of(&self, patron: PatronNo, round: RoundNo) -> Option<(SlipNo, i128)> {
        let mut held = self.held.iter().filter(|(_, it)| (it.0, it.1) == (patron, round));
        held.next().map(|(slip, it)| (*slip, it.2))
    }

    pub(crate) fn order_hold(&mut self, slip: SlipNo, patron: PatronNo, round: RoundNo) {
        self.held.insert(slip, (patron, round, 0));
    }

    pub(crate) fn hold(&mut self, chips: bool, slip: SlipNo, patron: PatronNo, (all, kept): (Money, Money)) {
        let in_pocket = amount(all) - amount(kept);
        if chips {
            self.given -= in_pocket;
        }
        self.change(patron, |account| {
            account.unclaimed -= amount(kept);
            account.credits -= if chips { 0 } else { in_pocket };
        });
        if let Some((_, _, held)) = self.held.get_mut(&slip) {
            *held += amount(all);
        }
    }

    pub(crate) fn decide_held(&mut self, slip: SlipNo, patron: PatronNo, all: Money, outcome: HeldOutcome) {
        self.held.remove(&slip);
        match outcome {
            HeldOutcome::Released => self.change(patron, |account| account.unclaimed += amount(all)),
            HeldOutcome::Forfeited => self.given += amount(all),
        }
    }

    pub(crate) fn has_credits(&self) -> bool {
        self.accounts.values().any(|account| account.credits != 0)
    }

    pub(crate) fn has_money(&self) -> bool {
        !self.held.is_empty()
            || self.accounts.values().any(|account| account.owed != 0 || account.unclaimed > 0)
    }

    /// Whether an account fell below nothing since the last time of asking.
    pub(crate) fn fell_below(&mut self) -> bool {
        std::mem::take(&mut self.below)
    }

    /// By how much the books are newly out of balance: what was brought and not taken away is what stands with patrons
    /// and on the felt and what the House won.
    pub(crate) fn imbalance(&mut self) -> Option<i128> {
        let held: i128 = self.held.values().map(|it| it.2).sum();
        let off = self.received - self.given - self.with_patrons - held - self.felt - self.house;
        let news = off - self.told;
        self.told = off;
        (news != 0).then_some(news)
    }

    pub(crate) fn move_float(&mut self, by: i128) {
        if let Some(float) = &mut self.float {
            *float += by;
        }
    }

    pub(crate) fn pay(&mut self, chips: bool, patron: PatronNo, paid: Money) {
        if chips {
            self.given += amount(paid);
        } else {
            self.change(patron, |account| account.credits += amount(paid));
        }
    }

    pub(crate) fn win(&mut self, chips: bool, house: i128) {
        self.house += house;
        if chips {
            self.move_float(house);
        }
    }

    pub(crate) fn compensate(&mut self, chips: bool, round: RoundNo, changes: &[Change]) {
        for Change { patron, paid, cancelled, taken, from_unclaimed, from_held, uncollected } in changes {
            if let Some(held) = self.held.values_mut().find(|it| (it.0, it.1) == (*patron, round)) {
                held.2 -= amount(*from_held);
                self.below |= held.2 < 0;
            }
            self.pay(chips, *patron, *paid);
            self.change(*patron, |account| {
                account.credits -= amount(*taken);
                account.unclaimed -= amount(*from_unclaimed);
                account.owed += amount(*uncollected) - amount(*cancelled);
            });
            if chips {
                // What is not collected is not in the tray, and what is cancelled never left it.
                self.move_float(amount(*cancelled) - amount(*uncollected));
            }
        }
    }

    /// Compensating entries for what is due to patrons, or from them where it is negative.
    // INTERPRETATION 28: what they owe is settled first; no balance falls below nothing, the rest is uncollected.
    pub(crate) fn changes(
        &self,
        chips: bool,
        round: RoundNo,
        due: &BTreeMap<PatronNo, i128>,
    ) -> Option<Vec<Change>> {
        let mut changes = Vec::new();
        for (&patron, &due) in due.iter().filter(|(_, due)| **due != 0) {
            let account = self.account(patron);
            let zero = Money::ZERO;
            let nothing = Change {
                patron,
                paid: zero,
                cancelled: zero,
                taken: zero,
                from_unclaimed: zero,
                from_held: zero,
                uncollected: zero,
            };
            changes.push(if due > 0 {
                let cancelled = due.min(account.owed.max(0));
                Change { paid: money(due - cancelled)?, cancelled: money(cancelled)?, ..nothing }
            } else {
                // INTERPRETATION 51: a held payout answers first.
                let held = self.held_of(patron, round).map_or(0, |(_, held)| held.max(0)).min(-due);
                let due = due + held;
                let credits = if chips { 0 } else { account.credits.max(0) };
                let taken = credits.min(-due);
                let from_unclaimed = account.unclaimed.max(0).min(-due - taken);
                Change {
                    from_held: money(held)?,
                    taken: money(taken)?,
                    from_unclaimed: money(from_unclaimed)?,
                    uncollected: money(-due - taken - from_unclaimed)?,
                    ..nothing
                }
            });
        }
        Some(changes)
    }
}
