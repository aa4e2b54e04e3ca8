//! What is said at a table and what is written down.
//!
//! - An [`Order`] is what somebody wants: who, when, in which Round, and a [`Command`]. It is decided or refused.
//! - An [`Event`] is what happened, in the past tense, with every amount and verdict in it, so that nothing has to be
//!   worked out again when it is read years later.
//! - A [`Rejection`] is the one reason why an order was refused, with the paragraph where there is one.
//! - An [`Entry`] is an order with its events, chained by hash to the one before it.
//!
//! The JSON on the wire and in the record is these types. Variants are added, never changed. Pure: no clock, no files.
//!
//! ```
//! use punto_record::{Actor, Command, Order, OrderId, Timestamp};
//! use punto_rules::Post;
//! let order: Order = serde_json::from_str(
//!     r#"{"id": {"device": "console-1", "n": 7}, "by": {"as": "staff", "person": "d-14", "post": "dealer"},
//!         "at": 1700000000000, "round": 3, "command": {"do": "close-bets"}}"#,
//! ).unwrap();
//! assert_eq!(order.command, Command::CloseBets {});
//! assert!(matches!(order.by, Actor::Staff { post: Post::Dealer, .. }));
//! ```

mod acceptor;
mod actor;
mod approval;
mod batch;
mod checkpoint;
mod command;
mod commit;
mod consistency;
mod deed;
mod entry;
mod event;
mod factor;
mod facts;
mod ids;
mod irregular;
mod mandate;
pub mod merkle;
mod moment;
mod note;
mod order;
pub mod planted;
mod proof;
mod receipt;
mod register;
mod rejection;
mod round;
mod settings;
mod signed_text;
mod tagged;
mod ticket;
mod ticket_key;
mod unfit;
mod volume;
mod witness;

pub use acceptor::{CaseOutcome, CaseReport, HeldOutcome};
pub use actor::Actor;
pub use approval::{Approval, Approvals};
pub use batch::Batch;
pub use checkpoint::{Checkpoint, CheckpointError, PublicKey, SignedCheckpoint, vouch};
pub use command::{Command, CommandKind};
pub use commit::{Commit, CommitError, SignedCommit};
pub use consistency::{ConsistencyProof, NoConsistency};
pub use deed::{ArchivedHead, Deed, DeedKind, HouseEntry, LedgerKind};
pub use entry::{Chain, Digest, DigestError, Entry, Sealed, commitment, digest};
pub use event::{Event, EventKind};
pub use factor::FactorShown;
pub use facts::{
    DeedFacts, DoneBy, Equipment, EventFacts, GivenBy, OrderFacts, Point, SecondPerson, ShownTo,
    Significance, Topic, Waiting, Whose,
};
pub use ids::{
    BoxNo, CardSet, CaseNo, Currency, DeviceId, DisputeNo, DropNo, MatterNo, Person, Pit, RoundNo, Seq,
    SessionId, ShiftName, ShoeNo, SlipNo, TableId, TicketKeyId, TicketNo, Timestamp, WitnessName,
};
pub use irregular::{Adjustment, Cause, Choice, Owed, Report, Ruling, RulingWord};
pub use mandate::{Anchor, Mandate, Mandates};
pub use moment::{Moment, MomentError};
pub use note::{AddCheckpoint, Note, NoteError, NoteSignature, Origin, TreeHead, WitnessKey};
pub use order::{Order, OrderId, Release};
pub use proof::{Proof, ProofError};
pub use receipt::{PatronReceipt, ReceiptError, concerns_wager_of, is_own_wager};
pub use register::{DeviceTaken, PersonTaken, RegisterFact, RegisterKind, RegisterLine, RegisterRow};
pub use rejection::{Reason, ReasonKind, Rejection};
pub use round::{
    Change, DisputeAbout, Part, Pictured, Return, RoundResult, Seen, SettledLine, Source, VerdictWord,
};
pub use settings::{
    CardDevice, Cards, EstablishedBy, Faces, LimitsMode, MoneyKind, PostsBy, ResultBy, RoadTail, Settings,
};
pub use ticket::{Ticket, TicketAnswer, TicketMove, TicketState};
pub use ticket_key::{NewTicket, TicketKey, TicketNumber, TicketTag};
pub use unfit::{Unfit, unfit};
pub use volume::{Volume, VolumeError};
pub use witness::{Contest, Witness, WitnessAddress, WitnessError, Witnesses};
