//! The edges of what is accepted, and what a script cannot say: orders without their Round, exact deadlines, amounts and
//! numbers of cards that are just right or one too many.

mod scripts;

use punto_record::{Actor, Choice, Command, Order, OrderId, Reason, RoundNo, Timestamp};
use punto_rules::{Money, PatronNo};
use punto_table::script::{Outcome, Script, play};
use punto_table::{Audience, Given, Table, View};
use scripts::approved;

const BETTING: &str = "table ncb-etg terminal
dealer: load-shoe card_set=blue-1 shuffled_by=shuffler-2
cashier: buy-credits patron=7 amount=1000
house: open-bets
";

fn table(script: &str) -> Table {
    play(&Script::parse(script).expect("a script"), approved).expect("played").table
}

fn order(table: &Table, round: Option<u32>, command: Command) -> Order {
    Order {
        id: OrderId { device: "terminal-7".into(), n: 1 },
        by: Actor::Patron { patron: PatronNo(7) },
        at: Timestamp(table.state().now.0 + 1),
        round: round.map(RoundNo),
        command,
    }
}

fn money(amount: u64) -> Money {
    Money::new(amount).expect("little")
}

#[test]
fn a_wager_names_its_round() {
    let table = table(BETTING);
    let patron = PatronNo(7);
    let place =
        Command::PlaceWager { patron, box_no: None, stance: None, bet: "banker".into(), stake: money(100) };
    let withdraw = Command::WithdrawWager { patron, box_no: None, bet: "banker".into(), amount: None };
    for command in [place.clone(), withdraw] {
        let refused = table.decide(&order(&table, None, command), &Given::default()).expect_err("no Round");
        assert_eq!(refused.reason, Reason::RoundMissing {});
    }
    let decided = table.decide(&order(&table, Some(1), place.clone()), &Given::default());
    assert!(decided.is_ok(), "{decided:?}");
    let late = table.decide(&order(&table, Some(2), place), &Given::default()).expect_err("another Round");
    assert_eq!(late.reason, Reason::WrongRound { current: Some(RoundNo(1)) });
}

#[test]
fn a_ticket_needs_its_number() {
    let table = table(BETTING);
    let refused = table.decide(
        &order(&table, None, Command::CashOut { patron: PatronNo(7), second: None }),
        &Given::default(),
    );
    assert_eq!(refused.expect_err("no number").reason, Reason::NoTicketNumber {});
}

/// Bets close at the deadline, not before and not after; so does the time for choices.
#[test]
fn deadlines_are_exact() {
    let betting = table(BETTING);
    let View { closes_at: Some(closes_at), .. } = betting.view(Audience::Board) else {
        panic!("bets are open")
    };
    let house = |at: u64, command: Command| Order {
        id: OrderId { device: "clock".into(), n: 1 },
        by: Actor::House,
        at: Timestamp(at),
        round: None,
        command,
    };
    let given = Given::default();
    let early =
        betting.decide(&house(closes_at.0 - 1, Command::CloseBets {}), &given).expect_err("too early");
    assert_eq!(early.reason, Reason::TooEarly {});
    assert!(betting.decide(&house(closes_at.0, Command::CloseBets {}), &given).is_ok());
    let patron = PatronNo(7);
    let stake = money(100);
    let place = Command::PlaceWager { patron, box_no: None, stance: None, bet: "banker".into(), stake };
    let mut wager = order(&betting, Some(1), place);
    wager.at = Timestamp(closes_at.0 - 1);
    assert!(betting.decide(&wager, &given).is_ok());
    wager.at = closes_at;
    assert_eq!(betting.decide(&wager, &given).expect_err("too late").reason, Reason::BetsClosed {});

    let choosing = table(
        "table wu-song A established_by=placed
dealer: load-shoe card_set=blue-1 shuffled_by=shuffler-2
cashier: buy-credits patron=7 amount=1000
dealer: open-bets
patron 7: bet player 200 box=1
dealer: close-bets
dealer: draw 2s 3d
dealer: report other-dealing-error words=\"a card fell\"
supervisor: rule 1 continue reason=\"picked up\"
",
    );
    let View { closes_at: Some(until), .. } = choosing.view(Audience::Board) else {
        panic!("patrons choose")
    };
    let early =
        choosing.decide(&house(until.0 - 1, Command::CloseChoices {}), &given).expect_err("too early");
    assert_eq!(early.reason, Reason::TooEarly {});
    assert!(choosing.decide(&house(until.0, Command::CloseChoices {}), &given).is_ok());
    let mut choose = order(&choosing, Some(1), Command::Choose { patron, choice: Choice::TakeBack });
    choose.id.n = 99;
    choose.at = Timestamp(until.0 - 1);
    assert!(choosing.decide(&choose, &given).is_ok());
    choose.at = until;
    assert_eq!(choosing.decide(&choose, &given).expect_err("too late").reason, Reason::NotChoosing {});
}

