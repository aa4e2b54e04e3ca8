//! `punto ledger archive`: closed days leave the ledger for a file, behind a checkpoint.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::path::Path;

use anyhow::Context as _;
use punto_ledger::{Archived, KeptCheckpoint, Place, Reader, Snapshot, Vault, fingerprint, write_export};
use punto_record::merkle::Frontier;
use punto_record::{Actor, ArchivedHead, Chain, Timestamp, Volume};
use punto_table::{Replay, SNAPSHOT_SCHEMA};
use sha2::{Digest as _, Sha256};

use super::cli::Archive;
use super::{bar, instant, problem, recorded, vault};
use crate::answer::{Answer, Problem};

pub(crate) fn run(args: &Archive, out: &mut impl Write) -> anyhow::Result<Answer> {
    let before = instant(&args.before)?;
    let mut vault = vault(&args.ledger, args.key.key.as_ref())?;
    let kept = last_checkpoint(&mut vault, before)?;
    let bar = bar("archiving", kept.size * 2);
    write(&mut vault.reader(), kept.size, &args.archive, &mut |leaf| bar.set_position(leaf))?;
    // What was written is read back before anything is deleted.
    let mut copy = Reader::open(&Place::File(args.archive.clone())).map_err(|error| problem(&error))?;
    let print = fingerprint(&mut copy, &mut |leaf| bar.set_position(kept.size + leaf));
    let print = print.map_err(|error| problem(&error))?;
    let (signed, _) = kept.read().map_err(|error| problem(&error))?;
    if (print.size, print.root) != (kept.size, signed.checkpoint.root) {
        return Err(Problem::new("the archive does not hold what the checkpoint was signed over").into());
    }
    let (archived, snapshots) = beginning(&mut vault, &mut copy)?;
    bar.finish_and_clear();
    let digest = file_digest(&args.archive)?;
    let by = Actor::Administrator { person: args.by.clone() };
    let at = recorded(&vault);
    vault.archive(&archived, &snapshots, digest, by, at).map_err(|error| problem(&error))?;
    vault.checkpoint(at).map_err(|error| problem(&error))?;
    writeln!(out, "size {}\nroot {}\narchive {digest}", print.size, print.root)?;
    Ok(Answer::Yes)
}

fn last_checkpoint(vault: &mut Vault, before: Timestamp) -> anyhow::Result<KeptCheckpoint> {
    let mut last = None;
    let mut reader = vault.reader();
    let archived = reader.archived().map_err(|error| problem(&error))?;
    let size = archived.map_or(0, |archived| archived.tree.size());
    let read = reader.checkpoints(&mut |kept| {
        if kept.at < before && kept.size > size {
            last = Some(kept);
        }
    });
    read.map_err(|error| problem(&error))?;
    let none = || Problem::new("there is no checkpoint before that time that covers more than is archived");
    last.ok_or_else(|| none().hint("`punto ledger checkpoint` signs one").into())
}

fn write(
    reader: &mut Reader<'_>,
    size: u64,
    path: &Path,
    progress: &mut dyn FnMut(u64),
) -> anyhow::Result<()> {
    let file = File::create_new(path).with_context(|| format!("cannot make {}", path.display()))?;
    let mut out = BufWriter::with_capacity(1 << 20, file);
    write_export(reader, Some(size), &mut out, progress).map_err(|error| problem(&error))?;
    let file = out.into_inner().map_err(std::io::IntoInnerError::into_error)?;
    Ok(file.sync_all()?)
}

/// What the ledger goes on from: the tree and each table as the archive leaves them.
fn beginning(vault: &mut Vault, archive: &mut Reader<'_>) -> anyhow::Result<(Archived, Vec<Snapshot>)> {
    let earlier = archive.archived().map_err(|error| problem(&error))?;
    let mut tree = Frontier::default();
    let mut replays: BTreeMap<Volume, Replay> = BTreeMap::new();
    let mut house = Chain::START;
    if let Some(earlier) = earlier {
        tree = earlier.tree;
        let snapshots = vault.reader().snapshots().map_err(|error| problem(&error))?;
        for head in earlier.heads {
            if head.volume == Volume::House {
                house = head.chain();
                continue;
            }
            let snapshot = snapshots.iter().find(|it| it.volume == head.volume && it.chain == head.chain());
            let replay = snapshot
                .filter(|snapshot| snapshot.schema == SNAPSHOT_SCHEMA)
                .and_then(|snapshot| Replay::from_snapshot(&snapshot.bytes, snapshot.chain))
                .with_context(|| format!("{} cannot be continued from its snapshot", head.volume))?;
            replays.insert(head.volume, replay);
        }
    }
    let mut fault = None;
    let read = archive.entries(tree.size(), &mut |stored| {
        tree.push(stored.leaf_hash());
        if *stored.volume == Volume::House {
            house = stored.chain();
            return ControlFlow::Continue(());
        }
        let replay = replays.entry(stored.volume.clone()).or_default();
        match replay.enter(stored.chain(), stored.bytes) {
            Ok(_) => ControlFlow::Continue(()),
            Err(error) => {
                fault = Some(Problem::new(format!("{}: {error}", stored.volume)));
                ControlFlow::Break(())
            }
        }
    });
    read.map_err(|error| problem(&error))?;
    if let Some(fault) = fault {
        return Err(fault.into());
    }
    let snapshot = |(volume, replay): (&Volume, &Replay)| Snapshot {
        volume: volume.clone(),
        chain: replay.chain(),
        schema: SNAPSHOT_SCHEMA,
        bytes: replay.table().snapshot(),
        signed: None,
    };
    let snapshots: Vec<Snapshot> = replays.iter().map(snapshot).collect();
    let head = |snapshot: &Snapshot| ArchivedHead {
        volume: snapshot.volume.clone(),
        seq: snapshot.chain.seq,
        link: snapshot.chain.link,
        snapshot: Some(snapshot.digest()),
    };
    let mut heads =
        vec![ArchivedHead { volume: Volume::House, seq: house.seq, link: house.link, snapshot: None }];
    heads.extend(snapshots.iter().map(head));
    Ok((Archived { tree, heads }, snapshots))
}

fn file_digest(path: &Path) -> anyhow::Result<punto_record::Digest> {
    let mut hash = Sha256::new();
    let mut file = File::open(path)?;
    let mut buffer = vec![0; 1 << 20];
    loop {
        match std::io::Read::read(&mut file, &mut buffer)? {
            0 => return Ok(punto_record::Digest(hash.finalize().into())),
            read => hash.update(&buffer[..read]),
        }
    }
}
