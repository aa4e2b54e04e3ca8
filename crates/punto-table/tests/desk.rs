//! The desk: nothing is said before it is durable, nothing is carried out twice, the clock goes ahead.

mod scripts;

use std::collections::{BTreeMap, BTreeSet};

use punto_record::Batch;
use punto_record::{
    Actor, Chain, Command, Digest, Entry, Event, Order, OrderId, Reason, ReasonKind, Release, RoundNo,
    Sealed, Seq, Timestamp,
};
use punto_rules::{PatronNo, Post};
use punto_table::script::{Outcome, Script, play};
use punto_table::{Answer, CLOCK, Desk, Feed, Given, Outbox, Stage, Table};
use scripts::{approved, scenarios};
use serde_json::{Value, json};

/// When the tables of these tests begin; scripts begin then too.
const START: u64 = 1_767_225_600_000;

const TERMINALS: &str = "table ncb-etg terminal
dealer: load-shoe card_set=blue-1 shuffled_by=shuffler-2
cashier: buy-credits patron=1 amount=10000
cashier: buy-credits patron=2 amount=10000
cashier: buy-credits patron=3 amount=10000
";
const LIVE: &str = "table wu-song A
dealer: load-shoe card_set=blue-1 shuffled_by=shuffler-2
cashier: buy-credits patron=1 amount=10000
cashier: buy-credits patron=2 amount=10000
";
const OPEN: &str = "dealer: open-bets\n";

/// A desk and the ledger behind it.
struct Floor {
    desk: Desk,
    ledger: Vec<Sealed>,
    chain: Chain,
    numbers: BTreeMap<String, u64>,
    now: u64,
}

impl Floor {
    /// A floor whose record begins with a script.
    fn after(script: &[&str]) -> Floor {
        let text = script.concat();
        let played = play(&Script::parse(&text).expect("a script"), approved).expect("played");
        for (_, outcome) in played.steps.iter().flat_map(|step| &step.orders) {
            assert!(matches!(outcome, Outcome::Events(_)), "{outcome:?}");
        }
        let mut chain = Chain::START;
        let ledger: Vec<Sealed> = played.entries.iter().map(|entry| chain.seal(entry)).collect();
        let now = played.table.state().now.0;
        let mut numbers = BTreeMap::new();
        for (device, last) in played.table.state().devices.iter() {
            numbers.insert(device.to_string(), last.n);
        }
        let desk = Desk::resume(played.table, chain, Release("test".into()));
        Floor { desk, ledger, chain, numbers, now }
    }

    /// The next order of a device, a tenth of a second later.
    fn order(&mut self, by: &Actor, command: Value) -> Order {
        self.now += 100;
        let device = device(by);
        let n = self.numbers.entry(device.clone()).or_default();
        *n += 1;
        let command: Command = serde_json::from_value(command).expect("a command");
        let round = self.desk.table().state().round().map(|round| round.no);
        let id = OrderId { device: device.parse().expect("a name"), n: *n };
        Order { id, by: by.clone(), at: Timestamp(self.now), round, command }
    }

    /// Hands in the next order of a device.
    fn give(&mut self, by: &Actor, command: Value) -> Order {
        let order = self.order(by, command);
        self.desk.hand_in(order.clone(), &Given::default());
        order
    }

    /// Hands the same order in once more.
    fn again(&mut self, order: &Order) {
        self.now += 100;
        self.desk.hand_in(Order { at: Timestamp(self.now), ..order.clone() }, &Given::default());
    }

    /// Takes what is to be made durable to the ledger, which checks it.
    fn store(&mut self) -> Option<Seq> {
        let batch = self.desk.batch()?;
        self.append(batch)
    }

    fn append(&mut self, batch: Batch) -> Option<Seq> {
        assert_eq!(batch.expect, self.last(), "a batch goes on where the ledger ends");
        for sealed in batch.entries {
            self.chain = self.chain.after(&sealed.bytes);
            assert_eq!((sealed.seq, sealed.chain), (self.chain.seq, self.chain.link), "a link of the chain");
            self.ledger.push(sealed);
        }
        Some(self.last())
    }

    fn last(&self) -> Seq {
        self.ledger.last().map_or(Seq(0), |sealed| sealed.seq)
    }

    /// Makes everything durable and says what may be said.
    fn commit(&mut self) -> Outbox {
        match self.store() {
            Some(up_to) => self.desk.receipt(up_to),
            None => self.desk.outbox(),
        }
    }

    fn entries(&self) -> Vec<Entry> {
        let entry = |sealed: &Sealed| serde_json::from_slice(&sealed.bytes).expect("an entry");
        self.ledger.iter().map(entry).collect()
    }

    /// Another desk from the ledger alone.
    fn restart(&mut self) {
        let mut table = Table::default();
        self.entries().iter().for_each(|entry| table.enter(entry));
        let chain = self.ledger.iter().fold(Chain::START, |chain, sealed| chain.after(&sealed.bytes));
        assert_eq!(chain, self.chain);
        self.desk = Desk::resume(table, chain, Release("another".into()));
    }
}

