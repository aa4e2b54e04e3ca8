//! An order with several faults is answered with the first of them, in the order of `ReasonKind`.

mod scripts;

use punto_record::{Actor, Command, Event, Order, OrderId, ReasonKind, Timestamp};
use punto_table::script::{Outcome, Script, play};
use punto_table::{Given, Table};
use scripts::approved;

const LIVE: &str = "table wu-song A
dealer: load-shoe card_set=blue-1 shuffled_by=shuffler-2
cashier: buy-credits patron=7 amount=1000
";
const DOWN: &str = "table wu-song A faces=down
dealer: load-shoe card_set=blue-1 shuffled_by=shuffler-2
cashier: buy-credits patron=7 amount=1000
";
const BETS: &str = "dealer: open-bets
patron 7: bet banker 500 box=1
";
const FELT: &str = "table wu-song A money=chips limits=observed
supervisor: open-float amount=100000
dealer: load-shoe card_set=blue-1 shuffled_by=shuffler-2
dealer: open-bets
";
const CLOSE: &str = "dealer: close-bets\n";

/// The last line of the script is refused; it has all these faults.
fn answers(faults: &[&str], script: &[&str]) {
    let text = script.concat();
    let played = play(&Script::parse(&text).expect("a script"), approved).expect("played");
    let (last, before) = played.steps.split_last().expect("a line");
    for (_, outcome) in before.iter().flat_map(|step| &step.orders) {
        assert!(matches!(outcome, Outcome::Events(_)), "{text}\n{outcome:?}");
    }
    let kind = |id: &&str| ReasonKind::ALL.iter().find(|kind| kind.id() == *id).expect("a reason");
    let first = faults.iter().map(kind).min().expect("faults");
    let Some((_, Outcome::Refused(rejection))) = last.orders.last() else {
        panic!("{}: not refused", last.line.text)
    };
    assert_eq!(rejection.reason.kind(), *first, "{} has {faults:?}", last.line.text);
}

#[test]
fn the_order_itself_comes_first() {
    answers(&["order-id-reused", "bets-stand"], &[LIVE, BETS, "patron 7 #1: cash-out patron=7"]);
    answers(&["superseded", "bets-open"], &[LIVE, BETS, "dealer #1: confirm-result"]);
}

#[test]
fn then_the_table_and_the_person() {
    answers(&["table-not-open", "not-permitted"], &["auditor: open-bets"]);
    answers(&["not-permitted", "bets-not-open"], &[LIVE, "auditor: close-bets"]);
    answers(&["not-permitted", "bets-not-open"], &[LIVE, "house: close-bets"]);
    answers(
        &["not-yours", "wrong-round", "bets-not-open", "no-such-box"],
        &[LIVE, "patron 8 @99: bet banker 0 for 7 box=99"],
    );
    answers(&["not-yours", "wrong-money"], &[FELT, "patron 7: bet banker 100 for 8 box=1"]);
    answers(
        &["wrong-money", "bets-not-open"],
        &["table wu-song A money=chips\n", "dealer: record-chips patron=7 box=1 bet=banker stake=100"],
    );
    answers(
        &["wrong-game", "no-round"],
        &["table ncb-etg terminal\n", "patron 7: ask-squeeze patron=7 card=1"],
    );
}

/// A record whose rule book this release cannot read: the table stands, and says so to everybody.
#[test]
fn an_unreadable_rule_book_comes_before_the_person() {
    let played = play(&Script::parse(LIVE).expect("a script"), approved).expect("played");
    let mut table = Table::default();
    for entry in &played.entries {
        let mut entry = entry.clone();
        for event in &mut entry.events {
            if let Event::TableOpened { rulebook, .. } = event {
                *rulebook = "format = 99".into();
            }
        }
        table.enter(&entry);
    }
    assert_eq!(table.state().shoe, played.table.state().shoe, "replay needs no rule book");
    let id = OrderId { device: "anywhere".into(), n: 1 };
    let by = Actor::Auditor { person: "a".into() };
    let order = Order { id, by, at: Timestamp(0), round: None, command: Command::OpenBets {} };
    let refused = table.decide(&order, &Given::default()).expect_err("no law");
    assert_eq!(refused.reason.kind(), ReasonKind::RulebookUnreadable);
}

#[test]
fn then_the_round_and_the_phase() {
    answers(&["wrong-round", "unknown-bet", "no-such-box"], &[LIVE, BETS, "patron 7 @99: bet fish 0 box=99"]);
    answers(
        &["bets-closed", "unknown-bet", "no-such-box"],
        &[LIVE, BETS, CLOSE, "patron 7: bet fish 0 box=99"],
    );
    answers(&["no-round", "not-face-down"], &[LIVE, "dealer: report face-up"]);
    let settled = [LIVE, BETS, CLOSE, "dealer: draw 2s 9d 3h Kd\ndealer: confirm-result\n"].concat();
    answers(
        &["ruling-pending", "closing-not-announced", "credits-stand", "shoe-in-use"],
        &[&settled, "dealer: report wrong-result round=1 words=shown\n", "supervisor: close-table"],
    );
    answers(
        &["card-unread", "cards-do-not-add-up"],
        &[LIVE, BETS, CLOSE, "dealer: draw unreadable\n", "dealer: report simultaneous-draw cards=[2s]"],
    );
}

