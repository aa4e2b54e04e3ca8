//! Bugs on purpose: each spot of the software that must not be wrong in one way can be made wrong, so that whoever
//! claims to find such bugs can be tried.
//!
//! Without the feature `planted`, which only tests ask for, [`is`] is `false` for every bug and nothing of them is left
//! in a binary.

/// A bug that can be planted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bug {
    /// Winnings are credited twice.
    DoubleCredit,
    /// Answers leave the desk before their entries are written.
    AcknowledgedBeforeCommit,
    /// Player and Banker bets lose on a Tie.
    TieNotReturned,
    /// A ticket that was used stays good.
    TicketPaidTwice,
    /// An order that comes again is carried out again.
    RetryActsTwice,
    /// The bets of a void Round are kept.
    StakeKeptOnVoid,
    /// A bet is taken after "No more Bets".
    BetAfterClose,
    /// One bet pays more than it should.
    WrongOdds,
    /// A software shoe deals another card than the next one.
    CardOutOfOrder,
    /// The last entry of a longer batch is not written.
    EntryLost,
    /// Credits stay on the terminal when the ticket is made.
    CashOutLeavesCredits,
    /// A withdrawal gives back too much.
    WithdrawalGivesTooMuch,
    /// A table that is read back from a snapshot has forgotten its last answers.
    SnapshotForgets,
    /// Recorded time follows a clock that runs backwards.
    TimeRunsBack,
    /// A writer goes on although another has taken over.
    FenceIgnored,
}

impl Bug {
    /// All of them.
    pub const ALL: [Bug; 15] = [
        Bug::DoubleCredit,
        Bug::AcknowledgedBeforeCommit,
        Bug::TieNotReturned,
        Bug::TicketPaidTwice,
        Bug::RetryActsTwice,
        Bug::StakeKeptOnVoid,
        Bug::BetAfterClose,
        Bug::WrongOdds,
        Bug::CardOutOfOrder,
        Bug::EntryLost,
        Bug::CashOutLeavesCredits,
        Bug::WithdrawalGivesTooMuch,
        Bug::SnapshotForgets,
        Bug::TimeRunsBack,
        Bug::FenceIgnored,
    ];
}

/// Whether this bug is there.
#[cfg(not(feature = "planted"))]
#[inline(always)]
pub const fn is(_: Bug) -> bool {
    false
}

#[cfg(feature = "planted")]
mod ground {
    use std::cell::Cell;

    thread_local! {
        pub(super) static PLANTED: Cell<Option<super::Bug>> = const { Cell::new(None) };
    }
}

/// Whether this bug is there.
#[cfg(feature = "planted")]
pub fn is(bug: Bug) -> bool {
    ground::PLANTED.get() == Some(bug)
}

/// Plants a bug for whatever runs in this thread, or takes it out again.
#[cfg(feature = "planted")]
pub fn plant(bug: Option<Bug>) {
    ground::PLANTED.set(bug);
}
