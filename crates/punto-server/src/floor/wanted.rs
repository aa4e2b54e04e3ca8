//! What can be asked of a table's task.

use punto_record::{Digest, Order, Seq};
use punto_table::Table;
use tokio::sync::{mpsc, oneshot};

use super::screens::SeatNo;
use super::seat::Seat;
use crate::clock::Jump;
use crate::wire::{Answer, Denial};

/// What may wait at a table; whoever brings more is told that it is busy.
const WAITING: usize = 16 * 1024;

/// What became of the signatures of an order. A retry of an order that was carried out needs none.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Leave {
    /// It was signed for, as long as what it is about is this.
    For(Digest),
    /// It was not.
    Not(Denial),
}

/// Something for a table's task to do.
pub(crate) enum Wanted {
    /// An order from a screen; the answer goes to the order's device. With leave, where it was signed for.
    Order(Box<Order>, Option<Leave>),
    /// An order from elsewhere.
    Ask(Box<Order>, oneshot::Sender<Answer>),
    /// A screen joins; its number is the answer.
    Join(Box<Seat>, Option<Seq>, oneshot::Sender<SeatNo>),
    /// A screen is gone.
    Leave(SeatNo),
    /// A screen fell behind and has caught up with what was waiting for it.
    ShowAgain(SeatNo),
    /// Something to be looked up, in a table whose every entry is durable.
    Look(Box<dyn FnOnce(&Table) + Send>),
    /// The same, and nothing happens at the table before that is done: its other end was let go.
    Hold(Box<dyn FnOnce(&Table) + Send>, oneshot::Receiver<()>),
    /// Play ends: the Round is finished or void, and the task with it.
    Stop(oneshot::Sender<()>),
    /// The table goes if nothing was ever written about it; whether it does is the answer.
    Dissolve(oneshot::Sender<bool>),
    /// Somebody unlocked the table: it is read back.
    Reload,
    /// The clock of the system was moved.
    ClockJumped(Jump),
}

impl std::fmt::Debug for Wanted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Wanted::Order(..) => "Order",
            Wanted::Ask(..) => "Ask",
            Wanted::Join(..) => "Join",
            Wanted::Leave(_) => "Leave",
            Wanted::ShowAgain(_) => "ShowAgain",
            Wanted::Look(_) => "Look",
            Wanted::Hold(..) => "Hold",
            Wanted::Stop(_) => "Stop",
            Wanted::Dissolve(_) => "Dissolve",
            Wanted::Reload => "Reload",
            Wanted::ClockJumped(_) => "ClockJumped",
        })
    }
}

pub(crate) fn inbox() -> (mpsc::Sender<Wanted>, mpsc::Receiver<Wanted>) {
    mpsc::channel(WAITING)
}
