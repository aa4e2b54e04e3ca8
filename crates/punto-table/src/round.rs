//! A Round in play, and the stages it goes through.

use std::collections::{BTreeMap, BTreeSet};

use punto_record::{BoxNo, MatterNo, Part, Report, Return, RoundNo, RoundResult, Seen, ShoeNo, Timestamp};
use punto_rules::{
    BetId, BettingBox, BySide, Card, IrregularityKind, Layer, Money, PatronNo, Side, Stance, Step,
    reconstruct,
};
use serde::{Deserialize, Serialize};

/// A Round in play. What exists only in one stage lives in that stage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Round {
    pub no: RoundNo,
    /// The shoe that the next card comes from.
    pub shoe: ShoeNo,
    pub stage: Stage,
    pub wagers: Wagers,
    /// Every card that is out, in the order it left the shoe.
    pub drawn: Vec<Dealt>,
    /// All cards in the order that counts: as they were drawn, unless somebody ruled. What the Round does not need is
    /// at the end and opens the next one.
    pub order: Vec<Card>,
    pub squeezes: Vec<Squeeze>,
    /// Who accepted which Hand.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub accepted: BTreeMap<Side, PatronNo>,
    /// What may be taken back by a choice that was granted and is not made yet: the bets that lay when the error
    /// happened, and how much of each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rights: Vec<(WagerKey, Money)>,
    /// A ruling had the cards replaced and the new shoe is not there yet.
    pub shoe_awaited: bool,
    /// Its cards were complete once: a result was shown, whatever was found since.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shown: bool,
    /// Somebody took bets back.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub taken_back: bool,
}

/// Where a Round stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "stage", rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum Stage {
    /// Bets are open.
    Betting { closes_at: Timestamp },
    /// Bets are closed, cards are to come.
    Dealing {},
    /// A card could not be read.
    Unread {},
    /// Something is to be ruled. `waiting`: patrons were being asked, and these had not answered. `closes_at`: bets were
    /// open.
    Held { matters: Vec<Matter>, waiting: BTreeSet<PatronNo>, closes_at: Option<Timestamp> },
    /// Patrons choose between continuing and taking back.
    Choosing { until: Timestamp, waiting: BTreeSet<PatronNo> },
    /// The cards are complete; the result is to be confirmed.
    Confirming { result: RoundResult },
    /// The table was interrupted; the Dealer is to say which cards are out.
    Interrupted { before: Box<Stage> },
}

/// Something that was reported or found, until it is ruled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Matter {
    pub no: MatterNo,
    pub kind: IrregularityKind,
    pub report: Report,
    /// Whether it keeps the Round, or the next one, from going on.
    pub holds: bool,
    /// The Round that was in play or had just been played.
    pub round: RoundNo,
    /// Where in the order its cards begin, if they came together.
    pub from: usize,
    /// Until when it holds back money of a Round that is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub money_until: Option<punto_record::Timestamp>,
}

impl Matter {
    /// The Round that is over and whose money it claims to be wrong.
    pub(crate) const fn claim(&self) -> Option<RoundNo> {
        if let Report::WrongResult { round, .. } | Report::LateDiscovery { round, .. } = &self.report {
            Some(*round)
        } else if let Report::WrongNumberOfCards { .. } = &self.report {
            Some(self.round)
        } else {
            None
        }
    }

    /// The cards that it says came out of the shoe, if it is about cards that wait to be used.
    pub(crate) fn exposed(&self) -> Option<&[Card]> {
        let (Report::ExcessOrExposedCard { cards } | Report::SimultaneousDraw { cards, .. }) = &self.report
        else {
            return None;
        };
        self.holds.then_some(cards)
    }
}

/// A card that is out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Dealt {
    pub seen: Seen,
    pub side: Option<Side>,
    pub covered: bool,
    pub shoe: ShoeNo,
    pub carried: bool,
    /// A hand keyed it and nobody has ruled on it since: it may have been keyed wrongly.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub correctable: bool,
    /// A hand recorded it: no device fixed its place in the order.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub keyed: bool,
}

/// A squeeze that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Squeeze {
    pub patron: PatronNo,
    pub card: u8,
    pub granted: Option<bool>,
}

impl Round {
    /// Who accepts a Hand: it ends when they have no bet in the Round any more.
    pub fn accepting(&self, side: Side) -> Option<PatronNo> {
        self.accepted.get(&side).copied().filter(|patron| self.wagers.of(*patron).next().is_some())
    }

    /// Where the next card belongs; `None` if no card is due.
    pub fn due(&self) -> Option<Side> {
        let Stage::Dealing {} = self.stage else { return None };
        match reconstruct(&self.order).0.step() {
            Step::Draw(side) => Some(side),
            Step::Complete(_) => None,
        }
    }

