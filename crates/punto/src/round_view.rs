//! A Round as JSON and as words: what `deal` and `settle` share.

use punto_rules::rulebook::Play;
use punto_rules::table_of_play::{Because, Decision};
use punto_rules::{BySide, Card, Deal, Hand, Outcome, Side, Winner, notation};
use serde::Serialize;

/// One Hand.
#[derive(Serialize)]
pub(crate) struct HandJson<'h> {
    cards: &'h [Card],
    points: u8,
}

impl<'h> HandJson<'h> {
    pub(crate) fn new(hand: &'h Hand) -> HandJson<'h> {
        HandJson { cards: hand.cards(), points: hand.points().get() }
    }
}

/// The pairs of the first two cards.
#[derive(Serialize)]
pub(crate) struct PairsJson {
    player: bool,
    banker: bool,
    twin: bool,
}

impl PairsJson {
    pub(crate) fn new(hands: &BySide<Hand>) -> PairsJson {
        let (player, banker) = (hands.player.pair(), hands.banker.pair());
        PairsJson {
            player: player.is_some(),
            banker: banker.is_some(),
            twin: player.is_some() && player == banker,
        }
    }
}

/// A completed Round.
#[derive(Serialize)]
pub(crate) struct OutcomeJson<'o> {
    player: HandJson<'o>,
    banker: HandJson<'o>,
    winner: &'static str,
    natural: bool,
    pairs: PairsJson,
}

impl<'o> OutcomeJson<'o> {
    pub(crate) fn new(outcome: &'o Outcome) -> OutcomeJson<'o> {
        let hands = outcome.hands();
        OutcomeJson {
            player: HandJson::new(&hands.player),
            banker: HandJson::new(&hands.banker),
            winner: outcome.winner().id(),
            natural: outcome.is_natural(),
            pairs: PairsJson::new(hands),
        }
    }
}

impl OutcomeJson<'_> {
    /// `Player 2s 3c 5d (0), Banker 3d 3h (6), winner banker`
    pub(crate) fn in_words(&self) -> String {
        let hand = |name: &str, hand: &HandJson<'_>| {
            format!("{name} {} ({})", notation::show(hand.cards), hand.points)
        };
        format!("{}, {}, winner {}", hand("Player", &self.player), hand("Banker", &self.banker), self.winner)
    }
}

/// `Player  2s 3c 5d   0`, one line for each Hand.
pub(crate) fn hand_lines(deal: &Deal) -> Vec<String> {
    let line = |side: Side| {
        let hand = &deal.hands()[side];
        let cards: Vec<String> = hand.cards().iter().map(Card::to_string).collect();
        let points = if hand.is_empty() { "–".to_string() } else { hand.points().to_string() };
        let notes = [
            hand.is_natural().then_some("Natural"),
            hand.pair().map(|_| if hand.is_suited_pair() { "suited pair" } else { "pair" }),
        ];
        let notes: Vec<&str> = notes.into_iter().flatten().collect();
        format!("{}  {:<8}  {points}  {}", side.name(), cards.join(" "), notes.join(", "))
            .trim_end()
            .to_string()
    };
    Side::BOTH.into_iter().map(line).collect()
}

/// `Banker stands on 6 against a third card of 5 (3.12)`
pub(crate) fn decision_line(decision: &Decision, play: &Play) -> String {
    let side = decision.side.name();
    let does = if decision.draws { "draws" } else { "stands" };
    match decision.because {
        Because::Natural(two) => {
            let by = if two[decision.side].get() >= 8 {
                format!("{side} stands on a Natural {}", two[decision.side])
            } else {
                let other = decision.side.other();
                format!("{side} stands: {} has a Natural {}", other.name(), two[other])
            };
            format!("{by} ({})", play.table_of_play)
        }
        Because::OwnTotal(total) => format!("{side} {does} on {total} ({})", play.table_of_play),
        Because::PlayerStood(total) => {
            format!("{side} {does} on {total}, Player having stood ({})", play.third_card)
        }
        Because::AgainstThird(total, third) => {
            format!(
                "{side} {does} on {total} against a third card of {} ({})",
                third.value(),
                play.table_of_play
            )
        }
    }
}

/// `Banker wins 6 to 0 (3.13)`
pub(crate) fn result_line(outcome: &Outcome, play: &Play) -> String {
    let BySide { player, banker } = outcome.hands();
    let (player, banker) = (player.points(), banker.points());
    match outcome.winner() {
        Winner::Player => format!("Player wins {player} to {banker} ({})", play.winner),
        Winner::Banker => format!("Banker wins {banker} to {player} ({})", play.winner),
        Winner::Tie => format!("Tie on {player} ({})", play.tie),
    }
}
