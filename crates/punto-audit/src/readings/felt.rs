//! Where the cards lie and in which order they count, folded from events alone.

use punto_record::{Event, Report, Seen, Source};
use punto_rules::{BySide, Card, Side, reconstruct};

/// The cards on the felt of one table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Felt {
    /// Every card of the Round in play, in the order it left the shoe, and with whom it lies.
    pub(crate) out: Vec<(Seen, Option<Side>, Source)>,
    /// The same cards in the order that counts.
    pub(crate) order: Vec<Card>,
    /// What the Round just over was settled by; empty after a void.
    pub(crate) settled: Vec<Card>,
    /// What opens the next Round.
    pub(crate) carried: Vec<Card>,
    /// What came out of this shoe since the Round was over.
    pub(crate) exposed: Vec<Card>,
    in_play: bool,
}

impl Felt {
    /// The cards of the Round in play, or of the one just over.
    pub(crate) fn recorded(&self) -> Vec<Card> {
        match self.in_play {
            true => self.out.iter().filter_map(|(seen, _, _)| seen.card()).collect(),
            false => [self.settled.as_slice(), &self.carried].concat(),
        }
    }

    /// The same in the order that counts.
    pub(crate) fn counting(&self) -> Vec<Card> {
        if self.in_play { self.order.clone() } else { self.recorded() }
    }

    /// How many cards lie with each Hand.
    pub(crate) fn lying(&self) -> BySide<usize> {
        BySide::from_fn(|side| {
            self.out.iter().filter(|(seen, at, _)| seen.card().is_some() && *at == Some(side)).count()
        })
    }

    #[allow(clippy::wildcard_enum_match_arm)] // A fold of a few facts; what it does not name changes none of them.
    pub(super) fn learn(&mut self, event: &Event) {
        match event {
            Event::BetsOpened { .. } => *self = Felt { in_play: true, ..Felt::default() },
            Event::CardDrawn { card, side, source, .. } if self.in_play => {
                self.out.push((card.clone(), *side, *source));
                self.order.extend(card.card());
            }
            Event::CardDrawn { card, .. } => self.exposed.extend(card.card()),
            Event::CardRead { card } => {
                if let Some(last) = self.out.last_mut() {
                    last.0 = card.clone();
                }
                self.order.extend(card.card());
            }
            Event::CardMisread { at, card } => {
                if let Some(it) = self.out.get_mut(usize::from(*at).wrapping_sub(1)) {
                    it.0 = Seen::Card(*card);
                }
            }
            Event::CardCorrected { at, card, .. } => self.correct((*at).into(), *card),
            Event::MatterOpened {
                report: Report::WrongNumberOfCards { hands, .. } | Report::WrongSide { hands },
                ..
            } if self.in_play => self.lay(hands),
            Event::CardsOrdered { order, carried } => {
                if self.in_play {
                    self.order = order.iter().chain(carried).copied().collect();
                    self.lay_in_order();
                } else {
                    self.carried.clone_from(carried);
                }
            }
            Event::CardsConfirmed { cards, .. } => self.confirm(cards),
            Event::CarriedCardsDiscarded { .. } => {
                let kept = self.order.len() - reconstruct(&self.order).1.len();
                self.order.truncate(kept);
                self.carried.clear();
                self.exposed.clear();
            }
            Event::ShoeRetired { .. } => self.exposed.clear(),
            Event::RoundSettled { result, .. } => {
                let carried = self.order.get(result.cards.len()..).unwrap_or(&[]).to_vec();
                *self = Felt { settled: result.cards.clone(), carried, ..Felt::default() };
            }
            Event::RoundCorrected { result, carried, .. } => {
                self.settled.clone_from(&result.cards);
                self.carried.clone_from(carried);
                self.exposed.clear();
            }
            Event::RoundVoided { .. } | Event::TableClosed {} => *self = Felt::default(),
            _ => {}
        }
    }

    /// A card had been keyed wrongly. Nothing was ruled since: it stands as far from the end in either list.
    fn correct(&mut self, at: usize, card: Card) {
        let Some(it) = self.out.get_mut(at.wrapping_sub(1)) else { return };
        it.0 = Seen::Card(card);
        let from_the_end = self.out[at - 1..].iter().filter(|(seen, _, _)| seen.card().is_some()).count();
        let place = self.order.len().checked_sub(from_the_end);
        if let Some(it) = place.and_then(|place| self.order.get_mut(place)) {
            *it = card;
        }
    }

    fn lay(&mut self, hands: &BySide<Vec<Card>>) {
        let mut lying: Vec<(Card, Side)> = Vec::new();
        for side in Side::BOTH {
            lying.extend(hands[side].iter().map(|card| (*card, side)));
        }
        for (seen, at, _) in &mut self.out {
            let place = lying.iter().position(|(card, _)| *seen == Seen::Card(*card));
            *at = place.map(|place| lying.remove(place).1);
        }
    }

    fn lay_in_order(&mut self) {
        let (deal, _) = reconstruct(&self.order);
        let hands = BySide::from_fn(|side| deal.hands()[side].cards().to_vec());
        self.lay(&hands);
    }

    /// The cards that are out, said anew: what is no card of the set stays where it lies.
    fn confirm(&mut self, cards: &[Card]) {
        let recorded: Vec<Card> = self.out.iter().filter_map(|(seen, _, _)| seen.card()).collect();
        let is_read = self.out.iter().all(|(seen, _, _)| *seen != Seen::Unreadable);
        match cards.strip_prefix(recorded.as_slice()) {
            Some(more) if is_read => self.order.extend_from_slice(more),
            Some(_) | None => self.order = cards.to_vec(),
        }
        let mut said = cards.iter();
        for (seen, _, _) in &mut self.out {
            if !matches!(seen, Seen::Foreign(_))
                && let Some(card) = said.next()
            {
                *seen = Seen::Card(*card);
            }
        }
        self.out.extend(said.map(|card| (Seen::Card(*card), None, Source::Keyed)));
        if self.out.iter().any(|(_, side, _)| side.is_none()) {
            self.lay_in_order();
        }
    }
}
