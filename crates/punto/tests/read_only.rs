//! The verbs that read, where nothing can be written: on read-only media, with and without a log that a crash left behind, and in
//! a folder that belongs to somebody else.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::run::punto;
use crate::small_disk::SmallDisk;
use punto_ledger::{Place, Vault, read_key};
use punto_record::{Actor, Deed, OrderId, Release, Timestamp};
use tempfile::TempDir;

/// The user that nobody is.
const NOBODY: &str = "65534";

/// A ledger with a Round in it, and perhaps with deeds that are in the log only.
fn ledger(folder: &TempDir, log: bool) -> PathBuf {
    let path = folder.path().join("floor.punto");
    let name = path.display().to_string();
    let script =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/scenarios/wu-song/an-ordinary-round.txt");
    for args in [
        &["ledger", "found", &name, "--kind", "demo"][..],
        &["play", &script.to_string_lossy(), "--ledger", &name, "--as", "T1", "--receipts"],
    ] {
        let run = punto(args);
        assert_eq!(run.code, 0, "{}", run.page());
    }
    if log {
        let key = read_key(&folder.path().join("floor.punto.key")).expect("its key");
        let mut vault =
            Vault::open(&Place::File(path.clone()), key, Release("test".into())).expect("a ledger");
        for n in 1..=3 {
            let id = OrderId { device: "test".into(), n };
            let deed = Deed::verification_failed(format!("in the log {n}"));
            vault.deed(id, Actor::House, Timestamp(n), deed).expect("a deed");
        }
        vault.checkpoint(Timestamp(9)).expect("a checkpoint");
        // As a crash leaves it: the log is there, its index is not.
        let crashed = folder.path().join("crashed.punto");
        fs::copy(&path, &crashed).expect("copied");
        fs::copy(folder.path().join("floor.punto-wal"), folder.path().join("crashed.punto-wal"))
            .expect("copied");
        return crashed;
    }
    path
}

/// Copies what belongs to a ledger.
fn copy(ledger: &Path, to: &Path) -> PathBuf {
    let name = ledger.file_name().expect("a name").to_string_lossy().into_owned();
    for more in ["", "-wal"] {
        let from = ledger.with_file_name(format!("{name}{more}"));
        if from.exists() {
            fs::copy(from, to.join(format!("{name}{more}"))).expect("copied");
        }
    }
    to.join(name)
}

/// All verbs that read; each prints what it prints where everything can be written.
fn all_read(ledger: &Path, same: &Path, elsewhere: &Path, run: &dyn Fn(&[&str]) -> Output) {
    let (here, there) = (ledger.display().to_string(), same.display().to_string());
    let copy = elsewhere.join("backup.punto").display().to_string();
    for verb in [&["audit"][..], &["export"], &["report"], &["ledger", "heads"]] {
        let (run, as_usual) = (run(&[verb, &[&here]].concat()), punto(&[verb, &[&there]].concat()));
        let said = String::from_utf8_lossy(&run.stdout);
        assert!(run.status.success(), "{verb:?}: {}", String::from_utf8_lossy(&run.stderr));
        assert_eq!(as_usual.code, 0, "{}", as_usual.page());
        assert_eq!(said, as_usual.stdout, "{verb:?}");
    }
    let backed = run(&["backup", &here, &copy]);
    assert!(backed.status.success(), "{}", String::from_utf8_lossy(&backed.stderr));
    let audit = punto(&["audit", &copy]);
    assert!(audit.code == 0 && audit.stdout.starts_with("no finding"), "{}", audit.page());
}

fn as_root(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_punto")).args(args).output().expect("the binary")
}

#[test]
fn on_read_only_media() {
    for log in [false, true] {
        let folder = tempfile::tempdir().expect("a folder");
        let ledger = ledger(&folder, log);
        let Some(disk) = SmallDisk::mount(&folder.path().join("disk")) else {
            eprintln!("only root may mount a disk");
            return;
        };
        let here = copy(&ledger, &disk.0);
        let mounted = Command::new("mount").args(["-o", "remount,ro"]).arg(&disk.0).status().expect("mount");
        assert!(mounted.success() && fs::write(disk.0.join("x"), "").is_err());
        all_read(&here, &ledger, folder.path(), &as_root);
        assert_eq!(fs::read_dir(&disk.0).expect("the disk").count(), 1 + usize::from(log));
    }
}

#[test]
fn in_a_folder_of_somebody_else() {
    // Root may write everywhere; only root can become nobody.
    if !rustix::process::geteuid().is_root() {
        eprintln!("only root can try it as another user");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (locked, open) = (folder.path().join("locked"), folder.path().join("open"));
    for (path, mode) in [(folder.path(), 0o755), (&locked, 0o755), (&open, 0o777)] {
        fs::create_dir_all(path).expect("a folder");
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("permitted");
    }
    let program = folder.path().join("punto");
    fs::copy(env!("CARGO_BIN_EXE_punto"), &program).expect("the program");
    let as_nobody = |args: &[&str]| {
        let (user, group) = (format!("--reuid={NOBODY}"), format!("--regid={NOBODY}"));
        let mut command = Command::new("setpriv");
        command.args([&user, &group, "--clear-groups"]).arg(&program).args(args).current_dir("/");
        command.output().expect("setpriv")
    };
    let ledger = ledger(&folder, true);
    let here = copy(&ledger, &locked);
    for path in [&here, &here.with_file_name("crashed.punto-wal")] {
        fs::set_permissions(path, fs::Permissions::from_mode(0o644)).expect("permitted");
    }
    all_read(&here, &ledger, &open, &as_nobody);
}
