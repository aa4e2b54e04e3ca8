//! The three derived roads, and values kept one for each.

use std::ops::{Index, IndexMut};

use serde::{Deserialize, Serialize};

/// A road made from the streaks of the big road.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum Derived {
    BigEyeBoy,
    SmallRoad,
    CockroachPig,
}

impl Derived {
    /// All three; each looks back one streak further than the one before.
    pub const ALL: [Derived; 3] = [Derived::BigEyeBoy, Derived::SmallRoad, Derived::CockroachPig];

    /// How many streaks back it compares.
    pub const fn looks_back(self) -> usize {
        match self {
            Derived::BigEyeBoy => 1,
            Derived::SmallRoad => 2,
            Derived::CockroachPig => 3,
        }
    }

    /// As boards call it.
    pub const fn name(self) -> &'static str {
        match self {
            Derived::BigEyeBoy => "Big eye boy",
            Derived::SmallRoad => "Small road",
            Derived::CockroachPig => "Cockroach pig",
        }
    }
}

/// The colour of a mark in a derived road; it says nothing about a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Colour {
    /// The streaks repeat themselves.
    #[serde(rename = "r")]
    Red,
    /// They do not.
    #[serde(rename = "b")]
    Blue,
}

impl Colour {
    /// `r` or `b`.
    pub const fn letter(self) -> char {
        match self {
            Colour::Red => 'r',
            Colour::Blue => 'b',
        }
    }

    /// The other one.
    pub const fn other(self) -> Colour {
        match self {
            Colour::Red => Colour::Blue,
            Colour::Blue => Colour::Red,
        }
    }
}

/// One value for each derived road.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[allow(missing_docs)]
pub struct ByDerived<T> {
    pub big_eye_boy: T,
    pub small_road: T,
    pub cockroach_pig: T,
}

impl<T> ByDerived<T> {
    /// Makes all three values from their road.
    pub fn from_fn(mut f: impl FnMut(Derived) -> T) -> ByDerived<T> {
        ByDerived {
            big_eye_boy: f(Derived::BigEyeBoy),
            small_road: f(Derived::SmallRoad),
            cockroach_pig: f(Derived::CockroachPig),
        }
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        [&mut self.big_eye_boy, &mut self.small_road, &mut self.cockroach_pig].into_iter()
    }
}

impl<T> Index<Derived> for ByDerived<T> {
    type Output = T;
    fn index(&self, road: Derived) -> &T {
        match road {
            Derived::BigEyeBoy => &self.big_eye_boy,
            Derived::SmallRoad => &self.small_road,
            Derived::CockroachPig => &self.cockroach_pig,
        }
    }
}

impl<T> IndexMut<Derived> for ByDerived<T> {
    fn index_mut(&mut self, road: Derived) -> &mut T {
        match road {
            Derived::BigEyeBoy => &mut self.big_eye_boy,
            Derived::SmallRoad => &mut self.small_road,
            Derived::CockroachPig => &mut self.cockroach_pig,
        }
    }
}
