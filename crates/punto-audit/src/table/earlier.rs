//! Rounds that are over, and what is owed for one of them afterwards.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use punto_record::{Adjustment, Event, Owed, Person, Report, RoundNo, Ruling, SettledLine};
use punto_rules::{Card, Cite, IrregularityKind, Money, PatronNo, Post, Remedy};

use super::Look;
use super::books::{amount, money};
use super::round::{Key, Matter};
use super::settlement::lines;
use super::shoe::Copies;
use crate::finding::FindingKind;

/// As many Rounds as a table may look back.
const ROUNDS: usize = 256;
/// And as many wagers, in all of them together.
const WAGERS: usize = 10_000;

/// What the record says about a Round that is over.
#[derive(Clone, Debug)]
struct Over {
    cards: Vec<Card>,
    wagers: Vec<(Key, Money, Money)>,
    paid: BTreeMap<PatronNo, i128>,
    pushed: BTreeSet<PatronNo>,
}

/// The last Rounds that were settled.
#[derive(Clone, Debug, Default)]
pub(super) struct Earlier(BTreeMap<RoundNo, Over>);

impl Earlier {
    #[allow(clippy::wildcard_enum_match_arm)] // Nothing else settles a Round or moves money of one.
    pub(super) fn learn(&mut self, event: &Event) {
        match event {
            Event::RoundSettled { round, result, lines, .. } => {
                let key =
                    |it: &SettledLine| Key { patron: it.patron, box_no: it.box_no, bet: it.bet.clone() };
                let wagers = lines.iter().map(|it| (key(it), it.stake, it.playing)).collect();
                let (cards, paid, pushed) = (result.cards.clone(), paid(lines), BTreeSet::new());
                self.0.insert(*round, Over { cards, wagers, paid, pushed });
                let wagers = |rounds: &BTreeMap<RoundNo, Over>| -> usize {
                    rounds.values().map(|over| over.wagers.len()).sum()
                };
                while self.0.len() > ROUNDS || (self.0.len() > 1 && wagers(&self.0) > WAGERS) {
                    self.0.pop_first();
                }
            }
            Event::RoundCorrected { round, result, lines, .. } => {
                if let Some(over) = self.0.get_mut(round) {
                    (over.cards, over.paid) = (result.cards.clone(), paid(lines));
                }
            }
            Event::RoundAmended { round, lines, .. } => {
                if let Some(over) = self.0.get_mut(round) {
                    let key =
                        |it: &SettledLine| Key { patron: it.patron, box_no: it.box_no, bet: it.bet.clone() };
                    over.wagers = lines.iter().map(|it| (key(it), it.stake, it.playing)).collect();
                    over.paid = paid(lines);
                }
            }
            Event::RoundVoided { round, .. } => {
                self.0.remove(round);
            }
            Event::Adjusted { round, adjustments, cards, .. } => {
                let Some(over) = self.0.get_mut(round) else { return };
                if !cards.is_empty() {
                    over.cards.clone_from(cards);
                }
                for it in adjustments {
                    if let Some(paid) = over.paid.get_mut(&it.patron) {
                        *paid += match it.owed {
                            Owed::ToPatron => amount(it.amount),
                            Owed::ToHouse => -amount(it.amount),
                        };
                    }
                }
            }
            Event::PushRecorded { round, patron, .. } => {
                if let Some(over) = self.0.get_mut(round) {
                    over.pushed.insert(*patron);
                }
            }
            _ => {}
        }
    }
}

impl Earlier {
    /// What was paid to a patron for a Round, while the table remembers it.
    pub(super) fn paid(&self, round: RoundNo, patron: PatronNo) -> i128 {
        self.0.get(&round).and_then(|over| over.paid.get(&patron)).copied().unwrap_or(0)
    }

    /// Under other rules nothing of them can be computed any more.
    pub(super) fn forget(&mut self) {
        self.0.clear();
    }

    /// The wagers of a Round and their stakes.
    pub(super) fn stakes(&self, round: RoundNo) -> Vec<(Key, Money)> {
        let over = self.0.get(&round).into_iter().flat_map(|over| &over.wagers);
        over.map(|(key, stake, _)| (key.clone(), *stake)).collect()
    }

    pub(super) fn knows(&self, round: RoundNo) -> bool {
        self.0.contains_key(&round)
    }
}

fn paid(lines: &[SettledLine]) -> BTreeMap<PatronNo, i128> {
    let mut paid = BTreeMap::new();
    for line in lines {
        *paid.entry(line.patron).or_default() += amount(line.to_patron);
    }
    paid
}

