//! Approvals of rule books, as the house has recorded them (interpretation 33). The register does not give approvals: it
//! says which authority approved which document for which operator, and which text was compared with it.

use crate::{Anchor, Deed, Digest, HouseEntry, Timestamp};

/// An approval, as recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approval {
    /// The deed that records it.
    pub deed: Anchor,
    /// The digest of the rule book's text.
    pub digest: Digest,
    /// From when it is in force.
    pub in_force: Timestamp,
    /// Until when, if it was withdrawn. A Round that commenced before ends under it.
    pub withdrawn: Option<Timestamp>,
    /// Whether it expressly allows cards of software (interpretation 48).
    pub software_cards: bool,
}

impl Approval {
    /// Whether it is in force at that moment.
    pub fn is_in_force(&self, at: Timestamp) -> bool {
        self.in_force <= at && self.withdrawn.is_none_or(|withdrawn| at <= withdrawn)
    }
}

/// All approvals that a house has recorded, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Approvals {
    recorded: Vec<Approval>,
    /// Texts whose withdrawal is being written down.
    withheld: Vec<Digest>,
}

impl Approvals {
    /// Takes an entry of the house's volume and its link.
    pub fn enter(&mut self, entry: &HouseEntry, link: Digest) {
        if let Deed::RulesApproved { digest, in_force, software_cards, .. } = &entry.deed {
            let deed = Anchor { seq: entry.seq, link };
            let (digest, in_force, software_cards) = (*digest, in_force.at(), *software_cards);
            self.recorded.push(Approval { deed, digest, in_force, withdrawn: None, software_cards });
        }
        if let Deed::RulesWithdrawn { digest, at, .. } = &entry.deed {
            // What is learned late binds from when it is recorded: a Round is judged by what was known when it opened.
            let from = at.at().max(entry.at);
            for approval in self.recorded.iter_mut().filter(|it| it.digest == *digest) {
                approval.withdrawn = Some(approval.withdrawn.map_or(from, |before| before.min(from)));
            }
        }
    }

    /// What is known about a text at that moment: the approval in force, or else the last one recorded.
    pub fn of(&self, digest: Digest, at: Timestamp) -> Option<&Approval> {
        self.on_record(digest, at).filter(|_| !self.withheld.contains(&digest))
    }

    /// The same by what is written down alone: nobody relies on a withdrawal before it is.
    pub fn on_record(&self, digest: Digest, at: Timestamp) -> Option<&Approval> {
        let mut of_it = self.recorded.iter().rev().filter(|it| it.digest == digest);
        let last = of_it.clone().next();
        of_it.find(|it| it.is_in_force(at)).or(last)
    }

    /// All of them, oldest first, but those that are being withdrawn.
    pub fn iter(&self) -> impl Iterator<Item = &Approval> {
        self.recorded.iter().filter(|it| !self.withheld.contains(&it.digest))
    }

    /// Every approval of a text ends now, before that can be read in the record.
    pub fn withhold(&mut self, digest: Digest) {
        self.withheld.push(digest);
    }
}
