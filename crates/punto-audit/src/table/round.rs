//! A Round as the record tells it: wagers, cards, matters.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use punto_record::{
    BoxNo, MatterNo, Part, Person, Report, Return, RoundNo, RoundResult, Seen, SettledLine, ShoeNo, Timestamp,
};
use punto_rules::{
    BetId, BettingBox, BySide, Card, IrregularityKind, Layer, Money, PatronNo, Side, Stance, Step,
    reconstruct,
};

use super::books::{amount, money};

/// Before every bet: where the wagers of a patron begin.
static FIRST: LazyLock<BetId> = LazyLock::new(|| BetId::as_recorded(""));

/// Where a Round stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    Betting,
    Dealing,
    Unread,
    Held,
    Choosing,
    Confirming,
}

/// Something to be ruled.
#[derive(Clone, Debug)]
pub(crate) struct Matter {
    pub(crate) no: MatterNo,
    pub(crate) kind: IrregularityKind,
    pub(crate) report: Report,
    pub(crate) holds: bool,
    pub(crate) round: RoundNo,
    /// Where in the order its cards begin, if they came together.
    pub(crate) from: usize,
    /// Until when it holds back money of a Round that is over.
    pub(crate) money_until: Option<Timestamp>,
}

impl Matter {
    /// The Round whose money it claims to be wrong.
    pub(crate) fn claim(&self) -> Option<RoundNo> {
        claim(&self.report, self.round)
    }
}

/// The Round whose money a report claims to be wrong, where this Round was the last to commence.
pub(crate) fn claim(report: &Report, last: RoundNo) -> Option<RoundNo> {
    if let Report::WrongResult { round, .. } | Report::LateDiscovery { round, .. } = report {
        return Some(*round);
    }
    matches!(report, Report::WrongNumberOfCards { .. }).then_some(last)
}

/// A card that is out.
#[derive(Clone, Debug)]
pub(crate) struct Dealt {
    pub(crate) seen: Seen,
    pub(crate) side: Option<Side>,
    pub(crate) covered: bool,
    pub(crate) shoe: ShoeNo,
    pub(crate) carried: bool,
    /// Keyed by a hand, and nobody has ruled on it since.
    pub(crate) correctable: bool,
    /// No device fixed its place in the order.
    pub(crate) keyed: bool,
}

/// Names one wager; raises are merged (interpretation 11).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key {
    pub(crate) patron: PatronNo,
    pub(crate) box_no: Option<BoxNo>,
    pub(crate) bet: BetId,
}

/// A wager that stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Standing {
    pub(crate) stance: Option<Stance>,
    pub(crate) side: Option<Side>,
    pub(crate) stake: Money,
    pub(crate) playing: Option<Money>,
    /// Its owner was told that it is outside its limits.
    pub(crate) advised: bool,
    /// The place by when it was first placed.
    pub(crate) first: u64,
}

/// A Round that is over, until the next one commences.
#[derive(Clone, Debug)]
pub(crate) struct Last {
    pub(crate) no: RoundNo,
    pub(crate) settled: bool,
    pub(crate) lines: Vec<SettledLine>,
    pub(crate) house: i64,
    pub(crate) drawn: Vec<Card>,
    pub(crate) shoe: ShoeNo,
}

/// A Round in play.
#[derive(Clone, Debug)]
pub(crate) struct Round {
    pub(crate) no: RoundNo,
    pub(crate) shoe: ShoeNo,
    pub(crate) stage: Stage,
    pub(crate) closes_at: Timestamp,
    /// Bets are open, even while the Round is held.
    pub(crate) bets_open: bool,
    pub(crate) interrupted: bool,
    pub(crate) wagers: BTreeMap<Key, Standing>,
    pub(crate) boxes: BTreeMap<BoxNo, BettingBox>,
    placed: u64,
    pub(crate) drawn: Vec<Dealt>,
    /// The cards in the order that counts.
    pub(crate) order: Vec<Card>,
    pub(crate) squeezes: Vec<(PatronNo, u8, Option<bool>)>,
    /// Who drew a card of it.
    pub(crate) dealers: BTreeSet<Person>,
    pub(crate) shoe_awaited: bool,
    pub(crate) held: Vec<Matter>,
    /// The patrons are to be asked once everything is ruled. Of the first release, which forgot what was granted while
    /// bets were open.
    pub(crate) choice: bool,
    /// What may be taken back by choices that were granted and not made.
    pub(crate) rights: BTreeMap<Key, Money>,
    pub(crate) waiting: BTreeSet<PatronNo>,
    pub(crate) until: Timestamp,
    pub(crate) result: Option<RoundResult>,
}

