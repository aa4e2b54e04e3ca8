//! Numbers of tickets: the screen that gave the order is told one, whoever has it is paid, and nobody else hears of it. A
//! real house on a real socket and a real file.

use std::path::Path;

use crate::house::*;
use punto_ledger::{Place, Reader, TicketKeys};
use punto_record::{Command, OrderId, Reason, Settings};
use punto_rules::PatronNo;
use punto_server::client::{Http, Socket};
use punto_server::floor::Pace;
use punto_server::role::Role;
use punto_server::wire::{Answer, PrintedTicket, Reply, Said, Screen, Told};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

/// The digits, as somebody might find them.
fn digits(number: &str) -> [String; 3] {
    [number.to_owned(), number.replace('-', ""), number.replace('-', " ")]
}

fn says(text: &[u8], number: &str) -> bool {
    digits(number).iter().any(|digits| text.windows(digits.len()).any(|window| window == digits.as_bytes()))
}

/// The files under a folder that have the number in them.
fn files_with(folder: &Path, number: &str) -> Vec<String> {
    let mut found = Vec::new();
    for path in std::fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()) {
        if path.is_dir() {
            found.extend(files_with(&path, number));
        } else if says(&std::fs::read(&path).unwrap(), number) {
            found.push(path.display().to_string());
        }
    }
    found
}

/// Everything that a screen is told until it sees this event, as text.
async fn heard(socket: &mut Socket, event: &str) -> String {
    let mut text = String::new();
    loop {
        let told = next(socket).await;
        text += &serde_json::to_string(&told).unwrap();
        if let Told::Frame(frame) = &told
            && frame.events.iter().any(|it| it.kind().id() == event)
        {
            return text;
        }
    }
}

fn refused(reply: &Reply) -> &Reason {
    let Answer::Refused(rejection) = &reply.answer else { panic!("{reply:?}") };
    &rejection.reason
}

