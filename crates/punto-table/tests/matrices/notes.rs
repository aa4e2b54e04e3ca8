//! Interpretation 41: every game, every stage of a table, everybody, every note, case and box, tried out whole.

use punto_record::{
    Actor, CaseNo, CaseOutcome, CaseReport, Command, DropNo, Event, Order, OrderId, Rejection, Timestamp,
};
use punto_rules::{Money, PatronNo, Post};
use punto_table::script::{Script, play};
use punto_table::{Given, Table};

use crate::scripts::approved;
use crate::{decide, staff, table};

const OPEN: &str = "dealer: open-bets\nBETS\n";
const CLOSED: &str =
    "dealer: retire-shoe reason=worn\npatron 7: cash-out patron=7\nsupervisor: close-table\n";

/// Every stage at which a table can be, by what led to it.
fn stages() -> Vec<(&'static str, String)> {
    let dealing = format!("{OPEN}CLOSE\ndealer: draw 9s 2d\n");
    vec![
        ("between", String::new()),
        ("betting", OPEN.to_owned()),
        ("dealing", dealing.clone()),
        ("unread", format!("{dealing}dealer: draw unreadable\n")),
        ("held", format!("{dealing}dealer: report uncovered words=\"a glass fell over\"\n")),
        ("confirming", format!("{dealing}dealer: draw Kh Kc\n")),
        ("interrupted", format!("{dealing}dealer: report technical-interruption\n")),
        ("closed", CLOSED.to_owned()),
    ]
}

/// A live table where patrons bet with chips.
fn chips(game: &str) -> Table {
    let text = format!("table {game} A money=chips\n");
    play(&Script::parse(&text).expect("a script"), approved).expect("played").table
}

fn acceptor(patron: u32) -> Actor {
    Actor::Acceptor {
        acceptor: format!("acceptor-{patron}").parse().expect("a name"),
        patron: PatronNo(patron),
    }
}

fn everybody() -> Vec<Actor> {
    let person = || "somebody".into();
    let mut all = vec![
        acceptor(7),
        acceptor(8),
        Actor::Patron { patron: PatronNo(7) },
        Actor::Patron { patron: PatronNo(8) },
        Actor::Cashier { person: person() },
        Actor::Auditor { person: person() },
        Actor::Administrator { person: person() },
        Actor::House,
    ];
    all.extend(Post::ALL.into_iter().map(staff));
    all
}

fn money(amount: u64) -> Money {
    Money::new(amount).expect("little")
}

fn word(decided: &Result<Vec<Event>, Rejection>) -> String {
    match decided {
        Ok(events) => events.iter().map(|it| it.kind().id()).collect::<Vec<_>>().join(" "),
        Err(no) => format!("! {}", no.reason.kind().id()),
    }
}

/// What happened where something else should have: all of it is told at the end.
#[derive(Default)]
struct Wrong(Vec<String>);

impl Wrong {
    fn expect(&mut self, told: &str, decided: &Result<Vec<Event>, Rejection>, expected: &str) {
        if word(decided) != expected {
            self.0.push(format!("{told}: {} and not {expected}", word(decided)));
        }
    }
}

impl Drop for Wrong {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            assert!(self.0.is_empty(), "{} wrong:\n{}", self.0.len(), self.0.join("\n"));
        }
    }
}

fn notes_are_taken_from_their_acceptor_alone(game: &str) {
    let mut wrong = Wrong::default();
    for (stage, lines) in stages() {
        let at = table(game, "", &lines);
        for by in everybody() {
            for (patron, amount) in [(7, 1_000), (7, 0), (8, 1_000), (7, Money::MAX.get())] {
                let note = Command::AcceptNote { patron: PatronNo(patron), amount: money(amount) };
                let decided = decide(&at, &by, note);
                let own = matches!(by, Actor::Acceptor { patron: it, .. } if it == PatronNo(patron));
                let expected = match (&by, stage) {
                    (_, "closed") => "! table-not-open",
                    (Actor::Acceptor { .. }, _) if !own => "! not-yours",
                    (Actor::Acceptor { .. }, "interrupted") => "! table-interrupted",
                    (Actor::Acceptor { .. }, _) if amount == 0 => "! nothing",
                    (Actor::Acceptor { .. }, _) if amount > 1_000 => "! more-than-there",
                    (Actor::Acceptor { .. }, _) => "note-accepted",
                    (_, _) => "! not-permitted",
                };
                wrong.expect(&format!("{game} {stage} {by:?} {patron} {amount}"), &decided, expected);
            }
        }
    }
    if game != "ncb-etg" {
        let note = Command::AcceptNote { patron: PatronNo(7), amount: money(1_000) };
        wrong.expect(&format!("{game} chips"), &decide(&chips(game), &acceptor(7), note), "! wrong-money");
    }
}

