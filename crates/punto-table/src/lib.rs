//! The life of one table as a pure state machine.
//!
//! - [`Table::decide`] turns an order into events, or refuses it with the first reason; it changes nothing.
//! - [`State::apply`] turns events into state; it cannot fail and knows no rule book.
//! - [`Desk`] runs a table without doing I/O: inbox, batch, receipt, replies and frames.
//! - [`Table::view`] is what one audience may see, and which orders it may give now.
//! - [`roads`] are the five roads of the board; [`script`] is a table in plain text.
//!
//! No clock, no randomness, no files: time comes with each order, answers from outside in [`Given`].

mod anchors;
mod apply;
mod audience;
mod basis;
mod bettors;
mod books;
mod decide;
mod desk;
mod draft;
mod earlier;
mod gate;
mod law;
pub mod roads;
mod round;
pub mod script;
mod shoe;
mod snapshot;
mod state;
mod table;
mod view;

pub use anchors::PostAnchors;
pub use audience::{Audience, Feed};
pub use books::Books;
pub use desk::{Answer, CLOCK, Desk, Frame, Outbox, Reply};
pub use earlier::{Earlier, Over, Played};
pub use gate::{gate, takes_two};
pub use law::Law;
pub use round::{Dealt, Matter, Round, Squeeze, Stage, Standing, WagerKey, Wagers};
pub use shoe::{RetiredShoe, ShoeInUse};
pub use snapshot::{Replay, ReplayError, SNAPSHOT_SCHEMA};
pub use state::{Account, Announced, Answered, Case, Dispute, DropBox, LastRound, Phase, State};
pub use table::{Given, Rules, Table};
pub use view::{
    AcceptorsView, AccountView, BecauseWord, BetView, CardView, CaseView, DecisionView, DisputeView,
    DisputeWaits, FactTold, FloorView, HeldPayoutView, HoldView, HouseView, LastView, MatterView, OwnView,
    PhaseWord, Printed, PrintedBet, PrintedIrregularity, PrintedRow, PrintedTableOfPlay, Proposal,
    SetAsideView, ShoeView, SqueezeView, TableView, View, WagerView,
};
