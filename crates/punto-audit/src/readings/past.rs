//! What stood in a table's record before the entry being looked at: facts that several interpretations need, folded from
//! events without knowing a rule.

use std::collections::{BTreeMap, BTreeSet};

use punto_record::{
    Actor, BoxNo, Cards, CommandKind, DisputeNo, Entry, Event, MatterNo, Person, Report, RoundNo, Seen,
    Settings, SettledLine, Source, Timestamp,
};
use punto_rules::{BetId, Card, IrregularityKind, Money, PatronNo, Post, Side, reconstruct};

use super::felt::Felt;

/// The game whose document lets every earlier Round stand.
const STANDS: &str = "wu-song";

/// A card as the record has it.
#[derive(Clone, Debug)]
pub(crate) struct Drawn {
    pub(crate) seen: Seen,
    pub(crate) side: Option<Side>,
    pub(crate) source: Source,
}

/// A Round in play, as recorded.
#[derive(Clone, Debug, Default)]
pub(crate) struct RoundPast {
    pub(crate) no: RoundNo,
    /// Cards carried from the Round before.
    pub(crate) carried: Vec<Card>,
    /// Cards that are out, in the order of their events, carried ones first.
    pub(crate) drawn: Vec<Drawn>,
    pub(crate) bets_closed: bool,
    pub(crate) interrupted: bool,
    /// A result was shown (the Round was completed).
    pub(crate) result_shown: bool,
    /// The cards of the result that was shown last.
    pub(crate) result: Option<Vec<Card>>,
    /// What each patron has at stake.
    pub(crate) stakes: BTreeMap<(PatronNo, Option<BoxNo>, BetId), Money>,
    /// Who drew a card of it.
    pub(crate) dealers: BTreeSet<Person>,
    /// Until when patrons choose, and who has not answered.
    pub(crate) choosing: Option<(Timestamp, BTreeSet<PatronNo>)>,
}

/// A matter that was opened and not ruled.
#[derive(Clone, Debug)]
pub(crate) struct MatterPast {
    pub(crate) kind: IrregularityKind,
    pub(crate) report: Report,
    pub(crate) holds: bool,
    /// The Round in play or just over when it was opened.
    pub(crate) round: RoundNo,
    pub(crate) opened_by: Actor,
}

/// A Round that is over.
#[derive(Clone, Debug)]
pub(crate) struct OverPast {
    pub(crate) no: RoundNo,
    /// Empty where it was void.
    pub(crate) lines: Vec<SettledLine>,
    pub(crate) void: bool,
    pub(crate) dealers: BTreeSet<Person>,
}

/// A dispute that was opened and not closed.
#[derive(Clone, Debug)]
pub(crate) struct DisputePast {
    pub(crate) round: Option<RoundNo>,
    pub(crate) patron: Option<PatronNo>,
    /// By somebody with a wager in the Round, before the next one commenced.
    pub(crate) in_time: bool,
    /// By the document of the game in which it was raised, the Round stands once the next has commenced (5.6).
    pub(crate) last_chance: bool,
    /// When it was raised, or its Round was over.
    pub(crate) since: Timestamp,
    pub(crate) seen: bool,
    /// A recording shows that it was spoken in time.
    pub(crate) spoken: bool,
}

/// What the record said before an entry.
#[derive(Clone, Debug, Default)]
pub(crate) struct Past {
    pub(crate) settings: Option<Box<Settings>>,
    /// The rule book of the table, as text.
    pub(crate) rulebook: Option<std::sync::Arc<str>>,
    pub(crate) round: Option<RoundPast>,
    /// The Round before, until the next commences.
    pub(crate) last: Option<OverPast>,
    pub(crate) rounds: RoundNo,
    pub(crate) matters: BTreeMap<MatterNo, MatterPast>,
    pub(crate) disputes: BTreeMap<DisputeNo, DisputePast>,
    /// Who had a wager in a Round at any time, and who of them disputed it.
    pub(crate) bettors: BTreeMap<RoundNo, BTreeMap<PatronNo, bool>>,
    /// Whose terminal cannot be reached.
    pub(crate) lost: BTreeSet<PatronNo>,
    pub(crate) posts: BTreeMap<Person, Post>,
    pub(crate) now: Timestamp,
    pub(crate) felt: Felt,
}

impl Past {
    /// Whether the cards are software's.
    pub(crate) fn is_software(&self) -> bool {
        self.settings.as_ref().is_some_and(|settings| settings.cards == Cards::Software)
    }

