//! The register of people and devices was tampered with: what was found, and two people who clear it.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use punto_record::{Deed, DeedKind, Seq};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::answer::Problem;
use super::body::Body;
use super::house::OFFICE;
use super::route::Route;
use super::staff::ADMINISTRATORS;
use super::tickets::Signed;
use crate::app::App;
use crate::pending::{Pending, PendingDeed};
use crate::register::{Register, Staff, say_found};

/// The routes of this file.
pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get("/api/register", "What was found in the register of people and devices", OFFICE, show)
            .gives::<RegisterState>(),
        Route::post(
            "/api/register/pending",
            "Have the clearing of the register wait for a second person",
            ADMINISTRATORS,
            propose,
        )
        .takes::<ClearRegister>()
        .gives::<Pending>(),
        Route::post(
            "/api/register",
            "Clear the register, for which a second person signed: Rounds open again",
            ADMINISTRATORS,
            clear,
        )
        .takes::<Signed>(),
    ]
}

/// Whether the register of people and devices is as the deeds say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RegisterState {
    /// What differs, if something was found that nobody has cleared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tampered: Option<RegisterTampered>,
}

/// Rows that differ from their deeds, or that no deed accounts for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RegisterTampered {
    /// The entry of the house that says so.
    pub failed: Seq,
    /// Which rows.
    pub words: String,
}

/// Says that what was found in the register was looked into. Its rows are made again from the deeds; the people
/// concerned are invited again.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClearRegister {
    /// The entry of the house that says what was found last.
    pub failed: Seq,
    /// Who agrees: another Administrator, or a Table Games Shift Manager or above.
    pub second: String,
    /// What was found out.
    pub reason: Arc<str>,
}

async fn show(State(app): State<App>) -> Result<Json<RegisterState>, Problem> {
    let told = |(failed, words): (Seq, &str)| RegisterTampered { failed, words: words.to_owned() };
    let tampered = app.floor.ledger().with(move |vault| Ok(vault.register_tampered().map(told))).await?;
    Ok(Json(RegisterState { tampered }))
}

async fn propose(
    State(app): State<App>,
    staff: Staff,
    Body(ClearRegister { failed, second, reason }): Body<ClearRegister>,
) -> Result<(StatusCode, Json<Pending>), Problem> {
    if reason.trim().is_empty() {
        return Err(Problem::Malformed("`reason` says nothing".to_owned()));
    }
    let second = app.agrees(second).await?;
    let last = app.floor.ledger().with(|vault| Ok(vault.register_tampered().map(|(seq, _)| seq))).await?;
    if last != Some(failed) {
        let words = "that is not what was last found in the register".to_owned();
        return Err(Problem::Conflict("not-found-there", words));
    }
    let deed = Deed::RegisterCleared { failed, second, reason };
    Ok((StatusCode::CREATED, Json(app.hold_deed(staff, deed).await?)))
}

async fn clear(
    State(app): State<App>,
    staff: Staff,
    Body(Signed { pending }): Body<Signed>,
) -> Result<StatusCode, Problem> {
    let is_it = |held: &PendingDeed| held.deed.kind() == DeedKind::RegisterCleared;
    let deed = app.signed(&pending, &staff, is_it)?;
    app.deeds.write(staff.role.actor(staff.person), deed).await?;
    let (ledger, clock) = (app.floor.ledger().clone(), app.clock.clone());
    let load = move |register: &Register, now| {
        let look = ledger.with(move |vault| vault.register(clock.now()));
        register.load_from(now, || tokio::runtime::Handle::current().block_on(look))
    };
    let loaded = app.ask(load).await;
    // Also where something else was found meanwhile.
    app.floor.look_at_register().await?;
    loaded.map(|()| StatusCode::NO_CONTENT)
}

impl App {
    /// Compares the register's rows with the deeds, and holds Rounds back if they differ. What is at work here was compared
    /// when it was loaded.
    ///
    /// # Errors
    /// If the ledger failed.
    pub(crate) async fn compare_register(&self) -> Result<(), punto_ledger::Error> {
        let clock = self.clock.clone();
        let found = self.floor.ledger().with(move |vault| vault.register(clock.now())).await?;
        say_found(&found);
        self.floor.look_at_register().await
    }
}
