//! By which deeds a member of staff acts: places in the record that anybody can look up.

use serde::{Deserialize, Serialize};

use crate::{Chain, Digest, Seq};

/// The place of an entry: its number in its volume, and its link in the chain, which no other entry has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Anchor {
    pub seq: Seq,
    pub link: Digest,
}

impl From<Chain> for Anchor {
    fn from(Chain { seq, link }: Chain) -> Anchor {
        Anchor { seq, link }
    }
}

/// By which deeds one person acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Mandate {
    /// The deed in the house's volume that gave them the role that they have.
    pub role: Anchor,
    /// The entry of the table's own volume by which they took a post there, if they hold one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub post: Option<Anchor>,
}

/// By which deeds the giver of an order, and the second person that it names, act.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Mandates {
    pub by: Mandate,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second: Option<Mandate>,
}
