//! Payouts that are held (interpretation 51), worked out again.

use std::collections::BTreeMap;
use std::sync::Arc;

use punto_record::{Event, HeldOutcome, Person, RoundNo, SlipNo};
use punto_rules::{Cite, Money, PatronNo, Post};

use super::Look;
use super::books::{amount, money};
use super::round::{Matter, Stage};
use crate::finding::FindingKind;

impl Look<'_> {
    pub(super) fn hold_payout(&mut self, patron: PatronNo, reference: &Arc<str>) {
        self.reason(reference);
        let table = self.table;
        let in_play = table.round.as_ref();
        let open = in_play.is_some_and(|round| round.bets_open || round.stage == Stage::Betting);
        self.in_turn(!open, "a payout was held while bets were open");
        let last = table.last.as_ref().filter(|last| last.settled && in_play.is_none());
        let bets = in_play.is_some_and(|round| round.bets(patron));
        let had = last.is_some_and(|last| last.lines.iter().any(|line| line.patron == patron));
        self.in_turn(bets || had, "a payout was held of somebody without a bet in the Round");
        let round = in_play.map_or(table.rounds, |round| round.no);
        let known = table.books.held_of(patron, round).is_some();
        self.in_turn(!known, "a payout was held a second time");
        let slip = SlipNo(table.slip_no.0.saturating_add(1));
        let (reference, cite) = (reference.clone(), Cite::interpretation(51));
        self.due.push(Event::PayoutHoldOrdered { slip, patron, round, reference, cite: cite.clone() });
        if in_play.is_some() {
            return;
        }
        let (account, paid) = (table.books.account(patron), table.earlier.paid(round, patron));
        let in_pocket = match (self.law.is_chips(), account.away) {
            (false, _) => paid.min(account.credits.max(0)),
            (true, true) => 0,
            (true, false) => paid,
        };
        let kept = (paid - in_pocket).min(account.unclaimed.max(0));
        let (Some(amount), Some(from_unclaimed)) = (money(in_pocket + kept), money(kept)) else { return };
        self.must(!amount.is_zero(), FindingKind::WrongCredits, "nothing of a payout was there to be held");
        self.due.push(Event::PayoutHeld { slip, patron, amount, from_unclaimed, cite });
    }

    /// What was just paid for a Round: held of whom it is to be held, and the rest for the others.
    pub(super) fn hold_paid(
        &mut self,
        round: RoundNo,
        paid: impl IntoIterator<Item = (PatronNo, Money)>,
    ) -> Vec<(PatronNo, Money)> {
        let books = &self.table.books;
        let (held, others): (Vec<_>, Vec<_>) =
            paid.into_iter().partition(|(patron, _)| books.held_of(*patron, round).is_some());
        let mut sums: BTreeMap<PatronNo, i128> = BTreeMap::new();
        held.iter().for_each(|(patron, paid)| *sums.entry(*patron).or_default() += amount(*paid));
        for (patron, sum) in sums.into_iter().filter(|(_, sum)| *sum > 0) {
            let Some((slip, _)) = books.held_of(patron, round) else { continue };
            let (amount, from_unclaimed) = (money(sum).unwrap_or(Money::MAX), Money::ZERO);
            let cite = Cite::interpretation(51);
            self.due.push(Event::PayoutHeld { slip, patron, amount, from_unclaimed, cite });
        }
        others
    }

    pub(super) fn decide_held(
        &mut self,
        slip: SlipNo,
        outcome: HeldOutcome,
        reference: &Arc<str>,
        second: Option<&Person>,
    ) {
        self.reason(reference);
        let Some((patron, round, held)) = self.table.books.held(slip) else {
            self.in_turn(false, "no payout is held under this slip");
            return;
        };
        let over = self.round().is_none_or(|it| it.no != round);
        self.in_turn(over, "a payout was decided about before its Round was over");
        let runs =
            |it: &Matter| it.claim() == Some(round) && it.money_until.is_none_or(|until| self.at < until);
        let claimed = self.table.matters.iter().any(runs);
        let kept = outcome == HeldOutcome::Released || !claimed;
        self.in_turn(kept, "a payout was forfeited that a claim could take");
        let may = self.order.by.post().is_some_and(|post| post >= Post::ShiftManager);
        self.must(may, FindingKind::NotPermitted, "only the Shift Manager decides about held payouts");
        let Some(second) = second.filter(|it| Some(*it) != self.order.by.person()).cloned() else {
            self.say(FindingKind::SecondPerson, "a second person must agree");
            return;
        };
        let (amount, reference) = (money(held).unwrap_or_default(), reference.clone());
        let cite = Cite::interpretation(51);
        self.due.push(Event::HeldDecided { slip, patron, amount, outcome, reference, second, cite });
    }
}
