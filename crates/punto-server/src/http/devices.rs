//! Devices, for Administrators.
//!
//! Whoever holds the credential of a terminal can cash out what stands on it, and whoever holds that of a note acceptor or a card
//! reader says which notes or cards came. In a house two people enrol everything but a board, and the credential is in two
//! hands: the Administrator is told one half, the second person the other. A patron's money never passes to another device:
//! none is enrolled where credits stand.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

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
use super::route::{Route, Who};
use super::staff::ADMINISTRATORS;
use super::tables::SETS_UP;
use super::tickets::Signed;
use crate::app::App;
use crate::pending::{Pending, PendingDeed};
use crate::register::{Device, DeviceKind, Enrolled, Hands, Listed, Refusal, Register, Staff};

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
        Route::get(
            "/api/enrolments/codes",
            "Codes of the devices for which one signed as the second person",
            Who::Staff(&SETS_UP),
            codes,
        )
        .gives::<Vec<DeviceCode>>(),
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

/// Enrols a device together with a second person.
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
    /// Two people enrolled it: it shows the credential, a dot, and the code that the second person is told.
    #[serde(default, skip_serializing_if = "is_false")]
    pub with_code: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
const fn is_false(is: &bool) -> bool {
    !*is
}

/// The code of a device, for the second person who signed for it. The device needs it beside the credential.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeviceCode {
    /// The device.
    pub device: DeviceId,
    /// What the second person enters at the device.
    pub code: String,
}

/// Codes of devices by the second person who may ask for them: in memory only. After a restart a device whose code was not
/// fetched is revoked and another one is enrolled.
#[derive(Debug, Default)]
pub struct DeviceCodes(Mutex<BTreeMap<DeviceId, (Person, String)>>);

impl DeviceCodes {
    fn keep(&self, second: Person, device: DeviceId, code: String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(device, (second, code));
    }

    fn forget(&self, device: &DeviceId) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(device);
    }

    fn of(&self, second: &Person) -> Vec<DeviceCode> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let theirs = all.iter().filter(|(_, (whose, _))| whose == second);
        theirs.map(|(device, (_, code))| DeviceCode { device: device.clone(), code: code.clone() }).collect()
    }
}

/// Whether credits of a patron stand at a table, or bets that may become some.
fn stands(table: &Table, patron: PatronNo) -> bool {
    let state = table.state();
    let bets = state.round().is_some_and(|round| round.wagers.of(patron).next().is_some());
    bets || state.account(patron).is_some_and(|it| !it.credits.is_zero())
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

async fn codes(State(app): State<App>, staff: Staff) -> Json<Vec<DeviceCode>> {
    Json(app.device_codes.of(&staff.person))
}

/// Enrols a device. The table is held meanwhile: nobody buys credits between the look at the patron's money and the deed.
async fn put(
    app: App,
    by: Actor,
    device: String,
    kind: DeviceKind,
    two: Option<(Person, Arc<str>)>,
) -> Result<(StatusCode, Json<Told>), Problem> {
    let is_house = app.floor.kind().is_house();
    if is_house && two.is_none() && kind.takes_two() {
        let words = "in a house a device that gives orders takes a second person; have it wait for them at /api/enrolments";
        return Err(Problem::Conflict("second-person-needed", words.to_owned()));
    }
    let held = match kind.patron().filter(|_| is_house) {
        Some(patron) => app.floor.hold(kind.table(), move |table| stands(table, patron)).await,
        None => None,
    };
    if held.as_ref().is_some_and(|(stands, _)| *stands) {
        let words = "credits or bets of that patron stand at the table: cash them out to a ticket, or have them set aside, \
            before another device is enrolled for that number";
        return Err(Problem::Conflict("credits-stand", words.to_owned()));
    }
    let to = app.clone();
    let second = two.as_ref().map(|(second, _)| second.clone());
    let hands = second.as_ref().map_or(Hands::One, |_| Hands::Two);
    let work = move |register: &Register, now| {
        let write = |enrolled: &Enrolled| -> Result<(), Problem> {
            let deed = deed_of(&enrolled.device, two);
            to.deeds.write_waiting(by, deed, Some(enrolled.kept()))?;
            Ok(())
        };
        register.enrol_with(&device, kind, hands, now, write)
    };
    let Enrolled { device, credential, code } = app.call(work).await??;
    drop(held);
    let with_code = match (second, code) {
        (Some(second), Some(code)) => {
            app.device_codes.keep(second, device.id.clone(), code.code());
            true
        }
        (_, _) => false,
    };
    let told = Told { device: device.id, kind: device.kind, credential: credential.text(), with_code };
    Ok((StatusCode::CREATED, Json(told)))
}

async fn revoke(
    State(app): State<App>,
    staff: Staff,
    Named(device): Named<String>,
) -> Result<StatusCode, Problem> {
    let (by, deeds) = (staff.role.actor(staff.person), app.deeds.clone());
    let device_codes = app.device_codes.clone();
    let write = move |device: &Device| {
        device_codes.forget(&device.id);
        deeds.write_waiting(by, Deed::DeviceRevoked { device: device.id.clone() }, None)?;
        Ok(())
    };
    app.ask(move |register, now| register.revoke_with(&device, now, write)).await?;
    Ok(StatusCode::NO_CONTENT)
}
