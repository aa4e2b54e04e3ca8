//! Witnesses: who keeps checkpoints of this ledger elsewhere, opening without any, and declaring a loss. Each takes two people.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use punto_record::{Actor, Contest, Deed, DeedKind, Seq, Timestamp, WitnessName};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::answer::Problem;
use super::body::Body;
use super::house::OFFICE;
use super::route::Route;
use super::rules::Recorded;
use super::staff::ADMINISTRATORS;
use super::tickets::{Second, Signed};
use crate::app::App;
use crate::floor::Hold;
use crate::pending::{Pending, PendingDeed};
use crate::register::Staff;
use crate::witness::{History, Told, WitnessState, contested};

/// The routes of this file.
pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get(
            "/api/witnesses",
            "Who keeps checkpoints of this ledger elsewhere, and what they say",
            OFFICE,
            list,
        )
        .gives::<WitnessList>(),
        Route::post(
            "/api/witnesses/pending",
            "Have the naming, changing or removal of a witness wait for a second person",
            ADMINISTRATORS,
            change,
        )
        .takes::<ChangeWitness>()
        .gives::<Pending>(),
        Route::post(
            "/api/witnesses/unwitnessed/pending",
            "Have opening without a witness wait for a second person",
            ADMINISTRATORS,
            open,
        )
        .takes::<Second>()
        .gives::<Pending>(),
        Route::post(
            "/api/witnesses/losses/pending",
            "Have the declaration of a loss wait for a second person",
            ADMINISTRATORS,
            lose,
        )
        .takes::<DeclareLoss>()
        .gives::<Pending>(),
        Route::post(
            "/api/witnesses",
            "Record what a second person signed for about witnesses",
            ADMINISTRATORS,
            record,
        )
        .takes::<Signed>()
        .gives::<Recorded>(),
    ]
}

/// The witnesses of this ledger.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WitnessList {
    /// What they say together.
    pub history: History,
    /// Those in use.
    pub witnesses: Vec<WitnessListed>,
}

/// A witness.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WitnessListed {
    /// Its name.
    pub witness: WitnessName,
    /// Where it is.
    pub address: String,
    /// The key that it signs with; a folder has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The name under which it keeps this ledger.
    pub origin: String,
    /// How it stands.
    pub state: WitnessState,
    /// Entries that it has confirmed.
    pub size: u64,
    /// When it confirmed them, since the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Timestamp>,
    /// Entries under the last checkpoint that it does not have yet.
    pub lag: u64,
    /// Why it did not confirm the last time it was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
    /// The entry of the house that says that it keeps another history.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contested: Option<Seq>,
    /// What it keeps instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other: Option<Contest>,
}

/// Names a witness, changes where it is or its key, or takes it out of use.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangeWitness {
    /// Which.
    pub witness: WitnessName,
    /// `folder:/PATH`, `http://HOST…` or `https://HOST…`.
    pub address: Arc<str>,
    /// The key that it signs with, `NAME+ID+KEY`; a folder has none.
    #[serde(default)]
    pub key: Option<Arc<str>>,
    /// Whether it is in use.
    pub in_use: bool,
    /// Who agrees: another Administrator, or a Table Games Shift Manager or above.
    pub second: String,
    /// Why.
    pub reason: Arc<str>,
}

/// Declares that what a witness has is lost: after a restored backup, or at a standby site.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeclareLoss {
    /// Which witness.
    pub witness: WitnessName,
    /// Up to which entry it has the other history, as `GET /api/witnesses` tells.
    pub to: u64,
    /// Who agrees: another Administrator, or a Table Games Shift Manager or above.
    pub second: String,
    /// How it came to that.
    pub reason: Arc<str>,
}

impl From<Told> for WitnessListed {
    fn from(told: Told) -> WitnessListed {
        let Told { witness, origin, state, size, at, lag, age: _, own: _, words, contest } = told;
        WitnessListed {
            witness: witness.name,
            address: witness.address.to_string(),
            key: witness.key.map(|key| key.to_string()),
            origin: origin.to_string(),
            state,
            size,
            at,
            lag,
            words,
            contested: witness.contested.map(|(seq, _)| seq),
            other: contest,
        }
    }
}

