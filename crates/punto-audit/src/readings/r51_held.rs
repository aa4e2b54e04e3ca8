//! Interpretation 51. Somebody who may not play has a bet: it stands, and everything that it gives is held. Nothing of that
//! reaches the patron or the House before a Shift Manager and a second person, neither of whom dealt, have decided.

use std::collections::{BTreeMap, BTreeSet};

use punto_record::{Change, Command, Entry, Event, Person, Return, RoundNo, SlipNo};
use punto_rules::{Money, PatronNo, Post};

use super::held::Held;
use super::past::Past;
use crate::finding::Findings;

const NO: u8 = 51;

/// Payouts that are held, and who dealt their Rounds.
#[derive(Clone, Debug, Default)]
pub(super) struct Check {
    held: Held,
    dealers: BTreeMap<RoundNo, BTreeSet<Person>>,
}

fn units(money: Money) -> i128 {
    money.get().into()
}

impl Check {
    #[allow(clippy::wildcard_enum_match_arm)] // What it does not name neither pays nor holds.
    pub(super) fn entry(&mut self, past: &Past, entry: &Entry, out: &mut Findings) {
        self.all_is_held(past, entry, out);
        for event in &entry.events {
            match event {
                Event::PayoutHoldOrdered { patron, round, reference, .. } => {
                    let may = entry.order.by.post().is_some_and(|post| post >= Post::PitSupervisor);
                    let told = !reference.trim().is_empty();
                    out.interpreted(NO, may && told, "a payout was held without a reference or by a Dealer");
                    out.interpreted(NO, has_bet(past, *patron, *round), "a payout was held of no bet");
                    self.dealers.insert(*round, dealers(past, *round));
                }
                Event::PayoutHeld { patron, amount, .. } if is_late(entry) => {
                    let lines = past.last.iter().flat_map(|last| &last.lines);
                    let paid: i128 =
                        lines.filter(|it| it.patron == *patron).map(|it| units(it.to_patron)).sum();
                    out.interpreted(NO, units(*amount) <= paid, "more was held than the Round gave");
                }
                Event::HeldDecided { slip, amount, second, .. } => {
                    self.decided(past, entry, (*slip, *amount, second), out);
                }
                Event::PushRecorded { round, patron, .. } => {
                    let pushed = self.held.is_held(*patron, *round);
                    out.interpreted(NO, !pushed, "chips were pushed of a payout that is held");
                }
                Event::RoundSettled { round, .. } | Event::RoundVoided { round, .. } => {
                    if let Some(known) = self.dealers.get_mut(round) {
                        known.extend(dealers(past, *round));
                        known.extend(entry.order.by.person().filter(|_| draws(entry)).cloned());
                    }
                }
                _ => {}
            }
            self.held.learn(event);
        }
    }

    /// Whatever an entry gives somebody for a Round whose payout is held is held in the same entry.
    fn all_is_held(&self, past: &Past, entry: &Entry, out: &mut Findings) {
        let now = past.rounds;
        let mut gets: BTreeMap<PatronNo, i128> = BTreeMap::new();
        let mut pays = |round: RoundNo, patron: PatronNo, amount: Money| {
            if self.held.is_held(patron, round) {
                *gets.entry(patron).or_default() += units(amount);
            }
        };
        for event in &entry.events {
            if let Event::RoundSettled { round, lines, .. } = event {
                lines.iter().for_each(|it| pays(*round, it.patron, it.to_patron));
            }
            if let Event::RoundVoided { returns, .. } | Event::ChoiceMade { returns, .. } = event {
                returns.iter().for_each(|Return { patron, amount, .. }| pays(now, *patron, *amount));
            }
            if let Event::RoundVoided { round, changes, .. }
            | Event::RoundCorrected { round, changes, .. }
            | Event::RoundAmended { round, changes, .. }
            | Event::Adjusted { round, changes, .. } = event
            {
                changes.iter().for_each(|Change { patron, paid, .. }| pays(*round, *patron, *paid));
            }
            if let Event::WagerTrimmed { patron, amount, .. } | Event::WagerReturned { patron, amount, .. } =
                event
            {
                pays(now, *patron, *amount);
            }
        }
        for event in &entry.events {
            if let Event::PayoutHeld { patron, amount, .. } = event
                && !is_late(entry)
            {
                *gets.entry(*patron).or_default() -= units(*amount);
            }
        }
        let all = gets.values().all(|left| *left == 0);
        out.interpreted(NO, all, "money went to somebody whose payout of the Round is held");
    }

    fn decided(
        &self,
        past: &Past,
        entry: &Entry,
        (slip, amount, second): (SlipNo, Money, &Person),
        out: &mut Findings,
    ) {
        let Command::DecideHeld { reference, second_post, .. } = &entry.order.command else {
            out.interpreted(NO, false, "a held payout was decided about by another order");
            return;
        };
        let Some(held) = self.held.get(slip) else {
            out.interpreted(NO, false, "a payout was decided about that is not held");
            return;
        };
        out.interpreted(NO, held.amount == units(amount), "not all of a held payout was decided about");
        let over = past.round.as_ref().is_none_or(|round| round.no != held.round);
        out.interpreted(NO, over, "a held payout was decided about before its Round was over");
        let giver = entry.order.by.person();
        let dealt = |it: &Person| self.dealers.get(&held.round).is_some_and(|known| known.contains(it));
        let may = entry.order.by.post().is_some_and(|post| post >= Post::ShiftManager);
        let may = may && !giver.is_some_and(dealt) && !reference.trim().is_empty();
        out.interpreted(
            NO,
            may,
            "a held payout was decided about by no Shift Manager, or without a reference",
        );
        let post = second_post.or_else(|| past.posts.get(second).copied());
        let stands = post.is_some_and(|post| post >= Post::PitSupervisor);
        let other = Some(second) != giver && !dealt(second);
        out.interpreted(NO, stands && other, "one person alone decided about a held payout");
    }
}

/// Ordered when the Round was over, so that what had been paid is held.
const fn is_late(entry: &Entry) -> bool {
    matches!(entry.order.command, Command::HoldPayout { .. })
}

const fn draws(entry: &Entry) -> bool {
    matches!(entry.order.command, Command::DrawCard { .. })
}

fn has_bet(past: &Past, patron: PatronNo, round: RoundNo) -> bool {
    let in_play = past.round.as_ref().filter(|it| it.no == round && it.bets_closed);
    let last = past.last.as_ref().filter(|last| last.no == round && past.round.is_none());
    in_play.is_some_and(|it| it.stakes.keys().any(|(whose, ..)| *whose == patron))
        || last.is_some_and(|last| last.lines.iter().any(|it| it.patron == patron))
}

fn dealers(past: &Past, round: RoundNo) -> BTreeSet<Person> {
    let in_play = past.round.as_ref().filter(|it| it.no == round).map(|it| &it.dealers);
    let last = past.last.as_ref().filter(|last| last.no == round).map(|last| &last.dealers);
    in_play.or(last).cloned().unwrap_or_default()
}
