//! Each bug that can be planted is found, and soon; without one nothing is.

use std::time::Instant;

use punto_drill::{Counters, Failure, Plan, drill};
use punto_record::planted::{Bug, plant};

/// More steps than any of them needs.
const STEPS: u64 = 150_000;

fn with(bug: Option<Bug>, steps: u64) -> Result<Counters, Failure> {
    plant(bug);
    let found = drill(&Plan::new(11), &mut |so_far| so_far.steps < steps);
    plant(None);
    found
}

fn is_found(bug: Bug) {
    let began = Instant::now();
    match with(Some(bug), STEPS) {
        Ok(counters) => panic!("{bug:?} was not found\n{counters}"),
        Err(failure) => {
            let words: String = failure.words.chars().take(160).collect();
            eprintln!("{bug:?}: step {}, {:.2} s: {words}", failure.step, began.elapsed().as_secs_f64());
        }
    }
}

macro_rules! found {
    ($($name:ident = $bug:ident,)+) => {
        $(#[test]
        fn $name() {
            is_found(Bug::$bug);
        })+

        #[test]
        fn no_bug_is_left_out() {
            assert_eq!([$(Bug::$bug,)+], Bug::ALL);
        }
    };
}

found! {
    winnings_credited_twice = DoubleCredit,
    an_answer_before_the_commit = AcknowledgedBeforeCommit,
    a_tie_that_takes_the_stake = TieNotReturned,
    a_ticket_paid_twice = TicketPaidTwice,
    a_retry_that_acts_twice = RetryActsTwice,
    stakes_kept_on_a_void = StakeKeptOnVoid,
    a_bet_after_the_close = BetAfterClose,
    wrong_odds_for_one_bet = WrongOdds,
    a_card_out_of_order = CardOutOfOrder,
    an_entry_lost = EntryLost,
    a_cash_out_that_leaves_the_credits = CashOutLeavesCredits,
    a_withdrawal_that_gives_too_much = WithdrawalGivesTooMuch,
    a_snapshot_that_forgets = SnapshotForgets,
    a_clock_that_runs_back = TimeRunsBack,
    a_fence_that_nobody_heeds = FenceIgnored,
}

#[test]
fn without_a_bug_nothing_is_found() {
    if let Err(failure) = with(None, 12_000) {
        panic!("{failure}");
    }
}
