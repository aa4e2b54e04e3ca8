//! One witness asked whether what it keeps of this ledger leads to what there is, and given the latest.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use punto_audit::is_consistent;
use punto_ledger::Error;
use punto_record::{
    AddCheckpoint, Contest, Digest, Note, NoteSignature, PublicKey, Timestamp, WitnessKey, WitnessName,
};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::call::{Roots, call};
use super::notes::Notes;
use crate::floor::Floor;

/// How far a witness's clock may be from the house's, in seconds. An older signature may have been kept by somebody on the way
/// to it, who passes on nothing of what it has signed since.
const LATELY: u64 = 10 * 60;

/// How often one witness is asked at once: its size is not known, and may change while it is asked.
const ATTEMPTS: usize = 3;

/// What a witness said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// It has this ledger's tree now, and what it had before is a part of that.
    Confirmed,
    /// It keeps another history.
    Contested(Contest),
    /// Nothing that counts, and why.
    Unreachable(String),
}

/// What a witness is compared with.
pub(super) struct Ours<'f> {
    pub(super) floor: &'f Floor,
    /// The latest checkpoint.
    pub(super) note: Note,
    /// The keys that this ledger has adopted.
    pub(super) keys: Vec<PublicKey>,
    /// Who is asked.
    pub(super) name: WitnessName,
    /// How long a folder or one request may take: what is elsewhere may hang for as long as it likes.
    pub(super) patience: Duration,
    pub(super) now: Timestamp,
    /// Entries that this witness is known to have.
    pub(super) known: u64,
}

fn unreachable(words: impl Into<String>) -> Answer {
    Answer::Unreachable(words.into())
}

impl Ours<'_> {
    /// The root that this ledger's tree had at a size, and the proof that it grew from there to the latest checkpoint.
    /// `None` where that was archived.
    async fn proof_from(&self, old: u64) -> Result<Option<(Digest, Vec<Digest>)>, Error> {
        let (new, new_root) = (self.note.head.size, self.note.head.root);
        let prove = move |reader: &mut punto_ledger::Reader<'_>| {
            let tree = reader.tree_from(old)?;
            if tree.root_at(new) != Some(new_root) {
                return Err(Error::Failed(
                    "its entries are not those that its last checkpoint signed for".into(),
                ));
            }
            Ok(tree.root_at(old).zip(tree.consistency(old, new)))
        };
        self.floor.read(prove).await
    }

    /// What is contested by a witness that has so many entries.
    fn contest(&self, to: u64, root: Option<Digest>) -> Answer {
        // What was confirmed before this ledger was taken elsewhere is the same; the rest is not known.
        let from = if self.known < to { self.known } else { 0 };
        Answer::Contested(Contest { witness: self.name.clone(), from, to, root })
    }

    fn forgot(&self, has: u64) -> Answer {
        unreachable(format!(
            "it has {has} entries of this history, and had {}: whoever took them away proves nothing",
            self.known
        ))
    }

    /// Does something with a folder that may hang.
    async fn within<T: Send + 'static>(
        &self,
        busy: &Arc<Semaphore>,
        work: impl FnOnce() -> io::Result<T> + Send + 'static,
    ) -> Result<T, String> {
        let Ok(turn) = busy.clone().try_acquire_owned() else {
            return Err("it still hangs".to_owned());
        };
        let working = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            work()
        });
        match timeout(self.patience, working).await {
            Ok(Ok(done)) => done.map_err(|error| error.to_string()),
            Ok(Err(_)) => Err("it was given up".to_owned()),
            Err(_) => Err("no answer in time".to_owned()),
        }
    }
}

/// Asks a folder. `busy` keeps one that hangs from being asked again meanwhile.
pub(super) async fn ask_folder(ours: &Ours<'_>, path: &str, busy: &Arc<Semaphore>) -> Answer {
    let notes = Notes::of(Path::new(path), ours.note.head.origin);
    let reading = notes.clone();
    let latest = match ours.within(busy, move || reading.latest()).await {
        Ok(latest) => latest,
        Err(words) => return unreachable(words),
    };
    let Some(latest) = latest else {
        return if ours.known > 0 { ours.forgot(0) } else { keep(ours, notes, busy).await };
    };
    let (size, root) = (latest.head.size, latest.head.root);
    // Anybody who can write there could put something else in its place.
    if !ours.keys.iter().any(|key| latest.is_signed_by(*key)) {
        return unreachable("its latest note is not signed with a key of this ledger");
    }
    if size < ours.known {
        return ours.forgot(size);
    }
    let same = if size > ours.note.head.size {
        false
    } else {
        match ours.proof_from(size).await {
            Ok(Some((own, path))) => {
                let (new, new_root) = (ours.note.head.size, ours.note.head.root);
                own == root && is_consistent((size, root), (new, new_root), &path)
            }
            Ok(None) => return unreachable("its latest checkpoint is in the archive"),
            Err(error) => return unreachable(format!("the ledger cannot be read: {error}")),
        }
    };
    if !same {
        return parting(ours, notes, busy, (size, root)).await;
    }
    if size == ours.note.head.size { Answer::Confirmed } else { keep(ours, notes, busy).await }
}

async fn keep(ours: &Ours<'_>, notes: Notes, busy: &Arc<Semaphore>) -> Answer {
    let note = ours.note.clone();
    match ours.within(busy, move || notes.keep(&note)).await {
        Ok(()) => Answer::Confirmed,
        Err(words) => unreachable(words),
    }
}

