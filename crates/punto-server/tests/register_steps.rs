//! A register that release 0.1.0 wrote, brought to what this release writes: step by step, interrupted between steps and in
//! the middle of one, with a step that fails, and by two at once. Nobody and nothing in it is lost.

use std::path::{Path, PathBuf};

use punto_record::Timestamp;
use punto_rules::PatronNo;
use punto_server::register::{Cost, DeviceKind, Register};
use rusqlite::Connection;
use tempfile::TempDir;

const NOW: Timestamp = Timestamp(1_767_225_600_000);
/// The steps of this release.
const STEPS: u32 = 6;
/// The second step: approvals are no longer kept.
const SECOND: &str = "DROP TABLE approval; PRAGMA user_version = 2;";

/// A copy of the register that release 0.1.0 left behind.
fn left_behind() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("people");
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("../punto/tests/data/0.1.0/floor.ledger.people");
    std::fs::copy(kept, &path).expect("copied");
    (folder, path)
}

fn raw(path: &Path) -> Connection {
    Connection::open(path).expect("a database")
}

fn version(path: &Path) -> u32 {
    raw(path).pragma_query_value(None, "user_version", |row| row.get(0)).expect("a number")
}

/// Every person, device and session with all that is kept about them.
fn everything(path: &Path) -> Vec<String> {
    let connection = raw(path);
    let mut found = Vec::new();
    let devices = "id, kind, at_table, patron, secret, enrolled, revoked";
    for (table, columns) in
        [("staff", "*"), ("device", devices), ("session", "*"), ("invitation", "person, secret, until")]
    {
        let query = format!("SELECT {columns} FROM {table} ORDER BY 1");
        let mut statement = connection.prepare(&query).expect("a table");
        let columns = statement.column_count();
        let rows = statement.query_map([], |row| {
            let cell = |at: usize| row.get::<_, rusqlite::types::Value>(at).map(|it| format!("{it:?}"));
            (0..columns).map(cell).collect::<Result<Vec<_>, _>>()
        });
        for row in rows.expect("rows") {
            found.push(format!("{table}: {}", row.expect("a row").join(" | ")));
        }
    }
    found
}

/// Tables, indices and triggers.
fn shape(path: &Path) -> Vec<String> {
    let connection = raw(path);
    let query =
        "SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_schema ORDER BY type, name";
    let mut statement = connection.prepare(query).expect("a schema");
    let rows = statement.query_map([], |row| row.get(0)).expect("rows");
    rows.collect::<Result<_, _>>().expect("rows")
}

fn open(path: &Path) -> Result<Register, punto_server::register::Error> {
    Register::open(path, Cost::trifling())
}

/// The register opens, has everything that was there, is as a new one is made, and takes an acceptor.
fn is_whole(path: &Path, before: &[String]) {
    let register = open(path).expect("it opens");
    assert_eq!(version(path), STEPS);
    assert_eq!(everything(path), before);
    let new = tempfile::tempdir().expect("a folder");
    drop(open(&new.path().join("people")).expect("a new register"));
    assert_eq!(shape(path), shape(&new.path().join("people")));
    let devices = register.devices().expect("devices");
    let terminal = devices.iter().find_map(|it| match (&it.kind, it.revoked) {
        (DeviceKind::Terminal { table, patron, .. }, None) => Some((table.clone(), *patron)),
        _ => None,
    });
    let (table, patron) = terminal.expect("a terminal that is in use");
    let acceptor = |patron| DeviceKind::Acceptor { table: table.clone(), patron };
    register.enrol("note-1", acceptor(patron), NOW).expect("the terminal's acceptor");
    assert!(register.enrol("note-2", acceptor(patron), NOW).is_err(), "one for each terminal");
    register.enrol("note-3", acceptor(PatronNo(901)), NOW).expect("another one's");
    // Names stay used up, and what is revoked stays so.
    let revoked = devices.iter().find(|it| it.revoked.is_some());
    if let Some(it) = revoked {
        assert!(register.enrol(it.device.as_str(), it.kind.clone(), NOW).is_err());
    }
    drop(register);
    drop(open(path).expect("and opens again"));
}

#[test]
fn it_is_brought_up_to_date() {
    let (_folder, path) = left_behind();
    assert_eq!(version(&path), 1, "as release 0.1.0 wrote it");
    let before = everything(&path);
    assert!(
        before.iter().any(|it| it.starts_with("staff")) && before.iter().any(|it| it.starts_with("device"))
    );
    is_whole(&path, &before);
}

/// The process ended after each of the steps.
#[test]
fn it_goes_on_after_the_steps_that_were_taken() {
    let (_folder, path) = left_behind();
    let before = everything(&path);
    raw(&path).execute_batch(SECOND).expect("the second step");
    assert_eq!(version(&path), 2);
    is_whole(&path, &before);
}

/// The process ended in the middle of a step: what it had done is not there.
#[test]
fn half_a_step_is_no_step() {
    let halves = [
        "DROP TABLE approval;",
        "DROP TABLE approval; PRAGMA user_version = 2;",
        "DROP TRIGGER device_stays; DROP TRIGGER device_is_revoked_once; DROP INDEX one_terminal;
         ALTER TABLE device RENAME TO device_before;",
    ];
    for half in halves {
        let (folder, path) = left_behind();
        let before = everything(&path);
        let killed = folder.path().join("killed");
        let connection = raw(&path);
        connection.pragma_update(None, "journal_mode", "wal").expect("a log");
        // Large enough a change that pages reach the log before the end, had it come.
        connection.execute_batch("PRAGMA cache_size = 1; BEGIN IMMEDIATE;").expect("begun");
        connection.execute_batch(half).expect("half of it");
        // What lies on the disk now is what a killed process leaves.
        for ending in ["", "-wal"] {
            let from = format!("{}{ending}", path.display());
            std::fs::copy(from, format!("{}{ending}", killed.display())).expect("copied");
        }
        drop(connection);
        for path in [&killed, &path] {
            assert_eq!(version(path), 1, "{half}");
            is_whole(path, &before);
        }
    }
}

/// A statement fails: the register is refused, unchanged, and opens when the cause is gone.
#[test]
fn a_step_that_fails_changes_nothing() {
    let (_folder, path) = left_behind();
    let before = everything(&path);
    raw(&path).execute_batch("CREATE TABLE device_before (id TEXT)").expect("in the way");
    for _ in 0..2 {
        assert!(open(&path).is_err(), "the third step cannot be taken");
        assert_eq!(version(&path), 2, "the second one was");
        assert_eq!(everything(&path), before);
    }
    raw(&path).execute_batch("DROP TABLE device_before").expect("out of the way");
    is_whole(&path, &before);
}

/// Two processes start at once; each step is taken once.
#[test]
fn two_at_once_take_each_step_once() {
    for _ in 0..8 {
        let (_folder, path) = left_behind();
        let before = everything(&path);
        let opened: Vec<_> = std::thread::scope(|scope| {
            let started: Vec<_> = (0..4).map(|_| scope.spawn(|| open(&path).is_ok())).collect();
            started.into_iter().map(|it| it.join().expect("no panic")).collect()
        });
        assert_eq!(opened, [true; 4]);
        is_whole(&path, &before);
    }
}

/// A register of a later release is left alone.
#[test]
fn a_later_one_is_refused() {
    let (_folder, path) = left_behind();
    drop(open(&path).expect("it opens"));
    raw(&path).pragma_update(None, "user_version", STEPS + 1).expect("written");
    let (before, shape_before) = (everything(&path), shape(&path));
    assert!(open(&path).is_err());
    assert_eq!((everything(&path), shape(&path)), (before, shape_before));
}
