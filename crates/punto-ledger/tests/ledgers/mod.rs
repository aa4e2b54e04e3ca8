//! What the tests of ledgers have in common: keys, times, entries, tickets.

// Each test program needs its own part of it.
#![allow(dead_code)]

use punto_ledger::{Append, Place, Vault};
use punto_record::{
    Actor, Batch, Chain, Command, Currency, Deed, Digest, Entry, Event, LedgerKind, Order, OrderId, Release,
    Sealed, Seq, TicketAnswer, TicketMove, TicketNo, Timestamp, Volume,
};
use punto_rules::{Money, PatronNo};

/// A key of which the tests have several.
pub(crate) fn key(n: u8) -> ed25519_dalek::SigningKey {
    ed25519_dalek::SigningKey::from_bytes(&[n; 32])
}

pub(crate) fn release() -> Release {
    Release("test".into())
}

pub(crate) const NOW: Timestamp = Timestamp(1_700_000_000_000);

pub(crate) fn found(place: &Place) -> Vault {
    let nonce = Digest([7; 32]);
    Vault::found_with(place, LedgerKind::Demo, key(1), nonce, NOW, release()).expect("a new ledger")
}

pub(crate) fn open(place: &Place) -> Vault {
    Vault::open(place, key(1), release()).expect("a ledger")
}

pub(crate) fn table(n: u32) -> Volume {
    Volume::Table(format!("T{n}").parse().expect("a name"))
}

/// So many entries after the chain.
pub(crate) fn sealed(mut chain: Chain, entries: u64) -> Vec<Sealed> {
    (0..entries)
        .map(|_| {
            let bytes = format!(r#"{{"seq":{},"of":"a test"}}"#, chain.seq.next()).into_bytes();
            chain = chain.after(&bytes);
            Sealed { seq: chain.seq, bytes, chain: chain.link }
        })
        .collect()
}

/// So many entries where the volume ends.
pub(crate) fn batch(vault: &Vault, volume: &Volume, entries: u64) -> Append {
    batch_with(vault, volume, entries, Vec::new())
}

/// Entries that do something to tickets.
pub(crate) fn batch_with(vault: &Vault, volume: &Volume, entries: u64, tickets: Vec<TicketMove>) -> Append {
    let head = vault.head(volume);
    let mut all = Vec::new();
    let mut chain = head;
    if !tickets.is_empty() {
        all.push(chain.seal(&entry_with(head.seq.next(), &tickets)));
    }
    all.extend(sealed(chain, entries - all.len() as u64));
    Append { volume: volume.clone(), batch: Batch { expect: head.seq, entries: all, tickets } }
}

/// An entry of a table that does this to tickets.
pub(crate) fn entry_with(seq: Seq, tickets: &[TicketMove]) -> Entry {
    let mut at = NOW;
    let patron = PatronNo(7);
    let event = |asked: &TicketMove| match asked.clone() {
        TicketMove::Issued { ticket, amount, currency, expires, tag, .. } => {
            Event::CashedOut { patron, ticket, amount, expires, owed: Money::ZERO, tag, attempt: 0, currency }
        }
        TicketMove::Redeemed { ticket, at: then } => {
            at = then;
            Event::TicketRedeemed { patron, ticket, amount: money(100), credits: money(100) }
        }
        TicketMove::Paid { .. } | TicketMove::Voided { .. } => unreachable!("the cage does that by deeds"),
    };
    let events = tickets.iter().map(event).collect();
    let id = order("terminal", seq.0);
    let order = Order { id, by: Actor::House, at, round: None, command: Command::OpenBets {} };
    Entry { seq, order, events, release: release(), mandates: None }
}

/// Appends entries and says where they are in the tree.
pub(crate) fn append(vault: &mut Vault, volume: &Volume, entries: u64) -> u64 {
    let append = batch(vault, volume, entries);
    vault.append(&[append]).remove(0).expect("a receipt").leaf()
}

pub(crate) fn money(amount: u64) -> Money {
    Money::new(amount).expect("an amount")
}

pub(crate) fn ticket(n: u64) -> TicketNo {
    TicketNo::from_drawn(n)
}

pub(crate) fn sgd() -> Option<Currency> {
    Some("SGD".into())
}

/// What is said about a good ticket of this amount.
pub(crate) fn good_for(amount: u64) -> TicketAnswer {
    TicketAnswer::Reserved { amount: money(amount), currency: sgd() }
}

/// A ticket is issued now, and good for a minute.
pub(crate) fn issued(n: u64) -> TicketMove {
    let expires = Timestamp(NOW.0 + 60_000);
    let (ticket, amount) = (ticket(n), money(100 * n));
    TicketMove::Issued { ticket, amount, currency: sgd(), at: NOW, expires, tag: None }
}

/// The same by a build that left the currency to the settings of the table.
pub(crate) fn unnamed(n: u64) -> TicketMove {
    let expires = Timestamp(NOW.0 + 60_000);
    TicketMove::Issued {
        ticket: ticket(n),
        amount: money(100 * n),
        currency: None,
        at: NOW,
        expires,
        tag: None,
    }
}

/// A table is opened with this currency.
pub(crate) fn opened(table: &str, currency: &str) -> Event {
    let settings =
        format!(r#"{{"table":"{table}","game":"g","layout":"A","decks":8,"currency":"{currency}"}}"#);
    let settings = serde_json::from_str(&settings).expect("settings");
    Event::TableOpened {
        settings,
        rulebook: "".into(),
        digest: Digest([0; 32]),
        second: None,
        approval: None,
    }
}

pub(crate) fn redeemed(n: u64) -> TicketMove {
    TicketMove::Redeemed { ticket: ticket(n), at: NOW }
}

pub(crate) fn order(device: &str, n: u64) -> OrderId {
    OrderId { device: device.parse().expect("a name"), n }
}

pub(crate) fn cashier() -> Actor {
    Actor::Cashier { person: "c-1".into() }
}

pub(crate) fn paid(n: u64) -> Deed {
    paid_with(n, None, None)
}

pub(crate) fn paid_with(n: u64, second: Option<&str>, reason: Option<&str>) -> Deed {
    let second = second.map(|it| it.parse().expect("a name"));
    let (ticket, amount, reason) = (ticket(n), money(100 * n), reason.map(Into::into));
    Deed::TicketPaid { ticket, amount, currency: sgd(), second, reason }
}

pub(crate) fn voided(n: u64) -> Deed {
    Deed::TicketVoided {
        ticket: ticket(n),
        amount: money(100 * n),
        currency: sgd(),
        second: "m-2".into(),
        reason: "torn".into(),
    }
}

/// All entries as they are in the tree: leaf, volume, number.
pub(crate) fn entries(vault: &mut Vault) -> Vec<(u64, Volume, Seq)> {
    let mut all = Vec::new();
    vault
        .reader()
        .entries(0, &mut |stored| {
            all.push((stored.leaf, stored.volume.clone(), stored.seq));
            std::ops::ControlFlow::Continue(())
        })
        .expect("entries");
    all
}
