//! The limits in force at a table (live 3.4 and 5.1; electronic 3.4), checked when the table is opened.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Money;

/// What the operator asks for. Everything may be left out where nothing is policed, as on the command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LimitsAsked {
    /// The chip unit; by default the smallest that pays every bet of the layout exactly.
    pub unit: Option<Money>,
    /// Minimum and Differential of a betting box. Live games only.
    pub betting_box: Option<BoxLimits>,
    /// Minimum and maximum by bet: side bets of a live game, every bet of an electronic one.
    pub bets: BTreeMap<String, Range>,
}

/// The limits of a betting box (5.1, 5.2).
// INTERPRETATION 11: the Differential is per betting box and of Player and Banker bets only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BoxLimits {
    /// The least a patron may have on Player or on Banker in a box.
    pub minimum: Money,
    /// The most by which one side of a box may outweigh the other.
    pub differential: Money,
}

/// The least and the most of one bet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Range {
    pub minimum: Money,
    pub maximum: Money,
}

/// Which kind of limits a rule book has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitsModel {
    /// A minimum, and a Differential per betting box; side bets by range.
    Differential,
    /// A minimum and a maximum for each bet.
    PerBet,
}

impl LimitsModel {
    pub(crate) const ALL: [LimitsModel; 2] = [LimitsModel::Differential, LimitsModel::PerBet];

    /// The word in a rule book.
    pub const fn id(self) -> &'static str {
        match self {
            LimitsModel::Differential => "differential",
            LimitsModel::PerBet => "per-bet",
        }
    }
}
