//! The PAR sheet of a layout: everything that its mathematics rests on, in a form to hand over and to check.
//!
//! [`ParSheet`] is plain data, made by a pure function. What it says is laid out once, as a document of sections; Markdown
//! and HTML are two ways to write that document, JSON is the data itself. It has no clock: the same rule book, software and
//! seed give the same sheet, byte for byte.

mod assumptions;
mod build;
mod document;
mod figures;
mod html;
mod markdown;
mod plots;
mod sections;
mod sheet;
mod studies;
mod style;
mod svg;

pub use sheet::{
    ByDecks, CountedBet, CountingSection, Identification, Interval, PairOfBets, ParBet, ParInput, ParRow,
    ParSheet, RemovalEffect, SimulatedBet, SimulationCheck, SimulationRun, Summary, VolatilityIndex,
};
