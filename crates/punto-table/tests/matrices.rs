//! Every game, every post, every ruling: what interpretations about cards and earlier Rounds promise, tried out whole where
//! the space is small.

#[macro_use]
mod games;

#[path = "matrices/after_the_fact.rs"]
mod after_the_fact;
#[path = "matrices/amended.rs"]
mod amended;
#[path = "matrices/approved.rs"]
mod approved_rules;
#[path = "matrices/choices.rs"]
mod choices;
#[path = "matrices/covered.rs"]
mod covered;
#[path = "matrices/disputes.rs"]
mod disputes;
#[path = "matrices/felt.rs"]
mod felt;
#[path = "matrices/held_payout.rs"]
mod held_payout;
#[path = "matrices/late.rs"]
mod late;
#[path = "matrices/limits.rs"]
mod limits;
#[path = "matrices/money_held.rs"]
mod money_held;
#[path = "matrices/notes.rs"]
mod notes;
#[path = "matrices/number.rs"]
mod number;
#[path = "matrices/offered.rs"]
mod offered;
#[path = "matrices/own_terminal.rs"]
mod own_terminal;
mod scripts;
#[path = "matrices/seats.rs"]
mod seats;
#[path = "matrices/together.rs"]
mod together;
#[path = "matrices/used_next.rs"]
mod used_next;

use punto_record::{
    Actor, Adjustment, Command, Event, MatterNo, Order, OrderId, Owed, Rejection, Release, Ruling, Timestamp,
};
use punto_rules::{Card, Money, PatronNo, Post};
use punto_table::script::{Outcome, Script, play};
use punto_table::{Given, Table};
use scripts::approved;

/// A table of a game after these lines, in which nothing was refused; bets are placed and closed by `BETS` and `CLOSE`.
pub(crate) fn table(game: &str, settings: &str, lines: &str) -> Table {
    table_from(game, settings, "dealer: load-shoe card_set=blue-1 shuffled_by=shuffler-2", lines)
}

/// The same with this line for its shoe.
pub(crate) fn table_from(game: &str, settings: &str, shoe: &str, lines: &str) -> Table {
    let (opened, bets, close) = match game {
        "ncb-etg" => ("ncb-etg terminal", "patron 7: bet banker 100\n", "+20s\nhouse: close-bets\n"),
        "da-hu-ying-xiong" => (
            "da-hu-ying-xiong A minimum=200 differential=2000 others=40..1000",
            "patron 7: bet banker 400 box=1\n",
            "dealer: close-bets\n",
        ),
        "wu-song" => ("wu-song D", "patron 7: bet banker 500 box=1\n", "dealer: close-bets\n"),
        _ => ("rws-baccarat A", "patron 7: bet banker 500 box=1\n", "dealer: close-bets\n"),
    };
    let lines = lines.replace("BETS\n", bets).replace("CLOSE\n", close);
    let text = format!(
        "table {opened} {settings}\n\
         {shoe}\n\
         cashier: buy-credits patron=7 amount=5000\n{lines}"
    );
    let played = play(&Script::parse(&text).expect("a script"), approved).expect("played");
    for step in &played.steps {
        for (_, outcome) in &step.orders {
            assert!(matches!(outcome, Outcome::Events(_)), "{game}: {}: {outcome:?}", step.line.text);
        }
    }
    played.table
}

pub(crate) fn cards(text: &str) -> Vec<Card> {
    text.split_whitespace().map(|card| card.parse().expect("a card")).collect()
}

pub(crate) fn staff(post: Post) -> Actor {
    Actor::Staff { person: format!("the-{}", post.id()).parse().expect("a name"), post }
}

pub(crate) fn decide(table: &Table, by: &Actor, command: Command) -> Result<Vec<Event>, Rejection> {
    let state = table.state();
    let order = Order {
        id: OrderId { device: "anywhere".into(), n: 1 },
        by: by.clone(),
        at: Timestamp(state.now.0 + 1_000),
        round: None,
        command,
    };
    table.decide(&order, &Given::default())
}

/// The table after an order that is carried out.
pub(crate) fn after(table: &Table, by: &Actor, command: Command) -> Table {
    let state = table.state();
    let order = Order {
        id: OrderId { device: "before".into(), n: state.seq.0 + 1 },
        by: by.clone(),
        at: Timestamp(state.now.0 + 1),
        round: None,
        command,
    };
    let events = table.decide(&order, &Given::default()).expect("carried out");
    let mut after = table.clone();
    after.enter(&punto_record::Entry {
        seq: state.seq.next(),
        order,
        events,
        release: Release("test".into()),
        mandates: None,
    });
    after
}

pub(crate) fn rule(matter: u32, ruling: &Ruling) -> Command {
    Command::Rule {
        matter: MatterNo(matter),
        ruling: ruling.clone(),
        replace_shoe: false,
        reason: "looked at".into(),
        second: Some("somebody-else".into()),
        second_post: Some(Post::PitManager),
        departs: None,
    }
}

/// One of each ruling, with these cards where it names cards.
pub(crate) fn rulings(cards: &[Card]) -> Vec<Ruling> {
    let amount = Money::new(100).expect("little");
    vec![
        Ruling::Void {},
        Ruling::Misread { card: None },
        Ruling::Misread { card: cards.first().copied() },
        Ruling::Reconstruct {},
        Ruling::AsTheyLie { order: cards.to_vec() },
        Ruling::InOrder { order: cards.to_vec() },
        Ruling::Continue {},
        Ruling::Stand {},
        Ruling::Correct { cards: cards.to_vec() },
        Ruling::Adjust { adjustments: vec![], round: None, cards: cards.to_vec() },
        Ruling::Adjust {
            adjustments: vec![Adjustment { patron: PatronNo(7), owed: Owed::ToPatron, amount }],
            round: None,
            cards: vec![],
        },
    ]
}
