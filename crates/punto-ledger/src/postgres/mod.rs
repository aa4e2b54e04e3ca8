//! The ledger in a PostgreSQL database, in a schema `punto` of its own.
//!
//! Everything here waits for its answer: a store belongs to one thread, and that thread has nothing else to do.

mod check;
mod read;
mod schema;
mod way;
mod write;

use std::collections::HashMap;
use std::error::Error as _;

use tokio::runtime::Runtime;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, NoTls, Row, Statement};

use crate::Error;
use way::Way;

/// The first release that keeps this contract, as `server_version_num` has it.
const OLDEST: i32 = 150_000;

/// Settings of every session: every name below says its schema, and nobody's table of the same name gets in between.
const ALWAYS: &str = "
SET search_path = pg_catalog;
SET statement_timeout = 0;
";

/// Settings of a session that writes. What the administrator has set for others must not weaken the record, nor end a
/// transaction under way; a writer that hangs in the middle of one must not keep the next writer out.
const TO_WRITE: &str = "
SET synchronous_commit = on;
SET default_transaction_isolation = 'read committed';
SET default_transaction_read_only = off;
SET lock_timeout = '10s';
SET idle_in_transaction_session_timeout = '5s';
";

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

/// A connection to a ledger in PostgreSQL.
#[derive(Debug)]
pub(crate) struct Postgres {
    /// Drives the connection while an answer is waited for.
    runtime: Runtime,
    client: Client,
    statements: HashMap<&'static str, Statement>,
    /// How many steps of the schema were taken: an earlier release's ledger can be read as it is.
    steps: usize,
}

type Params<'a> = &'a [&'a (dyn ToSql + Sync)];

impl Postgres {
    /// Opens a ledger to read it only.
    pub(crate) fn read(url: &str) -> Result<Postgres, Error> {
        let mut store = Postgres::connect(url, TO_READ)?;
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
        let mut store = Postgres::connect(url, TO_WRITE)?;
        store.require_durable()?;
        store.migrate()?;
        Ok(store)
    }

    /// Makes a ledger in a database that has none.
    pub(crate) fn create(url: &str) -> Result<Postgres, Error> {
        let mut store = Postgres::connect(url, TO_WRITE)?;
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

    fn connect(url: &str, settings: &str) -> Result<Postgres, Error> {
        let Way { config, tls } = Way::read(url)?;
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(Error::failed)?;
        // Errors of the connection are told to whoever waits for an answer.
        let client = runtime.block_on(async {
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
        });
        let client = client.map_err(not_connected)?;
        let mut store = Postgres { runtime, client, statements: HashMap::new(), steps: NEWEST };
        store.batch(ALWAYS)?;
        store.batch(settings)?;
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
            version = self.transaction(|store| {
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

    /// The statement, prepared when it is first used.
    fn prepared(&mut self, sql: &'static str) -> Result<Statement, tokio_postgres::Error> {
        if let Some(statement) = self.statements.get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.runtime.block_on(self.client.prepare(sql))?;
        self.statements.insert(sql, statement.clone());
        Ok(statement)
    }

    fn batch(&mut self, sql: &str) -> Result<(), Error> {
        Ok(self.runtime.block_on(self.client.batch_execute(sql))?)
    }

    /// How many rows it concerned. The raw error, for those who look at what kind it is.
    fn execute(&mut self, sql: &'static str, params: Params<'_>) -> Result<u64, tokio_postgres::Error> {
        let statement = self.prepared(sql)?;
        self.runtime.block_on(self.client.execute(&statement, params))
    }

    fn rows(&mut self, sql: &'static str, params: Params<'_>) -> Result<Vec<Row>, Error> {
        let statement = self.prepared(sql)?;
        Ok(self.runtime.block_on(self.client.query(&statement, params))?)
    }

    fn row(&mut self, sql: &'static str, params: Params<'_>) -> Result<Option<Row>, Error> {
        let statement = self.prepared(sql)?;
        Ok(self.runtime.block_on(self.client.query_opt(&statement, params))?)
    }

    fn one(&mut self, sql: &'static str, params: Params<'_>) -> Result<Row, Error> {
        let statement = self.prepared(sql)?;
        Ok(self.runtime.block_on(self.client.query_one(&statement, params))?)
    }
}

fn newer() -> Error {
    Error::unsuitable("this ledger was written by a later release of Punto")
}

fn not_connected(error: tokio_postgres::Error) -> Error {
    Error::Unreachable(words(&error).into())
}

/// What the server says, or what happened on the way to it.
fn words(error: &tokio_postgres::Error) -> String {
    match (error.as_db_error(), error.source()) {
        (Some(said), _) => said.message().to_owned(),
        (None, Some(cause)) => format!("{error}: {cause}"),
        (None, None) => error.to_string(),
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
