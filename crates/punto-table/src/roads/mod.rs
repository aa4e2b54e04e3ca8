//! The five roads of a shoe: bead plate, big road, big eye boy, small road, cockroach pig.
//!
//! [`Roads`] grows by one [`Mark`] a Round; what a Round adds is found from the ends of the roads and never from their
//! beginnings. Nothing here foretells anything: a road tells the past, and the cards decide.
//!
//! Not here: which Rounds count. A void Round is never pushed; after a correction the marks are laid anew.
//!
//! ```
//! use punto_rules::Side;
//! use punto_table::roads::{Colour, Derived, Roads, Tail, notation};
//!
//! let marks = notation::parse("TTBTPB").unwrap();
//! let mut roads = Roads::from_marks(Tail::Sticky, &marks);
//! assert_eq!(roads.depths(), [1, 1, 1]);
//! assert_eq!(roads.leading_ties(), 2);
//! assert_eq!(roads.ask(Side::Banker)[Derived::BigEyeBoy], Some(Colour::Blue));
//!
//! roads.push(notation::parse("B").unwrap()[0]);
//! assert_eq!(roads.derived(Derived::BigEyeBoy).last().unwrap().colour, Colour::Blue);
//! ```

mod cell;
mod derived;
mod mark;
pub mod notation;
mod path;
mod view;

pub use cell::{BeadCell, BigRoadCell, DerivedCell};
pub use derived::{ByDerived, Colour, Derived};
pub use mark::{Counters, Mark};
pub use path::{Place, ROWS, Tail};
pub use view::RoadsView;

use path::Path;
use punto_rules::Side;

/// Rounds for which room is made at once: ten decks have 520 cards, and a Round takes at least four.
const ROUNDS_OF_A_SHOE: usize = 130;

/// The five roads of one shoe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Roads {
    marks: Vec<Mark>,
    counters: Counters,
    leading_ties: u16,
    big_road: Vec<BigRoadCell>,
    big_road_path: Path,
    depths: Vec<u16>,
    derived: ByDerived<DerivedRoad>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct DerivedRoad {
    cells: Vec<DerivedCell>,
    path: Path,
}

impl Roads {
    /// Roads without a mark, with room for a shoe.
    pub fn new(tail: Tail) -> Roads {
        Roads::with_room(tail, ROUNDS_OF_A_SHOE)
    }

    /// The roads of these Rounds.
    ///
    /// # Panics
    ///
    /// Where [`Roads::push`] would.
    pub fn from_marks(tail: Tail, marks: &[Mark]) -> Roads {
        let mut roads = Roads::with_room(tail, marks.len());
        roads.rebuild(marks);
        roads
    }

    fn with_room(tail: Tail, rounds: usize) -> Roads {
        Roads {
            marks: Vec::with_capacity(rounds),
            counters: Counters::default(),
            leading_ties: 0,
            big_road: Vec::with_capacity(rounds),
            big_road_path: Path::with_room(tail, rounds),
            depths: Vec::with_capacity(rounds),
            derived: ByDerived::from_fn(|_| DerivedRoad {
                cells: Vec::with_capacity(rounds),
                path: Path::with_room(tail, rounds),
            }),
        }
    }

    /// One more Round.
    ///
    /// # Panics
    ///
    /// At the 65,536th Round of a shoe, which no shoe has.
    // INTERPRETATION 30: a void Round does not come here.
    pub fn push(&mut self, mark: Mark) {
        let n = number(self.marks.len());
        self.marks.push(mark);
        self.lay(mark, n);
    }

    /// Puts another mark in place of the last one, as after a correction; gives back the old one. Without a Round
    /// there is nothing to replace.
    pub fn replace_last(&mut self, mark: Mark) -> Option<Mark> {
        let old = std::mem::replace(self.marks.last_mut()?, mark);
        self.lay_all();
        Some(old)
    }

    /// Lays these Rounds instead of all that were there, in the room that is there already.
    ///
    /// # Panics
    ///
    /// Where [`Roads::push`] would.
    // INTERPRETATION 30: a correction, or a Round declared void later, recomputes everything.
    pub fn rebuild(&mut self, marks: &[Mark]) {
        self.marks.clear();
        self.marks.extend_from_slice(marks);
        self.lay_all();
    }

    /// A new shoe: no marks, the same room.
    pub fn clear(&mut self) {
        self.marks.clear();
        self.lay_all();
    }

