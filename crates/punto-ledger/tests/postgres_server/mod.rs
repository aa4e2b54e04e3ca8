//! A real PostgreSQL for one test process: made new, reached through a socket in its own folder only, gone afterwards.

// Each test program needs its own part of it.
#![allow(dead_code)]

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use std::{env, fs, thread};

use punto_ledger::Place;

const NEEDED: &str = "PostgreSQL 15 or later is needed for these tests and was not found on PATH, by `pg_config \
                      --bindir` or in /usr/lib/postgresql; on Debian: apt-get install postgresql";

/// A database that nobody else uses.
pub(crate) fn database() -> Place {
    Place::Database(server().new_database())
}

/// The one server of this process.
pub(crate) fn server() -> &'static Server {
    static SERVER: OnceLock<Server> = OnceLock::new();
    SERVER.get_or_init(Server::start)
}

/// Runs SQL on a connection of its own; what the server says if it refuses.
pub(crate) fn run(url: &str, sql: &str) -> Result<(), String> {
    with_client(url, async |client| client.batch_execute(sql).await)
}

/// Asks something that is true or false.
pub(crate) fn ask(url: &str, sql: &str) -> bool {
    with_client(url, async |client| client.query_one(sql, &[]).await).expect("an answer").get(0)
}

fn with_client<T>(
    url: &str,
    work: impl AsyncFnOnce(&tokio_postgres::Client) -> Result<T, tokio_postgres::Error>,
) -> Result<T, String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let (client, connection) =
            tokio_postgres::connect(url, tokio_postgres::NoTls).await.map_err(|error| words(&error))?;
        let driven = tokio::spawn(connection);
        let result = work(&client).await.map_err(|error| words(&error));
        drop(client);
        // The server has let go of the session when it has closed the connection.
        driven.await.expect("the connection ends").ok();
        result
    })
}

fn words(error: &tokio_postgres::Error) -> String {
    error.as_db_error().map_or_else(|| error.to_string(), |said| said.message().to_owned())
}

/// A server that stops when the process that started it is gone, however it went.
#[derive(Debug)]
pub(crate) struct Server {
    folder: PathBuf,
    owner: Option<(u32, u32)>,
    /// Waits for the end of its input, which is ours; then it stops the server and removes the folder.
    _watch: Child,
}

impl Server {
    /// Makes a cluster and starts a server for it.
    pub(crate) fn start() -> Server {
        Server::start_with("", &[])
    }

