//! Reading a ledger, or an export of one, without writing to it.

use std::ops::ControlFlow;
use std::path::PathBuf;

use punto_record::merkle::Tree;
use punto_record::{RegisterLine, Seq, Ticket, Volume};

use crate::Error;
use crate::author::Signed;
use crate::export::{self, Header, is_export};
use crate::place::Place;
use crate::registered::StoredRow;
use crate::store::Store;
use crate::stored::{Archived, Each, KeptCheckpoint, Snapshot};

/// Something that holds entries: a ledger, or an export.
#[derive(Debug)]
pub struct Reader<'a> {
    source: Source<'a>,
}

#[derive(Debug)]
enum Source<'a> {
    Store(Box<Store>),
    Lent(&'a mut Store),
    Export { path: PathBuf, header: Header },
}

impl<'a> Reader<'a> {
    pub(crate) const fn lent(store: &'a mut Store) -> Reader<'a> {
        Reader { source: Source::Lent(store) }
    }

    /// Opens a ledger or an export. What is read is of one moment, whatever is written meanwhile.
    ///
    /// # Errors
    /// If there is none, or it cannot be read.
    pub fn open(place: &Place) -> Result<Reader<'static>, Error> {
        let store = Store::read(place).and_then(|mut store| {
            store.hold_still()?;
            Ok(store)
        });
        let source = match (place, store) {
            (_, Ok(store)) => Source::Store(Box::new(store)),
            // Only now is the file opened by others than SQLite: whoever closes a ledger loses the locks that this process has
            // on it, and another process would take its log away.
            (Place::File(path), Err(Error::Damaged(_))) if is_export(path) => {
                Source::Export { path: path.clone(), header: export::header(path)? }
            }
            (_, Err(error)) => return Err(error),
        };
        Ok(Reader { source })
    }

