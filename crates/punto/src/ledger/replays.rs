//! Snapshots of tables, compared with what the record gives at the same entry.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use punto_ledger::{Archived, Snapshot, Stored};
use punto_record::{Seq, Volume};
use punto_table::{Replay, SNAPSHOT_SCHEMA};

/// Snapshots are compared with what the record gives at the same entry.
pub(super) struct Replays {
    snapshots: BTreeMap<(Volume, Seq), Snapshot>,
    replays: BTreeMap<Volume, Replay>,
    pub(super) faults: Vec<String>,
}

impl Replays {
    pub(super) fn new(snapshots: Vec<Snapshot>, archived: Option<Archived>) -> Replays {
        let mut all = Replays { snapshots: BTreeMap::new(), replays: BTreeMap::new(), faults: Vec::new() };
        // The house's volume has no state to replay: what is kept there is the book of tickets, and the auditor compares the
        // record's tickets with the rows themselves.
        for snapshot in snapshots.into_iter().filter(|snapshot| snapshot.volume != Volume::House) {
            all.snapshots.insert((snapshot.volume.clone(), snapshot.chain.seq), snapshot);
        }
        for head in archived.into_iter().flat_map(|archived| archived.heads) {
            let place = (head.volume.clone(), head.seq);
            let Some(snapshot) = all.snapshots.remove(&place) else {
                if head.snapshot.is_some() {
                    all.faults.push(format!("{}: the snapshot to go on from is missing", head.volume));
                }
                continue;
            };
            if Some(snapshot.digest()) != head.snapshot || snapshot.chain != head.chain() {
                all.faults
                    .push(format!("{}: the snapshot to go on from is not the one archived", head.volume));
            }
            if let Some(replay) = Replay::from_snapshot(&snapshot.bytes, snapshot.chain) {
                all.replays.insert(head.volume, replay);
            }
        }
        for (volume, _) in all.snapshots.keys() {
            all.replays.entry(volume.clone()).or_default();
        }
        all
    }

    /// Takes the next entry. From an entry to which the auditor objects on, its table is not replayed.
    pub(super) fn enter(&mut self, stored: &Stored<'_>, objects: bool) {
        let Some(replay) = self.replays.get_mut(stored.volume) else { return };
        let goes_on = if objects { Some(false) } else { goes_on(replay, stored) };
        match goes_on {
            Some(true) => {}
            None => {
                let words = "no table could have come to this";
                self.faults.push(format!("{} entry {}: {words}", stored.volume, stored.seq));
                self.replays.remove(stored.volume);
                return;
            }
            // A broken chain is the auditor's to find.
            Some(false) => {
                self.replays.remove(stored.volume);
                return;
            }
        }
        let Some(snapshot) = self.snapshots.remove(&(stored.volume.clone(), stored.seq)) else { return };
        let is_readable = snapshot.schema == SNAPSHOT_SCHEMA;
        if snapshot.chain != stored.chain() || (is_readable && snapshot.bytes != replay.table().snapshot()) {
            self.faults.push(format!(
                "{} entry {}: the snapshot is not what the record gives there",
                stored.volume, stored.seq
            ));
        }
    }
}

thread_local! {
    /// Whether this thread replays what somebody may have made up.
    static REPLAYS: Cell<bool> = const { Cell::new(false) };
}

/// Replays one entry; whether it is chained to the one before, or nothing if no table can have come to it. The table asserts what no record of its own can break. Whoever wrote this record
/// may have forged it, so that a broken assertion is a fault of the record here: it ends neither the audit nor the program.
fn goes_on(replay: &mut Replay, stored: &Stored<'_>) -> Option<bool> {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !REPLAYS.get() {
                before(info);
            }
        }));
    });
    REPLAYS.set(true);
    let replayed =
        panic::catch_unwind(AssertUnwindSafe(|| replay.enter(stored.chain(), stored.bytes).is_ok()));
    REPLAYS.set(false);
    replayed.ok()
}
