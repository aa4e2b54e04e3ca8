//! Figures for a monitoring system, as Prometheus reads them.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse as _, Response};
use punto_ledger::{LATENCY_BUCKETS, Outstanding, Pulse};

use super::house::{OFFICE, is_ready, is_well};
use super::route::Route;
use crate::app::App;
use crate::floor::Hold;
use crate::system;
use crate::wire::Status;
use crate::witness::Told;

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

/// A time in seconds, as Prometheus reads it.
fn seconds(time: Duration) -> String {
    format!("{}.{:06}", time.as_secs(), time.subsec_micros())
}

/// Tickets that people carry about.
fn tickets(text: &mut Text, pulse: &Pulse) {
    let outstanding = pulse.outstanding();
    let by_currency = |figure: fn(&Outstanding) -> u64| {
        let lines =
            outstanding.iter().map(|(currency, it)| (format!("{{currency=\"{currency}\"}}"), figure(it)));
        lines.collect::<Vec<_>>()
    };
    text.family(
        "punto_tickets_outstanding",
        "gauge",
        "Tickets that were issued and not used, expired ones included.",
        by_currency(|it| it.count),
    );
    text.family(
        "punto_tickets_outstanding_amount",
        "gauge",
        "What they are worth together, in minor units.",
        by_currency(|it| u64::try_from(it.amount).unwrap_or(u64::MAX)),
    );
}

/// How the writer of the ledger does. It is not asked: a store that hangs must not keep these figures back.
fn commits(text: &mut Text, pulse: &Pulse) {
    let mut family = |name: &str, kind: &str, help: &str, lines: String| {
        let _ = write!(text.0, "# HELP {name} {help}\n# TYPE {name} {kind}\n{lines}");
    };
    let (age, busy) = ("punto_commit_age_seconds", "punto_writer_busy_seconds");
    let gauge = |name: &str, time| format!("{name} {}\n", seconds(time));
    family(age, "gauge", "Time since a batch was last made durable.", gauge(age, pulse.commit_age()));
    family(
        busy,
        "gauge",
        "How long the writer has been at its present job; 0 while it waits.",
        gauge(busy, pulse.busy_for()),
    );
    let name = "punto_commit_seconds";
    let (counts, sum) = pulse.latencies();
    let bounds = LATENCY_BUCKETS.map(|bound| seconds(Duration::from_millis(bound)));
    let bounds = bounds.iter().map(String::as_str).chain(["+Inf"]);
    let (mut lines, mut all) = (String::new(), 0);
    for (bound, count) in bounds.zip(counts) {
        all += count;
        let _ = writeln!(lines, "{name}_bucket{{le=\"{bound}\"}} {all}");
    }
    let _ = writeln!(lines, "{name}_sum {}\n{name}_count {all}", seconds(sum));
    family(name, "histogram", "Time until a batch of a table was durable.", lines);
    text.counter("punto_commit_failures_total", "Batches that could not be made durable.", pulse.failed());
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
    let without = standings.values().filter(|it| matches!(it.status, Status::NoShoe { .. })).count();
    text.gauge(
        "punto_tables_without_shoe",
        "Tables whose software shoe cannot be shuffled or read.",
        without as u64,
    );
    text.counter(
        "punto_shoes_lost_total",
        "Software shoes in use whose order was found to be lost.",
        app.floor.shoes_lost(),
    );
    let audited = app.full_check.audited();
    let line = |value: u64| (String::new(), value);
    text.family(
        "punto_audit_findings",
        "gauge",
        "What the last audit of the whole record found.",
        audited.filter(|it| it.at.is_some()).map(|it| line(it.findings)),
    );
    text.family(
        "punto_audit_age_seconds",
        "gauge",
        "Time since the whole record was last audited, or since the first audit began.",
        app.full_check.age().map(|age| line(age.as_secs())),
    );
    let holds = app.floor.holds();
    text.family(
        "punto_rounds_held",
        "gauge",
        "Whether this cause keeps every table from opening a further Round.",
        Hold::ALL.map(|hold| (format!("{{cause=\"{}\"}}", hold.id()), u64::from(holds.contains(&hold)))),
    );
    let witnesses = app.witnesses.told();
    text.gauge("punto_witnesses", "Witnesses that this ledger names.", witnesses.len() as u64);
    let by_witness = |figure: fn(&Told) -> u64| {
        let line = |it: &Told| (format!("{{witness=\"{}\"}}", it.witness.name), figure(it));
        witnesses.iter().map(line).collect::<Vec<_>>()
    };
    text.family(
        "punto_witness_lag_entries",
        "gauge",
        "Entries under the last checkpoint that a witness has not confirmed.",
        by_witness(|it| it.lag),
    );
    text.family(
        "punto_witness_age_seconds",
        "gauge",
        "Time since a witness last confirmed something, or since the start.",
        by_witness(|it| it.age.as_secs()),
    );
    text.family(
        "punto_refusals_total",
        "counter",
        "Orders that a table refused, by reason.",
        app.floor.refusals().map(|(reason, count)| (format!("{{reason=\"{}\"}}", reason.id()), count)),
    );
    let name = "punto_feed_lag_seconds";
    let _ = writeln!(
        text.0,
        "# HELP {name} Age of the oldest message that a screen's connection has not taken yet; 0 if none waits.\n\
         # TYPE {name} gauge\n{name} {}",
        seconds(app.feeds.lag())
    );
    tickets(&mut text, app.floor.ledger().pulse());
    commits(&mut text, app.floor.ledger().pulse());
    let ahead = app.clock.ahead().unwrap_or(0) / 1_000;
    text.gauge(
        "punto_clock_ahead_seconds",
        "How far the system's clock is ahead of the server's, which did not follow it.",
        ahead,
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