    /// Takes an entry.
    pub(super) fn enter(&mut self, entry: &Entry) {
        self.now = self.now.max(entry.order.at);
        for event in &entry.events {
            self.hear(event, self.now);
            self.learn(event, entry);
        }
    }

    /// Whether a Round was disputed in time, by this patron or by anybody, and the next one opened over it.
    pub(crate) fn opened_over(&self, round: RoundNo, patron: Option<PatronNo>) -> bool {
        let mut spoken = self.disputes.values().filter(|it| it.spoken && it.round == Some(round));
        spoken.any(|it| patron.is_none() || it.patron == patron)
    }

    #[allow(clippy::wildcard_enum_match_arm)] // As below.
    fn hear(&mut self, event: &Event, at: Timestamp) {
        let now = self.rounds;
        match event {
            Event::WagerRegistered { patron, stake, .. }
            | Event::ChipsRecorded { patron, stake, .. }
            | Event::WagerAmended { patron, stake, .. }
                if !stake.is_zero() =>
            {
                self.bettors.entry(now).or_default().entry(*patron).or_default();
            }
            Event::DisputeOpened { dispute, round, patron, timely, seconds, .. } => {
                let is_open = self.round.is_some() || self.last.is_some();
                let right = round.and_then(|round| self.bettors.get_mut(&round));
                let right = right.zip(*patron).and_then(|(round, patron)| round.get_mut(&patron));
                let in_time = right.is_some() && is_open && *round == Some(now);
                if let Some(disputed) = right {
                    *disputed = true;
                }
                let (round, patron) = (*round, *patron);
                let (seen, spoken) = (false, false);
                // Rule-book text of the first release let earlier Rounds stand in the other games too.
                let is_so_recorded = *timely && seconds.is_none();
                let last_chance =
                    is_so_recorded || self.settings.as_ref().is_some_and(|it| it.game == STANDS);
                let opened = DisputePast { round, patron, in_time, last_chance, since: at, seen, spoken };
                self.disputes.insert(*dispute, opened);
            }
            Event::DisputeSeen { dispute, surveillance, .. } => {
                if let Some(it) = self.disputes.get_mut(dispute) {
                    (it.seen, it.spoken) = (true, it.spoken || surveillance.is_some());
                }
            }
            Event::DisputeClosed { dispute, .. } => drop(self.disputes.remove(dispute)),
            Event::RoundSettled { round, .. } | Event::RoundVoided { round, .. } => {
                let about_it = self.disputes.values_mut().filter(|it| it.round == Some(*round));
                about_it.for_each(|it| it.since = it.since.max(at));
            }
            _ => {}
        }
    }

    #[allow(clippy::wildcard_enum_match_arm)] // A fold of a few facts; what it does not name changes none of them.
    fn learn(&mut self, event: &Event, entry: &Entry) {
        self.felt.learn(event);
        if let Some(round) = &mut self.round {
            round.learn(event, entry);
            // What was ruled or corrected since, with whoever had to agree, is in the place of the result that was shown.
            let counts = matches!(
                event,
                Event::CardCorrected { .. }
                    | Event::CardDrawn { .. }
                    | Event::CardRead { .. }
                    | Event::CardsOrdered { .. }
                    | Event::CardsConfirmed { .. }
            );
            if round.result.is_some() && counts {
                round.result = Some(reconstruct(&self.felt.counting()).0.drawn().collect());
            }
        }
        match event {
            Event::TableOpened { settings, rulebook, .. }
            | Event::SettingsChanged { settings, rulebook, .. } => {
                self.settings = Some(settings.clone());
                self.rulebook = Some(rulebook.clone());
            }
            Event::LimitsChanged { betting_box, bets, .. } => {
                if let Some(settings) = &mut self.settings {
                    (settings.betting_box, settings.bets) = (*betting_box, bets.clone());
                }
            }
            Event::BetsOpened { round, carried, .. } => {
                self.rounds = *round;
                self.last = None;
                self.round = Some(RoundPast { no: *round, carried: carried.clone(), ..RoundPast::default() });
            }
            Event::MatterOpened { matter, kind, report, holds, .. } => {
                let (kind, report, holds) = (*kind, report.clone(), *holds);
                let opened_by = entry.order.by.clone();
                let round = self.rounds;
                self.matters.insert(*matter, MatterPast { kind, report, holds, round, opened_by });
            }
            Event::Ruled { matter, .. } => {
                self.matters.remove(matter);
            }
            Event::RoundSettled { round, lines, .. } => self.over(*round, lines.clone(), false),
            Event::RoundVoided { round, .. } => self.over(*round, Vec::new(), true),
            Event::RoundCorrected { lines, .. } | Event::RoundAmended { lines, .. } => {
                if let Some(last) = &mut self.last {
                    last.lines.clone_from(lines);
                }
            }
            Event::TerminalLost { patron, .. } => drop(self.lost.insert(*patron)),
            Event::TerminalRestored { patron } => drop(self.lost.remove(patron)),
            Event::TableClosed {} => self.last = None,
            Event::PostTaken { person, post, .. } => {
                self.posts.insert(person.clone(), *post);
            }
            Event::PostLeft { person, .. } => {
                self.posts.remove(person);
            }
            _ => {}
        }
    }

