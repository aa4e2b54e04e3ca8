//! Orders that wait for signatures. The server holds what was asked for; whoever answers for it signs exactly that, by its
//! digest, from whatever screen; then the screen that asked has it carried out, once.
//!
//! They are kept in memory only. After a restart there are none, and every signature with them is void: nothing was done.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use punto_ledger::StaffBook;
use punto_record::{
    Actor, Anchor, Command, CommandKind, Deed, DeviceId, Digest, MatterNo, Order, OrderId, Person, RoundNo,
    TableId, Timestamp,
};
use punto_rules::IrregularityKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::role::Role;
use crate::wire::Denial;

/// How long an order may wait for its signatures, and a signature for its order, in milliseconds.
pub const PENDING_FOR: u64 = 15 * 60_000;

/// Orders of one session that may wait at once; the oldest gives way.
const OF_A_SESSION: usize = 8;

/// Orders of all sessions that may wait at once.
const OF_ALL: usize = 1024;

/// Something that waits for signatures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pending {
    /// Its name.
    pub pending: Arc<str>,
    /// What is signed: the digest of everything that is said here under `order` or `deed`.
    pub digest: Digest,
    /// Until when it can be signed and carried out, if nothing changes before.
    pub until: Timestamp,
    /// Who is signed in at the screen that asks for it.
    pub asked_by: Person,
    /// Whose signatures it takes.
    pub signers: Vec<Signer>,
    /// An order for a table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<PendingOrder>,
    /// Something that concerns the house.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deed: Option<PendingDeed>,
}

/// Somebody who must sign.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Signer {
    /// Who.
    pub person: Person,
    /// Their name, as it is shown.
    pub name: Arc<str>,
    /// What they are employed as.
    pub role: Role,
    /// Whether they have signed.
    pub signed: bool,
}

/// An order for a table that waits for signatures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PendingOrder {
    /// The table.
    pub table: TableId,
    /// The Round that it means, if it means one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round: Option<RoundNo>,
    /// Who gives it.
    pub by: Actor,
    /// What kind of order.
    pub kind: CommandKind,
    /// All that it says.
    pub command: Command,
    /// The reason that it gives, if it gives one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The matter that it rules on, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matter: Option<PendingMatter>,
}

/// What a ruling that waits for signatures is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct PendingMatter {
    pub matter: MatterNo,
    pub kind: IrregularityKind,
    pub round: RoundNo,
}

/// A deed that waits for the signature of its second person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PendingDeed {
    /// Who does it.
    pub by: Actor,
    /// All that it says.
    pub deed: Deed,
}

/// Why something that waits cannot be signed or carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// There is none of that name, or no longer.
    Gone,
    /// It is not theirs.
    NotTheirs,
}

/// Somebody who is to sign, and whether they have.
#[derive(Clone, Debug)]
struct Signature {
    signer: Signer,
    /// The deed of their role when they signed: if it is another now, so may be what they can answer for.
    by: Option<Anchor>,
}

#[derive(Clone, Debug)]
struct Held {
    told: Pending,
    /// The session whose screen asked, and which alone can have it carried out.
    session: Arc<str>,
    /// What the order is about, as the table stood.
    basis: Digest,
    signatures: Vec<Signature>,
    /// The order that used it. A retry is the same order.
    used: Option<OrderId>,
}

/// What waits for signatures.
#[derive(Debug, Default)]
pub struct Pendings(Mutex<BTreeMap<Arc<str>, Held>>);

/// Something to be held, as it was asked for.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) pending: Arc<str>,
    pub(crate) session: Arc<str>,
    pub(crate) asked_by: Person,
    pub(crate) order: Option<PendingOrder>,
    pub(crate) deed: Option<PendingDeed>,
    pub(crate) basis: Digest,
    pub(crate) signers: Vec<Signer>,
}

impl Asked {
    fn digest(&self) -> Digest {
        match (&self.order, &self.deed) {
            (Some(order), _) => order.unnumbered().signed_at(&order.table),
            (None, Some(PendingDeed { by, deed })) => deed.signed_by(by),
            (None, None) => unreachable!("an order or a deed was asked for"),
        }
    }
}

impl PendingOrder {
    /// The order itself, before it has a number.
    pub fn unnumbered(&self) -> Order {
        self.numbered(OrderId { device: DeviceId::as_recorded(""), n: 0 })
    }

    /// The order under a number.
    pub fn numbered(&self, id: OrderId) -> Order {
        let (by, command) = (self.by.clone(), self.command.clone());
        Order { id, by, at: Timestamp(0), round: self.round, command }
    }
}

impl Pendings {
    /// Holds something until it is signed and carried out, or its time is over.
    pub(crate) fn hold(&self, asked: Asked, now: Timestamp) -> Pending {
        let digest = asked.digest();
        let Asked { pending, session, asked_by, order, deed, basis, signers } = asked;
        let until = Timestamp(now.0.saturating_add(PENDING_FOR));
        let signatures =
            signers.iter().map(|signer| Signature { signer: signer.clone(), by: None }).collect();
        let told = Pending { pending: pending.clone(), digest, until, asked_by, signers, order, deed };
        let mut all = self.lock(now);
        let of_session: Vec<_> = all.iter().filter(|(_, it)| it.session == session).collect();
        let full = of_session.len() >= OF_A_SESSION;
        let oldest = of_session.into_iter().min_by_key(|(_, it)| it.told.until).map(|(id, _)| id.clone());
        if let Some(oldest) = oldest.filter(|_| full) {
            all.remove(&oldest);
        }
        if all.len() >= OF_ALL
            && let Some(oldest) = all.iter().min_by_key(|(_, it)| it.told.until).map(|(id, _)| id.clone())
        {
            all.remove(&oldest);
        }
        all.insert(pending, Held { told: told.clone(), session, basis, signatures, used: None });
        told
    }

