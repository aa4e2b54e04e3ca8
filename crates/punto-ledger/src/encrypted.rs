//! Backups that only their recipients can read: a few clear lines that say what it is and to whom, and after an empty line
//! the ledger in the format of age (age-encryption.org/v1), which other programs read as well.
//!
//! The clear lines stand in the encrypted part once more and are compared: nobody changes them unnoticed. The clear copy that
//! is encrypted lies in a folder of its own beside the backup, which only its owner can enter, while it is made; it is
//! deleted before the first encrypted byte is written.

use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use age::secrecy::ExposeSecret as _;
use age::x25519;
use punto_record::{Digest, Seq, Volume};

use crate::copy::{Fingerprint, copy};
use crate::private::require_private;
use crate::reader::Reader;
use crate::{Error, Place};

/// The first line of an encrypted backup.
const FORMAT: &str = "punto backup 1";
/// The longest clear head: some hundreds of recipients.
const LONGEST_HEAD: u64 = 64 * 1024;
/// What is read and written at a time.
const PIECE: usize = 64 * 1024;

/// To whom a backup is encrypted: the public part of an identity.
#[derive(Clone)]
pub struct BackupRecipient(x25519::Recipient);

impl FromStr for BackupRecipient {
    type Err = Error;

    fn from_str(text: &str) -> Result<BackupRecipient, Error> {
        let no_recipient =
            |_| Error::unsuitable("a recipient is written age1…, as `punto backup key` prints it");
        text.parse().map(BackupRecipient).map_err(no_recipient)
    }
}

impl std::fmt::Display for BackupRecipient {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl std::fmt::Debug for BackupRecipient {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// What opens a backup: the secret part.
pub struct BackupIdentity(Vec<x25519::Identity>);

impl std::fmt::Debug for BackupIdentity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "BackupIdentity({})", recipients(&self.recipients()))
    }
}

impl BackupIdentity {
    /// Makes one in a new file that only its owner may read, as age-keygen writes it, and says to whom to encrypt.
    ///
    /// # Errors
    /// If there is such a file, or it cannot be written.
    pub fn make(path: &Path) -> Result<BackupRecipient, Error> {
        let identity = x25519::Identity::generate();
        let recipient = BackupRecipient(identity.to_public());
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let written = options.open(path).and_then(|mut file| {
            writeln!(file, "# public key: {recipient}\n{}", identity.to_string().expose_secret())?;
            file.sync_all()
        });
        let unwritable =
            |error| Error::unsuitable(format!("the identity {} cannot be written: {error}", path.display()));
        written.map(|()| recipient).map_err(unwritable)
    }

    /// Reads a file of identities, a line each.
    ///
    /// # Errors
    /// If there is none, it holds something else, or others than its owner have access to it.
    pub fn open(path: &Path) -> Result<BackupIdentity, Error> {
        let unreadable = |error: io::Error| {
            Error::unsuitable(format!("the identity {} cannot be read: {error}", path.display()))
        };
        let file = File::open(path).map_err(unreadable)?;
        let metadata = file.metadata().map_err(unreadable)?;
        require_private(path, &metadata)
            .map_err(|words| Error::unsuitable(format!("the identity {words}")))?;
        let text = io::read_to_string(file.take(LONGEST_HEAD)).map_err(unreadable)?;
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        let identities: Result<Vec<x25519::Identity>, _> = lines.map(str::parse).collect();
        match identities {
            Ok(identities) if !identities.is_empty() => Ok(BackupIdentity(identities)),
            Ok(_) | Err(_) => Err(Error::unsuitable(format!(
                "{} is no identity of a backup: AGE-SECRET-KEY-1…",
                path.display()
            ))),
        }
    }

    fn recipients(&self) -> Vec<String> {
        self.0.iter().map(|identity| identity.to_public().to_string()).collect()
    }
}

/// What the clear lines of an encrypted backup say.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct BackupHead {
    /// The name of the ledger: the link of its first entry.
    pub ledger: Digest,
    pub size: u64,
    pub root: Digest,
    /// To whom it is encrypted.
    pub to: Vec<String>,
}

impl BackupHead {
    /// Its lines, with the empty one that ends them.
    fn text(&self) -> String {
        let BackupHead { ledger, size, root, to } = self;
        let mut text = format!("{FORMAT}\nledger {ledger}\nsize {size}\nroot {root}\n");
        for recipient in to {
            let _ = writeln!(text, "to {recipient}");
        }
        text + "\n"
    }

