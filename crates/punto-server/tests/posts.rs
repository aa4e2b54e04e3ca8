//! Every kind of order from every kind of screen in every role, over the socket: what the table's own gate does not permit is
//! not permitted, and screens that only look order nothing.

use crate::house;
use std::collections::BTreeMap;

use crate::house::{House, hello, order, table};
use punto_record::{Actor, Command, CommandKind, Order, Reason};
use punto_rules::PatronNo;
use punto_server::client::Socket;
use punto_server::register::DeviceKind;
use punto_server::role::Role;
use punto_server::wire::{Answer, Denial, Goodbye, Said, Screen};
use punto_table::gate;

/// One command of each kind, as the golden file has them; what ends everything comes last.
fn commands() -> Vec<Command> {
    let lines = include_str!("../../punto-record/tests/data/orders.ndjson");
    let mut by_kind = BTreeMap::new();
    for line in lines.lines() {
        let order: Order = serde_json::from_str(line).unwrap();
        by_kind.entry(order.command.kind()).or_insert(order.command);
    }
    assert_eq!(by_kind.len(), CommandKind::ALL.len(), "every kind is there");
    let last = |kind: &CommandKind| matches!(kind, CommandKind::CloseTable | CommandKind::OpenTable);
    let (end, begin): (Vec<_>, Vec<_>) = by_kind.into_iter().partition(|(kind, _)| last(kind));
    begin.into_iter().chain(end).map(|(_, command)| command).collect()
}

async fn house() -> House {
    let house = House::new().await;
    let settings = serde_json::json!({
        "table": "rws-1", "game": "rws-baccarat", "layout": "A", "decks": 8,
        "betting_box": { "minimum": 100, "differential": 100_000 },
        "other_bets": { "minimum": 100, "maximum": 50_000 },
    });
    house.open_table(serde_json::from_value(settings).unwrap()).await;
    house
}

/// What the gate says now about such an order of such an actor.
async fn is_permitted(house: &House, kind: CommandKind, actor: Actor) -> bool {
    let id = table("rws-1");
    let said =
        house.app.floor.look(&id, move |table| gate(table.state(), table.law(), kind, &actor)).await.unwrap();
    !matches!(said, Err(rejection) if matches!(rejection.reason, Reason::NotPermitted { .. }))
}

