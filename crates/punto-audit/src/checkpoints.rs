//! Checkpoints and keys: whether what somebody signed for, here or elsewhere, is what the ledger holds.

use std::collections::{BTreeMap, HashMap};

use punto_record::merkle::{Frontier, leaf};
use punto_record::{Chain, Deed, Digest, Note, PublicKey, SignedCheckpoint, SignedCommit, Timestamp, Volume};

use crate::finding::{FindingKind, Findings};

/// A tree that nobody can reach by adding leaves; a larger one was made up.
const MOST_LEAVES: u64 = 1 << 62;

/// The tree over all entries, the keys adopted so far, and the checkpoints to be compared with them.
#[derive(Clone, Debug)]
pub(crate) struct Checkpoints {
    tree: Frontier,
    /// The leaves in this audit, for checkpoints that are handed in after the tree has passed their size.
    leaves: Vec<Digest>,
    start: Frontier,
    /// The name of the ledger: the link of its first entry.
    pub(crate) ledger: Option<Digest>,
    /// Keys in the order of their adoption.
    keys: Vec<PublicKey>,
    /// By size; `true` for those kept elsewhere.
    waiting: BTreeMap<u64, Vec<(SignedCheckpoint, bool)>>,
    late: Vec<SignedCheckpoint>,
    /// Notes that a witness kept.
    pub(crate) notes: Vec<Note>,
    /// The size and time of every checkpoint that was compared.
    times: Vec<(u64, Timestamp)>,
    pub(crate) compared: u64,
    /// The largest size that a checkpoint kept elsewhere was compared at.
    pub(crate) outside: Option<u64>,
    /// The largest size that a checkpoint signs for.
    signed_for: u64,
}

impl Checkpoints {
    pub(crate) fn new(tree: Frontier, ledger: Option<Digest>, keys: Vec<PublicKey>) -> Checkpoints {
        let whole = tree.is_whole() && tree.size() < MOST_LEAVES;
        let tree = if whole { tree } else { Frontier::default() };
        Checkpoints {
            start: tree.clone(),
            tree,
            leaves: Vec::new(),
            ledger,
            keys,
            waiting: BTreeMap::new(),
            late: Vec::new(),
            notes: Vec::new(),
            times: Vec::new(),
            compared: 0,
            outside: None,
            signed_for: 0,
        }
    }

    pub(crate) const fn size(&self) -> u64 {
        self.tree.size()
    }

    /// A checkpoint to be compared.
    pub(crate) fn take(&mut self, signed: SignedCheckpoint, outside: bool) {
        match signed.checkpoint.size > self.tree.size() || self.leaves.is_empty() {
            true => self.waiting.entry(signed.checkpoint.size).or_default().push((signed, outside)),
            false => self.late.push(signed),
        }
    }

    /// One more entry.
    pub(crate) fn grow(&mut self, volume: &Volume, chain: Chain) {
        let leaf = leaf(volume, chain);
        self.leaves.push(leaf);
        self.tree.push(leaf);
    }

    /// Whether a checkpoint waits for the size that the tree has now.
    pub(crate) fn is_due(&self) -> bool {
        self.waiting.first_key_value().is_some_and(|(size, _)| *size <= self.tree.size())
    }

    /// Compares the checkpoints of the size that the tree has now.
    pub(crate) fn compare(&mut self, heads: &BTreeMap<Volume, Chain>, out: &mut Findings) {
        while let Some(entry) = self.waiting.first_entry().filter(|entry| *entry.key() <= self.tree.size()) {
            let (size, waiting) = entry.remove_entry();
            for (signed, outside) in waiting {
                if size < self.tree.size() {
                    // Of a size that an archive has swallowed.
                    self.is_signed(&signed, out);
                    continue;
                }
                if outside {
                    self.outside = self.outside.max(Some(size));
                }
                self.is_signed(&signed, out);
                self.is_root(&signed, self.tree.root(), out);
                let stood: Vec<(Volume, Chain)> =
                    heads.iter().map(|(volume, chain)| (volume.clone(), *chain)).collect();
                out.hold(
                    signed.checkpoint.heads == stood,
                    FindingKind::WrongHeads,
                    &format!("the checkpoint over {size} entries says otherwise where the volumes stood"),
                );
            }
        }
    }

    fn is_root(&self, signed: &SignedCheckpoint, root: Digest, out: &mut Findings) {
        let size = signed.checkpoint.size;
        out.hold(
            signed.checkpoint.root == root,
            FindingKind::RewrittenEntries,
            &format!(
                "the first {size} entries are not those that the checkpoint over {size} entries signed for"
            ),
        );
    }

