//! The system's clock is far ahead of the recorded one: two people say that it is right, and the recorded one follows.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use punto_record::{Deed, DeedKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::answer::Problem;
use super::body::Body;
use super::route::Route;
use super::staff::ADMINISTRATORS;
use super::tickets::Signed;
use crate::app::App;
use crate::pending::{Pending, PendingDeed};
use crate::register::Staff;

/// The routes of this file.
pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::post(
            "/api/clock/pending",
            "Have the confirmation of the system's clock wait for a second person",
            ADMINISTRATORS,
            propose,
        )
        .takes::<ConfirmClock>()
        .gives::<Pending>(),
        Route::post(
            "/api/clock",
            "Let the recorded clock follow the system's, for which a second person signed",
            ADMINISTRATORS,
            confirm,
        )
        .takes::<Signed>(),
    ]
}

/// Says that the system's clock is right although the recorded one did not follow it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConfirmClock {
    /// How far it is ahead, in milliseconds, as `/api/health` tells (`clock_ahead`).
    pub ahead: u64,
    /// Who agrees: another Administrator, or a Table Games Shift Manager or above.
    pub second: String,
    /// How it was compared, and why it is so.
    pub reason: Arc<str>,
}

async fn propose(
    State(app): State<App>,
    staff: Staff,
    Body(ConfirmClock { ahead, second, reason }): Body<ConfirmClock>,
) -> Result<(StatusCode, Json<Pending>), Problem> {
    let second = app.agrees(second).await?;
    if reason.trim().is_empty() {
        return Err(Problem::Malformed("`reason` is empty".to_owned()));
    }
    if app.clock.ahead().is_none() {
        return Err(not_so());
    }
    let deed = Deed::ClockConfirmed { ahead, second, reason };
    Ok((StatusCode::CREATED, Json(app.hold_deed(staff, deed).await?)))
}

async fn confirm(
    State(app): State<App>,
    staff: Staff,
    Body(Signed { pending }): Body<Signed>,
) -> Result<StatusCode, Problem> {
    // What has changed meanwhile is not what was signed for.
    app.clock.look();
    let clock = app.clock.clone();
    let is_it = move |held: &PendingDeed| held.deed.kind() == DeedKind::ClockConfirmed;
    let deed = app.signed(&pending, &staff, is_it)?;
    let Deed::ClockConfirmed { ahead, .. } = deed else { return Err(Problem::NotAllowed) };
    if !clock.is_ahead(ahead) {
        return Err(not_so());
    }
    // Written at the old time, and before the clock moves: what follows in the record is explained by what stands there.
    app.deeds.write(staff.role.actor(staff.person), deed).await?;
    if clock.confirm(ahead) { Ok(StatusCode::NO_CONTENT) } else { Err(not_so()) }
}

fn not_so() -> Problem {
    Problem::Conflict("clock-not-ahead", "the system's clock is not ahead by that much".to_owned())
}
