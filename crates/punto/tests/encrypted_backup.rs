//! Encrypted backups with the real binary: what is in the file, who can open it, and what is noticed; from a file and from a
//! database.

use crate::postgres_server;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::run::{Run, punto};
use tempfile::TempDir;

/// A ledger with one table, and identities of two people.
struct Floor {
    folder: TempDir,
    recipients: [String; 2],
}

impl Floor {
    fn new() -> Floor {
        let mut floor =
            Floor { folder: tempfile::tempdir().expect("a folder"), recipients: Default::default() };
        floor.well(&["ledger", "found", "@/floor.punto", "--kind", "demo"]);
        let script = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../docs/scenarios/ncb-etg/a-round-at-the-terminals.txt");
        floor.well(&["play", &script.to_string_lossy(), "--ledger", "@/floor.punto", "--as", "T1"]);
        floor.recipients = ["@/one.identity", "@/two.identity"]
            .map(|file| floor.well(&["backup", "key", file]).trim_end().to_owned());
        floor
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs `punto`; `@/` stands for the folder.
    fn punto(&self, args: &[&str]) -> Run {
        let folder = format!("{}/", self.folder.path().display());
        let args: Vec<String> = args.iter().map(|arg| arg.replace("@/", &folder)).collect();
        punto(&args.iter().map(String::as_str).collect::<Vec<_>>())
    }

    fn well(&self, args: &[&str]) -> String {
        let run = self.punto(args);
        assert_eq!(run.code, 0, "{args:?}: {}", run.page());
        run.stdout
    }

    /// Refused with these words; nothing was restored and nothing in clear is left.
    fn refused(&self, backup: &str, identity: &str, words: &str) {
        let run = self.punto(&["restore", backup, "@/again.punto", "--identity", identity]);
        assert_eq!(run.code, 2, "{backup}: {}", run.page());
        assert!(run.stderr.contains(words), "{backup}: expected `{words}`: {}", run.page());
        assert!(!self.path("again.punto").exists(), "{backup}: restored all the same");
        assert_eq!(self.hidden(), Vec::<String>::new());
    }

    /// What lies there under a name that nobody asked for.
    fn hidden(&self) -> Vec<String> {
        let names =
            fs::read_dir(self.folder.path()).expect("a folder").map(|it| it.expect("a file").file_name());
        names.map(|it| it.to_string_lossy().into_owned()).filter(|name| name.starts_with('.')).collect()
    }

    fn write(&self, name: &str, bytes: &[u8]) -> String {
        fs::write(self.path(name), bytes).expect("written");
        format!("@/{name}")
    }
}

fn end_of_head(bytes: &[u8]) -> usize {
    bytes.windows(2).position(|two| two == b"\n\n").expect("an empty line") + 2
}

#[cfg(unix)]
fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt as _;
    fs::metadata(path).expect("a file").permissions().mode() & 0o777
}

