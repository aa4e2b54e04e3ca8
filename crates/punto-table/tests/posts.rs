//! Who may give which order: every actor, every command, against the table in `data/posts.txt`.

mod scripts;

#[path = "posts/alone.rs"]
mod alone;

use std::collections::BTreeMap;

use punto_record::TicketAnswer;
use punto_record::{
    Actor, Command, CommandKind as Kind, Event, Order, OrderId, ReasonKind, Rejection, Timestamp,
};
use punto_rules::{Card, PatronNo, Post};
use punto_table::script::{Outcome, Script, play};
use punto_table::{Given, Table, gate};
use scripts::approved;
use serde_json::{Value, json};

const LIVE: &str = "table wu-song A
dealer: load-shoe card_set=blue-1 shuffled_by=shuffler-2
cashier: buy-credits patron=7 amount=1000
";
const BETS: &str = "dealer: open-bets
patron 7: bet banker 500 box=1
";
const DOWN: &str = "table wu-song A faces=down
dealer: load-shoe card_set=blue-1 shuffled_by=shuffler-2
cashier: buy-credits patron=7 amount=1000
";
const FELT: &str = "table wu-song A money=chips limits=observed
supervisor: open-float amount=100000
dealer: load-shoe card_set=blue-1 shuffled_by=shuffler-2
";
const TERMINALS: &str = "table ncb-etg terminal
dealer: load-shoe card_set=blue-1 shuffled_by=shuffler-2
cashier: buy-credits patron=7 amount=1000
";
const CLOSE: &str = "dealer: close-bets\n";

fn actors() -> Vec<(&'static str, Actor)> {
    let staff = |person: &str, post| Actor::Staff { person: person.parse().expect("a name"), post };
    vec![
        ("P", Actor::Patron { patron: PatronNo(7) }),
        ("D", staff("d", Post::Dealer)),
        ("S", staff("s", Post::PitSupervisor)),
        ("M", staff("m", Post::PitManager)),
        ("T", staff("t", Post::ShiftManager)),
        ("U", staff("u", Post::DutyManager)),
        ("C", Actor::Cashier { person: "c".into() }),
        ("A", Actor::Auditor { person: "a".into() }),
        ("O", Actor::Administrator { person: "o".into() }),
        ("H", Actor::House),
    ]
}

/// The expected table: command, then who may.
fn expected() -> BTreeMap<String, Vec<bool>> {
    let text = include_str!("data/posts.txt");
    let mut rows = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let head: Vec<&str> = rows.next().expect("a head").split_whitespace().skip(1).collect();
    assert_eq!(head, actors().iter().map(|(letter, _)| *letter).collect::<Vec<_>>());
    let mut table = BTreeMap::new();
    for row in rows {
        let mut words = row.split_whitespace();
        let command = words.next().expect("a command").to_owned();
        let may: Vec<bool> = words
            .map(|word| match word {
                "+" => true,
                "." => false,
                word => panic!("{command}: `{word}`"),
            })
            .collect();
        assert_eq!(may.len(), head.len(), "{command}");
        assert_eq!(table.insert(command.clone(), may), None, "{command} twice");
    }
    table
}

/// A table after a script in which nothing was refused.
fn table(script: &str) -> Table {
    let script = Script::parse(script).expect("a script");
    let played = play(&script, approved).expect("played");
    for step in &played.steps {
        for (_, outcome) in &step.orders {
            assert!(matches!(outcome, Outcome::Events(_)), "{}: {outcome:?}", step.line.text);
        }
    }
    played.table
}