async fn said_again(socket: &mut Socket, id: &OrderId, command: Command) -> Reply {
    let mut order = socket.numbered(command, None);
    order.id = id.clone();
    socket.say(&Said::Order(order)).await.unwrap();
    reply_to(socket, id).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_number_is_told_to_the_screen_that_gave_the_order() {
    let house = House::new().await;
    house.open_table(electronic("etg-1", 60)).await;
    house.buy("etg-1", 1, 10_000).await;
    house.buy("etg-1", 2, 500).await;
    let mut here = house.terminal("etg-1", 1).await;
    let mut other = house.terminal("etg-1", 2).await;
    let mut cage = house.staff("etg-1", Screen::Cage, "cas-1", Role::Cashier).await;
    let mut pit = house.staff("etg-1", Screen::Pit, "pit-1", Role::PitManager).await;
    let mut auditor = house.staff("etg-1", Screen::Auditor, "aud-1", Role::Auditor).await;
    let out = || Command::CashOut { patron: PatronNo(1), second: None };
    let id = here.order(out(), None).await.unwrap();
    let reply = reply_to(&mut here, &id).await;
    let printed = reply.printed.clone().expect("a ticket");
    assert!(printed.ticket.as_str().starts_with("etg-1/"), "{}", printed.ticket);
    assert_eq!(printed.amount.get(), 10_000);
    assert!(!format!("{reply:?}").contains(&*printed.number), "not in a log either");
    // Its own frame, and what everybody else sees, have the serial.
    for socket in [&mut here, &mut cage, &mut pit, &mut auditor] {
        let text = heard(socket, "cashed-out").await;
        assert!(text.contains(printed.ticket.as_str()) && !says(text.as_bytes(), &printed.number), "{text}");
    }
    // The same order again is told the same number; another one in between, and it is not.
    let again = said_again(&mut here, &id, out()).await;
    assert!(matches!(again.answer, Answer::Before(_)), "{again:?}");
    assert_eq!(again.printed, Some(printed.clone()));
    let of_another = Command::CashOut { patron: PatronNo(2), second: None };
    assert_eq!(said_again(&mut here, &id, of_another).await.printed, None, "another order under its id");
    let theirs = said_again(&mut other, &id, out()).await;
    assert!(matches!(theirs.answer, Answer::Denied(_)) && theirs.printed.is_none(), "{theirs:?}");
    let answer = order(&mut here, redeem(1, printed.ticket.as_str()), None).await;
    assert!(matches!(answer, Answer::Refused(_)), "a serial pays nobody");
    // Refused, it was not carried out: the cash-out is still the last that was.
    let again = said_again(&mut here, &id, out()).await;
    assert_eq!(again.printed, Some(printed.clone()));
    house.buy("etg-1", 1, 300).await;
    until(&mut here, |it| credits(it) == 300).await;
    let (id_of_first, first) = (id, printed);
    let second = cash_out(&mut here, 1).await;
    assert_ne!(second.number, first.number);
    let late = said_again(&mut here, &id_of_first, out()).await;
    assert_eq!((refused(&late).kind(), late.printed), (punto_record::ReasonKind::Superseded, None));
    assert_eq!(house.findings().await, Vec::<String>::new());
    let (folder, _) = house.close().await;
    for number in [first.number, second.number] {
        assert_eq!(files_with(folder.path(), &number), Vec::<String>::new());
    }
}

/// A ticket of one table was redeemed at another; what both terminals said.
struct Redeemed {
    ticket: PrintedTicket,
    out: OrderId,
    r#in: OrderId,
}

async fn redeemed(house: &House) -> (Redeemed, [String; 2]) {
    house.open_table(electronic("etg-1", 60)).await;
    house.open_table(electronic("etg-2", 60)).await;
    house.buy("etg-1", 1, 10_000).await;
    let kind = |table: &str, patron| punto_server::register::DeviceKind::Terminal {
        table: table.parse().expect("a name"),
        patron: PatronNo(patron),
        at_box: None,
    };
    let credentials = [house.enrol("t-1", kind("etg-1", 1)), house.enrol("t-2", kind("etg-2", 9))];
    let mut here = house.terminal_again("etg-1", 1, &credentials[0], None).await;
    let mut there = house.terminal_again("etg-2", 9, &credentials[1], None).await;
    let command = Command::CashOut { patron: PatronNo(1), second: None };
    let out = here.order(command, None).await.unwrap();
    let ticket = reply_to(&mut here, &out).await.printed.expect("a ticket");
    let r#in = there.order(redeem(9, &ticket.number), None).await.unwrap();
    assert!(matches!(reply_to(&mut there, &r#in).await.answer, Answer::Done(_)));
    (Redeemed { ticket, out, r#in }, credentials)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_order_said_again_has_its_answer_after_a_restart_and_another_key() {
    let house = House::new().await;
    let (Redeemed { ticket, out, r#in }, [here, there]) = redeemed(&house).await;
    let (mut folder, mut key) = house.close().await;
    for rotated in [false, true] {
        if rotated {
            let place = Place::File(folder.path().join("ledger"));
            let signing = ed25519_dalek::SigningKey::from_bytes(&key);
            let release = punto_record::Release("test".into());
            let mut vault = punto_ledger::Vault::open(&place, signing, release).unwrap();
            let keys = TicketKeys::open(&folder.path().join("ledger.ticket-key")).unwrap();
            vault.use_ticket_keys(keys, vault.now()).unwrap();
            vault.rotate_ticket_key(vault.now()).unwrap();
        }
        let house = House::open(folder, key, clock(), Pace::FLAT_OUT).await;
        let mut socket = house.terminal_again("etg-1", 1, &here, None).await;
        let again =
            said_again(&mut socket, &out, Command::CashOut { patron: PatronNo(1), second: None }).await;
        assert!(matches!(again.answer, Answer::Before(_)), "{again:?}");
        assert_eq!(again.printed, Some(ticket.clone()), "rotated: {rotated}");
        let mut socket = house.terminal_again("etg-2", 9, &there, None).await;
        for typed in digits(&ticket.number) {
            if let Ok(number) = typed.parse() {
                let command = Command::RedeemTicket { patron: PatronNo(9), ticket: number };
                let again = said_again(&mut socket, &r#in, command).await;
                assert!(matches!(again.answer, Answer::Before(_)), "{again:?}");
            }
        }
        // Another order is told what became of the ticket.
        let id = socket.order(redeem(9, &ticket.number), None).await.unwrap();
        assert_eq!(refused(&reply_to(&mut socket, &id).await), &Reason::TicketPaid {});
        let again = said_again(&mut socket, &id, redeem(9, &ticket.number)).await;
        assert_eq!(refused(&again), &Reason::TicketPaid {});
        assert_eq!(house.findings().await, Vec::<String>::new());
        (folder, key) = house.close().await;
    }
    assert_eq!(files_with(folder.path(), &ticket.number), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_cage_pays_a_number_and_looks_up_a_serial() {
    let house = House::new().await;
    house.open_table(electronic("etg-1", 60)).await;
    house.buy("etg-1", 1, 10_000).await;
    let mut terminal = house.terminal("etg-1", 1).await;
    let ticket = cash_out(&mut terminal, 1).await;
    house.hire("cas-9", Role::Cashier).await;
    let cage = house.http("cas-9").await;
    let serial = ticket.ticket.as_str().replace('/', "%2F");
    for asked in [&serial, &*ticket.number.to_string()] {
        let shown: Value = cage.get(&format!("/api/tickets/{asked}")).await.unwrap();
        assert_eq!(
            shown,
            json!({"ticket": ticket.ticket, "state": "good", "amount": 10_000, "currency": "SGD"})
        );
    }
    let by_serial = cage.post::<Value>(&format!("/api/tickets/{serial}/pay"), &()).await;
    assert!(by_serial.is_err(), "one Cashier is not enough for a serial");
    let nobodys = punto_record::TicketNumber::from_drawn(42);
    let shown: Value = cage.get(&format!("/api/tickets/{}", nobodys.printed())).await.unwrap();
    assert_eq!(shown["state"], "not-found");
    assert!(!says(shown.to_string().as_bytes(), nobodys.printed()), "what was typed is not said back");
    let paid: Value = cage.post(&format!("/api/tickets/{}/pay", ticket.number), &()).await.unwrap();
    assert_eq!(paid, json!({"ticket": ticket.ticket, "state": "paid", "amount": 10_000, "currency": "SGD"}));
    assert_eq!(house.findings().await, Vec::<String>::new());
    let (folder, _) = house.close().await;
    assert_eq!(files_with(folder.path(), &ticket.number), Vec::<String>::new());
    let mut reader = Reader::open(&Place::File(folder.path().join("ledger"))).unwrap();
    let keys = TicketKeys::open(&folder.path().join("ledger.ticket-key")).unwrap();
    let inputs = punto_audit::Inputs { ticket_keys: keys.all().to_vec(), ..Default::default() };
    assert_eq!(audit_with(&mut reader, inputs), Vec::<String>::new());
}

/// What a monitoring system reads.
async fn metrics(of: &Http) -> String {
    let address = of.base().strip_prefix("http://").expect("in clear");
    let session = of.session().expect("signed in");
    let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
    let request = format!(
        "GET /api/metrics HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {session}\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).await.unwrap();
    text
}

/// The value of a figure, by its name and labels.
fn figure(text: &str, name: &str) -> Option<f64> {
    text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.parse().ok())
}

/// Two tables of a house, one with USD; each ticket is presented at the other one, by everybody and again, before and after a
/// restart.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_ticket_is_of_no_use_at_a_table_of_another_currency() {
    let house = House::new().await;
    house.open_table(electronic("etg-1", 60)).await;
    house.open_table(Settings { currency: "USD".into(), ..electronic("etg-2", 60) }).await;
    house.buy("etg-1", 1, 10_000).await;
    house.buy("etg-2", 9, 300).await;
    let mut here = house.terminal("etg-1", 1).await;
    let kind = punto_server::register::DeviceKind::Terminal {
        table: "etg-2".into(),
        patron: PatronNo(9),
        at_box: None,
    };
    let credential = house.enrol("t-9", kind);
    let mut there = house.terminal_again("etg-2", 9, &credential, None).await;
    let sgd = cash_out(&mut here, 1).await;
    let usd = cash_out(&mut there, 9).await;
    let other = |currency: &'static str| Reason::TicketOfAnotherCurrency { currency: Some(currency.into()) };

    let id = there.order(redeem(9, &sgd.number), None).await.unwrap();
    assert_eq!(refused(&reply_to(&mut there, &id).await), &other("SGD"));
    let again = said_again(&mut there, &id, redeem(9, &sgd.number)).await;
    assert_eq!(refused(&again), &other("SGD"), "the same order again");
    // Both at once: neither keeps the ticket from the other for long, and the one of the wrong currency never gets it.
    let wrong = here.order(redeem(1, &usd.number), None).await.unwrap();
    let mut cage = house.staff("etg-1", Screen::Cage, "cas-1", Role::Cashier).await;
    let by_cashier = cage.order(redeem(1, &usd.number), None).await.unwrap();
    for (socket, id) in [(&mut here, wrong), (&mut cage, by_cashier)] {
        let reply = reply_to(socket, &id).await;
        assert!([other("USD"), Reason::TicketInUse {}].contains(refused(&reply)), "{reply:?}");
    }

    house.hire("sm-1", Role::ShiftManager).await;
    let text = metrics(&house.http("sm-1").await).await;
    let of_reason = |reason: &str| figure(&text, &format!("punto_refusals_total{{reason=\"{reason}\"}}"));
    let refusals = of_reason("ticket-of-another-currency").unwrap() + of_reason("ticket-in-use").unwrap();
    assert_eq!(refusals, 4.0, "{text}");
    assert_eq!(of_reason("ticket-tampered"), Some(0.0), "a reason that never occurred is there");
    for (currency, count, amount) in [("SGD", 1.0, 10_000.0), ("USD", 1.0, 300.0)] {
        let of = |name: &str| figure(&text, &format!("{name}{{currency=\"{currency}\"}}"));
        assert_eq!(of("punto_tickets_outstanding"), Some(count), "{text}");
        assert_eq!(of("punto_tickets_outstanding_amount"), Some(amount), "{text}");
    }
    assert!(figure(&text, "punto_feed_lag_seconds").is_some_and(|lag| lag < 5.0), "{text}");

    let (folder, key) = house.close().await;
    let house = House::open(folder, key, clock(), Pace::FLAT_OUT).await;
    let mut there = house.terminal_again("etg-2", 9, &credential, None).await;
    let id = there.order(redeem(9, &sgd.number), None).await.unwrap();
    assert_eq!(refused(&reply_to(&mut there, &id).await), &other("SGD"), "after a restart");
    let id = there.order(redeem(9, &usd.number), None).await.unwrap();
    assert!(matches!(reply_to(&mut there, &id).await.answer, Answer::Done(_)), "at home it is good");
    // The cage says what it pays.
    house.hire("cas-9", Role::Cashier).await;
    let cage = house.http("cas-9").await;
    let paid: Value = cage.post(&format!("/api/tickets/{}/pay", sgd.number), &()).await.unwrap();
    assert_eq!(paid, json!({"ticket": sgd.ticket, "state": "paid", "amount": 10_000, "currency": "SGD"}));
    assert_eq!(house.findings().await, Vec::<String>::new());
    let (folder, _) = house.close().await;
    let mut deeds = Vec::new();
    let mut reader = Reader::open(&Place::File(folder.path().join("ledger"))).unwrap();
    let each = &mut |stored: punto_ledger::Stored<'_>| {
        let entry: punto_record::HouseEntry = serde_json::from_slice(stored.bytes).unwrap();
        if let punto_record::Deed::TicketPaid { currency, .. } = entry.deed {
            deeds.push(currency.map(|it| it.to_string()));
        }
        std::ops::ControlFlow::Continue(())
    };
    reader.entries_of(&punto_record::Volume::House, punto_record::Seq(0), each).unwrap();
    assert_eq!(deeds, [Some("SGD".to_owned())]);
}
