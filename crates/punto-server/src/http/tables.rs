//! Tables: which there are, how they stand, setting one up, what its record says.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use punto_record::{
    Command, Deed, DeviceId, Order, OrderId, Person, Seq, Settings, TableId, Timestamp, Volume,
};
use punto_rules::Rulebook;
use punto_rules::rulebook::APPROVED;
use punto_table::PhaseWord;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::answer::Problem;
use super::body::{Asked, Body, Named};
use super::route::{Route, Who};
use super::staff::ADMINISTRATORS;
use super::tickets::{Second, Signed};
use crate::app::App;
use crate::floor::Standing;
use crate::pending::{Pending, PendingDeed};
use crate::register::Staff;
use crate::role::Role;
use crate::wire::{Answer, Denial, Screen, Status};

/// Entries that are handed out at once.
const MOST: usize = 5_000;

/// Who sets up tables, and who agrees to that.
pub(crate) const SETS_UP: [Role; 3] = [Role::ShiftManager, Role::DutyManager, Role::Administrator];
const SET_UP: Who = Who::Staff(&SETS_UP);
const RECORD: Who = Who::Staff(&[
    Role::Auditor,
    Role::ShiftManager,
    Role::DutyManager,
    Role::PitManager,
    Role::PitSupervisor,
    Role::Cashier,
]);
/// A console is a device and a member of staff: by itself it reads nothing.
const SCREENS: [Screen; 3] = [Screen::Board, Screen::Terminal, Screen::Reader];

/// The routes of this file.
pub(super) fn routes() -> Vec<Route> {
    let (all, one) = ("/api/tables", "/api/tables/{table}/settings");
    let everybody = Who::DeviceOrStaff(&SCREENS, &Role::ALL);
    vec![
        Route::get(all, "All tables, and how they stand", Who::Staff(&Role::ALL), list)
            .gives::<Vec<Listed>>(),
        Route::post(all, "Set up a table and open it", SET_UP, open).takes::<Open>().gives::<Opened>(),
        Route::put(
            one,
            "Change the settings of a table between Rounds, while no credits stand at it",
            SET_UP,
            change,
        )
        .takes::<Open>()
        .gives::<Opened>(),
        Route::get(
            "/api/tables/{table}/rulebook",
            "The rule book in force, as approved",
            everybody,
            rulebook,
        )
        .gives::<RulebookText>(),
        Route::get(
            "/api/tables/{table}/entries",
            "Entries of the record, as they are stored",
            RECORD,
            entries,
        )
        .asks::<After>()
        .gives::<Entries>(),
        Route::post(
            "/api/tables/{table}/unlock/pending",
            "Have the unlocking of a table wait for a second person",
            ADMINISTRATORS,
            propose_unlock,
        )
        .takes::<Second>()
        .gives::<Pending>(),
        Route::post(
            "/api/tables/{table}/unlock",
            "Unlock a table whose books were looked into, for which a second person signed",
            ADMINISTRATORS,
            unlock,
        )
        .takes::<Signed>(),
    ]
}

/// A table, and how it stands.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "TableListed")]
pub struct Listed {
    /// Its name.
    pub table: TableId,
    /// How it stands.
    #[serde(flatten)]
    pub standing: Standing,
}

/// Sets up a table.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Open {
    /// Everything that is fixed when a table opens.
    pub settings: Settings,
    /// The rule book, if it is not the approved one of the game.
    #[serde(default)]
    pub rulebook: Option<Arc<str>>,
    /// A second person who agrees; in a house two people answer for settings that touch rights.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second: Option<Person>,
    /// What both signed, where a second person is named: the same order, held for signatures.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pending: Option<String>,
}

/// A table was opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Opened {
    /// The table.
    pub table: TableId,
    /// The entry.
    pub seq: Seq,
}

/// A rule book, as approved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RulebookText {
    /// The text.
    pub rulebook: String,
}

/// From where on.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct After {
    /// The last entry that is known already.
    #[serde(default)]
    pub after: u64,
    /// How many at most.
    #[serde(default = "most")]
    pub limit: usize,
}

const fn most() -> usize {
    MOST
}

/// A part of a table's record.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Entries {
    /// Entries as they are stored, one after another.
    #[schemars(with = "Vec<punto_record::Entry>")]
    pub entries: Vec<Box<RawValue>>,
    /// The last entry that there is.
    pub head: Seq,
}

async fn list(State(app): State<App>) -> Json<Vec<Listed>> {
    let standings: BTreeMap<TableId, Standing> = app.floor.standings().borrow().clone();
    let unknown = || Standing {
        seq: Seq(0),
        game: None,
        layout: None,
        phase: PhaseWord::Closed,
        round: Default::default(),
        cards_left: None,
        matters: 0,
        won: 0,
        screens: 0,
        status: Status::Running,
    };
    let listed = |table: TableId| {
        let standing = standings.get(&table).cloned().unwrap_or_else(unknown);
        Listed { table, standing }
    };
    Json(app.floor.tables().into_iter().map(listed).collect())
}

async fn open(
    State(app): State<App>,
    staff: Staff,
    Body(asked): Body<Open>,
) -> Result<(StatusCode, Json<Opened>), Problem> {
    let table = asked.settings.table.clone();
    if !table.is_fit() {
        return Err(Problem::Malformed(format!("`table`: expected {}", TableId::GRAMMAR)));
    }
    let (second, pending) = (asked.second.clone(), asked.pending.clone());
    let (settings, rulebook) = law(asked)?;
    let command = Command::OpenTable { settings, rulebook, second };
    let opened = give(&app, &staff, table, command, pending.as_deref(), true).await?;
    Ok((StatusCode::CREATED, Json(opened)))
}