    /// What waits for somebody's signature.
    pub(crate) fn for_signer(&self, person: &Person, now: Timestamp) -> Vec<Pending> {
        let waits =
            |held: &&Held| held.signatures.iter().any(|it| it.signer.person == *person && it.by.is_none());
        self.lock(now).values().filter(waits).map(Held::tell).collect()
    }

    /// One of them, for whoever asked for it or is to sign it.
    pub(crate) fn show(
        &self,
        pending: &str,
        session: Option<&str>,
        person: &Person,
        now: Timestamp,
    ) -> Result<(Pending, Digest), Unfit> {
        let all = self.lock(now);
        let held = all.get(pending).ok_or(Unfit::Gone)?;
        let signs = held.signatures.iter().any(|it| it.signer.person == *person);
        let asked = session == Some(&*held.session);
        if signs || asked { Ok((held.tell(), held.basis)) } else { Err(Unfit::NotTheirs) }
    }

    /// Takes one back: nobody can sign it or have it carried out any more.
    pub(crate) fn drop_it(&self, pending: &str, now: Timestamp) {
        self.lock(now).remove(pending);
    }

    /// Somebody has signed, in the role that this deed gave them.
    pub(crate) fn sign(
        &self,
        pending: &str,
        person: &Person,
        role: Role,
        by: Anchor,
        now: Timestamp,
    ) -> Result<Pending, Unfit> {
        let mut all = self.lock(now);
        let held = all.get_mut(pending).ok_or(Unfit::Gone)?;
        let theirs = |it: &&mut Signature| it.signer.person == *person && it.signer.role == role;
        let signature = held.signatures.iter_mut().find(theirs).ok_or(Unfit::NotTheirs)?;
        signature.by = Some(by);
        Ok(held.tell())
    }

    /// What somebody signed is signed no longer: they changed their password, or are something else now.
    pub(crate) fn unsign(&self, person: &Person, now: Timestamp) {
        for held in self.lock(now).values_mut() {
            held.signatures.iter_mut().filter(|it| it.signer.person == *person).for_each(|it| it.by = None);
        }
    }

    /// Uses an order that was signed. What it is about, so that the table can see whether that has changed.
    pub(crate) fn use_order(
        &self,
        pending: &str,
        session: &str,
        (table, order): (&TableId, &Order),
        staff: &StaffBook,
        now: Timestamp,
    ) -> Result<Digest, Denial> {
        let mut all = self.lock(now);
        let held = all.get_mut(pending).ok_or(Denial::ApprovalNotGood)?;
        let same = *held.session == *session
            && held.told.order.as_ref().is_some_and(|it| it.table == *table)
            && held.told.digest == order.signed_at(table)
            && held.used.as_ref().is_none_or(|used| *used == order.id);
        if !same {
            return Err(Denial::ApprovalNotGood);
        }
        held.is_signed(staff)?;
        held.used = Some(order.id.clone());
        Ok(held.basis)
    }

    /// Uses a deed that was signed, up. With what it is about, as that stood when it was asked for.
    pub(crate) fn use_deed(
        &self,
        pending: &str,
        session: &str,
        is_it: impl FnOnce(&PendingDeed) -> bool,
        staff: &StaffBook,
        now: Timestamp,
    ) -> Result<(PendingDeed, Digest), Denial> {
        let mut all = self.lock(now);
        let held = all.get(pending).ok_or(Denial::ApprovalNotGood)?;
        let basis = held.basis;
        let deed = held.told.deed.clone().filter(|_| *held.session == *session).filter(is_it);
        let deed = deed.ok_or(Denial::ApprovalNotGood)?;
        held.is_signed(staff)?;
        all.remove(pending);
        Ok((deed, basis))
    }

    /// What is too old is forgotten first.
    fn lock(&self, now: Timestamp) -> MutexGuard<'_, BTreeMap<Arc<str>, Held>> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|_, held| held.told.until > now);
        all
    }
}

impl Held {
    fn tell(&self) -> Pending {
        let signers = self
            .signatures
            .iter()
            .map(|it| Signer { signed: it.by.is_some(), ..it.signer.clone() })
            .collect();
        Pending { signers, ..self.told.clone() }
    }

    /// Everybody has signed, and is still what they were.
    fn is_signed(&self, staff: &StaffBook) -> Result<(), Denial> {
        for Signature { signer, by } in &self.signatures {
            let signed = by.ok_or(Denial::ApprovalNeeded)?;
            let now = staff.employed(&signer.person).filter(|it| it.enabled).map(|it| it.deed);
            if now != Some(signed) {
                return Err(Denial::ApprovalNotGood);
            }
        }
        Ok(())
    }
}
