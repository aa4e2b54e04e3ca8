//! Messages that nobody should send: broken, too long, out of order, twice, at random. The server answers or hangs up, and
//! goes on for everybody else; no money moves that the record does not explain.

use crate::house;
use crate::house::{House, PATIENCE, credits, electronic, hello, order, round, until, wager};
use futures_util::{SinkExt as _, StreamExt as _};
use punto_record::Order;
use punto_rules::PatronNo;
use punto_server::client::Socket;
use punto_server::register::DeviceKind;
use punto_server::wire::{Answer, Goodbye, LONGEST, Said, Screen, Told};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;

fn scale(test: usize, soak: usize) -> usize {
    if std::env::var_os("PUNTO_SOAK").is_some_and(|it| it == "1") { soak } else { test }
}

fn betting(socket: &Socket) -> bool {
    socket.view().at("/phase") == "betting"
}

/// Says these after each other and waits for the goodbye, if one comes.
async fn said(house: &House, messages: Vec<Message>) -> Option<Goodbye> {
    let url = house.url.replace("http://", "ws://") + "/api/socket";
    let (mut socket, _) = tokio_tungstenite::connect_async(url).await.expect("a socket");
    for message in messages {
        if socket.send(message).await.is_err() {
            break;
        }
    }
    let heard = timeout(PATIENCE, async {
        while let Some(Ok(message)) = socket.next().await {
            if let Message::Text(text) = message
                && let Ok(Told::Goodbye(why)) = serde_json::from_str(&text)
            {
                return Some(why);
            }
        }
        None
    });
    heard.await.expect("the server hangs up in time")
}

fn text(message: &str) -> Message {
    Message::Text(message.into())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cannot_be_read_ends_the_conversation() {
    let house = House::new().await;
    house.open_table(electronic("etg-1", 600)).await;
    house.buy("etg-1", 1, 10_000).await;
    let mut other = house.terminal("etg-1", 1).await;
    until(&mut other, betting).await;
    let kind = DeviceKind::Terminal { table: "etg-1".into(), patron: PatronNo(2), at_box: None };
    let credential = house.enrol("t-2", kind);
    let first = Said::Hello(hello("etg-1", Screen::Terminal, Some(&credential), None));
    let first = text(&serde_json::to_string(&first).unwrap());

    for nonsense in ["", "{", "null", "[]", "{}", "{\"hello\":{}}", "{\"order\":{}}", "{\"ping\":1}"] {
        assert_eq!(said(&house, vec![text(nonsense)]).await, Some(Goodbye::NoHello), "{nonsense}");
    }
    assert_eq!(said(&house, vec![Message::Binary(vec![0, 1, 2].into())]).await, Some(Goodbye::NoHello));
    let order =
        serde_json::to_value(Said::Order(other.numbered(wager(1, "tie", 500), Some(round(&other))))).unwrap();
    let with = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut changed = order.clone();
        change(&mut changed["order"]);
        changed.to_string()
    };
    let malformed = [
        "nonsense".to_owned(),
        "{\"order\":null}".to_owned(),
        "{\"ping\":-1}".to_owned(),
        "{\"ping\":1,\"ping\":2}".to_owned(),
        "{\"order\":{},\"hello\":{}}".to_owned(),
        with(&|it| it["extra"] = 1.into()),
        with(&|it| it["id"]["n"] = (-1).into()),
        with(&|it| it["id"]["n"] = 1.5.into()),
        with(&|it| it["command"]["do"] = "steal".into()),
        with(&|it| it["command"]["stake"] = "500".into()),
        with(&|it| it["command"]["stake"] = 9_007_199_254_740_992_u64.into()),
        with(&|it| it["command"]["stake"] = (-500).into()),
        with(&|it| it["command"]["more"] = true.into()),
        with(&|it| it["by"]["as"] = "god".into()),
        with(&|it| drop(it.as_object_mut().unwrap().remove("by"))),
    ];
    for message in malformed {
        let heard = said(&house, vec![first.clone(), text(&message)]).await;
        assert_eq!(heard, Some(Goodbye::Malformed), "{message}");
    }
    let binary = vec![first.clone(), Message::Binary(vec![7; 10].into())];
    assert_eq!(said(&house, binary).await, Some(Goodbye::Malformed));
    let twice = vec![first.clone(), first.clone()];
    assert_eq!(said(&house, twice).await, Some(Goodbye::Malformed));
    let long = vec![first.clone(), text(&format!("{{\"ping\":1{}}}", " ".repeat(LONGEST)))];
    assert!(matches!(said(&house, long).await, Some(Goodbye::TooLong) | None));

    // Nobody else noticed.
    let now = round(&other);
    assert!(matches!(house::order(&mut other, wager(1, "tie", 500), Some(now)).await, Answer::Done(_)));
    until(&mut other, |it| credits(it) == 9_500).await;
    house.close().await;
}

