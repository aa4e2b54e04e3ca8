//! One outcome, one number.
//!
//! A completed Round falls into one of a small number of classes: both Point Totals, both numbers of cards, the pairs;
//! and, only where a rule book's rows ask for them, suited pairs and capped counts of cards. Rounds of one class are
//! alike for every bet of the rule book, so a bet is one table from class to verdict: settlement looks it up, exact
//! odds are a dot product with it.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::fact::{Fact, Facts};
use crate::{BySide, Card, Counter, Deal, Outcome, Pairs, Rank, Side, Step, Suit};

/// A rule book may have at most this many classes.
pub const MOST_CLASSES: usize = 1_000_000;
/// A rule book may count at most this many different sets of cards.
pub const MOST_COUNTERS: usize = 8;

/// The number of an outcome's class, from 0 and without gaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClassNo(u32);

impl ClassNo {
    /// As an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The classes that every rule book has: totals × numbers of cards × pairs, those that can happen, numbered densely.
struct BaseClasses {
    /// From [`raw`] to the dense number; [`IMPOSSIBLE`] where no Round ends so.
    dense: Vec<u16>,
    /// From the dense number to [`raw`].
    raw: Vec<u16>,
}

const RAW_CLASSES: usize = 10 * 10 * 2 * 2 * Pairs::COUNT;
const IMPOSSIBLE: u16 = u16::MAX;

#[inline]
fn raw(outcome: &Outcome) -> usize {
    let BySide { player, banker } = outcome.hands();
    let (points, cards) = ((player.points().get(), banker.points().get()), (player.len(), banker.len()));
    raw_number(points, cards, outcome.pairs())
}

/// The number of an ending among all combinations, possible or not.
#[inline]
const fn raw_number(points: (u8, u8), cards: (u8, u8), pairs: Pairs) -> usize {
    let totals = points.0 as usize * 10 + points.1 as usize;
    let cards = (cards.0 as usize - 2) * 2 + (cards.1 as usize - 2);
    (totals * 4 + cards) * Pairs::COUNT + pairs as usize
}

static BASE: LazyLock<BaseClasses> = LazyLock::new(|| {
    let space = Features { suited: false, counters: Vec::new() };
    let mut possible = vec![false; RAW_CLASSES];
    space.each_future(Deal::new(), |outcome| possible[raw(outcome)] = true);
    let mut dense = vec![IMPOSSIBLE; RAW_CLASSES];
    let raw: Vec<u16> = (0..RAW_CLASSES as u16).filter(|&raw| possible[raw as usize]).collect();
    for (number, &raw) in raw.iter().enumerate() {
        dense[raw as usize] = number as u16;
    }
    BaseClasses { dense, raw }
});

/// How a Round ends, as far as every rule book tells it apart, and suited pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub struct Ending {
    pub points: BySide<u8>,
    pub cards: BySide<u8>,
    pub pairs: Pairs,
    pub suited: BySide<bool>,
}

impl Ending {
    fn raw(&self) -> usize {
        let (points, cards) = (self.points, self.cards);
        raw_number((points.player, points.banker), (cards.player, cards.banker), self.pairs)
    }
}

/// What a rule book's rows tell apart beyond the base classes.
#[derive(Clone, Debug)]
struct Features {
    suited: bool,
    /// Each counter with its cap: the least count from which on no row tells more.
    counters: Vec<(Counter, u8)>,
}

/// All classes of one rule book.
#[derive(Clone, Debug)]
pub struct ClassSpace {
    features: Features,
    possible: ClassSet,
}

/// A set of classes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassSet(Vec<bool>);

impl ClassSet {
    /// Whether the class is a member.
    pub fn contains(&self, class: ClassNo) -> bool {
        self.0[class.index()]
    }

    /// The members, rising.
    pub fn iter(&self) -> impl Iterator<Item = ClassNo> + '_ {
        self.0.iter().enumerate().filter(|(_, member)| **member).map(|(index, _)| ClassNo(index as u32))
    }
}

/// A rule book whose rows tell too many things apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TooMany {
    /// More classes than [`MOST_CLASSES`].
    Classes(usize),
    /// More counters than [`MOST_COUNTERS`].
    Counters(usize),
}

