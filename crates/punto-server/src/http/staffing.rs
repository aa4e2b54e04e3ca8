//! Power over people by two: an Administrator has it wait, a second person sees what it says and signs, then it is done.
//!
//! An invitation is in two hands: the link is told to the Administrator who has it done, its code to the second person alone,
//! in a session of their own. Whoever is invited needs both, so neither of the two can choose that password.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use punto_record::{Deed, Person, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::answer::Problem;
use super::body::Body;
use super::route::{Route, Who};
use super::staff::{ADMINISTRATORS, Hire, Told};
use super::tables::SETS_UP;
use super::tickets::Signed;
use crate::app::App;
use crate::pending::{Pending, PendingDeed};
use crate::register::{Change, Changed, Hands, Invitation, Register, Staff, shown};
use crate::role::Role;

/// The routes of this file.
pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::post(
            "/api/staffing",
            "Have a change of staff wait for its second person",
            ADMINISTRATORS,
            propose,
        )
        .takes::<Staffing>()
        .gives::<Pending>(),
        Route::post(
            "/api/staffing/record",
            "Have a change of staff done that a second person signed",
            ADMINISTRATORS,
            record,
        )
        .takes::<Signed>()
        .gives::<Told>(),
        Route::get(
            "/api/staffing/codes",
            "Codes of the invitations for which one signed as the second person",
            Who::Staff(&SETS_UP),
            codes,
        )
        .gives::<Vec<InvitationCode>>(),
    ]
}

/// A change of staff that two people answer for.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Staffing {
    /// What is to be done.
    pub what: StaffingWhat,
    /// Who agrees: an Administrator, or a Table Games Shift Manager or above.
    pub second: String,
    /// Why.
    pub reason: Arc<str>,
}

/// What is to be done.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StaffingWhat {
    /// Takes somebody on.
    Hire(Hire),
    /// Changes what somebody is or may, or invites them again.
    Change(ChangeOf),
}

/// Changes what somebody is or may. What is left out stays.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangeOf {
    /// Who.
    pub person: String,
    /// Another name.
    #[serde(default)]
    pub name: Option<Arc<str>>,
    /// Another role. All sessions end.
    #[serde(default)]
    pub role: Option<Role>,
    /// Whether they may come in.
    #[serde(default)]
    pub enabled: Option<bool>,
    /// A new invitation. All sessions end; the password stays good until another one is chosen.
    #[serde(default)]
    pub invite: bool,
}

/// The code of an invitation, for the second person who signed for it. Whoever is invited needs it beside the link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InvitationCode {
    /// Who is invited.
    pub person: Person,
    /// What they are told by the second person.
    pub code: String,
    /// Until when it is good.
    pub until: Timestamp,
}

/// Codes that wait for their second person: in memory only. After a restart whoever did not get theirs is invited again.
#[derive(Debug, Default)]
pub struct Codes(Mutex<BTreeMap<Person, (Person, Invitation)>>);

impl Codes {
    fn keep(&self, second: Person, invitation: Invitation) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(invitation.person.clone(), (second, invitation));
    }

    /// Nobody needs it any more.
    pub(super) fn forget(&self, person: &Person) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(person);
    }

    fn of(&self, second: &Person, now: Timestamp) -> Vec<InvitationCode> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|_, (_, invitation)| invitation.until > now);
        let theirs = all.values().filter(|(whose, _)| whose == second);
        let told = |it: &Invitation| {
            let (person, until) = (it.person.clone(), it.until);
            Some(InvitationCode { person, code: it.code.as_ref()?.code(), until })
        };
        theirs.filter_map(|(_, invitation)| told(invitation)).collect()
    }
}

async fn propose(
    State(app): State<App>,
    staff: Staff,
    Body(Staffing { what, second, reason }): Body<Staffing>,
) -> Result<(StatusCode, Json<Pending>), Problem> {
    if reason.trim().is_empty() {
        return Err(Problem::Malformed("`reason` says nothing".to_owned()));
    }
    let second = app.agrees(second).await?;
    let (reason, agreed) = (Some(reason), Some(second.clone()));
    let deed = app
        .ask(move |register, now| {
            Ok(match what {
                StaffingWhat::Hire(Hire { person, name, role }) => {
                    let (name, role) = (Some(shown(&name)?.into()), role.id().into());
                    let person = register.could_hire(&person)?;
                    Deed::StaffChanged {
                        person,
                        role,
                        enabled: true,
                        invited: true,
                        name,
                        second: agreed,
                        reason,
                        credential: None,
                    }
                }
                StaffingWhat::Change(ChangeOf { person, name, role, enabled, invite }) => {
                    let member = register.member(&person, now)?;
                    let name = name.map(|name| shown(&name).map(Into::into)).transpose()?;
                    let (role, enabled) = (role.unwrap_or(member.role), enabled.unwrap_or(member.enabled));
                    Deed::StaffChanged {
                        person: member.person,
                        role: role.id().into(),
                        enabled,
                        invited: invite && enabled,
                        name,
                        second: agreed,
                        reason,
                        credential: None,
                    }
                }
            })
        })
        .await?;
    if let Deed::StaffChanged { person, .. } = &deed {
        if *person == staff.person {
            return Err(Problem::NotAllowed);
        }
        if *person == second {
            let words = "nobody agrees to what they may do themselves".to_owned();
            return Err(Problem::Conflict("one-person", words));
        }
    }
    Ok((StatusCode::CREATED, Json(app.hold_deed(staff, deed).await?)))
}

async fn record(
    State(app): State<App>,
    staff: Staff,
    Body(Signed { pending }): Body<Signed>,
) -> Result<Json<Told>, Problem> {
    let is_it = |held: &PendingDeed| matches!(&held.deed, Deed::StaffChanged { .. });
    let (deed, basis) = app.signed_about(&pending, &staff, is_it)?;
    let Deed::StaffChanged { person, role, enabled, invited, name, second: Some(second), .. } = deed.clone()
    else {
        return Err(Problem::NotAllowed);
    };
    let found = Role::ALL.into_iter().find(|it| *it.id() == *role);
    let role = found.ok_or_else(|| Problem::internal("a role that there is not"))?;
    let (by, to) = (staff.role.actor(staff.person), app.clone());
    let work = move |register: &Register, now| {
        // The register is held here: nobody else changes anybody before this is done.
        let write = |changed: &Changed| {
            to.is_still_about(&deed, basis)?;
            to.write_staff_deed(by, deed, changed)
        };
        match (register.member(person.as_str(), now), &name) {
            (Err(_), Some(name)) => register.hire_with(person.as_str(), name, role, Hands::Two, now, write),
            _ => {
                let change = Change { name, role: Some(role), enabled: Some(enabled), invite: invited };
                register.change_with(person.as_str(), &change, Hands::Two, now, write)
            }
        }
    };
    let changed = app.call(work).await??;
    match &changed.invitation {
        Some(invitation) => app.codes.keep(second, invitation.clone()),
        None => app.codes.forget(&changed.member.person),
    }
    Ok(Json(app.told(changed)))
}

async fn codes(State(app): State<App>, staff: Staff) -> Json<Vec<InvitationCode>> {
    Json(app.codes.of(&staff.person, app.clock.now()))
}
