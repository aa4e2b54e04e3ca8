#![allow(dead_code, unreachable_pub)]
//! The books beside a table, compared after every entry.

use punto_record::{Entry, TableId};
use punto_reports::{Account, Accounts, Meters};
use punto_table::State;

pub fn table() -> TableId {
    "table-1".into()
}

/// A table's state, its accounts and its meters.
#[derive(Default)]
pub struct Beside {
    pub state: State,
    pub accounts: Accounts,
    pub meters: Meters,
}

impl Beside {
    /// Takes an entry and compares everything that both know.
    pub fn enter(&mut self, entry: &Entry) {
        let table = table();
        self.accounts.enter(&table, entry).unwrap_or_else(|mismatch| panic!("{mismatch}\n{entry:#?}"));
        self.meters.enter(&table, entry);
        self.state.enter(entry);
        let unequal = self.accounts.trial_balance().into_iter().find(|(_, sum)| *sum != 0);
        assert_eq!(unequal, None, "the trial balance after {entry:?}");
        self.balances_agree();
        self.meters_agree();
    }

    fn balances_agree(&self) {
        let (state, table) = (&self.state, table());
        let (mut credits, mut owed, mut unclaimed, mut held, mut felt) = (0, 0, 0, 0, 0);
        for (currency, account, balance) in self.accounts.all() {
            assert_eq!(currency.as_str(), "SGD");
            match account {
                Account::Credits { patron, .. } => {
                    assert_eq!(balance, i128::from(state.credits(patron).get()));
                    credits += balance;
                }
                Account::Owed { patron, .. } => {
                    assert_eq!(balance, state.account(patron).map_or(0, |it| it.owed.get().into()));
                    owed += balance;
                }
                Account::Unclaimed { patron, .. } => {
                    assert_eq!(balance, state.account(patron).map_or(0, |it| it.unclaimed as i128));
                    unclaimed += balance;
                }
                Account::Held { patron, .. } => {
                    let own = state.held_payouts.values().filter(|it| it.patron == patron);
                    assert_eq!(balance, own.map(|it| i128::from(it.amount.get())).sum::<i128>());
                    held += balance;
                }
                Account::Felt { round, patron, box_no, bet, .. } => {
                    let in_play = state.round().expect("a Round in play");
                    assert_eq!(round, in_play.no);
                    let key = punto_table::WagerKey { patron, box_no, bet };
                    assert_eq!(balance, i128::from(in_play.wagers.stake(&key).get()));
                    felt += balance;
                }
                Account::HouseWin { .. } => assert_eq!(balance, state.books.house),
                Account::Tray { .. } => assert_eq!(Some(balance), state.float.map(i128::from)),
                Account::InAcceptors { acceptor, .. } => {
                    assert_eq!(balance, state.acceptors.get(&acceptor).map_or(0, |it| it.get().into()));
                }
                Account::AcceptorBoxes { .. } => {
                    let boxes: i128 = state.drops.values().map(|it| i128::from(it.expected.get())).sum();
                    assert_eq!(balance, boxes);
                }
                Account::CageCash
                | Account::AcceptorDifference { .. }
                | Account::Forfeited { .. }
                | Account::Tickets
                | Account::VoidedTickets
                | Account::CageChips
                | Account::Chips { .. }
                | Account::DropBox { .. }
                | Account::AcrossTheFelt { .. }
                | Account::FloatDifference { .. } => {}
            }
        }
        let sum = |of: fn(&punto_table::Account) -> i128| state.accounts.values().map(of).sum::<i128>();
        assert_eq!(credits, sum(|it| it.credits.get().into()));
        assert_eq!(owed, sum(|it| it.owed.get().into()));
        assert_eq!(unclaimed, sum(|it| it.unclaimed as i128));
        let all_held = state.held_payouts.values().map(|it| i128::from(it.amount.get()));
        assert_eq!(held, all_held.sum::<i128>());
        assert_eq!(felt, state.round().map_or(0, |round| round.wagers.total().get().into()));
        assert_eq!(felt, self.accounts.felt(&table));
        let tray = self.accounts.balance(&"SGD".into(), &Account::Tray { table });
        assert_eq!(tray, state.float.unwrap_or_default().into());
    }

    fn meters_agree(&self) {
        let Some(meters) = self.meters.table(&table()) else { return };
        assert!(meters.is_balanced(), "{meters:#?}");
        let (state, all) = (&self.state, &meters.table);
        assert_eq!(all.total_in() - all.total_out(), state.books.received - state.books.given);
        assert_eq!(all.play.house() + all.adjusted, state.books.house);
        let by_bet: i128 = meters.bets.values().map(|play| play.house()).sum();
        assert_eq!(by_bet, all.play.house());
        for (patron, meter) in &meters.terminals {
            assert_eq!(meter.credits, i128::from(state.credits(*patron).get()));
        }
    }
}
