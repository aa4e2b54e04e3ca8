//! Second factors: enrolled by their owner, with recovery codes; reset by two people with a delay in which it can be stopped.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use punto_ledger::FactorReset;
use punto_record::{Deed, DeedKind, Person, Seq, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::answer::Problem;
use super::body::Body;
use super::guard::Caller;
use super::house::OFFICE;
use super::route::{Route, Who};
use super::staff::ADMINISTRATORS;
use super::tickets::Signed;
use crate::app::App;
use crate::deeds::Deeds;
use crate::pending::{Pending, PendingDeed};
use crate::register::{
    self, Confirmed, FactorEnrolled, FactorOffer, PasswordAndCode, RecoveryUsed, Register, Source, Staff,
};
use crate::role::Role;

/// The routes of this file.
pub(super) fn routes() -> Vec<Route> {
    let staff = Who::Staff(&Role::ALL);
    vec![
        Route::get("/api/factor", "How one's own second factor stands", staff, show)
            .gives::<FactorState>()
            .unattended()
            .enrols(),
        Route::post("/api/factor/offer", "Begin to set up a second factor, or another one", staff, offer)
            .takes::<ShowAgain>()
            .gives::<FactorOffer>()
            .guessable()
            .enrols(),
        Route::post("/api/factor", "Set up what was offered, by its first code", staff, enrol)
            .takes::<FirstCode>()
            .gives::<RecoveryCodes>()
            .guessable()
            .enrols(),
        Route::post("/api/factor/recovery-codes", "Have new recovery codes made", staff, renew)
            .takes::<ShowAgain>()
            .gives::<RecoveryCodes>()
            .guessable(),
        Route::get("/api/factor/resets", "Resets of second factors that wait", OFFICE, resets)
            .gives::<Vec<WaitingReset>>(),
        Route::post(
            "/api/factor/resets/pending",
            "Have the reset of somebody's second factor wait for its second person",
            ADMINISTRATORS,
            propose,
        )
        .takes::<ResetFactor>()
        .gives::<Pending>(),
        Route::post(
            "/api/factor/resets",
            "Begin a reset that a second person signed; it is carried out after a delay",
            ADMINISTRATORS,
            begin,
        )
        .takes::<Signed>()
        .gives::<WaitingReset>(),
        Route::post(
            "/api/factor/resets/stop",
            "Stop a reset: one's own, or as an Administrator anybody's",
            staff,
            stop,
        )
        .takes::<StopReset>()
        .guessable(),
    ]
}

/// How somebody's second factor stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FactorState {
    /// Whether they have one.
    pub enrolled: bool,
    /// Whether they must enrol one before they do anything else.
    #[serde(default)]
    pub must_enrol: bool,
    /// How many recovery codes are left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recovery_codes: Option<usize>,
    /// That two people asked for it to be removed, and when that is done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reset: Option<WaitingReset>,
}

/// A reset that waits for its delay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WaitingReset {
    /// The entry of the house that began it.
    pub begun: Seq,
    /// Whose second factor it is.
    pub person: Person,
    /// Who asked for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Person>,
    /// Who agreed.
    pub second: Person,
    /// Why.
    pub reason: Arc<str>,
    /// When it is carried out, unless somebody stops it.
    pub due: Timestamp,
}

impl From<&FactorReset> for WaitingReset {
    fn from(reset: &FactorReset) -> WaitingReset {
        let FactorReset { begun, person, by, second, reason, due } = reset.clone();
        WaitingReset { begun, person, by, second, reason, due }
    }
}

/// Shows once more that it is oneself.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShowAgain {
    /// One's password.
    pub password: String,
    /// A code of the second factor that one has, or a recovery code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
}

/// The first code of a new second factor.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FirstCode {
    /// As the app shows it.
    pub code: String,
}

/// Recovery codes. They are told once, and each is good once, whatever the clock says.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecoveryCodes {
    /// Each.
    pub codes: Vec<String>,
}

/// Asks that somebody's second factor be removed, who cannot show it any more.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ResetFactor {
    /// Whose.
    pub person: String,
    /// Who agrees: another Administrator, or a Table Games Shift Manager or above.
    pub second: String,
    /// Why, and how it was made sure that it is them who ask.
    pub reason: Arc<str>,
}

