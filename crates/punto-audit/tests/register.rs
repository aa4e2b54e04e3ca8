//! The rows of the register of people and devices, beside the deeds that they reflect.

use crate::ledger::{Ledger, key};
use punto_audit::{Auditor, FindingKind, Inputs};
use punto_record::{
    Actor, Deed, Digest, LedgerKind, PersonTaken, RegisterFact, RegisterKind, RegisterLine, RegisterRow, Seq,
};

const DIGEST: Digest = Digest([7; 32]);

fn line(deed: Seq, fact: RegisterFact, credential: Option<Digest>) -> RegisterLine {
    let (kind, id) = (fact.kind().id().into(), fact.id().into());
    RegisterLine { kind, id, row: Some(RegisterRow { deed, fact, credential }) }
}

/// A practice floor with one Dealer who has a password, and what its store holds.
fn practice() -> (Ledger, Vec<RegisterLine>) {
    let mut ledger = Ledger::founded(LedgerKind::Practice, &key(1));
    ledger.deed(Actor::House, Deed::staff_changed("d-1".into(), "dealer".into(), true, true));
    let people = vec![PersonTaken { person: "d-1".into(), name: "Tan".into(), credential: None }];
    ledger.deed(Actor::House, Deed::RegisterTakenOver { people, devices: Vec::new() });
    let by = Actor::Staff { person: "d-1".into(), post: punto_rules::Post::Dealer };
    ledger.deed(by, Deed::PasswordChosen { credential: Some(DIGEST) });
    let person = RegisterFact::Person {
        person: "d-1".into(),
        name: "Tan".into(),
        role: "dealer".into(),
        enabled: true,
    };
    let rows = vec![
        line(Seq(5), RegisterFact::Password { person: "d-1".into() }, Some(DIGEST)),
        line(Seq(4), person, None),
    ];
    (ledger, rows)
}

/// The findings about the register, and how many others there are.
fn found(ledger: &Ledger, rows: Vec<RegisterLine>) -> (Vec<String>, usize) {
    let mut auditor = Auditor::new(Inputs::default());
    ledger.leaves.iter().for_each(|(volume, sealed)| auditor.entry(volume, sealed));
    auditor.register(rows);
    let (of_rows, others): (Vec<_>, Vec<_>) =
        auditor.finish().findings.into_iter().partition(|it| it.kind == FindingKind::RegisterRow);
    (of_rows.into_iter().map(|it| it.words).collect(), others.len())
}

#[test]
fn every_row_is_what_its_deed_says() {
    let (ledger, rows) = practice();
    assert_eq!(found(&ledger, rows.clone()), (Vec::new(), 0));
    // A row that was made again has no credential, and opens nothing.
    let mut again = rows.clone();
    again[0].row.as_mut().expect("a row").credential = None;
    assert_eq!(found(&ledger, again), (Vec::new(), 0));

    type Change = (&'static str, fn(&mut Vec<RegisterLine>));
    let changes: [Change; 8] = [
        ("password of d-1", |rows| rows[0].row.as_mut().expect("a row").credential = Some(Digest([8; 32]))),
        ("password of d-1", |rows| rows[0].row.as_mut().expect("a row").deed = Seq(4)),
        ("password of d-1", |rows| rows[0].row = None),
        ("password of d-1 is missing", |rows| drop(rows.remove(0))),
        ("person of d-1", |rows| rows[1].row.as_mut().expect("a row").credential = Some(DIGEST)),
        ("person of d-1", |rows| {
            if let RegisterFact::Person { role, .. } = &mut rows[1].row.as_mut().expect("a row").fact {
                *role = "administrator".into();
            }
        }),
        ("password of d-9: no deed", |rows| {
            rows.push(line(Seq(5), RegisterFact::Password { person: "d-9".into() }, Some(DIGEST)));
        }),
        ("mischief of d-1: no deed", |rows| {
            rows.push(RegisterLine { kind: "mischief".into(), id: "d-1".into(), row: None });
        }),
    ];
    for (words, change) in changes {
        let mut rows = rows.clone();
        change(&mut rows);
        let (told, others) = found(&ledger, rows);
        assert!(told.len() == 1 && told[0].contains(words) && others == 0, "{words}: {told:?}");
    }
    let kinds = ["person", "password", "invitation", "device", "factor"];
    assert_eq!(RegisterKind::ALL.map(RegisterKind::id), kinds);
}

#[test]
fn a_register_is_taken_over_once_and_cleared_as_it_was_found() {
    let (mut ledger, _) = practice();
    let mut twice = ledger.clone();
    twice.deed(Actor::House, Deed::RegisterTakenOver { people: Vec::new(), devices: Vec::new() });
    let findings = twice.audit_entries().findings;
    assert!(matches!(findings.as_slice(), [it] if it.kind == FindingKind::RegisterRow), "{findings:?}");

    ledger.deed(
        Actor::House,
        Deed::VerificationFailed { words: "rows differ".into(), register: true, contest: None },
    );
    let office = Actor::Administrator { person: "o".into() };
    let cleared = |failed| Deed::RegisterCleared { failed, second: "o2".into(), reason: "seen".into() };
    let mut other = ledger.clone();
    other.deed(office.clone(), cleared(Seq(5)));
    assert!(other.audit_entries().findings.iter().any(|it| it.kind == FindingKind::OutOfTurn));
    ledger.deed(office, cleared(Seq(6)));
    assert_eq!(ledger.audit_entries().findings, Vec::new());
}
