//! Notes in a folder, one file for each: what a folder elsewhere keeps of a ledger, and what our own witness server keeps.
//!
//! A file is never written over, and the one with the largest size is the latest: there is no second file that could say
//! otherwise. Of old ones the last of each day stays.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use punto_record::{Note, Origin};

/// Notes that all stay; about four hours of play.
const RECENT: usize = 1000;

const DAY: u64 = 24 * 60 * 60;

/// Longer than any note that is written here.
const LONGEST: u64 = 64 * 1024;

/// The notes of one history of one ledger.
#[derive(Clone, Debug)]
pub(super) struct Notes {
    root: PathBuf,
    folder: PathBuf,
    origin: Origin,
}

/// The name of the folder of one history; what reads it back is [`origin_of`].
fn folder_name(origin: Origin) -> String {
    let generation = origin.after_loss.map_or_else(String::new, |seq| format!("-{seq}"));
    format!("{}{generation}", origin.ledger)
}

/// The history whose notes lie in a folder of this name.
fn origin_of(name: &str) -> Option<Origin> {
    let text =
        name.split_once('-').map_or_else(|| name.to_owned(), |(ledger, seq)| format!("{ledger}/{seq}"));
    format!("punto/{text}").parse().ok()
}

/// The histories of which there are notes.
pub(super) fn origins(root: &Path) -> io::Result<BTreeSet<Origin>> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(root)? {
        found.extend(entry?.file_name().to_str().and_then(origin_of));
    }
    Ok(found)
}

fn damaged(words: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, words.to_owned())
}

impl Notes {
    /// Those of one history under a folder, which must be there.
    pub(super) fn of(root: &Path, origin: Origin) -> Notes {
        Notes { root: root.to_owned(), folder: root.join(folder_name(origin)), origin }
    }

    fn path(&self, size: u64) -> PathBuf {
        self.folder.join(format!("{size:020}.note"))
    }

    /// The sizes of which there is a note, smallest first.
    pub(super) fn sizes(&self) -> io::Result<Vec<u64>> {
        // A folder that is not mounted is not an empty one.
        fs::metadata(&self.root)?;
        let entries = match fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let mut sizes = Vec::new();
        for entry in entries {
            let name = entry?.file_name();
            let size = name.to_str().and_then(|name| name.strip_suffix(".note")?.parse().ok());
            sizes.extend(size.filter(|size| self.path(*size).file_name() == Some(&*name)));
        }
        sizes.sort_unstable();
        Ok(sizes)
    }

    /// The note of a size.
    pub(super) fn read(&self, size: u64) -> io::Result<Note> {
        let mut text = String::new();
        File::open(self.path(size))?.take(LONGEST).read_to_string(&mut text)?;
        let note: Note = text.parse().map_err(|_| damaged("a note cannot be read"))?;
        match (note.head.origin, note.head.size) == (self.origin, size) {
            true => Ok(note),
            false => Err(damaged("a note is not what its name says")),
        }
    }

    /// The latest note.
    pub(super) fn latest(&self) -> io::Result<Option<Note>> {
        self.sizes()?.last().map(|size| self.read(*size)).transpose()
    }

    /// Keeps a note: it is durable when this returns, and what was there before is left as it was.
    pub(super) fn keep(&self, note: &Note) -> io::Result<()> {
        let size = note.head.size;
        if self.sizes()?.last().is_some_and(|last| *last >= size) {
            return Err(damaged("a note of that size or a larger one is there already"));
        }
        if !self.folder.exists() {
            fs::create_dir(&self.folder)?;
            File::open(&self.root)?.sync_all()?;
        }
        let draft = self.folder.join(format!(".{size:020}.{}", std::process::id()));
        let mut file = File::create(&draft)?;
        let written = write!(file, "{note}").and_then(|()| file.sync_all());
        // Unlike a renaming, a link never takes the place of a file that somebody else has just put there.
        let linked = written.and_then(|()| fs::hard_link(&draft, self.path(size)));
        let _ = fs::remove_file(&draft);
        linked?;
        File::open(&self.folder)?.sync_all()?;
        // What is too much disturbs nobody, and a folder may let nothing be deleted.
        let _ = self.thin();
        Ok(())
    }

    fn thin(&self) -> io::Result<()> {
        let sizes = self.sizes()?;
        let Some(old) = sizes.len().checked_sub(RECENT) else { return Ok(()) };
        let day = |size: u64| {
            let modified = fs::metadata(self.path(size))?.modified()?;
            Ok::<_, io::Error>(modified.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() / DAY))
        };
        for pair in sizes[..=old.min(sizes.len() - 1)].windows(2) {
            if day(pair[0])? == day(pair[1])? {
                fs::remove_file(self.path(pair[0]))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use punto_record::{Digest, TreeHead};

    use super::*;

    fn note(size: u64, root: u8) -> Note {
        let origin = Origin { ledger: Digest([7; 32]), after_loss: None };
        let key = ed25519_dalek::SigningKey::from_bytes(&[1; 32]);
        TreeHead { origin, size, root: Digest([root; 32]) }.sign(&key)
    }

    #[test]
    fn the_largest_is_the_latest_and_nothing_is_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let notes = Notes::of(folder.path(), note(1, 1).head.origin);
        assert_eq!(notes.latest().unwrap(), None);
        for size in [2, 10, 9_000_000_000] {
            notes.keep(&note(size, 1)).unwrap();
            assert_eq!(notes.latest().unwrap(), Some(note(size, 1)));
        }
        for size in [1, 10, 11, 9_000_000_000] {
            assert!(notes.keep(&note(size, 2)).is_err(), "{size}");
        }
        assert_eq!(notes.sizes().unwrap(), [2, 10, 9_000_000_000]);
        assert_eq!(notes.read(10).unwrap(), note(10, 1));
        let origin = notes.origin;
        assert_eq!(origins(folder.path()).unwrap(), BTreeSet::from([origin]));
        // What is renamed, or cut off, is not read as something else.
        fs::rename(notes.path(10), notes.path(9_000_000_001)).unwrap();
        assert!(notes.latest().is_err());
        fs::write(notes.path(9_000_000_001), &note(9_000_000_001, 1).to_string()[..50]).unwrap();
        assert!(notes.latest().is_err());
    }

    #[test]
    fn a_folder_that_is_not_mounted_is_not_an_empty_one() {
        let folder = tempfile::tempdir().unwrap();
        let notes = Notes::of(&folder.path().join("gone"), note(1, 1).head.origin);
        assert!(notes.latest().is_err() && notes.keep(&note(1, 1)).is_err());
    }

    #[test]
    fn old_notes_are_thinned_out() {
        let folder = tempfile::tempdir().unwrap();
        let notes = Notes::of(folder.path(), note(1, 1).head.origin);
        fs::create_dir(&notes.folder).unwrap();
        let most = RECENT as u64 + 20;
        for size in 1..=most {
            fs::write(notes.path(size), note(size, 1).to_string()).unwrap();
        }
        // Two days of old ones.
        for size in 1..=10 {
            let file = File::options().write(true).open(notes.path(size)).unwrap();
            file.set_modified(UNIX_EPOCH + std::time::Duration::from_secs(3 * DAY)).unwrap();
        }
        notes.keep(&note(most + 1, 1)).unwrap();
        let sizes = notes.sizes().unwrap();
        assert_eq!((sizes.len(), sizes[0], *sizes.last().unwrap()), (RECENT + 1, 10, most + 1));
    }
}
