//! The chart of accounts, and a posting between two of them.
//!
//! | account | side | what it holds |
//! |---|---|---|
//! | `CageCash` | debit | cash taken for credits, less cash paid for tickets and for what was unclaimed |
//! | `DropBox` | debit | cash in the drop box of a chip table |
//! | `InAcceptors` | debit | notes in an acceptor |
//! | `AcceptorBoxes` | debit | boxes that were taken out of acceptors and are not counted |
//! | `AcceptorDifference` | debit | what was missing when such a box was counted |
//! | `Owed` | debit | what a correction could not take back from a patron |
//! | `Credits` | credit | what stands on a terminal |
//! | `Felt` | credit | a stake of a Round that is not settled yet |
//! | `Unclaimed` | credit | what is kept for somebody who walked away; never the House's (interpretation 29) |
//! | `Held` | credit | payouts that are held until two people decide; never the House's (interpretation 51) |
//! | `Forfeited` | credit | held payouts that go where the law of the house says |
//! | `Tickets` | credit | tickets that were issued and neither paid, redeemed nor void |
//! | `VoidedTickets` | credit | what tickets were worth that somebody made void |
//! | `Chips` | credit | chips that went from a chip table to its patrons, less those that came back |
//! | `HouseWin` | credit | what the House won at a table, corrections and adjustments included |
//! | `Tray` | debit | chips that should be in the tray |
//! | `CageChips` | debit | chips that went back to the cage, less those that came from it |
//! | `AcrossTheFelt` | credit | chips that came into the tray from patrons, less those that went to them |
//! | `FloatDifference` | debit | chips that were missing when a tray was counted |
//!
//! The last four count chips by where they lie and are posted among themselves: the tray is an inventory, and a chip is
//! worth nothing until a patron holds it. A posting debits one account and credits another with the same amount, so
//! all balances together are nothing, always. There is a set of accounts for each currency, and each balances by itself.
//!
//! Not here: the cage's own opening cash and the chips a patron brought from elsewhere. The record does not know them,
//! so `CageCash`, `Tickets`, `Chips` and `CageChips` are what has moved since the record began.

use std::fmt;

use punto_record::{BoxNo, Currency, DeviceId, RoundNo, TableId};
use punto_rules::{BetId, Money, PatronNo};
use serde::{Serialize, Serializer};

/// An account of the books.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Account {
    CageCash,
    Tickets,
    VoidedTickets,
    CageChips,
    Credits { table: TableId, patron: PatronNo },
    Felt { table: TableId, round: RoundNo, patron: PatronNo, box_no: Option<BoxNo>, bet: BetId },
    Unclaimed { table: TableId, patron: PatronNo },
    Held { table: TableId, patron: PatronNo },
    Forfeited { table: TableId },
    Owed { table: TableId, patron: PatronNo },
    HouseWin { table: TableId },
    Chips { table: TableId },
    DropBox { table: TableId },
    InAcceptors { table: TableId, acceptor: DeviceId },
    AcceptorBoxes { table: TableId },
    AcceptorDifference { table: TableId },
    Tray { table: TableId },
    AcrossTheFelt { table: TableId },
    FloatDifference { table: TableId },
}

/// On which side an account usually stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Normal {
    /// Something the House has, or has lost.
    Debit,
    /// Something the House owes, or has won.
    Credit,
}

impl Account {
    /// The side on which its balance is shown as a positive amount.
    pub const fn normal(&self) -> Normal {
        match self {
            Account::CageCash
            | Account::CageChips
            | Account::Owed { .. }
            | Account::DropBox { .. }
            | Account::InAcceptors { .. }
            | Account::AcceptorBoxes { .. }
            | Account::AcceptorDifference { .. }
            | Account::Tray { .. }
            | Account::FloatDifference { .. } => Normal::Debit,
            Account::Tickets
            | Account::VoidedTickets
            | Account::Credits { .. }
            | Account::Felt { .. }
            | Account::Unclaimed { .. }
            | Account::Held { .. }
            | Account::Forfeited { .. }
            | Account::HouseWin { .. }
            | Account::Chips { .. }
            | Account::AcrossTheFelt { .. } => Normal::Credit,
        }
    }

    /// Whether it can never be below nothing: nobody has fewer than no credits, and no wager is less than nothing.
    pub const fn is_never_negative(&self) -> bool {
        match self {
            Account::Credits { .. }
            | Account::Felt { .. }
            | Account::Unclaimed { .. }
            | Account::Held { .. }
            | Account::Forfeited { .. }
            | Account::Owed { .. }
            | Account::DropBox { .. }
            | Account::InAcceptors { .. }
            | Account::AcceptorBoxes { .. } => true,
            Account::CageCash
            | Account::Tickets
            | Account::VoidedTickets
            | Account::CageChips
            | Account::HouseWin { .. }
            | Account::Chips { .. }
            | Account::Tray { .. }
            | Account::AcrossTheFelt { .. }
            | Account::AcceptorDifference { .. }
            | Account::FloatDifference { .. } => false,
        }
    }
}

impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Account::CageCash => f.write_str("cage-cash"),
            Account::Tickets => f.write_str("tickets"),
            Account::VoidedTickets => f.write_str("voided-tickets"),
            Account::CageChips => f.write_str("cage-chips"),
            Account::Credits { table, patron } => write!(f, "credits/{table}/{}", patron.0),
            Account::Felt { table, round, patron, box_no, bet } => {
                write!(f, "felt/{table}/{round}/{}/", patron.0)?;
                match box_no {
                    Some(box_no) => write!(f, "{box_no}/{bet}"),
                    None => write!(f, "-/{bet}"),
                }
            }
            Account::Unclaimed { table, patron } => write!(f, "unclaimed/{table}/{}", patron.0),
            Account::Held { table, patron } => write!(f, "held/{table}/{}", patron.0),
            Account::Forfeited { table } => write!(f, "forfeited/{table}"),
            Account::Owed { table, patron } => write!(f, "owed/{table}/{}", patron.0),
            Account::HouseWin { table } => write!(f, "house-win/{table}"),
            Account::Chips { table } => write!(f, "chips/{table}"),
            Account::DropBox { table } => write!(f, "drop-box/{table}"),
            Account::InAcceptors { table, acceptor } => write!(f, "in-acceptors/{table}/{acceptor}"),
            Account::AcceptorBoxes { table } => write!(f, "acceptor-boxes/{table}"),
            Account::AcceptorDifference { table } => write!(f, "acceptor-difference/{table}"),
            Account::Tray { table } => write!(f, "tray/{table}"),
            Account::AcrossTheFelt { table } => write!(f, "across-the-felt/{table}"),
            Account::FloatDifference { table } => write!(f, "float-difference/{table}"),
        }
    }
}

impl Serialize for Account {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// One amount in one currency, debited to one account and credited to another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct Posting {
    pub debit: Account,
    pub credit: Account,
    pub amount: Money,
    pub currency: Currency,
}
