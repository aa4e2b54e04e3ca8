//! Where the next mark of a road is drawn: down, and to the right where there is no way down.

use serde::{Deserialize, Serialize};

/// The rows of every road.
pub const ROWS: u8 = 6;

pub use punto_record::RoadTail as Tail;

/// A cell of a grid, from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Place {
    pub col: u16,
    pub row: u8,
}

/// The drawn cells of one road and the end of its latest streak.
///
/// The cell to the right of a streak's end is always free. Every earlier streak begins further left, and runs down and
/// right without a gap; to reach that cell it would have had to pass the column in which this streak began, under its
/// first mark, and then across the streak itself.
#[derive(Clone, Debug)]
pub(super) struct Path {
    tail: Tail,
    /// For each column, a bit for each row that has a mark, and one for the floor beneath. Always one column more than
    /// there are marks in.
    columns: Vec<u8>,
    /// Where the next streak may begin at the earliest.
    next_start: u16,
    /// The latest mark.
    end: Place,
    has_turned: bool,
}

/// A column without marks: only its floor is taken.
const EMPTY: u8 = 1 << ROWS;

impl Path {
    pub(super) fn with_room(tail: Tail, columns: usize) -> Path {
        let columns = vec![EMPTY; columns + 1];
        Path { tail, columns, next_start: 0, end: Place::default(), has_turned: false }
    }

    pub(super) fn tail(&self) -> Tail {
        self.tail
    }

    pub(super) fn clear(&mut self) {
        self.columns.fill(EMPTY);
        (self.next_start, self.end, self.has_turned) = (0, Place::default(), false);
    }

    /// The cell of the next mark, which goes on with the latest streak or begins another.
    ///
    /// Both are reckoned before one is chosen: which it is nobody can guess, the processor neither, and a wrong guess
    /// costs more than all of this.
    pub(super) fn next(&mut self, goes_on: bool) -> Place {
        let Place { col, row } = self.end;
        let keeps_right = match self.tail {
            Tail::Sticky => self.has_turned,
            Tail::Redescend => false,
        };
        let turns = keeps_right | self.is_taken(Place { col, row: row + 1 });
        let further = Place { col: col + u16::from(turns), row: row + u8::from(!turns) };
        // A tail in the top row covers places where streaks would begin.
        while self.is_taken(Place { col: self.next_start, row: 0 }) {
            self.next_start += 1;
        }
        let beginning = Place { col: self.next_start, row: 0 };

        self.end = if goes_on { further } else { beginning };
        self.has_turned = goes_on & turns;
        self.next_start += u16::from(!goes_on);
        let col = usize::from(self.end.col);
        self.columns[col] |= 1 << self.end.row;
        if col + 1 == self.columns.len() {
            self.columns.resize(2 * self.columns.len(), EMPTY);
        }
        self.end
    }

    fn is_taken(&self, place: Place) -> bool {
        self.columns[usize::from(place.col)] & (1 << place.row) != 0
    }

    fn used_columns(&self) -> &[u8] {
        let used = self.columns.iter().rposition(|&rows| rows != EMPTY).map_or(0, |last| last + 1);
        &self.columns[..used]
    }
}

/// Room that is not used makes no difference.
impl PartialEq for Path {
    fn eq(&self, other: &Path) -> bool {
        let state = |path: &Path| (path.tail, path.next_start, path.end, path.has_turned);
        state(self) == state(other) && self.used_columns() == other.used_columns()
    }
}

impl Eq for Path {}
