//! The cage: tickets are paid and made void there. What has expired is paid by two; now and then somebody tries it as any other.

use punto_record::{Actor, Deed, Person, TicketNo};

use super::Night;
use crate::network::Clerk;
use crate::server::OF_STANDING;

/// How a ticket is used.
#[derive(Clone, Copy)]
enum Way {
    Paid,
    PaidByTwo,
    Voided,
}

impl Night<'_> {
    pub(super) fn cage_acts(&mut self) -> Result<(), String> {
        let spent = self.dice.chance(15);
        let watch = self.watch.as_ref().expect("until the end");
        let from = if spent { &watch.spent } else { &watch.pockets };
        if from.is_empty() {
            return Ok(());
        }
        let ticket = self.dice.pick(from);
        self.cage_pays(&ticket)
    }

    pub(super) fn cage_pays(&mut self, ticket: &TicketNo) -> Result<(), String> {
        let Some(slip) = self.watch().slip(ticket) else { return Ok(()) };
        if self.cage.pending.is_some() {
            return Ok(());
        }
        let at = self.server.recorded(self.now);
        let is_expired = at > slip.expires;
        match self.server.vault().expired_worth(ticket, at) {
            Ok(worth) => {
                let holders = (slip.used == 0 && is_expired).then(|| (slip.amount, slip.currency.clone()));
                if worth != holders {
                    return Err(format!(
                        "ticket {ticket} is {holders:?} when expired, and the house says {worth:?}"
                    ));
                }
            }
            Err(error) => return self.failed(&error),
        }
        let way = self.dice.weigh(match is_expired {
            true => &[(3, Way::Paid), (5, Way::PaidByTwo), (2, Way::Voided)],
            false => &[(70, Way::Paid), (3, Way::PaidByTwo), (25, Way::Voided)],
        });
        let (ticket, amount, currency) = (ticket.clone(), slip.amount, slip.currency);
        let second: Person = self.dice.pick(&OF_STANDING).into();
        let deed = match way {
            Way::Paid => Deed::TicketPaid { ticket, amount, currency, second: None, reason: None },
            Way::PaidByTwo => {
                let (second, reason) = (Some(second), Some("the patron was ill".into()));
                Deed::TicketPaid { ticket, amount, currency, second, reason }
            }
            Way::Voided => Deed::TicketVoided { ticket, amount, currency, second, reason: "torn".into() },
        };
        self.asks(Clerk::Cage, Actor::Cashier { person: "c-1".into() }, deed);
        Ok(())
    }
}
