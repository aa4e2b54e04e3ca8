//! Passwords: chosen by an invitation, or changed.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use punto_ledger::Credential;
use punto_record::{Deed, Person};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::answer::Problem;
use super::body::Body;
use super::route::{Route, Who};
use crate::app::App;
use crate::register::{Chosen, Register, Source, Staff};
use crate::role::Role;

const PATH: &str = "/api/password";

/// The routes of this file.
pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::post(PATH, "Choose a password by an invitation", Who::Anyone, choose)
            .takes::<Choose>()
            .gives::<PasswordChosen>()
            .guessable(),
        Route::put(PATH, "Change one's own password", Who::Staff(&Role::ALL), change)
            .takes::<Renew>()
            .guessable(),
    ]
}

/// Chooses a password by an invitation, which is used up by it.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Choose {
    /// The secret of the link.
    pub invitation: String,
    /// The code that the second person holds, where two people answer for the invitation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// At least 12 characters.
    pub password: String,
}

/// A password was chosen: what comes next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PasswordChosen {
    /// Who can sign in with it.
    pub person: Person,
    /// Whether they have a second factor. An invitation does not change it.
    pub factor: bool,
    /// Whether they must set one up before they do anything else.
    pub must_enrol: bool,
}

/// Changes one's own password. One's other sessions end.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Renew {
    /// The password until now.
    pub old: String,
    /// At least 12 characters.
    pub password: String,
}

async fn choose(
    State(app): State<App>,
    Body(asked): Body<Choose>,
) -> Result<(HeaderMap, Json<PasswordChosen>), Problem> {
    let Choose { invitation, code, password } = asked;
    let deeds = app.deeds.clone();
    let choose = move |register: &Register, _: &Source, now| {
        let write = |chosen: &Chosen| chosen.write(&deeds);
        register.choose_password_with(&invitation, code.as_deref(), &password, now, write)
    };
    let Chosen { member, .. } = app.ask_with_password(Source::Unknown, choose).await?;
    app.codes.forget(&member.person);
    app.pendings.unsign(&member.person, app.clock.now());
    let mut headers = HeaderMap::new();
    app.know_browser(&mut headers, &member.person, Source::Unknown).await?;
    let must_enrol = app.floor.kind().is_house() && member.role.must_have_factor() && !member.factor;
    let chosen = PasswordChosen { person: member.person, factor: member.factor, must_enrol };
    Ok((headers, Json(chosen)))
}

async fn change(
    State(app): State<App>,
    staff: Staff,
    Body(asked): Body<Renew>,
) -> Result<StatusCode, Problem> {
    let (Renew { old, password }, own) = (asked, staff.clone());
    let source = Source::ScreenOf(staff.person.clone());
    let (by, deeds) = (staff.role.actor(staff.person.clone()), app.deeds.clone());
    let change = move |register: &Register, source: &Source, now| {
        let write = |credential: &Credential| {
            let deed = Deed::PasswordChosen { credential: None };
            deeds.write_waiting(by, deed, Some(credential.clone()))?;
            Ok(())
        };
        register.change_password_with(source, &own, &old, &password, now, write)
    };
    app.ask_with_password(source, change).await?;
    app.pendings.unsign(&staff.person, app.clock.now());
    Ok(StatusCode::NO_CONTENT)
}
