//! What can go wrong with a ledger.

use std::sync::Arc;

use punto_record::{Seq, TableId, TicketAnswer, TicketNo, Unfit, Volume};

/// Why the ledger did not do what was asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// Somebody else has appended since.
    #[error("{volume} ends at entry {found}, not at {expect}: somebody else has written to it")]
    Conflict {
        /// The volume.
        volume: Volume,
        /// Where the batch was to go on.
        expect: Seq,
        /// Where the record ends.
        found: Seq,
    },
    /// The batch does not go on from the chain that is there.
    #[error("entry {seq} of {volume} is not chained to the one before it")]
    Unchained {
        /// The volume.
        volume: Volume,
        /// The first entry that does not fit.
        seq: Seq,
    },
    /// A ticket is not in the state that the batch supposes.
    #[error("ticket {ticket} cannot be {asked}: {}", ticket_words(answer))]
    Ticket {
        /// The ticket.
        ticket: TicketNo,
        /// What should have been done.
        asked: &'static str,
        /// What is the matter with it.
        answer: TicketAnswer,
    },
    /// What a batch says about tickets is not what its entries say.
    #[error("the entries of {0} say something else about tickets than their batch")]
    OtherTickets(Volume),
    /// A table whose name could not be read back is never begun.
    #[error("`{0}` cannot be the name of a table: expected {expected}", expected = TableId::GRAMMAR)]
    Unnameable(TableId),
    /// A deed says something that cannot be written down.
    #[error("{0}")]
    Unfit(Unfit),
    /// A table that is locked takes no entries.
    #[error("{0} is locked until two people unlock it")]
    Locked(Volume),
    /// The deed is not this person's to do.
    #[error("{0}")]
    NotAllowed(&'static str),
    /// An order id that was used for something else, or is too old.
    #[error(
        "the order id was used before for something else, or a later one of the device has been carried out"
    )]
    OrderIdReused,
    /// Another writer has taken over.
    #[error("another writer has taken over this ledger")]
    Fenced,
    /// This process is still the writer, and rows that it did not write stand where it was to append.
    #[error(
        "rows were added to this ledger by something that is not its writer; keep a copy, start again, which puts them aside, \
         and audit it"
    )]
    ForeignRows,
    /// Another process writes to this ledger: named as far as it is known.
    #[error("this ledger is being written by {0}")]
    Owned(Arc<str>),
    /// No room.
    #[error(
        "the disk is full: nothing was written and nothing is lost; make room, and a server goes on by itself"
    )]
    Full,
    /// The store failed before; nothing is tried again.
    #[error("the ledger has stopped: {0}")]
    Stopped(Arc<str>),
    /// Something is not as it was written.
    #[error("the ledger is damaged: {0}")]
    Damaged(Arc<str>),
    /// There is no ledger, or there is one already, or it is of another kind.
    #[error("{0}")]
    Unsuitable(Arc<str>),
    /// The database cannot be reached; it may come back.
    #[error("the database cannot be reached: {0}")]
    Unreachable(Arc<str>),
    /// The store failed.
    #[error("the store failed: {0}")]
    Failed(Arc<str>),
}

const fn ticket_words(answer: &TicketAnswer) -> &'static str {
    match answer {
        TicketAnswer::Reserved { .. } => "there is one of that number",
        TicketAnswer::NotFound => "there is none",
        TicketAnswer::InUse => "another order is being decided about it",
        TicketAnswer::Paid => "it was paid before",
        TicketAnswer::Expired => "it has expired",
        TicketAnswer::Void => "it is void",
        TicketAnswer::Tampered => "it is not what the record says",
    }
}

impl Error {
    /// Whether it concerns one batch only; everything else stops the ledger.
    pub const fn is_refusal(&self) -> bool {
        match self {
            Error::Conflict { .. }
            | Error::Unchained { .. }
            | Error::Ticket { .. }
            | Error::OtherTickets(_)
            | Error::Unnameable(_)
            | Error::Unfit(_)
            | Error::Locked(_)
            | Error::NotAllowed(_)
            | Error::OrderIdReused => true,
            Error::Fenced
            | Error::ForeignRows
            | Error::Owned(_)
            | Error::Full
            | Error::Stopped(_)
            | Error::Damaged(_)
            | Error::Unsuitable(_)
            | Error::Unreachable(_)
            | Error::Failed(_) => false,
        }
    }

    pub(crate) fn damaged(words: impl Into<String>) -> Error {
        Error::Damaged(words.into().into())
    }

    pub(crate) fn unsuitable(words: impl Into<String>) -> Error {
        Error::Unsuitable(words.into().into())
    }

    pub(crate) fn failed(words: impl std::fmt::Display) -> Error {
        Error::Failed(words.to_string().into())
    }
}
