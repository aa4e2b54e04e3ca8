//! What screens look up beside the feed: what is printed at the table, and its last Rounds.

use std::ops::ControlFlow;

use axum::Json;
use axum::extract::State;
use punto_record::{Entry, MoneyKind, Seq, TableId, Volume};
use punto_reports::{Recall, Recalled, Whose};
use punto_table::Printed;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::answer::Problem;
use super::body::{Asked, Named};
use super::guard::Caller;
use super::route::{Route, Who};
use crate::app::App;
use crate::role::Role;
use crate::wire::Screen;

/// Rounds that are looked up at once, at most, and if nobody says how many.
const MOST: usize = 50;
const USUAL: usize = 20;

/// Entries that are read for them: a few at first, more if they do not hold enough Rounds.
const FIRST_WINDOW: u64 = 1 << 10;
const LAST_WINDOW: u64 = 1 << 18;

/// The routes of this file.
pub(super) fn routes() -> Vec<Route> {
    let screens = &[Screen::Board, Screen::Terminal];
    let staff = &[
        Role::Dealer,
        Role::PitSupervisor,
        Role::PitManager,
        Role::ShiftManager,
        Role::DutyManager,
        Role::Cashier,
        Role::Auditor,
    ];
    vec![
        Route::get(
            "/api/tables/{table}/print",
            "What is printed at a table: felt, pay table, paragraphs",
            Who::DeviceOrStaff(screens, &Role::ALL),
            print,
        )
        .gives::<Printed<'_>>(),
        Route::get(
            "/api/tables/{table}/rounds",
            "The last Rounds that are over, the latest first: a terminal's own wagers, for staff everybody's",
            Who::DeviceOrStaff(screens, staff),
            rounds,
        )
        .asks::<Rounds>()
        .gives::<Vec<Recalled>>()
        .unattended(),
    ]
}

/// How many Rounds.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rounds {
    /// At most.
    #[serde(default = "usual")]
    pub limit: usize,
}

const fn usual() -> usize {
    USUAL
}

async fn print(State(app): State<App>, Named(table): Named<TableId>) -> Result<Json<Box<RawValue>>, Problem> {
    let printed = |table: &punto_table::Table| table.printed().map(|it| serde_json::value::to_raw_value(&it));
    let printed = app.floor.look(&table, printed).await.flatten().ok_or(Problem::NotFound)?;
    printed.map(Json).map_err(Problem::internal)
}

async fn rounds(
    State(app): State<App>,
    caller: Caller,
    Named(table): Named<TableId>,
    Asked(Rounds { limit }): Asked<Rounds>,
) -> Result<Json<Vec<Recalled>>, Problem> {
    let id = table;
    let whose = whose(&caller, &id)?;
    let look = move |table: &punto_table::Table| {
        let state = table.state();
        let is_chips = state.settings.as_ref().is_some_and(|it| it.money == MoneyKind::Chips);
        let credits = match whose {
            Whose::Patron(patron) if !is_chips => Some(state.credits(patron)),
            Whose::Patron(_) | Whose::Everybody | Whose::Nobody => None,
        };
        (state.seq, credits)
    };
    let (head, credits) = app.floor.look(&id, look).await.ok_or(Problem::NotFound)?;
    let limit = limit.clamp(1, MOST);
    let read = app.floor.read(move |reader| {
        let mut window = FIRST_WINDOW;
        loop {
            let after = Seq(head.0.saturating_sub(window));
            let mut recall = Recall::new(whose, limit);
            reader.entries_of(&Volume::Table(id.clone()), after, &mut |stored| {
                // What is not an entry is for the audit to find.
                if let Ok(entry) = serde_json::from_slice::<Entry>(stored.bytes) {
                    if entry.seq > head {
                        return ControlFlow::Break(());
                    }
                    recall.enter(&entry);
                }
                ControlFlow::Continue(())
            })?;
            if recall.len() >= limit || after == Seq(0) || window >= LAST_WINDOW {
                return Ok(recall.finish(credits));
            }
            window *= 8;
        }
    });
    Ok(Json(read.await?))
}

/// What the caller may look up; a device at its own table only.
fn whose(caller: &Caller, table: &TableId) -> Result<Whose, Problem> {
    match caller {
        Caller::Nobody => Err(Problem::NotSignedIn),
        Caller::Staff(..) => Ok(Whose::Everybody),
        // Other tables are nothing to a device.
        Caller::Device(device) if device.kind.table() != table => Err(Problem::NotFound),
        Caller::Device(device) => Ok(match (device.kind.screen(), device.kind.patron()) {
            (_, Some(patron)) => Whose::Patron(patron),
            (_, None) => Whose::Nobody,
        }),
    }
}
