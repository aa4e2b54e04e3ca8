//! What is on its way, over simulated time: orders, answers, and what is to happen later.
//!
//! It knows nothing about tables. What is put in comes out in the order of time, then in the order it was put in.

use std::collections::BTreeMap;

use punto_record::{Actor, Deed, Order, OrderId, Seq};
use punto_table::Reply;

use crate::device::Role;

/// Where deeds of the house are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Clerk {
    /// Tickets are paid and made void there.
    Cage,
    /// Devices, witnesses, resets, the clock: what takes an Administrator.
    Office,
}

/// Something that is going to happen.
#[derive(Clone, Debug)]
pub(crate) enum Happening {
    /// Somebody at a table looks up and does something.
    Act { table: usize },
    /// An order reaches a table.
    Arrives { table: usize, order: Order },
    /// An answer reaches a device.
    Answered { table: usize, reply: Reply },
    /// A device has waited long enough for its answer.
    Impatience { table: usize, role: Role, n: u64 },
    /// The cage or the office asks the ledger for a deed.
    DeedArrives { clerk: Clerk, id: OrderId, by: Actor, deed: Deed },
    /// The ledger's answer reaches them: done or not.
    DeedAnswered { clerk: Clerk, n: u64, done: bool },
    /// They have waited long enough.
    ClerkWaits { clerk: Clerk, n: u64 },
    /// The cage or the office does something.
    ClerkActs { clerk: Clerk },
    /// Somebody comes to the door.
    DoorActs,
    /// Witnesses are asked.
    WitnessesAsked,
    /// The house closes until tomorrow.
    EveningEnds,
    /// What was decided goes to the ledger.
    Commit,
    /// The ledger's receipt reaches a desk; `life` is the desk that it is for.
    Receipt { table: usize, life: u64, seq: Seq },
    /// Something goes wrong.
    Trouble,
    /// A dishonest insider tries something.
    InsiderActs,
}

/// Everything that is going to happen.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    waiting: BTreeMap<(u64, u64), Happening>,
    count: u64,
}

impl Queue {
    pub(crate) fn put(&mut self, at: u64, happening: Happening) {
        self.count += 1;
        self.waiting.insert((at, self.count), happening);
    }

    pub(crate) fn next(&mut self) -> Option<(u64, Happening)> {
        self.waiting.pop_first().map(|((at, _), happening)| (at, happening))
    }

    /// The connections of a table broke, or of all tables: what was on its way is gone. How many orders and answers.
    pub(crate) fn cut(&mut self, of: Option<usize>) -> (u64, u64) {
        let (mut orders, mut answers) = (0, 0);
        let concerned = |table: usize| of.is_none_or(|of| of == table);
        self.waiting.retain(|_, happening| match happening {
            Happening::Arrives { table, .. } if concerned(*table) => {
                orders += 1;
                false
            }
            Happening::Answered { table, .. } if concerned(*table) => {
                answers += 1;
                false
            }
            Happening::DeedArrives { .. } if of.is_none() => {
                orders += 1;
                false
            }
            Happening::DeedAnswered { .. } if of.is_none() => {
                answers += 1;
                false
            }
            Happening::Act { .. }
            | Happening::Arrives { .. }
            | Happening::Answered { .. }
            | Happening::Impatience { .. }
            | Happening::DeedArrives { .. }
            | Happening::DeedAnswered { .. }
            | Happening::ClerkWaits { .. }
            | Happening::ClerkActs { .. }
            | Happening::DoorActs
            | Happening::WitnessesAsked
            | Happening::EveningEnds
            | Happening::Commit
            | Happening::Receipt { .. }
            | Happening::Trouble
            | Happening::InsiderActs => true,
        });
        (orders, answers)
    }

    /// The floor closes: nobody does anything any more, and nothing goes wrong. What was sent is still answered.
    pub(crate) fn quiet(&mut self) {
        self.waiting.retain(|_, happening| match happening {
            Happening::Act { .. }
            | Happening::ClerkActs { .. }
            | Happening::DoorActs
            | Happening::WitnessesAsked
            | Happening::EveningEnds
            | Happening::Trouble
            | Happening::InsiderActs => false,
            Happening::Arrives { .. }
            | Happening::Answered { .. }
            | Happening::Impatience { .. }
            | Happening::DeedArrives { .. }
            | Happening::DeedAnswered { .. }
            | Happening::ClerkWaits { .. }
            | Happening::Receipt { .. }
            | Happening::Commit => true,
        });
    }
}
