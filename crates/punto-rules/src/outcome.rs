//! A completed Round, and the facts that bets ask about.

use serde::{Deserialize, Serialize};

use crate::{BySide, Hand, Rank, Side};

/// Who has the higher Point Total (3.13), or a Tie (3.14).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum Winner {
    Player,
    Banker,
    Tie,
}

impl Winner {
    /// All three.
    pub const ALL: [Winner; 3] = [Winner::Player, Winner::Banker, Winner::Tie];

    /// The winner by the Point Totals.
    pub(crate) fn of(points: BySide<u8>) -> Winner {
        match points.player.cmp(&points.banker) {
            std::cmp::Ordering::Greater => Winner::Player,
            std::cmp::Ordering::Less => Winner::Banker,
            std::cmp::Ordering::Equal => Winner::Tie,
        }
    }

    /// `player`, `banker` or `tie`.
    pub const fn id(self) -> &'static str {
        match self {
            Winner::Player => "player",
            Winner::Banker => "banker",
            Winner::Tie => "tie",
        }
    }

    /// The winning side, if there is one.
    pub const fn side(self) -> Option<Side> {
        match self {
            Winner::Player => Some(Side::Player),
            Winner::Banker => Some(Side::Banker),
            Winner::Tie => None,
        }
    }
}

/// The pairs among the first two cards of both Hands.
// INTERPRETATION 2: Single = exactly one Hand, Double = both of different ranks, Twin = both of one rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Pairs {
    None,
    Player,
    Banker,
    /// Both Hands, of different ranks.
    Both,
    /// Both Hands, of one rank.
    Twin,
}

impl Pairs {
    pub(crate) const COUNT: usize = 5;
    const ALL: [Pairs; Self::COUNT] = [Pairs::None, Pairs::Player, Pairs::Banker, Pairs::Both, Pairs::Twin];

    pub(crate) const fn from_index(index: usize) -> Pairs {
        Self::ALL[index]
    }

    /// Whether this side has a pair.
    pub const fn on(self, side: Side) -> bool {
        match self {
            Pairs::None => false,
            Pairs::Player => matches!(side, Side::Player),
            Pairs::Banker => matches!(side, Side::Banker),
            Pairs::Both | Pairs::Twin => true,
        }
    }

    /// From the rank of each Hand's pair, if it has one.
    pub fn from_ranks(player: Option<Rank>, banker: Option<Rank>) -> Pairs {
        match (player, banker) {
            (None, None) => Pairs::None,
            (Some(_), None) => Pairs::Player,
            (None, Some(_)) => Pairs::Banker,
            (Some(player), Some(banker)) if player == banker => Pairs::Twin,
            (Some(_), Some(_)) => Pairs::Both,
        }
    }

    pub(crate) fn of(hands: &BySide<Hand>) -> Pairs {
        Pairs::from_ranks(hands.player.pair(), hands.banker.pair())
    }
}

/// A completed Round. Only [`crate::Deal::step`] makes one, so half a Round cannot be settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    hands: BySide<Hand>,
}

impl Outcome {
    pub(crate) const fn new(hands: BySide<Hand>) -> Outcome {
        Outcome { hands }
    }

    /// Both Hands.
    pub const fn hands(&self) -> &BySide<Hand> {
        &self.hands
    }

    /// The Hand with the higher Point Total, or a Tie.
    pub fn winner(&self) -> Winner {
        Winner::of(BySide::from_fn(|side| self.hands[side].points().get()))
    }

    /// Whether either Hand is a Natural.
    pub fn is_natural(&self) -> bool {
        Side::BOTH.into_iter().any(|side| self.hands[side].is_natural())
    }

    /// The pairs of the first two cards.
    pub fn pairs(&self) -> Pairs {
        Pairs::of(&self.hands)
    }
}
