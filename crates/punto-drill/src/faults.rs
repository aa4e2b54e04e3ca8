//! What goes wrong, and how often. What strikes where is decided here; what it does is done by the night.

use crate::dice::Dice;

/// Something that goes wrong on purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// The software dies at the next commit.
    Crash(Moment),
    /// A table has no power.
    PowerCut,
    /// A terminal goes dark.
    TerminalLost,
    /// No more room on the disk.
    DiskFull,
    /// Somebody else opens the ledger to write.
    OtherWriter,
    /// The clock jumps ahead.
    ClockForward,
    /// The clock jumps back.
    ClockBack,
    /// Two want the same ticket at once.
    TicketRace,
    /// The snapshots are gone.
    SnapshotsDeleted,
}

/// Before what the software dies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moment {
    /// Decided, not written.
    Append,
    /// Written, and nobody knows.
    Receipt,
    /// Answers are on their way.
    Delivery,
}

/// What becomes of something on the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Delivery {
    Prompt,
    Lost,
    Late,
    Twice,
}

pub(crate) fn trouble(dice: &mut Dice) -> Trouble {
    dice.weigh(&[
        (4, Trouble::Crash(Moment::Append)),
        (3, Trouble::Crash(Moment::Receipt)),
        (3, Trouble::Crash(Moment::Delivery)),
        (4, Trouble::PowerCut),
        (4, Trouble::TerminalLost),
        (3, Trouble::DiskFull),
        (3, Trouble::OtherWriter),
        (3, Trouble::ClockForward),
        (3, Trouble::ClockBack),
        (12, Trouble::TicketRace),
        (4, Trouble::SnapshotsDeleted),
    ])
}

/// How the network treats an order or an answer; `trouble` is a hundred as usual.
pub(crate) fn delivery(dice: &mut Dice, trouble: u8) -> Delivery {
    let of_ten_thousand = dice.below(10_000);
    match of_ten_thousand / usize::from(trouble).max(1) {
        _ if trouble == 0 => Delivery::Prompt,
        0..2 => Delivery::Lost,
        2..4 => Delivery::Late,
        4..6 => Delivery::Twice,
        _ => Delivery::Prompt,
    }
}
