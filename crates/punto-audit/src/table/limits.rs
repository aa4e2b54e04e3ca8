//! What an observed table does about limits that are broken, once it was shown them: 5.1, 5.2 and interpretation 49.

use std::collections::BTreeMap;

use punto_record::{BoxNo, Event};
use punto_rules::{BetId, BoxLimits, Cite, Flag, IrregularityKind, Money, PatronNo, Range};

use super::Look;
use super::round::{Key, Round, Standing};
use crate::finding::FindingKind;
use crate::law::Law;

impl Look<'_> {
    /// Other limits are announced, whole: what the order leaves out stays as it is.
    pub(super) fn change_limits(
        &mut self,
        betting_box: Option<BoxLimits>,
        bets: &BTreeMap<BetId, Range>,
        other_bets: Option<Range>,
    ) {
        let now = &self.law.settings;
        let ranges = now.bets.iter().map(|(bet, range)| (bet.clone(), other_bets.unwrap_or(*range)));
        let mut settings = now.clone();
        settings.bets = ranges.chain(bets.clone()).collect();
        settings.betting_box = betting_box.or(now.betting_box);
        if let Err(why) = Law::new(self.law.rulebook.clone(), &settings) {
            self.say(FindingKind::WrongSettings, &why);
        }
        let is_same = (settings.betting_box, &settings.bets) == (now.betting_box, &now.bets);
        let changes = !is_same || self.table.announced.is_some();
        self.must(changes, FindingKind::WrongSettings, "the limits in force were announced");
        let from = self.at.plus_seconds(now.limits_notice_seconds);
        let (betting_box, bets, cite) = (settings.betting_box, settings.bets, Cite::interpretation(48));
        self.due.push(Event::LimitsAnnounced { betting_box, bets, from, cite });
    }

    /// Before bets open, limits announced long enough ago come into force.
    pub(super) fn announced_limits(&mut self) {
        if let Some(((betting_box, bets), from)) = self.table.announced.clone()
            && self.at >= from
        {
            let cite = Cite::interpretation(48);
            self.due.push(Event::LimitsChanged { betting_box, bets, cite });
        }
    }

    /// What of a wager is outside its limits, and by which paragraph its owner is told.
    fn outside(&self, key: &Key, standing: &Standing) -> Option<(Money, Cite)> {
        let (law, stake) = (self.law, standing.stake);
        // INTERPRETATION 51: of what is within its limits, what is no whole unit cannot play.
        let odd = Money::new(stake.get() % law.terms.unit().get()).filter(|it| !it.is_zero());
        let odd = odd.map(|it| (it, Cite::interpretation(51)));
        if let (Some(_), Some(limits)) = (standing.side, law.terms.box_limits()) {
            let clause = law.rulebook.irregularity(IrregularityKind::UnderMinimum);
            let clause = clause.filter(|it| it.in_time.is_some() && stake < limits.minimum);
            return clause.map(|clause| (stake, clause.cite.clone())).or(odd);
        }
        let Some(range) = law.terms.bet_no(key.bet.as_str()).and_then(|bet| law.terms.range(bet)) else {
            return odd;
        };
        let back = if stake < range.minimum { stake } else { stake.less(range.maximum) };
        if back.is_zero() { odd } else { Some((back, Cite::interpretation(49))) }
    }

    fn rejects(&self) -> bool {
        let clause = self.law.rulebook.irregularity(IrregularityKind::OverDifferential);
        clause.is_some_and(|it| it.in_time.is_some())
    }

    /// Bets are closed by word only once everything that breaks a limit has been dealt with.
    pub(super) fn nothing_noticed(&mut self) {
        let Some(round) = self.table.round.as_ref().filter(|_| !self.first && !self.law.is_enforced()) else {
            return;
        };
        let limits = self.law.terms.box_limits().filter(|_| self.rejects());
        let over = |flag: &Flag| matches!(flag, Flag::OverDifferential { .. });
        let is_over =
            limits.is_some_and(|it| round.boxes.values().any(|box_| box_.flags(it).iter().any(over)));
        let told = |(key, it): (&Key, &Standing)| it.advised || self.outside(key, it).is_none();
        let all_told = round.wagers.iter().all(told);
        let words = "bets were closed over a limit that the console showed to be broken";
        self.must(!is_over && all_told, FindingKind::WrongTime, words);
    }

    pub(super) fn advise(&mut self, patron: PatronNo, box_no: BoxNo, bet: &BetId) {
        self.in_turn(self.is_stage(super::round::Stage::Betting), "bets are not open");
        self.must(!self.law.is_enforced(), FindingKind::WrongTrim, "only an observed table has to advise");
        let key = Key { patron, box_no: Some(box_no), bet: bet.clone() };
        let standing = self.round().and_then(|round| round.wagers.get(&key).copied());
        let Some((standing, cite)) = standing.and_then(|it| Some((it, self.outside(&key, &it)?.1))) else {
            self.say(FindingKind::WrongTrim, "advised of a bet that is within its limits");
            return;
        };
        self.due.push(Event::PatronAdvised { patron, box_no, bet: key.bet, stake: standing.stake, cite });
    }

    /// When bets close, what was noticed and breaks a limit goes back.
    pub(super) fn put_right(&mut self, round: &mut Round) {
        let wagers = round.in_order().into_iter();
        let outside: Vec<(Key, Standing, (Money, Cite))> =
            wagers.filter_map(|(key, it)| Some((key.clone(), *it, self.outside(key, it)?))).collect();
        for (key, standing, (amount, told)) in outside {
            let Some(box_no) = key.box_no else { continue };
            round.take(&key, amount);
            let (patron, side, stake) = (key.patron, standing.side, standing.stake.less(amount));
            let odd = Cite::interpretation(51);
            let cite = if told == odd { odd } else { Cite::interpretation(49) };
            self.due.push(Event::WagerReturned { patron, box_no, bet: key.bet, side, amount, stake, cite });
            self.keep(self.table.rounds, [(patron, amount)]);
        }
        let Some(limits) = self.law.terms.box_limits().filter(|_| self.rejects()) else { return };
        for (box_no, mut betting_box) in round.boxes.clone() {
            betting_box.join_odd_layers(self.law.terms.unit());
            let trims = betting_box.close(limits);
            self.push_trims(box_no, &betting_box, &trims);
            self.keep(self.table.rounds, trims.iter().map(|trim| (trim.patron, trim.amount)));
            for trim in &trims {
                let bet = self.law.original(trim.side).cloned();
                let key = bet.map(|bet| Key { patron: trim.patron, box_no: Some(box_no), bet });
                key.iter().for_each(|key| {
                    round.take(key, trim.amount);
                });
            }
        }
    }
}
