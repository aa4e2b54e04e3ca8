//! What only shows when the bets are compiled: rows that never match, bets that never win, Ties that keep the stake.

use super::fault::FaultKind;
use super::pay_table::BetDraft;
use super::reader::Faults;
use crate::bet::{Bet, VerdictTable};
use crate::class::{ClassSpace, MOST_CLASSES, MOST_COUNTERS};
use crate::fact::Fact;
use crate::{Verdict, Winner};

/// The classes that these bets tell apart; a fault that names the rows to blame if there are too many.
pub(super) fn classes(drafts: &[BetDraft], faults: &Faults) -> Option<ClassSpace> {
    let rows = || drafts.iter().flat_map(|draft| &draft.rows);
    match ClassSpace::of(rows().flat_map(|(row, _)| &row.when)) {
        Ok(space) => Some(space),
        Err(too_many) => {
            let counts = |fact: &Fact| matches!(fact, Fact::Count(..));
            let blamed: Vec<String> = drafts
                .iter()
                .flat_map(|draft| {
                    let rows = draft.rows.iter().enumerate();
                    rows.filter(|(_, (row, _))| row.when.iter().any(counts))
                        .map(|(no, _)| format!("`{}` row {}", draft.id, no + 1))
                })
                .collect();
            let first = rows().find(|(row, _)| row.when.iter().any(counts));
            let span = first.map(|(_, span)| span.clone()).expect("only counts make classes this many");
            let message = format!(
                "rows that count cards tell {} outcomes apart, more than {MOST_CLASSES}: {}",
                too_many.classes,
                blamed.join(", ")
            );
            let hint =
                format!("count at most {MOST_COUNTERS} sets of cards, and up to the number that matters");
            faults.add(FaultKind::TooManyClasses, span, message, hint);
            None
        }
    }
}

/// Compiles a bet and checks its pay table over every class that can happen.
pub(super) fn compile(draft: BetDraft, space: &ClassSpace, faults: &Faults) -> Bet {
    let (rows, spans): (Vec<_>, Vec<_>) = draft.rows.into_iter().unzip();
    let table = VerdictTable::compile(&rows, space);
    let BetDraft { id, variant, span, label, cite, original, .. } = draft;
    let bet = Bet { id, variant, label, cite, original, rows, table };

    let mut first_matches = vec![false; bet.rows.len()];
    let mut wins = false;
    let (mut tie_kept, mut pays_against) = (false, false);
    for class in space.possible().iter() {
        if let Some(row) = bet.row_no_for(class) {
            first_matches[row] = true;
        }
        let verdict = bet.verdict(class);
        wins |= matches!(verdict, Verdict::Won(_));
        if let Some(side) = bet.original {
            let winner = space.facts(class).winner();
            tie_kept |= winner == Winner::Tie && verdict != Verdict::Returned;
            pays_against |= winner.side() == Some(side.other()) && verdict != Verdict::Lost;
        }
    }

    for (no, row) in bet.rows.iter().enumerate().filter(|(no, _)| !first_matches[*no]) {
        let can_match = space.possible().iter().any(|class| row.matches(&space.facts(class)));
        let (kind, message, hint) = if can_match {
            let message =
                format!("`{}` row {} is never reached: earlier rows always match first", bet.id, no + 1);
            (FaultKind::ShadowedRow, message, "put the narrower row first, or drop this one")
        } else {
            let message = format!("`{}` row {} matches no Round that can happen: {row}", bet.id, no + 1);
            (FaultKind::ImpossibleRow, message, "its conditions contradict each other or the Table of Play")
        };
        faults.add(kind, spans[no].clone(), message, hint.to_string());
    }
    let says = |kind, message: &str, hint: &str| {
        faults.add(kind, span.clone(), format!("`{}` {message}", bet.id), hint.to_string());
    };
    if !wins {
        says(FaultKind::NeverWins, "can never win", "no Round that can happen matches a row with odds");
    }
    if tie_kept {
        let hint = "begin its pay table with `{ winner = \"tie\", returned = true }`";
        says(FaultKind::TieNotReturned, "is an Original Bet but does not come back on every Tie", hint);
    }
    if pays_against {
        let hint = "an Original Bet loses when the other Hand wins; check `original` and `winner`";
        says(FaultKind::PaysAgainstItsHand, "does not lose when the other Hand wins", hint);
    }
    bet
}
