//! One batch of a group, as stores take it.

use punto_record::{
    Batch, Digest, TicketAnswer, TicketKeyId, TicketMove, TicketState, TicketTag, Timestamp, Volume,
};

use crate::Error;
use crate::registered::StoredRow;

/// A batch with the number of its volume in the store; none where the volume begins with it.
#[derive(Debug)]
pub(crate) struct Part<'a> {
    pub(crate) volume: &'a Volume,
    pub(crate) id: Option<i64>,
    pub(crate) batch: &'a Batch,
    /// What it does to the register, in the same transaction.
    pub(crate) rows: &'a [RowWrite],
}

/// A row of the register to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RowWrite {
    Put(StoredRow),
    Remove { kind: String, id: String },
}

/// What a ticket must be for a move to be possible, and what it is then.
pub(crate) const fn step(asked: &TicketMove) -> (&'static str, TicketState, Option<Timestamp>) {
    match asked {
        TicketMove::Issued { .. } => ("issued", TicketState::Good, None),
        TicketMove::Redeemed { at, .. } => ("redeemed", TicketState::Redeemed, Some(*at)),
        TicketMove::Paid { at, .. } => ("paid", TicketState::Paid, *at),
        TicketMove::Voided { .. } => ("made void", TicketState::Void, None),
    }
}

/// The refusal of a move, by what the ticket is.
pub(crate) fn refusal(asked: &TicketMove, answer: TicketAnswer) -> Error {
    Error::Ticket { ticket: asked.ticket().clone(), asked: step(asked).0, answer }
}

/// The word of a state in a store.
pub(crate) const fn word(state: TicketState) -> &'static str {
    match state {
        TicketState::Good => "good",
        TicketState::Redeemed => "redeemed",
        TicketState::Paid => "paid",
        TicketState::Void => "void",
    }
}

/// The state of a word.
pub(crate) fn state(word: &str) -> Result<TicketState, Error> {
    match word {
        "good" => Ok(TicketState::Good),
        "redeemed" => Ok(TicketState::Redeemed),
        "paid" => Ok(TicketState::Paid),
        "void" => Ok(TicketState::Void),
        other => Err(Error::damaged(format!("a ticket is `{other}`"))),
    }
}

/// The tag of a row, if it has one.
pub(crate) fn tag(key: Option<String>, digest: Option<Vec<u8>>) -> Result<Option<TicketTag>, Error> {
    match (key, digest.map(<[u8; 32]>::try_from)) {
        (None, None) => Ok(None),
        (Some(key), Some(Ok(digest))) => {
            Ok(Some(TicketTag { key: TicketKeyId::as_recorded(key), digest: Digest(digest) }))
        }
        _ => Err(Error::damaged("the tag of a ticket")),
    }
}
