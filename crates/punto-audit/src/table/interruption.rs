//! A technical interruption (5.4; electronic 5.1): concluded if an outcome has been established, otherwise void.

use punto_record::{Actor, Cause, Event, Person, Report, Seen};
use punto_rules::{BetNo, Card, Cite, IrregularityKind, Post, Remedy};

use super::Look;
use super::cards::MOST_AT_ONCE;
use super::dues::{Next, Then};
use super::round::Matter;
use crate::finding::FindingKind;

impl Look<'_> {
    /// The table is interrupted. Software knows its own cards; with real ones the Dealer says which are out.
    // INTERPRETATION 21: a crash of the software is such an interruption.
    pub(super) fn interrupt(&mut self, cause: Option<Cause>) {
        self.in_turn(self.round().is_some(), "no Round is in play");
        let lost = cause == Some(Cause::ShoeLost);
        self.must(
            !lost || (self.order.by == Actor::House && self.law.is_software()),
            FindingKind::NotPermitted,
            "only the house says that the order of its own shoe is lost",
        );
        let cite = self.law.cite_or_uncovered(IrregularityKind::TechnicalInterruption).clone();
        self.due.push(Event::TableInterrupted { cause, cite });
        // INTERPRETATION 51: whoever has to leave covers the float first.
        if let Some(cause) = cause.filter(|cause| cause.takes_people_away())
            && self.table.books.float.is_some()
            && !self.table.float_covered
            && !self.law.is_software()
        {
            self.due.push(Event::FloatCovered { cause, cite: Cite::interpretation(51) });
        }
        if self.law.is_software() {
            let left_over = self.round().map_or(0, |round| round.left_over().len());
            self.due.then(Next::Resolve { left_over, lost });
        }
    }

    /// The felt may be ahead of the record; what was read is not said otherwise without a ruling.
    // INTERPRETATION 31: after the first card by a Pit Supervisor or above who did not deal, with the Dealer.
    pub(super) fn confirm_cards(&mut self, cards: &[Card], second: Option<&Person>) {
        let Some(round) = self.table.round.as_ref() else {
            self.in_turn(false, "no Round is in play");
            return;
        };
        self.in_turn(round.interrupted, "the table was not interrupted");
        let known = round.drawn.iter().filter(|dealt| !matches!(dealt.seen, Seen::Foreign(_))).count();
        let more = cards.len().saturating_sub(round.drawn.len());
        let left = self.table.shoe.as_ref().map_or(0, |shoe| shoe.left());
        // The first release refused a list that was too short, and took any other from the Dealer alone.
        let enough = cards.len() >= known || !self.first;
        let holds = enough && more <= MOST_AT_ONCE && more as u64 <= u64::from(left);
        self.must(holds, FindingKind::WrongCard, "these cannot be the cards that were out");
        if !self.first {
            let as_read = as_read(round.drawn.iter().map(|dealt| &dealt.seen), cards);
            let drawn = round.drawn.iter().any(|dealt| !dealt.carried);
            let alone = !drawn && as_read && cards.len() == round.drawn.len();
            let own = self.order.by.person();
            let post = self.order.by.post() >= Some(Post::PitSupervisor);
            let other = second.is_some_and(|it| Some(it) != own && !it.as_str().trim().is_empty());
            let dealt = own.is_some_and(|own| round.dealers.contains(own));
            self.in_turn(!self.is_disputed(), "the cards that are out are in dispute");
            self.must(
                alone || (post && other && !dealt),
                FindingKind::SecondPerson,
                "cards that are out were not confirmed by the Dealer and a Pit Supervisor who did not deal",
            );
            if !as_read {
                let read = round.drawn.iter().map(|dealt| dealt.seen.clone()).collect();
                let (confirmed, second) = (cards.to_vec(), second.cloned());
                self.open(Report::CardsInDispute { read, confirmed, second }, true, &Then::Waits);
                return;
            }
        }
        self.due.push(Event::CardsConfirmed { cards: cards.to_vec(), second: second.cloned() });
        self.due.then(Next::Resolve { left_over: round.left_over().len(), lost: false });
    }

    /// Whether two lists of the cards that are out wait for a ruling.
    pub(super) fn is_disputed(&self) -> bool {
        let held = self.round().into_iter().flat_map(|round| &round.held);
        held.into_iter().any(|matter| matches!(matter.report, Report::CardsInDispute { .. }))
    }

    /// A ruling says which of the two lists stands; then the paragraph is applied.
    pub(super) fn rule_cards(&mut self, matter: &Matter, cards: &[Card]) {
        let Report::CardsInDispute { read, confirmed, .. } = &matter.report else { return };
        let places = read.iter().filter(|seen| !matches!(seen, Seen::Foreign(_))).count();
        let one = cards == confirmed || (cards.len() == places && as_read(read.iter(), cards));
        self.must(one, FindingKind::WrongRuling, "neither of the lists that are in dispute");
        self.due.push(Event::CardsConfirmed { cards: cards.to_vec(), second: None });
        let left_over = self.round().map_or(0, |round| round.left_over().len());
        self.due.then(Next::Resolve { left_over, lost: false });
    }

    /// The bets placed in the Round in play.
    pub(super) fn placed(&self) -> Vec<BetNo> {
        let keys = self.round().into_iter().flat_map(|round| round.wagers.keys());
        keys.filter_map(|key| self.law.terms.bet_no(key.bet.as_str())).collect()
    }

    pub(super) fn resolve(&mut self, left_over: usize, lost: bool) {
        let Some(round) = self.table.round.as_ref() else { return };
        let because = self.law.established(&round.order, &self.placed());
        let cite = self.interruption_cite(!because.is_empty());
        self.due.push(Event::InterruptionResolved { established: !because.is_empty(), because, cite });
        self.due.then(Next::Conclude { left_over, lost });
    }

    /// The paragraph for a Round that is concluded, or void (interpretation 40).
    fn interruption_cite(&self, established: bool) -> Cite {
        let told = self.law.rulebook.interruption_cite(established).filter(|_| !self.first);
        told.unwrap_or_else(|| self.law.cite_or_uncovered(IrregularityKind::TechnicalInterruption).clone())
    }

    pub(super) fn conclude(&mut self, left_over: usize, lost: bool) {
        let Some(round) = self.table.round.as_ref() else { return };
        let kind = IrregularityKind::TechnicalInterruption;
        let clause = self.law.rulebook.irregularity(kind);
        let concludes = clause.is_none_or(|it| it.remedy == Remedy::ConcludeOrVoid);
        let established = !self.law.established(&round.order, &self.placed()).is_empty();
        if !(concludes && established) {
            let cite = self.interruption_cite(established);
            self.due.then(Next::Void { kind, cite, matter: None, undone: Vec::new() });
            return;
        }
        if lost && !round.shoe_awaited {
            let cite = self.interruption_cite(established);
            self.due.push(Event::ShoeReplacementOrdered { shoe: self.shoe_no(), cite });
        }
        if round.drawn.iter().any(|dealt| !dealt.carried) {
            self.due.then(Next::Close);
        }
        self.due.then(Next::TooMany(round.order.clone()));
        self.due.then(Next::LeftOver { before: left_over });
        self.due.then(Next::Choices);
    }
}

/// Whether a list leaves every card that was read in its place. What is no card of the set has none.
fn as_read<'a>(read: impl Iterator<Item = &'a Seen>, cards: &[Card]) -> bool {
    let mut rest = cards.iter();
    for seen in read.filter(|seen| !matches!(seen, Seen::Foreign(_))) {
        let Some(card) = rest.next() else { return false };
        if seen.card().is_some_and(|read| read != *card) {
            return false;
        }
    }
    true
}
