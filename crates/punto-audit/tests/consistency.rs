//! Consistency proofs: every pair of small trees, every bit flipped, forks, and what a ledger with an archive can still prove.

use ed25519_dalek::SigningKey;
use punto_audit::{Inconsistent, check_consistency, is_consistent};
use punto_record::merkle::{Frontier, Tree};
use punto_record::{
    Checkpoint, ConsistencyProof, Digest, NoConsistency, PublicKey, SignedCheckpoint, Timestamp, digest,
};

const MOST: u64 = 70;

fn leaf(n: u64) -> Digest {
    digest(&n.to_be_bytes())
}

/// A tree of leaves that are numbered from 0; from `fork` on they are others.
fn tree(size: u64, fork: u64) -> Tree {
    let mut tree = Tree::default();
    (0..size).for_each(|n| tree.push(leaf(if n < fork { n } else { n + 1_000_000 })));
    tree
}

fn key(n: u8) -> SigningKey {
    SigningKey::from_bytes(&[n; 32])
}

fn signed(tree: &Tree, size: u64, ledger: &[u8], by: u8) -> SignedCheckpoint {
    let root = tree.root_at(size).expect("known");
    let checkpoint =
        Checkpoint { ledger: digest(ledger), at: Timestamp(1_700_000_000_000), size, root, heads: vec![] };
    checkpoint.sign(&key(by))
}

#[test]
fn every_pair_of_sizes_is_proven_and_no_other() {
    let tree = tree(MOST, MOST);
    let root = |size| tree.root_at(size).expect("known");
    for to in 1..=MOST {
        for from in 1..=to {
            let path = tree.consistency(from, to).expect("known");
            assert!(is_consistent((from, root(from)), (to, root(to)), &path), "{from} to {to}");
            // One digest more or less, another size or another root, proves nothing.
            let longer: Vec<Digest> = path.iter().copied().chain([leaf(7)]).collect();
            assert!(!is_consistent((from, root(from)), (to, root(to)), &longer), "{from} to {to}, longer");
            if let Some((_, shorter)) = path.split_last() {
                assert!(
                    !is_consistent((from, root(from)), (to, root(to)), shorter),
                    "{from} to {to}, shorter"
                );
            }
            assert!(
                !is_consistent((from, leaf(1)), (to, root(to)), &path),
                "{from} to {to}, other root before"
            );
            assert!(!is_consistent((from, root(from)), (to, leaf(1)), &path), "{from} to {to}, other root");
        }
    }
    assert!(!is_consistent((0, root(1)), (1, root(1)), &[]));
    assert!(!is_consistent((2, root(2)), (1, root(1)), &[]));
    assert_eq!(
        (tree.consistency(0, 1), tree.consistency(2, 1), tree.consistency(1, MOST + 1)),
        (None, None, None)
    );
}

#[test]
fn every_flipped_bit_is_noticed() {
    let tree = tree(MOST, MOST);
    let root = |size| tree.root_at(size).expect("known");
    for (from, to) in [(1, 2), (3, 7), (6, 8), (7, 8), (8, 70), (33, 70), (69, 70)] {
        let path = tree.consistency(from, to).expect("known");
        for at in 0..path.len() * 256 {
            let mut changed = path.clone();
            changed[at / 256].0[at % 256 / 8] ^= 1 << (at % 8);
            assert!(!is_consistent((from, root(from)), (to, root(to)), &changed), "{from} to {to}, bit {at}");
        }
    }
}

/// Whatever the sizes say: a checkpoint comes from outside.
#[test]
fn huge_sizes_are_answered() {
    let path = vec![leaf(1); 64];
    for from in [1, 2, 3, u64::MAX / 2, u64::MAX / 2 + 1, u64::MAX - 1, u64::MAX] {
        for to in [u64::MAX / 2 + 1, u64::MAX - 1, u64::MAX] {
            for digests in 0..=path.len() {
                assert!(!is_consistent((from, leaf(2)), (to, leaf(3)), &path[..digests]));
            }
            assert_eq!(tree(5, 5).consistency(from, to), None);
        }
    }
}

