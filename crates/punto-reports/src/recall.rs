//! The last Rounds as somebody may look them up: cards, bets, what was paid, the balance before and after.
//!
//! Entries of the end of a record go in, oldest first; the balance is known at the end and is reckoned back from there, so
//! that nothing before the Rounds in question has to be read.

use std::collections::{BTreeMap, VecDeque};

use punto_record::{BoxNo, Entry, Event, RoundNo, RoundResult, Seen, SettledLine, Timestamp};
use punto_rules::{BetId, Cite, IrregularityKind, Money, PatronNo, Side, Step as DealStep, reconstruct};
use serde::Serialize;

use crate::movement::{Movement, Spot, Step, minor};

/// Who looks up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// A patron: their own wagers and credits, and no card that nobody turned.
    Patron(PatronNo),
    /// Staff: everybody's wagers.
    Everybody,
    /// A board: nobody's.
    Nobody,
}

/// A Round that is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Recalled {
    /// The Round.
    pub round: RoundNo,
    /// When its bets were opened.
    pub opened: Timestamp,
    /// When it was settled or voided, or corrected at last.
    pub ended: Timestamp,
    /// How it ended.
    pub status: RecalledStatus,
    /// Why it was voided.
    pub void: Option<RecalledVoid>,
    /// The cards, in the order that counts.
    pub cards: Vec<RecalledCard>,
    /// The result; none where it was void.
    pub result: Option<RoundResult>,
    /// What was staked, in the end.
    pub wagers: Vec<RecalledWager>,
    /// What became of it, as it counts now.
    pub lines: Vec<SettledLine>,
    /// One's credits when bets opened; where credits are played with.
    pub before: Option<Money>,
    /// One's credits when it had ended.
    pub after: Option<Money>,
}

/// How a Round ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum RecalledStatus {
    /// Settled.
    Settled,
    /// Settled, and put right afterwards.
    Corrected,
    /// Void: every bet went back.
    Void,
    /// Settled, and voided afterwards.
    Undone,
}

/// Why a Round was voided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(missing_docs)]
pub struct RecalledVoid {
    pub kind: IrregularityKind,
    pub cite: Cite,
}

/// A card of a Round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(missing_docs)]
pub struct RecalledCard {
    pub card: Seen,
    pub side: Option<Side>,
}

/// What was staked on a bet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(missing_docs)]
pub struct RecalledWager {
    pub patron: PatronNo,
    #[serde(rename = "box")]
    pub box_no: Option<BoxNo>,
    pub bet: BetId,
    pub stake: Money,
}

/// A Round while it is read.
#[derive(Debug)]
struct Reading {
    round: RoundNo,
    opened: Timestamp,
    ended: Option<(Timestamp, RecalledStatus)>,
    void: Option<RecalledVoid>,
    cards: Vec<(Seen, Option<Side>, bool)>,
    result: Option<RoundResult>,
    wagers: BTreeMap<(PatronNo, Option<BoxNo>, BetId), Money>,
    lines: Vec<SettledLine>,
    /// How the patron's credits had changed since the first entry, at its beginning and at its end.
    before: i128,
    after: i128,
}

/// Reads the end of a table's record.
#[derive(Debug)]
pub struct Recall {
    whose: Whose,
    most: usize,
    rounds: VecDeque<Reading>,
    changed: i128,
}

impl Recall {
    /// For somebody, at most so many Rounds.
    pub const fn new(whose: Whose, most: usize) -> Recall {
        Recall { whose, most, rounds: VecDeque::new(), changed: 0 }
    }

