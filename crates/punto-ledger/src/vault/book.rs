//! The tickets that are good, made from signed entries alone. Rows of tickets in the store are an index: anybody who can
//! write to the store can change one. A ticket is used only if this book, its row and its issuing entry agree.
//!
//! When a ledger is opened the book is made from the last one that was kept, which is signed like a snapshot, and from every
//! entry after it, each chained to the signed end of its volume. Without a kept book it is made from all entries.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::Arc;

use punto_record::{
    Chain, Currency, Digest, Entry, HouseEntry, Seq, Ticket, TicketKeyId, TicketMove, TicketNo, TicketState,
    TicketTag, Timestamp, Volume,
};
use punto_rules::Money;
use serde::{Deserialize, Serialize};

use super::currency;
use crate::Error;
use crate::store::Store;
use crate::stored::{Archived, Stored};

/// What the bytes of a kept book mean.
pub(super) const SCHEMA: u32 = 1;

/// After how many entries the book is kept again: so many are read again at most when a ledger is opened.
const KEPT_EVERY: u64 = 10_000;

/// Words that stand in every entry that does something to a ticket; no other entry is parsed.
const MARKS: [&[u8]; 4] =
    [b"\"cashed-out\"", b"\"ticket-redeemed\"", b"\"ticket-paid\"", b"\"ticket-voided\""];

/// The good tickets of a ledger, expired ones included.
#[derive(Clone, Debug, Default)]
pub(super) struct TicketBook {
    good: BTreeMap<TicketNo, Good>,
    /// The same by the digest of their tags.
    tagged: BTreeMap<Digest, TicketNo>,
    /// How many there are, and what they are worth together.
    outstanding: BTreeMap<Currency, Outstanding>,
    /// The tree's size when the book was last kept.
    kept_at: u64,
    /// Why tickets from before this opening cannot be shown to be unused; none if they can.
    doubt: Option<Arc<str>>,
}

/// Tickets of one currency that were issued and not used, expired ones included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outstanding {
    /// How many.
    pub count: u64,
    /// What they are worth together, in minor units.
    pub amount: u128,
}

/// A ticket that was issued and not used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Good {
    pub(super) amount: Money,
    /// As its entry names it, or as its table's settings had it then; none if neither can be known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) currency: Option<Currency>,
    /// Whether its entry names its currency, as its row must do then.
    #[serde(default)]
    pub(super) names_currency: bool,
    pub(super) issued: Timestamp,
    pub(super) expires: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) tag: Option<TicketTag>,
    /// By which entry; none where the first release had archived it before anybody kept a book.
    pub(super) by: Option<Issued>,
    /// Whether it was issued before a gap in the record: a use may be hidden there.
    #[serde(skip)]
    pub(super) in_doubt: bool,
}

/// The entry that issued a ticket.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Issued {
    pub(super) volume: Volume,
    pub(super) seq: Seq,
    /// The link before the entry, and the entry's own.
    pub(super) before: Digest,
    pub(super) link: Digest,
}

impl Good {
    /// A ticket that was issued, by an entry that is here or was archived.
    fn issued(
        (amount, currency): (Money, Option<Currency>),
        (issued, expires): (Timestamp, Timestamp),
        tag: Option<TicketTag>,
        by: Option<Issued>,
    ) -> Good {
        let names_currency = currency.is_some();
        Good { amount, currency, names_currency, issued, expires, tag, by, in_doubt: false }
    }

    fn worth(&self) -> (Currency, Money) {
        (self.currency.clone().unwrap_or_else(Currency::unknown), self.amount)
    }

    /// The currency that its entry names.
    pub(super) fn named(&self) -> Option<&Currency> {
        self.currency.as_ref().filter(|_| self.names_currency)
    }

    /// How a row differs from what was issued.
    pub(super) fn differs(&self, row: &Ticket) -> Option<&'static str> {
        let says = [
            (row.state == TicketState::Good, "used, and no entry used it"),
            (row.amount == self.amount, "worth another amount"),
            (row.currency.as_ref() == self.named(), "of another currency"),
            (row.issued == self.issued, "issued at another time"),
            (row.expires == self.expires, "to expire at another time"),
            (row.tag == self.tag, "found by another number"),
        ];
        says.into_iter().find(|(holds, _)| !holds).map(|(_, words)| words)
    }
}

/// A book as it is kept.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    /// Entries in the tree that it was made from.
    size: u64,
    /// Where each volume ended.
    heads: Vec<(Volume, Seq, Digest)>,
    good: BTreeMap<TicketNo, Good>,
}

/// The tree's size at which a book was kept.
pub(super) fn size(bytes: &[u8]) -> Option<u64> {
    serde_json::from_slice::<Kept>(bytes).ok().map(|kept| kept.size)
}