fn reports() -> Vec<(CaseReport, bool)> {
    let note = |acceptor: &str, amount: Option<u64>, words: &str| CaseReport::NoteNotCredited {
        acceptor: acceptor.parse().expect("a name"),
        amount: amount.map(money),
        words: words.into(),
    };
    let ticket = |ticket: &str| CaseReport::TicketNotTaken { ticket: ticket.parse().expect("a name") };
    // Whether it says what it is about.
    vec![
        (note("acceptor-7", Some(1_000), "jammed"), true),
        (note("acceptor-7", None, "jammed"), true),
        (note("acceptor-8", Some(1_000), "jammed"), true),
        (note("acceptor-7", Some(0), "jammed"), false),
        (note("acceptor-7", Some(1_000), " "), false),
        (ticket("ticket-1"), true),
    ]
}

fn a_case_is_taken_at_every_stage(game: &str) {
    let mut wrong = Wrong::default();
    for (stage, lines) in stages() {
        let at = table(game, "", &lines);
        for by in everybody() {
            for (report, says) in reports() {
                let case = Command::ReportCase { patron: PatronNo(7), report: report.clone() };
                let decided = decide(&at, &by, case);
                let is_own = |it: &CaseReport| match it {
                    CaseReport::NoteNotCredited { acceptor, .. } => acceptor.as_str() == "acceptor-7",
                    CaseReport::TicketNotTaken { .. } => true,
                };
                let expected = match &by {
                    _ if stage == "closed" => Some("! table-not-open"),
                    Actor::Acceptor { patron: PatronNo(7), .. } if !is_own(&report) => Some("! not-yours"),
                    Actor::Acceptor { patron: PatronNo(7), .. } | Actor::Staff { .. } => {
                        says.then_some("case-opened")
                    }
                    Actor::Acceptor { .. } => Some("! not-yours"),
                    Actor::Patron { .. }
                    | Actor::Cashier { .. }
                    | Actor::Auditor { .. }
                    | Actor::Administrator { .. }
                    | Actor::House => Some("! not-permitted"),
                };
                let told = format!("{game} {stage} {by:?} {report:?}");
                match expected {
                    Some(expected) => wrong.expect(&told, &decided, expected),
                    None if decided.is_ok() => wrong.0.push(told),
                    None => {}
                }
            }
        }
    }
}

fn case(game: &str, lines: &str, report: &str) -> Table {
    table(game, "", &format!("{lines}acceptor 7: report-case patron=7 report='{report}'\n"))
}

