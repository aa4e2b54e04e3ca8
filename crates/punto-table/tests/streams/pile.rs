//! A second count of the cards, from the events alone.

use punto_record::{CardDevice, Event, Seen, ShoeNo, Source};
use punto_rules::{Card, Composition, reconstruct};
use punto_table::State;

/// A card of the Round in play: known or not, from which shoe, or carried.
struct Lying {
    card: Option<Card>,
    foreign: bool,
    shoe: ShoeNo,
    carried: bool,
}

/// Every card that left the shoe in use.
#[derive(Default)]
pub(crate) struct Pile {
    shoe: ShoeNo,
    /// Of Rounds that are over, and between Rounds.
    over: Vec<Option<Card>>,
    lying: Vec<Lying>,
    /// Burnt cards that were turned over.
    shown: Vec<Card>,
    /// Cards for the next Round.
    carried: Vec<Card>,
    /// The cards that settled the last Round, and the shoe they are counted in.
    settled: Option<(ShoeNo, Vec<Card>)>,
    in_round: bool,
    continuous: bool,
}

impl Pile {
    #[allow(clippy::wildcard_enum_match_arm, reason = "only these move cards")]
    pub(crate) fn take(&mut self, event: &Event) {
        match event {
            Event::TableOpened { settings, .. } | Event::SettingsChanged { settings, .. } => {
                self.continuous = settings.device == CardDevice::ContinuousShuffler;
            }
            Event::ShoeLoaded { shoe, .. } => {
                self.shoe = *shoe;
                self.over.clear();
                self.shown.clear();
            }
            Event::BetsOpened { carried, .. } => {
                self.in_round = true;
                self.carried = reconstruct(carried).1.to_vec();
            }
            Event::CardsBurnt { shown, .. } => self.shown.extend(shown),
            Event::CardsOrdered { carried, .. } => self.carried.clone_from(carried),
            Event::CarriedCardsDiscarded { .. } => self.carried.clear(),
            Event::CardDrawn { card, source, .. } => {
                let carried = *source == Source::Carried;
                let foreign = matches!(card, Seen::Foreign(_));
                let card = if let Seen::Card(card) = card { Some(*card) } else { None };
                match self.in_round {
                    true => self.lying.push(Lying { card, foreign, shoe: self.shoe, carried }),
                    false => self.over.push(card),
                }
            }
            Event::CardRead { card } => {
                let last = self.lying.last_mut().expect("a card");
                assert_eq!(last.card, None, "a card is read once");
                last.card = card.card();
                last.foreign = matches!(card, Seen::Foreign(_));
            }
            Event::CardMisread { at, card } | Event::CardCorrected { at, card, .. } => {
                let lying = &mut self.lying[usize::from(*at) - 1];
                (lying.card, lying.foreign) = (Some(*card), false);
            }
            Event::CardsConfirmed { cards, .. } => {
                // What is no card of the set stays where it lies.
                let mut rest = cards.iter();
                let over = &mut self.over;
                self.lying.retain_mut(|lying| {
                    if lying.foreign {
                        return true;
                    }
                    let Some(card) = rest.next() else { return false };
                    let was = lying.card.replace(*card);
                    // A carried card was counted in its own Round.
                    if let (true, Some(place)) = (lying.carried, over.iter().rposition(|it| *it == was)) {
                        over[place] = Some(*card);
                    }
                    true
                });
                let shoe = self.shoe;
                let new = |card: &Card| Lying { card: Some(*card), foreign: false, shoe, carried: false };
                self.lying.extend(rest.map(new));
            }
            Event::RoundCorrected { result, carried, .. } => self.correct(&result.cards, carried),
            Event::RoundSettled { .. } | Event::RoundVoided { .. } => {
                if let Event::RoundSettled { result, .. } = event {
                    self.settled = Some((self.shoe, result.cards.clone()));
                }
                let shoe = self.shoe;
                let own = self.lying.drain(..).filter(|it| !it.carried && it.shoe == shoe);
                self.over.extend(own.map(|it| it.card));
                self.in_round = false;
                if let Event::RoundVoided { .. } = event {
                    self.carried.clear();
                }
                if self.continuous {
                    self.over.clear();
                }
            }
            _ => {}
        }
    }

    /// The Round had other cards than those that were counted, if they are still counted.
    fn correct(&mut self, cards: &[Card], carried: &[Card]) {
        let was_carried = std::mem::replace(&mut self.carried, carried.to_vec());
        let Some((shoe, mut before)) = self.settled.take() else { return };
        self.settled = Some((shoe, cards.to_vec()));
        before.extend(was_carried);
        let mut over = self.over.clone();
        for card in before {
            let Some(at) = over.iter().position(|it| *it == Some(card)) else { return };
            over.swap_remove(at);
        }
        if shoe == self.shoe {
            self.over = over;
            self.over.extend(cards.iter().chain(carried).copied().map(Some));
        }
    }

    /// The table counts the same.
    pub(crate) fn check(&self, state: &State) {
        let Some(shoe) = &state.shoe else { return };
        let lying = self.lying.iter().filter(|it| !it.carried && it.shoe == self.shoe).map(|it| it.card);
        let out: Vec<Option<Card>> = self.over.iter().copied().chain(lying).collect();
        let known: Composition = out.iter().flatten().chain(&self.shown).copied().collect();
        assert_eq!(shoe.dealt, known, "the cards that came out and are known");
        assert_eq!(usize::from(shoe.drawn), out.len(), "how many came out");
    }
}