/// What is known of a ledger when its book is made: as signed, up to which size, and what was archived.
pub(super) struct Signed<'a> {
    pub(super) heads: &'a BTreeMap<Volume, Chain>,
    pub(super) size: u64,
    pub(super) archived: Option<&'a Archived>,
}

impl TicketBook {
    /// Makes the book from kept ones that somebody vouches for and from the entries after them. Volumes whose entries do
    /// not lead to their signed end are told, and what they may hide makes every ticket from before doubtful.
    pub(super) fn read(
        store: &mut Store,
        kept: &[Vec<u8>],
        signed: &Signed<'_>,
    ) -> Result<(TicketBook, BTreeMap<Volume, String>), Error> {
        let archived = signed.archived.map_or(0, |archived| archived.tree.size());
        let mut doubt: Option<Arc<str>> = None;
        let mut begin: Option<Kept> = None;
        for book in kept.iter().filter_map(|bytes| serde_json::from_slice::<Kept>(bytes).ok()) {
            if book.size > signed.size {
                doubt = Some("entries are missing that a kept book of tickets was made from".into());
            } else if book.size >= archived && begin.as_ref().is_none_or(|begin| begin.size < book.size) {
                begin = Some(book);
            }
        }
        let (mut follow, after) = match begin {
            Some(Kept { size, heads, good }) => {
                let heads = heads.into_iter().map(|(volume, seq, link)| (volume, Chain { seq, link }));
                (Follow { heads: heads.collect(), good, ..Follow::default() }, size)
            }
            None => {
                let heads = signed.archived.iter().flat_map(|archived| &archived.heads);
                // The house's own entries are never archived.
                let heads = heads.filter(|head| head.volume != Volume::House);
                let heads = heads.map(|head| (head.volume.clone(), head.chain())).collect();
                (Follow { heads, ..Follow::default() }, 0)
            }
        };
        store.entries(after, &mut |stored| {
            if stored.leaf > signed.size {
                return ControlFlow::Break(());
            }
            follow.enter(&stored);
            ControlFlow::Continue(())
        })?;
        for (volume, chain) in signed.heads {
            let reached = follow.heads.get(volume).copied().unwrap_or(Chain::START);
            if reached != *chain {
                let words = || format!("entry {} does not follow from those before it", reached.seq.next());
                follow.broken.entry(volume.clone()).or_insert_with(words);
            }
        }
        let Follow { mut good, broken, .. } = follow;
        if let Some((volume, words)) = broken.first_key_value() {
            doubt = Some(format!("{volume}: {words}").into());
        }
        currency::find(store, &mut good, signed.archived)?;
        good.values_mut().for_each(|ticket| ticket.in_doubt = doubt.is_some());
        let mut book = TicketBook { good, kept_at: after, doubt, ..TicketBook::default() };
        book.add_up();
        book.tagged =
            book.good.iter().filter_map(|(no, good)| Some((good.tag.as_ref()?.digest, no.clone()))).collect();
        Ok((book, broken))
    }

    /// Takes rows as they are found, of tickets whose issue the first release had archived: once, when the ledger is first
    /// signed for. No entry that is here may have used them.
    pub(super) fn take_archived(
        &mut self,
        store: &mut Store,
        size: u64,
        archived: &Archived,
    ) -> Result<(), Error> {
        let mut seen = BTreeSet::new();
        store.entries(0, &mut |stored| {
            if stored.leaf <= size {
                let moves = moves_in(stored.volume, stored.bytes).unwrap_or_default();
                seen.extend(moves.iter().map(|asked| asked.ticket().clone()));
            }
            ControlFlow::Continue(())
        })?;
        store.tickets(&mut |row| {
            let Ticket { no, amount, currency, issued, expires, tag, state } = row;
            if state == TicketState::Good && !seen.contains(&no) {
                self.good.insert(no, Good::issued((amount, currency), (issued, expires), tag, None));
            }
        })?;
        currency::find(store, &mut self.good, Some(archived))?;
        self.add_up();
        Ok(())
    }

    fn add_up(&mut self) {
        self.outstanding.clear();
        let good: Vec<(Currency, Money)> = self.good.values().map(Good::worth).collect();
        good.into_iter().for_each(|worth| self.add(worth));
    }

    fn add(&mut self, (currency, amount): (Currency, Money)) {
        let all = self.outstanding.entry(currency).or_default();
        all.count += 1;
        all.amount += u128::from(amount.get());
    }

    fn take(&mut self, (currency, amount): (Currency, Money)) {
        let all = self.outstanding.entry(currency).or_default();
        all.count = all.count.saturating_sub(1);
        all.amount = all.amount.saturating_sub(amount.get().into());
    }

    /// How many tickets are good, and what they are worth together.
    pub(super) const fn outstanding(&self) -> &BTreeMap<Currency, Outstanding> {
        &self.outstanding
    }

    pub(super) fn get(&self, ticket: &TicketNo) -> Option<&Good> {
        self.good.get(ticket)
    }

