//! What goes wrong on the floor now and then, as a Dealer reports it. With software cards nobody but the house knows the
//! cards to come, so only what can be said without them is reported.

use punto_record::{Report, Seen};
use punto_rules::{BetId, BySide, Card, PatronNo, Side};
use serde::Deserialize;

use super::chance::Chance;
use super::tables::cents;
use crate::client::Shown;

/// Something that goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mishap {
    LateBet,
    DealingError,
    WrongSide,
    ExposedCard,
    FaceUp,
    Interruption,
    NotShuffled,
    ForeignCard,
    Uncovered,
    WalkAway,
    BetPlacedInError,
    LateDiscovery,
    WrongResult,
}

/// When it can be noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moment {
    Betting,
    Dealing,
    Between,
}

impl Mishap {
    pub(super) const ALL: [Mishap; 13] = [
        Mishap::LateBet,
        Mishap::DealingError,
        Mishap::WrongSide,
        Mishap::ExposedCard,
        Mishap::FaceUp,
        Mishap::Interruption,
        Mishap::NotShuffled,
        Mishap::ForeignCard,
        Mishap::Uncovered,
        Mishap::WalkAway,
        Mishap::BetPlacedInError,
        Mishap::LateDiscovery,
        Mishap::WrongResult,
    ];

    /// When it is noticed. Where cards come without a pause nobody is quick enough to notice anything between two of
    /// them: what can be noticed earlier is.
    pub(super) const fn moment(self, flat_out: bool) -> Moment {
        match self {
            Mishap::LateBet | Mishap::WrongSide | Mishap::ExposedCard | Mishap::FaceUp => Moment::Dealing,
            Mishap::DealingError
            | Mishap::Interruption
            | Mishap::NotShuffled
            | Mishap::ForeignCard
            | Mishap::Uncovered => {
                if flat_out {
                    Moment::Betting
                } else {
                    Moment::Dealing
                }
            }
            Mishap::WalkAway => Moment::Betting,
            Mishap::BetPlacedInError | Mishap::LateDiscovery | Mishap::WrongResult => Moment::Between,
        }
    }

    /// As it is reported, by what the console shows. `None` where there is nothing to report it of.
    pub(super) fn report(self, view: &Shown, patrons: u32, chance: &mut Chance) -> Option<Report> {
        let anybody = PatronNo(1 + chance.below(patrons.into()) as u32);
        let round = view.round();
        Some(match self {
            Mishap::LateBet => {
                let bets: Vec<BetOffered> = view.read("/table/bets")?;
                let bet = chance.pick(&bets)?.bet.clone();
                let boxed = view.at("/table/boxes").is_u64();
                let box_no = boxed.then_some(punto_record::BoxNo(1));
                Report::LateBet { patron: anybody, box_no, bet, stake: cents(5_000) }
            }
            Mishap::DealingError => {
                Report::OtherDealingError { words: "a card was dealt before its turn".into() }
            }
            Mishap::WrongSide => Report::WrongSide { hands: swapped(view)? },
            Mishap::ExposedCard => {
                (!dealt(view)?.is_empty()).then_some(Report::ExcessOrExposedCard { cards: Vec::new() })?
            }
            Mishap::FaceUp => Report::FaceUp { cards: Vec::new() },
            Mishap::Interruption => Report::TechnicalInterruption { cause: None },
            Mishap::NotShuffled => Report::NotShuffled {},
            Mishap::ForeignCard => Report::ForeignCard { card: "joker".into() },
            Mishap::Uncovered => Report::Uncovered { words: "a glass was spilled over the felt".into() },
            Mishap::WalkAway => {
                let wagers: Vec<WagerShown> = view.read("/wagers")?;
                Report::WalkAway { patron: chance.pick(&wagers)?.patron }
            }
            Mishap::BetPlacedInError => {
                let words = "meant Banker, bet on Player".into();
                Report::BetPlacedInError { patron: anybody, words, through: None }
            }
            Mishap::LateDiscovery => {
                let earlier = punto_record::RoundNo(round.0.checked_sub(1).filter(|no| *no > 0)?);
                Report::LateDiscovery { round: earlier, words: "a payment was doubted afterwards".into() }
            }
            Mishap::WrongResult => Report::WrongResult { round, words: "the display was doubted".into() },
        })
    }
}

#[derive(Deserialize)]
struct BetOffered {
    bet: BetId,
}

#[derive(Deserialize)]
struct WagerShown {
    patron: PatronNo,
}

#[derive(Deserialize)]
struct CardShown {
    card: Seen,
    side: Option<Side>,
}

fn dealt(view: &Shown) -> Option<Vec<(Card, Side)>> {
    let cards: Vec<CardShown> = view.read("/cards")?;
    cards.into_iter().map(|it| Some((it.card.card()?, it.side?))).collect()
}

/// The cards as they would lie if the last one had gone to the other side.
fn swapped(view: &Shown) -> Option<BySide<Vec<Card>>> {
    let mut cards = dealt(view)?;
    let (_, side) = cards.last_mut()?;
    *side = match side {
        Side::Player => Side::Banker,
        Side::Banker => Side::Player,
    };
    Some(BySide::from_fn(|of| cards.iter().filter(|(_, side)| *side == of).map(|(card, _)| *card).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::Told;

    fn console(view: &str) -> Shown {
        let mut shown = Shown::default();
        let told: Told = serde_json::from_str(&format!("{{\"view\":{view}}}")).expect("a view");
        shown.take(&told);
        shown
    }

    #[test]
    fn the_last_card_lies_on_the_other_side() {
        let view = console(
            r#"{"cards":[{"card":"As","side":"player"},{"card":"Kd","side":"banker"},{"card":"5h","side":"player"}]}"#,
        );
        let card = |text: &str| text.parse::<Card>().expect("a card");
        let hands = swapped(&view).expect("cards");
        assert_eq!((hands.player, hands.banker), (vec![card("As")], vec![card("Kd"), card("5h")]));
    }

    #[test]
    fn nothing_is_reported_of_what_is_not_there() {
        let view = console(r#"{"round":1,"cards":[],"wagers":[],"table":{"bets":[],"boxes":7}}"#);
        let mut chance = Chance::new(1);
        for mishap in
            [Mishap::WrongSide, Mishap::ExposedCard, Mishap::WalkAway, Mishap::LateDiscovery, Mishap::LateBet]
        {
            assert_eq!(mishap.report(&view, 7, &mut chance), None, "{mishap:?}");
        }
        assert!(Mishap::NotShuffled.report(&view, 7, &mut chance).is_some());
    }
}
