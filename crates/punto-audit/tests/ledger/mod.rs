#![allow(dead_code)]
//! Ledgers for tests: the founding, a cage that issued the tickets, and the record of a scenario.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use ed25519_dalek::SigningKey;
use punto_audit::{Audit, Auditor, Inputs};
use punto_record::merkle::{Frontier, leaf};
use punto_record::{
    Actor, Anchor, Approvals, Chain, Checkpoint, Command, Deed, Digest, Entry, Event, HouseEntry, LedgerKind,
    Mandate, Mandates, Order, OrderId, Person, PublicKey, Release, Sealed, Seq, Settings, SignedCheckpoint,
    TableId, Ticket, TicketMove, TicketNo, TicketState, Timestamp, Volume,
};
use punto_rules::rulebook::APPROVED;
use punto_rules::{Money, PatronNo, Rulebook};
use punto_table::script::{Played, Script, play};
use punto_table::{Given, Table};

/// Before every script begins.
pub(crate) const EARLY: u64 = 1_767_000_000_000;

pub(crate) struct Scenario {
    pub(crate) name: String,
    pub(crate) entries: Vec<Entry>,
    /// The volume of the house, where the script has one.
    pub(crate) house: Vec<HouseEntry>,
}

/// The approved text of a game's rule book.
pub(crate) fn approved(game: &str) -> Option<Arc<str>> {
    static BOOKS: OnceLock<BTreeMap<String, Arc<str>>> = OnceLock::new();
    let game_of = |text: &str| Rulebook::parse(text).expect("approved rule books have no fault").game;
    let books =
        BOOKS.get_or_init(|| APPROVED.iter().map(|(_, text)| (game_of(text), (*text).into())).collect());
    books.get(game).cloned()
}

/// Every scenario of the documents, played.
pub(crate) fn scenarios() -> &'static [Scenario] {
    static PLAYED: OnceLock<Vec<Scenario>> = OnceLock::new();
    PLAYED.get_or_init(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/scenarios");
        let mut played = Vec::new();
        for folder in files(&root).into_iter().filter(|it| it.is_dir()) {
            for path in files(&folder) {
                let text = std::fs::read_to_string(&path).expect("a script");
                let name = path.strip_prefix(&root).expect("below").display().to_string();
                let script = Script::parse(&text).unwrap_or_else(|fault| panic!("{name}: {fault}"));
                let Played { entries, house, .. } =
                    play(&script, approved).unwrap_or_else(|fault| panic!("{name}: {fault}"));
                // A script about settings that are refused leaves no record.
                if !entries.is_empty() {
                    played.push(Scenario { name, entries, house });
                }
            }
        }
        assert!(played.len() > 100, "there are scenarios");
        played
    })
}

pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths
}

pub(crate) fn key(seed: u8) -> SigningKey {
    SigningKey::from_bytes(&[seed; 32])
}

pub(crate) fn table_of(entries: &[Entry]) -> TableId {
    let opened = entries.iter().find_map(|entry| {
        if let Command::OpenTable { settings, .. } = &entry.order.command {
            Some(settings.table.clone())
        } else {
            None
        }
    });
    opened.expect("a table is opened first")
}

/// A ledger in the order of its tree.
#[derive(Clone)]
pub(crate) struct Ledger {
    pub(crate) leaves: Vec<(Volume, Sealed)>,
    heads: BTreeMap<Volume, Chain>,
    pub(crate) tickets: BTreeMap<TicketNo, Ticket>,
    deeds: u64,
    /// The last deed about each person.
    staff: BTreeMap<Person, Anchor>,
}

/// Who works in a house.
const STAFF: [(&str, &str); 6] = [
    ("o", "administrator"),
    ("o2", "administrator"),
    ("c", "cashier"),
    ("sm", "shift-manager"),
    ("sup", "pit-supervisor"),
    ("d", "dealer"),
];

impl Ledger {
    pub(crate) fn founded(kind: LedgerKind, with: &SigningKey) -> Ledger {
        let mut ledger = Ledger {
            leaves: Vec::new(),
            heads: BTreeMap::new(),
            tickets: BTreeMap::new(),
            deeds: 0,
            staff: BTreeMap::new(),
        };
        ledger.deed(Actor::House, Deed::LedgerFounded { kind, nonce: Digest([7; 32]) });
        let key = PublicKey::of(with);
        ledger.deed(Actor::House, Deed::KeyAdopted { key, before: None, vouched: None });
        // A house at work has people, who act by deeds.
        if kind == LedgerKind::House {
            for (person, role) in STAFF {
                ledger.employ(person, role, true);
            }
            for person in ["o", "o2"] {
                ledger.deed(
                    Actor::Administrator { person: person.into() },
                    Deed::PasswordChosen { credential: None },
                );
            }
        }
        ledger
    }

