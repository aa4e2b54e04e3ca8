//! Whether an order is this screen's to give, looked at before it reaches the table.

use punto_record::{Actor, CommandKind, DeviceId, Order, TableId};

use crate::app::App;
use crate::floor::Leave;
use crate::register::{Gone, Staff};
use crate::wire::{Denial, SIGNED, Screen};

/// Who speaks on a socket.
pub(super) struct Caller {
    pub(super) screen: Screen,
    pub(super) table: TableId,
    /// In whose name orders are given; nobody's on screens that only look.
    pub(super) actor: Option<Actor>,
    /// By which device they are counted.
    pub(super) order_device: Option<DeviceId>,
    pub(super) device: Option<DeviceId>,
    pub(super) staff: Option<Staff>,
}

impl Caller {
    /// Whether the order is theirs to give, and signed for where that is needed. What is left for the table to see to.
    pub(super) fn check(
        &self,
        app: &App,
        order: &Order,
        approved: Option<Option<&str>>,
    ) -> Result<Option<Leave>, Denial> {
        let actor = self.actor.as_ref().ok_or(Denial::NotFromHere)?;
        if Some(&order.id.device) != self.order_device.as_ref() {
            return Err(Denial::NotYourDevice);
        }
        let kind = order.command.kind();
        if self.screen == Screen::Reader && kind != CommandKind::DrawCard {
            return Err(Denial::NotFromHere);
        }
        let Some(pending) = approved else {
            if order.by != *actor {
                return Err(Denial::NotYou);
            }
            // Nobody is named as agreeing who did not sign.
            if SIGNED.contains(&kind) || order.command.second().is_some() {
                return Err(Denial::ApprovalNeeded);
            }
            return if self.orders_on(app) { Ok(None) } else { Err(Denial::NotYou) };
        };
        // Only where staff work can somebody else give an order.
        let staff = self.staff.as_ref().filter(|_| self.orders_on(app)).ok_or(Denial::NotFromHere)?;
        let used = pending.ok_or(Denial::ApprovalNotGood).and_then(|pending| {
            let book = app.floor.ledger().staff();
            app.pendings.use_order(pending, &staff.session, (&self.table, order), book, app.clock.now())
        });
        // A retry is answered by the table, whatever has become of what was signed.
        Ok(Some(used.map_or_else(Leave::Not, Leave::For)))
    }

    /// Whether the session behind an order goes on; the order keeps it from ending.
    fn orders_on(&self, app: &App) -> bool {
        self.staff.as_ref().is_none_or(|staff| {
            let found = app.register.goes_on(&staff.session, app.clock.now());
            matches!(found, Ok(Some(found)) if found.role == staff.role && !found.must_enrol)
        })
    }

    /// Whether the session behind it goes on. An open socket does not keep it from ending.
    pub(super) fn goes_on(&self, app: &App) -> bool {
        self.staff.as_ref().is_none_or(|staff| {
            let found = app.register.goes_on_unused(&staff.session, app.clock.now());
            matches!(found, Ok(Some(found)) if found.role == staff.role && !found.must_enrol)
        })
    }

    /// Whether credential and session are still good.
    pub(super) fn is_still_good(&self, app: &App) -> bool {
        let device_is_good =
            self.device.as_ref().is_none_or(|device| app.register.is_enrolled(device).unwrap_or(false));
        device_is_good && self.goes_on(app)
    }

    /// Whether that is what this conversation lives by.
    pub(super) fn lives_by(&self, gone: &Gone) -> bool {
        let staff = self.staff.as_ref();
        match gone {
            Gone::Device(device) => self.device.as_ref() == Some(device),
            Gone::Session(session) => staff.is_some_and(|staff| staff.session == *session),
            Gone::Person(person) => staff.is_some_and(|staff| staff.person == *person),
        }
    }
}