/// What a refusal names as the most is accepted, and a unit more is not.
#[test]
fn the_most_that_is_named_is_accepted() {
    let felt = table(
        "table wu-song A money=chips limits=observed
supervisor: open-float amount=100000
dealer: load-shoe card_set=blue-1 shuffled_by=shuffler-2
dealer: open-bets
dealer: record-chips patron=8 box=2 bet=banker stake=500
",
    );
    let chips = |stake: u64| {
        let (patron, stance, bet) = (PatronNo(7), None, "banker".into());
        let command =
            Command::RecordChips { patron, box_no: punto_record::BoxNo(1), stance, bet, stake: money(stake) };
        let by = Actor::Staff { person: "dealer".into(), post: punto_rules::Post::Dealer };
        let order = Order { by, ..order(&felt, Some(1), command) };
        felt.decide(&order, &Given::default())
    };
    let refused = chips(9_007_199_254_740_990).expect_err("too much");
    let Reason::PayoutTooLarge { most } = refused.reason else { panic!("{refused}") };
    assert!(chips(most.get()).is_ok());
    assert!(chips(most.get() + 2).is_err());
}

/// The reason with which the last line of a script is refused; none if it is carried out.
fn last(script: &str) -> Option<Reason> {
    let played = play(&Script::parse(script).expect("a script"), approved).expect("played");
    match &played.steps.last().expect("a line").orders.last().expect("an order").1 {
        Outcome::Refused(rejection) => Some(rejection.reason.clone()),
        Outcome::Events(_) | Outcome::Answered(_) => None,
    }
}

fn after(script: &str, line: &str) -> Option<Reason> {
    last(&format!("{script}{line}\n"))
}

#[test]
fn credits_leave_room_for_a_payout() {
    let buy = "cashier: buy-credits patron=7 amount=9007199254739000";
    assert_eq!(after(BETTING, buy), None);
    let bet = format!("{BETTING}patron 7: bet tie 100\n");
    assert!(matches!(after(&bet, buy), Some(Reason::MoreThanThere { .. })));
    assert_eq!(after(&bet, "cashier: buy-credits patron=7 amount=5000"), None);
    // Nothing may be owed to money itself.
    let all = "cashier: buy-credits patron=7 amount=9007199254740991";
    assert!(matches!(after(BETTING, all), Some(Reason::MoreThanThere { .. })));
}

#[test]
fn only_what_somebody_left_behind_is_unclaimed() {
    let keep = "supervisor: keep-unclaimed patron=7 attendant=attendant";
    let live = "table wu-song A
dealer: load-shoe card_set=blue-1 shuffled_by=shuffler-2
cashier: buy-credits patron=7 amount=1000
";
    assert_eq!(after(live, keep), Some(Reason::TooEarly {}));
    // That somebody left does not shorten the time.
    let away = format!("{live}dealer: report walk-away patron=7\n");
    assert_eq!(after(&away, keep), Some(Reason::TooEarly {}));
    assert_eq!(after(&format!("{away}+1798s\n"), keep), Some(Reason::TooEarly {}));
    let left = format!("{away}+1800s\n");
    assert_eq!(after(&left, keep), None);
    assert!(matches!(after(&format!("{left}{keep}\n"), keep), Some(Reason::NotEnoughCredits { .. })));
}

