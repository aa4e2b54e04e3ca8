//! Receipts for patrons: the entries in which their own wagers of a Round were registered, each proven to be under a signed
//! checkpoint. Nothing of anybody else is in them; the settlement of a Round names every patron and is therefore never handed out.

use std::ops::ControlFlow;

use axum::Json;
use axum::extract::State;
use punto_ledger::{Coverage, Error, Reader, Unproven};
use punto_record::{Chain, Entry, Event, RoundNo, Seq, TableId, Volume, concerns_wager_of, is_own_wager};
use punto_rules::PatronNo;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::sync::Semaphore;

use super::answer::Problem;
use super::body::Named;
use super::guard::Caller;
use super::limit::{Counted, Limit};
use super::route::{Route, Who};
use crate::app::App;
use crate::wire::Screen;

/// Entries of a table that are read to find a Round: a few at first, more if it began before them.
const FIRST_WINDOW: u64 = 1 << 10;
const LAST_WINDOW: u64 = 1 << 18;

/// Receipts that are made at once: each reads a part of the ledger.
const AT_ONCE: usize = 2;

/// How often a terminal may ask: twenty times at once, then once in three seconds.
const DEPTH: u64 = 20;
const EVERY: u64 = 3_000;

/// The routes of this file.
pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get(
            "/api/tables/{table}/rounds/{round}/receipt",
            "The receipt of the terminal's own wagers in a Round: proofs that they are in the ledger",
            Who::Device(&[Screen::Terminal]),
            receipt,
        )
        .gives::<RoundReceipt>(),
    ]
}

/// How many receipts are made, and how often.
#[derive(Debug)]
pub struct Receipts {
    limit: Limit,
    making: Semaphore,
}

impl Default for Receipts {
    fn default() -> Receipts {
        Receipts { limit: Limit::new(DEPTH, EVERY), making: Semaphore::new(AT_ONCE) }
    }
}

/// A receipt of a patron's wagers in a Round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RoundReceipt {
    /// The receipt, to be saved byte by byte.
    pub receipt: String,
    /// Entries about the patron's wagers that are not in it, because other people or members of staff are named in them.
    pub withheld: u32,
}

/// What there is about a patron's wagers in a Round.
#[derive(Debug, Default)]
struct Found {
    own: Vec<Unproven>,
    withheld: u32,
}

async fn receipt(
    State(app): State<App>,
    caller: Caller,
    Named((table, round)): Named<(TableId, RoundNo)>,
) -> Result<Json<RoundReceipt>, Problem> {
    let Caller::Device(device) = &caller else { return Err(Problem::NotSignedIn) };
    // Other tables are nothing to a device.
    let patron = device.kind.patron().filter(|_| device.kind.table() == &table).ok_or(Problem::NotFound)?;
    let head = app.floor.look(&table, |table| table.state().seq).await.ok_or(Problem::NotFound)?;
    let counted = Counted::Known(device.id.to_string());
    app.receipts.limit.take(counted, app.clock.now()).map_err(Problem::TooOften)?;
    let _permit = app.receipts.making.try_acquire().map_err(|_| Problem::Busy)?;
    let volume = Volume::Table(table);
    let read = app.floor.read(move |reader| {
        let found = find(reader, &volume, head, round, patron)?;
        let coverage = (!found.own.is_empty()).then(|| reader.prove(&volume, &found.own)).transpose()?;
        Ok((coverage, found.withheld))
    });
    match read.await? {
        (Some(Coverage::Proven(receipt)), withheld) => {
            Ok(Json(RoundReceipt { receipt: receipt.to_string(), withheld }))
        }
        (Some(Coverage::NotYetSigned), _) => Err(Problem::Conflict(
            "not-yet-signed",
            "no checkpoint signs for it yet; one is made every five seconds".to_owned(),
        )),
        (Some(Coverage::TooFarApart), _) => Err(Problem::Conflict(
            "too-long-ago",
            "it is too long ago for this route; `punto receipt make` makes it at the host".to_owned(),
        )),
        (None, 0) => Err(Problem::NotFound),
        (None, _) => Err(Problem::Conflict(
            "names-others",
            "the entries about these wagers name other people as well".to_owned(),
        )),
    }
}

/// Looks through the end of a table's record for a Round. Of a Round that began before the last window there is nothing.
fn find(
    reader: &mut Reader<'_>,
    volume: &Volume,
    head: Seq,
    round: RoundNo,
    patron: PatronNo,
) -> Result<Found, Error> {
    let mut window = FIRST_WINDOW;
    loop {
        let after = Seq(head.0.saturating_sub(window));
        let (mut found, mut is_whole) = (Found::default(), after == Seq(0));
        // The first entry of a table goes on from the start of the chain; of others it is known after one was read.
        let mut before = (after == Seq(0)).then_some(Chain::START.link);
        reader.entries_of(volume, after, &mut |stored| {
            if stored.seq > head {
                return ControlFlow::Break(());
            }
            let link_before = before.replace(stored.link);
            // What is not an entry is for the audit to find.
            let Ok(entry) = serde_json::from_slice::<Entry>(stored.bytes) else {
                return ControlFlow::Continue(());
            };
            is_whole |= entry
                .events
                .iter()
                .any(|event| matches!(event, Event::BetsOpened { round: it, .. } if *it <= round));
            if entry.order.round != Some(round) || !concerns_wager_of(&entry, patron) {
                return ControlFlow::Continue(());
            }
            match link_before.filter(|_| is_own_wager(&entry, patron)) {
                Some(before) => {
                    let (leaf, seq, bytes) = (stored.leaf, stored.seq, stored.bytes.to_vec());
                    found.own.push(Unproven { leaf, seq, before, bytes });
                }
                None => found.withheld += 1,
            }
            ControlFlow::Continue(())
        })?;
        if is_whole || window >= LAST_WINDOW {
            return Ok(if is_whole { found } else { Found::default() });
        }
        window *= 8;
    }
}