impl ClassSpace {
    /// The classes that these rows' facts tell apart.
    pub(crate) fn of<'a>(facts: impl Iterator<Item = &'a Fact>) -> Result<ClassSpace, TooMany> {
        let mut features = Features { suited: false, counters: Vec::new() };
        for fact in facts {
            match fact {
                Fact::SuitedPairs(_) => features.suited = true,
                Fact::Count(counter, set, _) => {
                    // From the last change of membership on, higher counts are all alike.
                    let cap = (1..=6).rev().find(|&n| set.contains(n) != set.contains(n - 1)).unwrap_or(0);
                    match features.counters.iter_mut().find(|(other, _)| other == counter) {
                        Some((_, known)) => *known = cap.max(*known),
                        None => features.counters.push((*counter, cap)),
                    }
                }
                Fact::Winner(_)
                | Fact::Points(_)
                | Fact::PointsOf(..)
                | Fact::WinnerCards(_)
                | Fact::CardsOf(..)
                | Fact::Cards(_)
                | Fact::Margin(_)
                | Fact::Natural(_)
                | Fact::Pairs(_)
                | Fact::Sum(_) => {}
            }
        }
        let classes = features.classes();
        if features.counters.len() > MOST_COUNTERS {
            return Err(TooMany::Counters(features.counters.len()));
        }
        if classes > MOST_CLASSES {
            return Err(TooMany::Classes(classes));
        }
        // The base classes are numbered so that all of them can happen; only features make impossible combinations.
        let plain = !features.suited && features.counters.is_empty();
        let mut space = ClassSpace { features, possible: ClassSet(vec![plain; classes]) };
        if !plain {
            space.possible = space.future(Deal::new());
        }
        Ok(space)
    }

    /// How many classes there are. Numbers that no Round can have are few; [`ClassSpace::possible`] leaves them out.
    pub fn len(&self) -> usize {
        self.possible.0.len()
    }

    /// Never: every rule book has the base classes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The class of a completed Round.
    pub fn class_of(&self, outcome: &Outcome) -> ClassNo {
        let base = BASE.dense[raw(outcome)];
        debug_assert_ne!(base, IMPOSSIBLE);
        let mut number = u32::from(base);
        if self.features.suited {
            let suited = |side: Side| u32::from(outcome.hands()[side].is_suited_pair());
            number = number * 4 + suited(Side::Player) * 2 + suited(Side::Banker);
        }
        for &(counter, cap) in &self.features.counters {
            number = number * (u32::from(cap) + 1) + u32::from(count(counter, outcome.hands()).min(cap));
        }
        ClassNo(number)
    }

    /// Whether rows tell suited pairs from others.
    pub fn tells_suited(&self) -> bool {
        self.features.suited
    }

    /// The sets of cards that rows count, each with the least count from which on no row tells more.
    pub fn counters(&self) -> &[(Counter, u8)] {
        &self.features.counters
    }

    /// The class of Rounds that end so; `None` if no Round does. `counts` are in the order of [`ClassSpace::counters`].
    pub fn class_with(&self, ending: &Ending, counts: &[u8]) -> Option<ClassNo> {
        let base = BASE.dense[ending.raw()];
        if base == IMPOSSIBLE {
            return None;
        }
        let mut number = u32::from(base);
        if self.features.suited {
            number = number * 4 + u32::from(ending.suited.player) * 2 + u32::from(ending.suited.banker);
        }
        assert_eq!(counts.len(), self.features.counters.len());
        for (&(_, cap), &count) in self.features.counters.iter().zip(counts) {
            number = number * (u32::from(cap) + 1) + u32::from(count.min(cap));
        }
        Some(ClassNo(number)).filter(|class| self.possible.contains(*class))
    }

    /// How the Rounds of a class end, counts apart.
    pub fn ending(&self, class: ClassNo) -> Ending {
        let Facts { points, cards, pairs, suited, .. } = self.facts(class);
        Ending { points, cards, pairs, suited }
    }

    /// The classes that Rounds can fall into, each card being as likely to come again as ever.
    pub fn possible(&self) -> &ClassSet {
        &self.possible
    }

    /// The classes that a Round begun like this can still fall into, whatever cards come (depletion ignored).
    // INTERPRETATION 20: certainty is over all ranks that may still come, not over what is left in the shoe.
    pub fn future(&self, deal: Deal) -> ClassSet {
        let mut set = vec![false; self.len()];
        self.features.each_future(deal, |outcome| set[self.class_of(outcome).index()] = true);
        ClassSet(set)
    }

    /// The facts that all Rounds of a class share.
    pub(crate) fn facts(&self, class: ClassNo) -> Facts {
        let mut number = class.index();
        let mut digit = |radix: usize| {
            let digit = number % radix;
            number /= radix;
            digit
        };
        let mut counts: Vec<(Counter, u8)> = Vec::new();
        for &(counter, cap) in self.features.counters.iter().rev() {
            counts.push((counter, digit(usize::from(cap) + 1) as u8));
        }
        let suited = if self.features.suited { digit(4) } else { 0 };
        number = BASE.raw[number] as usize;
        let mut digit = |radix: usize| {
            let digit = number % radix;
            number /= radix;
            digit
        };
        let pairs = Pairs::from_index(digit(Pairs::COUNT));
        let banker_cards = digit(2) as u8 + 2;
        let player_cards = digit(2) as u8 + 2;
        let (banker, player) = (digit(10) as u8, digit(10) as u8);
        Facts {
            points: BySide { player, banker },
            cards: BySide { player: player_cards, banker: banker_cards },
            pairs,
            suited: BySide { player: suited & 2 != 0, banker: suited & 1 != 0 },
            counts,
        }
    }
}

