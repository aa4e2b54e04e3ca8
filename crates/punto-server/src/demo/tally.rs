//! What was seen on the floor, counted from what its screens were told.

use std::collections::BTreeMap;

use punto_record::Event;
use serde::Serialize;
use tokio::sync::watch;

use crate::wire::Answer;

/// What was seen on the floor.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Rounds settled, by table.
    pub rounds: BTreeMap<String, u64>,
    /// Rounds made void.
    pub voided: u64,
    /// Wagers registered, raises among them.
    pub wagers: u64,
    /// Wagers withdrawn, whole or in part.
    pub withdrawn: u64,
    /// Orders refused, by reason.
    pub refused: BTreeMap<String, u64>,
    /// Shoes put to use.
    pub shoes: u64,
    /// Credits bought, so many times.
    pub bought: u64,
    /// Tickets issued.
    pub tickets: u64,
    /// Tickets that became credits.
    pub redeemed: u64,
    /// Choices that patrons made.
    pub choices: u64,
    /// Rulings by people.
    pub rulings: u64,
    /// Disputes opened.
    pub disputes: u64,
    /// What went wrong, by its kind in the rule books.
    pub irregularities: BTreeMap<String, u64>,
    /// Connections that were opened again.
    pub reconnected: u64,
}

/// The one tally of a floor. Cloned, it is the same.
#[derive(Clone, Debug)]
pub(super) struct Book(pub(super) watch::Sender<Tally>);

impl Book {
    pub(super) fn note(&self, note: impl FnOnce(&mut Tally)) {
        self.0.send_modify(note);
    }

    pub(super) fn tally(&self) -> Tally {
        self.0.borrow().clone()
    }

    /// Whether an order was refused; then that is counted.
    pub(super) fn is_refusal(&self, answer: &Answer) -> bool {
        let reason = match answer {
            Answer::Refused(rejection) => rejection.reason.kind().id().to_owned(),
            Answer::Denied(denial) => format!("{denial:?}"),
            Answer::Done(_) | Answer::Before(_) | Answer::Busy | Answer::Unknown => return false,
        };
        tracing::debug!(reason, "somebody of the demonstration was refused");
        self.note(|tally| *tally.refused.entry(reason).or_default() += 1);
        true
    }

    /// What a console was told: everything but credits and tickets.
    pub(super) fn at_console(&self, table: &str, events: &[Event]) {
        if !events.is_empty() {
            self.note(|tally| events.iter().for_each(|event| tally.at_console(table, event)));
        }
    }

    /// What a cage was told: credits and tickets.
    pub(super) fn at_cage(&self, events: &[Event]) {
        if !events.is_empty() {
            self.note(|tally| events.iter().for_each(|event| tally.at_cage(event)));
        }
    }
}

impl Tally {
    fn irregular(&mut self, kind: &str) {
        *self.irregularities.entry(kind.to_owned()).or_default() += 1;
    }

    fn at_console(&mut self, table: &str, event: &Event) {
        if let Event::RoundSettled { .. } = event {
            *self.rounds.entry(table.to_owned()).or_default() += 1;
        } else if let Event::RoundVoided { .. } = event {
            self.voided += 1;
        } else if let Event::WagerRegistered { .. } = event {
            self.wagers += 1;
        } else if let Event::WagerWithdrawn { .. } = event {
            self.withdrawn += 1;
        } else if let Event::ShoeLoaded { .. } = event {
            self.shoes += 1;
        } else if let Event::ChoiceMade { silent: false, .. } = event {
            self.choices += 1;
        } else if let Event::Ruled { reason, .. } = event {
            // What the rules decide themselves is ruled by nobody.
            self.rulings += u64::from(reason.as_ref() == super::pit::REASON);
        } else if let Event::DisputeOpened { .. } = event {
            self.disputes += 1;
        } else if let Event::MatterOpened { kind, .. } = event {
            self.irregular(kind.id());
        } else if let Event::LateBetRefused { .. } = event {
            self.irregular("late-bet");
        } else if let Event::TableInterrupted { .. } = event {
            self.irregular("technical-interruption");
        } else if let Event::TerminalLost { .. } = event {
            self.irregular("terminal-interruption");
        } else if let Event::WalkedAway { .. } = event {
            self.irregular("walk-away");
        }
    }

    fn at_cage(&mut self, event: &Event) {
        if let Event::CreditsBought { .. } = event {
            self.bought += 1;
        } else if let Event::CashedOut { .. } = event {
            self.tickets += 1;
        } else if let Event::TicketRedeemed { .. } = event {
            self.redeemed += 1;
        }
    }
}
