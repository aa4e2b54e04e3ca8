//! A second count of the cards, from the events alone.

use punto_record::{CardDevice, Event, Seen, ShoeNo, Source};
use punto_rules::{Card, Composition};
use punto_table::State;

/// A card of the Round in play: known or not, from which shoe, or carried.
struct Lying {
    card: Option<Card>,
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
    in_round: bool,
    continuous: bool,
}

impl Pile {
    pub(crate) fn take(&mut self, event: &Event) {
        match event {
            Event::TableOpened { settings, .. } | Event::SettingsChanged { settings, .. } => {
                self.continuous = settings.device == CardDevice::ContinuousShuffler;
            }
            Event::ShoeLoaded { shoe, .. } => {
                self.shoe = *shoe;
                self.over.clear();
            }
            Event::BetsOpened { .. } => self.in_round = true,
            Event::CardDrawn { card, source, .. } => {
                let carried = *source == Source::Carried;
                let card = if let Seen::Card(card) = card { Some(*card) } else { None };
                match self.in_round {
                    true => self.lying.push(Lying { card, shoe: self.shoe, carried }),
                    false => self.over.push(card),
                }
            }
            Event::CardRead { card } => {
                let last = self.lying.last_mut().expect("a card");
                assert_eq!(last.card.replace(*card), None, "a card is read once");
            }
            Event::CardMisread { at, card } => {
                self.lying[usize::from(*at) - 1].card = Some(*card);
            }
            Event::CardsConfirmed { cards } => {
                self.lying.truncate(cards.len());
                for (i, card) in cards.iter().enumerate() {
                    match self.lying.get_mut(i) {
                        Some(lying) => lying.card = Some(*card),
                        None => self.lying.push(Lying { card: Some(*card), shoe: self.shoe, carried: false }),
                    }
                }
            }
            Event::RoundSettled { .. } | Event::RoundVoided { .. } => {
                let shoe = self.shoe;
                let own = self.lying.drain(..).filter(|it| !it.carried && it.shoe == shoe);
                self.over.extend(own.map(|it| it.card));
                self.in_round = false;
                if self.continuous {
                    self.over.clear();
                }
            }
            _ => {}
        }
    }

    /// The table counts the same.
    pub(crate) fn check(&self, state: &State) {
        let Some(shoe) = &state.shoe else { return };
        let lying = self.lying.iter().filter(|it| !it.carried && it.shoe == self.shoe).map(|it| it.card);
        let out: Vec<Option<Card>> = self.over.iter().copied().chain(lying).collect();
        let known: Composition = out.iter().flatten().copied().collect();
        assert_eq!(shoe.dealt, known, "the cards that came out and are known");
        assert_eq!(usize::from(shoe.drawn), out.len(), "how many came out");
    }
}
