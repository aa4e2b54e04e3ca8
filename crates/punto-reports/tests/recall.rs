//! The last Rounds as a patron looks them up, in every scenario of `docs/scenarios`: the balances are those that the table
//! had, the lines those that it paid, and nobody sees another's money or a card that nobody turned.

#[path = "../../punto-table/tests/scripts/mod.rs"]
mod scripts;

use std::collections::BTreeMap;

use punto_record::{Entry, Event, MoneyKind, RoundNo, Seen, SettledLine};
use punto_reports::{Recall, RecalledStatus, Whose};
use punto_rules::{Money, PatronNo};
use punto_table::script::play;
use punto_table::{State, Table};
use scripts::{approved, scenarios};

/// What the table says of a Round, entry by entry.
#[derive(Debug, Default)]
struct Witnessed {
    before: BTreeMap<PatronNo, Money>,
    after: BTreeMap<PatronNo, Money>,
    lines: Vec<SettledLine>,
    void: bool,
}

fn credits(state: &State) -> BTreeMap<PatronNo, Money> {
    state.accounts.iter().map(|(patron, account)| (*patron, account.credits)).collect()
}

fn witnessed(entries: &[Entry]) -> (BTreeMap<RoundNo, Witnessed>, Table) {
    let mut table = Table::default();
    let mut rounds: BTreeMap<RoundNo, Witnessed> = BTreeMap::new();
    for entry in entries {
        let before = credits(table.state());
        table.enter(entry);
        for event in &entry.events {
            if let Event::BetsOpened { round, .. } = event {
                rounds.entry(*round).or_default().before = before.clone();
            }
            if let Event::RoundSettled { round, lines, .. }
            | Event::RoundCorrected { round, lines, .. }
            | Event::RoundAmended { round, lines, .. } = event
            {
                let seen = rounds.entry(*round).or_default();
                (seen.after, seen.lines) = (credits(table.state()), lines.clone());
            }
            if let Event::RoundVoided { round, .. } = event {
                let seen = rounds.entry(*round).or_default();
                (seen.after, seen.lines, seen.void) = (credits(table.state()), Vec::new(), true);
            }
        }
    }
    (rounds, table)
}

/// The patron's credits, where the table plays with them: on chips only what somebody owes is on an account.
fn balance(state: &State, patron: PatronNo) -> Option<Money> {
    let plays_credits = state.settings.as_ref().is_some_and(|it| it.money == MoneyKind::Credits);
    plays_credits.then(|| state.credits(patron))
}

#[test]
fn a_patron_finds_what_the_table_did() {
    let (mut found, mut voided, mut corrected) = (0, 0, 0);
    for scenario in scenarios() {
        let name = &scenario.name;
        let played = play(&scenario.script, approved).unwrap_or_else(|fault| panic!("{fault}"));
        let (rounds, table) = witnessed(&played.entries);
        let state = table.state();
        for patron in state.accounts.keys().copied() {
            let mut recall = Recall::new(Whose::Patron(patron), 50);
            played.entries.iter().for_each(|entry| recall.enter(entry));
            let recalled = recall.finish(balance(state, patron));
            assert!(recalled.windows(2).all(|two| two[0].round > two[1].round), "{name}: the latest first");
            for it in recalled {
                let seen = &rounds[&it.round];
                let own = |lines: &[SettledLine]| {
                    lines.iter().filter(|line| line.patron == patron).cloned().collect::<Vec<_>>()
                };
                assert_eq!(it.lines, own(&seen.lines), "{name}, Round {}", it.round);
                assert!(
                    it.wagers.iter().all(|wager| wager.patron == patron),
                    "{name}: somebody else's money"
                );
                let is_void = matches!(it.status, RecalledStatus::Void | RecalledStatus::Undone);
                assert_eq!(
                    (is_void, it.void.is_some()),
                    (seen.void, seen.void),
                    "{name}, Round {}",
                    it.round
                );
                if balance(state, patron).is_some() {
                    let of =
                        |all: &BTreeMap<PatronNo, Money>| all.get(&patron).copied().or(Some(Money::ZERO));
                    assert_eq!(it.before, of(&seen.before), "{name}, Round {} before", it.round);
                    assert_eq!(it.after, of(&seen.after), "{name}, Round {} after", it.round);
                } else {
                    assert_eq!((it.before, it.after), (None, None));
                }
                found += 1;
                voided += usize::from(is_void);
                corrected += usize::from(it.status == RecalledStatus::Corrected);
            }
        }
    }
    assert!(
        found > 200 && voided > 20 && corrected > 2,
        "{found} Rounds, {voided} void, {corrected} corrected"
    );
}

#[test]
fn the_end_of_a_record_is_enough() {
    for scenario in scenarios() {
        let played = play(&scenario.script, approved).unwrap_or_else(|fault| panic!("{fault}"));
        let (_, table) = witnessed(&played.entries);
        for patron in table.state().accounts.keys().copied() {
            let recalled = |entries: &[Entry], most| {
                let mut recall = Recall::new(Whose::Patron(patron), most);
                entries.iter().for_each(|entry| recall.enter(entry));
                (recall.len(), recall.finish(balance(table.state(), patron)))
            };
            let (_, all) = recalled(&played.entries, 50);
            for from in 0..played.entries.len() {
                let (len, some) = recalled(&played.entries[from..], 50);
                assert_eq!(len, some.len());
                // A Round whose beginning was not read is not there; those that are, are whole.
                assert_eq!(some, all[..some.len()], "{} from {from}", scenario.name);
            }
            let (_, last) = recalled(&played.entries, 1);
            assert_eq!(last, all[..all.len().min(1)]);
        }
    }
}

#[test]
fn cards_that_nobody_turned_stay_face_down() {
    let mut hidden = 0;
    for scenario in scenarios() {
        let played = play(&scenario.script, approved).unwrap_or_else(|fault| panic!("{fault}"));
        let read = |whose| {
            let mut recall = Recall::new(whose, 50);
            played.entries.iter().for_each(|entry| recall.enter(entry));
            recall.finish(None)
        };
        for (board, staff) in read(Whose::Nobody).into_iter().zip(read(Whose::Everybody)) {
            assert!(board.wagers.is_empty() && board.lines.is_empty(), "{}: nobody's money", scenario.name);
            assert_eq!(board.cards.len(), staff.cards.len());
            let covered = |cards: &[punto_reports::RecalledCard]| {
                cards.iter().filter(|it| it.card == Seen::Covered).count()
            };
            assert_eq!(covered(&staff.cards), 0, "{}: staff see what they dealt", scenario.name);
            if board.result.is_some() {
                assert_eq!(board.cards, staff.cards, "{}", scenario.name);
            }
            hidden += covered(&board.cards);
        }
    }
    assert!(hidden > 0, "no scenario voids a Round with cards face down");
}
