//! Power over people in a house, over its whole space: who does what to whom, with which second person and reason. The vault
//! refuses what the reading refuses, and the auditor finds it where it came into the record all the same.

use std::sync::Arc;

use punto_audit::{Auditor, FindingKind, Inputs};
use punto_ledger::{Place, Vault, new_key};
use punto_record::{
    Actor, Chain, Deed, DeedKind, HouseEntry, LedgerKind, OrderId, Person, Release, Sealed, Seq, Timestamp,
    Volume,
};
use punto_server::role::Role;

const NOW: Timestamp = Timestamp(1_767_225_600_000);

/// Everybody in the house, what they are, and whether they may come in.
const STAFF: [(&str, Role, bool); 12] = [
    ("o-1", Role::Administrator, true),
    ("o-2", Role::Administrator, true),
    ("o-3", Role::Administrator, true),
    ("o-4", Role::Administrator, false),
    ("sm-1", Role::ShiftManager, true),
    ("sm-2", Role::ShiftManager, false),
    ("du-1", Role::DutyManager, true),
    ("pm-1", Role::PitManager, true),
    ("sup-1", Role::PitSupervisor, true),
    ("d-1", Role::Dealer, true),
    ("cas-1", Role::Cashier, true),
    ("aud-1", Role::Auditor, true),
];

struct House {
    vault: Vault,
}

fn office(person: &str) -> Actor {
    Role::Administrator.actor(person.parse().expect("a name"))
}

fn changed(person: &str, role: Role, enabled: bool, invited: bool, two: Option<(&str, &str)>) -> Deed {
    let (person, role): (Person, Arc<str>) = (person.parse().expect("a name"), role.id().into());
    let second = two.map(|(second, _)| Person::as_recorded(second));
    let reason = two.map(|(_, reason)| reason.into());
    Deed::StaffChanged { person, role, enabled, invited, name: None, second, reason, credential: None }
}

impl House {
    fn founded(kind: LedgerKind) -> House {
        let release = Release("test".into());
        House { vault: Vault::found(&Place::Memory, kind, new_key().unwrap(), NOW, release).unwrap() }
    }

    fn write(&mut self, by: Actor, deed: Deed) -> Result<Seq, punto_ledger::Error> {
        let n = self.vault.head(&Volume::House).seq.0 + 1;
        self.vault.deed(OrderId { device: "server".into(), n }, by, NOW, deed)
    }

    fn sign(&mut self, deed: &Deed, by: &Actor) {
        let Some(second) = deed.second() else { return };
        let role = STAFF.iter().find(|it| it.0 == second.as_str()).map_or(Role::Dealer, |it| it.1);
        let digest = Some(deed.signed_by(by));
        let given = Deed::ApprovalGiven { digest, table: None, round: None, factor: None };
        self.write(role.actor(second.clone()), given).unwrap();
    }

    /// With everybody, all of whom have a password.
    fn staffed() -> House {
        let mut house = House::founded(LedgerKind::House);
        for (person, role, enabled) in STAFF {
            if ["o-1", "o-2"].contains(&person) {
                house.write(Actor::House, changed(person, role, true, true, None)).unwrap();
            } else {
                let hired = changed(person, role, true, true, Some(("o-2", "as planned")));
                house.sign(&hired, &office("o-1"));
                house.write(office("o-1"), hired).unwrap();
            }
            house.write(role.actor(person.into()), Deed::PasswordChosen { credential: None }).unwrap();
            if !enabled {
                house.write(office("o-1"), changed(person, role, false, false, None)).unwrap();
            }
        }
        house
    }