async fn list(State(app): State<App>) -> Json<WitnessList> {
    let witnesses = app.witnesses.told().into_iter().map(WitnessListed::from).collect();
    Json(WitnessList { history: app.history(), witnesses })
}

fn given(reason: &str) -> Result<(), Problem> {
    match reason.trim() {
        "" => Err(Problem::Malformed("`reason` says nothing".to_owned())),
        _ => Ok(()),
    }
}

fn not_now(words: &str) -> Problem {
    Problem::Conflict("not-now", words.to_owned())
}

impl App {
    /// Has a deed about witnesses wait, if it could be done now.
    async fn hold_witness_deed(
        &self,
        staff: Staff,
        deed: Deed,
    ) -> Result<(StatusCode, Json<Pending>), Problem> {
        let asked = deed.clone();
        let admitted = self.floor.ledger().with(move |vault| Ok(vault.witnesses().admit(&asked))).await?;
        admitted.map_err(not_now)?;
        Ok((StatusCode::CREATED, Json(self.hold_deed(staff, deed).await?)))
    }

    /// Whether a deed is about how things stand; the vault looks at the rest.
    fn is_about_now(&self, deed: &Deed) -> Result<(), Problem> {
        if let Deed::OpenedUnwitnessed { .. } = deed {
            let is_held = self.floor.holds().contains(&Hold::HistoryUnwitnessed);
            return match is_held && self.witnesses.asked() {
                true => Ok(()),
                false => Err(not_now("a witness has answered, or not all were asked yet")),
            };
        }
        Ok(())
    }
}

async fn change(
    State(app): State<App>,
    staff: Staff,
    Body(asked): Body<ChangeWitness>,
) -> Result<(StatusCode, Json<Pending>), Problem> {
    let ChangeWitness { witness, address, key, in_use, second, reason } = asked;
    given(&reason)?;
    let second = app.agrees(second).await?;
    app.hold_witness_deed(staff, Deed::WitnessChanged { witness, address, key, in_use, second, reason }).await
}

async fn open(
    State(app): State<App>,
    staff: Staff,
    Body(Second { second, reason }): Body<Second>,
) -> Result<(StatusCode, Json<Pending>), Problem> {
    given(&reason)?;
    let second = app.agrees(second).await?;
    let deed = Deed::OpenedUnwitnessed { second, reason };
    app.is_about_now(&deed)?;
    app.hold_witness_deed(staff, deed).await
}

async fn lose(
    State(app): State<App>,
    staff: Staff,
    Body(DeclareLoss { witness, to, second, reason }): Body<DeclareLoss>,
) -> Result<(StatusCode, Json<Pending>), Problem> {
    given(&reason)?;
    let second = app.agrees(second).await?;
    let told = app.witnesses.told().into_iter().find(|it| it.witness.name == witness);
    let told = told.filter(|it| it.contest.as_ref().is_some_and(|contest| contest.to == to));
    let told = told.ok_or_else(|| not_now("that is not what the witness has"))?;
    let Some(contest) = told.contest else { return Err(not_now("the witness has no other history")) };
    // The witness may have moved on since that was written down.
    if told.witness.contested.is_none_or(|(_, written)| written != contest) {
        app.deeds.write(Actor::House, contested(&contest, told.own)).await?;
        app.look_at_witnesses().await?;
    }
    let Contest { witness, from, to, root } = contest;
    app.hold_witness_deed(staff, Deed::LossDeclared { witness, from, to, root, second, reason }).await
}

async fn record(
    State(app): State<App>,
    staff: Staff,
    Body(Signed { pending }): Body<Signed>,
) -> Result<(StatusCode, Json<Recorded>), Problem> {
    let is_it = |held: &PendingDeed| {
        let kind = held.deed.kind();
        matches!(kind, DeedKind::WitnessChanged | DeedKind::OpenedUnwitnessed | DeedKind::LossDeclared)
    };
    let deed = app.signed(&pending, &staff, is_it)?;
    app.is_about_now(&deed)?;
    let opens = deed.kind() == DeedKind::OpenedUnwitnessed;
    let entry = app.deeds.write(staff.role.actor(staff.person), deed).await?;
    if opens {
        app.witnesses.open_unwitnessed();
    }
    app.look_at_witnesses().await?;
    app.witnesses.poke();
    Ok((StatusCode::CREATED, Json(Recorded { entry })))
}
