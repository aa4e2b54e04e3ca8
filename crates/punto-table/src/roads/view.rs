//! The roads as screens and programs get them: one JSON object, short names, places from 0.

use punto_rules::{Side, Winner};
use serde::{Serialize, Serializer};

use super::{BeadCell, BigRoadCell, ByDerived, Colour, DerivedCell, Roads, mark::letter};

/// The roads as JSON. `o` is the outcome, `n` the Round from 0, `bp` and `pp` the pairs, `nat` a Natural; `r` and `b`
/// are colours of derived roads, and an empty text in `ask` says that nothing would be added.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RoadsView<'r> {
    bead: Vec<Bead>,
    leading_ties: u16,
    big_road: BigRoad<'r>,
    ask: ByDerived<Ask>,
    #[serde(flatten)]
    derived: ByDerived<DerivedRoad>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Bead {
    n: u16,
    col: u16,
    row: u8,
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["B", "P", "T"])))]
    o: &'static str,
    bp: bool,
    pp: bool,
    nat: bool,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct BigRoad<'r> {
    depths: &'r [u16],
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["B", "P", null])))]
    first: Option<&'static str>,
    cells: Vec<BigRoadMark>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct BigRoadMark {
    col: u16,
    row: u8,
    logical_col: u16,
    logical_row: u16,
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["B", "P"])))]
    o: &'static str,
    n: u16,
    ties: u16,
    bp: bool,
    pp: bool,
    nat: bool,
    /// Ties before the first win belong to its mark.
    #[serde(skip_serializing_if = "Option::is_none")]
    ties_before: Option<u16>,
}

#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Ask {
    #[serde(rename = "B", serialize_with = "colour_or_empty")]
    #[cfg_attr(feature = "schema", schemars(with = "String", extend("enum" = ["r", "b", ""])))]
    banker: Option<Colour>,
    #[serde(rename = "P", serialize_with = "colour_or_empty")]
    #[cfg_attr(feature = "schema", schemars(with = "String", extend("enum" = ["r", "b", ""])))]
    player: Option<Colour>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct DerivedRoad {
    seq: String,
    cells: Vec<(u16, u8, Colour)>,
}

fn colour_or_empty<S: Serializer>(colour: &Option<Colour>, serializer: S) -> Result<S::Ok, S::Error> {
    match colour {
        Some(colour) => colour.serialize(serializer),
        None => serializer.serialize_str(""),
    }
}

const fn side_letter(side: Side) -> &'static str {
    match side {
        Side::Player => letter(Winner::Player),
        Side::Banker => letter(Winner::Banker),
    }
}

impl<'r> RoadsView<'r> {
    pub(super) fn new(roads: &'r Roads) -> RoadsView<'r> {
        let [banker, player] = [Side::Banker, Side::Player].map(|side| roads.ask(side));
        let cells = roads.big_road();
        RoadsView {
            bead: roads.bead_plate().map(Bead::new).collect(),
            leading_ties: roads.leading_ties(),
            big_road: BigRoad {
                depths: roads.depths(),
                first: cells.first().map(|first| side_letter(first.side)),
                cells: cells.iter().map(|cell| BigRoadMark::new(cell, roads.leading_ties())).collect(),
            },
            ask: ByDerived::from_fn(|road| Ask { banker: banker[road], player: player[road] }),
            derived: ByDerived::from_fn(|road| DerivedRoad::new(roads.derived(road))),
        }
    }
}

impl Bead {
    fn new(cell: BeadCell) -> Bead {
        let BeadCell { n, place, mark } = cell;
        Bead {
            n,
            col: place.col,
            row: place.row,
            o: letter(mark.winner),
            bp: mark.pairs.banker,
            pp: mark.pairs.player,
            nat: mark.natural,
        }
    }
}

impl BigRoadMark {
    fn new(cell: &BigRoadCell, leading_ties: u16) -> BigRoadMark {
        let &BigRoadCell { place, logical, side, n, ties, pairs, natural } = cell;
        BigRoadMark {
            col: place.col,
            row: place.row,
            logical_col: logical.0,
            logical_row: logical.1,
            o: side_letter(side),
            n,
            ties,
            bp: pairs.banker,
            pp: pairs.player,
            nat: natural,
            ties_before: (logical == (0, 0) && leading_ties > 0).then_some(leading_ties),
        }
    }
}

impl DerivedRoad {
    fn new(cells: &[DerivedCell]) -> DerivedRoad {
        DerivedRoad {
            seq: cells.iter().map(|cell| cell.colour.letter()).collect(),
            cells: cells.iter().map(|cell| (cell.place.col, cell.place.row, cell.colour)).collect(),
        }
    }
}
