//! The facts of an order.

use punto_rules::Post;

use crate::{Actor, MoneyKind};

/// What a table knows of a kind of order before it looks at one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrderFacts {
    /// Who may give it.
    pub by: GivenBy,
    /// Whose decision it is, where staff give it.
    pub whose: Whose,
    /// At which point of the table's life.
    pub at: Point,
    /// Whether it can be given while the float is covered (interpretation 51).
    pub while_covered: bool,
    /// Whether it can be given while the table is interrupted (interpretation 21).
    pub while_interrupted: bool,
    /// Whether it must name its Round, so that a late retry can never land in the next one.
    pub names_its_round: bool,
    /// Whether it means the same whatever Round is played and whatever is open: all that it is about stands in it.
    pub is_beside_play: bool,
    /// At tables with this kind of money only.
    pub money: Option<MoneyKind>,
    /// At tables that have this only.
    pub takes: Option<Equipment>,
    /// Whether a house asks for a second person.
    pub second: SecondPerson,
    /// Where the console lists it.
    pub topic: Topic,
}

/// Who may give an order. Nobody else may: deny by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GivenBy {
    /// Patrons, for themselves.
    pub patron: bool,
    /// Floor staff from this post upwards.
    pub from: Option<Post>,
    /// Cashiers.
    pub cashier: bool,
    /// Administrators.
    pub administrator: bool,
    /// The table's own software.
    pub house: bool,
    /// A note acceptor, for the patron at whose terminal it is.
    pub acceptor: bool,
}

impl GivenBy {
    /// Whether this actor may give it at some table.
    pub fn includes(&self, by: &Actor) -> bool {
        match by {
            Actor::Patron { .. } => self.patron,
            Actor::Staff { post, .. } => self.from.is_some_and(|least| *post >= least),
            Actor::Cashier { .. } => self.cashier,
            // Reads everything, changes nothing.
            Actor::Auditor { .. } => false,
            Actor::Administrator { .. } => self.administrator,
            Actor::House => self.house,
            Actor::Acceptor { .. } => self.acceptor,
        }
    }
}

/// Whose decision an order is, where staff give it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// Theirs.
    Givers,
    /// A patron's, at whose request a Pit Employee acts: Dealer to Pit Manager, not above (1.15, 5.17/5.16).
    OnBehalf,
    /// A patron's, which staff only record (interpretation 42).
    Patrons,
}

/// The point of a table's life at which an order can be given. The gate of the table knows what else it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Point {
    /// While the table is closed.
    Closed,
    /// Whenever the table is open.
    Open,
    /// Between Rounds.
    Between,
    /// While bets are open.
    Bets,
    /// While cards are dealt and the table waits for nobody.
    Cards,
    /// While patrons choose between going on and taking back.
    Choices,
    /// While something waits that the order answers.
    Waits(Waiting),
    /// While the float is open, where there is one.
    Float,
    /// It has a condition of its own.
    Own,
}

/// What an order answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Waiting {
    Matter,
    Hold,
    HeldPayout,
    Case,
    Acceptor,
    DropBox,
    SetAside,
    Dispute,
    UnreconciledShoe,
    UnrevealedShoe,
    UnreadCard,
    CardsToConfirm,
}

/// What a table may have or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Equipment {
    /// A game with the squeeze (3.9).
    Squeeze,
    /// Betting boxes.
    Boxes,
    /// Limits that are observed on the felt, not enforced by a terminal.
    ObservedLimits,
}

/// Whether a house asks for a second person before an order is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SecondPerson {
    /// No; what the order is about may ask for one all the same.
    No,
    /// Chips and credits do not move on one person's word.
    InAHouse,
    /// If a Cashier gives it: a patron's own credits are their own to take.
    FromCashiers,
}

/// Where an order is listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(missing_docs)]
pub enum Topic {
    Play,
    Dealing,
    Wagers,
    Matters,
    Payments,
    Shoe,
    Float,
    Table,
    People,
    /// What devices and software report by themselves.
    Devices,
}

const NOBODY: OrderFacts = OrderFacts {
    by: GivenBy {
        patron: false,
        from: None,
        cashier: false,
        administrator: false,
        house: false,
        acceptor: false,
    },
    whose: Whose::Givers,
    at: Point::Open,
    while_covered: false,
    while_interrupted: false,
    names_its_round: false,
    is_beside_play: false,
    money: None,
    takes: None,
    second: SecondPerson::No,
    topic: Topic::Table,
};

