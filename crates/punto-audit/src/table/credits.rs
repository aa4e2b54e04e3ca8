//! Credits, tickets and the tray: what may be moved, and what stands afterwards.

use std::collections::BTreeSet;
use std::sync::Arc;

use punto_record::{Command, Event, MatterNo, Person, Report, RoundNo, SlipNo, Timestamp};
use punto_rules::{Cite, IrregularityKind, Money, PatronNo};

use super::Look;
use super::books::{amount, money};
use super::round::{Matter, claim};
use crate::finding::FindingKind;

const DAY: u64 = 24 * 60 * 60 * 1000;

impl Look<'_> {
    pub(super) fn cash_out(&mut self, patron: PatronNo) {
        self.credits_kept();
        if self.first {
            self.nothing_pending();
        }
        let stands = self.round().is_some_and(|round| round.bets(patron));
        self.in_turn(!stands, "cashed out with bets in a running Round");
        let credits = self.table.books.account(patron).credits;
        self.must(credits > 0, FindingKind::WrongCredits, "nothing was cashed out");
        let held = self.held(patron);
        if let Some(amount) = money(held).filter(|held| !held.is_zero()) {
            let slip = SlipNo(self.table.slip_no.0.saturating_add(1));
            let (claims, cite) = (self.claims(patron), Cite::interpretation(44));
            let until = claims.iter().map(|(_, until)| *until).try_fold(Timestamp(0), |a, b| Some(a.max(b?)));
            let matters = claims.into_iter().map(|(no, _)| no).collect();
            self.due.push(Event::CashOutHeld { patron, slip, amount, matters, until, cite });
        }
    }

    /// Claims about Rounds that are over which could still take money from a patron, and until when.
    fn claims(&self, patron: PatronNo) -> Vec<(MatterNo, Option<Timestamp>)> {
        let claims = self.claimed(patron).map(|(matter, _)| (matter.no, matter.money_until));
        if self.first { Vec::new() } else { claims.collect() }
    }

    fn claimed(&self, patron: PatronNo) -> impl Iterator<Item = (&Matter, RoundNo)> {
        let runs = |it: &&Matter| it.money_until.is_none_or(|until| self.at < until);
        let about = |it| Some((it, Matter::claim(it)?));
        let claims = self.table.matters.iter().filter(runs).filter_map(about);
        claims.filter(move |(_, round)| self.at_stake(*round, patron) > 0)
    }

    /// What was paid to a patron for a Round and is not held, which would answer for itself.
    fn at_stake(&self, round: RoundNo, patron: PatronNo) -> i128 {
        let held = self.table.books.held_of(patron, round).map_or(0, |(_, held)| held);
        (self.table.earlier.paid(round, patron) - held).max(0)
    }

    /// The most that they could take together: what was paid for those Rounds.
    fn most(&self, patron: PatronNo) -> i128 {
        let rounds: BTreeSet<RoundNo> = self.claimed(patron).map(|(_, round)| round).collect();
        let most = rounds.into_iter().map(|round| self.at_stake(round, patron)).sum();
        if self.first { 0 } else { most }
    }

    /// What of credits is not paid out (interpretation 44): what a claim could take beyond what is kept already.
    fn held(&self, patron: PatronNo) -> i128 {
        let account = self.table.books.account(patron);
        (self.most(patron) - account.unclaimed).clamp(0, account.credits.max(0))
    }

    /// Until when a report holds money back: a day, and no more for saying it again.
    pub(super) fn money_until(&self, report: &Report) -> Option<Timestamp> {
        let round = claim(report, self.table.rounds)?;
        let in_play = self.round().is_some_and(|it| it.no == round);
        if in_play || !self.table.earlier.knows(round) {
            return None;
        }
        let before = self.table.matters.iter().filter(|it| it.claim() == Some(round));
        let until = before.filter_map(|it| it.money_until).min();
        Some(until.unwrap_or(Timestamp(self.at.0.saturating_add(DAY))))
    }

    pub(super) fn extend_hold(&mut self, matter: MatterNo, reason: &Arc<str>) {
        self.reason(reason);
        let found = self.table.matters.iter().find(|it| it.no == matter && it.claim().is_some());
        let until = found.and_then(|it| it.money_until).filter(|until| self.at < *until);
        self.in_turn(until.is_some(), "a claim that holds back nothing was given more time");
        let until = Timestamp(until.map_or(0, |it| it.0.saturating_add(DAY)));
        let (reason, cite) = (reason.clone(), Cite::interpretation(44));
        self.due.push(Event::HoldExtended { matter, until, reason, cite });
    }

    /// Credits that nobody plays with are set aside (interpretation 45); in the first release, of who walked away.
    pub(super) fn keep_unclaimed(&mut self, patron: PatronNo, attendant: Option<&Person>) {
        self.credits_kept();
        let account = self.table.books.account(patron);
        let amount = money(account.credits).unwrap_or_default();
        let stands = self.round().is_some_and(|round| round.bets(patron));
        let there = account.credits > 0 && !stands;
        if self.first {
            self.nothing_pending();
            let holds = account.away && there;
            self.must(holds, FindingKind::WrongCredits, "credits kept of somebody who did not walk away");
            self.due.push(Event::kept(patron, amount));
            return;
        }
        self.must(there, FindingKind::WrongCredits, "credits set aside that are not there, or with a bet");
        self.in_turn(!account.lost, "credits set aside while the terminal could not be reached");
        self.in_turn(self.claims(patron).is_empty(), "credits set aside that a claim could take");
        let since = self.table.active.get(&patron).copied().unwrap_or_default();
        let minutes = u64::from(self.law.settings.abandoned_minutes);
        let over = self.at.0 >= since.0.saturating_add(minutes * 60_000);
        self.must(over, FindingKind::WrongTime, "credits set aside before their time");
        let by = self.order.by.person().cloned();
        let other = attendant.is_some_and(|it| Some(it) != by.as_ref() && !it.as_str().trim().is_empty());
        self.must(other, FindingKind::SecondPerson, "credits set aside by one person alone");
        let slip = Some(SlipNo(self.table.slip_no.0.saturating_add(1)));
        let (attendant, since, cite) = (attendant.cloned(), Some(since), Some(Cite::interpretation(45)));
        self.due.push(Event::UnclaimedKept { patron, amount, slip, by, attendant, since, cite });
    }

    pub(super) fn review(&mut self, slip: SlipNo, reason: &Arc<str>) {
        self.reason(reason);
        let Some((patron, by)) = self.table.set_aside.get(&slip) else {
            self.in_turn(false, "no credits under this slip wait for a review");
            return;
        };
        let other = self.order.by.person().is_some_and(|person| !by.contains(person));
        self.must(other, FindingKind::SecondPerson, "credits reviewed by who set them aside");
        let (patron, reason, cite) = (*patron, reason.clone(), Cite::interpretation(45));
        self.due.push(Event::SetAsideReviewed { slip, patron, reason, cite });
    }

    pub(super) fn pay_unclaimed(&mut self, patron: PatronNo, paid: Money) {
        let account = self.table.books.account(patron);
        if self.first {
            self.nothing_pending();
        }
        let needed = (self.most(patron) - account.credits).max(0);
        let holds = amount(paid) > 0 && amount(paid) <= account.unclaimed - needed;
        self.must(holds, FindingKind::WrongCredits, "more is paid than was kept and no claim could take");
        self.due.push(Event::UnclaimedPaid { patron, amount: paid });
    }

    /// What only the event can say: how much a ticket was good for, and the number of a new one. Tickets are looked at
    /// across all tables; the rest is due as anything else.
    pub(super) fn with_ticket(&mut self, event: &Event) {
        if let (Command::RedeemTicket { patron, ticket }, Event::TicketRedeemed { amount, .. }) =
            (&self.order.command, event)
        {
            self.something(*amount);
            let (patron, ticket, amount) = (*patron, ticket.clone(), *amount);
            let credits = self.credits_after(patron, amount);
            self.due.push(Event::TicketRedeemed { patron, ticket, amount, credits });
        }
        if let (Command::CashOut { patron, .. }, Event::CashedOut { ticket, tag, attempt, currency, .. }) =
            (&self.order.command, event)
        {
            let (patron, ticket, tag, attempt) = (*patron, ticket.clone(), tag.clone(), *attempt);
            let account = self.table.books.account(patron);
            let amount = money(account.credits - self.held(patron)).unwrap_or_default();
            let owed = if self.first { Money::ZERO } else { money(account.owed).unwrap_or_default() };
            let days = u64::from(self.law.settings.ticket_days);
            let expires = Timestamp(self.at.0.saturating_add(days.saturating_mul(DAY)));
            // Earlier builds did not name it.
            let currency = currency.as_ref().map(|_| self.law.settings.currency.clone());
            self.due.push(Event::CashedOut { patron, ticket, amount, expires, owed, tag, attempt, currency });
        }
    }

    pub(super) fn credits_after(&self, patron: PatronNo, more: Money) -> Money {
        money(self.table.books.account(patron).credits + amount(more)).unwrap_or(Money::MAX)
    }

    pub(super) fn credits_kept(&mut self) {
        self.must(!self.law.is_chips(), FindingKind::WrongCredits, "a chip table keeps no credits");
    }

    pub(super) fn chips_kept(&mut self) {
        self.must(self.law.is_chips(), FindingKind::WrongFloat, "a table with credits has no float");
    }

    pub(super) fn float_open(&mut self) {
        self.in_turn(self.table.books.float.is_some(), "the float is not open");
    }

    pub(super) fn moves_chips(&mut self, chips: Money, out_of_the_tray: bool) {
        self.chips_kept();
        self.float_open();
        self.something(chips);
        let there = !out_of_the_tray || self.table.books.float.is_none_or(|float| amount(chips) <= float);
        self.must(there, FindingKind::WrongFloat, "more chips than were in the tray");
    }

    /// In the first release cash-out waited while a correction could come.
    pub(super) fn nothing_pending(&mut self) {
        let pending = self.table.matters.iter().any(|matter| {
            matches!(matter.kind, IrregularityKind::WrongResult | IrregularityKind::WrongNumberOfCards)
        });
        self.in_turn(!pending, "a correction may still come");
    }
}
