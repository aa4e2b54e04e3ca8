//! The server from start to stop: verify, read back, open the door, and go down in order.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use ed25519_dalek::SigningKey;
use punto_ledger::{Ledger, Place, TicketKeys, Vault};
use punto_record::{Actor, Deed, Digest, LedgerKind, Person, Release, TicketKeyId};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::{MissedTickBehavior, interval};

use crate::app::{App, Door};
use crate::clock::Clock;
use crate::demo::Tally;
use crate::demonstration::{self, Demonstration};
use crate::floor::{Floor, FloorPlan, Pace, Secrets};
use crate::full_check::keep_checking;
use crate::http::router;
use crate::listen::{Caps, Listen, PER_ADDRESS, TOTAL, Times, Tls, TlsError, listen};
use crate::register::{Changed, Cost, Invitation, Register};
use crate::role::Role;
use crate::software::{Software, SoftwareError};
use crate::system;
use crate::witness::{Roots, Witnessing, keep_sending, send_last};

/// How often everything is signed while something happens.
const CHECKPOINTS: Duration = Duration::from_secs(5);

/// How often the clock of the system is looked at.
const CLOCK: Duration = Duration::from_secs(1);

/// How often software and rule books are verified, and sessions that are over are cleared away.
const VERIFICATION: Duration = Duration::from_secs(24 * 60 * 60);
const SWEEP: Duration = Duration::from_secs(60);

/// How often certificate and key are read again.
const CERTIFICATE: Duration = Duration::from_secs(60);

/// How often the ledger is asked whether it can still be written, though nobody plays.
const LOOK: Duration = Duration::from_secs(1);

/// How long requests in flight may take when the server goes down.
const LAST_REQUESTS: Duration = Duration::from_secs(5);

/// What a server is started with.
#[derive(Debug)]
pub struct Options {
    /// The release that stands in the record.
    pub release: Release,
    /// The ledger.
    pub place: Place,
    /// The key that signs its checkpoints.
    pub key: SigningKey,
    /// The file of the keys that ticket numbers are derived with; it is made if there is none.
    pub ticket_keys: PathBuf,
    /// The file of people and devices of an earlier release, if there is one. Sessions are kept beside it; in memory, if none.
    pub register: Option<PathBuf>,
    /// The folder for the secrets of software shoes; in memory, if none.
    pub secrets: Option<PathBuf>,
    /// Where to listen.
    pub address: SocketAddr,
    /// Certificate and key, as PEM files.
    pub tls: Option<(PathBuf, PathBuf)>,
    /// Pages from elsewhere that may speak to this server, beside its own.
    pub origins: Vec<String>,
    /// The ids of a new house's two Administrators; `administrator-1` and `administrator-2`, if it says none.
    pub administrators: Vec<Person>,
    /// Proxies whose word about where a request comes from is taken.
    pub proxies: Vec<IpAddr>,
    /// Connections at once; as many as the system has file descriptors for, if none.
    pub connections: Option<usize>,
    /// How quickly the house deals.
    pub pace: Pace,
    /// The digest of the program that the house approved, if it says so.
    pub software: Option<Digest>,
    /// Whose certificates of witnesses are believed.
    pub witness_roots: Roots,
    /// The demonstration, if it is one.
    pub demo: Option<Demonstration>,
    /// What hashing a password costs.
    pub cost: Cost,
}

/// The server is ready.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ready {
    /// Where it listens.
    pub address: SocketAddr,
    /// The same, for people and programs.
    pub url: String,
    /// The one-time links by which the first Administrators choose their passwords.
    pub administrators: Vec<(Person, String)>,
    /// The tables that there are.
    pub tables: usize,
}

