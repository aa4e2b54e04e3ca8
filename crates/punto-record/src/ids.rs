//! Names and numbers of things, each its own type.

use std::fmt;

use punto_rules::names;
use serde::{Deserialize, Serialize};

macro_rules! numbers {
    ($($(#[$doc:meta])* $name:ident: $number:ty,)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(transparent)]
        pub struct $name(pub $number);

        impl $name {
            /// The one after it.
            #[must_use]
            pub const fn next(self) -> $name {
                $name(self.0 + 1)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    )+};
}

names! {
    /// A table of the floor.
    TableId: Name, NAME_PATTERN,
    /// What an order comes from: a terminal, a console, a card reader, the table's own clock.
    DeviceId: Name, NAME_PATTERN,
    /// A member of staff, by the house's own number.
    Person: Name, NAME_PATTERN,
    /// A session, by the name that opens nothing.
    SessionId: Name, NAME_PATTERN,
    /// A set of cards, as its box is labelled.
    CardSet: Label, LABEL_PATTERN,
    /// A shift, as the floor calls it.
    ShiftName: Label, LABEL_PATTERN,
    /// A pit, as the floor calls it.
    Pit: Label, LABEL_PATTERN,
    /// A ticket, as the record calls it: `T1/17`, the table and the entry that issued it. In release 0.1.0 it was the number
    /// on the paper; in an order it is what somebody presents, until the house has found the ticket.
    TicketNo: Ticket, TICKET_PATTERN,
    /// A currency, by its ISO 4217 code. Amounts are in its minor unit.
    Currency: Currency, CURRENCY_PATTERN,
    /// A key that ticket numbers are derived with.
    TicketKeyId: Name, NAME_PATTERN,
    /// A witness: somebody elsewhere who keeps checkpoints of this ledger.
    WitnessName: Name, NAME_PATTERN,
}

numbers! {
    /// A Round of play at one table, counted from 1 and never used again.
    RoundNo: u32,
    /// A shoe, or a filling of a shuffler, at one table.
    ShoeNo: u32,
    /// A betting box of the layout.
    BoxNo: u8,
    /// The place of an entry in a table's record, from 1.
    Seq: u64,
    /// A matter that somebody reported or the software found.
    MatterNo: u32,
    /// A dispute.
    DisputeNo: u32,
    /// A case of a note or a ticket at a terminal, counted at one table.
    CaseNo: u32,
    /// A box that was taken out of an acceptor, counted at one table.
    DropNo: u32,
    /// A slip that a patron gets, or that is kept for one, for money that is not paid yet; counted at one table.
    SlipNo: u32,
    /// Milliseconds since the beginning of 1970, UTC.
    Timestamp: u64,
}

impl Timestamp {
    /// So many seconds later.
    #[must_use]
    pub const fn plus_seconds(self, seconds: u16) -> Timestamp {
        Timestamp(self.0.saturating_add(seconds as u64 * 1000))
    }

    /// So many minutes later.
    #[must_use]
    pub const fn plus_minutes(self, minutes: u16) -> Timestamp {
        Timestamp(self.0.saturating_add(minutes as u64 * 60_000))
    }

    /// A day later.
    #[must_use]
    pub const fn plus_a_day(self) -> Timestamp {
        self.plus_minutes(24 * 60)
    }
}

impl Currency {
    /// What ISO 4217 calls no currency: where the record at hand does not say which one it is.
    pub fn unknown() -> Currency {
        "XXX".into()
    }
}
