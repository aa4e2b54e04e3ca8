//! Who signs what a transaction appends.

use ed25519_dalek::SigningKey;
use punto_record::{Chain, Commit, Digest, PublicKey};

use crate::part::Part;

/// The writer of a ledger, as far as its signature is concerned.
#[derive(Debug)]
pub(crate) struct Author<'a> {
    /// The name of the ledger.
    pub(crate) ledger: Digest,
    /// The fence that this writer holds.
    pub(crate) term: i64,
    pub(crate) key: &'a SigningKey,
}

impl Author<'_> {
    /// The signed text for these parts, in their order, after `size` entries.
    pub(crate) fn sign<'p>(&self, size: u64, parts: impl IntoIterator<Item = &'p Part<'p>>) -> Signed {
        let mut entries = Vec::new();
        for Part { volume, batch, .. } in parts {
            let chains = batch.entries.iter().map(|entry| Chain { seq: entry.seq, link: entry.chain });
            entries.extend(chains.map(|chain| ((*volume).clone(), chain)));
        }
        let size = size + entries.len() as u64;
        let commit = Commit { ledger: self.ledger, term: self.term.unsigned_abs(), size, entries };
        Signed { size, text: commit.sign(self.key).to_string() }
    }
}

/// A signed commit, as a store keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Signed {
    pub(crate) size: u64,
    pub(crate) text: String,
}

/// The text that is signed for a snapshot.
pub(crate) fn snapshot_text(ledger: Digest, snapshot: &crate::Snapshot, key: PublicKey) -> String {
    let crate::Snapshot { volume, chain, schema, .. } = snapshot;
    let digest = snapshot.digest();
    format!(
        "punto snapshot 1\nledger {ledger}\nvolume {volume}\nseq {}\nlink {}\nschema {schema}\ndigest {digest}\nkey {key}\n",
        chain.seq, chain.link
    )
}
