//! The volumes of a ledger: one for each table, and one for the house.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::TableId;

/// Whose record it is. As text `house` or `table/T1`: in stores, checkpoints, exports and proofs, always exactly as it was
/// written, because links and signatures are over it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(extend("pattern" = "^(house|table/[A-Za-z0-9-]{1,40})$"))
)]
#[serde(into = "String", try_from = "String")]
pub enum Volume {
    /// What concerns no single table: the founding of the ledger, keys, tickets at the cage.
    House,
    /// A table's.
    Table(TableId),
}

/// Text that names no volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a volume is `house` or `table/…`")]
pub struct VolumeError;

impl fmt::Display for Volume {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Volume::House => f.write_str("house"),
            Volume::Table(table) => write!(f, "table/{}", table.as_str()),
        }
    }
}

impl FromStr for Volume {
    type Err = VolumeError;

    /// Reads what was written. The first release let a script name its table by anything, and all that has no white space
    /// in it can be read back; what is begun anew has a [`TableId`] that is fit.
    fn from_str(text: &str) -> Result<Volume, VolumeError> {
        match text.strip_prefix("table/") {
            Some(table) if !table.is_empty() && !table.contains(char::is_whitespace) => {
                Ok(Volume::Table(TableId::as_recorded(table)))
            }
            None if text == "house" => Ok(Volume::House),
            Some(_) | None => Err(VolumeError),
        }
    }
}

impl From<Volume> for String {
    fn from(volume: Volume) -> String {
        volume.to_string()
    }
}

impl TryFrom<String> for Volume {
    type Error = VolumeError;

    fn try_from(text: String) -> Result<Volume, VolumeError> {
        text.parse()
    }
}