    /// How many more cards the Round needs at least.
    pub fn cards_needed(&self) -> u16 {
        let (deal, _) = reconstruct(&self.order);
        match deal.step() {
            Step::Draw(_) => 4_u16.saturating_sub(deal.drawn().count() as u16).max(1),
            Step::Complete(_) => 0,
        }
    }

    /// The cards that are left over for the next Round.
    pub fn left_over(&self) -> &[Card] {
        reconstruct(&self.order).1
    }

    /// How the cards lie, as far as it is known.
    pub fn hands(&self) -> BySide<Vec<Card>> {
        BySide::from_fn(|side| {
            let lying = self.drawn.iter().filter(|dealt| dealt.side == Some(side));
            lying.filter_map(|dealt| dealt.seen.card()).collect()
        })
    }

    /// The cards in the order they left the shoe.
    pub fn cards(&self) -> Vec<Card> {
        self.drawn.iter().filter_map(|dealt| dealt.seen.card()).collect()
    }

    /// The cards of the shoe in use that may have been keyed wrongly, counted from 1.
    pub fn correctable(&self) -> impl Iterator<Item = u16> + '_ {
        let may = |dealt: &Dealt| dealt.correctable && dealt.shoe == self.shoe;
        (1..).zip(&self.drawn).filter(move |(_, dealt)| may(dealt)).map(|(at, _)| at)
    }

    /// The card that the Dealer alone may say was keyed wrongly: the last one out, while no result was shown.
    pub fn correctable_by_dealer(&self) -> Option<u16> {
        if self.shown || !matches!(self.stage, Stage::Dealing {}) {
            return None;
        }
        self.correctable().last().filter(|at| usize::from(*at) == self.drawn.len())
    }

    /// Whether a card may have been keyed wrongly, but it takes a Pit Supervisor to say so.
    pub(crate) fn corrections_take_supervisor(&self) -> bool {
        let is_time = matches!(self.stage, Stage::Dealing {} | Stage::Confirming { .. });
        is_time && self.correctable_by_dealer().is_none() && self.correctable().next().is_some()
    }

    /// Whether a card lies face down.
    pub fn has_covered(&self) -> bool {
        self.drawn.iter().any(|dealt| dealt.covered)
    }

    /// Says how the cards lie.
    pub(crate) fn lay(&mut self, hands: &BySide<Vec<Card>>) {
        let mut lying: Vec<(Card, Side)> = Side::BOTH
            .into_iter()
            .flat_map(|side| hands[side].iter().map(move |card| (*card, side)))
            .collect();
        for dealt in &mut self.drawn {
            let place = lying.iter().position(|(card, _)| dealt.seen == Seen::Card(*card));
            dealt.side = place.map(|place| lying.remove(place).1);
        }
    }

    /// The cards lie as the Table of Play gives them out in the order that counts.
    pub(crate) fn lay_in_order(&mut self) {
        let (deal, _) = reconstruct(&self.order);
        let hands = BySide::from_fn(|side| deal.hands()[side].cards().to_vec());
        self.lay(&hands);
    }

    /// Every bet that lies now may be taken back.
    // INTERPRETATION 34: the choice belongs to bets that lay when the error happened, later ones have none.
    pub(crate) fn grant_choice(&mut self) {
        self.rights = self.wagers.iter().map(|(key, standing)| (key.clone(), standing.stake)).collect();
    }

    /// Nobody takes back more than still lies there.
    pub(crate) fn keep_rights(&mut self) {
        let wagers = &self.wagers;
        self.rights.retain_mut(|(key, amount)| {
            *amount = (*amount).min(wagers.stake(key));
            !amount.is_zero()
        });
    }

    /// Who has a choice that is not made yet.
    pub fn entitled(&self) -> BTreeSet<PatronNo> {
        self.rights.iter().map(|(key, _)| key.patron).collect()
    }

    /// What a patron may take back.
    pub fn taken_back(&self, patron: PatronNo) -> Vec<Return> {
        let own = self.rights.iter().filter(|(key, _)| key.patron == patron);
        let mut own: Vec<_> =
            own.filter_map(|(key, amount)| Some((key, *amount, self.wagers.get(key)?))).collect();
        own.sort_by_key(|(key, _, standing)| (key.box_no, standing.first));
        let back = |(key, amount, standing): (&WagerKey, Money, &Standing)| Return {
            patron,
            box_no: key.box_no,
            bet: key.bet.clone(),
            side: standing.side,
            amount,
        };
        own.into_iter().map(back).collect()
    }

    /// Whether a card left the shoe for this Round.
    pub fn has_drawn(&self) -> bool {
        self.drawn.iter().any(|dealt| !dealt.carried)
    }

    /// Whether a list of the cards that are out leaves everything that was read as it was read: cards may only follow.
    /// A card that nobody could read is any card; what is no card of the set is not in the list.
    // INTERPRETATION 31: what was read is evidence.
    pub fn is_as_read(&self, cards: &[Card]) -> bool {
        is_as_read(self.drawn.iter().map(|dealt| &dealt.seen), cards)
    }

    /// The matter of what lies on the felt, after an interruption.
    pub fn disputed(&self) -> Option<&Matter> {
        self.matters().iter().find(|matter| matches!(matter.report, Report::CardsInDispute { .. }))
    }

    /// Matters that hold the Round, to be changed.
    pub(crate) fn matters_mut(&mut self) -> Option<&mut Vec<Matter>> {
        let stage = match &mut self.stage {
            Stage::Interrupted { before } => &mut **before,
            other @ (Stage::Betting { .. }
            | Stage::Dealing {}
            | Stage::Unread {}
            | Stage::Held { .. }
            | Stage::Choosing { .. }
            | Stage::Confirming { .. }) => other,
        };
        if let Stage::Held { matters, .. } = stage { Some(matters) } else { None }
    }

    /// Matters that hold the Round.
    pub fn matters(&self) -> &[Matter] {
        match &self.stage {
            Stage::Held { matters, .. } => matters,
            Stage::Interrupted { before } => match &**before {
                Stage::Held { matters, .. } => matters,
                Stage::Betting { .. }
                | Stage::Dealing {}
                | Stage::Unread {}
                | Stage::Choosing { .. }
                | Stage::Confirming { .. }
                | Stage::Interrupted { .. } => &[],
            },
            Stage::Betting { .. }
            | Stage::Dealing {}
            | Stage::Unread {}
            | Stage::Choosing { .. }
            | Stage::Confirming { .. } => &[],
        }
    }
}