#[test]
fn a_backup_says_to_whom_and_tells_nobody_else() {
    let floor = Floor::new();
    let [one, two] = &floor.recipients;
    let plain = floor.well(&["backup", "@/floor.punto", "@/plain.punto"]);
    let sealed = floor.well(&["backup", "@/floor.punto", "@/backup.age", "--to", one, "--to", two]);
    assert_eq!(sealed, plain, "the same size, root and heads");
    assert_eq!(floor.hidden(), Vec::<String>::new(), "the clear copy is gone");
    #[cfg(unix)]
    for file in ["backup.age", "plain.punto", "one.identity"] {
        assert_eq!(mode(&floor.path(file)), 0o600, "{file}");
    }
    let bytes = fs::read(floor.path("backup.age")).expect("a backup");
    let head = String::from_utf8(bytes[..end_of_head(&bytes)].to_vec()).expect("clear lines");
    let field = |text: &str, name: &str| {
        let line =
            text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ').map(str::to_owned));
        line.unwrap_or_else(|| panic!("{name} in {text}"))
    };
    let expected = format!(
        "punto backup 1\nledger {}\nsize {}\nroot {}\nto {one}\nto {two}\n\n",
        field(&head, "ledger"),
        field(&plain, "size"),
        field(&plain, "root")
    );
    assert_eq!(head, expected);
    assert!(bytes[head.len()..].starts_with(b"age-encryption.org/v1\n"));
    for secret in [&b"SQLite format 3"[..], b"table/T1", b"bets-opened"] {
        assert!(!bytes.windows(secret.len()).any(|window| window == secret), "in clear");
    }
    // Each of them alone opens it; the copy holds the same.
    for identity in ["one", "two"] {
        let (to, file) = (format!("@/{identity}.punto"), format!("@/{identity}.identity"));
        assert_eq!(floor.well(&["restore", "@/backup.age", &to, "--identity", &file]), plain);
        assert!(floor.well(&["audit", &to]).starts_with("no finding"));
    }
    assert_eq!(floor.hidden(), Vec::<String>::new());
    let again = floor.punto(&["restore", "@/backup.age", "@/one.punto", "--identity", "@/one.identity"]);
    assert_eq!(again.code, 2, "never over what is there: {}", again.page());
    let again = floor.punto(&["backup", "@/floor.punto", "@/backup.age", "--to", one]);
    assert_eq!(again.code, 2, "nor is a backup written over: {}", again.page());
    // The standard program reads what follows the clear lines, where it is at hand.
    fs::write(floor.path("body.age"), &bytes[head.len()..]).expect("written");
    let mut age = Command::new("age");
    age.arg("-d").arg("-i").arg(floor.path("one.identity")).arg(floor.path("body.age"));
    if let Ok(opened) = age.output() {
        assert!(opened.status.success(), "{opened:?}");
        assert!(opened.stdout.starts_with(head.as_bytes()));
        assert!(opened.stdout[head.len()..].starts_with(b"SQLite format 3"));
    }
}

/// From a database into another one and into a file; what was restored passes its audit and goes on.
#[test]
fn a_database_is_backed_up_for_its_recipients_and_restored() {
    let floor = Floor::new();
    let (from, to) = (postgres_server::server().new_database(), postgres_server::server().new_database());
    floor.well(&["restore", "@/floor.punto", &from]);
    let key = ["--key", "@/floor.punto.key"];
    // Written to since, by this release, in the database.
    floor.well(&[&["ledger", "rotate-key", &from, "--new-key", "@/next.key"], &key[..]].concat());
    let heads = |ledger: &str| floor.well(&["ledger", "heads", ledger, "--format", "json"]);
    let before = heads(&from);
    let printed = floor.well(&["backup", &from, "@/database.age", "--to", &floor.recipients[0]]);
    assert_eq!(heads(&from), before, "a backup changes nothing");
    let bytes = fs::read(floor.path("database.age")).expect("a backup");
    for secret in [&b"table/T1"[..], b"bets-opened", b"postgres://"] {
        assert!(!bytes.windows(secret.len()).any(|window| window == secret), "in clear");
    }
    let stranger = floor.punto(&["restore", "@/database.age", &to, "--identity", "@/two.identity"]);
    assert!(
        stranger.code == 2 && stranger.stderr.contains("does not open the backup"),
        "{}",
        stranger.page()
    );
    for place in [to.as_str(), "@/file.punto"] {
        let restored = floor.well(&["restore", "@/database.age", place, "--identity", "@/one.identity"]);
        assert_eq!(restored, printed, "the same size, root and heads");
        assert_eq!(heads(place), before);
        assert!(floor.well(&["audit", place]).starts_with("no finding"));
    }
    let over = floor.punto(&["restore", "@/database.age", &to, "--identity", "@/one.identity"]);
    assert_eq!(over.code, 2, "never over what is there: {}", over.page());
    assert_eq!(floor.hidden(), Vec::<String>::new(), "nothing in clear is left");
    // It is a ledger: it is written to with the house's key.
    floor.well(&["ledger", "rotate-key", &to, "--key", "@/next.key", "--new-key", "@/third.key"]);
    assert!(floor.well(&["audit", &to]).starts_with("no finding"));
}

