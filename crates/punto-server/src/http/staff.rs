//! Members of staff, for Administrators.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use punto_record::{Deed, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::answer::Problem;
use super::body::{Body, Named};
use super::route::{Route, Who};
use crate::app::App;
use crate::register::{Change, Changed, Member, Staff};
use crate::role::Role;

/// Whose business staff and devices are.
pub(super) const ADMINISTRATORS: Who = Who::Staff(&[Role::Administrator]);

/// The routes of this file.
pub(super) fn routes() -> Vec<Route> {
    let (all, one) = ("/api/staff", "/api/staff/{person}");
    vec![
        Route::get(all, "Everybody on the staff", ADMINISTRATORS, list).gives::<Vec<Member>>(),
        Route::post(all, "Take somebody on", ADMINISTRATORS, hire).takes::<Hire>().gives::<Told>(),
        Route::patch(one, "Change what somebody is or may, or invite them again", ADMINISTRATORS, change)
            .takes::<Change>()
            .gives::<Told>(),
    ]
}

/// Takes somebody on.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Hire {
    /// Their id: 1 to 32 letters, digits and `-`.
    pub person: String,
    /// Their name, as it is shown.
    pub name: String,
    /// What they are employed as.
    pub role: Role,
}

/// A member of staff, and an invitation if there is one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "MemberTold")]
pub struct Told {
    /// As they are now.
    pub member: Member,
    /// The secret of the link by which they choose a password, once. It is told here and nowhere else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invitation: Option<String>,
    /// Until when the link is good.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Timestamp>,
}

async fn list(State(app): State<App>) -> Result<Json<Vec<Member>>, Problem> {
    Ok(Json(app.ask(|register, now| register.staff(now)).await?))
}

async fn hire(
    State(app): State<App>,
    staff: Staff,
    Body(asked): Body<Hire>,
) -> Result<(StatusCode, Json<Told>), Problem> {
    let Hire { person, name, role } = asked;
    let changed = app.ask(move |register, now| register.hire(&person, &name, role, now)).await?;
    Ok((StatusCode::CREATED, tell(&app, &staff, changed).await?))
}

async fn change(
    State(app): State<App>,
    staff: Staff,
    Named(person): Named<String>,
    Body(asked): Body<Change>,
) -> Result<Json<Told>, Problem> {
    if staff.person.as_str().eq_ignore_ascii_case(&person) {
        return Err(Problem::NotAllowed);
    }
    let changed = app.ask(move |register, now| register.change(&person, &asked, now)).await?;
    tell(&app, &staff, changed).await
}

async fn tell(app: &App, by: &Staff, changed: Changed) -> Result<Json<Told>, Problem> {
    let Changed { member, invitation } = changed;
    let deed = Deed::StaffChanged {
        person: member.person.clone(),
        role: member.role.id().into(),
        enabled: member.enabled,
        invited: invitation.is_some(),
    };
    app.pendings.unsign(&member.person, app.clock.now());
    app.deeds.write(by.role.actor(by.person.clone()), deed).await?;
    let until = invitation.as_ref().map(|it| it.until);
    Ok(Json(Told { member, invitation: invitation.map(|it| it.secret.text()), until }))
}
