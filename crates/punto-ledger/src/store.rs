//! The two stores behind one contract. A closed set: an enum, no trait.

use punto_record::{Chain, Digest, Sealed, Seq, Ticket, TicketNo, Volume};

use crate::Error;
use crate::author::{Author, Signed};
use crate::part::Part;
use crate::place::Place;
use crate::postgres::Postgres;
use crate::registered::StoredRow;
use crate::sqlite::Sqlite;
use crate::stored::{Archived, Each, KeptCheckpoint, Snapshot, Thin};

/// SQLite or PostgreSQL.
#[derive(Debug)]
pub(crate) enum Store {
    Sqlite(Sqlite),
    Postgres(Box<Postgres>),
}

/// Hands a call to whichever store it is.
macro_rules! both {
    ($($(#[$doc:meta])* $name:ident(&mut self $(, $arg:ident: $type:ty)*) -> $result:ty;)+) => {
        impl Store {$(
            $(#[$doc])*
            pub(crate) fn $name(&mut self $(, $arg: $type)*) -> Result<$result, Error> {
                match self {
                    Store::Sqlite(store) => store.$name($($arg),*),
                    Store::Postgres(store) => store.$name($($arg),*),
                }
            }
        )+}
    };
}

both! {
    /// Becomes the one writer: whoever wrote before cannot any more.
    /// Where somebody else writes, `waiting` is told who.
    take_over(&mut self, waiting: &mut dyn FnMut(&str)) -> i64;
    take_over_from(&mut self, fence: i64) -> i64;
    /// Ends the term of whoever writes.
    end_term(&mut self) -> ();
    /// Checks that the writer still holds the ledger, as far as it can tell by itself.
    require_lease(&mut self) -> ();
    /// Lets the store grow to so many pages at most.
    limit_pages(&mut self, pages: u32) -> ();
    /// Appends a group after `size` entries: each batch whole or not at all, all durable at return.
    /// Gives the number of each batch's volume.
    /// What is appended is signed for in the same transaction.
    commit(&mut self, author: &Author<'_>, size: u64, group: &[Part<'_>]) -> Vec<Result<i64, Error>>;
    /// Moves entries after this leaf, and commits that claim them, out of the record: nobody signed for them.
    put_aside(&mut self, fence: i64, after: u64) -> ();
    /// Keeps a checkpoint; commits that it covers are no longer needed.
    keep_checkpoint(&mut self, fence: i64, kept: &KeptCheckpoint, thin: Option<Thin>) -> ();
    keep_snapshot(&mut self, fence: i64, snapshot: &Snapshot) -> ();
    /// Deletes snapshots, but for those that an archive makes necessary.
    drop_snapshots(&mut self, fence: i64) -> ();
    /// Says that entries up to the tree's size live elsewhere and deletes them here, but for the house's own;
    /// keeps the snapshots to go on from.
    archive(&mut self, fence: i64, archived: &Archived, snapshots: &[Snapshot]) -> ();

    /// Everything that is read from now on is of one moment.
    hold_still(&mut self) -> ();
    volumes(&mut self) -> Vec<Volume>;
    /// The last entry of a volume that is here; volumes count from 1.
    head(&mut self, id: i64) -> Option<Chain>;
    /// Entries in the tree, those included that were archived.
    size(&mut self) -> u64;
    entries(&mut self, after: u64, each: Each<'_>) -> ();
    entries_of(&mut self, volume: &Volume, after: Seq, each: Each<'_>) -> ();
    links(&mut self, after: u64, each: &mut dyn FnMut(&Volume, Chain)) -> ();
    /// The bytes of one entry of a volume, and its link.
    entry(&mut self, id: i64, seq: Seq) -> Option<(Vec<u8>, Digest)>;
    ticket(&mut self, no: &TicketNo) -> Option<Ticket>;
    /// The name of the ticket with this tag.
    tagged(&mut self, tag: &Digest) -> Option<TicketNo>;
    tickets(&mut self, each: &mut dyn FnMut(Ticket)) -> ();
    checkpoints(&mut self, each: &mut dyn FnMut(KeptCheckpoint)) -> ();
    last_checkpoint(&mut self) -> Option<KeptCheckpoint>;
    /// The smallest checkpoint of at least this size.
    checkpoint_from(&mut self, size: u64) -> Option<KeptCheckpoint>;
    /// The largest checkpoint of at most this size.
    checkpoint_up_to(&mut self, size: u64) -> Option<KeptCheckpoint>;
    /// Signed commits after a size, in their order.
    signed_commits(&mut self, after: u64, each: &mut dyn FnMut(Signed)) -> ();
    snapshots(&mut self) -> Vec<Snapshot>;
    /// The latest snapshot of a volume that this schema can read.
    snapshot(&mut self, of: &Volume, schema: u32) -> Option<Snapshot>;
    archived(&mut self) -> Option<Archived>;
    /// The rows of the register of people and devices, as they are found.
    register(&mut self) -> Vec<StoredRow>;
    /// Begins to fill an empty ledger with what another holds; these are its volumes.
    begin_fill(&mut self, volumes: &[Volume]) -> ();
    /// Entries with their place in the tree and the number of their volume.
    fill_entries(&mut self, entries: &[(u64, i64, Sealed)]) -> ();
    fill_ticket(&mut self, ticket: &Ticket) -> ();
    fill_signed(&mut self, signed: &Signed) -> ();
    fill_checkpoint(&mut self, kept: &KeptCheckpoint) -> ();
    fill_snapshot(&mut self, id: i64, snapshot: &Snapshot) -> ();
    fill_archived(&mut self, archived: &Archived) -> ();
    fill_register(&mut self, row: &StoredRow) -> ();
    /// Makes what was filled in durable.
    end_fill(&mut self) -> ();
    /// What is wrong with the store itself, apart from what it holds.
    check(&mut self) -> Vec<String>;
}

impl Store {
    pub(crate) fn create(place: &Place) -> Result<Store, Error> {
        match place {
            Place::File(path) => Sqlite::create(path).map(Store::Sqlite),
            Place::Memory => Sqlite::memory().map(Store::Sqlite),
            Place::Database(url) => Postgres::create(url).map(Box::new).map(Store::Postgres),
        }
    }

    pub(crate) fn write(place: &Place) -> Result<Store, Error> {
        match place {
            Place::File(path) => Sqlite::write(path).map(Store::Sqlite),
            Place::Memory => Err(Error::unsuitable("a ledger in memory cannot be opened again")),
            Place::Database(url) => Postgres::write(url).map(Box::new).map(Store::Postgres),
        }
    }

    /// Opens the same ledger anew for the same writer.
    pub(crate) fn again(&self) -> Result<Store, Error> {
        match self {
            Store::Sqlite(store) => store.again().map(Store::Sqlite),
            Store::Postgres(store) => store.again().map(Box::new).map(Store::Postgres),
        }
    }

    pub(crate) fn read(place: &Place) -> Result<Store, Error> {
        match place {
            Place::File(path) => Sqlite::read(path).map(Store::Sqlite),
            Place::Memory => Err(Error::unsuitable("a ledger in memory cannot be opened again")),
            Place::Database(url) => Postgres::read(url).map(Box::new).map(Store::Postgres),
        }
    }
}