async fn change(
    State(app): State<App>,
    staff: Staff,
    Named(table): Named<TableId>,
    Body(asked): Body<Open>,
) -> Result<Json<Opened>, Problem> {
    let (second, pending) = (asked.second.clone(), asked.pending.clone());
    let (settings, rulebook) = law(asked)?;
    let command = Command::ChangeSettings { settings, rulebook, second };
    give(&app, &staff, table, command, pending.as_deref(), false).await.map(Json)
}

/// The settings, and the rule book that they go by.
fn law(asked: Open) -> Result<(Box<Settings>, Arc<str>), Problem> {
    let Open { settings, rulebook, second: _, pending: _ } = asked;
    let rulebook = match rulebook {
        Some(text) => text,
        None => {
            let is_it = |text: &&str| Rulebook::parse(text).is_ok_and(|book| book.game == settings.game);
            let found = APPROVED.iter().map(|(_, text)| *text).find(is_it);
            let words = || format!("there is no approved rule book of `{}`", settings.game);
            found.ok_or_else(|| Problem::Conflict("no-such-game", words()))?.into()
        }
    };
    Ok((Box::new(settings), rulebook))
}

/// Numbers that rise, also over a restart: nobody waits for the answer to one before giving the next.
fn next_number(now: Timestamp) -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    let next = |last: u64| Some(now.0.max(last + 1));
    let last = LAST.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next).expect("there is always a next");
    now.0.max(last + 1)
}

fn not_signed(denial: Denial) -> Problem {
    let words = "a second person is named who did not sign this order, or both have to sign it again";
    Problem::Conflict(denial.id(), words.to_owned())
}

/// Gives an order to a table in the name of a session.
pub(super) async fn give(
    app: &App,
    staff: &Staff,
    table: TableId,
    command: Command,
    pending: Option<&str>,
    set_up: bool,
) -> Result<Opened, Problem> {
    let device: DeviceId = format!("http-{}", staff.session).parse().map_err(Problem::internal)?;
    let n = next_number(app.clock.now());
    let by = staff.role.actor(staff.person.clone());
    let order = Order { id: OrderId { device, n }, by, at: Timestamp(0), round: None, command };
    // Nobody is named as agreeing who did not sign.
    if order.command.second().is_some() {
        let pending = pending.ok_or_else(|| not_signed(Denial::ApprovalNeeded))?;
        let (book, now) = (app.floor.ledger().staff(), app.clock.now());
        let used = app.pendings.use_order(pending, &staff.session, (&table, &order), book, now);
        used.map_err(not_signed)?;
    }
    match app.floor.order(&table, order, set_up).await?.ok_or(Problem::NotFound)? {
        Answer::Done(seq) | Answer::Before(seq) => Ok(Opened { table, seq }),
        Answer::Refused(rejection) => Err(Problem::Conflict("refused", rejection.to_string())),
        Answer::Denied(denial) => {
            Err(Problem::Conflict(denial.id(), "the order did not reach the table".to_owned()))
        }
        Answer::Busy => Err(Problem::Busy),
        Answer::Unknown => {
            Err(Problem::Conflict("unknown", "the ledger failed; look before trying again".to_owned()))
        }
    }
}

async fn rulebook(
    State(app): State<App>,
    Named(table): Named<TableId>,
) -> Result<Json<RulebookText>, Problem> {
    let text = app.floor.look(&table, |table| table.rulebook().map(str::to_owned)).await;
    let rulebook = text.flatten().ok_or(Problem::NotFound)?;
    Ok(Json(RulebookText { rulebook }))
}

async fn entries(
    State(app): State<App>,
    Named(table): Named<TableId>,
    Asked(After { after, limit }): Asked<After>,
) -> Result<Json<Entries>, Problem> {
    let id = table;
    let head = app.floor.look(&id, |table| table.state().seq).await.ok_or(Problem::NotFound)?;
    let limit = limit.clamp(1, MOST);
    let read = app.floor.read(move |reader| {
        let mut entries = Vec::new();
        reader.entries_of(&Volume::Table(id), Seq(after), &mut |stored| {
            // Every entry is JSON; what is not would be shown as nothing.
            let text = String::from_utf8_lossy(stored.bytes).into_owned();
            entries.extend(RawValue::from_string(text));
            if entries.len() < limit { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        Ok(entries)
    });
    Ok(Json(Entries { entries: read.await?, head }))
}

async fn propose_unlock(
    State(app): State<App>,
    staff: Staff,
    Named(table): Named<TableId>,
    Body(Second { second, reason }): Body<Second>,
) -> Result<(StatusCode, Json<Pending>), Problem> {
    let second = app.agrees(second).await?;
    let deed = Deed::TableUnlocked { table, second, reason };
    Ok((StatusCode::CREATED, Json(app.hold_deed(staff, deed).await?)))
}

async fn unlock(
    State(app): State<App>,
    staff: Staff,
    Named(table): Named<TableId>,
    Body(Signed { pending }): Body<Signed>,
) -> Result<StatusCode, Problem> {
    let named = table.clone();
    let is_it =
        move |held: &PendingDeed| matches!(&held.deed, Deed::TableUnlocked { table, .. } if *table == named);
    let deed = app.signed(&pending, &staff, is_it)?;
    app.deeds.write(staff.role.actor(staff.person), deed).await?;
    app.floor.reload(&table).await;
    Ok(StatusCode::NO_CONTENT)
}
