//! Deeds about witnesses, and notes that a witness kept.

use crate::ledger::{Ledger, key};
use punto_audit::{Audit, FindingKind, Inputs};
use punto_record::merkle::{Frontier, leaf};
use punto_record::{Actor, Chain, Contest, Deed, Digest, LedgerKind, Note, Origin, Seq, TreeHead};

fn office() -> Actor {
    Actor::Administrator { person: "o".into() }
}

/// A deed that the second person signed for.
fn agreed(ledger: &mut Ledger, deed: Deed) {
    let digest = Some(deed.signed_by(&office()));
    let second = deed.second().expect("a second person").clone();
    let by = match second.as_str() {
        "sm" => Actor::Staff { person: second, post: punto_rules::Post::ShiftManager },
        _ => Actor::Administrator { person: second },
    };
    ledger.deed(by, Deed::ApprovalGiven { digest, table: None, round: None, factor: None });
    ledger.deed(office(), deed);
}

fn named(second: &'static str, in_use: bool) -> Deed {
    let (witness, address) = ("w".into(), "folder:/mnt/w".into());
    Deed::WitnessChanged {
        witness,
        address,
        key: None,
        in_use,
        second: second.into(),
        reason: "as asked".into(),
    }
}

fn contest() -> Contest {
    Contest { witness: "w".into(), from: 3, to: 20, root: Some(Digest([1; 32])) }
}

fn failed() -> Deed {
    Deed::VerificationFailed { words: "another history".into(), register: false, contest: Some(contest()) }
}

fn lost(second: &'static str, to: u64) -> Deed {
    let Contest { witness, from, root, .. } = contest();
    Deed::LossDeclared { witness, from, to, root, second: second.into(), reason: "restored".into() }
}

fn house() -> Ledger {
    Ledger::founded(LedgerKind::House, &key(1))
}

fn kinds(audit: &Audit) -> Vec<FindingKind> {
    audit.findings.iter().map(|it| it.kind).collect()
}

fn notes(audit: &Audit) -> String {
    audit.unknown.join("\n")
}

#[test]
fn what_nobody_compares_is_said() {
    let mut ledger = house();
    assert!(notes(&ledger.audit_entries()).contains("no witness was ever named"));
    agreed(&mut ledger, named("sm", true));
    let audit = ledger.audit_entries();
    assert!(audit.is_clean() && !notes(&audit).contains("witness"), "{audit:?}");
    agreed(&mut ledger, named("o2", false));
    let told = notes(&ledger.audit_entries());
    assert!(
        told.contains("no witness is in use any more") && told.contains("taken out of use by o and o2"),
        "{told}"
    );
    // Nothing of it is said where no real money is.
    let practice = Ledger::founded(LedgerKind::Practice, &key(1));
    assert!(!notes(&practice.audit_entries()).contains("witness"));
}

#[test]
fn a_loss_is_told_and_everything_takes_two() {
    let mut ledger = house();
    agreed(&mut ledger, named("sm", true));
    ledger.deed(Actor::House, Deed::WitnessConfirmed { witness: "w".into(), size: 3, root: Digest([2; 32]) });
    let opened =
        |second: &'static str| Deed::OpenedUnwitnessed { second: second.into(), reason: "cut".into() };
    agreed(&mut ledger, opened("sm"));
    ledger.deed(Actor::House, failed());
    let contested = ledger.audit_entries();
    assert!(contested.is_clean() && notes(&contested).contains("w keeps another history"), "{contested:?}");
    let mut changed = ledger.clone();
    agreed(&mut changed, named("sm", false));
    assert_eq!(kinds(&changed.audit_entries()), [FindingKind::OutOfTurn], "it was left out");
    let mut other = ledger.clone();
    agreed(&mut other, lost("sm", 21));
    assert_eq!(kinds(&other.audit_entries()), [FindingKind::OutOfTurn], "another range");
    for (second, finding) in [("o", FindingKind::SecondPerson), ("d", FindingKind::NoMandate)] {
        for deed in [named(second, true), opened(second), lost(second, 20)] {
            let mut alone = ledger.clone();
            alone.deed(office(), deed);
            let found = kinds(&alone.audit_entries());
            assert!(
                found.contains(&finding) && found.contains(&FindingKind::NotSigned),
                "{second}: {found:?}"
            );
        }
    }
    for by in [Actor::House, Actor::Auditor { person: "a".into() }] {
        let mut by_nobody = ledger.clone();
        by_nobody.deed(by, lost("sm", 20));
        assert!(kinds(&by_nobody.audit_entries()).contains(&FindingKind::NotPermitted));
    }
    agreed(&mut ledger, lost("sm", 20));
    let audit = ledger.audit_entries();
    let told = notes(&audit);
    assert!(
        audit.is_clean()
            && told.contains(
                "entries 4 to 20 that witness w signed for were declared lost by o and sm: restored"
            ),
        "{told}"
    );
    assert!(told.contains("opened 1 times"), "{told}");
    agreed(&mut ledger, lost("sm", 20));
    assert_eq!(kinds(&ledger.audit_entries()), [FindingKind::OutOfTurn], "a second time");
}

#[test]
fn a_note_is_compared_with_the_entries() {
    let ledger = house();
    let mut tree = Frontier::default();
    let size = 5;
    for (volume, sealed) in &ledger.leaves[..size] {
        tree.push(leaf(volume, Chain { seq: sealed.seq, link: sealed.chain }));
    }
    let origin = Origin { ledger: ledger.leaves[0].1.chain, after_loss: None };
    let good = TreeHead { origin, size: size as u64, root: tree.root() };
    let audit = |note: Note| ledger.audit_entries_with(Inputs { notes: vec![note], ..Inputs::default() });
    let clean = audit(good.sign(&key(1)));
    assert!(
        clean.is_clean() && notes(&clean).contains("came after the last checkpoint that was kept elsewhere")
    );
    let later = Origin { after_loss: Some(Seq(4)), ..origin };
    assert!(audit(TreeHead { origin: later, ..good }.sign(&key(1))).is_clean());
    for (note, finding) in [
        (good.sign(&key(2)), FindingKind::UnknownKey),
        (TreeHead { root: Digest([9; 32]), ..good }.sign(&key(1)), FindingKind::RewrittenEntries),
        (TreeHead { size: 4, ..good }.sign(&key(1)), FindingKind::RewrittenEntries),
        (TreeHead { size: 5_000, ..good }.sign(&key(1)), FindingKind::MissingEntries),
        (TreeHead { size: u64::MAX, ..good }.sign(&key(1)), FindingKind::MissingEntries),
        (
            TreeHead { origin: Origin { ledger: Digest([3; 32]), ..origin }, ..good }.sign(&key(1)),
            FindingKind::OtherLedger,
        ),
    ] {
        assert_eq!(kinds(&audit(note)), [finding]);
    }
}
