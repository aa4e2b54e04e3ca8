//! The patrons' choice after a dealing error (5.13/5.12): continue, or take every bet back.

use std::collections::BTreeSet;

use punto_record::{Choice, Event};
use punto_rules::PatronNo;

use super::Look;
use super::round::{Round, Stage};
use crate::finding::FindingKind;

impl Look<'_> {
    /// Everything is ruled: the patrons are asked, or the Round goes on.
    // INTERPRETATION 25: first the ruling, then the choices, then the cards. While bets are open nobody is asked.
    pub(super) fn resume(&mut self) {
        let Some(round) = self.table.round.as_ref() else { return };
        let asked: BTreeSet<PatronNo> = if round.bets_open {
            BTreeSet::new()
        } else if !self.first {
            self.entitled()
        } else if round.choice {
            round.wagers.keys().map(|key| key.patron).collect()
        } else {
            // Who was being asked before and had not answered.
            round.waiting.iter().copied().filter(|patron| round.bets(*patron)).collect()
        };
        if asked.is_empty() {
            let closes_at = self.closes_anew().filter(|_| round.bets_open);
            self.due.push(Event::PlayResumed { closes_at });
            return;
        }
        self.offer(asked);
    }

    fn offer(&mut self, asked: BTreeSet<PatronNo>) {
        self.due.push(Event::ChoiceOffered {
            until: self.at.plus_seconds(self.law.settings.choice_seconds),
            patrons: asked.into_iter().collect(),
            cite: self.law.rulebook.conduct.patrons_choice.clone(),
        });
    }

    /// When bets close that are open again after the table was held; the first release let their time run on.
    fn closes_anew(&self) -> Option<punto_record::Timestamp> {
        (!self.first).then(|| self.at.plus_seconds(self.law.settings.betting_seconds))
    }

    /// Who has a choice that is not made.
    fn entitled(&self) -> BTreeSet<PatronNo> {
        self.round().into_iter().flat_map(|round| round.rights.keys()).map(|key| key.patron).collect()
    }

    /// Bets closed, or an interruption is over: who has a choice is asked, with the full time.
    // INTERPRETATION 34: before another card.
    pub(super) fn choices(&mut self) {
        let Some(round) = self.table.round.as_ref().filter(|_| !self.first) else { return };
        let asked = self.entitled();
        if round.stage == Stage::Betting {
            self.due.push(Event::PlayResumed { closes_at: self.closes_anew() });
        }
        if matches!(round.stage, Stage::Dealing | Stage::Choosing) && !asked.is_empty() {
            self.offer(asked);
        }
    }

    pub(super) fn choose(&mut self, patron: PatronNo, choice: Choice) {
        // INTERPRETATION 34: where the Dealer records choices the clock only prompts.
        self.patrons_own(patron);
        let prompts = self.law.is_chips() && !self.first;
        let waits = |round: &Round| round.waiting.contains(&patron) && (prompts || self.at < round.until);
        let holds = self.is_stage(Stage::Choosing) && self.round().is_some_and(waits);
        self.must(holds, FindingKind::WrongChoice, "this patron had nothing to choose, or too late");
        let returns = match choice {
            Choice::Continue => Vec::new(),
            Choice::TakeBack if self.first => {
                self.round().map_or_else(Vec::new, |round| round.returns(Some(patron)))
            }
            Choice::TakeBack => self.round().map_or_else(Vec::new, |round| round.taken_back(patron)),
        };
        let back: Vec<_> = returns.iter().map(|it| (it.patron, it.amount)).collect();
        self.due.push(Event::ChoiceMade { patron, choice, silent: false, returns });
        self.keep(self.table.rounds, back);
    }

    /// The time is up: who has not answered continues.
    pub(super) fn close_choices(&mut self) {
        let over = self.round().is_some_and(|round| self.at >= round.until);
        let by_clock = self.order.by == punto_record::Actor::House;
        let may = self.first || !by_clock || !self.law.is_chips();
        self.must(may, FindingKind::NotPermitted, "the clock ended choices that the Dealer records");
        self.must(self.is_stage(Stage::Choosing) && over, FindingKind::WrongChoice, "the time was not up");
        let waiting: Vec<PatronNo> =
            self.round().map_or_else(Vec::new, |it| it.waiting.iter().copied().collect());
        for patron in waiting {
            let (choice, returns) = (Choice::Continue, Vec::new());
            self.due.push(Event::ChoiceMade { patron, choice, silent: true, returns });
        }
    }
}
