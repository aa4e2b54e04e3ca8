//! Interpretation 47 over its whole space: every game, every kind of ruling, before and after a result was shown, whoever
//! reports, rules and agrees.

#[macro_use]
mod games;
mod scripts;

use punto_record::{Actor, Command, Order, OrderId, ReasonKind, Timestamp};
use punto_rules::Post;
use punto_table::script::{Outcome, Script, play};
use punto_table::{Given, Table};
use scripts::approved;
use serde_json::{Value, json};

/// A game: its table, what stands behind a bet, who closes bets.
const GAMES: [(&str, &str, &str); 4] = [
    ("wu-song A", " box=1", "dealer dee: close-bets\n"),
    ("rws-baccarat A", " box=1", "dealer dee: close-bets\n"),
    ("da-hu-ying-xiong A", " box=1", "dealer dee: close-bets\n"),
    ("ncb-etg terminal", "", "+20s\nhouse: close-bets\n"),
];

/// How far the Round has come when somebody reports.
#[derive(Clone, Copy, Debug, PartialEq)]
enum When {
    Before,
    Shown,
    Settled,
}

/// A matter, a ruling on it, the least post that rules, and whether it voids or moves money.
struct Case {
    when: When,
    report: &'static str,
    ruling: Value,
    least: Post,
    moves: bool,
    /// Only where patrons choose (5.13/5.12), which the electronic game does not know.
    live_only: bool,
}

fn cases() -> Vec<Case> {
    let case = |when, report, ruling: Value, least, moves| Case {
        when,
        report,
        ruling,
        least,
        moves,
        live_only: false,
    };
    let (supervisor, shift) = (Post::PitSupervisor, Post::ShiftManager);
    let void = || json!({ "ruling": "void" });
    let proceed = || json!({ "ruling": "continue" });
    let in_order = |cards: [&str; 4]| json!({ "ruling": "in-order", "order": cards });
    let correct = || json!({ "ruling": "correct", "cards": ["2s", "9d", "7h", "Kd"] });
    let (shuffle, open, wrong) = ("not-shuffled", "uncovered words=fire", "wrong-result round=1 words=read");
    let mut cases = vec![
        case(When::Before, shuffle, void(), supervisor, true),
        case(When::Before, shuffle, json!({ "ruling": "misread" }), supervisor, false),
        case(When::Before, open, void(), shift, true),
        case(When::Before, open, proceed(), shift, false),
        case(When::Shown, shuffle, void(), supervisor, true),
        case(When::Shown, shuffle, json!({ "ruling": "misread" }), supervisor, false),
        case(When::Shown, open, void(), shift, true),
        case(When::Shown, open, proceed(), shift, false),
        case(When::Shown, open, in_order(["2s", "9d", "3h", "Kd"]), shift, false),
        case(When::Shown, open, in_order(["9d", "2s", "Kd", "3h"]), shift, true),
        case(When::Shown, wrong, correct(), supervisor, true),
        case(When::Shown, wrong, proceed(), supervisor, false),
        case(When::Settled, wrong, correct(), supervisor, true),
        case(When::Settled, wrong, json!({ "ruling": "stand" }), supervisor, false),
    ];
    // Asking patrons whether they take their bets back once they have seen the result moves money too.
    let other = "other-dealing-error words=mixed";
    for when in [When::Before, When::Shown] {
        cases.push(Case { live_only: true, ..case(when, other, proceed(), supervisor, true) });
    }
    cases
}

/// Dee, Ann and Tia dealt; all others did not.
fn table(game: (&str, &str, &str), when: When, reporter: &str, report: &str) -> Table {
    let (name, at, close) = game;
    let mut text = format!(
        "table {name}\ndealer dee: load-shoe card_set=blue-1 shuffled_by=shuffler-2\n\
         cashier: buy-credits patron=7 amount=5000\ndealer dee: open-bets\npatron 7: bet banker 500{at}\n{close}\
         dealer dee: draw 2s\nsupervisor ann: draw 9d\nshift-manager tia: draw 3h\n"
    );
    if when != When::Before {
        text += "dealer dee: draw Kd\n";
    }
    if when == When::Settled {
        text += "dealer dee: confirm-result\n";
    }
    text += &format!("{reporter}: report {report}\n");
    let played = play(&Script::parse(&text).expect("a script"), approved).expect("played");
    for (_, outcome) in played.steps.iter().flat_map(|step| &step.orders) {
        assert!(matches!(outcome, Outcome::Events(_)), "{text}{outcome:?}");
    }
    played.table
}

const RULERS: [(&str, Post); 5] = [
    ("ann", Post::PitSupervisor),
    ("ben", Post::PitSupervisor),
    ("tia", Post::ShiftManager),
    ("tom", Post::ShiftManager),
    ("uma", Post::DutyManager),
];

