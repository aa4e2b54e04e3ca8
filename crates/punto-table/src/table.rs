//! The table: what is known, the law it is run by, and the one door for orders.

use std::sync::Arc;

use punto_record::planted::{Bug, is};
use punto_record::{
    Actor, Approval, Approvals, Command, Entry, Event, LedgerKind, Mandates, NewTicket, Order, Reason,
    Rejection, RoundNo, TicketAnswer, digest, unfit,
};

use crate::draft::Draft;
use crate::law::Law;
use crate::roads::Roads;
use crate::state::State;
use crate::{decide, gate};

/// A table.
///
/// ```
/// use punto_table::{Given, Table};
/// use punto_record::{Actor, Command, Order, OrderId, Reason, Timestamp};
/// let table = Table::default();
/// let order = Order {
///     id: OrderId { device: "console-1".into(), n: 1 },
///     by: Actor::House,
///     at: Timestamp(0),
///     round: None,
///     command: Command::OpenBets {},
/// };
/// let refused = table.decide(&order, &Given::default()).unwrap_err();
/// assert_eq!(refused.reason, Reason::TableNotOpen {});
/// ```
#[derive(Clone, Debug, Default)]
pub struct Table {
    state: State,
    law: Option<Arc<Law>>,
    /// The text that the law was made from.
    rulebook: Option<Arc<str>>,
    roads: Roads,
}

/// Answers from outside that an order needs, looked up before it is decided.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Given {
    /// What the store says about a ticket, reserved for this order.
    pub ticket: Option<TicketAnswer>,
    /// What a ticket that this order issues is called.
    pub new_ticket: Option<NewTicket>,
    /// By which deeds of the house the people of this order act. It decides nothing; the entry keeps it.
    pub mandates: Option<Mandates>,
    /// The rules that may be played here.
    pub rules: Rules,
}

/// Which rule books a ledger lets a table play.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Rules {
    /// Any: there is no real money behind it.
    #[default]
    Any,
    /// In a house, a text that was approved: what its register says about the one that the order needs.
    Approved(Option<Approval>),
}

impl Rules {
    /// What a ledger of this kind says about the rule book that an order needs: the one that it brings along, or the one
    /// in force at the table.
    pub fn of(kind: LedgerKind, approvals: &Approvals, table: &Table, order: &Order) -> Rules {
        if !kind.is_house() {
            return Rules::Any;
        }
        let text = if let Command::OpenTable { rulebook, .. } | Command::ChangeSettings { rulebook, .. } =
            &order.command
        {
            Some(digest(rulebook.as_bytes()))
        } else if let Command::OpenBets {} = &order.command {
            table.state.digest
        } else {
            None
        };
        let at = order.at.max(table.state.now);
        if let (Command::CloseTable {}, Some(text)) = (&order.command, table.state.digest) {
            // The last Round is left out only by what the record says (interpretation 33).
            return Rules::Approved(approvals.on_record(text, at).cloned());
        }
        Rules::Approved(text.and_then(|text| approvals.of(text, at)).cloned())
    }
}

impl Table {
    /// What is known about the table.
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// The law in force; `None` while the table has never been open, or where this release cannot read the rule book.
    pub fn law(&self) -> Option<&Law> {
        self.law.as_deref()
    }

    /// The text of the rule book in force.
    pub fn rulebook(&self) -> Option<&str> {
        self.rulebook.as_deref()
    }

    /// A table of this state, with what is made from it.
    pub(crate) fn from_state(state: State, rulebook: Option<Arc<str>>) -> Table {
        let mut table = Table { state, rulebook, ..Table::default() };
        table.compile();
        table
    }

    /// Makes the law and the roads from state and rule book.
    fn compile(&mut self) {
        if let (Some(settings), Some(rulebook)) = (&self.state.settings, &self.rulebook) {
            self.law = Law::recorded(settings, rulebook).ok().map(Arc::new);
            self.roads = Roads::from_marks(settings.road_tail, &self.state.marks);
        }
    }

    /// Decides an order and changes nothing.
    ///
    /// # Errors
    /// The first reason why it cannot be carried out.
    pub fn decide(&self, order: &Order, given: &Given) -> Result<Vec<Event>, Rejection> {
        let (state, law) = (&self.state, self.law());
        let (kind, by) = (order.command.kind(), &order.by);
        self.check_id(order)?;
        gate::person(state, law, kind, by)?;
        gate::holds(state, law, kind, by)?;
        decide::is_own(state, law, order)?;
        gate::means(law, kind, by)?;
        decide::names_its_round(state, order)?;
        let moment = gate::moment(state, law, kind);
        decide::waits_for_last(state, law, order, given, &moment)?;
        moment?;
        // Who gives it, and from where, is known to the door; what it says is new.
        unfit(&order.command)?;
        match law {
            Some(law) => match decide::direct(state, law, order) {
                Some(decided) => decided,
                None => decide::decide(Draft::new(state, law, order), order, given),
            },
            None => decide::open_table(order, given),
        }
    }

    /// A device counts its orders upwards; what was carried out once is never carried out again.
    fn check_id(&self, order: &Order) -> Result<(), Rejection> {
        match self.state.devices.get(&order.id.device) {
            // Planted: a retry is a new order.
            Some(_) if is(Bug::RetryActsTwice) => Ok(()),
            Some(last) if order.id.n == last.n && !is_same(order, &last.asked) => {
                Err(Reason::OrderIdReused {}.into())
            }
            Some(last) if order.id.n <= last.n => Err(Reason::Superseded { last: last.n }.into()),
            Some(_) | None => Ok(()),
        }
    }

    /// The entry that answers a retry: the same order under the same id.
    pub fn answered(&self, order: &Order) -> Option<punto_record::Seq> {
        let last = self.state.devices.get(&order.id.device)?;
        (last.n == order.id.n && is_same(order, &last.asked)).then_some(last.seq)
    }

    /// The roads of the shoe.
    pub const fn roads(&self) -> &Roads {
        &self.roads
    }

    /// Takes one event.
    pub fn apply(&mut self, event: &Event) {
        self.state.apply(event);
        self.learn(event);
    }

    /// Takes an entry of the record.
    pub fn enter(&mut self, entry: &Entry) {
        self.state.enter(entry);
        entry.events.iter().for_each(|event| self.learn(event));
    }

    /// Keeps beside the state what is made from it: the compiled law, the roads.
    fn learn(&mut self, event: &Event) {
        if let Event::TableOpened { rulebook, .. } | Event::SettingsChanged { rulebook, .. } = event {
            self.rulebook = Some(rulebook.clone());
            self.compile();
        }
        if let Event::LimitsChanged { .. } = event {
            self.compile();
        }
        let touches_roads = matches!(
            event,
            Event::RoundSettled { .. }
                | Event::RoundCorrected { .. }
                | Event::RoundVoided { .. }
                | Event::ShoeLoaded { .. }
        );
        match self.state.marks.as_slice() {
            _ if !touches_roads => {}
            [before @ .., mark] if before == self.roads.marks() => self.roads.push(*mark),
            marks if marks == self.roads.marks() => {}
            // INTERPRETATION 30: a correction or a void draws the roads anew.
            marks => self.roads.rebuild(marks),
        }
    }
}

/// The same order: everything but the time it arrived.
fn is_same(order: &Order, (by, round, command): &(Actor, Option<RoundNo>, Command)) -> bool {
    order.by == *by && order.round == *round && order.command == *command
}