/// A message with a few bytes of it changed, cut off, doubled or put elsewhere.
fn twisted(message: &str, chance: &mut ChaCha8Rng) -> String {
    let mut bytes = message.as_bytes().to_vec();
    for _ in 0..chance.random_range(1..4) {
        if bytes.is_empty() {
            break;
        }
        let at = chance.random_range(0..bytes.len());
        match chance.random_range(0..6) {
            0 => bytes[at] = chance.random_range(0x20..0x7f),
            1 => drop(bytes.remove(at)),
            2 => bytes.truncate(at),
            3 => {
                let part = bytes[at..(at + 9).min(bytes.len())].to_vec();
                bytes.splice(at..at, part);
            }
            4 => bytes[at] = *b"{}[]\",:0919-.eE".get(chance.random_range(0..15)).expect("one of them"),
            _ => {
                let other = chance.random_range(0..bytes.len());
                bytes.swap(at, other);
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Every order of the golden file, and every other thing that a screen says.
fn corpus() -> Vec<String> {
    let orders = include_str!("../../punto-record/tests/data/orders.ndjson").lines();
    let orders = orders.map(|line| Said::Order(serde_json::from_str::<Order>(line).expect("an order")));
    let others = [
        Said::Ping(7),
        Said::Hello(hello("etg-1", Screen::Terminal, Some("secret"), None)),
        Said::Hello(hello("etg-1", Screen::Pit, None, Some("secret"))),
    ];
    orders.chain(others).map(|said| serde_json::to_string(&said).expect("JSON")).collect()
}

#[test]
fn the_decoder_takes_anything() {
    let corpus = corpus();
    let mut chance = ChaCha8Rng::seed_from_u64(6);
    let mut taken = 0;
    for n in 0..scale(40_000, 4_000_000) {
        let message = twisted(&corpus[n % corpus.len()], &mut chance);
        // What is taken means one thing: said again, it is the same.
        if let Ok(said) = serde_json::from_str::<Said>(&message) {
            let again = serde_json::to_string(&said).expect("JSON");
            assert_eq!(serde_json::from_str::<Said>(&again).expect("it was taken before"), said, "{message}");
            taken += 1;
        }
    }
    assert!(taken > 100, "some are still good: {taken}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn twisted_orders_over_the_socket_move_no_money_unseen() {
    let house = House::new().await;
    house.open_table(electronic("etg-1", 600)).await;
    house.buy("etg-1", 1, 1_000_000).await;
    house.buy("etg-1", 2, 1_000_000).await;
    let kind = DeviceKind::Terminal { table: "etg-1".into(), patron: PatronNo(1), at_box: None };
    let credential = house.enrol("t-1", kind);
    let mut victim = house.terminal("etg-1", 2).await;
    until(&mut victim, betting).await;
    let now = round(&victim);
    let mut chance = ChaCha8Rng::seed_from_u64(9);
    let mut terminal = house.terminal_again("etg-1", 1, &credential, None).await;
    let (mut done, mut hung_up) = (0, 0);
    for _ in 0..scale(400, 20_000) {
        let good = Said::Order(terminal.numbered(wager(1, "player", 100), Some(now)));
        let message = twisted(&serde_json::to_string(&good).expect("JSON"), &mut chance);
        // Whatever it means now, at most one thing is said about it.
        match speak(&mut terminal, message).await {
            Some(Answer::Done(_)) => done += 1,
            Some(_) => {}
            None => {
                hung_up += 1;
                terminal = house.terminal_again("etg-1", 1, &credential, None).await;
            }
        }
    }
    eprintln!("{done} carried out, hung up {hung_up} times");
    assert!(hung_up > 0, "most of them mean nothing");
    // Whatever numbers were used up, a good order is still taken.
    let mut terminal = house.terminal_again("etg-1", 1, &credential, None).await;
    let answer = order(&mut terminal, wager(1, "player", 100), Some(now)).await;
    assert!(matches!(answer, Answer::Done(_)), "{answer:?}");
    assert_eq!(credits(&victim), 1_000_000);
    let answer = order(&mut victim, wager(2, "tie", 500), Some(now)).await;
    assert!(matches!(answer, Answer::Done(_)), "{answer:?}");
    assert_eq!(house.findings().await, Vec::<String>::new());
    house.close().await;
}

/// Says something as it is and waits for what comes of it: an answer, or the end.
async fn speak(terminal: &mut Socket, message: String) -> Option<Answer> {
    terminal.say_text(message).await.ok()?;
    // A pong after it shows that nothing more comes.
    terminal.say(&Said::Ping(1)).await.ok()?;
    let mut answer = None;
    loop {
        match timeout(PATIENCE, terminal.next()).await.expect("something in time") {
            Ok(Told::Reply(reply)) => return Some(reply.answer),
            Ok(Told::Pong(_)) => {
                // An order's answer waits for the disk and may come after the pong.
                answer = answer.or(Some(Answer::Busy));
                if let Ok(Ok(Told::Reply(reply))) =
                    timeout(std::time::Duration::from_millis(60), terminal.next()).await
                {
                    return Some(reply.answer);
                }
                return answer;
            }
            Ok(_) => {}
            Err(_) => return None,
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_order_replayed_from_elsewhere_is_nothing() {
    let house = House::new().await;
    house.open_table(electronic("etg-1", 600)).await;
    house.buy("etg-1", 1, 10_000).await;
    let mut one = house.terminal("etg-1", 1).await;
    let mut two = house.terminal("etg-1", 2).await;
    until(&mut one, betting).await;
    let now = round(&one);
    let good = one.numbered(wager(1, "tie", 500), Some(now));
    one.say(&Said::Order(good.clone())).await.unwrap();
    assert!(matches!(house::answer_to(&mut one, &good.id).await, Answer::Done(_)));
    // Somebody listened, and says the same on another socket.
    two.say(&Said::Order(good.clone())).await.unwrap();
    assert!(matches!(house::answer_to(&mut two, &good.id).await, Answer::Denied(_)));
    // Older numbers, after newer ones.
    let second = one.numbered(wager(1, "tie", 500), Some(now));
    let third = one.numbered(wager(1, "tie", 500), Some(now));
    one.say(&Said::Order(third.clone())).await.unwrap();
    assert!(matches!(house::answer_to(&mut one, &third.id).await, Answer::Done(_)));
    one.say(&Said::Order(second.clone())).await.unwrap();
    assert!(matches!(house::answer_to(&mut one, &second.id).await, Answer::Refused(_)));
    until(&mut one, |it| credits(it) == 9_000).await;
    assert_eq!(house.findings().await, Vec::<String>::new());
    house.close().await;
}
