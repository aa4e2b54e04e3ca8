//! Members of staff, for Administrators. In a house one of them takes power away alone and at once; whatever gives power
//! (taking somebody on, another role, enabling, another invitation) waits for the signature of a second person (`staffing`).

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use punto_record::{Actor, Deed, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::answer::Problem;
use super::body::{Body, Named};
use super::route::{Route, Who};
use crate::app::App;
use crate::register::{Change, Changed, Hands, Invitation, Member, Staff};
use crate::role::Role;

/// Whose business staff and devices are.
pub(super) const ADMINISTRATORS: Who = Who::Staff(&[Role::Administrator]);

/// The routes of this file.
pub(super) fn routes() -> Vec<Route> {
    let (all, one) = ("/api/staff", "/api/staff/{person}");
    vec![
        Route::get(all, "Everybody on the staff", ADMINISTRATORS, list).gives::<Vec<Member>>(),
        Route::post(all, "Take somebody on; in a house it takes a second person", ADMINISTRATORS, hire)
            .takes::<Hire>()
            .gives::<Told>(),
        Route::patch(
            one,
            "Change what somebody is or may, or invite them again; in a house only disable them",
            ADMINISTRATORS,
            change,
        )
        .takes::<Change>()
        .gives::<Told>(),
    ]
}

/// Takes somebody on.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Hire {
    /// Their id: 1 to 40 letters, digits and hyphens.
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
    /// The secret of the link by which they choose a password, once. It is told here and nowhere else. Where a second
    /// person signed, it takes the code as well that they alone are told.
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
    if app.floor.kind().is_house() {
        return Err(takes_two());
    }
    let Hire { person, name, role } = asked;
    let deed = alone(&app, staff);
    let work = move |register: &crate::register::Register, now| {
        register.hire_with(&person, &name, role, Hands::One, now, deed)
    };
    let changed = app.call(work).await??;
    Ok((StatusCode::CREATED, Json(app.told(changed))))
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
    let disables = asked == Change { enabled: Some(false), ..Change::default() };
    if app.floor.kind().is_house() && !disables {
        return Err(takes_two());
    }
    let deed = alone(&app, staff);
    let work = move |register: &crate::register::Register, now| {
        register.change_with(&person, &asked, Hands::One, now, deed)
    };
    let changed = app.call(work).await??;
    Ok(Json(app.told(changed)))
}

fn takes_two() -> Problem {
    let words = "in a house that takes a second person; have it wait for them at /api/staffing";
    Problem::Conflict("second-person-needed", words.to_owned())
}

/// The deed of one person alone, to be written before the register has it for good.
fn alone(app: &App, by: Staff) -> impl FnOnce(&Changed) -> Result<(), Problem> + Send + 'static {
    let app = app.clone();
    move |changed| {
        let Changed { member, invitation } = changed;
        let (person, role) = (member.person.clone(), member.role.id().into());
        let mut deed = Deed::staff_changed(person, role, member.enabled, invitation.is_some());
        if let Deed::StaffChanged { name, .. } = &mut deed {
            *name = Some(member.name.clone());
        }
        app.write_staff_deed(by.role.actor(by.person), deed, changed)
    }
}

impl App {
    /// Writes a deed about somebody from a thread that may wait, and has them sign anew what they signed.
    pub(super) fn write_staff_deed(&self, by: Actor, deed: Deed, changed: &Changed) -> Result<(), Problem> {
        if let Deed::StaffChanged { person, .. } = &deed {
            self.pendings.unsign(person, self.clock.now());
        }
        let credential = changed.invitation.as_ref().map(Invitation::credential);
        self.deeds.write_waiting(by, deed, credential)?;
        Ok(())
    }

    /// What whoever had it done is told.
    pub(super) fn told(&self, changed: Changed) -> Told {
        let Changed { member, invitation } = changed;
        let until = invitation.as_ref().map(|it| it.until);
        Told { member, invitation: invitation.map(|it| it.secret.text()), until }
    }
}
