//! What a Round does to every wager, worked out again from wagers, parts and cards; what undoes or corrects it.

use std::collections::BTreeMap;

use punto_record::{Change, Event, Report, RoundNo, RoundResult, SettledLine, VerdictWord};
use punto_rules::{
    Card, Cite, IrregularityKind, Line, Money, Outcome, PatronNo, Step, Wager, reconstruct, settle,
};

use super::Look;
use super::books::amount;
use super::round::{Key, Last, Matter};
use super::shoe::Copies;
use crate::finding::FindingKind;
use crate::law::Law;

impl Look<'_> {
    /// The Round is settled by its result, which the cards show.
    pub(super) fn settle(&mut self) {
        let Some(round) = self.table.round.as_ref() else { return };
        let (deal, _) = reconstruct(&round.order);
        let Step::Complete(outcome) = deal.step() else {
            self.say(FindingKind::WrongResult, "the Round is not complete");
            return;
        };
        let cards: Vec<Card> = deal.drawn().collect();
        let result = RoundResult::of(&cards, &outcome);
        let wagers = round.in_order();
        let wagers =
            wagers.iter().map(|(key, it)| ((*key).clone(), it.stake, it.playing.unwrap_or(it.stake)));
        let Some((lines, house)) = lines(self.law, wagers, &outcome) else {
            self.say(FindingKind::WrongSettlement, "wagers that the rules cannot settle");
            return;
        };
        let paid: Vec<_> = lines.iter().map(|line| (line.patron, line.to_patron)).collect();
        self.due.push(Event::RoundSettled { round: round.no, result, lines, house });
        if round.shoe_awaited {
            self.replace_before_next();
        }
        self.keep(round.no, paid);
    }

    /// A payout that is held stays so; chips for somebody who walked away are kept for them, never the House's (5.3;
    /// interpretation 29).
    pub(super) fn keep(&mut self, round: RoundNo, paid: impl IntoIterator<Item = (PatronNo, Money)>) {
        let paid = self.hold_paid(round, paid);
        if !self.law.is_chips() {
            return;
        }
        for (patron, amount) in paid {
            if self.table.books.account(patron).away && !amount.is_zero() {
                self.due.push(Event::kept(patron, amount));
            }
        }
    }

    /// The Round is void: every bet of it goes back, and what was settled is undone (5.5; 5.16/5.15).
    pub(super) fn void(
        &mut self,
        kind: IrregularityKind,
        cite: Cite,
        matter: Option<Matter>,
        changes: Vec<Change>,
    ) {
        let (table, law) = (self.table, self.law);
        let round = table.round.as_ref();
        let about = matter.as_ref().map_or(table.rounds, |matter| matter.round);
        let returns = round.map_or_else(Vec::new, |round| round.returns(None));
        let back = returns.iter().map(|it| (it.patron, it.amount));
        let back: Vec<_> = back.chain(changes.iter().map(|it| (it.patron, it.paid))).collect();
        let no = round.map_or(about, |round| round.no);
        self.due.push(Event::RoundVoided {
            round: no,
            kind,
            cite,
            returns_cite: law.rulebook.conduct.void_returns.clone(),
            returns,
            changes,
        });
        self.keep(no, back);
        // Whatever the void was for, faulty cards that were found are out of use; the first reason counts.
        let held = round.map_or(&[][..], |round| &round.held);
        let faults = held.iter().map(|it| (it.kind, &it.report));
        let of_this_set = |report: &Report| {
            let counted = if let Report::ShortageOrExcess { shoe, .. } = report { *shoe } else { None };
            counted.is_none() || counted == table.shoe.as_ref().map(|shoe| shoe.no)
        };
        let condemns = |kind: IrregularityKind| {
            let clause = law.rulebook.irregularity(kind)?;
            let cite = if self.first { clause.cite.clone() } else { Cite::interpretation(23) };
            (clause.shoe == Some(punto_rules::ShoeAfter::MustExchange)).then_some(cite)
        };
        let found = faults.filter(|(_, report)| of_this_set(report)).find_map(|(kind, _)| condemns(kind));
        let awaited = round.is_some_and(|round| round.shoe_awaited);
        let replaced = awaited.then(|| law.cite_or_uncovered(IrregularityKind::SimultaneousDraw).clone());
        let few =
            matter.as_ref().is_some_and(|it| matches!(it.report, Report::ShoeExhausted { left: Some(_) }));
        let few = few.then(|| Cite::interpretation(38));
        let own = matter.filter(|it| of_this_set(&it.report)).and_then(|_| condemns(kind)).or(few);
        let shoe = table.shoe.as_ref().filter(|shoe| shoe.must_exchange.is_none());
        if let (Some(shoe), Some(cite)) = (shoe, found.or(replaced).or(own)) {
            self.due.push(Event::ShoeExchangeRequired { shoe: shoe.no, cite });
        }
    }

    /// What undoes the settlement of the Round just played: every stake back, everything paid taken back.
    pub(super) fn undone(&mut self) -> Vec<Change> {
        let mut due: BTreeMap<PatronNo, i128> = BTreeMap::new();
        for line in self.table.last.iter().flat_map(|last| &last.lines) {
            *due.entry(line.patron).or_default() += amount(line.stake) - amount(line.to_patron);
        }
        self.changes(self.table.rounds, &due)
    }

    pub(super) fn changes(&mut self, round: RoundNo, due: &BTreeMap<PatronNo, i128>) -> Vec<Change> {
        let changes = self.table.books.changes(self.law.is_chips(), round, due);
        self.must(changes.is_some(), FindingKind::WrongCorrection, "more than money can hold");
        changes.unwrap_or_default()
    }

    /// The Round just settled is settled anew by these cards (interpretation 28).
    pub(super) fn correct(&mut self, matter: &Matter, cards: &[Card]) {
        let Some(last) = self.table.last.as_ref().filter(|last| last.settled) else {
            self.say(FindingKind::WrongCorrection, "there is no settled Round to be corrected");
            return;
        };
        let Some(outcome) = outcome(cards) else {
            self.say(FindingKind::WrongCorrection, "these are not the cards of one complete Round");
            return;
        };
        let wagers = last.lines.iter().map(|line| {
            let key = Key { patron: line.patron, box_no: line.box_no, bet: line.bet.clone() };
            (key, line.stake, line.playing)
        });
        let Some((lines, house)) = lines(self.law, wagers, &outcome) else {
            self.say(FindingKind::WrongCorrection, "wagers that the rules cannot settle");
            return;
        };
        let mut due: BTreeMap<PatronNo, i128> = BTreeMap::new();
        for (lines, sign) in [(&lines, 1), (&last.lines, -1)] {
            for line in lines {
                *due.entry(line.patron).or_default() += sign * amount(line.to_patron);
            }
        }
        // A wrong number is reconstructed from the cards that were out (interpretation 32).
        let is_number = matter.kind == IrregularityKind::WrongNumberOfCards && !self.first;
        let (kind, carried) = if is_number {
            let mut rest = self.cards_before();
            for card in cards {
                match rest.iter().position(|it| it == card) {
                    Some(place) => drop(rest.remove(place)),
                    None => self.say(FindingKind::WrongCorrection, "another card than were out"),
                }
            }
            (IrregularityKind::ExcessOrExposedCard, rest)
        } else {
            let carried = self.carried_after(last, cards);
            let fits = self.fits(last, cards, carried.len());
            self.must(fits, FindingKind::TooManyCopies, "a card more often than it is in the shoe");
            (IrregularityKind::WrongResult, carried)
        };
        let changes = self.changes(self.table.rounds, &due);
        let paid: Vec<_> = changes.iter().map(|it| (it.patron, it.paid)).collect();
        self.due.push(Event::RoundCorrected {
            round: last.no,
            result: RoundResult::of(cards, &outcome),
            lines,
            house,
            changes,
            carried,
            cite: match self.first {
                true => self.law.cite_or_uncovered(kind).clone(),
                false => self.law.cite_in_time(kind, true),
            },
            display_cite: self.law.rulebook.conduct.display_informs.clone(),
        });
        self.keep(self.table.rounds, paid);
    }

    /// The cards that open the next Round after a correction: what the Round needs more came from those that were
    /// carried, what it needs less goes there (interpretation 24).
    fn carried_after(&self, last: &Last, cards: &[Card]) -> Vec<Card> {
        let carried = &self.table.carried;
        match cards.get(last.drawn.len()..) {
            Some(more) => {
                let used = more.iter().zip(carried).take_while(|(card, carried)| card == carried).count();
                carried[used..].to_vec()
            }
            None => {
                let in_use = self.table.shoe.as_ref().is_some_and(|shoe| shoe.no == last.shoe);
                let spare = match in_use && !self.law.is_continuous() {
                    true => &last.drawn[cards.len()..],
                    false => &[],
                };
                spare.iter().chain(carried).copied().collect()
            }
        }
    }

    /// Whether no card would have left its shoe more often than it is in there.
    fn fits(&self, last: &Last, cards: &[Card], carried_after: usize) -> bool {
        let in_use = self.table.shoe.as_ref().filter(|shoe| shoe.no == last.shoe);
        let set = in_use.or(self.table.retired.iter().find(|shoe| shoe.no == last.shoe));
        let mut dealt = set.map_or(Copies::NONE, |shoe| shoe.dealt.clone());
        let carried = &self.table.carried;
        let used = carried.len().saturating_sub(carried_after);
        last.drawn.iter().chain(&carried[..used]).for_each(|card| dealt.remove(*card));
        cards.iter().for_each(|card| dealt.add(*card));
        cards.iter().all(|card| dealt.get(*card) <= u32::from(self.law.settings.decks))
    }
}