#[test]
fn a_tray_gives_all_it_has_and_holds_what_money_can() {
    let tray = "table wu-song A money=chips limits=observed\nsupervisor: open-float amount=1000\n";
    for order in ["dealer: drop amount=", "supervisor: credit slip=c-1 amount="] {
        assert_eq!(after(tray, &format!("{order}1000")), None);
        let most = money(1000);
        assert_eq!(after(tray, &format!("{order}1002")), Some(Reason::MoreThanThere { most }));
        assert_eq!(after(tray, &format!("{order}0")), Some(Reason::Nothing {}));
    }
    let fill = "supervisor: fill slip=f-1 amount=";
    assert_eq!(after(tray, &format!("{fill}9007199254739991")), None);
    let most = money(9_007_199_254_739_991);
    assert_eq!(after(tray, &format!("{fill}9007199254739992")), Some(Reason::MoreThanThere { most }));
}

#[test]
fn as_many_cards_are_confirmed_as_can_be_out() {
    let short = "table wu-song A decks=4 burn='{\"fixed\":198}'
dealer: load-shoe card_set=blue-1 shuffled_by=shuffler-2
dealer: burn-cards count=198
dealer: open-bets
dealer: close-bets
dealer: draw 2s 3d
dealer: report technical-interruption
";
    let cards =
        ["2s", "3d", "4s", "4d", "5s", "5d", "6s", "6d", "7s", "7d", "8s", "8d", "9s", "9d", "Ts", "Td"];
    let confirm = |count: usize| {
        format!("supervisor: confirm-cards cards=[{}] second=dealer", cards[..count].join(" "))
    };
    assert_eq!(after(short, &confirm(10)), None);
    assert_eq!(after(short, &confirm(11)), Some(Reason::TooFewCards { left: 8 }));
    let long = "table wu-song A decks=4
dealer: load-shoe card_set=blue-1 shuffled_by=shuffler-2
dealer: open-bets
dealer: close-bets
dealer: draw 2s 3d
dealer: report technical-interruption
";
    assert_eq!(after(long, &confirm(14)), None);
    assert_eq!(after(long, &confirm(15)), Some(Reason::CardsDoNotAddUp {}));
    assert_eq!(after(long, &confirm(2)), None);
    // Fewer cards than were read are a matter (interpretation 31).
    assert_eq!(after(long, &confirm(1)), None);
}

#[test]
fn as_many_cards_slip_out_as_are_left() {
    let natural = |settings: &str, burn: &str| {
        format!(
            "table wu-song A {settings}\ndealer: load-shoe card_set=blue-1 shuffled_by=shuffler-2\n{burn}dealer: open-bets
dealer: close-bets\ndealer: draw 9s 2d Kh 3c\n"
        )
    };
    let cards = ["4s", "4d", "5s", "5d", "6s", "6d", "7s", "7d", "8s", "8d", "9c", "9d", "Ts"];
    let report =
        |count: usize| format!("dealer: report excess-or-exposed-card cards=[{}]", cards[..count].join(" "));
    let short = natural("decks=4 burn='{\"fixed\":198}'", "dealer: burn-cards count=198\n");
    assert_eq!(after(&short, &report(6)), None);
    assert_eq!(after(&short, &report(7)), Some(Reason::TooFewCards { left: 6 }));
    let long = natural("decks=4", "");
    assert_eq!(after(&long, &report(12)), None);
    assert_eq!(after(&long, &report(13)), Some(Reason::CardsDoNotAddUp {}));
}

