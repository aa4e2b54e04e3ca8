//! A ticket that has expired is owed all the same: at the cage a Cashier and a second person of standing pay it, by its number,
//! once. A real house on a real socket and a real file.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::house::*;
use punto_record::{LedgerKind, Timestamp};
use punto_server::client::Http;
use punto_server::clock::Clock;
use punto_server::floor::Pace;
use punto_server::pending::Pending;
use punto_server::role::Role;
use punto_server::wire::Answer;
use serde_json::{Value, json};

const DAY: u64 = 86_400_000;

async fn look(http: &Http, number: &str) -> Value {
    http.get(&format!("/api/tickets/{number}")).await.unwrap()
}

async fn propose(http: &Http, number: &str, second: &str) -> Result<Pending, String> {
    let body = json!({"second": second, "reason": "was ill"});
    let path = format!("/api/tickets/{number}/pay-expired/pending");
    http.post(&path, &body).await.map_err(|error| error.to_string())
}

async fn pay(http: &Http, number: &str, pending: &Pending) -> Result<Value, String> {
    let path = format!("/api/tickets/{number}/pay-expired");
    http.post(&path, &json!({"pending": pending.pending})).await.map_err(|error| error.to_string())
}

async fn void(http: &Http, serial: &str) -> Value {
    let path = format!("/api/tickets/{}/void", serial.replace('/', "%2F"));
    let body = json!({"second": "sm-1", "reason": "torn"});
    let asked: Pending = http.post(&format!("{path}/pending"), &body).await.unwrap();
    http.sign_as(&asked.pending, "sm-1").await.unwrap();
    http.post(&path, &json!({"pending": asked.pending})).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_expired_ticket_is_paid_by_two() {
    let system = Arc::new(AtomicU64::new(1_767_225_600_000));
    let reads = system.clone();
    let clock = Clock::new(Arc::new(move || reads.load(Ordering::Relaxed)), Timestamp(0));
    let house = House::of_kind(LedgerKind::Practice, clock.clone(), Pace::FLAT_OUT).await;
    house.open_table(electronic("etg-1", 60)).await;
    let others = [("cas-2", Role::Cashier), ("d-1", Role::Dealer), ("pm-1", Role::PitManager)];
    for (person, role) in
        others.into_iter().chain([("sm-1", Role::ShiftManager), ("adm-2", Role::Administrator)])
    {
        house.hire(person, role).await;
    }
    let mut tickets = Vec::new();
    for patron in 1..=5 {
        house.buy("etg-1", patron, 10_000).await;
        let mut terminal = house.terminal("etg-1", patron).await;
        tickets.push(cash_out(&mut terminal, patron).await);
        if patron == 4 {
            let answer = order(&mut terminal, redeem(4, &tickets[3].number), None).await;
            assert!(matches!(answer, Answer::Done(_)), "{answer:?}");
        }
    }
    let cage = house.http("cas-1").await;
    let _: Value = cage.post(&format!("/api/tickets/{}/pay", tickets[1].number), &()).await.unwrap();
    assert_eq!(void(&cage, tickets[2].ticket.as_str()).await["state"], "void");
    system.fetch_add(31 * DAY, Ordering::Relaxed);
    clock.look().expect("the clock follows");
    house.buy("etg-1", 6, 10_000).await;
    let good = cash_out(&mut house.terminal("etg-1", 6).await, 6).await;

    let (cage, other) = (house.http("cas-1").await, house.http("cas-2").await);
    let states = ["expired", "paid", "void", "paid", "expired"];
    let all = tickets.iter().zip(states).chain([(&good, "good")]);
    for (ticket, state) in all {
        let worth = ["expired", "good"].contains(&state).then_some(10_000);
        let shown = look(&cage, &ticket.number).await;
        assert_eq!((&shown["state"], &shown["amount"]), (&json!(state), &json!(worth)));
        for (second, agrees) in [
            ("cas-1", false),
            ("cas-2", false),
            ("d-1", false),
            ("pm-1", false),
            ("sm-1", true),
            ("adm-2", true),
        ] {
            let proposed = propose(&cage, &ticket.number, second).await;
            assert_eq!(proposed.is_ok(), agrees && state == "expired", "{state} with {second}: {proposed:?}");
        }
        if state != "good" {
            let alone = cage.post::<Value>(&format!("/api/tickets/{}/pay", ticket.number), &()).await;
            assert!(alone.is_err(), "{state}, alone: {alone:?}");
        }
        let serial = ticket.ticket.as_str().replace('/', "%2F");
        assert!(propose(&cage, &serial, "sm-1").await.is_err(), "{state}: whoever holds it shows its number");
    }
    for person in ["d-1", "sm-1", "adm-2"] {
        assert!(propose(&house.http(person).await, &tickets[0].number, "adm-1").await.is_err(), "{person}");
    }

    // Two cages at once, each with its second person.
    let number = &*tickets[0].number;
    let one = propose(&cage, number, "sm-1").await.unwrap();
    let held = one.deed.as_ref().unwrap();
    assert_eq!(one.digest, held.deed.signed_by(&held.by), "amount, currency and reason are signed too");
    assert!(pay(&cage, number, &one).await.is_err(), "nobody signed");
    let two = propose(&other, number, "adm-2").await.unwrap();
    cage.sign_as(&one.pending, "sm-1").await.unwrap();
    other.sign_as(&two.pending, "adm-2").await.unwrap();
    assert!(pay(&other, number, &one).await.is_err(), "what another Cashier asked for");
    assert!(pay(&cage, &tickets[4].number, &one).await.is_err(), "another ticket");
    let one = propose(&cage, number, "sm-1").await.unwrap();
    cage.sign_as(&one.pending, "sm-1").await.unwrap();
    let (here, there) = tokio::join!(pay(&cage, number, &one), pay(&other, number, &two));
    assert!(here.is_ok() != there.is_ok(), "{here:?} {there:?}");
    let paid = here.or(there).unwrap();
    assert_eq!(
        paid,
        json!({"ticket": tickets[0].ticket, "state": "paid", "amount": 10_000, "currency": "SGD"})
    );
    assert!(propose(&cage, number, "sm-1").await.is_err(), "once");
    assert_eq!(look(&cage, number).await["state"], "paid");
    // Or made void, by its serial.
    assert_eq!(void(&cage, tickets[4].ticket.as_str()).await["state"], "void");
    assert!(propose(&cage, &tickets[4].number, "sm-1").await.is_err());
    // A good one is still paid by one.
    let _: Value = cage.post(&format!("/api/tickets/{}/pay", good.number), &()).await.unwrap();
    assert_eq!(house.findings().await, Vec::<String>::new());
    house.close().await;
}
