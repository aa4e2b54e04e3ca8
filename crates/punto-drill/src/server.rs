//! The house's software: one vault, a desk for each table, a clock that may jump. What a server does, without sockets.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use ed25519_dalek::SigningKey;
use punto_ledger::{Append, Error, Place, Receipt, TicketKeys, Vault};
use punto_record::{
    Actor, Command, CommandKind, Deed, Digest, LedgerKind, Moment, Order, OrderId, Person, Release, Seq,
    SignedCheckpoint, TicketKey, TicketNo, TicketNumber, Timestamp, Volume, digest,
};
use punto_rules::Post;
use punto_table::{Desk, Given, Outbox, PostAnchors, Replay, Rules, SNAPSHOT_SCHEMA};

use crate::dice::Dice;

/// As much room as there is.
const ROOM: u32 = u32::MAX - 1;

/// The software of the house.
#[derive(Debug)]
pub(crate) struct Server {
    place: Place,
    key: [u8; 32],
    /// What ticket numbers are derived with, and what the tickets say that people carry about.
    ticket_key: TicketKey,
    printed: BTreeMap<TicketNo, TicketNumber>,
    vault: Option<Vault>,
    pub(crate) desks: Vec<Desk>,
    /// How far the clock is ahead of the true time; behind if negative.
    pub(crate) ahead: i64,
    /// Recorded time never runs backwards.
    latest: u64,
    starts: u64,
    /// Signatures that were given.
    signed: u64,
}

/// How a table was read back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum From {
    /// From its first entry.
    Start,
    /// From a snapshot of its last entry.
    Snapshot,
    /// From a snapshot, and entries after it.
    OldSnapshot,
}

fn release() -> Release {
    Release("drill".into())
}

/// A Duty Manager whom insiders name without a word to them.
pub(crate) const NEVER_ASKED: &str = "p-7";

/// A Duty Manager who signs whatever a colleague's console shows.
pub(crate) const SIGNS_BLINDLY: &str = "p-8";

/// How an insider gets an order past the server that should have stopped it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deceit {
    /// The second person whom the order names knows nothing of it.
    SecondNotAsked,
    /// The session of the giver was left open: they gave no password.
    GiverDidNotSign,
    /// The order names the deed of somebody in a higher post.
    DeedOfAnother,
}

/// Everybody who works here, and as what: each acts by a deed.
const STAFF: [(&str, &str); 12] = [
    ("o-1", "administrator"),
    ("o-2", "administrator"),
    ("p-1", "dealer"),
    ("p-2", "pit-supervisor"),
    ("p-3", "dealer"),
    ("p-4", "pit-manager"),
    ("p-5", "shift-manager"),
    ("p-6", "duty-manager"),
    (NEVER_ASKED, "duty-manager"),
    (SIGNS_BLINDLY, "duty-manager"),
    ("c-1", "cashier"),
    ("a-1", "auditor"),
];

/// Somebody of the floor in the post that they are employed in, or of the office.
fn works_as(person: &Person) -> Actor {
    let role = STAFF.iter().find(|(it, _)| *it == person.as_str()).map(|(_, role)| *role);
    if role == Some("administrator") {
        return Actor::Administrator { person: person.clone() };
    }
    let post = Post::ALL.into_iter().find(|post| Some(post.id()) == role).unwrap_or(Post::Dealer);
    Actor::Staff { person: person.clone(), post }
}

/// Who signs for an order: where it takes a signature its giver, and the second person that it names. Who is deceived
/// does not.
fn signers(order: &Order, deceit: Option<Deceit>) -> Vec<Actor> {
    let signed = matches!(
        order.command.kind(),
        CommandKind::Rule | CommandKind::RuleCarriedCards | CommandKind::AmendWager
    );
    let second = order.command.second();
    let giver = order.by.person().filter(|_| signed || second.is_some()).map(|_| order.by.clone());
    let giver = giver.filter(|_| deceit != Some(Deceit::GiverDidNotSign));
    let second = second.filter(|_| deceit != Some(Deceit::SecondNotAsked)).map(works_as);
    giver.into_iter().chain(second).collect()
}

