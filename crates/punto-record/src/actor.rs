//! Who gives an order.

use punto_rules::{PatronNo, Post};
use serde::{Deserialize, Serialize};

use crate::{DeviceId, Person};

/// Who gives an order, and in which capacity.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "as", rename_all = "kebab-case", deny_unknown_fields)]
#[allow(missing_docs)]
pub enum Actor {
    /// A patron, by the terminal or seat that speaks for them.
    Patron { patron: PatronNo },
    /// Floor staff in a post: Dealer to Table Games Shift Manager.
    Staff { person: Person, post: Post },
    /// Handles credits and tickets.
    Cashier { person: Person },
    /// Reads everything, changes nothing.
    Auditor { person: Person },
    /// Sets up tables, devices and staff; touches no money, makes no rulings.
    Administrator { person: Person },
    /// The table's own software: its clock, its card reader, its start-up.
    House,
    /// A note acceptor, enrolled with the terminal of a patron. It says what it took, and nothing else.
    Acceptor { acceptor: DeviceId, patron: PatronNo },
}

impl Actor {
    /// The post of floor staff.
    pub const fn post(&self) -> Option<Post> {
        match self {
            Actor::Staff { post, .. } => Some(*post),
            Actor::Patron { .. }
            | Actor::Cashier { .. }
            | Actor::Auditor { .. }
            | Actor::Administrator { .. }
            | Actor::House
            | Actor::Acceptor { .. } => None,
        }
    }

    /// The member of staff, if it is one.
    pub const fn person(&self) -> Option<&Person> {
        match self {
            Actor::Staff { person, .. }
            | Actor::Cashier { person }
            | Actor::Auditor { person }
            | Actor::Administrator { person } => Some(person),
            Actor::Patron { .. } | Actor::House | Actor::Acceptor { .. } => None,
        }
    }

    /// The patron, if it is one, or whose terminal it belongs to.
    pub const fn patron(&self) -> Option<PatronNo> {
        match self {
            Actor::Patron { patron } | Actor::Acceptor { patron, .. } => Some(*patron),
            Actor::Staff { .. }
            | Actor::Cashier { .. }
            | Actor::Auditor { .. }
            | Actor::Administrator { .. }
            | Actor::House => None,
        }
    }
}
