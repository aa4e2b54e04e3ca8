//! Devices, for Administrators.
//!
//! Whoever holds the credential of a terminal can cash out what stands on it. A patron's money therefore never passes to
//! another device: in a house none is enrolled where credits stand, and where something else is kept for that patron it takes a
//! second person.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use punto_record::{Actor, Deed, DeviceId, Person};
use punto_rules::PatronNo;
use punto_table::Table;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::answer::Problem;
use super::body::{Body, Named};
use super::route::Route;
use super::staff::ADMINISTRATORS;
use super::tickets::Signed;
use crate::app::App;
use crate::pending::{Pending, PendingDeed};
use crate::register::{Device, DeviceKind, Enrolled, Listed, Refusal, Register, Staff};

/// The routes of this file.
pub(super) fn routes() -> Vec<Route> {
    let (all, one) = ("/api/devices", "/api/devices/{device}");
    vec![
        Route::get(all, "All devices that ever were", ADMINISTRATORS, list).gives::<Vec<Listed>>(),
        Route::post(all, "Enrol a device", ADMINISTRATORS, enrol).takes::<Enrol>().gives::<Told>(),
        Route::delete(one, "Revoke a device, at once", ADMINISTRATORS, revoke),
        Route::post(
            "/api/enrolments",
            "Have the enrolment of a device wait for a second person",
            ADMINISTRATORS,
            propose,
        )
        .takes::<Enrolment>()
        .gives::<Pending>(),
        Route::post(
            "/api/enrolments/record",
            "Enrol a device for which a second person signed",
            ADMINISTRATORS,
            record,
        )
        .takes::<Signed>()
        .gives::<Told>(),
    ]
}

/// Enrols a device.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Enrol {
    /// Its name for ever: 1 to 40 letters, digits and hyphens.
    pub device: String,
    /// What it is, and where it stands.
    pub kind: DeviceKind,
}

/// Enrols a device for a patron for whom money is kept at the table, which takes a second person.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Enrolment {
    /// Its name for ever: 1 to 32 letters, digits and `-`.
    pub device: String,
    /// What it is, and where it stands.
    pub kind: DeviceKind,
    /// Who agrees: an Administrator, or a Table Games Shift Manager or above.
    pub second: String,
    /// Why.
    pub reason: Arc<str>,
}

/// A device that has just been enrolled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "EnrolledDevice")]
pub struct Told {
    /// Its name.
    pub device: DeviceId,
    /// What it is, and where it stands.
    pub kind: DeviceKind,
    /// What it shows from now on. It is told here and nowhere else.
    pub credential: String,
}

/// What a table has of a patron.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Money {
    /// Credits on the terminal, or bets that may become some.
    stands: bool,
    /// Something else that is theirs: unclaimed, held back, or a payout that is held.
    kept: bool,
}

impl Money {
    fn of(table: &Table, patron: PatronNo) -> Money {
        let state = table.state();
        let bets = state.round().is_some_and(|round| round.wagers.of(patron).next().is_some());
        let account = state.account(patron);
        let stands = bets || account.is_some_and(|it| !it.credits.is_zero());
        let held = state.held_payouts.values().any(|it| it.patron == patron);
        Money { stands, kept: held || account.is_some_and(|it| it.unclaimed > 0) }
    }
}

async fn list(State(app): State<App>) -> Result<Json<Vec<Listed>>, Problem> {
    Ok(Json(app.ask(|register, _| register.devices()).await?))
}

async fn enrol(
    State(app): State<App>,
    staff: Staff,
    Body(Enrol { device, kind }): Body<Enrol>,
) -> Result<(StatusCode, Json<Told>), Problem> {
    put(app, staff.role.actor(staff.person), device, kind, None).await
}