    /// What somebody is employed as from now on.
    pub(crate) fn employ(&mut self, person: &str, role: &str, enabled: bool) {
        let (person, role): (Person, Arc<str>) = (person.parse().expect("a name"), role.into());
        let office = |person: &'static str| Actor::Administrator { person: person.into() };
        // The software invites the first two Administrators; they answer for everybody else.
        if !self.staff.contains_key(&Person::from("o2")) {
            self.deed(Actor::House, Deed::staff_changed(person.clone(), role, enabled, true));
        } else {
            let (name, second, reason) = (None, Some("o2".into()), Some("as planned".into()));
            let person = person.clone();
            let (invited, credential) = (false, None);
            let deed =
                Deed::StaffChanged { person, role, enabled, invited, name, second, reason, credential };
            let digest = Some(deed.signed_by(&office("o")));
            self.deed(office("o2"), Deed::ApprovalGiven { digest, table: None, round: None, factor: None });
            self.deed(office("o"), deed);
        }
        self.staff.insert(person, self.heads[&Volume::House].into());
    }

    /// By which deeds the people of an order act; `None` where nobody was employed.
    pub(crate) fn mandates(&self, order: &Order) -> Option<Mandates> {
        let of = |person: &Person| Some(Mandate { role: *self.staff.get(person)?, post: None });
        let by = of(order.by.person()?)?;
        Some(Mandates { by, second: order.command.second().and_then(of) })
    }

    /// A ledger that begins with this volume of the house.
    pub(crate) fn of(house: &[HouseEntry]) -> Ledger {
        let mut ledger = Ledger {
            leaves: Vec::new(),
            heads: BTreeMap::new(),
            tickets: BTreeMap::new(),
            staff: BTreeMap::new(),
            deeds: 0,
        };
        for entry in house {
            ledger.bytes(&Volume::House, serde_json::to_vec(entry).expect("JSON"));
        }
        ledger
    }

    /// What its house has recorded about approved rules.
    pub(crate) fn approvals(&self) -> Approvals {
        let mut approvals = Approvals::default();
        for (_, sealed) in self.leaves.iter().filter(|(volume, _)| *volume == Volume::House) {
            let entry: HouseEntry = serde_json::from_slice(&sealed.bytes).expect("a deed");
            approvals.enter(&entry, sealed.chain);
        }
        approvals
    }

    pub(crate) fn deed(&mut self, by: Actor, deed: Deed) {
        self.deeds += 1;
        self.deed_at(by, EARLY + self.deeds, deed);
    }

    pub(crate) fn deed_at(&mut self, by: Actor, at: u64, deed: Deed) {
        let chain = self.heads.entry(Volume::House).or_insert(Chain::START);
        let entry = HouseEntry {
            seq: chain.seq.next(),
            id: OrderId { device: "office".into(), n: chain.seq.0 + 1 },
            by,
            at: Timestamp(at),
            deed,
            release: Release("test".into()),
        };
        let sealed = chain.seal_deed(&entry);
        self.leaves.push((Volume::House, sealed));
    }

    /// Bytes under the next number of a volume, whatever they say.
    pub(crate) fn bytes(&mut self, volume: &Volume, bytes: Vec<u8>) {
        let chain = self.heads.entry(volume.clone()).or_insert(Chain::START);
        *chain = chain.after(&bytes);
        self.leaves.push((volume.clone(), Sealed { seq: chain.seq, bytes, chain: chain.link }));
    }

    pub(crate) fn entry(&mut self, table: &TableId, entry: &Entry) {
        self.bytes(&Volume::Table(table.clone()), serde_json::to_vec(entry).expect("JSON"));
        for event in &entry.events {
            self.ticket(event, &entry.order);
        }
    }

    /// An entry whose tickets are nobody's business.
    pub(crate) fn plain_entry(&mut self, table: &TableId, entry: &Entry) {
        self.bytes(&Volume::Table(table.clone()), serde_json::to_vec(entry).expect("JSON"));
    }

    /// An audit of the entries alone.
    pub(crate) fn audit_entries(&self) -> Audit {
        self.audit_entries_with(Inputs::default())
    }

    pub(crate) fn audit_entries_with(&self, inputs: Inputs) -> Audit {
        let mut auditor = Auditor::new(inputs);
        for (volume, sealed) in &self.leaves {
            auditor.entry(volume, sealed);
        }
        auditor.finish()
    }

