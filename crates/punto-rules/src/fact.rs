//! The facts about a completed Round that a row of a pay table can ask for.

use std::fmt;

use serde::Serialize;

use crate::{BySide, Card, Pairs, Side, Suit, Winner};

/// A set of small whole numbers: point totals, numbers of cards, margins, counts.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct NumberSet(u32);

impl NumberSet {
    /// The set without members.
    pub const EMPTY: NumberSet = NumberSet(0);

    /// The set with one more member.
    #[must_use]
    pub const fn with(self, number: u8) -> NumberSet {
        assert!(number < 32);
        NumberSet(self.0 | 1 << number)
    }

    /// Whether `number` is a member.
    pub const fn contains(self, number: u8) -> bool {
        number < 32 && self.0 >> number & 1 == 1
    }

    /// The members, rising.
    pub fn iter(self) -> impl Iterator<Item = u8> {
        (0..32).filter(move |&number| self.contains(number))
    }
}

impl FromIterator<u8> for NumberSet {
    fn from_iter<I: IntoIterator<Item = u8>>(numbers: I) -> NumberSet {
        numbers.into_iter().fold(NumberSet::EMPTY, NumberSet::with)
    }
}

impl fmt::Display for NumberSet {
    /// `6`, `6 or 7`, `4 to 9`, `1, 3 or 8`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let members: Vec<u8> = self.iter().collect();
        match members[..] {
            [] => write!(f, "nothing"),
            [only] => write!(f, "{only}"),
            [first, .., last] if members.len() > 2 && usize::from(last - first) == members.len() - 1 => {
                write!(f, "{first} to {last}")
            }
            [ref head @ .., last] => {
                let head: Vec<String> = head.iter().map(u8::to_string).collect();
                write!(f, "{} or {last}", head.join(", "))
            }
        }
    }
}

impl fmt::Debug for NumberSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// A question about both Hands at once: pairs, suited pairs or Naturals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum Which {
    Player,
    Banker,
    /// Exactly one Hand.
    ExactlyOne,
    /// At least one Hand.
    Either,
    Both,
    Neither,
    /// Both Hands, of one rank. Pairs only.
    Twin,
    /// The winning Hand; nobody on a Tie. Naturals only.
    Winner,
}

impl Which {
    /// What a row may say of pairs and suited pairs.
    pub const PAIRS: [Which; 7] = [
        Which::Player,
        Which::Banker,
        Which::ExactlyOne,
        Which::Either,
        Which::Both,
        Which::Neither,
        Which::Twin,
    ];
    /// What a row may say of Naturals.
    pub const NATURALS: [Which; 7] = [
        Which::Player,
        Which::Banker,
        Which::ExactlyOne,
        Which::Either,
        Which::Both,
        Which::Neither,
        Which::Winner,
    ];

    /// The word in a rule book.
    pub const fn id(self) -> &'static str {
        match self {
            Which::Player => "player",
            Which::Banker => "banker",
            Which::ExactlyOne => "exactly-one",
            Which::Either => "either",
            Which::Both => "both",
            Which::Neither => "neither",
            Which::Twin => "twin",
            Which::Winner => "winner",
        }
    }

    fn holds(self, on: BySide<bool>, facts: &Facts) -> bool {
        match self {
            Which::Player => on.player,
            Which::Banker => on.banker,
            Which::ExactlyOne => on.player != on.banker,
            Which::Either => on.player || on.banker,
            Which::Both => on.player && on.banker,
            Which::Neither => !on.player && !on.banker,
            Which::Twin => on.player && on.banker && facts.pairs == Pairs::Twin,
            Which::Winner => facts.winner().side().is_some_and(|side| on[side]),
        }
    }
}

/// Which of the 52 cards a row counts: those of some ranks, of some suits, or of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Counter(u64);

impl Counter {
    /// Counts the cards for which `counts` says so.
    pub fn new(counts: impl Fn(Card) -> bool) -> Counter {
        Counter(Card::all().filter(|&card| counts(card)).fold(0, |mask, card| mask | 1 << card.index()))
    }

    /// Whether it counts this card.
    pub const fn counts(self, card: Card) -> bool {
        self.0 >> card.index() & 1 == 1
    }

    /// Whether it counts some suits of a rank and not others.
    pub fn tells_suits(self) -> bool {
        Card::all().any(|card| self.counts(card) != self.counts(Card { suit: Suit::Spades, ..card }))
    }
}

