//! Irregularities as they are reported or found: whether they hold the Round, who decides, by which paragraph.

use punto_record::{Event, MatterNo, Report, RoundNo, Ruling, RulingWord, Seen};
use punto_rules::{BySide, Card, IrregularityKind, Remedy, Side, reconstruct};

use super::Look;
use super::dues::{Next, Then};
use super::round::{Round, Stage};
use super::shoe::Copies;
use crate::finding::FindingKind;

/// What the record says where the rules rule by themselves.
pub(super) const BY_THE_RULES: &str = "by the rules";

impl Look<'_> {
    pub(super) fn report(&mut self, report: &Report) {
        let unread = self.is_stage(Stage::Unread);
        let may = !unread || matches!(report, Report::TechnicalInterruption { .. });
        self.in_turn(may, "a card had to be read first");
        if let Report::OtherDealingError { words }
        | Report::LateDiscovery { words, .. }
        | Report::BetPlacedInError { words, .. }
        | Report::WrongResult { words, .. }
        | Report::Uncovered { words } = report
        {
            self.must(!words.trim().is_empty(), FindingKind::NoReason, "a report without words");
        }
        let in_play = self.round().is_some();
        if !self.first && self.law.is_software() && self.order.by != punto_record::Actor::House {
            let known = "a claim about the cards of a software shoe is a dispute";
            self.must(!is_about_cards(report), FindingKind::NotPermitted, known);
        }
        match report {
            Report::TechnicalInterruption { cause } => self.interrupt(*cause),
            Report::CardsInDispute { .. } => {
                self.say(FindingKind::WrongMatter, "cards in dispute are found, not reported");
            }
            Report::LateBet { patron, box_no, bet, stake } => {
                let closed = self.round().is_some_and(|round| !round.bets_open);
                self.in_turn(closed, "a late bet while bets were open, or no Round in play");
                let offered = self.law.terms.bet_no(bet.as_str()).is_some();
                self.must(offered, FindingKind::WrongWager, "the layout does not offer this bet");
                let cite = self.law.cite_or_uncovered(IrregularityKind::LateBet).clone();
                let (patron, box_no, bet, stake) = (*patron, *box_no, bet.clone(), *stake);
                self.due.push(Event::LateBetRefused { patron, box_no, bet, stake, cite });
            }
            Report::WalkAway { patron } => {
                let stands = self.round().is_some_and(|round| round.bets(*patron));
                let has = stands || self.table.books.account(*patron).credits > 0;
                self.must(has, FindingKind::WrongMatter, "somebody walked away who had nothing here");
                match self.law.cite(IrregularityKind::WalkAway).cloned() {
                    Some(cite) => self.due.push(Event::WalkedAway { patron: *patron, cite }),
                    None => self.open(report.clone(), false, &Then::Waits),
                }
            }
            Report::LateDiscovery { round, .. } => {
                self.is_late(*round);
                // INTERPRETATION 50: by itself the earlier Round stands only where a paragraph says so.
                let clause = self.law.clause(IrregularityKind::LateDiscovery, false);
                match clause.found.is_some_and(|it| it.remedy == Remedy::Stand) {
                    true => self.stands(report),
                    false => self.open(report.clone(), false, &Then::Waits),
                }
            }
            // INTERPRETATION 10: no refund for a bet placed in error.
            // INTERPRETATION 42: the electronic paragraph does not name errors made through the House.
            Report::BetPlacedInError { through: Some(_), .. } if self.law.is_electronic() => {
                let holds = self.round().is_some();
                self.open(report.clone(), holds, &Then::Waits);
            }
            Report::BetPlacedInError { .. } => self.stands(report),
            Report::WrongResult { round, .. } => self.wrong_result(*round, report),
            Report::WrongNumberOfCards { hands, neither, unread } => {
                if !in_play {
                    let settled = self.table.last.as_ref().is_some_and(|last| last.settled);
                    self.must(settled, FindingKind::WrongMatter, "no settled Round that it could be about");
                }
                if !self.first {
                    self.wrong_number(hands, neither, unread, report);
                    return;
                }
                if in_play {
                    self.lie_so(hands);
                }
                self.hold(report.clone());
            }
            Report::ForeignCard { .. } | Report::ShortageOrExcess { .. } | Report::NotShuffled {} => {
                self.cards_at_fault(report);
            }
            Report::ExcessOrExposedCard { cards } if !in_play && cards.len() > 1 && !self.first => {
                self.early_together(cards, report);
            }
            Report::ExcessOrExposedCard { cards } if !in_play => {
                self.can_be_out(cards);
                self.must(!cards.is_empty(), FindingKind::WrongCard, "an exposed card that nobody names");
                cards.iter().for_each(|card| self.due.then(Next::Out(*card)));
            }
            Report::ExcessOrExposedCard { cards } => {
                let some = !cards.is_empty() || self.round().is_some_and(|round| !round.drawn.is_empty());
                self.must(some, FindingKind::WrongCard, "an exposed card that nobody names");
                self.out_of_turn(cards, report);
            }
            Report::SimultaneousDraw { cards, places, .. } if !in_play => {
                let told = places.is_empty() && cards.len() > 1;
                self.must(told, FindingKind::WrongCard, "one card alone is not drawn together");
                self.early_together(cards, report);
            }
            Report::SimultaneousDraw { cards, places, .. } if !places.is_empty() => {
                self.came_together(cards, places);
                self.hold(report.clone());
            }
            Report::SimultaneousDraw { cards, .. } => {
                self.must(cards.len() >= 2, FindingKind::WrongCard, "one card alone is not drawn together");
                self.out_of_turn(cards, report);
            }
            Report::WrongSide { hands } => {
                self.in_turn(in_play, "no Round is in play");
                self.lie_so(hands);
                self.hold(report.clone());
            }
            Report::FaceUp { cards } => {
                self.must(self.law.is_face_down(), FindingKind::WrongMatter, "cards are dealt face up here");
                self.turn(cards);
                self.due.then(Next::Open { report: report.clone(), holds: true, then: Then::Ruled });
            }
            Report::ShoeExhausted { left } => self.exhausted(*left),
            Report::OtherDealingError { .. } => {
                self.in_turn(in_play, "no Round is in play");
                self.hold(report.clone());
            }
            Report::Uncovered { .. } => self.open(report.clone(), in_play, &Then::Waits),
        }
    }

    /// Somebody saw that the device holds too few cards; no card left on record the software notices by itself.
    // INTERPRETATION 38: with every kind of device.
    fn exhausted(&mut self, left: Option<u16>) {
        let due = self.round().is_some_and(|round| round.due().is_some() && !round.shoe_awaited);
        let drawn = self.round().map_or(0, |round| round.order.len() - round.left_over().len());
        let needed = 4_usize.saturating_sub(drawn).max(1);
        let few = left.is_some_and(|left| usize::from(left) < needed);
        let holds = due && few && !self.first && !self.law.is_software();
        self.must(holds, FindingKind::WrongMatter, "an empty device is found, or seen to hold too few cards");
        self.open(Report::ShoeExhausted { left }, true, &Then::Waits);
    }

    /// Cards come out of turn, together or not; the first of them ends the time for bets.
    fn out_of_turn(&mut self, cards: &[Card], report: &Report) {
        let awaited = self.round().is_some_and(|round| round.shoe_awaited);
        self.in_turn(!awaited || cards.is_empty(), "the new shoe was not there");
        self.can_be_out(cards);
        if !cards.is_empty() && self.round().is_some_and(|round| round.bets_open) {
            self.close();
        }
        cards.iter().for_each(|card| self.out_of_shoe(*card, punto_record::Source::Keyed));
        self.due.then(Next::Open { report: report.clone(), holds: true, then: Then::Ruled });
        self.due.then(Next::TooMany(cards.to_vec()));
    }

    /// Cards come out at once between Rounds; their order is ruled (interpretation 35).
    fn early_together(&mut self, cards: &[Card], report: &Report) {
        self.can_be_out(cards);
        cards.iter().for_each(|card| self.out_of_shoe(*card, punto_record::Source::Keyed));
        self.due.then(Next::Together { cards: cards.to_vec(), report: report.clone() });
    }

    /// Cards of the record that left the shoe together lie one behind the other (interpretation 35).
    fn came_together(&mut self, cards: &[Card], places: &[u16]) {
        let Some(round) = self.table.round.as_ref() else { return };
        let at = |place: &u16| round.drawn.get(usize::from(*place).wrapping_sub(1));
        let drawn: Vec<_> = places.iter().filter_map(at).collect();
        let sound = drawn.len() == places.len()
            && drawn.iter().all(|it| !it.carried && it.seen.card().is_some() && it.shoe == drawn[0].shoe)
            && places.windows(2).all(|two| u32::from(two[0]) + 1 == u32::from(two[1]));
        let told = cards.is_empty() && places.len() > 1 && sound;
        self.must(told, FindingKind::WrongCard, "these cards did not leave the shoe together");
    }

    /// A wrong number of cards, which the cards themselves must show (interpretation 32).
    fn wrong_number(
        &mut self,
        hands: &BySide<Vec<Card>>,
        neither: &[Card],
        unread: &[Card],
        report: &Report,
    ) {
        let awaited = self.round().is_some_and(|round| round.shoe_awaited);
        self.in_turn(!awaited || unread.is_empty(), "the new shoe was not there");
        self.can_be_out(unread);
        let (recorded, counting) = match self.table.round.as_ref() {
            Some(round) => {
                let drawn = round.drawn.iter().filter_map(|dealt| dealt.seen.card());
                (drawn.collect(), round.order.clone())
            }
            None => (self.cards_before(), self.cards_before()),
        };
        let out: Vec<Card> = recorded.iter().chain(unread).copied().collect();
        let placed: Vec<Card> = [hands.player.as_slice(), hands.banker.as_slice(), neither].concat();
        let all = !out.is_empty() && Copies::of(&out) == Copies::of(&placed);
        self.must(all, FindingKind::WrongCard, "not every card has its one place in the report");
        let wrong = has_wrong_number(&[counting.as_slice(), unread].concat(), hands);
        self.must(wrong, FindingKind::WrongMatter, "both Hands had the right number of cards");
        if !unread.is_empty() && self.round().is_some_and(|round| round.bets_open) {
            self.close();
        }
        unread.iter().for_each(|card| self.out_of_shoe(*card, punto_record::Source::Keyed));
        if !unread.is_empty() && self.round().is_none() {
            let carried = self.table.carried.iter().chain(unread).copied().collect();
            self.due.push(Event::CardsOrdered { order: Vec::new(), carried });
        }
        self.due.then(Next::Open { report: report.clone(), holds: true, then: Then::Ruled });
        self.due.then(Next::AtFault(unread.to_vec()));
    }

    /// The cards of the Round just played that are still there: what it was settled by, and what is left over.
    pub(super) fn cards_before(&self) -> Vec<Card> {
        let settled = self.table.last.as_ref().map_or(&[][..], |last| &last.drawn);
        [settled, &self.table.carried].concat()
    }

    /// The Hands as they lie hold exactly the cards that are out.
    fn lie_so(&mut self, hands: &BySide<Vec<Card>>) {
        let out = |round: &Round| {
            let cards: Vec<Card> = round.drawn.iter().filter_map(|dealt| dealt.seen.card()).collect();
            !cards.is_empty() && Copies::of(&cards) == Copies::of(hands.player.iter().chain(&hands.banker))
        };
        let holds = self.round().is_some_and(out);
        self.must(holds, FindingKind::WrongCard, "the Hands hold other cards than are out");
    }

    /// An error noticed after the next Round commenced touches neither (interpretation 27).
    fn is_late(&mut self, round: RoundNo) {
        let table = self.table;
        let over = round < table.rounds || (table.round.is_none() && table.last.is_none());
        let holds = round > RoundNo(0) && round <= table.rounds && over;
        self.must(holds, FindingKind::WrongMatter, "the Round it is about was not over for good");
    }

    fn stands(&mut self, report: &Report) {
        let old = self.law.clause(report.kind(), false).cite.clone();
        let cite = if self.first { old } else { self.law.cite_in_time(report.kind(), false) };
        self.open(report.clone(), false, &Then::Stands(cite));
    }

    /// A result registered otherwise than the cards lie (5.15/5.14; electronic 5.6; interpretation 28).
    fn wrong_result(&mut self, round: RoundNo, report: &Report) {
        let clause = self.law.clause(IrregularityKind::WrongResult, true);
        let correctable = clause.found.is_some_and(|it| it.in_time == Some(Remedy::CorrectToCards));
        let stands = clause.found.is_some_and(|it| it.remedy == Remedy::Stand);
        if let Some(in_play) = self.round().filter(|it| it.no == round) {
            let betting = in_play.stage == Stage::Betting;
            self.in_turn(!betting, "bets are open");
            self.open(report.clone(), true, &Then::Waits);
            return;
        }
        let last = self.table.last.as_ref().filter(|last| last.no == round);
        let (settled, void) = (last.is_some_and(|it| it.settled), last.is_some_and(|it| !it.settled));
        if settled && correctable {
            self.open(report.clone(), true, &Then::Waits);
            return;
        }
        let known = round > RoundNo(0) && round <= self.table.rounds && !void;
        self.must(known, FindingKind::WrongMatter, "there was no such result");
        if stands {
            self.stands(report);
        } else {
            self.open(report.clone(), false, &Then::Waits);
        }
    }

    /// A matter is opened as the rule book has it.
    pub(super) fn open(&mut self, report: Report, holds: bool, then: &Then) {
        let clause = self.law.clause_of(&report, report.kind(), holds);
        let about_last =
            matches!(clause.kind, IrregularityKind::WrongNumberOfCards | IrregularityKind::WrongResult);
        let last = self.table.last.as_ref().filter(|_| about_last).map_or(&[][..], |last| &last.drawn);
        let cards = self.round().map_or(last, |round| &round.order);
        let established = !self.law.established(cards, &self.placed()).is_empty();
        let matter = MatterNo(self.table.matter_no.0.saturating_add(1));
        // Whether a wrong number can be reconstructed is decided as for cards in excess (interpretation 32).
        let is_number = clause.kind == IrregularityKind::WrongNumberOfCards && !self.first;
        let excess = self.law.clause(IrregularityKind::ExcessOrExposedCard, holds);
        let discretion = if is_number { excess.found } else { clause.found };
        let unread = if let Report::WrongNumberOfCards { unread, .. } = &report { unread.len() } else { 0 };
        let proposed = is_number.then_some(match unread {
            0 => RulingWord::Reconstruct,
            _ => RulingWord::Void,
        });
        let in_time = clause.in_time && clause.kind == IrregularityKind::WrongResult;
        let now = self.law.cite_in_time(clause.kind, in_time);
        let cite = if self.first || clause.read { clause.cite.clone() } else { now };
        let nobody_decides = clause.found.is_some_and(|it| it.decides.is_none());
        let is_claim = !self.first && (holds || !self.every_round_stands());
        let money_until = if is_claim { self.money_until(&report) } else { None };
        self.due.push(Event::MatterOpened {
            matter,
            kind: clause.kind,
            report,
            holds,
            cite,
            decides: clause.decides(),
            discretion: discretion.and_then(|it| it.discretion),
            second_person: clause.takes_two(),
            established,
            proposed,
            money_until,
        });
        match then {
            Then::Waits => {}
            Then::Ruled if nobody_decides => self.due.next.push_front(Next::ByTheRules(matter)),
            Then::Ruled => {}
            Then::Stands(cite) => {
                let (ruling, cite, reason) = (Ruling::Stand {}, cite.clone(), BY_THE_RULES.into());
                self.due.push(Event::Ruled {
                    matter,
                    ruling,
                    cite,
                    choice: false,
                    second: None,
                    reason,
                    departs: None,
                });
            }
        }
    }

    /// The cards that are said to be out can be: not fewer than were drawn, no copy too many, no more left over.
    pub(super) fn can_be_the_cards(&mut self, cards: &[Card]) {
        let (Some(round), Some(shoe)) = (self.table.round.as_ref(), self.table.shoe.as_ref()) else { return };
        let known = round.drawn.iter().filter(|dealt| !matches!(dealt.seen, Seen::Foreign(_))).count();
        let mut dealt = shoe.dealt.clone();
        let of_shoe = |dealt: &&super::round::Dealt| dealt.shoe == round.shoe;
        let counted = round.drawn.iter().filter(of_shoe).filter_map(|dealt| dealt.seen.card());
        counted.for_each(|card| dealt.remove(card));
        let of_others = round.drawn.iter().take_while(|dealt| !of_shoe(dealt)).count();
        cards.iter().skip(of_others).for_each(|card| dealt.add(*card));
        let decks = u32::from(self.law.settings.decks);
        let fits = cards.iter().all(|card| dealt.get(*card) <= decks);
        let left_over = punto_rules::reconstruct(cards).1.len();
        let holds = fits && !cards.is_empty() && cards.len() >= known && left_over <= round.left_over().len();
        self.must(holds, FindingKind::WrongCard, "these cannot be the cards that were out");
    }
}

/// Whether a Hand has another number of cards than it is dealt with the cards in this order.
pub(super) fn has_wrong_number(order: &[Card], hands: &BySide<Vec<Card>>) -> bool {
    let (deal, _) = reconstruct(order);
    Side::BOTH.iter().any(|side| deal.hands()[*side].cards().len() != hands[*side].len())
}

/// Whether a report claims something about the cards that the House knows by itself where they are software's.
const fn is_about_cards(report: &Report) -> bool {
    matches!(
        report,
        Report::ForeignCard { .. }
            | Report::ShortageOrExcess { .. }
            | Report::WrongNumberOfCards { .. }
            | Report::NotShuffled {}
            | Report::ExcessOrExposedCard { .. }
            | Report::WrongSide { .. }
            | Report::SimultaneousDraw { .. }
    )
}
