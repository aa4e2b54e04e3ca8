//! Golden JSON: one line for every kind of order, event and refusal. What was written once is read for ever, and
//! written again byte by byte.
//!
//! `PUNTO_UPDATE=1` writes the lines anew as this release would; read the difference before you keep it.

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::path::{Path, PathBuf};

use punto_record::{
    Actor, Chain, Command, CommandKind, DeedKind, Digest, Entry, Event, EventKind, HouseEntry, Order,
    OrderId, ReasonKind, Rejection, Release, Ruling, Seen, Seq, TicketMove, Timestamp, commitment, digest,
};
use punto_rules::{Card, IrregularityKind, Post};
use serde::Serialize;
use serde::de::DeserializeOwned;

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

/// Reads every line and writes it again; both are the same.
fn golden<T: Serialize + DeserializeOwned + PartialEq + Debug>(name: &str) -> Vec<T> {
    let text = std::fs::read_to_string(path(name)).expect("golden lines");
    let read = |line: &str| -> T {
        serde_json::from_str(line).unwrap_or_else(|error| panic!("{name}: {error}: {line}"))
    };
    let all: Vec<T> = text.lines().map(read).collect();
    let written: Vec<String> = all.iter().map(|it| serde_json::to_string(it).expect("JSON")).collect();
    if std::env::var_os("PUNTO_UPDATE").is_some() {
        std::fs::write(path(name), written.join("\n") + "\n").expect("golden lines can be written");
        return all;
    }
    for (line, written) in text.lines().zip(&written) {
        assert_eq!(line, written, "{name}");
    }
    all
}

fn all_there<K: Copy + PartialEq + Debug>(all: &[K], seen: impl Iterator<Item = K>) {
    let seen: Vec<K> = seen.collect();
    let missing: Vec<&K> = all.iter().filter(|kind| !seen.contains(kind)).collect();
    assert!(missing.is_empty(), "without a golden line: {missing:?}");
}

#[test]
fn every_order_is_read_and_written_as_ever() {
    let orders: Vec<Order> = golden("orders.ndjson");
    all_there(CommandKind::ALL, orders.iter().map(|order| order.command.kind()));
    let reported = orders.iter().filter_map(|order| {
        if let Command::Report { report } = &order.command { Some(report.kind()) } else { None }
    });
    // What the table finds by itself, and a terminal that is lost, are not reported.
    let by_itself = [
        IrregularityKind::OverDifferential,
        IrregularityKind::UnderMinimum,
        IrregularityKind::TerminalInterruption,
    ];
    let reports: Vec<IrregularityKind> =
        IrregularityKind::ALL.iter().copied().filter(|kind| !by_itself.contains(kind)).collect();
    all_there(&reports, reported);
    let rulings: BTreeSet<&str> =
        orders
            .iter()
            .filter_map(|order| {
                if let Command::Rule { ruling, .. } = &order.command { Some(ruling.id()) } else { None }
            })
            .collect();
    let all = [
        Ruling::Void {},
        Ruling::Misread { card: None },
        Ruling::Reconstruct {},
        Ruling::AsTheyLie { order: vec![] },
        Ruling::InOrder { order: vec![] },
        Ruling::Continue {},
        Ruling::Stand {},
        Ruling::Correct { cards: vec![] },
        Ruling::Adjust { adjustments: vec![], round: None, cards: vec![] },
    ];
    assert_eq!(rulings, all.iter().map(Ruling::id).collect());
}

/// Whoever agrees to an order is filled in wherever the order names a second person.
#[test]
fn whoever_agrees_is_filled_in() {
    for Order { command, .. } in golden("orders.ndjson") {
        let mut agreed = command.clone();
        agreed.agreed_to_in(&"s-9".into(), Post::DutyManager);
        let names_one = command.second().is_some();
        assert!(!names_one || agreed.second() == Some(&"s-9".into()), "{}", command.kind().id());
    }
}

#[test]
fn every_event_is_read_and_written_as_ever() {
    let events: Vec<Event> = golden("events.ndjson");
    all_there(EventKind::ALL, events.iter().map(Event::kind));
}

#[test]
fn every_deed_is_read_and_written_as_ever() {
    let deeds: Vec<HouseEntry> = golden("deeds.ndjson");
    all_there(DeedKind::ALL, deeds.iter().map(|entry| entry.deed.kind()));
    for HouseEntry { deed, at, .. } in &deeds {
        let kind = deed.kind();
        assert_eq!(kind.facts().uses_a_ticket, TicketMove::of_deed(deed, *at).is_some(), "{}", kind.id());
    }
}

#[test]
fn every_refusal_is_read_and_written_as_ever() {
    let rejections: Vec<Rejection> = golden("rejections.ndjson");
    all_there(ReasonKind::ALL, rejections.iter().map(|rejection| rejection.reason.kind()));
    for rejection in &rejections {
        let text = serde_json::to_value(rejection).expect("JSON");
        assert_eq!(text["reason"], rejection.reason.kind().id());
        assert!(!rejection.to_string().is_empty());
    }
}