    fn lay_all(&mut self) {
        self.counters = Counters::default();
        self.leading_ties = 0;
        self.big_road.clear();
        self.big_road_path.clear();
        self.depths.clear();
        for road in self.derived.iter_mut() {
            road.cells.clear();
            road.path.clear();
        }
        for n in 0..self.marks.len() {
            self.lay(self.marks[n], number(n));
        }
    }

    fn lay(&mut self, mark: Mark, n: u16) {
        self.counters.add(mark);
        let Some(side) = mark.winner.side() else {
            // A Tie neither opens nor breaks a streak: it is counted on the latest mark, or waits for the first.
            match self.big_road.last_mut() {
                Some(latest) => latest.ties += 1,
                None => self.leading_ties += 1,
            }
            return;
        };
        let goes_on = self.big_road.last().is_some_and(|latest| latest.side == side);
        self.lay_derived(goes_on);
        let place = self.big_road_path.next(goes_on);
        if goes_on {
            *self.depths.last_mut().expect("a streak that goes on has begun") += 1;
        } else {
            self.depths.push(1);
        }
        let streak = self.depths.len() - 1;
        self.big_road.push(BigRoadCell {
            place,
            logical: (streak as u16, self.depths[streak] - 1),
            side,
            n,
            ties: 0,
            pairs: mark.pairs,
            natural: mark.natural,
        });
    }

    fn lay_derived(&mut self, goes_on: bool) {
        for road in Derived::ALL {
            let Some(colour) = self.colour(road, goes_on) else {
                break; // the later roads look back further still
            };
            let DerivedRoad { cells, path } = &mut self.derived[road];
            let goes_on = cells.last().is_some_and(|latest| latest.colour == colour);
            cells.push(DerivedCell { place: path.next(goes_on), colour });
        }
    }

    /// The colour that one more mark of the big road adds to a derived road, whether its streak goes on or another
    /// begins.
    ///
    /// Both rules ask one question, before the mark is made: is the present streak as deep as the one `k` before it?
    /// With c and r of the new mark: a new streak (r = 0) compares `D[c-1]` with `D[c-1-k]`, which are these two, and
    /// is red if they are equal; a streak that goes on compares `D[c-k]` with r, which is its depth so far, and is
    /// blue if they are equal.
    fn colour(&self, road: Derived, goes_on: bool) -> Option<Colour> {
        let present = self.depths.len().checked_sub(1)?;
        let before = present.checked_sub(road.looks_back())?;
        let equal = self.depths[present] == self.depths[before];
        Some(if equal != goes_on { Colour::Red } else { Colour::Blue })
    }

    /// What a win of this side in the next Round would add to each derived road.
    pub fn ask(&self, side: Side) -> ByDerived<Option<Colour>> {
        let goes_on = self.big_road.last().is_some_and(|latest| latest.side == side);
        ByDerived::from_fn(|road| self.colour(road, goes_on))
    }

    /// The Rounds, in order.
    pub fn marks(&self) -> &[Mark] {
        &self.marks
    }

    /// How tails are laid.
    pub fn tail(&self) -> Tail {
        self.big_road_path.tail()
    }

    /// How often each outcome came.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// Ties before the first win of a side.
    pub fn leading_ties(&self) -> u16 {
        self.leading_ties
    }

    /// The bead plate: every Round, Ties too, down and then right.
    pub fn bead_plate(&self) -> impl Iterator<Item = BeadCell> {
        self.bead_plate_within(u16::MAX)
    }

    /// What a bead plate of so many columns shows: when it is full, whole columns drop out on the left.
    pub fn bead_plate_within(&self, columns: u16) -> impl Iterator<Item = BeadCell> {
        let rows = usize::from(ROWS);
        let dropped = self.marks.len().div_ceil(rows).saturating_sub(columns.into());
        self.marks
            .iter()
            .enumerate()
            .skip(dropped * rows)
            .map(move |(n, &mark)| BeadCell::new(mark, n as u16, dropped as u16))
    }

    /// The big road, in the order of the Rounds.
    pub fn big_road(&self) -> &[BigRoadCell] {
        &self.big_road
    }

    /// How long each streak of the big road is.
    pub fn depths(&self) -> &[u16] {
        &self.depths
    }

    /// A derived road, in the order of its marks.
    pub fn derived(&self, road: Derived) -> &[DerivedCell] {
        &self.derived[road].cells
    }

    /// The roads as screens and programs get them.
    pub fn view(&self) -> RoadsView<'_> {
        RoadsView::new(self)
    }
}

/// A Round's number, from 0.
fn number(n: usize) -> u16 {
    u16::try_from(n).expect("a shoe has far fewer Rounds")
}

impl Default for Roads {
    fn default() -> Roads {
        Roads::new(Tail::default())
    }
}
