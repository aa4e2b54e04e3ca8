//! What was not as it was signed for when a ledger was opened, and what is done about it.

use std::collections::BTreeMap;

use punto_record::{Chain, Deed, Volume};

use super::Vault;
use super::trusted::Trusted;
use crate::store::Store;
use crate::stored::Archived;
use crate::{Error, RegisterFound};

/// What was found amiss at opening.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Entries that nobody signed for, by volume: they were put aside and are not replayed.
    pub unsigned: BTreeMap<Volume, u64>,
    /// Volumes that do not end where they were signed for, and how they differ.
    pub damaged: BTreeMap<Volume, String>,
    /// The register of people and devices.
    pub register: RegisterFound,
}

impl Found {
    /// Compares what the store holds with what was signed for, and puts aside what was not.
    pub(super) fn compare(store: &mut Store, fence: i64, trusted: &Trusted) -> Result<Found, Error> {
        let mut found = Found::default();
        let size = trusted.size();
        if store.size()? > size {
            store.links(size, &mut |volume, _| *found.unsigned.entry(volume.clone()).or_default() += 1)?;
            store.put_aside(fence, size)?;
        }
        let archived = store.archived()?;
        for (id, volume) in (1..).zip(store.volumes()?) {
            let Some(signed) = trusted.heads.get(&volume) else { continue };
            let stored = store.head(id)?.unwrap_or_else(|| Archived::begins(archived.as_ref(), &volume));
            if stored != *signed {
                found.damaged.insert(volume, words(stored, *signed));
            }
        }
        for volume in trusted.heads.keys() {
            if !store.volumes()?.contains(volume) {
                found.damaged.insert(volume.clone(), "it is no longer in the store".to_owned());
            }
        }
        Ok(found)
    }

    /// Whether everything was as it was signed for.
    pub fn is_empty(&self) -> bool {
        self.unsigned.is_empty() && self.damaged.is_empty() && self.register.tampered.is_empty()
    }
}

fn words(stored: Chain, signed: Chain) -> String {
    match stored.seq == signed.seq {
        true => format!("entry {} is not the one that was signed for", stored.seq),
        false => format!("it ends at entry {}; entries up to {} were signed for", stored.seq, signed.seq),
    }
}

impl Vault {
    /// Tables that were tampered with take no orders until two people have looked into it; the house's record says why.
    pub(super) fn write_down(&mut self, found: &Found) -> Result<(), Error> {
        let at = self.house.now;
        let unsigned = found.unsigned.iter().map(|(volume, count)| {
            (volume, format!("{count} entries that nobody signed for were found and put aside"))
        });
        let damaged =
            found.damaged.iter().map(|(volume, words)| (volume, format!("its record is damaged: {words}")));
        for (volume, words) in unsigned.chain(damaged) {
            match volume {
                Volume::Table(table) if !self.is_locked(volume) => drop(self.lock(at, table, &words)?),
                Volume::Table(_) => {}
                Volume::House => drop(self.own_deed(at, Deed::verification_failed(words))?),
            }
        }
        Ok(())
    }
}
