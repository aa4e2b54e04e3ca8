//! Where the money of a table is. Nothing is made or lost: see [`Books::is_balanced`].

use punto_rules::Money;
use serde::{Deserialize, Serialize};

use crate::state::{Phase, State};

/// Running totals, in minor units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Books {
    /// What patrons brought: credits bought and tickets redeemed, or chips put on the felt.
    pub received: i128,
    /// What they took away: tickets, or chips handed back.
    pub given: i128,
    /// What the House won over all Rounds; negative where it lost.
    pub house: i128,
}

impl Books {
    /// What was brought and not taken away is exactly what stands on terminals and on the felt, what is kept for
    /// those who walked away or is held, and what the House won, less what patrons still owe.
    pub fn is_balanced(state: &State) -> bool {
        let amount = |money: Money| i128::from(money.get());
        let accounts = state.accounts.values();
        let with_patrons: i128 =
            accounts.map(|it| amount(it.credits) + it.unclaimed as i128 - amount(it.owed)).sum();
        let held: i128 = state.held_payouts.values().map(|it| amount(it.amount)).sum();
        let on_the_felt: i128 = match &state.phase {
            Phase::Round(round) => round.wagers.iter().map(|(_, standing)| amount(standing.stake)).sum(),
            Phase::Closed | Phase::Between { .. } => 0,
        };
        let Books { received, given, house } = state.books;
        received - given == with_patrons + held + on_the_felt + house
    }
}