    /// What the store would make of it.
    fn ticket(&mut self, event: &Event, order: &Order) {
        match TicketMove::of(event, order.at) {
            Some(TicketMove::Issued { ticket, amount, currency, at, expires, tag }) => {
                let (no, state) = (ticket.clone(), TicketState::Good);
                let row = Ticket { no, amount, currency, issued: at, expires, tag, state };
                self.tickets.insert(ticket, row);
            }
            Some(TicketMove::Redeemed { ticket, .. }) => {
                self.tickets.get_mut(&ticket).expect("issued before").state = TicketState::Redeemed;
            }
            Some(TicketMove::Paid { .. } | TicketMove::Voided { .. }) | None => {}
        }
    }

    /// A table that bought and cashed out the tickets that others redeem.
    pub(crate) fn cage(&mut self, redeemed: &[(TicketNo, Money)]) {
        if redeemed.is_empty() {
            return;
        }
        let id: TableId = "cage".into();
        let settings: Settings = serde_json::from_value(serde_json::json!({
            "table": "cage", "game": "ncb-etg", "layout": "terminal", "decks": 8,
            "other_bets": { "minimum": 20, "maximum": 500 },
        }))
        .expect("settings");
        let rulebook = approved("ncb-etg").expect("approved");
        let open = Command::OpenTable { settings: Box::new(settings), rulebook, second: None };
        let mut orders = vec![(Actor::Administrator { person: "o".into() }, open, None)];
        for (i, (ticket, amount)) in redeemed.iter().enumerate() {
            let (by, patron) = (Actor::Cashier { person: "c".into() }, PatronNo(i as u32 + 1));
            orders.push((by, Command::BuyCredits { patron, amount: *amount }, None));
            let out = Command::CashOut { patron, second: None };
            orders.push((Actor::Patron { patron }, out, Some(ticket.clone())));
        }
        let mut table = Table::default();
        for (n, (by, command, ticket)) in (1..).zip(orders) {
            let id_of = OrderId { device: "cage".into(), n };
            let order = Order { id: id_of, by, at: Timestamp(EARLY + n), round: None, command };
            let given = Given { new_ticket: ticket.map(Into::into), ..Given::default() };
            let events = table.decide(&order, &given).expect("a cage can do that");
            let mandates = self.mandates(&order).map(Box::new);
            let entry = Entry { seq: Seq(n), order, events, release: Release("test".into()), mandates };
            table.enter(&entry);
            self.entry(&id, &entry);
        }
    }

    pub(crate) fn heads(&self) -> Vec<(Volume, Chain)> {
        self.heads.iter().map(|(volume, chain)| (volume.clone(), *chain)).collect()
    }

    pub(crate) fn checkpoint(&self, at: u64, with: &SigningKey) -> SignedCheckpoint {
        let mut tree = Frontier::default();
        for (volume, sealed) in &self.leaves {
            tree.push(leaf(volume, Chain { seq: sealed.seq, link: sealed.chain }));
        }
        let ledger = self.leaves[0].1.chain;
        let (size, root, heads) = (tree.size(), tree.root(), self.heads());
        Checkpoint { ledger, at: Timestamp(at), size, root, heads }.sign(with)
    }

    pub(crate) fn audit(&self) -> Audit {
        self.audit_with(Inputs::default(), &[])
    }

    pub(crate) fn audit_with(&self, inputs: Inputs, own: &[SignedCheckpoint]) -> Audit {
        let mut auditor = Auditor::new(inputs);
        own.iter().for_each(|signed| auditor.checkpoint(signed.clone()));
        for (volume, sealed) in &self.leaves {
            auditor.entry(volume, sealed);
        }
        auditor.tickets(self.tickets.values().cloned());
        auditor.finish()
    }
}

/// Tickets that these entries redeem and did not issue.
pub(crate) fn redeemed(entries: &[Entry]) -> Vec<(TicketNo, Money)> {
    let mut tickets = Vec::new();
    for event in entries.iter().flat_map(|entry| &entry.events) {
        if let Event::TicketRedeemed { ticket, amount, .. } = event {
            tickets.push((ticket.clone(), *amount));
        }
    }
    tickets
}

/// A ledger with the record of one scenario that is in no house.
pub(crate) fn ledger_of(entries: &[Entry]) -> Ledger {
    ledger_in(&[], entries)
}

/// A ledger with the record of one scenario, in this house if it is in one.
pub(crate) fn ledger_in(house: &[HouseEntry], entries: &[Entry]) -> Ledger {
    let mut ledger = match house {
        [] => Ledger::founded(LedgerKind::Demo, &key(1)),
        house => Ledger::of(house),
    };
    ledger.cage(&redeemed(entries));
    let table = table_of(entries);
    entries.iter().for_each(|entry| ledger.entry(&table, entry));
    ledger
}

/// Findings, one a line.
pub(crate) fn told(audit: &Audit) -> String {
    audit.findings.iter().map(|finding| format!("{finding}\n")).collect()
}
