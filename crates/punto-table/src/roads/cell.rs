//! A mark with its place on each kind of road.

use punto_rules::{BySide, Side};

use super::{Colour, Mark, Place, ROWS};

/// A Round on the bead plate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BeadCell {
    /// Which Round of the shoe, from 0.
    pub n: u16,
    /// Where it is drawn.
    pub place: Place,
    /// What is drawn.
    pub mark: Mark,
}

impl BeadCell {
    pub(super) fn new(mark: Mark, n: u16, columns_dropped: u16) -> BeadCell {
        let rows = u16::from(ROWS);
        BeadCell { n, place: Place { col: n / rows - columns_dropped, row: (n % rows) as u8 }, mark }
    }
}

/// A win on the big road.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BigRoadCell {
    /// Where it is drawn.
    pub place: Place,
    /// Which streak, and which win of it, both from 0. A tail changes only where a mark is drawn.
    pub logical: (u16, u16),
    /// Who won.
    pub side: Side,
    /// Which Round of the shoe, from 0.
    pub n: u16,
    /// Ties between this win and the next.
    pub ties: u16,
    /// The pairs of this Round; those of Ties are on the bead plate only.
    pub pairs: BySide<bool>,
    /// Whether this Round had a Natural.
    pub natural: bool,
}

/// A mark on a derived road.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DerivedCell {
    /// Where it is drawn.
    pub place: Place,
    /// Its colour.
    pub colour: Colour,
}