/// Given by floor staff from this post upwards.
pub(crate) const fn staff(least: Post) -> OrderFacts {
    OrderFacts { by: GivenBy { from: Some(least), ..NOBODY.by }, ..NOBODY }
}

/// Given by Cashiers.
pub(crate) const fn cashiers() -> OrderFacts {
    OrderFacts { by: GivenBy { cashier: true, ..NOBODY.by }, ..NOBODY }
}

/// Given by the table's own software.
pub(crate) const fn house() -> OrderFacts {
    OrderFacts { by: GivenBy { house: true, ..NOBODY.by }, ..NOBODY }
}

/// Given by note acceptors.
pub(crate) const fn acceptors() -> OrderFacts {
    OrderFacts { by: GivenBy { acceptor: true, ..NOBODY.by }, ..NOBODY }
}

impl OrderFacts {
    pub(crate) const fn or_patrons(self) -> OrderFacts {
        OrderFacts { by: GivenBy { patron: true, ..self.by }, ..self }
    }

    pub(crate) const fn or_cashiers(self) -> OrderFacts {
        OrderFacts { by: GivenBy { cashier: true, ..self.by }, ..self }
    }

    pub(crate) const fn or_administrators(self) -> OrderFacts {
        OrderFacts { by: GivenBy { administrator: true, ..self.by }, ..self }
    }

    pub(crate) const fn or_house(self) -> OrderFacts {
        OrderFacts { by: GivenBy { house: true, ..self.by }, ..self }
    }

    pub(crate) const fn or_acceptors(self) -> OrderFacts {
        OrderFacts { by: GivenBy { acceptor: true, ..self.by }, ..self }
    }

    /// A Pit Employee acts at a patron's request.
    pub(crate) const fn on_behalf(self) -> OrderFacts {
        OrderFacts { whose: Whose::OnBehalf, ..self }
    }

    /// Staff record what a patron decided.
    pub(crate) const fn patrons_own(self) -> OrderFacts {
        OrderFacts { whose: Whose::Patrons, ..self }
    }

    pub(crate) const fn while_closed(self) -> OrderFacts {
        OrderFacts { at: Point::Closed, ..self }
    }

    pub(crate) const fn between_rounds(self) -> OrderFacts {
        OrderFacts { at: Point::Between, ..self }
    }

    pub(crate) const fn while_betting(self) -> OrderFacts {
        OrderFacts { at: Point::Bets, ..self }
    }

    pub(crate) const fn while_dealing(self) -> OrderFacts {
        OrderFacts { at: Point::Cards, ..self }
    }

    pub(crate) const fn while_choosing(self) -> OrderFacts {
        OrderFacts { at: Point::Choices, ..self }
    }

    pub(crate) const fn with_float_open(self) -> OrderFacts {
        OrderFacts { at: Point::Float, ..self }
    }

    /// The gate has a condition for it alone.
    pub(crate) const fn at_own_point(self) -> OrderFacts {
        OrderFacts { at: Point::Own, ..self }
    }

    pub(crate) const fn answers(self, waiting: Waiting) -> OrderFacts {
        OrderFacts { at: Point::Waits(waiting), ..self }
    }

    pub(crate) const fn while_covered(self) -> OrderFacts {
        OrderFacts { while_covered: true, ..self }
    }

    pub(crate) const fn while_interrupted(self) -> OrderFacts {
        OrderFacts { while_interrupted: true, ..self }
    }

    pub(crate) const fn names_its_round(self) -> OrderFacts {
        OrderFacts { names_its_round: true, ..self }
    }

    pub(crate) const fn beside_play(self) -> OrderFacts {
        OrderFacts { is_beside_play: true, ..self }
    }

    pub(crate) const fn on_credits(self) -> OrderFacts {
        OrderFacts { money: Some(MoneyKind::Credits), ..self }
    }

    pub(crate) const fn on_chips(self) -> OrderFacts {
        OrderFacts { money: Some(MoneyKind::Chips), ..self }
    }

    pub(crate) const fn takes(self, equipment: Equipment) -> OrderFacts {
        OrderFacts { takes: Some(equipment), ..self }
    }

    pub(crate) const fn by_two(self) -> OrderFacts {
        OrderFacts { second: SecondPerson::InAHouse, ..self }
    }

    pub(crate) const fn by_two_at_the_cage(self) -> OrderFacts {
        OrderFacts { second: SecondPerson::FromCashiers, ..self }
    }

    pub(crate) const fn topic(self, topic: Topic) -> OrderFacts {
        OrderFacts { topic, ..self }
    }
}