async fn propose(
    State(app): State<App>,
    staff: Staff,
    Body(Enrolment { device, kind, second, reason }): Body<Enrolment>,
) -> Result<(StatusCode, Json<Pending>), Problem> {
    if reason.trim().is_empty() {
        return Err(Problem::Malformed("`reason` says nothing".to_owned()));
    }
    let second = app.agrees(second).await?;
    let id = device.parse().map_err(|_| Problem::Refused(Refusal::BadDevice))?;
    let deed = deed_of(&Device { id, kind }, Some((second, reason)));
    Ok((StatusCode::CREATED, Json(app.hold_deed(staff, deed).await?)))
}

async fn record(
    State(app): State<App>,
    staff: Staff,
    Body(Signed { pending }): Body<Signed>,
) -> Result<(StatusCode, Json<Told>), Problem> {
    let is_it = |held: &PendingDeed| matches!(&held.deed, Deed::DeviceEnrolled { .. });
    let deed = app.signed(&pending, &staff, is_it)?;
    let Deed::DeviceEnrolled {
        device,
        kind,
        table,
        patron,
        at_box,
        second: Some(second),
        reason: Some(reason),
        credential: _,
    } = deed
    else {
        return Err(Problem::NotAllowed);
    };
    let (patron, at_box) = (patron.map(|it| it.0), at_box.map(|it| it.0));
    let kind = DeviceKind::read(&kind, table.as_str(), patron, at_box)?;
    let by = staff.role.actor(staff.person);
    put(app, by, device.as_str().to_owned(), kind, Some((second, reason))).await
}

pub(crate) fn deed_of(device: &Device, two: Option<(Person, Arc<str>)>) -> Deed {
    let (second, reason) = two.unzip();
    Deed::DeviceEnrolled {
        device: device.id.clone(),
        kind: device.kind.id().into(),
        table: device.kind.table().clone(),
        patron: device.kind.patron(),
        at_box: device.kind.at_box(),
        second,
        reason,
        credential: None,
    }
}

/// Enrols a device. The table is held meanwhile: nobody buys credits between the look at the patron's money and the deed.
async fn put(
    app: App,
    by: Actor,
    device: String,
    kind: DeviceKind,
    two: Option<(Person, Arc<str>)>,
) -> Result<(StatusCode, Json<Told>), Problem> {
    let held = match kind.patron().filter(|_| app.floor.kind().is_house()) {
        Some(patron) => app.floor.hold(kind.table(), move |table| Money::of(table, patron)).await,
        None => None,
    };
    match held.as_ref().map(|(money, _)| *money) {
        Some(Money { stands: true, .. }) => {
            let words = "credits or bets of that patron stand at the table: cash them out to a ticket, or have them set \
                aside, before another device is enrolled for that number";
            return Err(Problem::Conflict("credits-stand", words.to_owned()));
        }
        Some(Money { kept: true, .. }) if two.is_none() => {
            let words = "money is kept for that patron at the table: that takes a second person; have it wait for them \
                at /api/enrolments";
            return Err(Problem::Conflict("second-person-needed", words.to_owned()));
        }
        Some(_) | None => {}
    }
    let to = app.clone();
    let work = move |register: &Register, now| {
        let write = |enrolled: &Enrolled| -> Result<(), Problem> {
            let deed = deed_of(&enrolled.device, two);
            to.deeds.write_waiting(by, deed, Some(enrolled.kept()))?;
            Ok(())
        };
        register.enrol_with(&device, kind, now, write)
    };
    let Enrolled { device, credential } = app.call(work).await??;
    drop(held);
    let told = Told { device: device.id, kind: device.kind, credential: credential.text() };
    Ok((StatusCode::CREATED, Json(told)))
}

async fn revoke(
    State(app): State<App>,
    staff: Staff,
    Named(device): Named<String>,
) -> Result<StatusCode, Problem> {
    let (by, deeds) = (staff.role.actor(staff.person), app.deeds.clone());
    let write = move |device: &Device| {
        deeds.write_waiting(by, Deed::DeviceRevoked { device: device.id.clone() }, None)?;
        Ok(())
    };
    app.ask(move |register, now| register.revoke_with(&device, now, write)).await?;
    Ok(StatusCode::NO_CONTENT)
}