async fn try_all(house: &House, mut socket: Socket, actor: Actor) {
    // Whoever works here is told which orders take a password; a terminal gives none of them.
    let signed = socket.welcome().signed.clone();
    assert_eq!(signed.is_empty(), actor.patron().is_some());
    for command in commands() {
        let kind = command.kind();
        let permitted = is_permitted(house, kind, actor.clone()).await;
        let round = kind.facts().names_its_round.then_some(punto_record::RoundNo(1));
        let takes_two = command.second().is_some();
        let answer = order(&mut socket, command, round).await;
        let is_signed = matches!(
            kind,
            CommandKind::Rule
                | CommandKind::RuleCarriedCards
                | CommandKind::AmendWager
                | CommandKind::KeepUnclaimed
                | CommandKind::SettleCase
                | CommandKind::EmptyAcceptor
                | CommandKind::CountAcceptor
        );
        assert!(signed.is_empty() || signed.contains(&kind) == is_signed, "{kind:?}");
        // Nobody is named as agreeing who did not sign.
        let needs_approval = is_signed || takes_two;
        match &answer {
            Answer::Denied(Denial::ApprovalNeeded) => assert!(needs_approval, "{kind:?} by {actor:?}"),
            Answer::Refused(rejection) => {
                let not_permitted = matches!(rejection.reason, Reason::NotPermitted { .. });
                assert_eq!(not_permitted, !permitted, "{kind:?} by {actor:?}: {rejection}");
            }
            Answer::Done(_) => assert!(permitted, "{kind:?} by {actor:?} was carried out"),
            Answer::Denied(_) | Answer::Before(_) | Answer::Busy | Answer::Unknown => {
                panic!("{kind:?} by {actor:?}: {answer:?}")
            }
        }
    }
    socket.hang_up().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_order_from_every_post() {
    for role in Role::ALL {
        let screens: &[Screen] = match role {
            Role::Dealer => &[Screen::Console],
            Role::PitSupervisor | Role::PitManager | Role::ShiftManager | Role::DutyManager => {
                &[Screen::Console, Screen::Pit]
            }
            Role::Cashier => &[Screen::Cage],
            Role::Auditor | Role::Administrator => &[],
        };
        for screen in screens {
            let house = house().await;
            let socket = house.staff("rws-1", *screen, "p-1", role).await;
            try_all(&house, socket, role.actor("p-1".into())).await;
            assert_eq!(house.findings().await, Vec::<String>::new());
            house.close().await;
        }
    }
    let house = house().await;
    let terminal = house.terminal("rws-1", 5).await;
    try_all(&house, terminal, Actor::Patron { patron: PatronNo(5) }).await;
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_only_looks_orders_nothing() {
    let house = house().await;
    let mut board = house.staff("rws-1", Screen::Board, "d-1", Role::Dealer).await;
    let mut auditor = house.staff("rws-1", Screen::Auditor, "aud-1", Role::Auditor).await;
    let credential = house.enrol("r-1", DeviceKind::Reader { table: "rws-1".into() });
    let hello = hello("rws-1", Screen::Reader, Some(&credential), None);
    let mut reader = Socket::open(&house.url, hello, Actor::House).await.unwrap();
    for command in commands() {
        for socket in [&mut board, &mut auditor] {
            let answer = order(socket, command.clone(), None).await;
            assert_eq!(answer, Answer::Denied(Denial::NotFromHere), "{:?}", command.kind());
        }
        let kind = command.kind();
        let answer = order(&mut reader, command, None).await;
        if kind == CommandKind::DrawCard {
            assert!(matches!(answer, Answer::Refused(_)), "no shoe is loaded: {answer:?}");
        } else {
            assert_eq!(answer, Answer::Denied(Denial::NotFromHere), "{kind:?}");
        }
    }
    house.close().await;
}

/// The cards of a software shoe are known to the table alone: whoever has a reader there could choose them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_reader_says_which_cards_of_a_software_shoe_come() {
    let house = house().await;
    house.open_table(house::electronic("etg-1", 60)).await;
    let credential = house.enrol("r-1", DeviceKind::Reader { table: "etg-1".into() });
    let hello = hello("etg-1", Screen::Reader, Some(&credential), None);
    let mut reader = Socket::open(&house.url, hello, Actor::House).await.unwrap();
    let draw = commands().into_iter().find(|it| it.kind() == CommandKind::DrawCard).expect("every command");
    assert_eq!(order(&mut reader, draw, None).await, Answer::Denied(Denial::NotFromHere));
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_screen_is_for_those_it_is_for() {
    let house = house().await;
    house.open_table(house::electronic("etg-1", 60)).await;
    let mut devices: Vec<(Option<Screen>, Option<String>)> = vec![(None, None)];
    let at = |screen: Screen, id: &str, of: &str| {
        let table = of.parse().expect("a name");
        let kind = match screen {
            Screen::Board => DeviceKind::Board { table },
            Screen::Terminal => DeviceKind::Terminal { table, patron: PatronNo(3), at_box: None },
            Screen::Console => DeviceKind::Console { table },
            Screen::Reader => DeviceKind::Reader { table },
            Screen::Acceptor => DeviceKind::Acceptor { table, patron: PatronNo(3) },
            Screen::Pit | Screen::Cage | Screen::Auditor => unreachable!("no device is one"),
        };
        Some(house.enrol(id, kind))
    };
    for screen in [Screen::Board, Screen::Terminal, Screen::Console, Screen::Reader, Screen::Acceptor] {
        devices.push((Some(screen), at(screen, &format!("here-{screen:?}"), "rws-1")));
    }
    let elsewhere = at(Screen::Terminal, "elsewhere", "etg-1");
    let mut sessions: Vec<(Option<Role>, Option<String>)> = vec![(None, None)];
    for role in Role::ALL {
        let person = format!("p-{}", role.id());
        house.hire(&person, role).await;
        sessions.push((Some(role), Some(house.session(&person))));
    }
    let all = [
        Screen::Board,
        Screen::Terminal,
        Screen::Console,
        Screen::Reader,
        Screen::Acceptor,
        Screen::Pit,
        Screen::Cage,
        Screen::Auditor,
    ];
    for screen in all {
        for (device, credential) in &devices {
            for (role, session) in &sessions {
                let floor = role.and_then(Role::post).is_some();
                let opens = match (screen, device, role) {
                    (Screen::Board, Some(Screen::Board), _) => true,
                    (Screen::Board, None, Some(_)) => true,
                    (Screen::Terminal, Some(Screen::Terminal), _) => true,
                    (Screen::Reader, Some(Screen::Reader), _) => true,
                    (Screen::Acceptor, Some(Screen::Acceptor), _) => true,
                    (Screen::Console, Some(Screen::Console), Some(_)) => floor,
                    (Screen::Pit, None, Some(role)) => floor && *role != Role::Dealer,
                    (Screen::Cage, None, Some(Role::Cashier)) => true,
                    (Screen::Auditor, None, Some(Role::Auditor)) => true,
                    _ => false,
                };
                let hello = hello("rws-1", screen, credential.as_deref(), session.as_deref());
                let opened = Socket::open(&house.url, hello, Actor::House).await;
                assert_eq!(opened.is_ok(), opens, "{screen:?} with {device:?} by {role:?}: {opened:?}");
            }
        }
        // A device of another table, and a table that is not there.
        let other = hello("rws-1", screen, elsewhere.as_deref(), None);
        let refused = Socket::open(&house.url, other, Actor::House).await.unwrap_err();
        assert_eq!(refused, punto_server::client::Error::Goodbye(Goodbye::NotAllowed));
    }
    let nowhere = hello("rws-9", Screen::Auditor, None, sessions[7].1.as_deref());
    let refused = Socket::open(&house.url, nowhere, Actor::House).await.unwrap_err();
    assert_eq!(refused, punto_server::client::Error::Goodbye(Goodbye::NoSuchTable));
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_console_is_dead_when_its_person_is() {
    let house = house().await;
    let mut console = house.staff("rws-1", Screen::Console, "d-1", Role::Dealer).await;
    let disabled = punto_server::register::Change { enabled: Some(false), ..Default::default() };
    house.app.register.change("d-1", &disabled, house.app.clock.now()).unwrap();
    let said = console.numbered(Command::OpenBets {}, None);
    let id = said.id.clone();
    // Either it is cut off already, or the order is denied; never carried out.
    if console.say(&Said::Order(said)).await.is_ok() {
        let heard = tokio::time::timeout(house::PATIENCE, async {
            loop {
                match console.next().await {
                    Ok(punto_server::wire::Told::Reply(reply)) if reply.to == id => {
                        return Some(reply.answer);
                    }
                    Ok(_) => {}
                    Err(_) => return None,
                }
            }
        });
        assert!(matches!(heard.await.unwrap(), None | Some(Answer::Denied(_))));
    }
    house.close().await;
}