fn device(by: &Actor) -> String {
    match by {
        Actor::Patron { patron } => format!("terminal-{}", patron.0),
        Actor::Staff { .. } => "console".to_owned(),
        Actor::Cashier { .. } => "cage".to_owned(),
        Actor::Auditor { .. } | Actor::Administrator { .. } => "office".to_owned(),
        Actor::House => "house".to_owned(),
        Actor::Acceptor { acceptor, .. } => acceptor.to_string(),
    }
}

fn patron(no: u32) -> Actor {
    Actor::Patron { patron: PatronNo(no) }
}

fn dealer() -> Actor {
    Actor::Staff { person: "dealer".into(), post: Post::Dealer }
}

fn supervisor() -> Actor {
    Actor::Staff { person: "supervisor".into(), post: Post::PitSupervisor }
}

fn cashier() -> Actor {
    Actor::Cashier { person: "cashier".into() }
}

fn bet(patron: u32, bet: &str, stake: u64) -> Value {
    json!({ "do": "place-wager", "patron": patron, "bet": bet, "stake": stake })
}

fn seated(patron: u32, bet: &str, stake: u64) -> Value {
    json!({ "do": "place-wager", "patron": patron, "box": patron, "bet": bet, "stake": stake })
}

fn does(word: &str) -> Value {
    json!({ "do": word })
}

fn draw(card: &str) -> Value {
    json!({ "do": "draw-card", "card": card, "source": "read" })
}

fn ids(outbox: &Outbox) -> Vec<OrderId> {
    outbox.replies.iter().map(|reply| reply.to.clone()).collect()
}

fn refusal(answer: &Answer) -> ReasonKind {
    match answer {
        Answer::Refused(rejection) => rejection.reason.kind(),
        Answer::Done { .. } | Answer::Before { .. } | Answer::Unknown => panic!("not refused: {answer:?}"),
    }
}

fn seq(answer: &Answer) -> Seq {
    match answer {
        Answer::Done { seq, .. } => *seq,
        Answer::Before { .. } | Answer::Refused(_) | Answer::Unknown => panic!("not carried out: {answer:?}"),
    }
}

#[test]
fn nothing_is_said_before_the_receipt() {
    let mut floor = Floor::after(&[TERMINALS, OPEN]);
    let order = floor.give(&patron(1), bet(1, "banker", 100));
    assert_eq!(floor.desk.outbox(), Outbox::default(), "nothing before it is even handed over");
    let durable = Seq(floor.last().0);
    let up_to = floor.store().expect("an entry");
    assert_eq!(floor.desk.outbox(), Outbox::default(), "nor while the ledger writes");
    assert_eq!(floor.desk.receipt(durable), Outbox::default(), "nor at a receipt for what was before it");
    let said = floor.desk.receipt(up_to);
    let [reply] = said.replies.as_slice() else { panic!("one reply") };
    assert_eq!((&reply.to, seq(&reply.answer)), (&order.id, up_to));
    let feeds: Vec<Feed> = said.frames.iter().map(|frame| frame.feed).collect();
    assert_eq!(feeds, [Feed::Patron(PatronNo(1)), Feed::Floor, Feed::Staff]);
    assert_eq!(floor.desk.outbox(), Outbox::default(), "everything is said once");
}

#[test]
fn a_reply_says_what_the_record_says() {
    let mut floor = Floor::after(&[TERMINALS, OPEN]);
    floor.give(&patron(1), bet(1, "banker", 100));
    floor.give(&patron(2), bet(2, "player", 200));
    let said = floor.commit();
    let entries = floor.entries();
    for reply in &said.replies {
        let Answer::Done { seq, events } = &reply.answer else { panic!("carried out") };
        let entry = entries.iter().find(|entry| entry.seq == *seq).expect("its entry");
        assert_eq!((&entry.order.id, &entry.events), (&reply.to, events));
        assert_eq!(entry.release, Release("test".into()));
    }
}

#[test]
fn a_refusal_waits_for_what_it_was_decided_upon() {
    let mut floor = Floor::after(&[TERMINALS, OPEN]);
    let late = floor.give(&patron(9), bet(9, "banker", 100));
    let said = floor.desk.outbox();
    assert_eq!(ids(&said), [late.id], "nothing is in flight: it goes out at once");
    assert_eq!(refusal(&said.replies[0].answer), ReasonKind::NotEnoughCredits);
    assert!(said.frames.is_empty(), "a refusal is nobody else's");

    let all = floor.give(&patron(1), bet(1, "banker", 500));
    let more = floor.give(&patron(1), bet(1, "banker", 500));
    assert_eq!(
        floor.desk.outbox(),
        Outbox::default(),
        "the maximum is reached by an entry that may yet fail"
    );
    let first = floor.store().expect("an entry");
    assert_eq!(floor.desk.outbox(), Outbox::default());
    let other = floor.give(&patron(2), bet(2, "player", 100));
    let said = floor.desk.receipt(first);
    assert_eq!(ids(&said), [all.id, more.id]);
    assert_eq!(refusal(&said.replies[1].answer), ReasonKind::OverMaximum);
    assert_eq!(ids(&floor.commit()), [other.id]);
}

