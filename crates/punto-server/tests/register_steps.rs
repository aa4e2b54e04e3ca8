//! A register of an earlier release, at each step that its file ever had, is taken over into the ledger: nobody and nothing
//! that its deeds account for is lost, the file is left as it is, and it is never read again.

use std::path::{Path, PathBuf};

use punto_ledger::{Ledger, Place, Vault, new_key};
use punto_record::{Actor, Deed, LedgerKind, OrderId, Release, Timestamp, Volume};
use punto_server::clock::Clock;
use punto_server::register::{Cost, Listed, Member, Register};
use punto_server::role::Role;
use rusqlite::Connection;
use tempfile::TempDir;

const NOW: Timestamp = Timestamp(1_767_225_600_000);

/// The steps after the first, as they were.
const LATER: [&str; 5] = [
    include_str!("data/register-2.sql"),
    include_str!("data/register-3.sql"),
    include_str!("data/register-4.sql"),
    include_str!("data/register-5.sql"),
    include_str!("data/register-6.sql"),
];

/// A copy of the register that release 0.1.0 left behind, brought to this step.
fn left_behind(steps: usize) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("people");
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("../punto/tests/data/0.1.0/floor.ledger.people");
    std::fs::copy(kept, &path).expect("copied");
    let connection = raw(&path);
    for (step, sql) in (2_u32..).zip(LATER).take(steps - 1) {
        connection.execute_batch(sql).expect("a step");
        connection.pragma_update(None, "user_version", step).expect("counted");
    }
    (folder, path)
}

fn raw(path: &Path) -> Connection {
    Connection::open(path).expect("a database")
}

/// A ledger whose deeds account for everybody and everything in the file.
fn vault(folder: &TempDir, path: &Path) -> Vault {
    let place = Place::File(folder.path().join("ledger"));
    let key = new_key().expect("a key");
    let mut vault =
        Vault::found(&place, LedgerKind::Practice, key, NOW, Release("punto 0.1.0".into())).expect("founded");
    let mut write = |by: Actor, deed: Deed| {
        let id = OrderId { device: "server".into(), n: vault.head(&Volume::House).seq.0 + 1 };
        vault.deed(id, by, NOW, deed).expect("a deed");
    };
    let connection = raw(path);
    let mut people = connection.prepare("SELECT person, role, enabled FROM staff").expect("people");
    let rows =
        people.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, row.get(2)?)));
    for row in rows.expect("people") {
        let (person, role, enabled) = row.expect("a person");
        let found = Role::ALL.into_iter().find(|it| it.id() == role).expect("a role");
        let person: punto_record::Person = person.parse().expect("a name");
        write(Actor::House, Deed::staff_changed(person.clone(), role.as_str().into(), enabled, true));
        write(found.actor(person), Deed::PasswordChosen { credential: None });
    }
    let mut devices = connection
        .prepare("SELECT id, kind, at_table, patron, revoked IS NOT NULL FROM device")
        .expect("devices");
    let rows = devices.query_map([], |row| {
        let (id, kind, table): (String, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        Ok((id, kind, table, row.get::<_, Option<u32>>(3)?, row.get::<_, bool>(4)?))
    });
    for row in rows.expect("devices") {
        let (id, kind, table, patron, revoked) = row.expect("a device");
        let device: punto_record::DeviceId = id.parse().expect("a name");
        let enrolled = Deed::DeviceEnrolled {
            device: device.clone(),
            kind: kind.into(),
            table: table.parse().expect("a name"),
            patron: patron.map(punto_rules::PatronNo),
            at_box: None,
            second: None,
            reason: None,
            credential: None,
        };
        write(Actor::House, enrolled);
        if revoked {
            write(Actor::House, Deed::DeviceRevoked { device });
        }
    }
    vault
}