#[test]
fn a_fork_is_never_proven() {
    let (size, honest) = (20, tree(20, 20));
    for fork in 0..size {
        for longer in [size, size + 1, size + 13] {
            let forked = tree(longer, fork);
            for from in fork + 1..=size {
                let (kept, now) = (signed(&honest, from, b"one", 1), signed(&forked, longer, b"one", 1));
                let refused = ConsistencyProof::make(&forked, &kept, &now);
                assert_eq!(refused, Err(NoConsistency::Fork(from)), "forked at {fork}");
                // A house that makes its proof by hand, with the digests of either history.
                for path in [forked.consistency(from, longer), honest.consistency(from, size)] {
                    let (from, to) = (kept.to_string().into(), now.to_string().into());
                    let proof = ConsistencyProof { from, to, path: path.expect("known") };
                    let found = check_consistency(&proof, &[PublicKey::of(&key(1))]);
                    assert!(
                        matches!(found, Err(Inconsistent::NotProven | Inconsistent::Fork(_))),
                        "{found:?}, forked at {fork}"
                    );
                }
            }
            // What lies before the fork is the same history, and is proven.
            for from in 1..=fork {
                let (kept, now) = (signed(&honest, from, b"one", 1), signed(&forked, longer, b"one", 1));
                let proof = ConsistencyProof::make(&forked, &kept, &now).expect("the same until there");
                assert!(check_consistency(&proof, &[PublicKey::of(&key(1))]).is_ok());
            }
        }
    }
}

#[test]
fn checkpoints_are_of_one_ledger_and_signed_by_its_keys() {
    let tree = tree(9, 9);
    let keys = [PublicKey::of(&key(1)), PublicKey::of(&key(2))];
    let (before, after) = (signed(&tree, 5, b"one", 1), signed(&tree, 9, b"one", 2));
    let proof = ConsistencyProof::make(&tree, &before, &after).expect("one history");
    let shown = check_consistency(&proof, &keys).expect("proven");
    assert_eq!((shown.ledger, shown.from, shown.to), (digest(b"one"), 5, 9));
    assert_eq!(check_consistency(&proof, &keys[..1]), Err(Inconsistent::OtherKey("later")));
    assert_eq!(check_consistency(&proof, &keys[1..]), Err(Inconsistent::OtherKey("earlier")));

    let elsewhere = signed(&tree, 9, b"another", 1);
    assert_eq!(ConsistencyProof::make(&tree, &before, &elsewhere), Err(NoConsistency::OtherLedger));
    assert_eq!(ConsistencyProof::make(&tree, &after, &before), Err(NoConsistency::Backwards));
    let put = |from: &SignedCheckpoint, to: &SignedCheckpoint| ConsistencyProof {
        from: from.to_string().into(),
        to: to.to_string().into(),
        path: proof.path.clone(),
    };
    assert_eq!(check_consistency(&put(&before, &elsewhere), &keys), Err(Inconsistent::OtherLedger));
    assert_eq!(check_consistency(&put(&after, &before), &keys), Err(Inconsistent::Backwards));
    let mut touched = after.clone();
    touched.checkpoint.size = 8;
    assert_eq!(check_consistency(&put(&before, &touched), &keys), Err(Inconsistent::NotSigned("later")));
    let torn = ConsistencyProof { from: "nothing".into(), ..proof };
    assert!(matches!(
        check_consistency(&torn, &keys),
        Err(Inconsistent::Unreadable { which: "earlier", .. })
    ));
}

/// A ledger whose first entries are archived knows the right edge of their tree, and proves what that allows, rightly.
#[test]
fn what_an_archived_ledger_proves_is_what_the_whole_one_proves() {
    let whole = tree(MOST, MOST);
    let (mut proven, mut unknown) = (0, 0);
    for archived in 0..=MOST {
        let mut start = Frontier::default();
        (0..archived).for_each(|n| start.push(leaf(n)));
        let mut rest = Tree::after(start).expect("a frontier");
        (archived..MOST).for_each(|n| rest.push(leaf(n)));
        assert_eq!((rest.size(), rest.root_at(MOST)), (MOST, whole.root_at(MOST)));
        for from in 1..=MOST {
            if let Some(root) = rest.root_at(from) {
                assert_eq!(Some(root), whole.root_at(from));
            }
            // From the end of the archive on, everything can be told.
            assert!(from < archived || rest.root_at(from).is_some(), "{archived} archived, root at {from}");
            match rest.consistency(from, MOST) {
                Some(path) => assert_eq!(Some(path), whole.consistency(from, MOST)),
                None => assert!(from < archived, "{archived} archived, from {from}"),
            }
            match rest.consistency(from, MOST) {
                Some(_) => proven += 1,
                None => unknown += 1,
            }
        }
    }
    assert!(proven > 2_000 && unknown > 500, "{proven} proven, {unknown} not known");
}
