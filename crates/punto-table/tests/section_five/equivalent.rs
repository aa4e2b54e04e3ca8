//! Changes of section 5 that mean nothing at a table, each with its reason.

use crate::mutant::Mutant;

/// A change that the reader lets through and no table can show.
pub(crate) struct Equivalent {
    pub(crate) kinds: &'static [&'static str],
    pub(crate) keys: &'static [&'static str],
    /// Which changes; every one where this is empty.
    pub(crate) changes: &'static [&'static str],
    pub(crate) why: &'static str,
}

pub(crate) const EQUIVALENT: &[Equivalent] = &[
    Equivalent {
        kinds: &[
            "over-differential",
            "under-minimum",
            "walk-away",
            "technical-interruption",
            "terminal-interruption",
            "late-bet",
        ],
        keys: &["decides", "discretion", "choice", "shoe"],
        changes: &[],
        why: "carried out at once and by the software: no matter is opened that somebody could rule",
    },
    Equivalent {
        kinds: &["late-discovery", "bet-placed-in-error"],
        keys: &["choice", "shoe"],
        changes: &[],
        why: "stands by the rules, in the same step in which it is reported",
    },
    Equivalent {
        kinds: &["shoe-exhausted"],
        keys: &["choice"],
        changes: &[],
        why: "void by the rules, and a void Round leaves nothing to choose",
    },
    Equivalent {
        kinds: &["shoe-exhausted"],
        keys: &["shoe"],
        changes: &["nothing → may-replace"],
        why: "whoever decides may replace, and here nobody does",
    },
    Equivalent {
        kinds: &["excess-or-exposed-card", "wrong-side"],
        keys: &["shoe"],
        changes: &["nothing → must-exchange"],
        why: "cards are exchanged after a void, and this one's void is that of wrong-number-of-cards",
    },
    Equivalent {
        kinds: &["face-up", "other-dealing-error", "wrong-result"],
        keys: &["shoe"],
        changes: &["nothing → must-exchange"],
        why: "cards are exchanged after a void, to which the remedy never leads",
    },
    Equivalent {
        kinds: &["simultaneous-draw"],
        keys: &["choice"],
        changes: &["always → unless-established-and-reconstructable"],
        why: "an order is ruled and nothing reconstructed, so the exception never applies",
    },
    Equivalent {
        kinds: &["wrong-result"],
        keys: &["remedy"],
        changes: &["adjust → ruling", "ruling → adjust"],
        why: "either way somebody adjusts what is owed for the earlier Round or lets it stand",
    },
];

impl Equivalent {
    pub(crate) fn covers(&self, mutant: &Mutant) -> bool {
        self.kinds.contains(&mutant.clause.as_str())
            && self.keys.contains(&mutant.key.as_str())
            && (self.changes.is_empty() || self.changes.contains(&mutant.change.as_str()))
    }
}