#[test]
fn then_the_shoe() {
    answers(
        &["not-shuffled", "must-exchange"],
        &[
            "table wu-song A\ndealer: load-shoe card_set=blue-1\ndealer: inspect-cards missing=[As]\n",
            "dealer: open-bets",
        ],
    );
    let commitment = punto_record::commitment(b"salt", &[]);
    let software = format!(
        "table wu-song A cards=software\nhouse: load-shoe card_set=soft-1 shuffled_by=software commitment={commitment}\n"
    );
    answers(
        &["no-commitment", "no-reason"],
        &[&software, "house: exchange-shoe card_set=soft-2 shuffled_by=software reason=\"\""],
    );
}

#[test]
fn then_names_and_figures() {
    let matter = [LIVE, BETS, CLOSE, "dealer: report not-shuffled\n"].concat();
    answers(&["no-reason", "no-such-matter"], &[&matter, "supervisor: rule 9 void reason=\"\""]);
    answers(
        &["ruling-not-allowed", "no-replacement"],
        &[&matter, "supervisor: rule 1 continue replace_shoe=true reason=seen"],
    );
    answers(
        &["no-reason", "no-such-dispute"],
        &[
            LIVE,
            "patron 7: open-dispute patron=7 words=late\n",
            "shift-manager: close-dispute dispute=9 words=\"\"",
        ],
    );
    let out = [LIVE, BETS, CLOSE, "dealer: draw 2s\n"].concat();
    answers(&["card-not-yet", "not-face-down"], &[&out, "patron 7: ask-squeeze patron=7 card=1"]);
    // No hand keyed it, and it is not there.
    answers(&["not-keyed", "cards-do-not-add-up"], &[&out, "dealer: correct-card at=1 was=9s card=9s"]);
    let keyed = [LIVE, BETS, CLOSE, "dealer: draw 2s 3s source=keyed\n"].concat();
    answers(&["not-permitted", "cards-do-not-add-up"], &[&keyed, "dealer: correct-card at=1 was=9s card=9s"]);
    let held = [&keyed, "dealer: report not-shuffled\n"].concat();
    answers(&["ruling-pending", "cards-do-not-add-up"], &[&held, "dealer: correct-card at=1 was=9s card=9s"]);
    let down = [DOWN, BETS, CLOSE, "dealer: draw 2s\n"].concat();
    answers(&["card-not-yet", "not-asked"], &[&down, "dealer: grant-squeeze patron=7 card=1 grant=true"]);
}

#[test]
fn then_the_wager() {
    answers(
        &["payout-too-large"],
        &[FELT, "dealer: record-chips patron=7 box=1 bet=banker stake=9007199254740990"],
    );
    answers(&["unknown-bet", "no-such-box", "nothing"], &[LIVE, BETS, "patron 7: bet fish 0 box=99"]);
    answers(&["no-such-box", "not-whole-units"], &[LIVE, BETS, "patron 7: bet banker 3 box=99"]);
    let seat = "house: take-seat patron=7 box=1\n";
    answers(&["seat-taken", "nothing"], &[LIVE, seat, BETS, "patron 8: bet banker 0 box=1 seated"]);
    answers(&["not-seated", "nothing"], &[LIVE, BETS, "patron 8: bet banker 0 box=2 seated"]);
    answers(
        &["other-stance", "not-whole-units"],
        &[LIVE, seat, BETS, "patron 7: bet banker 3 box=1 standing"],
    );
    answers(&["seat-in-play", "nothing"], &[LIVE, seat, BETS, seat]);
    answers(&["seat-elsewhere", "seat-in-play"], &[LIVE, seat, BETS, "house: take-seat patron=7 box=2\n"]);
    answers(&["patron-needed", "seat-taken"], &[LIVE, seat, "house: take-seat box=1\n"]);
    answers(&["over-differential", "not-enough-credits"], &[LIVE, BETS, "patron 7: bet banker 5000 box=1"]);
    answers(
        &["over-differential", "payout-too-large", "not-enough-credits"],
        &[LIVE, BETS, "patron 7: bet banker 9007199254740990 box=1"],
    );
    answers(&["under-minimum", "not-enough-credits"], &[LIVE, BETS, "patron 9: bet player 50 box=2"]);
    answers(
        &["more-than-there", "not-whole-units"],
        &[LIVE, BETS, "patron 7: withdraw-wager patron=7 box=1 bet=banker amount=501"],
    );
    answers(
        &["not-enough-credits", "bets-stand"],
        &[LIVE, BETS, "patron 7: bet player 500 box=1\n", "patron 7: cash-out patron=7"],
    );
}
