//! What the streams reached.

use std::collections::BTreeMap;

use punto_record::{CommandKind, Event, EventKind, Order, ReasonKind, Rejection};

#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) orders: u64,
    pub(crate) carried_out: BTreeMap<CommandKind, u64>,
    pub(crate) events: BTreeMap<EventKind, u64>,
    pub(crate) reasons: BTreeMap<ReasonKind, u64>,
}

impl Tally {
    pub(crate) fn order(&mut self, order: &Order, decided: &Result<Vec<Event>, Rejection>) {
        self.orders += 1;
        match decided {
            Ok(events) => {
                *self.carried_out.entry(order.command.kind()).or_default() += 1;
                for event in events {
                    *self.events.entry(event.kind()).or_default() += 1;
                }
            }
            Err(rejection) => *self.reasons.entry(rejection.reason.kind()).or_default() += 1,
        }
    }

    pub(crate) fn never(&self) -> (Vec<CommandKind>, Vec<EventKind>, Vec<ReasonKind>) {
        fn missing<K: Ord + Copy>(all: &[K], seen: &BTreeMap<K, u64>) -> Vec<K> {
            all.iter().copied().filter(|kind| !seen.contains_key(kind)).collect()
        }
        (
            missing(CommandKind::ALL, &self.carried_out),
            missing(EventKind::ALL, &self.events),
            missing(ReasonKind::ALL, &self.reasons),
        )
    }
}