fn decide(table: &Table, by: &Actor, command: &Command) -> Result<Vec<Event>, Rejection> {
    let state = table.state();
    let round = Some(state.round().map_or(state.rounds, |round| round.no));
    // Before the clock closes bets, or after it closed what it closes.
    let later = matches!(command.kind(), Kind::CloseBets | Kind::CloseChoices);
    let wait = if command.kind() == Kind::KeepUnclaimed {
        30 * 60_000
    } else if later {
        60_000
    } else {
        1_000
    };
    let at = Timestamp(state.now.0 + wait);
    let order = Order {
        id: OrderId { device: "anywhere".into(), n: 1 },
        by: by.clone(),
        at,
        round,
        command: command.clone(),
    };
    let amount = punto_rules::Money::new(100).expect("an amount");
    let given = Given {
        ticket: Some(TicketAnswer::Reserved { amount, currency: Some("SGD".into()) }),
        new_ticket: Some("t-9".into()),
        ..Given::default()
    };
    table.decide(&order, &given)
}

/// Credits that nobody played with were set aside.
const SET_ASIDE: &str = "+1800s\nsupervisor: keep-unclaimed patron=7 attendant=attendant\n";

/// Tables at a point where the order can be given, and the order.
fn possible(kind: Kind) -> Vec<(String, Value)> {
    let live = |more: &str| LIVE.to_owned() + more;
    let bets = |more: &str| LIVE.to_owned() + BETS + more;
    let felt = |more: &str| FELT.to_owned() + more;
    let chips = "dealer: record-chips patron=7 box=1 bet=banker stake=500\n";
    let result = CLOSE.to_owned() + "dealer: draw 2s 9d 3h Kd\n";
    let one = |setup: String, order: Value| vec![(setup, order)];
    let full: Vec<Card> = (0..8).flat_map(|_| Card::all()).collect();
    let commitment = punto_record::commitment(b"salt", &full).to_string();
    let loaded = |settings: &str| {
        format!(
            "table wu-song A cards=software {settings}\n\
             house: load-shoe card_set=soft-1 shuffled_by=software commitment={commitment}\n"
        )
    };
    let settings = json!({
        "table": "table-1", "game": "wu-song", "layout": "B", "decks": 8,
        "betting_box": { "minimum": 100, "differential": 1000 }, "other_bets": { "minimum": 20, "maximum": 500 },
    });
    let text = approved("wu-song").expect("an approved game").to_string();
    match kind {
        Kind::OpenTable => one(String::new(), json!({ "settings": settings, "rulebook": text })),
        Kind::ChangeSettings => {
            one("table wu-song A\n".into(), json!({ "settings": settings, "rulebook": text }))
        }
        Kind::ChangeLimits => {
            one(live(""), json!({ "betting_box": { "minimum": 200, "differential": 2000 } }))
        }
        Kind::AnnounceClosing => one(live(""), json!({})),
        Kind::CloseTable => one("table wu-song A\n".into(), json!({})),
        // Hands move real cards, the software its own.
        Kind::LoadShoe => {
            let order = json!({ "card_set": "red-1", "shuffled_by": "shuffler-2", "commitment": commitment });
            vec![
                ("table wu-song A\n".into(), json!({ "card_set": "red-1", "shuffled_by": "shuffler-2" })),
                ("table wu-song A cards=software\n".into(), order),
            ]
        }
        Kind::InspectCards => one(live(""), json!({})),
        Kind::CutCards => one(live(""), json!({ "at": 50 })),
        Kind::BurnCards => {
            let order = json!({ "shown": "As", "count": 3 });
            let real = LIVE.replacen("wu-song A", "wu-song A burn.fixed=3", 1);
            vec![(real, order.clone()), (loaded("burn.fixed=3"), order)]
        }
        Kind::RetireShoe => {
            let order = json!({ "reason": "end of day" });
            vec![(live(""), order.clone()), (loaded(""), order)]
        }
        Kind::ExchangeShoe => {
            let mut order =
                json!({ "card_set": "red-1", "shuffled_by": "shuffler-2", "reason": "new cards" });
            let real = (live(""), order.clone());
            order["commitment"] = commitment.as_str().into();
            vec![real, (loaded(""), order)]
        }
        Kind::ReconcileShoe => {
            one(live("dealer: retire-shoe reason=over\n"), json!({ "shoe": 1, "left": {}, "discarded": {} }))
        }
        Kind::RevealShoe => one(
            loaded("") + "house: retire-shoe reason=over\n",
            json!({ "shoe": 1, "salt": "salt", "cards": full }),
        ),
        Kind::RuleCarriedCards => one(
            live(
                "dealer: report excess-or-exposed-card cards=[2s 3d 4h]\nsupervisor: rule 1 in-order order=[2s 3d 4h] reason=so\n",
            ),
            json!({ "keep": true, "reason": "they are known to all" }),
        ),
        Kind::OpenBets => vec![(live(""), json!({})), (TERMINALS.to_owned(), json!({}))],
        Kind::CloseBets => {
            vec![(bets(""), json!({})), (TERMINALS.to_owned() + "house: open-bets\n", json!({}))]
        }
        Kind::PlaceWager => one(bets(""), json!({ "patron": 7, "box": 1, "bet": "banker", "stake": 100 })),
        // Interpretation 42: at a table of chips the Dealer records it; beside a terminal that is down, the Supervisor.
        Kind::WithdrawWager => {
            let order = json!({ "patron": 7, "box": 1, "bet": "banker" });
            let open = felt(&format!("dealer: open-bets\n{chips}"));
            vec![(bets("house: lose-terminal patron=7\n"), order.clone()), (open, order)]
        }
        Kind::RecordChips => {
            one(felt("dealer: open-bets\n"), json!({ "patron": 7, "box": 1, "bet": "banker", "stake": 100 }))
        }
        Kind::RejectExcess => one(
            felt("dealer: open-bets\ndealer: record-chips patron=7 box=1 bet=banker stake=5000\n"),
            json!({ "box": 1 }),
        ),
        Kind::Advise => one(
            felt("dealer: open-bets\ndealer: record-chips patron=7 box=1 bet=banker stake=50\n"),
            json!({ "patron": 7, "box": 1, "bet": "banker" }),
        ),
        Kind::AmendWager => one(
            felt(&format!("dealer: open-bets\n{chips}{CLOSE}")),
            json!({ "patron": 7, "box": 1, "bet": "banker", "stake": 400, "reason": "camera" }),
        ),
        Kind::AskSqueeze => one(DOWN.to_owned() + BETS + CLOSE, json!({ "patron": 7, "card": 1 })),
        Kind::GrantSqueeze => one(
            DOWN.to_owned() + BETS + CLOSE + "patron 7: ask-squeeze patron=7 card=1\n",
            json!({ "patron": 7, "card": 1, "grant": true }),
        ),
        Kind::DrawCard => one(bets(CLOSE), json!({ "card": "2s", "source": "read" })),
        Kind::ReadCard => {
            one(bets(&(CLOSE.to_owned() + "dealer: draw unreadable\n")), json!({ "card": "2s" }))
        }
        Kind::CorrectCard => one(
            bets(&(CLOSE.to_owned() + "dealer: draw-card card=2s source=keyed\n")),
            json!({ "at": 1, "was": "2s", "card": "3s" }),
        ),
        Kind::TurnCards => one(DOWN.to_owned() + BETS + CLOSE + "dealer: draw 2s\n", json!({})),
        Kind::ConfirmCards => {
            one(bets(&(CLOSE.to_owned() + "dealer: report technical-interruption\n")), json!({ "cards": [] }))
        }
        Kind::ConfirmResult => one(bets(&result), json!({})),
        Kind::Report => one(bets(CLOSE), json!({ "report": { "irregularity": "not-shuffled" } })),
        Kind::Rule => one(
            bets(&(CLOSE.to_owned() + "dealer: report not-shuffled\n")),
            json!({ "matter": 1, "ruling": { "ruling": "void" }, "reason": "seen" }),
        ),
        Kind::Choose | Kind::CloseChoices => {
            let error =
                "dealer: report other-dealing-error words=dropped\nsupervisor: rule 1 continue reason=seen\n";
            if kind == Kind::CloseChoices {
                return one(bets(&format!("{CLOSE}{error}")), json!({}));
            }
            let order = json!({ "patron": 7, "choice": "take-back" });
            let down = bets(&format!("house: lose-terminal patron=7\n{CLOSE}{error}"));
            vec![(down, order.clone()), (felt(&format!("dealer: open-bets\n{chips}{CLOSE}{error}")), order)]
        }
        Kind::BuyCredits => one(live(""), json!({ "patron": 7, "amount": 100 })),
        Kind::RedeemTicket => one(live(""), json!({ "patron": 7, "ticket": "t-1" })),
        Kind::CashOut => one(live(""), json!({ "patron": 7 })),
        Kind::RecordPush => one(
            felt(&format!("dealer: open-bets\n{chips}{result}dealer: confirm-result\n")),
            json!({ "round": 1, "patron": 7, "counted": 5000, "surveillance": "camera 4, 21:07" }),
        ),
        Kind::Collect => {
            // The Banker's win was registered as the Player's; the chips are gone.
            let wrong = "dealer: confirm-result\ndealer: report wrong-result round=1 words=misread\n\
                         supervisor: rule 1 correct cards=[9d 2s Kd 3h] second=manager reason=camera\n";
            one(
                felt(&format!("dealer: open-bets\n{chips}{result}{wrong}")),
                json!({ "patron": 7, "amount": 100 }),
            )
        }
        Kind::AcceptNote => one(live(""), json!({ "patron": 7, "amount": 100 })),
        Kind::ReportCase => {
            let report = json!({ "case": "ticket-not-taken", "ticket": "t-1" });
            one(live(""), json!({ "patron": 7, "report": report }))
        }
        Kind::SettleCase => {
            let report =
                "dealer: report-case patron=7 report='{\"case\":\"ticket-not-taken\",\"ticket\":\"t-1\"}'\n";
            let outcome = json!({ "outcome": "handed-over" });
            let order = json!({ "case": 1, "outcome": outcome, "reason": "seen", "second": "attendant" });
            one(live(report), order)
        }
        Kind::EmptyAcceptor => one(
            live("acceptor 7: accept-note patron=7 amount=100\n"),
            json!({ "acceptor": "acceptor-7", "second": "attendant" }),
        ),
        Kind::CountAcceptor => {
            let emptied = "acceptor 7: accept-note patron=7 amount=100\n\
                           supervisor: empty-acceptor acceptor=acceptor-7 second=attendant\n";
            one(live(emptied), json!({ "drop": 1, "counted": 100, "second": "manager" }))
        }
        Kind::ExtendHold => {
            let claim = "dealer: confirm-result\ndealer: report wrong-result round=1 words=misread\n";
            one(bets(&format!("{result}{claim}")), json!({ "matter": 1, "reason": "the camera" }))
        }
        Kind::HoldPayout => one(bets(CLOSE), json!({ "patron": 7, "reference": "C-17" })),
        Kind::DecideHeld => {
            let held = "dealer: confirm-result\nsupervisor: hold-payout patron=7 reference=C-17\n";
            let order = json!({
                "slip": 1, "outcome": "released", "reference": "C-18",
                "second": "somebody", "second_post": "pit-manager",
            });
            one(bets(&format!("{result}{held}")), order)
        }
        Kind::KeepUnclaimed => one(live(""), json!({ "patron": 7, "attendant": "attendant" })),
        Kind::ReviewSetAside => one(live(SET_ASIDE), json!({ "slip": 1, "reason": "seen" })),
        Kind::PayUnclaimed => one(live(SET_ASIDE), json!({ "patron": 7, "amount": 100 })),
        Kind::OpenFloat => one("table wu-song A money=chips\n".into(), json!({ "amount": 1000 })),
        Kind::CloseFloat => one(felt(""), json!({ "counted": 1000 })),
        Kind::Fill | Kind::Credit => one(felt(""), json!({ "amount": 1000, "slip": "s-1" })),
        Kind::Drop => one(felt(""), json!({ "amount": 1000 })),
        // Interpretation 39: the house where terminals stand at boxes, the Dealer where chips lie.
        Kind::HandCards => one(DOWN.to_owned() + BETS + CLOSE, json!({ "side": "banker", "patron": 7 })),
        Kind::CoverFloat => one(felt(""), json!({ "cause": "fire" })),
        Kind::UncoverFloat => one(felt("dealer: cover-float cause=fire\n"), json!({ "second": "somebody" })),
        Kind::TakeSeat => {
            let order = json!({ "patron": 9, "box": 3 });
            vec![(live(""), order.clone()), (felt(""), order)]
        }
        Kind::LeaveSeat => {
            let order = json!({ "box": 3 });
            let seated = "take-seat patron=9 box=3\n";
            vec![
                (live(&format!("house: {seated}")), order.clone()),
                (felt(&format!("dealer: {seated}")), order),
            ]
        }
        Kind::LoseTerminal => one(live(""), json!({ "patron": 7 })),
        Kind::RestoreTerminal => one(live("house: lose-terminal patron=7\n"), json!({ "patron": 7 })),
        Kind::OpenDispute => one(live(""), json!({ "patron": 7, "words": "I had Banker" })),
        Kind::BundleDispute => one(
            live("patron 7: open-dispute patron=7 words=late\n"),
            json!({ "dispute": 1, "digest": "07".repeat(32) }),
        ),
        Kind::SeeDispute => {
            one(live("patron 7: open-dispute patron=7 words=late\n"), json!({ "dispute": 1 }))
        }
        Kind::CloseDispute => one(
            live("patron 7: open-dispute patron=7 words=late\n"),
            json!({ "dispute": 1, "words": "settled" }),
        ),
        Kind::TakePost => one(live(""), json!({ "person": "d", "post": "dealer" })),
        Kind::LeavePost => one(
            live("administrator: take-post person=d post=dealer\n"),
            json!({ "person": "d", "post": "dealer" }),
        ),
        Kind::StartShift => one(live(""), json!({ "name": "night" })),
        Kind::NoteClock => one(live(""), json!({ "from": 1, "to": 2 })),
    }
}