    /// The same with more settings, and files in its folder of data that only it may read.
    pub(crate) fn start_with(more: &str, files: &[(&str, String)]) -> Server {
        let programs = programs();
        let folder = tempfile::Builder::new().prefix("punto-pg-").tempdir().expect("a folder").keep();
        let owner = owner(&folder);
        if let Some((user, group)) = owner {
            chown(&folder, Some(user), Some(group)).expect("root gives folders away");
        }
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o711)).expect("our folder");
        let data = folder.join("data");
        let made = as_user(owner, programs.join("initdb"))
            .arg("-D")
            .arg(&data)
            .args(["-U", "punto", "--auth=trust", "--encoding=UTF8", "--no-locale", "--no-sync"])
            .current_dir(&folder)
            .output()
            .expect("initdb can be started");
        assert!(made.status.success(), "initdb: {}", String::from_utf8_lossy(&made.stderr));
        let mut settings =
            fs::OpenOptions::new().append(true).open(data.join("postgresql.conf")).expect("its settings");
        let socket = folder.display();
        writeln!(settings, "listen_addresses = ''\nunix_socket_directories = '{socket}'\nfsync = on\n{more}")
            .expect("its settings");
        for (name, text) in files {
            let path = data.join(name);
            fs::write(&path, text).expect("a file");
            fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("our file");
            if let Some((user, group)) = owner {
                chown(&path, Some(user), Some(group)).expect("root gives files away");
            }
        }
        let script = r#"
            "$1/pg_ctl" -D "$2/data" -l "$2/log" -s -w start && echo ready
            read -r nothing
            "$1/pg_ctl" -D "$2/data" -s -m immediate stop
            rm -rf "$2"
        "#;
        let mut watch = as_user(owner, "sh".into())
            .args(["-c", script, "sh"])
            .arg(&programs)
            .arg(&folder)
            .current_dir(&folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .process_group(0)
            .spawn()
            .expect("sh can be started");
        let mut said = String::new();
        BufReader::new(watch.stdout.take().expect("its output")).read_line(&mut said).expect("its output");
        let log = || fs::read_to_string(folder.join("log")).unwrap_or_default();
        assert_eq!(said, "ready\n", "PostgreSQL did not start: {}", log());
        Server { folder, owner, _watch: watch }
    }

    /// The address of a database of this server.
    pub(crate) fn url(&self, database: &str) -> String {
        let host = self.folder.display().to_string().replace('/', "%2F");
        format!("postgres://punto@{host}/{database}")
    }

    /// Ends all sessions at once, as a crash does, and starts again after this time.
    pub(crate) fn restart_after(&self, away: Duration) {
        let ctl = |args: &[&str]| {
            let mut ctl = as_user(self.owner, programs().join("pg_ctl"));
            let folder = &self.folder;
            ctl.arg("-D").arg(folder.join("data")).arg("-l").arg(folder.join("log")).current_dir(folder);
            let done = ctl.args(["-s", "-w"]).args(args).stdout(Stdio::null()).status().expect("pg_ctl");
            assert!(done.success(), "pg_ctl {args:?}");
        };
        ctl(&["-m", "immediate", "stop"]);
        thread::sleep(away);
        ctl(&["start"]);
    }

    /// Makes a database.
    pub(crate) fn new_database(&self) -> String {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        let name = format!("ledger_{}", NEXT.fetch_add(1, Ordering::Relaxed));
        run(&self.url("postgres"), &format!("CREATE DATABASE {name}")).expect("a new database");
        self.url(&name)
    }
}

/// PostgreSQL refuses to run as root: then it is somebody else's.
fn owner(folder: &Path) -> Option<(u32, u32)> {
    let made_by = std::os::unix::fs::MetadataExt::uid(&fs::metadata(folder).expect("our folder"));
    (made_by == 0).then(|| {
        let id = |what: &str, user: &str| {
            let output = Command::new("id").args([what, user]).output().ok()?;
            String::from_utf8(output.stdout).ok()?.trim().parse().ok()
        };
        let user = |user: &str| Some((id("-u", user)?, id("-g", user)?));
        user("postgres").or_else(|| user("nobody")).expect("a user `postgres` or `nobody`")
    })
}

fn as_user(owner: Option<(u32, u32)>, program: PathBuf) -> Command {
    let Some((user, group)) = owner else { return Command::new(program) };
    let mut command = Command::new("setpriv");
    command.args([format!("--reuid={user}"), format!("--regid={group}"), "--clear-groups".to_owned()]);
    command.arg("--").arg(program);
    command
}

/// The folder with the programs of the latest release that is here.
fn programs() -> PathBuf {
    let on_path = env::var_os("PATH").map(|path| env::split_paths(&path).collect()).unwrap_or_default();
    let configured = Command::new("pg_config").arg("--bindir").output().ok();
    let configured = configured.and_then(|output| String::from_utf8(output.stdout).ok());
    let installed = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut installed: Vec<PathBuf> = installed.map(|release| release.path().join("bin")).collect();
    installed.sort();
    installed.reverse();
    let all: [Vec<PathBuf>; 3] =
        [on_path, configured.iter().map(|folder| folder.trim().into()).collect(), installed];
    let is_whole =
        |folder: &PathBuf| ["initdb", "postgres", "pg_ctl"].iter().all(|name| folder.join(name).exists());
    all.into_iter().flatten().find(is_whole).unwrap_or_else(|| panic!("{NEEDED}"))
}
