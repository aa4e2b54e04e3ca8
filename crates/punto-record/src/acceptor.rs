//! Money at a terminal: what goes wrong with a note or a ticket, and how it is put right (interpretation 41).

use std::sync::Arc;

use punto_rules::Money;
use serde::{Deserialize, Serialize};

use crate::{DeviceId, TicketNo};

/// What happened to a note or a ticket at a terminal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "case", rename_all = "kebab-case", deny_unknown_fields)]
#[allow(missing_docs)]
pub enum CaseReport {
    /// A note is in the acceptor and was not credited.
    NoteNotCredited {
        acceptor: DeviceId,
        /// Its value, where the acceptor read it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        amount: Option<Money>,
        words: Arc<str>,
    },
    /// A ticket was printed and not taken.
    TicketNotTaken { ticket: TicketNo },
}

/// What two people decided about a payout that was held (interpretation 51).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum HeldOutcome {
    /// It is the person's: kept for them, and paid at the cage.
    Released,
    /// It goes where the law of the house says; never to the House's win.
    Forfeited,
}

impl HeldOutcome {
    /// Its word.
    pub const fn id(self) -> &'static str {
        match self {
            HeldOutcome::Released => "released",
            HeldOutcome::Forfeited => "forfeited",
        }
    }
}

/// How a case ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "outcome", rename_all = "kebab-case", deny_unknown_fields)]
#[allow(missing_docs)]
pub enum CaseOutcome {
    /// The note is in the box: its value was added to the credits.
    Credited { amount: Money },
    /// The note is in the box: its value was paid by hand at the cage.
    Paid { amount: Money },
    /// The note or the ticket itself was handed to the patron.
    HandedOver {},
    /// Nothing was found, or nobody was there; a ticket stays good.
    Nothing {},
}
