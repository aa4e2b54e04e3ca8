//! What can be reported now.

use punto_record::{Actor, Cards, Faces, Reason, RoundNo};
use punto_rules::{Cite, IrregularityKind};

use super::Decided;
use crate::law::Law;
use crate::round::{Round, Stage};
use crate::state::State;

/// The kinds of irregularities that somebody can report now, with the right particulars.
pub(crate) fn reportable(state: &State, law: &Law, by: &Actor) -> Vec<IrregularityKind> {
    use IrregularityKind as Kind;
    // These are found when bets close or a terminal is gone.
    let is_found =
        |kind| matches!(kind, Kind::OverDifferential | Kind::UnderMinimum | Kind::TerminalInterruption);
    let kinds = Kind::ALL.iter().copied().filter(|kind| !is_found(*kind));
    kinds.filter(|kind| in_place(state, law, *kind, by).is_ok()).collect()
}

/// Only the house knows the cards of its own shoe.
pub(super) fn knows_cards(law: &Law, by: &Actor) -> bool {
    law.settings.cards != Cards::Software || by == &Actor::House
}

/// Whether a report of this kind claims something about the cards: which they are, which came first, where they lie.
const fn is_about_cards(kind: IrregularityKind) -> bool {
    use IrregularityKind as Kind;
    match kind {
        Kind::ForeignCard
        | Kind::ShortageOrExcess
        | Kind::WrongNumberOfCards
        | Kind::NotShuffled
        | Kind::ExcessOrExposedCard
        | Kind::WrongSide
        | Kind::SimultaneousDraw => true,
        Kind::OverDifferential
        | Kind::UnderMinimum
        | Kind::WalkAway
        | Kind::TechnicalInterruption
        | Kind::TerminalInterruption
        | Kind::ShoeExhausted
        | Kind::LateBet
        | Kind::FaceUp
        | Kind::OtherDealingError
        | Kind::LateDiscovery
        | Kind::BetPlacedInError
        | Kind::WrongResult
        | Kind::Uncovered => false,
    }
}

/// Whether something of this kind can be reported now, with the right particulars.
pub(super) fn in_place(state: &State, law: &Law, kind: IrregularityKind, by: &Actor) -> Decided {
    use IrregularityKind as Kind;
    let refuse = |reason: Reason| Err(reason.under_some(law.cite(kind)));
    let round = state.round();
    // INTERPRETATION 51: while the float is covered, nobody is there to say anything else.
    if kind != Kind::TechnicalInterruption && state.float_covered {
        return Err(Reason::FloatCovered {}.under(&Cite::interpretation(51)));
    }
    // A card that waits to be read comes before anything but an interruption.
    if kind != Kind::TechnicalInterruption && round.is_some_and(|it| matches!(it.stage, Stage::Unread {})) {
        return Err(Reason::CardUnread {}.into());
    }
    // INTERPRETATION 32: nobody but the house knows the cards of a software shoe; a claim about them is a dispute.
    if is_about_cards(kind) && !knows_cards(law, by) {
        return Err(Reason::CardsKnown {}.under(&Cite::interpretation(32)));
    }
    let nothing_out = round.is_none_or(|round| round.drawn.is_empty());
    match kind {
        Kind::TechnicalInterruption
        | Kind::LateBet
        | Kind::WrongSide
        | Kind::FaceUp
        | Kind::ShoeExhausted
        | Kind::OtherDealingError
            if round.is_none() =>
        {
            Err(Reason::NoRound {}.into())
        }
        Kind::LateBet => match round.map(|round| &round.stage) {
            Some(Stage::Betting { .. } | Stage::Held { closes_at: Some(_), .. }) => {
                Err(Reason::BetsOpen {}.into())
            }
            Some(_) | None => Ok(()),
        },
        Kind::FaceUp if law.settings.faces != Faces::Down => refuse(Reason::NotFaceDown {}),
        Kind::FaceUp if !round.is_some_and(Round::has_covered) => refuse(Reason::CardNotYet {}),
        // INTERPRETATION 38: a card is due, and somebody sees that the device holds too few. The software counts its own
        // cards, and notices by itself where none is left on record.
        Kind::ShoeExhausted
            if law.settings.cards == Cards::Real && round.is_some_and(|it| it.due().is_some()) =>
        {
            if round.is_some_and(|round| round.shoe_awaited) {
                return Err(Reason::ShoeAwaited {}.into());
            }
            Ok(())
        }
        Kind::ShoeExhausted => {
            refuse(Reason::CardsLeft { left: state.shoe.as_ref().map_or(0, |shoe| shoe.left()) })
        }
        Kind::WrongSide if nothing_out => Err(Reason::CardsDoNotAddUp {}.into()),
        Kind::WrongNumberOfCards if round.is_some() && nothing_out => Err(Reason::CardsDoNotAddUp {}.into()),
        Kind::WrongNumberOfCards
            if round.is_none() && state.last().is_none_or(|last| last.result.is_none()) =>
        {
            Err(Reason::NoSuchRound {}.into())
        }
        Kind::LateDiscovery | Kind::WrongResult if state.rounds == RoundNo(0) => {
            Err(Reason::NoSuchRound {}.into())
        }
        // The only Round so far is in play, or can still be put right.
        Kind::LateDiscovery if state.rounds == RoundNo(1) && (round.is_some() || state.last().is_some()) => {
            refuse(Reason::NotLate {})
        }
        Kind::WrongResult if state.rounds == RoundNo(1) => match round.map(|round| &round.stage) {
            Some(Stage::Betting { .. }) => Err(Reason::BetsOpen {}.into()),
            None if state.last().is_some_and(|last| last.result.is_none()) => {
                Err(Reason::NoSuchRound {}.into())
            }
            Some(_) | None => Ok(()),
        },
        Kind::OverDifferential | Kind::UnderMinimum | Kind::TerminalInterruption => {
            unreachable!("there is no such report")
        }
        Kind::TechnicalInterruption
        | Kind::FaceUp
        | Kind::WrongSide
        | Kind::WrongNumberOfCards
        | Kind::LateDiscovery
        | Kind::WrongResult
        | Kind::SimultaneousDraw
        | Kind::ExcessOrExposedCard
        | Kind::OtherDealingError
        | Kind::ForeignCard
        | Kind::ShortageOrExcess
        | Kind::NotShuffled
        | Kind::WalkAway
        | Kind::BetPlacedInError
        | Kind::Uncovered => Ok(()),
    }
}