    /// How many Rounds that are over have been read, and are kept.
    pub fn len(&self) -> usize {
        self.rounds.iter().filter(|it| it.ended.is_some()).count()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The next entry.
    pub fn enter(&mut self, entry: &Entry) {
        for event in &entry.events {
            self.take(entry.order.at, event);
        }
    }

    fn take(&mut self, at: Timestamp, event: &Event) {
        let movement = Movement::of(event);
        if let Movement::RoundCommenced { round } = movement {
            // One that is in play beside those that are asked for.
            if self.rounds.len() > self.most {
                self.rounds.pop_front();
            }
            self.rounds.push_back(Reading::new(round, at, self.changed));
        }
        self.changed += self.change(&movement);
        let changed = self.changed;
        let Some(reading) = self.rounds.back_mut() else { return };
        reading.draw(event);
        if reading.take(at, event, &movement) {
            reading.after = changed;
        }
    }

    /// What a movement does to the credits of the patron who looks up.
    fn change(&self, movement: &Movement<'_>) -> i128 {
        let Whose::Patron(me) = self.whose else { return 0 };
        let if_mine = |patron: PatronNo, amount: i128| if patron == me { amount } else { 0 };
        let stake = |spot: &Spot<'_>| {
            let key = (spot.patron, spot.box_no, spot.bet.clone());
            self.rounds.back().and_then(|it| it.wagers.get(&key)).copied().map_or(0, minor)
        };
        match movement {
            Movement::Stake { spot, step: Step::More { amount, .. } } => {
                if_mine(spot.patron, -minor(*amount))
            }
            Movement::Stake { spot, step: Step::Less { amount, .. } } => if_mine(spot.patron, minor(*amount)),
            Movement::Stake { spot, step: Step::Is { stake: now } }
            | Movement::Amended { spot, stake: now, .. } => if_mine(spot.patron, stake(spot) - minor(*now)),
            Movement::TakenBack { returns, .. } => {
                returns.iter().map(|it| if_mine(it.patron, minor(it.amount))).sum()
            }
            Movement::Voided { returns, changes, .. } => {
                let back: i128 = returns.iter().map(|it| if_mine(it.patron, minor(it.amount))).sum();
                let undone: i128 =
                    changes.iter().map(|it| if_mine(it.patron, minor(it.paid) - minor(it.taken))).sum();
                back + undone
            }
            Movement::Settled { lines, .. } => {
                lines.iter().map(|it| if_mine(it.patron, minor(it.to_patron))).sum()
            }
            Movement::Corrected { changes, .. } | Movement::Adjusted { changes, .. } => {
                changes.iter().map(|it| if_mine(it.patron, minor(it.paid) - minor(it.taken))).sum()
            }
            Movement::Bought { patron, amount, .. }
            | Movement::Noted { patron, amount, .. }
            | Movement::Redeemed { patron, amount, .. } => if_mine(*patron, minor(*amount)),
            Movement::CashedOut { patron, amount, .. }
            | Movement::Collected { patron, amount, .. }
            | Movement::UnclaimedKept { patron, amount, .. } => if_mine(*patron, -minor(*amount)),
            Movement::PayoutHeld { patron, amount, from_unclaimed, .. } => {
                if_mine(*patron, minor(*from_unclaimed) - minor(*amount))
            }
            Movement::Nothing
            | Movement::NotePaid { .. }
            | Movement::Emptied { .. }
            | Movement::BoxCounted { .. }
            | Movement::Settings(_)
            | Movement::RoundCommenced { .. }
            | Movement::Parts { .. }
            | Movement::Pushed { .. }
            | Movement::UnclaimedPaid { .. }
            | Movement::HoldOrdered { .. }
            | Movement::HeldDecided { .. }
            | Movement::FloatOpened { .. }
            | Movement::FloatClosed { .. }
            | Movement::Filled { .. }
            | Movement::Credited { .. }
            | Movement::Dropped { .. } => 0,
        }
    }

    /// The Rounds that are over, the last first. `credits` is what the patron has after the last entry.
    pub fn finish(self, credits: Option<Money>) -> Vec<Recalled> {
        let (whose, most) = (self.whose, self.most);
        let credits =
            credits.filter(|_| matches!(whose, Whose::Patron(_))).map(|now| minor(now) - self.changed);
        let balance = |changed: i128| {
            let then = credits? + changed;
            Some(u64::try_from(then).ok().and_then(Money::new).expect("no balance is ever negative"))
        };
        let over = self.rounds.into_iter().rev().filter(|it| it.ended.is_some()).take(most);
        over.map(|it| {
            let (before, after) = (balance(it.before), balance(it.after));
            it.finish(whose, before, after)
        })
        .collect()
    }
}

impl Reading {
    const fn new(round: RoundNo, opened: Timestamp, changed: i128) -> Reading {
        Reading {
            round,
            opened,
            ended: None,
            void: None,
            cards: Vec::new(),
            result: None,
            wagers: BTreeMap::new(),
            lines: Vec::new(),
            before: changed,
            after: changed,
        }
    }

