//! A Round at a table of the electronic game, and what went over the socket of one terminal.

use punto_record::{
    Actor, Command, LedgerKind, MatterNo, Order, OrderId, Release, RoundNo, Ruling, Seq, Timestamp,
};
use punto_rules::{Money, PatronNo, Post};
use punto_server::wire::{
    Answer, Approved, Denial, Frame, Goodbye, Hello, Pong, Reply, Said, Screen, Status, Told, Welcome,
};
use punto_table::script::{Script, play};
use punto_table::{Audience, Desk, Feed, Given};
use serde_json::Value;

use super::changed;
use crate::scripts::approved;

const BEFORE: &str = "table ncb-etg terminal decks=4 table=T1
dealer: load-shoe card_set=red-4 shuffled_by=shuffler-1
cashier: buy-credits patron=7 amount=2000
dealer: open-bets";

const PATRON: PatronNo = PatronNo(7);

pub(super) struct Examples {
    pub(super) said: Vec<Value>,
    pub(super) told: Vec<Value>,
    /// What becomes of orders.
    pub(super) answers: Vec<Value>,
}

fn value(it: impl serde::Serialize) -> Value {
    serde_json::to_value(it).expect("JSON")
}

/// A wager of the terminal.
fn wager(n: u64, stake: u64) -> Order {
    let stake = Money::new(stake).expect("money");
    let (box_no, stance) = (None, None);
    Order {
        id: OrderId { device: "terminal-7".into(), n },
        by: Actor::Patron { patron: PATRON },
        at: Timestamp(0),
        round: Some(RoundNo(1)),
        command: Command::PlaceWager { patron: PATRON, box_no, stance, bet: "banker".into(), stake },
    }
}

/// A ruling that somebody signed in for.
fn ruling() -> Said {
    let order = Order {
        id: OrderId { device: "console-1".into(), n: 31 },
        by: Actor::Staff { person: "sup-1".into(), post: Post::PitSupervisor },
        at: Timestamp(0),
        round: None,
        command: Command::Rule {
            matter: MatterNo(1),
            ruling: Ruling::Void {},
            replace_shoe: false,
            second: None,
            second_post: None,
            departs: None,
            reason: "a card of another set".into(),
        },
    };
    let pending = Some("the name under which it waited".to_owned());
    Said::Approved(Approved { order, pending, approvals: Vec::new() })
}

/// Plays the Round and writes down what is said.
pub(super) fn played() -> Examples {
    let script = Script::parse(BEFORE).expect("a script");
    let orders = play(&script, approved).expect("a Round").steps.into_iter().flat_map(|step| step.orders);
    let mut desk = Desk::new(Release("example".into()));
    for (order, _) in orders {
        desk.hand_in(order, &Given::default());
        if let Some(batch) = desk.batch() {
            desk.receipt(batch.entries.last().expect("an entry").seq);
        }
    }
    let view = |desk: &Desk| value(desk.table().view(Audience::Terminal { patron: PATRON }));
    let (before, state) = (view(&desk), desk.table().state());
    let (now, after) = (state.now, state.seq);
    let hello = Hello {
        table: "T1".into(),
        screen: Screen::Terminal,
        device: Some("the credential of the terminal".to_owned()),
        session: None,
        after: None,
    };
    let back = Hello { after: Some(after), ..hello.clone() };
    let welcome = Welcome {
        table: "T1".into(),
        screen: Screen::Terminal,
        device: Some("terminal-7".into()),
        last: 0,
        now,
        kind: LedgerKind::Practice,
        status: Status::Running,
        signed: Vec::new(),
        restored: None,
    };
    let mut answers = Vec::new();
    let mut told = vec![value(Told::Welcome(welcome)), value(Told::View(Box::new(before.clone())))];
    // One wager within the limits, and one beyond them.
    for (n, stake) in [(1, 100), (2, 1000)] {
        let order = Order { at: Timestamp(now.0 + 2_000), ..wager(n, stake) };
        desk.hand_in(order, &Given::default());
        let outbox = match desk.batch() {
            Some(batch) => desk.receipt(batch.entries.last().expect("an entry").seq),
            None => desk.outbox(),
        };
        for frame in outbox.frames.into_iter().filter(|it| it.feed == Feed::Patron(PATRON)) {
            let parts = changed(&before, &view(&desk)).into_iter().collect();
            let at = desk.table().state().now;
            told.push(value(Told::Frame(Frame {
                seq: frame.seq,
                now: at,
                events: frame.events,
                view: parts,
            })));
        }
        for reply in outbox.replies {
            let answer = match reply.answer {
                punto_table::Answer::Done { seq, .. } => Answer::Done(seq),
                punto_table::Answer::Before { seq } => Answer::Before(seq),
                punto_table::Answer::Refused(rejection) => Answer::Refused(rejection),
                punto_table::Answer::Unknown => Answer::Unknown,
            };
            match &answer {
                Answer::Done(_) => told.push(value(Told::Reply(Reply {
                    to: reply.to,
                    answer: answer.clone(),
                    printed: None,
                }))),
                Answer::Before(_)
                | Answer::Refused(_)
                | Answer::Denied(_)
                | Answer::Busy
                | Answer::Unknown => {}
            }
            answers.push(value(answer));
        }
    }
    assert_eq!(answers.len(), 2, "one wager was registered and one refused: {answers:?}");
    answers
        .extend([Answer::Before(Seq(after.0 + 1)), Answer::Denied(Denial::NotYou), Answer::Busy].map(value));
    let stopped = Status::Stopped { words: "the disk is full".into() };
    told.extend([
        value(Told::Status(Status::Running)),
        value(Told::Status(stopped)),
        value(Told::Pong(Pong { n: 1, now })),
        value(Told::Goodbye(Goodbye::Replaced)),
    ]);
    let said = [Said::Hello(hello), Said::Hello(back), Said::Order(wager(1, 100)), ruling(), Said::Ping(1)]
        .map(value);
    Examples { said: said.to_vec(), told, answers }
}
