//! The ledger in a PostgreSQL database, in a schema `punto` of its own.
//!
//! Everything here waits for its answer: a store belongs to one thread, and that thread has nothing else to do.

mod check;
mod keeper;
mod lease;
mod read;
mod register;
mod schema;
mod way;
mod write;

use std::cell::Cell;
use std::collections::HashMap;
use std::error::Error as _;
use std::fmt;
use std::time::Duration;

use punto_record::Digest;
use tokio::runtime::Runtime;
use tokio::time::{Instant, timeout_at};
use tokio_postgres::error::SqlState;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, NoTls, Row, Statement};

use crate::Error;
use crate::key::random;
use crate::lease::BEAT;
use keeper::Keeper;
use way::Way;

/// The first release that keeps this contract, as `server_version_num` has it.
const OLDEST: i32 = 150_000;

/// Settings of every session: every name below says its schema, and nobody's table of the same name gets in between.
const ALWAYS: &str = "
SET search_path = pg_catalog;
SET statement_timeout = 0;
";

/// Settings of a session that writes. What the administrator has set for others must not weaken the record, nor end a
/// transaction under way; a writer that hangs in the middle of one must not keep the next writer out. The server stops its clock
/// for a statement before the commit itself, so that no wait for a synchronous standby is cut short and called done.
const TO_WRITE: &str = "
SET synchronous_commit = on;
SET default_transaction_isolation = 'read committed';
SET default_transaction_read_only = off;
SET statement_timeout = '5s';
SET lock_timeout = '4s';
SET idle_in_transaction_session_timeout = '5s';
";

/// Settings of the session that renews the lease. A beat that a crash takes back is another beat for whoever watches, and they
/// count anew after a crash in any case.
const TO_KEEP: &str = "
SET synchronous_commit = local;
SET default_transaction_isolation = 'read committed';
SET default_transaction_read_only = off;
SET statement_timeout = '2s';
";

/// Work that may take long: bringing a ledger up to date, copying one, archiving days of it. Only the connection ends it.
const UNHURRIED: &str = "SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = '30s'";

/// How long a writer waits for an answer, and for a whole commit. After that the connection is given up, and a new one finds out
/// what became of what was under way.
const ANSWER: Duration = Duration::from_secs(5);

/// Settings of a session that only reads, perhaps for hours.
const TO_READ: &str = "
SET default_transaction_read_only = on;
SET idle_in_transaction_session_timeout = 0;
";

/// The schema of release 0.1.0, which can be read without writing to it.
const FIRST_READABLE: usize = 3;
const NEWEST: usize = schema::STEPS.len();

/// From this step on commits and snapshots are signed.
const SIGNED: usize = 4;
/// The steps after which a ticket has a tag.
const TAGS: usize = 6;
/// The steps after which a ticket names its currency.
const CURRENCIES: usize = 8;

/// From this step on people and devices are kept here.
const REGISTER: usize = 6;

/// What a connection is for.
#[derive(Clone, Copy, Debug)]
enum Session {
    Reader,
    Writer,
    /// Renews the lease.
    Keeper,
}

impl Session {
    const fn settings(self) -> &'static str {
        match self {
            Session::Reader => TO_READ,
            Session::Writer => TO_WRITE,
            Session::Keeper => TO_KEEP,
        }
    }

    /// How long it waits for an answer.
    const fn patience(self) -> Option<Duration> {
        match self {
            Session::Reader => None,
            Session::Writer => Some(ANSWER),
            Session::Keeper => Some(BEAT),
        }
    }
}

/// Why there is no answer to use.
#[derive(Debug)]
enum Fault {
    /// None came in time; whether it was done is not known.
    Silent,
    Told(tokio_postgres::Error),
}

/// Where the database is, password included: it is never shown.
#[derive(Clone)]
struct Address(String);

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Address")
    }
}

/// A connection to a ledger in PostgreSQL.
#[derive(Debug)]
pub(crate) struct Postgres {
    address: Address,
    /// Drives the connection while an answer is waited for.
    runtime: Runtime,
    client: Client,
    statements: HashMap<&'static str, Statement>,
    /// How many steps of the schema were taken: an earlier release's ledger can be read as it is.
    steps: usize,
    /// How long an answer is waited for, and until when the commit under way may take.
    patience: Option<Duration>,
    until: Option<Instant>,
    /// An answer did not come in time: this connection is not used any more.
    is_lost: Cell<bool>,
    /// By which a writer knows its own row again, also where it never heard that it took the lease.
    claim: Digest,
    /// Of the writer. After the connection, so that the lease is given back only when nothing can be written any more.
    keeper: Option<Keeper>,
}

