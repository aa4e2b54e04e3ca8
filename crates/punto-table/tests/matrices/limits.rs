//! Interpretation 48: limits change between Rounds and as announced, in every game and from wherever a table stands.

use std::collections::BTreeMap;

use punto_record::{Command, Event, ReasonKind};
use punto_rules::{BoxLimits, Money, Post, Range};
use punto_table::Table;

use crate::{after, decide, staff, table};

/// Where a table may stand when other limits are announced.
const STANDS: [(&str, &str); 7] = [
    ("between", ""),
    ("betting", "dealer: open-bets\nBETS\n"),
    ("dealing", "dealer: open-bets\nBETS\nCLOSE\ndealer: draw 9s\n"),
    ("unread", "dealer: open-bets\nBETS\nCLOSE\ndealer: draw unreadable\n"),
    ("held", "dealer: open-bets\nBETS\nCLOSE\ndealer: report not-shuffled\n"),
    ("confirming", "dealer: open-bets\nBETS\nCLOSE\ndealer: draw 9s 2d Kh Kc\n"),
    ("settled", "dealer: open-bets\nBETS\nCLOSE\ndealer: draw 9s 2d Kh Kc\ndealer: confirm-result\n"),
];
const NOTICE: u64 = 300_000;

fn money(amount: u64) -> Money {
    Money::new(amount).expect("an amount")
}

/// Limits that no table here has.
fn other(table: &Table) -> Command {
    let boxes = table.law().is_some_and(|law| law.terms.box_limits().is_some());
    Command::ChangeLimits {
        betting_box: boxes.then_some(BoxLimits { minimum: money(800), differential: money(8000) }),
        bets: BTreeMap::new(),
        other_bets: (!boxes).then_some(Range { minimum: money(80), maximum: money(8000) }),
    }
}

/// What is in force, as it is displayed.
fn in_force(table: &Table) -> (Option<BoxLimits>, BTreeMap<punto_rules::BetId, Range>) {
    let settings = table.state().settings.as_ref().expect("an open table");
    let law = table.law().expect("a law");
    assert_eq!((settings.betting_box, &settings.bets), (law.settings.betting_box, &law.settings.bets));
    (settings.betting_box, settings.bets.clone())
}

fn limits_are_announced_from_anywhere_and_change_at_the_next_opening(game: &str) {
    for (stands, lines) in STANDS {
        let before = table(game, "", lines);
        let now = before.state().now.0;
        for post in Post::ALL {
            let told = format!("{game}, {stands}, {}", post.id());
            let decided = decide(&before, &staff(post), other(&before));
            if post < Post::PitSupervisor {
                let refused = decided.expect_err(&told).reason.kind();
                assert_eq!(refused, ReasonKind::NotPermitted, "{told}");
                continue;
            }
            let events = decided.unwrap_or_else(|refused| panic!("{told}: {refused}"));
            let [Event::LimitsAnnounced { from, .. }] = events.as_slice() else {
                panic!("{told}: {events:?}")
            };
            assert_eq!(from.0, now + 1_000 + NOTICE, "{told}");
            let announced = after(&before, &staff(post), other(&before));
            assert_eq!(in_force(&announced), in_force(&before), "{told}: at once");
            assert!(announced.state().announced.is_some(), "{told}");
        }
    }
}

/// Opened before the notice is over, limits are the old ones; at its last moment, the new ones.
fn the_notice_is_whole(game: &str) {
    let before = table(game, "", "");
    let announced = after(&before, &staff(Post::PitSupervisor), other(&before));
    let from = announced.state().announced.as_ref().expect("announced").from.0;
    for (at, changed) in [(from - 1, false), (from, true), (from + 1, true)] {
        let order = punto_record::Order {
            id: punto_record::OrderId { device: "anywhere".into(), n: 1 },
            by: staff(Post::Dealer),
            at: punto_record::Timestamp(at),
            round: None,
            command: Command::OpenBets {},
        };
        let events = announced.decide(&order, &punto_table::Given::default()).expect(game);
        let changes = |event: &Event| matches!(event, Event::LimitsChanged { .. });
        assert_eq!(events.iter().position(changes), changed.then_some(0), "{game} at {at}");
        let mut opened = announced.clone();
        events.iter().for_each(|event| opened.apply(event));
        assert_eq!(in_force(&opened) != in_force(&before), changed, "{game} at {at}");
        assert_eq!(opened.state().announced.is_none(), changed, "{game} at {at}");
    }
}

/// A later announcement takes the place of an earlier one and has its own notice; that of the limits in force takes it back.
fn the_last_announcement_counts(game: &str) {
    let before = table(game, "", "");
    let supervisor = staff(Post::PitSupervisor);
    let (betting_box, bets) = in_force(&before);
    let same = Command::ChangeLimits { betting_box, bets, other_bets: None };
    let refused = decide(&before, &supervisor, same.clone()).expect_err(game);
    assert_eq!(refused.reason.kind(), ReasonKind::Nothing, "{game}");
    let once = after(&before, &supervisor, other(&before));
    let back = after(&once, &supervisor, same);
    let from = |table: &Table| table.state().announced.as_ref().map(|it| it.from);
    assert!(from(&back) > from(&once), "{game}");
    let announced = back.state().announced.clone().expect("announced");
    assert_eq!((announced.betting_box, announced.bets), in_force(&before), "{game}");
}

/// Settings for which something was announced give way to others, and so does the announcement.
fn a_table_that_is_closed_forgets_what_was_announced(game: &str) {
    let lines = "dealer: retire-shoe reason=over\ncashier: cash-out patron=7\n";
    let before = table(game, "", lines);
    let announced = after(&before, &staff(Post::PitSupervisor), other(&before));
    let closed = after(&announced, &staff(Post::PitSupervisor), Command::CloseTable {});
    assert_eq!(closed.state().announced, None, "{game}");
}

every_game!(
    limits_are_announced_from_anywhere_and_change_at_the_next_opening,
    the_notice_is_whole,
    the_last_announcement_counts,
    a_table_that_is_closed_forgets_what_was_announced
);
