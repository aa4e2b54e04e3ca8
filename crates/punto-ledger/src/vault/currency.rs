//! The currency of tickets whose entries do not name one: earlier builds left it to the settings of the table.
//!
//! It is followed from entry to entry of the issuing table, from the opening of the table, or from the snapshot that an
//! archive left, to the entry that issued the ticket. The link of that entry was signed for, so every entry on the way is
//! the one that was written.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use punto_record::{Chain, Currency, Entry, Event, TicketNo, Volume};
use serde::Deserialize;

use super::book::{Good, Issued, has_mark};
use crate::Error;
use crate::store::Store;
use crate::stored::{Archived, Snapshot, Stored};

/// Words that stand in every entry that sets a table's currency; no other entry is parsed.
const MARKS: [&[u8]; 2] = [b"\"table-opened\"", b"\"settings-changed\""];

/// Finds the currency of each good ticket whose entry does not name it. One whose entry cannot be followed to has none
/// afterwards.
pub(super) fn find(
    store: &mut Store,
    good: &mut BTreeMap<TicketNo, Good>,
    archived: Option<&Archived>,
) -> Result<(), Error> {
    let unnamed: Vec<TicketNo> =
        good.iter().filter(|(_, good)| good.currency.is_none()).map(|(no, _)| no.clone()).collect();
    if unnamed.is_empty() {
        return Ok(());
    }
    let begins = match archived {
        Some(archived) => begun(store, archived)?,
        None => BTreeMap::new(),
    };
    let mut named: BTreeSet<Currency> = begins.values().filter_map(|table| table.currency.clone()).collect();
    let mut tables = begins.clone();
    let mut issued: BTreeMap<Volume, Vec<(Issued, TicketNo)>> = BTreeMap::new();
    for no in &unnamed {
        if let Some(by) = &good[no].by {
            issued.entry(by.volume.clone()).or_default().push((by.clone(), no.clone()));
        }
    }
    store.entries(0, &mut |stored| {
        if let Volume::Table(_) = stored.volume {
            let table = tables.entry(stored.volume.clone()).or_insert_with(Table::default);
            table.enter(&stored, &mut named);
            for (by, no) in issued.get(stored.volume).into_iter().flatten() {
                if (by.seq, by.link) == (table.chain.seq, table.chain.link) && !table.is_broken {
                    good.entry(no.clone()).and_modify(|good| good.currency.clone_from(&table.currency));
                }
            }
        }
        ControlFlow::Continue(())
    })?;
    // What is left was issued by an entry that was archived.
    let only = if named.len() == 1 { named.pop_first() } else { None };
    for no in unnamed {
        good.entry(no).and_modify(|good| match &good.by {
            Some(by) => {
                let begins = begins.get(&by.volume).filter(|begins| by.seq <= begins.chain.seq);
                if let Some(begins) = begins {
                    good.currency.clone_from(&begins.currency);
                }
            }
            None => good.currency.clone_from(&only),
        });
    }
    Ok(())
}

/// Where tables begin whose earlier entries were archived: with the snapshot that the deed of the archive names.
fn begun(store: &mut Store, archived: &Archived) -> Result<BTreeMap<Volume, Table>, Error> {
    let mut snapshots = store.snapshots()?;
    snapshots.retain(|it| {
        let named = (&it.volume, it.chain, Some(it.digest()));
        archived.heads.iter().any(|head| (&head.volume, head.chain(), head.snapshot) == named)
    });
    let begins = |it: Snapshot| {
        let currency = of_snapshot(&it);
        (it.volume, Table { chain: it.chain, currency, is_broken: false })
    };
    Ok(snapshots.into_iter().map(begins).collect())
}

/// A table as far as its entries were followed.
#[derive(Clone)]
struct Table {
    chain: Chain,
    currency: Option<Currency>,
    is_broken: bool,
}

impl Default for Table {
    fn default() -> Table {
        Table { chain: Chain::START, currency: None, is_broken: false }
    }
}

impl Table {
    fn enter(&mut self, stored: &Stored<'_>, named: &mut BTreeSet<Currency>) {
        self.chain = self.chain.after(stored.bytes);
        self.is_broken |= self.chain != stored.chain();
        if self.is_broken || !has_mark(stored.bytes, &MARKS) {
            return;
        }
        let Ok(Entry { events, .. }) = serde_json::from_slice(stored.bytes) else { return };
        for event in events {
            if let Event::TableOpened { settings, .. } | Event::SettingsChanged { settings, .. } = event {
                named.insert(settings.currency.clone());
                self.currency = Some(settings.currency);
            }
        }
    }
}

/// The currency of a table in its snapshot, of which nothing else is read here.
fn of_snapshot(snapshot: &Snapshot) -> Option<Currency> {
    #[derive(Deserialize)]
    struct Whole {
        state: State,
    }
    #[derive(Deserialize)]
    struct State {
        settings: Option<Settings>,
    }
    #[derive(Deserialize)]
    struct Settings {
        currency: Currency,
    }
    let Whole { state } = serde_json::from_slice(&snapshot.bytes).ok()?;
    state.settings.map(|settings| settings.currency)
}
