//! The house opens no further Round for a cause of its own: Rounds in play go on, and no table opens another.

use crate::house;
use crate::house::{
    House, answer_to, cash_out, clock, electronic, frame_with, order, redeem, round, until, wager,
};
use punto_record::{Command, Order};
use punto_rules::{Money, PatronNo};
use punto_server::client::Http;
use punto_server::floor::{Hold, Pace};
use punto_server::role::Role;
use punto_server::wire::{Answer, Denial, Said, Screen};
use serde_json::{Value, json};

const DENIED: Answer = Answer::Denied(Denial::NoFurtherRound);

/// A live table whose cards are software's, with a Dealer at its console.
async fn live(house: &House, table: &str) -> punto_server::client::Socket {
    let settings = json!({
        "table": table, "game": "rws-baccarat", "layout": "A", "decks": 8, "cards": "software",
        "betting_box": { "minimum": 1_000, "differential": 100_000 },
        "other_bets": { "minimum": 1_000, "maximum": 50_000 },
    });
    house.open_table(serde_json::from_value(settings).unwrap()).await;
    let (mut console, _) = house.console(table, "d-1", Role::Dealer).await;
    let load =
        Command::LoadShoe { card_set: "set-1".into(), shuffled_by: Some("d-1".into()), commitment: None };
    assert!(matches!(order(&mut console, load, None).await, Answer::Done(_)));
    console
}

