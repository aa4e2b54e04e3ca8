//! What the Table of Play says about the cards so far.

use punto_rules::table_of_play::{Because, Decision};
use punto_rules::{Cite, Side, reconstruct};
use serde::Serialize;

use crate::law::Law;
use crate::round::Round;

/// Whether a Hand draws a third card, and which line of the Table of Play says so.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DecisionView<'a> {
    /// The Hand.
    pub side: Side,
    /// Whether it draws.
    pub draws: bool,
    /// The kind of line.
    pub because: BecauseWord,
    /// The Point Total of its first two cards.
    pub total: u8,
    /// The value of the Player's third card, where that decides.
    pub against: Option<u8>,
    /// The paragraph.
    pub cite: &'a Cite,
}

/// The line of the Table of Play that decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum BecauseWord {
    /// A Natural: neither Hand draws.
    Natural,
    /// Its own two cards.
    OwnTotal,
    /// The Player Hand stood.
    PlayerStood,
    /// Its own two cards against the Player's third.
    AgainstThird,
}

/// What has been decided so far: nothing, about the Player Hand, or about both.
pub(super) fn decisions<'a>(round: &Round, law: &'a Law) -> Vec<DecisionView<'a>> {
    let (deal, _) = reconstruct(&round.order);
    let play = &law.rulebook.play;
    let decision = |Decision { side, draws, because }: Decision| {
        let (because, total, against, cite) = match because {
            Because::Natural(totals) => (BecauseWord::Natural, totals[side], None, &play.table_of_play),
            Because::OwnTotal(total) => (BecauseWord::OwnTotal, total, None, &play.table_of_play),
            Because::PlayerStood(total) => (BecauseWord::PlayerStood, total, None, &play.third_card),
            Because::AgainstThird(total, third) => {
                (BecauseWord::AgainstThird, total, Some(third.value()), &play.table_of_play)
            }
        };
        DecisionView { side, draws, because, total: total.get(), against, cite }
    };
    deal.decisions().into_iter().map(decision).collect()
}
