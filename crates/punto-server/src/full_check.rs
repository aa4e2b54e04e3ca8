//! The whole record audited beside play: after a start, and every day. It reads on a connection of its own, a piece at a time,
//! so that neither the writer nor the log of the store waits for it, in a thread that gives way to all others.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use punto_audit::{Auditor, Beginning, Finding, Inputs};
use punto_ledger::{Archived, Error, Place, Reader};
use punto_record::{Actor, Deed, HouseEntry, Seq, SignedCommit, Timestamp, Volume};
use punto_rules::text::one_line;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;

use crate::app::App;

/// How often the whole record is checked.
const EVERY: Duration = Duration::from_secs(24 * 60 * 60);

/// How soon it is tried again where it could not be read to its end.
const AGAIN: Duration = Duration::from_secs(60);

/// Entries that are read at once. The connection is let go after each piece.
const PIECE: u64 = 5_000;

/// Findings that are written down after one check; the log has them all.
const MOST: usize = 20;

/// What begins the words of a finding that was written down.
const PREFIX: &str = "audit: ";

/// How the audit of the whole record stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Audited {
    /// When the last one ended; none before the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Timestamp>,
    /// How many entries it read.
    pub entries: u64,
    /// What it found.
    pub findings: u64,
    /// Entries read so far by the one that is under way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reading: Option<u64>,
}

/// How the audit of the whole record stands, shared with whoever asks.
#[derive(Clone, Debug, Default)]
pub struct FullCheck {
    shared: Arc<Mutex<(Option<Audited>, Option<Instant>)>>,
}

impl FullCheck {
    /// How it stands; none where the record is not checked.
    pub fn audited(&self) -> Option<Audited> {
        self.lock().0
    }

    /// How long ago the last one ended, or the first one began.
    pub fn age(&self) -> Option<Duration> {
        self.lock().1.map(|at| at.elapsed())
    }

    fn begin(&self) {
        let mut shared = self.lock();
        shared.0.get_or_insert_default().reading = Some(0);
        shared.1.get_or_insert_with(Instant::now);
    }

    fn read(&self, entries: u64) {
        if let Some(audited) = &mut self.lock().0 {
            audited.reading = Some(entries);
        }
    }

    fn give_up(&self) {
        if let Some(audited) = &mut self.lock().0 {
            audited.reading = None;
        }
    }

