//! A true record has no findings: every scenario of the documents, and random streams of orders.

#[allow(dead_code)]
#[path = "../../punto-table/tests/streams/dice.rs"]
mod dice;
#[allow(dead_code)]
#[path = "../../punto-table/tests/streams/fill.rs"]
mod fill;
#[allow(dead_code)]
#[path = "../../punto-table/tests/streams/floor.rs"]
mod floor;
#[allow(dead_code)]
#[path = "../../punto-table/tests/streams/sender.rs"]
mod sender;

use std::sync::Arc;

use crate::ledger::{EARLY, Ledger, key, ledger_in, scenarios, told};
use crate::scale::{says, scale};
use punto_audit::FindingKind;
use punto_record::{Actor, Deed, Entry, Event, LedgerKind, Moment, Release, Timestamp};
use punto_table::Table;
use sender::Sender;

/// What is said in a house about people who act by no deed and did not sign.
const BY_DEEDS: [FindingKind; 2] = [FindingKind::NoMandate, FindingKind::NotSigned];

#[test]
fn every_scenario_is_clean() {
    let mut wrong = Vec::new();
    for scenario in scenarios() {
        let mut audit = ledger_in(&scenario.house, &scenario.entries).audit();
        // In a house people act by deeds and sign, and a script has neither.
        if !scenario.house.is_empty() {
            audit.findings.retain(|finding| !BY_DEEDS.contains(&finding.kind));
        }
        if !audit.is_clean() {
            wrong.push(format!("{}\n{}", scenario.name, told(&audit)));
        }
    }
    assert!(wrong.is_empty(), "{} scenarios\n{}", wrong.len(), wrong.join("\n"));
}

/// Whatever is ordered at a table, its record is clean. Streams make up tickets and
/// the cards that software shows as burnt, so what is said about those is left out.
#[test]
fn every_stream_is_clean() {
    let streams = scale(80, 2000);
    let books: Arc<[(String, Arc<str>)]> = floor::games().into();
    let mut wrong = Vec::new();
    let (mut entries, mut dropped) = (0, 0);
    for stream in 0..streams {
        let (_, game) = &books[stream as usize % books.len()];
        let mut sender = Sender::new(0xa0d1_7000 + u64::from(stream), books.clone(), game.clone());
        let mut table = Table::default();
        let in_a_house = stream % 16 >= 12;
        let kind = if in_a_house { LedgerKind::House } else { LedgerKind::Demo };
        let mut ledger = Ledger::founded(kind, &key(1));
        if in_a_house {
            let by = Actor::Administrator { person: "a".into() };
            for (name, text) in books.iter() {
                let software = text == game;
                ledger.deed(by.clone(), floor::approved(name, text, Timestamp(EARLY), software));
            }
            sender.approvals = Some(ledger.approvals());
        }
        let mut withdrawn = stream % 32 < 28;
        for _ in 0..400 {
            // A house withdraws its approval once closing was announced: the last Round is not played.
            if !withdrawn && table.state().last_to_play().is_some() {
                withdrawn = true;
                let (at, digest) = (table.state().now, punto_record::digest(game.as_bytes()));
                let (second, reason) = ("b".into(), "the authority says so".into());
                let deed = Deed::RulesWithdrawn { digest, at: Moment::utc(at), second, reason };
                ledger.deed_at(Actor::Administrator { person: "a".into() }, at.0, deed);
                sender.approvals = Some(ledger.approvals());
            }
            let (mut order, given) = sender.next(&table);
            order.at = order.at.max(table.state().now);
            let Ok(events) = table.decide(&order, &given) else { continue };
            dropped += usize::from(matches!(events[..], [Event::LastRoundDropped { .. }, ..]));
            let seq = table.state().seq.next();
            let entry = Entry { seq, order, events, release: Release("test".into()), mandates: None };
            table.enter(&entry);
            ledger.plain_entry(&"table-1".into(), &entry);
            entries += 1;
        }
        let mut audit = ledger.audit_entries();
        let made_up = [FindingKind::TicketNotGood, FindingKind::WrongTicket, FindingKind::WrongOrder];
        audit.findings.retain(|finding| !made_up.contains(&finding.kind));
        if in_a_house {
            audit.findings.retain(|finding| !BY_DEEDS.contains(&finding.kind));
        }
        if !audit.is_clean() {
            audit.findings.truncate(6);
            wrong.push(format!("stream {stream}\n{}", told(&audit)));
        }
    }
    says("audited streams", streams);
    eprintln!("{entries} entries, {dropped} last Rounds dropped");
    let count = wrong.len();
    wrong.truncate(12);
    assert!(wrong.is_empty(), "{count} streams\n{}", wrong.join("\n"));
}
