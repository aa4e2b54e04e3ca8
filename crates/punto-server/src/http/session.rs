//! Signing in and out.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use punto_record::{Deed, HouseEntry, Person, Seq, SessionId, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::answer::Problem;
use super::body::Body;
use super::factor::FactorState;
use super::guard::{COOKIE, Caller};
use super::route::{Route, Who};
use crate::app::{App, Door};
use crate::register::{ABSOLUTE, IDLE, PasswordAndCode, Register, Secret, SignedIn, Source, Staff};
use crate::role::Role;

const PATH: &str = "/api/session";

/// The routes of this file.
pub(super) fn routes() -> Vec<Route> {
    let staff = Who::Staff(&Role::ALL);
    vec![
        Route::post(PATH, "Sign in", Who::Anyone, sign_in).takes::<SignIn>().gives::<Session>().guessable(),
        Route::get(PATH, "Who is signed in", staff, show).gives::<Session>().enrols(),
        Route::delete(PATH, "Sign out", staff, sign_out).enrols(),
    ]
}

/// Signs in.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SignIn {
    /// Who.
    pub person: String,
    /// Their password.
    pub password: String,
    /// The code that the app of their second factor shows, or a recovery code. Whoever has no second factor needs none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// For programs: the session as a token in the answer, to be sent as `Authorization: Bearer`. A browser gets it as a
    /// cookie that no script can read.
    #[serde(default)]
    pub token: bool,
}

/// A session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Session {
    /// Who is signed in.
    pub person: Person,
    /// Their name, as it is shown.
    pub name: String,
    /// What they are employed as.
    pub role: Role,
    /// The public name of the session, as in the house's record.
    pub session: String,
    /// With a cookie, every request that changes anything has this in the header `x-punto-csrf`.
    pub csrf: String,
    /// When the session ends, however much it is used.
    pub until: Timestamp,
    /// After how many milliseconds without use it ends before that.
    pub idle: u64,
    /// The session itself, if it was asked for as a token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// What was done to one's account in the last 30 days, and by whom. It is told at every sign-in, so that nobody who came
    /// in under this name can keep it from its owner.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub account: Vec<AccountChange>,
    /// When somebody signed in under this name before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Timestamp>,
    /// How the second factor stands.
    #[serde(default)]
    pub factor: FactorState,
}

/// Something that was done to an account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AccountChange {
    /// The entry of the house that says so.
    pub entry: Seq,
    /// When.
    pub at: Timestamp,
    /// By whom; the software itself, if by nobody.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Person>,
    /// What.
    pub what: AccountDeed,
}

/// What was done to an account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum AccountDeed {
    /// What the person is or may was changed, or they were invited to choose a password.
    Changed {
        role: Arc<str>,
        enabled: bool,
        invited: bool,
        /// Who agreed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        second: Option<Person>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<Arc<str>>,
    },
    /// A password was chosen.
    PasswordChosen,
    /// A second factor was set up.
    FactorEnrolled {
        /// Whether it took the place of another one, which was shown.
        replaced: bool,
    },
    /// New recovery codes were made.
    RecoveryCodesMade,
    /// Two people asked that the second factor be removed.
    FactorResetBegun { second: Person, reason: Arc<str> },
    /// That was stopped.
    FactorResetStopped,
    /// The second factor was removed.
    FactorReset,
}

/// For how long a change is told, in milliseconds.
const TOLD_FOR: u64 = 30 * 24 * 3_600_000;

impl AccountChange {
    fn of(entry: HouseEntry) -> Option<AccountChange> {
        let HouseEntry { seq, by, at, deed, .. } = entry;
        let what = if let Deed::StaffChanged { role, enabled, invited, second, reason, .. } = deed {
            AccountDeed::Changed { role, enabled, invited, second, reason }
        } else if let Deed::PasswordChosen { .. } = deed {
            AccountDeed::PasswordChosen
        } else if let Deed::FactorEnrolled { factor, .. } = deed {
            AccountDeed::FactorEnrolled { replaced: factor.is_some() }
        } else if let Deed::RecoveryCodesMade { .. } = deed {
            AccountDeed::RecoveryCodesMade
        } else if let Deed::FactorResetBegun { second, reason, .. } = deed {
            AccountDeed::FactorResetBegun { second, reason }
        } else if let Deed::FactorResetStopped { .. } = deed {
            AccountDeed::FactorResetStopped
        } else if let Deed::FactorReset { .. } = deed {
            AccountDeed::FactorReset
        } else {
            return None;
        };
        Some(AccountChange { entry: seq, at, by: by.person().cloned(), what })
    }
}

