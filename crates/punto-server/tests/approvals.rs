//! Signatures are for one order: whatever else they are tried for is denied, over real sockets. And everybody acts by a deed.

use crate::house;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::house::{House, PASSWORD, answer_to, credits, electronic, frame_with, order, until};
use punto_record::{
    Command, Entry, Event, HouseEntry, MatterNo, Order, Report, RoundNo, Ruling, Seq, TicketNo, Timestamp,
    Volume,
};
use punto_rules::{Money, PatronNo};
use punto_server::client::{Error, Http, Socket};
use punto_server::clock::Clock;
use punto_server::floor::Pace;
use punto_server::pending::{PENDING_FOR, Pending};
use punto_server::role::Role;
use punto_server::wire::{Answer, Approved, Denial, Said, Screen, Told};
use serde_json::{Value, json};

const NOT_GOOD: Answer = Answer::Denied(Denial::ApprovalNotGood);
const NEEDED: Answer = Answer::Denied(Denial::ApprovalNeeded);

/// A table between Rounds with a matter to be ruled, its console, and who is signed in there.
struct Scene {
    house: House,
    console: Socket,
    http: Http,
    matter: MatterNo,
}

fn live(table: &str) -> punto_record::Settings {
    let settings = json!({
        "table": table, "game": "rws-baccarat", "layout": "A", "decks": 8, "cards": "software",
        "betting_box": { "minimum": 1_000, "differential": 100_000 },
        "other_bets": { "minimum": 1_000, "maximum": 50_000 },
    });
    serde_json::from_value(settings).unwrap()
}

fn rule(matter: MatterNo, reason: &str) -> Command {
    let (ruling, reason) = (Ruling::Stand {}, reason.into());
    Command::Rule {
        matter,
        ruling,
        replace_shoe: false,
        reason,
        second: None,
        second_post: None,
        departs: None,
    }
}

#[allow(clippy::wildcard_enum_match_arm)] // Other messages may come in between.
async fn report(console: &mut Socket, words: &str) -> MatterNo {
    let report = Command::Report { report: Report::Uncovered { words: words.into() } };
    let id = console.order(report, None).await.unwrap();
    loop {
        match house::next(console).await {
            Told::Frame(frame) => {
                let opened = frame.events.iter().find_map(|event| {
                    if let Event::MatterOpened { matter, .. } = event { Some(*matter) } else { None }
                });
                if let Some(matter) = opened {
                    return matter;
                }
            }
            Told::Reply(reply) if reply.to == id => {
                assert!(matches!(reply.answer, Answer::Done(_)), "{reply:?}")
            }
            _ => {}
        }
    }
}

impl Scene {
    async fn new() -> Scene {
        Scene::at(house::clock()).await
    }

    async fn at(clock: Clock) -> Scene {
        let house = House::with(clock, Pace::FLAT_OUT).await;
        house.open_table(live("rws-1")).await;
        for (person, role) in [
            ("sm-1", Role::ShiftManager),
            ("sm-2", Role::ShiftManager),
            ("sup-1", Role::PitSupervisor),
            ("sup-2", Role::PitSupervisor),
        ] {
            house.hire(person, role).await;
        }
        let (mut console, session) = house.console("rws-1", "d-1", Role::Dealer).await;
        let http = Http::with_session(&house.url, &session).unwrap();
        let card_set = "set-1".into();
        let load = Command::LoadShoe { card_set, shuffled_by: Some("d-1".into()), commitment: None };
        assert!(matches!(order(&mut console, load, None).await, Answer::Done(_)));
        assert!(matches!(order(&mut console, Command::OpenBets {}, None).await, Answer::Done(_)));
        assert!(matches!(
            order(&mut console, Command::CloseBets {}, Some(RoundNo(1))).await,
            Answer::Done(_)
        ));
        frame_with(&mut console, "round-settled").await;
        let matter = report(&mut console, "a glass fell over").await;
        Scene { house, console, http, matter }
    }

    async fn propose(&self, by: &str, command: Command) -> Pending {
        self.http.propose(&"rws-1".into(), by, None, command).await.unwrap()
    }