#[test]
fn replies_come_in_the_order_of_the_orders() {
    let mut floor = Floor::after(&[TERMINALS, OPEN]);
    let mut given: Vec<OrderId> = Vec::new();
    let mut receipts = Vec::new();
    for round in 0..3 {
        for no in 1..=3 {
            given.push(floor.give(&patron(no), bet(no, "tie", 20)).id);
            given.push(floor.give(&patron(no), bet(no, "nothing of the sort", 20 + round)).id);
        }
        receipts.push(floor.store().expect("entries"));
    }
    assert_eq!(floor.desk.outbox(), Outbox::default());
    let first = floor.desk.receipt(receipts[0]);
    assert_eq!(ids(&first), given[..6]);
    assert_eq!(first.frames.iter().map(|frame| frame.seq).collect::<BTreeSet<_>>(), [receipts[0]].into());
    // The ledger may tell of two commits at once.
    assert_eq!(ids(&floor.desk.receipt(receipts[2])), given[6..]);
    assert_eq!(floor.desk.receipt(receipts[1]), Outbox::default(), "an old receipt says nothing new");
}

#[test]
#[should_panic(expected = "a receipt for what was never handed over")]
fn a_receipt_for_more_than_was_handed_over_is_no_receipt() {
    let mut floor = Floor::after(&[TERMINALS, OPEN]);
    floor.give(&patron(1), bet(1, "banker", 100));
    let next = floor.last().next();
    floor.desk.receipt(next);
}

#[test]
fn a_retry_gets_the_first_answer_again() {
    let mut floor = Floor::after(&[TERMINALS, OPEN]);
    let order = floor.give(&patron(1), bet(1, "banker", 100));
    floor.again(&order);
    assert_eq!(floor.desk.outbox(), Outbox::default(), "the entry is in flight: so is the answer");
    let said = floor.commit();
    let at = seq(&said.replies[0].answer);
    assert_eq!(said.replies[1].answer, Answer::Before { seq: at });
    let staff = said.frames.iter().find(|frame| frame.feed == Feed::Staff).expect("a frame for staff");
    assert_eq!(staff.events.len(), 1, "it happened once");

    floor.again(&order);
    assert!(floor.desk.batch().is_none(), "a retry is no entry");
    assert_eq!(floor.desk.outbox().replies[0].answer, Answer::Before { seq: at }, "afterwards: at once");
    floor.restart();
    floor.again(&order);
    assert_eq!(floor.desk.outbox().replies[0].answer, Answer::Before { seq: at }, "and after a restart");
    let state = floor.desk.table().state();
    assert_eq!(state.credits(PatronNo(1)).get(), 9900, "staked once");
}

/// Interpretation 41: whatever happens between an acceptor and the table, a note is credited once.
#[test]
fn a_note_is_credited_once_whatever_is_lost() {
    let patron = PatronNo(1);
    let acceptor = Actor::Acceptor { acceptor: "acceptor-1".into(), patron };
    let note = || serde_json::json!({ "do": "accept-note", "patron": 1, "amount": 5000 });
    let credits = |floor: &Floor| floor.desk.table().state().credits(patron).get();
    let inside = |floor: &Floor| {
        floor.desk.table().state().acceptors.get(&"acceptor-1".into()).map_or(0, |it| it.get())
    };
    let mut floor = Floor::after(&[TERMINALS]);
    // The server is gone before the ledger has it: nothing happened, and the retry is the first.
    let order = floor.give(&acceptor, note());
    floor.restart();
    assert_eq!((credits(&floor), inside(&floor)), (10_000, 0));
    floor.again(&order);
    // The ledger has it, and the answer is lost.
    floor.store();
    floor.restart();
    assert_eq!((credits(&floor), inside(&floor)), (15_000, 5_000));
    for _ in 0..3 {
        floor.again(&order);
        let answer = &floor.commit().replies[0].answer;
        assert!(matches!(answer, Answer::Before { .. }), "{answer:?}");
    }
    assert_eq!((credits(&floor), inside(&floor)), (15_000, 5_000));
    // The same number for another note is no note.
    let other = serde_json::json!({ "do": "accept-note", "patron": 1, "amount": 9000 });
    let command = serde_json::from_value(other).expect("a command");
    floor.again(&Order { command, ..order });
    assert_eq!(refusal(&floor.commit().replies[0].answer), ReasonKind::OrderIdReused);
    floor.give(&acceptor, note());
    floor.commit();
    assert_eq!((credits(&floor), inside(&floor)), (20_000, 10_000));
}

#[test]
fn another_order_under_the_same_id_is_refused() {
    let mut floor = Floor::after(&[TERMINALS, OPEN]);
    let order = floor.give(&patron(1), bet(1, "banker", 100));
    let mut others = vec![
        Order { round: Some(RoundNo(2)), ..order.clone() },
        Order { by: dealer(), ..order.clone() },
        Order { command: serde_json::from_value(bet(1, "banker", 200)).expect("a bet"), ..order.clone() },
    ];
    others.iter().for_each(|other| floor.again(other));
    let said = floor.commit();
    for reply in &said.replies[1..] {
        assert_eq!(refusal(&reply.answer), ReasonKind::OrderIdReused);
    }
    floor.restart();
    others.push(order);
    others.iter().for_each(|other| floor.again(other));
    let said = floor.desk.outbox();
    let (last, others) = said.replies.split_last().expect("replies");
    assert!(others.iter().all(|reply| refusal(&reply.answer) == ReasonKind::OrderIdReused));
    assert!(matches!(last.answer, Answer::Before { .. }), "the order itself is still answered");
}

