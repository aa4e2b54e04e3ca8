//! What a run of the load generator showed.

use std::collections::BTreeMap;
use std::time::Duration;

use punto_record::TableId;
use serde::Serialize;

use super::Options;
use super::figures::{Figures, Latency};
use super::reconcile::Reconciled;

/// What a run of the load generator showed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Its tables.
    pub tables: Vec<TableId>,
    /// Its terminals.
    pub terminals: u32,
    /// Bets a second that were asked for, if they were paced.
    pub rate: Option<u32>,
    /// How long it took, in seconds.
    pub seconds: f64,
    /// For how long of that bets were open, on average over the terminals, in seconds.
    pub open_seconds: f64,
    /// Bets registered.
    pub registered: u64,
    /// Bets registered in a second while bets were open.
    pub per_second: f64,
    /// Bets refused, by reason.
    pub refused: BTreeMap<String, u64>,
    /// How often the server was too busy to take one.
    pub busy: u64,
    /// How often it could not say at once what became of one.
    pub unknown: u64,
    /// Connections that were opened again.
    pub reconnected: u64,
    /// From sending a bet to its acknowledgement, in microseconds.
    pub acknowledgement: Latency,
    /// From the server's clock in a frame to its arrival, in microseconds.
    pub feed: Latency,
    /// What the record says about it.
    pub reconciled: Reconciled,
}

impl Report {
    pub(super) fn new(
        options: &Options,
        tables: Vec<TableId>,
        elapsed: Duration,
        figures: &Figures,
        reconciled: Reconciled,
    ) -> Report {
        let seconds = elapsed.as_secs_f64();
        let closed = figures.closed.as_secs_f64() / f64::from(options.terminals.max(1));
        let open_seconds = (seconds - closed).max(f64::MIN_POSITIVE);
        Report {
            tables,
            terminals: options.terminals,
            rate: options.rate,
            seconds,
            open_seconds,
            registered: figures.registered,
            per_second: figures.registered as f64 / open_seconds,
            refused: figures.refused.clone(),
            busy: figures.busy,
            unknown: figures.unknown,
            reconnected: figures.reconnected,
            acknowledgement: Latency::from(&figures.acknowledgement),
            feed: Latency::from(&figures.feed),
            reconciled,
        }
    }

    /// Whether the record holds exactly what was acknowledged.
    pub const fn agrees(&self) -> bool {
        self.reconciled.differences == 0
    }
}
