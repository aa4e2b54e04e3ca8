//! The study of baccarat bets, pure: exact odds for any rule book and any shoe, counting, simulation, PAR sheets.
//!
//! Everything is computed from the compiled verdict tables of `punto-rules`, so the odds that are published are the odds
//! that are paid. Counts are whole numbers; `f64` is for statistics only.

mod by_card;
mod comparison;
mod compiled;
mod counting;
mod enumeration;
mod joint;
mod listing;
mod par;
mod price;
mod pricer;
mod ratio;
mod removal;
mod shoe_text;
mod simulation;
mod solve;

pub use by_card::{ByCard, kind_of_cards};
pub use comparison::{ComparedBet, Comparison};
pub use compiled::CompiledBet;
pub use counting::{
    Concern, CountingError, CountingRules, CountingStudy, CountingTally, Cure, EDGE_STEP, EDGE_STEPS,
    Estimate, Figures, Finding, LastRound, LinearCount, MOST_TAG, VULNERABLE, WORTH_WATCHING, findings,
};
pub use joint::Joint;
pub use listing::{Listed, ListedRow, Listing};
pub use par::{
    ByDecks, CountedBet, CountingSection, Identification, Interval, PairOfBets, ParBet, ParInput, ParRow,
    ParSheet, RemovalEffect, SimulatedBet, SimulationCheck, SimulationRun, Summary, VolatilityIndex,
};
pub use price::Price;
pub use pricer::{Histogram, PriceError, Pricer};
pub use ratio::Ratio;
pub use removal::effects_of_removal;
pub use shoe_text::{ShoeError, parse_shoe};
pub use simulation::{BLOCK, Generator, Simulation, Tally};
pub use solve::{Solution, SolveError, sensitivity, solve};
