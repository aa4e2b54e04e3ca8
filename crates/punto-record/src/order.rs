//! An order: who wants what, when, in which Round.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{Actor, Command, DeviceId, Digest, RoundNo, TableId, Timestamp, digest};

/// Names an order for ever. A device counts upwards; the same id with the same order is answered as it was the first
/// time and never carried out again.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct OrderId {
    pub device: DeviceId,
    pub n: u64,
}

/// What somebody wants of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Order {
    /// Its name.
    pub id: OrderId,
    /// Who.
    pub by: Actor,
    /// When it reached the table. In the record, time never runs backwards.
    pub at: Timestamp,
    /// The Round it means. A wager must name it, so that a late retry can never land in the next one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round: Option<RoundNo>,
    /// What.
    pub command: Command,
}

impl Order {
    /// What somebody signs who answers for it at this table: who gives it, in which Round, and all that it says, the second
    /// person included. Its id and its time are left out: a retry is the same order.
    pub fn signed_at(&self, table: &TableId) -> Digest {
        let said = ("punto order", table, &self.by, self.round, &self.command);
        digest(&serde_json::to_vec(&said).expect("an order is always JSON"))
    }
}

/// The release of the software that decided an entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Release(pub Arc<str>);

impl Release {
    /// Whether this is the first release, 0.1. It followed interpretations 1 to 30 only, and the record keeps what it did:
    /// an audit judges its entries by those.
    pub fn is_first(&self) -> bool {
        self.0.trim_start_matches("punto ").starts_with("0.1.")
    }
}