const SECONDS: [Option<(&str, Post)>; 9] = [
    None,
    Some(("ben", Post::PitSupervisor)),
    Some(("tom", Post::ShiftManager)),
    Some(("dee", Post::Dealer)),
    Some(("ann", Post::PitSupervisor)),
    Some(("eve", Post::Dealer)),
    Some(("fay", Post::PitSupervisor)),
    Some(("uma", Post::DutyManager)),
    Some(("", Post::PitManager)),
];

/// The reading, in its own words: who rules did not deal; after a result a second of standing who did not deal either.
fn expected(case: &Case, ruler: (&str, Post), second: Option<(&str, Post)>) -> Option<ReasonKind> {
    let dealt = |person: &str| ["dee", "ann", "tia"].contains(&person);
    if ruler.1 < case.least {
        return Some(ReasonKind::NotPermitted);
    }
    // Nobody's name is no name, whoever says it.
    if second.is_some_and(|(person, _)| person.is_empty()) {
        return Some(ReasonKind::UnfitText);
    }
    if dealt(ruler.0) {
        return Some(ReasonKind::DealtIt);
    }
    if case.when == When::Before || !case.moves {
        return None;
    }
    match second {
        Some((person, _)) if dealt(person) => Some(ReasonKind::DealtIt),
        Some((person, post)) if person != ruler.0 && post > Post::Dealer => None,
        Some(_) | None => Some(ReasonKind::SecondPersonNeeded),
    }
}

fn decide(table: &Table, case: &Case, by: (&str, Post), second: Option<(&str, Post)>) -> Option<ReasonKind> {
    let command: Command = serde_json::from_value(json!({
        "do": "rule", "matter": 1, "ruling": case.ruling, "reason": "seen",
        "second": second.map(|it| it.0), "second_post": second.map(|it| it.1),
    }))
    .expect("a ruling");
    let order = Order {
        id: OrderId { device: "pit".into(), n: 1 },
        by: Actor::Staff { person: by.0.parse().expect("a name"), post: by.1 },
        at: Timestamp(table.state().now.0 + 1000),
        round: None,
        command,
    };
    table.decide(&order, &Given::default()).err().map(|it| it.reason.kind())
}

fn tried(game: (&str, &str, &str)) -> usize {
    let (mut count, mut wrong) = (0, Vec::new());
    for case in cases().into_iter().filter(|it| !(it.live_only && game.0.starts_with("ncb-etg"))) {
        for reporter in ["dealer dee", "supervisor ben", "shift-manager tom", "dealer eve"] {
            let table = table(game, case.when, reporter, case.report);
            for by in RULERS {
                for second in SECONDS {
                    let (is, should) = (decide(&table, &case, by, second), expected(&case, by, second));
                    if is != should {
                        let Case { when, report, ruling, .. } = &case;
                        wrong.push(format!(
                            "{when:?}, {reporter} reports {report}, {by:?} rules {ruling} with {second:?}: {is:?}, not {should:?}"
                        ));
                    }
                    count += 1;
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}: {} of {count}\n{}", game.0, wrong.len(), wrong.join("\n"));
    count
}

fn whoever_rules_did_not_deal_and_money_takes_two(game: &str) {
    let of_game = |it: &(&str, &str, &str)| it.0.split(' ').next() == Some(game);
    let tables = GAMES.into_iter().find(of_game).expect("a game");
    // Nobody chooses in the electronic game.
    let cases = if game == "ncb-etg" { 14 } else { 16 };
    assert_eq!(tried(tables), cases * 4 * 5 * 9);
}

every_game!(whoever_rules_did_not_deal_and_money_takes_two);

/// A card that was carried was drawn in the Round before; what a reader reads, the Dealer at the table draws.
#[test]
fn who_dealt_is_remembered_beyond_the_draw() {
    let round = |cards: &str| {
        format!(
            "dealer dee: open-bets\npatron 7: bet banker 500 box=1\ndealer dee: close-bets\n{cards}\
             dealer dee: confirm-result\n"
        )
    };
    let text = String::from("table wu-song A\ndealer dee: load-shoe card_set=b shuffled_by=s\n")
        + "administrator: take-post person=gil post=dealer\ncashier: buy-credits patron=7 amount=5000\n"
        + &round(
            "supervisor ann: draw 2s\ndealer dee: draw 9d 3h Kd\nhouse: draw 4s\nmanager: rule 1 reconstruct reason=so\n",
        )
        + "dealer dee: open-bets\n";
    let played = play(&Script::parse(&text).expect("a script"), approved).expect("played");
    let state = played.table.state();
    let dealt =
        |round, person: &str| state.dealt(punto_record::RoundNo(round), &person.parse().expect("a name"));
    for person in ["dee", "ann", "gil"] {
        assert!(dealt(1, person), "{person} drew a card of the first Round");
        assert!(dealt(2, person), "{person} drew a card that opens the second");
    }
    assert!(!dealt(1, "manager") && !dealt(2, "manager"));
    let again = Table::from_snapshot(&played.table.snapshot()).expect("a snapshot");
    assert_eq!(again.state().dealt, state.dealt);
}