fn a_case_is_settled_by_two_and_for_its_note(game: &str) {
    let mut wrong = Wrong::default();
    let kinds = [
        (
            r#"{"case":"note-not-credited","acceptor":"acceptor-7","amount":1000,"words":"jammed"}"#,
            Some(Some(1_000)),
        ),
        (r#"{"case":"note-not-credited","acceptor":"acceptor-7","words":"torn"}"#, Some(None)),
        (r#"{"case":"ticket-not-taken","ticket":"ticket-1"}"#, None),
    ];
    let outcomes = |amount| [CaseOutcome::Credited { amount }, CaseOutcome::Paid { amount }];
    for (report, note) in &kinds {
        for lines in ["", OPEN] {
            let at = case(game, lines, report);
            for by in everybody() {
                for second in [None, Some("attendant".into()), by.person().cloned()] {
                    let mut tries: Vec<(CaseOutcome, bool)> =
                        vec![(CaseOutcome::HandedOver {}, true), (CaseOutcome::Nothing {}, true)];
                    for amount in [0, 500, 1_000, 1_001] {
                        let most = note.map(|read| read.unwrap_or(u64::MAX));
                        let fits = amount > 0 && most.is_some_and(|most| amount <= most);
                        tries.extend(outcomes(money(amount)).map(|it| (it, fits)));
                    }
                    let permitted = by.post().is_some_and(|post| post >= Post::PitSupervisor);
                    let agrees = second.as_ref().is_some_and(|it| it.as_str() == "attendant");
                    for (outcome, fits) in tries {
                        let settle = |case: u32, reason: &str| Command::SettleCase {
                            case: CaseNo(case),
                            outcome: outcome.clone(),
                            reason: reason.into(),
                            second: second.clone(),
                        };
                        let told = format!("{game} {report} {by:?} {second:?} {outcome:?}");
                        let decided = decide(&at, &by, settle(1, "seen in the box"));
                        if decided.is_ok() != (permitted && agrees && fits) {
                            wrong.0.push(format!("{told}: {}", word(&decided)));
                        }
                        if !permitted {
                            wrong.expect(&told, &decided, "! not-permitted");
                        } else {
                            wrong.expect(&told, &decide(&at, &by, settle(2, "seen")), "! no-such-case");
                            wrong.expect(&told, &decide(&at, &by, settle(1, " ")), "! no-reason");
                        }
                    }
                }
            }
        }
    }
}

const NOTE: &str = "acceptor 7: accept-note patron=7 amount=2000\n";
const OUT: &str = "supervisor: empty-acceptor acceptor=acceptor-7 second=attendant\n";

fn a_box_is_taken_out_by_two_and_counted_by_two_others(game: &str) {
    let mut wrong = Wrong::default();
    for (stage, lines) in stages() {
        // The note comes before, and the box out before the table closes.
        let full = (stage != "closed").then(|| table(game, "", &format!("{NOTE}{lines}")));
        let out = table(game, "", &format!("{NOTE}{OUT}{lines}"));
        for by in everybody() {
            for second in [None, Some("attendant"), Some("supervisor"), Some("manager")] {
                let told = format!("{game} {stage} {by:?} {second:?}");
                let agrees = second.is_some();
                let is_supervisor = by.post().is_some_and(|post| post >= Post::PitSupervisor);
                if let Some(full) = &full {
                    let empty = |acceptor: &str| Command::EmptyAcceptor {
                        acceptor: acceptor.parse().expect("a name"),
                        second: second.map(Into::into),
                    };
                    let expected = match (is_supervisor, stage, agrees) {
                        (false, _, _) => "! not-permitted",
                        (true, "interrupted", _) => "! table-interrupted",
                        (true, _, false) => "! second-person-needed",
                        (true, _, true) => "acceptor-emptied",
                    };
                    wrong.expect(&told, &decide(full, &by, empty("acceptor-7")), expected);
                    if expected == "acceptor-emptied" {
                        let other = decide(full, &by, empty("acceptor-8"));
                        wrong.expect(&told, &other, "! no-such-acceptor");
                    }
                }
                let count = |drop: u32, counted: u64| Command::CountAcceptor {
                    drop: DropNo(drop),
                    counted: money(counted),
                    second: second.map(Into::into),
                };
                // Neither of the two who took it out, also when the table is closed.
                let others = agrees && second == Some("manager");
                let expected = match (&by, stage) {
                    (Actor::Cashier { .. }, "interrupted") => "! table-interrupted",
                    (Actor::Cashier { .. }, _) if !others => "! second-person-needed",
                    (Actor::Cashier { .. }, _) => "acceptor-counted",
                    (_, _) => "! not-permitted",
                };
                for counted in [0, 1_999, 2_000, 2_001] {
                    wrong.expect(&told, &decide(&out, &by, count(1, counted)), expected);
                }
                if expected == "acceptor-counted" {
                    wrong.expect(&told, &decide(&out, &by, count(2, 2_000)), "! no-such-drop");
                }
            }
        }
    }
}

/// Whoever took a box out counts it in no role, as giver or as second person.
fn nobody_counts_what_they_took_out(game: &str) {
    let mut wrong = Wrong::default();
    let out = table(game, "", &format!("{NOTE}{OUT}"));
    let people = ["supervisor", "attendant", "cashier", "manager"];
    for first in people {
        for second in people {
            let took = |it: &str| ["supervisor", "attendant"].contains(&it);
            let count = Command::CountAcceptor {
                drop: DropNo(1),
                counted: money(2_000),
                second: Some(second.into()),
            };
            let decided = decide(&out, &Actor::Cashier { person: first.into() }, count);
            let may = first != second && !took(first) && !took(second);
            let expected = if may { "acceptor-counted" } else { "! second-person-needed" };
            wrong.expect(&format!("{game} {first} {second}"), &decided, expected);
        }
    }
}

/// A report that is repeated is the same note; one under another number is another note.
fn a_note_is_credited_once(game: &str) {
    let mut wrong = Wrong::default();
    for (stage, lines) in stages().into_iter().filter(|(it, _)| !["closed", "interrupted"].contains(it)) {
        let at = table(game, "", &lines);
        let note = |n: u64, amount: u64| Order {
            id: OrderId { device: "acceptor-7".into(), n },
            by: acceptor(7),
            at: Timestamp(at.state().now.0 + 1_000),
            round: None,
            command: Command::AcceptNote { patron: PatronNo(7), amount: money(amount) },
        };
        let order = note(1, 1_000);
        let events = at.decide(&order, &Given::default()).expect("taken");
        let mut taken = at.clone();
        taken.enter(&punto_record::Entry {
            seq: at.state().seq.next(),
            order: order.clone(),
            events,
            release: punto_record::Release("test".into()),
            mandates: None,
        });
        let told = format!("{game} {stage}");
        let credits = |table: &Table| table.state().account(PatronNo(7)).expect("known").credits.get();
        if credits(&taken) != credits(&at) + 1_000 {
            wrong.0.push(format!("{told}: {} credits", credits(&taken)));
        }
        if taken.answered(&order).is_none() {
            wrong.0.push(format!("{told}: the same report is not answered as before"));
        }
        let other = taken.decide(&note(1, 2_000), &Given::default());
        wrong.expect(&told, &other, "! order-id-reused");
        wrong.expect(&told, &taken.decide(&note(2, 1_000), &Given::default()), "note-accepted");
    }
}

/// A table closes once nothing is in an acceptor and no case is open; boxes that are out do not keep it.
fn a_table_waits_for_its_acceptors(game: &str) {
    let mut wrong = Wrong::default();
    let report = r#"acceptor 7: report-case patron=7 report='{"case":"ticket-not-taken","ticket":"t-1"}'"#;
    let settled =
        "supervisor: settle-case case=1 outcome='{\"outcome\":\"nothing\"}' reason=found second=attendant\n";
    let ends = "patron 7: cash-out patron=7\ndealer: retire-shoe reason=worn\n";
    for (case, case_is) in [("", false), ("open", true), ("settled", false)] {
        for (notes, holds) in [("", false), ("in", true), ("out", false)] {
            let mut lines = String::new();
            if !notes.is_empty() {
                lines += NOTE;
            }
            if notes == "out" {
                lines += OUT;
            }
            if !case.is_empty() {
                lines += &format!("{report}\n");
            }
            if case == "settled" {
                lines += settled;
            }
            let told = format!("{game}: case {case}, notes {notes}");
            let ready = table(game, "", &format!("{lines}{ends}"));
            let expected = match (case_is, holds) {
                (true, _) => "! case-open",
                (false, true) => "! acceptor-holds",
                (false, false) => "table-closed",
            };
            let close = |at: &Table| decide(at, &staff(Post::PitSupervisor), Command::CloseTable {});
            let decided = close(&ready);
            wrong.expect(&told, &decided, expected);
            let cited = decided.as_ref().err().map(|no| no.cite.as_ref().map(ToString::to_string));
            if cited.is_some_and(|cite| cite.as_deref() != Some("interpretation 41")) {
                wrong.0.push(format!("{told}: {decided:?}"));
            }
            // Credits come first, a shoe after.
            let before = table(game, "", &lines);
            wrong.expect(&told, &close(&before), "! credits-stand");
            if game != "ncb-etg" {
                let mut settings = Box::new(ready.law().expect("open").settings.clone());
                settings.money = punto_record::MoneyKind::Chips;
                let rulebook = approved(game).expect("a game");
                let change = Command::ChangeSettings { settings, rulebook, second: None };
                let expected = if expected == "table-closed" { "settings-changed" } else { expected };
                let office = Actor::Administrator { person: "office".into() };
                wrong.expect(&told, &decide(&ready, &office, change), expected);
            }
        }
    }
}

every_game!(
    notes_are_taken_from_their_acceptor_alone,
    a_case_is_taken_at_every_stage,
    a_case_is_settled_by_two_and_for_its_note,
    a_box_is_taken_out_by_two_and_counted_by_two_others,
    nobody_counts_what_they_took_out,
    a_note_is_credited_once,
    a_table_waits_for_its_acceptors
);