/// Where the history of a folder parts from this ledger's, as far as its notes tell.
async fn parting(ours: &Ours<'_>, notes: Notes, busy: &Arc<Semaphore>, (to, root): (u64, Digest)) -> Answer {
    let contested = ours.contest(to, Some(root));
    let read = move || {
        let sizes = notes.sizes()?;
        Ok(sizes
            .into_iter()
            .filter_map(|size| notes.read(size).ok())
            .map(|note| note.head)
            .collect::<Vec<_>>())
    };
    let Ok(heads) = ours.within(busy, read).await else { return contested };
    let common = ours.floor.read(move |reader| {
        let tree = reader.tree(&mut |_| {})?;
        let is_common = |size: u64, root| size <= tree.size() && tree.root_at(size) == Some(root);
        // Once parted they never meet again.
        let shared = heads.partition_point(|head| is_common(head.size, head.root));
        Ok(shared.checked_sub(1).map(|last| heads[last].size))
    });
    match common.await {
        Ok(Some(from)) if from < to => {
            Answer::Contested(Contest { witness: ours.name.clone(), from, to, root: Some(root) })
        }
        Ok(_) | Err(_) => contested,
    }
}

/// Asks a server, by c2sp.org/tlog-witness.
pub(super) async fn ask_server(ours: &Ours<'_>, prefix: &str, key: &WitnessKey, roots: &Roots) -> Answer {
    let size = ours.note.head.size;
    let mut old = ours.known.min(size);
    for _ in 0..ATTEMPTS {
        let path = match old {
            0 => Vec::new(),
            _ if old == size => Vec::new(),
            _ => match ours.proof_from(old).await {
                Ok(Some((_, path))) => path,
                Ok(None) => return unreachable("its latest checkpoint is in the archive"),
                Err(error) => return unreachable(format!("the ledger cannot be read: {error}")),
            },
        };
        let asked = AddCheckpoint { old, path, note: ours.note.clone() }.to_string();
        let reply = match call(&format!("{prefix}/add-checkpoint"), Some(asked), roots, ours.patience).await {
            Ok(reply) => reply,
            Err(words) => return unreachable(words),
        };
        match reply.status {
            200 => return cosigned(ours, &reply.text, key),
            409 => {}
            422 => {
                let root =
                    latest(ours, prefix, key, roots).await.map(|note| (note.head.size, note.head.root));
                return ours.contest(root.map_or(old, |it| it.0).max(1), root.map(|it| it.1));
            }
            404 => return unreachable("it does not know this ledger"),
            403 => return unreachable("it does not know the key of this ledger"),
            status => return unreachable(format!("it answered {status}")),
        }
        let Some(has) = size_of(&reply.text) else { return unreachable("it answered 409 without a size") };
        if has < ours.known {
            return ours.forgot(has);
        }
        // The same size and refused: another root. A larger one: this ledger is behind.
        if has > size || (has == old && has == size) {
            let root = latest(ours, prefix, key, roots).await.filter(|note| note.head.size == has);
            return ours.contest(has, root.map(|note| note.head.root));
        }
        if has == old {
            return unreachable("it refuses the size that it names");
        }
        old = has;
    }
    unreachable("its size changes while it is asked")
}

/// A signature of its own is what makes an answer that of the witness, whoever is on the way to it.
fn cosigned(ours: &Ours<'_>, text: &str, key: &WitnessKey) -> Answer {
    let mut lines = text.lines().take(64).filter_map(|line| line.parse::<NoteSignature>().ok());
    let signed = lines.find_map(|signature| key.cosigned(&ours.note.head, &signature));
    match signed.map(|seconds| is_lately(seconds, ours.now)) {
        Some(true) => Answer::Confirmed,
        Some(false) => {
            unreachable("its signature is of another time: the clocks differ, or somebody kept it")
        }
        None => unreachable("its key did not sign"),
    }
}

/// Whether a signature of that second was made just now.
const fn is_lately(seconds: u64, now: Timestamp) -> bool {
    seconds.abs_diff(now.0 / 1_000) <= LATELY
}

/// The size after a conflict.
fn size_of(text: &str) -> Option<u64> {
    let line = text.strip_suffix('\n')?;
    line.parse().ok().filter(|size: &u64| size.to_string() == line)
}

/// What it signed last, where it tells: our own witness server does, the standard does not ask for it.
async fn latest(ours: &Ours<'_>, prefix: &str, key: &WitnessKey, roots: &Roots) -> Option<Note> {
    let origin = ours.note.head.origin;
    let reply = call(&format!("{prefix}/checkpoint/{origin}"), None, roots, ours.patience).await.ok()?;
    let note: Note = reply.text.parse().ok().filter(|_| reply.status == 200)?;
    (note.head.origin == origin && note.cosigned_at(key).is_some()).then_some(note)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_that_somebody_kept_confirms_nothing() {
        let now = Timestamp(1_700_000_000_999);
        for (seconds, is) in [
            (1_700_000_000, true),
            (1_700_000_600, true),
            (1_699_999_400, true),
            (1_699_999_399, false),
            (1_700_000_601, false),
            (0, false),
            (u64::MAX, false),
        ] {
            assert_eq!(is_lately(seconds, now), is, "{seconds}");
        }
    }

    #[test]
    fn a_size_has_one_text() {
        assert_eq!(size_of("17\n"), Some(17));
        for not in ["17", "017\n", "+17\n", "17\n\n", " 17\n", "\n", "99999999999999999999999\n"] {
            assert_eq!(size_of(not), None, "{not:?}");
        }
    }
}
