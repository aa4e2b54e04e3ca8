//! The facts of an event.

use super::{Significance, Topic};

/// What stands beside a kind of event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventFacts {
    /// To whom it is shown, beside those who see everything.
    pub shown: ShownTo,
    /// Whether the cage sees it, and the floor does not: credits and tickets.
    pub at_the_cage: bool,
    /// Whether the books read it: it moves money, or says what is needed to book what moves.
    pub booked: bool,
    /// As what a regulator finds it again; an event may say something that makes it nothing or something else.
    pub significant: Option<Significance>,
    /// What it is about.
    pub topic: Topic,
}

/// To whom an event is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShownTo {
    /// Everybody, whole.
    Everybody,
    /// Everybody, whole, unless a card lies face down after it.
    EverybodyOnceTurned,
    /// The patron whom it names.
    Patron,
    /// Staff only.
    House,
    /// Each their part of it.
    EachTheirPart,
}

const fn shown(shown: ShownTo) -> EventFacts {
    EventFacts { shown, at_the_cage: false, booked: false, significant: None, topic: Topic::Table }
}

pub(crate) const fn everybody() -> EventFacts {
    shown(ShownTo::Everybody)
}

pub(crate) const fn everybody_once_turned() -> EventFacts {
    shown(ShownTo::EverybodyOnceTurned)
}

pub(crate) const fn patron() -> EventFacts {
    shown(ShownTo::Patron)
}

pub(crate) const fn the_house() -> EventFacts {
    shown(ShownTo::House)
}

pub(crate) const fn each_their_part() -> EventFacts {
    shown(ShownTo::EachTheirPart)
}

impl EventFacts {
    pub(crate) const fn at_the_cage(self) -> EventFacts {
        EventFacts { at_the_cage: true, ..self }
    }

    pub(crate) const fn booked(self) -> EventFacts {
        EventFacts { booked: true, ..self }
    }

    pub(crate) const fn significant(self, significance: Significance) -> EventFacts {
        EventFacts { significant: Some(significance), ..self }
    }

    pub(crate) const fn topic(self, topic: Topic) -> EventFacts {
        EventFacts { topic, ..self }
    }
}
