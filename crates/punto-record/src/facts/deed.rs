//! The facts of a deed.

use super::Significance;
use crate::Actor;

/// What stands beside a kind of deed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeedFacts {
    /// Whose it is.
    pub by: DoneBy,
    /// Whether the software may do it as well.
    pub or_software: bool,
    /// Whether a house asks for the deed that gives them their role.
    pub by_mandate: bool,
    /// Whether a house asks for a second person of standing, and their reason where the deed has one.
    pub agreed: bool,
    /// Whether it pays a ticket or makes it void.
    pub uses_a_ticket: bool,
    /// As what a regulator finds it again; a deed may say something that makes it nothing.
    pub significant: Option<Significance>,
}

/// Whose a deed is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum DoneBy {
    Software,
    Administrators,
    Cashiers,
    /// Anybody who is employed here.
    MembersOfStaff,
}

impl DoneBy {
    /// Why somebody else may not.
    pub const fn refusal(self) -> &'static str {
        match self {
            DoneBy::Software => "that is the software's own to write down",
            DoneBy::Administrators => "that takes an Administrator",
            DoneBy::Cashiers => "that takes a Cashier",
            DoneBy::MembersOfStaff => "only a member of staff does that",
        }
    }
}

impl DeedFacts {
    /// Whether it is theirs to do.
    pub const fn includes(&self, by: &Actor) -> bool {
        match by {
            Actor::House => self.or_software || matches!(self.by, DoneBy::Software),
            Actor::Administrator { .. } => matches!(self.by, DoneBy::Administrators | DoneBy::MembersOfStaff),
            Actor::Cashier { .. } => matches!(self.by, DoneBy::Cashiers | DoneBy::MembersOfStaff),
            Actor::Staff { .. } | Actor::Auditor { .. } => matches!(self.by, DoneBy::MembersOfStaff),
            Actor::Patron { .. } | Actor::Acceptor { .. } => false,
        }
    }

    pub(crate) const fn or_software(self) -> DeedFacts {
        DeedFacts { or_software: true, ..self }
    }

    pub(crate) const fn by_mandate(self) -> DeedFacts {
        DeedFacts { by_mandate: true, ..self }
    }

    pub(crate) const fn agreed(self) -> DeedFacts {
        DeedFacts { agreed: true, ..self }
    }

    pub(crate) const fn uses_a_ticket(self) -> DeedFacts {
        DeedFacts { uses_a_ticket: true, ..self }
    }

    pub(crate) const fn significant(self, significance: Significance) -> DeedFacts {
        DeedFacts { significant: Some(significance), ..self }
    }
}

const fn done_by(by: DoneBy) -> DeedFacts {
    DeedFacts {
        by,
        or_software: false,
        by_mandate: false,
        agreed: false,
        uses_a_ticket: false,
        significant: None,
    }
}

pub(crate) const fn software() -> DeedFacts {
    done_by(DoneBy::Software)
}

pub(crate) const fn administrators() -> DeedFacts {
    done_by(DoneBy::Administrators)
}

pub(crate) const fn cashiers() -> DeedFacts {
    done_by(DoneBy::Cashiers)
}

pub(crate) const fn members_of_staff() -> DeedFacts {
    done_by(DoneBy::MembersOfStaff)
}