impl Server {
    /// Founds a ledger and opens the house.
    pub(crate) fn found(place: Place, tables: usize, dice: &mut Dice, now: u64) -> Result<Server, Error> {
        let (key, nonce) = (dice.bytes(), Digest(dice.bytes()));
        let signing = SigningKey::from_bytes(&key);
        // One night in four is a house's, which asks for approved rules; the others try anything.
        let kind = if nonce.0[0] % 4 == 0 { LedgerKind::House } else { LedgerKind::Practice };
        let mut vault = Vault::found_with(&place, kind, signing, nonce, Timestamp(now), release())?;
        let ticket_key = TicketKey::new(digest(&key).0);
        vault.use_ticket_keys(TicketKeys::in_memory(vec![ticket_key.clone()]), Timestamp(now))?;
        let (founders, hired) = STAFF.split_at(2);
        for (n, (person, role)) in (1..).zip(founders) {
            let id = OrderId { device: "office".into(), n };
            let invited = Deed::staff_changed((*person).into(), (*role).into(), true, true);
            vault.deed(id, Actor::House, Timestamp(now), invited)?;
            let (door, by) = (OrderId { device: "door".into(), n }, works_as(&(*person).into()));
            vault.deed(door, by, Timestamp(now), Deed::PasswordChosen { credential: None })?;
        }
        let desks = (0..tables).map(|_| Desk::new(release())).collect();
        let mut server = Server {
            place,
            key,
            ticket_key,
            printed: BTreeMap::new(),
            vault: Some(vault),
            desks,
            ahead: 0,
            latest: now,
            starts: 0,
            signed: founders.len() as u64,
        };
        // Both Administrators answer for everybody else.
        for (person, role) in hired {
            let hired = Deed::StaffChanged {
                person: (*person).into(),
                role: (*role).into(),
                enabled: true,
                invited: true,
                name: None,
                second: Some("o-2".into()),
                reason: Some("the drill begins".into()),
                credential: None,
            };
            server.office_deed(hired, now)?;
        }
        Ok(server)
    }

    pub(crate) fn vault(&mut self) -> &mut Vault {
        self.vault.as_mut().expect("the house is open")
    }

    /// Two people record an approval of this text, which allows cards of software.
    pub(crate) fn approve(&mut self, text: &str, now: u64) -> Result<(), Error> {
        let deed = Deed::RulesApproved {
            game: "drill".into(),
            version: "1".into(),
            digest: digest(text.as_bytes()),
            authority: "the authority".into(),
            reference: "drill".into(),
            operator: "the drill".into(),
            document: "as shipped".into(),
            in_force: Moment::utc(Timestamp(now)),
            software_cards: true,
            second: "p-5".into(),
            compared: "line by line".into(),
        };
        self.office_deed(deed, now)
    }

    fn office_deed(&mut self, deed: Deed, now: u64) -> Result<(), Error> {
        let by = Actor::Administrator { person: "o-1".into() };
        self.sign_deed(&by, &deed, now)?;
        let at = self.recorded(now);
        let vault = self.vault();
        let id = OrderId { device: "office".into(), n: vault.head(&Volume::House).seq.0 + 1 };
        vault.deed(id, by, at, deed).map(|_| ())
    }

    /// In a house, now and then an approval is withdrawn in the middle of everything, and given again later.
    fn approvals_change(&mut self, table: usize, now: u64, dice: &mut Dice) -> Result<(), Error> {
        let at = self.clock(now);
        let Some(text) = self.desks[table].table().rulebook().map(str::to_owned) else { return Ok(()) };
        let digest = digest(text.as_bytes());
        let in_force = self.vault().approvals().of(digest, at).is_some_and(|it| it.is_in_force(at));
        // Most likely when a table is about to close and its last Round was not played.
        let waits = self.desks[table].table().state().last_to_play().is_some();
        if in_force && (dice.rarely(10) || (waits && dice.chance(20))) {
            let (at, second) = (Moment::utc(at), "p-5".into());
            let reason = "the authority says so".into();
            return self.office_deed(Deed::RulesWithdrawn { digest, at, second, reason }, now);
        }
        if !in_force && dice.chance(20) {
            return self.approve(&text, now);
        }
        Ok(())
    }

    /// What the clock on the wall says.
    pub(crate) const fn clock(&self, now: u64) -> Timestamp {
        Timestamp(now.saturating_add_signed(self.ahead))
    }

    /// A time to be written down.
    pub(crate) fn recorded(&mut self, now: u64) -> Timestamp {
        self.latest = self.latest.max(self.clock(now).0);
        Timestamp(self.latest)
    }

