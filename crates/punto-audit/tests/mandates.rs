//! By which deeds people act, and what they signed for: a record in order, and everything that can be wrong with it.

use crate::ledger::{EARLY, Ledger, approved, key};
use punto_audit::FindingKind;
use punto_record::{
    Actor, Command, Deed, Digest, Entry, LedgerKind, Mandates, Order, OrderId, Person, Release, Report,
    Ruling, Seq, Settings, Timestamp,
};
use punto_rules::Post;
use punto_table::{Desk, Given};

fn staff(person: &str, post: Post) -> Actor {
    Actor::Staff { person: person.parse().expect("a name"), post }
}

/// What a table did, as its desk wrote it down, and the ledger before it.
struct Night {
    ledger: Ledger,
    entries: Vec<Entry>,
}

/// A table where posts are held: opened, taken over by the Shift Manager and a Pit Supervisor; a matter reported, ruled by
/// the one with the other as second person.
fn night(kind: LedgerKind) -> Night {
    let ledger = {
        let mut ledger = Ledger::founded(kind, &key(1));
        if kind == LedgerKind::Demo {
            for (person, role) in [("o", "administrator"), ("sm", "shift-manager"), ("sup", "pit-supervisor")]
            {
                ledger.employ(person, role, true);
            }
        }
        ledger
    };
    let settings: Settings = serde_json::from_value(serde_json::json!({
        "table": "T1", "game": "rws-baccarat", "layout": "A", "decks": 8, "posts": "held",
        "betting_box": { "minimum": 1_000, "differential": 100_000 },
        "other_bets": { "minimum": 1_000, "maximum": 50_000 },
    }))
    .expect("settings");
    let rulebook = approved("rws-baccarat").expect("approved");
    let (sm, sup) = (|| staff("sm", Post::ShiftManager), || staff("sup", Post::PitSupervisor));
    let takes = |person: &str, post| Command::TakePost { person: person.parse().expect("a name"), post };
    let open: Command = serde_json::from_value(serde_json::json!({
        "do": "open-table", "settings": settings, "rulebook": rulebook,
    }))
    .expect("an order");
    let rule = Command::Rule {
        matter: punto_record::MatterNo(1),
        ruling: Ruling::Stand {},
        replace_shoe: false,
        reason: "dried".into(),
        second: Some("sup".into()),
        second_post: Some(Post::PitSupervisor),
        departs: None,
    };
    let orders = [
        (Actor::Administrator { person: "o".into() }, open),
        (sm(), takes("sm", Post::ShiftManager)),
        (sm(), takes("sup", Post::PitSupervisor)),
        (sup(), Command::Report { report: Report::Uncovered { words: "a glass fell over".into() } }),
        (sm(), rule),
        (sup(), Command::AnnounceClosing {}),
    ];
    let mut desk = Desk::new(Release("test".into()));
    for (n, (by, command)) in (1..).zip(orders) {
        let id = OrderId { device: "console".into(), n };
        let order = Order { id, by, at: Timestamp(EARLY + 1_000 + n), round: None, command };
        let given = Given { mandates: ledger.mandates(&order), ..Given::default() };
        desk.hand_in(order, &given);
    }
    let entries = desk.entries().to_vec();
    assert_eq!(entries.len(), 6, "everything is carried out: {:?}", desk.outbox());
    Night { ledger, entries }
}

const RULED: usize = 4;
const LAST: usize = 5;

impl Night {
    fn digest(&self) -> Digest {
        self.entries[RULED].order.signed_at(&"T1".into())
    }

    fn sign(&mut self, by: Actor, digest: Digest) {
        let deed =
            Deed::ApprovalGiven { digest: Some(digest), table: Some("T1".into()), round: None, factor: None };
        self.ledger.deed(by, deed);
    }

    /// As it should be: both have signed.
    fn signed(mut self) -> Night {
        let digest = self.digest();
        self.sign(staff("sm", Post::ShiftManager), digest);
        self.sign(staff("sup", Post::PitSupervisor), digest);
        self
    }

    fn findings(mut self) -> Vec<FindingKind> {
        for entry in &self.entries {
            self.ledger.plain_entry(&"T1".into(), entry);
        }
        let audit = self.ledger.audit_entries();
        // Whether the rules of this table are approved is not asked here.
        let own = |kind: &FindingKind| matches!(kind, FindingKind::NoMandate | FindingKind::NotSigned);
        audit.findings.iter().map(|it| it.kind).filter(own).collect()
    }

