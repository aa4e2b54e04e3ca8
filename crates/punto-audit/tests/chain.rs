//! The chain, the tree and the checkpoints: every byte, every link, every cut.

use crate::ledger::{EARLY, Ledger, key, ledger_of, scenarios, told};
use punto_audit::{Auditor, Beginning, FindingKind, Inputs};
use punto_record::merkle::{Frontier, leaf};
use punto_record::{
    Actor, ArchivedHead, Chain, Commit, Deed, Digest, LedgerKind, PublicKey, Sealed, Seq, SignedCheckpoint,
    SignedCommit, Volume, vouch,
};

const LATE: u64 = EARLY + 10_000_000_000;

fn ordinary() -> Ledger {
    let scenario = scenarios().iter().find(|it| it.name == "wu-song/an-ordinary-round.txt");
    ledger_of(&scenario.expect("the scenario").entries)
}

fn kinds(audit: &punto_audit::Audit) -> Vec<FindingKind> {
    audit.findings.iter().map(|finding| finding.kind).collect()
}

fn outside(signed: punto_record::SignedCheckpoint) -> Inputs {
    Inputs { outside: vec![signed], ..Inputs::default() }
}

#[test]
fn every_flipped_bit_is_found() {
    let ledger = ordinary();
    let mut auditor = Auditor::new(Inputs::default());
    for (volume, sealed) in &ledger.leaves {
        // The rule book's text is long and all alike.
        let step = (sealed.bytes.len() / 400).max(1);
        for at in (0..sealed.bytes.len()).step_by(step) {
            let mut going = auditor.clone();
            let mut changed = sealed.clone();
            changed.bytes[at] ^= 1 << (at % 8);
            going.entry(volume, &changed);
            assert_eq!(
                going.findings()[0].kind,
                FindingKind::BrokenLink,
                "{volume} {} byte {at}",
                sealed.seq
            );
        }
        auditor.entry(volume, sealed);
    }
    assert!(auditor.findings().is_empty());
}

#[test]
fn a_broken_link_is_said_once() {
    let mut ledger = ordinary();
    let at = ledger.leaves.len() / 2;
    ledger.leaves[at].1.bytes.push(b' ');
    let audit = ledger.audit();
    assert_eq!(kinds(&audit), [FindingKind::BrokenLink, FindingKind::OtherBytes], "{}", told(&audit));
}

#[test]
fn bytes_that_are_no_entry_are_said_once_at_their_place() {
    let mut ledger = ordinary();
    let table = ledger.leaves.last().expect("entries").0.clone();
    ledger.bytes(&table, b"{}".to_vec());
    let audit = ledger.audit();
    assert_eq!(kinds(&audit), [FindingKind::UnreadableEntry]);
    assert_eq!(audit.findings[0].place.volume, table);
}

#[test]
fn other_white_space_is_not_how_entries_are_written() {
    let mut ledger = Ledger::founded(LedgerKind::Demo, &key(1));
    let mut bytes = ledger.leaves[1].1.bytes.clone();
    ledger.leaves.pop();
    bytes.insert(1, b' ');
    let before = Chain { seq: Seq(1), link: ledger.leaves[0].1.chain };
    let after = before.after(&bytes);
    ledger.leaves.push((Volume::House, Sealed { seq: Seq(2), bytes, chain: after.link }));
    assert_eq!(kinds(&ledger.audit()), [FindingKind::OtherBytes]);
}

#[test]
fn deleted_and_reordered_entries_are_found() {
    let ledger = ordinary();
    for at in 0..ledger.leaves.len() {
        let mut less = ledger.clone();
        less.leaves.remove(at);
        // What was the last of its volume leaves no gap: only a checkpoint shows it.
        let volume = &ledger.leaves[at].0;
        let last = !ledger.leaves[at + 1..].iter().any(|(other, _)| other == volume);
        let audit = less.audit_entries();
        assert_eq!(audit.is_clean(), last, "entry {at} deleted: {}", told(&audit));
    }
    for at in 2..ledger.leaves.len() - 1 {
        let mut other = ledger.clone();
        other.leaves.swap(at, at + 1);
        assert!(!other.audit_entries().is_clean(), "entries {at} and the next");
    }
}