impl Look<'_> {
    /// Whether a paragraph lets every earlier Round stand (5.6).
    pub(super) fn every_round_stands(&self) -> bool {
        let late = self.law.rulebook.irregularity(IrregularityKind::LateDiscovery);
        late.is_some_and(|it| it.remedy == Remedy::Stand)
    }

    /// What is still owed for an earlier Round.
    pub(super) fn adjust(&mut self, matter: &Matter, ruling: &Ruling) {
        let Ruling::Adjust { adjustments, round, cards } = ruling else { return };
        let named =
            if let Report::WrongResult { round, .. } | Report::LateDiscovery { round, .. } = &matter.report {
                Some(*round).filter(|_| !self.first || matter.kind == IrregularityKind::WrongResult)
            } else {
                None
            };
        let about = round.or(named).unwrap_or(matter.round);
        let (adjustments, cards, due) = if self.first {
            (adjustments.clone(), Vec::new(), sums(adjustments))
        } else {
            let typed = "amounts of an adjustment were typed";
            self.must(adjustments.is_empty(), FindingKind::WrongCorrection, typed);
            let same = named.is_none_or(|it| it == about);
            self.must(same, FindingKind::WrongCorrection, "an adjustment of another Round than was reported");
            self.is_over(about);
            let Some((cards, due)) = self.computed(about, cards) else {
                self.say(FindingKind::WrongCorrection, "nothing can be computed for this Round");
                return;
            };
            (due.iter().filter_map(adjustment).collect(), cards, due)
        };
        let changes = self.changes(about, &due);
        self.must(!changes.is_empty(), FindingKind::WrongCorrection, "an adjustment of nothing");
        let paid: Vec<_> = changes.iter().map(|it| (it.patron, it.paid)).collect();
        let old = self.law.cite_or_uncovered(matter.kind).clone();
        let cite = if self.first { old } else { self.law.cite_in_time(matter.kind, false) };
        self.due.push(Event::Adjusted { round: about, adjustments, changes, cards, cite });
        self.keep(about, paid);
    }

    /// A later Round has commenced, or the table was closed since.
    fn is_over(&mut self, round: RoundNo) {
        let table = self.table;
        let over = round < table.rounds || (table.round.is_none() && table.last.is_none());
        self.must(over, FindingKind::WrongCorrection, "the Round could still be put right");
    }

    /// By which cards, and what is due to each patron of the Round beyond what was paid.
    fn computed(&self, round: RoundNo, cards: &[Card]) -> Option<(Vec<Card>, BTreeMap<PatronNo, i128>)> {
        let over = self.table.earlier.0.get(&round)?;
        let cards = if cards.is_empty() { over.cards.clone() } else { cards.to_vec() };
        let decks = u32::from(self.law.settings.decks);
        let out = Copies::of(&cards);
        if cards.iter().any(|card| out.get(*card) > decks) {
            return None;
        }
        let outcome = super::settlement::outcome(&cards)?;
        let (lines, _) = lines(self.law, over.wagers.iter().cloned(), &outcome)?;
        let mut due = paid(&lines);
        for (patron, paid) in &over.paid {
            *due.entry(*patron).or_default() -= paid;
        }
        due.retain(|_, amount| *amount != 0);
        Some((cards, due))
    }

    /// What the Dealer really pushed, as counted (interpretation 37).
    pub(super) fn record_push(
        &mut self,
        round: RoundNo,
        patron: PatronNo,
        counted: Money,
        surveillance: &Arc<str>,
        second: Option<&Person>,
    ) {
        self.chips_kept();
        self.float_open();
        self.reason(surveillance);
        if self.table.last.as_ref().is_none_or(|last| last.no != round) {
            self.is_over(round);
            let spoken = self.table.disputes.opened_over(round, Some(patron));
            let stands = self.every_round_stands() && !spoken;
            self.must(!stands, FindingKind::WrongCorrection, "the earlier Round stands");
            let may = self.order.by.post().is_some_and(|post| post >= Post::ShiftManager);
            self.must(may, FindingKind::NotPermitted, "only the Shift Manager puts a late push right");
            let other = second.is_some_and(|it| Some(it) != self.order.by.person());
            self.must(other, FindingKind::SecondPerson, "a second person must agree");
        }
        let over = self.table.earlier.0.get(&round);
        let away = self.table.books.account(patron).away;
        let away = away || self.table.books.held_of(patron, round).is_some();
        let payout =
            over.filter(|it| !away && !it.pushed.contains(&patron)).and_then(|it| it.paid.get(&patron));
        let Some(payout) = payout.and_then(|paid| money(*paid)).filter(|it| *it != counted) else {
            self.say(FindingKind::WrongCorrection, "no payout of this Round was pushed otherwise");
            return;
        };
        let (surveillance, second) = (surveillance.clone(), second.cloned());
        let cite = Cite::interpretation(37);
        self.due.push(Event::PushRecorded { round, patron, payout, counted, surveillance, second, cite });
    }
}

fn sums(adjustments: &[Adjustment]) -> BTreeMap<PatronNo, i128> {
    let mut due: BTreeMap<PatronNo, i128> = BTreeMap::new();
    for it in adjustments {
        *due.entry(it.patron).or_default() += match it.owed {
            Owed::ToPatron => amount(it.amount),
            Owed::ToHouse => -amount(it.amount),
        };
    }
    due
}

fn adjustment((patron, due): (&PatronNo, &i128)) -> Option<Adjustment> {
    let owed = if *due > 0 { Owed::ToPatron } else { Owed::ToHouse };
    Some(Adjustment { patron: *patron, owed, amount: money(due.abs())? })
}
