//! The house's software: one vault, a desk for each table, a clock that may jump. What a server does, without sockets.

mod clock;
mod door;
mod found;
mod orders;
mod own;
mod restart;
mod staff;
mod witnesses;

use std::collections::BTreeMap;

use ed25519_dalek::SigningKey;
use punto_ledger::{Append, Error, Place, Receipt, Vault};
use punto_record::{
    Actor, Deed, Moment, OrderId, Release, SignedCheckpoint, TicketKey, TicketNo, TicketNumber, Timestamp,
    Volume, digest,
};
use punto_table::{Desk, Outbox};

use crate::dice::Dice;
use crate::phones::Phones;
pub(crate) use door::Door;
pub(crate) use orders::Coming;
pub(crate) use restart::From;
pub(crate) use staff::{
    Deceit, JUNIOR, NEVER_ASKED, OF_STANDING, OFFICE, SIGNS_BLINDLY, STAFF, must_have_factor, works_as,
};
pub(crate) use witnesses::Answer;
use witnesses::Asked;

/// As much room as there is.
const ROOM: u32 = u32::MAX - 1;

/// The device of what people do for themselves: sign in, sign, set up a second factor.
const DOOR: &str = "door";

/// The device of what the software writes down.
const SERVER: &str = "server";

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
    /// How far the system's clock is ahead of the recorded one, which has not followed it that far.
    pub(crate) unfollowed: u64,
    /// Recorded time never runs backwards.
    latest: u64,
    /// Deeds of the software's own.
    own: u64,
    /// What people did for themselves.
    signed: u64,
    /// Second factors as they are known since the start.
    pub(crate) door: Door,
    /// Whether no Round opens because nobody elsewhere has confirmed this history since the start.
    pub(crate) unwitnessed: bool,
    /// What witnesses said since the start.
    pub(crate) asked: Asked,
}

fn release() -> Release {
    Release("drill".into())
}

impl Server {
    pub(crate) fn vault(&mut self) -> &mut Vault {
        self.vault.as_mut().expect("the house is open")
    }

    /// Two people record an approval of this text, which allows cards of software.
    pub(crate) fn approve(
        &mut self,
        text: &str,
        now: u64,
        dice: &mut Dice,
        phones: &mut Phones,
    ) -> Result<(), Error> {
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
        self.office_deed(deed, now, dice, phones)
    }

    fn office_deed(
        &mut self,
        deed: Deed,
        now: u64,
        dice: &mut Dice,
        phones: &mut Phones,
    ) -> Result<(), Error> {
        let by = Actor::Administrator { person: "o-1".into() };
        self.sign_deed(&by, &deed, now, dice, phones)?;
        let at = self.recorded(now);
        let vault = self.vault();
        let id = OrderId { device: "rules".into(), n: vault.head(&Volume::House).seq.0 + 1 };
        vault.deed(id, by, at, deed).map(|_| ())
    }

    /// In a house, now and then an approval is withdrawn in the middle of everything, and given again later.
    fn approvals_change(
        &mut self,
        table: usize,
        now: u64,
        dice: &mut Dice,
        phones: &mut Phones,
    ) -> Result<(), Error> {
        let at = self.clock(now);
        let Some(text) = self.desks[table].table().rulebook().map(str::to_owned) else { return Ok(()) };
        let digest = digest(text.as_bytes());
        let in_force = self.vault().approvals().of(digest, at).is_some_and(|it| it.is_in_force(at));
        // Most likely when a table is about to close and its last Round was not played.
        let waits = self.desks[table].table().state().last_to_play().is_some();
        if in_force && (dice.rarely(10) || (waits && dice.chance(20))) {
            let (at, second) = (Moment::utc(at), "p-5".into());
            let reason = "the authority says so".into();
            let withdrawn = Deed::RulesWithdrawn { digest, at, second, reason };
            return self.office_deed(withdrawn, now, dice, phones);
        }
        if !in_force && dice.chance(20) {
            return self.approve(&text, now, dice, phones);
        }
        Ok(())
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
