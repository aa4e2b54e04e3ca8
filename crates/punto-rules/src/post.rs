//! Who may decide what.

use serde::{Deserialize, Serialize};

/// A position on the gaming floor, lowest first: "Pit Supervisor or above" is `post >= Post::PitSupervisor`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum Post {
    Dealer,
    PitSupervisor,
    PitManager,
    ShiftManager,
    DutyManager,
}

impl Post {
    /// All of them, from the least upwards.
    pub const ALL: [Post; 5] =
        [Post::Dealer, Post::PitSupervisor, Post::PitManager, Post::ShiftManager, Post::DutyManager];

    /// Whether the post is a Pit Employee, who may bet on a patron's behalf (WS 1.15, 5.17).
    // INTERPRETATION 17: Dealer to Pit Manager, not above.
    pub const fn is_pit_employee(self) -> bool {
        matches!(self, Post::Dealer | Post::PitSupervisor | Post::PitManager)
    }

    /// The next post above, if there is one.
    pub fn above(self) -> Option<Post> {
        Post::ALL.into_iter().find(|post| *post > self)
    }

    /// Whether somebody may be acting in the post, assigned for a shift by a higher one.
    // INTERPRETATION 46: Dealer to Pit Manager; nobody is an acting Shift Manager.
    pub const fn may_be_acting(self) -> bool {
        self.is_pit_employee()
    }

    /// The word in a rule book.
    pub const fn id(self) -> &'static str {
        match self {
            Post::Dealer => "dealer",
            Post::PitSupervisor => "pit-supervisor",
            Post::PitManager => "pit-manager",
            Post::ShiftManager => "shift-manager",
            Post::DutyManager => "duty-manager",
        }
    }

    /// As the rules write it.
    pub const fn name(self) -> &'static str {
        match self {
            Post::Dealer => "Dealer",
            Post::PitSupervisor => "Pit Supervisor",
            Post::PitManager => "Pit Manager",
            Post::ShiftManager => "Table Games Shift Manager",
            Post::DutyManager => "Duty Manager",
        }
    }
}
