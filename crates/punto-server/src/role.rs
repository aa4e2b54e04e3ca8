//! What a member of staff is employed as, and what that lets them say.

use punto_record::{Actor, Person};
use punto_rules::Post;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a member of staff is employed as: a post on the floor, or one beside it. One person, one role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Deals.
    Dealer,
    /// Rules on what the documents leave to a Pit Supervisor.
    PitSupervisor,
    /// Pit Manager.
    PitManager,
    /// Table Games Shift Manager.
    ShiftManager,
    /// Duty Manager.
    DutyManager,
    /// Credits and tickets.
    Cashier,
    /// Reads everything, changes nothing.
    Auditor,
    /// Tables, devices, staff; no money, no rulings.
    Administrator,
}

impl Role {
    /// All of them.
    pub const ALL: [Role; 8] = [
        Role::Dealer,
        Role::PitSupervisor,
        Role::PitManager,
        Role::ShiftManager,
        Role::DutyManager,
        Role::Cashier,
        Role::Auditor,
        Role::Administrator,
    ];

    /// Its word, as in JSON.
    pub const fn id(self) -> &'static str {
        match self {
            Role::Dealer => "dealer",
            Role::PitSupervisor => "pit-supervisor",
            Role::PitManager => "pit-manager",
            Role::ShiftManager => "shift-manager",
            Role::DutyManager => "duty-manager",
            Role::Cashier => "cashier",
            Role::Auditor => "auditor",
            Role::Administrator => "administrator",
        }
    }

    /// The post on the floor, if it is one.
    pub const fn post(self) -> Option<Post> {
        match self {
            Role::Dealer => Some(Post::Dealer),
            Role::PitSupervisor => Some(Post::PitSupervisor),
            Role::PitManager => Some(Post::PitManager),
            Role::ShiftManager => Some(Post::ShiftManager),
            Role::DutyManager => Some(Post::DutyManager),
            Role::Cashier | Role::Auditor | Role::Administrator => None,
        }
    }

    /// Whether nobody works in this role in a house without a second factor: those who have power over people, rules and
    /// results.
    pub const fn must_have_factor(self) -> bool {
        match self {
            Role::Administrator | Role::PitManager | Role::ShiftManager | Role::DutyManager => true,
            Role::Dealer | Role::PitSupervisor | Role::Cashier | Role::Auditor => false,
        }
    }

    /// Who gives an order when somebody in this role does.
    pub fn actor(self, person: Person) -> Actor {
        match self {
            Role::Dealer => Actor::Staff { person, post: Post::Dealer },
            Role::PitSupervisor => Actor::Staff { person, post: Post::PitSupervisor },
            Role::PitManager => Actor::Staff { person, post: Post::PitManager },
            Role::ShiftManager => Actor::Staff { person, post: Post::ShiftManager },
            Role::DutyManager => Actor::Staff { person, post: Post::DutyManager },
            Role::Cashier => Actor::Cashier { person },
            Role::Auditor => Actor::Auditor { person },
            Role::Administrator => Actor::Administrator { person },
        }
    }
}
