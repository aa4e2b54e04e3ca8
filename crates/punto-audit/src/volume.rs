//! One volume's chain: numbers, links, bytes, time, and the orders of each device.

use std::collections::HashMap;

use punto_record::{Chain, Digest, OrderId, Sealed, Seq, Timestamp};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::finding::{FindingKind, Findings};

/// Where a volume stands.
#[derive(Clone, Debug)]
pub(crate) struct Head {
    pub(crate) chain: Chain,
    now: Timestamp,
    devices: HashMap<punto_record::DeviceId, u64>,
}

impl Head {
    pub(crate) fn at(chain: Chain) -> Head {
        Head { chain, now: Timestamp(0), devices: HashMap::new() }
    }

    /// The number and the link of the next entry. After a difference the audit goes on with what is stored.
    pub(crate) fn link(&mut self, stored: &Sealed, out: &mut Findings) {
        let next = Seq(self.chain.seq.0.saturating_add(1));
        if stored.seq != next {
            out.say(FindingKind::EntryNumber, format!("entry {next} should stand here, not {}", stored.seq));
        }
        // Counting on from what is stored says a gap once.
        let before = Chain { seq: Seq(0), link: self.chain.link };
        if before.after(&stored.bytes).link != stored.chain {
            let words = "the link is not the digest of the link before and the bytes";
            out.say(FindingKind::BrokenLink, words);
        }
        self.chain = Chain { seq: stored.seq, link: stored.chain };
    }

    /// Reads the bytes, once.
    pub(crate) fn read<T: DeserializeOwned + Serialize>(
        &self,
        stored: &Sealed,
        scratch: &mut Vec<u8>,
        out: &mut Findings,
    ) -> Option<T> {
        let entry: T = match serde_json::from_slice(&stored.bytes) {
            Ok(entry) => entry,
            Err(error) => {
                out.say(FindingKind::UnreadableEntry, format!("the bytes are no entry: {error}"));
                return None;
            }
        };
        scratch.clear();
        let written = serde_json::to_writer(&mut *scratch, &entry).is_ok();
        let same = written && *scratch == stored.bytes;
        out.hold(same, FindingKind::OtherBytes, "the entry is not written as entries are written");
        Some(entry)
    }

    /// Recorded time never runs backwards, and a device's numbers rise.
    pub(crate) fn order(&mut self, seq: Seq, id: &OrderId, at: Timestamp, out: &mut Findings) {
        if seq != self.chain.seq {
            let words = format!("the entry calls itself {seq} and is stored as {}", self.chain.seq);
            out.say(FindingKind::OwnNumber, words);
        }
        out.hold(at >= self.now, FindingKind::TimeRunsBack, "it is older than the entry before");
        self.now = self.now.max(at);
        match self.devices.get_mut(&id.device) {
            Some(last) if id.n > *last => *last = id.n,
            Some(last) => {
                let words = format!("order {} of {} after its order {last}", id.n, id.device);
                out.say(FindingKind::OrderNumber, words);
            }
            None => {
                self.devices.insert(id.device.clone(), id.n);
            }
        }
    }
}

/// The link before the first entry.
pub(crate) const START: Chain = Chain { seq: Seq(0), link: Digest([0; 32]) };
