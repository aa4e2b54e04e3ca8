//! The second factor of a member of staff, as far as it is recorded. Neither a seed nor a code is in any record.

use serde::{Deserialize, Serialize};

/// What somebody showed beside their password.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum FactorShown {
    /// A code from their app. Each is good once: it is known by its step, the number of half minutes since 1970 by the clock
    /// of the system.
    Code {
        /// See above.
        step: u64,
    },
    /// A recovery code.
    RecoveryCode,
}

impl FactorShown {
    /// The step of a code from an app.
    pub const fn step(self) -> Option<u64> {
        match self {
            FactorShown::Code { step } => Some(step),
            FactorShown::RecoveryCode => None,
        }
    }
}