    /// Cards as they come, lie and are turned.
    fn draw(&mut self, event: &Event) {
        if let Event::CardDrawn { card, side, covered, .. } = event {
            self.cards.push((card.clone(), *side, *covered));
        } else if let (Event::CardRead { card }, Some(last)) = (event, self.cards.last_mut()) {
            last.0 = card.clone();
        } else if let Event::CardsTurned { cards, .. } = event {
            for at in cards {
                if let Some(card) = usize::from(*at).checked_sub(1).and_then(|at| self.cards.get_mut(at)) {
                    card.2 = false;
                }
            }
        } else if let Event::CardMisread { at, card } | Event::CardCorrected { at, card, .. } = event
            && let Some(it) = usize::from(*at).checked_sub(1).and_then(|at| self.cards.get_mut(at))
        {
            it.0 = Seen::Card(*card);
        } else if let Event::CardsConfirmed { cards, .. } = event {
            self.cards = cards.iter().map(|card| (Seen::Card(*card), None, false)).collect();
        }
    }

    /// What happens to wagers and the result. Whether the Round ended, or ended anew.
    fn take(&mut self, at: Timestamp, event: &Event, movement: &Movement<'_>) -> bool {
        if let Movement::Stake { spot, step } = movement {
            let (Step::More { stake, .. } | Step::Less { stake, .. } | Step::Is { stake }) = *step;
            self.stake(*spot, stake);
        } else if let Movement::Amended { spot, stake, .. } = movement {
            self.stake(*spot, *stake);
        } else if let Movement::Settled { round, result, lines, .. } = movement
            && *round == self.round
        {
            return self.end(at, RecalledStatus::Settled, result, lines);
        } else if let Movement::Corrected { round, result, lines, amended, .. } = movement
            && *round == self.round
        {
            if let Some((spot, stake)) = amended {
                self.stake(*spot, *stake);
            }
            return self.end(at, RecalledStatus::Corrected, result, lines);
        } else if let Event::RoundVoided { round, kind, cite, .. } = event
            && *round == self.round
        {
            let status = if self.result.is_some() { RecalledStatus::Undone } else { RecalledStatus::Void };
            self.ended = Some((at, status));
            self.void = Some(RecalledVoid { kind: *kind, cite: cite.clone() });
            self.lines.clear();
            return true;
        }
        false
    }

    fn stake(&mut self, spot: Spot<'_>, stake: Money) {
        let key = (spot.patron, spot.box_no, spot.bet.clone());
        if stake.is_zero() {
            self.wagers.remove(&key);
        } else {
            self.wagers.insert(key, stake);
        }
    }

    fn end(
        &mut self,
        at: Timestamp,
        status: RecalledStatus,
        result: &RoundResult,
        lines: &[SettledLine],
    ) -> bool {
        self.ended = Some((at, status));
        self.result = Some(result.clone());
        self.lines = lines.to_vec();
        true
    }

    fn finish(self, whose: Whose, before: Option<Money>, after: Option<Money>) -> Recalled {
        let (ended, status) = self.ended.expect("only Rounds that are over");
        let is_seen = |patron: PatronNo| match whose {
            Whose::Patron(me) => patron == me,
            Whose::Everybody => true,
            Whose::Nobody => false,
        };
        let cards = match &self.result {
            Some(result) => {
                // Each card lies where the Table of Play puts it.
                let side = |at: usize| match reconstruct(&result.cards[..at]).0.step() {
                    DealStep::Draw(side) => Some(side),
                    DealStep::Complete(_) => None,
                };
                let cards = result.cards.iter().enumerate();
                cards.map(|(at, card)| RecalledCard { card: Seen::Card(*card), side: side(at) }).collect()
            }
            None => {
                let hide = |covered: bool| covered && whose != Whose::Everybody;
                let cards = self.cards.into_iter();
                cards
                    .map(|(seen, side, covered)| RecalledCard {
                        card: if hide(covered) { Seen::Covered } else { seen },
                        side,
                    })
                    .collect()
            }
        };
        let wagers = self.wagers.into_iter().filter(|((patron, ..), _)| is_seen(*patron));
        Recalled {
            round: self.round,
            opened: self.opened,
            ended,
            status,
            void: self.void,
            cards,
            result: self.result,
            wagers: wagers
                .map(|((patron, box_no, bet), stake)| RecalledWager { patron, box_no, bet, stake })
                .collect(),
            lines: self.lines.into_iter().filter(|line| is_seen(line.patron)).collect(),
            before,
            after,
        }
    }
}
