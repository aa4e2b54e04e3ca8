//! What is done for the house: deeds, keys, locks, tickets before a table decides about them.

use ed25519_dalek::SigningKey;
use punto_record::{
    Actor, Batch, Currency, Deed, DeedKind, HouseEntry, OrderId, PublicKey, RegisterKind, Seq, TableId,
    TicketAnswer, TicketMove, TicketNo, Timestamp, Volume, unfit, vouch,
};
use punto_rules::Money;
use punto_rules::text::one_line;

use super::book::Good;
use super::proof::Proof;
use super::register::Credentials;
use super::{Append, LEDGER, Vault};
use crate::part::RowWrite;
use crate::registered::RowKey;
use crate::{Credential, Error, house};

impl Vault {
    /// Writes a deed into the house's volume. The same order a second time is answered with the first entry.
    ///
    /// # Errors
    /// If it is not theirs to do, a ticket is not what it should be, or the store failed.
    pub fn deed(&mut self, id: OrderId, by: Actor, at: Timestamp, deed: Deed) -> Result<Seq, Error> {
        self.deed_with(id, by, at, deed, None)
    }

    /// The same, for a deed that gives a credential: the register has its hash, the deed the digest of the hash.
    ///
    /// # Errors
    /// As [`Vault::deed`].
    pub fn deed_with(
        &mut self,
        id: OrderId,
        by: Actor,
        at: Timestamp,
        mut deed: Deed,
        credential: Option<Credential>,
    ) -> Result<Seq, Error> {
        let mut credentials = Credentials::new();
        if let Some(key) = owner(&by, &deed)
            && let Some(digest) = deed.credential_mut()
        {
            *digest = credential.as_ref().map(|it| key.0.credential(&key.1, it.hash()));
            credentials.extend(credential.map(|credential| (key, credential)));
        }
        let writes = match deed.kind() == DeedKind::RegisterCleared {
            true => self.clearing_writes()?,
            false => self.row_writes(&id, &by, at, &deed, &credentials)?,
        };
        let is_about_people = matches!(
            deed,
            Deed::StaffChanged { .. }
                | Deed::PasswordChosen { .. }
                | Deed::AdministratorsRestored { .. }
                | Deed::RestorationSeen { .. }
        );
        let done = self.write_deed(id, by, at, deed, writes);
        if is_about_people {
            self.staff.set_all(&self.house);
        }
        done
    }

    /// Somebody's role is about to change: until the deed is written, or refused, they have none. Whoever stamps the deed
    /// with a time after this leaves no moment in which an order is younger than the deed and names the one before.
    pub fn suspend(&self, deed: &Deed) {
        if let Deed::StaffChanged { person, .. } = deed {
            self.staff.suspend(person);
        }
    }

    pub(super) fn write_deed(
        &mut self,
        id: OrderId,
        by: Actor,
        at: Timestamp,
        deed: Deed,
        writes: Vec<RowWrite>,
    ) -> Result<Seq, Error> {
        house::may(&by, &deed)?;
        // What the software itself has to say is never held back by its words.
        if by != Actor::House {
            unfit(&deed).map_err(Error::Unfit)?;
        }
        self.house.employs(&by, &deed)?;
        if let Some(seq) = self.house.done_before(&id, &by, &deed)? {
            return Ok(seq);
        }
        self.house.empowers(&by, &deed)?;
        self.house.changes_factor(&by, at.max(self.house.now), &deed)?;
        let mut chain = self.head(&Volume::House);
        let expect = chain.seq;
        // Recorded time never runs backwards.
        let at = at.max(self.house.now);
        let tickets: Vec<TicketMove> = TicketMove::of_deed(&deed, at).into_iter().collect();
        if let Some(ticket) = tickets.first().map(TicketMove::ticket)
            && self.reserved.contains_key(ticket)
        {
            let (ticket, asked) = (ticket.clone(), "used");
            return Err(Error::Ticket { ticket, asked, answer: TicketAnswer::InUse });
        }
        self.names_the_worth(&deed)?;
        let entry = HouseEntry { seq: expect.next(), id, by, at, deed, release: self.release.clone() };
        let entries = vec![chain.seal_deed(&entry)];
        let append = Append { volume: Volume::House, batch: Batch { expect, entries, tickets } };
        let receipt = self.append_with(&append, &writes)?;
        self.house.enter(&entry, chain.link);
        Ok(receipt.seq())
    }

    /// What a deed says about the worth of a ticket is what the record says.
    fn names_the_worth(&self, deed: &Deed) -> Result<(), Error> {
        if let Deed::TicketPaid { ticket, amount, currency, .. }
        | Deed::TicketVoided { ticket, amount, currency, .. } = deed
            && let Some(good) = self.book.get(ticket)
            && (*amount != good.amount
                || currency.as_ref().is_some_and(|it| Some(it) != good.currency.as_ref()))
        {
            return Err(Error::NotAllowed("a ticket is used with its own amount and currency"));
        }
        Ok(())
    }