    /// Entries in the tree, those included that were archived.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn size(&mut self) -> Result<u64, Error> {
        match &mut self.source {
            Source::Store(store) => store.size(),
            Source::Lent(store) => store.size(),
            Source::Export { header, .. } => Ok(header.size),
        }
    }

    /// What is wrong with the store itself, apart from what it holds.
    ///
    /// # Errors
    /// If it cannot be read at all.
    pub fn check(&mut self) -> Result<Vec<String>, Error> {
        match &mut self.source {
            Source::Store(store) => store.check(),
            Source::Lent(store) => store.check(),
            Source::Export { .. } => Ok(Vec::new()),
        }
    }

    /// Entries of all volumes in the order of the tree, after a leaf.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn entries(&mut self, after: u64, each: Each<'_>) -> Result<(), Error> {
        match &mut self.source {
            Source::Store(store) => store.entries(after, each),
            Source::Lent(store) => store.entries(after, each),
            Source::Export { path, .. } => export::entries(path, after, each),
        }
    }

    /// Entries of one volume, after a number.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn entries_of(&mut self, volume: &Volume, after: Seq, each: Each<'_>) -> Result<(), Error> {
        match &mut self.source {
            Source::Store(store) => store.entries_of(volume, after, each),
            Source::Lent(store) => store.entries_of(volume, after, each),
            Source::Export { path, .. } => {
                export::entries(path, 0, &mut |stored| match stored.volume == volume && stored.seq > after {
                    true => each(stored),
                    false => ControlFlow::Continue(()),
                })
            }
        }
    }

    /// The volumes, in the order of their first entries.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn volumes(&mut self) -> Result<Vec<Volume>, Error> {
        match &mut self.source {
            Source::Store(store) => store.volumes(),
            Source::Lent(store) => store.volumes(),
            Source::Export { header, .. } => Ok(header.volumes.clone()),
        }
    }

    /// All tickets.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn tickets(&mut self, each: &mut dyn FnMut(Ticket)) -> Result<(), Error> {
        match &mut self.source {
            Source::Store(store) => store.tickets(each),
            Source::Lent(store) => store.tickets(each),
            Source::Export { path, .. } => export::tickets(path, each),
        }
    }

    /// All checkpoints as they are kept, by size.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn checkpoints(&mut self, each: &mut dyn FnMut(KeptCheckpoint)) -> Result<(), Error> {
        match &mut self.source {
            Source::Store(store) => store.checkpoints(each),
            Source::Lent(store) => store.checkpoints(each),
            Source::Export { path, .. } => export::checkpoints(path, each),
        }
    }

    /// The last checkpoint, found at once however many there are.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn last_checkpoint(&mut self) -> Result<Option<KeptCheckpoint>, Error> {
        match &mut self.source {
            Source::Store(store) => store.last_checkpoint(),
            Source::Lent(store) => store.last_checkpoint(),
            Source::Export { path, .. } => {
                let mut last = None;
                export::checkpoints(path, &mut |kept| last = Some(kept))?;
                Ok(last)
            }
        }
    }

    /// The smallest checkpoint of at least this size.
    pub(crate) fn checkpoint_from(&mut self, size: u64) -> Result<Option<KeptCheckpoint>, Error> {
        match &mut self.source {
            Source::Store(store) => store.checkpoint_from(size),
            Source::Lent(store) => store.checkpoint_from(size),
            Source::Export { path, .. } => {
                let mut found = None;
                let mut keep = |kept: KeptCheckpoint| {
                    if found.is_none() && kept.size >= size {
                        found = Some(kept);
                    }
                };
                export::checkpoints(path, &mut keep)?;
                Ok(found)
            }
        }
    }

    /// The largest checkpoint of at most this size.
    pub(crate) fn checkpoint_up_to(&mut self, size: u64) -> Result<Option<KeptCheckpoint>, Error> {
        match &mut self.source {
            Source::Store(store) => store.checkpoint_up_to(size),
            Source::Lent(store) => store.checkpoint_up_to(size),
            Source::Export { path, .. } => {
                let mut found = None;
                let mut keep = |kept: KeptCheckpoint| {
                    if kept.size <= size {
                        found = Some(kept);
                    }
                };
                export::checkpoints(path, &mut keep)?;
                Ok(found)
            }
        }
    }

    /// The tree from all entries that are here; of archived ones only the right edge is known.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn tree(&mut self, each: &mut dyn FnMut(u64)) -> Result<Tree, Error> {
        let start = self.archived()?.map(|archived| archived.tree).unwrap_or_default();
        let after = start.size();
        let damaged = || Error::damaged("the tree over the archived entries is none");
        let mut tree = Tree::after(start).ok_or_else(damaged)?;
        self.entries(after, &mut |stored| {
            // A place that is not the next one: entries are missing, and the tree ends before them.
            if stored.leaf != tree.size() + 1 {
                return ControlFlow::Break(());
            }
            tree.push(stored.leaf_hash());
            each(stored.leaf);
            ControlFlow::Continue(())
        })?;
        Ok(tree)
    }

    /// The signed commits after the last checkpoint, as text, in their order.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn signed_commits(&mut self, each: &mut dyn FnMut(String)) -> Result<(), Error> {
        self.each_signed(&mut |signed| each(signed.text))
    }

    pub(crate) fn each_signed(&mut self, each: &mut dyn FnMut(Signed)) -> Result<(), Error> {
        match &mut self.source {
            Source::Store(store) => store.signed_commits(0, each),
            Source::Lent(store) => store.signed_commits(0, each),
            Source::Export { path, .. } => export::signed_commits(path, each),
        }
    }

    /// Whether it could hold snapshots: an export holds none.
    pub const fn keeps_snapshots(&self) -> bool {
        match &self.source {
            Source::Store(_) | Source::Lent(_) => true,
            Source::Export { .. } => false,
        }
    }

    /// All snapshots; an export has none.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn snapshots(&mut self) -> Result<Vec<Snapshot>, Error> {
        match &mut self.source {
            Source::Store(store) => store.snapshots(),
            Source::Lent(store) => store.snapshots(),
            Source::Export { .. } => Ok(Vec::new()),
        }
    }

    /// The rows of the register of people and devices, without their credentials.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn register(&mut self) -> Result<Vec<RegisterLine>, Error> {
        let stored = match &mut self.source {
            Source::Store(store) => store.register()?,
            Source::Lent(store) => store.register()?,
            Source::Export { path, .. } => return export::register(path),
        };
        Ok(stored.iter().map(StoredRow::line).collect())
    }

    /// The same as they are to be kept in a copy. An export has no credentials to give.
    pub(crate) fn stored_register(&mut self) -> Result<Vec<StoredRow>, Error> {
        match &mut self.source {
            Source::Store(store) => store.register(),
            Source::Lent(store) => store.register(),
            Source::Export { path, .. } => {
                Ok(export::register(path)?.iter().map(StoredRow::without_credential).collect())
            }
        }
    }

    /// What is no longer here because it was archived.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn archived(&mut self) -> Result<Option<Archived>, Error> {
        match &mut self.source {
            Source::Store(store) => store.archived(),
            Source::Lent(store) => store.archived(),
            Source::Export { header, .. } => Ok(header.archived()),
        }
    }
}