#[test]
fn nothing_is_burnt_where_nothing_is_to_be() {
    let shoe = "table wu-song A\ndealer: load-shoe card_set=blue-1 shuffled_by=shuffler-2\n";
    assert_eq!(after(shoe, "dealer: burn-cards count=0"), Some(Reason::WrongBurn { count: 0 }));
    let first =
        "table wu-song A burn=by-first-card\ndealer: load-shoe card_set=blue-1 shuffled_by=shuffler-2\n";
    assert_eq!(after(first, "dealer: burn-cards count=1"), Some(Reason::WrongBurn { count: 1 }));
    assert_eq!(after(first, "dealer: burn-cards shown=7d count=8"), None);
    assert_eq!(after(first, "dealer: burn-cards shown=7d count=7"), Some(Reason::WrongBurn { count: 8 }));
}

/// The kind of money cannot change while anybody's is kept, whatever it is called.
#[test]
fn money_keeps_its_kind_while_any_is_there() {
    let away = "table wu-song A
cashier: buy-credits patron=7 amount=1000
+1800s
supervisor: keep-unclaimed patron=7 attendant=attendant
";
    let change = "settings wu-song A money=chips";
    assert_eq!(after(away, change), Some(Reason::CreditsStand { patron: PatronNo(7) }));
    let paid = format!("{away}cashier: pay-unclaimed patron=7 amount=1000\n");
    assert_eq!(after(&paid, change), None);
    // A terminal that is known for something else than money is not in the way.
    let dark = "table wu-song A\nhouse: lose-terminal patron=7\n";
    assert_eq!(after(dark, change), None);
}

#[test]
fn money_keeps_its_kind_while_somebody_owes() {
    let owing = "table wu-song A money=chips limits=observed
supervisor: open-float amount=5000
dealer: load-shoe card_set=blue-1 shuffled_by=shuffler-2
dealer: open-bets
dealer: record-chips patron=7 box=2 bet=player stake=300
dealer: close-bets
dealer: draw 9s 2d Kh 5c
dealer: confirm-result
dealer: report wrong-result round=1 words=\"a six\"
supervisor: rule 1 correct cards=[6s 2d Kh 5c] second=manager reason=\"a six\"
dealer: retire-shoe reason=\"end of the day\"
";
    let change = "settings wu-song A money=credits";
    assert_eq!(after(owing, change), Some(Reason::CreditsStand { patron: PatronNo(7) }));
    let collected = format!("{owing}dealer: collect patron=7 amount=600\n");
    assert_eq!(after(&collected, change), Some(Reason::FloatOpen {}));
    let closed = format!("{collected}supervisor: close-float counted=5300\n");
    assert_eq!(after(&closed, change), None);
    // The Round before may still be settled anew, by the felt it was played on.
    assert!(matches!(after(&closed, "settings wu-song B money=chips"), Some(Reason::SettingsRefused { .. })));
    assert_eq!(after(&closed, "settings wu-song A money=chips minimum=200"), None);
}

#[test]
fn the_most_that_a_wager_may_be_is_accepted() {
    let rich = "table wu-song A differential=9007199254740990
dealer: load-shoe card_set=blue-1 shuffled_by=shuffler-2
cashier: buy-credits patron=7 amount=9000000000000000
dealer: open-bets
";
    let bet = |stake: u64| after(rich, &format!("patron 7: bet banker {stake} box=1"));
    let Some(Reason::PayoutTooLarge { most }) = bet(1_000_000_000_000) else { panic!("too much") };
    assert_eq!(bet(most.get()), None);
    assert_eq!(bet(most.get() + 2), Some(Reason::PayoutTooLarge { most }));
}

#[test]
fn terminals_have_no_seats_and_keep_their_credits() {
    assert_eq!(after(BETTING, "patron 7: bet tie 100 seated"), Some(Reason::NoBoxes {}));
    let live = "table wu-song A
dealer: load-shoe card_set=blue-1 shuffled_by=shuffler-2
cashier: buy-credits patron=7 amount=1000
dealer: open-bets
patron 7: bet player 300 box=1
dealer: report walk-away patron=7
patron 7: withdraw-wager patron=7 box=1 bet=player amount=100
";
    let table = table(live);
    let account = table.state().account(PatronNo(7)).expect("an account");
    assert_eq!((account.credits, account.unclaimed), (money(800), 0));
}
