//! Interpretation 46 over its whole space: who holds which post, in which post an order is given, and who assigns whom.

#[macro_use]
mod games;
mod scripts;

use punto_record::{Actor, Command, Event, Order, OrderId, ReasonKind, Timestamp};
use punto_rules::Post;
use punto_table::script::{Outcome, Script, play};
use punto_table::{Given, Table};
use scripts::approved;

/// Everybody who holds a post is called after it; `somebody` holds none.
fn table(game: &str) -> Table {
    let layout = if game == "ncb-etg" { "terminal" } else { "A" };
    let text = format!(
        "table {game} {layout} posts=held\nduty-manager: take-post person=duty-manager post=duty-manager\n\
         shift-manager: take-post person=shift-manager post=shift-manager\n\
         shift-manager: start-shift name=day\nduty-manager: take-post person=duty-manager post=duty-manager\n\
         shift-manager: take-post person=pit-manager post=pit-manager\n\
         shift-manager: take-post person=pit-supervisor post=pit-supervisor\n\
         shift-manager: take-post person=dealer post=dealer\n"
    );
    let played = play(&Script::parse(&text).expect("a script"), approved).expect("played");
    for (_, outcome) in played.steps.iter().flat_map(|step| &step.orders) {
        assert!(matches!(outcome, Outcome::Events(_)), "{text}{outcome:?}");
    }
    played.table
}

fn decide(table: &Table, person: &str, post: Post, command: Command) -> Result<Vec<Event>, ReasonKind> {
    let order = Order {
        id: OrderId { device: "anywhere".into(), n: 1 },
        by: Actor::Staff { person: person.parse().expect("a name"), post },
        at: Timestamp(table.state().now.0 + 1000),
        round: None,
        command,
    };
    table.decide(&order, &Given::default()).map_err(|it| it.reason.kind())
}

fn holders() -> impl Iterator<Item = (&'static str, Option<Post>)> {
    Post::ALL.into_iter().map(|post| (post.id(), Some(post))).chain([("somebody", None)])
}

/// An order is taken from whoever holds the post in which they give it, or a higher one.
fn orders_of_a_post_are_for_those_who_hold_it(game: &str) {
    let table = table(game);
    for (person, held) in holders() {
        for post in Post::ALL {
            let load =
                Command::LoadShoe { card_set: "b".into(), shuffled_by: Some("s".into()), commitment: None };
            let is = decide(&table, person, post, load).map(|_| ());
            let should = if held >= Some(post) { Ok(()) } else { Err(ReasonKind::PostNotHeld) };
            assert_eq!(is, should, "{game}: {person} as {post:?}");
        }
    }
}

/// A higher post assigns Dealer to Pit Manager; nobody is an acting Shift Manager.
fn a_higher_post_assigns(game: &str) {
    let table = table(game);
    for (person, held) in holders() {
        for as_post in Post::ALL {
            for taken in Post::ALL {
                for who in ["new", person] {
                    let command = Command::TakePost { person: who.into(), post: taken };
                    let is = decide(&table, person, as_post, command).map(|_| ());
                    let in_own_name = as_post >= Post::ShiftManager;
                    let holds = held >= Some(as_post) || in_own_name;
                    let may = match taken {
                        Post::Dealer | Post::PitSupervisor | Post::PitManager => held > Some(taken),
                        // By their role, which the floor vouches for.
                        Post::ShiftManager | Post::DutyManager => who == person && as_post == taken,
                    };
                    let should = match (holds, may) {
                        (false, _) => Err(ReasonKind::PostNotHeld),
                        (true, false) => Err(ReasonKind::NotPermitted),
                        (true, true) => Ok(()),
                    };
                    assert_eq!(is, should, "{game}: {person} as {as_post:?} gives {taken:?} to {who}");
                }
            }
        }
    }
}

/// Posts end with their shift, and whoever begins the next keeps theirs. What was open stays open.
fn a_shift_ends_its_posts_and_leaves_its_matters(game: &str) {
    let mut table = table(game);
    let mut n = 0;
    let mut give = |table: &mut Table, person: &str, post, command| {
        let events = decide(table, person, post, command).expect("carried out");
        n += 1;
        let order = Order {
            id: OrderId { device: format!("d-{n}").parse().expect("a name"), n: 1 },
            by: Actor::Staff { person: person.parse().expect("a name"), post },
            at: table.state().now,
            round: None,
            command: Command::CloseTable {},
        };
        let (seq, release) = (table.state().seq.next(), punto_record::Release("test".into()));
        table.enter(&punto_record::Entry { seq, order, events, release, mandates: None });
    };
    let open = Command::Report { report: punto_record::Report::Uncovered { words: "a leak".into() } };
    give(&mut table, "dealer", Post::Dealer, open);
    let matters = table.state().matters.clone();
    assert_eq!(matters.len(), 1, "{game}");
    for (person, held) in holders().filter(|(_, held)| *held < Some(Post::ShiftManager)) {
        let start = Command::StartShift { name: "night".into() };
        let post = held.unwrap_or(Post::PitManager);
        assert!(decide(&table, person, post, start).is_err(), "{game}: {person} begins no shift");
    }
    let night = Command::StartShift { name: "night".into() };
    give(&mut table, "shift-manager", Post::ShiftManager, night);
    let left: Vec<_> = table.state().posts.keys().map(|person| person.as_str()).collect();
    assert_eq!(left, ["shift-manager"], "{game}");
    assert_eq!(table.state().matters, matters, "{game}: what was open waits for the successor");
    let rule: Command = serde_json::from_value(serde_json::json!({
        "do": "rule", "matter": 1, "ruling": { "ruling": "stand" }, "reason": "dry again",
    }))
    .expect("a ruling");
    let before = decide(&table, "duty-manager", Post::DutyManager, rule.clone());
    assert_eq!(before, Err(ReasonKind::PostNotHeld), "{game}");
    assert!(decide(&table, "shift-manager", Post::ShiftManager, rule).is_ok(), "{game}");
}

every_game!(
    orders_of_a_post_are_for_those_who_hold_it,
    a_higher_post_assigns,
    a_shift_ends_its_posts_and_leaves_its_matters
);
