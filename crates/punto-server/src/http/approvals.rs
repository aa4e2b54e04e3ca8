//! Approvals: somebody gives their password again, at whatever screen the order is given, and answers for it.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use punto_record::{Deed, Person, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::answer::Problem;
use super::body::Body;
use super::route::{Route, Who};
use crate::app::App;
use crate::role::Role;
use crate::wire::Screen;

/// The routes of this file.
pub(super) fn routes() -> Vec<Route> {
    let who = Who::DeviceOrStaff(&[Screen::Console], &Role::ALL);
    vec![
        Route::post("/api/approvals", "Answer for one order with one's password", who, approve)
            .takes::<Approve>()
            .gives::<Approval>()
            .guessable(),
    ]
}

/// Answers for one order.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Approve {
    /// Who answers: whoever is signed in, or somebody else who has come to the screen.
    pub person: String,
    /// Their password.
    pub password: String,
}

/// Good once, for a minute.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Approval {
    /// Who answers.
    pub person: Person,
    /// Their name, as it is shown.
    pub name: String,
    /// What they are employed as.
    pub role: Role,
    /// What is sent along with the order.
    pub approval: String,
    /// Until when it is good.
    pub until: Timestamp,
}

async fn approve(
    State(app): State<App>,
    Body(asked): Body<Approve>,
) -> Result<(StatusCode, Json<Approval>), Problem> {
    let Approve { person, password } = asked;
    let given = app.ask_with_password(move |register, now| register.approve(&person, &password, now)).await?;
    app.deeds.write(given.role.actor(given.person.clone()), Deed::ApprovalGiven {}).await?;
    let approval = Approval {
        person: given.person,
        name: given.name.to_string(),
        role: given.role,
        approval: given.secret.text(),
        until: given.until,
    };
    Ok((StatusCode::CREATED, Json(approval)))
}
