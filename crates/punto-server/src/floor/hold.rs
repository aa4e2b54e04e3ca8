//! Why no table of the house opens a further Round. Rounds in play go on to their end. While the history itself is in doubt,
//! nothing is paid out either.
//!
//! It holds for every table at once and is no part of any table's record: whoever sets a hold writes the deed that
//! explains it. A hold ends with the process unless its cause is found again at the next start.

use std::collections::BTreeSet;

use punto_record::CommandKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::sync::watch;

/// Why the house opens no further Round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Hold {
    /// No witness has confirmed that this ledger goes on from what it signed before, and no two people have opened without.
    HistoryUnwitnessed,
    /// A witness keeps a history that this ledger does not go on from.
    HistoryContested,
    /// The register of people and devices is not as the deeds say.
    RegisterTampered,
}

impl Hold {
    /// All causes.
    pub const ALL: [Hold; 3] = [Hold::HistoryUnwitnessed, Hold::HistoryContested, Hold::RegisterTampered];

    /// Its word, as in JSON.
    pub const fn id(self) -> &'static str {
        match self {
            Hold::HistoryUnwitnessed => "history-unwitnessed",
            Hold::HistoryContested => "history-contested",
            Hold::RegisterTampered => "register-tampered",
        }
    }

    /// Whether this ledger may not be the latest history: then what it calls owed may have been paid already.
    pub const fn doubts_history(self) -> bool {
        match self {
            Hold::HistoryUnwitnessed | Hold::HistoryContested => true,
            Hold::RegisterTampered => false,
        }
    }
}

/// Whether an order pays out, or makes credits of, what only the record says is owed.
pub(crate) const fn pays_out(kind: CommandKind) -> bool {
    matches!(
        kind,
        CommandKind::CashOut
            | CommandKind::RedeemTicket
            | CommandKind::PayUnclaimed
            | CommandKind::DecideHeld
            | CommandKind::SettleCase
    )
}

/// The causes in force. An order to open bets is checked against them right before its table decides it.
#[derive(Debug, Default)]
pub(crate) struct Holds(watch::Sender<BTreeSet<Hold>>);

impl Holds {
    /// Whether it was not in force before.
    pub(crate) fn set(&self, hold: Hold) -> bool {
        self.0.send_if_modified(|holds| holds.insert(hold))
    }

    /// Whether it was in force before. Others stay.
    pub(crate) fn lift(&self, hold: Hold) -> bool {
        self.0.send_if_modified(|holds| holds.remove(&hold))
    }

    pub(crate) fn any(&self) -> bool {
        !self.0.borrow().is_empty()
    }

    pub(crate) fn doubt_history(&self) -> bool {
        self.0.borrow().iter().any(|hold| hold.doubts_history())
    }

    pub(crate) fn all(&self) -> BTreeSet<Hold> {
        self.0.borrow().clone()
    }
}
