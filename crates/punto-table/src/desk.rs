//! Running a table without doing I/O: orders in, a batch to be made durable, a receipt, then replies and frames.
//!
//! Whoever runs a desk (a server's task, a simulation) hands orders in, takes the batch to the ledger and comes back
//! with the receipt. Nothing is said before it is durable: a reply waits for its own entry and for every entry that it
//! was decided upon.

use std::collections::{BTreeMap, VecDeque};

use punto_record::planted::{Bug, is};
use punto_record::{
    Actor, Batch, Chain, Command, DeviceId, Entry, Event, Order, OrderId, Reason, Rejection, Release, Sealed,
    Seq, TicketMove, Timestamp,
};

use crate::anchors::PostAnchors;
use crate::audience::{Feed, on_feeds, to_orderer};
use crate::round::Stage;
use crate::table::{Given, Table};

/// The device of the table's own clock.
pub const CLOCK: &str = "table-clock";

/// A table at work.
#[derive(Debug)]
pub struct Desk {
    table: Table,
    chain: Chain,
    release: Release,
    durable: Seq,
    /// Entries that were decided and not yet taken to the ledger.
    batch: Vec<Sealed>,
    /// The same, as they were before they became bytes.
    entries: Vec<Entry>,
    /// What they do to tickets.
    tickets: Vec<TicketMove>,
    waiting: VecDeque<Waiting>,
    /// The last refusal of each device, to answer a retry alike. A refusal changes nothing and is not in the record.
    refused: BTreeMap<DeviceId, (Order, Rejection)>,
    /// Where those who hold a post here took it.
    posts: PostAnchors,
    stopped: bool,
}

/// Something to be said once the record is durable up to `after`.
#[derive(Debug)]
struct Waiting {
    after: Seq,
    reply: Reply,
    frames: Vec<(Feed, Event)>,
}

/// The answer to an order.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Reply {
    pub to: OrderId,
    pub answer: Answer,
}

/// What became of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It was carried out.
    Done {
        /// The entry.
        seq: Seq,
        /// What happened, as far as whoever gave the order may see it.
        events: Vec<Event>,
    },
    /// It had been carried out before, by this entry of the record.
    Before {
        /// The entry.
        seq: Seq,
    },
    /// It was refused.
    Refused(Rejection),
    /// The desk had stopped: whether it was carried out is known when the record has been read again.
    Unknown,
}

/// What one feed sees of one commit.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Frame {
    pub feed: Feed,
    /// The last entry of the commit.
    pub seq: Seq,
    pub events: Vec<Event>,
}

/// Replies and frames that may go out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Outbox {
    pub replies: Vec<Reply>,
    pub frames: Vec<Frame>,
}

impl Desk {
    /// A desk for a table without a record.
    pub fn new(release: Release) -> Desk {
        Desk::resume(Table::default(), Chain::START, release)
    }

    /// A desk that goes on where a record ends.
    pub fn resume(table: Table, chain: Chain, release: Release) -> Desk {
        assert_eq!(table.state().seq, chain.seq, "the chain ends where the table does");
        Desk {
            durable: chain.seq,
            table,
            chain,
            release,
            batch: Vec::new(),
            entries: Vec::new(),
            tickets: Vec::new(),
            waiting: VecDeque::new(),
            refused: BTreeMap::new(),
            posts: PostAnchors::default(),
            stopped: false,
        }
    }

    /// The same, with where those who hold a post in the record took it.
    #[must_use]
    pub fn with_posts(mut self, posts: PostAnchors) -> Desk {
        self.posts = posts;
        self
    }

    /// The table as it will be when everything handed in is durable.
    pub const fn table(&self) -> &Table {
        &self.table
    }

    /// The last number of a device that was carried out or refused; the next order goes above it.
    pub fn last_of(&self, device: &DeviceId) -> u64 {
        let done = self.table.state().devices.get(device).map_or(0, |last| last.n);
        done.max(self.refused.get(device).map_or(0, |(order, _)| order.id.n))
    }