    fn last(&mut self) -> &mut Mandates {
        self.entries[LAST].mandates.as_mut().expect("mandates")
    }
}

#[test]
fn a_record_in_order_has_no_findings() {
    for kind in [LedgerKind::House, LedgerKind::Demo] {
        assert_eq!(night(kind).signed().findings(), []);
    }
    let night = night(LedgerKind::House);
    let posts: Vec<Option<Seq>> = night
        .entries
        .iter()
        .map(|entry| entry.mandates.as_ref().expect("mandates").by.post.map(|post| post.seq))
        .collect();
    let taken = |n| Some(Seq(n));
    assert_eq!(posts, [None, None, taken(2), taken(3), taken(2), taken(3)], "where each post was taken");
}

#[test]
fn an_order_of_staff_without_deeds_is_found_in_a_house_of_this_release() {
    let without = |kind: LedgerKind, release: &str| {
        let mut night = night(kind).signed();
        (night.entries[LAST].mandates, night.entries[LAST].release) = (None, Release(release.into()));
        night.findings()
    };
    assert_eq!(without(LedgerKind::House, "test"), [FindingKind::NoMandate]);
    assert_eq!(without(LedgerKind::House, "punto 0.1.0"), [], "the first release wrote none");
    assert_eq!(without(LedgerKind::Demo, "test"), [], "nor does a script");
}

#[test]
fn deeds_that_are_not_there_not_theirs_or_not_in_force_are_found() {
    type Wrong<'a> = (&'a str, Box<dyn Fn(&mut Night)>);
    let wrong: Vec<Wrong<'_>> = vec![
        ("another number", Box::new(|it| it.last().by.role.seq = Seq(2))),
        ("another link", Box::new(|it| it.last().by.role.link = Digest([9; 32]))),
        (
            "somebody else's",
            Box::new(|it| it.last().by.role = it.entries[RULED].mandates.as_ref().unwrap().by.role),
        ),
        ("no post", Box::new(|it| it.last().by.post = None)),
        (
            "somebody else's post",
            Box::new(|it| it.last().by.post = it.entries[RULED].mandates.as_ref().unwrap().by.post),
        ),
        ("a second person's where none is named", Box::new(|it| it.last().second = Some(it.last().by))),
        (
            "the house's own order with a person's deed",
            Box::new(|it| {
                let mandates = it.entries[LAST].mandates.clone();
                let order = &mut it.entries[LAST].order;
                (order.by, order.command) =
                    (Actor::House, Command::NoteClock { from: Timestamp(1), to: Timestamp(2) });
                it.entries[LAST].events =
                    vec![punto_record::Event::ClockJumped { from: Timestamp(1), to: Timestamp(2) }];
                it.entries[LAST].mandates = mandates;
            }),
        ),
    ];
    for (what, change) in wrong {
        let mut night = night(LedgerKind::House).signed();
        change(&mut night);
        let found = night.findings();
        assert!(
            !found.is_empty() && found.iter().all(|it| *it == FindingKind::NoMandate),
            "{what}: {found:?}"
        );
    }
    // The second person's is missing.
    let mut night_ = night(LedgerKind::House).signed();
    night_.entries[RULED].mandates.as_mut().expect("mandates").second = None;
    assert_eq!(night_.findings(), [FindingKind::NoMandate]);
}

#[test]
fn a_deed_that_was_superseded_before_the_order_is_found() {
    let changed = |at: u64, role: &str, enabled: bool| {
        let mut night = night(LedgerKind::House).signed();
        let (person, role): (Person, _) = ("sup".into(), role.into());
        let deed = Deed::staff_changed(person, role, enabled, false);
        night.ledger.deed_at(Actor::House, at, deed);
        night.findings()
    };
    let of_the_report = EARLY + 1_004;
    let of_the_last = EARLY + 1_006;
    // Three orders are by them or name them: the report, the ruling, the last.
    for (role, enabled) in [("pit-supervisor", false), ("dealer", true), ("pit-supervisor", true)] {
        assert_eq!(changed(of_the_report - 1, role, enabled), [FindingKind::NoMandate; 3]);
        assert_eq!(changed(of_the_last - 1, role, enabled), [FindingKind::NoMandate]);
        // Given before it, written down after it.
        assert_eq!(changed(of_the_last, role, enabled), []);
    }
}