    fn parse(text: &str) -> Option<BackupHead> {
        let mut lines = text.lines();
        let mut field = |name: &str| lines.next()?.strip_prefix(name)?.strip_prefix(' ').map(str::to_owned);
        if field("punto")? != "backup 1" {
            return None;
        }
        let (ledger, size, root) =
            (field("ledger")?.parse().ok()?, field("size")?.parse().ok()?, field("root")?.parse().ok()?);
        let to: Option<Vec<String>> = lines
            .filter(|line| !line.is_empty())
            .map(|line| line.strip_prefix("to ").map(str::to_owned))
            .collect();
        let head = BackupHead { ledger, size, root, to: to.filter(|to| !to.is_empty())? };
        (head.text() == text).then_some(head)
    }

    /// What the clear lines of a file say; none if it is no encrypted backup. They are not to be relied on before the
    /// backup was decrypted.
    ///
    /// # Errors
    /// If it cannot be read, or its clear lines are not what they have to be.
    pub fn of(path: &Path) -> Result<Option<BackupHead>, Error> {
        // What is not there or cannot be opened is the next one's to say.
        let Ok(file) = File::open(path) else { return Ok(None) };
        let mut file = BufReader::new(file);
        let begins = file.fill_buf().is_ok_and(|bytes| bytes.starts_with(FORMAT.as_bytes()));
        if !begins { Ok(None) } else { BackupHead::read(&mut file).map(|(head, _)| Some(head)) }
    }

    fn read(from: &mut impl BufRead) -> Result<(BackupHead, String), Error> {
        let mut text = String::new();
        let mut limited = from.take(LONGEST_HEAD);
        while !text.ends_with("\n\n") {
            match limited.read_line(&mut text) {
                Ok(0) => return Err(changed()),
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::InvalidData => return Err(changed()),
                Err(error) => return Err(Error::failed(error)),
            }
        }
        BackupHead::parse(&text).map(|head| (head, text)).ok_or_else(changed)
    }
}

fn changed() -> Error {
    Error::unsuitable("the clear lines at the head of the backup are not those that it was made with")
}

fn recipients(all: &[String]) -> String {
    all.join(", ")
}

/// Copies everything that a ledger holds into a file that only the recipients can read. `progress` counts entries, then
/// bytes, each with how many there are.
///
/// # Errors
/// If there is such a file already, or something cannot be read or written.
pub fn backup_to(
    from: &mut Reader<'_>,
    path: &Path,
    to: &[BackupRecipient],
    progress: &mut dyn FnMut(Step, u64, u64),
) -> Result<Fingerprint, Error> {
    if path.symlink_metadata().is_ok() {
        return Err(Error::unsuitable(format!("there is something at {} already", path.display())));
    }
    let entries = from.size()?;
    let aside = Aside::beside(path)?;
    let copied =
        copy(from, &Place::File(aside.ledger()), &mut |leaf| progress(Step::Copying, leaf, entries))?;
    let ledger = name(&aside)?;
    // SQLite moves its log into the file when it closes it; were something left there, the file would not be all.
    if fs::metadata(aside.0.path().join("ledger-wal")).is_ok_and(|log| log.len() > 0) {
        return Err(Error::failed("the copy was not closed in order"));
    }
    let mut clear = File::open(aside.ledger()).map_err(Error::failed)?;
    // From here on nothing of it has a name any more.
    aside.delete()?;
    let bytes = clear.metadata().map_err(Error::failed)?.len();
    let (size, root) = (copied.size, copied.root);
    let head = BackupHead { ledger, size, root, to: to.iter().map(ToString::to_string).collect() }.text();
    let unwritable = |error: io::Error| {
        Error::unsuitable(format!("the backup {} cannot be written: {error}", path.display()))
    };
    // Made under another name: a file of this name is a whole backup. Its mode is 600.
    let mut file =
        tempfile::Builder::new().prefix(".punto-").tempfile_in(folder(path)).map_err(unwritable)?;
    let all = to.iter().map(|recipient| &recipient.0 as &dyn age::Recipient);
    let encryptor = age::Encryptor::with_recipients(all).map_err(Error::failed)?;
    let written = (|| {
        file.write_all(head.as_bytes())?;
        let mut sealed = encryptor.wrap_output(BufWriter::new(file.as_file_mut()))?;
        sealed.write_all(head.as_bytes())?;
        pour(&mut clear, &mut sealed, &mut |done| progress(Step::Encrypting, done, bytes))?;
        sealed.finish()?.flush()?;
        file.as_file().sync_all()
    })();
    written.map_err(unwritable)?;
    file.persist_noclobber(path).map_err(|error| unwritable(error.error))?;
    Ok(copied)
}