    /// The good ticket with this tag.
    pub(super) fn tagged(&self, tag: &Digest) -> Option<&TicketNo> {
        self.tagged.get(tag)
    }

    /// The key of each good ticket that is not named by its number, expired ones included.
    pub(super) fn keys(&self) -> impl Iterator<Item = &TicketKeyId> {
        self.good.values().filter_map(|good| Some(&good.tag.as_ref()?.key))
    }

    /// Why tickets from before this opening cannot be shown to be unused.
    pub(super) const fn doubt(&self) -> Option<&Arc<str>> {
        self.doubt.as_ref()
    }

    /// An entry is durable that does this.
    pub(super) fn enter(&mut self, asked: &TicketMove, by: Issued) {
        match asked {
            TicketMove::Issued { ticket, amount, currency, at, expires, tag } => {
                self.tagged.extend(tag.as_ref().map(|tag| (tag.digest, ticket.clone())));
                let (worth, times) = ((*amount, currency.clone()), (*at, *expires));
                let good = Good::issued(worth, times, tag.clone(), Some(by));
                self.add(good.worth());
                self.good.insert(ticket.clone(), good);
            }
            TicketMove::Redeemed { ticket, .. }
            | TicketMove::Paid { ticket, .. }
            | TicketMove::Voided { ticket } => {
                let Some(good) = self.good.remove(ticket) else { return };
                self.take(good.worth());
                if let Some(tag) = good.tag {
                    self.tagged.remove(&tag.digest);
                }
            }
        }
    }

    /// Whether it is time to keep the book. With a doubt it is never kept: the next opening must find the gap again.
    pub(super) const fn is_due(&self, size: u64) -> bool {
        self.doubt.is_none() && size >= self.kept_at + KEPT_EVERY
    }

    /// The book as bytes, at this size of the tree.
    pub(super) fn bytes(&self, size: u64, heads: &BTreeMap<Volume, Chain>) -> Vec<u8> {
        let heads = heads.iter().map(|(volume, chain)| (volume.clone(), chain.seq, chain.link)).collect();
        let kept = Kept { size, heads, good: self.good.clone() };
        serde_json::to_vec(&kept).expect("a book is always JSON")
    }

    pub(super) const fn kept(&mut self, size: u64) {
        self.kept_at = size;
    }
}

/// Entries being followed.
#[derive(Default)]
struct Follow {
    heads: BTreeMap<Volume, Chain>,
    good: BTreeMap<TicketNo, Good>,
    /// Tickets that were used: an entry that was moved behind them does not issue them again.
    used: BTreeSet<TicketNo>,
    broken: BTreeMap<Volume, String>,
}

impl Follow {
    fn enter(&mut self, stored: &Stored<'_>) {
        if self.broken.contains_key(stored.volume) {
            return;
        }
        let before = self.heads.get(stored.volume).copied().unwrap_or(Chain::START);
        let chain = before.after(stored.bytes);
        let moves = moves_in(stored.volume, stored.bytes);
        let (true, Some(moves)) = (chain == stored.chain(), moves) else {
            let words = format!("entry {} is not chained to the one before it", stored.seq);
            self.broken.insert(stored.volume.clone(), words);
            return;
        };
        self.heads.insert(stored.volume.clone(), chain);
        for asked in moves {
            match asked {
                TicketMove::Issued { ticket, amount, currency, at, expires, tag } => {
                    let (volume, link) = (stored.volume.clone(), chain.link);
                    let by = Some(Issued { volume, seq: chain.seq, before: before.link, link });
                    let good = Good::issued((amount, currency), (at, expires), tag, by);
                    if !self.used.contains(&ticket) {
                        self.good.insert(ticket, good);
                    }
                }
                TicketMove::Redeemed { ticket, .. }
                | TicketMove::Paid { ticket, .. }
                | TicketMove::Voided { ticket } => {
                    self.good.remove(&ticket);
                    self.used.insert(ticket);
                }
            }
        }
    }
}

/// What an entry does to tickets, from its bytes; none if they are no entry.
pub(super) fn moves_in(volume: &Volume, bytes: &[u8]) -> Option<Vec<TicketMove>> {
    if !has_mark(bytes, &MARKS) {
        return Some(Vec::new());
    }
    match volume {
        Volume::House => {
            let HouseEntry { deed, at, .. } = serde_json::from_slice(bytes).ok()?;
            Some(TicketMove::of_deed(&deed, at).into_iter().collect())
        }
        Volume::Table(_) => {
            let Entry { order, events, .. } = serde_json::from_slice(bytes).ok()?;
            Some(events.iter().filter_map(|event| TicketMove::of(event, order.at)).collect())
        }
    }
}

/// Whether one of these words stands in the bytes of an entry.
pub(super) fn has_mark(bytes: &[u8], marks: &[&[u8]]) -> bool {
    marks.iter().any(|mark| bytes.windows(mark.len()).any(|window| window == *mark))
}
