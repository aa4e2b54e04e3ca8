//! The two Hands of a Round, and values kept one for each.

use std::ops::{Index, IndexMut};

use serde::{Deserialize, Serialize};

/// The Player Hand or the Banker Hand. (A person who bets is a patron, never a "player", in this code.)
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum Side {
    Player,
    Banker,
}

impl Side {
    /// Both, Player first as they are dealt.
    pub const BOTH: [Side; 2] = [Side::Player, Side::Banker];

    /// The other Hand.
    pub const fn other(self) -> Side {
        match self {
            Side::Player => Side::Banker,
            Side::Banker => Side::Player,
        }
    }

    /// `player` or `banker`.
    pub const fn id(self) -> &'static str {
        match self {
            Side::Player => "player",
            Side::Banker => "banker",
        }
    }

    /// `Player` or `Banker`, as the rules write it.
    pub const fn name(self) -> &'static str {
        match self {
            Side::Player => "Player",
            Side::Banker => "Banker",
        }
    }
}

/// One value for each Hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[allow(missing_docs)]
pub struct BySide<T> {
    pub player: T,
    pub banker: T,
}

impl<T> BySide<T> {
    /// Makes both values from their side.
    pub fn from_fn(mut f: impl FnMut(Side) -> T) -> BySide<T> {
        BySide { player: f(Side::Player), banker: f(Side::Banker) }
    }
}

impl<T> Index<Side> for BySide<T> {
    type Output = T;
    fn index(&self, side: Side) -> &T {
        match side {
            Side::Player => &self.player,
            Side::Banker => &self.banker,
        }
    }
}

impl<T> IndexMut<Side> for BySide<T> {
    fn index_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::Player => &mut self.player,
            Side::Banker => &mut self.banker,
        }
    }
}
