//! Devices, for Administrators.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use punto_record::{Deed, DeviceId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::answer::Problem;
use super::body::{Body, Named};
use super::route::Route;
use super::staff::ADMINISTRATORS;
use crate::app::App;
use crate::register::{DeviceKind, Enrolled, Listed, Staff};

/// The routes of this file.
pub(super) fn routes() -> Vec<Route> {
    let (all, one) = ("/api/devices", "/api/devices/{device}");
    vec![
        Route::get(all, "All devices that ever were", ADMINISTRATORS, list).gives::<Vec<Listed>>(),
        Route::post(all, "Enrol a device", ADMINISTRATORS, enrol).takes::<Enrol>().gives::<Told>(),
        Route::delete(one, "Revoke a device, at once", ADMINISTRATORS, revoke),
    ]
}

/// Enrols a device.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Enrol {
    /// Its name for ever: 1 to 32 letters, digits and `-`.
    pub device: String,
    /// What it is, and where it stands.
    pub kind: DeviceKind,
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

async fn list(State(app): State<App>) -> Result<Json<Vec<Listed>>, Problem> {
    Ok(Json(app.ask(|register, _| register.devices()).await?))
}

async fn enrol(
    State(app): State<App>,
    staff: Staff,
    Body(asked): Body<Enrol>,
) -> Result<(StatusCode, Json<Told>), Problem> {
    let Enrol { device, kind } = asked;
    let Enrolled { device, credential } =
        app.ask(move |register, now| register.enrol(&device, kind, now)).await?;
    let deed = Deed::DeviceEnrolled {
        device: device.id.clone(),
        kind: device.kind.id().into(),
        table: device.kind.table().clone(),
        patron: device.kind.patron(),
        at_box: device.kind.at_box(),
    };
    app.deeds.write(staff.role.actor(staff.person), deed).await?;
    let told = Told { device: device.id, kind: device.kind, credential: credential.text() };
    Ok((StatusCode::CREATED, Json(told)))
}

async fn revoke(
    State(app): State<App>,
    staff: Staff,
    Named(device): Named<String>,
) -> Result<StatusCode, Problem> {
    let device = app.ask(move |register, now| register.revoke(&device, now)).await?;
    app.deeds.write(staff.role.actor(staff.person), Deed::DeviceRevoked { device: device.id }).await?;
    Ok(StatusCode::NO_CONTENT)
}
