//! Plays a script at a desk and looks at the table after each entry.
#![allow(dead_code, reason = "each test uses its part")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock};

use punto_record::{Entry, Event, Order, Release, TicketAnswer};
use punto_table::script::{Outcome, Played, Script, play};
use punto_table::{Answer, Desk, Feed, Frame, Given, Rules, Table};

use crate::scripts::{self, scenarios};

/// The approved rule books, found once.
pub(crate) fn approved(game: &str) -> Option<Arc<str>> {
    static TEXTS: LazyLock<BTreeMap<String, Option<Arc<str>>>> = LazyLock::new(|| {
        let games = scenarios().into_iter().map(|scenario| scenario.game).collect::<BTreeSet<_>>();
        games.into_iter().map(|game| (game.clone(), scripts::approved(&game))).collect()
    });
    TEXTS.get(game).cloned().flatten()
}

pub(crate) fn played(name: &str, text: &str) -> Played {
    let script = Script::parse(text).unwrap_or_else(|fault| panic!("{name}: {fault}"));
    play(&script, approved).unwrap_or_else(|fault| panic!("{name}: {fault}"))
}

/// The orders of a script, and what the store was asked for each.
pub(crate) fn orders(played: &Played) -> Vec<(Order, Given)> {
    let orders = played.steps.iter().flat_map(|step| step.orders.iter().map(move |it| (it, &step.rules)));
    let given = |outcome: &Outcome, rules: &Rules| {
        let new_ticket = Some("ticket".into());
        let mut given = Given { new_ticket, rules: rules.clone(), ..Given::default() };
        if let Outcome::Events(events) = outcome {
            for event in events {
                if let Event::TicketRedeemed { amount, .. } = event {
                    given.ticket =
                        Some(TicketAnswer::Reserved { amount: *amount, currency: Some("SGD".into()) });
                }
            }
        }
        given
    };
    orders.map(|((order, outcome), rules)| (order.clone(), given(outcome, rules))).collect()
}

/// One commit of one entry.
pub(crate) struct Commit<'a> {
    pub(crate) before: &'a Table,
    pub(crate) after: &'a Table,
    /// What happened.
    pub(crate) events: Vec<Event>,
    pub(crate) frames: Vec<Frame>,
    /// The answer to a patron's order, as if it were a frame of theirs.
    pub(crate) answer: Option<Frame>,
}

impl Commit<'_> {
    /// What public screens and terminals get.
    pub(crate) fn for_patrons(&self) -> impl Iterator<Item = &Frame> {
        let frames = self.frames.iter().chain(&self.answer);
        frames.filter(|frame| matches!(frame.feed, Feed::Public | Feed::Patron(_)))
    }
}

/// Hands the orders of a script to a desk; the clock goes ahead where it is due. `before` sees the table before each order,
/// `after` each entry.
pub(crate) fn walk(
    orders: &[(Order, Given)],
    mut before: impl FnMut(&Table, &Order),
    mut after: impl FnMut(Commit<'_>),
) {
    let mut desk = Desk::new(Release("test".into()));
    let mut was = desk.table().clone();
    let mut commit = |desk: &mut Desk| {
        let Some(batch) = desk.batch() else {
            desk.outbox();
            return;
        };
        assert_eq!(batch.entries.len(), 1, "one entry a commit");
        let entry: Entry = serde_json::from_slice(&batch.entries[0].bytes).expect("an entry");
        let outbox = desk.receipt(entry.seq);
        let frames = outbox.frames;
        let answer =
            outbox.replies.into_iter().find_map(|reply| match (reply.answer, entry.order.by.patron()) {
                (Answer::Done { seq, events }, Some(patron)) => {
                    Some(Frame { feed: Feed::Patron(patron), seq, events })
                }
                _ => None,
            });
        let staff = frames.iter().find(|frame| frame.feed == Feed::Staff);
        let events = staff.expect("staff sees every commit").events.clone();
        assert_eq!(events, entry.events, "staff sees everything");
        after(Commit { before: &was, after: desk.table(), events, frames, answer });
        was = desk.table().clone();
    };
    for (order, given) in orders {
        desk.tick(order.at);
        commit(&mut desk);
        before(desk.table(), order);
        desk.hand_in(order.clone(), given);
        commit(&mut desk);
    }
}

pub(crate) fn after_each(orders: &[(Order, Given)], after: impl FnMut(Commit<'_>)) {
    walk(orders, |_, _| {}, after);
}
