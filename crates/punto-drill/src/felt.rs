//! The cards themselves, as they lie: what the record is told about them may be late, wrong, or lost.
//!
//! With real cards there is a shuffled shoe, cards in the Dealer's hand that no entry knows yet, and the true cards of
//! the Round. With software cards there is the order that the shoe was committed to.

use std::collections::BTreeMap;
use std::sync::Arc;

use punto_record::{Digest, Event, Seen, ShoeNo, Source, commitment, digest};
use punto_rules::{Card, Composition, Shoe};

/// The cards of one table.
#[derive(Debug)]
pub(crate) struct Felt {
    seed: Digest,
    shoe: Shoe,
    full: usize,
    /// Out of the shoe and not on record.
    in_hand: Vec<Card>,
    /// What the cards of the Round truly are; nothing where one is no card of the set.
    out: Vec<Option<Card>>,
    /// The same for the Round before.
    last: Vec<Card>,
    in_round: bool,
    secrets: BTreeMap<Digest, (Arc<str>, Vec<Card>)>,
}

impl Felt {
    pub(crate) fn new(seed: [u8; 32]) -> Felt {
        Felt {
            seed: Digest(seed),
            shoe: Shoe::stacked(Vec::new()),
            full: 0,
            in_hand: Vec::new(),
            out: Vec::new(),
            last: Vec::new(),
            in_round: false,
            secrets: BTreeMap::new(),
        }
    }

    /// Cards that are out of the shoe and not on record, at least so many if there are so many.
    pub(crate) fn take(&mut self, count: usize) -> Vec<Card> {
        while self.in_hand.len() < count
            && let Some(card) = self.shoe.draw()
        {
            self.in_hand.push(card);
        }
        self.in_hand.iter().copied().take(count).collect()
    }

    /// The card on top of the shoe.
    pub(crate) fn top(&self) -> Option<Card> {
        self.shoe.clone().draw()
    }

    /// What the last card that came out truly is.
    pub(crate) fn unread(&self) -> Option<Card> {
        self.out.last().copied().flatten()
    }

    /// All cards that are out, those included that no entry knows.
    pub(crate) fn lying(&self) -> Vec<Card> {
        self.out.iter().copied().flatten().chain(self.in_hand.iter().copied()).collect()
    }

    /// The true cards of the Round before.
    pub(crate) fn last(&self) -> &[Card] {
        &self.last
    }

    /// What card of the Round truly is, counted from 0.
    pub(crate) fn truth(&self, at: usize) -> Option<Card> {
        self.out.get(at).copied().flatten()
    }

    /// A new order of software cards, and the commitment to it.
    pub(crate) fn commit(&mut self, decks: u8, seed: [u8; 32]) -> Digest {
        let cards = all(Shoe::shuffled(&Composition::decks(decks), seed));
        let salt: Arc<str> = digest(&seed).to_string().into();
        let committed = commitment(salt.as_bytes(), &cards);
        self.secrets.insert(committed, (salt, cards));
        committed
    }

    /// The order behind a commitment.
    pub(crate) fn secret(&self, committed: &Digest) -> Option<&(Arc<str>, Vec<Card>)> {
        self.secrets.get(committed)
    }

    /// Something happened and is on record.
    #[allow(clippy::wildcard_enum_match_arm, reason = "only these move cards")]
    pub(crate) fn see(&mut self, event: &Event) {
        match event {
            Event::ShoeLoaded { shoe, cards, .. } => self.load(*shoe, *cards),
            Event::CardsCut { at, .. } if self.shoe.remaining() == self.full => {
                self.shoe.cut((*at).into());
            }
            Event::CardsBurnt { count, .. } => {
                for _ in 0..*count {
                    self.shoe.draw();
                }
            }
            Event::BetsOpened { .. } => {
                self.out.clear();
                self.in_round = true;
            }
            Event::CardDrawn { card, source, .. } => {
                let truth = match (card, source) {
                    (Seen::Foreign(_), _) => None,
                    (_, Source::Carried) => card.card(),
                    // Nobody drew it: whatever it is, it is some card.
                    (_, _) if self.in_hand.is_empty() => card.card().or(Some(Card::from_index(0))),
                    (_, _) => Some(self.in_hand.remove(0)),
                };
                if self.in_round {
                    self.out.push(truth);
                }
            }
            Event::CardMisread { at, card } => {
                if let Some(place) = self.out.get_mut(usize::from(*at) - 1) {
                    *place = Some(*card);
                }
            }
            Event::CardsConfirmed { cards, .. } => {
                let known = self.out.iter().flatten().count();
                let more = cards.len().saturating_sub(known).min(self.in_hand.len());
                self.in_hand.drain(..more);
                let mut rest = cards.iter().copied();
                // A card that is not in the list is not on the felt; what is no card of the set stays.
                self.out.retain_mut(|it| {
                    if it.is_some() {
                        *it = rest.next();
                        return it.is_some();
                    }
                    true
                });
                self.out.extend(rest.map(Some));
            }
            Event::RoundSettled { .. } | Event::RoundVoided { .. } if self.in_round => {
                self.in_round = false;
                self.last = self.out.drain(..).flatten().collect();
            }
            _ => {}
        }
    }

    fn load(&mut self, no: ShoeNo, cards: u16) {
        let decks = (cards / Card::KINDS as u16) as u8;
        let seed = digest(format!("{} {no}", self.seed).as_bytes());
        self.shoe = Shoe::shuffled(&Composition::decks(decks), seed.0);
        self.full = cards.into();
        self.in_hand.clear();
    }
}

fn all(mut shoe: Shoe) -> Vec<Card> {
    std::iter::from_fn(|| shoe.draw()).collect()
}