#[test]
fn only_a_checkpoint_kept_elsewhere_shows_what_was_cut_off() {
    let ledger = ordinary();
    let signed = ledger.checkpoint(LATE, &key(1));
    let whole = ledger.audit_with(outside(signed.clone()), &[]);
    assert!(whole.is_clean() && whole.unknown.is_empty(), "{} {:?}", told(&whole), whole.unknown);
    assert_eq!(whole.counts.checkpoints, 1);
    for cut in 1..ledger.leaves.len() - 2 {
        let mut less = ledger.clone();
        less.leaves.truncate(ledger.leaves.len() - cut);
        let alone = less.audit_entries();
        assert!(alone.is_clean(), "{}", told(&alone));
        assert!(alone.unknown.iter().any(|words| words.contains("cut off")));
        let mut auditor = Auditor::new(outside(signed.clone()));
        less.leaves.iter().for_each(|(volume, sealed)| auditor.entry(volume, sealed));
        assert_eq!(kinds(&auditor.finish()), [FindingKind::MissingEntries]);
    }
}

/// The whole record written anew, well linked: nothing but a checkpoint tells.
#[test]
fn a_rewritten_record_is_found_by_its_root() {
    let ledger = ordinary();
    let signed = ledger.checkpoint(LATE, &key(1));
    let mut other = Ledger::founded(LedgerKind::Demo, &key(1));
    for (volume, sealed) in &ledger.leaves[2..] {
        let text = String::from_utf8(sealed.bytes.clone()).expect("text").replace("shuffler-2", "shuffler-3");
        other.bytes(volume, text.into_bytes());
    }
    assert!(other.audit_entries().is_clean());
    let audit = other.audit_with(outside(signed), &[]);
    let found = kinds(&audit);
    assert!(found.contains(&FindingKind::RewrittenEntries) && found.contains(&FindingKind::WrongHeads));
}

#[test]
fn checkpoints_are_signed_by_an_adopted_key_of_this_ledger_in_order_of_time() {
    let ledger = ordinary();
    let good = ledger.checkpoint(LATE, &key(1));
    let mut forged = good.clone();
    forged.signature[5] ^= 1;
    assert_eq!(kinds(&ledger.audit_with(Inputs::default(), &[forged])), [FindingKind::ForgedCheckpoint]);
    let stranger = ledger.checkpoint(LATE, &key(9));
    assert_eq!(kinds(&ledger.audit_with(Inputs::default(), &[stranger])), [FindingKind::UnknownKey]);
    let mut elsewhere = good.checkpoint.clone();
    elsewhere.ledger = Digest([3; 32]);
    let elsewhere = elsewhere.sign(&key(1));
    assert_eq!(kinds(&ledger.audit_with(Inputs::default(), &[elsewhere])), [FindingKind::OtherLedger]);
    let mut heads = good.checkpoint.clone();
    heads.heads.pop();
    let heads = heads.sign(&key(1));
    assert_eq!(kinds(&ledger.audit_with(Inputs::default(), &[heads])), [FindingKind::WrongHeads]);
    let mut early = ledger.clone();
    early.leaves.truncate(2);
    let mut earlier = early.checkpoint(LATE + 1, &key(1)).checkpoint;
    earlier.heads = vec![(Volume::House, Chain { seq: Seq(2), link: ledger.leaves[1].1.chain })];
    let earlier = earlier.sign(&key(1));
    let audit = ledger.audit_with(Inputs::default(), &[earlier, good]);
    assert_eq!(kinds(&audit), [FindingKind::CheckpointTime], "{}", told(&audit));
}