    fn is_signed(&mut self, signed: &SignedCheckpoint, out: &mut Findings) {
        let size = signed.checkpoint.size;
        self.compared += 1;
        self.times.push((size, signed.checkpoint.at));
        let is_signed = signed.is_signed();
        if is_signed && self.keys.contains(&signed.key) {
            self.signed_for = self.signed_for.max(size);
        }
        out.hold(
            is_signed,
            FindingKind::ForgedCheckpoint,
            &format!("the checkpoint over {size} entries is not signed by its key"),
        );
        out.hold(
            self.keys.contains(&signed.key),
            FindingKind::UnknownKey,
            &format!(
                "the checkpoint over {size} entries is signed with a key that the ledger had not adopted"
            ),
        );
        if let Some(ledger) = self.ledger {
            out.hold(
                signed.checkpoint.ledger == ledger,
                FindingKind::OtherLedger,
                &format!("the checkpoint over {size} entries is that of another ledger"),
            );
        }
    }

    /// A key is adopted; every one but the first is vouched for by the one before.
    pub(crate) fn adopt(&mut self, deed: &Deed, out: &mut Findings) {
        let Some((key, before, vouched)) = adopted(deed) else { return };
        let vouched_for = match (self.keys.last(), before, vouched) {
            (None, None, None) => true,
            (Some(last), Some(before), Some(vouched)) => *last == before && before.vouches_for(key, vouched),
            (Some(_) | None, Some(_) | None, Some(_) | None) => false,
        };
        out.hold(vouched_for, FindingKind::KeyNotVouched, "the key before does not vouch for this one");
        self.keys.push(key);
    }

    /// What an entry says about an archive is what the tree was at that size.
    pub(crate) fn archived(&self, size: u64, root: Digest, heads: &[(Volume, Chain)], out: &mut Findings) {
        let mut tree = self.start.clone();
        if let Some(more) = size.checked_sub(tree.size()) {
            let more = usize::try_from(more).unwrap_or(usize::MAX);
            self.leaves.iter().take(more).for_each(|leaf| tree.push(*leaf));
        }
        let is_root = tree.size() == size && tree.root() == root;
        out.hold(
            is_root,
            FindingKind::WrongArchive,
            "the root of the archive is not the tree's at that size",
        );
        let sum = heads.iter().try_fold(0_u64, |sum, (_, chain)| sum.checked_add(chain.seq.0));
        out.hold(
            sum == Some(size),
            FindingKind::WrongArchive,
            "the heads of the archive are not its entries",
        );
        if self.start.size() == 0 {
            let leaves = self.leaves.get(..usize::try_from(size).unwrap_or(usize::MAX)).unwrap_or(&[]);
            let known = heads.iter().all(|(volume, chain)| leaves.contains(&leaf(volume, *chain)));
            out.hold(known, FindingKind::WrongArchive, "a head of the archive is no entry of this ledger");
        }
    }

    /// How many entries nobody signs for, after the last checkpoint and the commits that follow it. Compares the commits.
    pub(crate) fn unsigned(&self, commits: &[SignedCommit], out: &mut Findings) -> u64 {
        let mut size = self.signed_for.max(self.start.size());
        for signed in commits.iter().filter(|it| it.commit.size > self.signed_for) {
            let commit = &signed.commit;
            let before = commit.size_before();
            let leaves = before.and_then(|before| before.checked_sub(self.start.size()));
            let leaves = leaves.and_then(|at| self.leaves.get(usize::try_from(at).ok()?..)).unwrap_or(&[]);
            let appended = commit.entries.iter().map(|(volume, chain)| leaf(volume, *chain));
            let holds = before == Some(size)
                && !commit.entries.is_empty()
                && leaves.len() >= commit.entries.len()
                && appended.eq(leaves[..commit.entries.len().min(leaves.len())].iter().copied())
                && self.ledger.is_none_or(|ledger| ledger == commit.ledger)
                && self.keys.contains(&signed.key)
                && signed.is_signed();
            if !holds {
                let words =
                    format!("the commit up to {} entries is not signed for by this ledger", commit.size);
                out.say(FindingKind::ForgedCommit, words);
                break;
            }
            size = commit.size;
        }
        self.tree.size().saturating_sub(size)
    }