#[test]
fn a_refused_order_stays_refused() {
    let mut floor = Floor::after(&[TERMINALS]);
    let early = floor.order(&patron(1), bet(1, "banker", 100));
    let early = Order { round: Some(RoundNo(1)), ..early };
    floor.desk.hand_in(early.clone(), &Given::default());
    let first = floor.desk.outbox().replies[0].answer.clone();
    assert_eq!(refusal(&first), ReasonKind::WrongRound);

    floor.give(&dealer(), does("open-bets"));
    floor.commit();
    assert!(
        floor.desk.table().decide(&early, &Given::default()).is_ok(),
        "the table alone would take it now: there is no record of a refusal"
    );
    floor.again(&early);
    assert_eq!(floor.desk.outbox().replies[0].answer, first, "the same refusal");

    let other = Order { command: serde_json::from_value(bet(1, "tie", 20)).expect("a bet"), ..early.clone() };
    floor.again(&other);
    assert_eq!(refusal(&floor.desk.outbox().replies[0].answer), ReasonKind::OrderIdReused);
    floor.again(&early);
    assert_eq!(floor.desk.outbox().replies[0].answer, first, "still the same");
    assert!(floor.desk.batch().is_none());

    // The next number is free, and the refusal is remembered beside it.
    floor.give(&patron(1), bet(1, "banker", 100));
    assert!(matches!(floor.commit().replies[0].answer, Answer::Done { .. }));
    floor.again(&early);
    assert_eq!(floor.desk.outbox().replies[0].answer, first);
}

/// A device gives two orders, both are refused, and the answer to the first is lost: it asks again.
#[test]
fn a_refusal_is_remembered_behind_another() {
    let mut floor = Floor::after(&[TERMINALS]);
    let first = Order { round: Some(RoundNo(1)), ..floor.order(&patron(1), bet(1, "banker", 100)) };
    let second = Order { round: Some(RoundNo(1)), ..floor.order(&patron(1), bet(1, "tie", 20)) };
    floor.desk.hand_in(first.clone(), &Given::default());
    floor.desk.hand_in(second, &Given::default());
    floor.give(&dealer(), does("open-bets"));
    floor.commit();
    floor.again(&first);
    let said = floor.commit();
    assert!(matches!(said.replies[0].answer, Answer::Refused(_)), "{:?}", said.replies[0].answer);
}

/// A stray old order does not make the desk forget what it refused.
#[test]
fn a_refusal_is_remembered_behind_a_stray() {
    let mut floor = Floor::after(&[TERMINALS, OPEN]);
    let old = floor.give(&patron(1), bet(1, "tie", 20));
    floor.give(&patron(1), bet(1, "tie", 20));
    let refused = floor.give(&patron(1), bet(1, "banker", 10_000));
    let said = floor.commit();
    assert_eq!(refusal(&said.replies[2].answer), ReasonKind::OverMaximum);
    floor.again(&old);
    let stray = &floor.desk.outbox().replies[0].answer;
    assert_eq!(refusal(stray), ReasonKind::Superseded);
    let other = Order { command: serde_json::from_value(bet(1, "banker", 100)).expect("a bet"), ..refused };
    floor.again(&other);
    assert_eq!(refusal(&floor.commit().replies[0].answer), ReasonKind::OrderIdReused);
}

#[test]
fn nobody_speaks_for_the_clock() {
    let mut floor = Floor::after(&[TERMINALS, OPEN]);
    let deadline = closes_at(&floor);
    let order = floor.order(&dealer(), does("close-bets"));
    for n in [1, u64::MAX] {
        let id = OrderId { device: CLOCK.into(), n };
        floor.desk.hand_in(Order { id, ..order.clone() }, &Given::default());
        assert!(matches!(floor.commit().replies[0].answer, Answer::Refused(_)));
    }
    floor.desk.tick(Timestamp(deadline));
    assert!(matches!(floor.commit().replies[0].answer, Answer::Done { .. }), "the clock still closes");
}

/// The last choice lets the Round go on and settles it; whoever made it reads no more of it than from their feed.
#[test]
fn an_answer_tells_a_patron_no_more_than_their_feed() {
    let (mut floor, _) = choosing();
    let choose = |no: u32| json!({ "do": "choose", "patron": no, "choice": "take-back" });
    floor.give(&patron(1), choose(1));
    floor.give(&patron(2), choose(2));
    let said = floor.commit();
    let own = |event: &Event| matches!(event, Event::ChoiceMade { patron: PatronNo(2), .. });
    let Answer::Done { events, .. } = &said.replies[1].answer else { panic!("carried out") };
    assert!(events.iter().any(own));
    let told =
        |feed| said.frames.iter().filter(move |frame| frame.feed == feed).flat_map(|frame| &frame.events);
    let seen: Vec<&Event> = told(Feed::Public).chain(told(Feed::Patron(PatronNo(2)))).collect();
    assert!(events.iter().all(|event| seen.contains(&event)), "{events:?}");
}

