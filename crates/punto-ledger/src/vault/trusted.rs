//! What a store holds that its writer signed for, worked out when a ledger is opened.
//!
//! A checkpoint signs for everything up to its size, a commit for what it appended after that. Entries after the last of
//! them were written by somebody without the key: they are not replayed. Ledgers of the first release have no signed
//! commits; their tail is taken as it is, once, and signed for at once.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use ed25519_dalek::SigningKey;
use punto_record::merkle::Frontier;
use punto_record::{Chain, Deed, HouseEntry, PublicKey, Seq, SignedCommit, Timestamp, Volume};

use crate::Error;
use crate::house::House;
use crate::store::Store;
use crate::stored::Archived;

/// What may be trusted.
#[derive(Debug)]
pub(super) struct Trusted {
    pub(super) house: House,
    /// Where each volume ends, as signed.
    pub(super) heads: BTreeMap<Volume, Chain>,
    /// The tree up to the last checkpoint, and the entries after it.
    pub(super) tree: Frontier,
    pub(super) pending: Vec<(Volume, Chain)>,
    /// When the last checkpoint was signed.
    pub(super) signed: Timestamp,
    /// Whether the first release wrote it and nobody has signed for its last entries yet.
    pub(super) is_first: bool,
}

impl Trusted {
    /// Reads what is there and checks who signed for it.
    pub(super) fn read(store: &mut Store, key: &SigningKey) -> Result<Trusted, Error> {
        let key = PublicKey::of(key);
        let archived = store.archived()?;
        let kept = store.last_checkpoint()?.map(|kept| kept.read()).transpose()?;
        let covered = match &kept {
            Some((checkpoint, _)) => checkpoint.checkpoint.heads.iter().cloned().collect(),
            None => BTreeMap::new(),
        };
        let tree = match (&kept, &archived) {
            (Some((_, tree)), _) => tree.clone(),
            (None, Some(_)) => return Err(Error::damaged("entries were archived without a checkpoint")),
            (None, None) => Frontier::default(),
        };
        let signed = kept.as_ref().map_or(Timestamp(0), |(checkpoint, _)| checkpoint.checkpoint.at);
        let mut commits = Vec::new();
        store.signed_commits(tree.size(), &mut |signed| commits.push(signed.text.parse::<SignedCommit>()))?;
        let is_first = commits.is_empty() && {
            let until = kept.as_ref().map(|_| covered.get(&Volume::House).map_or(Seq(0), |chain| chain.seq));
            first_release_wrote(store, until)?
        };
        let (heads, pending) = match is_first {
            true => as_stored(store, archived.as_ref(), tree.size())?,
            false => as_signed(key, covered, tree.size(), commits),
        };
        let house = read_house(store, heads.get(&Volume::House).copied())?;
        if house.key != Some(key) || was_handed_over(store, key, heads.get(&Volume::House).copied())? {
            return Err(Error::unsuitable("the key is not the one that this ledger has adopted"));
        }
        let trusted = Trusted { house, heads, tree, pending, signed, is_first };
        if let Some((checkpoint, _)) = &kept {
            trusted.checkpoint_is_ours(checkpoint.checkpoint.ledger, checkpoint.key, key)?;
        }
        trusted.archive_is_ours(archived.as_ref())?;
        Ok(trusted)
    }

    /// Entries in the tree.
    pub(super) fn size(&self) -> u64 {
        self.tree.size() + self.pending.len() as u64
    }

    /// The last checkpoint was signed with the key in use, or with the one before where the key in use has signed for its
    /// own adoption since: a history that somebody else made up cannot end so.
    fn checkpoint_is_ours(
        &self,
        ledger: punto_record::Digest,
        by: PublicKey,
        key: PublicKey,
    ) -> Result<(), Error> {
        let adopted = self.pending.first().filter(|(volume, _)| *volume == Volume::House);
        let followed =
            adopted.is_some_and(|(_, chain)| self.house.keys.contains(&(chain.seq, key, Some(by))));
        let known = self.is_first && self.house.keys.iter().any(|(_, adopted, _)| *adopted == by);
        match ledger == self.house.ledger && (by == key || followed || known) {
            true => Ok(()),
            false => Err(Error::damaged("the last checkpoint is not signed with the key of this ledger")),
        }
    }

    /// What the store says about archived entries is what a deed says.
    fn archive_is_ours(&self, archived: Option<&Archived>) -> Result<(), Error> {
        let Some(Archived { tree, heads }) = archived else { return Ok(()) };
        let is_deed = |(size, root, stood): &(u64, _, Vec<_>)| {
            (*size, *root) == (tree.size(), tree.root()) && stood == heads
        };
        match self.house.archives.iter().any(is_deed) {
            true => Ok(()),
            false => Err(Error::damaged("no deed says that these entries were archived")),
        }
    }
}

