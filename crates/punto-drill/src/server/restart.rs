//! The software starts again with nothing but what is on the disk, and tables are read back.

use std::ops::ControlFlow;

use ed25519_dalek::SigningKey;
use punto_ledger::{Error, Place, TicketKeys, Vault};
use punto_record::{Seq, Timestamp, Volume};
use punto_table::{Desk, PostAnchors, Replay, SNAPSHOT_SCHEMA};

use super::witnesses::Asked;
use super::{Door, ROOM, Server, release};

/// How a table was read back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum From {
    /// From its first entry.
    Start,
    /// From a snapshot of its last entry.
    Snapshot,
    /// From a snapshot, and entries after it.
    OldSnapshot,
}

impl Server {
    /// The software starts again with nothing but what is on the disk.
    pub(crate) fn start_again(&mut self, now: u64) -> Result<(), Error> {
        let vault = self.vault.take().expect("the house was open");
        let mut vault = match &self.place {
            Place::Memory => vault.reopen()?,
            place @ (Place::File(_) | Place::Database(_)) => {
                drop(vault);
                let mut vault = Vault::open(place, SigningKey::from_bytes(&self.key), release())?;
                let keys = TicketKeys::in_memory(vec![self.ticket_key.clone()]);
                vault.use_ticket_keys(keys, Timestamp(self.latest))?;
                vault
            }
        };
        vault.limit_pages(ROOM)?;
        self.door = Door::of(&vault.found_amiss().register);
        self.unwitnessed = vault.kind().is_house() && vault.witnesses().in_use().next().is_some();
        self.asked = Asked::default();
        self.vault = Some(vault);
        self.started(now)
    }

    /// Reads a table back from the ledger.
    pub(crate) fn read_back(&mut self, table: usize, volume: &Volume) -> Result<From, String> {
        let vault = self.vault.as_mut().expect("the house is open");
        let head = vault.head(volume);
        let failed = |error: Error| format!("the ledger cannot be read: {error}");
        let kept = vault.snapshot(volume, SNAPSHOT_SCHEMA).map_err(failed)?;
        let mut reader = vault.reader();
        let from = match &kept {
            None => From::Start,
            Some(kept) if kept.chain.seq == head.seq => From::Snapshot,
            Some(_) => From::OldSnapshot,
        };
        let mut replay = match kept {
            Some(kept) => Replay::from_snapshot(&kept.bytes, kept.chain)
                .ok_or_else(|| format!("the snapshot of {volume} cannot be read"))?,
            None => Replay::default(),
        };
        let mut fault = None;
        let after = replay.chain().seq;
        let mut posts = PostAnchors::default();
        reader
            .entries_of(volume, after, &mut |stored| match replay.enter(stored.chain(), stored.bytes) {
                Ok(entry) => {
                    posts.enter(&entry, stored.chain().into());
                    ControlFlow::Continue(())
                }
                Err(error) => {
                    fault = Some(format!("{volume}: {error}"));
                    ControlFlow::Break(())
                }
            })
            .map_err(failed)?;
        if let Some(words) = fault {
            return Err(words);
        }
        let (read, chain) = replay.finish();
        if chain != head {
            return Err(format!("{volume} ends at entry {}, the ledger says {}", chain.seq, head.seq));
        }
        if !posts.covers(read.state()) {
            // A snapshot does not know where posts were taken.
            posts = PostAnchors::default();
            let each = &mut |stored: punto_ledger::Stored<'_>| {
                if let Ok(entry) = serde_json::from_slice(stored.bytes) {
                    posts.enter(&entry, stored.chain().into());
                }
                ControlFlow::Continue(())
            };
            vault.reader().entries_of(volume, Seq(0), each).map_err(failed)?;
        }
        self.desks[table] = Desk::resume(read, chain, release()).with_posts(posts);
        Ok(from)
    }

    /// Keeps a snapshot of a table, if everything of it is on the disk.
    pub(crate) fn keep_snapshot(&mut self, table: usize, volume: &Volume) -> Result<bool, Error> {
        let chain = self.vault().head(volume);
        let known = self.desks[table].table();
        if known.state().seq != chain.seq || chain.seq.0 == 0 {
            return Ok(false);
        }
        let bytes = known.snapshot();
        let snapshot = punto_ledger::Snapshot {
            volume: volume.clone(),
            chain,
            schema: SNAPSHOT_SCHEMA,
            bytes,
            signed: None,
        };
        self.vault().keep_snapshot(&snapshot).map(|()| true)
    }
}
