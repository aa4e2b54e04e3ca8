//! Streams of orders at every kind of table: mostly sensible, mixed with nonsense, retries and forgeries. Whatever is
//! ordered, what `streams/watch.rs` says holds after every event.

#[path = "../../punto-rules/tests/scale/mod.rs"]
mod scale;

#[path = "streams/dice.rs"]
mod dice;
#[path = "streams/fill.rs"]
mod fill;
#[path = "streams/floor.rs"]
mod floor;
#[path = "streams/pile.rs"]
mod pile;
#[path = "streams/sender.rs"]
mod sender;
#[path = "streams/tally.rs"]
mod tally;
#[path = "streams/watch.rs"]
mod watch;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use punto_record::ReasonKind;
use scale::{says, scale};
use sender::Sender;
use tally::Tally;
use watch::Watch;

/// Reasons that so few streams need not reach: two need a record that no order can write, the others are rare.
const UNREACHED: usize = 5;
/// Orders shown of a stream that failed.
const SHOWN: usize = 14;

#[test]
fn whatever_is_ordered_the_table_stays_sound() {
    let (streams, length) = (scale(240, 2000), 400);
    let books: Arc<[(String, Arc<str>)]> = floor::games().into();
    let mut tally = Tally::default();
    let mut failed: BTreeMap<String, (u64, String)> = BTreeMap::new();
    for stream in 0..streams {
        let (_, game) = &books[stream as usize % books.len()];
        let seed = 0x5eed_0000 + u64::from(stream);
        let mut sender = Sender::new(seed, books.clone(), game.clone());
        // Every fourth table is in a house, which has approved its own game and one more.
        if stream % 16 >= 12 {
            sender.approvals = Some(floor::approvals(&books, game));
        }
        let mut watch = Watch::default();
        let mut last = Vec::new();
        let run = catch_unwind(AssertUnwindSafe(|| {
            for _ in 0..length {
                let (order, given) = sender.next(&watch.table);
                last.push(format!("{}\n      {}", watch::phase(watch.table.state()), short(&order)));
                watch.give(&order, &given, &mut tally);
            }
            watch.replay();
        }));
        if let Err(panic) = run {
            let why = panic.downcast_ref::<String>().cloned();
            let why = why.or(panic.downcast_ref::<&str>().map(|it| (*it).to_owned())).unwrap_or_default();
            let shown = last[last.len().saturating_sub(SHOWN)..].join("\n    ");
            let kind: String = why.chars().take(60).collect();
            let first = failed.entry(kind).or_insert((0, format!("stream {stream}: {why}\n    {shown}")));
            first.0 += 1;
        }
    }
    says("streams", streams);
    let carried_out: u64 = tally.carried_out.values().sum();
    let (commands, events, reasons) = tally.never();
    let mut refused: Vec<_> = tally.reasons.iter().map(|(reason, times)| (*times, reason.id())).collect();
    refused.sort();
    eprintln!("refused most for: {:?}", refused.iter().rev().take(8).collect::<Vec<_>>());
    eprintln!("{} orders, {carried_out} carried out", tally.orders);
    eprintln!("never carried out: {commands:?}\nnever happened: {events:?}\nnever refused for: {reasons:?}");
    let failures: Vec<String> =
        failed.into_values().map(|(times, first)| format!("{times} times, first in {first}")).collect();
    assert!(failures.is_empty(), "{} kinds of failure\n{}", failures.len(), failures.join("\n\n"));
    assert!(carried_out * 5 > tally.orders * 2, "{carried_out} of {} orders are sensible", tally.orders);
    // A change of the code shifts every stream; few of them may miss what is rare, many may not.
    let rare = scale(2, 0) as usize;
    assert!(commands.len() <= rare, "never carried out: {commands:?}");
    assert!(events.len() <= rare, "never happened: {events:?}");
    let reached = ReasonKind::ALL.len() - reasons.len();
    assert!(reached + UNREACHED >= ReasonKind::ALL.len(), "never refused for: {reasons:?}");
}

fn short(order: &punto_record::Order) -> String {
    let text = serde_json::to_string(order).expect("JSON");
    if text.len() > 400 { text.chars().take(400).collect::<String>() + " …" } else { text }
}
