//! Streams of orders at a table of an earlier release, written down: STREAMS many, one file each, into the folder INTO.
//! What was refused leaves no trace in a record; of orders that later interpretations allow, `refused.ndjson` keeps the first
//! in each game.
//! `scripts/previous-release` puts this file into a checkout of that release.

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

use std::collections::BTreeMap;

use punto_record::{CardDevice, Command, Entry, MoneyKind, Order, ReasonKind, Rejection, Release, Report};
use punto_table::Table;
use sender::Sender;

#[test]
fn write_streams() {
    let into = std::path::PathBuf::from(std::env::var("INTO").expect("INTO"));
    let streams: u32 = std::env::var("STREAMS").expect("STREAMS").parse().expect("a number");
    let books: Arc<[(String, Arc<str>)]> = floor::games().into();
    let mut refused: BTreeMap<(u8, String), String> = BTreeMap::new();
    for stream in 0..streams {
        let (name, game) = &books[stream as usize % books.len()];
        let mut sender = Sender::new(0x0100_0000 + u64::from(stream), books.clone(), game.clone());
        let mut table = Table::default();
        let mut lines = String::new();
        for _ in 0..400 {
            let (mut order, given) = sender.next(&table);
            order.at = order.at.max(table.state().now);
            let events = match table.decide(&order, &given) {
                Ok(events) => events,
                Err(rejection) => {
                    if let Some(no) = allowed_by(&table, &order, &rejection) {
                        let line = serde_json::json!({
                            "interpretation": no, "game": table.law().expect("open").rulebook.game,
                            "order": order, "refused": rejection,
                        });
                        let game = table.law().expect("open").rulebook.game.clone();
                        refused.entry((no, game)).or_insert_with(|| line.to_string());
                    }
                    continue;
                }
            };
            let entry = Entry { seq: table.state().seq.next(), order, events, release: Release("0.1.0".into()) };
            table.enter(&entry);
            lines += &serde_json::to_string(&entry).expect("written");
            lines.push('\n');
        }
        std::fs::write(into.join(format!("{stream:05}-{name}.ndjson")), lines).expect("a file");
    }
    let refused: Vec<String> = refused.into_values().collect();
    std::fs::write(into.join("refused.ndjson"), refused.join("\n") + "\n").expect("a file");
}

/// The interpretation by which the order would have to be taken.
fn allowed_by(table: &Table, order: &Order, rejection: &Rejection) -> Option<u8> {
    let law = table.law()?;
    let why = rejection.reason.kind();
    let electronic = law.settings.boxes.is_none();
    match &order.command {
        // A continuous shuffler that was seen to hold too few cards.
        Command::Report { report: Report::ShoeExhausted {} }
            if law.settings.device == CardDevice::ContinuousShuffler && why == ReasonKind::CardsLeft =>
        {
            Some(38)
        }
        // Credits bought at the terminal.
        Command::BuyCredits { .. } if order.by.patron().is_some() && electronic => Some(41),
        // Credits that nobody plays with any more.
        Command::KeepUnclaimed { patron, .. }
            if law.settings.money == MoneyKind::Credits
                && electronic
                && table.state().round().is_none()
                && table.state().matters.is_empty()
                && table.state().account(*patron).is_some_and(|it| !it.credits.is_zero() && !it.lost) =>
        {
            Some(45)
        }
        // Chips recorded wrongly, found after the first card.
        Command::AmendWager { .. } if why == ReasonKind::CardsOut => Some(51),
        _ => None,
    }
}
