//! Tickets: their numbers, what can be said about one, and what an entry does to them.

use punto_rules::Money;

use crate::{Currency, Deed, Event, TicketNo, TicketTag, Timestamp};

/// Digits that nobody can guess.
const DRAWN: usize = 16;
/// Digits that check them.
const CHECK: usize = 4;
/// The largest prime of four digits. A ticket's digits, read as one number, are a multiple of it: every single wrong
/// digit and every two neighbours changed round are noticed, and of other misreads all but one in 9,973.
const MODULUS: u64 = 9973;

impl TicketNo {
    /// The ticket with these digits: `drawn` modulo 10¹⁶ and four check digits, in groups of four.
    pub fn from_drawn(drawn: u64) -> TicketNo {
        let drawn = drawn % 10_u64.pow(DRAWN as u32);
        let check = (MODULUS - remainder(&format!("{drawn:0DRAWN$}{:0CHECK$}", 0))) % MODULUS;
        let digits = format!("{drawn:0DRAWN$}{check:0CHECK$}");
        let groups: Vec<&str> = (0..digits.len()).step_by(4).map(|at| &digits[at..at + 4]).collect();
        groups.join("-").parse().expect("digits in groups are a name")
    }

    /// A number as somebody typed or scanned it: spaces and hyphens do not count. `None` where it has been misread.
    pub fn from_typed(text: &str) -> Option<TicketNo> {
        let digits: String = text.chars().filter(|c| !matches!(c, ' ' | '-')).collect();
        let has_form = digits.len() == DRAWN + CHECK && digits.bytes().all(|byte| byte.is_ascii_digit());
        let drawn = digits.get(..DRAWN).filter(|_| has_form && remainder(&digits) == 0)?;
        drawn.parse().ok().map(TicketNo::from_drawn)
    }
}

fn remainder(digits: &str) -> u64 {
    digits.bytes().fold(0, |rest, digit| (rest * 10 + u64::from(digit - b'0')) % MODULUS)
}

/// What the store says about a ticket.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum TicketAnswer {
    /// It is good and reserved.
    Reserved {
        amount: Money,
        /// None if the record at hand does not say: an earlier build issued it, and its entry was archived.
        currency: Option<Currency>,
    },
    NotFound,
    /// Another order is being decided about it.
    InUse,
    Paid,
    Expired,
    Void,
    /// The store says something else about it than the record, or the record cannot show that it was not used.
    Tampered,
}

/// A ticket as a store keeps it: made from the record, to be looked up quickly.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Ticket {
    pub no: TicketNo,
    pub amount: Money,
    /// As its entry names it; none if an earlier build issued it.
    pub currency: Option<Currency>,
    pub issued: Timestamp,
    pub expires: Timestamp,
    /// How it is found by its number; none for a ticket of release 0.1.0, which is named by it.
    pub tag: Option<TicketTag>,
    pub state: TicketState,
}

/// What became of a ticket. Whether it has expired is a question of the time of asking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum TicketState {
    Good,
    /// Became credits.
    Redeemed,
    /// Paid in cash.
    Paid,
    Void,
}

/// What an entry does to a ticket.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum TicketMove {
    /// Credits became a ticket.
    Issued {
        ticket: TicketNo,
        amount: Money,
        currency: Option<Currency>,
        at: Timestamp,
        expires: Timestamp,
        tag: Option<TicketTag>,
    },
    /// A ticket became credits.
    Redeemed { ticket: TicketNo, at: Timestamp },
    /// A ticket was paid in cash at the cage.
    Paid {
        ticket: TicketNo,
        /// By when it must not have expired; none where two people paid it, whether it had or not.
        at: Option<Timestamp>,
    },
    /// A ticket was made void.
    Voided { ticket: TicketNo },
}

impl TicketMove {
    /// What an event does to a ticket, if it does.
    pub fn of(event: &Event, at: Timestamp) -> Option<TicketMove> {
        if let Event::CashedOut { ticket, amount, currency, expires, tag, .. } = event {
            return Some(TicketMove::Issued {
                ticket: ticket.clone(),
                amount: *amount,
                currency: currency.clone(),
                at,
                expires: *expires,
                tag: tag.clone(),
            });
        }
        if let Event::TicketRedeemed { ticket, .. } = event {
            return Some(TicketMove::Redeemed { ticket: ticket.clone(), at });
        }
        None
    }

    /// What a deed does to a ticket, if it does.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "a test asks that each deed that uses a ticket is here"
    )]
    pub fn of_deed(deed: &Deed, at: Timestamp) -> Option<TicketMove> {
        match deed {
            Deed::TicketPaid { ticket, second, .. } => {
                let at = second.is_none().then_some(at);
                Some(TicketMove::Paid { ticket: ticket.clone(), at })
            }
            Deed::TicketVoided { ticket, .. } => Some(TicketMove::Voided { ticket: ticket.clone() }),
            _ => None,
        }
    }

    /// Which ticket.
    pub const fn ticket(&self) -> &TicketNo {
        match self {
            TicketMove::Issued { ticket, .. }
            | TicketMove::Redeemed { ticket, .. }
            | TicketMove::Paid { ticket, .. }
            | TicketMove::Voided { ticket } => ticket,
        }
    }
}
