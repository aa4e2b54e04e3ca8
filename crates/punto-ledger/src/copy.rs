//! Copies of a whole ledger, and how to tell that a copy is the same.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use punto_record::merkle::Frontier;
use punto_record::{Chain, Digest, Sealed, Volume};

use crate::Error;
use crate::place::Place;
use crate::reader::Reader;
use crate::store::Store;

/// Entries that are written at a time.
const CHUNK: usize = 1000;

/// What two ledgers have in common if they hold the same: size and root of the tree, and where each volume ends.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Fingerprint {
    pub size: u64,
    pub root: Digest,
    pub heads: BTreeMap<Volume, Chain>,
}

/// Works it out from the entries: every link is made again from the bytes.
///
/// # Errors
/// If it cannot be read, or the chain of a volume is broken.
pub fn fingerprint(reader: &mut Reader<'_>, progress: &mut dyn FnMut(u64)) -> Result<Fingerprint, Error> {
    let archived = reader.archived()?;
    let mut tree = archived.as_ref().map_or_else(Frontier::default, |archived| archived.tree.clone());
    let mut heads: BTreeMap<Volume, Chain> = BTreeMap::new();
    for head in archived.iter().flat_map(|archived| &archived.heads) {
        heads.insert(head.volume.clone(), head.chain());
    }
    let mut fault = None;
    reader.entries(tree.size(), &mut |stored| {
        let head = match heads.get_mut(stored.volume) {
            Some(head) => head,
            None => heads.entry(stored.volume.clone()).or_insert(Chain::START),
        };
        *head = head.after(stored.bytes);
        if *head != stored.chain() || stored.leaf != tree.size() + 1 {
            fault = Some(Error::damaged(format!(
                "entry {} of {} is not chained to the one before it",
                stored.seq, stored.volume
            )));
            return ControlFlow::Break(());
        }
        tree.push(stored.leaf_hash());
        progress(stored.leaf);
        ControlFlow::Continue(())
    })?;
    match fault {
        Some(error) => Err(error),
        None => Ok(Fingerprint { size: tree.size(), root: tree.root(), heads }),
    }
}

/// Copies everything that a ledger holds to a place where there is none, and makes sure that it is the same.
///
/// # Errors
/// If there is something at that place, or it cannot be read or written, or the copy is not the same.
pub fn copy(from: &mut Reader<'_>, to: &Place, progress: &mut dyn FnMut(u64)) -> Result<Fingerprint, Error> {
    let before = fingerprint(from, &mut |_| {})?;
    let mut store = Store::create(to)?;
    let volumes = from.volumes()?;
    store.begin_fill(&volumes)?;
    let archived = from.archived()?;
    if let Some(archived) = &archived {
        store.fill_archived(archived)?;
    }
    fill_entries(from, &mut store, &volumes, progress)?;
    let mut result = Ok(());
    from.tickets(&mut |ticket| {
        if result.is_ok() {
            result = store.fill_ticket(&ticket);
        }
    })?;
    from.checkpoints(&mut |kept| {
        if result.is_ok() {
            result = store.fill_checkpoint(&kept);
        }
    })?;
    from.each_signed(&mut |signed| {
        if result.is_ok() {
            result = store.fill_signed(&signed);
        }
    })?;
    result?;
    for snapshot in from.snapshots()? {
        let id = number(&volumes, &snapshot.volume)?;
        store.fill_snapshot(id, &snapshot)?;
    }
    for row in from.stored_register()? {
        store.fill_register(&row)?;
    }
    store.end_fill()?;
    let after = fingerprint(&mut Reader::lent(&mut store), &mut |_| {})?;
    if after == before { Ok(after) } else { Err(Error::damaged("the copy is not the same")) }
}

fn fill_entries(
    from: &mut Reader<'_>,
    store: &mut Store,
    volumes: &[Volume],
    progress: &mut dyn FnMut(u64),
) -> Result<(), Error> {
    let mut chunk: Vec<(u64, i64, Sealed)> = Vec::with_capacity(CHUNK);
    let mut result = Ok(());
    from.entries(0, &mut |stored| {
        let taken = number(volumes, stored.volume).and_then(|id| {
            chunk.push((stored.leaf, id, stored.sealed()));
            if chunk.len() < CHUNK {
                return Ok(());
            }
            progress(stored.leaf);
            let filled = store.fill_entries(&chunk);
            chunk.clear();
            filled
        });
        match taken {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                result = Err(error);
                ControlFlow::Break(())
            }
        }
    })?;
    result?;
    store.fill_entries(&chunk)
}

fn number(volumes: &[Volume], volume: &Volume) -> Result<i64, Error> {
    let at = volumes.iter().position(|it| it == volume);
    at.map(|at| at as i64 + 1)
        .ok_or_else(|| Error::damaged(format!("{volume} is not in the list of volumes")))
}
