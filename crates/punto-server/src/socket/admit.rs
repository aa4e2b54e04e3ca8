//! Who may look at what: a hello, looked at.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use punto_record::{Actor, DeviceId, TableId};
use punto_rules::Post;
use punto_table::Audience;
use tokio::sync::mpsc;

use super::orders::Caller;
use crate::app::App;
use crate::floor::{Outbox, Queued, Seat, TableWanted};
use crate::register::{Device, DeviceKind, Staff};
use crate::role::Role;
use crate::wire::{Goodbye, Hello, Screen};

/// A screen that may join its table.
pub(super) struct Admitted {
    pub(super) caller: Caller,
    pub(super) seat: Seat,
    pub(super) table: mpsc::Sender<TableWanted>,
    pub(super) out: mpsc::Receiver<Queued>,
    pub(super) behind: Arc<AtomicBool>,
}

/// Whether a hello opens the screen that it asks for.
pub(super) fn admit(app: &App, hello: Hello, cookie: Option<String>) -> Result<Admitted, Goodbye> {
    let now = app.clock.now();
    let device = match &hello.device {
        Some(credential) => {
            let known = app.register.device(credential).map_err(|_| Goodbye::NotSignedIn)?;
            Some(known.ok_or(Goodbye::NotSignedIn)?)
        }
        None => None,
    };
    let staff = match hello.session.or(cookie) {
        // A screen comes back by itself when its line was cut: that is nobody's doing.
        Some(session) => app.register.whose_unused(&session, now).map_err(|_| Goodbye::NotSignedIn)?,
        None => None,
    };
    if staff.as_ref().is_some_and(|staff| staff.must_enrol) {
        return Err(Goodbye::NotAllowed);
    }
    let (audience, actor, names_orders) =
        screen(hello.screen, &hello.table, device.as_ref(), staff.as_ref())?;
    let table = app.floor.inbox(&hello.table).ok_or(Goodbye::NoSuchTable)?;
    let named = match (&device, &staff) {
        (Some(device), _) => Some(device.id.clone()),
        // A session counts its own orders.
        (None, Some(staff)) => Some(DeviceId::as_recorded(format!("session-{}", staff.session))),
        (None, None) => None,
    };
    let order_device = named.filter(|_| names_orders);
    let (outbox, out, behind) = Outbox::new();
    let seat = Seat {
        screen: hello.screen,
        audience,
        device: order_device.clone(),
        at_box: device.as_ref().and_then(|device| device.kind.at_box()),
        outbox,
        told: Default::default(),
    };
    let caller = Caller {
        screen: hello.screen,
        table: hello.table,
        actor,
        order_device,
        device: device.map(|device| device.id),
        staff,
    };
    Ok(Admitted { caller, seat, table, out, behind })
}

/// What a screen sees, who gives its orders, and whether it gives any.
fn screen(
    screen: Screen,
    table: &TableId,
    device: Option<&Device>,
    staff: Option<&Staff>,
) -> Result<(Audience, Option<Actor>, bool), Goodbye> {
    if device.is_none() && staff.is_none() {
        return Err(Goodbye::NotSignedIn);
    }
    if device.is_some_and(|device| device.kind.table() != table) {
        return Err(Goodbye::NotAllowed);
    }
    let kind = device.map(|device| &device.kind);
    let role = staff.map(|staff| staff.role);
    let actor = staff.map(|staff| staff.role.actor(staff.person.clone()));
    match (screen, kind, role) {
        (Screen::Board, Some(DeviceKind::Board { .. }), _) => Ok((Audience::Board, None, false)),
        // What hangs over the table is no secret from staff.
        (Screen::Board, None, Some(_)) => Ok((Audience::Board, None, false)),
        (Screen::Terminal, Some(DeviceKind::Terminal { patron, .. }), _) => {
            Ok((Audience::Terminal { patron: *patron }, Some(Actor::Patron { patron: *patron }), true))
        }
        (Screen::Reader, Some(DeviceKind::Reader { .. }), _) => {
            Ok((Audience::Board, Some(Actor::House), true))
        }
        (Screen::Acceptor, Some(DeviceKind::Acceptor { patron, .. }), _) => {
            let acceptor = device.ok_or(Goodbye::NotAllowed)?.id.clone();
            Ok((Audience::Board, Some(Actor::Acceptor { acceptor, patron: *patron }), true))
        }
        (Screen::Console, Some(DeviceKind::Console { .. }), Some(role)) => {
            let post = role.post().ok_or(Goodbye::NotAllowed)?;
            Ok((Audience::Console { post }, actor, true))
        }
        (Screen::Console, Some(DeviceKind::Console { .. }), None) => Err(Goodbye::NotSignedIn),
        (Screen::Pit, None, Some(role)) => {
            let post = role.post().filter(|post| *post >= Post::PitSupervisor).ok_or(Goodbye::NotAllowed)?;
            Ok((Audience::Pit { post }, actor, true))
        }
        (Screen::Cage, None, Some(Role::Cashier)) => Ok((Audience::Cage, actor, true)),
        (Screen::Auditor, None, Some(Role::Auditor)) => Ok((Audience::Auditor, None, false)),
        (
            Screen::Board
            | Screen::Terminal
            | Screen::Reader
            | Screen::Acceptor
            | Screen::Console
            | Screen::Pit
            | Screen::Cage
            | Screen::Auditor,
            _,
            _,
        ) => Err(Goodbye::NotAllowed),
    }
}
