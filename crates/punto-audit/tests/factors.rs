//! Second factors in the record: who signed in or acted without one, codes that were used twice, resets that were not as they
//! must be.

use crate::ledger::{Ledger, key};
use punto_audit::{Auditor, FindingKind, Inputs};
use punto_record::{
    Actor, Deed, Digest, FactorShown, HouseEntry, LedgerKind, Person, Seq, SessionId, Volume,
};
use punto_rules::Post;

const DAY: u64 = 24 * 3_600_000;
const DIGEST: Option<Digest> = Some(Digest([7; 32]));

fn office(person: &'static str) -> Actor {
    Actor::Administrator { person: person.into() }
}

fn manager() -> Actor {
    Actor::Staff { person: "sm".into(), post: Post::ShiftManager }
}

fn code(step: u64) -> Option<FactorShown> {
    Some(FactorShown::Code { step })
}

fn enrolled(step: u64, factor: Option<FactorShown>) -> Deed {
    Deed::FactorEnrolled { step, factor, credential: DIGEST }
}

fn signed_in(factor: Option<FactorShown>) -> Deed {
    Deed::SignedIn { session: SessionId::as_recorded("s"), factor }
}

fn begun() -> Deed {
    Deed::FactorResetBegun { person: "sm".into(), second: "o2".into(), reason: "lost".into() }
}

struct House(Ledger);

impl House {
    /// A house in which both Administrators and the Shift Manager have a second factor.
    fn new() -> House {
        let mut house = House(Ledger::founded(LedgerKind::House, &key(1)));
        for by in [office("o"), office("o2"), manager()] {
            house.0.deed(by, enrolled(1, None));
        }
        house
    }

    fn seq(&self) -> Seq {
        let mut of_house = self.0.leaves.iter().filter(|(volume, _)| *volume == Volume::House);
        of_house.next_back().expect("it was founded").1.seq
    }

    /// When an entry was written.
    fn at(&self, seq: Seq) -> u64 {
        let found = self.0.leaves.iter().find(|(volume, it)| *volume == Volume::House && it.seq == seq);
        let entry: HouseEntry = serde_json::from_slice(&found.expect("it is there").1.bytes).expect("a deed");
        entry.at.0
    }

    /// A deed that its second person signed for.
    fn two(&mut self, by: Actor, deed: Deed) -> Seq {
        let digest = Some(deed.signed_by(&by));
        let second = deed.second().expect("two people").clone();
        let given = Deed::ApprovalGiven { digest, table: None, round: None, factor: None };
        let second = match second.as_str() {
            "sm" => manager(),
            _ => Actor::Administrator { person: second },
        };
        self.0.deed(second, given);
        self.0.deed(by, deed);
        self.seq()
    }

    fn found(&self) -> Vec<FindingKind> {
        let mut auditor = Auditor::new(Inputs::default());
        self.0.leaves.iter().for_each(|(volume, sealed)| auditor.entry(volume, sealed));
        auditor.findings().iter().map(|it| it.kind).collect()
    }
}

#[test]
fn whoever_has_a_second_factor_shows_it_and_each_code_once() {
    let mut house = House::new();
    for deed in [
        signed_in(code(2)),
        signed_in(code(4)),
        // A clock that was put right: an earlier step that was never used.
        signed_in(code(3)),
        Deed::RecoveryCodeUsed { left: 9, credential: DIGEST },
        signed_in(Some(FactorShown::RecoveryCode)),
        Deed::RecoveryCodesMade { factor: FactorShown::Code { step: 5 }, credential: DIGEST },
        enrolled(7, code(6)),
        // In a session of their own the password is enough.
        Deed::ApprovalGiven { digest: DIGEST, table: None, round: None, factor: None },
        Deed::ApprovalGiven { digest: DIGEST, table: None, round: None, factor: code(8) },
    ] {
        house.0.deed(manager(), deed);
    }
    // A code of somebody else is another code, and so is one of the factor before.
    house.0.deed(office("o"), signed_in(code(2)));
    house.0.deed(manager(), signed_in(code(4)));
    assert_eq!(house.found(), []);
    let wrong = [
        signed_in(None),
        signed_in(code(7)),
        signed_in(code(8)),
        enrolled(9, None),
        enrolled(9, code(8)),
        Deed::ApprovalGiven { digest: DIGEST, table: None, round: None, factor: code(7) },
        Deed::RecoveryCodesMade { factor: FactorShown::Code { step: 8 }, credential: DIGEST },
    ];
    for deed in wrong {
        let mut ledger = House(house.0.clone());
        ledger.0.deed(manager(), deed.clone());
        assert_eq!(ledger.found(), [FindingKind::SecondFactor], "{deed:?}");
    }
}

