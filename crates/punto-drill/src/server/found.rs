//! The founding of a ledger: its people come in, and whoever must sets up a second factor before anything else.

use std::collections::BTreeMap;

use ed25519_dalek::SigningKey;
use punto_ledger::{Credential, EarlierRegister, Error, Place, TicketKeys, Vault};
use punto_record::{Actor, Deed, Digest, LedgerKind, OrderId, Person, TicketKey, Timestamp, digest};
use punto_table::Desk;

use super::witnesses::Asked;
use super::{Door, Server, release};
use crate::dice::Dice;
use crate::phones::Phones;
use crate::server::{STAFF, must_have_factor, works_as};

impl Server {
    /// Founds a ledger and opens the house.
    pub(crate) fn found(
        place: Place,
        (tables, only_houses): (usize, bool),
        dice: &mut Dice,
        phones: &mut Phones,
        now: u64,
    ) -> Result<Server, Error> {
        let (key, nonce) = (dice.bytes(), Digest(dice.bytes()));
        let signing = SigningKey::from_bytes(&key);
        // One night in four is a house's, which asks for approved rules; the others try anything.
        let is_house = only_houses || nonce.0[0] % 4 == 0;
        let kind = if is_house { LedgerKind::House } else { LedgerKind::Practice };
        let mut vault = Vault::found_with(&place, kind, signing, nonce, Timestamp(now), release())?;
        let ticket_key = TicketKey::new(digest(&key).0);
        vault.use_ticket_keys(TicketKeys::in_memory(vec![ticket_key.clone()]), Timestamp(now))?;
        vault.take_over_register(&EarlierRegister::default(), Timestamp(now))?;
        let mut server = Server {
            place,
            key,
            ticket_key,
            printed: BTreeMap::new(),
            vault: Some(vault),
            desks: (0..tables).map(|_| Desk::new(release())).collect(),
            ahead: 0,
            unfollowed: 0,
            latest: now,
            own: 0,
            signed: 0,
            door: Door::default(),
            unwitnessed: false,
            asked: Asked::default(),
        };
        let (founders, hired) = STAFF.split_at(2);
        for (n, (person, role)) in (1..).zip(founders) {
            let id = OrderId { device: "founding".into(), n };
            let invited = Deed::staff_changed((*person).into(), (*role).into(), true, true);
            server.vault().deed(id, Actor::House, Timestamp(now), invited)?;
            server.comes((*person).into(), now, dice, phones)?;
        }
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
            server.office_deed(hired, now, dice, phones)?;
            server.comes((*person).into(), now, dice, phones)?;
        }
        Ok(server)
    }

    /// Somebody who was invited chooses a password, and sets up a second factor where they must have one.
    fn comes(&mut self, person: Person, now: u64, dice: &mut Dice, phones: &mut Phones) -> Result<(), Error> {
        let hash: String = dice.bytes().iter().map(|byte| format!("{byte:02x}")).collect();
        let (id, at, by) = (self.at_the_door(), self.recorded(now), works_as(&person));
        let password = Some(Credential::new(hash));
        self.vault().deed_with(id, by, at, Deed::PasswordChosen { credential: None }, password)?;
        if self.vault().kind().is_house() && must_have_factor(&person) {
            let made = self.enrol(&person, None, now, dice, phones)?;
            phones.of(&person).codes = made.codes;
        }
        Ok(())
    }
}