#[test]
fn an_older_order_is_superseded() {
    let mut floor = Floor::after(&[TERMINALS, OPEN]);
    let first = floor.give(&patron(1), bet(1, "banker", 100));
    let second = floor.give(&patron(1), bet(1, "tie", 20));
    floor.again(&first);
    let said = floor.commit();
    let Answer::Refused(rejection) = &said.replies[2].answer else { panic!("refused") };
    assert_eq!(rejection.reason, Reason::Superseded { last: second.id.n });
    floor.restart();
    floor.again(&first);
    assert_eq!(refusal(&floor.desk.outbox().replies[0].answer), ReasonKind::Superseded);
    assert_eq!(floor.desk.table().state().credits(PatronNo(1)).get(), 9880);
}

#[test]
fn batches_follow_one_another_and_verify() {
    let mut floor = Floor::after(&[TERMINALS, OPEN]);
    assert!(floor.desk.batch().is_none(), "nothing to be made durable");
    let durable = floor.last();
    floor.give(&patron(1), bet(1, "banker", 100));
    floor.give(&patron(2), bet(2, "player", 100));
    floor.give(&patron(2), bet(2, "no such bet", 100));
    let first = floor.desk.batch().expect("two entries");
    floor.give(&patron(3), bet(3, "tie", 20));
    let second = floor.desk.batch().expect("one entry");
    assert!(floor.desk.batch().is_none(), "handed over once");
    assert_eq!((first.expect, first.entries.len()), (durable, 2));
    assert_eq!((second.expect, second.entries.len()), (Seq(durable.0 + 2), 1));
    floor.append(first).expect("stored");
    let up_to = floor.append(second).expect("stored");
    floor.desk.receipt(up_to);
    assert_eq!(floor.desk.table().state().seq, up_to);
    let before = floor.desk.table().state().hash();
    floor.restart();
    assert_eq!(floor.desk.table().state().hash(), before);
}

/// The chain is what it is said to be: whoever changes a byte changes every link after it.
#[test]
fn a_changed_entry_breaks_the_chain() {
    let mut floor = Floor::after(&[TERMINALS, OPEN]);
    floor.give(&patron(1), bet(1, "banker", 100));
    floor.give(&patron(2), bet(2, "banker", 100));
    floor.commit();
    let links = |ledger: &[Sealed]| -> Vec<Digest> {
        let mut chain = Chain::START;
        ledger
            .iter()
            .map(|sealed| {
                chain = chain.after(&sealed.bytes);
                chain.link
            })
            .collect()
    };
    let told = links(&floor.ledger);
    let mut forged = floor.ledger.clone();
    let at = forged.len() - 2;
    *forged[at].bytes.last_mut().expect("bytes") = b' ';
    let forged = links(&forged);
    assert_eq!(forged[..at], told[..at]);
    assert!((at..told.len()).all(|i| forged[i] != told[i]));
}

fn closes_at(floor: &Floor) -> u64 {
    let round = floor.desk.table().state().round().expect("a Round");
    let Stage::Betting { closes_at } = round.stage else { panic!("bets are not open: {:?}", round.stage) };
    closes_at.0
}

#[test]
fn an_electronic_table_closes_ahead_of_a_late_bet() {
    for late in [0, 1, 5000] {
        let mut floor = Floor::after(&[TERMINALS, OPEN]);
        let deadline = closes_at(&floor);
        floor.desk.tick(Timestamp(deadline - 1));
        assert!(floor.desk.batch().is_none(), "not a millisecond early");
        floor.now = deadline - 101;
        let in_time = floor.give(&patron(1), bet(1, "banker", 100));
        assert_eq!(in_time.at.0, deadline - 1);
        floor.now = deadline + late - 100;
        let too_late = floor.give(&patron(2), bet(2, "banker", 100));
        let said = floor.commit();
        let clock = OrderId { device: CLOCK.into(), n: 1 };
        assert_eq!(ids(&said), [in_time.id, clock.clone(), too_late.id]);
        assert_eq!(refusal(&said.replies[2].answer), ReasonKind::BetsClosed);
        let entry = floor.entries().pop().expect("the close");
        assert_eq!((entry.order.id, entry.order.by), (clock, Actor::House));
        assert_eq!(entry.order.round, Some(RoundNo(1)));
        assert!(matches!(entry.events[0], Event::BetsClosed { .. }));
        floor.desk.tick(Timestamp(deadline + 10_000));
        assert!(floor.desk.batch().is_none(), "closed once");
    }
}

#[test]
fn the_clock_alone_closes_an_electronic_table() {
    let mut floor = Floor::after(&[TERMINALS, OPEN]);
    let deadline = closes_at(&floor);
    floor.desk.tick(Timestamp(deadline));
    assert_eq!(floor.desk.outbox(), Outbox::default(), "the clock waits for the ledger as well");
    let said = floor.commit();
    let public = said.frames.iter().find(|frame| frame.feed == Feed::Public).expect("a public frame");
    assert!(matches!(public.events.as_slice(), [Event::BetsClosed { .. }]));
}

