//! The load generator: terminals that bet as quickly as they are answered, or so many bets a second, and afterwards the
//! record read back and compared with what was acknowledged, to the cent.
//!
//! It is a guest like any other: its own electronic tables, its own terminals, the public API. A server that is killed and
//! comes back in the middle is waited for; the order that got no answer is said again with the same id.

mod figures;
mod heard;
mod reconcile;
mod report;
mod set_up;
mod terminal;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use punto_record::Person;
use serde::Deserialize;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use crate::client::line::AWAY;
use crate::client::{Error, Http, pause};
use crate::role::Role;
use figures::Figures;
use set_up::Grounds;

pub use figures::Latency;
pub use reconcile::{Difference, Reconciled};
pub use report::Report;

/// How often whoever watches is told how far it is.
const PROGRESS: Duration = Duration::from_millis(200);

/// What to do.
#[derive(Clone, Debug)]
pub struct Options {
    /// The server, as `http://HOST:PORT`.
    pub url: String,
    /// How many terminals, over all tables.
    pub terminals: u32,
    /// How many tables.
    pub tables: u32,
    /// When it is enough.
    pub until: Until,
    /// So many bets a second over all terminals; as quickly as they are answered, if none.
    pub rate: Option<u32>,
    /// How long bets are open in a Round, in seconds.
    pub betting_seconds: u16,
    /// Who sets it up and who reads the record; if nobody is named, whoever the demonstration says.
    pub sign_ins: Option<SignIns>,
}

/// When it is enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// After so many seconds.
    Seconds(u64),
    /// After so many bets were registered.
    Bets(u64),
}

/// A person and their password.
#[derive(Clone, PartialEq, Eq, Deserialize)]
pub struct SignIn {
    /// Who.
    pub person: Person,
    /// Their password.
    pub password: String,
}

impl std::fmt::Debug for SignIn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SignIn({})", self.person)
    }
}

/// Who sets it up and who reads the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignIns {
    /// Opens tables and enrols terminals.
    pub administrator: SignIn,
    /// Sells credits.
    pub cashier: SignIn,
    /// Reads the record.
    pub auditor: SignIn,
}

impl SignIns {
    /// The sign-ins of a demonstration, which tells them to everybody on its machine.
    ///
    /// # Errors
    /// If it is none, or has nobody in one of the roles.
    pub async fn of_demonstration(url: &str) -> Result<SignIns, Error> {
        #[derive(Deserialize)]
        struct Guest {
            people: Vec<Employed>,
        }
        #[derive(Deserialize)]
        struct Employed {
            role: Role,
            #[serde(flatten)]
            sign_in: SignIn,
        }
        let Guest { people } = Http::new(url)?.get("/api/demo").await?;
        let find = |role: Role| {
            let found = people.iter().find(|it| it.role == role).map(|it| it.sign_in.clone());
            found.ok_or_else(|| Error::Unreadable(format!("the demonstration has no {}", role.id())))
        };
        Ok(SignIns {
            administrator: find(Role::Administrator)?,
            cashier: find(Role::Cashier)?,
            auditor: find(Role::Auditor)?,
        })
    }

    /// The same, from a demonstration that may just be starting again. Passwords are drawn anew at every start.
    async fn of_demonstration_again(url: &str) -> Result<SignIns, Error> {
        let (since, mut failures) = (Instant::now(), 0);
        loop {
            match SignIns::of_demonstration(url).await {
                Err(error) if since.elapsed() < AWAY && (error.passes() || error.is_not_found()) => {
                    sleep(pause(failures)).await;
                    failures += 1;
                }
                told => return told,
            }
        }
    }
}

/// How far it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// So many terminals are ready.
    Ready(u64),
    /// So many bets were registered in this time.
    Registered(u64, Duration),
    /// So many entries of the record were read back.
    ReadBack(u64),
}

/// Whoever watches.
pub type Watch<'a> = &'a (dyn Fn(Progress) + Sync);

/// What all terminals share while they bet.
#[derive(Debug)]
struct Run {
    start: Instant,
    until: Until,
    /// Time from one bet of a terminal to its next, if they are paced, and from one terminal's to the next one's.
    every: Option<(Duration, Duration)>,
    registered: AtomicU64,
    stop: AtomicBool,
    figures: std::sync::Mutex<Figures>,
}

impl Run {
    fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
            || match self.until {
                Until::Seconds(seconds) => self.start.elapsed() >= Duration::from_secs(seconds),
                Until::Bets(bets) => self.registered.load(Ordering::Relaxed) >= bets,
            }
    }

    fn note(&self, note: impl FnOnce(&mut Figures)) {
        note(&mut self.figures.lock().unwrap_or_else(std::sync::PoisonError::into_inner));
    }
}

/// Generates load on threads of its own.
///
/// # Errors
/// If the server cannot be reached or does not let it be set up.
pub fn run(options: &Options, watch: Watch<'_>) -> Result<Report, Error> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Error::Unreachable(error.to_string()))?;
    runtime.block_on(generate(options, watch))
}

/// Generates load.
///
/// # Errors
/// If the server cannot be reached or does not let it be set up.
pub async fn generate(options: &Options, watch: Watch<'_>) -> Result<Report, Error> {
    let Grounds { http, tables, terminals } = set_up::set_up(options, watch).await?;
    let count = terminals.len() as u32;
    let every = options.rate.map(|rate| {
        let apart = Duration::from_secs(1) / rate.max(1);
        (apart * count, apart)
    });
    let run = Arc::new(Run {
        start: Instant::now(),
        until: options.until,
        every,
        registered: AtomicU64::new(0),
        stop: AtomicBool::new(false),
        figures: std::sync::Mutex::new(Figures::new()),
    });
    let mut betting = JoinSet::new();
    for (index, terminal) in terminals.into_iter().enumerate() {
        betting.spawn(terminal.run(index as u32, run.clone()));
    }
    let mut done = Vec::new();
    while !betting.is_empty() {
        tokio::select! {
            terminal = betting.join_next() => done.extend(terminal.and_then(Result::ok)),
            () = sleep(PROGRESS) => {
                watch(Progress::Registered(run.registered.load(Ordering::Relaxed), run.start.elapsed()));
            }
        }
    }
    let elapsed = run.start.elapsed();
    let reconciled = reconcile::reconcile(&http, options, &tables, done, watch).await?;
    let figures = run.figures.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    Ok(Report::new(options, tables, elapsed, &figures, reconciled))
}