#[test]
fn a_role_below_the_post_is_found_unless_a_higher_post_gave_it() {
    // Employed as a Dealer, and assigned as acting Pit Supervisor: that is in order.
    let demoted = |role: &str| {
        let mut before = night(LedgerKind::House);
        before.ledger.employ("sup", role, true);
        let role_of = before.ledger.mandates(&before.entries[LAST].order).expect("mandates").by.role;
        for at in [3, LAST] {
            before.entries[at].mandates.as_mut().expect("mandates").by.role = role_of;
        }
        before.entries[RULED].mandates.as_mut().expect("mandates").second.as_mut().expect("second").role =
            role_of;
        before.signed().findings()
    };
    assert_eq!(demoted("dealer"), []);
    assert_eq!(demoted("cashier"), [FindingKind::NoMandate; 3]);
}

#[test]
fn what_nobody_signed_for_is_found() {
    let (sm, sup) = (|| staff("sm", Post::ShiftManager), || staff("sup", Post::PitSupervisor));
    let found = |sign: &dyn Fn(&mut Night)| {
        let mut night = night(LedgerKind::House);
        sign(&mut night);
        night.findings()
    };
    assert_eq!(found(&|_| {}), [FindingKind::NotSigned; 2]);
    assert_eq!(found(&|it| it.sign(sm(), it.digest())), [FindingKind::NotSigned], "the second did not");
    let twice = |it: &mut Night| {
        it.sign(sm(), it.digest());
        it.sign(sm(), it.digest());
    };
    assert_eq!(found(&twice), [FindingKind::NotSigned], "one person, twice");
    let other = |it: &mut Night| {
        let mut order = it.entries[RULED].order.clone();
        if let Command::Rule { reason, .. } = &mut order.command {
            *reason = "wiped".into();
        }
        it.sign(sm(), order.signed_at(&"T1".into()));
        it.sign(sup(), order.signed_at(&"T1".into()));
    };
    assert_eq!(found(&other), [FindingKind::NotSigned; 2], "another reason");
    let elsewhere = |it: &mut Night| {
        let digest = it.entries[RULED].order.signed_at(&"T2".into());
        it.sign(sm(), digest);
        it.sign(sup(), digest);
    };
    assert_eq!(found(&elsewhere), [FindingKind::NotSigned; 2], "another table");
    let before = |it: &mut Night| {
        it.ledger.deed(sm(), Deed::ApprovalGiven { digest: None, table: None, round: None, factor: None })
    };
    assert_eq!(found(&before), [FindingKind::NotSigned; 2], "for no order in particular");
}

#[test]
fn deeds_of_the_house_take_a_role_and_a_signature() {
    let audit = |role: &str, by: Actor, signed: bool| {
        let mut ledger = Ledger::founded(LedgerKind::House, &key(1));
        ledger.employ("x", role, true);
        ledger.deed(
            Actor::House,
            Deed::TableLocked { table: "T1".into(), seq: Seq(1), words: "out by 5".into() },
        );
        let unlock =
            Deed::TableUnlocked { table: "T1".into(), second: "sm".into(), reason: "counted".into() };
        if signed {
            let digest = Some(unlock.signed_by(&by));
            let given = Deed::ApprovalGiven { digest, table: None, round: None, factor: None };
            ledger.deed(staff("sm", Post::ShiftManager), given);
        }
        ledger.deed(by, unlock);
        let kinds: Vec<_> = ledger.audit_entries().findings.iter().map(|it| it.kind).collect();
        kinds
    };
    let administrator = |person: &str| Actor::Administrator { person: person.parse().expect("a name") };
    assert_eq!(audit("administrator", administrator("x"), true), []);
    assert_eq!(audit("administrator", administrator("x"), false), [FindingKind::NotSigned]);
    assert_eq!(audit("dealer", administrator("x"), true), [FindingKind::NoMandate]);
    assert_eq!(audit("administrator", administrator("y"), true), [FindingKind::NoMandate]);
}