#[test]
fn a_live_table_does_not_close_by_the_clock() {
    let mut floor = Floor::after(&[LIVE, OPEN]);
    let deadline = closes_at(&floor);
    floor.desk.tick(Timestamp(deadline + 60_000));
    assert!(floor.desk.batch().is_none());
    floor.now = deadline + 60_000;
    floor.give(&patron(1), seated(1, "banker", 500));
    assert!(matches!(floor.commit().replies[0].answer, Answer::Done { .. }), "the Dealer has not closed");
    floor.give(&dealer(), does("close-bets"));
    floor.give(&patron(1), seated(1, "banker", 500));
    assert_eq!(refusal(&floor.commit().replies[1].answer), ReasonKind::BetsClosed);
}

/// A live table whose patrons choose.
fn choosing() -> (Floor, u64) {
    let mut floor = Floor::after(&[LIVE, OPEN]);
    floor.give(&patron(1), seated(1, "banker", 500));
    floor.give(&patron(2), seated(2, "player", 500));
    floor.give(&dealer(), does("close-bets"));
    for card in ["2s", "4d"] {
        floor.give(&dealer(), draw(card));
    }
    floor.give(
        &dealer(),
        json!({ "do": "report", "report": { "irregularity": "simultaneous-draw", "cards": ["3c", "Kh"] } }),
    );
    let order = ["2s", "4d", "Kh", "3c"];
    let ruling = json!({ "ruling": "in-order", "order": order });
    let rule = json!({ "do": "rule", "matter": 1, "ruling": ruling, "reason": "the king lay on top" });
    floor.give(&supervisor(), rule);
    let said = floor.commit();
    assert!(said.replies.iter().all(|reply| matches!(reply.answer, Answer::Done { .. })), "{said:?}");
    let Stage::Choosing { until, .. } = &floor.desk.table().state().round().expect("a Round").stage else {
        panic!("nobody chooses")
    };
    let until = until.0;
    (floor, until)
}

#[test]
fn the_time_for_choices_ends() {
    let choose = |no: u32| json!({ "do": "choose", "patron": no, "choice": "take-back" });
    let (mut floor, until) = choosing();
    floor.now = until - 101;
    floor.give(&patron(1), choose(1));
    floor.now = until - 100;
    let late = floor.give(&patron(2), choose(2));
    let said = floor.commit();
    assert_eq!(ids(&said)[1..], [OrderId { device: CLOCK.into(), n: 1 }, late.id]);
    assert_eq!(refusal(&said.replies[2].answer), ReasonKind::NoChoicePending);
    let Answer::Done { events, .. } = &said.replies[1].answer else { panic!("the clock's order") };
    assert!(matches!(&events[0], Event::ChoiceMade { patron: PatronNo(2), silent: true, .. }), "{events:?}");
    let wagers = &floor.desk.table().state().round().expect("a Round").wagers;
    assert_eq!(wagers.patrons(), [PatronNo(2)].into(), "silence continues");
}

/// Plays one Round on terminals in which the clock closes bets.
fn play_round(floor: &mut Floor) {
    floor.give(&dealer(), does("open-bets"));
    floor.give(&patron(1), bet(1, "banker", 100));
    floor.now += 20_000;
    for card in ["9s", "2d", "Kh", "Kc"] {
        floor.give(&dealer(), draw(card));
    }
    floor.give(&dealer(), does("confirm-result"));
    let said = floor.commit();
    assert!(said.replies.iter().all(|reply| matches!(reply.answer, Answer::Done { .. })), "{said:?}");
}

#[test]
fn the_clock_counts_on_after_a_restart() {
    let mut floor = Floor::after(&[TERMINALS]);
    for _ in 0..3 {
        play_round(&mut floor);
        let before = floor.desk.table().state().hash();
        floor.restart();
        assert_eq!(floor.desk.table().state().hash(), before, "the record alone gives the same table");
    }
    let clock = |entry: &Entry| (entry.order.id.device.as_str() == CLOCK).then_some(entry.order.id.n);
    let numbers: Vec<u64> = floor.entries().iter().filter_map(clock).collect();
    assert_eq!(numbers, [1, 2, 3]);
    let releases: BTreeSet<String> =
        floor.entries().iter().map(|entry| entry.release.0.to_string()).collect();
    assert_eq!(releases, ["another".to_owned(), "script".to_owned(), "test".to_owned()].into());
}

#[test]
#[should_panic(expected = "the chain ends where the table does")]
fn a_desk_goes_on_only_where_the_record_ends() {
    let floor = Floor::after(&[TERMINALS]);
    Desk::resume(floor.desk.table().clone(), Chain::START, Release("test".into()));
}

#[test]
fn a_desk_that_stopped_decides_nothing_more() {
    let mut floor = Floor::after(&[TERMINALS, OPEN]);
    let durable = floor.desk.table().state().hash();
    let stored = floor.give(&patron(1), bet(1, "banker", 100));
    let lost = floor.desk.batch().expect("an entry");
    let waiting = floor.give(&patron(2), bet(2, "banker", 100));
    let refused = floor.give(&patron(2), bet(2, "no such bet", 100));
    let said = floor.desk.stop();
    assert_eq!(ids(&said), [stored.id.clone(), waiting.id, refused.id]);
    assert!(said.replies.iter().all(|reply| reply.answer == Answer::Unknown));
    assert!(said.frames.is_empty());
    assert!(floor.desk.batch().is_none(), "what was decided and not handed over is gone");

    let before = floor.desk.table().state().clone();
    let after = floor.give(&patron(3), bet(3, "banker", 100));
    floor.again(&stored);
    let said = floor.desk.outbox();
    assert_eq!(ids(&said), [after.id, stored.id.clone()]);
    assert!(said.replies.iter().all(|reply| reply.answer == Answer::Unknown));
    floor.desk.tick(Timestamp(closes_at(&floor) + 1000));
    assert!(floor.desk.batch().is_none());
    assert!(floor.desk.outbox().frames.is_empty());
    assert_eq!(*floor.desk.table().state(), before, "nothing more happens here");

    // The ledger did not have it: it never happened, and the same order is carried out now.
    assert_eq!(lost.entries.len(), 1);
    floor.restart();
    assert_eq!(floor.desk.table().state().hash(), durable);
    floor.again(&stored);
    assert!(matches!(floor.commit().replies[0].answer, Answer::Done { .. }));
}

