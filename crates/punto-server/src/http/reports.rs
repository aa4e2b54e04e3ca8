//! Reports: pure functions of the record, read beside whoever writes it.

use std::ops::ControlFlow;

use axum::Json;
use axum::extract::State;
use punto_ledger::Error;
use punto_record::{TableId, Timestamp};
use punto_reports::{Asked, Filter, GamingDay, Reporter};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::answer::Problem;
use super::body;
use super::route::{Route, Who};
use crate::app::App;
use crate::role::Role;

/// The routes of this file.
pub(super) fn routes() -> Vec<Route> {
    let office = &[Role::ShiftManager, Role::DutyManager, Role::PitManager, Role::Cashier, Role::Auditor];
    vec![
        Route::get(
            "/api/report",
            "All sheets, as `punto report --format json` prints them",
            Who::Staff(office),
            report,
        )
        .asks::<What>()
        .gives::<Value>(),
    ]
}

/// What of the record.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct What {
    /// One table.
    #[serde(default)]
    pub table: Option<TableId>,
    /// One gaming day, as in 2026-11-14.
    #[serde(default)]
    pub day: Option<String>,
    /// From this time on, in milliseconds since 1970.
    #[serde(default)]
    pub from: Option<u64>,
    /// Until before this time.
    #[serde(default)]
    pub until: Option<u64>,
}

async fn report(
    State(app): State<App>,
    body::Asked(what): body::Asked<What>,
) -> Result<Json<Value>, Problem> {
    let day = what.day.as_deref().map(GamingDay::parse).transpose();
    let day = day.map_err(|error| Problem::Malformed(error.to_string()))?;
    let filter =
        Filter { from: what.from.map(Timestamp), until: what.until.map(Timestamp), table: what.table, day };
    let asked = Asked { filter, ..Asked::everything(app.clock.now()) };
    let read = app.floor.read(move |reader| {
        let mut reporter = Reporter::new(asked);
        let mut fault = None;
        reader.entries(0, &mut |stored| match reporter.take(stored.volume, stored.bytes) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                fault = Some(format!("entry {} of {}: {error}", stored.seq, stored.volume));
                ControlFlow::Break(())
            }
        })?;
        match fault {
            Some(fault) => Err(Error::Damaged(fault.into())),
            None => Ok(serde_json::to_value(reporter.finish())),
        }
    });
    read.await?.map(Json).map_err(Problem::internal)
}
