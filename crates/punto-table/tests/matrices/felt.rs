//! Interpretation 31: which cards are out after an interruption, by list, post and second person, and what may be ruled
//! where the list says otherwise than the record.

use punto_record::{Actor, Command, Event, Person, ReasonKind, Report, Ruling};
use punto_rules::Post;
use punto_table::Table;

use crate::{after, cards, decide, rule, rulings, staff, table};

/// Two cards were read: lists that go on from there, and lists that say otherwise.
const GOES_ON: [&str; 2] = ["9s 2d", "9s 2d Kh"];
const OTHERWISE: [&str; 5] = ["", "9s", "2d 9s", "9s 3d", "8s 2d Kh"];

fn interrupted(game: &str) -> Table {
    table(
        game,
        "",
        "dealer: open-bets\nBETS\nCLOSE\ndealer: draw 9s 2d\ndealer: report technical-interruption\n",
    )
}

fn confirm(list: &str, second: Option<&str>) -> Command {
    Command::ConfirmCards { cards: cards(list), second: second.map(Person::as_recorded) }
}

/// A Pit Supervisor or above who did not deal, with somebody else, whatever the list; no card more is a list too.
fn two_people_say_what_lies_on_the_felt(game: &str) {
    let table = interrupted(game);
    for list in GOES_ON.into_iter().chain(OTHERWISE) {
        for post in Post::ALL {
            let told = format!("{game}: [{list}] by {}", post.id());
            let by = staff(post);
            let own = by.person().expect("somebody").as_str().to_owned();
            for (second, agrees) in [(None, false), (Some(own.as_str()), false), (Some("dealer"), true)] {
                let says = decide(&table, &by, confirm(list, second)).err().map(|it| it.reason.kind());
                let expected = match (post >= Post::PitSupervisor, agrees) {
                    (false, _) => Some(ReasonKind::NotPermitted),
                    (true, false) => Some(ReasonKind::SecondPersonNeeded),
                    (true, true) => None,
                };
                assert_eq!(says, expected, "{told} with {second:?}");
            }
        }
        let dealt = Actor::Staff { person: "dealer".into(), post: Post::PitSupervisor };
        let says = decide(&table, &dealt, confirm(list, Some("somebody"))).expect_err(game).reason.kind();
        assert_eq!(says, ReasonKind::DealtIt, "{game}: [{list}]");
    }
}

/// What was read is evidence: nothing is applied before it is ruled which of the two lists stands, and no third one does.
fn what_was_read_is_not_said_otherwise_without_a_ruling(game: &str) {
    let (table, supervisor) = (interrupted(game), staff(Post::PitSupervisor));
    let applies = |it: &Event| {
        matches!(
            it,
            Event::CardsConfirmed { .. } | Event::InterruptionResolved { .. } | Event::RoundVoided { .. }
        )
    };
    for list in GOES_ON {
        let events = decide(&table, &supervisor, confirm(list, Some("dealer"))).expect(game);
        assert!(events.iter().any(applies), "{game}: [{list}]");
    }
    for list in OTHERWISE {
        let told = format!("{game}: [{list}]");
        let events = decide(&table, &supervisor, confirm(list, Some("dealer"))).expect(&told);
        let [Event::MatterOpened { report: Report::CardsInDispute { confirmed, .. }, decides, .. }] =
            &events[..]
        else {
            panic!("{told}: {events:?}")
        };
        assert_eq!((confirmed, *decides), (&cards(list), Some(Post::PitSupervisor)), "{told}");
        let disputed = after(&table, &supervisor, confirm(list, Some("dealer")));
        for (says, stands) in [("9s 2d", true), (list, true), ("Kh Kc", false)] {
            for ruling in rulings(&cards(says)) {
                for post in Post::ALL {
                    let told = format!("{told}: {ruling:?} by {}", post.id());
                    let answer = decide(&disputed, &staff(post), rule(1, &ruling));
                    let expected = match (&ruling, post >= Post::PitSupervisor) {
                        (_, false) => Some(ReasonKind::NotPermitted),
                        (Ruling::Correct { .. }, true) if stands => None,
                        (Ruling::Correct { .. }, true) => Some(ReasonKind::CardsDoNotAddUp),
                        (_, true) => Some(ReasonKind::RulingNotAllowed),
                    };
                    assert_eq!(answer.err().map(|it| it.reason.kind()), expected, "{told}");
                }
            }
        }
    }
}

every_game!(two_people_say_what_lies_on_the_felt, what_was_read_is_not_said_otherwise_without_a_ruling);
