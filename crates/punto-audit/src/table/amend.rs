//! The record amended to what lay on the felt at close: 5.14/5.13 and interpretations 18 and 51.

use std::collections::BTreeMap;
use std::sync::Arc;

use punto_record::{BoxNo, Event, Person};
use punto_rules::{BetId, IrregularityKind, Money, PatronNo, Stance};

use super::Look;
use super::bets::of_box;
use super::books::amount;
use super::dues::Next;
use super::round::{Key, Last, Round, Stage};
use super::settlement::{lines, outcome};
use crate::finding::FindingKind;

/// Whose chips lay where, and how many.
type Chips<'a> = (PatronNo, BoxNo, Stance, &'a BetId, Money);

impl Look<'_> {
    pub(super) fn amend(
        &mut self,
        chips: Chips<'_>,
        surveillance: Option<&Arc<str>>,
        second: Option<&Person>,
    ) {
        let (patron, box_no, stance, bet, stake) = chips;
        let untouched = |round: &Round| round.drawn.iter().all(|dealt| dealt.carried);
        if self.is_stage(Stage::Dealing) && self.round().is_some_and(untouched) {
            self.chips(patron, box_no, stance, bet, stake);
            return self.amend_in_play(chips, None, None);
        }
        // INTERPRETATION 51: after the first card with a recording and a second person.
        self.in_turn(!self.first, "wagers are amended between the close of bets and the first card");
        let shown = surveillance.is_some_and(|it| !it.trim().is_empty());
        self.must(shown, FindingKind::NoReason, "chips amended after a card, and no recording shows them");
        let other = second.is_some_and(|it| Some(it) != self.order.by.person());
        self.must(other, FindingKind::SecondPerson, "a second person must agree");
        match self.table.last.clone().filter(|last| last.settled && self.table.round.is_none()) {
            Some(last) => self.amend_settled(&last, chips, surveillance, second),
            None => {
                let stages = [Stage::Dealing, Stage::Unread, Stage::Confirming];
                let may = stages.into_iter().any(|stage| self.is_stage(stage));
                self.in_turn(may, "wagers are amended from the close of bets until the next Round");
                self.chips(patron, box_no, stance, bet, stake);
                self.amend_in_play(chips, surveillance, second);
            }
        }
    }

    fn amend_in_play(
        &mut self,
        (patron, box_no, stance, bet, stake): Chips<'_>,
        surveillance: Option<&Arc<str>>,
        second: Option<&Person>,
    ) {
        let law = self.law;
        let side = law.terms.bet_no(bet.as_str()).and_then(|no| law.terms.bet(no).original);
        let mut wagers = self.round().map_or_else(Vec::new, |round| of_box(round, box_no));
        match wagers.iter_mut().find(|(key, _)| key.patron == patron && key.bet == *bet) {
            Some(wager) => wager.1 = stake,
            None => wagers.push((Key { patron, box_no: Some(box_no), bet: bet.clone() }, stake)),
        }
        wagers.retain(|(_, stake)| !stake.is_zero());
        let trims = law.is_enforced() && surveillance.is_none();
        let parts = if trims { Vec::new() } else { self.parts(box_no, &wagers) };
        let pro_rata = law.cite(IrregularityKind::OverDifferential);
        self.due.push(Event::WagerAmended {
            patron,
            box_no,
            stance,
            bet: bet.clone(),
            side,
            stake,
            // The first release did not say by which paragraph.
            parts_cite: pro_rata.filter(|_| !self.first && !parts.is_empty()).cloned(),
            parts,
            cite: law.rulebook.conduct.chips_at_close.clone().unwrap_or(law.uncovered().clone()),
            surveillance: surveillance.cloned(),
            second: second.cloned(),
        });
        if trims {
            self.due.then(Next::Trim(box_no));
        }
    }

    /// The Round just settled, settled anew with the chips as they lay.
    fn amend_settled(
        &mut self,
        last: &Last,
        (patron, box_no, stance, bet, stake): Chips<'_>,
        surveillance: Option<&Arc<str>>,
        second: Option<&Person>,
    ) {
        self.chips_kept();
        self.float_open();
        let key = Key { patron, box_no: Some(box_no), bet: bet.clone() };
        let key_of = |line: &punto_record::SettledLine| Key {
            patron: line.patron,
            box_no: line.box_no,
            bet: line.bet.clone(),
        };
        let mut stakes: Vec<(Key, Money, Money)> =
            last.lines.iter().map(|line| (key_of(line), line.stake, line.playing)).collect();
        let before = stakes.iter().find(|(it, ..)| *it == key).map_or(Money::ZERO, |it| it.1);
        self.must(before != stake, FindingKind::WrongWager, "the same chips were recorded again");
        match stakes.iter().position(|(it, ..)| *it == key) {
            Some(at) => stakes[at].1 = stake,
            None => {
                let at = stakes.iter().take_while(|(it, ..)| it.box_no <= key.box_no).count();
                stakes.insert(at, (key, stake, stake));
            }
        }
        stakes.retain(|(_, stake, _)| !stake.is_zero());
        let here = stakes.iter().filter(|(it, ..)| it.box_no == Some(box_no));
        let here: Vec<(Key, Money)> = here.map(|(it, stake, _)| (it.clone(), *stake)).collect();
        let parts = self.parts(box_no, &here);
        for (it, stake, playing) in stakes.iter_mut().filter(|(it, ..)| it.box_no == Some(box_no)) {
            let part = parts.iter().find(|part| part.patron == it.patron && part.bet == it.bet);
            *playing = part.map_or(*stake, |part| part.playing);
        }
        let settled =
            outcome(&last.drawn).and_then(|it| Some((lines(self.law, stakes.into_iter(), &it)?, it)));
        let Some(((lines, house), outcome)) = settled else {
            self.say(FindingKind::WrongCorrection, "wagers that the rules cannot settle");
            return;
        };
        let mut due: BTreeMap<PatronNo, i128> = BTreeMap::new();
        for (lines, sign) in [(&lines, 1), (&last.lines, -1)] {
            for line in lines {
                *due.entry(line.patron).or_default() += sign * (amount(line.to_patron) - amount(line.stake));
            }
        }
        let changes = self.changes(last.no, &due);
        let paid: Vec<_> = changes.iter().map(|it| (it.patron, it.paid)).collect();
        let law = self.law;
        self.due.push(Event::RoundAmended {
            round: last.no,
            patron,
            box_no,
            stance,
            bet: bet.clone(),
            stake,
            result: punto_record::RoundResult::of(&last.drawn, &outcome),
            lines,
            house,
            changes,
            surveillance: surveillance.cloned().unwrap_or_else(|| "".into()),
            second: second.cloned(),
            cite: law.rulebook.conduct.chips_at_close.clone().unwrap_or(law.uncovered().clone()),
        });
        self.keep(last.no, paid);
    }
}
