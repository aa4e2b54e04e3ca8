//! Sets the floor up: tables, consoles and terminals, by the Administrator.

use std::sync::Arc;

use punto_record::{DeviceId, TableId};
use punto_rules::PatronNo;
use serde::Deserialize;

use super::chance::Chance;
use super::pace::Pace;
use super::tables::{Plan, patrons_box, plans};
use crate::client::{Error, Http};
use crate::http::devices::{Enrol, Told};
use crate::http::tables::{Open, Opened};
use crate::register::DeviceKind;

/// A table that is set up.
#[derive(Clone, Debug)]
pub(super) struct Table {
    /// Its place among the tables.
    pub(super) at: usize,
    pub(super) plan: Arc<Plan>,
    /// The credential of its console.
    pub(super) console: Arc<str>,
    pub(super) terminals: Arc<[Terminal]>,
}

impl Table {
    pub(super) fn id(&self) -> &TableId {
        &self.plan.settings.table
    }
}

/// A Player Terminal and who sits at it.
#[derive(Clone, Debug)]
pub(super) struct Terminal {
    pub(super) patron: PatronNo,
    pub(super) credential: Arc<str>,
}

/// What of a listed device matters here.
#[derive(Deserialize)]
struct Listed {
    device: DeviceId,
    kind: DeviceKind,
    revoked: Option<u64>,
}

/// Opens the tables that are not open and enrols their devices. Those of an earlier start are revoked: nobody knows their
/// credentials any more.
pub(super) async fn set_up(administrator: &Http, pace: Pace, chance: &Chance) -> Result<Vec<Table>, Error> {
    let plans = plans(pace);
    let known: Vec<Listed> = administrator.get("/api/devices").await?;
    // A visitor's device at the same table has another kind of name.
    let is_ours = |it: &&Listed| {
        let table = it.kind.table();
        let is_named_so =
            it.device.as_str().strip_prefix(table.as_str()).is_some_and(|it| it.starts_with('-'));
        it.revoked.is_none() && is_named_so && plans.iter().any(|plan| plan.settings.table == *table)
    };
    for listed in known.iter().filter(is_ours) {
        administrator.delete(&format!("/api/devices/{}", listed.device)).await?;
    }
    // A device keeps its name for ever; those of this start have a number that no other start had.
    let start = format!("{:x}", chance.fork(known.len() as u64).number());
    let mut tables = Vec::new();
    for (at, plan) in plans.into_iter().enumerate() {
        let asked = Open { settings: plan.settings.clone(), rulebook: None, second: None, pending: None };
        match administrator.post::<Opened>("/api/tables", &asked).await {
            Ok(_) => {}
            // Open since an earlier start: it goes on as it is.
            Err(error) if error.is_conflict() => tracing::debug!(%error, "a table of the demonstration"),
            Err(error) => return Err(error),
        }
        let table = plan.settings.table.clone();
        let enrol = async |name: String, kind: DeviceKind| {
            let device = format!("{table}-{name}-{start}");
            let told: Told = administrator.post("/api/devices", &Enrol { device, kind }).await?;
            Ok::<Arc<str>, Error>(told.credential.as_str().into())
        };
        let console = enrol("console".to_owned(), DeviceKind::Console { table: table.clone() }).await?;
        let mut terminals = Vec::new();
        for patron in (1..=plan.patrons).map(PatronNo) {
            let at_box = patrons_box(&plan, patron);
            let kind = DeviceKind::Terminal { table: table.clone(), patron, at_box };
            let credential = enrol(format!("t{}", patron.0), kind).await?;
            terminals.push(Terminal { patron, credential });
        }
        tables.push(Table { at, plan: Arc::new(plan), console, terminals: terminals.into() });
    }
    Ok(tables)
}
