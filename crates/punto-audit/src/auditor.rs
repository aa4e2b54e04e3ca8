//! The auditor of a whole ledger: takes every entry in the order of the tree and gathers findings.

use std::collections::{BTreeMap, BTreeSet};

use punto_record::merkle::Frontier;
use punto_record::{
    Actor, ArchivedHead, Chain, CommandKind, Deed, DeviceId, Digest, Entry, HouseEntry, LedgerKind, Note,
    PublicKey, RegisterLine, Sealed, SignedCheckpoint, SignedCommit, TableId, Ticket, TicketKey, Volume,
};
use punto_rules::text::one_line;

use crate::checkpoints::Checkpoints;
use crate::finding::{Audit, Counts, Finding, FindingKind, Findings, Place};
use crate::house::House;
use crate::mandates::Mandates;
use crate::readings::{HousePast, Readings};
use crate::register::Register;
use crate::rulebooks::Rulebooks;
use crate::table::{Shoe, Table};
use crate::tickets::Tickets;
use crate::volume::{Head, START};

/// Unrevealed shoes of a table that are named; the count has them all.
const MOST_SHOES: usize = 20;

/// What is handed in beside the entries.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// Checkpoints that were kept elsewhere.
    pub outside: Vec<SignedCheckpoint>,
    /// Notes that a witness kept.
    pub notes: Vec<Note>,
    /// Where the entries begin, if earlier ones were archived.
    pub begins: Option<Beginning>,
    /// Judges entries of the first release by interpretations 31 to 51 as well, which it did not follow.
    pub strict: bool,
    /// Keys that ticket numbers were derived with: with them the tags of tickets are worked out again.
    pub ticket_keys: Vec<TicketKey>,
}

/// Where a ledger begins whose early entries were archived.
#[derive(Clone, Debug, Default)]
pub struct Beginning {
    /// The tree over the archived entries.
    pub frontier: Frontier,
    /// Where each volume stood.
    pub heads: Vec<ArchivedHead>,
    /// The name of the ledger: the link of its first entry.
    pub ledger: Option<Digest>,
    /// Keys that were adopted in the archived entries, oldest first.
    pub keys: Vec<PublicKey>,
}

/// Recomputes a ledger from its record and the rule books in it.
///
/// ```
/// use punto_audit::{Auditor, Inputs};
/// let audit = Auditor::new(Inputs::default()).finish();
/// assert!(audit.is_clean());
/// assert_eq!(audit.counts.entries, 0);
/// assert!(!audit.unknown.is_empty()); // nothing proves that no entry was cut off
/// ```
#[derive(Clone, Debug)]
pub struct Auditor {
    findings: Findings,
    counts: Counts,
    checkpoints: Checkpoints,
    house: House,
    heads: BTreeMap<Volume, Head>,
    tables: BTreeMap<TableId, Table>,
    readings: BTreeMap<TableId, Readings>,
    /// What the readings need to know of the house's own volume.
    house_past: HousePast,
    mandates: Mandates,
    strict: bool,
    /// Volumes whose beginning is in the archive: what needs their history is not looked at.
    archived: BTreeSet<Volume>,
    tickets: Tickets,
    rulebooks: Rulebooks,
    scratch: Vec<u8>,
    rows_seen: bool,
    register: Register,
    register_seen: bool,
    /// The signed commits, if they were handed in.
    commits: Option<Vec<SignedCommit>>,
    /// Whether a release after the first wrote something: since then every commit is signed.
    signs: bool,
    /// Card readers that were ever enrolled.
    readers: BTreeSet<DeviceId>,
}

impl Auditor {
    /// An auditor before the first entry.
    pub fn new(inputs: Inputs) -> Auditor {
        let Inputs { outside, notes, begins, strict, ticket_keys } = inputs;
        let mut findings = Findings::new();
        let begins_late = begins.is_some();
        let Beginning { frontier, heads, ledger, keys } = begins.unwrap_or_default();
        findings.hold(
            frontier.is_whole(),
            FindingKind::WrongArchive,
            "the tree over the archived entries cannot be one",
        );
        let mut checkpoints = Checkpoints::new(frontier, ledger, keys);
        outside.into_iter().for_each(|signed| checkpoints.take(signed, true));
        checkpoints.notes = notes;
        let mandates = Mandates::new(heads.iter().any(|head| head.volume == Volume::House));
        let archived = heads.iter().map(|head| head.volume.clone()).collect();
        let heads = heads.into_iter().map(|head| (head.volume.clone(), Head::at(head.chain()))).collect();
        let mut tickets = Tickets::new(begins_late, ticket_keys);
        tickets.ledger = ledger;
        Auditor {
            findings,
            counts: Counts::default(),
            checkpoints,
            house: House::default(),
            heads,
            tables: BTreeMap::new(),
            readings: BTreeMap::new(),
            house_past: HousePast::default(),
            mandates,
            strict,
            archived,
            tickets,
            rulebooks: Rulebooks::default(),
            scratch: Vec::new(),
            rows_seen: false,
            register: Register::default(),
            register_seen: false,
            commits: None,
            signs: false,
            readers: BTreeSet::new(),
        }
    }