    fn entries(&mut self) -> Vec<Sealed> {
        let mut stored = Vec::new();
        let each = &mut |it: punto_ledger::Stored<'_>| {
            stored.push(it.sealed());
            std::ops::ControlFlow::Continue(())
        };
        self.vault.reader().entries_of(&Volume::House, Seq(0), each).unwrap();
        stored
    }

    /// What the auditor says if this stood in the record next.
    fn found(&mut self, by: &Actor, deed: &Deed) -> Vec<FindingKind> {
        let mut auditor = Auditor::new(Inputs::default());
        let mut chain = Chain::START;
        for sealed in self.entries() {
            auditor.entry(&Volume::House, &sealed);
            chain = Chain { seq: sealed.seq, link: sealed.chain };
        }
        let entry = HouseEntry {
            seq: chain.seq.next(),
            id: OrderId { device: "server".into(), n: chain.seq.0 + 1 },
            by: by.clone(),
            at: NOW,
            deed: deed.clone(),
            release: Release("test".into()),
        };
        auditor.entry(&Volume::House, &chain.seal_deed(&entry));
        auditor.findings().iter().map(|it| it.kind).collect()
    }
}

/// What can be done to somebody, as the record says it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Change {
    Hire,
    Promote,
    Demote,
    Enable,
    Invite,
    InviteDisabled,
    Rename,
    Disable,
    DisableAndDemote,
}

const CHANGES: [Change; 9] = [
    Change::Hire,
    Change::Promote,
    Change::Demote,
    Change::Enable,
    Change::Invite,
    Change::InviteDisabled,
    Change::Rename,
    Change::Disable,
    Change::DisableAndDemote,
];

impl Change {
    fn deed(self, two: Option<(&str, &str)>) -> Deed {
        match self {
            Change::Hire => changed("new-1", Role::Dealer, true, true, two),
            Change::Promote => changed("d-1", Role::ShiftManager, true, false, two),
            Change::Demote => changed("sup-1", Role::Dealer, true, false, two),
            Change::Enable => changed("sm-2", Role::ShiftManager, true, false, two),
            Change::Invite => changed("sm-1", Role::ShiftManager, true, true, two),
            Change::InviteDisabled => changed("sm-2", Role::ShiftManager, false, true, two),
            Change::Rename => changed("d-1", Role::Dealer, true, false, two),
            Change::Disable => changed("d-1", Role::Dealer, false, false, two),
            Change::DisableAndDemote => changed("sup-1", Role::Dealer, false, false, two),
        }
    }
}

/// The reading, in its own words: taking away takes one, all else a second of standing who is neither of them, and a reason.
fn in_order(change: Change, by: &str, second: Option<&str>, reason: &str) -> bool {
    let deed = change.deed(None);
    let Deed::StaffChanged { person, .. } = &deed else { panic!("a change") };
    if person.as_str() == by || by == "o-4" || !by.starts_with("o-") {
        return false;
    }
    match second {
        None => change == Change::Disable,
        Some(second) if second == by || second == person.as_str() => false,
        // Named although nobody need be: it must be in order all the same.
        Some(second) => {
            let agrees = ["o-1", "o-2", "o-3", "sm-1", "du-1"].contains(&second);
            agrees && !reason.trim().is_empty()
        }
    }
}

