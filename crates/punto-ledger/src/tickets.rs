//! What may be done with a ticket. One place for both stores and for the reservation before them.

use punto_record::{Ticket, TicketAnswer, TicketState, Timestamp};

/// Whether a ticket can be used; `at` where it matters whether it has expired.
pub(crate) fn may(ticket: Option<&Ticket>, at: Option<Timestamp>) -> Result<(), TicketAnswer> {
    let ticket = ticket.ok_or(TicketAnswer::NotFound)?;
    match ticket.state {
        TicketState::Redeemed | TicketState::Paid => Err(TicketAnswer::Paid),
        TicketState::Void => Err(TicketAnswer::Void),
        TicketState::Good if at.is_some_and(|at| at > ticket.expires) => Err(TicketAnswer::Expired),
        TicketState::Good => Ok(()),
    }
}