    /// A deed of the software's own.
    pub(super) fn own_deed(&mut self, at: Timestamp, deed: Deed) -> Result<Seq, Error> {
        let n = self.house.next_of(LEDGER);
        self.deed(OrderId { device: LEDGER.into(), n }, Actor::House, at, deed)
    }

    /// Locks a table whose books do not balance. Nothing is appended to it until somebody unlocks it.
    ///
    /// # Errors
    /// If the store failed.
    pub fn lock(&mut self, at: Timestamp, table: &TableId, words: &str) -> Result<Seq, Error> {
        let seq = self.head(&Volume::Table(table.clone())).seq;
        self.own_deed(at, Deed::TableLocked { table: table.clone(), seq, words: one_line(words).into() })
    }

    /// Signs with another key from now on; the old one vouches for it. Everything before is under a checkpoint of the old
    /// key, and the adoption itself is signed with the new one.
    ///
    /// # Errors
    /// If the store failed.
    pub fn rotate_key(&mut self, key: SigningKey, at: Timestamp) -> Result<Seq, Error> {
        self.checkpoint(at)?;
        let (before, public) = (PublicKey::of(&self.key), PublicKey::of(&key));
        let vouched = Some(vouch(&self.key, public).into());
        // Seeds are sealed under what is derived from the key: they change hands with it, in the same transaction.
        let writes = self.sealed_again(&key)?;
        let old = std::mem::replace(&mut self.key, key);
        let id = OrderId { device: LEDGER.into(), n: self.house.next_of(LEDGER) };
        let deed = Deed::KeyAdopted { key: public, before: Some(before), vouched };
        let adopted = self.write_deed(id, Actor::House, at, deed, writes);
        if adopted.is_err() {
            self.key = old;
        }
        let seq = adopted?;
        self.checkpoint(at)?;
        Ok(seq)
    }

    /// What may be said about a ticket to the order that wants to redeem it. If it is good, it is that order's until
    /// the order is carried out or lets go.
    ///
    /// # Errors
    /// If the store failed.
    pub fn reserve(&mut self, ticket: &TicketNo, by: &OrderId, at: Timestamp) -> Result<TicketAnswer, Error> {
        self.running()?;
        let found = self.prove(ticket)?;
        self.raise_alarms();
        match (found, self.reserved.get(ticket)) {
            (Proof::Not(answer), _) => Ok(answer),
            (Proof::Good(good), _) if at > good.expires => Ok(TicketAnswer::Expired),
            (Proof::Good(_), Some(other)) if other != by => Ok(TicketAnswer::InUse),
            (Proof::Good(Good { amount, currency, .. }), _) => {
                self.reserved.insert(ticket.clone(), by.clone());
                Ok(TicketAnswer::Reserved { amount, currency })
            }
        }
    }

    /// What an expired ticket is worth, which two people may pay or make void. `None` unless it was issued, is as it was
    /// issued, and was never used.
    ///
    /// # Errors
    /// If the store failed.
    pub fn expired_worth(
        &mut self,
        ticket: &TicketNo,
        at: Timestamp,
    ) -> Result<Option<(Money, Option<Currency>)>, Error> {
        self.running()?;
        let found = self.prove(ticket)?;
        self.raise_alarms();
        Ok(match found {
            Proof::Good(Good { amount, currency, expires, .. }) if at > expires => Some((amount, currency)),
            Proof::Good(_) | Proof::Not(_) => None,
        })
    }

    /// Lets go of a ticket that was reserved for an order.
    pub fn release(&mut self, ticket: &TicketNo, by: &OrderId) {
        if self.reserved.get(ticket) == Some(by) {
            self.reserved.remove(ticket);
        }
    }
}

/// Whose credential a deed gives, if it gives one.
fn owner(by: &Actor, deed: &Deed) -> Option<RowKey> {
    if let Deed::PasswordChosen { .. } = deed {
        by.person().map(|person| (RegisterKind::Password, person.as_str().into()))
    } else if let Deed::FactorEnrolled { .. }
    | Deed::RecoveryCodesMade { .. }
    | Deed::RecoveryCodeUsed { .. } = deed
    {
        by.person().map(|person| (RegisterKind::Factor, person.as_str().into()))
    } else if let Deed::StaffChanged { person, .. } = deed {
        Some((RegisterKind::Invitation, person.as_str().into()))
    } else if let Deed::DeviceEnrolled { device, .. } = deed {
        Some((RegisterKind::Device, device.as_str().into()))
    } else {
        None
    }
}
