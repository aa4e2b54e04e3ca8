//! What the record says and the books do not.

use punto_record::{Seq, Volume};

use crate::account::Account;

/// An amount that an event states and the books do not bear out. It locks the table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, serde::Serialize)]
#[error("{volume}, entry {seq}, {event}: {what} is said to be {stated}, the books have {booked}")]
#[allow(missing_docs)]
pub struct Mismatch {
    pub volume: Volume,
    pub seq: Seq,
    /// The word of the event or deed.
    pub event: &'static str,
    /// The account, or the figure of the event that does not add up.
    pub what: String,
    pub stated: i128,
    pub booked: i128,
}

/// The same before it is known where.
#[derive(Clone, Debug)]
pub(crate) struct Unequal {
    pub(crate) what: String,
    pub(crate) stated: i128,
    pub(crate) booked: i128,
}

impl Unequal {
    pub(crate) fn at(self, volume: Volume, seq: Seq, event: &'static str) -> Mismatch {
        let Unequal { what, stated, booked } = self;
        Mismatch { volume, seq, event, what, stated, booked }
    }
}

/// Whether two amounts are one.
pub(crate) fn same(what: impl FnOnce() -> String, stated: i128, booked: i128) -> Result<(), Unequal> {
    if stated == booked { Ok(()) } else { Err(Unequal { what: what(), stated, booked }) }
}

/// Whether an account has what the event says.
pub(crate) fn holds(account: &Account, stated: i128, booked: i128) -> Result<(), Unequal> {
    same(|| account.to_string(), stated, booked)
}