#[test]
fn a_checkpoint_that_is_handed_in_late_is_compared_too() {
    let ledger = ordinary();
    let mut early = ledger.clone();
    early.leaves.truncate(2);
    let mut signed = early.checkpoint(LATE, &key(1)).checkpoint;
    signed.heads = vec![(Volume::House, Chain { seq: Seq(2), link: ledger.leaves[1].1.chain })];
    let audit = |signed| {
        let mut auditor = Auditor::new(Inputs::default());
        ledger.leaves.iter().for_each(|(volume, sealed)| auditor.entry(volume, sealed));
        auditor.checkpoint(signed);
        auditor.finish()
    };
    assert!(audit(signed.clone().sign(&key(1))).is_clean());
    let mut root = signed.clone();
    root.root = Digest([1; 32]);
    assert_eq!(kinds(&audit(root.sign(&key(1)))), [FindingKind::RewrittenEntries]);
    signed.heads[0].1.seq = Seq(1);
    assert_eq!(kinds(&audit(signed.sign(&key(1)))), [FindingKind::WrongHeads]);
}

#[test]
fn keys_are_handed_on_by_the_key_before() {
    let adopt = |with, vouched: Option<String>, before| Deed::KeyAdopted {
        key: PublicKey::of(with),
        before,
        vouched: vouched.map(|it| it.as_str().into()),
    };
    let (first, second, thief) = (key(1), key(2), key(3));
    let mut ledger = ordinary();
    let old = ledger.checkpoint(LATE, &first);
    let vouched = vouch(&first, PublicKey::of(&second));
    ledger.deed(Actor::House, adopt(&second, Some(vouched), Some(PublicKey::of(&first))));
    let new = ledger.checkpoint(LATE + 1, &second);
    let audit = ledger.audit_with(Inputs::default(), &[old, new]);
    assert!(audit.is_clean(), "{}", told(&audit));
    let forged = vouch(&thief, PublicKey::of(&thief));
    for (vouched, before) in [
        (None, None),
        (Some(forged.clone()), Some(PublicKey::of(&second))),
        (Some(forged), Some(PublicKey::of(&thief))),
    ] {
        let mut stolen = ledger.clone();
        stolen.deed(Actor::House, adopt(&thief, vouched, before));
        assert_eq!(kinds(&stolen.audit()), [FindingKind::KeyNotVouched]);
    }
}

#[test]
fn a_ledger_is_founded_once_and_first() {
    let founded = Deed::LedgerFounded { kind: LedgerKind::House, nonce: Digest([8; 32]) };
    let mut again = ordinary();
    again.deed(Actor::House, founded);
    assert_eq!(kinds(&again.audit()), [FindingKind::Founding]);
    let mut late = ordinary();
    let first = late.leaves.remove(0);
    late.leaves.insert(2, first);
    assert!(kinds(&late.audit()).contains(&FindingKind::Founding));
}

#[test]
fn a_locked_table_takes_no_order() {
    let whole = ordinary();
    let table = whole.leaves.last().expect("entries").0.clone();
    let Volume::Table(id) = &table else { panic!("a table") };
    let mut ledger = whole.clone();
    let last = ledger.leaves.pop().expect("an entry");
    let seq = last.1.seq;
    ledger.deed(Actor::House, Deed::TableLocked { table: id.clone(), seq, words: "out by 5".into() });
    let mut open = ledger.clone();
    ledger.leaves.push(last.clone());
    assert!(kinds(&ledger.audit()).contains(&FindingKind::LockedTable));
    let unlock =
        Deed::TableUnlocked { table: id.clone(), second: "b".into(), reason: "counted again".into() };
    open.deed(Actor::Administrator { person: "a".into() }, unlock.clone());
    let mut alone = open.clone();
    open.leaves.push(last);
    assert!(open.audit().is_clean(), "{}", told(&open.audit()));
    alone.deed(Actor::Administrator { person: "a".into() }, unlock);
    assert!(kinds(&alone.audit_entries()).contains(&FindingKind::LockedTable));
}