/// Stops a reset.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StopReset {
    /// The entry of the house that began it.
    pub begun: Seq,
    /// One's password.
    pub password: String,
    /// A code of one's second factor, or a recovery code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
}

impl App {
    /// How somebody's second factor stands.
    pub(super) async fn factor(&self, staff: &Staff) -> Result<FactorState, Problem> {
        let person = staff.person.clone();
        let recovery_codes = self.ask(move |register, _| register.recovery_codes_left(&person)).await?;
        let reset = self.waiting_resets().await?.into_iter().find(|it| it.person == staff.person);
        let must_enrol = staff.must_enrol;
        Ok(FactorState { enrolled: recovery_codes.is_some(), must_enrol, recovery_codes, reset })
    }

    async fn waiting_resets(&self) -> Result<Vec<WaitingReset>, Problem> {
        let all = self.floor.ledger().with(|vault| Ok(vault.factor_resets().map(Into::into).collect()));
        Ok(all.await?)
    }

    /// What the app on a telephone calls this house.
    async fn issuer(&self) -> Result<String, Problem> {
        let ledger = self.floor.ledger().with(|vault| Ok(vault.ledger())).await?;
        Ok(format!("Punto-{}", &ledger.to_string()[..8]))
    }

    /// Carries out the resets whose delay is over.
    ///
    /// # Errors
    /// If the register or the ledger failed.
    pub async fn reset_factors(&self) -> Result<Vec<Person>, Problem> {
        let now = self.clock.now();
        let is_due = self
            .floor
            .ledger()
            .with(move |vault| Ok(vault.factor_resets().any(|reset| reset.due <= now)))
            .await?;
        if !is_due {
            return Ok(Vec::new());
        }
        let (ledger, clock) = (self.floor.ledger().clone(), self.clock.clone());
        let reset = move |register: &Register, _| {
            register.reset_factors(|| {
                let carry_out = ledger.with(move |vault| vault.carry_out_factor_resets(clock.now()));
                tokio::runtime::Handle::current().block_on(carry_out)
            })
        };
        let persons = self.ask(reset).await?;
        for person in &persons {
            self.pendings.unsign(person, self.clock.now());
        }
        Ok(persons)
    }
}

impl RecoveryUsed {
    /// Writes the deed, from a thread that may wait.
    ///
    /// # Errors
    /// If the ledger did not take it.
    pub fn write(&self, deeds: &Deeds) -> Result<(), register::Error> {
        let RecoveryUsed { person, role, left, credential } = self.clone();
        let deed = Deed::RecoveryCodeUsed { left, credential: None };
        deeds.write_waiting(role.actor(person), deed, Some(credential))?;
        Ok(())
    }
}

/// Writes what was enrolled, from a thread that may wait.
fn write(deeds: &Deeds, staff: &Staff, enrolled: &FactorEnrolled) -> Result<(), register::Error> {
    let FactorEnrolled { step, shown, credential } = enrolled.clone();
    let deed = match (step, shown) {
        (Some(step), factor) => Deed::FactorEnrolled { step, factor, credential: None },
        (None, Some(factor)) => Deed::RecoveryCodesMade { factor, credential: None },
        (None, None) => return Err(register::Refusal::NoFactor.into()),
    };
    deeds.write_waiting(staff.role.actor(staff.person.clone()), deed, Some(credential))?;
    Ok(())
}

async fn show(State(app): State<App>, staff: Staff) -> Result<Json<FactorState>, Problem> {
    Ok(Json(app.factor(&staff).await?))
}

async fn offer(
    State(app): State<App>,
    caller: Caller,
    shown: HeaderMap,
    staff: Staff,
    Body(ShowAgain { password, code }): Body<ShowAgain>,
) -> Result<Json<FactorOffer>, Problem> {
    let (source, house) = (app.source(&shown, &caller, staff.person.as_str()).await?, app.issuer().await?);
    let deeds = app.deeds.clone();
    let ask = move |register: &Register, source: &Source, now| {
        let given = PasswordAndCode::new(&password, code.as_deref());
        register.offer_factor((source, &house), &staff, &given, now, |used| used.write(&deeds))
    };
    Ok(Json(app.ask_with_password(source, ask).await?))
}