/// Why a server could not run.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum ServeError {
    #[error(transparent)]
    Ledger(#[from] punto_ledger::Error),
    #[error(transparent)]
    Software(#[from] SoftwareError),
    #[error("the register of people and devices: {0}")]
    Register(#[from] crate::register::Error),
    #[error(transparent)]
    Tls(#[from] TlsError),
    #[error("{what}: {error}")]
    Io { what: &'static str, error: std::io::Error },
    #[error("a demonstration needs a ledger that was founded as one, and no other can be used for it")]
    NotADemonstration,
    #[error("a demonstration is for this machine alone: listen on 127.0.0.1")]
    NotLoopback,
    #[error("the demonstration: {0}")]
    Demo(String),
}

fn io(what: &'static str) -> impl FnOnce(std::io::Error) -> ServeError {
    move |error| ServeError::Io { what, error }
}

/// Runs a server until `stop` says so or it cannot go on. `ready` is told when the door is open.
///
/// # Errors
/// If it cannot start, or its ledger can no longer be trusted.
pub fn serve(
    options: Options,
    ready: impl FnOnce(&Ready) + Send,
    stop: watch::Receiver<bool>,
) -> Result<(), ServeError> {
    system::warn_as_root();
    let software = Software::of_this_program(options.software)?;
    let waiting = |owner: &str| {
        tracing::warn!(
            owner,
            "another server writes to this ledger; waiting for it to stop, for two leases at most"
        );
    };
    let (key, release) = (options.key.clone(), options.release.clone());
    let mut vault = Vault::open_telling(&options.place, key, release, &mut { waiting })?;
    say_what_was_checked(&vault);
    let (keys, is_new) = TicketKeys::open_or_make(&options.ticket_keys)?;
    let before = vault.ticket_key().cloned();
    vault.use_ticket_keys(keys, vault.now())?;
    say_which_ticket_keys(&vault, before.as_ref(), is_new);
    match (&options.demo, vault.kind()) {
        (Some(_), LedgerKind::House | LedgerKind::Practice) | (None, LedgerKind::Demo) => {
            return Err(ServeError::NotADemonstration);
        }
        (Some(_), LedgerKind::Demo) if !options.address.ip().is_loopback() => {
            return Err(ServeError::NotLoopback);
        }
        (Some(_), LedgerKind::Demo) | (None, LedgerKind::House | LedgerKind::Practice) => {}
    }
    let kind = vault.kind();
    let (ledger, writer) = Ledger::start(vault);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(io("the threads of the server"))?;
    let done = runtime.block_on(run(options, software, ledger, kind, ready, stop));
    // Whatever still waits for something is given up: the ledger has all that was acknowledged.
    runtime.shutdown_timeout(Duration::from_secs(2));
    // The vault is not dropped by async code.
    let _ = writer.join();
    done
}

/// What the start looked at and what it did not, in the log.
fn say_what_was_checked(vault: &Vault) {
    let found = vault.found_amiss();
    for (volume, count) in &found.unsigned {
        tracing::error!(%volume, count, "entries that nobody signed for were put aside");
    }
    for (volume, words) in &found.damaged {
        tracing::error!(%volume, words, "not as it was signed for");
    }
    tracing::info!(
        "checked: the last checkpoint, the signatures of all commits since, the house's own volume, where each table ends, \
         and every entry since the book of tickets was last kept; not checked: entries before that book and before the \
         snapshot that a table is read back from, and rows of tickets that nobody uses; everything is audited beside play from \
         now on, and every day"
    );
}

/// Which key new tickets are made with, and which are not there, in the log.
fn say_which_ticket_keys(vault: &Vault, before: Option<&TicketKeyId>, is_new: bool) {
    let key = vault.ticket_key();
    match (before, key) {
        (Some(before), Some(key)) if before != key => tracing::error!(
            %before, %key,
            "the key of ticket numbers that this ledger has adopted is not at hand: new tickets are made with another one. If \
             nobody restored a backup, find out who changed the file"
        ),
        (None, Some(key)) => tracing::info!(%key, is_new, "numbers of tickets are derived with this key"),
        (_, _) => {}
    }
    for (key, tickets) in vault.tickets_without_key() {
        tracing::error!(
            %key, tickets,
            "good tickets were made with a key that is not at hand: nobody finds them by their number. Put the key back, or \
             settle them at the cage by their serial, with two people"
        );
    }
}

async fn run(
    options: Options,
    software: Software,
    ledger: Ledger,
    kind: LedgerKind,
    ready: impl FnOnce(&Ready) + Send,
    mut stop: watch::Receiver<bool>,
) -> Result<(), ServeError> {
    let secrets = match &options.secrets {
        Some(folder) => Secrets::in_folder(folder).map_err(io("the folder of software shoes"))?,
        None => Secrets::in_memory(),
    };
    let clock = crate::deeds::start(&ledger, Clock::system(), software.started()).await?;
    doubt(&clock);
    let register = Register::of_ledger(&ledger, options.register, &clock, options.cost).await?;
    let Options { place, release, pace, .. } = options;
    let plan = FloorPlan { ledger, place, kind, clock: clock.clone(), release, secrets, pace };
    // Nobody can say a word before every table was read back and interrupted Rounds are resolved.
    let floor = Floor::open(plan).await?;
    let secure = options.tls.is_some();
    let register = Arc::new(register);
    let tls = match options.tls {
        Some((certificate, key)) => Some(Arc::new(Tls::read(certificate, key)?)),
        None => None,
    };
    // Programs of this machine, such as the load generator, share its own addresses, as everybody shares a proxy's.
    let mut shared = options.proxies.clone();
    shared.extend([IpAddr::from(Ipv4Addr::LOCALHOST), Ipv6Addr::LOCALHOST.into()]);
    let connections = system::connections(options.connections, TOTAL, system::descriptors());
    let caps = Caps::new(connections, PER_ADDRESS, shared);
    let listener = TcpListener::bind(options.address).await.map_err(io("the address to listen on"))?;
    let address = listener.local_addr().map_err(io("the address to listen on"))?;
    let url = format!("{}://{address}", if secure { "https" } else { "http" });
    let mut origins = options.origins;
    origins.push(url.clone());
    origins.push(url.replace("127.0.0.1", "localhost"));
    let listens = Some(address.ip().to_canonical());
    let door = Door { origins, secure, listens, proxies: options.proxies };
    let mut app = App::new(register.clone(), floor.clone(), software.clone(), door);
    app.caps = caps.clone();
    app.witnesses = Witnessing::believing(options.witness_roots);

    let (close, closing) = watch::channel(false);
    let how = Listen { caps, times: Times::default(), tls: tls.clone() };
    let mut server = JoinSet::new();
    server.spawn(listen(listener, router(app.clone()), how, closing, LAST_REQUESTS));
    let invited = match &options.demo {
        Some(_) => Vec::new(),
        None => invite_administrators(&app, options.administrators).await?,
    };
    let link = |it: Invitation| (it.person, format!("{url}/invitation#{}", it.secret.text()));
    let administrators = invited.into_iter().map(link).collect();
    ready(&Ready { address, url: url.clone(), administrators, tables: floor.tables().len() });

    let mut tasks = JoinSet::new();
    tasks.spawn(sign(floor.clone()));
    tasks.spawn(watch_clock(floor.clone()));
    tasks.spawn(watch_ledger(floor.clone()));
    tasks.spawn(keep_verifying(app.clone()));
    tasks.spawn(sweep(app.clone()));
    tasks.spawn(keep_checking(app.clone()));
    tasks.spawn(keep_sending(app.clone()));
    if let Some(tls) = tls {
        tasks.spawn(renew(tls));
    }
    let (demo_stop, demo_stopped) = watch::channel(false);
    let demonstration =
        options.demo.map(|how| tokio::spawn(demonstration::run(app.clone(), url, how, demo_stopped)));
    let mut failed = floor.failed();
    let mut demonstration = demonstration;
    let fatal = tokio::select! {
        _ = stop.wait_for(|stop| *stop) => None,
        failed = failed.wait_for(Option::is_some) => failed.ok().and_then(|failed| failed.clone().map(ServeError::from)),
        words = gone_wrong(&mut demonstration) => Some(ServeError::Demo(words)),
    };
    demo_stop.send_replace(true);
    if let Some(demonstration) = demonstration {
        let _ = tokio::time::timeout(LAST_REQUESTS, demonstration).await;
    }
    tasks.abort_all();
    if let Some(fatal) = fatal {
        return Err(fatal);
    }
    floor.stop().await;
    let stopped = app.deeds.write(Actor::House, Deed::SoftwareStopped {}).await;
    floor.ledger().with(move |vault| vault.checkpoint(clock.now())).await?;
    send_last(&app).await;
    close.send_replace(true);
    server.join_next().await;
    stopped?;
    Ok(())
}

/// Invites the Administrators of a house who never came, and the first one of a practice floor while nobody can sign in.
async fn invite_administrators(app: &App, ids: Vec<Person>) -> Result<Vec<Invitation>, ServeError> {
    let deed = |person: Person| Deed::staff_changed(person, Role::Administrator.id().into(), true, true);
    if !app.floor.kind().is_house() {
        let to = app.clone();
        let work = move |register: &Register, now| {
            register.first_administrator_with(now, |changed| {
                let mut deed = deed(changed.member.person.clone());
                if let Deed::StaffChanged { name, .. } = &mut deed {
                    *name = Some(changed.member.name.clone());
                }
                to.write_invitation(deed, changed)
            })
        };
        let invited = app.call(work).await.map_err(|error| ServeError::Demo(error.to_string()))??;
        return Ok(invited.into_iter().collect());
    }
    let wanted = app.floor.ledger().with(move |vault| Ok(vault.administrators_to_invite(&ids))).await?;
    let mut invited = Vec::new();
    for person in wanted {
        let to = app.clone();
        let work = move |register: &Register, now| {
            let write = |changed: &Changed| to.write_invitation(deed(person.clone()), changed);
            register.invite_founder(&person, now, write)
        };
        invited.push(app.call(work).await.map_err(|error| ServeError::Demo(error.to_string()))??);
    }
    Ok(invited)
}

impl App {
    /// The deed of an invitation by the software, from a thread that may wait.
    fn write_invitation(&self, deed: Deed, changed: &Changed) -> Result<(), ServeError> {
        let credential = changed.invitation.as_ref().map(Invitation::credential);
        self.deeds.write_waiting(Actor::House, deed, credential)?;
        Ok(())
    }
}

/// Waits until the demonstration cannot go on, if there is one.
async fn gone_wrong(demonstration: &mut Option<JoinHandle<Result<Tally, String>>>) -> String {
    let Some(running) = demonstration else { return std::future::pending().await };
    let words = match running.await {
        Ok(Ok(_)) => "its people went home".to_owned(),
        Ok(Err(words)) => words,
        Err(error) => error.to_string(),
    };
    *demonstration = None;
    words
}

/// Signs everything now and then, while something happens.
async fn sign(floor: Floor) {
    let mut ticks = interval(CHECKPOINTS);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        if let Err(error) = floor.ledger().checkpoint(floor.clock().now()).await {
            tracing::warn!(%error, "no checkpoint was signed");
        }
    }
}

/// Says that the recorded clock did not follow the system's.
fn doubt(clock: &Clock) {
    if let Some(ahead) = clock.ahead() {
        tracing::error!(
            ahead_ms = ahead,
            "the clock of the system is further ahead of the record than is followed unasked; put it right, or have two \
             people confirm it (POST /api/clock/pending)"
        );
    }
}

/// Tables that nobody plays at notice as well that the ledger cannot be written.
async fn watch_ledger(floor: Floor) {
    let mut ticks = interval(LOOK);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        if floor.ledger().look().await.is_err() {
            return;
        }
        if floor.ledger().stopped().borrow().is_some() {
            floor.recover().await;
            // It was opened again, and its register compared.
            if let Err(error) = floor.look_at_register().await {
                tracing::warn!(%error, "what was found in the register is not known");
            }
        }
    }
}

async fn watch_clock(floor: Floor) {
    let mut ticks = interval(CLOCK);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        if let Some(jump) = floor.clock().look() {
            tracing::warn!(from = jump.from.0, to = jump.to.0, "the clock of the system was moved");
            doubt(floor.clock());
            floor.note_clock(jump).await;
        }
    }
}

/// Verifies software and rule books; another program on the disk stops play.
async fn keep_verifying(app: App) {
    let mut ticks = interval(VERIFICATION);
    ticks.tick().await;
    loop {
        ticks.tick().await;
        if let Err(error) = app.verify().await {
            tracing::error!(%error, "the software could not be verified");
        }
    }
}

async fn sweep(app: App) {
    let mut ticks = interval(SWEEP);
    loop {
        ticks.tick().await;
        if let Err(problem) = app.ask(|register, now| register.sweep(now)).await {
            tracing::warn!(?problem, "sessions could not be swept");
        }
        match app.reset_factors().await {
            Ok(persons) => {
                for person in persons {
                    tracing::warn!(%person, "the delay is over: a second factor was reset");
                }
            }
            Err(problem) => tracing::warn!(?problem, "resets of second factors could not be carried out"),
        }
    }
}

/// Uses a renewed certificate without a restart.
async fn renew(tls: Arc<Tls>) {
    let mut ticks = interval(CERTIFICATE);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let files = tls.clone();
        match tokio::task::spawn_blocking(move || files.read_again()).await {
            Ok(Ok(false)) => {}
            Ok(Ok(true)) => tracing::info!("the certificate was renewed"),
            Ok(Err(error)) => {
                tracing::error!(%error, "the certificate cannot be renewed; the one before stays in use")
            }
            Err(error) => tracing::error!(%error, "the certificate could not be read again"),
        }
    }
}
