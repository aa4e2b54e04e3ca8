//! What people report, rule and choose when something goes wrong (section 5).

use std::sync::Arc;

use punto_rules::{BetId, BySide, Card, IrregularityKind, Money, PatronNo};
use serde::{Deserialize, Serialize};

use crate::{BoxNo, Person, RoundNo, Seen, ShoeNo};

/// What interrupts play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum Cause {
    Power,
    Software,
    Device,
    Fire,
    MedicalEmergency,
    Evacuation,
    /// The order of the software shoe in use is lost; only the house itself can say so.
    ShoeLost,
    Other,
}

impl Cause {
    /// All of them.
    pub const ALL: [Cause; 8] = [
        Cause::Power,
        Cause::Software,
        Cause::Device,
        Cause::Fire,
        Cause::MedicalEmergency,
        Cause::Evacuation,
        Cause::ShoeLost,
        Cause::Other,
    ];

    /// Whether people leave their places for it, so that the float is covered.
    pub const fn takes_people_away(self) -> bool {
        match self {
            Cause::Fire | Cause::MedicalEmergency | Cause::Evacuation => true,
            Cause::Power | Cause::Software | Cause::Device | Cause::ShoeLost | Cause::Other => false,
        }
    }
}

/// An irregularity as it is reported: the kind and what is known about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "irregularity", rename_all = "kebab-case", deny_unknown_fields)]
#[allow(missing_docs)]
pub enum Report {
    /// A power failure or the like that affects the Round.
    TechnicalInterruption {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cause: Option<Cause>,
    },
    /// After an interruption: the cards that were read, and another list that was confirmed. Found, never reported.
    CardsInDispute {
        read: Vec<Seen>,
        confirmed: Vec<Card>,
        /// The Dealer who confirmed them too.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        second: Option<Person>,
    },
    /// A card that is not of the set.
    ForeignCard { card: Arc<str> },
    /// Cards of the set are missing, or there are too many.
    ShortageOrExcess {
        #[serde(default)]
        missing: Vec<Card>,
        #[serde(default)]
        extra: Vec<Card>,
        /// The set that was counted, where it is not the one in use.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        shoe: Option<ShoeNo>,
    },
    /// A Hand has a wrong number of cards. Every card on record lies with a Hand or with neither, and so do those that
    /// were out and not read.
    WrongNumberOfCards {
        hands: BySide<Vec<Card>>,
        /// Cards that lie with neither Hand.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        neither: Vec<Card>,
        /// Those of all these cards that were out and not read, in the order they left the shoe.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        unread: Vec<Card>,
    },
    /// The device holds too few cards to complete the Round.
    ShoeExhausted {
        /// How many it holds, where somebody looked; none where the record itself has no card left.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        left: Option<u16>,
    },
    /// The cards were not shuffled.
    NotShuffled {},
    /// Chips that appeared after "No more Bets".
    LateBet {
        patron: PatronNo,
        #[serde(rename = "box", default, skip_serializing_if = "Option::is_none")]
        box_no: Option<BoxNo>,
        bet: BetId,
        stake: Money,
    },
    /// Cards that were drawn in excess or exposed and are not yet recorded.
    ExcessOrExposedCard {
        #[serde(default)]
        cards: Vec<Card>,
    },
    /// Cards lie on the other side, or with the person accepting the other Hand; `hands` is how they lie.
    WrongSide { hands: BySide<Vec<Card>> },
    /// Cards came face up on a table that deals face down.
    FaceUp {
        /// Which, counted from 1; all that lie face down if none are named.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        cards: Vec<u16>,
    },
    /// Cards left the shoe together: `cards` that are not yet recorded, or those that were drawn at these `places`.
    SimultaneousDraw {
        #[serde(default)]
        cards: Vec<Card>,
        /// Counted from 1 in drawing order.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        places: Vec<u16>,
        /// Surveillance saw which came first.
        #[serde(default)]
        order_known: bool,
    },
    /// Any other dealing error.
    OtherDealingError { words: Arc<str> },
    /// An error of an earlier Round.
    LateDiscovery { round: RoundNo, words: Arc<str> },
    /// A bet that its owner did not mean.
    BetPlacedInError {
        patron: PatronNo,
        words: Arc<str>,
        /// The member of staff through whom the error was made, if it was.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        through: Option<Person>,
    },
    /// A result that was registered otherwise than the cards show.
    WrongResult { round: RoundNo, words: Arc<str> },
    /// A patron left with bets standing.
    WalkAway { patron: PatronNo },
    /// What the rules do not provide for.
    Uncovered { words: Arc<str> },
}

