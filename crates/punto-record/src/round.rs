//! What is written down about a Round: cards, result, and what became of every wager.

use std::fmt;
use std::sync::Arc;

use punto_rules::{BetId, BySide, Card, Cite, Money, Odds, Outcome, PatronNo, Side, Verdict, Winner};
use serde::{Deserialize, Serialize};

use crate::BoxNo;

/// What came out of the shoe, as far as it is known. In JSON a word: `As`, `unreadable`, `covered`, `foreign:joker`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(extend("pattern" = "^(([A2-9TJQK][shdc]|unreadable|covered)$|foreign:)"))
)]
#[serde(into = "String", try_from = "String")]
pub enum Seen {
    /// A card of the deck.
    Card(Card),
    /// Something that is no card of the set, in a few words.
    Foreign(Arc<str>),
    /// A card that the device could not read.
    Unreadable,
    /// A card that lies face down. Only on screens, never in the record.
    Covered,
}

impl Seen {
    /// The card, if it is known to be one.
    pub const fn card(&self) -> Option<Card> {
        match self {
            Seen::Card(card) => Some(*card),
            Seen::Foreign(_) | Seen::Unreadable | Seen::Covered => None,
        }
    }
}

impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Seen::Card(card) => card.fmt(f),
            Seen::Foreign(what) => write!(f, "foreign:{what}"),
            Seen::Unreadable => f.write_str("unreadable"),
            Seen::Covered => f.write_str("covered"),
        }
    }
}

impl From<Seen> for String {
    fn from(seen: Seen) -> String {
        seen.to_string()
    }
}

impl TryFrom<String> for Seen {
    type Error = punto_rules::CardError;

    fn try_from(text: String) -> Result<Seen, Self::Error> {
        match text.as_str() {
            "unreadable" => Ok(Seen::Unreadable),
            "covered" => Ok(Seen::Covered),
            text => match text.strip_prefix("foreign:") {
                Some(what) => Ok(Seen::Foreign(what.into())),
                None => text.parse().map(Seen::Card),
            },
        }
    }
}

/// How a card came to be known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// Read by the device.
    Read,
    /// Keyed by hand.
    Keyed,
    /// Carried over from the Round before.
    Carried,
}

/// The result that the cards show.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct RoundResult {
    /// In the order in which they count.
    pub cards: Vec<Card>,
    pub points: BySide<u8>,
    pub winner: Winner,
    pub natural: bool,
    pub pairs: BySide<bool>,
}

impl RoundResult {
    /// The result of a completed Round.
    pub fn of(cards: &[Card], outcome: &Outcome) -> RoundResult {
        RoundResult {
            cards: cards.to_vec(),
            points: BySide::from_fn(|side| outcome.hands()[side].points().get()),
            winner: outcome.winner(),
            natural: outcome.is_natural(),
            pairs: BySide::from_fn(|side| outcome.pairs().on(side)),
        }
    }
}

/// Won, lost or returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum VerdictWord {
    Won,
    Lost,
    Returned,
}

impl From<Verdict> for VerdictWord {
    fn from(verdict: Verdict) -> VerdictWord {
        match verdict {
            Verdict::Won(_) => VerdictWord::Won,
            Verdict::Lost => VerdictWord::Lost,
            Verdict::Returned => VerdictWord::Returned,
        }
    }
}

/// What became of one wager.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SettledLine {
    /// Whose.
    pub patron: PatronNo,
    /// In which box; none on the electronic game.
    #[serde(rename = "box", default, skip_serializing_if = "Option::is_none")]
    pub box_no: Option<BoxNo>,
    /// On what.
    pub bet: BetId,
    /// What was staked.
    pub stake: Money,
    /// How much of it played (5.1.1).
    pub playing: Money,
    /// Won, lost or returned.
    pub verdict: VerdictWord,
    /// The odds of a win.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pays: Option<Odds>,
    /// What comes back unplayed, or by a return.
    pub returned: Money,
    /// Paid on top, net of commission.
    pub winnings: Money,
    /// What the House kept of gross winnings.
    pub commission: Money,
    /// All that goes to the patron.
    pub to_patron: Money,
    /// The paragraph of the row that decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cite: Option<Cite>,
}

/// A stake, or a part of one, that goes back to its owner.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Return {
    pub patron: PatronNo,
    #[serde(rename = "box", default, skip_serializing_if = "Option::is_none")]
    pub box_no: Option<BoxNo>,
    pub bet: BetId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<Side>,
    pub amount: Money,
}

/// How much of a wager plays, where it is not all of it (5.1.1).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Part {
    pub patron: PatronNo,
    #[serde(rename = "box")]
    pub box_no: BoxNo,
    pub bet: BetId,
    pub playing: Money,
}

/// What a dispute is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum DisputeAbout {
    /// Which cards came, or who won.
    Result,
    /// What was paid.
    Payout,
    /// Chips that lay between two spots.
    ChipsBetweenSpots,
    /// Chips that two people say are theirs.
    TwoOwners,
    /// Chips that were moved after bets closed.
    ChipsMovedAfterClose,
    /// Anything else.
    Other,
}

impl DisputeAbout {
    /// All of them.
    pub const ALL: [DisputeAbout; 6] = [
        DisputeAbout::Result,
        DisputeAbout::Payout,
        DisputeAbout::ChipsBetweenSpots,
        DisputeAbout::TwoOwners,
        DisputeAbout::ChipsMovedAfterClose,
        DisputeAbout::Other,
    ];

    /// Its word.
    pub const fn id(self) -> &'static str {
        match self {
            DisputeAbout::Result => "result",
            DisputeAbout::Payout => "payout",
            DisputeAbout::ChipsBetweenSpots => "chips-between-spots",
            DisputeAbout::TwoOwners => "two-owners",
            DisputeAbout::ChipsMovedAfterClose => "chips-moved-after-close",
            DisputeAbout::Other => "other",
        }
    }
}

/// A wager as the record had it when a Round was disputed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Pictured {
    pub patron: PatronNo,
    #[serde(rename = "box", default, skip_serializing_if = "Option::is_none")]
    pub box_no: Option<BoxNo>,
    pub bet: BetId,
    pub stake: Money,
}

/// What a correction does to one patron: a compensating entry.
// INTERPRETATION 28: taken back is at most what is there; the rest is booked as uncollected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Change {
    pub patron: PatronNo,
    /// Paid now.
    pub paid: Money,
    /// Taken off what the patron still owed, instead of being paid.
    #[serde(default, skip_serializing_if = "Money::is_zero")]
    pub cancelled: Money,
    /// Taken from credits.
    pub taken: Money,
    /// Taken from what is kept for them.
    #[serde(default, skip_serializing_if = "Money::is_zero")]
    pub from_unclaimed: Money,
    /// Taken from their payout of that Round, which is held.
    #[serde(default, skip_serializing_if = "Money::is_zero")]
    pub from_held: Money,
    /// What could not be taken.
    pub uncollected: Money,
}
