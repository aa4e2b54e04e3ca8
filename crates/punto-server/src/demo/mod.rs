//! A lively floor: simulated people at real screens. They have the public API and nothing else, and one seed.
//!
//! One table of each game, and one for visitors to deal at. Dealers load shoes, open and close bets, report what goes wrong; patrons buy in, bet, raise,
//! withdraw, choose, cash out and carry their tickets to other tables; a Cashier, a Pit Supervisor and a Shift Manager do
//! the rest. Who is refused thinks again; who is cut off comes back.

mod cashier;
mod chance;
mod dealer;
mod mishap;
mod pace;
mod patron;
mod pit;
mod set_up;
mod staff;
mod tables;
mod tally;
mod temper;

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use punto_record::Person;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use crate::client::{Error, Http, pause};
use crate::role::Role;
use crate::wire::PrintedTicket;
use cashier::Cashier;
use chance::Chance;
use dealer::Dealer;
use patron::Patron;
use pit::Pit;
use staff::Staff;
use tally::Book;

pub use pace::{Pace, PaceError};
pub use tables::COUNT as TABLES;
pub(crate) use tables::visitors_box;
pub use tally::Tally;

/// Requests that may wait at a cage.
const WAITING: usize = 64;

/// The least pause after a failure, and how long somebody worked who did not just fail again.
const LEAST: Duration = Duration::from_millis(500);
const LONG: Duration = Duration::from_secs(60);

/// Who can sign in at the demonstration, and as what.
pub fn people() -> Vec<(Person, Role)> {
    let dealers = (1..=tables::COUNT).map(|n| (format!("d-{n}"), Role::Dealer));
    let others = [
        ("sup-1", Role::PitSupervisor),
        ("pit-1", Role::PitManager),
        ("shift-1", Role::ShiftManager),
        ("duty-1", Role::DutyManager),
        ("cash-1", Role::Cashier),
        ("aud-1", Role::Auditor),
        ("adm-1", Role::Administrator),
    ];
    let others = others.map(|(person, role)| (person.to_owned(), role));
    dealers.chain(others).map(|(person, role)| (person.parse().expect("a name"), role)).collect()
}

/// What everybody on the floor has in common.
#[derive(Clone, Debug)]
struct Floor {
    base: Arc<str>,
    pace: Pace,
    book: Book,
    /// Tickets that somebody carries about, and the table they come from.
    tickets: Arc<Mutex<Vec<(usize, PrintedTicket)>>>,
}

/// Runs the floor until it is told to stop.
///
/// # Errors
/// If it cannot be set up: nobody can sign in, or a table cannot be opened.
pub async fn run(
    base_url: &str,
    passwords: BTreeMap<Person, String>,
    pace: Pace,
    seed: u64,
    stop: watch::Receiver<bool>,
) -> Result<Tally, Error> {
    run_told(base_url, passwords, pace, seed, stop, watch::Sender::default()).await
}

/// The same, and tells what is seen as it is seen.
///
/// # Errors
/// As [`run`].
pub async fn run_told(
    base_url: &str,
    passwords: BTreeMap<Person, String>,
    pace: Pace,
    seed: u64,
    mut stop: watch::Receiver<bool>,
    told: watch::Sender<Tally>,
) -> Result<Tally, Error> {
    let http = Http::new(base_url)?;
    let base = http.base().clone();
    let floor = Floor { base, pace, book: Book(told), tickets: Arc::default() };
    let mut people = JoinSet::new();
    tokio::select! {
        () = stopped(&mut stop) => return Ok(floor.book.tally()),
        opened = open(&http, &passwords, &floor, seed, &mut people) => opened?,
    }
    stopped(&mut stop).await;
    people.shutdown().await;
    Ok(floor.book.tally())
}

async fn stopped(stop: &mut watch::Receiver<bool>) {
    // Who forgets about us wants us to stop.
    let _ = stop.wait_for(|stop| *stop).await;
}

/// Sets the floor up and puts everybody to work.
async fn open(
    http: &Http,
    passwords: &BTreeMap<Person, String>,
    floor: &Floor,
    seed: u64,
    people: &mut JoinSet<()>,
) -> Result<(), Error> {
    let sign_in = |person: &str, role: Role| {
        let password = passwords.get(&Person::as_recorded(person)).cloned().unwrap_or_default();
        Staff::sign_in(http.clone(), person.to_owned(), role, password)
    };
    let administrator = sign_in("adm-1", Role::Administrator).await?;
    let chances = Chance::new(seed);
    let tables = set_up::set_up(&administrator.http(), floor.pace, &chances).await?;
    let cashier = sign_in("cash-1", Role::Cashier).await?;
    let supervisor = sign_in("sup-1", Role::PitSupervisor).await?;
    let shift_manager = sign_in("shift-1", Role::ShiftManager).await?;
    for table in tables {
        let chance = |who: u64| chances.fork(1_000 * (table.at as u64 + 1) + who);
        let (request, requests) = mpsc::channel(WAITING);
        people.spawn(keep_on(Cashier::new(floor.clone(), table.clone(), cashier.clone(), requests)));
        if !table.plan.practice {
            for (staff, other) in [(&supervisor, &shift_manager), (&shift_manager, &supervisor)] {
                let pair = (staff.clone(), other.clone());
                people.spawn(keep_on(Pit::new(floor.clone(), table.clone(), pair, chance(0))));
            }
            let dealer = sign_in(&format!("d-{}", table.at + 1), Role::Dealer).await?;
            people.spawn(keep_on(Dealer::new(floor.clone(), table.clone(), dealer, chance(1))));
        }
        for terminal in table.terminals.iter() {
            let chance = chance(1 + u64::from(terminal.patron.0));
            let (terminal, request) = (terminal.clone(), request.clone());
            people.spawn(keep_on(Patron::new(floor.clone(), table.clone(), terminal, request, chance)));
        }
    }
    Ok(())
}

/// Somebody with something to do.
trait Worker: Send + 'static {
    /// What they are.
    const WHO: &'static str;

    /// Works until something goes wrong.
    fn work(&mut self) -> impl Future<Output = Result<(), Error>> + Send;
}

/// Goes on after whatever happened, with a pause.
async fn keep_on(mut worker: impl Worker) {
    let mut failures = 0;
    loop {
        let since = Instant::now();
        if let Err(error) = worker.work().await {
            tracing::warn!(who = who(&worker), %error, "somebody of the demonstration begins anew");
        }
        failures = if since.elapsed() > LONG { 0 } else { failures + 1 };
        sleep(pause(failures).max(LEAST)).await;
    }
}

const fn who<W: Worker>(_: &W) -> &'static str {
    W::WHO
}