#[test]
fn whatever_is_not_as_it_was_made_is_refused() {
    let floor = Floor::new();
    let [one, two] = &floor.recipients;
    floor.well(&["backup", "@/floor.punto", "@/backup.age", "--to", one]);
    let bytes = fs::read(floor.path("backup.age")).expect("a backup");
    let body = end_of_head(&bytes);
    let me = "@/one.identity";
    floor.refused("@/backup.age", "@/two.identity", "does not open the backup");
    // A bit anywhere: in the clear lines, in age's own head, in the first and the last bytes of the ledger.
    for at in
        [0, 20, 90, body - 3, body + 5, body + 60, body + 200, body + 400, bytes.len() / 2, bytes.len() - 1]
    {
        let mut flipped = bytes.clone();
        flipped[at] ^= 1;
        let name = floor.write("flipped.age", &flipped);
        let run = floor.punto(&["restore", &name, "@/again.punto", "--identity", me]);
        assert_eq!(run.code, 2, "bit at {at}: {}", run.page());
        assert!(!floor.path("again.punto").exists() && floor.hidden().is_empty(), "bit at {at}");
    }
    for length in [body - 1, body + 10, body + 250, bytes.len() / 2, bytes.len() - 1] {
        let name = floor.write("short.age", &bytes[..length]);
        let run = floor.punto(&["restore", &name, "@/again.punto", "--identity", me]);
        assert_eq!(run.code, 2, "cut at {length}: {}", run.page());
        assert!(!floor.path("again.punto").exists() && floor.hidden().is_empty(), "cut at {length}");
    }
    let longer = floor.write("longer.age", &[&bytes[..], b"more"].concat());
    floor.refused(&longer, me, "damaged or cut short");
    // Clear lines that somebody wrote again, all of them sound in themselves.
    let head = String::from_utf8(bytes[..body].to_vec()).expect("clear lines");
    let size = head.lines().find(|line| line.starts_with("size ")).expect("a size");
    for changed in [
        head.replace(one, two),
        head.replace(&format!("to {one}\n"), &format!("to {one}\nto {two}\n")),
        head.replace(size, "size 1"),
    ] {
        assert_ne!(changed, head);
        let name = floor.write("changed.age", &[changed.as_bytes(), &bytes[body..]].concat());
        floor.refused(&name, me, "not those that it was made with");
    }
    // The clear lines of one backup before the body of another.
    floor.well(&["ledger", "found", "@/other.punto", "--kind", "practice"]);
    floor.well(&["backup", "@/other.punto", "@/other.age", "--to", one]);
    let other = fs::read(floor.path("other.age")).expect("a backup");
    let mixed = [&bytes[..body], &other[end_of_head(&other)..]].concat();
    let name = floor.write("mixed.age", &mixed);
    floor.refused(&name, me, "not those that it was made with");
}

#[test]
fn a_backup_is_opened_as_what_it_is() {
    let floor = Floor::new();
    floor.well(&["backup", "@/floor.punto", "@/plain.punto"]);
    floor.well(&["backup", "@/floor.punto", "@/backup.age", "--to", &floor.recipients[0]]);
    floor.refused("@/plain.punto", "@/one.identity", "is not an encrypted backup");
    for verb in [
        &["restore", "@/backup.age", "@/again.punto"][..],
        &["audit", "@/backup.age"],
        &["report", "@/backup.age"],
    ] {
        let run = floor.punto(verb);
        assert_eq!(run.code, 2, "{}", run.page());
        assert!(run.stderr.contains(&format!("is encrypted to {}", floor.recipients[0])), "{}", run.page());
    }
    let nobody = floor.punto(&["backup", "@/floor.punto", "@/none.age", "--to", "age1nobody"]);
    assert!(nobody.code == 2 && nobody.stderr.contains("age1"), "{}", nobody.page());
    let twice = floor.punto(&["backup", "key", "@/one.identity"]);
    assert_eq!(twice.code, 2, "an identity is never written over: {}", twice.page());
    let no_identity = floor.write("words.identity", b"my secret\n");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let set = |mode| fs::set_permissions(floor.path("words.identity"), fs::Permissions::from_mode(mode));
        set(0o644).expect("set");
        floor.refused("@/backup.age", &no_identity, "is open to others");
        set(0o600).expect("set");
    }
    floor.refused("@/backup.age", &no_identity, "is no identity of a backup");
}