/// What is being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Step {
    Copying,
    Encrypting,
    Decrypting,
}

/// Decrypts a backup and copies it to a place where there is no ledger.
///
/// # Errors
/// If the identity does not open it, a bit of it was changed, it is cut short, or its clear lines say something else than
/// what it holds.
pub fn restore_from(
    path: &Path,
    to: &Place,
    identity: &BackupIdentity,
    progress: &mut dyn FnMut(Step, u64, u64),
) -> Result<Fingerprint, Error> {
    let file = File::open(path)
        .map_err(|error| Error::unsuitable(format!("{} cannot be read: {error}", path.display())))?;
    let bytes = file.metadata().map_err(Error::failed)?.len();
    let mut file = BufReader::new(file);
    let (head, text) = BackupHead::read(&mut file)?;
    let damaged = || Error::unsuitable("the backup is damaged or cut short");
    let decryptor = age::Decryptor::new_buffered(file).map_err(|_| damaged())?;
    let identities = identity.0.iter().map(|identity| identity as &dyn age::Identity);
    let mut clear = decryptor.decrypt(identities).map_err(|error| {
        if matches!(error, age::DecryptError::NoMatchingKeys) {
            Error::unsuitable(format!(
                "this identity does not open the backup: it is to {}, the identity is {}",
                recipients(&head.to),
                recipients(&identity.recipients())
            ))
        } else {
            damaged()
        }
    })?;
    let mut inside = vec![0; text.len()];
    clear.read_exact(&mut inside).map_err(|_| damaged())?;
    if inside != text.as_bytes() {
        return Err(changed());
    }
    let aside = Aside::beside(match to {
        Place::File(to) => to,
        Place::Database(_) | Place::Memory => path,
    })?;
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut ledger = options.open(aside.ledger()).map_err(Error::failed)?;
    let poured = pour(&mut clear, &mut ledger, &mut |done| progress(Step::Decrypting, done, bytes));
    poured.map_err(|error| {
        let is_damage = matches!(error.kind(), io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof);
        if is_damage { damaged() } else { Error::failed(error) }
    })?;
    drop(ledger);
    if name(&aside)? != head.ledger {
        return Err(changed());
    }
    let mut reader = Reader::open(&Place::File(aside.ledger()))?;
    let held = crate::copy::fingerprint(&mut reader, &mut |_| {})?;
    if (held.size, held.root) != (head.size, head.root) {
        return Err(changed());
    }
    let copied = copy(&mut reader, to, &mut |leaf| progress(Step::Copying, leaf, head.size))?;
    drop(reader);
    aside.delete()?;
    Ok(copied)
}

/// The link of the first entry.
fn name(aside: &Aside) -> Result<Digest, Error> {
    let mut reader = Reader::open(&Place::File(aside.ledger()))?;
    let mut name = None;
    reader.entries_of(&Volume::House, Seq(0), &mut |stored| {
        name = Some(stored.chain().link);
        std::ops::ControlFlow::Break(())
    })?;
    name.ok_or_else(|| Error::damaged("the ledger has no first entry"))
}

fn pour(from: &mut impl Read, to: &mut impl Write, done: &mut dyn FnMut(u64)) -> io::Result<()> {
    let (mut piece, mut all) = (vec![0; PIECE], 0);
    loop {
        match from.read(&mut piece)? {
            0 => return to.flush(),
            read => {
                to.write_all(&piece[..read])?;
                all += read as u64;
                done(all);
            }
        }
    }
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A folder that only its owner can enter, for a ledger in clear. It is deleted with what is in it.
struct Aside(tempfile::TempDir);

impl Aside {
    fn beside(path: &Path) -> Result<Aside, Error> {
        let folder = folder(path);
        let made = tempfile::Builder::new().prefix(".punto-").tempdir_in(folder).map_err(|error| {
            Error::unsuitable(format!("nothing can be written to {}: {error}", folder.display()))
        })?;
        #[cfg(unix)]
        fs::set_permissions(made.path(), std::os::unix::fs::PermissionsExt::from_mode(0o700))
            .map_err(Error::failed)?;
        Ok(Aside(made))
    }

    fn ledger(&self) -> PathBuf {
        self.0.path().join("ledger")
    }

    fn delete(self) -> Result<(), Error> {
        self.0.close().map_err(Error::failed)
    }
}
