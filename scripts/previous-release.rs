//! Streams of orders at a table of an earlier release, written down: STREAMS many, one file each, into the folder INTO.
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

use punto_record::{Entry, Release};
use punto_table::Table;
use sender::Sender;

#[test]
fn write_streams() {
    let into = std::path::PathBuf::from(std::env::var("INTO").expect("INTO"));
    let streams: u32 = std::env::var("STREAMS").expect("STREAMS").parse().expect("a number");
    let books: Arc<[(String, Arc<str>)]> = floor::games().into();
    for stream in 0..streams {
        let (name, game) = &books[stream as usize % books.len()];
        let mut sender = Sender::new(0x0100_0000 + u64::from(stream), books.clone(), game.clone());
        let mut table = Table::default();
        let mut lines = String::new();
        for _ in 0..400 {
            let (mut order, given) = sender.next(&table);
            order.at = order.at.max(table.state().now);
            let Ok(events) = table.decide(&order, &given) else { continue };
            let entry = Entry { seq: table.state().seq.next(), order, events, release: Release("0.1.0".into()) };
            table.enter(&entry);
            lines += &serde_json::to_string(&entry).expect("written");
            lines.push('\n');
        }
        std::fs::write(into.join(format!("{stream:05}-{name}.ndjson")), lines).expect("a file");
    }
}
