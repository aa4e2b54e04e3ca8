//! A table read back from the ledger: from its snapshot, then entry by entry; its books with it.

use std::ops::ControlFlow;

use punto_ledger::{Error, Reader, Vault};
use punto_record::{Chain, MoneyKind, Seq, TableId, Volume};
use punto_reports::{Accounts, Mismatch, OnTheFelt, Opening};
use punto_table::{Phase, PostAnchors, Replay, SNAPSHOT_SCHEMA, Table};

/// A table as the record has it.
#[derive(Debug)]
pub(crate) struct ReadBack {
    pub(crate) table: Table,
    pub(crate) chain: Chain,
    pub(crate) accounts: Accounts,
    /// Where those who hold a post took it.
    pub(crate) posts: PostAnchors,
    /// The books do not balance, or somebody locked the table before.
    pub(crate) locked: Option<String>,
}

impl ReadBack {
    /// A table of which nothing can be read: it shows nothing and takes no orders.
    pub(crate) fn damaged(words: &str) -> ReadBack {
        let (table, chain) = Replay::default().finish();
        let (accounts, posts) = (Accounts::default(), PostAnchors::default());
        ReadBack { table, chain, accounts, posts, locked: Some(words.to_owned()) }
    }
}

/// Reads a table.
///
/// # Errors
/// If the store fails, or the record does not hold together.
pub(crate) fn read_back(vault: &mut Vault, id: &TableId) -> Result<ReadBack, Error> {
    let volume = Volume::Table(id.clone());
    let (head, locked) = (vault.head(&volume), vault.locked_because(id).map(str::to_owned));
    let kept = vault.snapshot(&volume, SNAPSHOT_SCHEMA)?;
    let mut reader = vault.reader();
    let kept = kept.and_then(|kept| Replay::from_snapshot(&kept.bytes, kept.chain));
    let (mut replay, mut accounts) = match kept {
        Some(replay) => {
            let accounts = Accounts::opened(id, opening(replay.table()));
            (replay, accounts)
        }
        None => (Replay::default(), Accounts::default()),
    };
    let (mut fault, mut mismatch): (Option<String>, Option<Mismatch>) = (None, None);
    let after = replay.chain().seq;
    let mut posts = PostAnchors::default();
    reader.entries_of(&volume, after, &mut |stored| match replay.enter(stored.chain(), stored.bytes) {
        Ok(entry) => {
            posts.enter(&entry, stored.chain().into());
            if mismatch.is_none() {
                mismatch = accounts.enter(id, &entry).err();
            }
            ControlFlow::Continue(())
        }
        Err(error) => {
            fault = Some(error.to_string());
            ControlFlow::Break(())
        }
    })?;
    let (table, chain) = replay.finish();
    if let Some(fault) = fault {
        return Err(Error::Damaged(format!("{volume}: {fault}").into()));
    }
    if chain != head {
        let words = format!("{volume} ends at entry {}, the ledger says {}", chain.seq, head.seq);
        return Err(Error::Damaged(words.into()));
    }
    if !posts.covers(table.state()) {
        posts = read_posts(&mut vault.reader(), &volume)?;
    }
    let locked = match mismatch {
        Some(mismatch) => Some(mismatch.to_string()),
        None => locked,
    };
    Ok(ReadBack { table, chain, accounts, posts, locked })
}

/// Where those who hold a post took it, from the first entry on: a snapshot does not know.
fn read_posts(reader: &mut Reader<'_>, volume: &Volume) -> Result<PostAnchors, Error> {
    let mut posts = PostAnchors::default();
    reader.entries_of(volume, Seq(0), &mut |stored| {
        if let Ok(entry) = serde_json::from_slice(stored.bytes) {
            posts.enter(&entry, stored.chain().into());
        }
        ControlFlow::Continue(())
    })?;
    Ok(posts)
}

/// Where the money of a table is.
fn opening(table: &Table) -> Opening {
    let state = table.state();
    let wagers = match &state.phase {
        Phase::Round(round) => round
            .wagers
            .iter()
            .map(|(key, it)| OnTheFelt {
                patron: key.patron,
                box_no: key.box_no,
                bet: key.bet.clone(),
                stake: it.stake,
                playing: it.playing,
            })
            .collect(),
        Phase::Closed | Phase::Between { .. } => Vec::new(),
    };
    Opening {
        currency: state.settings.as_ref().map(|settings| settings.currency.clone()),
        chips: state.settings.as_ref().is_some_and(|settings| settings.money == MoneyKind::Chips),
        round: state.rounds,
        tray: state.float,
        patrons: state.accounts.iter().map(|(no, it)| (*no, it.credits, it.owed, it.unclaimed)).collect(),
        held: state.held_payouts.iter().map(|(slip, it)| (*slip, it.patron, it.round, it.amount)).collect(),
        acceptors: state.acceptors.iter().map(|(acceptor, amount)| (acceptor.clone(), *amount)).collect(),
        boxes: state.drops.iter().map(|(drop, it)| (*drop, it.expected)).collect(),
        wagers,
        last: state.last().filter(|last| last.result.is_some()).map(|last| (last.no, last.lines.clone())),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use punto_rules::Rulebook;
    use punto_rules::rulebook::APPROVED;
    use punto_table::script::{Script, play};

    use super::*;

    fn approved(game: &str) -> Option<std::sync::Arc<str>> {
        let is_it = |text: &&str| Rulebook::parse(text).is_ok_and(|book| book.game == game);
        APPROVED.iter().map(|(_, text)| *text).find(is_it).map(Into::into)
    }

    /// Wherever a table is read back, its books go on from there as if they had never been closed.
    #[test]
    fn books_opened_at_any_entry_of_any_scenario_go_on() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/scenarios");
        let id = TableId::from("table-1");
        let mut opened = 0;
        for folder in std::fs::read_dir(root).unwrap().map(|it| it.unwrap().path()).filter(|it| it.is_dir()) {
            for path in std::fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()) {
                let script = Script::parse(&std::fs::read_to_string(&path).unwrap()).unwrap();
                let entries = play(&script, approved).unwrap().entries;
                let mut table = Table::default();
                for (at, entry) in entries.iter().enumerate() {
                    table.enter(entry);
                    let mut accounts = Accounts::opened(&id, opening(&table));
                    for later in &entries[at + 1..] {
                        if let Err(mismatch) = accounts.enter(&id, later) {
                            panic!(
                                "{} opened after {}, entry {}: {mismatch}",
                                path.display(),
                                entry.seq,
                                later.seq
                            );
                        }
                    }
                    opened += 1;
                }
            }
        }
        assert!(opened > 1000, "only {opened}");
    }
}