/// The outcome of one complete Round, nothing missing and nothing left over.
pub(super) fn outcome(cards: &[Card]) -> Option<Outcome> {
    let (deal, rest) = reconstruct(cards);
    if let (Step::Complete(outcome), []) = (deal.step(), rest) { Some(outcome) } else { None }
}

/// What becomes of wagers, in their order; `None` where the record has wagers that no table can have taken.
pub(super) fn lines(
    law: &Law,
    wagers: impl Iterator<Item = (Key, Money, Money)>,
    outcome: &Outcome,
) -> Option<(Vec<SettledLine>, i64)> {
    let mut keys = Vec::new();
    let mut placed = Vec::new();
    for (key, stake, playing) in wagers {
        let bet = law.terms.bet_no(key.bet.as_str())?;
        law.terms.check_stake(bet, stake).ok()?;
        let sound = playing <= stake && (playing.is_zero() || law.terms.check_stake(bet, playing).is_ok());
        placed.push(Some(Wager { bet, stake, playing }).filter(|_| sound)?);
        keys.push(key);
    }
    let settlement = settle(&law.terms, &placed, outcome);
    let house = i64::try_from(settlement.house).ok()?;
    let lines = keys.into_iter().zip(&settlement.lines).map(|(key, line)| settled(key, line)).collect();
    Some((lines, house))
}

fn settled(key: Key, line: &Line<'_>) -> SettledLine {
    SettledLine {
        patron: key.patron,
        box_no: key.box_no,
        bet: key.bet,
        stake: line.wager.stake,
        playing: line.wager.playing,
        verdict: VerdictWord::from(line.verdict),
        pays: line.verdict.odds(),
        returned: line.returned,
        winnings: line.winnings,
        commission: line.commission,
        to_patron: line.to_patron(),
        cite: line.row.map(|row| row.cite.clone()),
    }
}