    /// An order reaches its table.
    pub(crate) fn hand_in(
        &mut self,
        (table, volume): (usize, &Volume),
        mut order: Order,
        deceit: Option<Deceit>,
        now: u64,
        dice: &mut Dice,
    ) -> Result<(), Error> {
        if let (Command::OpenBets {} | Command::CloseTable {}, true) =
            (&order.command, self.vault().kind().is_house())
        {
            self.approvals_change(table, now, dice)?;
        }
        let vault = self.vault.as_mut().expect("the house is open");
        let clock = Timestamp(now.saturating_add_signed(self.ahead));
        // The house's own clock never runs backwards: no deed after this has an earlier time than the order.
        self.latest = self.latest.max(clock.0);
        let desk = &mut self.desks[table];
        order.at = clock;
        let rules = Rules::of(vault.kind(), vault.approvals(), desk.table(), &order);
        let state = desk.table().state();
        let held = order.by.person().and_then(|person| state.posts.get(person)).copied();
        let mandates = match deceit {
            Some(Deceit::DeedOfAnother) => {
                let by = Actor::Staff { person: "p-5".into(), post: Post::ShiftManager };
                vault.staff().mandates(&Order { by, ..order.clone() }, held)
            }
            Some(Deceit::SecondNotAsked | Deceit::GiverDidNotSign) | None => {
                vault.staff().mandates(&order, held)
            }
        };
        let mut given = Given { mandates, rules, ..Given::default() };
        // Whoever has a ticket presents its number, and the house finds the ticket.
        if let Some(ticket) = order.command.presented()
            && let Some(number) = self.printed.get(ticket)
        {
            *ticket = number.first_release_name().clone();
        }
        vault.find_presented(&mut order.command)?;
        // Only an order that is new can need a ticket.
        let is_new = state.devices.get(&order.id.device).is_none_or(|last| order.id.n > last.n);
        let at = clock.max(state.now);
        if let Command::RedeemTicket { ticket, .. } = &order.command
            && is_new
        {
            given.ticket = Some(vault.reserve(ticket, &order.id, at)?);
        }
        if let (Command::CashOut { .. }, Volume::Table(id), true) = (&order.command, volume, is_new) {
            desk.tick(clock);
            let seq = desk.table().state().seq.next();
            if let Some((new, number)) = vault.new_ticket(id, seq, &order.id)? {
                self.printed.insert(new.ticket.clone(), number);
                given.new_ticket = Some(new);
            }
        }
        // Whoever answers for an order signs for it, each for themselves.
        if is_new && let Volume::Table(id) = volume {
            let given = Deed::ApprovalGiven {
                digest: Some(order.signed_at(id)),
                table: Some(id.clone()),
                round: order.round,
                factor: None,
            };
            for by in signers(&order, deceit) {
                self.signed += 1;
                let door = OrderId { device: "door".into(), n: self.signed };
                vault.deed(door, by, at.max(Timestamp(self.latest)), given.clone())?;
            }
        }
        let asked = order.clone();
        desk.hand_in(order, &given);
        if let Command::RedeemTicket { ticket, .. } = &asked.command
            && desk.table().answered(&asked).is_none()
        {
            vault.release(ticket, &asked.id);
        }
        Ok(())
    }

    /// The second person signs for a deed.
    pub(crate) fn sign_deed(&mut self, by: &Actor, deed: &Deed, now: u64) -> Result<(), Error> {
        let Some(second) = deed.second() else { return Ok(()) };
        self.signed += 1;
        let door = OrderId { device: "door".into(), n: self.signed };
        let (signer, at) = (works_as(second), self.recorded(now));
        let given =
            Deed::ApprovalGiven { digest: Some(deed.signed_by(by)), table: None, round: None, factor: None };
        self.vault().deed(door, signer, at, given).map(|_| ())
    }

    /// What the clock makes due.
    pub(crate) fn tick(&mut self, now: u64) {
        let clock = self.clock(now);
        self.desks.iter_mut().for_each(|desk| desk.tick(clock));
    }

    /// What is to be written, by table.
    pub(crate) fn group(&mut self, volumes: &[Volume]) -> (Vec<usize>, Vec<Append>) {
        let batches = self.desks.iter_mut().map(Desk::batch).zip(volumes).enumerate();
        batches
            .filter_map(|(table, (batch, volume))| {
                Some((table, Append { volume: volume.clone(), batch: batch? }))
            })
            .unzip()
    }

    /// Writes it.
    pub(crate) fn append(&mut self, group: &[Append]) -> Vec<Result<Receipt, Error>> {
        self.vault().append(group)
    }

    /// A table's desk cannot go on.
    pub(crate) fn stop(&mut self, table: usize) -> Outbox {
        self.desks[table].stop()
    }

