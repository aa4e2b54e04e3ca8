//! An order being decided: the events so far, and the table as it would be after them.
//!
//! Most orders need a few events that depend on one another: a card completes the Round, the Round is settled. Each step
//! looks at the state after the one before, so nothing is foreseen twice. The table itself is not touched.

use punto_record::{Event, Order, Person, Timestamp};
use punto_rules::{BetNo, Cite, Post};

use crate::law::Law;
use crate::round::Round;
use crate::state::State;

pub(crate) struct Draft<'a> {
    pub(crate) state: State,
    pub(crate) law: &'a Law,
    pub(crate) at: Timestamp,
    pub(crate) by: &'a punto_record::Actor,
    /// The post in which the second person of the order agrees.
    pub(crate) second_post: Option<Post>,
    events: Vec<Event>,
}

impl<'a> Draft<'a> {
    pub(crate) fn new(state: &State, law: &'a Law, order: &'a Order) -> Draft<'a> {
        // Recorded time never runs backwards.
        let at = order.at.max(state.now);
        let second_post = order.command.second_post();
        Draft { state: state.clone(), law, at, by: &order.by, second_post, events: Vec::new() }
    }

    pub(crate) fn push(&mut self, event: Event) {
        self.state.apply(&event);
        self.events.push(event);
    }

    pub(crate) fn finish(self) -> Vec<Event> {
        self.events
    }

    pub(crate) fn round(&self) -> &Round {
        self.state.round().expect("a Round in play")
    }

    pub(crate) fn person(&self) -> Option<&Person> {
        self.by.person()
    }

    /// The bets placed in this Round.
    pub(crate) fn placed(&self) -> impl Iterator<Item = BetNo> + '_ {
        let wagers = self.state.round().into_iter().flat_map(|round| round.wagers.iter());
        wagers.map(|(key, _)| {
            self.law.terms.bet_no(key.bet.as_str()).expect("only bets of the layout are placed")
        })
    }

    /// The paragraph for matters that the rules do not cover, which every rule book has.
    pub(crate) fn uncovered(&self) -> Cite {
        self.law.uncovered()
    }
}
