//! A figure for every card: thirteen where suits make no difference, fifty-two where they do.

use punto_rules::{Card, Composition, Rank, Suit};

/// All cards, those of one rank together, so that a rank is four cards in a row.
const DECK: [Card; Card::KINDS] = {
    let mut deck = [Card::from_index(0); Card::KINDS];
    let mut index = 0;
    while index < Card::KINDS {
        deck[index] = Card::from_index(index);
        index += 1;
    }
    deck
};
const RANKS: usize = Rank::ALL.len();

/// One value for every card of a deck. A value by rank stands for all four suits of that rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ByCard<T> {
    /// Thirteen by rank, or fifty-two by card.
    values: Vec<T>,
}

impl<T: Copy> ByCard<T> {
    /// Asks for the value of each single card if suits are told apart, else of all four cards of each rank.
    pub fn from_fn(tells_suits: bool, value: impl FnMut(&[Card]) -> T) -> ByCard<T> {
        let cards = if tells_suits { 1 } else { Suit::ALL.len() };
        ByCard { values: DECK.chunks(cards).map(value).collect() }
    }

    /// Whether each suit has values of its own.
    pub fn tells_suits(&self) -> bool {
        self.values.len() == Card::KINDS
    }

    /// The value of a card.
    pub fn of(&self, card: Card) -> T {
        self.values[card.index() * self.values.len() / Card::KINDS]
    }

    /// The values in the order of [`ByCard::iter`].
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// Each value with the cards that it stands for, Aces first: one card, or the four of a rank.
    pub fn iter(&self) -> impl Iterator<Item = (&'static [Card], T)> + '_ {
        DECK.chunks(Card::KINDS / self.values.len()).zip(self.values.iter().copied())
    }

    /// The same figure made of each value.
    pub fn map<U>(&self, figure: impl FnMut(T) -> U) -> ByCard<U> {
        ByCard { values: self.values.iter().copied().map(figure).collect() }
    }

    /// The values by rank, Ace first, for each set of suits whose values are all the same.
    pub fn by_suits(&self) -> Vec<(Vec<Suit>, [T; RANKS])>
    where
        T: PartialEq,
    {
        let mut sets: Vec<(Vec<Suit>, [T; RANKS])> = Vec::new();
        for suit in Suit::ALL {
            let values = Rank::ALL.map(|rank| self.of(Card { rank, suit }));
            match sets.iter_mut().find(|(_, others)| *others == values) {
                Some((suits, _)) => suits.push(suit),
                None => sets.push((vec![suit], values)),
            }
        }
        sets
    }

    /// How many cards of a shoe each value stands for.
    pub(crate) fn copies(&self, shoe: &Composition) -> ByCard<u32> {
        let copies = |cards: &[Card]| cards.iter().map(|&card| u32::from(shoe.copies(card))).sum();
        ByCard::from_fn(self.tells_suits(), copies)
    }
}

impl<T: Copy> From<[T; RANKS]> for ByCard<T> {
    /// By rank, Ace first.
    fn from(values: [T; RANKS]) -> ByCard<T> {
        ByCard { values: values.to_vec() }
    }
}

impl<T: Copy> From<[T; Card::KINDS]> for ByCard<T> {
    /// In the order of [`Card::all`].
    fn from(values: [T; Card::KINDS]) -> ByCard<T> {
        ByCard { values: values.to_vec() }
    }
}

/// How the cards that a value stands for are written: `A` for a rank, `As` for a card.
pub fn kind_of_cards(cards: &[Card]) -> String {
    match cards {
        [card] => card.to_string(),
        cards => cards.first().map(|card| card.rank.symbol().to_string()).unwrap_or_default(),
    }
}