    /// The software starts again with nothing but what is on the disk.
    pub(crate) fn start_again(&mut self, now: u64) -> Result<(), Error> {
        let vault = self.vault.take().expect("the house was open");
        let mut vault = match &self.place {
            Place::Memory => vault.reopen()?,
            place @ (Place::File(_) | Place::Database(_)) => {
                drop(vault);
                let mut vault = Vault::open(place, SigningKey::from_bytes(&self.key), release())?;
                let keys = TicketKeys::in_memory(vec![self.ticket_key.clone()]);
                vault.use_ticket_keys(keys, Timestamp(self.latest))?;
                vault
            }
        };
        vault.limit_pages(ROOM)?;
        self.starts += 1;
        let id = OrderId { device: "server".into(), n: self.starts };
        let started = Deed::SoftwareStarted { software: digest(b"drill"), at_rest: None };
        vault.deed(id, Actor::House, self.recorded(now), started)?;
        self.vault = Some(vault);
        Ok(())
    }

    /// Reads a table back from the ledger.
    pub(crate) fn read_back(&mut self, table: usize, volume: &Volume) -> Result<From, String> {
        let vault = self.vault.as_mut().expect("the house is open");
        let head = vault.head(volume);
        let failed = |error: Error| format!("the ledger cannot be read: {error}");
        let kept = vault.snapshot(volume, SNAPSHOT_SCHEMA).map_err(failed)?;
        let mut reader = vault.reader();
        let from = match &kept {
            None => From::Start,
            Some(kept) if kept.chain.seq == head.seq => From::Snapshot,
            Some(_) => From::OldSnapshot,
        };
        let mut replay = match kept {
            Some(kept) => Replay::from_snapshot(&kept.bytes, kept.chain)
                .ok_or_else(|| format!("the snapshot of {volume} cannot be read"))?,
            None => Replay::default(),
        };
        let mut fault = None;
        let after = replay.chain().seq;
        let mut posts = PostAnchors::default();
        reader
            .entries_of(volume, after, &mut |stored| match replay.enter(stored.chain(), stored.bytes) {
                Ok(entry) => {
                    posts.enter(&entry, stored.chain().into());
                    ControlFlow::Continue(())
                }
                Err(error) => {
                    fault = Some(format!("{volume}: {error}"));
                    ControlFlow::Break(())
                }
            })
            .map_err(failed)?;
        if let Some(words) = fault {
            return Err(words);
        }
        let (read, chain) = replay.finish();
        if chain != head {
            return Err(format!("{volume} ends at entry {}, the ledger says {}", chain.seq, head.seq));
        }
        if !posts.covers(read.state()) {
            // A snapshot does not know where posts were taken.
            posts = PostAnchors::default();
            let each = &mut |stored: punto_ledger::Stored<'_>| {
                if let Ok(entry) = serde_json::from_slice(stored.bytes) {
                    posts.enter(&entry, stored.chain().into());
                }
                ControlFlow::Continue(())
            };
            vault.reader().entries_of(volume, Seq(0), each).map_err(failed)?;
        }
        self.desks[table] = Desk::resume(read, chain, release()).with_posts(posts);
        Ok(from)
    }

    /// Keeps a snapshot of a table, if everything of it is on the disk.
    pub(crate) fn keep_snapshot(&mut self, table: usize, volume: &Volume) -> Result<bool, Error> {
        let chain = self.vault().head(volume);
        let known = self.desks[table].table();
        if known.state().seq != chain.seq || chain.seq.0 == 0 {
            return Ok(false);
        }
        let bytes = known.snapshot();
        let snapshot = punto_ledger::Snapshot {
            volume: volume.clone(),
            chain,
            schema: SNAPSHOT_SCHEMA,
            bytes,
            signed: None,
        };
        self.vault().keep_snapshot(&snapshot).map(|()| true)
    }

    pub(crate) fn checkpoint(&mut self, now: u64) -> Result<Option<SignedCheckpoint>, Error> {
        let at = self.recorded(now);
        self.vault().checkpoint(at)
    }

    /// Checkpoints are signed with another key from now on.
    pub(crate) fn rotate_key(&mut self, now: u64, key: [u8; 32]) -> Result<(), Error> {
        let at = self.recorded(now);
        self.vault().rotate_key(SigningKey::from_bytes(&key), at)?;
        self.key = key;
        Ok(())
    }

    /// The night was clean: nobody needs its file any more.
    pub(crate) fn discard(&mut self) {
        self.vault = None;
        if let Place::File(path) = &self.place {
            for ending in ["", "-wal", "-shm", ".lock"] {
                // What is not there need not be removed.
                let _ = std::fs::remove_file(format!("{}{ending}", path.display()));
            }
        }
    }

    /// No more room on the disk.
    pub(crate) fn fill_disk(&mut self) -> Result<(), Error> {
        self.vault().limit_pages(1)
    }

    /// Another writer takes over, though this one is still there.
    pub(crate) fn other_writer(&mut self) -> Result<(), Error> {
        self.vault().give_way()
    }
}
