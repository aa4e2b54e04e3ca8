//! The floor: many tables in one process, for terminals, consoles and boards.
//!
//! A table is a task that owns a [`punto_table::Desk`]; screens speak with it over one WebSocket each, in the words of
//! [`wire`]. Everything administrative is HTTP. Nothing is said to anybody before the ledger has it.

pub mod app;
pub mod client;
pub mod clock;
pub mod deeds;
pub mod demo;
pub mod demonstration;
pub mod floor;
mod full_check;
pub mod guest;
pub mod http;
pub mod listen;
pub mod load;
pub mod pending;
pub mod register;
pub mod role;
pub mod schema;
pub mod serve;
mod socket;
pub mod software;
mod system;
pub mod wire;
pub mod witness;

pub use full_check::{Audited, beginning};
pub use socket::SocketTimes;
