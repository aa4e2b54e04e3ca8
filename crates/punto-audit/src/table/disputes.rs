//! Disputes: who may raise one about which Round, and what the next Round waits for (interpretation 43).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use punto_record::{BoxNo, DisputeAbout, DisputeNo, Event, MatterNo, Pictured, Report, RoundNo, Timestamp};
use punto_rules::{Cite, Money, PatronNo, Post};

use super::Look;
use super::dues::Then;
use super::round::Key;
use crate::finding::FindingKind;

/// A dispute that was opened and not closed.
#[derive(Clone, Debug)]
pub(super) struct Dispute {
    round: Option<RoundNo>,
    patron: Option<PatronNo>,
    words: Arc<str>,
    timely: bool,
    seconds: Option<u16>,
    since: Timestamp,
    seen: bool,
    spoken: bool,
}

/// Disputes, and who had the right to one.
#[derive(Clone, Debug, Default)]
pub(super) struct Disputes {
    open: BTreeMap<DisputeNo, Dispute>,
    /// Who had a wager in a Round, and whether they disputed it. An auditor forgets none.
    bettors: BTreeMap<RoundNo, BTreeMap<PatronNo, bool>>,
}

impl Disputes {
    #[allow(clippy::wildcard_enum_match_arm)] // Nothing else is about disputes.
    pub(super) fn learn(&mut self, event: &Event, now: RoundNo, at: Timestamp) {
        match event {
            Event::WagerRegistered { patron, .. } => self.bets(now, *patron),
            Event::ChipsRecorded { patron, stake, .. } | Event::WagerAmended { patron, stake, .. }
                if !stake.is_zero() =>
            {
                self.bets(now, *patron);
            }
            Event::RoundSettled { round, .. } | Event::RoundVoided { round, .. } => {
                let about_it = self.open.values_mut().filter(|it| it.round == Some(*round));
                about_it.for_each(|it| it.since = it.since.max(at));
            }
            Event::DisputeOpened { dispute, round, patron, words, timely, seconds, .. } => {
                if let (Some(round), Some(patron)) = (round, patron)
                    && let Some(disputes) =
                        self.bettors.get_mut(round).and_then(|patrons| patrons.get_mut(patron))
                {
                    *disputes = true;
                }
                let opened = Dispute {
                    round: *round,
                    patron: *patron,
                    words: words.clone(),
                    timely: *timely,
                    seconds: *seconds,
                    since: at,
                    seen: false,
                    spoken: false,
                };
                self.open.insert(*dispute, opened);
            }
            Event::DisputeSeen { dispute, surveillance, .. } => {
                if let Some(it) = self.open.get_mut(dispute) {
                    (it.seen, it.spoken) = (true, it.spoken || surveillance.is_some());
                }
            }
            Event::DisputeClosed { dispute, .. } => drop(self.open.remove(dispute)),
            _ => {}
        }
    }

    fn bets(&mut self, round: RoundNo, patron: PatronNo) {
        self.bettors.entry(round).or_default().entry(patron).or_insert(false);
    }

    /// Whether a Round was disputed in time and opened over, by this patron or by anybody.
    pub(super) fn opened_over(&self, round: RoundNo, patron: Option<PatronNo>) -> bool {
        let mut spoken = self.open.values().filter(|it| it.spoken && it.round == Some(round));
        spoken.any(|it| patron.is_none() || it.patron == patron)
    }
}

