//! A technical interruption (5.4; electronic 5.1): concluded if an outcome has been established, otherwise void.

use punto_record::{Event, Seen};
use punto_rules::{BetNo, Card, IrregularityKind, Remedy};

use super::Look;
use super::cards::MOST_AT_ONCE;
use super::dues::Next;
use crate::finding::FindingKind;

impl Look<'_> {
    /// The table is interrupted. Software knows its own cards; with real ones the Dealer says which are out.
    // INTERPRETATION 21: a crash of the software is such an interruption.
    pub(super) fn interrupt(&mut self) {
        self.in_turn(self.round().is_some(), "no Round is in play");
        let cite = self.law.cite_or_uncovered(IrregularityKind::TechnicalInterruption).clone();
        self.due.push(Event::TableInterrupted { cite });
        if self.law.is_software() {
            let left_over = self.round().map_or(0, |round| round.left_over().len());
            self.due.then(Next::Resolve { left_over });
        }
    }

    /// The felt may be ahead of the record, never behind it.
    pub(super) fn confirm_cards(&mut self, cards: &[Card]) {
        let Some(round) = self.table.round.as_ref() else {
            self.in_turn(false, "no Round is in play");
            return;
        };
        self.in_turn(round.interrupted, "the table was not interrupted");
        let known = round.drawn.iter().filter(|dealt| !matches!(dealt.seen, Seen::Foreign(_))).count();
        let more = cards.len().saturating_sub(round.drawn.len());
        let left = self.table.shoe.as_ref().map_or(0, |shoe| shoe.left());
        let holds = cards.len() >= known && more <= MOST_AT_ONCE && more as u64 <= u64::from(left);
        self.must(holds, FindingKind::WrongCard, "these cannot be the cards that were out");
        self.due.push(Event::CardsConfirmed { cards: cards.to_vec() });
        self.due.then(Next::Resolve { left_over: round.left_over().len() });
    }

    /// The bets placed in the Round in play.
    pub(super) fn placed(&self) -> Vec<BetNo> {
        let keys = self.round().into_iter().flat_map(|round| round.wagers.keys());
        keys.filter_map(|key| self.law.terms.bet_no(key.bet.as_str())).collect()
    }

    pub(super) fn resolve(&mut self, left_over: usize) {
        let Some(round) = self.table.round.as_ref() else { return };
        let because = self.law.established(&round.order, &self.placed());
        let cite = self.law.cite_or_uncovered(IrregularityKind::TechnicalInterruption).clone();
        self.due.push(Event::InterruptionResolved { established: !because.is_empty(), because, cite });
        self.due.then(Next::Conclude { left_over });
    }

    pub(super) fn conclude(&mut self, left_over: usize) {
        let Some(round) = self.table.round.as_ref() else { return };
        let kind = IrregularityKind::TechnicalInterruption;
        let clause = self.law.rulebook.irregularity(kind);
        let concludes = clause.is_none_or(|it| it.remedy == Remedy::ConcludeOrVoid);
        let established = !self.law.established(&round.order, &self.placed()).is_empty();
        if !(concludes && established) {
            let cite = self.law.cite_or_uncovered(kind).clone();
            self.due.then(Next::Void { kind, cite, matter: None, undone: Vec::new() });
            return;
        }
        if round.drawn.iter().any(|dealt| !dealt.carried) {
            self.due.then(Next::Close);
        }
        self.due.then(Next::TooMany(round.order.clone()));
        self.due.then(Next::LeftOver { before: left_over });
    }
}
