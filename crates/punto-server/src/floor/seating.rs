//! Who sits at which box, where bets are placed at terminals: a terminal stands at a box (interpretation 39).

use std::collections::BTreeMap;

use punto_record::{BoxNo, Command, MoneyKind};
use punto_rules::PatronNo;
use punto_table::{Phase, Stage, State, Table};

/// What the house says next so that everybody is seated where their terminal stands; nothing while that is so, or while
/// somebody concerned has a bet in the Round.
pub(crate) fn next(table: &Table, at_boxes: &BTreeMap<BoxNo, PatronNo>) -> Option<Command> {
    let (state, law) = (table.state(), table.law()?);
    let settings = &law.settings;
    let is_open = match &state.phase {
        Phase::Closed => false,
        Phase::Between { .. } => true,
        Phase::Round(round) => !matches!(round.stage, Stage::Interrupted { .. }),
    };
    if !is_open || settings.money != MoneyKind::Credits {
        return None;
    }
    let boxes = settings.boxes.unwrap_or(0);
    at_boxes.iter().filter(|(box_no, _)| (1..=boxes).contains(&box_no.0)).find_map(|(box_no, patron)| {
        let (box_no, patron) = (*box_no, *patron);
        let seated = state.seats.get(&box_no).copied();
        if seated == Some(patron) || has_bet(state, patron) {
            return None;
        }
        let elsewhere = state.seats.iter().find(|(_, it)| **it == patron).map(|(box_no, _)| *box_no);
        match (seated, elsewhere) {
            (Some(other), _) => (!has_bet(state, other)).then_some(Command::LeaveSeat { box_no }),
            (None, Some(box_no)) => Some(Command::LeaveSeat { box_no }),
            (None, None) => Some(Command::TakeSeat { patron: Some(patron), box_no }),
        }
    })
}

fn has_bet(state: &State, patron: PatronNo) -> bool {
    state.round().is_some_and(|round| round.wagers.of(patron).next().is_some())
}