type Params<'a> = &'a [&'a (dyn ToSql + Sync)];

impl Postgres {
    /// Opens a ledger to read it only.
    pub(crate) fn read(url: &str) -> Result<Postgres, Error> {
        let mut store = Postgres::connect(url, Session::Reader)?;
        match store.version()? {
            steps @ FIRST_READABLE..=NEWEST => store.steps = steps,
            0..FIRST_READABLE => {
                return Err(Error::unsuitable(
                    "this ledger was written by an earlier release; open it once for writing to bring it up to date",
                ));
            }
            _ => return Err(newer()),
        }
        Ok(store)
    }

    /// Opens a ledger to write to it, and brings it up to what this release writes.
    pub(crate) fn write(url: &str) -> Result<Postgres, Error> {
        let mut store = Postgres::connect(url, Session::Writer)?;
        store.require_durable()?;
        store.migrate()?;
        Ok(store)
    }

    /// Opens the ledger anew for the same writer.
    pub(crate) fn again(&self) -> Result<Postgres, Error> {
        Ok(Postgres { claim: self.claim, ..Postgres::write(&self.address.0)? })
    }

    /// Makes a ledger in a database that has none.
    pub(crate) fn create(url: &str) -> Result<Postgres, Error> {
        let mut store = Postgres::connect(url, Session::Writer)?;
        store.require_durable()?;
        let there = "SELECT 1 FROM pg_namespace WHERE nspname = 'punto'";
        if store.row(there, &[])?.is_some() {
            return Err(Error::unsuitable("there is a schema `punto` in this database already"));
        }
        let encoding: String =
            store.one("SELECT current_setting('server_encoding')", &[])?.try_get::<_, String>(0)?;
        if encoding != "UTF8" {
            return Err(Error::unsuitable(format!("the database holds text in {encoding}; it must be UTF8")));
        }
        store.transaction(|store| {
            store.batch(schema::START)?;
            (0..schema::STEPS.len()).try_for_each(|step| store.take_step(step))
        })?;
        Ok(store)
    }

    fn connect(url: &str, session: Session) -> Result<Postgres, Error> {
        let Way { config, tls } = Way::read(url)?;
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(Error::failed)?;
        // Errors of the connection are told to whoever waits for an answer.
        let connecting = async {
            match tls {
                None => config.connect(NoTls).await.map(|(client, connection)| {
                    tokio::spawn(connection);
                    client
                }),
                Some(tls) => config.connect(tls).await.map(|(client, connection)| {
                    tokio::spawn(connection);
                    client
                }),
            }
        };
        let until = session.patience().map(|patience| Instant::now() + patience);
        let client = within(&runtime, until, connecting).map_err(|fault| match fault {
            Fault::Silent => Error::from(fault),
            Fault::Told(error) => not_connected(&error),
        })?;
        let mut store = Postgres {
            address: Address(url.to_owned()),
            runtime,
            client,
            statements: HashMap::new(),
            steps: NEWEST,
            patience: session.patience(),
            until: None,
            is_lost: Cell::new(false),
            claim: Digest(random()?),
            keeper: None,
        };
        store.batch(ALWAYS)?;
        store.batch(session.settings())?;
        let version: i32 =
            store.one("SELECT current_setting('server_version_num')::integer", &[])?.try_get(0)?;
        if version < OLDEST {
            let is = format!("{}.{}", version / 10_000, version % 10_000);
            return Err(Error::unsuitable(format!("PostgreSQL 15 or later is needed; this one is {is}")));
        }
        Ok(store)
    }

    /// Refuses a server that may lose what it said to be durable: a session can ask for its own commits to be waited for, but
    /// not for the server to write them.
    fn require_durable(&mut self) -> Result<(), Error> {
        for setting in ["fsync", "full_page_writes", "synchronous_commit"] {
            let value: String = self.one("SELECT current_setting($1)", &[&setting])?.try_get(0)?;
            if value != "on" {
                return Err(Error::unsuitable(format!(
                    "this PostgreSQL has {setting} = {value}: what it says to be durable may be lost; set it to on"
                )));
            }
        }
        Ok(())
    }

    fn version(&mut self) -> Result<usize, Error> {
        let there = "SELECT to_regclass('punto.schema_version') IS NOT NULL";
        if !self.one(there, &[])?.try_get::<_, bool>(0)? {
            return Err(Error::unsuitable("there is no ledger in this database"));
        }
        self.version_held("SELECT version FROM punto.schema_version")
    }

    fn version_held(&mut self, sql: &'static str) -> Result<usize, Error> {
        let version: i64 = self.one(sql, &[])?.try_get(0)?;
        usize::try_from(version).map_err(|_| Error::damaged(format!("the schema's version is {version}")))
    }

    /// Takes the steps that are missing, each as a whole or not at all.
    fn migrate(&mut self) -> Result<(), Error> {
        let mut version = self.version()?;
        if version > schema::STEPS.len() {
            return Err(newer());
        }
        while version < schema::STEPS.len() {
            version = self.unhurried(|store| {
                // Another one may be at the same step: whoever comes second finds it taken.
                let held = store.version_held("SELECT version FROM punto.schema_version FOR UPDATE")?;
                if held < schema::STEPS.len() {
                    store.take_step(held)?;
                }
                Ok(held + 1)
            })?;
        }
        Ok(())
    }

    fn take_step(&mut self, step: usize) -> Result<(), Error> {
        self.batch(schema::STEPS[step])?;
        self.execute("UPDATE punto.schema_version SET version = $1", &[&(step as i64 + 1)])?;
        Ok(())
    }

    /// A server has no pages of its own to count.
    pub(crate) fn limit_pages(&mut self, _pages: u32) -> Result<(), Error> {
        Err(Error::unsuitable("only a file can be kept from growing"))
    }

    /// Does something as a whole or not at all.
    fn transaction<T>(&mut self, work: impl FnOnce(&mut Postgres) -> Result<T, Error>) -> Result<T, Error> {
        self.batch("BEGIN")?;
        match work(self) {
            Ok(done) => self.batch("COMMIT").map(|()| done),
            Err(error) => {
                // Where the connection is lost, the server does it by itself.
                self.batch("ROLLBACK").ok();
                Err(error)
            }
        }
    }

    /// The same, for as long as it takes.
    fn unhurried<T>(&mut self, work: impl FnOnce(&mut Postgres) -> Result<T, Error>) -> Result<T, Error> {
        let patience = self.patience.take();
        let done = self.transaction(|store| {
            store.batch(UNHURRIED)?;
            work(store)
        });
        self.patience = patience;
        done
    }

    /// Waits for an answer as long as there is patience for.
    fn wait<T>(&self, work: impl Future<Output = Result<T, tokio_postgres::Error>>) -> Result<T, Fault> {
        if self.is_lost.get() {
            return Err(Fault::Silent);
        }
        let patience = self.patience.map(|patience| Instant::now() + patience);
        let until = [patience, self.until].into_iter().flatten().min();
        let done = within(&self.runtime, until, work);
        self.is_lost.set(matches!(done, Err(Fault::Silent)));
        done
    }

    /// The statement, prepared when it is first used.
    fn prepared(&mut self, sql: &'static str) -> Result<Statement, Fault> {
        if let Some(statement) = self.statements.get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.wait(self.client.prepare(sql))?;
        self.statements.insert(sql, statement.clone());
        Ok(statement)
    }

    fn batch(&mut self, sql: &str) -> Result<(), Error> {
        Ok(self.wait(self.client.batch_execute(sql))?)
    }

    /// How many rows it concerned. The raw fault, for those who look at what kind it is.
    fn execute(&mut self, sql: &'static str, params: Params<'_>) -> Result<u64, Fault> {
        let statement = self.prepared(sql)?;
        self.wait(self.client.execute(&statement, params))
    }

    fn rows(&mut self, sql: &'static str, params: Params<'_>) -> Result<Vec<Row>, Error> {
        let statement = self.prepared(sql)?;
        Ok(self.wait(self.client.query(&statement, params))?)
    }

    fn row(&mut self, sql: &'static str, params: Params<'_>) -> Result<Option<Row>, Error> {
        let statement = self.prepared(sql)?;
        Ok(self.wait(self.client.query_opt(&statement, params))?)
    }

    fn one(&mut self, sql: &'static str, params: Params<'_>) -> Result<Row, Error> {
        let statement = self.prepared(sql)?;
        Ok(self.wait(self.client.query_one(&statement, params))?)
    }
}

fn newer() -> Error {
    Error::unsuitable("this ledger was written by a later release of Punto")
}

fn not_connected(error: &tokio_postgres::Error) -> Error {
    Error::Unreachable(words(error).into())
}

/// Runs something on the runtime until then at most.
fn within<T>(
    runtime: &Runtime,
    until: Option<Instant>,
    work: impl Future<Output = Result<T, tokio_postgres::Error>>,
) -> Result<T, Fault> {
    let done = match until {
        None => runtime.block_on(work),
        Some(until) => {
            let timed = async { timeout_at(until, work).await };
            runtime.block_on(timed).map_err(|_| Fault::Silent)?
        }
    };
    done.map_err(Fault::Told)
}

/// What the server says, or what happened on the way to it.
fn words(error: &tokio_postgres::Error) -> String {
    match (error.as_db_error(), error.source()) {
        (Some(said), _) => said.message().to_owned(),
        (None, Some(cause)) => format!("{error}: {cause}"),
        (None, None) => error.to_string(),
    }
}

impl Fault {
    /// What the server says it is, if it said anything.
    fn code(&self) -> Option<&SqlState> {
        match self {
            Fault::Silent => None,
            Fault::Told(error) => error.code(),
        }
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Error {
        match fault {
            Fault::Silent => Error::Unreachable("it does not answer".into()),
            Fault::Told(error) => error.into(),
        }
    }
}

impl From<tokio_postgres::Error> for Error {
    fn from(error: tokio_postgres::Error) -> Error {
        let is = |state: &SqlState| error.code() == Some(state);
        if is(&SqlState::DISK_FULL) {
            Error::Full
        } else if is(&SqlState::DATA_CORRUPTED) || is(&SqlState::INDEX_CORRUPTED) {
            Error::damaged(words(&error))
        } else {
            Error::failed(words(&error))
        }
    }
}