impl Round {
    pub(crate) fn new(no: RoundNo, shoe: ShoeNo, closes_at: Timestamp) -> Round {
        Round {
            no,
            shoe,
            stage: Stage::Betting,
            closes_at,
            bets_open: true,
            interrupted: false,
            wagers: BTreeMap::new(),
            boxes: BTreeMap::new(),
            placed: 0,
            drawn: Vec::new(),
            order: Vec::new(),
            squeezes: Vec::new(),
            dealers: BTreeSet::new(),
            shoe_awaited: false,
            held: Vec::new(),
            choice: false,
            rights: BTreeMap::new(),
            waiting: BTreeSet::new(),
            until: Timestamp(0),
            result: None,
        }
    }

    pub(crate) fn stake(&self, key: &Key) -> Money {
        self.wagers.get(key).map_or(Money::ZERO, |standing| standing.stake)
    }

    pub(crate) fn total(&self) -> i128 {
        self.wagers.values().map(|standing| amount(standing.stake)).sum()
    }

    pub(crate) fn of(&self, patron: PatronNo) -> impl Iterator<Item = (&Key, &Standing)> {
        let first = Key { patron, box_no: None, bet: FIRST.clone() };
        self.wagers.range(first..).take_while(move |(key, _)| key.patron == patron)
    }

    pub(crate) fn bets(&self, patron: PatronNo) -> bool {
        self.of(patron).next().is_some()
    }

    pub(crate) fn seated(&self, box_no: BoxNo) -> Option<PatronNo> {
        let mut here = self.wagers.iter().filter(|(key, _)| key.box_no == Some(box_no));
        here.find(|(_, it)| it.stance == Some(Stance::Seated)).map(|(key, _)| key.patron)
    }

    /// In the order in which they are settled: by box, then by when they were first placed.
    pub(crate) fn in_order(&self) -> Vec<(&Key, &Standing)> {
        let mut wagers: Vec<_> = self.wagers.iter().collect();
        wagers.sort_by_key(|(key, standing)| (key.box_no, standing.first));
        wagers
    }

    pub(crate) fn returns(&self, of: Option<PatronNo>) -> Vec<Return> {
        let wagers = self.in_order().into_iter().filter(|(key, _)| of.is_none_or(|it| key.patron == it));
        let back = |(key, standing): (&Key, &Standing)| Return {
            patron: key.patron,
            box_no: key.box_no,
            bet: key.bet.clone(),
            side: standing.side,
            amount: standing.stake,
        };
        wagers.map(back).collect()
    }

    /// What a patron may take back.
    pub(crate) fn taken_back(&self, patron: PatronNo) -> Vec<Return> {
        let mut own = self.returns(Some(patron));
        own.retain_mut(|it| {
            let key = Key { patron, box_no: it.box_no, bet: it.bet.clone() };
            self.rights.get(&key).inspect(|right| it.amount = **right).is_some()
        });
        own
    }

    /// Adds to a wager; `false` if no money can hold it.
    pub(crate) fn add(&mut self, key: Key, stance: Option<Stance>, side: Option<Side>, more: Money) -> bool {
        let Some(stake) = self.stake(&key).plus(more) else { return false };
        if let (Some(box_no), Some(stance), Some(side)) = (key.box_no, stance, side) {
            let layer = Layer { patron: key.patron, stance, side, amount: more };
            if !more.is_zero() && self.boxes.entry(box_no).or_default().record(layer).is_err() {
                return false;
            }
        }
        let first = self.placed;
        let standing = self.wagers.entry(key).or_insert_with(|| {
            self.placed += 1;
            Standing { stance, side, stake: Money::ZERO, playing: None, advised: false, first }
        });
        (standing.stake, standing.advised) = (stake, false);
        true
    }

