//! The numbers of tickets: secrets that are derived from a key and never written down.
//!
//! The record names a ticket by its serial and holds a keyed tag of its number. Whoever has the key can derive the number
//! again from what the record says, and find the ticket of a number that is presented. Whoever has only the record can do
//! neither.

use std::fmt;

use hmac::{Hmac, KeyInit as _, Mac as _};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

use crate::{Digest, OrderId, Seq, TableId, TicketKeyId, TicketNo};

/// What the derived keys are for. Never changed: tickets in circulation depend on it.
const FOR_ID: &[u8] = b"punto ticket key 1: id";
const FOR_NUMBERS: &[u8] = b"punto ticket key 1: numbers";
const FOR_TAGS: &[u8] = b"punto ticket key 1: tags";

/// Bytes of an id: enough to tell keys apart.
const ID: usize = 8;

/// 10¹⁶ numbers are drawn from.
const NUMBERS: u128 = 10_u128.pow(16);

/// The number printed on a ticket, for its bearer. It is in no order, event, entry or log: it cannot be serialized, and its
/// `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct TicketNumber(TicketNo);

impl TicketNumber {
    /// The number with these digits, modulo 10¹⁶.
    pub fn from_drawn(drawn: u64) -> TicketNumber {
        TicketNumber(TicketNo::from_drawn(drawn))
    }

    /// A number as somebody typed or scanned it: spaces and hyphens do not count. `None` if it was misread.
    pub fn from_typed(text: &str) -> Option<TicketNumber> {
        TicketNo::from_typed(text).map(TicketNumber)
    }

    /// As printed: five groups of four digits.
    pub fn printed(&self) -> &str {
        self.0.as_str()
    }

    /// What a ticket of release 0.1.0 with this number is called: it was named by its number.
    pub const fn first_release_name(&self) -> &TicketNo {
        &self.0
    }
}

impl fmt::Debug for TicketNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TicketNumber(…)")
    }
}

/// How the ticket of a number is found: a keyed digest of the number, and by which key. Says nothing without the key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TicketTag {
    /// The key.
    pub key: TicketKeyId,
    /// HMAC-SHA-256 over the ledger and the number.
    pub digest: Digest,
}

/// What a new ticket is called and found by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewTicket {
    /// Its name in the record.
    pub ticket: TicketNo,
    /// How it is found by its number; none where tickets are named by their number, as in scripts.
    pub tag: Option<TicketTag>,
    /// Which number of the order it has: not the first if that one was taken.
    pub attempt: u32,
}

/// A ticket without a tag.
impl From<TicketNo> for NewTicket {
    fn from(ticket: TicketNo) -> NewTicket {
        NewTicket { ticket, tag: None, attempt: 0 }
    }
}

/// The same, from the program's own words.
impl From<&'static str> for NewTicket {
    fn from(literal: &'static str) -> NewTicket {
        TicketNo::from(literal).into()
    }
}

/// A key that ticket numbers and tags are derived with.
#[derive(Clone)]
pub struct TicketKey {
    secret: [u8; 32],
    id: TicketKeyId,
    numbers: [u8; 32],
    tags: [u8; 32],
}

impl TicketKey {
    /// The key of these bytes, which nobody can guess.
    pub fn new(secret: [u8; 32]) -> TicketKey {
        let derived = |purpose| mac(&secret, &[purpose]);
        let id: String = derived(FOR_ID)[..ID].iter().map(|byte| format!("{byte:02x}")).collect();
        let (numbers, tags) = (derived(FOR_NUMBERS), derived(FOR_TAGS));
        TicketKey { secret, id: TicketKeyId::as_recorded(id), numbers, tags }
    }

    /// Its bytes, to be kept where nobody reads them.
    pub const fn to_bytes(&self) -> [u8; 32] {
        self.secret
    }

    /// Its name, which says nothing about it.
    pub const fn id(&self) -> &TicketKeyId {
        &self.id
    }

    /// The number of the ticket that an order issues. The same order has the same number again; `attempt` counts from 0 and
    /// gives another one where a number is taken.
    pub fn number(&self, ledger: Digest, table: &TableId, order: &OrderId, attempt: u32) -> TicketNumber {
        let (table, device) = (table.as_str().as_bytes(), order.device.as_str().as_bytes());
        // Lengths before texts: no two orders give the same bytes.
        let parts: [&[u8]; 7] = [
            &ledger.0,
            &(table.len() as u64).to_be_bytes(),
            table,
            &(device.len() as u64).to_be_bytes(),
            device,
            &order.n.to_be_bytes(),
            &attempt.to_be_bytes(),
        ];
        let derived = mac(&self.numbers, &parts);
        // 128 bits over 10¹⁶: no number is more likely than another by more than one in 10²².
        let wide = derived[..16].iter().fold(0_u128, |wide, byte| (wide << 8) | u128::from(*byte));
        TicketNumber::from_drawn((wide % NUMBERS) as u64)
    }

    /// How the ticket of a number is found in a ledger.
    pub fn tag(&self, ledger: Digest, number: &TicketNumber) -> TicketTag {
        let digest = Digest(mac(&self.tags, &[&ledger.0, number.printed().as_bytes()]));
        TicketTag { key: self.id.clone(), digest }
    }
}

impl fmt::Debug for TicketKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TicketKey({})", self.id)
    }
}

/// Two keys of the same name are the same.
impl PartialEq for TicketKey {
    fn eq(&self, other: &TicketKey) -> bool {
        self.id == other.id
    }
}

impl Eq for TicketKey {}

fn mac(key: &[u8; 32], parts: &[&[u8]]) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("a key may have any length");
    parts.iter().for_each(|part| mac.update(part));
    mac.finalize().into_bytes().into()
}

impl TicketNo {
    /// What the record calls a ticket: the table, and the entry that issued it. There is one in a ledger, and it pays nobody.
    pub fn serial(table: &TableId, seq: Seq) -> TicketNo {
        TicketNo::as_recorded(format!("{}/{seq}", table.as_str()))
    }

    /// What an order says where nobody knows the ticket of the number that was presented. No ticket has this name.
    pub fn unknown() -> TicketNo {
        TicketNo::as_recorded("unknown")
    }

    /// Whether somebody may have meant a number, misread or not: such a text is not written down.
    pub fn may_be_number(&self) -> bool {
        const FEWEST: usize = 12;
        let text = self.as_str();
        !text.contains('/') && text.bytes().filter(u8::is_ascii_digit).count() >= FEWEST
    }
}
