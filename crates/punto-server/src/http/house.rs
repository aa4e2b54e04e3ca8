//! The house as a whole: is it well, what was signed, is the software what it was.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use punto_ledger::ADMINISTRATORS as ADMINISTRATORS_OF_A_HOUSE;
use punto_record::{Deed, LedgerKind, Seq, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::answer::Problem;
use super::body::Body;
use super::route::{Route, Who};
use super::staff::ADMINISTRATORS;
use crate::app::App;
use crate::floor::Hold;
use crate::full_check::Audited;
use crate::guest::Guest;
use crate::register::Staff;
use crate::role::Role;
use crate::wire::Status;
use crate::witness::History;

/// Who looks after the house as a whole.
pub(super) const OFFICE: Who =
    Who::Staff(&[Role::Administrator, Role::Auditor, Role::ShiftManager, Role::DutyManager]);

/// A writer that has been at one thing for so long writes nothing.
const STUCK: Duration = Duration::from_secs(6);

/// The routes of this file.
pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get("/api/health", "Whether the server runs, and takes orders", Who::Anyone, health)
            .gives::<Health>(),
        Route::get("/api/ready", "Whether to send anybody here: 503 if not", Who::Anyone, ready)
            .gives::<Health>(),
        Route::get("/api/checkpoint", "The last signed checkpoint, to be kept elsewhere", OFFICE, checkpoint)
            .gives::<SignedText>(),
        Route::post("/api/verification", "Verify the software and the rule books now", OFFICE, verify)
            .gives::<Verified>(),
        Route::post(
            "/api/restorations/seen",
            "Say that one has looked into how Administrators were restored at the host",
            ADMINISTRATORS,
            seen,
        )
        .takes::<RestorationSeen>(),
        Route::get("/api/demo", "Sign-ins and devices of the demonstration; nowhere else", Who::Anyone, demo)
            .gives::<Guest>(),
    ]
}

/// Whether the server takes orders.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Health {
    /// Whether every table does.
    pub well: bool,
    /// Whether there is real money behind it.
    pub kind: LedgerKind,
    /// The release of the software.
    pub release: String,
    /// The server's clock.
    pub now: Timestamp,
    /// Administrators were restored at the host by this entry of the house, and none of them has looked into it yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restored: Option<Seq>,
    /// A house with fewer than two Administrators who can come in: it opens no further table before it has them.
    #[serde(default, skip_serializing_if = "is_false")]
    pub too_few_administrators: bool,
    /// The system's clock is ahead of the server's by so many milliseconds, further than the server follows by itself: two
    /// people confirm it, or it is put right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_ahead: Option<u64>,
    /// The audit of the whole record, beside play: the last one, and how far the present one is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audit: Option<Audited>,
    /// Why no table opens a further Round; Rounds in play go on.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub no_further_round: BTreeSet<Hold>,
    /// Whether anybody elsewhere compares this ledger's history with what was signed before.
    pub history: History,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
const fn is_false(is: &bool) -> bool {
    !*is
}

/// Says that one has looked into a restoration of Administrators. Screens say so no longer when they next come in.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RestorationSeen {
    /// The entry of the house that restored them.
    pub restored: Seq,
    /// What was found.
    pub reason: Arc<str>,
}

async fn seen(
    State(app): State<App>,
    staff: Staff,
    Body(RestorationSeen { restored, reason }): Body<RestorationSeen>,
) -> Result<StatusCode, Problem> {
    let deed = Deed::RestorationSeen { restored, reason };
    app.deeds.write(staff.role.actor(staff.person), deed).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SignedText {
    /// The signed text; none before the first.
    pub checkpoint: Option<String>,
}

/// The software and the rule books were looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Verified {
    /// The digest of the program.
    pub software: String,
    /// Whether it is the program that was started.
    pub same: bool,
}

/// Whether every table takes orders, or goes down in order.
pub(super) fn is_well(app: &App) -> bool {
    let standings = app.floor.standings();
    let runs = standings.borrow().values().all(|it| matches!(it.status, Status::Running | Status::Closing));
    runs && writes(app)
}

/// Whether it makes sense to come here: every table runs, and nothing has happened after which the process must end.
pub(super) fn is_ready(app: &App) -> bool {
    let runs = app.floor.standings().borrow().values().all(|it| matches!(it.status, Status::Running));
    runs && writes(app) && app.floor.failed().borrow().is_none()
}

/// Whether the ledger can be written, as far as is known: it has not stopped, and its writer is not stuck.
fn writes(app: &App) -> bool {
    let ledger = app.floor.ledger();
    ledger.stopped().borrow().is_none() && ledger.pulse().busy_for() < STUCK
}

async fn health(State(app): State<App>) -> Json<Health> {
    Json(Health::of(&app))
}

/// For whoever decides where screens are sent. That the process is alive is another question, which `health` answers.
async fn ready(State(app): State<App>) -> (StatusCode, Json<Health>) {
    let status = if is_ready(&app) { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (status, Json(Health::of(&app)))
}

impl Health {
    fn of(app: &App) -> Health {
        let release = env!("CARGO_PKG_VERSION").to_owned();
        let (kind, now, book) = (app.floor.kind(), app.clock.now(), app.floor.ledger().staff());
        let too_few_administrators = kind.is_house() && book.administrators() < ADMINISTRATORS_OF_A_HOUSE;
        let (well, restored, clock_ahead) = (is_well(app), book.restored(), app.clock.ahead());
        let (audit, no_further_round) = (app.full_check.audited(), app.floor.holds());
        Health {
            well,
            kind,
            release,
            now,
            restored,
            too_few_administrators,
            clock_ahead,
            audit,
            no_further_round,
            history: app.history(),
        }
    }
}

async fn checkpoint(State(app): State<App>) -> Result<Json<SignedText>, Problem> {
    let kept = app.floor.read(|reader| Ok(reader.last_checkpoint()?.map(|kept| kept.text)));
    Ok(Json(SignedText { checkpoint: kept.await? }))
}

async fn verify(State(app): State<App>) -> Result<Json<Verified>, Problem> {
    let seen = app.verify().await.map_err(Problem::internal)?;
    Ok(Json(Verified { software: seen.digest.to_string(), same: seen.same }))
}

async fn demo(State(app): State<App>) -> Result<Json<Guest>, Problem> {
    // Only a demonstration has guests, and only it has a ledger that is marked so for ever.
    let guest = app.guest.get().filter(|_| app.floor.kind() == LedgerKind::Demo);
    guest.cloned().map(Json).ok_or(Problem::NotFound)
}