    /// Takes from a wager as much as is there; returns that.
    pub(crate) fn take(&mut self, key: &Key, less: Money) -> Money {
        let Some(standing) = self.wagers.get_mut(key) else { return Money::ZERO };
        let taken = less.min(standing.stake);
        (standing.stake, standing.advised) = (standing.stake.less(taken), false);
        standing.playing = standing.playing.map(|playing| playing.min(standing.stake));
        if let Some(right) = self.rights.get_mut(key) {
            *right = (*right).min(standing.stake);
        }
        self.rights.retain(|_, right| !right.is_zero());
        let (side, gone) = (standing.side, standing.stake.is_zero());
        if let (Some(box_no), Some(side)) = (key.box_no, side)
            && let Some(betting_box) = self.boxes.get_mut(&box_no)
        {
            betting_box.withdraw(key.patron, side, taken);
            if betting_box.layers().is_empty() {
                self.boxes.remove(&box_no);
            }
        }
        if gone {
            self.wagers.remove(key);
        }
        taken
    }

    pub(crate) fn set_parts(&mut self, of_box: Option<BoxNo>, parts: &[Part]) {
        for (key, standing) in &mut self.wagers {
            if of_box.is_none() || key.box_no == of_box {
                standing.playing = None;
            }
        }
        for part in parts {
            let key = Key { patron: part.patron, box_no: Some(part.box_no), bet: part.bet.clone() };
            if let Some(standing) = self.wagers.get_mut(&key) {
                standing.playing = money(amount(part.playing).min(amount(standing.stake)));
            }
        }
    }

    /// Where the next card belongs; `None` if none is due.
    pub(crate) fn due(&self) -> Option<Side> {
        if self.stage != Stage::Dealing || self.interrupted {
            return None;
        }
        self.belongs()
    }

    /// Where one more card would belong by the Table of Play.
    pub(crate) fn belongs(&self) -> Option<Side> {
        match reconstruct(&self.order).0.step() {
            Step::Draw(side) => Some(side),
            Step::Complete(_) => None,
        }
    }

    /// Which Hand each card belongs to by the Table of Play, up to the last that the Round needs.
    pub(crate) fn places(&self) -> Vec<Side> {
        let (deal, _) = reconstruct(&self.order);
        let needed = deal.drawn().count();
        let before = |count: usize| reconstruct(&self.order[..count]).0.step();
        let side = |step: Step| if let Step::Draw(side) = step { Some(side) } else { None };
        (0..needed).filter_map(|count| side(before(count))).collect()
    }

    pub(crate) fn left_over(&self) -> &[Card] {
        reconstruct(&self.order).1
    }

    pub(crate) fn hands(&self) -> BySide<Vec<Card>> {
        BySide::from_fn(|side| {
            let lying = self.drawn.iter().filter(|dealt| dealt.side == Some(side));
            lying.filter_map(|dealt| dealt.seen.card()).collect()
        })
    }

    pub(crate) fn has_covered(&self) -> bool {
        self.drawn.iter().any(|dealt| dealt.covered)
    }

    pub(crate) fn lay(&mut self, hands: &BySide<Vec<Card>>) {
        let mut lying: Vec<(Card, Side)> = Vec::new();
        for side in Side::BOTH {
            lying.extend(hands[side].iter().map(|card| (*card, side)));
        }
        for dealt in &mut self.drawn {
            let place = lying.iter().position(|(card, _)| dealt.seen == Seen::Card(*card));
            dealt.side = place.map(|place| lying.remove(place).1);
        }
    }

    pub(crate) fn lay_in_order(&mut self) {
        let (deal, _) = reconstruct(&self.order);
        let hands = BySide::from_fn(|side| deal.hands()[side].cards().to_vec());
        self.lay(&hands);
    }
}
