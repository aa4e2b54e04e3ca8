//! What an observed table does about limits that are broken, once it was shown them: 5.1, 5.2 and interpretation 49.

use punto_record::{BoxNo, Event};
use punto_rules::{BetId, Cite, Flag, IrregularityKind, Money, PatronNo};

use super::Look;
use super::round::{Key, Round, Standing};
use crate::finding::FindingKind;

impl Look<'_> {
    /// What of a wager is outside its limits, and by which paragraph its owner is told.
    fn outside(&self, key: &Key, standing: &Standing) -> Option<(Money, Cite)> {
        let (law, stake) = (self.law, standing.stake);
        if let (Some(_), Some(limits)) = (standing.side, law.terms.box_limits()) {
            let clause = law.rulebook.irregularity(IrregularityKind::UnderMinimum)?;
            let told = clause.in_time.is_some() && stake < limits.minimum;
            return told.then(|| (stake, clause.cite.clone()));
        }
        let range = law.terms.range(law.terms.bet_no(key.bet.as_str())?)?;
        let back = if stake < range.minimum { stake } else { stake.less(range.maximum) };
        (!back.is_zero()).then(|| (back, Cite::interpretation(49)))
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
        let outside: Vec<(Key, Standing, Money)> =
            wagers.filter_map(|(key, it)| Some((key.clone(), *it, self.outside(key, it)?.0))).collect();
        for (key, standing, amount) in outside {
            let Some(box_no) = key.box_no else { continue };
            round.take(&key, amount);
            let (patron, side, stake) = (key.patron, standing.side, standing.stake.less(amount));
            let cite = Cite::interpretation(49);
            self.due.push(Event::WagerReturned { patron, box_no, bet: key.bet, side, amount, stake, cite });
            self.keep([(patron, amount)]);
        }
        let Some(limits) = self.law.terms.box_limits().filter(|_| self.rejects()) else { return };
        for (box_no, mut betting_box) in round.boxes.clone() {
            let trims = betting_box.close(limits);
            self.push_trims(box_no, &betting_box, &trims);
            self.keep(trims.iter().map(|trim| (trim.patron, trim.amount)));
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