/// Where each volume ends, and the entries after the last checkpoint.
type Tail = (BTreeMap<Volume, Chain>, Vec<(Volume, Chain)>);

/// As the signed commits continue the last checkpoint; the first one that does not fit ends it.
fn as_signed(
    key: PublicKey,
    mut heads: BTreeMap<Volume, Chain>,
    mut size: u64,
    commits: Vec<Result<SignedCommit, punto_record::CommitError>>,
) -> Tail {
    let mut pending = Vec::new();
    let mut ledger = None;
    for signed in commits {
        let Ok(signed) = signed else { break };
        let follows = signed.commit.size_before() == Some(size)
            && *ledger.get_or_insert(signed.commit.ledger) == signed.commit.ledger;
        if !(follows && signed.key == key && signed.is_signed()) {
            break;
        }
        size = signed.commit.size;
        for (volume, chain) in signed.commit.entries {
            heads.insert(volume.clone(), chain);
            pending.push((volume, chain));
        }
    }
    (heads, pending)
}

/// As the store has it, for a ledger of the first release.
fn as_stored(store: &mut Store, archived: Option<&Archived>, after: u64) -> Result<Tail, Error> {
    let mut heads = BTreeMap::new();
    for (id, volume) in (1..).zip(store.volumes()?) {
        let chain = store.head(id)?.unwrap_or_else(|| Archived::begins(archived, &volume));
        heads.insert(volume, chain);
    }
    let mut pending = Vec::new();
    store.links(after, &mut |volume, chain| pending.push((volume.clone(), chain)))?;
    match after + pending.len() as u64 == store.size()? {
        true => Ok((heads, pending)),
        false => Err(Error::damaged("entries are missing")),
    }
}

/// Whether the first release wrote everything in the house's volume, up to an entry: it signed no commits.
fn first_release_wrote(store: &mut Store, until: Option<Seq>) -> Result<bool, Error> {
    let mut is_first = true;
    store.entries_of(&Volume::House, Seq(0), &mut |stored| {
        if until.is_some_and(|until| stored.seq > until) {
            return ControlFlow::Break(());
        }
        let read = serde_json::from_slice::<HouseEntry>(stored.bytes);
        is_first = read.is_ok_and(|entry| entry.release.is_first());
        if is_first { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    Ok(is_first)
}

/// Whether the next entry of the house hands over from this key to another: it vouches for that one. What the other key
/// signed for afterwards is not to be put aside by whoever still has the old one.
fn was_handed_over(store: &mut Store, key: PublicKey, head: Option<Chain>) -> Result<bool, Error> {
    let mut handed_over = false;
    store.entries_of(&Volume::House, head.map_or(Seq(0), |head| head.seq), &mut |stored| {
        if let Ok(HouseEntry { deed: Deed::KeyAdopted { key: next, vouched: Some(vouched), .. }, .. }) =
            serde_json::from_slice(stored.bytes)
        {
            handed_over = key.vouches_for(next, &vouched);
        }
        ControlFlow::Break(())
    })?;
    Ok(handed_over)
}

/// The house's volume up to where it ends, every link made again from the bytes.
fn read_house(store: &mut Store, head: Option<Chain>) -> Result<House, Error> {
    let Some(head) = head else {
        return Err(Error::unsuitable(
            "this ledger was never founded: its making was interrupted; delete it and found it again",
        ));
    };
    let mut house: Option<House> = None;
    let mut chain = Chain::START;
    let mut fault = None;
    store.entries_of(&Volume::House, Seq(0), &mut |stored| {
        if chain.seq >= head.seq {
            return ControlFlow::Break(());
        }
        chain = chain.after(stored.bytes);
        let damaged = |words: String| Error::damaged(format!("entry {} of the house: {words}", stored.seq));
        let read = match chain == stored.chain() {
            true => {
                serde_json::from_slice::<HouseEntry>(stored.bytes).map_err(|error| damaged(error.to_string()))
            }
            false => Err(damaged("it is not chained to the one before it".to_owned())),
        };
        let taken = read.and_then(|entry| match &mut house {
            Some(house) => {
                house.enter(&entry, chain.link);
                Ok(())
            }
            None => House::founded(&entry, chain.link).map(|founded| house = Some(founded)),
        });
        match taken {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                fault = Some(error);
                ControlFlow::Break(())
            }
        }
    })?;
    match (fault, house) {
        (Some(error), _) => Err(error),
        (None, Some(house)) if chain == head => Ok(house),
        (None, _) => Err(Error::damaged("the house's own entries are not those that were signed for")),
    }
}