/// The register of a ledger, as a start of the server makes it.
fn begin(vault: Vault, file: &Path) -> Result<(Register, Vault), punto_server::register::Error> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().expect("a runtime");
    let (ledger, writer) = Ledger::start(vault);
    let clock = Clock::of_this_machine(NOW);
    let file = Some(file.to_owned());
    let register = runtime.block_on(Register::of_ledger(&ledger, file, &clock, Cost::trifling()));
    drop(ledger);
    let vault = writer.join().expect("the writer");
    Ok((register?, vault))
}

/// Who may come in, and by what hash: everything that the file said and the deeds account for.
fn everything(register: &Register) -> (Vec<Member>, Vec<Listed>) {
    let now = Timestamp(u64::MAX / 4);
    let members = register.staff(now).expect("people");
    let mut devices = register.devices().expect("devices");
    for it in &mut devices {
        // By the deed now, and not by the file.
        (it.enrolled, it.revoked) = (NOW, it.revoked.map(|_| NOW));
    }
    (members, devices)
}

/// Names, and whether they are still good.
type Kept = Vec<(String, bool)>;

fn in_the_file(path: &Path) -> (Kept, Kept) {
    let connection = raw(path);
    let pairs = |sql: &str| {
        let mut statement = connection.prepare(sql).expect("a table");
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).expect("rows");
        rows.collect::<Result<Vec<_>, _>>().expect("rows")
    };
    (
        pairs("SELECT person, password IS NOT NULL FROM staff ORDER BY person"),
        pairs("SELECT id, revoked IS NOT NULL FROM device ORDER BY id"),
    )
}

#[test]
fn each_step_is_taken_over_and_left_as_it_is() {
    for steps in 1..=1 + LATER.len() {
        let (folder, path) = left_behind(steps);
        let file = in_the_file(&path);
        assert!(file.0.len() > 3 && file.1.len() > 3, "{file:?}");
        let before = std::fs::read(&path).expect("read");
        let (register, vault) = begin(vault(&folder, &path), &path).expect("taken over");
        let (members, devices) = everything(&register);
        let people: Vec<_> = members.iter().map(|it| (it.person.to_string(), it.password)).collect();
        let listed: Vec<_> = devices.iter().map(|it| (it.device.to_string(), it.revoked.is_some())).collect();
        assert_eq!((people, listed), file, "step {steps}");
        assert_eq!(std::fs::read(&path).expect("read"), before, "the file is left as it is");

        // The file put back later with something else in it, or gone, makes no difference.
        raw(&path)
            .execute_batch("UPDATE staff SET password = 'mine'; UPDATE staff SET enabled = 1 - enabled")
            .expect("changed");
        let (register, vault) = begin(vault, &path).expect("opened");
        assert_eq!(everything(&register), (members.clone(), devices.clone()), "step {steps}");
        std::fs::remove_file(&path).expect("gone");
        let (register, _) = begin(vault, &path).expect("opened");
        assert_eq!(everything(&register), (members, devices));
    }
}

/// What is no register is refused, and nothing is taken over before it is put right.
#[test]
fn another_file_is_refused_and_taken_over_when_it_is_right() {
    for break_it in ["PRAGMA application_id = 7", "PRAGMA user_version = 7", "DROP TABLE device"] {
        let (folder, path) = left_behind(2);
        let good = std::fs::read(&path).expect("read");
        let vault = vault(&folder, &path);
        raw(&path).execute_batch(break_it).expect("broken");
        let place = Place::File(folder.path().join("ledger"));
        let (ledger, writer) = Ledger::start(vault);
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().expect("a runtime");
        let clock = Clock::of_this_machine(NOW);
        let refused =
            runtime.block_on(Register::of_ledger(&ledger, Some(path.clone()), &clock, Cost::trifling()));
        assert!(refused.is_err(), "{break_it}");
        drop(ledger);
        let vault = writer.join().expect("the writer");
        assert!(!vault.keeps_register(), "{break_it}: {place:?}");
        std::fs::write(&path, good).expect("put right");
        let (register, _) = begin(vault, &path).expect("taken over");
        assert!(!register.devices().expect("devices").is_empty());
    }
}
