//! What only shows when the bets are compiled: rows that never match, bets that never win, Ties that keep the stake.

use super::fault::FaultKind;
use super::pay_table::BetDraft;
use super::reader::Faults;
use crate::bet::{Bet, Row, VerdictTable};
use crate::class::{ClassSpace, MOST_CLASSES, MOST_COUNTERS, TooMany};
use crate::fact::Fact;
use crate::{Verdict, Winner};

/// The classes that these bets tell apart; a fault that names the rows to blame if there are too many.
pub(super) fn classes(drafts: &[BetDraft], faults: &Faults) -> Option<ClassSpace> {
    let rows = || drafts.iter().flat_map(|draft| draft.rows.iter().zip(&draft.row_spans));
    match ClassSpace::of(rows().flat_map(|(row, _)| &row.when)) {
        Ok(space) => Some(space),
        Err(too_many) => {
            let counts = |fact: &Fact| matches!(fact, Fact::Count(..));
            let blamed: Vec<String> = drafts
                .iter()
                .flat_map(|draft| {
                    let rows = draft.rows.iter().enumerate();
                    rows.filter(|(_, row)| row.when.iter().any(counts))
                        .map(|(no, _)| format!("`{}` row {}", draft.name(), no + 1))
                })
                .collect();
            let first = rows().find(|(row, _)| row.when.iter().any(counts));
            let span = first.map(|(_, span)| span.clone()).expect("only counts make classes this many");
            let message = match too_many {
                TooMany::Classes(classes) => format!("rows that count cards tell {classes} outcomes apart"),
                TooMany::Counters(counters) => format!("rows count {counters} different sets of cards"),
            };
            let message = format!("{message}: {}", blamed.join(", "));
            let hint = format!(
                "at most {MOST_CLASSES} outcomes and {MOST_COUNTERS} sets of cards; count only up to the number that matters"
            );
            faults.add(FaultKind::TooManyClasses, span, message, hint);
            None
        }
    }
}

/// What a pay table does over the classes that can happen.
#[derive(Clone)]
struct Behaviour {
    first_matches: Vec<bool>,
    tie_kept: bool,
    pays_against: bool,
}

/// Compiles the bets and checks their pay tables over every class that can happen. A bet with a fault is left out.
pub(super) fn compile(drafts: Vec<BetDraft>, space: &ClassSpace, faults: &Faults) -> Vec<Bet> {
    let (drafts, rows): (Vec<_>, Vec<_>) = drafts.into_iter().map(BetDraft::split).unzip();
    let pay_tables: Vec<&[Row]> = rows.iter().map(Vec::as_slice).collect();
    let tables = VerdictTable::compile(&pay_tables, space);
    let behaviours = behaviours(&drafts, &pay_tables, &tables, space);
    let bets = drafts.into_iter().zip(rows).zip(tables).zip(behaviours);
    bets.filter_map(|(((draft, rows), table), behaviour)| {
        check_rows(&draft, &rows, &behaviour, space, faults);
        let says = |kind, message: &str, hint: &str| {
            faults.add(kind, draft.span.clone(), format!("`{}` {message}", draft.name()), hint.to_string());
        };
        if behaviour.tie_kept {
            let hint = "begin its pay table with `{ winner = \"tie\", returned = true }`";
            says(FaultKind::TieNotReturned, "is an Original Bet but does not come back on every Tie", hint);
        }
        if behaviour.pays_against {
            let hint = "an Original Bet loses when the other Hand wins; check `original` and `winner`";
            says(FaultKind::PaysAgainstItsHand, "does not lose when the other Hand wins", hint);
        }
        let winning = rows.iter().zip(&behaviour.first_matches).filter(|(_, matches)| **matches);
        let most_gross = winning.filter_map(|(row, _)| row.gross()).max_by(|a, b| a.more(*b));
        if most_gross.is_none() {
            says(FaultKind::NeverWins, "can never win", "no Round that can happen matches a row with odds");
        }
        let BetDraft { id, variant, label, cite, original, .. } = draft;
        Some(Bet { id, variant, label, cite, original, rows, most_gross: most_gross?, table })
    })
    .collect()
}

fn behaviours(
    drafts: &[BetDraft],
    pay_tables: &[&[Row]],
    tables: &[VerdictTable],
    space: &ClassSpace,
) -> Vec<Behaviour> {
    let begin = |rows: &&[Row]| Behaviour {
        first_matches: vec![false; rows.len()],
        tie_kept: false,
        pays_against: false,
    };
    let mut behaviours: Vec<Behaviour> = pay_tables.iter().map(begin).collect();
    for class in space.possible().iter() {
        let winner = space.facts(class).winner();
        for (((draft, rows), table), behaviour) in
            drafts.iter().zip(pay_tables).zip(tables).zip(&mut behaviours)
        {
            let row = table.row_no(class);
            if let Some(row) = row {
                behaviour.first_matches[row] = true;
            }
            if let Some(side) = draft.original {
                let verdict = row.map_or(Verdict::Lost, |row| rows[row].verdict());
                behaviour.tie_kept |= winner == Winner::Tie && verdict != Verdict::Returned;
                behaviour.pays_against |= winner.side() == Some(side.other()) && verdict != Verdict::Lost;
            }
        }
    }
    behaviours
}

/// Reports the rows that never decide.
fn check_rows(draft: &BetDraft, rows: &[Row], behaviour: &Behaviour, space: &ClassSpace, faults: &Faults) {
    let idle: Vec<usize> = (0..rows.len()).filter(|&no| !behaviour.first_matches[no]).collect();
    // One walk over the classes for all of them; most rows that match at all are found at once.
    let mut impossible = idle.clone();
    for class in space.possible().iter().take_while(|_| !idle.is_empty()) {
        let facts = space.facts(class);
        impossible.retain(|&no| !rows[no].matches(&facts));
        if impossible.is_empty() {
            break;
        }
    }
    for no in idle {
        let (name, row_no) = (draft.name(), no + 1);
        let (kind, message, hint) = if impossible.contains(&no) {
            let message = format!("`{name}` row {row_no} matches no Round that can happen: {}", rows[no]);
            (FaultKind::ImpossibleRow, message, "its conditions contradict each other or the Table of Play")
        } else {
            let message = format!("`{name}` row {row_no} is never reached: earlier rows always match first");
            (FaultKind::ShadowedRow, message, "put the narrower row first, or drop this one")
        };
        faults.add(kind, draft.row_spans[no].clone(), message, hint.to_string());
    }
}
