//! The study of baccarat bets, pure: exact odds for any rule book and any shoe, counting, simulation, PAR sheets.
//!
//! Everything is computed from the compiled verdict tables of `punto-rules`, so the odds that are published are the odds
//! that are paid. Counts are whole numbers; `f64` is for statistics only.

mod enumeration;
mod price;
mod pricer;
mod ratio;

pub use price::Price;
pub use pricer::{Histogram, PriceError, Pricer};
pub use ratio::Ratio;
