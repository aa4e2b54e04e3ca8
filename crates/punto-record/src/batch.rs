//! What a table hands to the ledger.

use crate::{Sealed, Seq, TicketMove};

/// Entries to be appended after `expect`, all or none.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Batch {
    pub expect: Seq,
    pub entries: Vec<Sealed>,
    /// What they do to tickets, in order.
    pub tickets: Vec<TicketMove>,
}
