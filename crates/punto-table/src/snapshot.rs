//! A table's state as bytes, to reopen it quickly. Derived from the record, checked against it, never needed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use punto_record::planted::{Bug, is};
use punto_record::{Chain, DeviceId, Entry, Person, RoundNo, Seq, Timestamp};
use punto_rules::PatronNo;
use serde::{Deserialize, Serialize};

use crate::bettors::Bettors;
use crate::earlier::Earlier;
use crate::state::{Asked, State};
use crate::table::Table;

/// What the bytes of a snapshot mean. Whoever changes the state of a table in a way that old bytes would be read wrongly
/// counts this up; a test tells when.
pub const SNAPSHOT_SCHEMA: u32 = 10;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Snapshot<'a> {
    #[serde(borrow)]
    rulebook: Option<std::borrow::Cow<'a, str>>,
    state: State,
    asked: BTreeMap<DeviceId, Asked>,
    dealt: BTreeMap<RoundNo, BTreeSet<Person>>,
    earlier: Earlier,
    bettors: Bettors,
    active: BTreeMap<PatronNo, Timestamp>,
}

impl Table {
    /// The table as bytes.
    pub fn snapshot(&self) -> Vec<u8> {
        let asked =
            |(device, last): (&DeviceId, &crate::state::Answered)| (device.clone(), last.asked.clone());
        let snapshot = Snapshot {
            rulebook: self.rulebook().map(Into::into),
            state: self.state().clone(),
            asked: self.state().devices.iter().map(asked).collect(),
            dealt: (*self.state().dealt).clone(),
            earlier: (*self.state().earlier).clone(),
            bettors: (*self.state().bettors).clone(),
            active: (*self.state().active).clone(),
        };
        serde_json::to_vec(&snapshot).expect("a table is always JSON")
    }

    /// The table that the bytes were made of; `None` if they are no snapshot.
    pub fn from_snapshot(bytes: &[u8]) -> Option<Table> {
        let Snapshot { rulebook, mut state, mut asked, dealt, earlier, bettors, active } =
            serde_json::from_slice(bytes).ok()?;
        state.dealt = Arc::new(dealt);
        state.earlier = Arc::new(earlier);
        state.bettors = Arc::new(bettors);
        state.active = Arc::new(active);
        for (device, last) in Arc::make_mut(&mut state.devices) {
            last.asked = asked.remove(device)?;
        }
        // Planted: who was answered what is forgotten.
        if is(Bug::SnapshotForgets) {
            Arc::make_mut(&mut state.devices).clear();
        }
        let whole = asked.is_empty() && rulebook.is_some() == state.settings.is_some();
        whole.then(|| Table::from_state(state, rulebook.map(|text| Arc::from(text.as_ref()))))
    }
}

/// A record being read back into a table, entry by entry.
#[derive(Clone, Debug)]
pub struct Replay {
    table: Table,
    chain: Chain,
}

/// An entry that does not go on from what was read before.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum ReplayError {
    /// It is not chained to the one before it.
    #[error("entry {seq} is not chained to the one before it")]
    Unchained { seq: Seq },
    /// It is no entry.
    #[error("entry {seq} cannot be read: {words}")]
    Unreadable { seq: Seq, words: String },
}

impl Default for Replay {
    fn default() -> Replay {
        Replay { table: Table::default(), chain: Chain::START }
    }
}

impl Replay {
    /// Goes on from a snapshot; `None` if it is not one of that place in the record.
    pub fn from_snapshot(bytes: &[u8], chain: Chain) -> Option<Replay> {
        let table = Table::from_snapshot(bytes)?;
        (table.state().seq == chain.seq).then_some(Replay { table, chain })
    }

    /// The last entry that was read.
    pub const fn chain(&self) -> Chain {
        self.chain
    }

    /// The table up to there.
    pub const fn table(&self) -> &Table {
        &self.table
    }

    /// Reads the next entry as it is stored.
    ///
    /// # Errors
    /// If it is not the next one, or no entry.
    pub fn enter(&mut self, stored: Chain, bytes: &[u8]) -> Result<Entry, ReplayError> {
        let seq = stored.seq;
        let chain = self.chain.after(bytes);
        if chain != stored {
            return Err(ReplayError::Unchained { seq });
        }
        let entry: Entry = serde_json::from_slice(bytes)
            .map_err(|error| ReplayError::Unreadable { seq, words: error.to_string() })?;
        if entry.seq != seq {
            return Err(ReplayError::Unchained { seq });
        }
        self.table.enter(&entry);
        self.chain = chain;
        Ok(entry)
    }

    /// The table, and where its record ends.
    pub fn finish(self) -> (Table, Chain) {
        (self.table, self.chain)
    }
}