/// The other way round: the ledger did have it, only the receipt was lost.
#[test]
fn an_unknown_answer_is_known_from_the_record() {
    let mut floor = Floor::after(&[TERMINALS, OPEN]);
    let order = floor.give(&patron(1), bet(1, "banker", 100));
    let at = floor.store().expect("stored");
    assert_eq!(floor.desk.stop().replies[0].answer, Answer::Unknown);
    floor.restart();
    floor.again(&order);
    assert_eq!(floor.desk.outbox().replies[0].answer, Answer::Before { seq: at });
}

#[test]
fn recorded_time_never_runs_backwards() {
    let mut floor = Floor::after(&[LIVE, OPEN]);
    floor.now += 5000;
    let first = floor.give(&patron(1), seated(1, "banker", 500));
    floor.now = START;
    let second = floor.give(&patron(2), seated(2, "player", 500));
    assert!(second.at < first.at);
    floor.commit();
    let times: Vec<Timestamp> = floor.entries().iter().map(|entry| entry.order.at).collect();
    assert!(times.is_sorted());
    assert_eq!(times.last(), Some(&first.at), "raised to the time that was recorded");
    floor.again(&second);
    assert!(matches!(floor.desk.outbox().replies[0].answer, Answer::Before { .. }), "the time is no matter");
}

/// Bets were held past their deadline. With a time that was handed in too early, the close still goes ahead: the
/// record's own time has come.
#[test]
fn the_clock_does_not_go_by_a_time_that_runs_backwards() {
    let mut floor = Floor::after(&[TERMINALS, OPEN]);
    let deadline = closes_at(&floor);
    let words = json!({ "irregularity": "uncovered", "words": "somebody fainted" });
    floor.give(&dealer(), json!({ "do": "report", "report": words }));
    floor.now = deadline + 1000;
    let manager = Actor::Staff { person: "shift-manager".into(), post: Post::ShiftManager };
    let go_on = json!({ "ruling": "continue" });
    floor.give(&manager, json!({ "do": "rule", "matter": 1, "ruling": go_on, "reason": "all is well" }));
    let said = floor.commit();
    assert!(said.replies.iter().all(|reply| matches!(reply.answer, Answer::Done { .. })), "{said:?}");
    let held = matches!(floor.desk.table().state().round().expect("a Round").stage, Stage::Betting { .. });
    assert!(held, "bets were held and are open again: {:?}", floor.desk.table().state().round());
    // Their time begins anew with the ruling, whatever an earlier clock says afterwards.
    let anew = closes_at(&floor);
    assert!(anew >= deadline + 1000 + 20_000, "{anew}");
    floor.now = anew;
    floor.give(&patron(1), bet(1, "banker", 100));
    let said = floor.commit();
    let last = said.replies.last().expect("a reply");
    assert_eq!(refusal(&last.answer), ReasonKind::BetsClosed);
    assert_eq!(said.replies.len(), 2, "the close goes ahead of the bet that it refuses");
    floor.now = deadline - 2000;
    floor.give(&patron(1), bet(1, "banker", 100));
    let said = floor.commit();
    assert_eq!(refusal(&said.replies.last().expect("a reply").answer), ReasonKind::BetsClosed);
}

