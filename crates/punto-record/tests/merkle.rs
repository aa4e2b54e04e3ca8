//! The tree over entries, against another implementation of RFC 6962 and by trying to cheat.

use ct_merkle::mem_backed_tree::MemoryBackedTree;
use punto_record::merkle::{Frontier, Tree, inclusion, leaf, root, root_by_inclusion};
use punto_record::{Chain, Digest, Seq, Volume, digest};
use sha2::{Digest as _, Sha256};

fn links(count: u64) -> Vec<Chain> {
    (1..=count).map(|n| Chain { seq: Seq(n), link: digest(&n.to_be_bytes()) }).collect()
}

fn leaves(count: u64) -> Vec<Digest> {
    links(count).into_iter().map(|chain| leaf(&Volume::House, chain)).collect()
}

/// What a leaf hashes: the other implementation puts the 0 in front by itself.
fn leaf_bytes(chain: Chain) -> Vec<u8> {
    let mut bytes = b"house\0".to_vec();
    bytes.extend(chain.seq.0.to_be_bytes());
    bytes.extend(chain.link.0);
    bytes
}

#[test]
fn roots_and_proofs_agree_with_another_implementation() {
    let mut other: MemoryBackedTree<Sha256, Vec<u8>> = MemoryBackedTree::new();
    let mut frontier = Frontier::default();
    assert_eq!(frontier.root(), Digest(Sha256::digest(b"").into()));
    let all = links(130);
    for (count, chain) in (1..).zip(&all) {
        other.push(leaf_bytes(*chain));
        frontier.push(leaf(&Volume::House, *chain));
        let theirs = Digest(other.root().as_bytes().as_slice().try_into().expect("32 bytes"));
        assert_eq!(frontier.root(), theirs, "{count} leaves");
        assert_eq!((frontier.size(), frontier.is_whole()), (count, true));
        let leaves = leaves(count);
        for index in 0..count {
            let path = inclusion(&leaves, index);
            let theirs = other.prove_inclusion(index as usize);
            let ours: Vec<u8> = path.iter().flat_map(|digest| digest.0).collect();
            assert_eq!(ours, theirs.as_bytes(), "leaf {index} of {count}");
            assert_eq!(root_by_inclusion(leaves[index as usize], index, count, &path), Some(frontier.root()));
        }
    }
}

#[test]
fn proofs_of_consistency_agree_with_another_implementation() {
    let (mut other, mut ours) = (MemoryBackedTree::<Sha256, Vec<u8>>::new(), Tree::default());
    for (count, chain) in (1..).zip(links(70)) {
        other.push(leaf_bytes(chain));
        ours.push(leaf(&Volume::House, chain));
        for before in 1..=count {
            let theirs = other.prove_consistency((count - before) as usize);
            let path = ours.consistency(before, count).expect("all leaves are known");
            let path: Vec<u8> = path.iter().flat_map(|digest| digest.0).collect();
            assert_eq!(path, theirs.as_bytes(), "{before} to {count}");
        }
    }
}

#[test]
fn a_proof_holds_for_one_leaf_at_one_place_in_one_tree() {
    for size in 1..=17 {
        let leaves = leaves(size);
        let root = root(&leaves);
        for index in 0..size {
            let path = inclusion(&leaves, index);
            let leads_to_root =
                |leaf, index, size, path: &[Digest]| root_by_inclusion(leaf, index, size, path) == Some(root);
            let leaf = leaves[index as usize];
            assert!(leads_to_root(leaf, index, size, &path));
            assert!(!leads_to_root(digest(b"another"), index, size, &path));
            for elsewhere in (0..size + 2).filter(|at| *at != index) {
                assert!(!leads_to_root(leaf, elsewhere, size, &path), "{index} of {size} as {elsewhere}");
            }
            for change in 0..path.len() {
                let mut path = path.clone();
                path[change].0[7] ^= 1;
                assert!(!leads_to_root(leaf, index, size, &path));
            }
            let longer = [&path[..], &[digest(b"more")]].concat();
            assert!(!leads_to_root(leaf, index, size, &longer));
            if let Some((_, shorter)) = path.split_last() {
                assert!(!leads_to_root(leaf, index, size, shorter));
            }
        }
    }
}

#[test]
fn a_leaf_stands_for_its_volume_place_and_chain() {
    let chain = Chain { seq: Seq(7), link: digest(b"link") };
    let original = leaf(&Volume::Table("T1".into()), chain);
    assert_ne!(original, leaf(&Volume::Table("T2".into()), chain));
    assert_ne!(original, leaf(&Volume::House, chain));
    assert_ne!(original, leaf(&Volume::Table("T1".into()), Chain { seq: Seq(8), ..chain }));
    assert_ne!(original, leaf(&Volume::Table("T1".into()), Chain { link: digest(b"other"), ..chain }));
}