/// Whether a list of cards begins with what was read; see [`Round::is_as_read`].
pub(crate) fn is_as_read<'a>(read: impl Iterator<Item = &'a Seen>, cards: &[Card]) -> bool {
    let mut rest = cards.iter();
    read.filter(|seen| !matches!(seen, Seen::Foreign(_))).all(|seen| match (seen.card(), rest.next()) {
        (Some(read), Some(card)) => read == *card,
        (None, Some(_)) => true,
        (_, None) => false,
    })
}

/// Names one wager: a patron has at most one on a bet in a box, raises merged (interpretation 11).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct WagerKey {
    pub patron: PatronNo,
    pub box_no: Option<BoxNo>,
    pub bet: BetId,
}

/// A wager that stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Standing {
    pub stance: Option<Stance>,
    pub side: Option<Side>,
    pub stake: Money,
    /// What plays, once bets are closed and if it is not all (5.1.1).
    pub playing: Option<Money>,
    /// The patron was told that this stake is outside its limits (5.2).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub advised: bool,
    /// The place among all wagers of the Round, by when it was first placed.
    pub first: u32,
}

/// All wagers of a Round, and for each box the order in which chips came to it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wagers {
    #[serde(serialize_with = "as_list", deserialize_with = "from_list")]
    by_key: BTreeMap<WagerKey, Standing>,
    boxes: BTreeMap<BoxNo, BettingBox>,
    seats: BTreeMap<BoxNo, PatronNo>,
    total: Money,
    placed: u32,
}

fn as_list<S: serde::Serializer>(wagers: &BTreeMap<WagerKey, Standing>, to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(wagers)
}

fn from_list<'de, D: serde::Deserializer<'de>>(from: D) -> Result<BTreeMap<WagerKey, Standing>, D::Error> {
    let list: Vec<(WagerKey, Standing)> = Vec::deserialize(from)?;
    Ok(list.into_iter().collect())
}

impl Wagers {
    /// One wager.
    pub fn get(&self, key: &WagerKey) -> Option<&Standing> {
        self.by_key.get(key)
    }

    /// What stands on one; nothing if there is none.
    pub fn stake(&self, key: &WagerKey) -> Money {
        self.get(key).map_or(Money::ZERO, |standing| standing.stake)
    }

    /// All of them, by patron, box and bet.
    pub fn iter(&self) -> impl Iterator<Item = (&WagerKey, &Standing)> {
        self.by_key.iter()
    }

    /// Those of one patron.
    pub fn of(&self, patron: PatronNo) -> impl Iterator<Item = (&WagerKey, &Standing)> {
        let first = WagerKey { patron, box_no: None, bet: BetId::as_recorded("") };
        self.by_key.range(first..).take_while(move |(key, _)| key.patron == patron)
    }

