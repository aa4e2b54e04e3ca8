//! Interpretation 44: while a claim about an earlier Round runs, nothing is paid out that it could take; nothing else is
//! held back, and no claim runs for longer than a day unless a Shift Manager extends it.

use std::collections::{BTreeMap, BTreeSet};

use punto_record::{Command, Entry, Event, MatterNo, Report, RoundNo, SettledLine, Timestamp};
use punto_rules::{PatronNo, Post};

use super::held::Held;
use super::past::Past;
use super::purse::Purses;
use crate::finding::Findings;

const NO: u8 = 44;
const DAY: u64 = 24 * 60 * 60 * 1000;
/// What a table remembers of Rounds that are over; of others nothing can be claimed.
const ROUNDS: usize = 256;
const WAGERS: usize = 10_000;

/// A claim that nobody has decided.
#[derive(Clone, Debug)]
struct Claim {
    round: RoundNo,
    until: Option<Timestamp>,
}

/// The claims, and what they are about.
#[derive(Clone, Debug, Default)]
pub(super) struct Check {
    claims: BTreeMap<MatterNo, Claim>,
    /// How many wagers each Round had, and what was paid for it.
    paid: BTreeMap<RoundNo, (usize, BTreeMap<PatronNo, i128>)>,
    /// Payouts that are held, which answer for themselves.
    held: Held,
    /// The rules and the layout by which they were settled.
    rules: Option<(punto_record::Digest, String)>,
}

impl Check {
    /// The most that claims could take from a patron.
    pub(super) fn most(&self, patron: PatronNo, at: Timestamp) -> i128 {
        let runs = |claim: &&Claim| claim.until.is_none_or(|until| at < until);
        let rounds: BTreeSet<RoundNo> = self.claims.values().filter(runs).map(|it| it.round).collect();
        let paid = |round: &RoundNo| self.paid.get(round).and_then(|(_, paid)| paid.get(&patron)).copied();
        let held = |round: &RoundNo| self.held.of(patron, *round);
        rounds.iter().map(|round| (paid(round).unwrap_or(0) - held(round)).max(0)).sum()
    }

    #[allow(clippy::wildcard_enum_match_arm)] // What it does not name pays nothing out and claims nothing.
    pub(super) fn entry(&mut self, past: &Past, purses: &Purses, entry: &Entry, out: &mut Findings) {
        let at = past.now.max(entry.order.at);
        let pays = |event: &Event| matches!(event, Event::CashedOut { .. } | Event::UnclaimedPaid { .. });
        let mut now = if entry.events.iter().any(pays) { purses.clone() } else { Purses::default() };
        for event in &entry.events {
            now.learn(event);
            match event {
                Event::CashOutHeld { patron, amount, .. } => {
                    let most = self.most(*patron, at) - purses.of(*patron).kept;
                    let held = i128::from(amount.get());
                    out.interpreted(NO, held <= most, "more was held back than the claim could take");
                }
                Event::CashedOut { patron, .. } | Event::UnclaimedPaid { patron, .. } => {
                    let left = now.of(*patron);
                    let covered = left.credits.max(0) + left.kept >= self.most(*patron, at);
                    out.interpreted(NO, covered, "money was paid out that a claim could still take");
                }
                // What is ruled at once claims nothing.
                Event::MatterOpened { matter, .. } if ruled(entry, *matter) => {}
                Event::MatterOpened { matter, report, money_until, .. } => {
                    self.opened(past, *matter, report, *money_until, at, out);
                }
                Event::Ruled { matter, .. } => {
                    self.claims.remove(matter);
                }
                Event::HoldExtended { matter, until, .. } => {
                    let may = entry.order.by.post().is_some_and(|post| post >= Post::ShiftManager);
                    let reason = if let Command::ExtendHold { reason, .. } = &entry.order.command {
                        !reason.trim().is_empty()
                    } else {
                        false
                    };
                    out.interpreted(NO, may && reason, "a claim was given more time by no Shift Manager");
                    if let Some(claim) = self.claims.get_mut(matter) {
                        claim.until = Some(*until);
                    }
                }
                _ => {
                    self.held.learn(event);
                    self.settled(event);
                }
            }
        }
    }

    fn opened(
        &mut self,
        past: &Past,
        matter: MatterNo,
        report: &Report,
        until: Option<Timestamp>,
        at: Timestamp,
        out: &mut Findings,
    ) {
        let round = if let Report::WrongResult { round, .. } | Report::LateDiscovery { round, .. } = report {
            *round
        } else if let Report::WrongNumberOfCards { .. } = report {
            past.rounds
        } else {
            return;
        };
        let in_play = past.round.as_ref().is_some_and(|it| it.no == round);
        if in_play || !self.paid.contains_key(&round) {
            return;
        }
        let in_a_day = until.is_some_and(|until| until.0 <= at.0.saturating_add(DAY));
        let extended = self.claims.values().any(|it| it.round == round && it.until == until);
        out.interpreted(NO, in_a_day || extended, "a claim holds money back for more than a day");
        self.claims.insert(matter, Claim { round, until });
    }

    /// What was paid for each Round.
    #[allow(clippy::wildcard_enum_match_arm)] // As above.
    fn settled(&mut self, event: &Event) {
        match event {
            Event::TableOpened { settings, digest, .. } | Event::SettingsChanged { settings, digest, .. } => {
                let rules = Some((*digest, settings.layout.clone()));
                if self.rules != rules {
                    self.paid.clear();
                }
                self.rules = rules;
            }
            Event::RoundSettled { round, lines, .. } => {
                self.paid.insert(*round, (lines.len(), paid(lines)));
                let wagers = |paid: &BTreeMap<RoundNo, (usize, _)>| -> usize {
                    paid.values().map(|(wagers, _)| *wagers).sum()
                };
                while self.paid.len() > ROUNDS || (self.paid.len() > 1 && wagers(&self.paid) > WAGERS) {
                    self.paid.pop_first();
                }
            }
            Event::RoundCorrected { round, lines, .. } => {
                if let Some((_, known)) = self.paid.get_mut(round) {
                    *known = paid(lines);
                }
            }
            Event::RoundVoided { round, .. } => {
                self.paid.remove(round);
            }
            Event::Adjusted { round, changes, .. } => {
                let Some((_, paid)) = self.paid.get_mut(round) else { return };
                for it in changes {
                    let more = i128::from(it.paid.get()) + i128::from(it.cancelled.get());
                    let less = i128::from(it.taken.get())
                        + i128::from(it.from_unclaimed.get())
                        + i128::from(it.from_held.get())
                        + i128::from(it.uncollected.get());
                    *paid.entry(it.patron).or_default() += more - less;
                }
            }
            _ => {}
        }
    }
}

fn ruled(entry: &Entry, no: MatterNo) -> bool {
    entry.events.iter().any(|event| matches!(event, Event::Ruled { matter, .. } if *matter == no))
}

fn paid(lines: &[SettledLine]) -> BTreeMap<PatronNo, i128> {
    let mut paid = BTreeMap::new();
    for line in lines {
        *paid.entry(line.patron).or_default() += i128::from(line.to_patron.get());
    }
    paid
}
