//! Where those who hold a post at a table took it: what an entry names beside the deed of their role.

use std::collections::BTreeMap;

use punto_record::{Anchor, Entry, Event, Mandate, Mandates, Order, Person};

use crate::state::State;

/// The entries by which people took the posts that they hold. It is made from the record and decides nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PostAnchors(BTreeMap<Person, Anchor>);

impl PostAnchors {
    /// Takes the next entry of the record, at its place.
    pub fn enter(&mut self, entry: &Entry, at: Anchor) {
        for event in &entry.events {
            if let Event::PostTaken { person, .. } = event {
                self.0.insert(person.clone(), at);
            } else if let Event::PostLeft { person, .. } = event {
                self.0.remove(person);
            }
        }
    }

    /// Whether everybody who holds a post is known: after a snapshot the entries before it were not read.
    pub fn covers(&self, state: &State) -> bool {
        state.posts.keys().all(|person| self.0.contains_key(person))
    }

    /// Adds the posts of whoever gives the order, and of the second person that it names.
    pub(crate) fn complete(&self, known: Mandates, order: &Order) -> Mandates {
        let with = |mandate: Mandate, person: Option<&Person>| Mandate {
            post: person.and_then(|person| self.0.get(person)).copied(),
            ..mandate
        };
        Mandates {
            by: with(known.by, order.by.person()),
            second: known.second.map(|second| with(second, order.command.second())),
        }
    }
}
