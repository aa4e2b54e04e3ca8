//! What follows by itself: from what was begun, and from where the Round stands.

use punto_record::{Choice, Event, Report, RoundResult};
use punto_rules::{IrregularityKind, Step, reconstruct};

use super::Look;
use super::dues::{Next, Then};
use super::round::Stage;
use super::shoe::Shoe;
use crate::law::Law;

/// Whether the cut card has come out and nobody has said so.
pub(super) fn is_cut_card_due(law: &Law, shoe: &Shoe) -> bool {
    let behind = u32::from(law.settings.cut_card);
    behind > 0 && !shoe.cut_card_out && shoe.left() <= behind
}

impl Look<'_> {
    /// Nothing is due any more: what comes next?
    pub(super) fn follow(&mut self) {
        while self.due.is_empty() {
            match self.due.next.pop_front() {
                Some(next) => self.go_on_with(next),
                None => break,
            }
        }
        if self.due.is_empty() {
            self.as_it_stands();
        }
    }

    fn go_on_with(&mut self, next: Next) {
        match next {
            Next::Open { report, holds, then } => self.open(report, holds, &then),
            Next::Drawn { card, due } => self.drawn(card, due),
            Next::WrongSide => self.wrong_side(),
            Next::WasRead { card, due } => self.was_read(card, due),
            Next::Corrected { card, places } => self.corrected(card, &places),
            Next::Out(card) => {
                self.out_of_shoe(card, punto_record::Source::Keyed);
                self.due.next.push_front(Next::Early(card));
            }
            Next::Early(card) => self.early(card),
            Next::Together { cards, report } => match self.too_many(&cards) {
                Some(card) => self.cards_at_fault(&super::cards::excess(card)),
                None => self.hold(report),
            },
            Next::TooMany(cards) => {
                if let (Some(card), Some(_)) = (self.too_many(&cards), self.round()) {
                    self.hold(super::cards::excess(card));
                }
            }
            Next::AtFault(cards) => {
                if let Some(card) = self.too_many(&cards) {
                    self.cards_at_fault(&super::cards::excess(card));
                }
            }
            Next::Resolve { left_over, lost } => self.resolve(left_over, lost),
            Next::Conclude { left_over, lost } => self.conclude(left_over, lost),
            Next::LeftOver { before } => {
                if self.round().is_some_and(|round| round.left_over().len() > before) {
                    self.hold(Report::ExcessOrExposedCard { cards: Vec::new() });
                }
            }
            Next::Choices => self.choices(),
            Next::Close => {
                if self.round().is_some_and(|round| round.bets_open) {
                    self.close();
                }
            }
            Next::ByTheRules(matter) => self.by_the_rules(matter),
            Next::Void { kind, cite, matter, undone } => self.void(kind, cite, matter, undone),
            Next::Exchange(kind) => self.exchange(kind),
            Next::Replace(cite) => {
                if self.round().is_some() {
                    self.due.push(Event::ShoeReplacementOrdered { shoe: self.shoe_no(), cite });
                }
            }
            Next::Trim(box_no) => self.trim(box_no),
        }
    }

    /// What a Round cannot wait with.
    fn as_it_stands(&mut self) {
        let cut_card = self.table.shoe.as_ref().filter(|shoe| is_cut_card_due(self.law, shoe));
        if let Some(shoe) = cut_card.filter(|_| self.due.card_out) {
            self.due.push(Event::CutCardReached { shoe: shoe.no });
            return;
        }
        let Some(round) = self.table.round.as_ref().filter(|round| !round.interrupted) else { return };
        match round.stage {
            Stage::Dealing => self.deal(),
            Stage::Held if round.held.is_empty() => self.resume(),
            Stage::Choosing if round.waiting.is_empty() => {
                self.due.push(Event::PlayResumed { closes_at: None })
            }
            Stage::Choosing => {
                let away = |patron: &punto_rules::PatronNo| self.table.books.account(*patron).away;
                // Who walked away continues (interpretation 25).
                let away: Vec<_> = round.waiting.iter().copied().filter(away).collect();
                for patron in away {
                    let (choice, returns) = (Choice::Continue, Vec::new());
                    self.due.push(Event::ChoiceMade { patron, choice, silent: true, returns });
                }
            }
            Stage::Confirming if self.law.is_automatic() && !round.has_covered() => self.settle(),
            Stage::Confirming | Stage::Held | Stage::Betting | Stage::Unread => {}
        }
    }

    /// The cards are complete, or the shoe cannot make them so.
    fn deal(&mut self) {
        let Some(round) = self.table.round.as_ref() else { return };
        let (deal, _) = reconstruct(&round.order);
        match deal.step() {
            Step::Complete(outcome) => {
                let cards: Vec<_> = deal.drawn().collect();
                let result = RoundResult::of(&cards, &outcome);
                self.due.push(Event::RoundCompleted { result });
            }
            Step::Draw(_) => {
                let empty = self.table.shoe.as_ref().is_none_or(|shoe| shoe.left() == 0);
                if empty && !self.law.is_continuous() && !round.shoe_awaited {
                    self.hold(Report::ShoeExhausted { left: None });
                }
            }
        }
    }

    /// A replacement was ordered and no card of it was needed: it is due before the next Round.
    pub(super) fn replace_before_next(&mut self) {
        let cite = self.law.cite_or_uncovered(IrregularityKind::SimultaneousDraw).clone();
        if let Some(shoe) = self.table.shoe.as_ref().filter(|shoe| shoe.must_exchange.is_none()) {
            self.due.push(Event::ShoeExchangeRequired { shoe: shoe.no, cite });
        }
    }

    /// Opens a matter that holds play until it is ruled.
    pub(super) fn hold(&mut self, report: Report) {
        self.open(report, true, &Then::Ruled);
    }
}