fn count(counter: Counter, hands: &BySide<crate::Hand>) -> u8 {
    Side::BOTH.into_iter().flat_map(|side| hands[side].cards()).filter(|card| counter.counts(**card)).count()
        as u8
}

impl Features {
    fn classes(&self) -> usize {
        let base = BASE.raw.len() * if self.suited { 4 } else { 1 };
        self.counters.iter().fold(base, |classes, (_, cap)| classes.saturating_mul(usize::from(*cap) + 1))
    }

    /// Calls `visit` with a completed Round of every class that a Round begun like this can fall into.
    ///
    /// Rounds are dealt on by the one `step`, card by card; those that no later card can tell apart are followed once.
    fn each_future(&self, deal: Deal, mut visit: impl FnMut(&Outcome)) {
        let kinds = self.kinds();
        let mut frontier = vec![deal];
        if let Step::Complete(outcome) = deal.step() {
            visit(&outcome);
            return;
        }
        while !frontier.is_empty() {
            let mut seen = HashSet::new();
            let mut next = Vec::new();
            for deal in frontier {
                for &card in &kinds {
                    let deal = deal.take(card);
                    match deal.step() {
                        Step::Complete(outcome) => visit(&outcome),
                        Step::Draw(_) if seen.insert(self.key(&deal)) => next.push(deal),
                        Step::Draw(_) => {}
                    }
                }
            }
            frontier = next;
        }
    }

    /// One card of each kind that can make a difference.
    fn kinds(&self) -> Vec<Card> {
        let mut seen = HashSet::new();
        Card::all()
            .filter(|&card| {
                let suit = if self.suited { card.suit } else { Suit::Spades };
                let counted: Vec<bool> =
                    self.counters.iter().map(|(counter, _)| counter.counts(card)).collect();
                seen.insert((card.rank, suit, counted))
            })
            .collect()
    }

    /// All that later cards and the class can depend on in an incomplete Round.
    ///
    /// The next card's side is among it (by the numbers of cards), and a Round that still draws a card for Banker
    /// does so whatever the Player's third card was, so that card itself is not.
    fn key(&self, deal: &Deal) -> u64 {
        let hands = deal.hands();
        let rank = |rank: Option<Rank>| rank.map_or(0, |rank| rank as u64 + 1);
        let mut key = 0u64;
        let mut push = |value: u64, radix: u64| key = key * radix + value;
        for side in Side::BOTH {
            let hand = &hands[side];
            push(hand.len().into(), 4);
            push(hand.points().get().into(), 10);
            if let [card] = hand.cards() {
                push(card.rank as u64, 13);
                push(if self.suited { card.suit as u64 } else { 0 }, 4);
            }
        }
        if hands.banker.len() < 2 {
            push(rank(hands.player.pair()), 14);
        } else {
            push(Pairs::of(hands) as u64, Pairs::COUNT as u64);
        }
        if self.suited {
            push(
                Side::BOTH
                    .into_iter()
                    .fold(0, |bits, side| bits * 2 + u64::from(hands[side].is_suited_pair())),
                4,
            );
        }
        for &(counter, cap) in &self.counters {
            push(count(counter, hands).min(cap).into(), 7);
        }
        key
    }
}