impl Look<'_> {
    pub(super) fn open_dispute(
        &mut self,
        round: Option<RoundNo>,
        patron: Option<PatronNo>,
        words: &Arc<str>,
        (about, named): (Option<DisputeAbout>, Option<BoxNo>),
    ) {
        self.reason(words);
        let table = self.table;
        let known = round.is_none_or(|it| it > RoundNo(0) && it <= table.rounds);
        self.must(known, FindingKind::WrongNote, "a dispute about a Round that never was");
        let dispute = DisputeNo(table.dispute_no.0.saturating_add(1));
        let words = words.clone();
        if self.first {
            let (timely, seconds, about, pictured) = (false, None, None, Vec::new());
            let opened =
                Event::DisputeOpened { dispute, round, patron, words, timely, seconds, about, pictured };
            self.due.push(opened);
            return;
        }
        let current = table.round.as_ref().map(|it| it.no).or(table.last.as_ref().map(|it| it.no));
        let right = |round: RoundNo| table.disputes.bettors.get(&round)?.get(&patron?).copied();
        let round = round.or(current.filter(|round| right(*round).is_some()));
        if let Some(round) = round {
            let may = right(round) == Some(false);
            self.must(may, FindingKind::WrongNote, "a dispute without a wager in that Round, or another one");
        }
        let timely = round.is_some() && round == current;
        let decided = self.every_round_stands();
        let seconds = (timely && !decided).then_some(self.law.settings.dispute_seconds);
        let pictured = match (about, round, patron) {
            (Some(_), Some(round), Some(patron)) => self.picture(round, patron, named),
            (_, _, _) => Vec::new(),
        };
        let opened = Event::DisputeOpened { dispute, round, patron, words, timely, seconds, about, pictured };
        self.due.push(opened);
    }

    /// The wagers of a Round in the boxes of a patron and in the one that is named, as recorded now.
    fn picture(&self, round: RoundNo, patron: PatronNo, named: Option<BoxNo>) -> Vec<Pictured> {
        let all: Vec<(Key, Money)> = match self.round().filter(|it| it.no == round) {
            Some(it) => it.wagers.iter().map(|(key, it)| (key.clone(), it.stake)).collect(),
            None => self.table.earlier.stakes(round),
        };
        let own = |no: BoxNo| all.iter().any(|(key, _)| key.patron == patron && key.box_no == Some(no));
        let shown = |key: &Key| key.box_no.map_or(key.patron == patron, |no| named == Some(no) || own(no));
        let mut pictured: Vec<Pictured> = all
            .iter()
            .filter(|(key, _)| shown(key))
            .map(|(key, stake)| Pictured {
                patron: key.patron,
                box_no: key.box_no,
                bet: key.bet.clone(),
                stake: *stake,
            })
            .collect();
        pictured.sort_by(|a, b| (a.box_no, a.patron, &a.bet).cmp(&(b.box_no, b.patron, &b.bet)));
        pictured
    }

    pub(super) fn see_dispute(&mut self, dispute: DisputeNo, surveillance: Option<&Arc<str>>) {
        self.dispute(dispute);
        let Some(it) = self.table.disputes.open.get(&dispute).cloned() else { return };
        if let Some(reference) = surveillance {
            self.reason(reference);
            let late = it.round.is_some() && !it.timely && !it.spoken;
            self.must(late, FindingKind::WrongNote, "the dispute was recorded in time");
        } else {
            self.must(!it.seen, FindingKind::WrongNote, "the dispute was seen before");
        }
        let (patron, surveillance) = (it.patron, surveillance.cloned());
        let exception = surveillance.is_some() && self.every_round_stands();
        let cite = Cite::interpretation(43);
        self.due.push(Event::DisputeSeen { dispute, patron, surveillance, cite });
        if let (true, Some(round)) = (exception, it.round) {
            let words = format!("dispute {dispute} about Round {round} was spoken in time: {}", it.words);
            self.open(Report::Uncovered { words: words.into() }, false, &Then::Waits);
        }
    }

    pub(super) fn close_dispute(&mut self, dispute: DisputeNo, words: &Arc<str>, matter: Option<MatterNo>) {
        self.dispute(dispute);
        self.reason(words);
        let it = self.table.disputes.open.get(&dispute);
        // What play waits for is the Pit Supervisor's to decide.
        let least = if it.is_some_and(|it| it.timely && it.seconds.is_none()) {
            Post::PitSupervisor
        } else {
            Post::ShiftManager
        };
        let patron = it.and_then(|it| it.patron).filter(|_| !self.first);
        let may = self.order.by.post().is_some_and(|post| post >= least);
        self.must(may, FindingKind::NotPermitted, "closing this dispute is for a higher post");
        if let Some(no) = matter {
            let held = self.round().map_or(&[][..], |round| &round.held);
            let open: BTreeSet<MatterNo> = held.iter().chain(&self.table.matters).map(|it| it.no).collect();
            let ruled = no > MatterNo(0) && no <= self.table.matter_no && !open.contains(&no);
            self.must(ruled, FindingKind::WrongNote, "a dispute decided by a matter that was not ruled");
        }
        self.due.push(Event::DisputeClosed { dispute, words: words.clone(), patron, matter });
    }

    /// Disputes that were raised in time come before the next Round.
    pub(super) fn disputes_heard(&mut self) {
        let (rounds, at) = (self.table.rounds, self.at);
        let mut waiting = self.table.disputes.open.values().filter(|it| it.timely);
        let waits = waiting.any(|it| match it.seconds {
            None => true,
            Some(seconds) => it.round == Some(rounds) && !it.seen && at < it.since.plus_seconds(seconds),
        });
        self.in_turn(!waits, "a dispute that was raised in time comes first");
    }

    /// Where a Round stands for good, disputes are decided before money is put away.
    pub(super) fn disputes_decided(&mut self) {
        let mut open = self.table.disputes.open.values();
        let undecided = open.any(|it| it.timely && it.seconds.is_none());
        self.in_turn(!undecided, "a dispute that was raised in time is not decided");
    }

    pub(super) fn dispute(&mut self, dispute: DisputeNo) {
        let open = self.table.disputes.open.contains_key(&dispute);
        self.must(open, FindingKind::WrongNote, "no such dispute was open");
    }
}