impl Session {
    /// With what the record says about the account.
    async fn told(self, app: &App, staff: &Staff) -> Result<Session, Problem> {
        let factor = app.factor(staff).await?;
        let (person, now) = (self.person.clone(), app.clock.now());
        let account = app.floor.ledger().with(move |vault| Ok(vault.account(&person))).await?;
        let recent = |entry: &HouseEntry| entry.at.0.saturating_add(TOLD_FOR) > now.0;
        let changes = account.changes.into_iter().filter(recent).filter_map(AccountChange::of).collect();
        Ok(Session { account: changes, before: account.before, factor, ..self })
    }

    fn of(staff: &Staff, secret: &Secret, token: bool) -> Session {
        Session {
            person: staff.person.clone(),
            name: staff.name.to_string(),
            role: staff.role,
            session: staff.session.to_string(),
            csrf: secret.csrf(),
            until: staff.until,
            idle: IDLE,
            token: token.then(|| secret.text()),
            account: Vec::new(),
            before: None,
            factor: FactorState::default(),
        }
    }
}

async fn sign_in(
    State(app): State<App>,
    caller: Caller,
    shown: HeaderMap,
    Body(asked): Body<SignIn>,
) -> Result<(HeaderMap, Json<Session>), Problem> {
    let SignIn { person, password, code, token } = asked;
    let source = app.source(&shown, &caller, &person).await?;
    let deeds = app.deeds.clone();
    let asked = move |register: &Register, source: &Source, now| {
        let given = PasswordAndCode::new(&password, code.as_deref());
        register.sign_in_with(source, &person, &given, now, |used| used.write(&deeds))
    };
    let SignedIn { staff, secret, factor } = app.ask_with_password(source.clone(), asked).await?;
    let deed = Deed::SignedIn { session: SessionId::as_recorded(staff.session.clone()), factor };
    if let Err(error) = app.deeds.write(staff.role.actor(staff.person.clone()), deed).await {
        // Nobody is signed in without a word in the record.
        app.ask(move |register, now| register.sign_out(&staff.session, now)).await?;
        return Err(error.into());
    }
    // Who signs in where somebody else was signed in, takes their place.
    if let Some(before) = caller.staff() {
        end(&app, before).await?;
    }
    let mut headers = HeaderMap::new();
    if !token {
        headers.insert(header::SET_COOKIE, set_cookie(&app.door, &secret.text(), ABSOLUTE / 1000)?);
        app.know_browser(&mut headers, &staff.person, source).await?;
    }
    Ok((headers, Json(Session::of(&staff, &secret, token).told(&app, &staff).await?)))
}

async fn show(State(app): State<App>, caller: Caller) -> Result<Json<Session>, Problem> {
    match caller {
        Caller::Staff(staff, secret) => {
            Ok(Json(Session::of(&staff, &secret, false).told(&app, &staff).await?))
        }
        Caller::Nobody | Caller::Device(_) => Err(Problem::NotSignedIn),
    }
}

async fn sign_out(State(app): State<App>, staff: Staff) -> Result<(StatusCode, HeaderMap), Problem> {
    end(&app, &staff).await?;
    let headers = HeaderMap::from_iter([(header::SET_COOKIE, set_cookie(&app.door, "", 0)?)]);
    Ok((StatusCode::NO_CONTENT, headers))
}

async fn end(app: &App, staff: &Staff) -> Result<(), Problem> {
    let session = staff.session.clone();
    app.ask(move |register, now| register.sign_out(&session, now)).await?;
    let deed = Deed::SignedOut { session: SessionId::as_recorded(staff.session.clone()) };
    app.deeds.write(staff.role.actor(staff.person.clone()), deed).await?;
    Ok(())
}

fn set_cookie(door: &Door, value: &str, seconds: u64) -> Result<HeaderValue, Problem> {
    let secure = if door.secure { "; Secure" } else { "" };
    let cookie = format!("{COOKIE}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}");
    HeaderValue::from_str(&cookie).map_err(Problem::internal)
}
