//! Figures for a monitoring system, as Prometheus reads them.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse as _, Response};

use super::house::{OFFICE, is_ready, is_well};
use super::route::Route;
use crate::app::App;
use crate::system;

/// The routes of this file.
pub(super) fn routes() -> Vec<Route> {
    vec![Route::get(
        "/api/metrics",
        "Figures for a monitoring system, as Prometheus reads them",
        OFFICE,
        metrics,
    )]
}

/// What is counted since the start.
#[derive(Debug, Default)]
pub struct Counters {
    sign_in_failures: AtomicU64,
    lock_outs: AtomicU64,
}

impl Counters {
    /// A password was wrong, or nobody's; and perhaps it was the last attempt for a while.
    pub(crate) fn sign_in_failed(&self, locked: bool) {
        self.sign_in_failures.fetch_add(1, Ordering::Relaxed);
        self.lock_outs.fetch_add(u64::from(locked), Ordering::Relaxed);
    }
}

/// Figures as text.
#[derive(Default)]
struct Text(String);

impl Text {
    fn family(&mut self, name: &str, kind: &str, help: &str, lines: impl IntoIterator<Item = (String, u64)>) {
        let _ = writeln!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}");
        for (labels, value) in lines {
            let _ = writeln!(self.0, "{name}{labels} {value}");
        }
    }

    fn gauge(&mut self, name: &str, help: &str, value: u64) {
        self.family(name, "gauge", help, [(String::new(), value)]);
    }

    fn counter(&mut self, name: &str, help: &str, value: u64) {
        self.family(name, "counter", help, [(String::new(), value)]);
    }
}

async fn metrics(State(app): State<App>) -> Response {
    let mut text = Text::default();
    text.gauge("punto_well", "Whether every table takes orders.", u64::from(is_well(&app)));
    text.gauge("punto_ready", "Whether the server wants to be sent to.", u64::from(is_ready(&app)));
    let standings = app.floor.standings().borrow().clone();
    let by_table = |figure: fn(&crate::floor::Standing) -> u64| {
        let figures = standings.iter().map(|(table, it)| (format!("{{table=\"{table}\"}}"), figure(it)));
        figures.collect::<Vec<_>>()
    };
    text.family(
        "punto_table_entries",
        "counter",
        "Entries in the record of a table.",
        by_table(|it| it.seq.0),
    );
    text.family(
        "punto_table_rounds",
        "counter",
        "Rounds that commenced at a table.",
        by_table(|it| it.round.0.into()),
    );
    text.family(
        "punto_table_screens",
        "gauge",
        "Screens that look at a table.",
        by_table(|it| it.screens as u64),
    );
    text.family(
        "punto_table_matters",
        "gauge",
        "Matters that wait for a ruling.",
        by_table(|it| it.matters as u64),
    );
    text.gauge("punto_connections", "Connections that are open.", app.caps.open() as u64);
    text.gauge("punto_connections_limit", "Connections that there may be.", app.caps.total() as u64);
    text.counter(
        "punto_connections_refused_total",
        "Connections that were refused because there were too many.",
        app.caps.refused(),
    );
    let failures = app.counters.sign_in_failures.load(Ordering::Relaxed);
    text.counter("punto_sign_in_failures_total", "Wrong passwords, and those of nobody.", failures);
    let lock_outs = app.counters.lock_outs.load(Ordering::Relaxed);
    text.counter(
        "punto_lock_outs_total",
        "Places from which a person can try no more for a while.",
        lock_outs,
    );
    if let Some(open) = system::open_descriptors() {
        text.gauge("punto_descriptors", "File descriptors that are open.", open as u64);
    }
    if let Some(limit) = system::descriptor_limit() {
        text.gauge("punto_descriptors_limit", "File descriptors that there may be.", limit as u64);
    }
    let kind = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    ([(header::CONTENT_TYPE, kind)], text.0).into_response()
}