impl Report {
    /// The kind in the rule book.
    pub const fn kind(&self) -> IrregularityKind {
        match self {
            Report::TechnicalInterruption { .. } | Report::CardsInDispute { .. } => {
                IrregularityKind::TechnicalInterruption
            }
            Report::ForeignCard { .. } => IrregularityKind::ForeignCard,
            Report::ShortageOrExcess { .. } => IrregularityKind::ShortageOrExcess,
            Report::WrongNumberOfCards { .. } => IrregularityKind::WrongNumberOfCards,
            Report::ShoeExhausted { .. } => IrregularityKind::ShoeExhausted,
            Report::NotShuffled {} => IrregularityKind::NotShuffled,
            Report::LateBet { .. } => IrregularityKind::LateBet,
            Report::ExcessOrExposedCard { .. } => IrregularityKind::ExcessOrExposedCard,
            Report::WrongSide { .. } => IrregularityKind::WrongSide,
            Report::FaceUp { .. } => IrregularityKind::FaceUp,
            Report::SimultaneousDraw { .. } => IrregularityKind::SimultaneousDraw,
            Report::OtherDealingError { .. } => IrregularityKind::OtherDealingError,
            Report::LateDiscovery { .. } => IrregularityKind::LateDiscovery,
            Report::BetPlacedInError { .. } => IrregularityKind::BetPlacedInError,
            Report::WrongResult { .. } => IrregularityKind::WrongResult,
            Report::WalkAway { .. } => IrregularityKind::WalkAway,
            Report::Uncovered { .. } => IrregularityKind::Uncovered,
        }
    }
}

/// What is decided about a matter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "ruling", rename_all = "kebab-case", deny_unknown_fields)]
#[allow(missing_docs)]
pub enum Ruling {
    /// The Round is void; every bet of it goes back.
    Void {},
    /// There was nothing of the kind; a card that was read wrongly is this one.
    Misread {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        card: Option<Card>,
    },
    /// The cards are dealt again in the order they were drawn; what is left over opens the next Round.
    Reconstruct {},
    /// The cards cannot be reconstructed and the Hands stay as they lie, as if drawn in this order.
    AsTheyLie { order: Vec<Card> },
    /// All cards of the Round in the order that counts.
    InOrder { order: Vec<Card> },
    /// The Round goes on.
    Continue {},
    /// What was settled stands.
    Stand {},
    /// The Round is settled anew by these cards.
    Correct { cards: Vec<Card> },
    /// What is still owed for an earlier Round, computed from its wagers.
    Adjust {
        /// Amounts as the first release let somebody type them; refused since.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        adjustments: Vec<Adjustment>,
        /// The Round, where the report does not name it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        round: Option<RoundNo>,
        /// The cards as ruled; none where they were right.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        cards: Vec<Card>,
    },
}

/// What is decided, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum RulingWord {
    Void,
    Misread,
    Reconstruct,
    AsTheyLie,
    InOrder,
    Continue,
    Stand,
    Correct,
    Adjust,
}

impl Ruling {
    /// In one word.
    pub const fn word(&self) -> RulingWord {
        match self {
            Ruling::Void {} => RulingWord::Void,
            Ruling::Misread { .. } => RulingWord::Misread,
            Ruling::Reconstruct {} => RulingWord::Reconstruct,
            Ruling::AsTheyLie { .. } => RulingWord::AsTheyLie,
            Ruling::InOrder { .. } => RulingWord::InOrder,
            Ruling::Continue {} => RulingWord::Continue,
            Ruling::Stand {} => RulingWord::Stand,
            Ruling::Correct { .. } => RulingWord::Correct,
            Ruling::Adjust { .. } => RulingWord::Adjust,
        }
    }

    /// The word.
    pub const fn id(&self) -> &'static str {
        match self.word() {
            RulingWord::Void => "void",
            RulingWord::Misread => "misread",
            RulingWord::Reconstruct => "reconstruct",
            RulingWord::AsTheyLie => "as-they-lie",
            RulingWord::InOrder => "in-order",
            RulingWord::Continue => "continue",
            RulingWord::Stand => "stand",
            RulingWord::Correct => "correct",
            RulingWord::Adjust => "adjust",
        }
    }
}

/// Who owes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Owed {
    /// The House owes the patron.
    ToPatron,
    /// The patron owes the House.
    ToHouse,
}

/// An amount still owed for an earlier Round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Adjustment {
    pub patron: PatronNo,
    pub owed: Owed,
    pub amount: Money,
}

/// The options of 5.13 (5.12).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Choice {
    /// Go on with the hand as ruled.
    Continue,
    /// Have every bet of the Round back.
    TakeBack,
}