    fn over(&mut self, no: RoundNo, lines: Vec<SettledLine>, void: bool) {
        let before = self.last.take().map(|last| last.dealers).unwrap_or_default();
        let dealers = self.round.take().map_or(before, |round| round.dealers);
        self.last = Some(OverPast { no, lines, void, dealers });
    }
}

impl RoundPast {
    #[allow(clippy::wildcard_enum_match_arm)] // As above.
    fn learn(&mut self, event: &Event, entry: &Entry) {
        match event {
            Event::CardDrawn { card, side, source, .. } => {
                self.drawn.push(Drawn { seen: card.clone(), side: *side, source: *source });
                // Only who drew it: a report may bring cards along that others drew.
                if let (CommandKind::DrawCard, Some(person)) =
                    (entry.order.command.kind(), entry.order.by.person())
                {
                    self.dealers.insert(person.clone());
                }
            }
            Event::CardRead { card } => {
                if let Some(last) = self.drawn.last_mut() {
                    last.seen = card.clone();
                }
            }
            Event::CardMisread { at, card } | Event::CardCorrected { at, card, .. } => {
                if let Some(drawn) = usize::from(*at).checked_sub(1).and_then(|at| self.drawn.get_mut(at)) {
                    drawn.seen = Seen::Card(*card);
                }
            }
            Event::CardsConfirmed { cards, .. } => {
                let mut rest = cards.iter();
                self.drawn.retain_mut(|drawn| {
                    if let Seen::Foreign(_) = drawn.seen {
                        return true;
                    }
                    rest.next().inspect(|card| drawn.seen = Seen::Card(**card)).is_some()
                });
                let new = |card: &Card| Drawn { seen: Seen::Card(*card), side: None, source: Source::Keyed };
                self.drawn.extend(rest.map(new));
            }
            Event::BetsClosed { .. } => self.bets_closed = true,
            Event::TableInterrupted { .. } => self.interrupted = true,
            Event::InterruptionResolved { .. } => self.interrupted = false,
            Event::RoundCompleted { result } => {
                self.result_shown = true;
                self.result = Some(result.cards.clone());
            }
            Event::WagerRegistered { patron, box_no, bet, stake, .. }
            | Event::WagerWithdrawn { patron, box_no, bet, stake, .. } => {
                self.put(*patron, *box_no, bet, *stake);
            }
            Event::WagerTrimmed { patron, box_no, bet, stake, .. }
            | Event::WagerReturned { patron, box_no, bet, stake, .. }
            | Event::ChipsRecorded { patron, box_no, bet, stake, .. }
            | Event::WagerAmended { patron, box_no, bet, stake, .. } => {
                self.put(*patron, Some(*box_no), bet, *stake);
            }
            Event::ChoiceOffered { until, patrons, .. } => {
                self.choosing = Some((*until, patrons.iter().copied().collect()));
            }
            Event::ChoiceMade { patron, returns, .. } => {
                if let Some((_, waiting)) = &mut self.choosing {
                    waiting.remove(patron);
                }
                for it in returns {
                    let key = (it.patron, it.box_no, it.bet.clone());
                    let left =
                        self.stakes.get(&key).map_or(Money::ZERO, |stake| stake.less(it.amount.min(*stake)));
                    self.put(it.patron, it.box_no, &it.bet, left);
                }
            }
            Event::PlayResumed { .. } => self.choosing = None,
            _ => {}
        }
    }

    fn put(&mut self, patron: PatronNo, box_no: Option<BoxNo>, bet: &BetId, stake: Money) {
        let key = (patron, box_no, bet.clone());
        if stake.is_zero() {
            self.stakes.remove(&key);
        } else {
            self.stakes.insert(key, stake);
        }
    }
}