async fn health(http: &Http) -> Value {
    let health: Value = http.get("/api/health").await.unwrap();
    health["no_further_round"].clone()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_round_in_play_goes_on_and_no_other_opens() {
    let house = House::with(clock(), Pace::FLAT_OUT).await;
    let mut console = live(&house, "rws-1").await;
    let mut other = live(&house, "rws-2").await;
    let http = house.http("adm-1").await;
    assert_eq!(health(&http).await, Value::Null);
    assert!(matches!(order(&mut console, Command::OpenBets {}, None).await, Answer::Done(_)));
    until(&mut console, |it| it.view().at("/phase") == "betting").await;
    let now = round(&console);

    assert!(house.app.floor.hold_rounds(Hold::HistoryContested));
    assert!(!house.app.floor.hold_rounds(Hold::HistoryContested), "it is in force already");
    assert!(house.app.floor.hold_rounds(Hold::RegisterTampered));
    assert_eq!(health(&http).await, json!(["history-contested", "register-tampered"]));
    assert_eq!(order(&mut other, Command::OpenBets {}, None).await, DENIED);
    assert!(matches!(order(&mut console, Command::CloseBets {}, Some(now)).await, Answer::Done(_)));
    frame_with(&mut console, "round-settled").await;
    // An id that was denied is not used up.
    let id = console.order(Command::OpenBets {}, None).await.unwrap();
    assert_eq!(answer_to(&mut console, &id).await, DENIED);

    // One cause less is not none.
    assert!(house.app.floor.release_rounds(Hold::HistoryContested));
    assert!(!house.app.floor.release_rounds(Hold::HistoryContested));
    assert_eq!(order(&mut other, Command::OpenBets {}, None).await, DENIED);
    assert!(house.app.floor.release_rounds(Hold::RegisterTampered));
    let again = Order {
        id: id.clone(),
        by: Role::Dealer.actor("d-1".into()),
        at: punto_record::Timestamp(0),
        round: None,
        command: Command::OpenBets {},
    };
    console.say(&Said::Order(again)).await.unwrap();
    let Answer::Done(seq) = answer_to(&mut console, &id).await else { panic!("it may open again") };
    // What was carried out before is answered as it was, also under a hold.
    house.app.floor.hold_rounds(Hold::RegisterTampered);
    let again = Order {
        id: id.clone(),
        by: Role::Dealer.actor("d-1".into()),
        at: punto_record::Timestamp(0),
        round: None,
        command: Command::OpenBets {},
    };
    console.say(&Said::Order(again)).await.unwrap();
    assert_eq!(answer_to(&mut console, &id).await, Answer::Before(seq));
    assert_eq!(house.findings().await, Vec::<String>::new());
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_table_that_runs_by_itself_waits_as_well() {
    let house = House::with(clock(), Pace::FLAT_OUT).await;
    house.open_table(electronic("etg-1", 1)).await;
    let mut board = house.staff("etg-1", Screen::Board, "d-1", Role::Dealer).await;
    let terminal = house.terminal("etg-1", 7).await;
    until(&mut board, |it| it.view().at("/phase") == "betting").await;
    house.app.floor.hold_rounds(Hold::HistoryUnwitnessed);
    let last = round(&board);
    frame_with(&mut board, "round-settled").await;
    // Each look waits for everything the table does by itself.
    for _ in 0..100 {
        let rounds = house.app.floor.look(&house::table("etg-1"), |table| table.state().rounds).await;
        assert_eq!(rounds, Some(last));
    }
    house.app.floor.release_rounds(Hold::HistoryUnwitnessed);
    frame_with(&mut board, "bets-opened").await;
    assert!(round(&board) > last);
    drop(terminal);
    house.close().await;
}

/// What is called owed here may have been paid in a later history: while nobody vouches for this one, no credits and no
/// ticket leave the house.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_the_history_is_in_doubt_nothing_is_paid() {
    const DOUBTED: Answer = Answer::Denied(Denial::HistoryInDoubt);
    let house = House::new().await;
    house.open_table(electronic("etg-1", 600)).await;
    house.buy("etg-1", 1, 10_000).await;
    house.buy("etg-1", 2, 500).await;
    let mut first = house.terminal("etg-1", 1).await;
    let mut second = house.terminal("etg-1", 2).await;
    let ticket = cash_out(&mut first, 1).await;
    let cage = house.http("cas-1").await;
    let pay = format!("/api/tickets/{}/pay", ticket.number);
    let out = || Command::CashOut { patron: PatronNo(2), second: None };
    for hold in [Hold::HistoryUnwitnessed, Hold::HistoryContested] {
        house.app.floor.hold_rounds(hold);
        let expired = format!("/api/tickets/{}/pay-expired", ticket.number);
        for (path, body) in [(&pay, Value::Null), (&expired, json!({ "pending": "none" }))] {
            let refused = cage.post::<Value>(path, &body).await.unwrap_err();
            assert!(
                refused.to_string().contains("no witness has confirmed the history"),
                "{hold:?}: {path}: {refused}"
            );
        }
        assert_eq!(order(&mut second, out(), None).await, DOUBTED, "{hold:?}");
        assert_eq!(order(&mut first, redeem(1, &ticket.number), None).await, DOUBTED, "{hold:?}");
        let mut cashier = house.staff("etg-1", Screen::Cage, "cas-1", Role::Cashier).await;
        let amount = Money::new(1).unwrap();
        let unclaimed = Command::PayUnclaimed { patron: PatronNo(2), amount, second: None };
        assert_eq!(order(&mut cashier, unclaimed, None).await, DOUBTED, "{hold:?}");
        // Money comes in, and a Round in play goes on.
        house.buy("etg-1", 2, 100).await;
        until(&mut second, |it| it.view().at("/phase") == "betting").await;
        let now = round(&second);
        assert!(matches!(order(&mut second, wager(2, "player", 100), Some(now)).await, Answer::Done(_)));
        let back = Command::WithdrawWager {
            patron: PatronNo(2),
            box_no: None,
            bet: "player".parse().unwrap(),
            amount: None,
        };
        assert!(matches!(order(&mut second, back, Some(now)).await, Answer::Done(_)));
        house.app.floor.release_rounds(hold);
    }
    // A row that was tampered with says nothing about what is owed.
    house.app.floor.hold_rounds(Hold::RegisterTampered);
    let paid: Value = cage.post(&pay, &()).await.unwrap();
    assert_eq!(paid["state"], "paid");
    cash_out(&mut second, 2).await;
    assert_eq!(house.findings().await, Vec::<String>::new());
    house.close().await;
}
