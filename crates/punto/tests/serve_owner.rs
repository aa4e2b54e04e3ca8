//! Who owns a ledger in a file, with the real binary: two servers started at once, verbs beside a server, `kill -9`, one
//! file with two names, and something that writes without asking.

use crate::served;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use punto_ledger::{Place, Reader, Vault, read_key};
use punto_record::{Actor, Deed, OrderId, Release, Timestamp};
use punto_server::client::Http;
use serde_json::{Value, json};

fn punto() -> Command {
    Command::new(env!("CARGO_BIN_EXE_punto"))
}

fn found(folder: &Path) -> PathBuf {
    let ledger = folder.join("floor");
    let founded = punto().args(["ledger", "found", "--kind", "practice"]).arg(&ledger).output().expect("it");
    assert!(founded.status.success(), "{founded:?}");
    ledger
}

fn start(ledger: &Path) -> Child {
    punto()
        .arg("serve")
        .arg(ledger)
        .args(["--listen", "127.0.0.1:0"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary")
}

/// Whether it opened its door; what it said if it ended instead.
fn opened(mut server: Child) -> Result<Child, (Option<i32>, String)> {
    let mut line = String::new();
    let said = server.stdout.as_mut().expect("its output");
    BufReader::new(said).read_line(&mut line).expect("its output");
    if line.starts_with("http://") {
        return Ok(server);
    }
    let status = server.wait().expect("it ended");
    let mut words = String::new();
    server.stderr.take().expect("its log").read_to_string(&mut words).expect("text");
    Err((status.code(), words))
}

fn kill(mut server: Child) {
    server.kill().expect("SIGKILL");
    server.wait().expect("it is gone");
}

fn refused(output: &Output, owner: u32) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains(&format!("this ledger is being written by process {owner} on ")), "{said}");
    assert!(said.contains("hint: a ledger has one writer"), "{said}");
}

/// Of two that start at the same moment one serves and the other ends at once; after `kill -9` the next one starts at once.
#[test]
fn of_two_servers_one_serves() {
    let folder = tempfile::tempdir().expect("a folder");
    let ledger = found(folder.path());
    for _ in 0..5 {
        let started = [start(&ledger), start(&ledger)];
        let pids = started.each_ref().map(Child::id);
        let mut serving = Vec::new();
        let mut ended = Vec::new();
        for server in started {
            match opened(server) {
                Ok(server) => serving.push(server),
                Err(end) => ended.push(end),
            }
        }
        assert_eq!((serving.len(), ended.len()), (1, 1), "{ended:?}");
        let serving = serving.remove(0);
        let (code, words) = ended.remove(0);
        assert_eq!(code, Some(2), "{words}");
        assert!(words.contains("this ledger is being written by "), "{words}");
        assert!(pids.contains(&serving.id()));
        // The kernel lets go of the lock of whoever is killed; the next turn starts at once.
        kill(serving);
    }
}

#[test]
fn beside_a_server_others_read_and_nobody_writes() {
    let folder = tempfile::tempdir().expect("a folder");
    let ledger = found(folder.path());
    let server = opened(start(&ledger)).expect("it serves");
    let link = folder.path().join("link");
    std::os::unix::fs::symlink(&ledger, &link).expect("a link");
    let key = ledger.with_extension("key");
    let new_key = folder.path().join("new.key");
    let archive = folder.path().join("archive");
    for name in [&ledger, &link] {
        let mut rotate = punto();
        rotate.args(["ledger", "rotate-key"]).arg(name).arg("--key").arg(&key).arg("--new-key").arg(&new_key);
        refused(&rotate.output().expect("it"), server.id());
        assert!(!new_key.exists(), "no key is left lying for a rotation that did not happen");
        let mut put_away = punto();
        put_away.args(["ledger", "archive"]).arg(name).arg(&archive).arg("--key").arg(&key);
        put_away.args(["--before", "2030-01-01T00:00:00Z", "--by", "adm-1"]);
        refused(&put_away.output().expect("it"), server.id());
        let mut serve = punto();
        serve.arg("serve").arg(name).arg("--key").arg(&key).args(["--listen", "127.0.0.1:0"]);
        refused(&serve.output().expect("it"), server.id());
    }
    let audit = punto().arg("audit").arg(&ledger).output().expect("it");
    assert_eq!(audit.status.code(), Some(0), "{audit:?}");
    let backup = punto().arg("backup").arg(&ledger).arg(folder.path().join("copy")).output().expect("it");
    assert!(backup.status.success(), "{backup:?}");
    kill(server);
    let mut rotate = punto();
    rotate.args(["ledger", "rotate-key"]).arg(&ledger).arg("--key").arg(&key).arg("--new-key").arg(&new_key);
    assert!(rotate.output().expect("it").status.success(), "nobody else writes now");
}