#[test]
fn an_archived_beginning_is_followed_and_said() {
    let ledger = ordinary();
    let mut frontier = Frontier::default();
    let mut heads: Vec<ArchivedHead> = Vec::new();
    let (early, rest) = ledger.leaves.split_at(6);
    for (volume, sealed) in early {
        let chain = Chain { seq: sealed.seq, link: sealed.chain };
        frontier.push(leaf(volume, chain));
        heads.retain(|head| head.volume != *volume);
        heads.push(ArchivedHead { volume: volume.clone(), seq: chain.seq, link: chain.link, snapshot: None });
    }
    let signed = ledger.checkpoint(LATE, &key(1));
    let begins =
        Beginning { frontier, heads, ledger: Some(early[0].1.chain), keys: vec![PublicKey::of(&key(1))] };
    let mut auditor =
        Auditor::new(Inputs { outside: vec![signed], begins: Some(begins), ..Inputs::default() });
    rest.iter().for_each(|(volume, sealed)| auditor.entry(volume, sealed));
    let audit = auditor.finish();
    assert!(audit.is_clean(), "{}", told(&audit));
    assert!(audit.unknown.iter().any(|words| words.contains("begins in the archive")));
}

/// A commit that signs for the entries of a ledger from one size of the tree to another.
fn commit(ledger: &Ledger, from: usize, to: usize, with: &ed25519_dalek::SigningKey) -> SignedCommit {
    let entries = ledger.leaves[from..to].iter();
    let entries =
        entries.map(|(volume, it)| (volume.clone(), Chain { seq: it.seq, link: it.chain })).collect();
    Commit { ledger: ledger.leaves[0].1.chain, term: 1, size: to as u64, entries }.sign(with)
}

fn with_commits(ledger: &Ledger, own: &[SignedCheckpoint], commits: Vec<SignedCommit>) -> Vec<FindingKind> {
    let mut auditor = Auditor::new(Inputs::default());
    own.iter().for_each(|signed| auditor.checkpoint(signed.clone()));
    ledger.leaves.iter().for_each(|(volume, sealed)| auditor.entry(volume, sealed));
    auditor.commits(commits);
    kinds(&auditor.finish())
}

#[test]
fn entries_that_nobody_signs_for_are_found() {
    let ledger = ordinary();
    let end = ledger.leaves.len();
    let early = Ledger::founded(LedgerKind::Demo, &key(1));
    let from = early.leaves.len();
    assert_eq!(early.leaves[..], ledger.leaves[..from], "they begin alike");
    let (own, mid) = ([early.checkpoint(LATE, &key(1))], from + 2);
    let whole = || vec![commit(&ledger, from, mid, &key(1)), commit(&ledger, mid, end, &key(1))];
    assert_eq!(with_commits(&ledger, &own, whole()), [], "a checkpoint, and commits up to the end");
    assert_eq!(
        with_commits(&ledger, &[ledger.checkpoint(LATE, &key(1))], Vec::new()),
        [],
        "a checkpoint alone"
    );
    let unsigned = [FindingKind::UnsignedEntries];
    assert_eq!(with_commits(&ledger, &own, Vec::new()), unsigned);
    assert_eq!(with_commits(&ledger, &own, whole()[..1].to_vec()), unsigned, "the last one is missing");
    let forged = [FindingKind::ForgedCommit, FindingKind::UnsignedEntries];
    assert_eq!(with_commits(&ledger, &own, whole()[1..].to_vec()), forged, "the first one is missing");
    let last = |changed: SignedCommit| vec![commit(&ledger, from, mid, &key(1)), changed];
    assert_eq!(
        with_commits(&ledger, &own, last(commit(&ledger, mid, end, &key(9)))),
        forged,
        "a stranger's key"
    );
    let mut other = commit(&ledger, mid, end, &key(1));
    other.signature[0] ^= 1;
    assert_eq!(with_commits(&ledger, &own, last(other)), forged, "another signature");
    let mut elsewhere = commit(&ledger, mid, end, &key(1)).commit;
    elsewhere.ledger = Digest([5; 32]);
    assert_eq!(with_commits(&ledger, &own, last(elsewhere.sign(&key(1)))), forged, "another ledger's");
    let mut changed = commit(&ledger, mid, end, &key(1)).commit;
    changed.entries[0].1.link = Digest([5; 32]);
    assert_eq!(with_commits(&ledger, &own, last(changed.sign(&key(1)))), forged, "for other entries");
}