    /// The next entry in the order of the tree, its bytes exactly as stored.
    pub fn entry(&mut self, volume: &Volume, stored: &Sealed) {
        let out = &mut self.findings;
        out.place = Place { volume: volume.clone(), seq: Some(stored.seq), round: None };
        self.counts.entries += 1;
        if self.checkpoints.size() == 0 && *volume != Volume::House {
            out.say(FindingKind::Founding, "the first entry of a ledger is the founding by the house");
        }
        let head = self.heads.entry(volume.clone()).or_insert_with(|| Head::at(START));
        head.link(stored, out);
        let chain = head.chain;
        self.checkpoints.grow(volume, chain);
        match volume {
            Volume::House => {
                if let Some(entry) = head.read::<HouseEntry>(stored, &mut self.scratch, out) {
                    head.order(entry.seq, &entry.id, entry.at, out);
                    self.signs |= !entry.release.is_first();
                    self.house_past.enter(&entry, chain.link);
                    self.house.entry(&entry, chain, &mut self.checkpoints, &mut self.tickets, out);
                    self.mandates.deed(&entry, chain, out);
                    self.register.deed(&entry, out);
                    if let Deed::DeviceEnrolled { device, kind, .. } = &entry.deed
                        && &**kind == "reader"
                    {
                        self.readers.insert(device.clone());
                    }
                    if let Deed::DeviceEnrolled { table, patron: Some(patron), .. } = &entry.deed
                        && self.mandates.is_judged(entry.release.is_first())
                        && let Some(table) = self.tables.get(table)
                    {
                        table.enrolled(*patron, out);
                    }
                }
            }
            Volume::Table(id) => {
                let locked = self.house.is_locked(id);
                out.hold(!locked, FindingKind::LockedTable, "the table was locked and took an order");
                if let Some(entry) = head.read::<Entry>(stored, &mut self.scratch, out) {
                    head.order(entry.seq, &entry.order.id, entry.order.at, out);
                    if !self.archived.contains(volume) {
                        self.table(id, &entry, chain);
                    }
                }
            }
        }
        if self.checkpoints.is_due() {
            self.compare();
        }
    }

    fn table(&mut self, id: &TableId, entry: &Entry, chain: Chain) {
        let table = self.tables.entry(id.clone()).or_insert_with(|| Table::new(id.clone()));
        let out = &mut self.findings;
        out.place.round = table.at_round();
        table.entry(entry, &mut self.rulebooks, &mut self.tickets, &mut self.counts, out);
        self.readings.entry(id.clone()).or_default().entry(&self.house_past, entry, self.strict, out);
        self.mandates.entry(id, entry, chain, out);
        let says_cards =
            matches!(entry.order.command.kind(), CommandKind::DrawCard | CommandKind::CorrectCard);
        let says_cards = says_cards && entry.order.by == Actor::House;
        if says_cards && table.deals_by_software() && self.readers.contains(&entry.order.id.device) {
            out.say(FindingKind::NotPermitted, "a card reader said which cards of a software shoe came");
        }
    }

    fn compare(&mut self) {
        let heads: BTreeMap<Volume, Chain> =
            self.heads.iter().map(|(volume, head)| (volume.clone(), head.chain)).collect();
        self.findings.place = Place { volume: Volume::House, seq: None, round: None };
        self.checkpoints.compare(&heads, &mut self.findings);
    }

    /// A checkpoint that the ledger itself keeps. It is compared when the tree reaches its size; one that comes later
    /// is compared at the end.
    pub fn checkpoint(&mut self, checkpoint: SignedCheckpoint) {
        self.checkpoints.take(checkpoint, false);
    }

    /// The store's rows of tickets, after all entries.
    pub fn tickets(&mut self, rows: impl IntoIterator<Item = Ticket>) {
        self.rows_seen = true;
        self.findings.place = Place { volume: Volume::House, seq: None, round: None };
        self.tickets.compare(rows, &mut self.findings);
    }