/// A field that nobody knows is refused: it may be an order that a later release would understand otherwise.
#[test]
fn unknown_fields_and_kinds_are_refused() {
    let order = |command: &str| {
        format!(
            r#"{{"id":{{"device":"console","n":1}},"by":{{"as":"house"}},"at":1,"command":{{{command}}}}}"#
        )
    };
    assert!(serde_json::from_str::<Order>(&order(r#""do":"open-bets""#)).is_ok());
    assert!(serde_json::from_str::<Order>(&order(r#""do":"open-bets","fast":true"#)).is_err());
    assert!(serde_json::from_str::<Order>(&order(r#""do":"open-sesame""#)).is_err());
    assert!(serde_json::from_str::<Event>(r#"{"event":"table-closed","at":1}"#).is_err());
}

fn entries(count: u64) -> Vec<Entry> {
    let entry = |n| Entry {
        seq: Seq(n),
        order: Order {
            id: OrderId { device: "console".into(), n },
            by: Actor::House,
            at: Timestamp(1_767_225_600_000 + n),
            round: None,
            command: Command::NoteClock { from: Timestamp(n), to: Timestamp(n + 1) },
        },
        events: vec![Event::ClockJumped { from: Timestamp(n), to: Timestamp(n + 1) }],
        release: Release("0.1.0".into()),
        mandates: None,
    };
    (1..=count).map(entry).collect()
}

#[test]
fn whoever_touches_the_record_changes_the_chain() {
    let mut chain = Chain::START;
    let sealed: Vec<_> = entries(9).iter().map(|entry| chain.seal(entry)).collect();
    assert_eq!((chain.seq, chain.link), (Seq(9), sealed[8].chain));
    let link = |bytes: &[Vec<u8>]| bytes.iter().fold(Chain::START, |chain, it| chain.after(it)).link;
    let whole: Vec<Vec<u8>> = sealed.iter().map(|it| it.bytes.clone()).collect();
    assert_eq!(link(&whole), chain.link);
    let mut links = BTreeSet::from([chain.link]);
    for i in 0..whole.len() {
        assert!(links.insert(link(&whole[..i])), "cut off after {i}");
        if i + 1 < whole.len() {
            let dropped = [&whole[..i], &whole[i + 1..]].concat();
            assert!(links.insert(link(&dropped)), "without {i}");
            let mut swapped = whole.clone();
            swapped.swap(i, i + 1);
            assert!(links.insert(link(&swapped)), "{i} and its neighbour swapped");
        }
        let twice = [&whole[..=i], &whole[i..]].concat();
        assert!(links.insert(link(&twice)), "{i} twice");
        for at in 0..whole[i].len() {
            let mut changed = whole.clone();
            changed[i][at] ^= 1;
            assert!(links.insert(link(&changed)), "another byte {at} in {i}");
        }
    }
}

#[test]
#[should_panic(expected = "one after another")]
fn entries_are_sealed_in_their_order() {
    let mut chain = Chain::START;
    chain.seal(&entries(2)[1]);
}

#[test]
fn a_digest_is_64_hexadecimal_digits() {
    let read = |text: &str| serde_json::from_str::<Digest>(&format!("\"{text}\""));
    let it = digest(b"abc");
    let text = it.to_string();
    assert_eq!(text, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_eq!(read(&text).expect("a digest"), it);
    assert_eq!(read(&text.to_uppercase()).expect("capitals are digits too"), it);
    for wrong in ["", &text[1..], &format!("{text}0"), &text.replace('b', "g"), &format!("{}é", &text[2..])]
    {
        let error = read(wrong).expect_err(wrong).to_string();
        assert!(error.starts_with("a digest has 64 hexadecimal digits"), "{wrong}: {error}");
    }
}

#[test]
fn a_commitment_binds_salt_and_order() {
    let cards: Vec<Card> = Card::all().collect();
    let mut other = cards.clone();
    other.swap(0, 51);
    let it = commitment(b"salt", &cards);
    assert_ne!(it, commitment(b"salu", &cards));
    assert_ne!(it, commitment(b"salt", &other));
    assert_ne!(it, commitment(b"salt", &cards[1..]));
}

#[test]
fn what_is_seen_is_a_word() {
    let read = |text: &str| serde_json::from_str::<Seen>(&format!("\"{text}\""));
    for card in Card::all() {
        assert_eq!(read(&card.to_string()).expect("a card"), Seen::Card(card));
    }
    assert_eq!(read("unreadable").expect("a word"), Seen::Unreadable);
    assert_eq!(read("covered").expect("a word"), Seen::Covered);
    assert_eq!(read("foreign:joker").expect("a word"), Seen::Foreign("joker".into()));
    assert_eq!(read("foreign:").expect("a word"), Seen::Foreign("".into()));
    for seen in [Seen::Unreadable, Seen::Covered, Seen::Foreign("a tram ticket".into())] {
        assert_eq!(read(&seen.to_string()).expect("a word"), seen);
        assert_eq!(seen.card(), None);
    }
    for wrong in ["", "A", "1s", "Asd", "Unreadable", "foreign", "joker"] {
        assert!(read(wrong).is_err(), "{wrong}");
    }
}