#[test]
fn whoever_must_have_a_second_factor_does_nothing_before() {
    let act =
        |by: Actor| (by, Deed::ApprovalGiven { digest: DIGEST, table: None, round: None, factor: None });
    // A ledger of an earlier build says nothing about second factors.
    let mut earlier = House(Ledger::founded(LedgerKind::House, &key(1)));
    earlier.0.deed(manager(), signed_in(None));
    let (by, deed) = act(manager());
    earlier.0.deed(by, deed);
    assert_eq!(earlier.found(), []);
    // From the first that is enrolled on nobody who must have one acts without.
    earlier.0.deed(office("o"), enrolled(1, None));
    earlier.0.deed(manager(), signed_in(None));
    assert_eq!(earlier.found(), [], "to sign in is to come and enrol one");
    for (by, expected) in [
        (office("o"), &[][..]),
        (office("o2"), &[FindingKind::SecondFactor]),
        (manager(), &[FindingKind::SecondFactor]),
        (Actor::Staff { person: "sup".into(), post: Post::PitSupervisor }, &[]),
        (Actor::Cashier { person: "c".into() }, &[]),
    ] {
        let mut ledger = House(earlier.0.clone());
        let (by, deed) = act(by);
        ledger.0.deed(by.clone(), deed);
        assert_eq!(ledger.found(), expected, "{by:?}");
    }
}

#[test]
fn a_reset_is_asked_for_by_two_and_waits_a_day() {
    let mut house = House::new();
    let seq = house.two(office("o"), begun());
    let at = house.at(seq);
    let reset = |begun| Deed::FactorReset { begun, person: "sm".into() };
    let stop = |begun| Deed::FactorResetStopped { begun, person: "sm".into(), factor: None };
    let after = |house: &House, ms: u64, by: Actor, deed: Deed| {
        let mut house = House(house.0.clone());
        house.0.deed_at(by, at + ms, deed);
        house
    };
    assert_eq!(after(&house, DAY, Actor::House, reset(seq)).found(), []);
    assert_eq!(after(&house, DAY - 1, Actor::House, reset(seq)).found(), [FindingKind::SecondFactor]);
    assert_eq!(after(&house, DAY, Actor::House, reset(Seq(seq.0 - 1))).found(), [FindingKind::SecondFactor]);
    let other = Deed::FactorReset { begun: seq, person: "o".into() };
    assert_eq!(after(&house, DAY, Actor::House, other).found(), [FindingKind::SecondFactor]);
    // Stopped by the person or an Administrator, and by nobody else; then it is not carried out.
    for by in [manager(), office("o2")] {
        let stopped = after(&house, 1, by, stop(seq));
        assert_eq!(stopped.found(), []);
        assert_eq!(after(&stopped, DAY, Actor::House, reset(seq)).found(), [FindingKind::SecondFactor]);
    }
    let cashier = Actor::Cashier { person: "c".into() };
    assert_eq!(after(&house, 1, cashier, stop(seq)).found(), [FindingKind::NotPermitted]);
    assert_eq!(after(&house, 1, manager(), stop(Seq(1))).found(), [FindingKind::OutOfTurn]);
    // Time that a confirmed clock jumped over does not count.
    let mut jumped = House(house.0.clone());
    let confirmed = Deed::ClockConfirmed { ahead: DAY, second: "o2".into(), reason: "compared".into() };
    jumped.two(office("o"), confirmed);
    assert_eq!(after(&jumped, 2 * DAY - 1, Actor::House, reset(seq)).found(), [FindingKind::SecondFactor]);
    assert_eq!(after(&jumped, 2 * DAY, Actor::House, reset(seq)).found(), []);
    // Afterwards they enrol another one before they do anything.
    let mut gone = after(&house, DAY, Actor::House, reset(seq));
    let act = Deed::ApprovalGiven { digest: DIGEST, table: None, round: None, factor: None };
    gone.0.deed_at(manager(), at + DAY + 1, act);
    assert_eq!(gone.found(), [FindingKind::SecondFactor]);
}

#[test]
fn nobody_resets_their_own_alone_or_with_a_junior() {
    let of = |person: &str, second: &str, reason: &str| Deed::FactorResetBegun {
        person: Person::as_recorded(person),
        second: Person::as_recorded(second),
        reason: reason.into(),
    };
    for (deed, expected) in [
        (of("sm", "o2", "lost"), None),
        (of("sm", "o", "lost"), Some(FindingKind::SecondPerson)),
        (of("o", "o2", "lost"), Some(FindingKind::SecondPerson)),
        (of("o2", "o2", "lost"), Some(FindingKind::SecondPerson)),
        (of("sm", "o2", " "), Some(FindingKind::NoReason)),
        (of("d", "o2", "lost"), Some(FindingKind::OutOfTurn)),
        (of("sm", "sup", "lost"), Some(FindingKind::NoMandate)),
    ] {
        let mut house = House::new();
        house.two(office("o"), deed.clone());
        let found = house.found();
        match expected {
            None => assert_eq!(found, []),
            Some(kind) => assert!(found.contains(&kind), "{deed:?}: {found:?}"),
        }
    }
    // Nobody signed.
    let mut alone = House::new();
    alone.0.deed(office("o"), begun());
    assert_eq!(alone.found(), [FindingKind::NotSigned]);
}
