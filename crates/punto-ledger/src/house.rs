//! The house's own volume: the founding, keys, tickets at the cage, locked tables.

use std::collections::BTreeMap;
use std::sync::Arc;

use punto_record::{
    Actor, Anchor, Approvals, ArchivedHead, Deed, DeviceId, Digest, HouseEntry, LedgerKind, OrderId, Person,
    PublicKey, Seq, TableId, TicketKeyId, Timestamp, Volume, Witnesses,
};

use crate::Error;
use crate::account::Accounts;
use crate::factors::Factors;
use crate::power::Power;
use crate::registered::Registered;
use crate::rest::Rest;
use crate::sessions::EndedSessions;
use crate::staff::Employed;

/// What the house's volume says so far.
#[derive(Clone, Debug)]
pub(crate) struct House {
    pub(crate) kind: LedgerKind,
    /// The link of the first entry: the name of the ledger.
    pub(crate) ledger: Digest,
    pub(crate) key: Option<PublicKey>,
    /// Every key that was adopted: by which entry, and after which key.
    pub(crate) keys: Vec<(Seq, PublicKey, Option<PublicKey>)>,
    /// What was archived, as the deeds say: size and root of the tree, and where the volumes stood.
    pub(crate) archives: Vec<(u64, Digest, Vec<ArchivedHead>)>,
    /// Tables that take no orders, and why.
    pub(crate) locked: BTreeMap<TableId, Arc<str>>,
    /// Who is employed as what.
    pub(crate) staff: BTreeMap<Person, Employed>,
    pub(crate) power: Power,
    /// What was done to everybody's account.
    pub(crate) accounts: Accounts,
    pub(crate) approvals: Approvals,
    /// The key that new tickets are made with.
    pub(crate) ticket_key: Option<TicketKeyId>,
    /// Codes that were used, and resets that wait.
    pub(crate) factors: Factors,
    /// Sessions that are over, whatever a file says.
    pub(crate) sessions: EndedSessions,
    /// What the register of people and devices must hold.
    pub(crate) registered: Registered,
    /// Who keeps checkpoints of this ledger elsewhere.
    pub(crate) witnesses: Witnesses,
    /// How far a start may follow the system's clock.
    pub(crate) rest: Rest,
    /// The time of the last entry.
    pub(crate) now: Timestamp,
    /// The last deed of each device.
    done: BTreeMap<DeviceId, (u64, Seq, Actor, Deed)>,
}

impl House {
    /// From the first entry.
    pub(crate) fn founded(entry: &HouseEntry, link: Digest) -> Result<House, Error> {
        let Deed::LedgerFounded { kind, .. } = entry.deed else {
            return Err(Error::damaged("the first entry does not found the ledger"));
        };
        let mut house = House {
            kind,
            ledger: link,
            key: None,
            keys: Vec::new(),
            archives: Vec::new(),
            locked: BTreeMap::new(),
            staff: BTreeMap::new(),
            power: Power::default(),
            accounts: Accounts::default(),
            approvals: Approvals::default(),
            ticket_key: None,
            factors: Factors::default(),
            sessions: EndedSessions::default(),
            registered: Registered::default(),
            witnesses: Witnesses::default(),
            rest: Rest::founded(entry.at),
            now: entry.at,
            done: BTreeMap::new(),
        };
        house.enter(entry, link);
        Ok(house)
    }

    /// Takes an entry, and its link in the chain.
    #[expect(clippy::wildcard_enum_match_arm, reason = "the parts above take what concerns them")]
    pub(crate) fn enter(&mut self, entry: &HouseEntry, link: Digest) {
        let HouseEntry { seq, id, by, deed, .. } = entry;
        self.now = self.now.max(entry.at);
        self.power.enter(entry);
        self.accounts.enter(entry);
        self.registered.enter(entry);
        self.witnesses.enter(entry);
        self.factors.enter(entry);
        self.sessions.enter(entry, &self.staff);
        self.rest.enter(entry);
        self.done.insert(id.device.clone(), (id.n, *seq, by.clone(), deed.clone()));
        match deed {
            Deed::RulesApproved { .. } | Deed::RulesWithdrawn { .. } => self.approvals.enter(entry, link),
            Deed::KeyAdopted { key, before, .. } => {
                self.key = Some(*key);
                self.keys.push((*seq, *key, *before));
            }
            Deed::TicketKeyAdopted { key, .. } => self.ticket_key = Some(key.clone()),
            Deed::EntriesArchived { size, root, heads, .. } => {
                self.archives.push((*size, *root, heads.clone()));
            }
            Deed::TableLocked { table, words, .. } => {
                self.locked.insert(table.clone(), words.clone());
            }
            Deed::TableUnlocked { table, .. } => {
                self.locked.remove(table);
            }
            Deed::StaffChanged { person, role, enabled, .. } => {
                let deed = Anchor { seq: *seq, link };
                let employed = Employed { role: role.clone(), enabled: *enabled, deed };
                self.staff.insert(person.clone(), employed);
            }
            _ => {}
        }
    }

    /// The entry by which the same deed was done before.
    pub(crate) fn done_before(&self, id: &OrderId, by: &Actor, deed: &Deed) -> Result<Option<Seq>, Error> {
        match self.done.get(&id.device) {
            Some((n, seq, who, what)) if *n == id.n && (who, what) == (by, deed) => Ok(Some(*seq)),
            Some((n, ..)) if *n >= id.n => Err(Error::OrderIdReused),
            Some(_) | None => Ok(None),
        }
    }

    /// Whether a deed of the house gives them the role in which they do this. Only a house at work asks.
    pub(crate) fn employs(&self, by: &Actor, deed: &Deed) -> Result<(), Error> {
        let is_asked = deed.kind().facts().by_mandate;
        let Some(person) = by.person().filter(|_| is_asked && self.kind == LedgerKind::House) else {
            return Ok(());
        };
        match self.staff.get(person).is_some_and(|employed| employed.may_act(by, None)) {
            true => Ok(()),
            false => Err(Error::NotAllowed("no deed of this ledger gives that person that role")),
        }
    }

    /// The next number of a device.
    pub(crate) fn next_of(&self, device: &str) -> u64 {
        self.done.get(&DeviceId::as_recorded(device)).map_or(1, |(n, ..)| n + 1)
    }

    /// Whether the volume takes entries.
    pub(crate) fn takes(&self, volume: &Volume) -> Result<(), Error> {
        match volume {
            Volume::Table(table) if self.locked.contains_key(table) => Err(Error::Locked(volume.clone())),
            Volume::Table(_) | Volume::House => Ok(()),
        }
    }
}

/// Whose deed it is. A second person is another one.
pub(crate) fn may(by: &Actor, deed: &Deed) -> Result<(), Error> {
    let facts = deed.kind().facts();
    if !facts.includes(by) {
        return Err(Error::NotAllowed(facts.by.refusal()));
    }
    // INTERPRETATION 33: two people answer for the record of what an authority approved, and for whatever else names a second.
    if deed.second().is_some() && deed.second() == by.person() {
        return Err(Error::NotAllowed("the second person is another one"));
    }
    if let Deed::TicketPaid { second, reason, .. } = deed
        && second.is_some() != reason.is_some()
    {
        return Err(Error::NotAllowed("a second person and a reason come together"));
    }
    if let Deed::StaffChanged { person, .. } = deed
        && by.person() == Some(person)
    {
        return Err(Error::NotAllowed("nobody changes what they may do themselves"));
    }
    Ok(())
}
