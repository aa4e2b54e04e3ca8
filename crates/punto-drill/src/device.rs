//! Devices: each counts its orders upwards, has one on its way at a time, and asks again until it has an answer.

use punto_record::{Actor, Command, DeviceId, Order, OrderId, RoundNo, Timestamp};
use punto_rules::PatronNo;

/// What a device is, at its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    /// A Player Terminal.
    Terminal(PatronNo),
    /// The Dealer's Game Console.
    Console,
    /// Supervisors and managers.
    Pit,
    /// The cashier.
    Cage,
    /// The administrator.
    Office,
    /// The table's own software: no network between.
    House,
}

/// A device.
#[derive(Clone, Debug)]
pub(crate) struct Device {
    pub(crate) id: DeviceId,
    pub(crate) n: u64,
    pub(crate) pending: Option<Pending>,
    /// Dark until then.
    pub(crate) dark_until: u64,
}

/// An order that has no answer yet.
#[derive(Clone, Debug)]
pub(crate) struct Pending {
    pub(crate) order: Order,
    pub(crate) tries: u32,
}

impl Device {
    pub(crate) fn new(table: &str, role: Role) -> Device {
        let name = match role {
            Role::Terminal(patron) => format!("{table}-terminal-{}", patron.0),
            Role::Console => format!("{table}-console"),
            Role::Pit => format!("{table}-pit"),
            Role::Cage => format!("{table}-cage"),
            Role::Office => format!("{table}-office"),
            Role::House => format!("{table}-house"),
        };
        Device { id: name.parse().expect("a name"), n: 0, pending: None, dark_until: 0 }
    }

    /// The next order.
    pub(crate) fn order(&mut self, by: Actor, round: Option<RoundNo>, command: Command) -> Order {
        self.n += 1;
        let id = OrderId { device: self.id.clone(), n: self.n };
        Order { id, by, at: Timestamp(0), round, command }
    }

    pub(crate) const fn is_dark(&self, now: u64) -> bool {
        now < self.dark_until
    }
}
