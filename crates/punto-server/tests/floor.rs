//! Tables at work, over real sockets: registering, closing, settling, answering again, coming back.

use crate::house;
use crate::house::{
    House, PASSWORD, PATIENCE, answer_to, cash_out, credits, electronic, frame_with, hello, next, order,
    redeem, round, until, wager,
};
use punto_record::{Actor, Command, Event, MatterNo, Reason, Report, RoundNo, Ruling};
use punto_rules::{Money, PatronNo};
use punto_server::client::{Http, Socket};
use punto_server::floor::Pace;
use punto_server::register::DeviceKind;
use punto_server::role::Role;
use punto_server::wire::{Answer, Approved, Denial, Said, Screen, Status, Told};
use tokio::time::timeout;

fn betting(socket: &Socket) -> bool {
    socket.view().at("/phase") == "betting"
}

fn refused(answer: &Answer) -> Option<&Reason> {
    if let Answer::Refused(rejection) = answer { Some(&rejection.reason) } else { None }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_round_is_bet_on_dealt_and_paid() {
    let house = House::new().await;
    house.open_table(electronic("etg-1", 1)).await;
    house.buy("etg-1", 7, 50_000).await;
    let mut board = house.staff("etg-1", Screen::Board, "d-1", Role::Dealer).await;
    let mut terminal = house.terminal("etg-1", 7).await;
    until(&mut terminal, betting).await;
    assert_eq!(credits(&terminal), 50_000);
    let now = round(&terminal);

    let answer = order(&mut terminal, wager(7, "player", 10_000), Some(now)).await;
    assert!(matches!(answer, Answer::Done(_)), "{answer:?}");
    until(&mut terminal, |it| credits(it) == 40_000).await;
    assert_eq!(terminal.view().at("/own/wagers/0/stake"), 10_000);

    let frame = frame_with(&mut terminal, "bets-closed").await;
    assert!(frame.view.contains_key("phase"), "what changed is there: {frame:?}");
    let late = order(&mut terminal, wager(7, "banker", 10_000), Some(now)).await;
    assert!(matches!(refused(&late), Some(Reason::BetsClosed {} | Reason::WrongRound { .. })), "{late:?}");

    // The board learns the result and nobody's money.
    let public = frame_with(&mut board, "round-settled").await;
    let Some(Event::RoundSettled { lines, .. }) =
        public.events.iter().find(|event| matches!(event, Event::RoundSettled { .. }))
    else {
        panic!("{public:?}")
    };
    assert!(lines.is_empty());

    until(&mut terminal, |it| it.view().at("/last/lines/0/stake") == 10_000).await;
    let line = terminal.view().at("/last/lines/0").clone();
    let to_patron = line["to_patron"].as_u64().unwrap();
    assert_eq!(credits(&terminal), 40_000 + to_patron, "{line}");
    assert_eq!(house.findings().await, Vec::<String>::new());

    // What the screens merged from frames is what a new view shows.
    let merged = terminal.view().sections().clone();
    let seq = terminal.view().at("/seq").clone();
    let id = house::table("etg-1");
    let fresh = house.app.floor.look(&id, |table| {
        let view = table.view(punto_table::Audience::Terminal { patron: PatronNo(7) });
        (table.state().seq.0, serde_json::to_value(view).unwrap())
    });
    let (at, fresh) = fresh.await.unwrap();
    if seq == at {
        for (name, value) in fresh.as_object().unwrap() {
            if !matches!(name.as_str(), "now" | "possible") {
                assert_eq!(merged.get(name), Some(value), "{name}");
            }
        }
    }
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_order_is_carried_out_once() {
    let house = House::new().await;
    house.open_table(electronic("etg-1", 60)).await;
    house.buy("etg-1", 1, 10_000).await;
    let credential =
        house.enrol("t-1", DeviceKind::Terminal { table: "etg-1".into(), patron: PatronNo(1), at_box: None });
    let mut terminal = house.terminal_again("etg-1", 1, &credential, None).await;
    until(&mut terminal, betting).await;
    let now = round(&terminal);
    let first = terminal.numbered(wager(1, "tie", 500), Some(now));
    let said = Said::Order(first.clone());
    terminal.say(&said).await.unwrap();
    let Answer::Done(seq) = answer_to(&mut terminal, &first.id).await else { panic!() };
    // What a patron may order follows from their own money, also if nothing else at the table changes.
    until(&mut terminal, |it| it.view().at("/own/total") == 500).await;
    assert!(terminal.view().may(punto_record::CommandKind::WithdrawWager));
    terminal.say(&said).await.unwrap();
    assert_eq!(answer_to(&mut terminal, &first.id).await, Answer::Before(seq));

    // Another wish under the same number.
    let mut other = first.clone();
    other.command = wager(1, "player", 500);
    terminal.say(&Said::Order(other)).await.unwrap();
    let answer = answer_to(&mut terminal, &first.id).await;
    assert_eq!(refused(&answer), Some(&Reason::OrderIdReused {}));

    // Across a lost connection and a new start of the house.
    terminal.hang_up().await;
    let (folder, key) = house.close().await;
    let house = House::open(folder, key, house::clock(), Pace::FLAT_OUT).await;
    let mut terminal = house.terminal_again("etg-1", 1, &credential, None).await;
    assert_eq!(terminal.welcome().last, first.id.n);
    terminal.say(&said).await.unwrap();
    assert_eq!(answer_to(&mut terminal, &first.id).await, Answer::Before(seq));
    assert_eq!(house.findings().await, Vec::<String>::new());
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_spends_anybody_elses_money() {
    let house = House::new().await;
    house.open_table(electronic("etg-1", 60)).await;
    house.buy("etg-1", 1, 10_000).await;
    house.buy("etg-1", 2, 10_000).await;
    let mut one = house.terminal("etg-1", 1).await;
    let mut two = house.terminal("etg-1", 2).await;
    until(&mut one, betting).await;
    let now = Some(round(&one));

    // In another's name, by another's device, for another.
    let mut as_two = one.numbered(wager(2, "tie", 500), now);
    as_two.by = Actor::Patron { patron: PatronNo(2) };
    let id = as_two.id.clone();
    one.say(&Said::Order(as_two)).await.unwrap();
    assert_eq!(answer_to(&mut one, &id).await, Answer::Denied(Denial::NotYou));
    let mut by_two = one.numbered(wager(1, "tie", 500), now);
    by_two.id.device = "t-etg-1-2".into();
    let id = by_two.id.clone();
    one.say(&Said::Order(by_two)).await.unwrap();
    assert_eq!(answer_to(&mut one, &id).await, Answer::Denied(Denial::NotYourDevice));
    let answer = order(&mut one, wager(2, "tie", 500), now).await;
    assert_eq!(refused(&answer), Some(&Reason::NotYours {}));
    let answer = order(&mut one, Command::CashOut { patron: PatronNo(2), second: None }, None).await;
    assert_eq!(refused(&answer), Some(&Reason::NotYours {}));

    // As somebody on the staff, or as the house itself.
    for by in [Role::ShiftManager.actor("sm-1".into()), Actor::House] {
        let mut as_staff = one.numbered(Command::CloseBets {}, now);
        as_staff.by = by;
        let id = as_staff.id.clone();
        one.say(&Said::Order(as_staff)).await.unwrap();
        assert_eq!(answer_to(&mut one, &id).await, Answer::Denied(Denial::NotYou));
    }

    // What one does, the other does not hear.
    let answer = order(&mut one, wager(1, "tie", 700), now).await;
    assert!(matches!(answer, Answer::Done(_)));
    let answer = order(&mut two, wager(2, "player", 500), now).await;
    assert!(matches!(answer, Answer::Done(_)));
    until(&mut two, |it| credits(it) == 9_500).await;
    let heard = serde_json::to_string(two.view().sections()).unwrap();
    assert!(!heard.contains("700") && !heard.contains("9300"), "{heard}");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_comes_back_is_told_what_was_missed() {
    let house = House::new().await;
    house.open_table(electronic("etg-1", 1)).await;
    house.buy("etg-1", 1, 10_000).await;
    let mut other = house.terminal("etg-1", 2).await;
    let credential =
        house.enrol("t-1", DeviceKind::Terminal { table: "etg-1".into(), patron: PatronNo(1), at_box: None });
    let mut terminal = house.terminal_again("etg-1", 1, &credential, None).await;
    until(&mut terminal, betting).await;
    let now = round(&terminal);
    let answer = order(&mut terminal, wager(1, "player", 1_000), Some(now)).await;
    let Answer::Done(seq) = answer else { panic!("{answer:?}") };
    terminal.hang_up().await;
    drop(terminal);
    frame_with(&mut other, "round-settled").await;

    let mut back = house.terminal_again("etg-1", 1, &credential, Some(seq)).await;
    let missed = frame_with(&mut back, "round-settled").await;
    let own = missed.events.iter().any(|event| {
        matches!(event, Event::RoundSettled { lines, round, .. } if *round == now && lines.len() == 1)
    });
    assert!(own, "{missed:?}");
    assert!(missed.events.iter().any(|event| matches!(event, Event::BetsClosed { .. })));
    assert!(
        !missed.events.iter().any(|event| matches!(event, Event::BetsOpened { round, .. } if *round == now))
    );

    // The same device once more: the older socket is told.
    let again = house.terminal_again("etg-1", 1, &credential, None).await;
    let gone = timeout(PATIENCE, async { while back.next().await.is_ok() {} }).await;
    assert!(gone.is_ok());
    drop(again);
    house.close().await;
}

/// Interpretation 39: whoever uses a terminal sits at the box where it was enrolled, and nowhere else, until another
/// terminal stands there.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_terminal_stands_at_a_box() {
    let house = House::new().await;
    let settings = serde_json::json!({
        "table": "rws-1", "game": "rws-baccarat", "layout": "A", "decks": 8, "cards": "software",
        "betting_box": { "minimum": 1_000, "differential": 100_000 },
        "other_bets": { "minimum": 1_000, "maximum": 50_000 },
    });
    house.open_table(serde_json::from_value(settings).unwrap()).await;
    let at = |patron, no| DeviceKind::Terminal {
        table: "rws-1".into(),
        patron: PatronNo(patron),
        at_box: Some(punto_record::BoxNo(no)),
    };
    let seat = |patron: u64| {
        move |it: &punto_server::client::Socket| it.view().at("/own/seat").as_u64() == Some(patron)
    };
    let credential = house.enrol("t-3", at(3, 2));
    let mut three = house.terminal_again("rws-1", 3, &credential, None).await;
    until(&mut three, seat(2)).await;
    // One terminal a box.
    let taken = house.http("adm-1").await;
    let told: Result<serde_json::Value, _> = taken
        .post("/api/devices", &serde_json::json!({ "device": "t-4", "kind": { "terminal": { "table": "rws-1", "patron": 4, "box": 2 } } }))
        .await;
    assert!(told.is_err(), "another terminal at the same box");
    // A terminal that goes dark is still where it is.
    drop(three);
    let mut three = house.terminal_again("rws-1", 3, &credential, None).await;
    until(&mut three, seat(2)).await;
    // The box gets another terminal: whoever sat there sits nowhere.
    house.app.register.revoke("t-3", house.app.clock.now()).unwrap();
    let credential = house.enrol("t-4", at(4, 2));
    let mut four = house.terminal_again("rws-1", 4, &credential, None).await;
    until(&mut four, seat(2)).await;
    let credential = house.enrol("t-5", at(3, 5));
    let mut three = house.terminal_again("rws-1", 3, &credential, None).await;
    until(&mut three, seat(5)).await;
    assert_eq!(house.findings().await, Vec::<String>::new());
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_live_table_is_run_from_its_console() {
    let house = House::new().await;
    let settings = serde_json::json!({
        "table": "rws-1", "game": "rws-baccarat", "layout": "A", "decks": 8, "cards": "software",
        "betting_box": { "minimum": 1_000, "differential": 100_000 },
        "other_bets": { "minimum": 1_000, "maximum": 50_000 },
    });
    house.open_table(serde_json::from_value(settings).unwrap()).await;
    let (mut console, session) = house.console("rws-1", "d-1", Role::Dealer).await;
    let load =
        Command::LoadShoe { card_set: "set-1".into(), shuffled_by: Some("d-1".into()), commitment: None };
    let id = console.order(load.clone(), None).await.unwrap();
    let Answer::Done(seq) = answer_to(&mut console, &id).await else { panic!() };
    // The commitment is the server's; a retry without one means the same shoe.
    let retry = punto_record::Order {
        id: id.clone(),
        by: Role::Dealer.actor("d-1".into()),
        at: punto_record::Timestamp(0),
        round: None,
        command: load,
    };
    console.say(&Said::Order(retry)).await.unwrap();
    assert_eq!(answer_to(&mut console, &id).await, Answer::Before(seq));

    house.buy("rws-1", 3, 100_000).await;
    let mut terminal = house.terminal("rws-1", 3).await;
    assert!(matches!(order(&mut console, Command::OpenBets {}, None).await, Answer::Done(_)));
    until(&mut terminal, betting).await;
    let now = round(&terminal);
    let bet = Command::PlaceWager {
        patron: PatronNo(3),
        box_no: Some(punto_record::BoxNo(2)),
        stance: None,
        bet: "banker".into(),
        stake: Money::new(20_000).unwrap(),
    };
    assert!(matches!(order(&mut terminal, bet, Some(now)).await, Answer::Done(_)));
    // The console sees the wager; the Dealer closes and the shoe deals.
    until(&mut console, |it| it.view().at("/wagers/0/stake") == 20_000).await;
    assert!(matches!(order(&mut console, Command::CloseBets {}, Some(now)).await, Answer::Done(_)));
    frame_with(&mut terminal, "round-settled").await;
    assert_eq!(house.findings().await, Vec::<String>::new());

    // A ruling is for whoever signs in for it.
    let report = Command::Report { report: Report::Uncovered { words: "a glass fell over".into() } };
    assert!(matches!(order(&mut console, report, None).await, Answer::Done(_)));
    until(&mut console, |it| !it.view().at("/matters/0").is_null()).await;
    let matter = MatterNo(console.view().at("/matters/0/matter").as_u64().unwrap() as u32);
    let rule = Command::Rule {
        matter,
        ruling: Ruling::Stand {},
        replace_shoe: false,
        reason: "dried".into(),
        second: None,
        second_post: None,
        departs: None,
    };
    let by_dealer = order(&mut console, rule.clone(), None).await;
    assert_eq!(by_dealer, Answer::Denied(Denial::ApprovalNeeded));
    house.hire("sm-1", Role::ShiftManager).await;
    let http = Http::with_session(&house.url, &session).unwrap();
    let asked = http.propose(&"rws-1".into(), "sm-1", None, rule).await.unwrap();
    let ruled = console.signed(&asked.pending, asked.order.as_ref().unwrap());
    let id = ruled.order.id.clone();
    let nonsense = Approved { pending: Some("nonsense".to_owned()), ..ruled.clone() };
    console.say(&Said::Approved(nonsense)).await.unwrap();
    assert_eq!(answer_to(&mut console, &id).await, Answer::Denied(Denial::ApprovalNotGood));
    console.say(&Said::Approved(ruled.clone())).await.unwrap();
    assert_eq!(answer_to(&mut console, &id).await, Answer::Denied(Denial::ApprovalNeeded));
    http.sign(&asked.pending, "sm-1", PASSWORD).await.unwrap();
    console.say(&Said::Approved(ruled.clone())).await.unwrap();
    let answer = answer_to(&mut console, &id).await;
    let Answer::Done(seq) = answer else { panic!("{answer:?}") };
    // It was good once: said again it is the same order, and under another number it is not good any more.
    console.say(&Said::Approved(ruled)).await.unwrap();
    assert_eq!(answer_to(&mut console, &id).await, Answer::Before(seq));
    let again = console.signed(&asked.pending, asked.order.as_ref().unwrap());
    let id = again.order.id.clone();
    console.say(&Said::Approved(again)).await.unwrap();
    assert_eq!(answer_to(&mut console, &id).await, Answer::Denied(Denial::ApprovalNotGood));
    assert_eq!(house.findings().await, Vec::<String>::new());
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hanging_up_is_a_lost_terminal_until_it_is_back() {
    let house = House::new().await;
    house.open_table(electronic("etg-1", 60)).await;
    house.buy("etg-1", 1, 10_000).await;
    let mut pit = house.staff("etg-1", Screen::Pit, "sup-1", Role::PitSupervisor).await;
    let credential =
        house.enrol("t-1", DeviceKind::Terminal { table: "etg-1".into(), patron: PatronNo(1), at_box: None });
    let mut terminal = house.terminal_again("etg-1", 1, &credential, None).await;
    until(&mut terminal, betting).await;
    terminal.hang_up().await;
    drop(terminal);
    frame_with(&mut pit, "terminal-lost").await;
    let _back = house.terminal_again("etg-1", 1, &credential, None).await;
    frame_with(&mut pit, "terminal-restored").await;

    // Its credential is revoked: it is gone at once, and does not come in again.
    let mut back = house.terminal_again("etg-1", 1, &credential, None).await;
    house.app.register.revoke("t-1", house.app.clock.now()).unwrap();
    let gone = timeout(PATIENCE, async {
        loop {
            if let Err(error) = back.next().await {
                return error;
            }
        }
    });
    assert!(gone.await.unwrap().is_not_signed_in());
    let refused =
        Socket::open(&house.url, hello("etg-1", Screen::Terminal, Some(&credential), None), Actor::House);
    assert!(refused.await.unwrap_err().is_not_signed_in());
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn going_down_in_order_finishes_the_round() {
    let house = House::new().await;
    house.open_table(electronic("etg-1", 60)).await;
    house.buy("etg-1", 1, 10_000).await;
    let credential =
        house.enrol("t-1", DeviceKind::Terminal { table: "etg-1".into(), patron: PatronNo(1), at_box: None });
    let mut terminal = house.terminal_again("etg-1", 1, &credential, None).await;
    until(&mut terminal, betting).await;
    let now = round(&terminal);
    assert!(matches!(order(&mut terminal, wager(1, "player", 1_000), Some(now)).await, Answer::Done(_)));
    let told = tokio::spawn(async move {
        let (mut closing, mut voided) = (false, false);
        loop {
            match terminal.next().await {
                Ok(Told::Status(Status::Closing)) => closing = true,
                Ok(Told::Frame(frame)) => {
                    voided |= frame.events.iter().any(|event| matches!(event, Event::RoundVoided { .. }));
                }
                Ok(_) => {}
                Err(_) => return (closing, voided),
            }
        }
    });
    let (folder, key) = house.close().await;
    assert_eq!(timeout(PATIENCE, told).await.unwrap().unwrap(), (true, true));

    // Nothing is open, nothing is lost.
    let house = House::open(folder, key, house::clock(), Pace::FLAT_OUT).await;
    let terminal = house.terminal_again("etg-1", 1, &credential, None).await;
    assert_eq!(credits(&terminal), 10_000);
    assert_eq!(house.findings().await, Vec::<String>::new());
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crash_is_a_technical_interruption() {
    let house = House::new().await;
    house.open_table(electronic("etg-1", 60)).await;
    house.buy("etg-1", 1, 10_000).await;
    let credential =
        house.enrol("t-1", DeviceKind::Terminal { table: "etg-1".into(), patron: PatronNo(1), at_box: None });
    let mut terminal = house.terminal_again("etg-1", 1, &credential, None).await;
    until(&mut terminal, betting).await;
    let now = round(&terminal);
    assert!(matches!(order(&mut terminal, wager(1, "player", 1_000), Some(now)).await, Answer::Done(_)));

    // The disk as a crash leaves it, copied while the writer waits; the first server never stops.
    let (from, left) = (house.folder.path().join("."), tempfile::tempdir().unwrap());
    let to = left.path().to_owned();
    let copy = move |_: &mut punto_ledger::Vault| {
        let copied = std::process::Command::new("cp").arg("-r").args([&from, &to]).status();
        assert!(copied.unwrap().success());
        Ok(())
    };
    house.app.floor.ledger().with(copy).await.unwrap();
    let before = house;
    let house = House::open(left, before.key, house::clock(), Pace::FLAT_OUT).await;
    let mut again = house.terminal_again("etg-1", 1, &credential, None).await;
    assert_eq!(credits(&again), 10_000, "bets were open and nothing was established: void, and returned");
    assert_ne!(round(&again), RoundNo(0));
    assert_eq!(house.findings().await, Vec::<String>::new());
    next(&mut again).await;
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_ticket_goes_from_one_table_to_another() {
    let house = House::new().await;
    house.open_table(electronic("etg-1", 60)).await;
    house.open_table(electronic("etg-2", 60)).await;
    house.buy("etg-1", 1, 10_000).await;
    let mut here = house.terminal("etg-1", 1).await;
    let mut there = house.terminal("etg-2", 9).await;
    let ticket = cash_out(&mut here, 1).await;
    assert_eq!(ticket.amount.get(), 10_000);
    let answer = order(&mut there, redeem(9, &ticket.number), None).await;
    assert!(matches!(answer, Answer::Done(_)), "{answer:?}");
    until(&mut there, |it| credits(it) == 10_000).await;
    let answer = order(&mut here, redeem(1, &ticket.number), None).await;
    assert_eq!(refused(&answer), Some(&Reason::TicketPaid {}));

    // At the cage.
    house.hire("cas-9", Role::Cashier).await;
    let cage = house.http("cas-9").await;
    let shown: serde_json::Value = cage.get(&format!("/api/tickets/{}", ticket.number)).await.unwrap();
    assert_eq!(shown["state"], "paid");
    assert_eq!(house.findings().await, Vec::<String>::new());
    house.close().await;
}