async fn enrol(
    State(app): State<App>,
    staff: Staff,
    Body(FirstCode { code }): Body<FirstCode>,
) -> Result<(StatusCode, Json<RecoveryCodes>), Problem> {
    let (deeds, person) = (app.deeds.clone(), staff.person.clone());
    let enrol = move |register: &Register, now| {
        register.enrol_factor(&staff, &code, now, |enrolled| write(&deeds, &staff, enrolled))
    };
    let codes = app.ask(enrol).await?;
    app.pendings.unsign(&person, app.clock.now());
    Ok((StatusCode::CREATED, Json(RecoveryCodes { codes })))
}

async fn renew(
    State(app): State<App>,
    caller: Caller,
    shown: HeaderMap,
    staff: Staff,
    Body(ShowAgain { password, code }): Body<ShowAgain>,
) -> Result<(StatusCode, Json<RecoveryCodes>), Problem> {
    let source = app.source(&shown, &caller, staff.person.as_str()).await?;
    let deeds = app.deeds.clone();
    let ask = move |register: &Register, source: &Source, now| {
        let given = PasswordAndCode::new(&password, code.as_deref());
        let used = |used: &RecoveryUsed| used.write(&deeds);
        register.make_recovery_codes(source, &staff, &given, now, used, |made| write(&deeds, &staff, made))
    };
    let codes = app.ask_with_password(source, ask).await?;
    Ok((StatusCode::CREATED, Json(RecoveryCodes { codes })))
}

async fn resets(State(app): State<App>) -> Result<Json<Vec<WaitingReset>>, Problem> {
    Ok(Json(app.waiting_resets().await?))
}

async fn propose(
    State(app): State<App>,
    staff: Staff,
    Body(ResetFactor { person, second, reason }): Body<ResetFactor>,
) -> Result<(StatusCode, Json<Pending>), Problem> {
    if reason.trim().is_empty() {
        return Err(Problem::Malformed("`reason` is empty".to_owned()));
    }
    let second = app.agrees(second).await?;
    let member = app.ask(move |register, now| register.member(&person, now)).await?;
    if !member.factor {
        return Err(register::Error::from(register::Refusal::NoFactor).into());
    }
    if member.person == staff.person || member.person == second {
        let words = "nobody resets their own second factor, nor agrees to it".to_owned();
        return Err(Problem::Conflict("one-person", words));
    }
    let deed = Deed::FactorResetBegun { person: member.person, second, reason };
    Ok((StatusCode::CREATED, Json(app.hold_deed(staff, deed).await?)))
}

async fn begin(
    State(app): State<App>,
    staff: Staff,
    Body(Signed { pending }): Body<Signed>,
) -> Result<(StatusCode, Json<WaitingReset>), Problem> {
    let is_it = |held: &PendingDeed| held.deed.kind() == DeedKind::FactorResetBegun;
    let deed = app.signed(&pending, &staff, is_it)?;
    let begun = app.deeds.write(staff.role.actor(staff.person), deed).await?;
    let all = app.waiting_resets().await?;
    let reset = all.into_iter().find(|it| it.begun == begun);
    // It was stopped at once.
    Ok((StatusCode::CREATED, Json(reset.ok_or(Problem::NotFound)?)))
}

async fn stop(
    State(app): State<App>,
    caller: Caller,
    shown: HeaderMap,
    staff: Staff,
    Body(StopReset { begun, password, code }): Body<StopReset>,
) -> Result<StatusCode, Problem> {
    let reset = app.waiting_resets().await?.into_iter().find(|it| it.begun == begun);
    let person = reset.map(|it| it.person).filter(|person| {
        // Whether anything waits for others is told to nobody else.
        *person == staff.person || staff.role == Role::Administrator
    });
    let person = person.ok_or(Problem::NotFound)?;
    let source = app.source(&shown, &caller, staff.person.as_str()).await?;
    let (deeds, own) = (app.deeds.clone(), staff.person.clone());
    let confirm = move |register: &Register, source: &Source, now| {
        let given = PasswordAndCode::new(&password, code.as_deref());
        register.confirm_with(source, own.as_str(), &given, now, |used| used.write(&deeds))
    };
    let Confirmed { factor, .. } = app.ask_with_password(source, confirm).await?;
    let deed = Deed::FactorResetStopped { begun, person, factor };
    app.deeds.write(staff.role.actor(staff.person), deed).await?;
    Ok(StatusCode::NO_CONTENT)
}