    /// The store's rows of the register of people and devices, after all entries.
    pub fn register(&mut self, rows: impl IntoIterator<Item = RegisterLine>) {
        self.register_seen = true;
        self.findings.place = Place { volume: Volume::House, seq: None, round: None };
        // Without the beginning of the house's volume nobody can tell what the rows should be.
        if !self.archived.contains(&Volume::House) {
            self.register.compare(rows, &mut self.findings);
        }
    }

    /// The signed commits of the store or export, in their order, after all entries. They reach from the last checkpoint to
    /// the end.
    pub fn commits(&mut self, commits: impl IntoIterator<Item = SignedCommit>) {
        self.commits = Some(commits.into_iter().collect());
    }

    /// What was found so far.
    pub fn findings(&self) -> &[Finding] {
        &self.findings.list
    }

    /// The end: what is left to be compared, and what cannot be known.
    pub fn finish(mut self) -> Audit {
        self.compare();
        self.checkpoints.finish(&mut self.findings);
        let entries = self.checkpoints.size();
        let mut unknown = Vec::new();
        let unsigned = self.checkpoints.unsigned(self.commits.as_deref().unwrap_or(&[]), &mut self.findings);
        if unsigned > 0 {
            match self.signs && self.commits.is_some() {
                true => self.findings.say(
                    FindingKind::UnsignedEntries,
                    format!("nobody signs for the last {unsigned} entries: they may be anybody's"),
                ),
                false => {
                    unknown.push(format!("whose the last {unsigned} entries are: nobody signs for them here"))
                }
            }
        }
        match self.checkpoints.outside {
            None => unknown.push(
                "without a checkpoint that was kept elsewhere nobody can tell whether entries were cut off at the \
                 end, or the whole record was written anew"
                    .to_owned(),
            ),
            Some(size) if size < entries => unknown.push(format!(
                "the last {} entries came after the last checkpoint that was kept elsewhere; whether more were cut \
                 off after them cannot be told",
                entries - size
            )),
            Some(_) => {}
        }
        if self.house.kind == Some(LedgerKind::House) {
            self.house.witnesses.unknown(&mut unknown);
        }
        for volume in &self.archived {
            unknown.push(format!(
                "{volume} begins in the archive: its chain, time and order numbers were followed, its Rounds and its \
                 money were not worked out again"
            ));
        }
        if self.tickets.from_archive > 0 {
            let count = self.tickets.from_archive;
            unknown.push(format!("{count} tickets were used that were issued in the archive, if at all"));
        }
        if !self.rows_seen && self.tickets.len() > 0 {
            unknown.push("the store's rows of tickets were not handed in".to_owned());
        }
        if self.archived.contains(&Volume::House) {
            unknown.push(
                "the register of people and devices was not compared: earlier deeds are in the archive"
                    .to_owned(),
            );
        } else if !self.register_seen && self.register.is_kept() {
            unknown.push("the rows of the register of people and devices were not handed in".to_owned());
        }
        for (id, table) in &self.tables {
            let count = table.unrevealed().count();
            if count > 0 {
                unknown.push(format!(
                    "{count} software shoes of table {id} were taken out of use and not revealed: their order cannot \
                     be compared with the commitment ({})",
                    named(table.unrevealed(), count)
                ));
            }
            if !table.is_readable() {
                unknown.push(format!(
                    "the rule book of table {id} cannot be read: its Rounds were not settled again"
                ));
            }
        }
        let mut counts = self.counts;
        counts.volumes = self.heads.len() as u64;
        counts.tickets = self.tickets.len();
        counts.checkpoints = self.checkpoints.compared;
        for table in self.tables.values() {
            let (received, given, house) = table.sums();
            counts.received += received;
            counts.given += given;
            counts.house += house;
        }
        Audit { findings: self.findings.list, counts, unknown }
    }
}

/// The last of these shoes, each with the reason for which it was taken out of use.
fn named<'s>(shoes: impl Iterator<Item = &'s Shoe>, count: usize) -> String {
    let name = |shoe: &Shoe| match &shoe.retired {
        Some(reason) => format!("shoe {}: {}", shoe.no, one_line(reason)),
        None => format!("shoe {}", shoe.no),
    };
    let named: Vec<String> = shoes.skip(count.saturating_sub(MOST_SHOES)).map(name).collect();
    named.join("; ")
}