    /// Takes an order. What is due by the clock at that moment goes ahead of it.
    pub fn hand_in(&mut self, order: Order, given: &Given) {
        self.tick(order.at);
        // The clock speaks for itself.
        if order.id.device.as_str() == CLOCK {
            let reply = Reply { to: order.id, answer: Answer::Refused(Reason::OrderIdReused {}.into()) };
            self.waiting.push_back(Waiting { after: self.table.state().seq, reply, frames: Vec::new() });
            return;
        }
        self.take(order, given);
    }

    /// Does what is due by the clock: an electronic table closes bets, and the time for choices ends.
    // INTERPRETATION 18: at the deadline the close goes ahead of orders not yet looked at.
    pub fn tick(&mut self, now: Timestamp) {
        let now = now.max(self.table.state().now);
        let Some(round) = self.table.state().round() else { return };
        let electronic = self.table.law().is_some_and(|law| law.is_electronic());
        let ends = self.table.law().is_some_and(|law| law.clock_ends_choices());
        let due = match &round.stage {
            Stage::Betting { closes_at } if electronic && now >= *closes_at => Some(Command::CloseBets {}),
            Stage::Choosing { until, .. } if now >= *until && ends => Some(Command::CloseChoices {}),
            Stage::Betting { .. }
            | Stage::Dealing {}
            | Stage::Unread {}
            | Stage::Held { .. }
            | Stage::Choosing { .. }
            | Stage::Confirming { .. }
            | Stage::Interrupted { .. } => None,
        };
        if let Some(command) = due {
            let device: DeviceId = CLOCK.into();
            let n = self.table.state().devices.get(&device).map_or(1, |last| last.n + 1);
            self.refused.remove(&device);
            let order = Order {
                id: OrderId { device, n },
                by: Actor::House,
                at: now,
                round: Some(round.no),
                command,
            };
            self.take(order, &Given::default());
        }
    }

    fn take(&mut self, mut order: Order, given: &Given) {
        if self.stopped {
            let reply = Reply { to: order.id, answer: Answer::Unknown };
            self.waiting.push_back(Waiting { after: Seq(0), reply, frames: Vec::new() });
            return;
        }
        // Recorded time never runs backwards. Planted: it does.
        if !is(Bug::TimeRunsBack) {
            order.at = order.at.max(self.table.state().now);
        }
        let to = order.id.clone();
        let (answer, frames) = match self.decide(order, given) {
            Ok(entry) => self.carry_out(entry),
            Err(answer) => (answer, Vec::new()),
        };
        let after = self.table.state().seq;
        self.waiting.push_back(Waiting { after, reply: Reply { to, answer }, frames });
    }

    fn decide(&mut self, order: Order, given: &Given) -> Result<Entry, Answer> {
        // Planted: a retry is a new order.
        if let Some(seq) = self.table.answered(&order).filter(|_| !is(Bug::RetryActsTwice)) {
            return Err(Answer::Before { seq });
        }
        if let Some((first, rejection)) = self.refused.get(&order.id.device)
            && order.id.n <= first.id.n
        {
            let same = (&first.by, first.round, &first.command) == (&order.by, order.round, &order.command);
            let rejection = match order.id.n == first.id.n {
                true if same => rejection.clone(),
                true => Reason::OrderIdReused {}.into(),
                false => Reason::Superseded { last: first.id.n }.into(),
            };
            return Err(Answer::Refused(rejection));
        }
        match self.table.decide(&order, given) {
            Ok(events) => {
                let seq = self.table.state().seq.next();
                let mandates = given.mandates.map(|known| Box::new(self.posts.complete(known, &order)));
                Ok(Entry { seq, order, events, release: self.release.clone(), mandates })
            }
            Err(rejection) => {
                // A stray retry is refused for its id, which says nothing about the order.
                if !matches!(rejection.reason, Reason::OrderIdReused {} | Reason::Superseded { .. }) {
                    self.refused.insert(order.id.device.clone(), (order, rejection.clone()));
                }
                Err(Answer::Refused(rejection))
            }
        }
    }

