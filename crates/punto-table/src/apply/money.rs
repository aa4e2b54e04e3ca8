//! What events do to stakes, credits and the books.

use punto_record::{Change, Return, RoundNo};
use punto_rules::{Money, PatronNo, Side, Stance};

use super::{amount, rest, sum};
use crate::round::WagerKey;
use crate::state::{HeldPayout, State};

impl State {
    /// Who bets again has not walked away.
    pub(super) fn is_back(&mut self, patron: PatronNo) {
        if self.accounts.get(&patron).is_some_and(|account| account.away) {
            self.change(patron, |account| account.away = false);
        }
    }

    /// A stake leaves the patron: credits at once, chips onto the felt.
    pub(super) fn stake(&mut self, key: WagerKey, stance: Option<Stance>, side: Option<Side>, stake: Money) {
        if self.is_chips() {
            self.books.received += amount(stake);
        } else {
            let account = self.accounts.get_mut(&key.patron).expect("a patron with credits");
            account.credits = rest(account.credits, stake);
        }
        self.round_in_play().wagers.add(key, stance, side, stake);
    }

    /// A stake, or a part of it, goes back to the patron.
    pub(super) fn unstake(&mut self, key: &WagerKey, back: Money) {
        let round = self.round_in_play();
        round.wagers.take(key, back);
        round.keep_rights();
        self.pay(key.patron, back);
    }

    pub(super) fn set_stake(&mut self, key: WagerKey, stance: Stance, side: Option<Side>, stake: Money) {
        let before = self.round_in_play().wagers.stake(&key);
        if stake > before {
            self.stake(key, Some(stance), side, stake.less(before));
        } else if stake < before {
            self.unstake(&key, before.less(stake));
        }
    }

    pub(super) fn pay(&mut self, patron: PatronNo, paid: Money) {
        if self.is_chips() {
            self.books.given += amount(paid);
        } else {
            self.change(patron, |account| account.credits = sum(account.credits, paid));
        }
    }

    pub(super) fn give_back(&mut self, returns: &[Return]) {
        for Return { patron, box_no, bet, amount, .. } in returns {
            self.unstake(&WagerKey { patron: *patron, box_no: *box_no, bet: bet.clone() }, *amount);
        }
    }

    pub(super) fn compensate(&mut self, round: RoundNo, changes: &[Change]) {
        for Change { patron, paid, cancelled, taken, from_unclaimed, from_held, uncollected } in changes {
            let of_round = |it: &&mut HeldPayout| it.patron == *patron && it.round == round;
            if let Some(held) = self.held_payouts.values_mut().find(of_round) {
                held.amount = rest(held.amount, *from_held);
            }
            self.pay(*patron, *paid);
            self.change(*patron, |account| {
                account.credits = rest(account.credits, *taken);
                account.unclaimed -= u128::from(from_unclaimed.get());
                account.owed = rest(sum(account.owed, *uncollected), *cancelled);
            });
            if self.is_chips() {
                // What is not collected is not in the tray, and what is cancelled never left it.
                self.move_float(amount(*cancelled) - amount(*uncollected));
            }
        }
    }

    pub(super) fn book_house(&mut self, house: i128) {
        self.books.house += house;
        if self.is_chips() {
            self.move_float(house);
        }
    }

    pub(super) fn move_float(&mut self, by: i128) {
        if let Some(float) = &mut self.float {
            *float = float.saturating_add(i64::try_from(by).expect("an amount of money"));
        }
    }
}