    /// A ruling of the Shift Manager, signed.
    async fn signed(&self) -> Pending {
        let asked = self.propose("sm-1", rule(self.matter, "dried")).await;
        self.http.sign(&asked.pending, "sm-1", PASSWORD).await.unwrap()
    }
}

/// Gives what was signed, or something else in its place.
async fn give(console: &mut Socket, asked: &Pending, other: impl FnOnce(&mut Order)) -> Answer {
    let mut said = console.signed(&asked.pending, asked.order.as_ref().unwrap());
    other(&mut said.order);
    let id = said.order.id.clone();
    console.say(&Said::Approved(said)).await.unwrap();
    answer_to(console, &id).await
}

fn nothing_else(_: &mut Order) {}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_signature_is_for_one_order() {
    let mut scene = Scene::new().await;
    let second_matter = report(&mut scene.console, "another glass").await;
    let asked = scene.signed().await;
    let by = |person: &str, role: Role| role.actor(person.parse().expect("a name"));
    type Other<'a> = Box<dyn FnOnce(&mut Order) + 'a>;
    let others: Vec<(&str, Other<'_>)> = vec![
        ("another order", Box::new(|it| it.command = Command::AnnounceClosing {})),
        ("another reason", Box::new(|it| it.command = rule(MatterNo(1), "dry"))),
        ("another matter", Box::new(move |it| it.command = rule(second_matter, "dried"))),
        (
            "another ruling",
            Box::new(|it| {
                if let Command::Rule { ruling, .. } = &mut it.command {
                    *ruling = Ruling::Void {};
                }
            }),
        ),
        (
            "a second person who never signed",
            Box::new(|it| {
                if let Command::Rule { second, .. } = &mut it.command {
                    *second = Some("sm-2".into());
                }
            }),
        ),
        ("another giver", Box::new(|it| it.by = by("sm-2", Role::ShiftManager))),
        ("another post", Box::new(|it| it.by = by("sm-1", Role::DutyManager))),
        ("another Round", Box::new(|it| it.round = Some(RoundNo(1)))),
    ];
    for (what, other) in others {
        assert_eq!(give(&mut scene.console, &asked, other).await, NOT_GOOD, "{what}");
    }
    // Without a name, or with what release 0.1.0 took: it is read, and denied.
    let mut bare = scene.console.signed(&asked.pending, asked.order.as_ref().unwrap());
    (bare.pending, bare.approvals) = (None, vec!["a word".to_owned()]);
    let id = bare.order.id.clone();
    scene.console.say(&Said::Approved(bare)).await.unwrap();
    assert_eq!(answer_to(&mut scene.console, &id).await, NOT_GOOD);
    // None of it used the signature up. Said again, it is the same order.
    let said = scene.console.signed(&asked.pending, asked.order.as_ref().unwrap());
    scene.console.say(&Said::Approved(said.clone())).await.unwrap();
    let answer = answer_to(&mut scene.console, &said.order.id).await;
    let Answer::Done(seq) = answer else { panic!("{answer:?}") };
    scene.console.say(&Said::Approved(said.clone())).await.unwrap();
    assert_eq!(answer_to(&mut scene.console, &said.order.id).await, Answer::Before(seq));
    assert_eq!(give(&mut scene.console, &asked, nothing_else).await, NOT_GOOD, "twice");
    // Also where the order leaves what it is about as it was.
    let asked = scene.propose("sm-1", Command::StartShift { name: "night".into() }).await;
    scene.http.sign(&asked.pending, "sm-1", PASSWORD).await.unwrap();
    let answer = give(&mut scene.console, &asked, nothing_else).await;
    assert!(matches!(answer, Answer::Done(_)), "{answer:?}");
    assert_eq!(give(&mut scene.console, &asked, nothing_else).await, NOT_GOOD, "twice");
    assert_eq!(scene.house.findings().await, Vec::<String>::new());
    scene.house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_amount_another_table_another_session() {
    let mut scene = Scene::new().await;
    scene.house.open_table(live("rws-2")).await;
    let fill =
        |amount| Command::Fill { amount: Money::new(amount).unwrap(), slip: "f-1".into(), second: None };
    let asked = scene.propose("sup-1", fill(50_000)).await;
    scene.http.sign(&asked.pending, "sup-1", PASSWORD).await.unwrap();
    let more = |it: &mut Order| it.command = fill(500_000);
    assert_eq!(give(&mut scene.console, &asked, more).await, NOT_GOOD);

    // The same person in the same session at another table, and another person's screen at this one.
    let session = scene.http.session().unwrap().to_owned();
    let mut elsewhere =
        scene.house.at_screen("rws-2", Screen::Console, ("d-1", Role::Dealer), &session).await;
    assert_eq!(give(&mut elsewhere, &asked, nothing_else).await, NOT_GOOD);
    let mut pit = scene.house.staff("rws-1", Screen::Pit, "sup-1", Role::PitSupervisor).await;
    assert_eq!(give(&mut pit, &asked, nothing_else).await, NOT_GOOD);
    // At the right one it reaches the table, which has no float to fill.
    let answer = give(&mut scene.console, &asked, nothing_else).await;
    assert!(matches!(answer, Answer::Refused(_)), "{answer:?}");
    scene.house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_signature_ends_when_what_it_is_about_has_changed() {
    let mut scene = Scene::new().await;
    // The matter was ruled meanwhile, by somebody else.
    let asked = scene.signed().await;
    let other = scene.propose("sm-2", rule(scene.matter, "wiped")).await;
    scene.http.sign(&other.pending, "sm-2", PASSWORD).await.unwrap();
    assert!(matches!(give(&mut scene.console, &other, nothing_else).await, Answer::Done(_)));
    assert_eq!(give(&mut scene.console, &asked, nothing_else).await, NOT_GOOD);
    let late = scene.http.sign(&asked.pending, "sm-1", PASSWORD).await.unwrap_err();
    assert!(matches!(&late, Error::Refused { code, .. } if code == "pending-gone"), "{late:?}");

    // Another matter was reported meanwhile: whoever signed did not know of it.
    scene.matter = report(&mut scene.console, "a chip is missing").await;
    let asked = scene.signed().await;
    report(&mut scene.console, "so is another").await;
    assert_eq!(give(&mut scene.console, &asked, nothing_else).await, NOT_GOOD);
    assert_eq!(scene.house.findings().await, Vec::<String>::new());
    scene.house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_signature_ends_with_its_round() {
    let mut scene = Scene::new().await;
    let ruled = scene.signed().await;
    assert!(matches!(give(&mut scene.console, &ruled, nothing_else).await, Answer::Done(_)));
    let closing = Command::AnnounceClosing {};
    let asked = scene.propose("sup-1", closing.clone()).await;
    scene.http.sign(&asked.pending, "sup-1", PASSWORD).await.unwrap();
    assert!(matches!(order(&mut scene.console, Command::OpenBets {}, None).await, Answer::Done(_)));
    assert_eq!(give(&mut scene.console, &asked, nothing_else).await, NOT_GOOD, "the next Round commenced");
    // Signed again, it means this Round.
    let asked = scene.propose("sup-1", closing).await;
    scene.http.sign(&asked.pending, "sup-1", PASSWORD).await.unwrap();
    let answer = give(&mut scene.console, &asked, nothing_else).await;
    assert!(matches!(answer, Answer::Done(_)), "{answer:?}");
    assert_eq!(scene.house.findings().await, Vec::<String>::new());
    scene.house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_signature_is_good_for_a_quarter_of_an_hour() {
    for (later, good) in [(PENDING_FOR - 1_000, true), (PENDING_FOR, false)] {
        let system = Arc::new(AtomicU64::new(1_800_000_000_000));
        let source = system.clone();
        let mut scene =
            Scene::at(Clock::new(Arc::new(move || source.load(Ordering::Relaxed)), Timestamp(0))).await;
        let asked = scene.signed().await;
        // Somebody works at the console meanwhile, so that its session goes on.
        for part in [later / 2, later - later / 2] {
            system.store(scene.house.app.clock.now().0 + part, Ordering::Relaxed);
            scene.house.app.clock.look();
            let answer = order(&mut scene.console, Command::CloseTable {}, None).await;
            assert!(matches!(answer, Answer::Refused(_)), "{answer:?}");
        }
        let answer = give(&mut scene.console, &asked, nothing_else).await;
        assert_eq!(matches!(answer, Answer::Done(_)), good, "after {later}: {answer:?}");
        assert!(good || answer == NOT_GOOD);
        scene.house.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_signed_must_still_be_what_they_were() {
    let mut scene = Scene::new().await;
    let office = scene.house.http("adm-1").await;
    let path = format!("{}/api/staff/sm-1", scene.house.url);
    let change = async |body: Value| {
        let _: Value = office.patch(path.strip_prefix(&scene.house.url).unwrap(), &body).await.unwrap();
    };
    // Disabled; enabled again, which does not bring the signature back; another role.
    for changes in [
        vec![json!({"enabled": false})],
        vec![json!({"enabled": true}), json!({"enabled": false}), json!({"enabled": true})],
        vec![json!({"role": "dealer"}), json!({"role": "shift-manager"})],
        vec![json!({"role": "dealer"})],
    ] {
        let is_off =
            scene.http.propose(&"rws-1".into(), "sm-1", None, rule(scene.matter, "dried")).await.is_err();
        if is_off {
            change(json!({"enabled": true, "role": "shift-manager"})).await;
        }
        let asked = scene.signed().await;
        for body in changes.clone() {
            change(body).await;
        }
        let answer = give(&mut scene.console, &asked, nothing_else).await;
        assert!(answer == NOT_GOOD || answer == NEEDED, "{changes:?}: {answer:?}");
        change(json!({"enabled": true, "role": "shift-manager"})).await;
    }
    // A deed that says the same again: what was signed by the one before is void.
    let asked = scene.signed().await;
    scene.house.employed("sm-1", Role::ShiftManager, true).await;
    assert_eq!(give(&mut scene.console, &asked, nothing_else).await, NOT_GOOD);
    // Another password: what was signed with the old one is void.
    let asked = scene.signed().await;
    let own = scene.house.http("sm-1").await;
    let renew = json!({"old": PASSWORD, "password": "another sentence that is long"});
    own.put::<Value>("/api/password", &renew).await.unwrap();
    assert_eq!(give(&mut scene.console, &asked, nothing_else).await, NEEDED);
    assert_eq!(scene.house.findings().await, Vec::<String>::new());
    scene.house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_signs_as_two_people() {
    let mut scene = Scene::new().await;
    let two = |second: &str| {
        let (ruling, reason) = (Ruling::Stand {}, "dried".into());
        let (second, matter) = (Some(second.parse().expect("a name")), scene.matter);
        Command::Rule {
            matter,
            ruling,
            replace_shoe: false,
            reason,
            second,
            second_post: None,
            departs: None,
        }
    };
    let refused = |answer: Result<Pending, Error>| match answer {
        Err(Error::Refused { code, .. }) => code,
        other => panic!("{other:?}"),
    };
    for own in ["sm-1", "SM-1"] {
        let asked = scene.http.propose(&"rws-1".into(), "sm-1", None, two(own)).await;
        assert_eq!(refused(asked), "one-person");
    }
    // Nobody of the floor, nobody at all.
    let asked = scene.http.propose(&"rws-1".into(), "sm-1", None, two("adm-1")).await;
    assert_eq!(refused(asked), "not-allowed");
    let asked = scene.http.propose(&"rws-1".into(), "sm-1", None, two("nobody")).await;
    assert_eq!(refused(asked), "not-signed-in");

    let asked = scene.propose("sm-1", two("sup-1")).await;
    let told = asked.order.as_ref().unwrap();
    assert_eq!(told.command.second_post(), Some(punto_rules::Post::PitSupervisor), "filled in");
    assert_eq!(give(&mut scene.console, &asked, nothing_else).await, NEEDED, "nobody has signed");
    scene.http.sign(&asked.pending, "sm-1", PASSWORD).await.unwrap();
    scene.http.sign(&asked.pending, "sm-1", PASSWORD).await.unwrap();
    assert_eq!(give(&mut scene.console, &asked, nothing_else).await, NEEDED, "one person, twice");
    assert_eq!(refused(scene.http.sign(&asked.pending, "sm-2", PASSWORD).await), "not-allowed");
    assert_eq!(refused(scene.http.sign(&asked.pending, "sup-1", "wrong password").await), "not-signed-in");
    assert_eq!(give(&mut scene.console, &asked, nothing_else).await, NEEDED);
    scene.http.sign(&asked.pending, "sup-1", PASSWORD).await.unwrap();
    let answer = give(&mut scene.console, &asked, nothing_else).await;
    assert!(matches!(answer, Answer::Done(_)), "{answer:?}");
    // Whoever was not asked left no signature in the record.
    let signers: Vec<String> = house_entries(&scene.house)
        .await
        .iter()
        .filter(|(entry, _)| entry.deed.kind() == punto_record::DeedKind::ApprovalGiven)
        .map(|(entry, _)| entry.by.person().unwrap().to_string())
        .collect();
    assert_eq!(signers, ["sm-1", "sm-1", "sup-1"]);
    assert_eq!(scene.house.findings().await, Vec::<String>::new());
    scene.house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn somebody_signs_from_another_screen() {
    let mut scene = Scene::new().await;
    let asked = scene.propose("sm-1", rule(scene.matter, "dried")).await;
    let remote = scene.house.http("sm-1").await;
    let waits: Vec<Pending> = remote.get("/api/pending").await.unwrap();
    assert_eq!(waits, std::slice::from_ref(&asked), "they are shown what they would sign");
    let told = waits[0].order.as_ref().unwrap();
    assert_eq!((told.table.as_str(), told.reason.as_deref()), ("rws-1", Some("dried")));
    assert_eq!(told.matter.as_ref().map(|it| it.matter), Some(scene.matter));
    assert_eq!(waits[0].digest, told.unnumbered().signed_at(&told.table));
    // Whom it does not concern sees nothing of it.
    let stranger = scene.house.http("sup-2").await;
    assert_eq!(stranger.get::<Vec<Pending>>("/api/pending").await.unwrap(), []);
    let path = format!("/api/pending/{}", asked.pending);
    assert!(stranger.get::<Pending>(&path).await.is_err());
    assert!(stranger.delete(&path).await.is_err());

    remote.sign(&asked.pending, "sm-1", PASSWORD).await.unwrap();
    assert_eq!(remote.get::<Vec<Pending>>("/api/pending").await.unwrap(), []);
    let shown: Pending = scene.http.get(&path).await.unwrap();
    assert!(shown.signers.iter().all(|it| it.signed), "the console sees that it was signed");
    let answer = give(&mut scene.console, &asked, nothing_else).await;
    assert!(matches!(answer, Answer::Done(_)), "{answer:?}");

    // What was taken back is not good for anything.
    scene.matter = report(&mut scene.console, "a chip is missing").await;
    let asked = scene.signed().await;
    scene.http.delete(&format!("/api/pending/{}", asked.pending)).await.unwrap();
    assert_eq!(give(&mut scene.console, &asked, nothing_else).await, NOT_GOOD);
    assert_eq!(scene.house.findings().await, Vec::<String>::new());
    scene.house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_screens_race_for_one_signature() {
    let scene = Scene::new().await;
    let session = scene.house.session("sm-1");
    let http = Http::with_session(&scene.house.url, &session).unwrap();
    let who = ("sm-1", Role::ShiftManager);
    let mut console = scene.house.at_screen("rws-1", Screen::Console, who, &session).await;
    let mut pit = scene.house.at_screen("rws-1", Screen::Pit, who, &session).await;
    let asked = http.propose(&"rws-1".into(), "sm-1", None, rule(scene.matter, "dried")).await.unwrap();
    http.sign(&asked.pending, "sm-1", PASSWORD).await.unwrap();
    let (one, other) =
        tokio::join!(give(&mut console, &asked, nothing_else), give(&mut pit, &asked, nothing_else));
    let done = [&one, &other].into_iter().filter(|it| matches!(it, Answer::Done(_))).count();
    let denied = [&one, &other].into_iter().filter(|it| **it == NOT_GOOD).count();
    assert_eq!((done, denied), (1, 1), "{one:?}, {other:?}");
    assert_eq!(scene.house.findings().await, Vec::<String>::new());
    scene.house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_start_forgets_what_waited_and_answers_what_was_done() {
    let mut scene = Scene::new().await;
    let second = report(&mut scene.console, "another glass").await;
    let done = scene.signed().await;
    let said = scene.console.signed(&done.pending, done.order.as_ref().unwrap());
    scene.console.say(&Said::Approved(said.clone())).await.unwrap();
    let Answer::Done(seq) = answer_to(&mut scene.console, &said.order.id).await else { panic!() };
    scene.matter = second;
    let asked = scene.signed().await;
    let waited = scene.console.signed(&asked.pending, asked.order.as_ref().unwrap());
    let session = scene.http.session().unwrap().to_owned();
    let credential =
        scene.house.enrol("c-2", punto_server::register::DeviceKind::Console { table: "rws-1".into() });
    scene.console.hang_up().await;

    let (folder, key) = scene.house.close().await;
    let house = House::open(folder, key, house::clock(), Pace::FLAT_OUT).await;
    // Another console: its own numbers, but the session is the same.
    let hello = house::hello("rws-1", Screen::Console, Some(&credential), Some(&session));
    let mut console = Socket::open(&house.url, hello, Role::Dealer.actor("d-1".into())).await.unwrap();
    let device = console.welcome().device.clone().unwrap();
    let moved = |mut it: Approved| {
        it.order.id.device = (*device).parse().expect("a name");
        it
    };
    let late = moved(waited);
    console.say(&Said::Approved(late.clone())).await.unwrap();
    assert_eq!(answer_to(&mut console, &late.order.id).await, NOT_GOOD);
    let entries = table_entries(&house, "rws-1").await;
    let ruled = entries.iter().find(|it| it.seq == seq).unwrap();
    assert_eq!(ruled.order.id, said.order.id);
    assert_eq!(house.findings().await, Vec::<String>::new());
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_ticket_is_made_void_by_two() {
    let house = House::new().await;
    house.open_table(electronic("etg-1", 60)).await;
    let mut tickets: Vec<TicketNo> = Vec::new();
    for patron in [1, 2] {
        house.buy("etg-1", patron, 10_000).await;
        let mut terminal = house.terminal("etg-1", patron).await;
        until(&mut terminal, |it| credits(it) == 10_000).await;
        let out = Command::CashOut { patron: PatronNo(patron), second: None };
        assert!(matches!(order(&mut terminal, out, None).await, Answer::Done(_)));
        let frame = frame_with(&mut terminal, "cashed-out").await;
        tickets.extend(frame.events.iter().find_map(|event| {
            if let Event::CashedOut { ticket, .. } = event { Some(ticket.clone()) } else { None }
        }));
    }
    house.hire("sm-1", Role::ShiftManager).await;
    let cage = house.http("cas-1").await;
    let [one, other] = &tickets[..] else { panic!("{tickets:?}") };
    // By their serials: nobody at the cage needs a number to make a ticket void.
    let path = |ticket: &TicketNo, end: &str| {
        format!("/api/tickets/{}/void{end}", ticket.as_str().replace('/', "%2F"))
    };
    let own = json!({"second": "cas-1", "reason": "torn"});
    assert!(cage.post::<Pending>(&path(one, "/pending"), &own).await.is_err(), "nobody is two");
    let asked: Pending =
        cage.post(&path(one, "/pending"), &json!({"second": "sm-1", "reason": "torn"})).await.unwrap();
    let held = asked.deed.as_ref().unwrap();
    assert_eq!(asked.digest, held.deed.signed_by(&held.by), "the amount is signed too");
    let signed = json!({"pending": asked.pending});
    assert!(cage.post::<Value>(&path(one, ""), &signed).await.is_err(), "nobody signed");
    cage.sign(&asked.pending, "sm-1", PASSWORD).await.unwrap();
    assert!(cage.post::<Value>(&path(other, ""), &signed).await.is_err(), "another ticket");
    house.hire("cas-2", Role::Cashier).await;
    assert!(
        house.http("cas-2").await.post::<Value>(&path(one, ""), &signed).await.is_err(),
        "another Cashier"
    );
    let done: Value = cage.post(&path(one, ""), &signed).await.unwrap();
    assert_eq!(done["state"], "void");
    assert!(cage.post::<Value>(&path(one, ""), &signed).await.is_err(), "once");
    assert_eq!(house.findings().await, Vec::<String>::new());
    house.close().await;
}

async fn table_entries(house: &House, table: &str) -> Vec<Entry> {
    let volume = Volume::Table(table.parse().expect("a name"));
    let read = house.app.floor.read(move |reader| {
        let mut entries = Vec::new();
        reader.entries_of(&volume, Seq(0), &mut |stored| {
            entries.push(serde_json::from_slice::<Entry>(stored.bytes).unwrap());
            std::ops::ControlFlow::Continue(())
        })?;
        Ok(entries)
    });
    read.await.unwrap()
}

async fn house_entries(house: &House) -> Vec<(HouseEntry, punto_record::Digest)> {
    let read = house.app.floor.read(move |reader| {
        let mut entries = Vec::new();
        reader.entries_of(&Volume::House, Seq(0), &mut |stored| {
            entries.push((serde_json::from_slice::<HouseEntry>(stored.bytes).unwrap(), stored.link));
            std::ops::ControlFlow::Continue(())
        })?;
        Ok(entries)
    });
    read.await.unwrap()
}

/// Every entry of staff names the deed of their role, number and link; others name none.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_order_of_staff_names_its_deeds() {
    let mut scene = Scene::new().await;
    let asked = scene.signed().await;
    assert!(matches!(give(&mut scene.console, &asked, nothing_else).await, Answer::Done(_)));
    let (entries, deeds) = (table_entries(&scene.house, "rws-1").await, house_entries(&scene.house).await);
    let mut named = 0;
    for entry in &entries {
        let Some(person) = entry.order.by.person() else {
            assert_eq!(entry.mandates, None, "{:?}", entry.order.by);
            continue;
        };
        let role = entry.mandates.as_ref().expect("a mandate").by.role;
        let (deed, link) = deeds.iter().find(|(deed, _)| deed.seq == role.seq).expect("the deed");
        assert_eq!(*link, role.link);
        assert!(
            matches!(&deed.deed, punto_record::Deed::StaffChanged { person: whom, .. } if whom == person),
            "{deed:?}"
        );
        named += 1;
    }
    assert!(named > 4 && named < entries.len(), "{named} of {}", entries.len());
    scene.house.close().await;
}

/// A row in the register gives nobody a role: without a deed of the house nothing that they order reaches a table.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_row_in_the_register_is_no_mandate() {
    let scene = Scene::new().await;
    let (register, now) = (&scene.house.app.register, scene.house.app.clock.now());
    let hired = register.hire("sm-9", "Mallory", Role::ShiftManager, now).unwrap();
    register.choose_password(&hired.invitation.unwrap().secret.text(), PASSWORD, now).unwrap();
    let mut pit = scene.house.staff("rws-1", Screen::Pit, "sm-9", Role::ShiftManager).await;
    let answer = order(&mut pit, Command::AnnounceClosing {}, None).await;
    assert_eq!(answer, Answer::Denied(Denial::NoMandate));
    let asked = scene.propose("sm-9", rule(scene.matter, "dried")).await;
    assert!(scene.http.sign(&asked.pending, "sm-9", PASSWORD).await.is_err(), "nor do they sign");
    // A row that makes more of somebody than the deed does is worth nothing either.
    let promoted = punto_server::register::Change { role: Some(Role::DutyManager), ..Default::default() };
    register.change("sup-2", &promoted, now).unwrap();
    let mut pit = scene.house.staff("rws-1", Screen::Pit, "sup-2", Role::DutyManager).await;
    let answer = order(&mut pit, Command::AnnounceClosing {}, None).await;
    assert_eq!(answer, Answer::Denied(Denial::NoMandate));
    let asked = scene.propose("sup-2", rule(scene.matter, "dried")).await;
    assert!(scene.http.sign(&asked.pending, "sup-2", PASSWORD).await.is_err());
    assert_eq!(scene.house.findings().await, Vec::<String>::new());
    scene.house.close().await;
}
