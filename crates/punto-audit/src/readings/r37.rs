//! Interpretation 37: money after the fact is computed from the wagers of its Round, never typed, and where the earlier
//! Round stands (5.6) there is none.

use std::collections::BTreeMap;

use punto_record::{Command, Entry, Event, Owed, RoundNo, Ruling, SettledLine};
use punto_rules::{
    Card, LimitsAsked, Outcome, PatronNo, Post, Rulebook, Step, Terms, Wager, reconstruct, settle,
};

use super::past::Past;
use crate::finding::Findings;

const NO: u8 = 37;
/// The game whose document lets every earlier Round stand.
const STANDS: &str = "wu-song";
/// Rounds that are remembered; a table looks back no further.
const ROUNDS: usize = 256;

/// A Round that is over.
#[derive(Clone, Debug)]
struct Over {
    lines: Vec<SettledLine>,
    paid: BTreeMap<PatronNo, i128>,
}

/// The Rounds that are over.
#[derive(Clone, Debug, Default)]
pub(super) struct Check {
    over: BTreeMap<RoundNo, Over>,
}

impl Check {
    #[allow(clippy::wildcard_enum_match_arm)] // What it does not name settles no Round and moves no money of one.
    pub(super) fn entry(&mut self, past: &Past, entry: &Entry, out: &mut Findings) {
        if let Command::Rule { ruling: Ruling::Adjust { adjustments, .. }, .. } = &entry.order.command {
            out.interpreted(NO, adjustments.is_empty(), "amounts of an adjustment were typed");
        }
        for event in &entry.events {
            match event {
                Event::RoundSettled { round, lines, .. }
                | Event::RoundCorrected { round, lines, .. }
                | Event::RoundAmended { round, lines, .. } => {
                    self.over.insert(*round, Over { lines: lines.clone(), paid: paid(lines) });
                    while self.over.len() > ROUNDS {
                        self.over.pop_first();
                    }
                }
                Event::RoundVoided { round, .. } => {
                    self.over.remove(round);
                }
                Event::Adjusted { round, adjustments, cards, .. } => {
                    let mut moved: BTreeMap<PatronNo, i128> = BTreeMap::new();
                    for it in adjustments {
                        let amount = i128::from(it.amount.get());
                        *moved.entry(it.patron).or_default() += match it.owed {
                            Owed::ToPatron => amount,
                            Owed::ToHouse => -amount,
                        };
                    }
                    self.adjusted(past, *round, cards, &moved, out);
                    if let Some(over) = self.over.get_mut(round) {
                        for (patron, moved) in moved {
                            *over.paid.entry(patron).or_default() += moved;
                        }
                    }
                }
                Event::PushRecorded { round, patron, payout, .. } => {
                    self.pushed(past, entry, *round, *patron, i128::from(payout.get()), out);
                }
                _ => {}
            }
        }
    }

    fn adjusted(
        &self,
        past: &Past,
        round: RoundNo,
        cards: &[Card],
        moved: &BTreeMap<PatronNo, i128>,
        out: &mut Findings,
    ) {
        // The sole exception is a dispute that was spoken in time and opened over (interpretation 43).
        let stands = stands(past) && !past.opened_over(round, None);
        out.interpreted(NO, !stands, "an earlier Round was adjusted where it stands");
        let over = self.over.get(&round);
        let had_wager = |patron: &PatronNo| over.is_some_and(|over| over.paid.contains_key(patron));
        let all = moved.keys().all(had_wager);
        out.interpreted(NO, all, "an adjustment for somebody without a wager in that Round");
        let due = over.and_then(|over| Some((over, self::due(past, &over.lines, cards)?)));
        let differs = |(over, due): &(&Over, BTreeMap<PatronNo, i128>)| {
            over.paid.iter().all(|(patron, paid)| {
                due.get(patron).copied().unwrap_or(0) - paid == moved.get(patron).copied().unwrap_or(0)
            })
        };
        let words = "an adjustment is not the difference between what the cards give and what was paid";
        out.interpreted(NO, due.as_ref().is_some_and(differs), words);
    }

    fn pushed(
        &self,
        past: &Past,
        entry: &Entry,
        round: RoundNo,
        patron: PatronNo,
        payout: i128,
        out: &mut Findings,
    ) {
        let paid = self.over.get(&round).and_then(|over| over.paid.get(&patron));
        out.interpreted(NO, paid == Some(&payout), "a push is compared with another payout than was settled");
        let in_time = past.round.is_none() && past.last.as_ref().is_some_and(|last| last.no == round);
        let post = entry.order.by.post();
        if in_time {
            let may = post.is_some_and(|post| post >= Post::PitSupervisor);
            out.interpreted(NO, may, "a push was recorded by nobody from Pit Supervisor up");
        } else {
            let stands = stands(past) && !past.opened_over(round, Some(patron));
            out.interpreted(NO, !stands, "a push was put right where the earlier Round stands");
            let may = post.is_some_and(|post| post >= Post::ShiftManager);
            let second = entry.order.command.second().is_some();
            out.interpreted(NO, may && second, "a late push takes the Shift Manager and a second person");
        }
    }
}

fn stands(past: &Past) -> bool {
    past.settings.as_ref().is_some_and(|settings| settings.game == STANDS)
}

fn paid(lines: &[SettledLine]) -> BTreeMap<PatronNo, i128> {
    let mut paid = BTreeMap::new();
    for line in lines {
        *paid.entry(line.patron).or_default() += i128::from(line.to_patron.get());
    }
    paid
}

/// What these cards give everybody with a wager in the Round, by the rule book in the record.
pub(super) fn due(past: &Past, lines: &[SettledLine], cards: &[Card]) -> Option<BTreeMap<PatronNo, i128>> {
    let terms = terms(past)?;
    let outcome = outcome(cards)?;
    let wager = |line: &SettledLine| {
        let bet = terms.bet_no(line.bet.as_str())?;
        let (stake, playing) = (line.stake, line.playing);
        terms.check_stake(bet, stake).ok()?;
        let sound = playing <= stake && (playing.is_zero() || terms.check_stake(bet, playing).is_ok());
        Some(Wager { bet, stake, playing }).filter(|_| sound)
    };
    let wagers = lines.iter().map(wager).collect::<Option<Vec<Wager>>>()?;
    let settlement = settle(&terms, &wagers, &outcome);
    let mut due: BTreeMap<PatronNo, i128> = BTreeMap::new();
    for (line, settled) in lines.iter().zip(&settlement.lines) {
        *due.entry(line.patron).or_default() += i128::from(settled.to_patron().get());
    }
    Some(due)
}

fn terms(past: &Past) -> Option<Terms> {
    let settings = past.settings.as_ref()?;
    let rulebook = Rulebook::recorded(past.rulebook.as_ref()?).ok()?;
    let bets = settings.bets.iter().map(|(bet, range)| (bet.to_string(), *range)).collect();
    let asked = LimitsAsked { unit: settings.unit, betting_box: settings.betting_box, bets };
    rulebook.terms(&settings.layout, settings.decks, &asked).ok()
}

fn outcome(cards: &[Card]) -> Option<Outcome> {
    let (deal, rest) = reconstruct(cards);
    if let (Step::Complete(outcome), []) = (deal.step(), rest) { Some(outcome) } else { None }
}