#[test]
fn nobody_alone_gives_power_over_people() {
    let mut tried = 0;
    let mut wrong = Vec::new();
    let mut house = House::staffed();
    assert_eq!(house.vault.administrators(), 3);
    let everybody = STAFF.iter().map(|it| it.0);
    let seconds: Vec<Option<&str>> =
        everybody.clone().chain(["new-1", "nobody", ""]).map(Some).chain([None]).collect();
    for change in CHANGES {
        for by in everybody.clone() {
            let role = STAFF.iter().find(|it| it.0 == by).unwrap().1;
            for second in &seconds {
                for reason in ["as planned", " "] {
                    let deed = change.deed(second.map(|second| (second, reason)));
                    let by_whom = role.actor(by.into());
                    let should = in_order(change, by, *second, reason);
                    // What is in order is tried below, on a house of its own.
                    let taken = if should { None } else { Some(house.write(by_whom.clone(), deed.clone())) };
                    if let Some(Ok(seq)) = taken {
                        wrong.push(format!("{change:?} by {by} with {second:?}, {reason:?}: entry {seq}"));
                        house = House::staffed();
                    }
                    tried += 1;
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {tried}\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(tried, 9 * 12 * 16 * 2);
    // And what is in order is taken.
    for change in CHANGES {
        for second in [None, Some("o-2"), Some("o-3"), Some("sm-1"), Some("du-1")] {
            if in_order(change, "o-1", second, "as planned") {
                let mut house = House::staffed();
                let deed = change.deed(second.map(|second| (second, "as planned")));
                house.sign(&deed, &office("o-1"));
                assert_eq!(house.found(&office("o-1"), &deed), [], "{change:?} with {second:?}");
                house.write(office("o-1"), deed).unwrap_or_else(|it| panic!("{change:?} {second:?}: {it}"));
            }
        }
    }
}

#[test]
fn the_auditor_finds_power_that_one_person_gave() {
    let mut house = House::staffed();
    let mut tried = 0;
    for change in CHANGES {
        for second in STAFF.iter().map(|it| Some(it.0)).chain([Some("nobody"), None]) {
            for reason in ["as planned", ""] {
                let deed = change.deed(second.map(|second| (second, reason)));
                let found = house.found(&office("o-1"), &deed);
                let signed = FindingKind::NotSigned;
                let (own, about) = (second == Some("o-1"), second.is_some_and(|it| deed_is_about(&deed, it)));
                let mut expected = Vec::new();
                if let Some(second) = second {
                    expected.push(signed);
                    if own || about {
                        expected.push(FindingKind::SecondPerson);
                    } else if !["o-2", "o-3", "sm-1", "du-1"].contains(&second) {
                        expected.push(FindingKind::NoMandate);
                    }
                    if reason.is_empty() {
                        expected.push(FindingKind::NoReason);
                    }
                } else if change != Change::Disable {
                    expected.extend([FindingKind::SecondPerson, FindingKind::NoReason]);
                }
                assert_eq!(found, expected, "{change:?} with {second:?}, {reason:?}");
                tried += 1;
            }
        }
    }
    assert_eq!(tried, 9 * 14 * 2);
}

fn deed_is_about(deed: &Deed, whom: &str) -> bool {
    matches!(deed, Deed::StaffChanged { person, .. } if person.as_str() == whom)
}

/// One signature is good for one deed, and only for what was signed.
#[test]
fn a_signature_for_another_change_is_none() {
    let mut house = House::staffed();
    let signed = changed("d-1", Role::Dealer, true, true, Some(("o-2", "lost their password")));
    house.sign(&signed, &office("o-1"));
    assert_eq!(house.found(&office("o-1"), &signed), []);
    for other in [
        changed("d-1", Role::ShiftManager, true, true, Some(("o-2", "lost their password"))),
        changed("sm-1", Role::Dealer, true, true, Some(("o-2", "lost their password"))),
        changed("d-1", Role::Dealer, true, true, Some(("o-2", "because"))),
    ] {
        assert_eq!(house.found(&office("o-1"), &other), [FindingKind::NotSigned], "{other:?}");
    }
    assert_eq!(house.found(&office("o-3"), &signed), [FindingKind::NotSigned], "done by somebody else");
}

#[test]
fn two_administrators_are_left() {
    let mut house = House::staffed();
    let gone = |person: &str| changed(person, Role::Administrator, false, false, None);
    house.write(office("o-1"), gone("o-3")).expect("the third one can go");
    let lowered = changed("o-2", Role::Dealer, true, false, Some(("sm-1", "as planned")));
    house.sign(&lowered, &office("o-1"));
    for deed in [gone("o-2"), lowered] {
        assert_eq!(house.found(&office("o-1"), &deed), [FindingKind::NotPermitted], "{deed:?}");
        assert!(house.write(office("o-1"), deed.clone()).is_err(), "{deed:?}");
    }
    // One who never chose a password is not counted, and can go.
    let hired = changed("o-5", Role::Administrator, true, true, Some(("o-2", "as planned")));
    house.sign(&hired, &office("o-1"));
    house.write(office("o-1"), hired).unwrap();
    assert!(house.write(office("o-1"), gone("o-2")).is_err(), "the new one has no password yet");
    assert_eq!(house.found(&office("o-1"), &gone("o-2")), [FindingKind::NotPermitted]);
    house.write(office("o-5"), Deed::PasswordChosen { credential: None }).unwrap();
    assert_eq!(house.found(&office("o-1"), &gone("o-2")), []);
    house.write(office("o-1"), gone("o-2")).expect("there are two others");
}

#[test]
fn the_software_invites_two_administrators_and_nobody_else() {
    let mut house = House::founded(LedgerKind::House);
    let invited = |person: &str| changed(person, Role::Administrator, true, true, None);
    let refused = |house: &mut House, deed: Deed, why: &str| {
        assert_eq!(house.found(&Actor::House, &deed), [FindingKind::NotPermitted], "{why}");
        assert!(house.write(Actor::House, deed).is_err(), "{why}");
    };
    for role in Role::ALL.into_iter().filter(|role| *role != Role::Administrator) {
        refused(&mut house, changed("x-1", role, true, true, None), role.id());
    }
    refused(&mut house, changed("x-1", Role::Administrator, false, false, None), "disabled");
    for person in ["o-1", "o-2", "o-1", "o-2"] {
        assert_eq!(house.found(&Actor::House, &invited(person)), [], "{person}");
        house.write(Actor::House, invited(person)).expect("until they come");
    }
    refused(&mut house, invited("o-3"), "a third one");
    house.write(office("o-1"), Deed::PasswordChosen { credential: None }).unwrap();
    refused(&mut house, invited("o-1"), "who has a password");
    house.write(Actor::House, invited("o-2")).expect("the other one did not come yet");
}

/// Where no real money is, one person may try everything out; a second one who is named is another one.
#[test]
fn practice_takes_one() {
    for kind in [LedgerKind::Practice, LedgerKind::Demo] {
        let mut house = House::founded(kind);
        house.write(Actor::House, changed("o-1", Role::Administrator, true, true, None)).unwrap();
        let hired = changed("sm-1", Role::ShiftManager, true, true, None);
        assert_eq!(house.found(&office("o-1"), &hired), []);
        house.write(office("o-1"), hired).unwrap();
        let own = changed("d-1", Role::Dealer, true, true, Some(("o-1", "as planned")));
        assert!(house.write(office("o-1"), own).is_err());
        let two = changed("d-1", Role::Dealer, true, true, Some(("sm-1", "as planned")));
        house.write(office("o-1"), two).unwrap();
    }
}

/// Administrators come back by the host alone, in two at least, with a reason, never in somebody else's place; and it stays on
/// every screen until one of them has looked into it.
#[test]
fn restoring_takes_two_and_stays_to_be_seen() {
    let mut house = House::staffed();
    let restored = |persons: &[&str], reason: &str| Deed::AdministratorsRestored {
        persons: persons.iter().map(|it| (*it).parse().expect("a name")).collect(),
        reason: reason.into(),
    };
    let good = restored(&["o-1", "n-1"], "both left");
    for (person, role, _) in STAFF {
        let by = role.actor(person.into());
        assert_eq!(house.found(&by, &good), [FindingKind::NotPermitted], "{person}");
        assert!(house.write(by, good.clone()).is_err(), "{person}");
    }
    for (wrong, kind) in [
        (restored(&["o-1"], "both left"), FindingKind::SecondPerson),
        (restored(&["o-1", "o-1"], "both left"), FindingKind::SecondPerson),
        (restored(&[], "both left"), FindingKind::SecondPerson),
        (restored(&["o-1", "n-1"], " "), FindingKind::NoReason),
        (restored(&["o-1", "sm-1"], "both left"), FindingKind::NotPermitted),
    ] {
        assert_eq!(house.found(&Actor::House, &wrong), [kind], "{wrong:?}");
        assert!(house.write(Actor::House, wrong.clone()).is_err(), "{wrong:?}");
    }
    assert_eq!(house.vault.staff().restored(), None);
    let seq = house.write(Actor::House, good).unwrap();
    assert_eq!(house.vault.staff().restored(), Some(seq));
    assert_eq!(house.vault.administrators_to_invite(&[]), [Person::from("n-1"), Person::from("o-1")]);
    assert_eq!(house.vault.administrators(), 2, "the password of whoever was restored counts no longer");
    for person in ["o-1", "n-1"] {
        let invited = changed(person, Role::Administrator, true, true, None);
        assert_eq!(house.found(&Actor::House, &invited), [], "{person}");
        house.write(Actor::House, invited).unwrap();
    }
    let other = changed("n-2", Role::Administrator, true, true, None);
    assert_eq!(house.found(&Actor::House, &other), [FindingKind::NotPermitted], "only those who are named");
    assert!(house.write(Actor::House, other).is_err());
    house.write(office("n-1"), Deed::PasswordChosen { credential: None }).unwrap();
    let seen = |restored: Seq, reason: &str| Deed::RestorationSeen { restored, reason: reason.into() };
    let dealer = Role::Dealer.actor("d-1".into());
    for (by, wrong) in [
        (dealer, seen(seq, "looked into")),
        (Actor::House, seen(seq, "looked into")),
        (office("n-1"), seen(Seq(seq.0 - 1), "looked into")),
        (office("n-1"), seen(seq, "")),
    ] {
        assert!(!house.found(&by, &wrong).is_empty(), "{wrong:?} by {by:?}");
        assert!(house.write(by, wrong).is_err());
    }
    house.write(office("n-1"), seen(seq, "looked into")).unwrap();
    assert_eq!(house.vault.staff().restored(), None);
    assert!(house.write(office("n-1"), seen(seq, "looked into")).is_err(), "once");
}

/// What one person alone can do for the house, with what stops or reveals its abuse. Whatever else there is takes two.
const ALONE: [(DeedKind, Role, &str); 7] = [
    (DeedKind::KeyAdopted, Role::Administrator, "no door leads there; it takes the key itself, at the host"),
    (
        DeedKind::EntriesArchived,
        Role::Administrator,
        "no door leads there; the archive is proven by the tree",
    ),
    (
        DeedKind::TicketPaid,
        Role::Cashier,
        "once, before it expires; the drawer's count, and the record names the Cashier",
    ),
    (
        DeedKind::StaffChanged,
        Role::Administrator,
        "disabling only: it takes power away, never from the last two",
    ),
    (DeedKind::RestorationSeen, Role::Administrator, "both deeds stay in the record and in the reports"),
    (DeedKind::DeviceEnrolled, Role::Administrator, "a board only: it shows what everybody sees"),
    (DeedKind::DeviceRevoked, Role::Administrator, "it takes away; credits stay the patron's"),
];

/// Everybody as the second person of every deed that names one, beside those about people and devices.
#[test]
fn a_second_person_has_standing() {
    let golden = include_str!("../../punto-record/tests/data/deeds.ndjson");
    let read = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap()["deed"].clone();
    let others = [DeedKind::StaffChanged, DeedKind::DeviceEnrolled];
    let mut tried = std::collections::BTreeSet::new();
    for fields in golden.lines().map(read) {
        let deed: Deed = serde_json::from_value(fields.clone()).unwrap();
        if deed.second().is_none() || others.contains(&deed.kind()) {
            continue;
        }
        tried.insert(deed.kind().id());
        let by = match [DeedKind::TicketVoided, DeedKind::TicketPaid].contains(&deed.kind()) {
            true => Role::Cashier.actor("cas-1".into()),
            false => office("o-1"),
        };
        for (person, role, enabled) in STAFF {
            let mut house = House::staffed();
            let fields_with = |key: &str, value: &str| {
                let mut fields = fields.clone();
                fields["second"] = person.into();
                if key != "second" && fields.get(key).is_some() {
                    fields[key] = value.into();
                }
                serde_json::from_value::<Deed>(fields).unwrap()
            };
            let deed = fields_with("second", person);
            let of_standing = enabled
                && by.person() != Some(&person.into())
                && [Role::Administrator, Role::ShiftManager, Role::DutyManager].contains(&role);
            let told = format!("{} with {person}", deed.kind().id());
            if let Deed::FactorResetBegun { person, .. } = &deed {
                let enrolled = Deed::FactorEnrolled { step: 1, factor: None, credential: None };
                house.write(Role::PitManager.actor(person.clone()), enrolled).unwrap();
            }
            assert!(house.found(&by, &deed).contains(&FindingKind::NotSigned), "{told}");
            house.sign(&deed, &by);
            let finds = house.found(&by, &deed);
            let kinds = [FindingKind::NoMandate, FindingKind::SecondPerson];
            assert_eq!(finds.iter().any(|it| kinds.contains(it)), !of_standing, "{told}: {finds:?}");
            // A ticket that there is not, a table that is not locked or a register that was not tampered with is refused for
            // another reason.
            let may = |answer: Result<Seq, punto_ledger::Error>| match answer {
                Err(punto_ledger::Error::NotAllowed(words)) => {
                    !["person", "people", "reason"].iter().any(|it| words.contains(it))
                }
                Ok(_) | Err(_) => true,
            };
            for key in ["reason", "compared"] {
                if fields.get(key).is_some() {
                    assert!(!may(house.write(by.clone(), fields_with(key, " "))), "{told} without a reason");
                }
            }
            assert_eq!(may(house.write(by.clone(), deed)), of_standing, "{told}");
        }
    }
    assert_eq!(tried.len(), 12, "{tried:?}");
}

/// Every role at every deed, asking nobody: the vault of a house takes what is reviewed and nothing else.
#[test]
fn who_alone_does_what_for_the_house() {
    let golden = include_str!("../../punto-record/tests/data/deeds.ndjson");
    let of_kind = |kind: DeedKind| {
        let read = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap()["deed"].clone();
        let mut deeds = golden.lines().map(read).filter(|deed| deed["deed"] == kind.id());
        deeds.next_back().expect("a golden line of every kind")
    };
    let own = [
        DeedKind::SignedIn,
        DeedKind::SignedOut,
        DeedKind::PasswordChosen,
        DeedKind::FactorEnrolled,
        DeedKind::RecoveryCodesMade,
        DeedKind::RecoveryCodeUsed,
        DeedKind::ApprovalGiven,
    ];
    let mut found = std::collections::BTreeSet::new();
    for &kind in DeedKind::ALL.iter().filter(|kind| !own.contains(kind)) {
        for (person, role, _) in STAFF.iter().filter(|(.., enabled)| *enabled) {
            let mut house = House::staffed();
            let restored = Deed::AdministratorsRestored {
                persons: vec!["n-1".into(), "n-2".into()],
                reason: "both left".into(),
            };
            let restored = house.write(Actor::House, restored).unwrap();
            let mut fields = of_kind(kind);
            if fields.get("restored").is_some() {
                fields["restored"] = restored.0.into();
            }
            // Asking nobody: naming nobody, and where somebody must be named, oneself.
            let named = fields.get("second").is_some();
            let mut tried = vec![fields.clone()];
            if named {
                tried[0]["second"] = (*person).into();
                let mut nobody = fields.clone();
                nobody.as_object_mut().unwrap().remove("second");
                tried.push(nobody);
            }
            // All that can be done to somebody alone is to disable them.
            if kind == DeedKind::StaffChanged {
                tried.push(serde_json::to_value(changed("d-1", Role::Dealer, false, false, None)).unwrap());
            }
            // All that is enrolled alone is a board.
            if kind == DeedKind::DeviceEnrolled {
                tried.push(serde_json::json!({
                    "deed": kind.id(), "device": "board-9", "kind": "board", "table": "T1",
                }));
            }
            let by = role.actor((*person).into());
            let can =
                tried.into_iter().filter_map(|it| serde_json::from_value::<Deed>(it).ok()).any(|deed| {
                    // A ticket that there is not is not paid, but not for want of a second person.
                    !matches!(house.write(by.clone(), deed), Err(punto_ledger::Error::NotAllowed(_)))
                });
            if can {
                found.insert((kind.id(), role.id()));
            }
        }
    }
    let reviewed: std::collections::BTreeSet<_> =
        ALONE.iter().map(|(kind, role, _)| (kind.id(), role.id())).collect();
    assert_eq!(found, reviewed);
}