/// Lock and write-ahead log go by the name: under two names of one file two writers would not know of each other.
#[test]
fn a_file_with_two_names_is_not_written_to() {
    let folder = tempfile::tempdir().expect("a folder");
    let ledger = found(folder.path());
    let other = folder.path().join("other");
    let key = folder.path().join("floor.key");
    let server = opened(start(&ledger)).expect("it serves");
    fs::hard_link(&ledger, &other).expect("a second name");
    let link = folder.path().join("link");
    std::os::unix::fs::symlink(&other, &link).expect("a link");
    let refused = |name: &Path| {
        let new_key = folder.path().join("new.key");
        let mut rotate = punto();
        rotate.args(["ledger", "rotate-key"]).arg(name).arg("--key").arg(&key).arg("--new-key").arg(&new_key);
        let mut serve = punto();
        serve.arg("serve").arg(name).arg("--key").arg(&key).args(["--listen", "127.0.0.1:0"]);
        for mut verb in [rotate, serve] {
            let output = verb.output().expect("it");
            let said = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{}: {said}", name.display());
            assert!(said.contains("has another name as well (a hard link)"), "{}: {said}", name.display());
        }
        assert!(!new_key.exists(), "no key is left lying");
    };
    [&other, &ledger, &link].into_iter().for_each(|name| refused(name));
    // Also where nobody writes: one of the two names may be served from another machine.
    kill(server);
    [&other, &ledger, &link].into_iter().for_each(|name| refused(name));
    // A symbolic link to a file with one name is another way to say that name.
    fs::remove_file(&other).expect("a name less");
    fs::remove_file(&link).expect("a link less");
    std::os::unix::fs::symlink(&ledger, &link).expect("a link");
    for name in [&link, &ledger] {
        let mut serve = punto();
        serve.arg("serve").arg(name).arg("--key").arg(&key).args(["--listen", "127.0.0.1:0"]);
        kill(
            opened(serve.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it"))
                .expect("it serves"),
        );
    }
    assert!(!folder.path().join("link.lock").exists(), "the lock is beside the file itself");
}

/// A row that nothing signed for, in the place of the next entry: the server ends and says that it was not another writer.
/// The next start puts the row aside.
#[tokio::test]
async fn rows_that_something_else_added_are_told_from_another_writer() {
    let folder = tempfile::tempdir().expect("a folder");
    let ledger = found(folder.path());
    let (name, anywhere) = (ledger.display().to_string(), "127.0.0.1:0".parse().expect("an address"));
    let mut server = served::Server::start(&name, &ledger, anywhere);
    let store = rusqlite::Connection::open(&ledger).expect("the file");
    store.busy_timeout(Duration::from_secs(5)).expect("patient");
    let row = "INSERT INTO entry (leaf, volume, seq, bytes, link)
               SELECT max(leaf) + 1, 1, 900, X'7b7d', zeroblob(32) FROM entry";
    assert_eq!(store.execute(row, []), Ok(1));
    // The next entry of the house.
    let http = Http::new(&format!("http://{}", server.address)).expect("an address");
    let nobody = json!({ "person": "nobody", "password": "nothing that anybody has" });
    assert!(http.post::<Value>("/api/session", &nobody).await.is_err());
    assert_eq!(server.ended(Duration::from_secs(20)), Some(2));
    let log = || fs::read_to_string(ledger.with_extension("log")).expect("its log");
    assert!(
        log().contains("rows were added to this ledger by something that is not its writer"),
        "{}",
        log()
    );
    assert!(!log().contains("another writer"), "{}", log());
    drop(server);
    served::Server::start(&name, &ledger, anywhere).kill();
    let aside: i64 =
        store.query_row("SELECT count(*) FROM put_aside", [], |row| row.get(0)).expect("a number");
    assert_eq!(aside, 1, "the next start puts it aside");
}

/// The lock file means nothing by itself: left behind, unreadable text in it, or made by another user.
#[test]
fn a_lock_file_is_not_the_lock() {
    let folder = tempfile::tempdir().expect("a folder");
    let ledger = found(folder.path());
    let lock = folder.path().join("floor.lock");
    for left in [&b""[..], b"process 1 on another host\n", &[0xff; 4096]] {
        fs::write(&lock, left).expect("a file");
        kill(opened(start(&ledger)).expect("it serves"));
    }
    fs::remove_file(&lock).expect("a file");
    kill(opened(start(&ledger)).expect("it serves"));
}

/// A process that closes any descriptor of a file loses all locks that it has on it. The writer's is what keeps the last reader
/// elsewhere from taking the log away, and what is committed after that from going into a file that has no name any more.
#[test]
fn what_a_server_reads_beside_its_writer_loses_no_commit() {
    let folder = tempfile::tempdir().expect("a folder");
    let ledger = found(folder.path());
    let place = Place::File(ledger.clone());
    let key = read_key(&folder.path().join("floor.key")).expect("its key");
    let mut vault = Vault::open(&place, key, Release("test".into())).expect("a ledger");
    let mut write = |n| {
        let id = OrderId { device: "server".into(), n };
        let at = Timestamp(vault.now().0 + 1);
        vault.deed(id, Actor::House, at, Deed::SoftwareStopped {}).expect("durable");
    };
    write(1);
    // As the server does to show a page, and as people do beside it.
    drop(Reader::open(&place).expect("it can be read"));
    let audit = || punto().arg("audit").arg(&ledger).output().expect("the binary");
    assert!(audit().status.success());
    write(2);
    let said = String::from_utf8(audit().stdout).expect("text");
    assert!(said.starts_with("no finding: 4 entries"), "{said}");
}
