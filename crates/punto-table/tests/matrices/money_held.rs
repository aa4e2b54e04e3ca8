//! Interpretations 44 and 45: what a claim holds back, and who sets credits aside, in every game.

use punto_record::{
    Actor, Command, Entry, Event, Order, OrderId, ReasonKind, Rejection, Release, Report, RoundNo, Ruling,
    Timestamp,
};
use punto_rules::{Money, PatronNo, Post};
use punto_table::{Given, Table};

use crate::{after, cards, rule, staff, table};

const DAY: u64 = 24 * 60 * 60 * 1000;

/// One Round that patron 7 won, and in which patron 8 had no wager.
fn settled(game: &str, more: &str) -> Table {
    let lines = "cashier: buy-credits patron=8 amount=5000\ndealer: open-bets\nBETS\nCLOSE\n\
                 dealer: draw 2d 9s Kh Kc\ndealer: confirm-result\n";
    table(game, "", &format!("{lines}{more}"))
}

fn paid(table: &Table) -> Money {
    table.state().earlier.get(RoundNo(1)).expect("played").paid[&PatronNo(7)]
}

fn decide_at(table: &Table, by: &Actor, at: u64, command: &Command) -> Result<Vec<Event>, Rejection> {
    let order = Order {
        id: OrderId { device: "anywhere".into(), n: 1 },
        by: by.clone(),
        at: Timestamp(table.state().now.0 + at),
        round: None,
        command: command.clone(),
    };
    table.decide(&order, &Given { new_ticket: Some("t-1".into()), ..Given::default() })
}

fn cash_out(table: &Table, patron: u32, at: u64) -> (Money, Money) {
    let patron = PatronNo(patron);
    let by = Actor::Patron { patron };
    let events = decide_at(table, &by, at, &Command::CashOut { patron, second: None }).expect("cashed out");
    let (mut held, mut out) = (Money::ZERO, Money::ZERO);
    for event in events {
        if let Event::CashOutHeld { amount, .. } = event {
            held = amount;
        } else if let Event::CashedOut { amount, .. } = event {
            out = amount;
        }
    }
    (held, out)
}

/// The table after patron 7 cashed out.
fn cashed(table: &Table) -> Table {
    let patron = PatronNo(7);
    let order = Order {
        id: OrderId { device: "terminal-7".into(), n: 1000 },
        by: Actor::Patron { patron },
        at: Timestamp(table.state().now.0 + 1),
        round: None,
        command: Command::CashOut { patron, second: None },
    };
    let given = Given { new_ticket: Some("t-1".into()), ..Given::default() };
    let events = table.decide(&order, &given).expect("cashed out");
    let mut after = table.clone();
    let release = Release("test".into());
    after.enter(&Entry { seq: table.state().seq.next(), order, events, release, mandates: None });
    after
}

/// Claims about the first Round, in time or after the next one commenced.
fn claims(game: &str) -> Vec<(&'static str, Table, Report)> {
    let words = || "a six".into();
    let round = RoundNo(1);
    let wrong = || Report::WrongResult { round, words: words() };
    let mut all = vec![("in time", settled(game, ""), wrong())];
    let late = settled(game, "dealer: open-bets\n");
    all.push(("late", late.clone(), wrong()));
    all.push(("discovered late", late, Report::LateDiscovery { round, words: words() }));
    all
}

fn a_claim_holds_back_what_it_could_take_and_nothing_else(game: &str) {
    for (when, table, report) in claims(game) {
        let credits = table.state().credits(PatronNo(7));
        let paid = paid(&table);
        let claimed = after(&table, &staff(Post::Dealer), Command::Report { report: report.clone() });
        // After the next Round commenced an earlier one stands in Wu Song (5.6).
        let stands = game == "wu-song" && when != "in time";
        let most = if stands { Money::ZERO } else { paid };
        let told = format!("{game}, {when}");
        assert_eq!(cash_out(&claimed, 7, 1), (most, credits.less(most)), "{told}");
        assert_eq!(cash_out(&claimed, 8, 1).0, Money::ZERO, "{told}: no wager in that Round");
        // Said twice, it takes no more and has no more time.
        let twice = after(&claimed, &staff(Post::Dealer), Command::Report { report });
        assert_eq!(cash_out(&twice, 7, 1), (most, credits.less(most)), "{told}, twice");
        assert_eq!(cash_out(&twice, 7, DAY), (Money::ZERO, credits), "{told}, a day later");
        let extend = Command::ExtendHold { matter: punto_record::MatterNo(1), reason: "seen".into() };
        let extended = decide_at(&claimed, &staff(Post::ShiftManager), 1, &extend);
        assert_eq!(extended.is_ok(), !stands, "{told}");
        if !stands {
            let longer = after(&claimed, &staff(Post::ShiftManager), extend);
            assert_eq!(cash_out(&longer, 7, DAY).0, most, "{told}, extended");
            assert_eq!(cash_out(&longer, 7, 2 * DAY).0, Money::ZERO, "{told}, extended and over");
        }
    }
}

