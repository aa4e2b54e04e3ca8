//! What the house's own volume said before the entry being looked at: what the ledger is, and which texts were approved.

use punto_record::{Anchor, Deed, Digest, HouseEntry, LedgerKind, Timestamp};

/// A rule book's approval, as recorded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ApprovedPast {
    pub(crate) deed: Anchor,
    pub(crate) text: Digest,
    from: Timestamp,
    until: Option<Timestamp>,
    pub(crate) software_cards: bool,
}

/// What the record of the house said so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct HousePast {
    kind: Option<LedgerKind>,
    approved: Vec<ApprovedPast>,
}

impl HousePast {
    /// Whether there is real money behind the ledger.
    pub(crate) fn is_house(&self) -> bool {
        self.kind.is_some_and(LedgerKind::is_house)
    }

    /// Whether it is known that there is none.
    pub(crate) fn is_no_house(&self) -> bool {
        self.kind.is_some_and(|kind| !kind.is_house())
    }

    /// The approval that an event cites.
    pub(crate) fn cited(&self, deed: Option<Anchor>) -> Option<&ApprovedPast> {
        self.approved.iter().find(|it| Some(it.deed) == deed)
    }

    /// The approval of a text that was in force then: the latest, where there are several.
    pub(crate) fn in_force(&self, text: Digest, at: Timestamp) -> Option<&ApprovedPast> {
        self.approved.iter().rev().find(|it| it.text == text && it.covers(at))
    }

    /// Takes an entry of the house's volume and its link.
    #[allow(clippy::wildcard_enum_match_arm)] // A fold of a few facts; what it does not name changes none of them.
    pub(crate) fn enter(&mut self, entry: &HouseEntry, link: Digest) {
        match &entry.deed {
            Deed::LedgerFounded { kind, .. } => {
                self.kind.get_or_insert(*kind);
            }
            Deed::RulesApproved { digest, in_force, software_cards, .. } => {
                self.approved.push(ApprovedPast {
                    deed: Anchor { seq: entry.seq, link },
                    text: *digest,
                    from: in_force.at(),
                    until: None,
                    software_cards: *software_cards,
                })
            }
            Deed::RulesWithdrawn { digest, at, .. } => {
                let end = if at.at() < entry.at { entry.at } else { at.at() };
                for it in &mut self.approved {
                    if it.text == *digest && it.until.is_none_or(|until| until > end) {
                        it.until = Some(end);
                    }
                }
            }
            _ => {}
        }
    }
}

impl ApprovedPast {
    /// Whether it was in force then.
    pub(crate) fn covers(&self, at: Timestamp) -> bool {
        at >= self.from && self.until.is_none_or(|until| at <= until)
    }
}