/// A device that gives orders is enrolled by two in a house of this release; a board by one.
#[test]
fn a_device_that_one_person_enrolled_is_found() {
    let found = |kind: LedgerKind, device: &str, second: Option<&str>| {
        let mut ledger = Ledger::founded(kind, &key(1));
        ledger.employ("x", "administrator", true);
        let by = Actor::Administrator { person: "x".into() };
        let enrolled = Deed::DeviceEnrolled {
            device: "own-1".into(),
            kind: device.into(),
            table: "T1".into(),
            patron: ["terminal", "acceptor"].contains(&device).then_some(punto_rules::PatronNo(7)),
            at_box: None,
            second: second.map(Person::as_recorded),
            reason: second.map(|_| "a new one".into()),
            credential: None,
        };
        if second.is_some() {
            let digest = Some(enrolled.signed_by(&by));
            let given = Deed::ApprovalGiven { digest, table: None, round: None, factor: None };
            ledger.deed(staff("sm", Post::ShiftManager), given);
        }
        ledger.deed(by, enrolled);
        ledger.audit_entries().findings.iter().map(|it| it.kind).collect::<Vec<_>>()
    };
    for device in ["terminal", "console", "reader", "acceptor", "board"] {
        let alone = if device == "board" { vec![] } else { vec![FindingKind::SecondPerson] };
        assert_eq!(found(LedgerKind::House, device, None), alone, "{device}");
        assert_eq!(found(LedgerKind::House, device, Some("sm")), [], "{device} by two");
        assert_eq!(found(LedgerKind::Practice, device, None), [], "{device}: no real money");
    }
}

/// Chips and credits that moved on one person's word are found in a house of this release: every such order, by whoever gives
/// it, without a second person, with oneself, and with another one.
#[test]
fn chips_and_credits_on_one_persons_word_are_found() {
    let cashier = || Actor::Cashier { person: "c".into() };
    let supervisor = || staff("sup", Post::PitSupervisor);
    let cases = [
        (supervisor(), r#"{"do":"open-float","amount":1000}"#),
        (supervisor(), r#"{"do":"close-float","counted":1000}"#),
        (supervisor(), r#"{"do":"fill","amount":1000,"slip":"f-1"}"#),
        (supervisor(), r#"{"do":"credit","amount":1000,"slip":"c-1"}"#),
        (staff("dealer", Post::Dealer), r#"{"do":"drop","amount":1000}"#),
        (supervisor(), r#"{"do":"collect","patron":7,"amount":100}"#),
        (cashier(), r#"{"do":"collect","patron":7,"amount":100}"#),
        (cashier(), r#"{"do":"cash-out","patron":7}"#),
        (cashier(), r#"{"do":"pay-unclaimed","patron":7,"amount":100}"#),
    ];
    let found = |kind: LedgerKind, release: &str, by: &Actor, text: &str, second: Option<&str>| {
        let mut night = night(kind).signed();
        let mut fields: serde_json::Value = serde_json::from_str(text).expect("JSON");
        if let Some(second) = second {
            fields["second"] = second.into();
        }
        let entry = &mut night.entries[LAST];
        entry.order.by = by.clone();
        entry.order.command = serde_json::from_value(fields).expect("an order");
        (entry.events, entry.release) = (Vec::new(), Release(release.into()));
        for entry in &night.entries {
            night.ledger.plain_entry(&"T1".into(), entry);
        }
        let audit = night.ledger.audit_entries();
        let own = |it: &&punto_audit::Finding| it.words.contains("on one person's word");
        audit.findings.iter().filter(own).map(|it| it.kind).collect::<Vec<_>>()
    };
    let one = [FindingKind::SecondPerson];
    for (by, text) in cases {
        let giver = by.person().expect("a person").as_str().to_owned();
        for second in [None, Some(giver.as_str())] {
            assert_eq!(found(LedgerKind::House, "test", &by, text, second), one, "{text} with {second:?}");
            assert_eq!(found(LedgerKind::House, "punto 0.1.0", &by, text, second), [], "{text}: excused");
            assert_eq!(found(LedgerKind::Demo, "test", &by, text, second), [], "{text}: no real money");
        }
        assert_eq!(found(LedgerKind::House, "test", &by, text, Some("d")), [], "{text} by two");
    }
    let own = Actor::Patron { patron: punto_rules::PatronNo(7) };
    assert_eq!(found(LedgerKind::House, "test", &own, r#"{"do":"cash-out","patron":7}"#, None), []);
}
