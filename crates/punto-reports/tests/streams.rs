//! Streams of orders, seeded, sensible and not: the books never disagree with the table.

#[path = "../../punto-rules/tests/scale/mod.rs"]
mod scale;

#[path = "../../punto-table/tests/streams/dice.rs"]
mod dice;
#[path = "../../punto-table/tests/streams/fill.rs"]
mod fill;
#[allow(dead_code)]
#[path = "../../punto-table/tests/streams/floor.rs"]
mod floor;
#[path = "../../punto-table/tests/streams/sender.rs"]
mod sender;
mod support;

use std::sync::Arc;

use punto_record::{Entry, Release};
use punto_table::Table;
use scale::{says, scale};
use sender::Sender;
use support::Beside;

#[test]
fn whatever_is_ordered_the_books_agree() {
    let (streams, length) = (scale(60, 2000), 400);
    let books: Arc<[(String, Arc<str>)]> = floor::games().into();
    let mut carried_out = 0;
    for stream in 0..streams {
        let (_, game) = &books[stream as usize % books.len()];
        let mut sender = Sender::new(0xb00c_0000 + u64::from(stream), books.clone(), game.clone());
        let mut table = Table::default();
        let mut beside = Beside::default();
        for _ in 0..length {
            let (order, given) = sender.next(&table);
            let Ok(events) = table.decide(&order, &given) else { continue };
            let entry = Entry {
                seq: table.state().seq.next(),
                order,
                events,
                release: Release("test".into()),
                mandates: None,
            };
            table.enter(&entry);
            beside.enter(&entry);
            carried_out += 1;
        }
    }
    says("books beside streams", streams);
    assert!(carried_out > streams * 100, "{carried_out} orders carried out");
}