    /// What is left when all entries were seen.
    pub(crate) fn finish(&mut self, out: &mut Findings) {
        self.compare_late(out);
        self.compare_notes(out);
        for (size, waiting) in std::mem::take(&mut self.waiting) {
            for (signed, outside) in waiting {
                self.is_signed(&signed, out);
                let whose =
                    if outside { "a checkpoint kept elsewhere" } else { "a checkpoint of the ledger" };
                out.say(
                    FindingKind::MissingEntries,
                    format!("{whose} signed for {size} entries; there are {}", self.tree.size()),
                );
            }
        }
        self.times.sort_by_key(|(size, _)| *size);
        for pair in self.times.windows(2) {
            out.hold(
                pair[0].0 == pair[1].0 || pair[0].1 <= pair[1].1,
                FindingKind::CheckpointTime,
                &format!(
                    "the checkpoint over {} entries is older than the one over {}",
                    pair[1].0, pair[0].0
                ),
            );
        }
    }

    /// A note says no more than a size and a root; whoever kept it may have signed it as well.
    fn compare_notes(&mut self, out: &mut Findings) {
        for note in std::mem::take(&mut self.notes) {
            let size = note.head.size;
            let kept = "a note kept elsewhere";
            self.compared += 1;
            out.hold(
                self.keys.iter().any(|key| note.is_signed_by(*key)),
                FindingKind::UnknownKey,
                &format!("{kept} over {size} entries is not signed with a key that the ledger adopted"),
            );
            if self.ledger.is_some_and(|ledger| ledger != note.head.origin.ledger) {
                out.say(
                    FindingKind::OtherLedger,
                    format!("{kept} over {size} entries is that of another ledger"),
                );
            } else if size > self.tree.size() {
                let words = format!("{kept} signed for {size} entries; there are {}", self.tree.size());
                out.say(FindingKind::MissingEntries, words);
            } else if let Some(root) = self.root_at(size) {
                self.outside = self.outside.max(Some(size));
                out.hold(
                    root == note.head.root,
                    FindingKind::RewrittenEntries,
                    &format!("the first {size} entries are not those that {kept} signed for"),
                );
            }
        }
    }

    /// The root that the tree had at a size; `None` where an archive has swallowed it.
    fn root_at(&self, size: u64) -> Option<Digest> {
        let more = usize::try_from(size.checked_sub(self.start.size())?).ok()?;
        let mut tree = self.start.clone();
        self.leaves.get(..more)?.iter().for_each(|leaf| tree.push(*leaf));
        Some(tree.root())
    }

    fn compare_late(&mut self, out: &mut Findings) {
        let mut late = std::mem::take(&mut self.late);
        if late.is_empty() {
            return;
        }
        late.sort_by_key(|signed| signed.checkpoint.size);
        let places: HashMap<Digest, u64> =
            self.leaves.iter().enumerate().map(|(i, leaf)| (*leaf, self.start.size() + i as u64)).collect();
        let mut tree = self.start.clone();
        let mut leaves = self.leaves.iter();
        let mut roots = Vec::new();
        for signed in &late {
            while tree.size() < signed.checkpoint.size {
                let Some(leaf) = leaves.next() else { break };
                tree.push(*leaf);
            }
            roots.push((tree.size() == signed.checkpoint.size).then(|| tree.root()));
        }
        for (signed, root) in late.into_iter().zip(roots) {
            self.is_signed(&signed, out);
            let Some(root) = root else { continue };
            self.is_root(&signed, root, out);
            // The entries of all volumes together are the leaves, so heads that are leaves and add up are the heads.
            let (size, heads) = (signed.checkpoint.size, &signed.checkpoint.heads);
            let in_time = |(volume, chain): &(Volume, Chain)| {
                let place = places.get(&leaf(volume, *chain));
                place.map_or(chain.seq.0 <= self.start.size(), |place| *place < size)
            };
            let sum = heads.iter().try_fold(0_u64, |sum, (_, chain)| sum.checked_add(chain.seq.0));
            out.hold(
                sum == Some(size) && heads.iter().all(in_time),
                FindingKind::WrongHeads,
                &format!("the checkpoint over {size} entries says otherwise where the volumes stood"),
            );
        }
    }
}

fn adopted(deed: &Deed) -> Option<(PublicKey, Option<PublicKey>, Option<&str>)> {
    if let Deed::KeyAdopted { key, before, vouched } = deed {
        Some((*key, *before, vouched.as_deref()))
    } else {
        None
    }
}
