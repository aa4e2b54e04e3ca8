//! Who may give which order: two readings, the table's and the auditor's, agree on every person and every order.

use punto_audit::permitted;
use punto_record::{Actor, CommandKind};
use punto_rules::{PatronNo, Post};

fn actors() -> Vec<(&'static str, Actor)> {
    let staff = |post| Actor::Staff { person: "s".into(), post };
    vec![
        ("P", Actor::Patron { patron: PatronNo(7) }),
        ("D", staff(Post::Dealer)),
        ("S", staff(Post::PitSupervisor)),
        ("M", staff(Post::PitManager)),
        ("T", staff(Post::ShiftManager)),
        ("U", staff(Post::DutyManager)),
        ("C", Actor::Cashier { person: "c".into() }),
        ("A", Actor::Auditor { person: "a".into() }),
        ("O", Actor::Administrator { person: "o".into() }),
        ("H", Actor::House),
    ]
}

#[test]
fn both_readings_agree() {
    for kind in CommandKind::ALL {
        let acceptor = Actor::Acceptor { acceptor: "acceptor-7".into(), patron: punto_rules::PatronNo(7) };
        for (letter, actor) in actors().into_iter().chain([("note acceptor", acceptor)]) {
            let may = kind.facts().by.includes(&actor);
            assert_eq!(permitted(*kind, &actor), may, "{} by {letter}", kind.id());
        }
    }
}

#[test]
fn the_matrix_of_the_documents_says_the_same() {
    let text = include_str!("../../punto-table/tests/data/posts.txt");
    let rows = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).skip(1);
    let mut count = 0;
    for row in rows {
        let mut words = row.split_whitespace();
        let command = words.next().expect("a command");
        let kind = CommandKind::ALL.iter().find(|kind| kind.id() == command).expect("a command");
        for ((letter, actor), word) in actors().iter().zip(words) {
            // 5.17/5.16: nobody from Shift Manager up is a Pit Employee; which games let staff bet at all is the table's own.
            let bets = matches!(kind, CommandKind::PlaceWager | CommandKind::WithdrawWager)
                && matches!(*letter, "T" | "U");
            // Who rules is a question of the matter; no approved game leaves one to a Dealer.
            let rules = *kind == CommandKind::Rule && *letter == "D";
            // Below the Shift Manager, only the dispute that play waits for (interpretation 43).
            let decides = *kind == CommandKind::CloseDispute && matches!(*letter, "S" | "M");
            let may = word == "+" || bets || rules || decides;
            assert_eq!(permitted(*kind, actor), may, "{command} by {letter}");
        }
        count += 1;
    }
    assert_eq!(count, CommandKind::ALL.len());
}