    fn carry_out(&mut self, entry: Entry) -> (Answer, Vec<(Feed, Event)>) {
        let has_covered = |table: &Table| table.state().round().is_some_and(|round| round.has_covered());
        // Before or after: a void takes the cards away, and they were still nobody's to see.
        let covered = has_covered(&self.table);
        self.table.enter(&entry);
        self.batch.push(self.chain.seal(&entry));
        self.posts.enter(&entry, self.chain.into());
        let at = entry.order.at;
        self.tickets.extend(entry.events.iter().filter_map(|event| TicketMove::of(event, at)));
        let covered = covered || has_covered(&self.table);
        let mut frames: Vec<(Feed, Event)> =
            entry.events.iter().flat_map(|event| on_feeds(event, covered)).collect();
        // The result was kept back while cards lay face down; when the last is turned everybody may know it.
        let lies_open = covered && !has_covered(&self.table);
        if let (true, Some(Stage::Confirming { result })) =
            (lies_open, self.table.state().round().map(|round| &round.stage))
        {
            frames.push((Feed::Public, Event::RoundCompleted { result: result.clone() }));
        }
        let events =
            entry.events.iter().filter_map(|event| to_orderer(event, covered, &entry.order.by)).collect();
        let answer = Answer::Done { seq: entry.seq, events };
        self.entries.push(entry);
        (answer, frames)
    }

    /// What the next batch says, for whoever looks it over before it is made durable.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// What there will be to see, and on which feeds, once everything is durable: for whoever puts it into words meanwhile.
    /// It is not to be said before the receipt.
    pub fn unsaid(&self) -> impl Iterator<Item = (Feed, &Event)> {
        self.waiting.iter().flat_map(|it| it.frames.iter().map(|(feed, event)| (*feed, event)))
    }

    /// What is to be made durable now, if anything.
    pub fn batch(&mut self) -> Option<Batch> {
        let entries = std::mem::take(&mut self.batch);
        self.entries.clear();
        let first = entries.first()?;
        let expect = Seq(first.seq.0 - 1);
        Some(Batch { expect, entries, tickets: std::mem::take(&mut self.tickets) })
    }

    /// The ledger has everything up to here: what waited for it may be said.
    ///
    /// # Panics
    /// If the ledger claims more than was handed to it.
    pub fn receipt(&mut self, up_to: Seq) -> Outbox {
        let handed_over = self.batch.first().map_or(self.chain.seq, |first| Seq(first.seq.0 - 1));
        assert!(up_to <= handed_over, "a receipt for what was never handed over");
        self.durable = self.durable.max(up_to);
        self.outbox()
    }

    /// What may be said now: answers that wait for nothing, such as refusals with no entry before them.
    pub fn outbox(&mut self) -> Outbox {
        let mut outbox = Outbox::default();
        let mut frames: BTreeMap<Feed, Vec<Event>> = BTreeMap::new();
        while let Some(next) = self.waiting.front()
            // Planted: nobody waits for the ledger.
            && (next.after <= self.durable || is(Bug::AcknowledgedBeforeCommit))
        {
            let next = self.waiting.pop_front().expect("just looked at");
            for (feed, event) in next.frames {
                frames.entry(feed).or_default().push(event);
            }
            outbox.replies.push(next.reply);
        }
        let seq = self.durable;
        outbox.frames = frames.into_iter().map(|(feed, events)| Frame { feed, seq, events }).collect();
        outbox
    }

    /// The ledger failed. Nothing more is decided here; what waited is answered with [`Answer::Unknown`], and a new desk
    /// must be made from the record.
    pub fn stop(&mut self) -> Outbox {
        self.stopped = true;
        self.batch.clear();
        self.entries.clear();
        self.tickets.clear();
        let replies =
            self.waiting.drain(..).map(|it| Reply { to: it.reply.to, answer: Answer::Unknown }).collect();
        Outbox { replies, frames: Vec::new() }
    }
}