/// One condition of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// The winner, or the Tie, is one of these.
    Winner(Vec<Winner>),
    /// The winning or tied Point Total.
    Points(NumberSet),
    /// The Point Total of one side, win or lose.
    PointsOf(Side, NumberSet),
    /// The number of cards of the winning Hand; never true on a Tie.
    WinnerCards(NumberSet),
    /// The number of cards of one side.
    CardsOf(Side, NumberSet),
    /// The number of cards in the Round.
    Cards(NumberSet),
    /// By how many points the winner won; never true on a Tie.
    Margin(NumberSet),
    /// Which Hands are Naturals.
    Natural(Which),
    /// Which Hands hold a pair.
    Pairs(Which),
    /// Which Hands hold a pair of one suit.
    SuitedPairs(Which),
    /// How many of some cards were dealt in the Round. The text is how it reads.
    Count(Counter, NumberSet, String),
    /// The sum of both Point Totals.
    Sum(NumberSet),
}

/// Everything that rows can ask about a completed Round. One class of outcomes is one value of this.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Facts {
    pub(crate) points: BySide<u8>,
    pub(crate) cards: BySide<u8>,
    pub(crate) pairs: Pairs,
    pub(crate) suited: BySide<bool>,
    /// The rule book's counters with their count, which may be capped where no row tells more from it.
    pub(crate) counts: Vec<(Counter, u8)>,
}

impl Facts {
    pub(crate) fn winner(&self) -> Winner {
        Winner::of(self.points)
    }
}

impl Fact {
    /// Whether cards of one rank and different suits can answer it differently.
    pub fn tells_suits(&self) -> bool {
        match self {
            Fact::SuitedPairs(_) => true,
            Fact::Count(counter, _, _) => counter.tells_suits(),
            Fact::Winner(_)
            | Fact::Points(_)
            | Fact::PointsOf(..)
            | Fact::WinnerCards(_)
            | Fact::CardsOf(..)
            | Fact::Cards(_)
            | Fact::Margin(_)
            | Fact::Natural(_)
            | Fact::Pairs(_)
            | Fact::Sum(_) => false,
        }
    }

    /// Whether the fact holds.
    pub(crate) fn holds(&self, facts: &Facts) -> bool {
        let BySide { player, banker } = facts.points;
        let winner = facts.winner();
        match self {
            Fact::Winner(winners) => winners.contains(&winner),
            Fact::Points(set) => set.contains(player.max(banker)),
            Fact::PointsOf(side, set) => set.contains(facts.points[*side]),
            Fact::WinnerCards(set) => winner.side().is_some_and(|side| set.contains(facts.cards[side])),
            Fact::CardsOf(side, set) => set.contains(facts.cards[*side]),
            Fact::Cards(set) => set.contains(facts.cards.player + facts.cards.banker),
            Fact::Margin(set) => winner != Winner::Tie && set.contains(player.abs_diff(banker)),
            Fact::Natural(which) => {
                let natural = |side| facts.cards[side] == 2 && facts.points[side] >= 8;
                which.holds(BySide::from_fn(natural), facts)
            }
            Fact::Pairs(which) => which.holds(BySide::from_fn(|side| facts.pairs.on(side)), facts),
            Fact::SuitedPairs(which) => which.holds(facts.suited, facts),
            Fact::Count(counter, set, _) => {
                let count = facts.counts.iter().find(|(other, _)| other == counter);
                set.contains(count.expect("a rule book's classes carry every counter its rows name").1)
            }
            Fact::Sum(set) => set.contains(player + banker),
        }
    }
}

impl fmt::Display for Fact {
    /// As a person would read it in a pay table.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hands = |which: &Which, what: &str| match which {
            Which::Player => format!("{what} on Player"),
            Which::Banker => format!("{what} on Banker"),
            Which::ExactlyOne => format!("{what} on exactly one Hand"),
            Which::Either => format!("{what} on either Hand"),
            Which::Both => format!("{what} on both Hands"),
            Which::Neither => format!("{what} on neither Hand"),
            Which::Twin => format!("{what} of one rank on both Hands"),
            Which::Winner => format!("{what} on the winning Hand"),
        };
        match self {
            Fact::Winner(winners) => {
                let words: Vec<&str> = winners
                    .iter()
                    .map(|winner| match winner {
                        Winner::Player => "Player wins",
                        Winner::Banker => "Banker wins",
                        Winner::Tie => "Tie",
                    })
                    .collect();
                f.write_str(&words.join(" or "))
            }
            Fact::Points(set) => write!(f, "on {set}"),
            Fact::PointsOf(side, set) => write!(f, "{} has {set}", side.name()),
            Fact::WinnerCards(set) => write!(f, "with {set} cards"),
            Fact::CardsOf(side, set) => write!(f, "{} holds {set} cards", side.name()),
            Fact::Cards(set) => write!(f, "{set} cards in the Round"),
            Fact::Margin(set) => write!(f, "by {set}"),
            Fact::Natural(which) => f.write_str(&hands(which, "Natural")),
            Fact::Pairs(which) => f.write_str(&hands(which, "pair")),
            Fact::SuitedPairs(which) => f.write_str(&hands(which, "suited pair")),
            Fact::Count(_, set, what) => write!(f, "{set} × {what}"),
            Fact::Sum(set) => write!(f, "totals add up to {set}"),
        }
    }
}