#[test]
fn one_commit_is_one_frame_for_each_feed() {
    let mut floor = Floor::after(&[TERMINALS]);
    floor.give(&dealer(), does("open-bets"));
    floor.give(&patron(1), bet(1, "banker", 100));
    floor.give(&patron(2), bet(2, "player", 100));
    floor.give(&patron(1), bet(1, "tie", 20));
    floor.give(&cashier(), json!({ "do": "buy-credits", "patron": 8, "amount": 500 }));
    floor.now += 20_000;
    for card in ["9s", "2d", "Kh", "Kc"] {
        floor.give(&dealer(), draw(card));
    }
    floor.give(&dealer(), does("confirm-result"));
    let said = floor.commit();
    let feeds: Vec<Feed> = said.frames.iter().map(|frame| frame.feed).collect();
    let of = |no| Feed::Patron(PatronNo(no));
    let staff = [Feed::Floor, Feed::Cage, Feed::Staff];
    let all = [Feed::Public, of(1), of(2), of(8)].into_iter().chain(staff).collect::<Vec<_>>();
    assert_eq!(feeds, all, "patron 3 is not concerned");
    assert!(said.frames.iter().all(|frame| frame.seq == floor.last()));
    let events = |feed: Feed| &said.frames.iter().find(|frame| frame.feed == feed).expect("a frame").events;
    let all: Vec<Event> = said
        .replies
        .iter()
        .flat_map(|reply| match &reply.answer {
            Answer::Done { events, .. } => events.clone(),
            Answer::Before { .. } | Answer::Refused(_) | Answer::Unknown => Vec::new(),
        })
        .collect();
    assert_eq!(*events(Feed::Staff), all, "staff sees everything, in order");
    let words: Vec<&str> = events(Feed::Public).iter().map(|event| event.kind().id()).collect();
    assert_eq!(
        words,
        [
            "bets-opened",
            "bets-closed",
            "card-drawn",
            "card-drawn",
            "card-drawn",
            "card-drawn",
            "round-completed",
            "round-settled"
        ]
    );
    let words: Vec<&str> = events(of(1)).iter().map(|event| event.kind().id()).collect();
    assert_eq!(words, ["wager-registered", "wager-registered", "round-settled"]);
    let Some(Event::RoundSettled { lines, house, .. }) = events(of(1)).last() else { panic!("settled") };
    assert!(lines.len() == 2 && lines.iter().all(|line| line.patron == PatronNo(1)) && *house == 0);
}

/// All scenarios through desks that commit now and then: whatever the batches are, the record verifies and replays, every
/// order is answered once and in order, and what the feeds say in all does not depend on the batches.
#[test]
fn batches_change_nothing() {
    for (no, scenario) in scenarios().iter().enumerate() {
        let played = play(&scenario.script, approved).expect("a script");
        let orders: Vec<(Order, Given)> = played
            .steps
            .iter()
            .flat_map(|step| step.orders.iter().map(|it| (it, step.rules.clone())))
            .map(|((order, outcome), rules)| (order.clone(), Given { rules, ..given(outcome) }))
            .collect();
        let singly = run(&orders, || true);
        let mut dice = 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(no as u64 + 1);
        let mut now_and_then = || {
            dice ^= dice << 13;
            dice ^= dice >> 7;
            dice ^= dice << 17;
            dice.is_multiple_of(3)
        };
        let together = run(&orders, &mut now_and_then);
        let never = run(&orders, || false);
        assert_eq!(singly, together, "{}", scenario.name);
        assert_eq!(singly, never, "{}", scenario.name);
    }
}

/// What the store was asked when a script was played.
fn given(outcome: &Outcome) -> Given {
    let mut given = Given::default();
    if let Outcome::Events(events) = outcome {
        for event in events {
            if let Event::TicketRedeemed { amount, .. } = event {
                given.ticket = Some(punto_record::TicketAnswer::Reserved {
                    amount: *amount,
                    currency: Some("SGD".into()),
                });
            }
            if let Event::CashedOut { ticket, .. } = event {
                given.new_ticket = Some(ticket.clone().into());
            }
        }
    }
    given
}

/// Everything that a desk said and wrote.
#[derive(Debug, PartialEq)]
struct Said {
    replies: Vec<(OrderId, Answer)>,
    feeds: BTreeMap<Feed, Vec<Event>>,
    chain: Digest,
    state: Digest,
}

fn run(orders: &[(Order, Given)], mut commits: impl FnMut() -> bool) -> Said {
    let desk = Desk::new(Release("test".into()));
    let mut floor =
        Floor { desk, ledger: Vec::new(), chain: Chain::START, numbers: BTreeMap::new(), now: START };
    let (mut replies, mut feeds): (Vec<_>, BTreeMap<Feed, Vec<Event>>) = Default::default();
    let mut hear = |outbox: Outbox, durable: Seq| {
        for reply in outbox.replies {
            let (Answer::Done { seq, .. } | Answer::Before { seq }) = &reply.answer else {
                replies.push((reply.to, reply.answer));
                continue;
            };
            assert!(*seq <= durable, "said before it was durable");
            replies.push((reply.to, reply.answer));
        }
        let mut seen = BTreeSet::new();
        for frame in outbox.frames {
            assert!(seen.insert(frame.feed), "one frame for each feed");
            assert_eq!(frame.seq, durable);
            assert!(!frame.events.is_empty());
            feeds.entry(frame.feed).or_default().extend(frame.events);
        }
    };
    for (order, given) in orders {
        floor.desk.hand_in(order.clone(), given);
        let early = floor.desk.outbox();
        assert!(early.frames.is_empty(), "nothing happened that is durable and was not said");
        hear(early, floor.last());
        if commits() {
            let outbox = floor.commit();
            hear(outbox, floor.last());
        }
    }
    let outbox = floor.commit();
    hear(outbox, floor.last());
    let chain = floor.ledger.last().expect("entries").chain;
    let state = floor.desk.table().state().hash();
    let mut asked = orders.iter().map(|(order, _)| &order.id);
    let mut answered = replies.iter().map(|(id, _)| id).filter(|id| id.device.as_str() != CLOCK);
    assert!(asked.by_ref().eq(answered.by_ref()), "every order is answered once and in order");
    floor.restart();
    assert_eq!(floor.desk.table().state().hash(), state, "the record alone gives the same table");
    Said { replies, feeds, chain, state }
}
