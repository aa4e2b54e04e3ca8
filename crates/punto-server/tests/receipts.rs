//! Receipts for patrons, over real sockets: what a terminal is given is proven, its own, and nobody else's.

use crate::house::{House, electronic, order, round, until, wager};
use punto_record::{Command, PatronReceipt, PublicKey, RoundNo, is_own_wager};
use punto_rules::{Money, PatronNo};
use punto_server::client::{Error, Http};
use punto_server::http::receipts::RoundReceipt;
use punto_server::register::DeviceKind;
use punto_server::wire::Answer;

fn code(answer: Result<RoundReceipt, Error>) -> (u16, String) {
    match answer {
        Ok(receipt) => panic!("{receipt:?}"),
        Err(Error::Refused { status, code, .. }) => (status, code),
        Err(error) => panic!("{error}"),
    }
}

async fn ask(house: &House, credential: &str, table: &str, round: RoundNo) -> Result<RoundReceipt, Error> {
    let http = Http::with_session(&house.url, credential)?;
    http.get(&format!("/api/tables/{table}/rounds/{}/receipt", round.0)).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_terminal_is_given_what_its_patron_bet_and_nothing_else() {
    let house = House::new().await;
    house.open_table(electronic("etg-1", 60)).await;
    let mut terminals = Vec::new();
    for patron in [3, 4] {
        house.buy("etg-1", patron, 50_000).await;
        let kind = DeviceKind::Terminal { table: "etg-1".into(), patron: PatronNo(patron), at_box: None };
        let credential = house.enrol(&format!("t-{patron}"), kind);
        terminals.push((house.terminal_again("etg-1", patron, &credential, None).await, credential));
    }
    let [(three, threes), (four, fours)] = &mut terminals[..] else { panic!("two") };
    until(three, |it| it.view().at("/phase") == "betting").await;
    until(four, |it| it.view().at("/phase") == "betting").await;
    let now = round(three);
    assert_eq!(code(ask(&house, threes, "etg-1", now).await), (404, "not-found".to_owned()), "no bet yet");

    let back = Command::WithdrawWager {
        patron: PatronNo(3),
        box_no: None,
        bet: "banker".into(),
        amount: Some(Money::new(200).unwrap()),
    };
    for (patron, command) in
        [(3, wager(3, "banker", 500)), (4, wager(4, "tie", 700)), (3, back), (3, wager(3, "player", 600))]
    {
        let socket = if patron == 3 { &mut *three } else { &mut *four };
        let answer = order(socket, command, Some(now)).await;
        assert!(matches!(answer, Answer::Done(_)), "{answer:?}");
    }
    // No checkpoint signs for it: the terminal asks again.
    assert_eq!(code(ask(&house, threes, "etg-1", now).await), (409, "not-yet-signed".to_owned()));
    let at = house.app.clock.now();
    house.app.floor.ledger().with(move |vault| vault.checkpoint(at)).await.unwrap().expect("signed");

    let key = PublicKey::of(&ed25519_dalek::SigningKey::from_bytes(&house.key));
    for (patron, credential, bets) in [(3, &*threes, 3), (4, &*fours, 1)] {
        let RoundReceipt { receipt, withheld } = ask(&house, credential, "etg-1", now).await.unwrap();
        let read: PatronReceipt = receipt.parse().expect("a receipt");
        assert_eq!((read.check(key), read.proofs.len(), withheld), (Ok(()), bets, 0), "{receipt}");
        for proof in &read.proofs {
            let entry: punto_record::Entry = serde_json::from_str(proof.entry.get()).unwrap();
            assert!(is_own_wager(&entry, PatronNo(patron)), "{receipt}");
        }
    }
    assert_eq!(code(ask(&house, threes, "etg-1", RoundNo(now.0 + 1)).await), (404, "not-found".to_owned()));
    assert_eq!(code(ask(&house, threes, "etg-2", now).await), (404, "not-found".to_owned()), "another table");

    // Later bets wait for the next checkpoint; entries of others between two checkpoints change nothing.
    let answer = order(three, wager(3, "tie", 600), Some(now)).await;
    assert!(matches!(answer, Answer::Done(_)), "{answer:?}");
    assert_eq!(code(ask(&house, threes, "etg-1", now).await), (409, "not-yet-signed".to_owned()));
    assert!(ask(&house, fours, "etg-1", now).await.is_ok(), "theirs is signed for");
    let at = house.app.clock.now();
    house.app.floor.ledger().with(move |vault| vault.checkpoint(at)).await.unwrap().expect("signed");
    let read: PatronReceipt = ask(&house, threes, "etg-1", now).await.unwrap().receipt.parse().unwrap();
    assert_eq!((read.check(key), read.proofs.len()), (Ok(()), 4));

    // Somebody who asks without end is told to wait, and nobody else is.
    let mut answers = Vec::new();
    for _ in 0..30 {
        answers.push(ask(&house, threes, "etg-1", now).await.map_err(|error| code(Err(error))));
    }
    assert!(answers.contains(&Err((429, "too-often".to_owned()))), "{answers:?}");
    assert!(ask(&house, fours, "etg-1", now).await.is_ok());
    house.close().await;
}