fn what_is_held_back_is_there_to_be_taken_or_paid(game: &str) {
    let (_, table, report) = claims(game).remove(0);
    let paid = paid(&table);
    let held = cashed(&after(&table, &staff(Post::Dealer), Command::Report { report }));
    let pay = Command::PayUnclaimed { patron: PatronNo(7), amount: paid, second: None };
    let cashier = Actor::Cashier { person: "cashier".into() };
    let refused = decide_at(&held, &cashier, 1, &pay).expect_err("held back");
    assert_eq!(refused.reason.kind(), ReasonKind::CorrectionPending, "{game}");
    // What is kept answers for the claim: what the patron brings later is not held once more.
    let more = Command::BuyCredits { patron: PatronNo(7), amount: paid };
    assert_eq!(cash_out(&after(&held, &cashier, more), 7, 1), (Money::ZERO, paid), "{game}");
    let stood = after(&held, &staff(Post::PitSupervisor), rule(1, &right(&table)));
    assert!(decide_at(&stood, &cashier, 1, &pay).is_ok(), "{game}: it was right");
    let other = Ruling::Correct { cards: cards("9s 2d Kh Kc") };
    let taken = after(&held, &staff(Post::PitSupervisor), rule(1, &other));
    let account = taken.state().account(PatronNo(7)).cloned().unwrap_or_default();
    assert_eq!((account.unclaimed, account.owed), (0, Money::ZERO), "{game}: it was wrong");
    assert!(taken.state().held_back.is_empty(), "{game}");
}

/// Interpretation 51: a payout that is held answers for the claim about its Round, and the patron's other money does not.
fn a_held_payout_answers_for_itself(game: &str) {
    let held = settled(game, "supervisor: hold-payout patron=7 reference=C-17\n");
    let report = Report::WrongResult { round: RoundNo(1), words: "a six".into() };
    let claimed = after(&held, &staff(Post::Dealer), Command::Report { report });
    let credits = held.state().credits(PatronNo(7));
    assert!(!credits.is_zero(), "{game}");
    assert_eq!(cash_out(&claimed, 7, 1), (Money::ZERO, credits), "{game}");
}

/// The same cards once more.
fn right(table: &Table) -> Ruling {
    Ruling::Correct { cards: table.state().last().expect("just played").drawn.clone() }
}

fn credits_are_set_aside_by_two_after_the_time_and_with_nothing_open(game: &str) {
    const HALF_AN_HOUR: u64 = 30 * 60 * 1000;
    let lines = "dealer: open-bets\nBETS\n";
    let betting = table(game, "", lines);
    let over = settled(game, "");
    let words = "a six".into();
    let report = Report::WrongResult { round: RoundNo(1), words };
    let claimed = after(&over, &staff(Post::Dealer), Command::Report { report });
    let dark = after(&over, &Actor::House, Command::LoseTerminal { patron: PatronNo(7) });
    let keep = |attendant: Option<&str>| Command::KeepUnclaimed {
        patron: PatronNo(7),
        attendant: attendant.map(punto_record::Person::as_recorded),
    };
    let supervisor = staff(Post::PitSupervisor);
    let own = supervisor.person().expect("somebody").as_str().to_owned();
    let two = keep(Some("attendant"));
    for (table, at, command, expected) in [
        (&over, HALF_AN_HOUR, &two, None),
        (&over, HALF_AN_HOUR - 60_000, &two, Some(ReasonKind::TooEarly)),
        (&over, HALF_AN_HOUR, &keep(None), Some(ReasonKind::SecondPersonNeeded)),
        (&over, HALF_AN_HOUR, &keep(Some(&own)), Some(ReasonKind::SecondPersonNeeded)),
        (&over, HALF_AN_HOUR, &keep(Some(" ")), Some(ReasonKind::UnfitText)),
        (&betting, HALF_AN_HOUR, &two, Some(ReasonKind::BetsStand)),
        (&claimed, HALF_AN_HOUR, &two, Some(ReasonKind::CorrectionPending)),
        (&dark, HALF_AN_HOUR, &two, Some(ReasonKind::TerminalDown)),
    ] {
        let why = decide_at(table, &supervisor, at, command).err().map(|it| it.reason.kind());
        // The clock of the script has gone on since the last bet, but not by a minute.
        assert_eq!(why, expected, "{game}: {command:?} after {at}");
    }
    for by in [Actor::Cashier { person: "cashier".into() }, staff(Post::Dealer), Actor::House] {
        let why = decide_at(&over, &by, HALF_AN_HOUR, &two).expect_err("not theirs").reason.kind();
        assert_eq!(why, ReasonKind::NotPermitted, "{game}");
    }
}

every_game!(
    a_held_payout_answers_for_itself,
    a_claim_holds_back_what_it_could_take_and_nothing_else,
    what_is_held_back_is_there_to_be_taken_or_paid,
    credits_are_set_aside_by_two_after_the_time_and_with_nothing_open
);