    /// Those of one box, in the order they were first placed.
    pub fn in_box(&self, box_no: BoxNo) -> Vec<(&WagerKey, &Standing)> {
        let mut wagers: Vec<_> = self.iter().filter(|(key, _)| key.box_no == Some(box_no)).collect();
        wagers.sort_by_key(|(_, standing)| standing.first);
        wagers
    }

    /// Everybody who has a wager.
    pub fn patrons(&self) -> BTreeSet<PatronNo> {
        self.by_key.keys().map(|key| key.patron).collect()
    }

    /// The boxes that hold Player or Banker bets.
    pub fn boxes(&self) -> impl Iterator<Item = (BoxNo, &BettingBox)> {
        self.boxes.iter().map(|(no, betting_box)| (*no, betting_box))
    }

    /// One box.
    pub fn betting_box(&self, box_no: BoxNo) -> Option<&BettingBox> {
        self.boxes.get(&box_no)
    }

    /// The Seated Player of a box.
    pub fn seated(&self, box_no: BoxNo) -> Option<PatronNo> {
        self.seats.get(&box_no).copied()
    }

    /// Whether a patron is the Seated Player of a box.
    pub fn is_seated(&self, patron: PatronNo) -> bool {
        self.seats.values().any(|seated| *seated == patron)
    }

    /// All stakes together.
    pub const fn total(&self) -> Money {
        self.total
    }

    /// Whether nothing stands.
    pub fn is_empty(&self) -> bool {
        self.by_key.is_empty()
    }

    pub(crate) fn add(&mut self, key: WagerKey, stance: Option<Stance>, side: Option<Side>, amount: Money) {
        if let (Some(box_no), Some(stance), Some(side)) = (key.box_no, stance, side) {
            let layer = Layer { patron: key.patron, stance, side, amount };
            let recorded = self.boxes.entry(box_no).or_default().record(layer);
            recorded.expect("decided only if the box can hold it");
        }
        if let (Some(box_no), Some(Stance::Seated)) = (key.box_no, stance) {
            self.seats.insert(box_no, key.patron);
        }
        self.total = sum(self.total, amount);
        let first = self.placed;
        let standing = self.by_key.entry(key).or_insert_with(|| {
            self.placed += 1;
            Standing { stance, side, stake: Money::ZERO, playing: None, advised: false, first }
        });
        standing.stake = sum(standing.stake, amount);
        standing.advised = false;
    }

    pub(crate) fn take(&mut self, key: &WagerKey, amount: Money) {
        let standing = self.by_key.get_mut(key).expect("decided only if the wager stands");
        standing.stake = standing.stake.minus(amount).expect("decided only if so much stands");
        // What is left plays as far as it was to play.
        standing.playing = standing.playing.map(|playing| playing.min(standing.stake));
        standing.advised = false;
        let (side, left) = (standing.side, standing.stake);
        self.total = self.total.less(amount);
        if let (Some(box_no), Some(side)) = (key.box_no, side) {
            let betting_box = self.boxes.get_mut(&box_no).expect("a box with chips on it");
            betting_box.withdraw(key.patron, side, amount);
            if betting_box.layers().is_empty() {
                self.boxes.remove(&box_no);
            }
        }
        if left.is_zero() {
            self.by_key.remove(key);
            let gone = self.of(key.patron).all(|(other, _)| other.box_no != key.box_no);
            if let (Some(box_no), true) = (key.box_no, gone)
                && self.seated(box_no) == Some(key.patron)
            {
                self.seats.remove(&box_no);
            }
        }
    }

    pub(crate) fn advise(&mut self, key: &WagerKey) {
        self.by_key.get_mut(key).expect("decided only if the wager stands").advised = true;
    }

    pub(crate) fn set_parts(&mut self, of_box: Option<BoxNo>, parts: &[Part]) {
        for (key, standing) in &mut self.by_key {
            if of_box.is_none() || key.box_no == of_box {
                standing.playing = None;
            }
        }
        for part in parts {
            let key = WagerKey { patron: part.patron, box_no: Some(part.box_no), bet: part.bet.clone() };
            self.by_key.get_mut(&key).expect("a part of a wager that stands").playing = Some(part.playing);
        }
    }

    /// All wagers as returns.
    pub(crate) fn returns(&self) -> Vec<Return> {
        let mut wagers: Vec<_> = self.iter().collect();
        wagers.sort_by_key(|(key, standing)| (key.box_no, standing.first));
        wagers
            .into_iter()
            .map(|(key, standing)| Return {
                patron: key.patron,
                box_no: key.box_no,
                bet: key.bet.clone(),
                side: standing.side,
                amount: standing.stake,
            })
            .collect()
    }
}

fn sum(a: Money, b: Money) -> Money {
    a.plus(b).expect("decided only if the payout of the whole Round fits")
}
