//! Wagers, their limits, and what gives way: 3.4, 5.1, 5.2 and interpretations 11 to 15.

use punto_record::{BoxNo, Command, Event, Part};
use punto_rules::{
    BetId, BetNo, BettingBox, Cite, Flag, IrregularityKind, Layer, Money, PatronNo, Refusal, Remedy, Side,
    Stance, Trim, Wager, fix_playing,
};

use super::Look;
use super::books::amount;
use super::round::{Key, Round, Stage};
use crate::finding::FindingKind;
use crate::law::Law;

impl Look<'_> {
    /// Bets are open, and on the electronic game the clock has not closed them (interpretation 18).
    fn in_time(&mut self) {
        self.must(self.is_stage(Stage::Betting), FindingKind::WrongTime, "bets are not open");
        let over = self.round().is_some_and(|round| self.at >= round.closes_at);
        self.must(!(self.law.is_electronic() && over), FindingKind::WrongTime, "the time for bets was over");
    }

    /// A bet of the layout, in a box of the table, in whole units, by somebody who sits or stands there.
    fn is_wager(&mut self, key: &Key, stance: Option<Stance>, stake: Money) -> Option<BetNo> {
        let Some(no) = self.law.terms.bet_no(key.bet.as_str()) else {
            self.say(FindingKind::WrongWager, "the layout does not offer this bet");
            return None;
        };
        // INTERPRETATION 51: chips on an observed felt are recorded as they lie while bets are open.
        let as_it_lies = !self.first
            && self.is_stage(Stage::Betting)
            && matches!(self.order.command, Command::RecordChips { .. });
        let whole = as_it_lies || stake.is_whole(self.law.terms.unit());
        self.must(whole, FindingKind::WrongWager, "not whole chip units");
        let in_box = match (self.law.settings.boxes, key.box_no, stance) {
            (None, None, None) => true,
            (Some(boxes), Some(BoxNo(no)), Some(_)) => no >= 1 && no <= boxes,
            (Some(_) | None, Some(_) | None, Some(_) | None) => false,
        };
        self.must(in_box, FindingKind::WrongWager, "no such box at this table");
        if let (Some(round), Some(box_no), Some(stance)) = (self.table.round.as_ref(), key.box_no, stance) {
            let taken = stance == Stance::Seated && round.seated(box_no).is_some_and(|it| it != key.patron);
            let mut own = round.of(key.patron).filter(|(other, _)| other.box_no == key.box_no);
            let other_stance = own.any(|(_, standing)| standing.stance != Some(stance));
            self.must(!taken, FindingKind::WrongWager, "another Seated Player has the box");
            self.must(!other_stance, FindingKind::WrongWager, "seated and standing at one box");
        }
        Some(no)
    }

    pub(super) fn place(
        &mut self,
        patron: PatronNo,
        box_no: Option<BoxNo>,
        stance: Option<Stance>,
        bet: &BetId,
        stake: Money,
    ) {
        self.in_time();
        let by_patron = self.order.by.patron().is_some();
        self.must(!by_patron || !self.law.is_chips(), FindingKind::WrongWager, "chips are moved by hand");
        let key = Key { patron, box_no, bet: bet.clone() };
        self.must(!stake.is_zero(), FindingKind::WrongWager, "a stake of nothing");
        let Some(no) = self.is_wager(&key, stance, stake) else { return };
        let Some(round) = self.table.round.as_ref() else { return };
        let before = round.stake(&key);
        let side = self.law.terms.bet(no).original;
        if !self.law.is_chips() {
            let enough = amount(stake) <= self.table.books.account(patron).credits;
            self.must(enough, FindingKind::WrongCredits, "a stake of more than the credits that were there");
        }
        let placed_by = self.order.by.person().cloned();
        let cite = placed_by.as_ref().and(self.law.rulebook.conduct.pit_employee_bets.clone());
        let total = before.plus(stake).unwrap_or(Money::MAX);
        self.due.push(Event::WagerRegistered {
            patron,
            box_no,
            stance,
            bet: bet.clone(),
            side,
            amount: stake,
            stake: total,
            placed_by,
            cite,
        });
        if self.law.is_enforced() {
            self.within_limits(round, &key, stance, no, before, stake);
        } else if let Some(box_no) = box_no {
            self.flags_after(patron, box_no, bet, side, stance, total);
        }
    }

    /// Minimum and Differential of a box, or the range of the bet (interpretation 13).
    fn within_limits(
        &mut self,
        round: &Round,
        key: &Key,
        stance: Option<Stance>,
        no: BetNo,
        before: Money,
        stake: Money,
    ) {
        let law = self.law;
        let side = law.terms.bet(no).original;
        let limits = &law.rulebook.limits.cite;
        if let (Some(box_no), Some(stance), Some(side), Some(of_box)) =
            (key.box_no, stance, side, law.terms.box_limits())
        {
            if stake.is_zero() {
                return;
            }
            let empty = BettingBox::default();
            let betting_box = round.boxes.get(&box_no).unwrap_or(&empty);
            let layer = Layer { patron: key.patron, stance, side, amount: stake };
            match betting_box.check(layer, of_box) {
                Ok(false) => {}
                Ok(true) => {
                    let mut after = betting_box.clone();
                    let trims = after.place(layer, of_box).unwrap_or_default();
                    self.push_trims(box_no, &after, &trims);
                }
                Err(Refusal::SeatTaken | Refusal::OtherStance) => {}
                Err(refusal @ (Refusal::UnderMinimum { .. } | Refusal::OverDifferential { .. })) => {
                    let cite = law.cite(IrregularityKind::OverDifferential).unwrap_or(limits);
                    self.out.cited(FindingKind::OverLimits, refusal.to_string(), Some(cite));
                }
            }
            return;
        }
        let total = amount(before) + amount(stake);
        let within =
            |range: punto_rules::Range| total >= amount(range.minimum) && total <= amount(range.maximum);
        if !law.terms.range(no).is_none_or(within) {
            self.out.cited(
                FindingKind::OverLimits,
                "outside the minimum and maximum of the bet",
                Some(limits),
            );
        }
    }

    pub(super) fn push_trims(&mut self, box_no: BoxNo, after: &BettingBox, trims: &[Trim]) {
        let law = self.law;
        let cite = law.cite(IrregularityKind::OverDifferential).unwrap_or(&law.rulebook.limits.cite);
        for trim in trims {
            let Some(bet) = law.original(trim.side) else { continue };
            self.due.push(Event::WagerTrimmed {
                patron: trim.patron,
                box_no,
                bet: bet.clone(),
                side: trim.side,
                amount: trim.amount,
                stake: after.stake(trim.patron, trim.side),
                cite: cite.clone(),
            });
        }
    }

    /// A box is taken back to its Differential: Standing first, then Seated, latest first.
    pub(super) fn trim(&mut self, box_no: BoxNo) {
        let (Some(round), Some(limits)) = (self.table.round.as_ref(), self.law.terms.box_limits()) else {
            return;
        };
        let mut after = round.boxes.get(&box_no).cloned().unwrap_or_default();
        after.join_odd_layers(self.law.terms.unit());
        let trims = after.close(limits);
        self.push_trims(box_no, &after, &trims);
        self.keep(self.table.rounds, trims.iter().map(|trim| (trim.patron, trim.amount)));
    }

    /// What a patron does at a terminal, staff record only while it is down, from Pit Supervisor up (interpretation 42).
    pub(super) fn patrons_own(&mut self, patron: PatronNo) {
        let Some(post) = self.order.by.post() else { return };
        let down = self.table.books.account(patron).lost && post >= punto_rules::Post::PitSupervisor;
        let may = self.first || self.law.is_chips() || down;
        self.must(may, FindingKind::NotPermitted, "staff withdrew or chose for a patron with a terminal");
    }

    pub(super) fn withdraw(
        &mut self,
        patron: PatronNo,
        box_no: Option<BoxNo>,
        bet: &BetId,
        asked: Option<Money>,
    ) {
        self.in_time();
        self.patrons_own(patron);
        let key = Key { patron, box_no, bet: bet.clone() };
        let standing = self.round().and_then(|round| round.wagers.get(&key).copied());
        let Some(standing) = standing else {
            self.say(FindingKind::WrongWager, "there was no such wager to withdraw");
            return;
        };
        let amount = asked.unwrap_or(standing.stake);
        let unit = self.law.terms.unit();
        let whole = amount.is_whole(unit) || (!self.first && standing.stake.less(amount).is_whole(unit));
        let holds = !amount.is_zero() && amount <= standing.stake && whole;
        self.must(holds, FindingKind::WrongWager, "more was withdrawn than stood, or no whole units");
        let stake = standing.stake.less(amount);
        if let (true, Some(no)) = (self.law.is_enforced(), self.law.terms.bet_no(bet.as_str())) {
            let minimum = match (standing.side, self.law.terms.box_limits()) {
                (Some(_), Some(limits)) => limits.minimum,
                (Some(_) | None, Some(_) | None) => {
                    self.law.terms.range(no).map_or(Money::ZERO, |range| range.minimum)
                }
            };
            let left = stake.is_zero() || stake >= minimum;
            self.must(left, FindingKind::OverLimits, "what a withdrawal left is below the minimum");
        }
        let side = standing.side;
        self.due.push(Event::WagerWithdrawn { patron, box_no, bet: key.bet, side, amount, stake });
        self.keep(self.table.rounds, [(patron, amount)]);
        if let (false, Some(box_no)) = (self.law.is_enforced(), box_no) {
            self.flags_after(patron, box_no, bet, side, standing.stance, stake);
        }
    }

    /// Chips on the felt of a chip table.
    pub(super) fn chips(
        &mut self,
        patron: PatronNo,
        box_no: BoxNo,
        stance: Stance,
        bet: &BetId,
        stake: Money,
    ) {
        self.must(self.law.is_chips(), FindingKind::WrongWager, "a table with credits has no chips");
        let key = Key { patron, box_no: Some(box_no), bet: bet.clone() };
        self.is_wager(&key, Some(stance), stake);
        let before = self.round().map_or(Money::ZERO, |round| round.stake(&key));
        self.must(before != stake, FindingKind::WrongWager, "the same chips were recorded again");
    }

    /// What breaks a limit once this stake stands, on a table that observes (interpretation 14).
    pub(super) fn flags_after(
        &mut self,
        patron: PatronNo,
        box_no: BoxNo,
        bet: &BetId,
        side: Option<Side>,
        stance: Option<Stance>,
        stake: Money,
    ) {
        let law = self.law;
        let (Some(no), Some(round)) = (law.terms.bet_no(bet.as_str()), self.table.round.as_ref()) else {
            return;
        };
        if self.law.is_enforced() {
            return;
        }
        match (side, law.terms.range(no)) {
            (Some(side), _) => {
                let Some(limits) = law.terms.box_limits() else { return };
                let key = Key { patron, box_no: Some(box_no), bet: bet.clone() };
                let before = round.stake(&key);
                let mut after = round.boxes.get(&box_no).cloned().unwrap_or_default();
                let stance = round.wagers.get(&key).and_then(|it| it.stance).or(stance);
                match (stake.minus(before), stance) {
                    (Some(more), Some(stance)) => {
                        let layer = Layer { patron, stance, side, amount: more };
                        if after.record(layer).is_err() {
                            return;
                        }
                    }
                    (Some(_), None) => {}
                    (None, Some(_) | None) => {
                        after.withdraw(patron, side, before.less(stake));
                    }
                }
                let (flags, cites) = flags(law, &after, limits);
                if !flags.is_empty() {
                    self.due.push(Event::LimitsFlagged { box_no, flags, cites });
                }
            }
            (None, Some(range)) => {
                if !stake.is_zero() && !(range.minimum..=range.maximum).contains(&stake) {
                    let (minimum, maximum) = (range.minimum, range.maximum);
                    let (bet, cite) = (bet.clone(), law.rulebook.limits.cite.clone());
                    self.due.push(Event::SideBetFlagged {
                        patron,
                        box_no,
                        bet,
                        stake,
                        minimum,
                        maximum,
                        cite,
                    });
                }
            }
            (None, None) => {}
        }
        let unit = law.terms.unit();
        if !self.first && !stake.is_whole(unit) {
            let (bet, cite) = (bet.clone(), Cite::interpretation(51));
            self.due.push(Event::StackFlagged { patron, box_no, bet, stake, unit, cite });
        }
    }

    /// Bets close: enforced boxes are trimmed; of observed ones, what was noticed goes back and the rest is apportioned.
    pub(super) fn close(&mut self) {
        let Some(mut round) = self.table.round.clone() else { return };
        let law = self.law;
        let boxes: Vec<BoxNo> = round.boxes.keys().copied().collect();
        let mut parts = Vec::new();
        if law.is_enforced() {
            boxes.iter().for_each(|box_no| self.trim(*box_no));
        } else {
            // The first release knew of no notice (interpretation 49).
            if !self.first {
                self.put_right(&mut round);
            }
            parts = boxes.iter().flat_map(|no| self.parts(*no, &of_box(&round, *no))).collect();
        }
        let pro_rata = law.cite(IrregularityKind::OverDifferential);
        self.due.push(Event::BetsClosed {
            round: round.no,
            parts_cite: pro_rata.filter(|_| !parts.is_empty()).cloned(),
            parts,
            cite: law.rulebook.play.close_bets.clone(),
            chips_cite: law.rulebook.conduct.chips_at_close.clone(),
        });
    }

    /// How much of each wager of a box plays, where it is not all (5.1.1, 5.1.2; interpretation 15).
    pub(super) fn parts(&self, box_no: BoxNo, wagers: &[(Key, Money)]) -> Vec<Part> {
        let law = self.law;
        let remedy = law.rulebook.irregularity(IrregularityKind::OverDifferential).map(|it| it.remedy);
        if remedy != Some(Remedy::ProRata) || law.terms.box_limits().is_none() {
            return Vec::new();
        }
        let placed: Option<Vec<Wager>> = wagers
            .iter()
            .map(|(key, stake)| Some(Wager::new(law.terms.bet_no(key.bet.as_str())?, *stake)))
            .collect();
        let total: i128 = wagers.iter().map(|(_, stake)| amount(*stake)).sum();
        let whole = wagers.iter().all(|(_, stake)| stake.is_whole(law.terms.unit()));
        // What the rules cannot share out was said when it was recorded.
        let Some(mut placed) = placed.filter(|_| whole && total <= amount(Money::MAX)) else {
            return Vec::new();
        };
        fix_playing(&law.terms, &mut placed);
        let shares = wagers.iter().zip(&placed).filter(|(_, wager)| wager.playing != wager.stake);
        let part = |((key, _), wager): (&(Key, Money), &Wager)| Part {
            patron: key.patron,
            box_no,
            bet: key.bet.clone(),
            playing: wager.playing,
        };
        shares.map(part).collect()
    }
}

/// The wagers of a box in the order in which they were first placed.
pub(super) fn of_box(round: &Round, box_no: BoxNo) -> Vec<(Key, Money)> {
    let here = round.in_order().into_iter().filter(|(key, _)| key.box_no == Some(box_no));
    here.map(|(key, standing)| (key.clone(), standing.stake)).collect()
}

/// What breaks a limit of a box while there is time to put it right, and by which paragraphs.
fn flags(
    law: &Law,
    betting_box: &BettingBox,
    limits: punto_rules::BoxLimits,
) -> (Vec<Flag>, Vec<punto_rules::Cite>) {
    let in_time = |flag: &Flag| {
        let kind = match flag {
            Flag::OverDifferential { .. } => IrregularityKind::OverDifferential,
            Flag::UnderMinimum { .. } => IrregularityKind::UnderMinimum,
        };
        let clause = law.rulebook.irregularity(kind)?;
        clause.in_time.map(|_| clause.cite.clone())
    };
    let found = betting_box.flags(limits).into_iter().filter_map(|flag| Some((flag, in_time(&flag)?)));
    found.unzip()
}
