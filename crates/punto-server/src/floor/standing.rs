//! How a table stands, in a few words: for the pit, for the list of tables, for metrics.

use punto_record::{RoundNo, Seq};
use punto_table::{PhaseWord, Table};
use schemars::JsonSchema;
use serde::Serialize;

use crate::wire::Status;

/// How a table stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Standing {
    /// The last entry.
    pub seq: Seq,
    /// The game, by its id; none before the table was first opened.
    pub game: Option<String>,
    /// The layout.
    pub layout: Option<String>,
    /// The phase.
    pub phase: PhaseWord,
    /// The Round in play, or the last one.
    pub round: RoundNo,
    /// Cards left in the shoe, where that is known.
    pub cards_left: Option<u16>,
    /// Matters that wait for a ruling.
    pub matters: usize,
    /// What the House won, in minor units.
    pub won: i64,
    /// Screens that look at it.
    pub screens: usize,
    /// How its software does.
    pub status: Status,
}

impl Standing {
    pub(crate) fn of(table: &Table, status: &Status, screens: usize) -> Standing {
        let state = table.state();
        let settings = state.settings.as_deref();
        let held = state.round().map_or(0, |round| round.matters().len());
        Standing {
            seq: state.seq,
            game: settings.map(|settings| settings.game.clone()),
            layout: settings.map(|settings| settings.layout.clone()),
            phase: table.phase_word(),
            round: state.rounds,
            cards_left: state.shoe.as_ref().map(|shoe| shoe.left()),
            matters: held + state.matters.len(),
            won: i64::try_from(state.books.house).unwrap_or(i64::MAX),
            screens,
            status: status.clone(),
        }
    }
}