    fn end(&self, at: Timestamp, entries: u64, findings: u64) {
        let ended = Audited { at: Some(at), entries, findings, reading: None };
        *self.lock() = (Some(ended), Some(Instant::now()));
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, (Option<Audited>, Option<Instant>)> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a check of the whole record came to.
struct Outcome {
    entries: u64,
    findings: Vec<String>,
    /// Findings that stand in the house's record already.
    told: BTreeSet<String>,
}

/// Checks the whole record now and then, for as long as it is awaited.
pub(crate) async fn keep_checking(app: App) {
    let place = app.floor.place().clone();
    if matches!(place, Place::Memory) {
        return;
    }
    loop {
        let outcome = check(&app, place.clone()).await;
        let pause = if outcome.is_some() { EVERY } else { AGAIN };
        if let Some(outcome) = outcome {
            tell(&app, outcome).await;
        }
        tokio::time::sleep(pause).await;
    }
}

/// Tells the thread to stop when the server does.
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

async fn check(app: &App, place: Place) -> Option<Outcome> {
    tracing::info!("the whole record is being audited beside play");
    app.full_check.begin();
    let (stop, shared) = (Arc::new(AtomicBool::new(false)), app.full_check.clone());
    let stops = StopOnDrop(stop.clone());
    let (done, outcome) = oneshot::channel();
    let work = move || {
        // What is left of the processor. Where that cannot be asked for it is read all the same.
        let _ = rustix::process::setpriority_process(None, 19);
        let _ = done.send(audit(&place, &shared, &stop));
    };
    let started = std::thread::Builder::new().name("full-check".to_owned()).spawn(work);
    let outcome = match started {
        Ok(_) => outcome.await.unwrap_or_else(|_| Err(Error::Stopped("it ended in the middle".into()))),
        Err(error) => Err(Error::Stopped(error.to_string().into())),
    };
    drop(stops);
    match outcome {
        Ok(outcome) => outcome,
        Err(error) => {
            tracing::error!(%error, "the whole record could not be audited");
            app.full_check.give_up();
            None
        }
    }
}

/// Reads everything, a piece at a time. `None` if it was told to stop.
fn audit(place: &Place, shared: &FullCheck, stop: &AtomicBool) -> Result<Option<Outcome>, Error> {
    let mut reader = Reader::open(place)?;
    let begins = beginning(&mut reader)?;
    let mut leaf = begins.as_ref().map_or(0, |begins| begins.frontier.size());
    let mut auditor = Auditor::new(Inputs { begins, ..Inputs::default() });
    let (mut faults, mut told) = (Vec::new(), BTreeSet::new());
    let checkpoints = |reader: &mut Reader<'_>, auditor: &mut Auditor, after: u64| {
        let mut unreadable = Vec::new();
        reader.checkpoints(&mut |kept| match kept.read() {
            // What was signed for the part that is read is known already.
            Ok((signed, _)) if signed.checkpoint.size > after => auditor.checkpoint(signed),
            Ok(_) => {}
            Err(error) => unreadable.push(error.to_string()),
        })?;
        Ok::<_, Error>(unreadable)
    };
    let mut known = 0;
    loop {
        let size = reader.size()?;
        // Those of the last piece come with it: they may be thinned out before it is reached.
        faults.extend(checkpoints(&mut reader, &mut auditor, known)?);
        known = size;
        let until = leaf + PIECE;
        reader.entries(leaf, &mut |stored| {
            if stop.load(Ordering::Relaxed) {
                return ControlFlow::Break(());
            }
            if stored.leaf != leaf + 1 {
                faults.push(format!("after entry {leaf} of the tree comes entry {}", stored.leaf));
            }
            leaf = stored.leaf;
            auditor.entry(stored.volume, &stored.sealed());
            told.extend(written_down(stored.volume, stored.bytes));
            if leaf < until { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        shared.read(leaf);
        if leaf >= size {
            break;
        }
        reader = Reader::open(place)?;
    }
    // Of the same moment as the last entries.
    let mut commits = Vec::new();
    reader.signed_commits(&mut |text| match text.parse::<SignedCommit>() {
        Ok(signed) => commits.push(signed),
        Err(error) => faults.push(error.to_string()),
    })?;
    auditor.commits(commits);
    let mut tickets = Vec::new();
    reader.tickets(&mut |ticket| tickets.push(ticket))?;
    drop(reader);
    auditor.tickets(tickets);
    let audit = auditor.finish();
    let faults = faults.into_iter().map(|words| format!("{PREFIX}store: {}", one_line(&words)));
    let findings = audit.findings.iter().map(words).chain(faults).collect();
    Ok(Some(Outcome { entries: leaf, findings, told }))
}

/// A finding as it is written down. What stands before the last part tells it from others.
fn words(finding: &Finding) -> String {
    let Finding { place, kind, words, .. } = finding;
    let entry = place.seq.map(|seq| format!(" entry {seq}")).unwrap_or_default();
    one_line(&format!("{PREFIX}{}{entry}, {}: {words}", place.volume, kind.id()))
}

/// The words of a finding that stands in the house's record.
fn written_down(volume: &Volume, bytes: &[u8]) -> Option<String> {
    // Most deeds are something else, and need not be read for that.
    let needle = b"\"verification-failed\"";
    if *volume != Volume::House || !bytes.windows(needle.len()).any(|it| it == needle) {
        return None;
    }
    let entry: HouseEntry = serde_json::from_slice(bytes).ok()?;
    let Deed::VerificationFailed { words, .. } = entry.deed else { return None };
    words.starts_with(PREFIX).then(|| words.to_string())
}

/// What was found is told everywhere, and written down once.
async fn tell(app: &App, outcome: Outcome) {
    let Outcome { entries, findings, told } = outcome;
    app.full_check.end(app.clock.now(), entries, findings.len() as u64);
    if findings.is_empty() {
        tracing::info!(entries, "the whole record was audited: no finding");
        return;
    }
    tracing::error!(entries, findings = findings.len(), "the whole record was audited");
    let mut new = 0;
    for words in findings {
        tracing::error!(finding = %words);
        if told.contains(&words) || new == MOST {
            continue;
        }
        new += 1;
        let deed = Deed::verification_failed(words);
        if let Err(error) = app.deeds.write(Actor::House, deed).await {
            tracing::error!(%error, "a finding could not be written down");
        }
    }
}

/// Where a ledger begins whose early entries are elsewhere; the house's own are still there.
///
/// # Errors
/// If it cannot be read.
pub fn beginning(reader: &mut Reader<'_>) -> Result<Option<Beginning>, Error> {
    let Some(Archived { tree, heads }) = reader.archived()? else { return Ok(None) };
    let (mut ledger, mut keys) = (None, Vec::new());
    reader.entries(0, &mut |stored| {
        if stored.leaf > tree.size() {
            return ControlFlow::Break(());
        }
        if stored.seq == Seq(1) {
            ledger = Some(stored.link);
        }
        if let Ok(HouseEntry { deed: Deed::KeyAdopted { key, .. }, .. }) =
            serde_json::from_slice(stored.bytes)
        {
            keys.push(key);
        }
        ControlFlow::Continue(())
    })?;
    Ok(Some(Beginning { frontier: tree, heads, ledger, keys }))
}

#[cfg(test)]
mod tests {
    use punto_ledger::{Vault, new_key};
    use punto_record::{LedgerKind, OrderId, Release};

    use super::*;

    /// A ledger of a few deeds in a file.
    fn ledger(folder: &tempfile::TempDir, deeds: u64) -> Place {
        let place = Place::File(folder.path().join("ledger"));
        let (at, release) = (Timestamp(1), Release("test".into()));
        let mut vault = Vault::found(&place, LedgerKind::Demo, new_key().unwrap(), at, release).unwrap();
        for n in 1..=deeds {
            let words = if n == 1 { format!("{PREFIX}as before") } else { format!("something else {n}") };
            let deed = Deed::verification_failed(words);
            vault.deed(OrderId { device: "test".into(), n }, Actor::House, Timestamp(n), deed).unwrap();
        }
        vault.checkpoint(at).unwrap();
        place
    }

    #[test]
    fn reads_all_pieces_and_knows_what_was_written_down() {
        let folder = tempfile::tempdir().unwrap();
        let place = ledger(&folder, 2 * PIECE);
        let (shared, stop) = (FullCheck::default(), AtomicBool::new(false));
        shared.begin();
        let outcome = audit(&place, &shared, &stop).unwrap().expect("it was not stopped");
        assert_eq!((outcome.entries, outcome.findings), (2 * PIECE + 2, Vec::new()));
        assert_eq!(outcome.told, BTreeSet::from([format!("{PREFIX}as before")]));
        assert_eq!(shared.audited().unwrap().reading, Some(2 * PIECE + 2));
        shared.end(Timestamp(5), 10, 0);
        assert_eq!(
            shared.audited(),
            Some(Audited { at: Some(Timestamp(5)), entries: 10, findings: 0, reading: None })
        );
    }

    #[test]
    fn stops_when_it_is_told_to() {
        let folder = tempfile::tempdir().unwrap();
        let place = ledger(&folder, 3);
        assert!(audit(&place, &FullCheck::default(), &AtomicBool::new(true)).unwrap().is_none());
    }
}
