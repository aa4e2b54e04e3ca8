//! Whether an order is this screen's to give, looked at before it reaches the table.

use punto_record::{Actor, CommandKind, DeviceId, Order};

use crate::app::App;
use crate::register::{Gone, Staff};
use crate::role::Role;
use crate::wire::{Denial, SIGNED, Screen};

/// Who speaks on a socket.
pub(super) struct Caller {
    pub(super) screen: Screen,
    /// In whose name orders are given; nobody's on screens that only look.
    pub(super) actor: Option<Actor>,
    /// By which device they are counted.
    pub(super) order_device: Option<DeviceId>,
    pub(super) device: Option<DeviceId>,
    pub(super) staff: Option<Staff>,
}

impl Caller {
    /// Whether the order is theirs to give, and approved of where that is needed.
    pub(super) fn check(&self, app: &App, order: &Order, approvals: Option<&[String]>) -> Result<(), Denial> {
        let actor = self.actor.as_ref().ok_or(Denial::NotFromHere)?;
        if Some(&order.id.device) != self.order_device.as_ref() {
            return Err(Denial::NotYourDevice);
        }
        let kind = order.command.kind();
        if self.screen == Screen::Reader && kind != CommandKind::DrawCard {
            return Err(Denial::NotFromHere);
        }
        let Some(approvals) = approvals else {
            if order.by != *actor {
                return Err(Denial::NotYou);
            }
            if SIGNED.contains(&kind) {
                return Err(Denial::ApprovalNeeded);
            }
            return if self.goes_on(app) { Ok(()) } else { Err(Denial::NotYou) };
        };
        // Only where staff work can somebody else sign in on the spot.
        if self.staff.is_none() || !self.goes_on(app) {
            return Err(Denial::NotFromHere);
        }
        approve(app, order, approvals)
    }

    /// Whether the session behind it goes on; using it keeps it from ending.
    pub(super) fn goes_on(&self, app: &App) -> bool {
        self.staff.as_ref().is_none_or(|staff| {
            let found = app.register.goes_on(&staff.session, app.clock.now());
            matches!(found, Ok(Some(found)) if found.role == staff.role)
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

/// The order is by the person of the first approval; a second person that it names gave the second.
fn approve(app: &App, order: &Order, approvals: &[String]) -> Result<(), Denial> {
    let now = app.clock.now();
    let mut people = Vec::new();
    for approval in approvals.iter().take(2) {
        let spent = app.register.spend(approval, now).ok().flatten();
        people.push(spent.ok_or(Denial::ApprovalNotGood)?);
    }
    let first = people.first().ok_or(Denial::ApprovalNeeded)?;
    if order.by != first.role.actor(first.person.clone()) {
        return Err(Denial::ApprovalNotGood);
    }
    match (order.command.second(), people.get(1)) {
        (None, _) => Ok(()),
        (Some(second), Some(given)) if *second == given.person && agrees_as(order, given.role) => Ok(()),
        (Some(_), Some(_)) => Err(Denial::ApprovalNotGood),
        (Some(_), None) => Err(Denial::ApprovalNeeded),
    }
}

/// Whether somebody of this role may agree in the post that the order says.
fn agrees_as(order: &Order, role: Role) -> bool {
    role.post().is_some_and(|own| order.command.second_post().is_none_or(|post| post <= own))
}