fn command(kind: Kind, mut fields: Value) -> Command {
    fields["do"] = kind.id().into();
    let command: Command =
        serde_json::from_value(fields).unwrap_or_else(|error| panic!("{}: {error}", kind.id()));
    assert_eq!(command.kind(), kind);
    command
}

#[test]
fn everybody_may_what_the_table_of_posts_says_and_nothing_else() {
    let mut expected = expected();
    let mut wrong = Vec::new();
    for &kind in Kind::ALL {
        let may =
            expected.remove(kind.id()).unwrap_or_else(|| panic!("{} is not in data/posts.txt", kind.id()));
        let points: Vec<(Table, Command)> = possible(kind)
            .into_iter()
            .map(|(setup, fields)| (table(&setup), command(kind, fields)))
            .collect();
        for ((letter, by), may) in actors().into_iter().zip(may) {
            let answers: Vec<_> = points.iter().map(|(table, command)| decide(table, &by, command)).collect();
            let refused_for = |answer: &Result<Vec<Event>, Rejection>| {
                answer.as_ref().err().map(|rejection| rejection.reason.kind())
            };
            let is_so = match may {
                true => answers.iter().any(Result::is_ok),
                false => answers.iter().all(|answer| refused_for(answer) == Some(ReasonKind::NotPermitted)),
            };
            if !is_so {
                let answers: Vec<_> = answers.iter().map(refused_for).collect();
                wrong.push(format!("{} by {letter}: expected {may}, refused for {answers:?}", kind.id()));
            }
        }
    }
    assert!(expected.is_empty(), "no such commands: {expected:?}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A screen goes by the gate: what it lets somebody do is never refused for the person.
#[test]
fn the_gate_knows_the_same_people() {
    let mut wrong = Vec::new();
    let expected = expected();
    for &kind in Kind::ALL {
        for ((letter, by), may) in actors().into_iter().zip(&expected[kind.id()]) {
            let mut passes = false;
            for (setup, _) in possible(kind) {
                let table = table(&setup);
                passes |= gate(table.state(), table.law(), kind, &by).is_ok();
            }
            if passes != *may {
                wrong.push(format!("{} by {letter}: expected {may}", kind.id()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// "Or above": who may, their superiors may too, but for betting on a patron's behalf (interpretation 17).
#[test]
fn posts_are_an_order() {
    for (command, may) in expected() {
        let is_upwards = may[1..6].is_sorted();
        let on_behalf = command == "place-wager";
        assert_eq!(is_upwards, !on_behalf, "{command}");
        assert!(!may[7], "an Auditor changes nothing: {command}");
    }
    let kinds = Kind::ALL.iter().map(|kind| kind.facts().by);
    assert!(kinds.into_iter().all(|it| it.patron
        || it.from.is_some()
        || it.cashier
        || it.administrator
        || it.house
        || it.acceptor));
}

/// The electronic game has no paragraph by which staff bet for a patron.
#[test]
fn nobody_bets_for_a_patron_at_a_terminal() {
    let table = table(&(TERMINALS.to_owned() + "house: open-bets\n"));
    let bet = command(Kind::PlaceWager, json!({ "patron": 7, "bet": "banker", "stake": 100 }));
    for (letter, by) in actors() {
        match decide(&table, &by, &bet) {
            Ok(_) => assert_eq!(letter, "P"),
            Err(rejection) => assert_eq!(rejection.reason.kind(), ReasonKind::NotPermitted, "{letter}"),
        }
    }
}

/// 24, 26, 28: some matters are only for the Shift Manager.
#[test]
fn a_matter_says_who_rules_it() {
    let ruled = |setup: &str, ruling: Value, second: Option<&str>| -> Vec<&'static str> {
        let table = table(setup);
        let order = json!({ "matter": 1, "ruling": ruling, "reason": "seen", "second": second, "second_post": "pit-manager" });
        let order = command(Kind::Rule, order);
        let may = |(letter, by): (&'static str, Actor)| decide(&table, &by, &order).is_ok().then_some(letter);
        actors().into_iter().filter_map(may).collect()
    };
    let uncovered = LIVE.to_owned() + BETS + CLOSE + "dealer: report uncovered words=fire\n";
    assert_eq!(ruled(&uncovered, json!({ "ruling": "void" }), None), ["T", "U"]);
    let round = "dealer: open-bets\ndealer: close-bets\ndealer: draw 2s 9d 3h Kd\ndealer: confirm-result\n";
    let in_time = format!("{LIVE}{round}dealer: report wrong-result round=1 words=shown\n");
    let correct = json!({ "ruling": "correct", "cards": ["9d", "2s", "Kd", "3h"] });
    assert_eq!(ruled(&in_time, correct, Some("second")), ["S", "M", "T", "U"]);
    let bets = "patron 7: bet banker 100\n+30s\nhouse: close-bets";
    let late = format!("{TERMINALS}{}", round.replace("dealer: close-bets", bets))
        + "dealer: open-bets\ndealer: report wrong-result round=1 words=shown\n";
    let adjust = json!({ "ruling": "adjust", "cards": ["9d", "2s", "Kd", "3h"] });
    assert_eq!(ruled(&late, adjust.clone(), None), Vec::<&str>::new());
    assert_eq!(ruled(&late, adjust, Some("second")), ["T", "U"]);
}
